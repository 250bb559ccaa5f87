/** Numbers of the DAE solver, each with its unit and its reason. Most are those of IDA (docs/dae.md). */

/** Highest order of a backward differentiation formula that is stable enough to use. */
export const MOST_ORDER = 5;
/** What weighted corrections have to be below: a third of what the error test allows, so that it sees errors alone. */
export const NEWTON_TOLERANCE = 0.33;
/** Newton's first correction, in parts of that, that is as good as none. */
export const NEGLIGIBLE_CORRECTION = 1e-4;
/** Corrections of a step. A matrix that needs more is too old. */
export const MOST_CORRECTIONS = 4;
/** Ratio of corrections above which they are not worth going on with. */
export const SLOWEST_CONVERGENCE = 0.9;
/** What takes the place of rate / (1 - rate) before a rate is known: with a new matrix, and with an older one. */
export const NEW_MATRIX_FACTOR = 20;
export const OLD_MATRIX_FACTOR = 100;
/** The matrix holds while its factor is within this ratio of the present one, either way. */
export const LEAST_FACTOR_RATIO = 0.6;
/** How much shorter a step becomes where Newton's method fails. */
export const NEWTON_SHRINK = 0.25;
/** Failures of one step after which the solver gives up: the step is then 4^-10 of what it was. */
export const MOST_FAILURES = 10;
/** Bounds of the factor by which a step becomes shorter after a failed test, and the share that is kept for safety. */
export const FAILED_SHRINK = [0.25, 0.9] as const;
/** Bounds of the factor by which a step becomes shorter without one. */
export const SMOOTH_SHRINK = [0.5, 0.9] as const;
/** Keeps a power of the error finite where there is none. */
export const LEAST_ERROR = 1e-4;
/** First step: this share of the way to the first time asked for, and no more than half a weighted unit. */
export const FIRST_STEP_SHARE = 1e-3;
export const FIRST_STEP_CHANGE = 0.5;
/** Rounding of float64. */
export const UNIT = 2 ** -52;
/** Increment of a difference, of the unknown's size: half of the digits each for truncation and for rounding. */
export const DIFFERENCE_SHARE = 2 ** -26;
/** Width of the bracket that is left around a root, in rounding errors of the time. */
export const ROOT_WIDTH = 100;
/** Evaluations of the secant method after which the bracket has to be half as wide, or it is bisected. */
export const SECANT_TRIES = 2;
/** How far ahead the sign is looked for of a function that is 0 at a start, in steps: rounding is far below it. */
export const LOOK_AHEAD = 2 ** -20;
/** Newton iterations of a consistent start, and halvings of one of them. */
export const MOST_START_ITERATIONS = 30;
export const MOST_START_HALVINGS = 12;
/** Change of a start, in weighted units, that moves it by nothing that the error test would see. */
export const NEGLIGIBLE_CHANGE = 1e-2;
/** Singular values, of the largest one, that count as none: above rounding and differences. */
export const RANK_TOLERANCE = 1e-7;
