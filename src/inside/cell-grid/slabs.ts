/**
 * Slabs of mixed cells: between two parallel planes lies all of the surface that passes the cell. Points of the cell
 * before the slab have one winding number and points behind it have one, so most points of mixed cells take a product
 * of vectors in place of a test against each triangle. Bounds are derived in docs/cell-grid.md, "Slabs".
 */
import { BLOCK_WORDS, unpackBlock } from './block-table.ts';
import {
  FLOAT64_SHARE,
  SLAB_CORNER_ERROR,
  SLAB_DETERMINANT,
  SLAB_LARGEST_BOUND,
  SLAB_ROUNDING,
} from './constants.ts';
import { type CellGridTables, PAIR_FLOATS, REFERENCE_FLOATS, REFINED } from './tables.ts';

/**
 * Floats of a slab: its normal x, y, z, the places along the normal where it begins and ends, the winding numbers
 * before and behind it (NaN where not known), and one that is free.
 */
export const SLAB_FLOATS = 8;

/** How far inside its cell the point lies that stands for a side: more than its rounding to float32 moves it. */
const INSET = 1 / 64;

/** In place of a winding number that rounding leaves open. No winding is as large. */
export const UNKNOWN_WINDING = 2 ** 30;

/** A grid, or a block of one, with the rank of its first mixed cell. */
interface Cells {
  readonly origin: readonly [number, number, number];
  readonly cell: number;
  readonly firstRank: number;
}

/** The winding number at a point of a cell that has this slab; NaN if the slab does not tell. */
export function windingBySlab(slabs: Float32Array, rank: number, x: number, y: number, z: number): number {
  const s = SLAB_FLOATS * rank;
  const place = slabs[s]! * x + slabs[s + 1]! * y + slabs[s + 2]! * z;
  const isBehind = place > slabs[s + 4]!;
  return isBehind || place < slabs[s + 3]! ? slabs[s + 5 + Number(isBehind)]! : Number.NaN;
}

/** Makes slabs of the mixed cells of a body. */
export class SlabMaker {
  readonly #tables: CellGridTables;
  /** The grid, then its blocks. */
  readonly #grids: readonly Cells[];
  /** Corners of a cell's triangles, about its reference. */
  #corners = new Float64Array(9 * 64);
  /** A point near a corner of the cell. */
  readonly #corner = new Float32Array(3);

  constructor(tables: CellGridTables) {
    this.#tables = tables;
    const { grid, bases, blocks } = tables;
    const finer = Array.from({ length: blocks.length / BLOCK_WORDS }, (_, n) => {
      const { origin, cell, firstWord } = unpackBlock(blocks, n);
      return { origin, cell, firstRank: bases[firstWord]! };
    });
    this.#grids = [{ ...grid, firstRank: 0 }, ...finer];
  }

  /** Writes the slab of a mixed cell as number `at` of `slabs`. */
  write(rank: number, slabs: Float32Array, at: number): void {
    const { references } = this.#tables;
    const s = SLAB_FLOATS * at;
    // Until more is known, no point is outside the slab.
    slabs.fill(0, s, s + SLAB_FLOATS);
    slabs[s + 3] = -Infinity;
    slabs[s + 4] = Infinity;
    const r = REFERENCE_FLOATS * rank;
    if (references[r + 3] === REFINED || !this.#writePlanes(rank, slabs, s)) return;
    const { origin, cell } = this.#gridOf(rank);
    const x = references[r]!;
    const y = references[r + 1]!;
    const z = references[r + 2]!;
    // References lie well inside their cells.
    const cornerX = origin[0] + Math.floor((x - origin[0]) / cell) * cell;
    const cornerY = origin[1] + Math.floor((y - origin[1]) / cell) * cell;
    const cornerZ = origin[2] + Math.floor((z - origin[2]) / cell) * cell;
    const placeOf = (px: number, py: number, pz: number) =>
      slabs[s]! * px + slabs[s + 1]! * py + slabs[s + 2]! * pz;
    const place = placeOf(x, y, z);
    // A point near the corner that lies farthest on a side stands for that side, unless the reference lies there.
    for (const side of [0, 1]) {
      const isBeyond = (at: number) => (side === 0 ? at < slabs[s + 3]! : at > slabs[s + 4]!);
      const farthest = (k: number) => (slabs[s + k]! > 0 === (side === 1) ? 1 - INSET : INSET) * cell;
      const q = this.#corner;
      q[0] = cornerX + farthest(0);
      q[1] = cornerY + farthest(1);
      q[2] = cornerZ + farthest(2);
      let winding = UNKNOWN_WINDING;
      if (isBeyond(place)) winding = references[r + 3]!;
      else if (isBeyond(placeOf(q[0]!, q[1]!, q[2]!))) winding = windingByPairs(this.#tables, rank, q, 0);
      slabs[s + 5 + side] = winding === UNKNOWN_WINDING ? Number.NaN : winding;
    }
  }

  /** Writes normal and planes. False if rounding leaves too much open. */
  #writePlanes(rank: number, slabs: Float32Array, s: number): boolean {
    const { references, starts, pairs } = this.#tables;
    const from = PAIR_FLOATS * starts[rank]!;
    const end = PAIR_FLOATS * starts[rank + 1]!;
    const count = (9 * (end - from)) / PAIR_FLOATS;
    if (count > this.#corners.length) this.#corners = new Float64Array(2 * count);
    const corners = this.#corners;
    let normalX = 0;
    let normalY = 0;
    let normalZ = 0;
    let slack = 0;
    for (let p = from, c = 0; p < end; p += PAIR_FLOATS, c += 9) {
      // The rows are the inverse of the corners about the reference: cross products of rows are corners times det.
      const ax = pairs[p]!;
      const ay = pairs[p + 1]!;
      const az = pairs[p + 2]!;
      const bx = pairs[p + 3]!;
      const by = pairs[p + 4]!;
      const bz = pairs[p + 5]!;
      const cx = pairs[p + 6]!;
      const cy = pairs[p + 7]!;
      const cz = pairs[p + 8]!;
      const bound = Math.abs(pairs[p + 9]!);
      const rowA = Math.abs(ax) + Math.abs(ay) + Math.abs(az);
      const rowB = Math.abs(bx) + Math.abs(by) + Math.abs(bz);
      const rowC = Math.abs(cx) + Math.abs(cy) + Math.abs(cz);
      const rows = rowA + rowB + rowC;
      const ux = by * cz - bz * cy;
      const uy = bz * cx - bx * cz;
      const uz = bx * cy - by * cx;
      const det = ax * ux + ay * uy + az * uz;
      if (!(bound <= SLAB_LARGEST_BOUND && rows * rows * rows <= SLAB_DETERMINANT * Math.abs(det)))
        return false;
      const inverse = 1 / det;
      const x0 = ux * inverse;
      const y0 = uy * inverse;
      const z0 = uz * inverse;
      const x1 = (cy * az - cz * ay) * inverse;
      const y1 = (cz * ax - cx * az) * inverse;
      const z1 = (cx * ay - cy * ax) * inverse;
      const x2 = (ay * bz - az * by) * inverse;
      const y2 = (az * bx - ax * bz) * inverse;
      const z2 = (ax * by - ay * bx) * inverse;
      corners[c] = x0;
      corners[c + 1] = y0;
      corners[c + 2] = z0;
      corners[c + 3] = x1;
      corners[c + 4] = y1;
      corners[c + 5] = z1;
      corners[c + 6] = x2;
      corners[c + 7] = y2;
      corners[c + 8] = z2;
      normalX += (y1 - y0) * (z2 - z0) - (z1 - z0) * (y2 - y0);
      normalY += (z1 - z0) * (x2 - x0) - (x1 - x0) * (z2 - z0);
      normalZ += (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0);
      const first = Math.abs(x0) + Math.abs(y0) + Math.abs(z0);
      const second = Math.abs(x1) + Math.abs(y1) + Math.abs(z1);
      const third = Math.abs(x2) + Math.abs(y2) + Math.abs(z2);
      slack = Math.max(slack, bound * (first + second + third));
    }
    const length = Math.sqrt(normalX * normalX + normalY * normalY + normalZ * normalZ);
    // Opposite sheets may cancel each other.
    if (!(length > 0)) return false;
    // Rounded first: any direction will do, but it has to be the one that points are asked along.
    const nx = Math.fround(normalX / length);
    const ny = Math.fround(normalY / length);
    const nz = Math.fround(normalZ / length);
    let low = Infinity;
    let high = -Infinity;
    for (let c = 0; c < count; c += 3) {
      const place = nx * corners[c]! + ny * corners[c + 1]! + nz * corners[c + 2]!;
      low = Math.min(low, place);
      high = Math.max(high, place);
    }
    const x = references[REFERENCE_FLOATS * rank]!;
    const y = references[REFERENCE_FLOATS * rank + 1]!;
    const z = references[REFERENCE_FLOATS * rank + 2]!;
    const place = nx * x + ny * y + nz * z;
    const open =
      SLAB_CORNER_ERROR * slack +
      SLAB_ROUNDING * (Math.abs(x) + Math.abs(y) + Math.abs(z) + Math.abs(low) + Math.abs(high));
    slabs[s] = nx;
    slabs[s + 1] = ny;
    slabs[s + 2] = nz;
    slabs[s + 3] = place + low - open;
    slabs[s + 4] = place + high + open;
    return true;
  }

  #gridOf(rank: number): Cells {
    let [low, high] = [0, this.#grids.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#grids[middle]!.firstRank <= rank) low = middle;
      else high = middle - 1;
    }
    return this.#grids[low]!;
  }
}

/**
 * The winding number at the point that `places` has from `at` on, in a mixed cell, by the segment from the reference.
 * UNKNOWN_WINDING if rounding leaves it open. Arguments and result are no float64: engines would put them on the heap.
 */
export function windingByPairs(
  { references, starts, pairs }: CellGridTables,
  rank: number,
  places: Float32Array,
  at: number,
): number {
  const r = REFERENCE_FLOATS * rank;
  const dx = places[at]! - references[r]!;
  const dy = places[at + 1]! - references[r + 1]!;
  const dz = places[at + 2]! - references[r + 2]!;
  let winding = references[r + 3]! | 0;
  const stop = PAIR_FLOATS * starts[rank + 1]!;
  for (let p = PAIR_FLOATS * starts[rank]!; p < stop; p += PAIR_FLOATS) {
    const signed = pairs[p + 9]!;
    const bound = FLOAT64_SHARE * Math.abs(signed);
    const b0 = pairs[p]! * dx + pairs[p + 1]! * dy + pairs[p + 2]! * dz;
    const b1 = pairs[p + 3]! * dx + pairs[p + 4]! * dy + pairs[p + 5]! * dz;
    const b2 = pairs[p + 6]! * dx + pairs[p + 7]! * dy + pairs[p + 8]! * dz;
    const beyond = b0 + b1 + b2 - 1;
    // Each of the four is as likely as not: one branch on all of them is foreseen far more often than four.
    const misses = Number(b0 < -bound) | Number(b1 < -bound) | Number(b2 < -bound) | Number(beyond < -bound);
    if (misses !== 0) continue;
    if (!(b0 > bound && b1 > bound && b2 > bound && beyond > bound)) return UNKNOWN_WINDING;
    winding += signed < 0 ? -1 : 1;
  }
  return winding;
}
