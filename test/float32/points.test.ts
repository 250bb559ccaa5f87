/**
 * Bounds of the cell grid and of ray crossing against exact arithmetic, where WGSL draws its rounding, fusing and
 * order at random. Each bound holds, and the one for rounding to nearest that it replaced is caught.
 */
import { describe, expect, it } from 'vitest';
import { SEGMENT_ERROR, SEGMENT_ERROR_CONSTANT } from '../../src/inside/cell-grid/constants.ts';
import { fillCells } from '../../src/inside/cell-grid/segments.ts';
import {
  cellMargin,
  cellNumberError,
  type GridShape,
  PAIR_FLOATS,
  REFERENCE_FLOATS,
} from '../../src/inside/cell-grid/tables.ts';
import { RAY_SLOPE_Y, RAY_SLOPE_Z, SHEAR_ERROR } from '../../src/inside/ray-crossing/constants.ts';
import {
  buildRayCrossingTables,
  TRIANGLE_FLOATS,
  TriangleFloat,
} from '../../src/inside/ray-crossing/tables.ts';
import { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { Exact } from '../support/exact-number.ts';
import type { DrawnFloat32, Term } from '../support/float32-emulation.ts';
import { type Drawn, worstRatio } from '../support/worst-ratio.ts';

const f = Math.fround;
/** Unit roundoff, what an operation was taken to be off by before. */
const ROUNDOFF = 2 ** -24;

type Vec3 = readonly [number, number, number];

const vector = (component: (k: number) => number): Vec3 => [component(0), component(1), component(2)];
/** A float32 number between two. */
const between = (draw: DrawnFloat32, low: number, high: number) => f(low + draw.random() * (high - low));
/** A number hardly above a power of two, where spacings are largest. */
const hardly = (draw: DrawnFloat32, power: number) => power * (1 + 2 ** -10 * draw.random());
/** Next to nothing: added to a sum and rounded away from 0 it moves the sum by a whole spacing. */
const tiny = (draw: DrawnFloat32) => 2 ** -16 * draw.random();

describe('the number of a cell', () => {
  it('is within the bound, which three roundings to nearest are not', () => {
    const worst = worstRatio(2000, (draw) => {
      const count = 1 + Math.floor(draw.random() * 4095);
      const cell = f(10 ** (4 * draw.random() - 2));
      const origin = f(cell * count * (2 * draw.random() - 1));
      const p = f(origin + count * cell * (draw.random() < 0.5 ? 1 : draw.random()));
      // As in cell-look-up.wgsl: (x - origin) * inverse.
      const found = draw.mul(draw.sub(p, origin), f(1 / cell));
      const exact = Exact.of(p).minus(Exact.of(origin)).over(Exact.of(cell));
      const grid: GridShape = { origin: [0, 0, 0], cell, counts: [count, 1, 1] };
      const bound = cellNumberError(grid);
      expect(cellMargin(grid)).toBeGreaterThan(bound);
      return [{ found, exact, bound: bound * Math.max(1, exact.value / count) }];
    });
    expect(worst).toBeGreaterThan((3 * ROUNDOFF) / (2.51 * 2 ** -23));
  });
});

describe('the segment test of a cell', () => {
  // References come to lie near 0, so that p - r is rounded.
  const GRID: GridShape = { origin: [-2.1, -1.9, -2.2].map(f) as never, cell: 4, counts: [16, 1, 1] };

  it('is within the bound, which that of rounding to nearest is not', () => {
    let caught = 0;
    worstRatio(1200, (draw) => {
      const hard = draw.random() < 0.5;
      const { corners, p } = hard ? hardCase(draw) : anyCase(draw);
      const { pair, reference } = pairOf(corners);
      if (Math.abs(pair[9]!) > 1) return [];
      const d = vector((k) => draw.sub(p[k]!, reference[k]!));
      const terms = [0, 3, 6].map((row) => d.map((x, k): Term => [pair[row + k]!, x]));
      const b = terms.map((row) => draw.sum(...row));
      // b0 + b1 + b2 - 1, of the numbers as they were found, or all nine products in any order.
      const largestFirst = terms
        .flatMap((row, i) => [row[i]!])
        .concat(terms.flatMap((row, i) => row.filter((_, k) => k !== i)));
      const orders = [
        () => draw.sum(...b, -1),
        () => draw.sum(...terms.flat(), -1),
        () => draw.inOrder(...largestFirst, -1),
      ];
      const beyond = orders[Math.floor(3 * draw.random())]!();
      const { numbers, terms: reach } = exactNumbers(corners, reference, p);
      const bound = SEGMENT_ERROR * reach + SEGMENT_ERROR_CONSTANT;
      expect(Math.abs(pair[9]!)).toBeGreaterThan(bound * (1 - 2 ** -23));
      const error = Math.abs(Exact.of(beyond).minus(numbers[3]!).value);
      if (error > 7.6 * ROUNDOFF * reach + 1.1 * ROUNDOFF) caught++;
      return [...b, beyond].map((found, i): Drawn => ({ found, exact: numbers[i]!, bound }));
    });
    expect(caught).toBeGreaterThan(10);
  });

  /** Row and bound of the pair of a triangle and the first cell of the grid. */
  function pairOf(corners: readonly Vec3[]) {
    const surface = { positions: Float32Array.from(corners.flat()), indices: Uint32Array.of(0, 1, 2) };
    const reference = new Float32Array(REFERENCE_FLOATS);
    const pair = new Float32Array(PAIR_FLOATS);
    const groups = { cellOf: Uint32Array.of(0), grouped: Uint32Array.of(0) };
    const ends = { endRow: 1, endCell: 16, endMixed: 1, endPair: 1 };
    const part = { firstRow: 0, firstCell: 0, firstMixed: 0, firstPair: 0, ...ends };
    fillCells(surface, GRID, groups, part, Uint32Array.of(0, 1), reference, pair);
    return { pair, reference: vector((k) => reference[k]!) };
  }

  /** A triangle about the cell and a point that may be taken for the cell's. */
  function anyCase(draw: DrawnFloat32) {
    const { origin, cell } = GRID;
    const size = cell * 10 ** (2 * draw.random() - 1.5);
    const middle = vector((k) => origin[k]! + draw.random() * cell);
    const corners = [0, 1, 2].map(() => vector((k) => between(draw, middle[k]! - size, middle[k]! + size)));
    const margin = cellMargin(GRID) * cell;
    return { corners, p: vector((k) => between(draw, origin[k]! - margin, origin[k]! + cell + margin)) };
  }

  /** Corners along the axes from the reference, so that b is near 2, 2, 2, with tiny terms beside. */
  function hardCase(draw: DrawnFloat32) {
    draw.lean();
    const { reference } = pairOf([0, 1, 2].map((i) => vector((k) => GRID.origin[k]! + (i === k ? 1 : 0.1))));
    const corners = [0, 1, 2].map((i) =>
      vector((k) => f(reference[k]! + (i === k ? 1 / hardly(draw, 2) : -tiny(draw) / 2))),
    );
    return { corners, p: vector((k) => f(reference[k]! + hardly(draw, 1))) };
  }

  /** b0, b1, b2 and b0 + b1 + b2 - 1 of p - r = b0 (a - r) + b1 (b - r) + b2 (c - r), and the sum of R |p - r|. */
  function exactNumbers(corners: readonly Vec3[], r: Vec3, p: Vec3) {
    const origin = Exact.vector(r);
    const [a, b, c] = corners.map((corner) => Exact.difference(Exact.vector(corner), origin)) as Exact[][];
    const d = Exact.difference(Exact.vector(p), origin);
    const determinant = Exact.dot(a!, Exact.cross(b!, c!));
    const sides = [
      [b!, c!],
      [c!, a!],
      [a!, b!],
    ] as const;
    const numbers = sides.map(([u, v]) => Exact.dot(Exact.cross(u, v), d).over(determinant));
    const sum = numbers.reduce((total, x) => total.plus(x)).minus(Exact.of(1));
    let terms = 0;
    for (const [u, v] of sides) {
      for (let k = 0; k < 3; k++) {
        const [i, j] = [(k + 1) % 3, (k + 2) % 3];
        const products = Math.abs(u[i]!.value * v[j]!.value) + Math.abs(u[j]!.value * v[i]!.value);
        terms += (products * Math.abs(d[k]!.value)) / Math.abs(determinant.value);
      }
    }
    return { numbers: [...numbers, sum], terms };
  }
});

describe('the crossing test of a ray', () => {
  it('is within the bound, which that of rounding to nearest is not', () => {
    const worst = worstRatio(1200, (draw) => {
      const { positions, p } = draw.random() < 0.5 ? hardCase(draw) : anyCase(draw);
      const mesh = new TriangleMesh({ positions, indices: Uint32Array.of(0, 1, 2) });
      const { triangles } = buildRayCrossingTables(mesh, { frame: { axes: [0, 1, 2], scale: 1 } });
      const t = triangles.subarray(0, TRIANGLE_FLOATS);
      // Steep triangles have a region in place of rows.
      const constant = Math.abs(t[TriangleFloat.signedConstant]!);
      if (constant > 0.1) return [];
      const d = vector((k) => draw.sub(p[k]!, t[k]!));
      const row = (at: number, sign = 1) => d.map((x, k): Term => [sign * t[at + k]!, x]);
      const [b1, b2, s] = [TriangleFloat.rowB1, TriangleFloat.rowB2, TriangleFloat.rowT].map((at) =>
        draw.sum(...row(at)),
      ) as [number, number, number];
      const b0 =
        draw.random() < 0.5
          ? draw.sum(1, -b1, -b2)
          : draw.sum(1, ...row(TriangleFloat.rowB1, -1), ...row(TriangleFloat.rowB2, -1));
      const distances = vector((k) => Math.abs(p[k]! - t[k]!));
      const bound = distances.reduce((sum, x, k) => sum + t[TriangleFloat.bound + k]! * x, constant);
      const exact = exactNumbers(positions, p, t);
      return [b1, b2, b0, s].map((found, i): Drawn => ({ found, exact: exact[i]!, bound }));
    });
    expect(worst).toBeGreaterThan((7.2 * ROUNDOFF) / (8.7 * 2 ** -23));
  });

  function anyCase(draw: DrawnFloat32) {
    const size = 10 ** (-3 * draw.random());
    const middle = vector(() => 2 * draw.random() - 1);
    const positions = Float32Array.from(
      { length: 9 },
      (_, i) => middle[i % 3]! + size * (2 * draw.random() - 1),
    );
    const away = size * 10 ** (2 * draw.random() - 1);
    return { positions, p: vector((k) => f(middle[k]! + away * (2 * draw.random() - 1))) };
  }

  /** A triangle across the ray, so that b1 and b2 are near 16 or -16, with tiny terms beside. */
  function hardCase(draw: DrawnFloat32) {
    draw.lean();
    const corner = vector(() => tiny(draw));
    const [u, v] = [1, 2].map((i) => vector((k) => (i === k ? 1 / hardly(draw, 16) : tiny(draw) / 16)));
    const positions = Float32Array.from(
      [corner, u!, v!].flatMap((x, i) => x.map((y, k) => (i && corner[k]!) + y)),
    );
    const side = draw.random() < 0.5 ? -1 : 1;
    return { positions, p: vector((k) => f(corner[k]! + (k === 0 ? tiny(draw) : side * hardly(draw, 1)))) };
  }

  /** b1, b2, 1 - b1 - b2 and t of p + t d = a + b1 u + b2 v, t in the units of the table. */
  function exactNumbers(positions: Float32Array, p: Vec3, t: Float32Array): Exact[] {
    const [a, b, c] = [0, 3, 6].map((at) => Exact.vector(positions.subarray(at, at + 3))) as [
      Exact[],
      Exact[],
      Exact[],
    ];
    const [u, v, d] = [Exact.difference(b, a), Exact.difference(c, a), Exact.difference(Exact.vector(p), a)];
    const ray = Exact.vector([1, RAY_SLOPE_Y, RAY_SLOPE_Z]);
    const normal = Exact.cross(u, v);
    const along = Exact.dot(normal, ray);
    const b1 = Exact.dot(Exact.cross(v, ray), d).over(along);
    const b2 = Exact.dot(Exact.cross(ray, u), d).over(along);
    // The table has t times a power of two.
    const k = [0, 1, 2].reduce(
      (best, i) =>
        Math.abs(t[TriangleFloat.rowT + i]!) > Math.abs(t[TriangleFloat.rowT + best]!) ? i : best,
      0,
    );
    const unit =
      2 ** Math.round(Math.log2(Math.abs((t[TriangleFloat.rowT + k]! * along.value) / normal[k]!.value)));
    const distance = Exact.dot(normal, d).over(along).times(Exact.of(-unit));
    return [b1, b2, Exact.of(1).minus(b1).minus(b2), distance];
  }

  it('passes the box of a cluster wherever rounding shears a point to', () => {
    const worst = worstRatio(1200, (draw) => {
      const largest = 10 ** (2 * draw.random());
      const [x, y, cx, cy] = [0, 0, 0, 0].map(() => between(draw, -largest, largest)) as [number, ...Vec3];
      const slope = draw.random() < 0.5 ? RAY_SLOPE_Y : RAY_SLOPE_Z;
      // (y - cy) - slope * (x - cx).
      const found = draw.sum(y, -cy, [-slope, draw.sub(x, cx)]);
      const along = Exact.of(slope).times(Exact.of(x).minus(Exact.of(cx)));
      return [{ found, exact: Exact.of(y).minus(Exact.of(cy)).minus(along), bound: SHEAR_ERROR * largest }];
    });
    expect(worst).toBeGreaterThan(0.4);
  });
});
