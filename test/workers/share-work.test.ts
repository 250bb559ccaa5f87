import { expect, it, vi } from 'vitest';
import { type PairsTask, runPairs } from '../../src/convex/cpu/pairs-task.ts';
import { resolveQuery } from '../../src/convex/query/check-query.ts';
import { sharedArraysFor } from '../../src/convex/query/pair-arrays.ts';
import { ShapeTable } from '../../src/convex/shapes/shape-table.ts';
import { newParts } from '../../src/workers/parts.ts';
import { type SharedWork, shareWork } from '../../src/workers/share-work.ts';
import { shareAll } from '../../src/workers/shared-memory.ts';
import type { Watch } from '../../src/workers/slices.ts';
import { WorkerPool } from '../../src/workers/worker-pool.ts';

const COUNT = 1000;
const table = new ShapeTable([{ kind: 'sphere', radius: 1 }]);
const query = resolveQuery(
  1,
  {
    poses: Float64Array.of(0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0, 0, 0, 1),
    shapes: new Uint32Array(2),
    pairs: Uint32Array.from({ length: 2 * COUNT }, (_, i) => i % 2),
    kind: 'signed-distance',
  },
  { algorithm: 'gjk', tolerance: 2 ** -20 },
);
const shared = shareAll({ shapes: { ...table }, query });

/** Pairs of spheres, whose distance is 1; what was done how. */
function workOn(given: Partial<SharedWork<PairsTask>> = {}) {
  const log = {
    distances: new Float64Array(COUNT),
    slices: [] as number[][],
    alone: [] as number[][],
    helped: 0,
  };
  let results = sharedArraysFor('signed-distance', COUNT);
  const work: SharedWork<PairsTask> = {
    ...{ count: COUNT, pool: WorkerPool.get(), slices: { first: 100, longest: 100 } },
    task(first, end) {
      results = sharedArraysFor('signed-distance', end - first);
      return { kind: 'pairs', ...shared, results, first, ...newParts(end - first, 10) };
    },
    here(task, until) {
      log.helped++;
      return runPairs(task, until);
    },
    take(answers, first, end) {
      expect(answers.reduce((sum, { done }) => sum + done, 0)).toBe(end - first);
      log.distances.set(results.distance.subarray(0, end - first), first);
      log.slices.push([first, end]);
    },
    alone(first, end) {
      log.distances.fill(1, first, end);
      log.alone.push([first, end]);
    },
    ...given,
  };
  return { log, run: (watch: Watch = {}) => shareWork(work, watch) };
}

/** Ranges that follow each other, from the first item to the last. */
function areWhole(ranges: readonly number[][]): boolean {
  return ranges.every(([first], i) => first === (ranges[i - 1]?.[1] ?? 0)) && ranges.at(-1)?.[1] === COUNT;
}

it('workers take the parts of slices, and the calling thread helps with the first', async () => {
  const pool = WorkerPool.get()!;
  const { log, run } = workOn();
  const seen: number[] = [];
  const threads = await run({ onProgress: (done) => seen.push(done) });
  expect(threads).toBeGreaterThanOrEqual(1);
  expect(threads).toBeLessThanOrEqual(pool.size);
  expect(log.slices.length).toBeGreaterThan(1);
  expect(areWhole(log.slices)).toBe(true);
  expect(seen).toEqual(log.slices.map(([, end]) => end));
  expect(log.helped).toBe(1);
  expect([...log.distances]).toEqual(new Array(COUNT).fill(1));
});

it.each([
  ['without a pool', { pool: undefined }],
  ['on one thread', { threads: 1 }],
])('%s the calling thread does all, in slices', async (_, given) => {
  const { log, run } = workOn(given);
  const seen: number[] = [];
  expect(await run({ onProgress: (done) => seen.push(done) })).toBe(1);
  expect(log.slices).toEqual([]);
  expect(areWhole(log.alone)).toBe(true);
  expect(log.alone.length).toBeGreaterThan(1);
  expect(seen.at(-1)).toBe(COUNT);
});

it('a signal ends it between slices, with its reason', async () => {
  const stop = new AbortController();
  const { log, run } = workOn();
  const onProgress = () => stop.abort(new Error('enough'));
  await expect(run({ signal: stop.signal, onProgress })).rejects.toThrow('enough');
  expect(log.slices).toHaveLength(1);
});

it('a signal within a slice leaves no part to be taken', async () => {
  const stop = new AbortController();
  let taken = 0;
  const { log, run } = workOn({
    slices: undefined,
    here(task) {
      stop.abort(new Error('enough'));
      taken = runPairs(task).done;
      return { done: 0, redone: 0, isSound: true };
    },
  });
  await expect(run({ signal: stop.signal })).rejects.toThrow('enough');
  expect(taken).toBe(0);
  expect(log.slices).toEqual([]);
});

it('work of one slice tells of its parts now and then, and rejects with what the listener throws', async () => {
  // The timer comes while workers are at it, however fast they are.
  const timer = vi.spyOn(globalThis, 'setInterval').mockImplementation(((report: () => void) => {
    report();
    return 0;
  }) as typeof setInterval);
  const told: number[] = [];
  const { log, run } = workOn({ slices: undefined, here: undefined });
  await run({ onProgress: (done) => told.push(done) });
  expect(log.slices).toEqual([[0, COUNT]]);
  expect(told).toEqual([0]);
  const onProgress = () => {
    throw new Error('a fault');
  };
  await expect(run({ onProgress })).rejects.toThrow('a fault');
  timer.mockRestore();
});

// The last test: the process's pool is gone then.
it('once a worker is lost, the calling thread does the slice anew, and all that follow', async () => {
  const pool = WorkerPool.get()!;
  const { log, run } = workOn({
    here() {
      pool.fail(new Error('gone'));
      return { done: 0, redone: 0, isSound: true };
    },
  });
  expect(await run()).toBe(1);
  expect(log.slices).toEqual([]);
  expect(areWhole(log.alone)).toBe(true);
  expect([...log.distances]).toEqual(new Array(COUNT).fill(1));
});
