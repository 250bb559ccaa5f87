/** Queries for one pair. */
import { FACING_COSINE, SAMPLED_FACE_RESOLUTION } from '../../src/convex/constants.ts';
import { queryPairs } from '../../src/convex/cpu/pair-run.ts';
import type { ManifoldRule } from '../../src/convex/manifold/manifold-rules.ts';
import { Pair } from '../../src/convex/pair/pair.ts';
import type { PairStatus } from '../../src/convex/pair/status.ts';
import type { PairAlgorithm, PairKind } from '../../src/convex/query/pair-kinds.ts';
import { placements } from '../../src/convex/shapes/pose.ts';
import { ShapeTable } from '../../src/convex/shapes/shape-table.ts';
import type { ConvexShape, Shape } from '../../src/convex/shapes/shapes.ts';
import { type Placed, sizeOf, type Vector } from './shapes-of-all-kinds.ts';

export interface Answer {
  readonly status: PairStatus;
  readonly distance: number;
  readonly lower: number;
  readonly upper: number;
  readonly normal: Vector;
  readonly pointA: Vector;
  readonly pointB: Vector;
  readonly redone: number;
  readonly iterations: number;
  /** x, y, z, distance each. */
  readonly contacts: readonly (readonly number[])[];
  /** Of each contact. */
  readonly contactNormals: readonly Vector[];
}

export interface PlacedShape extends Omit<Placed, 'shape'> {
  readonly shape: Shape;
}

const tables = new WeakMap<Shape, WeakMap<Shape, ShapeTable>>();

/** The table of two shapes, made once: properties ask about the same two many times. */
export function tableOf(a: Shape, b: Shape): ShapeTable {
  const ofA = tables.get(a) ?? new WeakMap<Shape, ShapeTable>();
  tables.set(a, ofA);
  const table = ofA.get(b) ?? new ShapeTable([a, b]);
  ofA.set(b, table);
  return table;
}

export function ask(
  a: PlacedShape,
  b: PlacedShape,
  kind: PairKind,
  algorithm: PairAlgorithm = 'gjk',
  more: { tolerance?: number; sweepRadius?: number; manifold?: ManifoldRule } = {},
): Answer {
  const table = tableOf(a.shape, b.shape);
  const poses = Float64Array.from([...a.position, ...a.rotation, ...b.position, ...b.rotation]);
  const results = queryPairs(table, { poses, pairs: Uint32Array.of(0, 1), kind, algorithm, ...more });
  const vector = (of: Float64Array) => [...of.subarray(0, 3)] as unknown as Vector;
  return {
    status: results.status[0] as PairStatus,
    distance: results.distance[0]!,
    lower: results.lower[0]!,
    upper: results.upper[0]!,
    normal: vector(results.normal),
    pointA: vector(results.pointA),
    pointB: vector(results.pointB),
    redone: results.redone,
    iterations: results.iterations[0]!,
    contacts: Array.from({ length: results.contactCounts[0] ?? 0 }, (_, i) => [
      ...results.contacts.subarray(4 * i, 4 * i + 4),
    ]),
    contactNormals: Array.from({ length: results.contactCounts[0] ?? 0 }, (_, i) =>
      vector(results.contactNormals.subarray(3 * i)),
    ),
  };
}

/** A shape without rotation. */
export const at = (shape: Shape, x = 0, y = 0, z = 0): PlacedShape => ({
  shape,
  position: [x, y, z],
  rotation: [0, 0, 0, 1],
});

/** How far the points of contacts on A and B are off the surfaces, at most. */
export function offSurfaces(
  a: PlacedShape,
  b: PlacedShape,
  { contacts, contactNormals }: Pick<Answer, 'contacts' | 'contactNormals'>,
): [number, number] {
  const off: [number, number] = [0, 0];
  contacts.forEach(([x, y, z, distance], i) => {
    const n = contactNormals[i]!;
    [a, b].forEach((body, side) => {
      const s = (side === 0 ? -0.5 : 0.5) * distance!;
      const point = at({ kind: 'point' }, x! + s * n[0], y! + s * n[1], z! + s * n[2]);
      off[side] = Math.max(off[side]!, Math.abs(ask(body, point, 'signed-distance').distance));
    });
  });
  return off;
}

/** How far a ball's top lies below the plane of a face, in radii, at the largest tilt t: 1 / cos t - 1. */
const ROUNDED_FACE = 1 / FACING_COSINE - 1;

/** The length that tolerances of a pair are relative to. */
export function sizeOfPair(a: PlacedShape, b: PlacedShape): number {
  const pair = new Pair(tableOf(a.shape, b.shape));
  const poses = Float64Array.from([...a.position, ...a.rotation, ...b.position, ...b.rotation]);
  const placed = placements(poses);
  pair.place({ record: 0, frames: placed, at: 0 }, { record: 1, frames: placed, at: placed.length / 2 });
  return pair.size;
}

/** Radius of the balls that a shape is swept with, which is at most its record's margin. */
function marginOf(shape: ConvexShape): number {
  const own = shape.margin ?? 0;
  switch (shape.kind) {
    case 'sphere':
    case 'capsule':
    case 'lozenge':
    case 'round-box':
      return own + shape.radius;
    case 'wheel':
      return own + shape.tubeRadius;
    case 'ellipsoid': {
      const [c, , a] = [...shape.radii].sort((p, q) => p - q) as [number, number, number];
      return own + (a > 0 ? (c * c) / a : 0);
    }
    case 'sum':
      return own + marginOf(shape.a) + marginOf(shape.b);
    case 'hull':
      return own + Math.min(marginOf(shape.a), marginOf(shape.b));
    default:
      return own;
  }
}

/**
 * How far contacts may lie off a surface besides 2^-20 of the pair's size, as docs/convex.md says: on rounded faces,
 * and on sampled faces, which flat polytopes have too.
 */
export function mayLieOff(shape: ConvexShape): number {
  const isSampled = ['sum', 'hull', 'frustum', 'polytope'].includes(shape.kind);
  const rounded = ROUNDED_FACE * marginOf(shape);
  return rounded + (isSampled ? SAMPLED_FACE_RESOLUTION * sizeOf(shape) : 0);
}
