/** The worker thread: runs tasks and answers with what came of them. A bundle of its own in both builds. */
import { workerPort } from '#platform';
import { type PairsTask, runPairs } from './convex/tasks.ts';
import { type InsideTask, runTask } from './inside/cell-grid/tasks.ts';
import type { Answer } from './workers/worker-pool.ts';

const port = workerPort();

port.onMessage((message) => {
  const { id, task } = message as { id: number; task: InsideTask | PairsTask };
  let answer: Answer;
  try {
    answer = { id, result: task.kind === 'pairs' ? runPairs(task) : runTask(task) };
  } catch (error) {
    answer = { id, error: error instanceof Error ? error.message : String(error) };
  }
  port.post(answer);
});
