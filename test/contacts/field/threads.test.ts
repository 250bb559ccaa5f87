import { beforeAll, describe, expect, it } from 'vitest';
import { blockLevels } from '../../../src/contacts/field/blocks-of-cells.ts';
import { LEAST_TRIANGLES_FOR_WORKERS } from '../../../src/contacts/field/constants.ts';
import { CellCode, type PolyhedronArrays } from '../../../src/contacts/field/field-arrays.ts';
import { findCandidates } from '../../../src/contacts/field/find-candidates.ts';
import { makePolyhedron } from '../../../src/contacts/field/polyhedron.ts';
import { randomRock } from '../../../src/mesh/generate-rock.ts';
import { WorkerPool } from '../../../src/workers/worker-pool.ts';
import { expectSameTables } from '../same-tables.ts';

const rock = randomRock({ seed: 4, convex: false, triangles: LEAST_TRIANGLES_FOR_WORKERS + 200 });

describe('tables of a polyhedron', () => {
  let alone: PolyhedronArrays;

  beforeAll(async () => {
    alone = await makePolyhedron(rock);
  });

  it('are the same on any number of threads', async () => {
    const together = await makePolyhedron(rock, { threads: 8, workers: () => WorkerPool.get() });
    expect(WorkerPool.get()?.size ?? 0).toBeGreaterThan(1);
    expect(together.field.lists.length).toBeGreaterThan(rock.triangleCount);
    expectSameTables(together, alone);
  });

  it.each([1, 8])('tell how far they are, and stop, with %i threads', async (threads) => {
    const shares: number[] = [];
    const stop = new AbortController();
    const made = makePolyhedron(rock, {
      ...{ threads, signal: stop.signal, workers: () => WorkerPool.get() },
      onProgress: (share) => {
        shares.push(share);
        if (share > 0) stop.abort(new Error('enough'));
      },
    });
    await expect(made).rejects.toThrow('enough');
    expect(shares.filter((share) => share > 0)).toHaveLength(1);
  });

  it('are made on the calling thread where workers are gone', async () => {
    const pool = WorkerPool.get()!;
    const made = makePolyhedron(rock, {
      ...{ threads: 8, workers: () => WorkerPool.get() },
      onProgress: () => pool.fail(new Error('gone')),
    });
    expectSameTables(await made, alone);
    expect(pool.hasFailed).toBe(true);
  });

  it('are given up where lists would take more than they may', async () => {
    const { grid, corners, cells, lists } = alone.field;
    // As before lists were found, but for ranks, which no list tells of.
    const found = cells.map((word) => (word >>> 30 === CellCode.outside ? word : CellCode.inside << 30));
    const levels = blockLevels(found, grid.counts);
    const source = { grid, corners, cells: found, levels, reach: 1 };
    expect(await findCandidates(source, { mostWords: lists.length / 8 })).toBeUndefined();
  });
});
