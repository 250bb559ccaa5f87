/** What contacts remember between steps by impulses. */
import type { ContactGroups } from '../forces/groups.ts';
import type { ContactKeys } from '../forces/history.ts';

/** What contacts remember from step to step. */
export interface ImpulseHistory {
  readonly contacts: ContactKeys;
  readonly groups: ContactGroups;
  /** `[m * 4]`: impulse along the normal, and the vector of friction, on B: of a substep. */
  readonly impulses: Float64Array;
  /** `[groups * 3]`: angular impulse on B of a substep that resists rolling and torsion. */
  readonly rolling: Float64Array;
  /** `[groups * 3]`: mean force on B in the step. Nothing that follows depends on it. */
  readonly forces: Float64Array;
}
