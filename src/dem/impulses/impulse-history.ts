/** History of contacts between steps by impulses. */
import type { ContactGroups } from '../forces/groups.ts';
import type { ContactKeys } from './seekers.ts';

/** History of contacts from step to step. */
export interface ImpulseHistory {
  readonly contacts: ContactKeys;
  readonly groups: ContactGroups;
  /**
   * `[m * 4]`: force along the normal, and the vector of friction, on B: mean ones of the last substep. As forces they
   * do not depend on its length, which may be halved.
   */
  readonly rowForces: Float64Array;
  /** `[groups * 3]`: torque on B that resists rolling and torsion, likewise. */
  readonly rolling: Float64Array;
  /** `[groups * 3]`: mean force on B in the step. Nothing that follows depends on it. */
  readonly forces: Float64Array;
}
