// Every operation of common/float64 on pairs of numbers, for test/gpu/float64.test.ts: 13 results of two words per pair.
// requires common/float64

@compute @workgroup_size(64)
fn float64(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let n = id.x + id.y * groups.x * 64u;
  if (n >= arrayLength(&operands)) {
    return;
  }
  let a = operands[n].xy;
  let b = operands[n].zw;
  let at = 13u * n;
  results[at] = f64Add(a, b);
  results[at + 1u] = f64Sub(a, b);
  results[at + 2u] = f64Multiply(a, b);
  results[at + 3u] = f64Divide(a, b);
  results[at + 4u] = f64Sqrt(a);
  results[at + 5u] = vec2u(select(0u, 1u, f64Less(a, b)), 0u);
  results[at + 6u] = f64Abs(a);
  results[at + 7u] = f64Negate(a);
  results[at + 8u] = vec2u(bitcast<u32>(f64Floor(a)), 0u);
  results[at + 9u] = f64FromInteger(i32(a.x));
  results[at + 10u] = f64FromFloat32(a.x);
  results[at + 11u] = vec2u(f64ToFloat32(a), 0u);
  results[at + 12u] = f64Add(a, f64Multiply(a, b));
}
