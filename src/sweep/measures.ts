/** What a task measures of its last state. */
import { angleOfRepose, gravityAt, type Simulation, type SimulationScene } from '../index.ts';
import type { Measure } from './columns.ts';

type Measuring = (simulation: Simulation, scene: SimulationScene) => Promise<number>;

const MEASURING: Readonly<Record<Measure, Measuring>> = {
  /** Degrees, as in all files. */
  async angleOfRepose(simulation, scene) {
    const [x, y, z] = gravityAt(scene.gravity ?? [0, 0, -1], simulation.time);
    return angleOfRepose(await centroidsOfHeap(simulation, scene), { up: [-x, -y, -z] }) * (180 / Math.PI);
  },
};

/** In the order of the names. What there is none of, such as the angle of no heap, is not a number. */
export async function measure(
  names: readonly Measure[],
  simulation: Simulation,
  scene: SimulationScene,
): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const name of names) found[name] = await MEASURING[name](simulation, scene);
  return found;
}

/** Of bodies that are there, that forces move, and that touch another: what still falls is no part of a heap. */
async function centroidsOfHeap(
  simulation: Simulation,
  { shapes, bodies }: SimulationScene,
): Promise<Float64Array> {
  const statuses = await simulation.read('statuses');
  const { count, bodies: touching } = await simulation.contacts();
  const touches = new Set(touching.subarray(0, 2 * count));
  const isOfHeap = (body: number) =>
    statuses[body] === 1 &&
    touches.has(body) &&
    shapes[bodies.shapes[body]!]!.kind !== 'plane' &&
    !bodies.motions?.has(body) &&
    !bodies.servos?.has(body) &&
    bodies.isStatic?.[body] !== 1;
  return (await simulation.read('centroids')).filter((_, k) => isOfHeap(Math.floor(k / 3)));
}
