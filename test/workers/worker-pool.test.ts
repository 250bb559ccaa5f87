import { beforeAll, describe, expect, it } from 'vitest';
import { buildCellGridOnWorkers } from '../../src/inside/cell-grid/build.ts';
import { CellGrid, CPU_SLICE } from '../../src/inside/cell-grid/cell-grid.ts';
import { localSurface } from '../../src/inside/surface.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../src/mesh/random.ts';
import { takeMemory } from '../../src/workers/spare-memory.ts';
import { WorkerLostError, WorkerPool } from '../../src/workers/worker-pool.ts';
import { differences } from '../support/flags.ts';
import { randomPoints } from '../support/shapes.ts';

/** Without the mend of what is tested, calls wait for ever. */
const LONGEST = 30_000;

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
      const count = CPU_SLICE * pool.size + 5000;
      const points = randomPoints(mesh, count, createRandom(1));
      const run = async (options: { workers: boolean }, onProgress: () => void) => {
        const grid = await CellGrid.create(mesh, undefined, options);
        const flags = new Uint8Array(count);
        const stages = { upload: 0, classify: 0, readback: 0 };
        const doubtful = await grid.classifyOnCpu(
          points,
          0,
          count,
          flags,
          { rule: 'odd', onProgress },
          stages,
        );
        return { flags, doubtful };
      };
      const expected = await run({ workers: false }, () => {});
      let slices = 0;
      const found = await run({ workers: true }, () => {
        if (slices++ > 0) return;
        pool.fail(new Error('gone'));
        // Browsers do not tell when a worker that was terminated has ended.
        pool.fail = () => {};
      });
      expect(slices).toBe(2);
      expect(differences(found.flags, expected.flags, points)).toEqual([]);
      expect(found.doubtful).toEqual(expected.doubtful);
      // Fresh, so all zero; the call's own would hold flags of points inside.
      expect(takeMemory(Uint8Array, count, true).includes(1)).toBe(false);
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
