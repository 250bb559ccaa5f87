/** Arrays of a caller's for the time of a call: where they are if threads share that memory, otherwise as copies. */
import { giveMemory, takeMemory } from './spare-memory.ts';

type LentArray = Float32Array | Float64Array | Uint32Array;

interface TypeOf<A> {
  new (buffer: ArrayBuffer, offset: number, length: number): A;
  readonly BYTES_PER_ELEMENT: number;
}

/** Whether threads share an array's memory, and that is as long as ever. */
export function isShared({ buffer }: { readonly buffer: ArrayBufferLike }): boolean {
  if (typeof SharedArrayBuffer === 'undefined' || !(buffer instanceof SharedArrayBuffer)) return false;
  return !(buffer as { growable?: boolean }).growable;
}

export class LentArrays {
  readonly #shared: boolean;
  #copies: LentArray[] = [];

  /** @param shared whether other threads are to see the copies, whose memory goes round then */
  constructor(shared: boolean) {
    this.#shared = shared && typeof SharedArrayBuffer !== 'undefined';
  }

  /** The array itself if its memory is shared already, otherwise a copy. */
  of<A extends LentArray>(array: A): A {
    if (isShared(array)) return array;
    if (!this.#shared) return array.slice() as A;
    const copy = takeMemory(array.constructor as TypeOf<A>, array.length, true);
    copy.set(array);
    this.#copies.push(copy);
    return copy;
  }

  /** Gives back the copies' memory. No thread may write to it any more. */
  release(): void {
    giveMemory(this.#copies);
    this.#copies = [];
  }
}
