// The cell grid on the host's threads: whose memory they read, and that no point goes unchecked.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ClassifyTask } from '../../../src/inside/cell-grid/tasks.ts';
import { Polyhedron } from '../../../src/inside/polyhedron.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { share } from '../../../src/workers/shared-memory.ts';
import { WorkerPool } from '../../../src/workers/worker-pool.ts';
import { differences } from '../../support/flags.ts';
import { randomPoints } from '../../support/shapes.ts';

const COUNT = 50_001;
const near = unitSphere(4);
/** So far from the origin that its tables have a frame of their own. */
const far = new TriangleMesh({
  positions: near.positions.map((x) => x + 1000),
  indices: near.indices,
  name: 'far sphere',
});

describe.each([near, far])('$name', (mesh) => {
  const points = randomPoints(mesh, COUNT, createRandom(7));
  let alone: Polyhedron;
  let many: Polyhedron;

  beforeAll(async () => {
    alone = await Polyhedron.create(undefined, mesh, { threads: 1 });
    many = await Polyhedron.create(undefined, mesh);
  });
  afterAll(() => {
    alone.destroy();
    many.destroy();
  });

  it('points in memory that threads share are not copied, others once, and flags are those of one thread', async () => {
    const expected = await alone.classify(points);
    const theirs = share(points);
    const shared = vi.spyOn(WorkerPool.prototype, 'share');
    try {
      for (const given of [points, theirs]) {
        shared.mockClear();
        const { flags, counts, resolvedExactly } = await many.classify(given);
        expect(differences(flags, expected.flags, points)).toEqual([]);
        expect(flags.buffer).toBeInstanceOf(ArrayBuffer);
        expect([counts, resolvedExactly]).toEqual([expected.counts, expected.resolvedExactly]);
        const tasks = shared.mock.calls
          .map(([task]) => task as unknown as ClassifyTask)
          .filter(({ kind }) => kind === 'classify');
        expect(tasks).toHaveLength(1);
        expect(tasks[0]!.points.buffer === theirs.buffer).toBe(given === theirs);
        expect(tasks[0]!.points.buffer).toBeInstanceOf(SharedArrayBuffer);
      }
    } finally {
      shared.mockRestore();
    }
  });

  it.each([0, 41_000, COUNT - 1])('point %i that is not finite is refused', async (place) => {
    for (const [axis, value] of [Number.NaN, Infinity, -Infinity].entries()) {
      const bad = points.slice();
      // Of several the first is named, whichever thread meets which.
      bad[3 * (COUNT - 1) + 2] = Number.NaN;
      bad[3 * place + axis] = value;
      const message = `points: point ${place} has the coordinate ${value}, expected a finite number`;
      await expect(alone.classify(bad)).rejects.toThrow(message);
      await expect(many.classify(bad)).rejects.toThrow(message);
    }
    // A stream counts from its start, and gives what comes before.
    const bad = points.slice();
    bad[3 * place] = Number.NaN;
    let given = 0;
    const reading = (async () => {
      for await (const { flags } of many.classifyStream([points, bad, points])) given += flags.length;
    })();
    await expect(reading).rejects.toThrow(`points: point ${COUNT + place} has the coordinate NaN`);
    expect(given).toBe(COUNT);
  });
});
