/**
 * Every tolerance of scree, with its unit and its reason. Bounds are derived in docs/; nothing here is tuned until a
 * test passes.
 */

/** Unit roundoff of IEEE float32, relative: half the distance from 1 to the next number. */
export const FLOAT32_ROUNDOFF = 2 ** -24;

/** The slope of the common ray against its axis, y over x: float32, dimensionless. See docs/ray-crossing.md. */
export const RAY_SLOPE_Y = Math.fround(0.0173);
/** The slope of the common ray against its axis, z over x: float32, dimensionless. */
export const RAY_SLOPE_Z = Math.fround(0.0119);

/**
 * Forward error of b1, b2, 1 - b1 - b2 and t per |p - a|, in units of roundoff times the row's absolute sum.
 * 7.1 is derived in docs/ray-crossing.md; the rest covers rounding of the bound itself.
 */
export const MARGIN_ERROR_FACTOR = 7.2;
/** Error of 1 - b1 - b2 from the constant 1, in units of roundoff. Derived with MARGIN_ERROR_FACTOR: 2.01. */
export const MARGIN_ERROR_CONSTANT = 2.1;

/**
 * Least |d . n| relative to the sum of its absolute terms for which float64 rows are trusted to 2^-29. Steeper or
 * degenerate triangles get a region in which every point is settled exactly.
 */
export const LEAST_RELATIVE_DETERMINANT = 2 ** -20;
/** Largest entry of a float32 row; products with differences then stay far from overflow. Per unit of length. */
export const LARGEST_ROW = 2 ** 90;
/** Half width of the region around a degenerate triangle, relative to its length. */
export const STEEP_REGION_WIDTH = 2 ** -18;
/** Least length of that region, relative to the mesh's largest extent. */
export const STEEP_REGION_LENGTH = 2 ** -20;
/** Bound inside that region: above 1/3, the largest value that min(b1, b2, 1 - b1 - b2) takes. */
export const STEEP_REGION_BOUND = 0.34;

/**
 * Meshes whose largest absolute coordinate lies outside 2^-16 .. 2^16 are scaled by an exact power of two, so that
 * no product in a kernel overflows or becomes subnormal.
 */
export const UNSCALED_EXPONENT = 16;

/**
 * Slack of the float64 segment-box test, as a fraction of the segment (0 .. 1): four roundings of 2^-53, rounded up
 * generously, since a face that is tested in vain costs nothing but time.
 */
export const SEGMENT_BOX_SLACK = 2 ** -40;

/**
 * By how much cells are grown when triangles are assigned to them, in cells. A float32 cell number is off by at most
 * three roundings of a number below 4096 cells: 3 * 2^-24 * 2^12 = 2^-10.4; float64 rounding of the test is far less.
 */
export const CELL_MARGIN = 2 ** -10;

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
 * Error of b0, b1, b2 and b0 + b1 + b2 - 1 per |p - r|, in units of roundoff times the rows' absolute sum. 7.42 is
 * derived in docs/cell-grid.md; the rest covers rounding of the bound itself.
 */
export const SEGMENT_ERROR_FACTOR = 7.6;
/**
 * Least |det| relative to the sum of its absolute terms for which float64 gives it to 0.32 roundoffs of float32: five
 * roundings of 2^-53 over 2^-25.
 */
export const LEAST_SEGMENT_DETERMINANT = 2 ** -25;
/** Error of b0 + b1 + b2 - 1 from the constant 1, in units of roundoff. Derived with SEGMENT_ERROR_FACTOR: 1.01. */
export const SEGMENT_ERROR_CONSTANT = 1.1;
/** Largest float64 error of the place of a crossing on a row's line that needs no exact predicate, in cells. */
export const CROSSING_PLACE_ERROR = 2 ** -8;
/** Largest float32: the bound of what no bound certifies. */
export const LARGEST_FLOAT32 = (2 - 2 ** -23) * 2 ** 127;

/** Cells along one axis of a cell grid: the margin CELL_MARGIN is derived for it. */
export const LARGEST_CELLS_PER_AXIS = 4095;
/** Cells of a cell grid: half a byte each, 128 MiB, the portable limit of a binding. */
export const LARGEST_CELL_COUNT = 2 ** 28;
/** Bytes of a body's pairs, on the host and on a GPU: what a program on a usual machine can spare. */
export const LARGEST_PAIR_BYTES = 2 ** 32;
/**
 * Bytes per triangle that the tables of a grid may take without its blocks, where the cell is the cost model's choice: six times what
 * uniform bodies take (100 to 130), for needles and sheets that pass many cells each.
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
/** Points that a body is built for: so many per triangle, a few time steps of bodies against each other, ... */
export const POINTS_FORESEEN_PER_TRIANGLE = 8;
/** Points near the surface foreseen per triangle, for blocks; shared out among the 2 or 3 cells that a triangle of a uniform body meets. */
export const NEAR_POINTS_FORESEEN_PER_TRIANGLE = 5;
/** ... and at least so many, one small classification. */
export const LEAST_POINTS_FORESEEN = 2e4;

/** Triangles in a cell from which on a block of finer cells may pay. */
export const LEAST_TRIANGLES_TO_REFINE = 32;
/** Extent of a cell's triangles, in cells, up to which a block is worth it even if few of its cells get them all. */
export const CLUSTER_SPAN = 0.25;
/** Pairs per triangle that blocks in such a block are expected to take, in all. */
export const CLUSTER_PAIRS = 3;
/** Cells along an edge of a block: what is emptier than a block of so many can show gets blocks in blocks. */
export const LARGEST_BLOCK_AXIS = 24;
/** Blocks in each other: with 24 cells an edge, more than float32 resolves. */
export const MOST_BLOCK_LEVELS = 4;
/**
 * Nanoseconds of the cost model that all blocks of a body may take per triangle to make. A uniform body takes about 3 pairs, 750
 * of them. As a pair is 40 bytes, a mixed cell 20 and a cell 3/4 of one, blocks are bounded by 60 bytes per PAIR_COST: 720 bytes per
 * triangle.
 */
export const BLOCK_WORK_PER_TRIANGLE = 3000;
/** Numbers of cells along an edge that are tried for one block. */
export const MOST_BLOCK_TRIES = 6;
/** Cost model: to fill and scan one cell of a block, in nanoseconds: each has a place on a line of its own. */
export const BLOCK_CELL_COST = 40;
/** Cost model: to set up a block, in nanoseconds, apart from its pairs and cells. */
export const BLOCK_COST = 20_000;
/**
 * Float32 spacings per edge of a block's cell: rounding moves a reference by half a spacing, 2^-10 of the cell, which the
 * rows' reach allows for beside CELL_MARGIN.
 */
export const LEAST_SPACINGS_PER_CELL = 2 ** 9;

/** Points below which `backend: 'auto'` stays on the CPU: a submission and a mapping take about as long, 1 ms. */
export const LEAST_POINTS_FOR_GPU = 20_000;

/**
 * Triangles below which the calling thread builds the tables alone: so many take it 5 ms, and two threads 8 ms, of which
 * most is handing over tasks and answers. At twice as many they are even.
 */
export const LEAST_TRIANGLES_FOR_WORKERS = 10_000;
/** Points below which the calling thread tests them alone: so many take 1 to 2 ms, as long as waking other threads. */
export const LEAST_POINTS_FOR_WORKERS = 30_000;

/** Float64 rounding of a normal's product with a difference, relative to the products of its sums: 5 roundings of 2^-53. */
export const NORMAL_ROUNDING = 2 ** -50;
/**
 * Least |x| of a normal relative to the sum of its absolute products for which float64 places a crossing on a line along
 * x: the normal's own rounding, 4 * 2^-53 of that sum, is then 2^-5 of it. See cell-grid/crossing-shift.ts.
 */
export const LEAST_CROSSING_NORMAL = 2 ** -46;
/** Float64 rounding of the place of a crossing, relative to the sum of its absolute terms: 8 roundings of 2^-53, doubled. */
export const CROSSING_PLACE_ROUNDING = 2 ** -49;
/** A cell is larger than extent / count by this fraction, so that the last vertex does not open one more layer. */
export const LAST_CELL_SLACK = 2 ** -20;

/**
 * Float64 rounding of a solid angle over 4 pi, per |a| |b| |c| / (|num| + |den|) of the formula: 26 roundings of 2^-53,
 * derived in docs/multipole.md, rounded up.
 */
export const SOLID_ANGLE_ROUNDING = 2 ** -48;
/** Rounding of num and den, per |a| |b| |c|: below 57 roundings of 2^-53. Where both are below, the angle is anybody's. */
export const SOLID_ANGLE_DOUBT = 2 ** -47;

/** Triangles after which a product of angles is looked at: it is then down to 2^-512 of what it was at most. */
export const TRIANGLES_PER_RESCALING = 1024;
/** A product smaller than that is divided by it: what comes until the next look leaves it above 2^-1022. */
export const SMALL_ANGLE_PRODUCT = 2 ** -400;

/** Finest level of the multipole method's trees: a cell's place has 10 bits per axis in its Morton code. */
export const MOST_MULTIPOLE_LEVEL = 10;
/** Entries of a list of its evaluation tree, 512 MiB: trees that `auto` makes have fewer, forced depths may not. */
export const LONGEST_TREE_LIST = 2 ** 27;
/** Largest offset of an interaction along an axis, in cells; clusters farther off that are not admissible yet stay near. */
export const MOST_CONVERSION_OFFSET = 12;
/** Cost model of the multipole method, in nanoseconds on one core of a current machine: a point against a triangle. */
export const MULTIPOLE_PAIR_COST = 16;
/** One multiply-add of a translation. */
export const MULTIPOLE_TERM_COST = 1.7;
/** One interaction besides those: its lists and its part of the error bound. */
export const MULTIPOLE_CONVERSION_COST = 140;
/** One evaluation cell. */
export const MULTIPOLE_CELL_COST = 1000;
/**
 * Cost model of the multipole kernels, in nanoseconds on a software adapter of two cores, the slowest device there is: a
 * point against an entry of its leaf's near field.
 */
export const KERNEL_ENTRY_COST = 10;
/** To find the boundary of a leaf's near field, per triangle of it, on the host. */
export const BOUNDARY_TRIANGLE_COST = 10;
/** One multiply-add of a translation. */
export const KERNEL_TERM_COST = 0.8;
/** One interaction besides those: its lists on the host, and its part of the error bound. */
export const KERNEL_CONVERSION_COST = 120;
/**
 * Float64 rounding of a far field, in full spheres: sums of fewer than 10^4 terms whose absolute values add up to less
 * than 10^3 (a thousand sheets of surface around a point): 10^7 * 2^-53 < 2^-29. Far below any truncation error.
 */
export const MULTIPOLE_ROUNDING = 2 ** -29;
/** Degree of the moments of a cluster sum: of 4, 6, 8 and 10 the fastest for every tolerance (docs/multipole.md, "Cluster sum"). */
export const CLUSTER_SUM_DEGREE = 10;
/** Levels by which its tree is cut: with about 100 triangles in a cell it is faster, and its moments take a twentieth. */
export const CLUSTER_SUM_LEVELS_CUT = 3;
/** Points to be brought below a tolerance from which a cluster sum's set-up, about 15 us per triangle, pays: 15 us / 16 ns. */
export const LEAST_POINTS_FOR_CLUSTER_SUM = 1000;
/** Least tolerance that cluster sums are asked for: the rounding of a thousand clusters, 2^-29 each, is well below. */
export const LEAST_CLUSTER_SUM_TOLERANCE = 2 ** -17;
/** Part of a tolerance that truncation may take: the rest is for rounding, of 2^-29 per cluster and of float32 values. */
export const TRUNCATION_SHARE = 0.9;
/** Error of J that flags by rule winding are settled with before the direct sum is taken: most points are far from 1/2. */
export const SETTLING_TOLERANCE = 2 ** -5;

/** Rounding to float32 and this factor before it give a number that is not below the one rounded: (1 + 2^-22)(1 - 2^-24) > 1. */
export const FLOAT32_UPWARDS = 1 + 2 ** -22;
/** Least normal float32; below it rounding is not relative. */
export const LEAST_FLOAT32 = 2 ** -126;

/** Default of `windingNumber`, in full spheres: far below what tells inside from outside. */
export const DEFAULT_WINDING_TOLERANCE = 1e-3;
/** Degree and separation for flags of closed surfaces: bounds below 1 for all but a few points are enough. */
export const FLAG_EXPANSION = { degree: 2, separation: 1.6 } as const;
/** For flags by rule winding: bounds below 1/2, with which J = 0 and J = 1 are certain. */
export const WINDING_EXPANSION = { degree: 3, separation: 1.6 } as const;
/** Separation where only a degree is given: that of the degrees 4 to 8 below. */
export const DEFAULT_SEPARATION = 2;
/**
 * Degrees and separations by what they reach: `within` is a bound of the error that 19 of 20 points of foams and spheres of
 * 8,192 to 40,000 triangles stay below. Costs on one core, for the same bodies: `setUp` in nanoseconds per triangle and
 * `perPoint` in nanoseconds. Measured in docs/multipole.md, "Choice of degree".
 */
export const EXPANSIONS = [
  { degree: 2, separation: 1.6, within: 0.6, setUp: 40_000, perPoint: 7_000 },
  { degree: 3, separation: 1.6, within: 0.25, setUp: 75_000, perPoint: 9_000 },
  { degree: 4, separation: 2, within: 2.5e-2, setUp: 65_000, perPoint: 15_000 },
  { degree: 5, separation: 2, within: 8e-3, setUp: 65_000, perPoint: 19_000 },
  { degree: 6, separation: 2, within: 2.5e-3, setUp: 110_000, perPoint: 19_000 },
  { degree: 7, separation: 2, within: 1e-3, setUp: 180_000, perPoint: 19_000 },
  { degree: 8, separation: 2, within: 3.5e-4, setUp: 300_000, perPoint: 19_000 },
  { degree: 8, separation: 2.5, within: 7e-5, setUp: 450_000, perPoint: 30_000 },
] as const;

/**
 * Rounding of orient2d's float64 determinant, relative to the sum of its two products: (3 + 16 u) u with u = 2^-53, stage A
 * of Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates" (1997).
 */
export const ORIENT2D_ERROR = (3 + 16 * 2 ** -53) * 2 ** -53;
/** The same of orient3d's, relative to the sum of its absolute terms: (7 + 56 u) u. */
export const ORIENT3D_ERROR = (7 + 56 * 2 ** -53) * 2 ** -53;
/**
 * By how much a leaf's cell is grown when triangles that its rays may cross are listed, in cells: float64 rounding of a
 * point's place in the root's cell, 2^-52 of it, is below 2^-42 of the finest cell.
 */
export const NEAR_CELL_MARGIN = 2 ** -20;

/** Spacing of float32 numbers, relative: an operation of WGSL gives one of the two neighbours of its exact result. */
export const FLOAT32_SPACING = 2 ** -23;
/**
 * Float32 rounding of a sum of solid angles over 4 pi, per triangle, times |a| |b| |c| over the size of the formula's number
 * as the kernel takes it: 59.6 spacings, derived in docs/multipole.md, rounded up. With `SOLID_ANGLE_DOUBT_32` below.
 */
export const SOLID_ANGLE_ROUNDING_32 = 64 * FLOAT32_SPACING;
/** Rounding of num and den in float32, per |a| |b| |c|: below 73 spacings. */
export const SOLID_ANGLE_DOUBT_32 = 128 * FLOAT32_SPACING;
/** The same for an edge of the near field's boundary, times |a| |b|: 49.2 spacings, rounded up. */
export const BOUNDARY_ROUNDING = 56 * FLOAT32_SPACING;
/** Rounding of an edge's two numbers, per |a| |b|: below 59 spacings. */
export const BOUNDARY_DOUBT = 64 * FLOAT32_SPACING;
/** Rounding of the edge functions of a crossing, per square of the corners' summed distances: 1 spacing, rounded up. */
export const CROSSING_ROUNDING = 1.25 * FLOAT32_SPACING;
/** Rounding of a crossing's volume, per that square times the corners' summed heights: 2 spacings, rounded up. */
export const CROSSING_VOLUME_ROUNDING = 2.5 * FLOAT32_SPACING;
/** Error of the kernels' arc tangent over 2 pi: 4.4e-8 of its series, and its rounding; see docs/multipole.md. */
export const ARGUMENT_ERROR = 2 ** -20;
/** By what kernels raise the steepness of a whole turn: a bound's last three roundings must not bring it below that turn. */
export const WHOLE_TURN = 1 + 2 ** -18;
/** Length in edges of the root's cube, at most 2: shorter differences may be inexact, their triangles are left to doubt. */
export const LEAST_LENGTH_32 = 2 ** -50;
/** Least product of lengths in the kernels' units that float32 surely has as a normal number, with two bits to spare. */
export const LEAST_PRODUCT_32 = 2 ** -98;
/** A turn is never lost to underflow if numbers below this part of the doubt's limit are 0: an angle below 2^-30. */
export const LEAST_HEIGHT_32 = 2 ** -30;
/**
 * Least size of an edge's number in the kernels' units: smaller ones are doubtful. It is 8 times LEAST_LENGTH_32 times the
 * longest distance, 8, so no length below that one counts; and a product with an imaginary part of 2^-74 stays normal.
 */
export const LEAST_EDGE_NUMBER = 2 ** -44;
/** Bits of the edge of the trees' root cube, and of a cell's centre above the finest cell: centres are float32 then. */
export const ROOT_EDGE_BITS = 8;

/** Sizes of convex shapes other than 0, and how far from the origin they may be, in any unit: sixth powers, as in cross products of cross products, stay normal numbers. */
export const LEAST_SHAPE_SIZE = 1e-30;
export const LARGEST_SHAPE_SIZE = 1e30;
/**
 * Coordinates of a polytope below this part of its largest one are 0, and those of a difference below it of the pair's size: the least bit of a product of three, with a largest one
 * of 1e-30, is then above 2^-819, which float64 has.
 */
export const LEAST_COORDINATE = 2 ** -120;
/** Departure of a quaternion's length from 1 that is taken for rounding: float32 after a thousand careless products. */
export const QUATERNION_NORM_TOLERANCE = 1e-3;
/** Vertices of a polytope from which on hill climbing beats looking at all: a climb looks at 25 to 40. */
export const LEAST_VERTICES_TO_CLIMB = 16;
/**
 * How far a vertex may seem short of one that it is not short of, in units of the polytope's radius: a coordinate about the
 * centroid has one rounding, a product of three of them with a direction three more, of 2^-53 each; two vertices twice as many, 2^-50.
 */
export const CLIMB_SLACK = 2 ** -49;
/**
 * How far a polytope's face may be off in direction, times its least height over the polytope's radius. Vertices about the
 * centroid are rounded by sqrt(3) 2^-53 of the radius, which tilts the face by twice that over its height; the cross product adds
 * 4 sqrt(2) roundings of its factors, which are at most twice the radius: below 16 * 2^-53. This is twice that.
 */
export const FACET_ROUNDING = 2 ** -48;
/**
 * How far values of support planes that were found as faces of a difference may be off, in units of the pair's size: 32 roundings of
 * 2^-53, as of any support plane, and as many for places along arcs. To be divided by the length of the vector on the chord of an arc.
 */
export const PLANE_ROUNDING = 2 ** -47;
/**
 * Radius of the ball in a polytope over that of the sphere about it from which on the faces of a difference are tried: of flatter
 * ones, too many faces may be the nearest. Chosen, not fitted: balls are solved faster so than by EPA, a hull of 50 points on a sphere 1.6
 * times as fast (`npm run bench -- pairs-cpu`), balls flattened to a fifth more slowly.
 */
export const LEAST_ROUNDNESS = 0.7;
/** Faces of a polytope up to which they are listed by direction: 80 entries of 4 bytes for each. */
export const MOST_LISTED_FACES = 2048;
/**
 * Signed distance that counts as touching, in units of the pair's size (sum of both bounding radii and the distance of
 * centres): a support point of the difference has at most 16 roundings of 2^-53, a normal as many again; 2^-46 is four
 * times their sum. See docs/convex.md, "Tolerances".
 */
export const TOUCHING_TOLERANCE = 2 ** -46;
/**
 * Distance of cores below which the nearest point is too short for a direction, in units of the pair's size: rounding of
 * 2^-51 is then more than 2^-31 of it.
 */
export const SHORT_DISTANCE = 2 ** -20;
/**
 * How far a support point or plane that kernels compute in float32 is off at most, in units of the pair's size: 59 spacings of
 * 2^-23, derived in docs/convex.md, "In float32", rounded up.
 */
export const SUPPORT_ERROR_32 = 64 * FLOAT32_SPACING;
/**
 * Signed distance beyond which its sign is certain in float32, in units of the pair's size: the error of a support point, and as
 * much for rounding of simplices and of the comparison. What is nearer to touching is decided in float64.
 */
export const TOUCHING_TOLERANCE_32 = 2 * SUPPORT_ERROR_32;
/**
 * Gap between bounds that float32 resolves, in units of the pair's size: what both bounds differ by through rounding alone is 6
 * roundings of their coordinates, 2^-21.
 */
export const RESOLUTION_32 = 2 ** -20;
/**
 * Gap of MPR's portals that is good enough where float32 makes no more progress: below the 1e-5 of the size that its answers are good for.
 */
export const STALLED_RESOLUTION_32 = 2 ** -18;
/** Support points after which GJK is taken to be stuck in float32, whose coarser gap takes fewer than float64's. */
export const MOST_GJK_STEPS_32 = 64;
/** Steps in which |v| may stand still in float32. */
export const MOST_GJK_STALLS_32 = 4;
/**
 * Height of a face of EPA's polytope below which float32 does not say on which side of it the origin is, in units of the pair's size:
 * dot products and a quotient are rounded by 9 spacings, see docs/convex.md.
 */
export const EPA_HEIGHT_ERROR_32 = 16 * FLOAT32_SPACING;
/**
 * A point sees a face of EPA's polytope if its height is more than so many of the face's: less is rounding, which would tear faces in
 * one plane apart.
 */
export const EPA_SEEN_32 = 1 + 2 ** -20;
/**
 * How far the foot of the depth may be off the feature that its points are taken from, in units of the pair's size: below the 1e-5
 * that float32 answers are good for.
 */
export const POINT_ERROR_32 = 2 ** -17;
/**
 * By how much cells of directions are grown, and vertices in them may be behind the farthest one, in units of the bounding radius:
 * rounding of a direction's place in its cell, and of float32 vertices and their products, is 8 spacings of 2^-23 at most.
 */
export const DIRECTION_CELL_MARGIN = 2 ** -18;
/** Default gap between upper and lower bound of a distance or depth, in units of the pair's size. */
export const CONVEX_TOLERANCE = 2 ** -36;
/**
 * Part of the gap that algorithms go for. The rest, at least 2^-50 of the pair's size, is more than what two roundings of 2^-53
 * do to bounds that were met.
 */
export const GAP_SHARE = 15 / 16;
/** Support points after which GJK is taken to be stuck; it needs 3 to 20, on slender curved shapes up to 60. */
export const MOST_GJK_STEPS = 100;
/** Steps in which |v| may stand still before GJK is taken to be stuck: each direction halves the remaining gap or better. */
export const MOST_GJK_STALLS = 16;
/** The same for one phase of MPR, whose portals shrink more slowly. */
export const MOST_MPR_STEPS = 200;
/**
 * Least radius of a ball about MPR's inner point to start from, in units of the pair's size. Planes that touch a smaller one are as good
 * as planes through the inner point, which the ray meets where it starts: going from one to the next is no progress.
 */
export const LEAST_INBALL = 2 ** -10;
/**
 * How far radii of inscribed balls are off at most, in units of the pair's size: the plane through three vertices is, by 4 sqrt(2) 2^-53
 * over the sine between its edges, which is at least 1e-7.
 */
export const INBALL_ERROR = 2 ** -26;
/**
 * How far corners and planes of portals are off at most in float32, in units of the pair's size: 81 spacings, derived in
 * docs/convex.md, "In float32", rounded up.
 */
export const PORTAL_ERROR_32 = 96 * FLOAT32_SPACING;
/**
 * Least gap between the planes of a portal that MPR's kernels refine to, in units of the pair's size: four times what rounding
 * usually makes of it, and a fifth of the accuracy that is wanted, 1e-5.
 */
export const LEAST_GAP_32 = 2 ** -19;
/** MOST_MPR_STEPS for float32, where what takes longer does not end. */
export const MOST_MPR_STEPS_32 = 100;
/**
 * Quotient of the distance of two centres and the sum of their bounding spheres' radii from which on the shapes are apart: beyond the
 * touching tolerance, 2^-46 of a size that is then at most twice that distance, and rounding of the centres, 2^-50 of the size and of the way
 * from a shape's origin to its centre.
 */
export const SPHERES_APART = 1 + 2 ** -40;
/** Support points asked for in the plane of a difference without volume: a disc's edge is followed to 2^-46 with fewer. */
export const MOST_FLAT_STEPS = 128;
/** Support points that EPA's polytope may have: a quadratic surface is followed to 2^-36 with fewer than 200. */
export const MOST_POLYTOPE_VERTICES = 1024;
/**
 * Rounding of a point's height over the plane of a face of EPA's polytope, in units of the pair's size over the sine of the face's
 * angle between its shorter edges: below 24 * 2^-53, derived in docs/convex.md, "Tolerances". Below it exact predicates decide.
 */
export const POLYTOPE_ROUNDING = 2 ** -48;
/**
 * Squared sine of the angle between edges of two boxes below which their cross product is not tried as a separating axis: other
 * axes are then as good to 2^-50 of the pair's size (docs/convex.md, "Tolerances").
 */
export const LEAST_AXIS = 2 ** -100;
/** The same, below which its terms are computed from what is as small as itself: errors of 2^-52 grow by up to 16 above. */
export const NEARLY_PARALLEL = 2 ** -8;
/**
 * How far a point of a box may lie outside of it, in units of the pair's size: rounding over the least angle of ties. Where edges of boxes
 * apart pass each other, how far inside their ends they have to.
 */
export const FOOT_TOLERANCE = 2 ** -40;
/**
 * Sine of the angle within which a face, an edge or a curved surface's straight line counts as lying in a contact's plane, 7.2 degrees: an
 * overlap of depth d reaches 8 d into a face at that angle. Where a face beyond it is left out, what it would have added is no wider.
 */
export const FACING_SINE = 2 ** -3;
/** Its cosine and tangent. */
export const FACING_COSINE = Math.sqrt(1 - FACING_SINE ** 2);
export const FACING_TANGENT = FACING_SINE / FACING_COSINE;
/**
 * How far a contact may lie off the surfaces that it stands for, in units of the pair's size: what float32 makes of places of edges and
 * corners (2^-23 each) with three bits to spare. Triangles whose corners lie in one plane to that, by the polytope's radius, are one face.
 */
export const MANIFOLD_RESOLUTION = 2 ** -20;
/** The same of sums, hulls, frusta and flat polytopes, whose faces are sampled, by the shape's radius: the square of `LEAST_FEATURE_WIDTH`. */
export const SAMPLED_FACE_RESOLUTION = 2 ** -14;
/** Corners of the polygon that stands for a face: of larger ones those that keep most of its area, of discs a regular octagon's. */
export const MOST_FACE_CORNERS = 8;
/** Contacts of two convex shapes whose faces are cut with each other: four span nearly what more do, and solvers take time for each. */
export const MOST_CLIPPED_POINTS = 4;
/** Directions in which a contact's feature is sampled on each shape: a rectangle's corners are found with four. */
export const MANIFOLD_SAMPLES = 8;
/** Points that a contact manifold may have: two polygons of so many samples clip to at most twice as many. */
export const MOST_MANIFOLD_POINTS = 2 * MANIFOLD_SAMPLES;
/** Tangent of the angle by which directions are perturbed: faces up to 0.22 degrees off the contact's plane count. */
export const MANIFOLD_PERTURBATION = 2 ** -8;
/**
 * Width below which a sampled feature is an edge or a point, in units of the shape's bounding radius: samples of a surface with
 * that radius of curvature lie in a circle of diameter 2 * 2^-8.
 */
export const LEAST_FEATURE_WIDTH = 2.01 * MANIFOLD_PERTURBATION;
/**
 * Default gap of `ConvexBatch` between the bounds of a distance, in units of the pair's size: what float32 resolves of a
 * difference of coordinates (2^-24 each) with four bits to spare, so that kernels and the CPU answer alike.
 */
export const BATCH_TOLERANCE = 2 ** -20;
/** Pairs below which `backend: 'auto'` stays on the CPU: as with points, until pairs are measured on hardware. */
export const LEAST_PAIRS_FOR_GPU = 20_000;
/** Milliseconds that handing pairs over to worker threads takes, about: half for a message and its answer, half for copies. */
export const HAND_OVER_TIME = 0.2;
/** Threads that a query's pairs can be spread over; more than any machine has. */
export const MOST_THREADS = 1024;
