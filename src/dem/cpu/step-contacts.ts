/** Contacts of a step on the host, as a list once somebody asks for it. */
import type { FoundContacts } from '../../contacts/cpu/cpu-contacts.ts';
import { ContactStatus } from '../../contacts/list/contact-arrays.ts';
import type { ContactEngine } from '../../contacts/pipeline/contact-engine.ts';
import { listContacts } from '../../contacts/pipeline/list-contacts.ts';
import { contactsOfBodies, type RepeatedContacts } from '../scene/copies.ts';
import type { RepeatedSpace } from '../scene/repeated-space.ts';

export interface StepContactsOptions {
  readonly engine: Pick<ContactEngine, 'table' | 'bodies' | 'device'>;
  readonly found: FoundContacts;
  /** `[n * 7]`: of the engine's bodies, copies where space repeats. They stay as long as contacts are asked for. */
  readonly poses: Float64Array;
  readonly space: RepeatedSpace | undefined;
  /** Why the CPU does the work. */
  readonly reason: string;
  /** Seconds that finding them took. */
  readonly total: number;
}

export class StepContacts {
  readonly #options: StepContactsOptions;
  #list: RepeatedContacts | undefined;

  constructor(options: StepContactsOptions) {
    this.#options = options;
  }

  /** Wall time by stage. */
  get seconds(): FoundContacts['seconds'] {
    return this.#options.found.seconds;
  }

  get count(): number {
    return this.#list?.count ?? this.#options.found.rows.reduce((sum, { count }) => sum + count, 0);
  }

  /** Those whose status is `open`. */
  get openContacts(): number {
    if (this.#list) return this.#list.openContacts;
    let open = 0;
    for (const { statuses } of this.#options.found.rows)
      for (const status of statuses) if (status === ContactStatus.open) open++;
    return open;
  }

  /** All of them, in order. */
  get list(): RepeatedContacts {
    if (this.#list) return this.#list;
    const { engine, found, poses, space, reason, total } = this.#options;
    const listed = listContacts(engine, found, poses, {
      ...{ backend: 'cpu', reason },
      started: performance.now() - 1000 * total,
    });
    this.#list = space ? contactsOfBodies(space, listed) : listed;
    return this.#list;
  }

  /** The same with a list that somebody kept. */
  withList(list: RepeatedContacts): StepContacts {
    const same = new StepContacts(this.#options);
    same.#list = list;
    return same;
  }
}
