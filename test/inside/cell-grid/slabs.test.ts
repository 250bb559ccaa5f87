// Slabs of mixed cells: what they tell of a point is the truth, and on most points of a smooth body they do.
import { describe, expect, it } from 'vitest';
import { CellGrid } from '../../../src/inside/cell-grid/cell-grid.ts';
import { LEAST_POINTS_FOR_SLABS, SLABS_PER_POINT } from '../../../src/inside/cell-grid/constants.ts';
import { CellGridTest } from '../../../src/inside/cell-grid/point-test.ts';
import { SLAB_FLOATS, SlabMaker } from '../../../src/inside/cell-grid/slabs.ts';
import type { CellGridTables } from '../../../src/inside/cell-grid/tables.ts';
import { type MoreSlabs, runClassify } from '../../../src/inside/cell-grid/tasks.ts';
import type { CrossingRule } from '../../../src/inside/classification.ts';
import { Polyhedron } from '../../../src/inside/polyhedron.ts';
import { openCellFoam } from '../../../src/mesh/generate-foam.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { newParts } from '../../../src/workers/parts.ts';
import { differences, exactFlags } from '../../support/flags.ts';
import {
  boxMesh,
  joinMeshes,
  mapMesh,
  pointsOnSurface,
  randomPoints,
  stepFloat32,
} from '../../support/shapes.ts';

const random = createRandom(31);
const sphere = unitSphere(4);
const shifted = (by: number, scale: number) =>
  mapMesh(sphere, (x, y, z) => [scale * x + by, scale * y + by, scale * z + by]);

function slabsOf(tables: CellGridTables): Float32Array {
  const slabs = new Float32Array(SLAB_FLOATS * tables.mixedCount);
  const maker = new SlabMaker(tables);
  for (let rank = 0; rank < tables.mixedCount; rank++) maker.write(rank, slabs, rank);
  return slabs;
}

/** Points near the surface: a few spacings of float32 off it, and up to a hundredth of the box. */
function nearPoints(mesh: typeof sphere, count: number): Float32Array {
  const { min, max } = mesh.box;
  return pointsOnSurface(mesh, count, random).map((x, i) => {
    if (i % 6 < 3) return stepFloat32(x, Math.floor(9 * random()) - 4);
    return x + 0.02 * (random() - 0.5) * (max[i % 3]! - min[i % 3]!);
  });
}

describe.each([
  { name: 'a sphere', mesh: sphere },
  { name: 'a far one', mesh: shifted(1000, 1) },
  { name: 'a tiny one', mesh: shifted(0, 2 ** -70) },
  { name: 'a foam', mesh: openCellFoam({ triangles: 8000 }) },
  {
    name: 'a detail in a box',
    refined: true,
    mesh: joinMeshes([boxMesh([0, 0, 0], [1, 1, 1]), shifted(0.5, 0.01)]),
  },
  { name: 'two spheres that pass each other', mesh: joinMeshes([sphere, shifted(0.4, 0.9)]) },
  { name: 'a disc thinner than its cells', mesh: mapMesh(sphere, (x, y, z) => [x, y, 1e-4 * z]) },
])('$name', ({ mesh, refined = false }) => {
  it.each(['odd', 'nonzero'] as const)(
    'flags by rule %s are exact, with slabs and without',
    async (rule: CrossingRule) => {
      const { tables, surface } = await CellGrid.create(mesh, undefined, { threads: 1 });
      expect(tables.levels > 0).toBe(refined);
      const slabs = slabsOf(tables);
      const { box, frame } = surface;
      const points = Float32Array.from([...nearPoints(mesh, 6000), ...randomPoints(mesh, 2000, random)]);
      const expected = exactFlags(mesh, points, rule);
      const found = [slabs, undefined].map((given) => {
        const flags = new Uint8Array(points.length / 3);
        const test = new CellGridTest({ tables, slabs: given, box, frame, rule, points, flags });
        expect(test.lookUp(0, flags.length)).toBe(true);
        test.finish();
        return { flags, doubtful: test.doubtful.toSorted((a, b) => a - b), tested: test.tested };
      });
      const [bySlabs, byPairs] = found as [(typeof found)[0], (typeof found)[0]];
      expect(bySlabs.doubtful).toEqual(byPairs.doubtful);
      for (const { flags, doubtful } of found) {
        for (const i of doubtful) flags[i] = expected[i]!;
        expect(differences(flags, expected, points)).toEqual([]);
      }
      expect(bySlabs.tested).toBeLessThan(byPairs.tested);
    },
  );
});

it('tells nearly all points in mixed cells of a sphere', async () => {
  const grid = await CellGrid.create(unitSphere(5), undefined, { threads: 1 });
  const { tables, surface } = grid;
  const { box, frame } = surface;
  const points = randomPoints(unitSphere(5), 20_000, random);
  const flags = new Uint8Array(20_000);
  const count = (slabs: Float32Array | undefined) => {
    const test = new CellGridTest({ tables, slabs, box, frame, rule: 'odd', points, flags });
    test.lookUp(0, flags.length);
    test.finish();
    return test.tested;
  };
  expect(count(slabsOf(tables))).toBeLessThan(0.1 * count(undefined));
});

it.each([8, 1])(
  'a body makes slabs once they pay, and says the same afterwards (threads: %s)',
  async (threads) => {
    const body = await Polyhedron.create(undefined, sphere, { threads });
    const points = nearPoints(sphere, 40_000);
    const first = await body.classify(points);
    expect(first.flags).toEqual(exactFlags(sphere, points));
    let bytes = 0;
    for (let call = 0; call < 3; call++) {
      const { flags, resolvedExactly, tableBytes } = await body.classify(points);
      expect(flags).toEqual(first.flags);
      expect(resolvedExactly).toBe(first.resolvedExactly);
      bytes = tableBytes;
    }
    expect(bytes).toBeGreaterThan(first.tableBytes);
    body.destroy();
  },
);

describe('slabs of a grid', () => {
  const mesh = openCellFoam({ triangles: 60_000 });
  const points = nearPoints(mesh, 6000);
  const expected = exactFlags(mesh, points);

  /** Tests points by the slabs that are made, makes more, and settles the flags by the exact ones. */
  function testWith(grid: CellGrid, more: MoreSlabs | undefined) {
    const { tables, slabs, surface } = grid;
    const { box, frame } = surface;
    const flags = new Uint8Array(expected.length);
    const common = { kind: 'classify', rule: 'odd', ...newParts(flags.length, 1000) } as const;
    const answer = runClassify({ ...common, tables, slabs, box, frame, points, flags, more });
    for (const i of answer.doubtful) flags[i] = expected[i]!;
    return { answer, flags };
  }

  it('are made a few at a time, as points are tested, and counted', async () => {
    const grid = await CellGrid.create(mesh, undefined, { threads: 1 });
    const all = slabsOf(grid.tables);
    const { mixedCount, bytes } = grid.tables;
    grid.noteTested(LEAST_POINTS_FOR_SLABS - 1, undefined, true);
    expect(grid.takeSlabs()).toBeUndefined();
    expect(grid.bytes).toBe(bytes);
    const least = Math.floor(SLABS_PER_POINT * LEAST_POINTS_FOR_SLABS);
    expect(mixedCount).toBeGreaterThan(least);
    grid.noteTested(1, undefined, true);
    for (const made of [least, least + 100, mixedCount]) {
      const before = grid.slabs?.length ?? 0;
      const more = grid.takeSlabs()!;
      expect([more.first, more.first + more.count]).toEqual([before / SLAB_FLOATS, made]);
      // One test makes them, and no point is asked about them before it is done.
      expect(grid.takeSlabs()).toBeUndefined();
      expect(grid.slabs).toHaveLength(before);
      grid.noteTested(0, more, false);
      expect(grid.takeSlabs()).toEqual({ ...more, taken: expect.anything() });
      const { answer, flags } = testWith(grid, more);
      expect(answer.doubtful.length).toBeLessThan(expected.length);
      expect(differences(flags, expected, points)).toEqual([]);
      grid.noteTested(made === least ? 600 : 6 * mixedCount, more, true);
      expect(grid.slabs).toEqual(all.subarray(0, SLAB_FLOATS * made));
      expect(differences(testWith(grid, undefined).flags, expected, points)).toEqual([]);
    }
    expect(grid.takeSlabs()).toBeUndefined();
    expect(grid.bytes).toBe(bytes + 32 * mixedCount);
    grid.destroy();
  });

  it('are none of a worker that is lost: others are made', async () => {
    const grid = await CellGrid.create(mesh, undefined, { threads: 1 });
    grid.noteTested(6 * grid.tables.mixedCount + LEAST_POINTS_FOR_SLABS, undefined, true);
    const lost = grid.takeSlabs()!;
    grid.dropSlabs();
    grid.noteTested(0, lost, true);
    expect(grid.slabs).toBeUndefined();
    const more = grid.takeSlabs()!;
    expect(more.slabs.buffer).not.toBe(lost.slabs.buffer);
    testWith(grid, more);
    grid.noteTested(0, more, true);
    expect(grid.slabs).toEqual(slabsOf(grid.tables));
  });
});
