/**
 * Pairs of overlapping boxes, each found once. A box looks at its own level, where of two boxes the one with the lower
 * x finds the other, and at all levels above it: the smaller box finds the larger one. So a box that lies over many is
 * found by each of them, and costs nothing itself.
 *
 * Boxes of a row go through another row together. Both are sorted by x, so the second one is passed through once.
 */
import type { PairList } from './pair-list.ts';
import { type BoxRows, bucketOf, LEVELS } from './rows.ts';

const LEAST = -(2 ** 31);
/** Steps to the first box that a search may need, after which it goes on by halves. */
const NEAR = 8;

/** Boxes of one row, at the places `first .. end - 1`. */
interface Run {
  first: number;
  end: number;
}

/** A row that boxes are searched in, and its bucket's places. */
interface Row {
  level: number;
  row: number;
  layer: number;
  begin: number;
  end: number;
}

export class RowSearch {
  /** Boxes that were compared with one: what a search costs. */
  compared = 0;
  readonly #rows: BoxRows;
  readonly #list: Pick<PairList, 'add'>;
  /** The levels that boxes of each level look at. */
  readonly #targets: readonly (readonly number[])[];

  constructor(rows: BoxRows, list: Pick<PairList, 'add'>) {
    this.#rows = rows;
    this.#list = list;
    this.#targets = Array.from({ length: 2 * LEVELS }, (_, level) => targetsOf(rows, level));
  }

  /** Adds the pairs that boxes at places `first .. end - 1` find. */
  run(first: number, end: number): void {
    const run: Run = { first, end: first };
    for (; run.first < end; run.first = run.end) {
      this.#endRun(run, end);
      const targets = this.#targets[this.#rows.levels[run.first]!]!;
      for (let target = 0; target < targets.length; target++) this.#searchLevel(run, targets[target]!);
    }
  }

  /** Finds the end of a run: places of one bucket may belong to several rows. */
  #endRun(run: Run, end: number): void {
    const { boxes, levels } = this.#rows;
    const level = levels[run.first]!;
    const scale = level % LEVELS;
    const row = boxes[6 * run.first + 1]! >> scale;
    const layer = boxes[6 * run.first + 2]! >> scale;
    let place = run.first + 1;
    while (
      place < end &&
      levels[place] === level &&
      boxes[6 * place + 1]! >> scale === row &&
      boxes[6 * place + 2]! >> scale === layer
    ) {
      place++;
    }
    run.end = place;
  }

  #searchLevel(run: Run, level: number): void {
    const { boxes, extents, buckets, starts } = this.#rows;
    const scale = level % LEVELS;
    let y = boxes[6 * run.first + 1]!;
    let z = boxes[6 * run.first + 2]!;
    let endY = boxes[6 * run.first + 4]!;
    let endZ = boxes[6 * run.first + 5]!;
    for (let at = 6 * run.first + 6; at < 6 * run.end; at += 6) {
      y = Math.min(y, boxes[at + 1]!);
      z = Math.min(z, boxes[at + 2]!);
      endY = Math.max(endY, boxes[at + 4]!);
      endZ = Math.max(endZ, boxes[at + 5]!);
    }
    // A box that begins before these corners, less the level's greatest extent, ends before them, too.
    const firstRow = Math.max(LEAST, y - extents[3 * level + 1]!) >> scale;
    const firstLayer = Math.max(LEAST, z - extents[3 * level + 2]!) >> scale;
    const row: Row = { level, row: 0, layer: 0, begin: 0, end: 0 };
    for (row.layer = firstLayer; row.layer <= endZ >> scale; row.layer++) {
      for (row.row = firstRow; row.row <= endY >> scale; row.row++) {
        const bucket = bucketOf(level, row.row, row.layer, buckets);
        row.begin = starts[bucket]!;
        row.end = starts[bucket + 1]!;
        if (row.begin < row.end) this.#searchRow(run, row);
      }
    }
  }

  #searchRow(run: Run, { level, row, layer, begin, end }: Row): void {
    const { boxes, levels, leastX, entries, extents, bodies, groups } = this.#rows;
    const scale = level % LEVELS;
    const isOwn = level === levels[run.first];
    const extentX = isOwn ? 0 : extents[3 * level]!;
    const extentY = extents[3 * level + 1]!;
    const extentZ = extents[3 * level + 2]!;
    let from = begin;
    for (let place = run.first; place < run.end; place++) {
      const at = 6 * place;
      const y = boxes[at + 1]!;
      const z = boxes[at + 2]!;
      const endY = boxes[at + 4]!;
      const endZ = boxes[at + 5]!;
      // Not every box of the run reaches each row.
      if (row > endY >> scale || row < Math.max(LEAST, y - extentY) >> scale) continue;
      if (layer > endZ >> scale || layer < Math.max(LEAST, z - extentZ) >> scale) continue;
      const x = boxes[at]!;
      const endX = boxes[at + 3]!;
      const least = x - extentX;
      for (let step = 0; from < end && leastX[from]! < least; from++) {
        if (++step > NEAR) {
          from = firstFrom(leastX, from, end, least);
          break;
        }
      }
      let other = from;
      for (; other < end && leastX[other]! <= endX; other++) {
        const b = 6 * other;
        const otherY = boxes[b + 1]!;
        const otherZ = boxes[b + 2]!;
        if (otherY > endY || boxes[b + 4]! < y || otherZ > endZ || boxes[b + 5]! < z || boxes[b + 3]! < x)
          continue;
        // The bucket may hold other rows as well, which have their own turn.
        if (otherY >> scale !== row || otherZ >> scale !== layer || levels[other] !== level) continue;
        // Boxes that begin at the same x find each other by number.
        if (isOwn && leastX[other] === x && entries[other]! <= entries[place]!) continue;
        if (bodies[place] === bodies[other]) continue;
        if (groups.length > 0 && !this.#groupsAgree(place, other)) continue;
        this.#list.add(entries[place]!, entries[other]!);
      }
      this.compared += other - from;
    }
  }

  #groupsAgree(a: number, b: number): boolean {
    const { groups, masks, apart } = this.#rows;
    if ((apart[a]! & apart[b]!) !== 0) return false;
    return (groups[a]! & masks[b]!) !== 0 && (groups[b]! & masks[a]!) !== 0;
  }
}

/** The levels that boxes of a level look at. */
function targetsOf({ levelCounts }: BoxRows, own: number): number[] {
  const isStatic = own >= LEVELS;
  const scale = own % LEVELS;
  const found: number[] = [];
  for (let level = 0; level < 2 * LEVELS; level++) {
    if (levelCounts[level] === 0) continue;
    // Static ones among each other never pair. Of a static and a moving one of the same scale, the moving one looks.
    const looks = isStatic ? level < LEVELS && level > scale : level % LEVELS >= scale;
    if (looks) found.push(level);
  }
  return found;
}

/** The first place in `begin .. end - 1` whose number is not below `least`; `end` where there is none. */
function firstFrom(sorted: Int32Array, begin: number, end: number, least: number): number {
  let low = begin;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
