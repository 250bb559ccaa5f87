/** Winding numbers of points in closed meshes, a byte each, from the kernels and from their twin. */
import { describe, expect, it } from 'vitest';
import { CellGrid } from '../../../src/inside/cell-grid/cell-grid.ts';
import { chooseResolution } from '../../../src/inside/cell-grid/resolution.ts';
import { UNKNOWN_BYTE, windingByte } from '../../../src/inside/cell-grid/tables.ts';
import { ExactTest } from '../../../src/inside/exact.ts';
import { localSurface } from '../../../src/inside/surface.ts';
import { openCellFoam } from '../../../src/mesh/generate-foam.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { extremeCases, farCases, surfaceCases, thinCases, windingCases } from '../../support/cases.ts';
import { useDevice } from '../../support/device.ts';
import { unsettledFlags } from '../../support/lanes.ts';
import { boxMesh, joinMeshes, mapMesh, pointsOnSurface, randomPoints } from '../../support/shapes.ts';

const device = useDevice();
const random = createRandom(57);

/** Layers of boxes in each other, turned inside out for a negative number. */
function layers(count: number): TriangleMesh {
  const boxes = Array.from({ length: Math.abs(count) }, (_, i) =>
    boxMesh([-1 - i / 64, -1, -1], [1 + i / 64, 1, 1]),
  );
  return mapMesh(joinMeshes(boxes), (x, y, z) => [x, y, z], { flip: count < 0 });
}

/** A small sphere in another on a large box: blocks refine the crowded cells. */
function crowded(): TriangleMesh {
  const small = (size: number) =>
    mapMesh(unitSphere(5), (x, y, z) => [size * x + 0.3, size * y + 0.7, size * z + 0.4]);
  return joinMeshes([boxMesh([0, 0, 0], [1, 1, 1]), small(0.004), small(0.002)]);
}

const middle = mapMesh(unitSphere(2), (x, y, z) => [0.005 * x + 0.3, 0.005 * y + 0.7, 0.005 * z + 0.4]);
const foam = openCellFoam({ triangles: 5000, seed: 5 });

/** Winding numbers by one backend alone, and which points it could not certify. */
async function windingBytes(grid: CellGrid, points: Float32Array, on: 'cpu' | 'gpu') {
  const { flags, doubtful } = await unsettledFlags(
    grid,
    points,
    'winding',
    on === 'gpu' ? device() : undefined,
  );
  return { bytes: new Int8Array(flags.buffer), doubtful: new Set(doubtful) };
}

describe.each<readonly [string, TriangleMesh, Float32Array]>([
  ...[...surfaceCases(), ...thinCases(), ...extremeCases(), ...farCases(), ...windingCases()].map(
    ({ name, mesh, points }) => [name, mesh, points[0]!] as const,
  ),
  [
    'a foam',
    foam,
    Float32Array.from([...randomPoints(foam, 5000, random), ...pointsOnSurface(foam, 500, random)]),
  ],
  ['crowded cells', crowded(), randomPoints(middle, 3000, random, 0.3)],
  ...[127, 128, 300, -127, -128, -300].map((count) => {
    const mesh = layers(count);
    return [`${count} layers`, mesh, randomPoints(mesh, 1000, random)] as const;
  }),
])('winding numbers of %s', (_, mesh, points) => {
  const exact = new ExactTest(mesh);
  const expected = Array.from({ length: points.length / 3 }, (_, i) =>
    exact.windingOf(() => true, points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!),
  );

  it.each(['cpu', 'gpu'] as const)('are exact or said to be unknown: %s', async (backend) => {
    const grid = await CellGrid.create(mesh, device(), { windings: true });
    const { bytes, doubtful } = await windingBytes(grid, points, backend);
    let wrong = 0;
    bytes.forEach((byte, i) => {
      // Nobody certifies a number for a point on a triangle.
      const isKnown = !doubtful.has(i);
      if (byte !== (isKnown ? windingByte(expected[i] ?? NaN) : UNKNOWN_BYTE)) wrong++;
    });
    expect(wrong).toBe(0);
    grid.destroy();
  });
});

it('few random points have no number that a kernel certifies', async () => {
  const points = randomPoints(foam, 100_000, random);
  const grid = await CellGrid.create(foam, device(), { windings: true });
  const { bytes, doubtful } = await windingBytes(grid, points, 'gpu');
  expect(doubtful.size).toBeLessThan(10);
  expect(bytes.reduce((n, byte) => n + (byte === UNKNOWN_BYTE ? 1 : 0), 0)).toBe(doubtful.size);
  grid.destroy();
});

it('the bytes of winding numbers are bound with the statuses, so fewer cells fit a binding', () => {
  const surface = localSurface(boxMesh([0, 0, 0], [1, 1, 1]));
  const options = { cellsPerAxis: 200, largestBinding: 8 << 20 };
  expect(chooseResolution(surface, options).cell).toBeCloseTo(1 / 200, 4);
  expect(() => chooseResolution(surface, { ...options, windings: true })).toThrow(
    /statuses of about 12000000 bytes/,
  );
});
