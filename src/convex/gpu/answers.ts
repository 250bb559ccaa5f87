// Answers of kernels as arrays.
import { PairStatus } from '../pair/status.ts';
import type { BackendSeconds } from '../query/backends.ts';
import { CONTACTS_PER_PAIR, NORMALS_PER_PAIR } from '../query/pair-arrays.ts';
import type { PairArrays } from '../query/pair-query.ts';
import { AnswerWord } from './pair-layout.ts';
import type { PairPlan } from './plan.ts';

export type AnswerArrays = PairArrays<Float32Array<ArrayBuffer>>;

/** Answers of kernels. Of a pair with the status `iterationLimit` the other numbers mean nothing. */
export interface GpuPairAnswers extends AnswerArrays {
  readonly seconds: BackendSeconds;
}

/** What kernels left of pairs `first` to before `first + count`. */
export interface AnswerWords {
  readonly first: number;
  readonly count: number;
  /** `answerSize` words per pair. */
  readonly answers: Uint32Array;
  /** For kind `manifold`: contacts, and of concave bodies their normals. */
  readonly manifolds: Float32Array | undefined;
}

/** Takes what kernels left of some pairs into the arrays of all. */
export function takeAnswers(
  { kind, answerSize, contacts }: PairPlan,
  isConcave: boolean,
  arrays: AnswerArrays,
  found: AnswerWords,
): void {
  if (kind === 'intersect') takeStatuses(arrays, found);
  else takeNumbers(arrays, found, answerSize);
  if (found.manifolds === undefined) return;
  if (isConcave) takeManifolds(arrays, found);
  else takeContacts(arrays, found, contacts);
}

function takeStatuses({ status, iterations }: AnswerArrays, { first, count, answers }: AnswerWords): void {
  for (let i = 0; i < count; i++) {
    const word = answers[i]!;
    status[first + i] = word & 0xff;
    iterations[first + i] = word >>> 8;
  }
}

function takeNumbers(arrays: AnswerArrays, { first, count, answers }: AnswerWords, size: number): void {
  const { distance, lower, upper, normal, pointA, pointB, status, iterations, contactCounts } = arrays;
  const floats = new Float32Array(answers.buffer, answers.byteOffset, answers.length);
  const hasContacts = contactCounts.length > 0;
  // Written out: this runs for every pair of every query.
  for (let i = 0; i < count; i++) {
    const from = size * i;
    const to = first + i;
    const word = answers[from + AnswerWord.status]!;
    status[to] = word & 0xff;
    iterations[to] = answers[from + AnswerWord.iterations]!;
    if ((word & 0xff) === PairStatus.iterationLimit) continue;
    if (hasContacts) contactCounts[to] = word >>> 24;
    const d = floats[from + AnswerWord.distance]!;
    distance[to] = d;
    lower[to] = floats[from + AnswerWord.lower]!;
    upper[to] = floats[from + AnswerWord.upper]!;
    const n = from + AnswerWord.normal;
    const a = from + AnswerWord.pointA;
    const at = 3 * to;
    normal[at] = floats[n]!;
    normal[at + 1] = floats[n + 1]!;
    normal[at + 2] = floats[n + 2]!;
    pointA[at] = floats[a]!;
    pointA[at + 1] = floats[a + 1]!;
    pointA[at + 2] = floats[a + 2]!;
    pointB[at] = floats[a]! + d * floats[n]!;
    pointB[at + 1] = floats[a + 1]! + d * floats[n + 1]!;
    pointB[at + 2] = floats[a + 2]! + d * floats[n + 2]!;
  }
}

/** Contacts of two convex bodies, whose normal is the pair's. */
function takeContacts(arrays: AnswerArrays, { first, count, manifolds }: AnswerWords, room: number): void {
  const { contacts, contactNormals, contactCounts, normal } = arrays;
  for (let i = 0; i < count; i++) {
    const to = first + i;
    const own = contactCounts[to]!;
    contacts.set(manifolds!.subarray(4 * room * i, 4 * (room * i + own)), CONTACTS_PER_PAIR * to);
    for (let c = 0; c < 3 * own; c++) contactNormals[NORMALS_PER_PAIR * to + c] = normal[3 * to + (c % 3)]!;
  }
}

/** Contacts of concave bodies, each with the normal of two parts. */
function takeManifolds(arrays: AnswerArrays, { first, count, manifolds }: AnswerWords): void {
  const { contacts, contactNormals, contactCounts } = arrays;
  for (let i = 0; i < count; i++) {
    const to = first + i;
    const own = contactCounts[to]!;
    const from = 2 * CONTACTS_PER_PAIR * i;
    const normals = from + CONTACTS_PER_PAIR;
    contacts.set(manifolds!.subarray(from, from + 4 * own), CONTACTS_PER_PAIR * to);
    for (let c = 0; c < own; c++) {
      for (let k = 0; k < 3; k++) {
        contactNormals[NORMALS_PER_PAIR * to + 3 * c + k] = manifolds![normals + 4 * c + k]!;
      }
    }
  }
}
