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
  if (ArrayBuffer.isView(value)) return share(value as unknown as TypedArray) as T;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shareAll(part)])) as T;
}

/** Bytes of all typed arrays in a plain object, each counted once. */
export function bytesOf(value: unknown, seen: Set<unknown> = new Set()): number {
  if (typeof value !== 'object' || value === null || seen.has(value)) return 0;
  seen.add(value);
  if (ArrayBuffer.isView(value)) return value.byteLength;
  return Object.values(value).reduce((sum: number, part) => sum + bytesOf(part, seen), 0);
}
