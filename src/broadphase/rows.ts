/**
 * Rows: boxes sorted so that those near a box are found together.
 *
 * A box belongs to the level of its largest extent e: the least power of two s >= e is the edge of the level's cells.
 * Where there are more than `MOST_LEVELS`, every second one is left out, and its boxes are on the next one.
 * Cells of a level that differ in x alone are a row, and a box is in the row of its least corner. A row is found by a
 * hash, in a bucket: boxes of a bucket follow each other by their least x. So boxes of a row near some x are found by a
 * binary search, and boxes of other rows in the same bucket are told by their row.
 *
 * Static boxes have levels of their own, which other static boxes never look at.
 */
import { mixBits } from '../mesh/random.ts';
import { giveMemory, takeMemory } from '../workers/spare-memory.ts';
import type { Entries } from './entries.ts';
import { sortedPlaces } from './sorted-places.ts';

/** Levels of moving boxes; those of static ones follow. */
export const LEVELS = 32;

/** Of more levels every second one is left out: small boxes look at each, and that costs more than comparisons do. */
const MOST_LEVELS = 4;

/** Boxes in rows. All arrays are in memory that threads share, where that was asked for. */
export interface BoxRows {
  readonly count: number;
  /** How many buckets there are: a power of two. */
  readonly buckets: number;
  /** `[buckets + 1]`: first place of each bucket. */
  readonly starts: Uint32Array;
  /** `[n]`: the entry at each place; then, by place: */
  readonly entries: Uint32Array;
  /** Least x once more, for searches. */
  readonly leastX: Int32Array;
  readonly boxes: Int32Array;
  /** Level, `LEVELS` more for static boxes. */
  readonly levels: Uint8Array;
  readonly bodies: Uint32Array;
  /** Empty where all may pair. */
  readonly groups: Uint32Array;
  readonly masks: Uint32Array;
  readonly apart: Uint8Array;
  /** `[2 * LEVELS * 3]`: greatest extents of a level's boxes. */
  readonly extents: Float64Array;
  /** `[2 * LEVELS]`: boxes of each level. */
  readonly levelCounts: Uint32Array;
}

/** The least level whose cells are as large as an extent; cells of the last one are smaller than the largest boxes. */
function levelOf(extent: number): number {
  return Math.min(LEVELS - 1, extent < 2 ? 0 : 32 - Math.clz32(extent - 1));
}

/** The level itself where it is even, or the last one; otherwise the next one. */
function coarser(level: number): number {
  return Math.min(LEVELS - 1, level + (level & 1));
}

/** The bucket of a row. Rows of a block of 8 x 8 are neighbours in memory as well; blocks are spread by a hash. */
export function bucketOf(level: number, row: number, layer: number, buckets: number): number {
  const block = mixBits(Math.imul(row >> 3, 0x9e3779b1) ^ Math.imul(layer >> 3, 0x85ebca77) ^ level);
  return ((block << 6) | ((layer & 7) << 3) | (row & 7)) & (buckets - 1);
}

/**
 * Sorts boxes into rows.
 *
 * @param boxes `[n * 6]`: least and greatest coordinates, both inside; least <= greatest
 * @param shared whether other threads are to see the rows
 */
export function sortIntoRows(boxes: Int32Array, entries: Entries, shared: boolean): BoxRows {
  const { count, isStatic } = entries;
  const extents = new Float64Array(2 * LEVELS * 3);
  const levelCounts = new Uint32Array(2 * LEVELS);
  // A row is found in at most every second bucket.
  const buckets = 2 ** (33 - Math.clz32(Math.max(1, count) - 1));
  const levels = takeMemory(Uint8Array, count, false);
  const bucketOfEntry = takeMemory(Uint32Array, count, false);
  const starts = takeMemory(Uint32Array, buckets + 1, shared).fill(0);
  const isUsed = new Uint8Array(LEVELS);
  for (let entry = 0; entry < count; entry++) {
    const at = 6 * entry;
    const x = boxes[at + 3]! - boxes[at]!;
    const y = boxes[at + 4]! - boxes[at + 1]!;
    const z = boxes[at + 5]! - boxes[at + 2]!;
    const scale = levelOf(Math.max(x, y, z));
    levels[entry] = scale;
    isUsed[scale] = 1;
  }
  const isCoarse = isUsed.reduce((sum, one) => sum + one, 0) > MOST_LEVELS;
  for (let entry = 0; entry < count; entry++) {
    const at = 6 * entry;
    const scale = isCoarse ? coarser(levels[entry]!) : levels[entry]!;
    const level = scale + LEVELS * isStatic[entry]!;
    levels[entry] = level;
    levelCounts[level]!++;
    for (let axis = 0; axis < 3; axis++) {
      const extent = boxes[at + 3 + axis]! - boxes[at + axis]!;
      if (extent > extents[3 * level + axis]!) extents[3 * level + axis] = extent;
    }
    const bucket = bucketOf(level, boxes[at + 1]! >> scale, boxes[at + 2]! >> scale, buckets);
    bucketOfEntry[entry] = bucket;
    starts[bucket + 1]!++;
  }
  for (let bucket = 0; bucket < buckets; bucket++) starts[bucket + 1]! += starts[bucket]!;
  const order = sortedPlaces(boxes, 6, count);
  const rows = emptyRows(count, {
    shared,
    hasGroups: [entries.groups, entries.masks, entries.apart].some((one) => one !== undefined),
  });
  for (let i = 0; i < count; i++) {
    const entry = order[i]!;
    const place = starts[bucketOfEntry[entry]!]!++;
    rows.entries[place] = entry;
  }
  // Each start has moved to the end of its bucket, which is the next one's start.
  starts.copyWithin(1, 0);
  starts[0] = 0;
  for (let place = 0; place < count; place++) {
    const entry = rows.entries[place]!;
    for (let i = 0; i < 6; i++) rows.boxes[6 * place + i] = boxes[6 * entry + i]!;
    rows.leastX[place] = boxes[6 * entry]!;
    rows.levels[place] = levels[entry]!;
    rows.bodies[place] = entries.bodies[entry]!;
    if (rows.groups.length === 0) continue;
    rows.groups[place] = entries.groups?.[entry] ?? 1;
    rows.masks[place] = entries.masks?.[entry] ?? 2 ** 32 - 1;
    rows.apart[place] = entries.apart?.[entry] ?? 0;
  }
  giveMemory([levels, bucketOfEntry, order]);
  return { ...rows, count, buckets, starts, extents, levelCounts };
}

/** Gives back the memory of rows that no thread reads any more. */
export function releaseRows({
  starts,
  entries,
  leastX,
  boxes,
  levels,
  bodies,
  groups,
  masks,
  apart,
}: BoxRows): void {
  giveMemory([starts, entries, leastX, boxes, levels, bodies, groups, masks, apart]);
}

function emptyRows(count: number, { shared, hasGroups }: { shared: boolean; hasGroups: boolean }) {
  const ofGroups = hasGroups ? count : 0;
  return {
    entries: takeMemory(Uint32Array, count, shared),
    leastX: takeMemory(Int32Array, count, shared),
    boxes: takeMemory(Int32Array, 6 * count, shared),
    levels: takeMemory(Uint8Array, count, shared),
    bodies: takeMemory(Uint32Array, count, shared),
    groups: takeMemory(Uint32Array, ofGroups, shared),
    masks: takeMemory(Uint32Array, ofGroups, shared),
    apart: takeMemory(Uint8Array, ofGroups, shared),
  };
}
