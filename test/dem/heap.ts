/** Bodies that fall on each other and on a plane. */
import type { ContactShape } from '../../src/contacts/bodies/contact-shape.ts';
import type { SimulationScene } from '../../src/dem/scene/simulation-scene.ts';

/**
 * Stacks of bodies, two by two in each layer, above a plane, which is the last body.
 *
 * @param kinds shapes that bodies take in turn, each of radius 1 or less
 */
export function heapOf(
  kinds: readonly ContactShape[],
  count: number,
): Pick<SimulationScene, 'shapes' | 'bodies'> {
  const poses = new Float64Array(7 * (count + 1));
  for (let i = 0; i < count; i++)
    poses.set([1.9 * (i % 2), 1.9 * ((i >> 1) % 2), 1.1 + 2.2 * (i >> 2), 0, 0, 0, 1], 7 * i);
  poses[7 * count + 6] = 1;
  const plane = kinds.length;
  const shapes = Uint32Array.from({ length: count + 1 }, (_, i) => (i === count ? plane : i % plane));
  return { shapes: [...kinds, { kind: 'plane' }], bodies: { shapes, poses } };
}
