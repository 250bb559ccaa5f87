/** How many dispatches a step takes: each costs a GPU some microseconds, however small the scene. */
import { describe, expect, it, vi } from 'vitest';
import type { SimulationScene } from '../../../src/dem/scene/simulation-scene.ts';
import { Simulation } from '../../../src/dem/simulation/simulation.ts';
import { randomRock } from '../../../src/mesh/generate-rock.ts';
import { useDevice } from '../../support/device.ts';

const device = useDevice();

/** Bodies of a shape in a square, a little over a plane. */
function square(shape: SimulationScene['shapes'][number], side: number, spacing: number): SimulationScene {
  const places = Array.from({ length: side * side }, (_, i) => [
    spacing * (i % side),
    spacing * Math.floor(i / side),
    0.51 * spacing,
  ]);
  return {
    shapes: [shape, { kind: 'plane' }],
    materials: [{ density: 1000, youngsModulus: 1e6 }],
    bodies: {
      shapes: Uint32Array.from({ length: side * side + 1 }, (_, i) => (i < side * side ? 0 : 1)),
      poses: Float64Array.from([...places, [0, 0, 0]].flatMap((place) => [...place, 0, 0, 0, 1])),
    },
  };
}

/** Dispatches of each of some steps, submitted one by one. */
async function dispatchesOf(scene: SimulationScene, steps: number): Promise<Set<number>> {
  const gpu = await Simulation.create(device(), scene, { backend: 'gpu', threads: 1 });
  const pass = Object.getPrototypeOf(
    device().handle.createCommandEncoder().beginComputePass(),
  ) as GPUComputePassEncoder;
  let dispatches = 0;
  const names = ['dispatchWorkgroups', 'dispatchWorkgroupsIndirect'] as const;
  const spies = names.map((name) => {
    const before = pass[name] as (...sizes: never[]) => undefined;
    return vi.spyOn(pass, name).mockImplementation(function (
      this: GPUComputePassEncoder,
      ...sizes: unknown[]
    ) {
      dispatches++;
      return before.apply(this, sizes as never[]);
    });
  });
  // A step that was to keep a list that did not serve is made twice: each submission has one.
  const found = new Set<number>();
  const queue = Object.getPrototypeOf(device().handle.queue) as GPUQueue;
  const submit = queue.submit;
  spies.push(
    vi.spyOn(queue, 'submit').mockImplementation(function (this: GPUQueue, commands) {
      if (dispatches > 0) found.add(dispatches);
      dispatches = 0;
      return submit.call(this, commands);
    }) as never,
  );
  for (let step = 0; step < steps; step++) await gpu.step(1);
  for (const spy of spies) spy.mockRestore();
  gpu.destroy();
  return found;
}

describe('a step records', () => {
  it.each([
    [
      'rocks',
      { kind: 'polyhedron', mesh: randomRock({ seed: 3, triangles: 40, convex: false }) },
      2.2,
      28,
      53,
    ],
    ['spheres', { kind: 'sphere', radius: 0.5 }, 1.1, 20, 46],
    ['boxes', { kind: 'box', halfExtents: [0.5, 0.5, 0.5] }, 1.1, 33, 59],
  ] as const)('few dispatches for %s on a plane', async (_name, shape, spacing, kept, renewed) => {
    // More than one thread adds up.
    const found = await dispatchesOf(square(shape, 9, spacing), 20);
    expect(Math.min(...found)).toBeLessThanOrEqual(kept);
    expect(Math.max(...found)).toBeLessThanOrEqual(renewed);
  });
});
