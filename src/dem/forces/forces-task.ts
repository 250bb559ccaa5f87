/** Forces of contacts as they run on threads. */
import { type PartsDone, takeParts, type WorkParts } from '../../workers/parts.ts';
import type { Task } from '../../workers/worker-pool.ts';
import { BlockForces, type ForceStep } from './block-forces.ts';

/** Blocks of bodies of a step. */
export interface ForcesTask extends Task<PartsDone>, WorkParts {
  readonly kind: 'forces';
  readonly step: ForceStep;
}

/**
 * Runs a task, on whichever thread.
 *
 * @param until no part is begun after this time
 */
export function runForces(task: ForcesTask, until = Infinity): PartsDone {
  let forces: BlockForces | undefined;
  return takeParts(
    task,
    (first, end) => {
      // Who comes late and finds no part makes nothing.
      forces ??= new BlockForces(task.step);
      for (let block = first; block < end; block++) forces.add(block);
    },
    until,
  );
}
