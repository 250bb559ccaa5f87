// requires convex/pair/pair.wgsl
// requires convex/pair/statuses.wgsl
// Writes results for the host: three quads of words per pair, as src/convex/gpu/pair-layout.ts has them. Needs the
// binding `results`.

// Lengths are in the pair's unit and about A's centre in its frame, as algorithms have them; `a` is on the shape,
// margin included.
fn writeResult(place: u32, status: u32, calls: u32, distance: f32, lower: f32, upper: f32, normal: vec3f, a: vec3f) {
  let lengths = pair.unit * vec3f(distance, lower, upper);
  results[RESULT * place] = vec4u(bitcast<vec3u>(lengths), status | (calls << 8u));
  results[RESULT * place + 1u] = vec4u(bitcast<vec3u>(toWorld(normal)), 0u);
  results[RESULT * place + 2u] = vec4u(bitcast<vec3u>(pair.unit * toWorld(a)), 0u);
}

// The first quad alone: a status, and nothing else that means anything.
fn writeStatus(place: u32, status: u32, calls: u32) {
  results[place] = vec4u(0u, 0u, 0u, status | (calls << 8u));
}
