/**
 * Checkpoints: the state of a simulation as bytes. Named arrays one after the other, behind a header in JSON, with a
 * version and a checksum over all that follows it.
 */
import { told } from '../../arguments.ts';
import { InputError } from '../../errors.ts';
import { checksum, STRIPE } from '../../mesh/checksum.ts';

/** "screesim" */
const MAGIC = Uint8Array.from('screesim', (letter) => letter.charCodeAt(0));
/** Of the file, and of all that its arrays hold, as `MotionBody`: raised with every change of these. */
const CHECKPOINT_VERSION = 13;
const VERSION_AT = MAGIC.length;
const CHECKSUM_AT = VERSION_AT + 4;
/** The checksum covers everything from here on. */
const CHECKED_FROM = STRIPE;

const TYPES = { Float64Array, Uint32Array, Uint8Array } as const;
type Stored = Float64Array | Uint32Array | Uint8Array;
export type StoredArrays = Readonly<Record<string, Stored>>;

interface Header {
  readonly numbers: Readonly<Record<string, number>>;
  readonly arrays: readonly {
    readonly name: string;
    readonly type: keyof typeof TYPES;
    readonly length: number;
  }[];
}

/** Contents of a checkpoint. */
export interface StoredState {
  readonly numbers: Readonly<Record<string, number>>;
  readonly arrays: StoredArrays;
}

export function encodeCheckpoint({ numbers, arrays }: StoredState): Uint8Array<ArrayBuffer> {
  const header: Header = {
    numbers,
    arrays: Object.entries(arrays).map(([name, array]) => ({
      ...{ name, type: array.constructor.name as keyof typeof TYPES, length: array.length },
    })),
  };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const list = Object.values(arrays);
  // The length of the header stands before it.
  const bytes = list.reduce(
    (sum, array) => sum + padded(array.byteLength),
    CHECKED_FROM + padded(4 + text.length),
  );
  const file = new Uint8Array(bytes);
  const view = new DataView(file.buffer);
  file.set(MAGIC);
  view.setUint32(VERSION_AT, CHECKPOINT_VERSION, true);
  view.setUint32(CHECKED_FROM, text.length, true);
  file.set(text, CHECKED_FROM + 4);
  let at = CHECKED_FROM + padded(4 + text.length);
  for (const { buffer, byteOffset, byteLength } of list) {
    file.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += padded(byteLength);
  }
  view.setUint32(CHECKSUM_AT, checksum(new Uint32Array(file.buffer, CHECKED_FROM)), true);
  return file;
}

/**
 * @param name for messages
 * @throws InputError if the bytes are no checkpoint, of another version, cut short or damaged
 */
export function decodeCheckpoint(bytes: Uint8Array, name: string): StoredState {
  const fail = (message: string) => new InputError(`${name}: ${message}`);
  if (!MAGIC.every((byte, i) => bytes[i] === byte))
    throw fail('no checkpoint of a simulation found, expected one');
  if (bytes.length < 2 * CHECKED_FROM || bytes.length % STRIPE !== 0) {
    throw fail(
      `damaged: ${bytes.length} bytes found, expected a multiple of ${STRIPE}, ${2 * CHECKED_FROM} or more`,
    );
  }
  // Arrays have to begin at multiples of their numbers' size.
  const file = bytes.slice();
  const view = new DataView(file.buffer);
  const version = view.getUint32(VERSION_AT, true);
  if (version !== CHECKPOINT_VERSION) {
    throw fail(`format version ${version} found, expected ${CHECKPOINT_VERSION}: begin the simulation anew`);
  }
  const [found, written] = [
    checksum(new Uint32Array(file.buffer, CHECKED_FROM)),
    view.getUint32(CHECKSUM_AT, true),
  ];
  if (found !== written) {
    throw fail(`damaged: checksum ${found.toString(16)} found, expected ${written.toString(16)}`);
  }
  const length = view.getUint32(CHECKED_FROM, true);
  const begin = CHECKED_FROM + padded(4 + length);
  if (begin > file.length)
    throw fail(`a header of ${length} bytes found, expected one within ${file.length} bytes`);
  const header = readHeader(file.subarray(CHECKED_FROM + 4, CHECKED_FROM + 4 + length), fail);
  const end = header.arrays.reduce(
    (at, { type, length }) => at + padded(TYPES[type].BYTES_PER_ELEMENT * length),
    begin,
  );
  if (end !== file.length) throw fail(`arrays up to byte ${end} found, expected up to byte ${file.length}`);
  let at = begin;
  const arrays = header.arrays.map(({ name, type, length }) => {
    const array = new TYPES[type](file.buffer, at, length);
    at += padded(array.byteLength);
    return [name, array] as const;
  });
  return { numbers: header.numbers, arrays: Object.fromEntries(arrays) };
}

/** @throws what `fail` makes of a header that `encodeCheckpoint` does not write */
function readHeader(bytes: Uint8Array, fail: (message: string) => InputError): Header {
  let header: Partial<Header> | null;
  try {
    header = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    // It may quote what it found, over several lines.
    throw fail(`header: ${JSON.stringify((error as Error).message)}, expected JSON`);
  }
  const { numbers, arrays } = header ?? {};
  if (typeof numbers !== 'object' || numbers === null || !Array.isArray(arrays)) {
    throw fail(
      `header: numbers ${told(numbers)} and arrays ${told(arrays)} found, expected an object and a list`,
    );
  }
  for (const [name, value] of Object.entries(numbers)) {
    if (!Number.isFinite(value)) throw fail(`header: ${name} is ${told(value)}, expected a finite number`);
  }
  for (const [i, array] of arrays.entries()) {
    const { name, type, length } = (array ?? {}) as Partial<Header['arrays'][number]>;
    const isKnown = typeof name === 'string' && typeof type === 'string' && Object.hasOwn(TYPES, type);
    if (isKnown && Number.isSafeInteger(length) && length! >= 0) continue;
    throw fail(
      `header: array ${i} has name ${told(name)}, type ${told(type)}, length ${told(length)}, expected a name, one ` +
        `of ${Object.keys(TYPES).join(', ')}, and a whole number`,
    );
  }
  return { numbers, arrays };
}

function padded(bytes: number): number {
  return Math.ceil(bytes / STRIPE) * STRIPE;
}
