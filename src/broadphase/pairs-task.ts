/** The search for pairs, shared out over threads. */
import { InputError } from '../errors.ts';
import { closeParts, newParts, type PartsDone, takePart, type WorkParts } from '../workers/parts.ts';
import { shareWork } from '../workers/share-work.ts';
import { pauses, SLICE_TIME } from '../workers/slices.ts';
import type { Task, WorkerPool } from '../workers/worker-pool.ts';
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
export interface BroadPhaseTask extends Task<BroadPhaseAnswer>, WorkParts {
  readonly kind: 'broad-phase';
  readonly rows: BoxRows;
}

/** What a thread found. */
export interface BroadPhaseAnswer extends PartsDone, FoundPairs {
  /** Boxes that were compared with one. */
  readonly compared: number;
}

/**
 * Runs a task, on whichever thread: one that comes when all is done reads no rows.
 *
 * @param until no part but the first is begun after this time
 */
export function runBroadPhase({ rows, ...parts }: BroadPhaseTask, until = Infinity): BroadPhaseAnswer {
  const list = new PairList(true);
  const search = new RowSearch(rows, list);
  const done = searchParts(parts, search, list, until);
  return { done, words: list.words, count: list.count, compared: search.compared };
}

/**
 * Searches a part, and others until none is left or until some time. Returns how many boxes it searched for: 0 where
 * there was no part, whatever the clock says.
 */
function searchParts(parts: WorkParts, search: RowSearch, list: PairList, until: number): number {
  let done = 0;
  do {
    const first = takePart(parts);
    if (first < 0) break;
    const end = Math.min(parts.count, first + parts.part);
    search.run(first, end);
    done += end - first;
    if (list.isFull) closeParts(parts);
  } while (performance.now() < until);
  return done;
}

/** The whole search on the calling thread, in slices between which signals get in. */
async function searchHere(
  rows: BoxRows,
  count: number,
  signal: AbortSignal | undefined,
): Promise<BroadPhaseAnswer> {
  const parts = newParts(count, PART);
  const list = new PairList(true);
  const search = new RowSearch(rows, list);
  const pauseWhenDue = pauses();
  while (searchParts(parts, search, list, performance.now() + SLICE_TIME.callingThread) > 0) {
    await pauseWhenDue();
    signal?.throwIfAborted();
  }
  return { done: count, words: list.words, count: list.count, compared: search.compared };
}

export interface OverlapOptions {
  /** Without a pool, or with one thread, the calling thread does all. */
  readonly pool?: WorkerPool | undefined;
  readonly threads?: number | undefined;
  /** Ends the search: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
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
 * @throws InputError for more than `MOST_PAIRS`; the signal's reason once it is aborted
 */
export async function overlappingPairs(
  boxes: Int32Array,
  entries: Entries,
  { pool, threads = pool?.size ?? 1, signal }: OverlapOptions = {},
): Promise<Overlaps> {
  const sharedBy = pool !== undefined && threads > 1 && entries.count >= LEAST_SHARED ? pool : undefined;
  const rows = sortIntoRows(boxes, entries, sharedBy !== undefined);
  const { count } = entries;
  const found: BroadPhaseAnswer[] = [];
  try {
    await shareWork<BroadPhaseTask>(
      {
        ...{ count, pool: sharedBy, threads },
        task: () => ({ kind: 'broad-phase', rows, ...newParts(count, PART) }),
        here: runBroadPhase,
        take: (answers) => found.push(...answers),
        alone: async () => {
          found.push(await searchHere(rows, count, signal));
        },
      },
      { signal },
    );
  } finally {
    // A worker that is lost may still read.
    if (!sharedBy?.hasFailed) releaseRows(rows);
  }
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
