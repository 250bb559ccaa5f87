// requires convex/pair/pair.wgsl
// What kernels leave for the host: three quads of words per pair, src/convex/gpu/layout.ts says which. Needs the binding `results`.

const CONVERGED = 0u;
const SEPARATED = 2u;
const ITERATION_LIMIT = 3u;
// Bounds hold, and are farther apart than the gap: for the host `PairStatus.bounded`, as kernels have no degenerate answers.
const DEGENERATE = 4u;
// Cores that overlap for certain, whose depth is still wanted.
const INSIDE = 6u;

const RESULT = 3u;
const SIMPLEX = 8u;

// Lengths are in the pair's unit and about A's centre in its frame, as algorithms have them; `a` is on the shape, margin included.
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
