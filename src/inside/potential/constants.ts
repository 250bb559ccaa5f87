/** Tolerances of solid angles, each with its unit and its reason. Bounds are derived in docs/multipole.md. */
import { FLOAT32_SPACING } from '../../constants.ts';

/**
 * Float64 rounding of a solid angle over 4 pi, per |a| |b| |c| / (|num| + |den|) of the formula: 26 roundings of 2^-53,
 * derived in docs/multipole.md, rounded up.
 */
export const SOLID_ANGLE_ROUNDING = 2 ** -48;
/**
 * Rounding of num and den, per |a| |b| |c|: below 57 roundings of 2^-53. Where both are below, the angle is
 * anybody's.
 */
export const SOLID_ANGLE_DOUBT = 2 ** -47;
/**
 * Triangles after which a product of angles is looked at: it is then down to 2^-256 of what it was at most, and is
 * scaled by more than that where it is small. So it stays above 2^-656.
 */
export const TRIANGLES_PER_RESCALING = 512;
/** A product smaller than that is divided by it. */
export const SMALL_ANGLE_PRODUCT = 2 ** -400;
/**
 * Float32 rounding of a sum of solid angles over 4 pi, per triangle, times its steepness, |a| |b| |c| (|den| + 3 |num|)
 * over den^2 + num^2: 7.1 spacings, derived in docs/multipole.md, rounded up. With `SOLID_ANGLE_DOUBT_32` below.
 */
export const SOLID_ANGLE_ROUNDING_32 = 8 * FLOAT32_SPACING;
/** Rounding of num and den in float32, per |a| |b| |c|: below 73 spacings. */
export const SOLID_ANGLE_DOUBT_32 = 128 * FLOAT32_SPACING;
/** Error of the kernels' arc tangent over 2 pi: 4.4e-8 of its series, and its rounding; see docs/multipole.md. */
export const ARGUMENT_ERROR = 2 ** -20;
/**
 * By what kernels raise the steepness of a whole turn: a bound's last three roundings must not bring it below that
 * turn.
 */
export const WHOLE_TURN = 1 + 2 ** -18;
/**
 * Length in edges of the root's cube, at most 2: shorter differences may be inexact, their triangles are left to
 * doubt.
 */
export const LEAST_LENGTH_32 = 2 ** -50;
/**
 * Least product of lengths in the kernels' units that float32 surely has as a normal number, with two bits to spare.
 */
export const LEAST_PRODUCT_32 = 2 ** -98;
/** A turn is never lost to underflow if numbers below this part of the doubt's limit are 0: an angle below 2^-30. */
export const LEAST_HEIGHT_32 = 2 ** -30;
/** Floats per triangle of the kernels that add solid angles; `TRIANGLE_FLOATS` in the WGSL. */
export const TRIANGLE_FLOATS = 10;
