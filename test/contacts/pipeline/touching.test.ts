import { describe, expect, it } from 'vitest';
import type { ContactShape } from '../../../src/contacts/bodies/contact-shape.ts';
import { ContactPipeline } from '../../../src/contacts/pipeline/contact-pipeline.ts';
import { extrusion } from '../../../src/mesh/generate-solids.ts';
import { useDevice } from '../../support/device.ts';

const device = useDevice();
const square = [
  [-0.5, -0.5],
  [0.5, -0.5],
  [0.5, 0.5],
  [-0.5, 0.5],
] as const;
const cube: ContactShape = { kind: 'polyhedron', mesh: extrusion({ outline: square, height: 1 }) };

describe.each(['cpu', 'gpu'] as const)('cubes that touch exactly, on the %s', (backend) => {
  async function ask(place: readonly [number, number, number]) {
    const pipeline = await ContactPipeline.create(device(), [cube], {
      bodies: { shapes: Uint32Array.of(0, 0) },
    });
    const poses = Float64Array.of(
      3,
      5,
      -2,
      0,
      0,
      0,
      1,
      3 + place[0],
      5 + place[1],
      -2 + place[2],
      0,
      0,
      0,
      1,
    );
    const found = await pipeline.detect({ poses, backend });
    pipeline.destroy();
    return found;
  }

  it('have a contact for each node of the other one that lies on their faces, at distance 0', async () => {
    const overlapping = await ask([1 - 2 ** -20, 0, 0]);
    const { count, distances, normals, areas } = await ask([1, 0, 0]);
    expect(count).toBeGreaterThanOrEqual(overlapping.count);
    expect(Array.from(distances, Math.abs)).toEqual(Array(count).fill(0));
    // Together they stand for the face of either cube.
    const facing = Array.from(areas).filter((_, i) => normals[3 * i]! > 0.999);
    const sum = facing.reduce((total, area) => total + area, 0);
    expect(sum).toBeGreaterThan(1.9);
    expect(sum).toBeLessThanOrEqual(2.1);
  });

  it.each([
    [[0, 1, 1], 'an edge'],
    [[1, 1, -1], 'a corner'],
    [[0.25, 0.5, 1], 'a part of a face'],
  ] as const)('at %j, by %s, have contacts at distance 0, and none a hair farther', async (place, _what) => {
    const { count, distances } = await ask(place);
    expect(count).toBeGreaterThan(0);
    expect(distances.every((distance) => Math.abs(distance) === 0)).toBe(true);
    const apart = await ask(place.map((x) => (Math.abs(x) === 1 ? x * (1 + 2 ** -14) : x)) as never);
    expect(apart.count).toBe(0);
  });
});
