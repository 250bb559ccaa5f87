// Answers to a query, made of what kernels leave for pairs of convex bodies.

import { isOpen, PairStatus } from '../pair/status.ts';
import type { BackendSeconds } from '../query/backends.ts';
import { float32ArraysFor } from '../query/pair-arrays.ts';
import type { PairKind } from '../query/pair-kinds.ts';
import type { PairArrays } from '../query/pair-query.ts';
import type { ShapeRecords } from '../shapes/records.ts';
import type { ConvexBodies } from './bodies.ts';
import type { Chunk } from './chunks.ts';
import { ContactSink } from './contact-answers.ts';
import { INSIDE, INTERSECT_RESULT, RESULT } from './layout.ts';
import type { KernelPlan } from './pair-kernel.ts';

/** No answer yet. */
const NONE = 0xff;

type AnswerArrays = PairArrays<Float32Array<ArrayBuffer>>;

/** Answers of kernels. Of a pair with the status `iterationLimit` the other numbers mean nothing. */
export interface GpuPairAnswers extends AnswerArrays {
  readonly seconds: BackendSeconds;
}

/** Collects answers: of the pairs of parts of two bodies, that with the least signed distance, as `queryPairs` does. */
export class AnswerSink {
  readonly arrays: AnswerArrays;
  readonly #kind: PairKind;
  /** Whether depth is wanted: what kernels leave as `INSIDE` is then undecided. */
  readonly #wantsDepth: boolean;
  readonly #contacts: ContactSink;

  constructor(
    table: ShapeRecords,
    { kind, wantsDepth }: Pick<KernelPlan, 'kind' | 'wantsDepth'>,
    count: number,
  ) {
    this.#kind = kind;
    this.#wantsDepth = wantsDepth;
    this.arrays = float32ArraysFor(kind, count);
    this.#contacts = new ContactSink(table, this.arrays);
    this.arrays.status.fill(NONE);
  }

  /**
   * Takes the answers of a chunk.
   *
   * @param results `RESULT` vec4 per pair, one for kind `intersect`
   * @param contacts for kind `manifold`
   */
  take(chunk: Chunk, bodies: ConvexBodies, results: Uint8Array, contacts: Uint8Array | undefined): void {
    const words = new Uint32Array(results.buffer, results.byteOffset, results.byteLength / 4);
    if (this.#kind === 'intersect') this.#takeStatuses(chunk, words);
    else this.#takeNumbers(chunk, bodies, words);
    if (contacts === undefined) return;
    const points = new Float32Array(contacts.buffer, contacts.byteOffset, contacts.byteLength / 4);
    this.#contacts.take(chunk, bodies, words, points);
  }

  /** Once all chunks are there. */
  finish(): void {
    this.#contacts.finish();
  }

  #takeStatuses({ count, owners }: Chunk, words: Uint32Array): void {
    const { status, iterations } = this.arrays;
    for (let i = 0; i < count; i++) {
      const owner = owners[i]!;
      const word = words[4 * INTERSECT_RESULT * i + 3]!;
      iterations[owner]! += word >>> 8;
      const found = word & 0xff;
      const before = status[owner]!;
      // One pair of parts that intersects is enough; one that is undecided leaves the pair so.
      if (before === NONE || before === PairStatus.separated || found === PairStatus.converged) {
        status[owner] = found;
      }
    }
  }

  #takeNumbers({ count, owners, pairs }: Chunk, { centres }: ConvexBodies, words: Uint32Array): void {
    const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
    const { distance, lower, upper, normal, pointA, pointB, status, iterations } = this.arrays;
    for (let i = 0; i < count; i++) {
      const owner = owners[i]!;
      const r = 4 * RESULT * i;
      const word = words[r + 3]!;
      iterations[owner]! += (word >>> 8) & 0xffff;
      const before = status[owner]!;
      if (before === PairStatus.iterationLimit) continue;
      let found = (word & 0xff) as PairStatus;
      // Kernels have no degenerate answers of their own (result.wgsl).
      if (found === PairStatus.degenerate) found = PairStatus.bounded;
      else if ((word & 0xff) === INSIDE)
        found = this.#wantsDepth ? PairStatus.iterationLimit : PairStatus.converged;
      if (found === PairStatus.iterationLimit) {
        status[owner] = found;
        continue;
      }
      const overlaps = (word & 0xff) === INSIDE;
      const d = overlaps ? 0 : floats[r]!;
      const low = overlaps ? -Infinity : floats[r + 1]!;
      const high = overlaps ? 0 : found === PairStatus.separated ? Infinity : floats[r + 2]!;
      const lowest = before === NONE ? Infinity : lower[owner]!;
      // The least signed distance of all parts lies between the least bounds.
      lower[owner] = before === NONE ? low : Math.min(lower[owner]!, low);
      upper[owner] = before === NONE ? high : Math.min(upper[owner]!, high);
      if (before !== NONE && !(d < distance[owner]!)) {
        if (isOpen(before as PairStatus, found, low, distance[owner]!)) status[owner] = PairStatus.bounded;
        continue;
      }
      status[owner] = isOpen(found, before as PairStatus, lowest, d) ? PairStatus.bounded : found;
      distance[owner] = d;
      const centre = 3 * pairs[2 * i]!;
      // Written out: this runs for every pair of every query.
      const o = 3 * owner;
      const nx = floats[r + 4]!;
      const ny = floats[r + 5]!;
      const nz = floats[r + 6]!;
      const ax = centres[centre]! + floats[r + 8]!;
      const ay = centres[centre + 1]! + floats[r + 9]!;
      const az = centres[centre + 2]! + floats[r + 10]!;
      normal[o] = nx;
      normal[o + 1] = ny;
      normal[o + 2] = nz;
      pointA[o] = ax;
      pointA[o + 1] = ay;
      pointA[o + 2] = az;
      pointB[o] = ax + d * nx;
      pointB[o + 1] = ay + d * ny;
      pointB[o + 2] = az + d * nz;
    }
  }
}
