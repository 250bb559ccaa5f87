/** `detect` on the GPU beside the CPU, where kernels once lost pairs or left them as they were. */
import { expect, it } from 'vitest';
import type { ContactShape } from '../../../src/contacts/bodies/contact-shape.ts';
import { ContactPipeline } from '../../../src/contacts/pipeline/contact-pipeline.ts';
import type { DetectedContacts } from '../../../src/contacts/pipeline/detection.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { useDevice } from '../../support/device.ts';

const device = useDevice();
const random = createRandom(4);

function turn(): number[] {
  const q = [0, 1, 2, 3].map(() => 2 * random() - 1);
  return q.map((x) => x / Math.hypot(...q));
}

const bodiesIn = ({ bodies, count }: DetectedContacts) => [
  ...new Set(Array.from({ length: count }, (_, i) => bodies.subarray(2 * i, 2 * i + 2).join('-'))),
];

const BOX: ContactShape = { kind: 'box', halfExtents: [0.5, 0.5, 0.5] };

it.each([2, 3, 4, 5, 6, 7, 8, 9])('%i turned boxes in overlapping pairs: no pair is lost', async (count) => {
  const pipeline = await ContactPipeline.create(device(), [BOX], {
    bodies: { shapes: new Uint32Array(count) },
  });
  for (let trial = 0; trial < 5; trial++) {
    const poses = Float64Array.from(
      Array.from({ length: count }, (_, i) => {
        const beside = i & 1;
        return [5 * (i >> 1) + 0.7 * beside, 0.1 * beside, 0.1 * beside, ...turn()];
      }).flat(),
    );
    const onCpu = bodiesIn(await pipeline.detect({ poses, backend: 'cpu' }));
    expect(onCpu).toHaveLength(count >> 1);
    expect(bodiesIn(await pipeline.detect({ poses, backend: 'gpu' }))).toEqual(onCpu);
  }
  pipeline.destroy();
});

it('faces with more planes than a thread has room for are answered in float64', async () => {
  const shapes: ContactShape[] = [BOX, { kind: 'capsule', halfLength: 0.3, radius: 0.2 }];
  const pipeline = await ContactPipeline.create(device(), shapes, {
    bodies: { shapes: Uint32Array.of(0, 1) },
  });
  let touching = 0;
  for (let trial = 0; trial < 20; trial++) {
    const way = turn().slice(0, 3);
    const far = (0.35 + 0.3 * random()) / Math.hypot(...way);
    const poses = Float64Array.of(0, 0, 0, ...turn(), ...way.map((x) => x * far), ...turn());
    const onCpu = await pipeline.detect({ poses, backend: 'cpu' });
    const onGpu = await pipeline.detect({ poses, backend: 'gpu' });
    expect(onGpu.count).toBe(onCpu.count);
    touching += Math.min(1, onCpu.count);
    // Sums of float32 are off by some 2^-20; those that end early were off by 3 %.
    for (const [i, area] of onCpu.areas.entries()) {
      const force = area * onCpu.distances[i]!;
      expect(Math.abs(onGpu.areas[i]! * onGpu.distances[i]! - force)).toBeLessThan(
        2 ** -14 * Math.abs(force),
      );
    }
  }
  expect(touching).toBeGreaterThan(10);
  pipeline.destroy();
});

it('a body in the middle of another one is in contact, deeper than it is large, though nothing pushes it', async () => {
  const small: ContactShape[] = [
    { kind: 'box', halfExtents: [0.1, 0.1, 0.1] },
    { kind: 'polytope', vertices: [0.1, 0, 0, -0.1, 0, 0, 0, 0.1, 0, 0, -0.1, 0, 0, 0, 0.1, 0, 0, -0.1] },
    { kind: 'cylinder', radius: 0.1, halfHeight: 0.1 },
  ];
  const pipeline = await ContactPipeline.create(device(), [BOX, ...small], {
    bodies: { shapes: Uint32Array.from({ length: 6 }, (_, i) => (i % 2 === 0 ? 0 : 1 + (i >> 1))) },
  });
  const poses = Float64Array.from({ length: 42 }, (_, i) =>
    i % 7 === 0 ? 5 * Math.floor(i / 14) : i % 7 === 6 ? 1 : 0,
  );
  for (const backend of ['cpu', 'gpu'] as const) {
    const found = await pipeline.detect({ poses, backend });
    expect(bodiesIn(found)).toEqual(['0-1', '2-3', '4-5']);
    expect(Math.max(...found.distances)).toBeLessThan(-0.5);
    expect(found.points.every((x, i) => Math.abs(x - (i % 3 === 0 ? 5 * Math.floor(i / 9) : 0)) < 0.5)).toBe(
      true,
    );
  }
  pipeline.destroy();
});
