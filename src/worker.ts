/** The worker thread: runs tasks and posts their results or errors. Both builds make a bundle of it. */
import { workerPort } from '#platform';
import { type BroadPhaseTask, runBroadPhase } from './broadphase/pairs-task.ts';
import { type ContactsTask, runContacts } from './contacts/cpu/contacts-task.ts';
import { type CandidatesTask, runCandidates } from './contacts/field/find-candidates.ts';
import { type PairsTask, runPairs } from './convex/cpu/pairs-task.ts';
import { type ForcesTask, runForces } from './dem/forces/forces-task.ts';
import { type CellGridTask, runTask } from './inside/cell-grid/tasks.ts';
import type { BranchesTask, PotentialTask, SetUpTask } from './inside/winding/potential-tasks.ts';
import type { Answer } from './workers/worker-pool.ts';

type AnyTask =
  | CellGridTask
  | SetUpTask
  | BranchesTask
  | PotentialTask
  | PairsTask
  | BroadPhaseTask
  | ContactsTask
  | CandidatesTask
  | ForcesTask;

const port = workerPort();

port.onMessage(async (message) => {
  const { id, task } = message as { id: number; task: AnyTask };
  let answer: Answer;
  try {
    answer = { id, result: await run(task) };
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
    case 'forces':
      return runForces(task);
    case 'candidates':
      return runCandidates(task);
    case 'set-up':
    case 'branches':
    case 'potential':
      return runOfPotential(task);
    default:
      return runTask(task);
  }
}

/** Pages without potentials do not load what these take. */
async function runOfPotential(task: SetUpTask | BranchesTask | PotentialTask): Promise<unknown> {
  const { runBranches, runPotential, runSetUp } = await import('./inside/winding/potential-tasks.ts');
  switch (task.kind) {
    case 'set-up':
      return runSetUp(task);
    case 'branches':
      return runBranches(task);
    default:
      return runPotential(task);
  }
}
