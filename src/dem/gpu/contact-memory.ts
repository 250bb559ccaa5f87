/**
 * History of contacts on the GPU, by the names of contacts. There are two, as of bodies, so that a step that is given
 * up changes nothing. `match-contacts` finds them again in the next list.
 */
import * as d from 'typegpu/data';
import { bind } from '../../gpu/bind.ts';
import { threadsOver } from '../../gpu/blocks/form.ts';
import { BufferPool, readBack, wordsOf, writeBuffer } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { compileKernel, type KernelOf } from '../../gpu/kernel.ts';
import { type Owner, owned } from '../../gpu/owned.ts';
import { Recorder } from '../../gpu/recorder.ts';
import { WORD } from '../../gpu/words.ts';
import type { StoredArrays } from '../checkpoint/checkpoint.ts';
import type { ContactCapacity, ForceInputs } from './device-response.ts';
import { matchContactsSource } from './forces/force-kernels.ts';

export const KEY = d.sizeOf(d.vec4u);
/** Counts of both halves, in front of the keys. */
const KEY_HEADER = 2;

export interface MemoryOptions {
  /** Of messages and buffers. */
  readonly label: string;
  /** Bytes that a contact remembers. */
  readonly size: number;
  /** Halves, and what more of the same size steps write. */
  readonly parts: number;
}

interface Room {
  readonly owner: Owner;
  readonly pool: BufferPool;
  readonly keys: GPUBuffer;
  readonly history: GPUBuffer;
  readonly ranges: GPUBuffer;
}

export class ContactMemory {
  readonly #device: Device;
  readonly #options: MemoryOptions;
  readonly #match: KernelOf<typeof matchContactsSource>;
  #capacity: ContactCapacity;
  #room: Room;

  private constructor(
    device: Device,
    options: MemoryOptions,
    match: KernelOf<typeof matchContactsSource>,
    capacity: ContactCapacity,
    room: Room,
  ) {
    this.#device = device;
    this.#options = options;
    this.#match = match;
    this.#capacity = capacity;
    this.#room = room;
  }

  static async create(
    device: Device,
    options: MemoryOptions,
    capacity: ContactCapacity,
  ): Promise<ContactMemory> {
    const match = await compileKernel(device, matchContactsSource);
    return new ContactMemory(device, options, match, capacity, await makeRoom(device, options, capacity));
  }

  get capacity(): ContactCapacity {
    return this.#capacity;
  }

  /** Of both halves the number of contacts, and of the list of pairs, in a vec4u; then the keys of both halves. */
  get keys(): GPUBuffer {
    return this.#room.keys;
  }

  /** History of each contact, half after half. */
  get history(): GPUBuffer {
    return this.#room.history;
  }

  /**
   * Number 0: rows, those that touch, contacts. Then of each row, for both halves, the contacts that were found. Behind
   * these is a word of each row.
   */
  get ranges(): GPUBuffer {
    return this.#room.ranges;
  }

  get bytes(): number {
    return this.#room.pool.bytes;
  }

  /** Records which contacts each row has, and where these were in the last step. */
  record(recorder: Recorder, { control, contacts, rows, places }: ForceInputs): void {
    const { keys, ranges } = this.#room;
    const { contacts: contactRoom, rows: rowRoom } = this.#capacity;
    const { offsets, nodeFirsts, edgeFirsts, ...starts } = places;
    const matched = { control, table: rows.table, keys, offsets, nodeFirsts, edgeFirsts, records: contacts };
    recorder.run(bind(this.#device, this.#match, { ...matched, ranges }), {
      ...{ ...threadsOver(this.#device, rowRoom), params: { contactRoom, rowRoom, ...starts } },
    });
  }

  /** Makes room for so many contacts, and rows of pairs: never less than there is. What is remembered stays. */
  async grow(mostContacts: number, mostRows: number): Promise<void> {
    const device = this.#device;
    const [old, { contacts: before }] = [this.#room, this.#capacity];
    const { label, size } = this.#options;
    const contacts = Math.max(before, mostContacts);
    const rows = Math.max(this.#capacity.rows, mostRows);
    const room = await makeRoom(device, this.#options, { contacts, rows });
    await device.checked('making room for contacts', () => {
      const recorder = new Recorder(device, { label: `${label}: growth` });
      const copy = (name: 'keys' | 'history', bytes: number, from: number, to: number, count: number) => {
        const place = (buffer: GPUBuffer, at: number) => ({ buffer, offset: bytes * at });
        recorder.copy(place(old[name], from), place(room[name], to), bytes * count);
      };
      copy('keys', KEY, 0, 0, KEY_HEADER);
      for (const half of [0, 1]) {
        copy('keys', KEY, KEY_HEADER + half * before, KEY_HEADER + half * contacts, before);
        copy('history', size, half * before, half * contacts, before);
        // Rows are others: what is remembered is of no list of pairs that there is.
        recorder.clear(room.keys, KEY * half + WORD, WORD);
      }
      recorder.submit();
    });
    old.owner.destroy();
    this.#room = room;
    this.#capacity = { contacts, rows };
  }

  /** Reads the memory of contacts of the last whole step, which is in half `current`: keys, and their history. */
  async store(current: number): Promise<StoredArrays> {
    const { pool, keys, history } = this.#room;
    const { label, size } = this.#options;
    const device = this.#device;
    const { contacts } = this.#capacity;
    const [head] = await readBack(device, pool, [{ buffer: keys, bytes: KEY * KEY_HEADER }]);
    const count = wordsOf(head!)[(KEY / WORD) * current]!;
    if (count === 0) return { contactKeys: new Uint32Array(0), contactHistory: new Uint32Array(0) };
    const { COPY_SRC, COPY_DST } = GPUBufferUsage;
    const lists = [
      { from: keys, start: KEY_HEADER, each: KEY, label: `${label}: keys to read` },
      { from: history, start: 0, each: size, label: `${label}: history to read` },
    ].map(({ from, start, each, label: name }) => {
      const bytes = each * count;
      const buffer = pool.reserve(name, bytes, COPY_SRC | COPY_DST);
      return { from, offset: each * (start + current * contacts), buffer, bytes, name };
    });
    await device.checked('reading what contacts remember', () => {
      const recorder = new Recorder(device, { label: `${label}: history` });
      for (const { from, offset, buffer, bytes } of lists)
        recorder.copy({ buffer: from, offset }, buffer, bytes);
      recorder.submit();
    });
    const [words, values] = await readBack(device, pool, lists);
    for (const { name } of lists) pool.release(name);
    return { contactKeys: wordsOf(words!), contactHistory: wordsOf(values!) };
  }

  /** Puts what `store` gave into half `current`. There is room for it. */
  restore({ contactKeys, contactHistory }: StoredArrays, current: number): void {
    const { keys, history } = this.#room;
    const { contacts } = this.#capacity;
    const count = contactsIn({ contactKeys: contactKeys! });
    writeBuffer(this.#device, keys, Uint32Array.of(count, 0, 0, 0), KEY * current);
    writeBuffer(this.#device, keys, contactKeys!, KEY * (KEY_HEADER + current * contacts));
    writeBuffer(this.#device, history, contactHistory!, this.#options.size * current * contacts);
  }

  destroy(): void {
    this.#room.owner.destroy();
  }
}

/** Contacts that stored arrays are of. */
export function contactsIn({ contactKeys }: StoredArrays): number {
  return (WORD * contactKeys!.length) / KEY;
}

function makeRoom(
  device: Device,
  { label, size, parts }: MemoryOptions,
  { contacts, rows }: ContactCapacity,
): Promise<Room> {
  const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
  return owned(async (owner) => {
    const pool = owner.keep(new BufferPool(device));
    const room = (name: string, bytes: number, usage = 0) =>
      pool.reserve(`${label}: ${name}`, bytes, STORAGE | COPY_SRC | usage);
    const buffers = await device.checked('making room for what contacts remember', () => ({
      keys: room('keys', KEY * (KEY_HEADER + 2 * contacts), COPY_DST),
      history: room('history', size * parts * contacts, COPY_DST),
      ranges: room('ranges', KEY * (2 * rows + 1) + WORD * rows),
    }));
    return { owner, pool, ...buffers };
  });
}
