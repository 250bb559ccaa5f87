/** Many bodies of many shapes at once, for queries. */
import type { PairQuery } from '../../src/convex/query/pair-query.ts';
import type { ConvexShape, Shape } from '../../src/convex/shapes/shapes.ts';
import { createRandom } from '../../src/mesh/random.ts';

/** Points on a sphere: a hull with enough vertices to be climbed. */
function ballOfPoints(count: number, random: () => number): number[] {
  return Array.from({ length: count }, () => {
    const z = 2 * random() - 1;
    const r = Math.sqrt(1 - z * z);
    const phi = 2 * Math.PI * random();
    return [r * Math.cos(phi), r * Math.sin(phi), z];
  }).flat();
}

/** A prism over a regular polygon: all vertices of a face are equally far along its normal. */
function prism(corners: number): number[] {
  return [-1, 1].flatMap((z) =>
    Array.from({ length: corners }, (_, i) => [
      Math.cos((2 * Math.PI * i) / corners),
      Math.sin((2 * Math.PI * i) / corners),
      z,
    ]).flat(),
  );
}

const box: Shape = { kind: 'box', halfExtents: [0.8, 0.5, 0.6] };

export const manyShapes: readonly Shape[] = [
  box,
  { kind: 'sphere', radius: 0.9 },
  { kind: 'ellipsoid', radii: [1, 0.5, 0.7] },
  { kind: 'capsule', halfLength: 0.7, radius: 0.3 },
  { kind: 'cone', radius: 0.7, height: 1.5 },
  { kind: 'cylinder', radius: 0.6, halfHeight: 0.5, margin: 0.05 },
  { kind: 'polytope', vertices: ballOfPoints(80, createRandom(5)) },
  { kind: 'polytope', vertices: prism(40) },
  {
    kind: 'hull',
    a: { kind: 'sphere', radius: 0.3 },
    b: { kind: 'disc', radius: 0.5 },
    place: { position: [0, 0, 1] },
  },
  {
    kind: 'parts',
    parts: [
      { shape: { kind: 'box', halfExtents: [0.2, 0.8, 0.8] }, position: [-0.7, 0, 0] },
      { shape: { kind: 'sphere', radius: 0.5 }, position: [0.7, 0, 0] },
    ],
  },
];

/**
 * Bodies at random places and turns; pairs of neighbours in a list. Some are turned by right angles, so that faces are
 * parallel.
 */
export function manyPairs(
  count: number,
  seed = 1,
): Pick<PairQuery, 'poses' | 'pairs'> & { shapes: Uint32Array } {
  const random = createRandom(seed);
  const bodyCount = 300;
  const poses = new Float64Array(7 * bodyCount);
  const bodies = new Uint32Array(bodyCount);
  const half = Math.SQRT1_2;
  for (let i = 0; i < bodyCount; i++) {
    const q = [0, 1, 2, 3].map(() => 2 * random() - 1);
    const length = Math.hypot(...q);
    const rotation = i % 3 === 0 ? [0, half, 0, half] : q.map((x) => x / length);
    poses.set([4 * random(), 4 * random(), 4 * random(), ...rotation], 7 * i);
    bodies[i] = Math.floor(random() * manyShapes.length);
  }
  const pairs = new Uint32Array(2 * count);
  for (let i = 0; i < count; i++) {
    pairs[2 * i] = Math.floor(random() * bodyCount);
    pairs[2 * i + 1] = (pairs[2 * i]! + 1 + Math.floor(random() * (bodyCount - 1))) % bodyCount;
  }
  return { poses, pairs, shapes: bodies };
}

/** Its uppermost vertex (0, 0, 1) has two edges that fall by less than 0.22 degrees on their way to (+-1, 0.3). */
export const bentEdge: ConvexShape = {
  kind: 'polytope',
  vertices: [0, 0, 1, -1, 0.3, 0.9971, 1, 0.3, 0.9971, 0, -0.5, -1, 0.8, 0.8, -1, -0.8, 0.8, -1],
};
