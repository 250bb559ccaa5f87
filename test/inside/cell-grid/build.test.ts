import { describe, expect, it } from 'vitest';
import { LARGEST_FLOAT32 } from '../../../src/constants.ts';
import {
  buildCellGrid,
  buildCellGridInParts,
  buildCellGridOnWorkers,
  releaseTables,
} from '../../../src/inside/cell-grid/build.ts';
import {
  CELL_REFERENCE_PLACES,
  CELL_ROW_Y,
  CELL_ROW_Z,
  LEAST_CELL_MARGIN,
} from '../../../src/inside/cell-grid/constants.ts';
import { findOverlaps } from '../../../src/inside/cell-grid/overlap.ts';
import { PairList, roomForPairs } from '../../../src/inside/cell-grid/pairs.ts';
import { chooseResolution } from '../../../src/inside/cell-grid/resolution.ts';
import {
  bitCount,
  gridOver,
  mixedRank,
  PAIR_FLOATS,
  REFERENCE_FLOATS,
} from '../../../src/inside/cell-grid/tables.ts';
import { type ClassifyTask, runTask } from '../../../src/inside/cell-grid/tasks.ts';
import { DOUBTFUL } from '../../../src/inside/classification.ts';
import { ExactTest } from '../../../src/inside/exact.ts';
import { localSurface } from '../../../src/inside/surface.ts';
import { openCellFoam } from '../../../src/mesh/generate-foam.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { newParts } from '../../../src/workers/parts.ts';
import { WorkerPool } from '../../../src/workers/worker-pool.ts';
import { hold } from '../../support/hold.ts';
import { boxMesh, joinMeshes, randomPoints } from '../../support/shapes.ts';

const foam = openCellFoam({ triangles: 20_000, seed: 3 });
const surface = localSurface(foam);
const random = createRandom(41);

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array | Uint32Array) =>
  Buffer.from(buffer, byteOffset, byteLength);
/** Tables of which every byte counts. */
const NAMES = ['odd', 'nonzero', 'bases', 'references', 'starts', 'pairs', 'runs'] as const;
const codeOf = (words: Uint32Array, cell: number) => (words[cell >>> 4]! >>> ((cell & 15) << 1)) & 3;

describe('the tables', () => {
  const tables = buildCellGrid(surface, 0.03, { refine: false });
  const { grid, odd, bases, references, starts } = tables;
  const [nx, ny, nz] = grid.counts;

  // One core has no workers.
  const pool = WorkerPool.get();
  const builders = [
    ...(pool
      ? [['on worker threads', () => buildCellGridOnWorkers(surface, 0.03, pool, { refine: false })] as const]
      : []),
    ['in parts on one thread', () => buildCellGridInParts(surface, 0.03, { refine: false })] as const,
  ];
  it.each(builders)('are the same bit for bit when built %s', async (_, build) => {
    const parallel = await build();
    expect(parallel.pairs.buffer).not.toBe(tables.pairs.buffer);
    for (const name of NAMES) {
      expect(Buffer.compare(bytesOf(parallel[name]), bytesOf(tables[name])), name).toBe(0);
    }
    const others = Object.fromEntries(NAMES.map((name) => [name, 0]));
    expect({ ...parallel, ...others }).toEqual({ ...tables, ...others });
  });

  it('are the same bit for bit in memory that another body has left behind', async () => {
    const pool = WorkerPool.get();
    for (const build of [
      async () => buildCellGrid(surface, 0.03),
      async () => (pool ? buildCellGridOnWorkers(surface, 0.03, pool) : buildCellGrid(surface, 0.03)),
    ]) {
      const left = await build();
      for (const name of NAMES) new Uint8Array(left[name].buffer).fill(0xa5);
      const buffers = new Set<unknown>(NAMES.map((name) => left[name].buffer));
      releaseTables(left);
      const again = await build();
      for (const name of NAMES) {
        expect(buffers).toContain(again[name].buffer);
        expect(Buffer.compare(bytesOf(again[name]), bytesOf(tables[name])), name).toBe(0);
      }
    }
  });

  it('tell of every cell without triangles whether it is inside, as exact predicates do', () => {
    const exact = new ExactTest(foam);
    let tested = 0;
    for (let cell = 0; cell < nx * ny * nz; cell += 7) {
      const code = codeOf(odd, cell);
      if (code >= 2) continue;
      const [i, j, k] = [cell % nx, Math.floor(cell / nx) % ny, Math.floor(cell / (nx * ny))];
      const at = (c: number, axis: number) => Math.fround(grid.origin[axis]! + (c + random()) * grid.cell);
      expect(exact.flag(at(i, 0), at(j, 1), at(k, 2), 'odd')).toBe(code);
      tested++;
    }
    expect(tested).toBeGreaterThan(1000);
  });

  it('hold for every mixed cell a reference inside it with its exact winding', () => {
    const exact = new ExactTest(foam);
    let rank = 0;
    for (let cell = 0; cell < nx * ny * nz; cell++) {
      if (codeOf(odd, cell) < 2) continue;
      expect(mixedRank(odd, bases, cell)).toBe(rank);
      const [x, y, z, winding] = references.subarray(REFERENCE_FLOATS * rank, REFERENCE_FLOATS * (rank + 1));
      const [i, j, k] = [cell % nx, Math.floor(cell / nx) % ny, Math.floor(cell / (nx * ny))];
      const place = (p: number, axis: number) => (p - grid.origin[axis]!) / grid.cell;
      expect([place(x!, 0), place(y!, 1), place(z!, 2)].map(Math.floor)).toEqual([i, j, k]);
      if (rank % 13 === 0) expect(exact.flag(x!, y!, z!, 'odd')).toBe(winding! & 1);
      expect(starts[rank + 1]! - starts[rank]!).toBeGreaterThan(0);
      rank++;
    }
    expect(rank).toBe(tables.mixedCount);
    expect(starts[rank]).toBe(tables.pairCount);
  });
});

describe('overlaps', () => {
  it('miss no cell that a triangle passes through', () => {
    const grid = gridOver(surface, 0.017);
    const [nx, ny] = grid.counts;
    const pairs = new PairList(roomForPairs(16, false));
    findOverlaps(foam, grid, 0, foam.triangleCount, pairs);
    const found = new Set<number>();
    for (let p = 0; p < pairs.count; p++)
      found.add(pairs.cells[p]! * foam.triangleCount + pairs.triangles[p]!);
    for (let n = 0; n < 100_000; n++) {
      const t = Math.floor(random() * foam.triangleCount);
      const w = [random(), random(), random()];
      const sum = w[0]! + w[1]! + w[2]!;
      const c = [0, 1, 2].map((k) => {
        const x = w.reduce(
          (s, wi, i) => s + (wi / sum) * foam.positions[3 * foam.indices[3 * t + i]! + k]!,
          0,
        );
        return Math.floor((x - grid.origin[k]!) / grid.cell);
      });
      const isFound = found.has(((c[2]! * ny + c[1]!) * nx + c[0]!) * foam.triangleCount + t);
      hold(isFound, () => `triangle ${t} passes through cell ${c}`);
    }
  });

  it('make room for what a slanted face overlaps, not for its box of cells', () => {
    const slanted = new TriangleMesh({
      positions: Float32Array.of(0.01, 0.02, 0.03, 0.98, 0.31, 0.62, 0.27, 0.97, 0.99, 0.4, 0.4, 0.38),
      indices: Uint32Array.of(0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0),
    });
    const mesh = localSurface(slanted);
    const n = 600;
    const pairs = new PairList(roomForPairs(16, false));
    findOverlaps(mesh, gridOver(mesh, 1 / n), 0, 4, pairs);
    expect(pairs.count).toBeGreaterThan(n ** 2);
    // A list grows by 1.6 at a time.
    expect(pairs.cells.length).toBeLessThan(1.7 * pairs.count);
  });

  it('are the same in large boxes, where the plane is followed row by row, as cell by cell', () => {
    const n = 20;
    const cell = 1 / n;
    const near = new PairList(roomForPairs(32, false));
    for (let round = 0; round < 60; round++) {
      // Of every third face one or two normals' components are 0.
      const flat = [1, 1, 1].map((x, k) => (round % 3 === 0 && k === (round / 3) % 3 ? 0 : x));
      const positions = Float32Array.from({ length: 9 }, (_, i) => 0.5 + (random() - 0.5) * flat[i % 3]!);
      const indices = Uint32Array.of(0, 1, 2);
      const whole = new PairList(roomForPairs(16, false));
      findOverlaps({ positions, indices }, { origin: [0, 0, 0], cell, counts: [n, n, n] }, 0, 1, whole);
      const found = new Set(whole.cells.subarray(0, whole.count));
      expect(found.size).toBe(whole.count);
      for (let at = 0; at < n ** 3; at++) {
        const [i, j, k] = [at % n, Math.floor(at / n) % n, Math.floor(at / n ** 2)];
        // With its neighbours, so that the face's box is not cut to one cell, which is taken without a look.
        near.count = 0;
        const origin = [(i - 1) * cell, (j - 1) * cell, (k - 1) * cell] as const;
        findOverlaps({ positions, indices }, { origin, cell, counts: [3, 3, 3] }, 0, 1, near);
        if (near.cells.subarray(0, near.count).includes(13) !== found.has(at)) {
          expect.fail(`round ${round}, cell ${i} ${j} ${k}`);
        }
      }
    }
  });

  it('are as many as a lattice in any position has on average, within 5 %', () => {
    for (const mesh of [surface, localSurface(unitSphere(5))]) {
      for (const cellsPerAxis of [20, 60, 150]) {
        const { cell, expectedPairs } = chooseResolution(mesh, { cellsPerAxis, largestBinding: 1e9 });
        const pairs = new PairList(roomForPairs(16, false));
        findOverlaps(mesh, gridOver(mesh, cell), 0, mesh.triangleCount, pairs);
        // Cells are grown by the margin on all sides; the rest is the lattice's position.
        expect(pairs.count / expectedPairs).toBeGreaterThan(0.95);
        expect(pairs.count / expectedPairs).toBeLessThan(1.05 + 8 * LEAST_CELL_MARGIN);
      }
    }
  });
});

describe('the resolution', () => {
  it('grows with the triangles and keeps every limit', () => {
    const counts = [2, 4, 6].map((k) => {
      const sphere = localSurface(unitSphere(k));
      return 2 / chooseResolution(sphere, { largestBinding: 128 << 20 }).cell;
    });
    expect(counts[0]!).toBeLessThan(counts[1]!);
    expect(counts[1]!).toBeLessThan(counts[2]!);
    const large = localSurface(unitSphere(6));
    const { cell, expectedPairs } = chooseResolution(large, { largestBinding: 1 << 16 });
    const [nx, ny, nz] = gridOver(large, cell).counts;
    expect((8 * nx * ny * nz) / 16).toBeLessThanOrEqual(1 << 16);
    expect(4 * REFERENCE_FLOATS * Math.min(nx * ny * nz, expectedPairs)).toBeLessThanOrEqual(1 << 16);
  });

  it('names the limit that a wanted one goes beyond', () => {
    const choose = (cellsPerAxis: number, largestBinding: number) => () =>
      chooseResolution(surface, { cellsPerAxis, largestBinding });
    expect(choose(4000, 2 ** 27)).toThrow(/^cellsPerAxis 4000: \d+ cells, expected at most 268435456$/);
    expect(choose(200, 1e6)).toThrow(
      /^cellsPerAxis 200: statuses of about \d{7} bytes, expected at most 1000000$/,
    );
    expect(choose(40, 1e5)).toThrow(
      /^cellsPerAxis 40: references of about \d{6,7} bytes, expected at most 100000$/,
    );
    const huge = { ...surface, triangleCount: 2 ** 27 };
    expect(() => chooseResolution(huge, { largestBinding: 2 ** 27 })).toThrow(
      /: cell grid: pairs of about \d{10} bytes, expected at most 4294967296$/,
    );
  });

  it('obeys cellsPerAxis and refuses what is out of range', () => {
    const { cell } = chooseResolution(surface, { cellsPerAxis: 50, largestBinding: 1e9 });
    expect(Math.max(...gridOver(surface, cell).counts.slice(1))).toBe(50);
    for (const cellsPerAxis of [0, 2.5, 4096, Number.NaN]) {
      expect(() => chooseResolution(surface, { cellsPerAxis, largestBinding: 1e9 })).toThrow(
        /cellsPerAxis is .*, expected an integer from 1 to 4095/,
      );
    }
  });
});

describe('bad references and bad surfaces', () => {
  it('faces through every candidate reference make the cell doubtful, not wrong', () => {
    // Plates across x at the very places where the reference of a grid's only cell may lie: in the plane of one,
    // whichever it is.
    const size = 4;
    const { cell } = gridOver(localSurface(boxMesh([0, 0, 0], [1, 1, 1])), size);
    const plates = CELL_REFERENCE_PLACES.map((place) => {
      const x = Math.fround(place * cell);
      return boxMesh([x, 0, 0], [Math.fround(x + 0.01), 3.5, 3.5]);
    });
    const mesh = joinMeshes([boxMesh([0, 0, 0], [0.01, 3.5, 3.5]), ...plates]);
    const body = localSurface(mesh);
    const tables = buildCellGrid(body, size);
    expect(tables.mixedCount).toBe(1);
    const bounds = Array.from({ length: tables.pairCount }, (_, p) => tables.pairs[PAIR_FLOATS * p + 9]!);
    // The two triangles of one plate's side.
    expect(bounds.filter((bound) => bound === LARGEST_FLOAT32)).toHaveLength(2);
    const flags = new Uint8Array(300);
    const points = randomPoints(mesh, 300, random, -0.01);
    const { box, frame } = body;
    const task = { tables, box, frame, points, rule: 'odd', flags, ...newParts(300, 300) } as const;
    const { done, doubtful } = runTask<ClassifyTask>({ kind: 'classify', ...task });
    expect([done, doubtful.length]).toEqual([300, 300]);
    expect(flags.every((flag) => flag === DOUBTFUL)).toBe(true);
    // A cell of which one reference is clear is certain of nearly all: the bound is that of the planes, not of the
    // cell.
    const clear = buildCellGrid(localSurface(joinMeshes([plates[0]!, plates[1]!])), size);
    expect(clear.pairs).not.toContain(LARGEST_FLOAT32);
  });

  describe('a row of references that passes a surface where float64 cannot tell', () => {
    const hull = boxMesh([0, 0, 0], [1, 1, 1]);
    const chosen = chooseResolution(localSurface(hull), { cellsPerAxis: 5, largestBinding: 1e9 });
    const { origin, cell } = gridOver(localSurface(hull), chosen.cell);
    const y = Math.fround(origin[1] + (1 + CELL_ROW_Y) * cell);
    const z = Math.fround(origin[2] + (1 + CELL_ROW_Z) * cell);
    const [dy, dz] = [2 ** -5, 2 ** -6];
    // The line and the edge's ends lie between the same two powers of two, so that the line is exactly in their middle.
    const wedge = {
      positions: [
        ...[0.3, y - dy, z - dz, 0.4, y + dy, z + dz],
        ...[0.7, y + 0.1, z - 0.1, 0.6, y - 0.1, z + 0.1],
      ],
      indices: [0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2],
    };
    // Seen along x, the face is as thin as float32 allows around the line: Fibonacci numbers of spacings, whose
    // neighbours' products differ by one.
    const blade = {
      positions: [
        [0.1, 832040, 1346269],
        [0.9, -1346269, -2178309],
        [0.5, 514229, 832040],
      ].flatMap(([x, u, v]) => [x!, y + u! * 2 ** -25, z + v! * 2 ** -25]),
      indices: [0, 1, 2, 2, 1, 0],
    };
    const sphere = unitSphere(1);
    const corners = {
      positions: [...sphere.positions].map((c, i) => [0.5 + 0.3 * c, y + 0.2 * c, z + 0.2 * c][i % 3]!),
      indices: [...sphere.indices],
    };
    const cases = [
      { what: 'edges', part: wedge, nearReferences: 0 },
      { what: 'a steep face', part: blade, nearReferences: 2 },
      { what: 'corners', part: corners, nearReferences: 0 },
    ];
    it.each(cases)('$what', ({ part, nearReferences }) => {
      const body = new TriangleMesh({
        positions: Float32Array.from(part.positions),
        indices: Uint32Array.from(part.indices),
      });
      const mesh = joinMeshes([hull, body]);
      const tables = buildCellGrid(localSurface(mesh), chosen.cell, { refine: false });
      expect(tables.settledExactly).toBe(nearReferences);
      const exact = new ExactTest(mesh);
      for (let rank = 0; rank < tables.mixedCount; rank++) {
        const [x, y, z, winding] = tables.references.subarray(4 * rank, 4 * rank + 4);
        const flag = exact.flag(x!, y!, z!, 'nonzero');
        // A reference on the surface makes all points of its cell doubtful.
        if (flag < 2) expect(flag, `reference ${rank}`).toBe(winding === 0 ? 0 : 1);
      }
    });
  });

  it('a surface that is not closed is found by a row that does not end outside, with its place', () => {
    const cube = boxMesh([0, 0, 0], [1, 1, 1], 'open cube');
    const open = new TriangleMesh({
      positions: cube.positions,
      indices: cube.indices.slice(6),
      name: cube.name,
    });
    const sides = [0, 1, 2].map((turn) => {
      const positions = open.positions.map(
        (_, i) => open.positions[3 * Math.floor(i / 3) + ((i + turn) % 3)]!,
      );
      return new TriangleMesh({ positions, indices: open.indices, name: open.name });
    });
    // The missing face is across x for one of the turns: rows along x see it.
    expect(() => {
      for (const side of sides) buildCellGrid(localSurface(side), 0.1);
    }).toThrow(/^open cube: the surface is not closed: the line y = [\d.]+, z = [\d.]+ enters/);
  });
});

it('bits are counted', () => {
  for (const [bits, count] of [
    [0, 0],
    [1, 1],
    [0xaaaaaaaa, 16],
    [-1, 32],
    [0x80000001, 2],
  ] as const) {
    expect(bitCount(bits)).toBe(count);
  }
});
