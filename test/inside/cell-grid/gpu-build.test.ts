import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import { openDevice } from '../../../src/gpu/device.ts';
import { buildCellGrid, type CellGridTables } from '../../../src/inside/cell-grid/build.ts';
import { CELL_REFERENCE_PLACES } from '../../../src/inside/cell-grid/constants.ts';
import { buildCellGridOnGpu } from '../../../src/inside/cell-grid/gpu-build.ts';
import { rowLine } from '../../../src/inside/cell-grid/gpu-numbers.ts';
import { compileBuild } from '../../../src/inside/cell-grid/gpu-passes.ts';
import { chooseResolution } from '../../../src/inside/cell-grid/resolution.ts';
import { gridOver } from '../../../src/inside/cell-grid/tables.ts';
import { localSurface } from '../../../src/inside/surface.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import * as cases from '../../support/cases.ts';
import { useDevice } from '../../support/device.ts';
import { boxMesh, joinMeshes, mapMesh } from '../../support/shapes.ts';

const device = useDevice();

const ARRAYS = ['odd', 'nonzero', 'bases', 'references', 'starts', 'pairs', 'blocks'] as const;

/** Where two tables differ, in words. Floats are compared by their bits. */
function differences(found: CellGridTables, expected: CellGridTables): string[] {
  const out: string[] = [];
  for (const name of ['levels', 'mixedCount', 'pairCount', 'settledExactly', 'bytes'] as const) {
    if (found[name] !== expected[name]) out.push(`${name}: ${found[name]}, expected ${expected[name]}`);
  }
  for (const name of ARRAYS) {
    const [a, b] = [found[name], expected[name]];
    if (a.length !== b.length) out.push(`${name}: length ${a.length}, expected ${b.length}`);
    const bits = (array: typeof a) => new Uint32Array(array.buffer, array.byteOffset, array.length);
    const [x, y] = [bits(a), bits(b)];
    const wrong = x.findIndex((word, i) => word !== y[i]);
    if (wrong >= 0) out.push(`${name}[${wrong}]: ${a[wrong]}, expected ${b[wrong]}`);
  }
  return out;
}

async function compare(mesh: TriangleMesh, cellsPerAxis?: number, expectedPairs?: number, refine = false) {
  const surface = localSurface(mesh);
  const chosen = chooseResolution(surface, { cellsPerAxis, largestBinding: 128 << 20 });
  const expected = buildCellGrid(surface, chosen.cell, { refine });
  const resolution = { cell: chosen.cell, expectedPairs: expectedPairs ?? chosen.expectedPairs };
  const built = await buildCellGridOnGpu(device(), surface, resolution, { refine });
  try {
    const tables = await built.readBack();
    expect(tables.grid).toEqual(expected.grid);
    expect(differences(tables, expected)).toEqual([]);
  } finally {
    built.destroy();
  }
  return { built, expected };
}

describe('tables built on the GPU are those of the host, bit for bit', () => {
  const lists = {
    'surfaces of all kinds': cases.surfaceCases,
    'faces along the axes': cases.alignedCases,
    'needles and slivers': cases.thinCases,
    'extreme coordinates': cases.extremeCases,
    'bodies far from the origin': cases.farCases,
    'faces without area': cases.zeroAreaCases,
    'nested and overlapping bodies': cases.windingCases,
  };
  for (const [list, make] of Object.entries(lists)) {
    it(`for ${list}`, async () => {
      for (const { name, mesh } of make()) {
        const { expected } = await compare(mesh).catch((error: Error) => {
          throw new Error(`${name}: ${error.message}`, { cause: error });
        });
        expect(expected.mixedCount, name).toBeGreaterThan(0);
      }
    });
  }

  it('with one cell, few cells, and thin rows of many', async () => {
    const needle = mapMesh(unitSphere(2), (x, y, z) => [x, y * 1e-3, z * 2e-3]);
    for (const cellsPerAxis of [1, 2, 7]) await compare(unitSphere(2), cellsPerAxis);
    await compare(needle, 1200);
    // Large triangles: the work on one is cut into many items.
    await compare(boxMesh([0, 0, 0], [1, 0.7, 0.9]), 60);
  });

  it('where the list of pairs is too short at first', async () => {
    await compare(unitSphere(3), 20, -900);
  });

  it('for faces without area across many cells, whose normals are rounding alone', async () => {
    // Exactly on a line as float32, but not as multiples of the cell: the products' rounding makes up the normal.
    const random = createRandom(61);
    const dyadic = () => (1 + Math.floor(30 * random())) / 64;
    const lines = Array.from({ length: 12 }, () => {
      const [from, by] = [
        [dyadic(), dyadic(), dyadic()],
        [dyadic(), dyadic(), dyadic()],
      ];
      const corners = [0, 0.375, 1].flatMap((k) => from.map((x, axis) => x + k * by[axis]!));
      const indices = Uint32Array.from([0, 1, 2, 2, 1, 0]);
      return new TriangleMesh({ positions: Float32Array.from(corners), indices });
    });
    await compare(joinMeshes([boxMesh([0, 0, 0], [1, 1, 1]), ...lines]), 30);
  });

  it('with the blocks of overfull cells, which the host makes', async () => {
    const small = mapMesh(unitSphere(3), (x, y, z) => [x, y, z].map((c) => 0.5 + 0.02 * c));
    const mesh = joinMeshes([boxMesh([0, 0, 0], [4, 4, 4]), small]);
    const { built, expected } = await compare(mesh, undefined, undefined, true);
    expect(expected.levels).toBeGreaterThan(0);
    expect(built.refined.length).toBeGreaterThan(0);
  });

  it('in cells with hundreds of faces, where crossings are near references', async () => {
    const layers = Array.from({ length: 60 }, (_, i) =>
      mapMesh(unitSphere(1), (x, y, z) => [x, y, z].map((c) => c * (0.4 + 0.01 * i))),
    );
    const { built, expected } = await compare(joinMeshes(layers), 4);
    expect(expected.settledExactly).toBeGreaterThan(10);
    expect(built.settledOnHost).toBe(0);
  });
});

describe('what the kernels do not certify is settled on the host, and the tables are the same', () => {
  const hull = boxMesh([0, 0, 0], [1, 1, 1]);
  const cellsPerAxis = 5;
  const { cell } = chooseResolution(localSurface(hull), { cellsPerAxis, largestBinding: 1e9 });
  const grid = gridOver(localSurface(hull), cell);

  it('where a line passes exactly through edges', async () => {
    // The line and the edge's ends lie between the same two powers of two, so that the line is exactly in their middle.
    const { y, z } = rowLine(grid, 1, 1);
    const [dy, dz] = [2 ** -5, 2 ** -6];
    const wedge = new TriangleMesh({
      positions: Float32Array.from([
        ...[0.3, y - dy, z - dz, 0.4, y + dy, z + dz, 0.7, y + 0.1, z - 0.1, 0.6, y - 0.1, z + 0.1],
      ]),
      indices: Uint32Array.from([0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2]),
    });
    const { built } = await compare(joinMeshes([hull, wedge]), cellsPerAxis);
    expect(built.settledOnHost).toBeGreaterThan(0);
  });

  it('where a line passes a face so steep that float64 does not tell where', async () => {
    // Seen along x, the face is as thin as float32 allows around a point: Fibonacci numbers of spacings, whose
    // neighbours' products differ by one.
    const { y, z } = rowLine(grid, 1, 1);
    const spacing = 2 ** -25;
    const corners = [
      [0.1, 832040, 1346269],
      [0.9, -1346269, -2178309],
      [0.5, 514229, 832040],
    ].flatMap(([x, dy, dz]) => [x!, y + dy! * spacing, z + dz! * spacing]);
    const indices = Uint32Array.from([0, 1, 2, 2, 1, 0]);
    const blade = new TriangleMesh({ positions: Float32Array.from(corners), indices });
    const { expected } = await compare(joinMeshes([hull, blade]), cellsPerAxis);
    expect(expected.settledExactly).toBe(2);
  });

  it('where a line passes exactly through corners', async () => {
    const { y, z } = rowLine(grid, 2, 1);
    const spike = mapMesh(unitSphere(1), (u, v, w) => [0.5 + 0.3 * u, y + 0.2 * v, z + 0.2 * w]);
    await compare(joinMeshes([hull, spike]), cellsPerAxis);
  });

  it('where every place of a reference lies in the plane of a face', async () => {
    const walls = CELL_REFERENCE_PLACES.map((place) => {
      const x = Math.fround(grid.origin[0] + (2 + place) * grid.cell);
      return boxMesh([0.3, 0.2, 0.2], [x, 0.8, 0.9]);
    });
    const { built, expected } = await compare(joinMeshes([hull, ...walls]), cellsPerAxis);
    expect(built.settledOnHost).toBeGreaterThan(0);
    expect(expected.settledExactly).toBeGreaterThanOrEqual(built.settledOnHost);
  });
});

describe('a surface that is not closed', () => {
  it('is refused with the words of the host', async () => {
    const cube = boxMesh([0, 0, 0], [1, 1, 1], 'open cube');
    for (const turn of [0, 1, 2]) {
      const positions = cube.positions.map(
        (_, i) => cube.positions[3 * Math.floor(i / 3) + ((i + turn) % 3)]!,
      );
      const side = new TriangleMesh({ positions, indices: cube.indices.slice(6), name: cube.name });
      const surface = localSurface(side);
      const build = async () => {
        const built = await buildCellGridOnGpu(device(), surface, { cell: 0.1 });
        built.destroy();
      };
      let words: string | undefined;
      try {
        buildCellGrid(surface, 0.1);
      } catch (error) {
        words = (error as Error).message;
      }
      const refusal = await build().catch((error: unknown) => error);
      if (words === undefined) expect(refusal).toBeUndefined();
      else {
        expect(refusal).toBeInstanceOf(InputError);
        expect((refusal as Error).message).toBe(words);
      }
    }
  });
});

it('does not wait for its kernels once its signal is aborted', async () => {
  const fresh = await openDevice();
  const [cancel, reason] = [new AbortController(), new Error('enough')];
  let isCompiled = false;
  const compiling = compileBuild(fresh).then(
    () => {
      isCompiled = true;
    },
    () => {},
  );
  const surface = localSurface(unitSphere(2));
  const build = buildCellGridOnGpu(fresh, surface, { cell: 0.2 }, {}, cancel.signal);
  cancel.abort(reason);
  await expect(build).rejects.toBe(reason);
  expect(isCompiled).toBe(false);
  fresh.destroy();
  await compiling;
});

it('gives back all GPU memory', async () => {
  const surface = localSurface(unitSphere(2));
  const built = await buildCellGridOnGpu(device(), surface, { cell: 0.2 });
  expect(built.gpuBytes).toBeGreaterThan(built.bytes);
  built.destroy();
  expect(built.gpuBytes).toBe(0);
});
