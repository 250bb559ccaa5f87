/** Depth of polytopes by the faces of their difference, held against EPA. */
import { describe, expect, it } from 'vitest';
import { TOUCHING_TOLERANCE } from '../../../src/convex/constants.ts';
import { queryPairs } from '../../../src/convex/cpu/pair-run.ts';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import { cellOf } from '../../../src/convex/shapes/cells.ts';
import { LISTED } from '../../../src/convex/shapes/facets.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import type { Shape } from '../../../src/convex/shapes/shapes.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { hold } from '../../support/hold.ts';
import { directions, dot, type Quaternion, rotate, type Vector } from '../shapes-of-all-kinds.ts';

const random = createRandom(3);
const even = () => 2 * random() - 1;

const onBall = (count: number): number[] =>
  Array.from({ length: count }, () => {
    const z = even();
    const r = Math.sqrt(1 - z * z);
    const angle = 2 * Math.PI * random();
    return [r * Math.cos(angle), r * Math.sin(angle), z];
  }).flat();
const prism = (corners: number, height: number): number[] =>
  [-height, height].flatMap((z) =>
    Array.from({ length: corners }, (_, i) => {
      const angle = (2 * Math.PI * i) / corners;
      return [Math.cos(angle), Math.sin(angle), z];
    }).flat(),
  );
const box = (x: number, y: number, z: number): number[] =>
  Array.from({ length: 8 }, (_, i) => [i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z]).flat();
const stretched = (vertices: readonly number[], ...by: readonly number[]) =>
  vertices.map((x, i) => x * by[i % 3]!);

const solids: readonly (readonly number[])[] = [
  onBall(50),
  onBall(200),
  onBall(20),
  onBall(8),
  onBall(4),
  onBall(120),
  onBall(90),
  prism(40, 0.85),
  prism(6, 0.5),
  prism(30, 1),
  box(1, 1, 1),
  box(0.5, 0.25, 1),
  // Thin, long, and with vertices in the middle of faces and edges.
  box(1, 1, 0.01),
  stretched(onBall(20), 4, 0.2, 1),
  stretched(onBall(60), 1, 1, 1e-4),
  Array.from({ length: 90 }, () => Math.round(3 * even()) / 3),
  // Far from its origin.
  onBall(30).map((x) => x + 5),
];

interface Scene {
  readonly table: ShapeTable;
  readonly poses: Float64Array;
  readonly pairs: Uint32Array;
  readonly bodies: Uint32Array;
  readonly vertices: readonly (readonly number[])[];
  readonly margins: readonly number[];
}

/** Pairs at random, a part of them at places on a grid, parallel, or nearly so. */
function sceneOf(count: number, scale: number): Scene {
  const margins = solids.map((_, i) => (i % 4 === 1 ? 0.1 * scale : 0));
  const vertices = solids.map((solid) => solid.map((x) => scale * x));
  const shapes = vertices.map((all, i): Shape => ({ kind: 'polytope', vertices: all, margin: margins[i]! }));
  const table = new ShapeTable(shapes);
  const bodies = Uint32Array.from({ length: 2 * count }, () => Math.floor(random() * shapes.length));
  const poses = new Float64Array(14 * count);
  for (let i = 0; i < 2 * count; i++) {
    const onGrid = random() < 0.3;
    const q = Array.from({ length: 4 }, even);
    const length = Math.hypot(...q);
    const turn = random();
    const rotation: readonly number[] =
      turn < 0.2
        ? [0, 0, 0, 1]
        : turn < 0.4
          ? [0, Math.SQRT1_2, 0, Math.SQRT1_2]
          : turn < 0.45
            ? [1e-9, 0, 0, 1]
            : q.map((x) => x / length);
    poses.set(rotation, 7 * i + 3);
    const { parameters } = table;
    const at = 24 * bodies[i]! + 17;
    const centre = rotate(rotation as unknown as Quaternion, parameters.subarray(at, at + 3));
    for (let k = 0; k < 3; k++) {
      poses[7 * i + k] = scale * (onGrid ? Math.round(2 * even()) / 2 : even()) - centre[k]!;
    }
  }
  return {
    table,
    poses,
    pairs: Uint32Array.from({ length: 2 * count }, (_, i) => i),
    bodies,
    vertices,
    margins,
  };
}

/** Vertices of body i in the world. */
function inWorld({ poses, bodies, vertices }: Scene, i: number): Vector[] {
  const all = vertices[bodies[i]!]!;
  const rotation = [...poses.subarray(7 * i + 3, 7 * i + 7)] as unknown as Quaternion;
  return Array.from({ length: all.length / 3 }, (_, v) => {
    const [x, y, z] = rotate(rotation, all.slice(3 * v, 3 * v + 3));
    return [x + poses[7 * i]!, y + poses[7 * i + 1]!, z + poses[7 * i + 2]!];
  });
}

const farthest = (vertices: readonly Vector[], n: ArrayLike<number>) =>
  Math.max(...vertices.map((v) => dot(v, n)));

describe.each([1, 1e-6, 1e6])('polytopes of size %d', (scale) => {
  it.each([2 ** -20, 2 ** -36])('answers as gjk does, at a tolerance of %d', (tolerance) => {
    const count = 2000;
    const scene = sceneOf(count, scale);
    const { table, bodies, margins, poses, pairs } = scene;
    const query = { poses, pairs, shapes: bodies, kind: 'signed-distance', tolerance } as const;
    const plain = queryPairs(table, { ...query, algorithm: 'gjk' });
    const auto = queryPairs(table, { ...query, algorithm: 'auto' });
    let overlapping = 0;
    let closed = 0;
    for (let i = 0; i < count; i++) {
      const [a, b] = [bodies[2 * i]!, bodies[2 * i + 1]!];
      hold(
        auto.status[i] === plain.status[i],
        () => `pair ${i}: ${auto.status[i]}, ${plain.status[i]} by gjk`,
      );
      if (auto.status[i] !== PairStatus.converged || plain.distance[i]! > 0) continue;
      const round = table.parameters[24 * a + 3]! >= 0 && table.parameters[24 * b + 3]! >= 0;
      if (round) overlapping++;
      // Steps of EPA are support points.
      if (round && auto.iterations[i]! <= plain.iterations[i]! - 4) closed++;
      const size = table.boundingRadius(a) + table.boundingRadius(b) + 4 * scale;
      const slack = TOUCHING_TOLERANCE * size;
      expect(auto.upper[i]! - auto.lower[i]!).toBeLessThanOrEqual(tolerance * size);
      expect(auto.lower[i]!).toBeLessThanOrEqual(plain.upper[i]! + slack);
      expect(plain.lower[i]!).toBeLessThanOrEqual(auto.upper[i]! + slack);
      expect(auto.lower[i]!).toBeLessThanOrEqual(auto.distance[i]! + slack);
      expect(auto.upper[i]!).toBeGreaterThanOrEqual(auto.distance[i]! - slack);
      if (i % 16 > 0) continue;
      const [one, other] = [inWorld(scene, 2 * i), inWorld(scene, 2 * i + 1)];
      const both = margins[a]! + margins[b]!;
      const overlapAlong = (n: ArrayLike<number>) =>
        farthest(one, n) + farthest(other, [-n[0]!, -n[1]!, -n[2]!]) + both;
      // The normal's planes have the depth, and no other direction has less.
      const normal = auto.normal.subarray(3 * i, 3 * i + 3);
      expect(Math.abs(overlapAlong(normal) + auto.distance[i]!)).toBeLessThan(
        1e-12 * size + tolerance * size,
      );
      for (const n of directions) {
        hold(overlapAlong(n) >= -auto.upper[i]! - 8 * slack, () => `pair ${i}: less deep along ${n}`);
      }
      // Points lie within both shapes, on the planes.
      const [onA, onB] = [auto.pointA.subarray(3 * i, 3 * i + 3), auto.pointB.subarray(3 * i, 3 * i + 3)];
      for (const n of [...directions, normal, normal.map((x) => -x)]) {
        const within = (tolerance + 1e-11) * size;
        hold(dot(onA, n) <= farthest(one, n) + margins[a]! + within, () => `pair ${i}: A ends before ${onA}`);
        hold(
          dot(onB, n) <= farthest(other, n) + margins[b]! + within,
          () => `pair ${i}: B ends before ${onB}`,
        );
      }
    }
    expect(overlapping).toBeGreaterThan(count / 20);
    expect(closed).toBeGreaterThan(0.7 * overlapping);
  });
});

it('lists all faces that a direction of a cell is within 45 degrees of', () => {
  const table = new ShapeTable(solids.map((solid): Shape => ({ kind: 'polytope', vertices: [...solid] })));
  const { faces, faceLists, faceListStarts, integers, parameters } = table;
  for (let record = 0; record < solids.length; record++) {
    if (parameters[24 * record + 3]! < 0) continue;
    const first = integers[8 * record + 4]!;
    const count = integers[8 * record + 6]!;
    for (let i = 0; i < 500; i++) {
      const n = onBall(1) as unknown as Vector;
      const cell = parameters[24 * record + 3]! + cellOf(...n);
      const list = new Set(faceLists.subarray(faceListStarts[cell]!, faceListStarts[cell + 1]!));
      for (let f = 0; f < count; f++) {
        if (dot(faces.subarray(4 * (first + f), 4 * (first + f) + 3), n) >= LISTED)
          hold(list.has(f), () => `face ${f} of shape ${record} is not listed for ${n}`);
      }
    }
  }
});

it('has the planes of faces beyond which no vertex lies, and their neighbours', () => {
  const table = new ShapeTable(solids.map((solid): Shape => ({ kind: 'polytope', vertices: [...solid] })));
  const { faces, faceCorners, faceNeighbours, integers, parameters, vertices } = table;
  for (let record = 0; record < solids.length; record++) {
    const [start, count] = [integers[8 * record + 1]!, integers[8 * record + 2]!];
    const first = integers[8 * record + 4]!;
    const radius = parameters[24 * record + 14]!;
    const [inner, error] = [parameters[24 * record]!, parameters[24 * record + 1]!];
    expect(integers[8 * record + 6]).toBe(2 * count - 4);
    for (let f = first; f < first + 2 * count - 4; f++) {
      const plane = faces.subarray(4 * f, 4 * f + 4);
      expect(plane[3]).toBeGreaterThanOrEqual(inner);
      for (let v = start; v < start + count; v++) {
        const far = dot(vertices.subarray(3 * v, 3 * v + 3), plane);
        hold(far <= plane[3]! + 2 * error * radius, () => `vertex ${v} is beyond the plane of face ${f}`);
      }
      for (let k = 0; k < 3; k++) {
        const across = faceNeighbours[3 * f + k]!;
        const shared = [0, 1, 2].filter((c) =>
          [faceCorners[3 * f + k], faceCorners[3 * f + ((k + 1) % 3)]].includes(faceCorners[3 * across + c]),
        );
        expect(shared).toHaveLength(2);
        expect([0, 1, 2].some((c) => faceNeighbours[3 * across + c] === f)).toBe(true);
      }
    }
  }
});
