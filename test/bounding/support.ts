/** Distances of meshes by looking at all pairs of triangles, for tests. */
import { place, placementOf, relativePlacement } from '../../src/bounding/pose.ts';
import { createRandom } from '../../src/mesh/random.ts';
import type { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';

type Point = readonly [number, number, number];

const minus = (p: Point, q: Point): Point => [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
const dot = (p: Point, q: Point) => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
const along = (p: Point, d: Point, s: number): Point => [p[0] + s * d[0], p[1] + s * d[1], p[2] + s * d[2]];
const cross = (p: Point, q: Point): Point => [
  p[1] * q[2] - p[2] * q[1],
  p[2] * q[0] - p[0] * q[2],
  p[0] * q[1] - p[1] * q[0],
];
const clamp = (s: number) => Math.min(1, Math.max(0, s));

/** From a point to a triangle: of its plane where the point is over it, otherwise of its edges. */
export function pointToTriangle(p: Point, corners: readonly Point[]): number {
  const [a, b, c] = corners as [Point, Point, Point];
  const n = cross(minus(b, a), minus(c, a));
  const edges = [
    [a, b],
    [b, c],
    [c, a],
  ] as const;
  const isOver = edges.every(([from, to]) => dot(cross(minus(to, from), minus(p, from)), n) >= 0);
  if (isOver && dot(n, n) > 0) return Math.abs(dot(minus(p, a), n)) / Math.sqrt(dot(n, n));
  return Math.min(
    ...edges.map(([from, to]) => {
      const d = minus(to, from);
      const s = dot(d, d) > 0 ? clamp(dot(minus(p, from), d) / dot(d, d)) : 0;
      return Math.hypot(...minus(p, along(from, d, s)));
    }),
  );
}

/** Where two lines are closest, if that is on both edges; ends are looked at elsewhere. */
function edgeToEdge([p, q]: readonly [Point, Point], [r, s]: readonly [Point, Point]): number {
  const [u, v, w] = [minus(q, p), minus(s, r), minus(r, p)];
  const n = cross(u, v);
  const nn = dot(n, n);
  if (nn === 0) return Infinity;
  const [first, second] = [dot(cross(w, v), n) / nn, dot(cross(w, u), n) / nn];
  if (first < 0 || first > 1 || second < 0 || second > 1) return Infinity;
  return Math.abs(dot(w, n)) / Math.sqrt(nn);
}

/** Of triangles that do not cross. */
export function triangleToTriangle(a: readonly Point[], b: readonly Point[]): number {
  const edges = (t: readonly Point[]) =>
    [
      [t[0], t[1]],
      [t[1], t[2]],
      [t[2], t[0]],
    ] as [Point, Point][];
  const ends = [...a.map((p) => pointToTriangle(p, b)), ...b.map((p) => pointToTriangle(p, a))];
  const crossed = edges(a).flatMap((one) => edges(b).map((other) => edgeToEdge(one, other)));
  return Math.min(...ends, ...crossed);
}

export function trianglesOf({ positions, indices }: TriangleMesh): Point[][] {
  return Array.from({ length: indices.length / 3 }, (_, t) =>
    [0, 1, 2].map((c) => {
      const at = 3 * indices[3 * t + c]!;
      return [positions[at]!, positions[at + 1]!, positions[at + 2]!] as const;
    }),
  );
}

/** Triangles of b in the frame of a. */
export function placedTriangles(b: TriangleMesh, poses: ArrayLike<number>): Point[][] {
  const placement = relativePlacement(placementOf(poses, 0), placementOf(poses, 7));
  return trianglesOf(b).map((triangle) =>
    triangle.map((point) => {
      const placed = new Float64Array(3);
      place(placement, point, 0, placed);
      return [...placed] as unknown as Point;
    }),
  );
}

/** All pairs are looked at; those whose boxes are farther apart than points found so far are no nearer. */
export function distanceOfAll(a: TriangleMesh, b: TriangleMesh, poses: ArrayLike<number>): number {
  const [ofA, ofB] = [trianglesOf(a), placedTriangles(b, poses)];
  const [boxesA, boxesB] = [ofA, ofB].map(boxesOf) as [Float64Array, Float64Array];
  const firsts = (triangles: readonly (readonly Point[])[]) =>
    Float64Array.from(triangles.flatMap(([p]) => [...p!, ...p!]));
  const [pointsA, pointsB] = [firsts(ofA), firsts(ofB)];
  let least = Infinity;
  for (let i = 0; i < pointsA.length; i += 6)
    for (let j = 0; j < pointsB.length; j += 6) least = Math.min(least, boxGap(pointsA, i, pointsB, j));
  for (const [i, one] of ofA.entries())
    for (const [j, other] of ofB.entries())
      if (!(boxGap(boxesA, 6 * i, boxesB, 6 * j) > least * (1 + 1e-12)))
        least = Math.min(least, triangleToTriangle(one, other));
  return least;
}

function boxesOf(triangles: readonly (readonly Point[])[]): Float64Array {
  return Float64Array.from(
    triangles.flatMap((corners) =>
      [Math.min, Math.max].flatMap((most) => [0, 1, 2].map((k) => most(...corners.map((p) => p[k]!)))),
    ),
  );
}

/** The distance of two boxes. */
function boxGap(a: Float64Array, i: number, b: Float64Array, j: number): number {
  let square = 0;
  for (let k = 0; k < 3; k++) {
    const gap = Math.max(0, a[i + k]! - b[j + k + 3]!, b[j + k]! - a[i + k + 3]!);
    square += gap * gap;
  }
  return Math.sqrt(square);
}

/** Two poses, the second so far from the first, in a random direction, both turned. */
export function randomPoses(seed: number, apart: number): Float64Array {
  const random = createRandom(seed);
  const unit = (length: number) => {
    const vector = Array.from({ length }, () => random() + random() + random() - 1.5);
    const norm = Math.hypot(...vector);
    return vector.map((x) => x / norm);
  };
  const shift = [0, 1, 2].map(() => 4 * random() - 2);
  const direction = unit(3);
  return Float64Array.of(...shift, ...unit(4), ...shift.map((x, k) => x + apart * direction[k]!), ...unit(4));
}

export function sizeOf({ box }: TriangleMesh): number {
  return Math.hypot(...box.max.map((x, k) => x - box.min[k]!));
}
