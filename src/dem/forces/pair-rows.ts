/**
 * What is made with a list of pairs, and serves as long as it does. Pairs are shared out over threads by blocks of
 * bodies: a pair belongs to the block of its first body that forces move, and one thread works on a block. A block adds
 * up the loads of its own bodies. A body of another block has a row of its own there, a ghost, and ghosts are added at
 * the end, in order. So sums have one order, whatever the threads and however long a list serves.
 */
import { shareTogether } from '../../workers/shared-memory.ts';
import { PAIR_NUMBERS } from '../materials/materials.ts';
import { inverse, type LawTables } from './law-tables.ts';

/** Bodies of a block. With fewer there would be more ghosts, with more some threads would have nothing to do. */
export const BLOCK = 128;

export interface PairRows {
  /** `[n * 2]`: colliders A and B. */
  readonly pairs: Uint32Array;
  /** `[n * 3]`: bodies A and B, no copies, and where the numbers of their materials are. */
  readonly bodies: Int32Array;
  /** `[n]`: radius of a ball at a contact that is a point. */
  readonly radii: Float64Array;
  /** `[n * 2]`: rows of loads that A's and B's are added to. */
  readonly places: Int32Array;
  /** `[r + 1]`: the first pair of each range. A range is pairs of one block that follow each other. */
  readonly ranges: Int32Array;
  /** `[r]`: ranges, those of the first block first; `[blocks + 1]`: where each block's begin. */
  readonly ofBlocks: Int32Array;
  readonly blockStarts: Int32Array;
  /** The row of the first ghost; `[g]`: the bodies of ghosts; `[blocks + 1]`: where each block's begin. */
  readonly firstGhost: number;
  readonly ghosts: Int32Array;
  readonly ghostStarts: Int32Array;
}
export const PAIR_WORDS = 3;

/** How many blocks so many bodies make. */
export function blocksOf(bodies: number): number {
  return Math.ceil(bodies / BLOCK);
}

/**
 * @param bodyOf `[c]`: the body of each collider, no copy of it
 * @param firstGhost rows of loads from there on are for ghosts of this list
 */
export function pairRows(
  pairs: Uint32Array,
  bodyOf: Uint32Array,
  tables: LawTables,
  firstGhost: number,
): PairRows {
  const { materials, materialCount, curvatures, inverseMasses } = tables;
  const count = pairs.length / 2;
  const blocks = blocksOf(materials.length);
  const bodies = new Int32Array(PAIR_WORDS * count);
  const radii = new Float64Array(count);
  const places = new Int32Array(2 * count);
  const ranges: number[] = [];
  const blockOfRange: number[] = [];
  for (let k = 0; k < count; k++) {
    const a = bodyOf[pairs[2 * k]!]!;
    const b = bodyOf[pairs[2 * k + 1]!]!;
    bodies[PAIR_WORDS * k] = a;
    bodies[PAIR_WORDS * k + 1] = b;
    bodies[PAIR_WORDS * k + 2] = PAIR_NUMBERS * (materials[a]! * materialCount + materials[b]!);
    radii[k] = 1 / (inverse(curvatures[a]!) + inverse(curvatures[b]!));
    const block = Math.floor((inverseMasses[a] === 0 ? b : a) / BLOCK);
    if (block === blockOfRange.at(-1)) continue;
    ranges.push(k);
    blockOfRange.push(block);
  }
  const blockStarts = new Int32Array(blocks + 1);
  for (const block of blockOfRange) blockStarts[block + 1]!++;
  for (let block = 0; block < blocks; block++) blockStarts[block + 1]! += blockStarts[block]!;
  const ends = blockStarts.slice();
  const ofBlocks = new Int32Array(ranges.length);
  for (const [range, block] of blockOfRange.entries()) ofBlocks[ends[block]!++] = range;
  ranges.push(count);
  const ghosts: number[] = [];
  const ghostStarts = new Int32Array(blocks + 1);
  /** `[bodies]`: the last ghost of each. */
  const ghostOf = new Int32Array(materials.length).fill(-1);
  for (let block = 0; block < blocks; block++) {
    const first = ghosts.length;
    for (let r = blockStarts[block]!; r < blockStarts[block + 1]!; r++) {
      const range = ofBlocks[r]!;
      for (let at = 2 * ranges[range]!; at < 2 * ranges[range + 1]!; at++) {
        const body = bodies[PAIR_WORDS * (at >> 1) + (at & 1)]!;
        if (Math.floor(body / BLOCK) === block) {
          places[at] = body;
          continue;
        }
        if (ghostOf[body]! < first) ghostOf[body] = ghosts.push(body) - 1;
        places[at] = firstGhost + ghostOf[body]!;
      }
    }
    ghostStarts[block + 1] = ghosts.length;
  }
  const made = { bodies, radii, places, ofBlocks, blockStarts, ghostStarts };
  const lists = { ranges: Int32Array.from(ranges), ghosts: Int32Array.from(ghosts) };
  return { pairs, firstGhost, ...shareTogether({ ...made, ...lists }) };
}
