// Convex hull of points by incremental insertion with conflict lists: C. B. Barber, D. P. Dobkin, H. Huhdanpaa,
// "The Quickhull algorithm for convex hulls", ACM TOMS 22 (1996). Every decision is Shewchuk's exact orient3d of
// robust-predicates, so the hull is exactly convex for the float32 points.
//
// A facet is visible only from strictly above. So coplanar facets are all visible or none, and the visible region is a
// disc whose rim, the horizon, is one loop. No horizon edge is collinear with the new point: both facets at that edge
// would be coplanar with the point, and neither visible. So no facet ever has zero area.
import { orient2d, orient3d } from 'robust-predicates';
import { InputError } from '../errors.ts';

type Points = Float32Array | Float64Array;

interface Facet {
  /** Corners, counter-clockwise seen from outside. */
  readonly corners: readonly [number, number, number];
  /** Facet across the edge from corner k to corner k + 1. */
  readonly neighbours: Facet[];
  /** Points still to insert that see this facet. */
  outside: number[];
  removed: boolean;
}

/**
 * Hull of float32 points: the positions of the points on it, in their order, and its triangles, counter-clockwise seen
 * from outside. Points in the interior of a facet or an edge may be left out.
 *
 * @param points `[x, y, z]` per point, all finite, at least four not in one plane
 * @throws InputError if all points lie in one plane.
 */
export function convexHull(points: Float32Array): { positions: Float32Array; indices: Uint32Array } {
  const { used, indices } = hullFacets(points);
  return {
    positions: Float32Array.from(used.flatMap((p) => [...points.subarray(3 * p, 3 * p + 3)])),
    indices,
  };
}

/**
 * Hull of float32 or float64 points, exact for them. `used` lists the points on it, in their order; `indices` are its
 * triangles, counter-clockwise seen from outside, as indices into `used`.
 *
 * @param points `[x, y, z]` per point, all finite, at least four not in one plane
 * @throws InputError if all points lie in one plane.
 */
export function hullFacets(points: Points): { used: number[]; indices: Uint32Array } {
  const facets = new Set<Facet>(startTetrahedron(points));
  const pending = [...facets];
  const all = Array.from({ length: points.length / 3 }, (_, p) => p);
  distribute(points, all, pending);
  for (let facet = pending.pop(); facet !== undefined; facet = pending.pop()) {
    const apex = facet.removed ? undefined : facet.outside[0];
    if (apex === undefined) continue;
    const visible = visibleFrom(points, apex, facet);
    const created = cone(visible, apex);
    for (const old of visible) facets.delete(old);
    for (const fresh of created) facets.add(fresh);
    for (const old of visible) distribute(points, old.outside, created);
    pending.push(...created);
  }
  return compact(facets);
}

/** Positive where p lies strictly outside the plane of three corners, counter-clockwise from outside. Exact in sign. */
function side(points: Points, [a, b, c]: readonly [number, number, number], p: number): number {
  const [i, j, k, l] = [3 * a, 3 * b, 3 * c, 3 * p];
  // orient3d is positive where the last point sees the first three clockwise.
  return -orient3d(
    points[i]!,
    points[i + 1]!,
    points[i + 2]!,
    points[j]!,
    points[j + 1]!,
    points[j + 2]!,
    points[k]!,
    points[k + 1]!,
    points[k + 2]!,
    points[l]!,
    points[l + 1]!,
    points[l + 2]!,
  );
}

/** Gives each point to a facet that it sees; points that see none lie in the hull and are forgotten. */
function distribute(points: Points, candidates: readonly number[], facets: readonly Facet[]): void {
  for (const p of candidates) {
    facets.find((facet) => side(points, facet.corners, p) > 0)?.outside.push(p);
  }
}

/** All facets that a point sees, found by walking from one of them; marks them removed. */
function visibleFrom(points: Points, apex: number, start: Facet): Facet[] {
  start.removed = true;
  const visible = [start];
  for (let i = 0; i < visible.length; i++) {
    for (const neighbour of visible[i]!.neighbours) {
      if (neighbour.removed || side(points, neighbour.corners, apex) <= 0) continue;
      neighbour.removed = true;
      visible.push(neighbour);
    }
  }
  return visible;
}

/** Joins the rim of the removed facets to the apex. */
function cone(removed: readonly Facet[], apex: number): Facet[] {
  const byStart = new Map<number, Facet>();
  for (const facet of removed) {
    for (let k = 0; k < 3; k++) {
      const beyond = facet.neighbours[k]!;
      if (beyond.removed) continue;
      const from = facet.corners[k]!;
      const fresh: Facet = {
        corners: [from, facet.corners[(k + 1) % 3]!, apex],
        neighbours: [beyond],
        outside: [],
        removed: false,
      };
      beyond.neighbours[beyond.neighbours.indexOf(facet)] = fresh;
      byStart.set(from, fresh);
    }
  }
  for (const facet of byStart.values()) {
    const next = byStart.get(facet.corners[1])!;
    facet.neighbours[1] = next;
    next.neighbours[2] = facet;
  }
  return [...byStart.values()];
}

function startTetrahedron(points: Points): Facet[] {
  const count = points.length / 3;
  const firstFrom = (start: number, test: (p: number) => boolean): number => {
    for (let p = start; p < count; p++) if (test(p)) return p;
    throw new InputError(`convexHull: all ${count} points lie in one plane, expected four that do not`);
  };
  const b = firstFrom(1, (p) => [0, 1, 2].some((k) => points[3 * p + k] !== points[k]));
  const c = firstFrom(b + 1, (p) => !collinear(points, 0, b, p));
  const d = firstFrom(c + 1, (p) => side(points, [0, b, c], p) !== 0);
  const base: [number, number, number] = side(points, [0, b, c], d) < 0 ? [0, b, c] : [0, c, b];
  const facet = (corners: [number, number, number]): Facet => ({
    corners,
    neighbours: [],
    outside: [],
    removed: false,
  });
  const bottom = facet(base);
  const sides = [0, 1, 2].map((k) => facet([base[(k + 1) % 3]!, base[k]!, d]));
  sides.forEach((one, k) => {
    bottom.neighbours[k] = one;
    one.neighbours[0] = bottom;
    one.neighbours[1] = sides[(k + 2) % 3]!;
    one.neighbours[2] = sides[(k + 1) % 3]!;
  });
  return [bottom, ...sides];
}

function collinear(points: Points, a: number, b: number, c: number): boolean {
  const at = (p: number, axis: number) => points[3 * p + (axis % 3)]!;
  return [0, 1, 2].every(
    (k) => orient2d(at(a, k), at(a, k + 1), at(b, k), at(b, k + 1), at(c, k), at(c, k + 1)) === 0,
  );
}

/** Keeps the points that facets use. */
function compact(facets: ReadonlySet<Facet>): { used: number[]; indices: Uint32Array } {
  const corners = [...facets].flatMap((facet) => facet.corners);
  const used = [...new Set(corners)].sort((a, b) => a - b);
  const renamed = new Map(used.map((p, i) => [p, i]));
  return { used, indices: new Uint32Array(corners.map((p) => renamed.get(p)!)) };
}
