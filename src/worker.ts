/** The worker thread: runs tasks and posts their results or errors. Both builds make a bundle of it. */
import { workerPort } from '#platform';
import { type BroadPhaseTask, runBroadPhase } from './broadphase/pairs-task.ts';
import { type ContactsTask, runContacts } from './contacts/cpu/contacts-task.ts';
import { type CandidatesTask, runCandidates } from './contacts/field/find-candidates.ts';
import { type PairsTask, runPairs } from './convex/cpu/pairs-task.ts';
import { type CellGridTask, runTask } from './inside/cell-grid/tasks.ts';
import {
  type BranchesTask,
  type PotentialTask,
  runBranches,
  runPotential,
  runSetUp,
  type SetUpTask,
} from './inside/winding/potential-tasks.ts';
import type { Answer } from './workers/worker-pool.ts';

type AnyTask =
  | CellGridTask
  | SetUpTask
  | BranchesTask
  | PotentialTask
  | PairsTask
  | BroadPhaseTask
  | ContactsTask
  | CandidatesTask;

const port = workerPort();

port.onMessage((message) => {
  const { id, task } = message as { id: number; task: AnyTask };
  let answer: Answer;
  try {
    answer = { id, result: run(task) };
  } catch (error) {
    answer = { id, error: error instanceof Error ? error.message : String(error) };
  }
  port.post(answer);
});

function run(task: AnyTask): unknown {
  switch (task.kind) {
    case 'pairs':
      return runPairs(task);
    case 'broad-phase':
      return runBroadPhase(task);
    case 'contacts':
      return runContacts(task);
    case 'candidates':
      return runCandidates(task);
    case 'set-up':
      return runSetUp(task);
    case 'branches':
      return runBranches(task);
    case 'potential':
      return runPotential(task);
    default:
      return runTask(task);
  }
}
