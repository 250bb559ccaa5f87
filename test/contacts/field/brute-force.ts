/** The nearest point of a mesh by looking at every triangle, in another way than the library does. */
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';

type Point = readonly number[];

const minus = (a: Point, b: Point) => [a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!];
const dot = (a: Point, b: Point) => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;

/** Distance from p to a triangle: the least over its edges, and over its plane where the foot lies in it. */
export function distanceToTriangle(p: Point, a: Point, b: Point, c: Point): number {
  let least = Infinity;
  for (const [s, t] of [
    [a, b],
    [b, c],
    [c, a],
  ] as const) {
    const along = minus(t, s);
    const from = minus(p, s);
    const share = Math.min(1, Math.max(0, dot(from, along) / (dot(along, along) || 1)));
    least = Math.min(least, Math.hypot(...from.map((x, k) => x - share * along[k]!)));
  }
  // Barycentric coordinates of the foot, by Gram's matrix.
  const [u, v, w] = [minus(b, a), minus(c, a), minus(p, a)];
  const [uu, uv, vv, wu, wv] = [dot(u, u), dot(u, v), dot(v, v), dot(w, u), dot(w, v)];
  const det = uu * vv - uv * uv;
  const s = (vv * wu - uv * wv) / det;
  const t = (uu * wv - uv * wu) / det;
  if (s > 0 && t > 0 && s + t < 1)
    least = Math.min(least, Math.hypot(...w.map((x, k) => x - s * u[k]! - t * v[k]!)));
  return least;
}

/** Corner of a triangle. */
export function cornerOf({ positions, indices }: TriangleMesh, h: number): number[] {
  return [0, 1, 2].map((k) => positions[3 * indices[h]! + k]!);
}

/** Distance from a point to the surface. */
export function bruteDistance(mesh: TriangleMesh, p: Point): number {
  let least = Infinity;
  for (let h = 0; h < mesh.indices.length; h += 3) {
    least = Math.min(
      least,
      distanceToTriangle(p, cornerOf(mesh, h), cornerOf(mesh, h + 1), cornerOf(mesh, h + 2)),
    );
  }
  return least;
}
