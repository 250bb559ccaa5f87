/** What callers say to a run of a mechanism, and what it says to them. */
import type { DaeStatistics } from '../../dae/dae-statistics.ts';

export interface MechanismStatistics extends Readonly<DaeStatistics> {
  /** Ways that the mechanism can move. */
  readonly degreesOfFreedom: number;
  /** Rows that hold its loops and drives, and those that were left out, as they say what others do. */
  readonly closureRows: number;
  readonly redundantRows: readonly string[];
}

export interface AdvanceOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}
