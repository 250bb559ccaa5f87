// The .npy array format of NumPy, versions 1.0, 2.0 and 3.0 ("A simple file format for NumPy arrays", NEP 1): magic,
// version, header length, a Python dictionary literal, data. Assumes a little-endian host, as WebGPU does.
import { requireArray, requireText, told } from '../arguments.ts';
import { InputError } from '../errors.ts';
import { type Complaint, readError } from '../mesh/read/read-error.ts';

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
/** Headers are padded so that the data begins at a multiple of this. */
const ALIGNMENT = 64;
/** NumPy's own limit until 2.0. It keeps a damaged header from costing time. */
const LARGEST_DIMENSION_COUNT = 32;
/** Magic, version, and the length of the header, which takes two bytes in version 1 and four later. */
const LONGEST_PREFIX = 12;

export type NpyDtype = 'f4' | 'f8' | 'u1' | 'i1' | 'u2' | 'i2' | 'u4' | 'i4' | 'u8' | 'i8' | 'b1';
export type NpyData =
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Int8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | BigUint64Array<ArrayBuffer>
  | BigInt64Array<ArrayBuffer>;

export interface NpyArray {
  /** The elements in C order (last index fastest), whatever the order in the file. Booleans are 0 and 1. */
  readonly data: NpyData;
  /** Length of every dimension; empty for a single number. */
  readonly shape: readonly number[];
  /** Kind and bytes per element, in NumPy's letters. The byte order of the file is not kept. */
  readonly dtype: NpyDtype;
}

const ARRAYS: Readonly<Record<NpyDtype, new (buffer: ArrayBuffer) => NpyData>> = {
  f4: Float32Array,
  f8: Float64Array,
  u1: Uint8Array,
  i1: Int8Array,
  u2: Uint16Array,
  i2: Int16Array,
  u4: Uint32Array,
  i4: Int32Array,
  u8: BigUint64Array,
  i8: BigInt64Array,
  b1: Uint8Array,
};

/** Whether the bytes begin with the magic of .npy. */
export function isNpy(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, i) => bytes[i] === byte);
}

/**
 * Parses a .npy file of numbers or booleans.
 * @throws InputError with the file's name if it is no .npy, if its version or type is not supported, or if its length
 * does not fit its shape.
 */
export function parseNpy(bytes: Uint8Array, name: string): NpyArray {
  requireArray('parseNpy: bytes', bytes, [Uint8Array], 'the bytes of a file');
  requireText('parseNpy: name', name, 'a name for messages');
  const header = parseNpyHeader(bytes, name);
  const { dtype, bigEndian, fortranOrder, shape, dataStart } = header;
  requireDataLength(header, bytes.length - dataStart, name);
  const itemSize = Number(dtype[1]);
  // Not bytes.slice: that of a Node Buffer does not copy.
  const raw = new Uint8Array(bytes.subarray(dataStart));
  if (bigEndian) reverseItems(raw, itemSize);
  const data = new ARRAYS[dtype](raw.buffer);
  return { data: fortranOrder && shape.length > 1 ? toCOrder(data, shape) : data, shape, dtype };
}

/** The header of a file that begins with `bytes`. @throws InputError as `parseNpy` does, also if it is not all there */
export function parseNpyHeader(bytes: Uint8Array, name: string): NpyHeader {
  const { text, dataStart } = headerText(bytes, name);
  return { ...parseHeader(text, name), dataStart };
}

/** @throws InputError if the bytes behind the header are not as many as it promises. */
export function requireDataLength(header: NpyHeader, found: number, name: string): void {
  const wanted = dataLength(header);
  if (found === wanted) return;
  throw wrongDataLength(header, {
    name,
    place: `byte ${header.dataStart}`,
    problem: found < wanted ? 'truncated' : 'too long',
    found: `${found} bytes of data`,
  });
}

/** The error for a file that has not as much data as its header promises. */
export function wrongDataLength(header: NpyHeader, complaint: Omit<Complaint, 'expected'>): InputError {
  const { shape, dtype } = header;
  const expected = `${dataLength(header)} for the shape [${shape.join(', ')}] of ${dtype}`;
  return readError({ ...complaint, expected });
}

/** Bytes of data that a header promises. */
export function dataLength({ shape, dtype }: NpyHeader): number {
  return elementCount(shape) * Number(dtype[1]);
}

/** Bytes from the beginning to the data, as the first twelve say. Undefined if they are no header's. */
export function npyHeaderLength(bytes: Uint8Array): number | undefined {
  if (!isNpy(bytes) || bytes.length < LONGEST_PREFIX) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return bytes[6] === 1 ? 10 + view.getUint16(8, true) : LONGEST_PREFIX + view.getUint32(8, true);
}

function headerText(bytes: Uint8Array, name: string): { text: string; dataStart: number } {
  if (!isNpy(bytes)) throw new InputError(`${name}: byte 0: found no .npy magic, expected "\\x93NUMPY"`);
  const major = bytes[6];
  if (major === undefined || major < 1 || major > 3) {
    throw new InputError(`${name}: byte 6: found .npy version ${major ?? '(nothing)'}, expected 1, 2 or 3`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = major === 1 ? 10 : 12;
  const needed =
    bytes.length < start ? start : start + (major === 1 ? view.getUint16(8, true) : view.getUint32(8, true));
  if (bytes.length < needed) {
    throw new InputError(
      `${name}: byte 8: truncated: found ${bytes.length} bytes, expected at least ${needed} for the header`,
    );
  }
  const text = new TextDecoder().decode(bytes.subarray(start, needed));
  return { text, dataStart: needed };
}

export interface NpyHeader {
  readonly dtype: NpyDtype;
  readonly bigEndian: boolean;
  readonly fortranOrder: boolean;
  readonly shape: readonly number[];
  /** Where the data begins, in bytes. */
  readonly dataStart: number;
}

function parseHeader(text: string, name: string): Omit<NpyHeader, 'dataStart'> {
  const fail = (found: string, expected: string): InputError =>
    new InputError(`${name}: header: found ${found}, expected ${expected}`);
  const descr = /['"]descr['"]\s*:\s*(?:['"]([^'"]*)['"]|(\[))/.exec(text);
  if (descr === null) throw fail('no "descr"', 'a dictionary with descr, fortran_order and shape');
  if (descr[2] !== undefined) throw fail('a structured type', 'plain numbers');
  const type = /^([<>|=])([a-z]\d+)$/.exec(descr[1]!);
  if (type === null || !isDtype(type[2]!)) {
    const supported = Object.keys(ARRAYS).join(', ');
    throw fail(
      `the type ${JSON.stringify(descr[1]!.slice(0, 40))}`,
      `one of ${supported}, with < or > in front`,
    );
  }
  const order = /['"]fortran_order['"]\s*:\s*(True|False)\b/.exec(text);
  if (order === null) throw fail('no "fortran_order"', 'True or False');
  const shape = /['"]shape['"]\s*:\s*\(([\d\s,L]*)\)/.exec(text);
  if (shape === null) throw fail('no "shape"', 'a tuple of whole numbers');
  const lengths = shape[1]!.split(',').map((part) => part.trim());
  // A tuple may end with a comma. A tuple of a single number has to.
  if (lengths.at(-1) === '') lengths.pop();
  if (lengths.length > LARGEST_DIMENSION_COUNT || !lengths.every((length) => /^\d{1,15}L?$/.test(length))) {
    throw fail(`the shape ${JSON.stringify(shape[1]!.slice(0, 40))}`, 'a tuple of whole numbers');
  }
  return {
    dtype: type[2],
    bigEndian: type[1] === '>',
    fortranOrder: order[1] === 'True',
    shape: lengths.map((length) => Number.parseInt(length, 10)),
  };
}

function elementCount(shape: readonly number[]): number {
  return shape.includes(0) ? 0 : shape.reduce((product, length) => product * length, 1);
}

function isDtype(type: string): type is NpyDtype {
  return Object.hasOwn(ARRAYS, type);
}

/** Reverses the bytes of every item, in place. */
export function reverseItems(raw: Uint8Array, itemSize: number): void {
  if (itemSize === 1) return;
  for (let at = 0; at < raw.length; at += itemSize) {
    for (let low = at, high = at + itemSize - 1; low < high; low++, high--) {
      const byte = raw[low]!;
      raw[low] = raw[high]!;
      raw[high] = byte;
    }
  }
}

/** From first index fastest to last index fastest. */
function toCOrder(data: NpyData, shape: readonly number[]): NpyData {
  const result = data.slice();
  const strides: number[] = [];
  let stride = 1;
  for (const length of shape) {
    strides.push(stride);
    stride *= length;
  }
  const index = new Array<number>(shape.length).fill(0);
  let from = 0;
  for (let to = 0; to < data.length; to++) {
    result[to] = data[from]!;
    for (let k = shape.length - 1; k >= 0; k--) {
      index[k]!++;
      from += strides[k]!;
      if (index[k]! < shape[k]!) break;
      from -= shape[k]! * strides[k]!;
      index[k] = 0;
    }
  }
  return result;
}

/** What `encodeNpy` and `encodeNpyHeader` write. */
export type WritableNpyDtype = (typeof WRITABLE)[number];

const WRITABLE = ['f4', 'f8', 'u1', 'u4', 'i4'] as const;

/**
 * Writes a .npy file (version 1.0, C order, little-endian).
 * @param data Elements in C order.
 * @param shape Length of every dimension; their product is `data.length`.
 * @throws InputError if the shape does not fit the data.
 */
export function encodeNpy(
  data: Float32Array | Float64Array | Uint8Array | Uint32Array | Int32Array,
  shape: readonly number[],
): Uint8Array<ArrayBuffer> {
  requireArray(
    'encodeNpy: data',
    data,
    [Float32Array, Float64Array, Uint8Array, Uint32Array, Int32Array],
    'the elements',
  );
  requireShape(shape);
  const count = elementCount(shape);
  if (count !== data.length) {
    throw new InputError(
      `.npy: found ${data.length} elements, expected ${count} for the shape [${shape.join(', ')}]`,
    );
  }
  const kind =
    data instanceof Float32Array || data instanceof Float64Array
      ? 'f'
      : data instanceof Int32Array
        ? 'i'
        : 'u';
  const header = encodeNpyHeader(`${kind}${data.BYTES_PER_ELEMENT}` as WritableNpyDtype, shape);
  const bytes = new Uint8Array(header.length + data.byteLength);
  bytes.set(header);
  bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), header.length);
  return bytes;
}

/**
 * The beginning of a .npy file, for writing one piece by piece: the elements, little-endian and in C order, follow it
 * (version 1.0, a multiple of 64 bytes long).
 * @param shape Length of every dimension.
 * @throws InputError if a length is no whole number of 0 or more.
 */
export function encodeNpyHeader(dtype: WritableNpyDtype, shape: readonly number[]): Uint8Array<ArrayBuffer> {
  requireShape(shape);
  const known: readonly string[] = WRITABLE;
  if (!known.includes(dtype))
    throw new InputError(`.npy: found the dtype ${told(dtype)}, expected ${known.join(', ')}`);
  const order = dtype === 'u1' ? '|' : '<';
  const tuple = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const dictionary = `{'descr': '${order}${dtype}', 'fortran_order': False, 'shape': (${tuple}), }`;
  const prefix = MAGIC.length + 4;
  const dataStart = Math.ceil((prefix + dictionary.length + 1) / ALIGNMENT) * ALIGNMENT;
  const text = `${dictionary.padEnd(dataStart - prefix - 1)}\n`;
  const header = new Uint8Array(dataStart);
  header.set([...MAGIC, 1, 0, text.length & 0xff, text.length >> 8]);
  header.set(new TextEncoder().encode(text), prefix);
  return header;
}

function requireShape(shape: readonly number[]): void {
  const isArray = Array.isArray(shape) && shape.length <= LARGEST_DIMENSION_COUNT;
  if (isArray && shape.every((length) => Number.isInteger(length) && length >= 0)) return;
  const found = isArray ? `[${shape.slice(0, 8).map(told).join(', ')}]` : told(shape);
  throw new InputError(
    `.npy: found the shape ${found}, expected whole numbers of 0 or more, at most ${LARGEST_DIMENSION_COUNT}`,
  );
}
