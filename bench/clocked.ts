/** Clocks of this process: see `clocked` of src/bench/spread.ts. */
import { type Clocked, clocked as clockedOn } from '../src/bench/spread.ts';
import { nodeClock } from '../src/cli/bench-node.ts';

export function clocked<T>(work: () => Promise<T>): Promise<Clocked<T>> {
  return clockedOn(work, nodeClock);
}
