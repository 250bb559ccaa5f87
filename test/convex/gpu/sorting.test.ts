/** The kernels that place bodies and sort pairs, beside their twins. */
import { describe, expect, it } from 'vitest';
import { PairProgram } from '../../../src/convex/gpu/pair-program.ts';
import { reserveRoom } from '../../../src/convex/gpu/pair-room.ts';
import { PairShapes } from '../../../src/convex/gpu/pair-shapes.ts';
import { pairPlan } from '../../../src/convex/gpu/plan.ts';
import { shapeParts } from '../../../src/convex/gpu/shape-parts.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import type { Shape } from '../../../src/convex/shapes/shapes.ts';
import { createScan } from '../../../src/gpu/blocks/scan.ts';
import { BufferPool, readBack } from '../../../src/gpu/buffers.ts';
import { Recorder } from '../../../src/gpu/recorder.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { useDevice } from '../../support/device.ts';
import { BODY_WORDS, BodyWord, placeBodies, sortPairs } from '../../support/pair-sorting-twin.ts';

const device = useDevice();

const tetrahedron = [1, 0, 0, -1, 0.3, 0, 0, 2, 0, 0.1, 0.2, 1.5];
const far = tetrahedron.map((x, i) => x + [300, -2000, 70][i % 3]!);
const box: Shape = { kind: 'box', halfExtents: [0.5, 0.4, 0.3] };
const polytope: Shape = { kind: 'polytope', vertices: tetrahedron };
const half = Math.SQRT1_2;
const concave: Shape = {
  kind: 'parts',
  parts: [
    { shape: box, position: [0.2, 0, 0] },
    { shape: polytope, position: [1e-3, 2, 0], rotation: [0.36, 0.48, 0, 0.8] },
    { shape: { kind: 'sphere', radius: 0.4 }, rotation: [0, half, 0, half] },
  ],
};

/** Random bodies, positions of all sizes; quaternions off their length by up to the tolerance. */
function randomBodies(count: number, shapes: number, isFloat32: boolean) {
  const random = createRandom(7);
  const poses = isFloat32 ? new Float32Array(7 * count) : new Float64Array(7 * count);
  for (let i = 0; i < count; i++) {
    const size = 10 ** (8 * random() - 4);
    const q = [0, 1, 2, 3].map(() => random() - 0.5);
    const length = Math.hypot(...q) * (1 + 9e-4 * (2 * random() - 1));
    const place = [0, 1, 2].map(() => size * (random() - 0.5));
    poses.set([...place, ...q.map((x) => x / length)], 7 * i);
  }
  return { poses, bodies: Uint32Array.from({ length: count }, (_, i) => i % shapes) };
}

/** What the kernels leave of bodies and pairs. */
async function runKernels(table: ShapeTable, { poses, bodies, asked }: ReturnType<typeof randomScene>) {
  const shapes = await PairShapes.create(device(), table);
  const pool = new BufferPool(device());
  const kinds = shapes.kindsOf(shapes.all);
  const plan = pairPlan({
    ...{ kind: 'intersect', algorithm: 'mpr', tolerance: 2 ** -20, sweepRadius: 0, manifold: 'clipped' },
  });
  const pairs = asked.length / 2;
  const program = await PairProgram.create(device(), shapes, { plan, kinds, pairs });
  const parts = bodies.reduce((sum, shape) => sum + shapes.partCount(shape), 0);
  const sizes = { bodies: bodies.length, convexBodies: parts, pairs, slots: 9 * pairs, answers: pairs };
  const scan = await createScan(device(), { most: Math.max(1, program.countsFor(pairs)) });
  const high = Float32Array.from(poses);
  const rests = Float32Array.from(poses, (x, i) => x - high[i]!);
  const room = reserveRoom(device(), pool, program, sizes, scan);
  const recorder = new Recorder(device());
  program.recordBodies(recorder, room, {
    poses: pool.upload('poses', high),
    rests: poses instanceof Float32Array ? undefined : pool.upload('rests', rests),
    shapes: pool.upload('shapes', bodies),
    count: bodies.length,
  });
  const list = pool.upload('asked', asked);
  program.recordPairs(recorder, room, { asked: list, bodyCount: bodies.length, first: 0, count: pairs });
  recorder.submit();
  const { buffers } = room;
  const found = await readBack(device(), pool, [
    { buffer: buffers.bodies, bytes: 4 * BODY_WORDS * parts },
    { buffer: buffers.spans, bytes: 8 * bodies.length },
    { buffer: buffers.pairs, bytes: 16 * (program.buckets + 9 * pairs) },
    { buffer: buffers.places, bytes: 4 * (1 + pairs) },
  ]);
  const [placed, spans, slots, places] = found.map((bytes) => new Uint32Array(bytes.slice().buffer));
  pool.destroy();
  scan.destroy();
  shapes.destroy();
  return { placed: placed!, spans: spans!, slots: slots!, places: places!, kinds, buckets: program.buckets };
}

function randomScene(count: number, pairs: number, shapes: number, isFloat32: boolean) {
  const random = createRandom(3);
  const asked = Uint32Array.from({ length: 2 * pairs }, () => Math.floor(random() * count));
  return { ...randomBodies(count, shapes, isFloat32), asked };
}

const tables: Readonly<Record<string, readonly Shape[]>> = {
  'one kind': [box],
  'beside their origin': [polytope, { kind: 'polytope', vertices: far }],
  'several kinds': [box, polytope, { kind: 'cone', radius: 1, height: 2 }],
  'concave bodies': [box, concave, polytope],
};

describe.each(Object.keys(tables))('%s', (name) => {
  const table = new ShapeTable(tables[name]!);
  it.each([true, false])(
    'bodies are where the twin has them, pairs in its order; poses in float32: %s',
    async (isFloat32) => {
      const scene = randomScene(150, 900, table.count, isFloat32);
      // Not of unit length: no body, and no pair with it.
      scene.poses.set([2, 0, 0, 0], 7 * 5 + 3);
      const twin = placeBodies(shapeParts(table), scene.poses, scene.bodies);
      const found = await runKernels(table, scene);
      const floats = new Float32Array(found.placed.buffer);
      const words = new Uint32Array(twin.bodies.buffer);
      // Convex bodies of the kernel by those of the twin: concave ones get room in any order.
      const twinOf = new Map<number, number>();
      for (let i = 0; i < scene.bodies.length; i++) {
        expect(found.spans[2 * i + 1]).toBe(twin.spans[2 * i + 1]);
        for (let k = 0; k < twin.spans[2 * i + 1]!; k++)
          twinOf.set(found.spans[2 * i]! + k, twin.spans[2 * i]! + k);
      }
      for (const [body, other] of twinOf) {
        const [a, b] = [BODY_WORDS * body, BODY_WORDS * other];
        expect(found.placed[a + BodyWord.record]).toBe(words[b + BodyWord.record]);
        expect(found.placed[a + BodyWord.kind]).toBe(words[b + BodyWord.kind]);
        const reach = floats[a + BodyWord.reach]!;
        expect(reach).toBe(twin.bodies[b + BodyWord.reach]);
        for (let k = 0; k < 3; k++) {
          const mine = floats[a + BodyWord.centre + k]! + floats[a + BodyWord.centreRest + k]!;
          const theirs = twin.bodies[b + BodyWord.centre + k]! + twin.bodies[b + BodyWord.centreRest + k]!;
          // Both are off by no more than 2^-48 of the reach.
          expect(Math.abs(mine - theirs)).toBeLessThanOrEqual(2 ** -47 * reach);
        }
        for (let k = 0; k < 4; k++) {
          const [mine, theirs] = [
            floats[a + BodyWord.quaternion + k]!,
            twin.bodies[b + BodyWord.quaternion + k]!,
          ];
          expect(Math.abs(mine - theirs)).toBeLessThanOrEqual(2 ** -23);
        }
      }
      const sorted = sortPairs(scene.asked, twin, found.kinds);
      const head = (b: number) => [found.slots[4 * b]!, found.slots[4 * b + 1]!];
      if (found.kinds.length > 1) {
        sorted.buckets.forEach((bucket, b) => {
          expect(head(b), `bucket ${b}`).toEqual(bucket);
        });
        const slots = sorted.slots.map((_, i) => {
          const [a, b, place] = found.slots.subarray(4 * (found.buckets + i));
          return [twinOf.get(a!), twinOf.get(b!), place];
        });
        expect(slots).toEqual(sorted.slots);
      }
      sorted.places.forEach((place, i) => {
        const mine = found.places[1 + i]!;
        if (place === undefined) expect(mine).toBe(2 ** 32 - 1);
        else expect(mine).toBe(found.kinds.length > 1 ? place : i);
      });
    },
  );
});
