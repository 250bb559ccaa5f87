/** How contacts of a list find those of the last step again, by their names. */
import { type ContactArrays, ContactKind } from '../../contacts/list/contact-arrays.ts';
import { type ContactGroups, classOf, comparePairs, RANGE_WORDS, someOf } from '../forces/groups.ts';

/** Numbers that name a contact. */
export type ContactKeys = Pick<ContactArrays, 'count' | 'bodies' | 'parts' | 'kinds' | 'features'>;

/** Keys by which contacts of the last step are found again. */
interface LastKeys {
  readonly contacts: ContactKeys;
  readonly groups: ContactGroups;
}

/** Instead of the number of a group: there is none. */
export const NO_GROUP = -1;

/** Finds groups of the last step. They are asked for in their order. */
export class GroupSeeker {
  readonly #last: LastKeys;
  #at = 0;

  constructor(last: LastKeys) {
    this.#last = last;
  }

  find(contacts: ContactKeys, asked: ContactGroups, group: number): number {
    const { contacts: last, groups } = this.#last;
    const wanted = someOf(asked, group);
    while (this.#at < groups.count) {
      const order = compare(last, someOf(groups, this.#at), contacts, wanted);
      if (order === 0) return this.#at++;
      if (order > 0) return NO_GROUP;
      this.#at++;
    }
    return NO_GROUP;
  }
}

/** Order of two contacts of different lists by the groups that they are in. */
function compare(one: ContactKeys, i: number, other: ContactKeys, j: number): number {
  return classOf(one.kinds[i]!) - classOf(other.kinds[j]!) || comparePairs(one, i, other, j);
}

/** Finds contacts of a group in the last step, from the last feature on. */
export class FeatureSeeker {
  readonly #last: LastKeys | undefined;
  #first = 0;
  #firstEdge = 0;
  #at = -1;
  #atEdge = -1;

  /** Begins with a group of the last step, or `NO_GROUP`. */
  constructor(last: LastKeys | undefined, group: number) {
    this.#last = group === NO_GROUP ? undefined : last;
    if (this.#last === undefined) return;
    const { ranges } = this.#last.groups;
    const at = RANGE_WORDS * group;
    this.#first = ranges[at]!;
    this.#at = ranges[at + 1]! - 1;
    this.#firstEdge = ranges[at + 2]!;
    this.#atEdge = ranges[at + 3]! - 1;
  }

  /** The place of the same contact in the last list, or -1. */
  find({ kinds, features }: ContactKeys, i: number): number {
    if (this.#last === undefined) return -1;
    const isEdge = kinds[i] === ContactKind.edge;
    const last = this.#last.contacts.features;
    const first = isEdge ? this.#firstEdge : this.#first;
    let at = isEdge ? this.#atEdge : this.#at;
    while (at >= first && last[at]! > features[i]!) at--;
    if (isEdge) this.#atEdge = at;
    else this.#at = at;
    return at >= first && last[at] === features[i] ? at : -1;
  }
}
