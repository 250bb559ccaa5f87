/** Shapes of each kind that has faces, and poses in which two of them overlap. */

import { queryPairs } from '../../../src/convex/cpu/pair-run.ts';
import type { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import type { ConvexShape } from '../../../src/convex/shapes/shapes.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import type { Quaternion, Vector } from '../../convex/shapes-of-all-kinds.ts';
import { bodyOf, type TestBody } from '../posed.ts';

type Random = () => number;

export const randomPoints = (random: Random, count: number): Vector[] =>
  Array.from({ length: count }, () => {
    const v = [0, 1, 2].map(() => random() - 0.5);
    return v.map((x) => x / Math.hypot(...v)) as unknown as Vector;
  });

/** Of float32, so that kernels are given the same. */
export function randomTurn(random: Random): Quaternion {
  const q = [0, 1, 2, 3].map(() => random() + random() - 1);
  return q.map((x) => Math.fround(x / Math.hypot(...q))) as unknown as Quaternion;
}

export const facedShapes: readonly (readonly [string, ConvexShape])[] = [
  ['box', { kind: 'box', halfExtents: [0.5, 0.4, 0.6] }],
  ['round box', { kind: 'round-box', halfExtents: [0.4, 0.3, 0.3], radius: 0.2 }],
  ['polytope', { kind: 'polytope', vertices: randomPoints(createRandom(3), 14).flat() }],
  [
    'polytope with a margin',
    { kind: 'polytope', vertices: [0, 0, 0, 0.8, 0, 0, 0, 0.8, 0, 0, 0, 0.8], margin: 0.1 },
  ],
  ['cylinder', { kind: 'cylinder', radius: 0.5, halfHeight: 0.5 }],
  ['cone', { kind: 'cone', radius: 0.6, height: 0.9 }],
  ['frustum', { kind: 'frustum', bottom: [0.5, 0.6], top: [0.3, 0.2], height: 0.9 }],
  ['lozenge', { kind: 'lozenge', halfExtents: [0.5, 0.3], radius: 0.2 }],
  ['wheel', { kind: 'wheel', radius: 0.4, tubeRadius: 0.2 }],
  ['capsule', { kind: 'capsule', halfLength: 0.5, radius: 0.3 }],
  [
    'sum',
    {
      kind: 'sum',
      a: { kind: 'box', halfExtents: [0.3, 0.2, 0.3] },
      b: { kind: 'cylinder', radius: 0.2, halfHeight: 0.3 },
    },
  ],
  [
    'hull',
    {
      kind: 'hull',
      a: { kind: 'sphere', radius: 0.4 },
      b: { kind: 'box', halfExtents: [0.2, 0.3, 0.1] },
      place: { position: [0.5, 0, 0] },
    },
  ],
];

/** Bodies of two records at random turns, B so far that it overlaps A by a depth. */
export function overlapping(
  table: ShapeTable,
  [a, b]: readonly [number, number],
  depth: number,
  random: Random,
): [TestBody, TestBody] {
  const turns = [randomTurn(random), randomTurn(random)] as const;
  const way = [0, 1, 2].map(() => random() - 0.5);
  const query = {
    ...{ poses: Float64Array.of(0, 0, 0, ...turns[0], ...way, ...turns[1]), shapes: Uint32Array.of(a, b) },
    ...({ pairs: Uint32Array.of(0, 1), kind: 'signed-distance' } as const),
  };
  const { distance, normal } = queryPairs(table, query);
  const position = way.map((x, k) => x - (distance[0]! + depth) * normal[k]!);
  return [bodyOf(a, [0, 0, 0], turns[0]), bodyOf(b, position, turns[1])];
}
