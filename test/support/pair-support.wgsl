// requires convex/pair/pair.wgsl
// Support points of pairs, for the test of what all kernels for pairs stand on.

@compute @workgroup_size(GROUP)
fn pairSupport(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= arrayLength(&pairs)) {
    return;
  }
  placePair(pairs[i].x, pairs[i].y);
  let n = directions[i].xyz;
  let first = supportPoint(n);
  // Again from where climbing left off, and among all vertices.
  let again = supportPoint(n);
  mayClimb = false;
  let sure = supportPoint(n);
  results[4u * i] = vec4f(first.w, pair.unit);
  results[4u * i + 1u] = vec4f(toWorld(first.a), pair.size);
  results[4u * i + 2u] = vec4f(toWorld(first.b), dot(n, again.w));
  results[4u * i + 3u] = vec4f(pair.marginA, pair.marginB, dot(n, sure.w), 0.0);
}
