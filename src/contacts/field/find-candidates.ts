/** Candidates of all cells, on one thread or several: parts of the grid, joined in their order. */
import { closeParts, newParts, type PartsDone, takePart, type WorkParts } from '../../workers/parts.ts';
import { shareWork } from '../../workers/share-work.ts';
import { share, sharedCopy } from '../../workers/shared-memory.ts';
import { pauses, type Watch } from '../../workers/slices.ts';
import type { Task, WorkerPool } from '../../workers/worker-pool.ts';
import type { BlockLevel } from './blocks-of-cells.ts';
import { CandidateFinder, type CandidateSource, cellsOfPart, partsOf } from './candidates.ts';
import { CellCode } from './field-arrays.ts';

/** Parts of a grid. All arrays are in memory that threads share. */
export interface CandidatesTask extends Task<CandidatesAnswer>, WorkParts {
  readonly kind: 'candidates';
  readonly source: CandidateSource;
  /** One number: words of the lists of all threads. */
  readonly words: Int32Array;
  /** Threads stop once the lists have more words. */
  readonly mostWords: number;
}

/** Lists of the parts that a thread took, one after the other, and where those of each part end. */
export interface CandidatesAnswer extends PartsDone {
  readonly parts: readonly number[];
  readonly ends: readonly number[];
  readonly lists: Uint32Array;
}

/** Runs a task, on whichever thread. It yields between parts. */
function* candidatesOf(task: CandidatesTask): Generator<void, CandidatesAnswer, void> {
  const finder = new CandidateFinder(task.source);
  const { lists } = finder;
  const parts: number[] = [];
  const ends: number[] = [];
  for (let part = takePart(task); part >= 0; part = takePart(task)) {
    const before = lists.count;
    finder.find(part);
    parts.push(part);
    ends.push(lists.count);
    const all = Atomics.add(task.words, 0, lists.count - before) + lists.count - before;
    if (all > task.mostWords) closeParts(task);
    yield;
  }
  return { done: parts.length, parts, ends, lists: share(lists.words.slice(0, lists.count)) };
}

/** As `candidatesOf`, without a pause. */
export function runCandidates(task: CandidatesTask): CandidatesAnswer {
  const run = candidatesOf(task);
  let step = run.next();
  while (!step.done) step = run.next();
  return step.value;
}

export interface FindOptions extends Watch {
  /** Words of all lists, at most. */
  readonly mostWords: number;
  /** Undefined: the calling thread finds all. */
  readonly pool?: WorkerPool | undefined;
  readonly threads?: number | undefined;
}

/** `cells` and `lists` of `FieldArrays`. */
export interface FoundCandidates {
  readonly cells: Uint32Array;
  readonly lists: Uint32Array;
}

/**
 * Lists of candidates of all cells, and the words of the cells: the same on any number of threads. Undefined where the
 * lists have more words than they may. Rejects with the signal's reason.
 *
 * @param options `onProgress` is called with the share that is done
 */
export async function findCandidates(
  given: Omit<CandidateSource, 'into'>,
  { mostWords, pool, threads, signal, onProgress }: FindOptions,
): Promise<FoundCandidates | undefined> {
  const count = partsOf(given.levels);
  // With cells of its own: workers that are lost may still write to those of the task that they had.
  const newTask = (): CandidatesTask => {
    const source = { ...given, into: sharedCopy(given.cells) };
    const words = share(new Int32Array(1));
    return { kind: 'candidates', source, words, mostWords, ...newParts(count, 1) };
  };
  let task = newTask();
  let answers: CandidatesAnswer[] = [];
  const watch = { signal, onProgress: (done: number) => onProgress?.(done / count) };
  await shareWork<CandidatesTask>(
    {
      ...{ count, pool, threads },
      task: () => task,
      take: (found) => {
        answers = found;
      },
      alone: async () => {
        if (pool) task = newTask();
        answers = [await onThisThread(task, watch)];
      },
    },
    watch,
  );
  const total = answers.reduce((sum, { lists }) => sum + lists.length, 0);
  if (total > mostWords) return undefined;
  return { cells: task.source.into, lists: joined(task.source, answers, total) };
}

async function onThisThread(task: CandidatesTask, { signal, onProgress }: Watch): Promise<CandidatesAnswer> {
  const pauseWhenDue = pauses();
  const run = candidatesOf(task);
  for (let step = run.next(); ; step = run.next()) {
    if (step.done) return step.value;
    const paused = pauseWhenDue();
    if (paused === undefined) continue;
    onProgress?.(Math.min(task.count, Atomics.load(task.taken, 0)));
    await paused;
    signal?.throwIfAborted();
  }
}

/** The lists of all parts in the order of parts. Cells get their places. */
function joined(
  { into, levels }: CandidateSource,
  answers: readonly CandidatesAnswer[],
  total: number,
): Uint32Array {
  const parts = answers.flatMap(({ parts: numbers, ends, lists }) =>
    numbers.map((part, n) => ({ part, lists: lists.subarray(n === 0 ? 0 : ends[n - 1]!, ends[n]!) })),
  );
  const all = share(new Uint32Array(total));
  let at = 0;
  for (const { part, lists } of parts.sort((a, b) => a.part - b.part)) {
    all.set(lists, at);
    moveLists(into, levels, part, at);
    at += lists.length;
  }
  return all;
}

/** Moves the places of the lists that a part's cells have. */
function moveLists(cells: Uint32Array, levels: readonly BlockLevel[], part: number, by: number): void {
  const [nx, ny] = levels[0]!.counts;
  const [[x0, x1], [y0, y1], [z0, z1]] = cellsOfPart(levels, part);
  for (let z = z0; z < z1; z++) {
    for (let y = y0; y < y1; y++) {
      const row = (z * ny + y) * nx;
      for (let c = row + x0; c < row + x1; c++) {
        const code = cells[c]! >>> 30;
        if (code === CellCode.inside || code === CellCode.mixed) cells[c]! += by;
      }
    }
  }
}
