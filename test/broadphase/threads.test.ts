import { describe, expect, it, vi } from 'vitest';
import { overlappingPairs } from '../../src/broadphase/pairs-task.ts';
import { createRandom } from '../../src/mesh/random.ts';
import { WorkerPool } from '../../src/workers/worker-pool.ts';
import { densePacking, mixedEntries } from './box-sets.ts';

describe('pairs found by several threads', () => {
  const boxes = densePacking(20_000);
  const entries = mixedEntries(20_000, createRandom(1));

  it('are the same as by one', async (context) => {
    const pool = WorkerPool.get();
    if (pool === undefined) return context.skip('one core');
    const alone = await overlappingPairs(boxes, entries);
    expect(alone.pairs.length).toBeGreaterThan(20_000);
    for (const threads of [2, pool.size]) {
      const shared = await overlappingPairs(boxes, entries, { pool, threads });
      expect(shared.pairs).toEqual(alone.pairs);
      expect(shared.compared).toBe(alone.compared);
    }
  });

  it('are given up where a signal says so, by one thread and by several', async (context) => {
    const many = densePacking(150_000);
    const all = mixedEntries(150_000, createRandom(1));
    for (const pool of [undefined, WorkerPool.get()]) {
      const stop = new AbortController();
      const found = overlappingPairs(many, all, { pool, signal: stop.signal });
      setTimeout(() => stop.abort(new Error('stopped')), 0);
      await expect(found).rejects.toThrow('stopped');
    }
    if (WorkerPool.get() === undefined) context.skip('one core');
  });

  it('are all found by a thread that others keep waiting for longer than a slice', async () => {
    const alone = await overlappingPairs(boxes, entries);
    let time = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      time += 1000;
      return time;
    });
    try {
      expect((await overlappingPairs(boxes, entries)).pairs).toEqual(alone.pairs);
    } finally {
      clock.mockRestore();
    }
  });

  it('are found without workers once one is lost', async (context) => {
    const pool = WorkerPool.get();
    if (pool === undefined) return context.skip('one core');
    const alone = await overlappingPairs(boxes, entries);
    const found = overlappingPairs(boxes, entries, { pool });
    pool.fail(new Error('lost on purpose'));
    expect((await found).pairs).toEqual(alone.pairs);
  });
});
