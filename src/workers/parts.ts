/**
 * Many items, cut into parts that threads take: whoever is done takes the next part that nobody has. No thread waits
 * for another one where items take differently long, and a thread that comes late finds less to do.
 */

export interface WorkParts {
  /** Items `0 .. count - 1`. */
  readonly count: number;
  /** Items of a part. */
  readonly part: number;
  /** How many parts are taken, in memory that all threads see. */
  readonly taken: Int32Array;
}

/** What a thread did of the items. */
export interface PartsDone {
  /** Items of the parts that it took. */
  readonly done: number;
}

/** Parts that nobody has taken yet. */
export function newParts(count: number, part: number): WorkParts {
  const bytes = Int32Array.BYTES_PER_ELEMENT;
  const isShared = typeof SharedArrayBuffer !== 'undefined';
  const memory: ArrayBufferLike = isShared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);
  return { count, part, taken: new Int32Array(memory) };
}

/** Takes the next part, or so many at once, and returns the first item; -1 where there is none left. */
export function takePart({ count, part, taken }: WorkParts, parts = 1): number {
  const first = part * Atomics.add(taken, 0, parts);
  return first < count ? first : -1;
}

/**
 * Takes parts until none is left.
 *
 * @param work is told the first item of a part and the one after its last
 * @param until no part is taken after this time
 */
export function takeParts(
  parts: WorkParts,
  work: (first: number, end: number) => void,
  until = Infinity,
): PartsDone {
  let done = 0;
  while (performance.now() < until) {
    const first = takePart(parts);
    if (first < 0) break;
    const end = Math.min(parts.count, first + parts.part);
    work(first, end);
    done += end - first;
  }
  return { done };
}

/** Whether there are parts that nobody has. */
export function hasParts({ count, part, taken }: WorkParts): boolean {
  return part * Atomics.load(taken, 0) < count;
}

/** Leaves no part to be taken: threads end with what they are at. */
export function closeParts({ count, part, taken }: WorkParts): void {
  Atomics.store(taken, 0, Math.ceil(count / part));
}
