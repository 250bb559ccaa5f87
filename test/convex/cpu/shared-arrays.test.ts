// What threads read of a query: the caller's own memory where they share it, and all of it checked by whoever reads it.
import { describe, expect, it, vi } from 'vitest';
import { ConvexBatch } from '../../../src/convex/batch/convex-batch.ts';
import type { PairsTask } from '../../../src/convex/cpu/pairs-task.ts';
import { InputError } from '../../../src/errors.ts';
import { LentArrays } from '../../../src/workers/lent-arrays.ts';
import { share } from '../../../src/workers/shared-memory.ts';
import { WorkerPool } from '../../../src/workers/worker-pool.ts';
import { manyPairs, manyShapes } from '../scenes.ts';

const COUNT = 6007;
const scene = manyPairs(COUNT);
const inSharedMemory = { poses: share(scene.poses), pairs: share(scene.pairs), shapes: share(scene.shapes) };

/** A query by several threads, and the first task that workers got of it. */
async function askWatched(query: typeof scene) {
  const batch = await ConvexBatch.create(undefined, manyShapes);
  const shared = vi.spyOn(WorkerPool.prototype, 'share');
  try {
    const results = await batch.query({ ...query, kind: 'signed-distance', algorithm: 'gjk' });
    return { results, task: shared.mock.calls[0]![0] as unknown as PairsTask };
  } finally {
    shared.mockRestore();
    batch.destroy();
  }
}

describe('arrays of a query', () => {
  it('in memory that threads share are not copied, others once, and the answers are the same', async () => {
    const theirs = await askWatched(inSharedMemory);
    const copied = await askWatched(scene);
    for (const name of ['poses', 'pairs', 'shapes'] as const) {
      expect(theirs.task.query[name].buffer, name).toBe(inSharedMemory[name].buffer);
      expect(copied.task.query[name].buffer, name).toBeInstanceOf(SharedArrayBuffer);
      expect(copied.task.query[name], name).toHaveLength(scene[name].length);
    }
    expect(theirs.results.distance).toEqual(copied.results.distance);
    expect(theirs.results.iterations).toEqual(copied.results.iterations);
    // The pairs of the results are a copy all the same: what is given goes into messages.
    expect(theirs.results.pairs.buffer).toBeInstanceOf(ArrayBuffer);
    expect(theirs.results.pairs).toEqual(scene.pairs);
  });

  it('may be changed at once where threads do not share them', async () => {
    const batch = await ConvexBatch.create(undefined, manyShapes, { threads: 2 });
    const own = { poses: scene.poses.slice(), pairs: scene.pairs.slice(), shapes: scene.shapes.slice() };
    const expected = await batch.query({ ...scene, kind: 'intersect' });
    const pending = batch.query({ ...own, kind: 'intersect' });
    for (const array of Object.values(own)) array.fill(0);
    expect((await pending).status).toEqual(expected.status);
  });

  it('that can grow are copied: threads would see another length', () => {
    const growable = new (SharedArrayBuffer as unknown as new (n: number, o: object) => SharedArrayBuffer)(
      8,
      {
        maxByteLength: 16,
      },
    );
    const array = new Uint32Array(growable);
    expect(new LentArrays(true).of(array as never)).not.toBe(array);
  });
});

describe('what cannot be used is refused by its place, wherever it is and whoever meets it first', () => {
  const last = scene.shapes.length - 1;
  const shapes = manyShapes.length;
  const cases: [
    string,
    (query: { poses: Float32Array; pairs: Uint32Array; shapes: Uint32Array }) => void,
    string,
  ][] = [
    [
      'a quaternion',
      ({ poses }) => poses.fill(0, 7 * last + 3),
      `pose ${last}: rotation is [0,0,0,0] of length 0`,
    ],
    [
      'two positions',
      ({ poses }) => poses.fill(Number.NaN, 7 * last, 7 * last + 1).fill(Infinity, 7 * 9 + 2, 7 * 9 + 3),
      'pose 9: position is [1.2579365968704224,0.03306695073843002,Infinity]',
    ],
    [
      'a shape',
      (own) => own.shapes.fill(shapes, last),
      `body ${last} has the shape ${shapes}, expected less`,
    ],
    [
      'a body',
      ({ pairs }) => pairs.fill(last + 1, 2 * COUNT - 1),
      `pair ${COUNT - 1} names the body ${last + 1}`,
    ],
    ['two bodies', ({ pairs }) => pairs.fill(3, 2 * COUNT - 2), `pair ${COUNT - 1} is body 3 with itself`],
    // A fault of the poses is told before one of the pairs.
    [
      'a pair and a pose',
      ({ poses, pairs }) => {
        pairs.fill(3, 0, 2);
        poses.fill(2, 7 * last + 3);
      },
      `pose ${last}: rotation is [2,2,2,2] of length 4`,
    ],
  ];

  it.each(cases)('%s', async (_, spoil, message) => {
    const query = {
      poses: Float32Array.from(scene.poses),
      pairs: scene.pairs.slice(),
      shapes: scene.shapes.slice(),
    };
    spoil(query);
    for (const threads of [1, 2]) {
      const batch = await ConvexBatch.create(undefined, manyShapes, { threads });
      for (const kind of ['intersect', 'manifold'] as const) {
        await expect(batch.query({ ...query, kind })).rejects.toThrow(InputError);
        await expect(batch.query({ ...query, kind })).rejects.toThrow(message);
      }
      // Without pairs, bodies are looked at all the same.
      if (!message.includes('pair ')) {
        const none = batch.query({ ...query, pairs: new Uint32Array(0), kind: 'intersect' });
        await expect(none).rejects.toThrow(message);
      }
      batch.destroy();
    }
  });

  it('a body that is in no pair', async () => {
    const poses = Float32Array.from([...scene.poses, 0, 0, 0, 0, 0, 0, 9]);
    const bodies = Uint32Array.from([...scene.shapes, 0]);
    for (const threads of [1, 2]) {
      const batch = await ConvexBatch.create(undefined, manyShapes, { threads });
      const query = { ...scene, poses, shapes: bodies, kind: 'penetration' } as const;
      await expect(batch.query(query)).rejects.toThrow(`pose ${last + 1}: rotation is [0,0,0,9] of length 9`);
    }
  });
});
