import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import { CellGrid } from '../../../src/inside/cell-grid/cell-grid.ts';
import { estimateCellGrid } from '../../../src/inside/cell-grid/estimate.ts';
import { Polyhedron } from '../../../src/inside/polyhedron.ts';
import { openCellFoam } from '../../../src/mesh/generate-foam.ts';
import { randomRock } from '../../../src/mesh/generate-rock.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { readMesh } from '../../../src/mesh/read-mesh.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { dataPath, describeWithData } from '../../support/data.ts';
import { boxMesh, mapMesh, voxelMesh } from '../../support/shapes.ts';

const sponge = (n: number) =>
  voxelMesh(n, 1 / n, (i, j, k) => [i, j, k].filter((x) => x % 3 === 1).length < 2);

/** The factors by which real tables may differ from the estimate, either way, as `estimateCellGrid` says. */
const FACTORS = { usual: 1.1, small: 1.5, aligned: 8 } as const;

async function expectWithin(mesh: TriangleMesh, factor: number, cellsPerAxis?: number): Promise<void> {
  const options = cellsPerAxis === undefined ? {} : { cellsPerAxis };
  const expected = estimateCellGrid(mesh, options);
  const tables = await (await CellGrid.create(mesh, undefined, options)).hostTables();
  const [nx, ny, nz] = expected.cells;
  expect([Math.ceil(nx / 16) * 16, ny, nz], mesh.name).toEqual(tables.grid.counts);
  for (const [name, real, estimate] of [
    ['bytes', tables.bytes, expected.tableBytes],
    ['pairs', tables.pairCount, expected.pairs],
  ] as const) {
    expect(real / estimate, `${mesh.name}: ${name}`).toBeLessThan(factor);
    expect(estimate / real, `${mesh.name}: ${name}`).toBeLessThan(factor);
  }
}

describe('the estimate of a cell grid', () => {
  it.each([
    ['a fine sphere', unitSphere(6), FACTORS.usual],
    ['a foam', openCellFoam({ triangles: 12_000, seed: 2 }), FACTORS.usual],
    ['a large foam', openCellFoam({ triangles: 120_000, seed: 1 }), FACTORS.usual],
    ['a rock', randomRock({ triangles: 2048, convex: false, seed: 4 }), FACTORS.usual],
    ['an octahedron', unitSphere(0), FACTORS.small],
    ['a box', boxMesh([0, 0, 0], [1, 1, 1]), FACTORS.small],
    ['a flat box', boxMesh([-0.1, 0.3, 1e-3], [0.7, 0.35, 2]), FACTORS.small],
    ['a sponge', sponge(9), FACTORS.small],
  ])('is met by %s', async (_, mesh, factor) => {
    await expectWithin(mesh, factor);
    await expectWithin(mesh, factor, 37);
  });

  it('is met within its bound where all vertices are corners of cells', async () => {
    await expectWithin(sponge(9), FACTORS.aligned, 9);
    await expectWithin(sponge(27), FACTORS.aligned, 27);
  });

  it('is what a classification reports', async () => {
    const mesh = openCellFoam({ triangles: 12_000, seed: 2 });
    const body = await Polyhedron.create(undefined, mesh);
    const { tableBytes } = await body.classify(Float32Array.of(0.5, 0.5, 0.5));
    expect(tableBytes / estimateCellGrid(mesh).tableBytes).toBeGreaterThan(1 / FACTORS.usual);
    expect(tableBytes / estimateCellGrid(mesh).tableBytes).toBeLessThan(FACTORS.usual);
    body.destroy();
  });

  it('gives the cell in the unit of the mesh, however it is scaled and moved', () => {
    const sphere = unitSphere(4);
    const { cells, cellSize } = estimateCellGrid(sphere);
    for (const [scale, shift] of [
      [2 ** -40, 0],
      [2 ** 40, 0],
      [1, 4096],
    ] as const) {
      const moved = estimateCellGrid(
        mapMesh(sphere, (x, y, z) => [scale * x + shift, scale * y + shift, scale * z + shift]),
      );
      expect(moved.cells).toEqual(cells);
      expect(moved.cellSize / scale / cellSize).toBeCloseTo(1, 3);
    }
  });

  it('follows cellsPerAxis', () => {
    const { cells, cellSize } = estimateCellGrid(boxMesh([0, 0, 0], [4, 2, 1]), { cellsPerAxis: 20 });
    expect(cells).toEqual([20, 10, 5]);
    expect(cellSize).toBeCloseTo(0.2, 5);
  });

  it('refuses what no grid can be built of', () => {
    const nothing = new TriangleMesh({ positions: new Float32Array(0), indices: new Uint32Array(0) });
    expect(() => estimateCellGrid(nothing)).toThrow(/has no triangles/);
    expect(() => estimateCellGrid(unitSphere(1), { cellsPerAxis: 0 })).toThrow(InputError);
  });
});

describeWithData('the estimate of a scan', () => {
  it.each(['good/boot.obj', 'good/skull_100k.obj', 'good/goathead.obj'])('is met: %s', async (file) =>
    expectWithin(await readMesh(dataPath(file)), FACTORS.usual),
  );
});
