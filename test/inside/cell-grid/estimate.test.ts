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
import { boxMesh, joinMeshes, mapMesh, voxelMesh } from '../../support/shapes.ts';

const sponge = (n: number) =>
  voxelMesh(n, 1 / n, (i, j, k) => [i, j, k].filter((x) => x % 3 === 1).length < 2);

/** The tables are as the estimate says: exactly, or within a fifth where a block gave way to the surface. */
async function expectMet(mesh: TriangleMesh, factor: number, cellsPerAxis?: number): Promise<void> {
  const options = cellsPerAxis === undefined ? {} : { cellsPerAxis };
  const expected = estimateCellGrid(mesh, options);
  const { tables } = await CellGrid.create(mesh, undefined, options);
  const [nx, ny, nz] = expected.cells;
  expect([Math.ceil(nx / 16) * 16, ny, nz], mesh.name).toEqual(tables.grid.counts);
  for (const [name, real, estimate] of [
    ['bytes', tables.bytes, expected.tableBytes],
    ['pairs', tables.pairCount, expected.pairs],
    ['mixed cells', tables.mixedCount, expected.mixedCells],
  ] as const) {
    expect(real / estimate, `${mesh.name}: ${name}`).toBeLessThanOrEqual(factor);
    expect(estimate / real, `${mesh.name}: ${name}`).toBeLessThanOrEqual(factor);
  }
}

const [EXACTLY, WITH_BLOCKS] = [1, 1.2];

/** A sphere and a foam far smaller than their box. */
const crowded = joinMeshes([
  boxMesh([0, 0, 0], [1, 1, 1]),
  mapMesh(openCellFoam({ triangles: 4000, seed: 2 }), (x, y, z) => [2 + x / 90, 3 + y / 90, z / 90]),
  mapMesh(unitSphere(4), (x, y, z) => [0.3 + 1e-4 * x, 0.4 + 1e-4 * y, 0.7 + 1e-4 * z]),
]);

describe('the estimate of a cell grid', () => {
  it.each([
    ['a fine sphere', unitSphere(6)],
    ['a foam', openCellFoam({ triangles: 12_000, seed: 2 })],
    ['a rock', randomRock({ triangles: 2048, convex: false, seed: 4 })],
    ['an octahedron', unitSphere(0)],
    ['a flat box', boxMesh([-0.1, 0.3, 1e-3], [0.7, 0.35, 2])],
    ['a sponge', sponge(9)],
  ])('is met by %s', async (_, mesh) => {
    await expectMet(mesh, EXACTLY);
    await expectMet(mesh, EXACTLY, 37);
  });

  it('is met where all vertices are corners of cells', async () => {
    await expectMet(sponge(9), EXACTLY, 9);
    await expectMet(sponge(27), EXACTLY, 27);
  });

  it('counts the blocks of crowded cells', async () => {
    await expectMet(crowded, WITH_BLOCKS);
    const { levels, pairCount } = (await CellGrid.create(crowded, undefined)).tables;
    expect(levels).toBeGreaterThan(1);
    // Without blocks it would be far off.
    const grid = await CellGrid.create(crowded, undefined, {
      cellsPerAxis: estimateCellGrid(crowded).cells[2],
    });
    expect(pairCount).toBeGreaterThan(1.3 * grid.tables.pairCount);
  });

  it('is what a classification reports', async () => {
    const mesh = openCellFoam({ triangles: 12_000, seed: 2 });
    const body = await Polyhedron.create(undefined, mesh);
    const { tableBytes } = await body.classify(Float32Array.of(0.5, 0.5, 0.5));
    expect(tableBytes).toBe(estimateCellGrid(mesh).tableBytes);
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
  it.each(['good/boot.obj', 'good/goathead.obj'])('is met: %s', async (file) =>
    expectMet(await readMesh(dataPath(file)), EXACTLY),
  );

  it('is met, in its budget, by parts that differ by a factor of 10,000: hard/unequal_parts_20k.obj', async () => {
    const mesh = await readMesh(dataPath('hard/unequal_parts_20k.obj'));
    await expectMet(mesh, WITH_BLOCKS);
    expect(estimateCellGrid(mesh).tableBytes).toBeLessThan(10e6);
  });
});
