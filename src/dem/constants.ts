/** Numbers of the simulation, each with its unit and its reason. */

/**
 * Width of the strip that a sharp edge stands for, in the smaller layer of both bodies. Where edges cross, this strip
 * alone carries until nodes do; where they lie flat on a face, it adds to the area: 2 % of a cube's.
 */
export const EDGE_WIDTH_SHARE = 1 / 64;
/**
 * Memory that a body of a simulation takes on the host at least, whatever its shape, bytes: measured with 400,000 balls
 * and crates that do not touch. Contacts take more.
 */
export const SIMULATED_BODY_BYTES = 1500;
/** The same of a body of a scene that is read. */
export const SCENE_BODY_BYTES = 300;
/** Poisson's ratio, restitution and friction of a material that does not say. */
export const DEFAULT_POISSON_RATIO = 0.25;
export const DEFAULT_RESTITUTION = 0.5;
export const DEFAULT_FRICTION = 0.5;
/**
 * Stiffness of a rolling spring, in units of K (mu_r R)^2: it yields where a contact has rolled by about its overlap
 * over its radius. Iwashita and Oda (1998), as in J. Ai et al. (2011), eq. 16.
 */
export const ROLLING_STIFFNESS = 2.25;
/** Damping of a rolling spring, in parts of the critical one: as in J. Ai et al. (2011), where piles come to rest. */
export const ROLLING_DAMPING = 0.3;
/** Steps of the integration that finds a damping, per unit of time of the undamped impact: errors are below 1e-9. */
export const IMPACT_STEPS = 400;
/**
 * Least restitution that a dashpot is found for: it grows with the root of 1 / restitution, here to 500 times critical.
 */
export const LEAST_RESTITUTION = 1e-6;
/** Chord error of meshes that masses of curved shapes are computed with, of the diameter of their bounding ball. */
export const MASS_CHORD = 2 ** -10;
/** Gravity of a scene that gives none: metres and seconds. */
export const DEFAULT_GRAVITY = [0, 0, -9.81] as const;
/** Steps of the shortest contact by default. The error of a collision's energy is of second order in the step. */
export const STEPS_PER_CONTACT = 40;
/**
 * How often a step that was chosen by default is halved: to a thousandth. A contact that needs less is a million times
 * as stiff as expected, and a body a thousand times as fast, which tells of a scene or a law that is wrong.
 */
export const MOST_HALVINGS = 10;
/** Longest step times frequency: ten steps per contact. Verlet's method is stable up to 2. */
export const LONGEST_STEP = Math.PI / 10;
/** Overlap, in radii, at which the stiffness of point contacts is taken for the step that is recommended. */
export const EXPECTED_OVERLAP = 0.01;
/** Deepest overlap of bodies at first, in the radius of the smaller one's ball of equal volume. */
export const DEEPEST_START = 0.25;
/** Deepest overlap in any step, in the same radius: deeper, and a body comes out on the other side. */
export const DEEPEST_OVERLAP = 0.5;
/**
 * Most that energies may be off by, in parts of what was turned over: all changes of kinetic, elastic and lost energy.
 * A collision that the longest stable step resolves is off by 2 % of that, and bodies that blow up by most of it.
 */
export const MOST_IMBALANCE = 0.1;
/** Energy that counts as turned over from the start, in the weight of all bodies times a cell: rounding of places. */
export const LEAST_TURNOVER = 1e-6;
/** Cells at the ends of the range of positions that no centroid may be in: a body's origin is within one of it. */
export const EDGE_CELLS = 2;
/** Bodies below which `backend: 'auto'` stays on the CPU: on a GPU a step takes a millisecond however few. */
export const LEAST_BODIES_FOR_GPU = 1000;
/** Share of a body's volume up to which parts only touch: far above what float32 makes of the corners of meshes. */
export const LEAST_OVERLAP = 2 ** -18;
/** Rays to a side of what parts have in common. The error falls with their square, or of flat sides as their number. */
export const OVERLAP_RAYS = 96;
/** Steps of a simulation: the GPU counts them in 32 bits. */
export const MOST_STEPS = 2 ** 32 - 1;
/**
 * Largest force or torque that scripts may apply or walls press with, and largest time and number of a table, in the
 * scene's units: float32 holds sums of many.
 */
export const LARGEST_LOAD = 1e30;
/** Least force and speed of servo walls, in the scene's units: steps divide by them, in float32 as well. */
export const LEAST_LOAD = 1e-30;
/** Contacts of a pair that impulses are found for, at most: a few more than hold a body on another one. */
export const MOST_ROWS = 8;
/**
 * Way that contacts count as apart by their directions, in radii of the smaller body and 1 - cosine: normals that are
 * square to each other are as far apart as places half a radius from each other.
 */
export const DIRECTION_SHARE = 0.5;
/** Substeps of a step by impulses, by default and at most: each moves a push on by about a body. */
export const DEFAULT_SUBSTEPS = 4;
export const MOST_SUBSTEPS = 64;
/** Steps by impulses in the time in which the smallest body falls by its diameter: 1/240 s where it is 10 cm large. */
export const STEPS_PER_FALL = 24;
/** Longest step by impulses, in recommended ones. */
export const LONGEST_IMPULSE_STEP = 4;
/** Radii that a body may move by in a step by impulses: farther, and it passes through what it should touch. */
export const FARTHEST_MOVE = 0.5;
/**
 * Springs of contacts by impulses: eight substeps take one swing, ten times overdamped (E. Catto, "Solver2D", 2024). An
 * overlap falls by a 26th in a substep, so it comes apart without a jump.
 */
export const SWING_SUBSTEPS = 8;
export const SWING_DAMPING = 10;
/**
 * Overlap that impulses leave alone, in radii of the smaller body: without one, contacts come and go. It is far below
 * what edges of rocks may miss at worst (`missedOverlap`, a third of a radius): bodies would sink in by that.
 */
export const LEFT_OVERLAP = 0.005;
/** Fastest push out of an overlap, in radii of the smaller body per step. */
export const FASTEST_PUSH = 0.25;
/** Speed of approach from which on bodies bounce, in what gravity gives in a step: slower ones rest. */
export const BOUNCE_FALLS = 2;
/** Passes over contacts that bounce: a body that falls on several points leaves all of them at the speed asked for. */
export const BOUNCE_PASSES = 8;
/**
 * Colours of pairs that impulses are found for on the GPU, one after another; pairs past the last one are solved at
 * once, each with its bodies split. A ball among its likes has 12 neighbours, and 16 colours are seldom used up.
 */
export const MOST_COLOURS = 16;
/**
 * Rounds of colouring. A pair waits for its neighbours of higher priority, and these for theirs: in a lattice of balls
 * that have 12 neighbours each, such chains are some 40 to 50 pairs long. Pairs that are left count as past the last
 * colour.
 */
export const COLOUR_ROUNDS = 64;
/** Distance of nodes where impulses keep bodies apart, in diameters of the ball of equal volume: rocks rest on them. */
export const IMPULSE_SPACING = 1 / 4;
/** Passes over collisions in a step by `olvang`, by default and at most: those of the tallest stacks of the thesis. */
export const DEFAULT_ITERATIONS = 60;
export const MOST_ITERATIONS = 1000;
/** Share of an overlap by which `olvang` moves bodies apart in a step: halves it in three, without a jump. */
export const PROJECTED_SHARE = 0.2;
/** Damping of all speeds by `olvang`, 1 / time. */
export const COLLISION_DAMPING = 0.5;
/** Swing of springs, in radians per substep. */
const SWING = (2 * Math.PI) / SWING_SUBSTEPS;
const DAMPED = 2 * SWING_DAMPING + SWING;

/** Soft constraints of contacts by impulses (E. Catto, 2011): what of a step's errors a substep takes back. */
export const SOFT = {
  /** Of an overlap per substep, */
  rate: SWING / DAMPED,
  /** of the impulse that would stop bodies at once, */
  massShare: (SWING * DAMPED) / (1 + SWING * DAMPED),
  /** and of the impulse that there is. */
  impulseShare: 1 / (1 + SWING * DAMPED),
} as const;

/**
 * Half the angle of a turn, in radians, below which its sine and cosine are sums. The first terms left out, x^8 / 9! of
 * sin(x) / x and x^8 / 8! of the cosine, are below 2^-55 then.
 */
export const SMALL_ANGLE = 1 / 32;
