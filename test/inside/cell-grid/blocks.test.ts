import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decodeBody, encodeBody } from '../../../src/inside/body-file/body-file.ts';
import { unpackBlock } from '../../../src/inside/cell-grid/block-table.ts';
import { blockWindings } from '../../../src/inside/cell-grid/block-windings.ts';
import { buildCellGrid, buildCellGridOnWorkers } from '../../../src/inside/cell-grid/build.ts';
import { CellGrid } from '../../../src/inside/cell-grid/cell-grid.ts';
import { CELL_ROW_Y, CELL_ROW_Z } from '../../../src/inside/cell-grid/constants.ts';
import { cutPairs } from '../../../src/inside/cell-grid/parts.ts';
import { chooseResolution } from '../../../src/inside/cell-grid/resolution.ts';
import {
  type CellGridTables,
  PAIR_FLOATS,
  REFERENCE_FLOATS,
  REFINED,
} from '../../../src/inside/cell-grid/tables.ts';
import { ExactTest } from '../../../src/inside/exact.ts';
import { localSurface } from '../../../src/inside/surface.ts';
import { openCellFoam } from '../../../src/mesh/generate-foam.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { WorkerPool } from '../../../src/workers/worker-pool.ts';
import { useDevice } from '../../support/device.ts';
import { differences, exactFlags } from '../../support/flags.ts';
import { unsettledFlags } from '../../support/lanes.ts';
import {
  boxMesh,
  joinMeshes,
  mapMesh,
  pointsOnSurface,
  randomPoints,
  stepFloat32,
} from '../../support/shapes.ts';
import { classifyInEveryWay } from '../../support/ways.ts';

const device = useDevice();
const random = createRandom(97);
const sphere = unitSphere(4);

/** A detail in a box of edge 1. */
function inBox(detail: TriangleMesh, size: number, at: readonly number[], name: string): TriangleMesh {
  const small = mapMesh(detail, (x, y, z) => [x, y, z].map((c, k) => c * size + at[k]!));
  const { positions, indices } = joinMeshes([boxMesh([0, 0, 0], [1, 1, 1]), small]);
  return new TriangleMesh({ positions, indices, name });
}

/** Two cones of that many triangles each, base to base: as many triangles at each tip. */
function spindle(sides: number): TriangleMesh {
  const positions = [0, 0, 1, 0, 0, -1];
  const indices: number[] = [];
  for (let i = 0; i < sides; i++) {
    const angle = (2 * Math.PI * i) / sides;
    positions.push(Math.cos(angle), Math.sin(angle), 0);
    const [a, b] = [2 + i, 2 + ((i + 1) % sides)];
    indices.push(a, b, 0, b, a, 1);
  }
  const mesh = { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
  return new TriangleMesh({ ...mesh, name: 'a spindle' });
}

function lattice(count: number): TriangleMesh {
  const boxes = Array.from({ length: count ** 3 }, (_, n) => {
    const low = [n % count, Math.floor(n / count) % count, Math.floor(n / count ** 2)].map((c) => c);
    const at = (c: number) => low.map((x) => x + c) as [number, number, number];
    return boxMesh(at(0), at(0.5));
  });
  return joinMeshes(boxes);
}

const twice = joinMeshes([
  sphere,
  mapMesh(sphere, (x, y, z) => [0.01 * x + 0.99, 0.01 * y, 0.01 * z]),
  mapMesh(sphere, (x, y, z) => [1e-4 * x + 0.99, 1e-4 * y, 1e-4 * z]),
]);
const CASES: readonly [mesh: TriangleMesh, levels: number][] = [
  [inBox(sphere, 0.01, [0.3, 0.4, 0.7], 'a sphere a hundredth of its box'), 1],
  [
    inBox(
      openCellFoam({ triangles: 8000, seed: 5 }),
      0.02,
      [0.5, 0.2, 0.99],
      'a foam through a side of a box',
    ),
    1,
  ],
  [inBox(twice, 0.02, [0.25, 0.25, 0.25], 'spheres in spheres in a box'), 2],
  [inBox(lattice(6), 1 / 256, [0.5, 0.5, 0.5], 'boxes on a lattice that the cells share'), 1],
  [spindle(3000), 0],
];

function build(mesh: TriangleMesh) {
  const surface = localSurface(mesh);
  const { cell } = chooseResolution(surface, { largestBinding: 2 ** 27 });
  return { surface, cell, tables: buildCellGrid(surface, cell) };
}

/** Checksums in place of the arrays: they are long. */
function arrays(tables: CellGridTables) {
  const names = ['odd', 'nonzero', 'bases', 'references', 'starts', 'pairs', 'blocks'] as const;
  return Object.fromEntries(
    names.map((name) => {
      const { buffer, byteOffset, byteLength } = tables[name];
      const bytes = Buffer.from(buffer, byteOffset, byteLength);
      return [name, createHash('sha256').update(bytes).digest('hex')];
    }),
  );
}

describe.each(CASES.map(([mesh, levels]) => [mesh.name, mesh, levels] as const))('%s', (_, mesh, levels) => {
  const { surface, cell, tables } = build(mesh);
  const points = [pointsOnSurface(mesh, 2000, random), randomPoints(mesh, 2000, random)];
  // The small triangles alone: most points on the surface are on the large ones.
  const { positions, indices } = mesh;
  const detail = new TriangleMesh({ positions, indices: indices.subarray(36) });
  if (levels > 0) points.push(randomPoints(detail, 3000, random));

  it(levels > 0 ? 'is refined' : 'has no blocks: needles that pass many cells gain little in each', () => {
    if (levels > 0) expect(tables.levels).toBeGreaterThanOrEqual(levels);
    else expect(tables.levels).toBe(0);
    expect(tables.pairCount).toBe(tables.starts[tables.mixedCount]);
    expect(tables.pairs.length).toBe(PAIR_FLOATS * tables.pairCount);
  });

  it('has exact flags on CPU and GPU', async () => {
    for (const set of points) {
      for (const rule of ['odd', 'nonzero'] as const) {
        const { flags } = await classifyInEveryWay(device(), mesh, set, { rule });
        expect(differences(flags, exactFlags(mesh, set, rule), set)).toEqual([]);
      }
    }
  });

  it('has exact windings at the references of its blocks', () => {
    const exact = new ExactTest(mesh);
    let tested = 0;
    let outside = 0;
    for (let m = 0; m < tables.mixedCount; m += 5) {
      const [x, y, z, winding] = tables.references.subarray(REFERENCE_FLOATS * m, REFERENCE_FLOATS * (m + 1));
      if (winding === REFINED) continue;
      const flag = exact.flag(x!, y!, z!, 'nonzero');
      // On the surface there is no winding, and no point of the cell is certain.
      if (flag === 2) continue;
      if (flag !== (winding === 0 ? 0 : 1)) outside++;
      tested++;
    }
    expect(tested).toBeGreaterThan(20);
    expect(outside).toBe(0);
  });

  it('is the same bit for bit when built on worker threads, and in a body file', async () => {
    const read = decodeBody(encodeBody({ mesh, rules: ['odd'], tables }), 'a.body').tables!;
    expect({ ...read, ...arrays(read) }).toEqual({ ...tables, ...arrays(tables) });
    const pool = WorkerPool.get();
    // One core has no workers.
    if (pool === undefined) return;
    const parallel = await buildCellGridOnWorkers(surface, cell, pool);
    expect({ ...parallel, ...arrays(parallel) }).toEqual({ ...tables, ...arrays(tables) });
  });
});

it('a seed on the surface has no winding, and neither have cells from there', () => {
  const cube = boxMesh([0, 0, 0], [1, 1, 1]);
  const grid = { origin: [-0.1, -0.1, -0.1] as const, cell: 1.3, counts: [1, 1, 1] as const };
  const cells = { words: new Uint32Array(1), bases: new Uint32Array(1), references: new Float32Array(0) };
  expect(blockWindings(cube, grid, cells, [0.3, 0.4, 0.5])).toEqual(Int32Array.of(0));
  expect(blockWindings(cube, grid, cells, [-0.05, 0.4, 0.5])).toEqual(Int32Array.of(1));
  for (const onSurface of [
    [0, 0.4, 0.5],
    [0.3, 0, 0.5],
    [0.3, 0.4, 1],
    [1, 1, 0.5],
    [0, 0, 0],
    [0.25, 0.25, 0],
  ] as const) {
    expect(blockWindings(cube, grid, cells, onSurface), onSurface.join()).toBeUndefined();
  }
});

it('windings hold beside needles that a line sees edge-on, where float64 has no bound', () => {
  // Corners at 2^-25 to 2^-55 beside corners of about 0.4: the differences of their coordinates round, and with them
  // the normal, whose component along the line is nothing but that rounding.
  const n = 8;
  const grid = { origin: [-0.5, -0.5, -0.5] as const, cell: 1 / n, counts: [n, n, n] as const };
  const empty = { words: new Uint32Array(n ** 3 / 16), bases: new Uint32Array(n ** 3 / 16) };
  const cells = { ...empty, references: new Float32Array(0) };
  const away = (x: number) => stepFloat32(Math.fround(x), Math.floor(random() * 19) - 9);
  let wrong = 0;
  let tested = 0;
  for (let round = 0; round < 3000; round++) {
    const size = 2 ** -(25 + Math.floor(random() * 30));
    const [x, y] = [Math.fround(size * (0.5 + random() / 2)), Math.fround(size * (0.5 + random() / 2))];
    const far = 2 ** Math.floor(Math.log2(0.4 / size));
    const near = far / 2 ** Math.floor(random() * 3);
    const f = [1, 0.5, 2, -1, 3][Math.floor(random() * 5)]!;
    const positions = Float32Array.from([
      ...[away(x * f), away(y * f), -0.3],
      ...[-far * x, -far * y, 0.31],
      ...[near * x, near * y, 0.31],
      ...[0.45, -0.45, 0.1],
    ]);
    const mesh = new TriangleMesh({ positions, indices: Uint32Array.of(0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0) });
    const beside = (c: number) => stepFloat32(c, Math.floor(random() * 5) - 2);
    const seed = [beside(x), beside(y), Math.fround(-0.45)] as const;
    const windings = blockWindings(mesh, grid, cells, seed);
    if (windings === undefined) continue;
    tested++;
    const exact = new ExactTest(mesh);
    const inside = (p: readonly number[]) => exact.flag(p[0]!, p[1]!, p[2]!, 'nonzero');
    const atSeed = inside(seed);
    // One cell of every row: the paths there are what goes wrong.
    for (let cell = 3; cell < n ** 3; cell += n) {
      const places = [cell % n, Math.floor(cell / n) % n, Math.floor(cell / n / n)];
      const p = places.map((c, k) => Math.fround(-0.5 + (c + [0.5, CELL_ROW_Y, CELL_ROW_Z][k]!) / n));
      const flag = inside(p);
      if (flag !== 2 && (flag !== atSeed) !== (windings[cell] !== 0)) wrong++;
    }
  }
  expect(tested).toBeGreaterThan(1000);
  expect(wrong).toBe(0);
});

describe('pairs in parts', () => {
  const starts = Uint32Array.of(0, 3, 3, 7, 8, 12);
  const bytes = (pairs: number) => 4 * PAIR_FLOATS * pairs;

  it('are cut between cells, each as large as fits', () => {
    expect(cutPairs({ starts, mixedCount: 5 }, bytes(7))).toEqual([
      { firstRank: 0, endRank: 3, firstPair: 0, endPair: 7 },
      { firstRank: 3, endRank: 5, firstPair: 7, endPair: 12 },
    ]);
    expect(cutPairs({ starts, mixedCount: 5 }, bytes(100))).toHaveLength(1);
    expect(cutPairs({ starts: Uint32Array.of(0), mixedCount: 0 }, bytes(1))).toHaveLength(1);
  });

  it('of one cell that are too many are refused with their size', () => {
    expect(() => cutPairs({ starts, mixedCount: 5 }, bytes(3))).toThrow(
      /^cell grid: one cell has a table of 160 bytes, the device allows bindings of 120/,
    );
  });

  it('give the same flags as a whole', async () => {
    const mesh = openCellFoam({ triangles: 5000, seed: 4 });
    const points = randomPoints(mesh, 5000, random);
    const whole = exactFlags(mesh, points);
    for (const largestPart of [4000, 40_000]) {
      const grid = await CellGrid.create(mesh, device(), { largestPart });
      const { flags } = await unsettledFlags(grid, points, 'odd', device());
      expect(cutPairs(grid.tables, largestPart).length).toBeGreaterThan(3);
      expect(differences(flags, whole, points)).toEqual([]);
      grid.destroy();
    }
  });
});

it('blocks lie in the cells that they refine, and cover them', () => {
  const { tables } = build(CASES[0]![0]);
  const { origin, cell, counts } = tables.grid;
  for (let n = 0; n < tables.blocks.length / 8; n++) {
    const block = unpackBlock(tables.blocks, n);
    for (let k = 0; k < 3; k++) {
      const low = (block.origin[k]! - origin[k]!) / cell;
      const high = low + (block.count * block.cell) / cell;
      expect(Math.abs(low - Math.round(low))).toBeLessThan(2 ** -10);
      expect(high).toBeGreaterThan(Math.round(low) + 1);
      expect(high).toBeLessThan(Math.round(low) + 1 + 2 ** -10);
      expect(Math.round(low)).toBeLessThan(counts[k]!);
    }
  }
});
