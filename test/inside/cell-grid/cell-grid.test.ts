import { describe, expect, it } from 'vitest';
import { CellGrid } from '../../../src/inside/cell-grid/cell-grid.ts';
import { LARGEST_CELLS_PER_AXIS } from '../../../src/inside/cell-grid/constants.ts';
import type { CrossingRule } from '../../../src/inside/classification.ts';
import { ExactTest } from '../../../src/inside/exact.ts';
import { openCellFoam } from '../../../src/mesh/generate-foam.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import {
  alignedCases,
  extremeCases,
  farCases,
  surfaceCases,
  thinCases,
  windingCases,
  zeroAreaCases,
} from '../../support/cases.ts';
import { useDevice } from '../../support/device.ts';
import { differences, exactFlags } from '../../support/flags.ts';
import { unsettledFlags } from '../../support/lanes.ts';
import { mapMesh, pointsOnSurface, randomPoints } from '../../support/shapes.ts';

const device = useDevice();
const random = createRandom(31);

/** Flags by one backend alone, doubtful points settled, and how many there were. */
async function classify(
  mesh: TriangleMesh,
  points: Float32Array,
  rule: CrossingRule,
  backend: 'cpu' | 'gpu',
  cellsPerAxis?: number,
) {
  const grid = await CellGrid.create(mesh, device(), { cellsPerAxis });
  const on = backend === 'gpu' ? device() : undefined;
  const { flags, doubtful } = await unsettledFlags(grid, points, rule, on);
  grid.destroy();
  const exact = new ExactTest(mesh);
  for (const i of doubtful)
    flags[i] = exact.flag(points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!, rule);
  return { flags, doubtful: doubtful.length };
}

async function expectExact(
  mesh: TriangleMesh,
  points: Float32Array,
  rules: readonly CrossingRule[],
  cellsPerAxis?: number,
) {
  let most = 0;
  for (const rule of rules) {
    const expected = exactFlags(mesh, points, rule);
    for (const backend of ['cpu', 'gpu'] as const) {
      const { flags, doubtful } = await classify(mesh, points, rule, backend, cellsPerAxis);
      expect(differences(flags, expected, points), `${backend}, ${rule}`).toEqual([]);
      most = Math.max(most, doubtful);
    }
  }
  return most;
}

describe('flags of the cell grid are exact, on CPU and GPU', () => {
  it.each(surfaceCases())('on the surface of $name and one ulp beside it', async ({ mesh, points }) => {
    await expectExact(mesh, points[0]!, ['odd']);
  });

  it.each(alignedCases())('on a grid aligned with $name', async ({ mesh, points }) => {
    const doubtful = await expectExact(mesh, points[0]!, ['odd']);
    const boundary = exactFlags(mesh, points[0]!).filter((flag) => flag === 2).length;
    expect(doubtful).toBeLessThan(1.1 * boundary + 10);
  });

  it.each([...thinCases(), ...extremeCases(), ...farCases(), ...zeroAreaCases()])(
    'for $name',
    async ({ mesh, points }) => {
      for (const some of points) await expectExact(mesh, some, ['odd']);
    },
  );

  it.each(windingCases())('under both rules: $name', async ({ mesh, points }) => {
    await expectExact(mesh, points[0]!, ['odd', 'nonzero']);
  });

  it.each([1, 2, 7, 33, 200])('with %i cells along the longest axis', async (cells) => {
    const foam = openCellFoam({ triangles: 5000, seed: 5 });
    await expectExact(foam, randomPoints(foam, 4000, random), ['odd', 'nonzero'], cells);
  });

  it('with as many cells along an axis as there may be, whose numbers float32 rounds most', async () => {
    const long = mapMesh(unitSphere(3), (x, y, z) => [200 * x, y, z]);
    await expectExact(long, randomPoints(long, 4000, createRandom(32), 0), ['odd'], LARGEST_CELLS_PER_AXIS);
  });
});

it('few random points are doubtful: one in 10^5, and never one in 4 * 10^4', async () => {
  const foam = openCellFoam({ triangles: 30_000, seed: 6 });
  const points = randomPoints(foam, 400_000, random, 0);
  for (const backend of ['cpu', 'gpu'] as const) {
    expect((await classify(foam, points, 'odd', backend)).doubtful).toBeLessThan(10);
  }
});

it('float64 leaves less than an eighth of the points near the surface doubtful that float32 does', async () => {
  const foam = openCellFoam({ triangles: 30_000, seed: 6 });
  const near = pointsOnSurface(foam, 100_000, random).map((x) => x + 1e-3 * (random() - 0.5));
  const expected = exactFlags(foam, near);
  const [onCpu, onGpu] = [await classify(foam, near, 'odd', 'cpu'), await classify(foam, near, 'odd', 'gpu')];
  expect(differences(onCpu.flags, expected, near)).toEqual([]);
  expect(differences(onGpu.flags, expected, near)).toEqual([]);
  expect(onGpu.doubtful).toBeGreaterThan(50);
  expect(onCpu.doubtful).toBeLessThan(onGpu.doubtful / 8);
});
