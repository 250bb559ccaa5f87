/**
 * Point in polyhedron on the cell grid in float64: the twin of the cell-grid kernels, and the CPU backend.
 */
import type { Box } from '../../mesh/triangle-mesh.ts';
import { DOUBTFUL, type Rule } from '../classification.ts';
import { isIdentity, type LocalFrame } from '../surface.ts';
import { BLOCK_WORDS, floatsOf } from './block-table.ts';
import { SLAB_FLOATS, SlabMaker, UNKNOWN_WINDING, windingByPairs, windingBySlab } from './slabs.ts';
import {
  bitCount,
  type CellGridTables,
  REFERENCE_FLOATS,
  REFINED,
  UNKNOWN_BYTE,
  windingByte,
} from './tables.ts';

/** A body, points and where their flags go. */
export interface PointsOnCellGrid {
  readonly tables: CellGridTables;
  /** In the local frame. */
  readonly box: Box;
  readonly frame: LocalFrame;
  /** For `winding` the tables have windings, and flags become winding numbers: bytes, as `windingByte` has them. */
  readonly rule: Rule;
  /** `[x, y, z]` per point, as in the mesh's file. */
  readonly points: Float32Array;
  readonly flags: Uint8Array;
  /** Slabs, of as many mixed cells as they are made of. */
  readonly slabs?: Float32Array | undefined;
}

/**
 * Points that are looked up, sorted or tested in one go. Engines compile a function once it has run for long: by then
 * these have ended a few times, and are compiled as a whole.
 */
const BATCH = 1 << 8;
/** Points in mixed cells that are tested together: so many that most share their cell with others. 10 MiB a thread. */
const MOST_MIXED = 1 << 18;
/** Most bits of a rank that a pass sorts by: more places to write to at a time would not stay in a cache. */
const DIGIT_BITS = 10;
/** Mixed points from which on sorting them pays. */
const LEAST_TO_SORT = 4096;
const NO_SLABS = new Float32Array(0);

/** Points in mixed cells. */
class PointList {
  /** Local coordinates, and of each point its number and the rank of its mixed cell. */
  readonly places = new Float32Array(3 * MOST_MIXED);
  readonly numbers = new Uint32Array(MOST_MIXED);
  readonly ranks = new Uint32Array(MOST_MIXED);
}

/** Points in mixed cells that wait for their test. The lists are made once for each thread. */
class MixedPoints {
  /** Numbers of the points of one batch in mixed cells of the grid, and these cells. */
  readonly found = new Uint32Array(BATCH);
  readonly cells = new Uint32Array(BATCH);
  /** In the order in which they were looked up, until they are sorted. */
  listed = new PointList();
  #other = new PointList();
  readonly #starts = new Uint32Array((1 << DIGIT_BITS) + 1);
  count = 0;

  /** Sorts by rank, so that points of a cell are tested one after the other. `most`: the largest rank. */
  sort(most: number): void {
    const bits = 32 - Math.clz32(most);
    const digitBits = Math.ceil(bits / Math.ceil(bits / DIGIT_BITS));
    const mask = (1 << digitBits) - 1;
    const starts = this.#starts;
    for (let shift = 0; shift < bits; shift += digitBits) {
      const from = this.listed;
      const to = this.#other;
      starts.fill(0);
      inBatches(this.count, (first, end) => countDigits(from, first, end, shift, mask, starts));
      for (let d = 0; d < mask; d++) starts[d + 1]! += starts[d]!;
      inBatches(this.count, (first, end) => moveByDigit(from, first, end, shift, mask, starts, to));
      this.listed = to;
      this.#other = from;
    }
  }
}

function inBatches(count: number, work: (from: number, end: number) => void): void {
  for (let from = 0; from < count; from += BATCH) work(from, Math.min(count, from + BATCH));
}

function countDigits(
  { ranks }: PointList,
  first: number,
  end: number,
  shift: number,
  mask: number,
  starts: Uint32Array,
): void {
  for (let i = first; i < end; i++) starts[((ranks[i]! >>> shift) & mask) + 1]!++;
}

function moveByDigit(
  { places, numbers, ranks }: PointList,
  first: number,
  end: number,
  shift: number,
  mask: number,
  next: Uint32Array,
  to: PointList,
): void {
  // Whole points move: one that is read through its number waits for a cache.
  const { places: toPlaces, numbers: toNumbers, ranks: toRanks } = to;
  for (let i = first; i < end; i++) {
    const rank = ranks[i]!;
    const n = next[(rank >>> shift) & mask]!++;
    toRanks[n] = rank;
    toNumbers[n] = numbers[i]!;
    toPlaces[3 * n] = places[3 * i]!;
    toPlaces[3 * n + 1] = places[3 * i + 1]!;
    toPlaces[3 * n + 2] = places[3 * i + 2]!;
  }
}

let lists: MixedPoints | undefined;

/** A slab that is made for one point, so that the same points are doubtful whether its slab is made already or not. */
class OwnSlab {
  readonly #tables: CellGridTables;
  readonly #slab = new Float32Array(SLAB_FLOATS);
  #maker: SlabMaker | undefined;

  constructor(tables: CellGridTables) {
    this.#tables = tables;
  }

  /** The winding number at the point that `places` has from `at` on, or UNKNOWN_WINDING. */
  windingAt(rank: number, places: Float32Array, at: number): number {
    this.#maker ??= new SlabMaker(this.#tables);
    this.#maker.write(rank, this.#slab, 0);
    const winding = windingBySlab(this.#slab, 0, places[at]!, places[at + 1]!, places[at + 2]!);
    return Number.isNaN(winding) ? UNKNOWN_WINDING : winding;
  }
}

/** Tests ranges of points, one after the other, on one thread at a time. */
export class CellGridTest {
  /** Numbers of the points that are DOUBTFUL, in no particular order. */
  readonly doubtful: number[] = [];
  /** Points that were tested against the triangles of their cells. */
  tested = 0;
  readonly #job: PointsOnCellGrid;
  readonly #mixed: MixedPoints;
  readonly #ownSlab: OwnSlab;

  constructor(job: PointsOnCellGrid) {
    this.#job = job;
    this.#ownSlab = new OwnSlab(job.tables);
    lists ??= new MixedPoints();
    this.#mixed = lists;
    this.#mixed.count = 0;
  }

  /**
   * Looks up points `first .. end - 1`. Those in mixed cells have no flags before `finish`: the more wait, the more
   * share a cell's rows in the cache. False if one of the points has a coordinate that is not finite.
   */
  lookUp(first: number, end: number): boolean {
    for (let from = first; from < end; from += BATCH) {
      if (this.#mixed.count > MOST_MIXED - BATCH) this.finish();
      if (!lookUp(this.#job, from, Math.min(end, from + BATCH), this.#mixed)) return false;
    }
    return true;
  }

  /** Tests the points that wait. */
  finish(): void {
    const mixed = this.#mixed;
    if (mixed.count >= LEAST_TO_SORT) mixed.sort(this.#job.tables.mixedCount - 1);
    inBatches(mixed.count, (from, end) => {
      this.tested += testMixed(this.#job, mixed.listed, from, end, this.#ownSlab, this.doubtful);
    });
    mixed.count = 0;
  }
}

/** Flags of points in cells that are wholly outside or inside. Others go to `mixed`. */
function lookUp(job: PointsOnCellGrid, first: number, end: number, mixed: MixedPoints): boolean {
  const { tables, box, frame, points, flags, rule } = job;
  const { grid } = tables;
  const words = rule === 'odd' ? tables.odd : tables.nonzero;
  const bytes = rule === 'winding' ? tables.windings : undefined;
  const { found, cells } = mixed;
  // Patterns of arrays would go through iterators, and take several times as long to compile.
  const { origin, counts } = grid;
  const ox = origin[0];
  const oy = origin[1];
  const oz = origin[2];
  const nx = counts[0];
  const ny = counts[1];
  const nz = counts[2];
  const inverse = 1 / grid.cell;
  const { min, max } = box;
  const x0 = min[0];
  const y0 = min[1];
  const z0 = min[2];
  const x1 = max[0];
  const y1 = max[1];
  const z1 = max[2];
  const { scale, shift } = frame;
  const sx = shift[0];
  const sy = shift[1];
  const sz = shift[2];
  const moves = !isIdentity(frame);
  let count = 0;
  for (let n = first, at = 3 * first; n < end; n++, at += 3) {
    let x = points[at]!;
    let y = points[at + 1]!;
    let z = points[at + 2]!;
    if (moves) {
      // Points outside the box may become inexact or infinite here: they stay outside.
      x = Math.fround(x * scale - sx);
      y = Math.fround(y * scale - sy);
      z = Math.fround(z * scale - sz);
    }
    if (!(x >= x0 && x <= x1 && y >= y0 && y <= y1 && z >= z0 && z <= z1)) {
      // 0 times what is not finite is NaN.
      if (0 * points[at]! + 0 * points[at + 1]! + 0 * points[at + 2]! !== 0) return false;
      flags[n] = 0;
      continue;
    }
    let i = ((x - ox) * inverse) | 0;
    let j = ((y - oy) * inverse) | 0;
    let k = ((z - oz) * inverse) | 0;
    if (i >= nx) i = nx - 1;
    if (j >= ny) j = ny - 1;
    if (k >= nz) k = nz - 1;
    const cell = (k * ny + j) * nx + i;
    const code = (words[cell >>> 4]! >>> ((cell & 15) << 1)) & 3;
    flags[n] = bytes === undefined ? code : bytes[cell]!;
    // Which cells are mixed cannot be foreseen: the list takes every point, and keeps those of mixed cells.
    found[count] = n;
    cells[count] = cell;
    count += code >>> 1;
  }
  lookUpMixed(job, words, mixed, count);
  return true;
}

/** Goes on with `listed` points in mixed cells of the grid: through its blocks. */
function lookUpMixed(job: PointsOnCellGrid, words: Uint32Array, mixed: MixedPoints, listed: number): void {
  const { tables, frame, points, flags, rule } = job;
  const { bases } = tables;
  const { found, cells } = mixed;
  const { ranks, places, numbers } = mixed.listed;
  const refined = tables.levels > 0;
  const blockFloats = floatsOf(tables.blocks);
  const { scale, shift } = frame;
  const sx = shift[0];
  const sy = shift[1];
  const sz = shift[2];
  const bytes = rule === 'winding' ? tables.windings : undefined;
  let { count } = mixed;
  for (let l = 0; l < listed; l++) {
    const n = found[l]!;
    const cell = cells[l]!;
    const x = Math.fround(points[3 * n]! * scale - sx);
    const y = Math.fround(points[3 * n + 1]! * scale - sy);
    const z = Math.fround(points[3 * n + 2]! * scale - sz);
    const w = cell >>> 4;
    let rank = bases[w]! + bitCount(words[w]! & ((1 << ((cell & 15) << 1)) - 1) & 0xaaaaaaaa);
    if (refined) {
      rank = lookUpInBlocks(tables, blockFloats, words, bytes, rank, x, y, z);
      if (rank < 0) {
        flags[n] = ~rank;
        continue;
      }
    }
    places[3 * count] = x;
    places[3 * count + 1] = y;
    places[3 * count + 2] = z;
    numbers[count] = n;
    ranks[count] = rank;
    count++;
  }
  mixed.count = count;
}

/** What is written for a point of a winding number. */
function flagOf(winding: number, rule: Rule): number {
  return rule === 'odd' ? winding & 1 : rule === 'nonzero' ? Number(winding !== 0) : windingByte(winding);
}

/** The mixed cell of a block, of any level, that a point of a mixed cell lies in; ~flag where that needs no test. */
function lookUpInBlocks(
  { references, blocks, bases }: CellGridTables,
  floats: Float32Array,
  words: Uint32Array,
  bytes: Int8Array | undefined,
  mixedRank: number,
  x: number,
  y: number,
  z: number,
): number {
  let rank = mixedRank;
  while (references[REFERENCE_FLOATS * rank + 3] === REFINED) {
    const block = BLOCK_WORDS * references[REFERENCE_FLOATS * rank]!;
    const inverse = floats[block + 3]!;
    const last = blocks[block + 5]! - 1;
    const i = cellNumber((x - floats[block]!) * inverse, last);
    const j = cellNumber((y - floats[block + 1]!) * inverse, last);
    const k = cellNumber((z - floats[block + 2]!) * inverse, last);
    const cell = (k * (last + 1) + j) * (last + 1) + i;
    const w = blocks[block + 6]! + (cell >>> 4);
    const word = words[w]!;
    const shift = (cell & 15) << 1;
    const code = (word >>> shift) & 3;
    if (code < 2) return ~(bytes === undefined ? code : bytes[16 * w + (cell & 15)]! & 255);
    rank = bases[w]! + bitCount(word & ((1 << shift) - 1) & 0xaaaaaaaa);
  }
  return rank;
}

/** Points beyond a block's ends, by rounding, are taken for its outermost cells'. */
function cellNumber(place: number, last: number): number {
  return place <= 0 ? 0 : place >= last ? last : place | 0;
}

/**
 * Flags of points in mixed cells: of those beside the slab of their cell by that, of others by the segment from the
 * cell's reference. Adds those that are DOUBTFUL to a list.
 *
 * @returns points that were tested by a segment
 */
function testMixed(
  { tables, rule, flags, slabs = NO_SLABS }: PointsOnCellGrid,
  { places, numbers, ranks }: PointList,
  from: number,
  end: number,
  ownSlab: OwnSlab,
  doubtful: number[],
): number {
  let tested = 0;
  for (let q = from; q < end; q++) {
    const rank = ranks[q]!;
    const n = numbers[q]!;
    const s = SLAB_FLOATS * rank;
    if (s < slabs.length) {
      const x = places[3 * q]!;
      const y = places[3 * q + 1]!;
      const z = places[3 * q + 2]!;
      // As `windingBySlab`: a call would put float64 arguments on the heap.
      const place = slabs[s]! * x + slabs[s + 1]! * y + slabs[s + 2]! * z;
      const isBehind = Number(place > slabs[s + 4]!);
      const winding = slabs[s + 5 + isBehind]!;
      if ((isBehind | Number(place < slabs[s + 3]!)) !== 0 && !Number.isNaN(winding)) {
        flags[n] = flagOf(winding, rule);
        continue;
      }
    }
    tested++;
    let winding = windingByPairs(tables, rank, places, 3 * q);
    if (winding === UNKNOWN_WINDING) winding = ownSlab.windingAt(rank, places, 3 * q);
    if (winding !== UNKNOWN_WINDING) flags[n] = flagOf(winding, rule);
    else {
      flags[n] = rule === 'winding' ? UNKNOWN_BYTE : DOUBTFUL;
      doubtful.push(n);
    }
  }
  return tested;
}
