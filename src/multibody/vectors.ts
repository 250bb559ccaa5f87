/** Sums, products and turns of vectors of three numbers. */
import type { Vector3 } from '../mesh/mass-properties.ts';

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
}

export function cross(a: ArrayLike<number>, b: ArrayLike<number>): Vector3 {
  return [a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!];
}

export const plus = (a: Vector3, b: Vector3): Vector3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const minus = (a: Vector3, b: Vector3): Vector3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

/** By a unit quaternion x, y, z, w. */
export function turned([x, y, z, w]: Float64Array, [a, b, c]: Vector3): Vector3 {
  const [u, v, s] = [2 * (y! * c - z! * b), 2 * (z! * a - x! * c), 2 * (x! * b - y! * a)];
  return [a + w! * u + (y! * s - z! * v), b + w! * v + (z! * u - x! * s), c + w! * s + (x! * v - y! * u)];
}
