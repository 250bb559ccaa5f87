// Convex polytopes from points: the hull's vertices, its edges as lists of neighbours for hill climbing, and its
// centroid. Decisions are exact (mesh/convex-hull.ts).

import { InputError } from '../../errors.ts';
import { hullFacets } from '../../mesh/convex-hull.ts';
import { LEAST_COORDINATE } from '../constants.ts';

/** A convex polytope, or a flat or even smaller set of points. */
export interface PointHull {
  /** `[x, y, z]` per vertex, float64. */
  readonly vertices: Float64Array;
  /** Triangles counter-clockwise seen from outside; empty where all points lie in one plane. */
  readonly triangles: Uint32Array;
  /** Neighbours of vertex i are `neighbours[starts[i]]` to before `neighbours[starts[i + 1]]`; empty where flat. */
  readonly starts: Uint32Array;
  readonly neighbours: Uint32Array;
  /** Centroid of the volume; where flat, the middle of the box of the points. */
  readonly centroid: readonly [number, number, number];
}

/**
 * Hull of points, `[x, y, z]` each. Points in one plane are kept as they are, without repetitions: all algorithms take
 * flat shapes, which have few vertices.
 */
export function hullOfPoints(points: ArrayLike<number>): PointHull {
  const all = Float64Array.from(points);
  let largest = 0;
  for (const x of all) largest = Math.max(largest, Math.abs(x));
  // Exact predicates need products of coordinates free of underflow.
  for (let i = 0; i < all.length; i++) if (Math.abs(all[i]!) < LEAST_COORDINATE * largest) all[i] = 0;
  let facets: { used: number[]; indices: Uint32Array } | undefined;
  try {
    facets = hullFacets(all);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
  }
  if (facets === undefined) return flatHull(all);
  const vertices = Float64Array.from(facets.used.flatMap((p) => [...all.subarray(3 * p, 3 * p + 3)]));
  const { starts, neighbours } = adjacency(facets.used.length, facets.indices);
  return {
    vertices,
    triangles: facets.indices,
    starts,
    neighbours,
    centroid: centroidOf(vertices, facets.indices),
  };
}

function flatHull(all: Float64Array): PointHull {
  const seen = new Map<string, number[]>();
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < all.length; i += 3) {
    // + 0 makes -0 and 0 one key.
    const point = [all[i]! + 0, all[i + 1]! + 0, all[i + 2]! + 0];
    seen.set(point.join(), point);
    for (let k = 0; k < 3; k++) {
      min[k] = Math.min(min[k]!, point[k]!);
      max[k] = Math.max(max[k]!, point[k]!);
    }
  }
  return {
    vertices: Float64Array.from([...seen.values()].flat()),
    triangles: new Uint32Array(0),
    starts: new Uint32Array(0),
    neighbours: new Uint32Array(0),
    centroid: [(min[0]! + max[0]!) / 2, (min[1]! + max[1]!) / 2, (min[2]! + max[2]!) / 2],
  };
}

/** Ends of the edges at each vertex, from triangles in which each edge occurs once in each direction. */
function adjacency(count: number, triangles: Uint32Array): { starts: Uint32Array; neighbours: Uint32Array } {
  const starts = new Uint32Array(count + 1);
  for (const corner of triangles) starts[corner + 1]!++;
  for (let i = 0; i < count; i++) starts[i + 1]! += starts[i]!;
  const next = starts.slice();
  const neighbours = new Uint32Array(triangles.length);
  for (let i = 0; i < triangles.length; i++) {
    const to = triangles[i % 3 === 2 ? i - 2 : i + 1]!;
    neighbours[next[triangles[i]!]!++] = to;
  }
  return { starts, neighbours };
}

/**
 * Mean of the centroids of tetrahedra, weighted by volume. They start from the first vertex, so far-off polytopes lose
 * no digits.
 */
function centroidOf(vertices: Float64Array, triangles: Uint32Array): [number, number, number] {
  const [ox, oy, oz] = [vertices[0]!, vertices[1]!, vertices[2]!];
  let volume = 0;
  const sum = [0, 0, 0];
  for (let t = 0; t < triangles.length; t += 3) {
    const corner = (k: number): readonly [number, number, number] => {
      const v = 3 * triangles[t + k]!;
      return [vertices[v]! - ox, vertices[v + 1]! - oy, vertices[v + 2]! - oz];
    };
    const [a, b, c] = [corner(0), corner(1), corner(2)];
    const six =
      a[0] * (b[1] * c[2] - b[2] * c[1]) +
      a[1] * (b[2] * c[0] - b[0] * c[2]) +
      a[2] * (b[0] * c[1] - b[1] * c[0]);
    volume += six;
    for (let k = 0; k < 3; k++) sum[k]! += six * (a[k]! + b[k]! + c[k]!);
  }
  // The volume of a sliver may round to 0. Then any point of the hull will do.
  if (!(volume > 0)) return [ox, oy, oz];
  return [ox + sum[0]! / (4 * volume), oy + sum[1]! / (4 * volume), oz + sum[2]! / (4 * volume)];
}
