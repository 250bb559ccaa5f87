/** Contacts on the GPU, in lists that are made anew where they ran over. */
import type { Device } from '../../gpu/device.ts';
import { SPARE_ROOM } from '../constants.ts';
import { type GpuCapacity, GpuContacts, type GpuContactsOptions } from './gpu-contacts.ts';
import { ContactHeader, type GrownList } from './header.ts';

export class GrowingContacts {
  readonly #device: Device;
  readonly #options: GpuContactsOptions;
  #now: GpuContacts;

  private constructor(device: Device, options: GpuContactsOptions, contacts: GpuContacts) {
    this.#device = device;
    this.#options = options;
    this.#now = contacts;
  }

  static async create(device: Device, options: GpuContactsOptions): Promise<GrowingContacts> {
    return new GrowingContacts(device, options, await GpuContacts.create(device, options));
  }

  /** Contacts with the room that there is. `grow` replaces them. */
  get now(): GpuContacts {
    return this.#now;
  }

  /** Replaces all lists by longer ones. Without memory for these, the lists of before serve on. */
  async grow(capacity: GpuCapacity): Promise<void> {
    const contacts = await GpuContacts.create(this.#device, { ...this.#options, capacity });
    this.#now.destroy();
    this.#now = contacts;
  }

  destroy(): void {
    this.#now.destroy();
  }
}

/**
 * Room for all that a step needed; undefined where all was there.
 *
 * @param header words of `ContactHeader`
 * @param grown gets the lists that ran over
 */
export function roomFor(header: Uint32Array, grown: GrownList[] = []): GpuCapacity | undefined {
  const capacity = {
    pairs: header[ContactHeader.pairCapacity]!,
    clusters: header[ContactHeader.clusterCapacity]!,
    edgeClusters: header[ContactHeader.edgeClusterCapacity]!,
    planeClusters: header[ContactHeader.planeClusterCapacity]!,
    triangles: header[ContactHeader.triangleCapacity]!,
    contacts: header[ContactHeader.contactCapacity]!,
    touching: header[ContactHeader.touchingCapacity]!,
  };
  const needed = {
    pairs: header[ContactHeader.pairs]!,
    clusters: header[ContactHeader.clusters]!,
    edgeClusters: header[ContactHeader.edgeClusters]!,
    planeClusters: header[ContactHeader.planeClusters]!,
    triangles: header[ContactHeader.triangles]!,
    contacts: header[ContactHeader.contacts]!,
    touching: header[ContactHeader.touching]!,
  };
  // Without all pairs nobody knows how many clusters and triangles there are, and without these, how many contacts,
  // and which pairs touch.
  const parts = ['clusters', 'edgeClusters', 'planeClusters', 'triangles'] as const;
  for (const lists of [['pairs'], parts, ['contacts'], ['touching']] as const) {
    const short = lists.filter((list) => needed[list] > capacity[list]);
    if (short.length === 0) continue;
    grown.push(...short.map((list) => ({ list, capacity: capacity[list], needed: needed[list] })));
    const longer = short.map((list) => [list, Math.ceil(SPARE_ROOM * needed[list])]);
    return { ...capacity, ...Object.fromEntries(longer) };
  }
  return undefined;
}
