/** Rows of narrow phases as the list that callers get. */
import type { Backend } from '../../gpu/backend.ts';
import type { FoundContacts } from '../cpu/cpu-contacts.ts';
import { assembleContacts } from '../list/assemble.ts';
import { eventsBetween, touchingPairs } from '../list/events.ts';
import type { ContactEngine } from './contact-engine.ts';
import type { ContactSeconds, DetectedContacts } from './detection.ts';

/** How contacts were found. */
export interface ListedBy {
  readonly backend: Backend;
  /** Why this backend. */
  readonly reason: string;
  /** When the call began. */
  readonly started: number;
  /** Pairs that touched before, for events. */
  readonly before?: ReturnType<typeof touchingPairs> | undefined;
}

/** @param poses of all bodies, `[n * 7]` */
export function listContacts(
  { table, bodies, device }: Pick<ContactEngine, 'table' | 'bodies' | 'device'>,
  found: Omit<FoundContacts, 'seconds'> &
    Partial<Pick<DetectedContacts, 'grown' | 'gpuBytes'>> & { readonly seconds: Partial<ContactSeconds> },
  poses: Float64Array,
  { backend, reason, started, before }: ListedBy,
): DetectedContacts {
  const listing = performance.now();
  const contacts = assembleContacts(found.rows, table.colliders, poses);
  const events = before && eventsBetween(before, touchingPairs(contacts, bodies.count), bodies.count);
  const ended = performance.now();
  const { pairs, nodes, threads, grown = [], gpuBytes = 0, seconds } = found;
  return {
    ...contacts,
    ...{ pairs, nodesTested: nodes.tested, nodesNear: nodes.near, events, grown },
    ...{ backend, reason, adapter: device?.adapter, threads, gpuBytes },
    seconds: {
      ...{ broadphase: 0, nodes: 0, edges: 0, patches: 0, convex: 0, planes: 0 },
      ...{ kernel: 0, upload: 0, readback: 0, ...seconds },
      ...{ list: (ended - listing) / 1000, total: (ended - started) / 1000 },
    },
  };
}
