/**
 * Tolerances and the cost model of the cell grid, each with its unit and its reason. Bounds are derived in
 * docs/cell-grid.md.
 */
import { FLOAT32_SPACING } from '../../constants.ts';

/**
 * By how much a kernel's cell number is off at most, in cells, per cell along the axis. (p - o) / h has a spacing for
 * the difference, a spacing for the product and half of one for 1 / h, which the host rounds: 2.5, rounded up.
 */
export const CELL_NUMBER_ERROR = 2.51 * FLOAT32_SPACING;
/**
 * Least margin by which cells are grown when triangles are assigned to them, in cells. It covers the error of cell
 * numbers up to 3,263 cells along an axis, with room for a block up to 1,305. `cellMargin` gives the margin of a grid.
 */
export const LEAST_CELL_MARGIN = 2 ** -10;
/**
 * The margin is at least so many times the error of cell numbers: a block takes half of it, which leaves a quarter of
 * the error for rounding of the block's origin.
 */
export const CELL_MARGIN_ERRORS = 2.5;
/** Where in a cell its row's line lies, in cells: off the middle, so that meshes on the same lattice miss the line. */
export const CELL_ROW_Y = 0.4731;
/** As CELL_ROW_Y, along z. */
export const CELL_ROW_Z = 0.5297;
/** Places of a reference point along the row's line, in cells, tried in this order until one is clear. */
export const CELL_REFERENCE_PLACES: readonly number[] = [
  0.5113, 0.3079, 0.7121, 0.4053, 0.6131, 0.2417, 0.7793,
];
/** Distance from a reference to a triangle's plane that is clear enough to stop looking, in cells. */
export const LEAST_CLEARANCE = 0.04;
/**
 * Error of b0, b1, b2 and b0 + b1 + b2 - 1 per |p - r|, times the rows' absolute sum: 11.66 spacings, derived in
 * docs/cell-grid.md. The rest covers products of roundings and the bound's own.
 */
export const SEGMENT_ERROR = 11.8 * FLOAT32_SPACING;
/**
 * Least |det| relative to the sum of its absolute terms for which float64 gives it to 0.16 spacings of float32: five
 * roundings of 2^-53 over 2^-25.
 */
export const LEAST_SEGMENT_DETERMINANT = 2 ** -25;
/** Error of b0 + b1 + b2 - 1 from the constant 1: nine sums, a spacing each. Derived with SEGMENT_ERROR. */
export const SEGMENT_ERROR_CONSTANT = 9.1 * FLOAT32_SPACING;
/**
 * The share of a pair's bound that float64 needs: 0.67 of 11.66 spacings, as only the rows are rounded to float32.
 * Derived in docs/cell-grid.md, "A point in a mixed cell".
 */
export const FLOAT64_SHARE = 2 ** -4;
/** Largest float64 error of the place of a crossing on a row's line that needs no exact predicate, in cells. */
export const CROSSING_PLACE_ERROR = 2 ** -8;
/** Cells along one axis of a cell grid: a cell is then at least 2^10 float32 spacings wide. */
export const LARGEST_CELLS_PER_AXIS = 4095;
/** Cells of a cell grid: half a byte each, 128 MiB, the portable limit of a binding. */
export const LARGEST_CELL_COUNT = 2 ** 28;
/** Bytes of a body's pairs, on the host and on a GPU: what a program on a usual machine can spare. */
export const LARGEST_PAIR_BYTES = 2 ** 32;
/**
 * Bytes per triangle that the tables of a grid may take without its blocks, where the cell is the cost model's choice:
 * six times what uniform bodies take (100 to 130), for needles and sheets that pass many cells each.
 */
export const TABLE_BYTES_PER_TRIANGLE = 768;
/** ... and so many besides, for bodies of few triangles: what reading a mesh takes anyway. */
export const LEAST_TABLE_BYTES = 2 ** 22;
/** Cost model of the cell grid, in nanoseconds on one core of a current machine: to build a (cell, triangle) pair. */
export const PAIR_COST = 250;
/** To clear, fill and scan one cell. */
export const CELL_COST = 1;
/** To test a point against one pair of its cell. */
export const POINT_COST_PER_PAIR = 12;
/**
 * Points near the surface foreseen per triangle, for blocks; shared out among the 2 or 3 cells that a triangle of a
 * uniform body meets.
 */
export const NEAR_POINTS_FORESEEN_PER_TRIANGLE = 5;
/** Triangles in a cell from which on a block of finer cells may pay. */
export const LEAST_TRIANGLES_TO_REFINE = 32;
/** Extent of a cell's triangles, in cells, up to which a block is worth it even if few of its cells get them all. */
export const CLUSTER_SPAN = 0.25;
/** Pairs per triangle that blocks in such a block are expected to take, in all. */
export const CLUSTER_PAIRS = 3;
/** The most cells along an edge of a block. Where that is too coarse, its cells get blocks of their own. */
export const LARGEST_BLOCK_AXIS = 24;
/** Blocks in each other: with 24 cells an edge, more than float32 resolves. */
export const MOST_BLOCK_LEVELS = 4;
/**
 * Nanoseconds of the cost model that all blocks of a body may take per triangle to make. A uniform body takes about 3
 * pairs, 750 of them. As a pair is 40 bytes, a mixed cell 20 and a cell 3/4 of one, blocks are bounded by 60 bytes per
 * PAIR_COST: 720 bytes per triangle.
 */
export const BLOCK_WORK_PER_TRIANGLE = 3000;
/** Numbers of cells along an edge that are tried for one block. */
export const MOST_BLOCK_TRIES = 6;
/** Cost model: to fill and scan one cell of a block, in nanoseconds: each has a place on a line of its own. */
export const BLOCK_CELL_COST = 40;
/** Cost model: to set up a block, in nanoseconds, apart from its pairs and cells. */
export const BLOCK_COST = 20_000;
/**
 * Float32 spacings per edge of a block's cell: rounding moves a reference by half a spacing, 2^-10 of the cell, which
 * the rows' reach allows for beside LEAST_CELL_MARGIN.
 */
export const LEAST_SPACINGS_PER_CELL = 2 ** 9;
/**
 * Float64 rounding of a normal's product with a difference, relative to the products of its sums: 5 roundings of 2^-53.
 */
export const NORMAL_ROUNDING = 2 ** -50;
/**
 * Least |x| of a normal relative to the sum of its absolute products for which float64 places a crossing on a line
 * along x: the normal's own rounding, 4 * 2^-53 of that sum, is then 2^-5 of it. See cell-grid/crossing-shift.ts.
 */
export const LEAST_CROSSING_NORMAL = 2 ** -46;
/**
 * Float64 rounding of the place of a crossing, relative to the sum of its absolute terms: 8 roundings of 2^-53,
 * doubled.
 */
export const CROSSING_PLACE_ROUNDING = 2 ** -49;
/**
 * By how much a triangle's corners, found from its pair, may be off along a slab's normal, in units of the pair's bound
 * times the corners' coordinates. Derived in docs/cell-grid.md, "Slabs": 7 for the bound, the rest for float64.
 */
export const SLAB_CORNER_ERROR = 8;
/** Bound of a pair up to which its corners are looked for: beyond it a slab would be thick. */
export const SLAB_LARGEST_BOUND = 2 ** -8;
/** Most that the rows' sum, to the third power, may be over their determinant: float64 rounding is 2^-26 then. */
export const SLAB_DETERMINANT = 2 ** 27;
/** Rounding of a slab's places to float32, and of a point's place, relative to the coordinates: 2^-24, with room. */
export const SLAB_ROUNDING = 2 ** -21;
/**
 * Slabs that are made per point that was tested against triangles. One takes as long as three of these tests: so they
 * take half as long again, and no call pays for all of them.
 */
export const SLABS_PER_POINT = 1 / 6;
/** Points tested before the first slab: fewer tests take less time than compiling what makes slabs, some 10 ms. */
export const LEAST_POINTS_FOR_SLABS = 2 ** 16;
