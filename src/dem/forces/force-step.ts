/** A step of forces, as its parts see it. */
import type { History, Room } from './force-history.ts';
import type { GroupLaws } from './group-laws.ts';
import type { PairGroups } from './pair-groups.ts';

/** Groups of contacts, their laws, and the springs of the step before. */
export interface ForceStep {
  readonly groups: PairGroups;
  readonly laws: GroupLaws;
  /** History of the step before, and room for that of this step. */
  readonly last: History | undefined;
  readonly room: Room;
  /** Time by which springs are stretched. */
  readonly time: number;
}
