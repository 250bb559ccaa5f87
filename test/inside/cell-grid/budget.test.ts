import { describe, expect, it } from 'vitest';
import { cellsOfBlock, workOfBlock } from '../../../src/inside/cell-grid/block-resolution.ts';
import { unpackBlock } from '../../../src/inside/cell-grid/block-table.ts';
import { BlockTables, refineCell } from '../../../src/inside/cell-grid/blocks.ts';
import { buildCellGridInParts, buildCellGridOnWorkers } from '../../../src/inside/cell-grid/build.ts';
import {
  BLOCK_WORK_PER_TRIANGLE,
  LEAST_TABLE_BYTES,
  TABLE_BYTES_PER_TRIANGLE,
} from '../../../src/inside/cell-grid/constants.ts';
import { estimateCellGrid } from '../../../src/inside/cell-grid/estimate.ts';
import { chooseResolution } from '../../../src/inside/cell-grid/resolution.ts';
import { CELLS_PER_WORD, gridOver } from '../../../src/inside/cell-grid/tables.ts';
import { type OverlapsTask, runTask } from '../../../src/inside/cell-grid/tasks.ts';
import { flattestAxes } from '../../../src/inside/frame.ts';
import { Polyhedron } from '../../../src/inside/polyhedron.ts';
import { runFloats } from '../../../src/inside/ray-runs.ts';
import { localSurface } from '../../../src/inside/surface.ts';
import { openCellFoam } from '../../../src/mesh/generate-foam.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { WorkerPool } from '../../../src/workers/worker-pool.ts';
import { differences, exactFlags } from '../../support/flags.ts';
import { boxMesh, joinMeshes, mapMesh, pointsOnSurface, randomPoints } from '../../support/shapes.ts';

const random = createRandom(61);

/** A rod along z of so many sides: all of them needles. */
function rod(sides: number, radius: number, length: number, x: number, y: number): TriangleMesh {
  const positions = [x, y, 0, x, y, length];
  const indices: number[] = [];
  for (let i = 0; i < sides; i++) {
    const angle = (2 * Math.PI * i) / sides;
    const at = [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    positions.push(...at, 0, ...at, length);
    const [p, q] = [2 + 2 * i, 2 + 2 * ((i + 1) % sides)];
    indices.push(0, q, p, 1, p + 1, q + 1, p, q, q + 1, p, q + 1, p + 1);
  }
  return new TriangleMesh({ positions: Float32Array.from(positions), indices: Uint32Array.from(indices) });
}

function named(name: string, { positions, indices }: TriangleMesh): TriangleMesh {
  return new TriangleMesh({ positions, indices, name });
}

function lattice(count: number): TriangleMesh {
  return joinMeshes(
    Array.from({ length: count ** 3 }, (_, n) => {
      const low = [n % count, Math.floor(n / count) % count, Math.floor(n / count ** 2)];
      const at = (c: number) => low.map((x) => x + c) as [number, number, number];
      return boxMesh(at(0), at(0.9));
    }),
  );
}

const foam = openCellFoam({ triangles: 12_000, seed: 3 });
const BODIES = [
  // Each needle passes half of the grid: what one cell gains by blocks, all pay for. 7 GB without a budget.
  named(
    'bundles of rods far apart, beside a slab',
    joinMeshes([
      ...Array.from({ length: 20 }, (_, i) =>
        rod(100, 1, 9000, 30 * (i % 5) + (i % 3) * 1000, 30 * Math.floor(i / 5)),
      ),
      boxMesh([-3000, -3000, -200], [9000, 9000, -100]),
    ]),
  ),
  // All faces of a column of boxes in one plane: no cell is so small that few meet it.
  named(
    'a lattice as flat as 8e-30',
    mapMesh(lattice(8), (x, y, z) => [x, y, z * 1e-30]),
  ),
  named(
    'a foam a hundredth of its box',
    joinMeshes([
      boxMesh([0, 0, 0], [1, 1, 1]),
      mapMesh(foam, (x, y, z) => [0.3 + x / 100, 0.4 + y / 100, 0.7 + z / 100]),
    ]),
  ),
  named(
    'many small bodies, far apart, beside a large one',
    joinMeshes([
      boxMesh([0, 0, 0], [1, 1, 1]),
      ...Array.from({ length: 12 }, (_, n) =>
        mapMesh(openCellFoam({ triangles: 1000, seed: n }), (x, y, z) =>
          [x, y, z].map((c, k) => c * 10 ** -(2 + (n % 3)) + 2 + ((n * (k + 3)) % 7)),
        ),
      ),
    ]),
  ),
];

/** What the constants allow per body: see BLOCK_WORK_PER_TRIANGLE and TABLE_BYTES_PER_TRIANGLE. */
const mostBytes = (triangles: number) =>
  LEAST_TABLE_BYTES + (TABLE_BYTES_PER_TRIANGLE + (60 / 250) * BLOCK_WORK_PER_TRIANGLE) * triangles;

describe.each(BODIES.map((mesh) => [mesh.name, mesh] as const))('%s', (_, mesh) => {
  it('keeps to its budget of bytes and of work, has the size of its estimate, and exact flags', async () => {
    const surface = localSurface(mesh);
    const { cell } = chooseResolution(surface, { largestBinding: 2 ** 27 });
    const tables = await buildCellGridInParts(surface, cell);
    expect(tables.bytes).toBeLessThan(mostBytes(mesh.triangleCount));
    const estimate = estimateCellGrid(mesh);
    expect(Math.abs(tables.bytes / estimate.tableBytes - 1)).toBeLessThan(0.2);
    expect(Math.abs(tables.pairCount / estimate.pairs - 1)).toBeLessThan(0.2);

    // Each pair of a block was made; those of refined cells are dropped again, one per level at most.
    const blocks = Array.from({ length: tables.blocks.length / 8 }, (_, n) => unpackBlock(tables.blocks, n));
    const cells = blocks.reduce((sum, { count }) => sum + count ** 3, 0);
    const pairs = blocks.reduce((sum, { firstWord, count }) => {
      const endWord = firstWord + Math.ceil(count ** 3 / CELLS_PER_WORD);
      const ranks = [tables.bases[firstWord]!, tables.bases[endWord] ?? tables.mixedCount];
      return sum + tables.starts[ranks[1]!]! - tables.starts[ranks[0]!]!;
    }, 0);
    const work = workOfBlock(cells, pairs) + (blocks.length - 1) * workOfBlock(0, 0);
    expect(work).toBeLessThanOrEqual(BLOCK_WORK_PER_TRIANGLE * mesh.triangleCount);

    const points = new Float32Array(3 * 1200);
    points.set(pointsOnSurface(mesh, 600, random));
    points.set(randomPoints(mesh, 600, random), 3 * 600);
    const body = await Polyhedron.create(undefined, mesh);
    const result = await body.classify(points);
    expect(result.tableBytes).toBe(tables.bytes);
    expect(differences(result.flags, exactFlags(mesh, points), points)).toEqual([]);
    body.destroy();
  });
});

it('shares of a cell whose triangles meet other cells too are no gain: one share each, whatever meets how many', () => {
  const surface = { ...localSurface(foam), shares: new Float64Array(foam.triangleCount).fill(1) };
  const corner = [0, 0, 0] as const;
  const cells = (share: number, budget: number) => cellsOfBlock({ surface, share }, corner, 1, budget);
  const all = foam.triangleCount;
  expect(cells(all, Infinity)).toBeGreaterThan(10);
  expect(cells(all / 1e4, Infinity)).toBe(1);
  expect(cells(all, workOfBlock(8, 2 * all))).toBeLessThan(cells(all, Infinity));
  expect(cells(all, 0)).toBe(1);
});

it('refining a cell takes no more than its budget, by the work of every block that was made', () => {
  const mesh = BODIES[2]!;
  const surface = localSurface(mesh);
  const shares = new Float64Array(mesh.triangleCount).fill(1);
  const grid = { origin: [0, 0, 0], cell: 1.25, counts: [16, 1, 1] } as const;
  const cell = { surface: { ...surface, shares }, cell: 0, rank: 0, share: mesh.triangleCount };
  class Watched extends BlockTables {
    work = 0;
    override add(...args: Parameters<BlockTables['add']>) {
      const { grid, part } = args[1];
      this.work += workOfBlock(grid.counts[0] ** 3, part.endPair);
      return super.add(...args);
    }
  }
  const maker = new Watched(Float32Array.of(0.001, 0.002, 0.003, 0));
  expect(refineCell(grid, cell, maker)).toBe(true);
  expect(maker.blocks.length).toBeGreaterThan(10);
  expect(maker.work).toBeLessThanOrEqual(BLOCK_WORK_PER_TRIANGLE * mesh.triangleCount);
});

describe('a signal stops the build', () => {
  const surface = localSurface(foam);
  const reason = new Error('enough');
  /** About a million pairs: several parts, and some time for each thread. */
  const FINE = 0.004;

  it('between parts of the calling thread', async () => {
    const cancel = new AbortController();
    let turns = 0;
    const ticks = setInterval(() => {
      if (++turns === 2) cancel.abort(reason);
    }, 0);
    const build = buildCellGridInParts(surface, FINE, { refine: false }, cancel.signal);
    await expect(build).rejects.toBe(reason);
    clearInterval(ticks);
    expect(turns).toBe(2);
  });

  it('on worker threads, which other builds find as they were', async () => {
    const pool = WorkerPool.get();
    // One core has no workers.
    if (pool === undefined) return;
    const cancel = new AbortController();
    const build = buildCellGridOnWorkers(surface, FINE, pool, { refine: false }, cancel.signal);
    cancel.abort(reason);
    await expect(build).rejects.toBe(reason);
    expect(pool.hasFailed).toBe(false);
    const tables = await buildCellGridOnWorkers(surface, 0.03, pool, {}, new AbortController().signal);
    expect(tables.pairCount).toBeGreaterThan(0);
  });

  it('in the middle of a task, by the word that threads share', () => {
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const grid = gridOver(surface, 0.03);
    const [nx, ny, nz] = grid.counts;
    const words = new Uint32Array((nx * ny * nz) / CELLS_PER_WORD);
    const room = { cells: new Uint32Array(16), triangles: new Uint32Array(16) };
    const runs = new Float32Array(runFloats(foam.triangleCount));
    const axes = flattestAxes(foam.box);
    const task = { surface, grid, words, shared: false, room, end: foam.triangleCount, stop, runs, axes };
    const run = (first: number) => runTask<OverlapsTask>({ kind: 'overlaps', ...task, first });
    expect(run(0).count).toBeGreaterThan(0);
    Atomics.store(stop, 0, 1);
    expect(() => run(0)).toThrow('stopped');
  });

  it('before it begins, from every call that builds', async () => {
    const body = await Polyhedron.create(undefined, foam);
    const signal = AbortSignal.abort(reason);
    await expect(body.save({ signal })).rejects.toBe(reason);
    await expect(body.classify(new Float32Array(3), { signal })).rejects.toBe(reason);
    const chunks = body.classifyStream([new Float32Array(3)], { signal });
    await expect(chunks.next()).rejects.toBe(reason);
    body.destroy();
  });
});
