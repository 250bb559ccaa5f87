/** Memory that worker threads see: copies of arrays in it. */

type TypedArray =
  | Float32Array
  | Float64Array
  | Uint32Array
  | Int32Array
  | Uint16Array
  | Uint8Array
  | Int8Array;

/**
 * A copy of a typed array in memory that workers see; the array itself if it is there already, or there is no such
 * memory.
 */
export function share<A extends TypedArray>(array: A): A {
  const isThere = typeof SharedArrayBuffer === 'undefined' || array.buffer instanceof SharedArrayBuffer;
  return isThere ? array : sharedCopy(array);
}

/** A copy of a typed array, in memory that workers see if there is any. */
export function sharedCopy<A extends TypedArray>(array: A): A {
  if (typeof SharedArrayBuffer === 'undefined') return array.slice() as A;
  const type = array.constructor as new (buffer: SharedArrayBuffer) => A;
  const copy = new type(new SharedArrayBuffer(array.byteLength));
  copy.set(array);
  return copy;
}

/** The same plain object with all typed arrays in it, at any depth, shared. */
export function shareAll<T>(value: T): T {
  return mapArrays(value, share);
}

/** Arrays begin at multiples of this, in bytes. */
const ALIGNMENT = 8;

/** The same, in one piece of memory: a message to a worker takes time for each piece that its arrays lie in. */
export function shareTogether<T>(value: T): T {
  if (typeof SharedArrayBuffer === 'undefined') return value;
  const placed = (bytes: number) => ALIGNMENT * Math.ceil(bytes / ALIGNMENT);
  let size = 0;
  mapArrays(value, (array) => {
    size += placed(array.byteLength);
    return array;
  });
  const memory = new SharedArrayBuffer(size);
  let at = 0;
  return mapArrays(value, (array) => {
    const type = array.constructor as new (
      buffer: SharedArrayBuffer,
      offset: number,
      length: number,
    ) => typeof array;
    const copy = new type(memory, at, array.length);
    copy.set(array);
    at += placed(array.byteLength);
    return copy;
  });
}

/** The same plain object with other typed arrays, at any depth. */
function mapArrays<T>(value: T, map: (array: TypedArray) => TypedArray): T {
  if (ArrayBuffer.isView(value)) return map(value as unknown as TypedArray) as T;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapArrays(part, map)])) as T;
}

/** Bytes of all typed arrays in a plain object, each counted once. */
export function bytesOf(value: unknown, seen: Set<unknown> = new Set()): number {
  if (typeof value !== 'object' || value === null || seen.has(value)) return 0;
  seen.add(value);
  if (ArrayBuffer.isView(value)) return value.byteLength;
  return Object.values(value).reduce((sum: number, part) => sum + bytesOf(part, seen), 0);
}
