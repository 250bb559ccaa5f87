/**
 * The frame of the potential's kernels: the local frame scaled by a power of two that brings a length, usually the
 * edge of the trees' root cube, into 1 .. 2. Exact, like the local frame itself. And float32 numbers that are not
 * below others.
 */
import { FLOAT32_SPACING, FLOAT32_UPWARDS, LARGEST_FLOAT32, LEAST_FLOAT32 } from '../../constants.ts';
import type { Surface } from '../surface.ts';

/** A float32 not below x, where that is no subnormal number. */
export function float32Above(x: number): number {
  return Math.fround(x * (1 + FLOAT32_SPACING));
}

/** A bound of a value's error once the value is rounded to float32, itself rounded up to one. */
export function float32Bound(value: number, bound: number): number {
  const whole = bound + Math.abs(value - Math.fround(value));
  // Nothing is added to what is exact: J = 0 outside a closed surface.
  if (whole === 0) return 0;
  // Where nothing is left of an angle's digits the bound may be anything; J is at most half the number of triangles.
  const rounded = Math.fround(whole * FLOAT32_UPWARDS + LEAST_FLOAT32);
  return rounded < LARGEST_FLOAT32 ? rounded : LARGEST_FLOAT32;
}

/** The power of two that brings a positive number into 1 .. 2. */
export function unitScale(length: number): number {
  return 2 ** -Math.floor(Math.log2(length));
}

/** A surface's vertices in the unit frame, three float32 each. */
export function unitVertices({ positions }: Surface, scale: number): Float32Array<ArrayBuffer> {
  const vertices = new Float32Array(positions.length);
  for (let i = 0; i < positions.length; i++) vertices[i] = positions[i]! * scale;
  return vertices;
}

/** Largest extent of a surface's box; for one without extent its largest absolute coordinate, or 1. */
export function largestExtent({ box: { min, max } }: Surface): number {
  const longest = Math.max(...[0, 1, 2].map((k) => max[k]! - min[k]!));
  if (longest > 0) return longest;
  const largest = Math.max(...[...min, ...max].map(Math.abs));
  return Number.isFinite(largest) && largest > 0 ? largest : 1;
}
