import { expect, it } from 'vitest';
import { LEAST_FLOAT32 } from '../../../src/constants.ts';
import { bind } from '../../../src/gpu/bind.ts';
import { BufferPool, readBack } from '../../../src/gpu/buffers.ts';
import { compileKernel } from '../../../src/gpu/kernel.ts';
import { Recorder } from '../../../src/gpu/recorder.ts';
import { localPointsSource } from '../../../src/inside/cell-grid/cell-grid-layout.ts';
import { localParams, orderedBits } from '../../../src/inside/cell-grid/on-gpu.ts';
import { isIdentity, type LocalFrame, localSurface } from '../../../src/inside/surface.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { useDevice } from '../../support/device.ts';
import { mapMesh, pointsOnSurface, randomPoints, stepFloat32 } from '../../support/shapes.ts';

/** Writes points in a local frame, rounded to float32, into an array of their length, and returns it. */
function writeLocalPoints(points: Float32Array, frame: LocalFrame, into: Float32Array): Float32Array {
  const { scale, shift } = frame;
  if (isIdentity(frame)) into.set(points);
  // Points outside the box may become inexact or infinite here: they stay outside.
  else for (let i = 0; i < points.length; i++) into[i] = points[i]! * scale - shift[i % 3]!;
  return into;
}

const device = useDevice();
const random = createRandom(71);
const sphere = unitSphere(2);

/** Spheres by size and place: float32's ends included, and axes that are moved to either side. */
const PLACES = [
  { size: 1, at: [3000, -500_000, 0] },
  { size: 2 ** -20, at: [1, 0, -1] },
  { size: 1e-30, at: [0, 3e-30, -7e-30] },
  { size: 2 ** -140, at: [0, 0, 0] },
  { size: 2 ** -149, at: [0, 0, 2 ** -147] },
  { size: 1e37, at: [1e38, 0, -3e38] },
  { size: 2 ** 17, at: [0, 2 ** 20, 0] },
];

it('points of the mesh have the place that the host gives them, bit for bit, and others one outside', async () => {
  const kernel = await compileKernel(device(), localPointsSource);
  const { STORAGE, COPY_SRC } = GPUBufferUsage;
  for (const { size, at } of PLACES) {
    const mesh = mapMesh(sphere, (x, y, z) => [x, y, z].map((c, k) => c * size + at[k]!));
    const { frame, box, sourceBox } = localSurface(mesh);
    expect(isIdentity(frame)).toBe(false);
    // Corners of the box, and floats beside them.
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((n) =>
      [-1, 0, 1].flatMap((step) =>
        [0, 1, 2].map((k) => stepFloat32(n & (1 << k) ? sourceBox.max[k]! : sourceBox.min[k]!, step)),
      ),
    );
    const points = new Float32Array([
      ...[mesh.positions, pointsOnSurface(mesh, 500, random), randomPoints(mesh, 500, random)].flatMap(
        (some) => [...some],
      ),
      ...corners,
      ...[3e38, -3e38, 1e30, 0, -0, 1e-45, -1e-45, 1, -1],
    ]);
    const count = points.length / 3;
    const pool = new BufferPool(device());
    const local = pool.reserve('local', points.byteLength, STORAGE | COPY_SRC);
    const recorder = new Recorder(device());
    recorder.run(bind(device(), kernel, { points: pool.upload('points', points), local }), {
      threads: Math.ceil(count / 4),
      params: localParams(count, frame, sourceBox),
    });
    recorder.submit();
    const [bytes] = await readBack(device(), pool, [{ buffer: local, bytes: points.byteLength }]);
    pool.destroy();
    const found = new Float32Array(bytes!.slice().buffer);
    const expected = writeLocalPoints(points, frame, new Float32Array(points.length));
    let inside = 0;
    for (let i = 0; i < count; i++) {
      const axes = [0, 1, 2];
      const x = (k: number) => points[3 * i + k]!;
      const isInBox = axes.every((k) => x(k) >= sourceBox.min[k]! && x(k) <= sourceBox.max[k]!);
      const said = `${[...points.subarray(3 * i, 3 * i + 3)]} in a sphere of ${size}`;
      if (!isInBox) {
        const isOutside = axes.some((k) => found[3 * i + k]! > box.max[k]!);
        expect(isOutside, said).toBe(true);
        continue;
      }
      inside++;
      for (const k of axes) {
        const [there, wanted] = [found[3 * i + k]!, expected[3 * i + k]!];
        // A kernel may take a subnormal number for 0.
        if (Math.abs(wanted) < LEAST_FLOAT32) expect(there === 0 || there === wanted, said).toBe(true);
        else expect(there, said).toBe(wanted);
      }
    }
    expect(inside).toBeGreaterThan(500);
  }
});

it('bits are in the order of floats, and both zeros are the same', () => {
  const ascending = [-3e38, -1, -1e-45, 0, 1e-45, 2 ** -126, 1, 3e38];
  const bits = ascending.map(orderedBits);
  expect(bits).toEqual([...bits].sort((a, b) => a - b));
  expect(new Set(bits).size).toBe(bits.length);
  expect(orderedBits(-0)).toBe(orderedBits(0));
});
