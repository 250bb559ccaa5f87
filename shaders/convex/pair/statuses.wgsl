// Statuses of results, as PairStatus has them, and the sizes of what kernels leave per pair of convex bodies. Host:
// src/convex/gpu/pair-layout.ts.

const CONVERGED = 0u;
const SEPARATED = 2u;
const ITERATION_LIMIT = 3u;
// Bounds hold, and are farther apart than the gap: for the host `PairStatus.bounded`, as kernels have no degenerate
// answers.
const DEGENERATE = 4u;
const BOUNDED = 5u;
// Cores that overlap for certain, whose depth is still wanted.
const INSIDE = 6u;

const RESULT = 3u;
const SIMPLEX = 8u;
