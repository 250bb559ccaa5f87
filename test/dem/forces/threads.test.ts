import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ForcesTask } from '../../../src/dem/forces/forces-task.ts';
import type { SimulationScene } from '../../../src/dem/scene/simulation-scene.ts';
import { Simulation } from '../../../src/dem/simulation/simulation.ts';
import { randomRock } from '../../../src/mesh/generate-rock.ts';
import { WorkerPool } from '../../../src/workers/worker-pool.ts';

const SIDE = 10;
const LAYERS = 6;
const STEPS = 8;
/** As it is, without a spy. */
const { share } = WorkerPool.prototype;

/** A plane, on which bodies of all kinds are packed so that neighbours overlap, in many blocks of bodies. */
function packing(): SimulationScene {
  const poses = [0, 0, 0, 0, 0, 0, 1];
  const shapes = [0];
  for (let i = 0; i < SIDE * SIDE * LAYERS; i++) {
    const place = [i % SIDE, Math.floor(i / SIDE) % SIDE, Math.floor(i / SIDE ** 2)];
    poses.push(1.94 * place[0]!, 1.94 * place[1]!, 0.96 + 1.94 * place[2]!, 0, 0, 0, 1);
    shapes.push(1 + ((i * 7) % 4));
  }
  return {
    shapes: [
      { kind: 'plane' },
      { kind: 'sphere', radius: 1 },
      { kind: 'box', halfExtents: [0.98, 0.98, 0.98] },
      { kind: 'polyhedron', mesh: randomRock({ seed: 3, triangles: 28, convex: false }) },
      {
        kind: 'parts',
        parts: [
          { shape: { kind: 'sphere', radius: 0.6 }, position: [-0.4, 0, 0] },
          { shape: { kind: 'sphere', radius: 0.6 }, position: [0.4, 0, 0] },
        ],
      },
    ],
    materials: [{ density: 1000, youngsModulus: 1e6, friction: 0.5, rollingFriction: 0.1, cohesion: 10 }],
    bodies: { shapes: Uint32Array.from(shapes), poses: Float64Array.from(poses) },
  };
}

/** The state after some steps, all of it, and how often forces went to other threads. */
async function run(threads: number) {
  const spy = vi.spyOn(WorkerPool.prototype, 'share');
  const one = await Simulation.create(undefined, packing(), { threads, timeStep: 1e-4 });
  await one.step(STEPS);
  const state = Buffer.from(await one.checkpoint());
  const { contacts } = one.monitors;
  const pairs = await one.contactForces();
  one.destroy();
  const shared = spy.mock.calls.filter(([task]) => (task as unknown as ForcesTask).kind === 'forces').length;
  return { state, contacts, pairs, shared };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('forces on threads', () => {
  it('are the same bytes on 1, 2 and 3, and others than the calling one take part', async () => {
    const alone = await run(1);
    expect(alone.shared).toBe(0);
    expect(alone.contacts).toBeGreaterThan(3000);
    for (const threads of [2, 3]) {
      const together = await run(threads);
      expect(together.shared).toBeGreaterThan(STEPS / 2);
      expect(together.state.equals(alone.state)).toBe(true);
      expect(together.pairs).toEqual(alone.pairs);
    }
  });

  // The last one: the process has no pool then.
  it('are the same where workers are lost on the way', async () => {
    const alone = await run(1);
    let lost = 0;
    vi.spyOn(WorkerPool.prototype, 'share').mockImplementation(function (
      this: WorkerPool,
      ...[task, options]: Parameters<typeof share>
    ) {
      const answers = share.call(this, task, options);
      if ((task as unknown as ForcesTask).kind === 'forces' && ++lost === 3) this.fail(new Error('lost'));
      return answers;
    } as typeof share);
    const one = await Simulation.create(undefined, packing(), { threads: 2, timeStep: 1e-4 });
    await one.step(STEPS);
    const state = Buffer.from(await one.checkpoint());
    one.destroy();
    expect(lost).toBe(3);
    expect(state.equals(alone.state)).toBe(true);
  });
});
