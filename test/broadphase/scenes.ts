/** Bodies of a few entries, moved and turned. */
import { quatd } from 'wgpu-matrix';
import { createRandom } from '../../src/mesh/random.ts';

/** A turn. */
export function randomQuaternion(random: () => number): number[] {
  return [...quatd.normalize([0, 0, 0, 0].map(() => random() - 0.5))];
}

/** Bodies with two entries each, moved and turned, about a position; `size` times as large as those of a packing. */
export function randomScene(bodies: number, seed: number, centre = 0, size = 1) {
  const random = createRandom(seed);
  const length = (most: number) => most * (random() - 0.5);
  const colliderBodies = Uint32Array.from({ length: 2 * bodies }, (_, i) => i >> 1);
  const entryInput = {
    bodies: colliderBodies,
    places: Float64Array.from(
      Array.from(colliderBodies, () => [
        ...[length(0.1 * size), length(0.1 * size), length(0.1 * size)],
        ...randomQuaternion(random),
      ]).flat(),
    ),
    colliders: Uint32Array.from(colliderBodies, (_, i) => i),
    boxes: Float64Array.from(
      Array.from(colliderBodies, () =>
        [0, 0, 0, 0.1, 0.1, 0.1].map((one) => size * (one || 0.05) * random()),
      ).flat(),
    ),
  };
  const poses = Float64Array.from(
    Array.from({ length: bodies }, () => [
      ...[centre + length(3), -centre + length(3), length(3)],
      ...randomQuaternion(random),
    ]).flat(),
  );
  return { entryInput, poses, random };
}
