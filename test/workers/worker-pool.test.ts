import { beforeAll, describe, expect, it } from 'vitest';
import { type PairsAnswer, type PairsTask, runPairs } from '../../src/convex/cpu/pairs-task.ts';
import { PairStatus } from '../../src/convex/pair/status.ts';
import { resolveQuery } from '../../src/convex/query/check-query.ts';
import { sharedArraysFor } from '../../src/convex/query/pair-arrays.ts';
import { ShapeTable } from '../../src/convex/shapes/shape-table.ts';
import { buildCellGridOnWorkers } from '../../src/inside/cell-grid/build.ts';
import { CellGrid } from '../../src/inside/cell-grid/cell-grid.ts';
import { CPU_SLICE } from '../../src/inside/cell-grid/cpu-lane.ts';
import { LEAST_POINTS_FOR_WORKERS } from '../../src/inside/constants.ts';
import { localSurface } from '../../src/inside/surface.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../src/mesh/random.ts';
import { hasParts, newParts, takePart } from '../../src/workers/parts.ts';
import { shareAll } from '../../src/workers/shared-memory.ts';
import { takeMemory } from '../../src/workers/spare-memory.ts';
import { poolFor, WorkerLostError, WorkerPool } from '../../src/workers/worker-pool.ts';
import { differences } from '../support/flags.ts';
import { unsettledFlags } from '../support/lanes.ts';
import { randomPoints } from '../support/shapes.ts';

/** Without the mend of what is tested, calls wait for ever. */
const LONGEST = 30_000;

describe('work in parts', () => {
  const table = new ShapeTable([{ kind: 'sphere', radius: 1 }]);
  const scene = {
    poses: Float64Array.of(0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0, 0, 0, 1),
    shapes: new Uint32Array(2),
  };
  const count = 1000;
  const pairs = Uint32Array.from({ length: 2 * count }, (_, i) => i % 2);
  const query = resolveQuery(
    1,
    { ...scene, pairs, kind: 'signed-distance' },
    { algorithm: 'gjk', tolerance: 2 ** -20 },
  );
  const newTask = (): PairsTask => ({
    ...shareAll({ kind: 'pairs' as const, shapes: { ...table }, query, first: 0 }),
    ...newParts(count, 10),
    results: sharedArraysFor('signed-distance', count),
  });
  const doneBy = (answers: readonly PairsAnswer[]) => answers.reduce((sum, { done }) => sum + done, 0);

  it.each([
    ['none', 0],
    ['three', 3],
    ['all', 100],
  ])('the calling thread takes %s of them, workers the rest', async (_, most) => {
    const pool = WorkerPool.get()!;
    const task = newTask();
    // Taken before any worker can know of the task.
    for (let taken = 0; taken < most; taken++) {
      const first = takePart(task);
      task.results.distance.fill(1, first, first + 10);
    }
    const here = () => ({ done: 10 * most, redone: 0, isSound: true });
    const answers = await pool.share(task, { here });
    expect(doneBy(answers)).toBe(count);
    // Nobody waits for workers that come late and find nothing.
    if (10 * most === count) expect(answers).toHaveLength(1);
    expect(hasParts(task)).toBe(false);
    expect([...task.results.distance]).toEqual(new Array(count).fill(1));
    expect([...task.results.status.subarray(10 * most)]).toEqual(
      new Array(count - 10 * most).fill(PairStatus.converged),
    );
  });

  it('workers do all of them where the calling thread has other things to do', async () => {
    const task = newTask();
    const answers = await WorkerPool.get()!.share(task, {});
    expect(doneBy(answers)).toBe(count);
    expect([...task.results.distance]).toEqual(new Array(count).fill(1));
  });

  it('a thread takes parts that nobody else has, until its time is up', () => {
    const task = newTask();
    expect(runPairs(task, -Infinity).done).toBe(0);
    expect(task.taken[0]).toBe(0);
    // Another thread has the first part.
    task.results.distance.fill(7);
    task.taken[0] = 1;
    expect(runPairs(task)).toEqual({ done: count - 10, redone: 0, isSound: true });
    expect([...task.results.distance]).toEqual([...new Array(10).fill(7), ...new Array(count - 10).fill(1)]);
    expect(hasParts(task)).toBe(false);
  });

  it('a thread that meets what cannot be used leaves no parts to others', () => {
    const task = newTask();
    task.query.pairs[2 * 35] = 5;
    expect(runPairs(task)).toEqual({ done: 30, redone: 0, isSound: false });
    expect(hasParts(task)).toBe(false);
  });

  it('a call that asks for fewer threads has fewer workers, of the same pool', async () => {
    const pool = WorkerPool.get()!;
    expect(poolFor({ threads: 1 })).toBeUndefined();
    expect(poolFor({})).toBe(pool);
    expect(poolFor({ threads: pool.size })).toBe(pool);
    const few = pool.upTo(1);
    expect(few.size).toBe(1);
    const task = newTask();
    // One thread does all of the parts.
    expect(await few.share(task, {})).toHaveLength(1);
    expect([...task.results.distance]).toEqual(new Array(task.count).fill(1));
  });

  it('rejects with what the calling thread throws, but not while workers are still at theirs', async () => {
    const pool = WorkerPool.get()!;
    const task = newTask();
    const fault = new Error('a fault');
    const running = pool.share(task, {
      here: () => {
        throw fault;
      },
    });
    await expect(running).rejects.toBe(fault);
    expect([...task.results.distance]).toEqual(new Array(count).fill(1));
  });
});

describe('a pool whose workers are gone while a call holds it', () => {
  let pool: WorkerPool;
  const mesh = unitSphere(3);

  beforeAll(() => {
    pool = WorkerPool.get()!;
    expect(pool).toBeDefined();
  });

  it(
    'leaves the rest of a call to the calling thread, and keeps the memory that workers may still write to',
    async () => {
      const piece = CPU_SLICE * pool.size;
      const count = piece + LEAST_POINTS_FOR_WORKERS;
      const points = randomPoints(mesh, count, createRandom(1));
      // On the surface: in both pieces some point is doubtful.
      for (const first of [0, piece]) points.set(mesh.positions.subarray(0, 3), 3 * first);
      const run = async (options: { threads: number }, onProgress: () => void) => {
        const grid = await CellGrid.create(mesh, undefined, options);
        return unsettledFlags(grid, points, 'odd', undefined, onProgress);
      };
      const expected = await run({ threads: 1 }, () => {});
      let slices = 0;
      const found = await run({ threads: 8 }, () => {
        if (slices++ > 0) return;
        pool.fail(new Error('gone'));
        // Browsers do not tell when a worker that was terminated has ended.
        pool.fail = () => {};
      });
      // Two pieces, and the doubtful points of both.
      expect(found.doubtful.length).toBeGreaterThan(0);
      expect(slices).toBe(3);
      expect(differences(found.flags, expected.flags, points)).toEqual([]);
      expect(found.doubtful).toEqual(expected.doubtful);
      // Fresh, so all zero; the call's own would hold flags of points inside.
      for (const size of [piece, LEAST_POINTS_FOR_WORKERS]) {
        expect(takeMemory(Uint8Array, size, true).includes(1)).toBe(false);
      }
      expect(expected.flags.includes(1)).toBe(true);
    },
    LONGEST,
  );

  it(
    'rejects work instead of waiting for answers, as between the two steps of a build',
    async () => {
      expect(WorkerPool.get()).toBeUndefined();
      const lost = buildCellGridOnWorkers(localSurface(mesh), 0.1, pool);
      await expect(lost).rejects.toBeInstanceOf(WorkerLostError);
    },
    LONGEST,
  );
});
