/** One narrow phase over all its pairs, on as many threads as it pays. */
import { HAND_OVER_TIME } from '../../convex/constants.ts';
import { newParts } from '../../workers/parts.ts';
import { shareWork } from '../../workers/share-work.ts';
import { SLICE_TIME, type Watch } from '../../workers/slices.ts';
import type { WorkerPool } from '../../workers/worker-pool.ts';
import type { ColliderPairs } from '../bodies/collider-pairs.ts';
import type { ContactRows, ContactSink } from '../list/contact-sink.ts';
import type { NodeCounts } from '../nodes/nodes-in-fields.ts';
import {
  type ContactScene,
  type ContactsAnswer,
  type ContactsTask,
  inOrder,
  runContacts,
  type Stage,
} from './contacts-task.ts';

/** Pairs that the calling thread answers between two looks at the clock. */
const STEP = 16;
/** Most steps between two looks, where they are quick: 256 pairs that then take 50 us each end within a slice. */
const MOST_STEPS = 16;
/** Parts of a slice for each thread: where pairs differ, who is done early takes another part. */
const PARTS_PER_THREAD = 16;
/**
 * Milliseconds of work that others would take over at least. A message takes some tenths of one, but 2 where a worker
 * has gone to sleep, as it does between the steps of a simulation.
 */
const LEAST_SHARED_TIME = 1;
/** Pairs of the longest slice for each thread. */
const LONGEST_SLICE = 1 << 18;

export interface StageRun {
  readonly stage: Stage;
  readonly scene: ContactScene;
  readonly pairs: ColliderPairs;
  readonly pool: WorkerPool | undefined;
  readonly threads: number;
  /** For what the calling thread finds: its memory serves again in the next step. */
  readonly own: ContactSink;
}

export interface StageContacts {
  /** In the order of pairs. They hold until the next run with the same `own`. */
  readonly rows: readonly ContactRows[];
  readonly nodes: NodeCounts;
  /** Threads that worked. */
  readonly threads: number;
}

/** Contacts of all pairs: the same on any number of threads. Rejects with the signal's reason. */
export async function runStage(run: StageRun, watch: Watch): Promise<StageContacts> {
  const count = run.pairs.pairs.length / 2;
  const pool = run.threads > 1 ? run.pool : undefined;
  const started = performance.now();
  run.own.cut(0);
  // The calling thread keeps the slices that it finishes before a worker has started.
  const begun = answerHere(run, 0, count, pool === undefined ? SLICE_TIME.callingThread : HAND_OVER_TIME);
  const answers: ContactsAnswer[] = [begun];
  let threads = 1;
  watch.onProgress?.(begun.done);
  if (begun.done < count) {
    const perPair = (performance.now() - started) / Math.max(1, begun.done);
    const sharing = pool ? Math.min(pool.size, run.threads) : 1;
    // Of the rest, others would take all but one share.
    const isLong = perPair * (count - begun.done) * (1 - 1 / sharing) > LEAST_SHARED_TIME;
    const shared = isLong ? pool : undefined;
    const milliseconds = shared ? SLICE_TIME.workers : SLICE_TIME.callingThread;
    let left = run;
    threads = await shareWork<ContactsTask>(
      {
        ...{ count: count - begun.done, pool: shared, threads: run.threads },
        slices: { first: milliseconds / perPair, longest: LONGEST_SLICE },
        task: (first, end) => {
          const part = Math.max(1, Math.ceil((end - first) / (PARTS_PER_THREAD * sharing)));
          return taskOf(run, begun.done + first, begun.done + end, part);
        },
        here: (task, until) => runContacts(task, until, run.own),
        take: (found) => answers.push(...found),
        alone: (first, end) => {
          if (pool?.hasFailed && left === run) left = withNewMemory(run);
          answers.push(answerHere(left, begun.done + first, begun.done + end, Infinity));
        },
      },
      { signal: watch.signal, onProgress: (done) => watch.onProgress?.(begun.done + done) },
    );
  }
  const nodes: NodeCounts = { tested: 0, near: 0 };
  for (const answer of answers) {
    nodes.tested += answer.nodes.tested;
    nodes.near += answer.nodes.near;
  }
  return { rows: inOrder(answers), nodes, threads };
}

/** The same with nothing remembered: a worker that is lost may have written half of an axis, or still be writing. */
function withNewMemory(run: StageRun): StageRun {
  const { pairs, remembered } = run.pairs;
  // Nor is anything known to sleep.
  return { ...run, pairs: { pairs, remembered: remembered && new Uint32Array(remembered.length) } };
}

function taskOf({ stage, scene, pairs }: StageRun, first: number, end: number, part: number): ContactsTask {
  return { kind: 'contacts', stage, scene, pairs, first, ...newParts(end - first, part) };
}

/** Answers pairs from `first` on, on the calling thread, for some milliseconds. */
function answerHere(run: StageRun, first: number, end: number, milliseconds: number): ContactsAnswer {
  return runContacts(taskOf(run, first, end, STEP), performance.now() + milliseconds, run.own, MOST_STEPS);
}
