import { beforeAll, describe, expect, it } from 'vitest';
import { ConvexBatch, type ConvexQuery, type ConvexResults } from '../../../src/convex/batch/convex-batch.ts';
import { queryPairs } from '../../../src/convex/cpu/pair-run.ts';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import { intersects } from '../../../src/convex/query/intersects.ts';
import { arraysFor } from '../../../src/convex/query/pair-arrays.ts';
import { PAIR_ALGORITHMS, PAIR_KINDS } from '../../../src/convex/query/pair-kinds.ts';
import { polytopeOf } from '../../../src/convex/shapes/polytope-of.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import type { Shape } from '../../../src/convex/shapes/shapes.ts';
import { InputError } from '../../../src/errors.ts';
import { type Device, openDevice } from '../../../src/gpu/device.ts';
import { randomRock } from '../../../src/mesh/generate-rock.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { WorkerPool } from '../../../src/workers/worker-pool.ts';
import { manyPairs, manyShapes } from '../scenes.ts';

const ARRAYS = [
  ...['distance', 'lower', 'upper', 'normal', 'pointA', 'pointB'],
  ...['status', 'iterations', 'contactCounts', 'contacts', 'contactNormals'],
] as const;

/** Arrays of answers, for comparing them bit by bit: text would take -0 for 0. */
function bitsOf(results: ConvexResults): Record<string, Buffer> {
  return Object.fromEntries(
    ARRAYS.map((name) => {
      const array = results[name as 'distance'];
      return [name, Buffer.from(array.buffer, array.byteOffset, array.byteLength)];
    }),
  );
}

/** Names of arrays that differ. */
function differences(a: ConvexResults, b: ConvexResults): string[] {
  const [x, y] = [bitsOf(a), bitsOf(b)];
  return ARRAYS.filter((name) => !x[name]!.equals(y[name]!));
}

const pose = (x: number) => [x, 0, 0, 0, 0, 0, 1];
const box: Shape = { kind: 'box', halfExtents: [0.5, 0.5, 0.5] };
const simple: ConvexQuery = {
  poses: Float32Array.from([...pose(0), ...pose(3), ...pose(3.75)]),
  pairs: Uint32Array.of(0, 1, 1, 2),
  shapes: new Uint32Array(3),
  kind: 'signed-distance',
};

describe('ConvexBatch on the CPU', () => {
  it('answers, and says what it used', async () => {
    // One thread: how many of them take part else depends on how long pairs take.
    const batch = await ConvexBatch.create(undefined, [box], { threads: 1 });
    const results = await batch.query(simple);
    expect([...results.distance]).toEqual([2, -0.25].map((x) => expect.closeTo(x, 6)));
    expect([...results.normal]).toEqual([1, 0, 0, 1, 0, 0].map((x) => expect.closeTo(x, 6)));
    expect(results).toMatchObject({
      ...{ kind: 'signed-distance', algorithm: 'auto', tolerance: 2 ** -20 },
      ...{ backend: 'cpu', reason: 'the batch has no device', adapter: undefined, threads: 1, redone: 0 },
    });
    expect(results.pairs).toEqual(simple.pairs);
    expect(results.pairs).not.toBe(simple.pairs);
    expect(Object.keys(results.seconds).sort()).toEqual(['kernel', 'readback', 'redo', 'total', 'upload']);
    batch.destroy();
  });

  it('answers no pairs with empty arrays, for every kind', async () => {
    const batch = await ConvexBatch.create(undefined, [box]);
    for (const kind of PAIR_KINDS) {
      const results = await batch.query({ ...simple, kind, pairs: new Uint32Array(0) });
      expect(ARRAYS.map((name) => results[name as 'distance'].length)).toEqual(ARRAYS.map(() => 0));
    }
  });

  it('rejects, and does not throw, what queryPairs throws', async () => {
    const batch = await ConvexBatch.create(undefined, [box], { names: ['crate'] });
    await expect(batch.query({ ...simple, poses: new Float32Array(8) })).rejects.toThrow(
      'poses: 8 numbers found, expected a multiple of 7',
    );
    await expect(batch.query({ ...simple, backend: 'gpu' })).rejects.toThrow(
      'backend "gpu" needs a device: create the batch with one from openDevice()',
    );
    await expect(batch.query({ ...simple, backend: 'npu' as never })).rejects.toThrow(
      'backend "npu": expected one of',
    );
    const bad = ConvexBatch.create(undefined, [{ ...box, margin: -1 }], { names: ['crate'] });
    await expect(bad).rejects.toThrow('crate: margin is -1, expected 0 or a length');
    for (const threads of [0, 1.5, Number.NaN]) {
      await expect(ConvexBatch.create(undefined, [box], { threads })).rejects.toThrow(
        `threads is ${threads}, expected a whole number from 1 to 1024`,
      );
    }
  });

  it.each<[unknown, string]>([
    [
      undefined,
      'query: options: found undefined, expected an object with poses, pairs, shapes, kind, algorithm, tolerance, ' +
        'sweepRadius, manifold, previous, backend, timestamps, signal, onProgress',
    ],
    [{ ...simple, signal: {} }, 'query: signal: found an object, expected an AbortSignal'],
    [{ ...simple, onProgress: 3 }, 'query: onProgress: found 3, expected a function'],
    [
      { ...simple, previous: null },
      'previous: found null, expected results of an earlier query, with pairs and normal',
    ],
  ])('%j is refused with one line', async (query, message) => {
    const batch = await ConvexBatch.create(undefined, [box]);
    await expect(batch.query(query as never)).rejects.toThrow(new InputError(message));
  });

  it('shapes where the device belongs, and shapes that are none, are refused with one line', async () => {
    await expect(ConvexBatch.create([box] as never, undefined as never)).rejects.toThrow(
      /^ConvexBatch.create: device: found an array of length 1, expected one of openDevice\(\), or undefined/,
    );
    const parts = { kind: 'parts', parts: [box] };
    await expect(ConvexBatch.create(undefined, [parts as never])).rejects.toThrow(
      /^shape 0, the shape of part 0 is missing, expected/,
    );
    const nested = { kind: 'polytope', vertices: [[0, 0, 0]] };
    await expect(ConvexBatch.create(undefined, [nested as never])).rejects.toThrow(
      'shape 0: vertices is a list of lists, expected one list of numbers x, y, z, x, ...',
    );
  });

  it('more pairs than there is memory for are one line with what to do', () => {
    expect(() => arraysFor('manifold', 2 ** 40)).toThrow(InputError);
    expect(() => arraysFor('manifold', 2 ** 40)).toThrow(
      new RegExp(
        '^pairs: 1099511627776 pairs found, whose answers take 998 bytes each: ' +
          'more than there is memory for \\(.*\\); ask in parts$',
      ),
    );
  });

  it('after destroy, and after its device, calls say so', async () => {
    const batch = await ConvexBatch.create(undefined, [box]);
    batch.destroy();
    batch.destroy();
    await expect(batch.query(simple)).rejects.toThrow('this convex batch was destroyed; create a new one');
  });

  it('an abort stops a query between slices, with the reason of the signal', async () => {
    const scene = manyPairs(30_000);
    for (const threads of [1, 2]) {
      const batch = await ConvexBatch.create(undefined, manyShapes, { threads });
      const early = AbortSignal.abort();
      await expect(batch.query({ ...scene, kind: 'manifold', signal: early })).rejects.toThrow(
        expect.objectContaining({ name: 'AbortError' }),
      );
      const controller = new AbortController();
      const seen: number[] = [];
      const onProgress = (done: number) => {
        seen.push(done);
        controller.abort(new Error('enough'));
      };
      const late = batch.query({ ...scene, kind: 'manifold', signal: controller.signal, onProgress });
      await expect(late).rejects.toThrow('enough');
      expect(seen).toHaveLength(1);
      // The batch goes on with the next one.
      const all: [number, number][] = [];
      await batch.query({ ...scene, kind: 'intersect', onProgress: (...progress) => all.push(progress) });
      expect(all.at(-1)).toEqual([30_000, 30_000]);
      batch.destroy();
    }
  });

  it('destroying it stops a query that is under way', async () => {
    const batch = await ConvexBatch.create(undefined, manyShapes, { threads: 1 });
    const scene = manyPairs(30_000);
    const pending = batch.query({ ...scene, kind: 'manifold', onProgress: () => batch.destroy() });
    await expect(pending).rejects.toThrow('this convex batch was destroyed');
  });
});

describe('answers are the same bit for bit', () => {
  // Enough pairs for workers and several parts; not a multiple of anything.
  const scene = manyPairs(12_007);

  it.each(PAIR_KINDS)('%s: with one thread and with many, by every algorithm', async (kind) => {
    expect(WorkerPool.get()).toBeDefined();
    const one = await ConvexBatch.create(undefined, manyShapes, { threads: 1 });
    const many = await ConvexBatch.create(undefined, manyShapes);
    const table = new ShapeTable(manyShapes);
    for (const algorithm of PAIR_ALGORITHMS) {
      const query = { ...scene, kind, algorithm, sweepRadius: 0.1 };
      const alone = await one.query(query);
      const shared = await many.query(query);
      expect([alone.threads, shared.threads]).toEqual([1, WorkerPool.get()!.size]);
      expect(differences(alone, shared)).toEqual([]);
      expect(shared.redone).toBe(alone.redone);
      // The twin, asked for the last pairs alone.
      const tail = { ...query, pairs: scene.pairs.slice(-50), tolerance: 2 ** -20 };
      const twin = queryPairs(table, tail);
      expect([...twin.status]).toEqual([...shared.status.subarray(-25)]);
      expect([...twin.distance]).toEqual([...shared.distance.subarray(shared.distance.length && -25)]);
    }
  });

  it('from call to call, and with results that a caller has written to', async () => {
    const batch = await ConvexBatch.create(undefined, manyShapes);
    const query = { ...scene, kind: 'manifold' } as const;
    const first = await batch.query(query);
    const copy = bitsOf(structuredClone({ ...first, seconds: undefined }) as never);
    first.contacts.fill(7);
    first.iterations.fill(7);
    const again = await batch.query(query);
    const bits = bitsOf(again);
    expect(ARRAYS.filter((name) => !bits[name]!.equals(copy[name]!))).toEqual([]);
    // No memory of workers leaks out: messages and GPU uploads take such arrays.
    expect(ARRAYS.every((name) => again[name as 'distance'].buffer instanceof ArrayBuffer)).toBe(true);
  });

  it('when the workers are gone in the middle of a query', async () => {
    const query = { ...manyPairs(60_000), kind: 'signed-distance', algorithm: 'mpr' } as const;
    const one = await ConvexBatch.create(undefined, manyShapes, { threads: 1 });
    const many = await ConvexBatch.create(undefined, manyShapes);
    const pool = WorkerPool.get()!;
    const expected = await one.query(query);
    let slices = 0;
    const found = await many.query({
      ...query,
      onProgress: () => {
        slices++;
        // The first one is told before anything is handed over: timers get in when this thread waits for the workers
        // to end.
        if (slices === 1) setTimeout(() => pool.fail(new Error('gone')), 0);
      },
    });
    expect(pool.hasFailed).toBe(true);
    expect(slices).toBeGreaterThan(2);
    expect(found.threads).toBe(pool.size);
    expect(differences(found, expected)).toEqual([]);
    expect(found.redone).toBe(expected.redone);
    expect(WorkerPool.get()).toBeUndefined();
    expect((await many.query(query)).threads).toBe(1);
  });
});

describe('a warm start', () => {
  const query = { ...manyPairs(2000), kind: 'signed-distance', algorithm: 'gjk' } as const;
  let batch: ConvexBatch;
  let first: ConvexResults;
  const calls = ({ iterations }: ConvexResults) => iterations.reduce((sum, x) => sum + x, 0);

  beforeAll(async () => {
    batch = await ConvexBatch.create(undefined, manyShapes, { threads: 1 });
    first = await batch.query(query);
  });

  it('answers the same within the tolerance, with fewer support points', async () => {
    const again = await batch.query({ ...query, previous: first });
    expect(calls(again)).toBeLessThan(0.8 * calls(first));
    for (let i = 0; i < again.distance.length; i++) {
      // Both within the tolerance of the pair's size, at most 10 here.
      expect(Math.abs(again.distance[i]! - first.distance[i]!)).toBeLessThan(2 * 10 * 2 ** -20);
    }
  });

  it('finds pairs again wherever they are in the list, and with their bodies exchanged', async () => {
    const { pairs } = query;
    const half = pairs.length / 4;
    const turned = new Uint32Array(2 * half);
    for (let i = 0; i < half; i++) {
      const from = 2 * (pairs.length / 2 - 1 - i);
      turned.set([pairs[from + 1]!, pairs[from]!], 2 * i);
    }
    const cold = await batch.query({ ...query, pairs: turned });
    const warm = await batch.query({ ...query, pairs: turned, previous: first });
    const own = await batch.query({ ...query, pairs: turned, previous: cold });
    expect(calls(warm)).toBeLessThan(0.8 * calls(cold));
    // A normal of the other direction would be the worst start.
    expect(calls(warm)).toBeLessThan(1.1 * calls(own));
  });

  it.each(PAIR_KINDS)('results of kind %s serve queries of every kind', async (kind) => {
    const pairs = query.pairs.subarray(0, 400);
    const previous = await batch.query({ ...query, pairs, kind });
    for (const next of PAIR_KINDS) {
      const cold = await batch.query({ ...query, pairs, kind: next });
      const warm = await batch.query({ ...query, pairs, kind: next, previous });
      // Without normals to start from nothing is different.
      if (kind === 'intersect') expect(differences(warm, cold)).toEqual([]);
      for (let i = 0; i < pairs.length / 2; i++) {
        expect(intersects(warm, i), `pair ${i}, ${next}`).toBe(intersects(cold, i));
        if (next === 'intersect' || cold.status[i] === PairStatus.separated) continue;
        expect(Math.abs(warm.distance[i]! - cold.distance[i]!)).toBeLessThan(2 * 10 * 2 ** -20);
      }
    }
  });

  it('pairs that are new start as without', async () => {
    const pairs = query.pairs.subarray(0, 200);
    const cold = await batch.query({ ...query, pairs });
    const none = { pairs: Uint32Array.of(298, 299), normal: Float32Array.of(1, 0, 0) };
    expect(differences(await batch.query({ ...query, pairs, previous: none }), cold)).toEqual([]);
  });
});

describe('with a device', () => {
  let device: Device;
  beforeAll(async () => {
    device = await openDevice({ adapter: 'software' });
  });

  it('auto leaves a software adapter alone, and the result says why', async () => {
    const batch = await ConvexBatch.create(device, [box]);
    const results = await batch.query(simple);
    expect(results).toMatchObject({
      backend: 'cpu',
      reason: 'the adapter is software, so the CPU itself is faster',
    });
    expect(results.adapter).toBe(device.adapter);
    batch.destroy();
  });

  it('takes the CPU for tolerances that float32 does not keep, and refuses them on the GPU', async () => {
    const batch = await ConvexBatch.create(device, [box]);
    const fine = { ...simple, kind: 'signed-distance', tolerance: 2 ** -21 } as const;
    const { backend, reason } = await batch.query(fine);
    expect([backend, reason]).toEqual(['cpu', 'the tolerance is finer than float32 keeps']);
    await expect(batch.query({ ...fine, backend: 'gpu' })).rejects.toThrow(
      `tolerance is ${2 ** -21}, expected ${2 ** -20} or more of backend "gpu", whose numbers are float32`,
    );
    // Sides are right at any tolerance.
    expect((await batch.query({ ...fine, kind: 'intersect', backend: 'gpu' })).backend).toBe('gpu');
    batch.destroy();
  });

  it('ends with its device', async () => {
    const own = await openDevice({ adapter: 'software' });
    const batch = await ConvexBatch.create(own, [box]);
    own.destroy();
    await expect(batch.query(simple)).rejects.toThrow('the WebGPU device was destroyed');
    await expect(ConvexBatch.create(own, [box])).rejects.toThrow('the WebGPU device was destroyed');
  });
});

describe('polytopeOf', () => {
  it('is the hull of a mesh: of a rock, the same answers as with all its vertices', async () => {
    const rock = randomRock({ triangles: 400, seed: 3, convex: false });
    const hull = polytopeOf(rock, { margin: 0.01 });
    expect(hull.vertices.length).toBeLessThan(rock.positions.length);
    const all: Shape = { kind: 'polytope', vertices: rock.positions, margin: 0.01 };
    const batch = await ConvexBatch.create(undefined, [hull, all, box]);
    const results = await batch.query({
      poses: Float32Array.from([...pose(0), ...pose(0), ...pose(1.2)]),
      pairs: Uint32Array.of(0, 2, 1, 2),
      kind: 'signed-distance',
    });
    expect(results.distance[0]).toBe(results.distance[1]);
    expect(results.distance[0]).toBeLessThan(0);
  });

  it('leaves out vertices that no triangle uses, scales, and keeps flat meshes', async () => {
    const positions = Float32Array.from([0, 0, 0, 1000, 0, 0, 0, 1000, 0, 5, 5, 9000]);
    const mesh = new TriangleMesh({ positions, indices: Uint32Array.of(0, 1, 2), name: 'plate' });
    expect(Array.from(polytopeOf(mesh, { scale: 1e-3 }).vertices)).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    expect(() => polytopeOf(mesh, { scale: 0 })).toThrow('scale is 0, expected a number above 0');
    const none = new TriangleMesh({ positions, indices: new Uint32Array(0), name: 'none' });
    expect(() => polytopeOf(none)).toThrow('none: the mesh has no triangles, expected some');
  });
});

it.each(PAIR_ALGORITHMS)('kind distance by %s: 0 and one point where bodies overlap', async (algorithm) => {
  const batch = await ConvexBatch.create(undefined, manyShapes);
  const query = { ...manyPairs(800, 77), sweepRadius: 0.3, algorithm };
  const plain = await batch.query({ ...query, kind: 'distance' });
  const signed = await batch.query({ ...query, kind: 'signed-distance' });
  let overlaps = 0;
  plain.distance.forEach((distance, i) => {
    expect(plain.lower[i]).toBeGreaterThanOrEqual(0);
    expect(plain.upper[i]).toBeGreaterThanOrEqual(plain.lower[i]!);
    expect(distance > 0).toBe(!intersects(plain, i));
    if (signed.distance[i]! < 0) {
      overlaps++;
      expect([distance, plain.upper[i]]).toEqual([0, 0]);
    }
    if (plain.status[i] === PairStatus.separated) return;
    for (let k = 3 * i; k < 3 * i + 3; k++) {
      expect(plain.pointB[k]).toBeCloseTo(plain.pointA[k]! + distance * plain.normal[k]!, 12);
    }
  });
  expect(overlaps).toBeGreaterThan(50);
  batch.destroy();
});

describe('intersects', () => {
  it('says it for results of every kind and algorithm, touching included', async () => {
    const batch = await ConvexBatch.create(undefined, [{ kind: 'sphere', radius: 1 }]);
    const places = [0, 1.5, 3.5, 9];
    const poses = Float64Array.from(places.flatMap((x) => [x, 0, 0, 0, 0, 0, 1]));
    const query = {
      ...{ poses, shapes: new Uint32Array(4), pairs: Uint32Array.of(0, 1, 1, 2, 0, 2, 0, 3) },
      sweepRadius: 1,
    };
    for (const kind of PAIR_KINDS) {
      for (const algorithm of PAIR_ALGORITHMS) {
        const results = await batch.query({ ...query, kind, algorithm });
        expect([0, 1, 2, 3].map((i) => intersects(results, i))).toEqual([true, true, false, false]);
        expect(() => intersects(results, 4)).toThrow('pair is 4, expected a whole number below 4');
      }
    }
    batch.destroy();
  });
});
