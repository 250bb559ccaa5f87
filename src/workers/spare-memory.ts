/**
 * Memory for tables and lists that is used again: what one body or call gives back, the next one takes. The system
 * takes longer to provide fresh pages than scree takes to write them.
 */

/** Bytes that are kept at most, and for how long after they were last wanted, in milliseconds. */
const MOST_SPARE_BYTES = 192 << 20;
const SPARE_TIME = 10_000;
/** Buffers come in multiples of this, so that similar bodies can take each other's. */
const GRAIN = 1 << 16;

type AnyBuffer = ArrayBuffer | SharedArrayBuffer;

let spare: AnyBuffer[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

function isShared(buffer: AnyBuffer): boolean {
  return typeof SharedArrayBuffer !== 'undefined' && buffer instanceof SharedArrayBuffer;
}

/** A kind of typed array. */
export interface MemoryType<A> {
  new (buffer: ArrayBuffer, offset: number, length: number): A;
  readonly BYTES_PER_ELEMENT: number;
}

/**
 * Room for an array, not cleared.
 *
 * @param shared whether other threads are to see it
 */
export function takeMemory<A>(type: MemoryType<A>, length: number, shared: boolean): A {
  const bytes = Math.max(1, Math.ceil((length * type.BYTES_PER_ELEMENT) / GRAIN)) * GRAIN;
  let best: AnyBuffer | undefined;
  for (const buffer of spare) {
    if (isShared(buffer) !== shared || buffer.byteLength < bytes || buffer.byteLength > 2 * bytes) continue;
    if (best === undefined || buffer.byteLength < best.byteLength) best = buffer;
  }
  if (best !== undefined) spare = spare.filter((buffer) => buffer !== best);
  best ??= shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);
  // TypeScript tells buffers that threads share from others; WebGPU and the tables' users take both.
  return new type(best as ArrayBuffer, 0, length);
}

/** Gives back the memory of arrays from `takeMemory` that no one reads or writes any more. */
export function giveMemory(arrays: readonly { readonly buffer: ArrayBufferLike }[]): void {
  spare.push(...arrays.map(({ buffer }) => buffer as AnyBuffer));
  let bytes = 0;
  // The latest are kept.
  spare = spare
    .toReversed()
    .filter(({ byteLength }) => (bytes += byteLength) <= MOST_SPARE_BYTES)
    .toReversed();
  clearTimeout(timer);
  timer = setTimeout(() => {
    spare = [];
  }, SPARE_TIME);
  // Node does not end before its timers otherwise; a browser's timer is a number.
  (timer as { unref?: () => void }).unref?.();
}
