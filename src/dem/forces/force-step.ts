/** What the parts of forces have in common in a step. */
import type { History, Room } from './force-history.ts';
import type { GroupLaws } from './group-laws.ts';
import type { PairGroups } from './pair-groups.ts';

/** What a step makes forces of. */
export interface ForceStep {
  readonly groups: PairGroups;
  readonly laws: GroupLaws;
  /** What the step before left, and where this one leaves it. */
  readonly last: History | undefined;
  readonly room: Room;
  /** What springs have been stretched for since. */
  readonly time: number;
}
