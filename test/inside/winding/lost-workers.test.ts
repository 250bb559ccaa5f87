/** The potential on the CPU when its threads are gone in the middle: in a file of its own, as they do not come back. */
import { describe, expect, it } from 'vitest';
import { CpuPotential } from '../../../src/inside/winding/potential-cpu.ts';
import { openCellFoam } from '../../../src/mesh/generate-foam.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { WorkerPool } from '../../../src/workers/worker-pool.ts';
import { randomPoints } from '../../support/shapes.ts';

const foam = openCellFoam({ triangles: 60_000, seed: 1 });
const points = randomPoints(foam, 30_000, createRandom(1));

async function valuesOf(potential: CpuPotential, onProgress?: (done: number) => void) {
  const values = new Float64Array(points.length / 3);
  const bounds = values.slice();
  await potential.evaluate({ points, values, bounds }, { rule: 'winding', tolerance: 1e-2, onProgress });
  return { values, bounds };
}

describe.runIf(WorkerPool.get())('clusters whose threads are lost', () => {
  it('are the same, their progress never falls, and so are sums over them', async () => {
    const alone = await CpuPotential.create('clusters', foam, { threads: 1 });
    const expected = await valuesOf(alone);
    const together = await CpuPotential.create('clusters', foam, {});
    const pool = WorkerPool.get()!;
    const seen: number[] = [];
    const lost = await CpuPotential.create('clusters', foam, {
      onProgress: (done) => {
        seen.push(done);
        if (done > 0.2 && !pool.hasFailed) pool.fail(new Error('gone, as a test'));
      },
    });
    expect(pool.hasFailed).toBe(true);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(lost.clusters).toEqual(alone.clusters);
    expect(await valuesOf(together)).toEqual(expected);
    expect(await valuesOf(lost)).toEqual(expected);
  });

  it('leave the calling thread free in between, as without any', async () => {
    const alone = await CpuPotential.create('clusters', foam, {});
    let slices = 0;
    const started = performance.now();
    await valuesOf(alone, () => slices++);
    // Slices take 20 ms on the calling thread, and 100 ms on others.
    expect(slices).toBeGreaterThan((performance.now() - started) / 50);
  });
});
