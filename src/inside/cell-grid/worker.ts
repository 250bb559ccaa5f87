/** The worker thread: runs tasks and answers with their results. A bundle of its own in both builds. */
import { workerPort } from '#platform';
import type { Answer } from '../worker-pool.ts';
import { runTask, type Task } from './tasks.ts';

const port = workerPort();

port.onMessage((message) => {
  const { id, task } = message as { id: number; task: Task };
  let answer: Answer;
  try {
    answer = { id, result: runTask(task) };
  } catch (error) {
    answer = { id, error: error instanceof Error ? error.message : String(error) };
  }
  port.post(answer);
});
