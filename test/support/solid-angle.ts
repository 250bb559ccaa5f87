import { addSolidAngles } from '../../src/inside/potential/solid-angle.ts';

/**
 * Solid angle of the triangle a, b, c seen from the origin, -2 pi .. 2 pi: positive where the triangle's back is
 * seen, as everywhere inside an outward-oriented closed surface. 0 in the triangle's plane, on the triangle as well.
 */
export function solidAngle(
  a: readonly [number, number, number],
  b: readonly [number, number, number],
  c: readonly [number, number, number],
): number {
  const sum = new Float64Array(2);
  addSolidAngles(Float64Array.of(...a, ...b, ...c), Uint32Array.of(0, 1), 0, 1, 0, 0, 0, sum);
  return 4 * Math.PI * sum[0]!;
}
