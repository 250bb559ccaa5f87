/** The search for pairs, shared out over threads. */
import { InputError } from '../errors.ts';
import { closeParts, newParts, type Parts, type PartsDone, takePart } from '../workers/parts.ts';
import { orWithoutWorkers, type Task, type WorkerPool } from '../workers/worker-pool.ts';
import { MOST_PAIRS } from './constants.ts';
import type { Entries } from './entries.ts';
import { type FoundPairs, PairList, sortPairs } from './pair-list.ts';
import { type BoxRows, releaseRows, sortIntoRows } from './rows.ts';
import { RowSearch } from './search-rows.ts';

/** Boxes of a part: fewer would spend more on taking parts than they save by evening out. */
const PART = 1024;
/** Boxes from which on other threads help: fewer are searched before these have heard of it. */
const LEAST_SHARED = 8192;

/** Places of rows whose boxes look for partners. */
export interface BroadPhaseTask extends Task<BroadPhaseAnswer>, Parts {
  readonly kind: 'broad-phase';
  readonly rows: BoxRows;
}

/** What a thread found. */
export interface BroadPhaseAnswer extends PartsDone, FoundPairs {
  /** Boxes that were compared with one. */
  readonly compared: number;
}

/** Runs a task, on whichever thread: one that comes when all is done reads no rows. */
export function runBroadPhase({ rows, ...parts }: BroadPhaseTask): BroadPhaseAnswer {
  const list = new PairList(true);
  const search = new RowSearch(rows, list);
  let done = 0;
  for (let first = takePart(parts); first >= 0; first = takePart(parts)) {
    const end = Math.min(parts.count, first + parts.part);
    search.run(first, end);
    done += end - first;
    if (list.isFull) closeParts(parts);
  }
  return { done, words: list.words, count: list.count, compared: search.compared };
}

export interface OverlapOptions {
  /** Without a pool, or with one thread, the calling thread does all. */
  readonly pool?: WorkerPool | undefined;
  readonly threads?: number | undefined;
}

/** Pairs of entries whose boxes overlap. */
export interface Overlaps {
  /** `[k * 2]`: entries a < b, sorted by a, then b, each pair once. */
  readonly pairs: Uint32Array<ArrayBuffer>;
  /** Boxes that were compared with one: what the search cost. */
  readonly compared: number;
  /** Threads that took part. */
  readonly threads: number;
}

/**
 * Finds all pairs of entries that may pair and whose boxes overlap or touch. The result is the same on any number of
 * threads.
 *
 * @param boxes `[n * 6]`: least and greatest coordinates, both inside; least <= greatest
 * @throws InputError for more than `MOST_PAIRS`
 */
export async function overlappingPairs(
  boxes: Int32Array,
  entries: Entries,
  { pool, threads = pool?.size ?? 1 }: OverlapOptions = {},
): Promise<Overlaps> {
  const sharedBy = pool !== undefined && threads > 1 && entries.count >= LEAST_SHARED ? pool : undefined;
  const rows = sortIntoRows(boxes, entries, sharedBy !== undefined);
  const task: BroadPhaseTask = { kind: 'broad-phase', rows, ...newParts(entries.count, PART) };
  const here = () => runBroadPhase(task);
  const shared = sharedBy && (await orWithoutWorkers(() => sharedBy.share(task, { threads, here })));
  // A lost worker leaves parts undone: all are done anew.
  const found = shared ?? [runBroadPhase({ ...task, ...newParts(entries.count, PART) })];
  // A worker that is lost may still read.
  if (!sharedBy?.hasFailed) releaseRows(rows);
  if (found.reduce((sum, { count }) => sum + count, 0) > MOST_PAIRS) {
    throw new InputError(
      `bodies lie in each other: found more than ${MOST_PAIRS} pairs whose bounds overlap, expected fewer`,
    );
  }
  return {
    pairs: sortPairs(found, entries.count),
    compared: found.reduce((sum, { compared }) => sum + compared, 0),
    threads: found.length,
  };
}
