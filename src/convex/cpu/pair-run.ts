// Queries for many pairs on the host, in float64: the CPU backend.
import { CONVEX_TOLERANCE, MANIFOLD_RESOLUTION } from '../constants.ts';
import { CONTACT } from '../manifold/contact-plane.ts';
import { contactManifold, PartContacts } from '../manifold/manifold.ts';
import type { Pair } from '../pair/pair.ts';
import { SphereSide, sideOfPositions, sideOfSpheres } from '../pair/sphere-sides.ts';
import { isOpen, PairStatus } from '../pair/status.ts';
import { areSound, requireContents, resolveQuery } from '../query/check-query.ts';
import { arraysFor, CONTACTS_PER_PAIR, NORMALS_PER_PAIR } from '../query/pair-arrays.ts';
import { type PairKind, reachOf } from '../query/pair-kinds.ts';
import type { PairArrays, PairQuery, PairResults, ResolvedPairQuery } from '../query/pair-query.ts';
import { toPlainDistances } from '../query/plain-distance.ts';
import { compose, PLACEMENT, placePose } from '../shapes/pose.ts';
import { INTEGERS, Integer, type PlacedRecord, type ShapeArrays } from '../shapes/records.ts';
import { PairSolver } from './pair-solver.ts';

/**
 * Answers a query for many pairs on the calling thread. Defaults: algorithm `gjk`, tolerance 2^-36.
 *
 * @throws InputError that names the field of the query, what was found and what was expected.
 */
export function queryPairs(table: ShapeArrays, query: PairQuery): PairResults {
  const resolved = resolveQuery(table.count, query, { algorithm: 'gjk', tolerance: CONVEX_TOLERANCE });
  const count = query.pairs.length / 2;
  requireContents(resolved);
  const arrays = arraysFor(query.kind, count);
  const run = new PairRun(table, resolved, arrays);
  run.answerAll(0, count);
  if (query.kind === 'distance') toPlainDistances(arrays);
  return { ...arrays, pairs: query.pairs, redone: run.redone };
}

/** Pairs whose bodies are placed together: their matrices stay in the processor's nearest cache. */
const BLOCK = 64;

/**
 * One query under way: work space and where results go, whose iterations have to be 0. No answer depends on the pairs
 * before it, so none depends on how a query is cut. Rotations of bodies are made here, for some pairs at a time: a
 * matrix takes about as long to load from memory as to make, and so each thread makes those of its pairs.
 */
export class PairRun {
  readonly #table: ShapeArrays;
  readonly #query: ResolvedPairQuery;
  readonly #kind: PairKind;
  readonly #results: PairArrays<Float64Array<ArrayBuffer>>;
  /** The pair whose answer is the first of the results. */
  readonly #firstPair: number;
  readonly #solver: PairSolver;
  readonly #pair: Pair;
  /** Whether only the side is wanted, and no particular algorithm to tell it. */
  readonly #asksSides: boolean;
  /** Distance up to which there are contacts. */
  readonly #reach: number;
  /** Pairs of a block whose side the bodies' positions do not tell. */
  readonly #left = new Uint32Array(BLOCK);
  /** Placements of their bodies, A's and B's in turn. */
  readonly #placed = new Float64Array(2 * PLACEMENT * BLOCK);
  readonly #found = new Float64Array(CONTACTS_PER_PAIR);
  readonly #partContacts = new PartContacts();
  /** A part of A and one of B. */
  readonly #partA: PlacedRecord = { record: 0, frames: new Float64Array(PLACEMENT), at: 0 };
  readonly #partB: PlacedRecord = { record: 0, frames: new Float64Array(PLACEMENT), at: 0 };
  /** The bodies of the pair that is answered; their frames are in `#placed`. */
  readonly #a: PlacedRecord;
  readonly #b: PlacedRecord;

  constructor(
    table: ShapeArrays,
    query: ResolvedPairQuery,
    results: PairArrays<Float64Array<ArrayBuffer>>,
    firstPair = 0,
  ) {
    this.#table = table;
    this.#query = query;
    this.#kind = query.kind;
    this.#asksSides = query.kind === 'intersect' && query.algorithm === 'auto';
    this.#results = results;
    this.#firstPair = firstPair;
    this.#reach = reachOf(query);
    this.#solver = new PairSolver(table, query);
    this.#pair = this.#solver.pair;
    this.#a = { record: 0, frames: this.#placed, at: 0 };
    this.#b = { record: 0, frames: this.#placed, at: 0 };
  }

  /** Pairs so far that the algorithm asked for left undecided. */
  get redone(): number {
    return this.#solver.redone;
  }

  /**
   * Answers pairs `first .. end - 1` and checks them and their share of the bodies. False, with some pairs left out, if
   * something cannot be used: `requireContents` tells what.
   */
  answerAll(first: number, end: number): boolean {
    const { pairs, shapes, warm } = this.#query;
    const count = pairs.length / 2;
    const firstBody = Math.floor((shapes.length * first) / count);
    if (!areSound(this.#query, firstBody, Math.floor((shapes.length * end) / count))) return false;
    for (let from = first; from < end; from += BLOCK) {
      const left = this.#placeBodies(from, Math.min(end, from + BLOCK));
      if (left < 0) return false;
      for (let k = 0, a = 0; k < left; k++, a += 2 * PLACEMENT) {
        const i = this.#left[k]!;
        const w = 3 * i;
        const known = warm !== undefined && (warm[w] !== 0 || warm[w + 1] !== 0 || warm[w + 2] !== 0);
        this.#a.record = shapes[pairs[2 * i]!]!;
        this.#b.record = shapes[pairs[2 * i + 1]!]!;
        this.#a.at = a;
        this.#b.at = a + PLACEMENT;
        this.#answer(i - this.#firstPair, known ? warm : undefined, w);
      }
    }
    return true;
  }

  /**
   * Places the bodies of pairs `first .. end - 1` into `#placed`, and lists these pairs in `#left`: all but those whose
   * side positions tell. How many they are; -1 if a pair is none, or one of its bodies cannot be used.
   */
  #placeBodies(first: number, end: number): number {
    const { pairs, shapes, poses, shapeCount } = this.#query;
    const placed = this.#placed;
    let left = 0;
    for (let i = first; i < end; i++) {
      const a = pairs[2 * i]!;
      const b = pairs[2 * i + 1]!;
      const isPair = a !== b && a < shapes.length && b < shapes.length;
      if (!(isPair && shapes[a]! < shapeCount && shapes[b]! < shapeCount)) return -1;
      if (this.#asksSides) {
        const side = sideOfPositions(this.#table, this.#query, a, b);
        if (side !== SphereSide.open) {
          this.#storeSide(i - this.#firstPair, side);
          continue;
        }
      }
      const at = 2 * PLACEMENT * left;
      if (!(placePose(poses, a, placed, at) && placePose(poses, b, placed, at + PLACEMENT))) return -1;
      this.#left[left++] = i;
    }
    return left;
  }

  #storeSide(i: number, side: SphereSide): void {
    this.#results.status[i] = side === SphereSide.apart ? PairStatus.separated : PairStatus.converged;
  }

  /**
   * Answers for `#a` and `#b` as number i of the results: of all pairs of parts, the one with the least signed
   * distance.
   */
  #answer(i: number, warm: Float64Array | undefined, w: number): void {
    const { integers } = this.#table;
    const a = this.#a;
    const b = this.#b;
    const partsA = integers[INTEGERS * a.record + Integer.partCount]!;
    const partsB = integers[INTEGERS * b.record + Integer.partCount]!;
    if (partsA === 0 && partsB === 0) {
      if (this.#asksSides) {
        const side = sideOfSpheres(this.#table, a, b);
        if (side !== SphereSide.open) {
          this.#storeSide(i, side);
          return;
        }
      }
      this.#pair.place(a, b, warm, w);
      const status = this.#solver.solve();
      this.#store(i, status, true);
      if (this.#kind === 'manifold') this.#storeContacts(i, status);
      return;
    }
    let first = true;
    for (let p = 0; p < Math.max(1, partsA); p++) {
      const partA = partsA === 0 ? a : this.#placePart(a, p, this.#partA);
      for (let q = 0; q < Math.max(1, partsB); q++) {
        const partB = partsB === 0 ? b : this.#placePart(b, q, this.#partB);
        this.#pair.place(partA, partB);
        const status = this.#solver.solve();
        this.#store(i, status, first);
        if (this.#kind === 'manifold') this.#addContacts(status);
        first = false;
      }
    }
    if (this.#kind === 'manifold') this.#partContacts.write(i, this.#results);
  }

  /** Places part number k of a concave body. */
  #placePart({ record, frames, at }: PlacedRecord, k: number, out: PlacedRecord): PlacedRecord {
    const { integers, partRecords, partPlacements } = this.#table;
    const part = integers[INTEGERS * record + Integer.firstPart]! + k;
    compose(frames, at, partPlacements, PLACEMENT * part, out.frames);
    out.record = partRecords[part]!;
    return out;
  }

  /** Writes a pair's answer in world coordinates; of parts, the nearer one replaces what is there. */
  #store(i: number, status: PairStatus, first: boolean): void {
    const pair = this.#pair;
    const results = this.#results;
    results.iterations[i]! += pair.calls;
    if (this.#kind === 'intersect') {
      const before = results.status[i]!;
      if (first || before === PairStatus.separated || status === PairStatus.converged)
        results.status[i] = status;
      return;
    }
    // Bounds that meet may pass each other by rounding.
    const low = Math.min(pair.lower, pair.upper);
    const high = Math.max(pair.lower, pair.upper);
    const before = results.status[i] as PairStatus;
    const lowest = first ? Infinity : results.lower[i]!;
    // The least of exact distances lies between the least bounds, whichever part they are of.
    results.lower[i] = first ? low : Math.min(low, results.lower[i]!);
    results.upper[i] = first ? high : Math.min(high, results.upper[i]!);
    // Of kind `distance` all that intersect have a distance of 0: parts that overlap go before those that touch.
    const nearer =
      pair.distance < results.distance[i]! ||
      (pair.distance === results.distance[i] && results.status[i] === PairStatus.touching);
    if (!first && !nearer) {
      if (isOpen(before, status, low, results.distance[i]!)) results.status[i] = PairStatus.bounded;
      return;
    }
    results.status[i] = isOpen(status, first ? status : before, lowest, pair.distance)
      ? PairStatus.bounded
      : status;
    results.distance[i] = pair.distance;
    const r = pair.frame;
    const { normal, pointA, pointB } = pair;
    for (let k = 0; k < 3; k++) {
      const x = r[3 * k]!;
      const y = r[3 * k + 1]!;
      const z = r[3 * k + 2]!;
      results.normal[3 * i + k] = x * normal[0]! + y * normal[1]! + z * normal[2]!;
      results.pointA[3 * i + k] = r[9 + k]! + (x * pointA[0]! + y * pointA[1]! + z * pointA[2]!);
      results.pointB[3 * i + k] = r[9 + k]! + (x * pointB[0]! + y * pointB[1]! + z * pointB[2]!);
    }
  }

  /** Contacts of two convex shapes, whose answer is stored already. */
  #storeContacts(i: number, status: PairStatus): void {
    const { contacts, contactNormals, contactCounts, normal } = this.#results;
    const count = this.#findContacts(status);
    contactCounts[i] = count;
    for (let c = 0; c < CONTACT * count; c++) contacts[CONTACTS_PER_PAIR * i + c] = this.#found[c]!;
    const at = NORMALS_PER_PAIR * i;
    for (let c = 0; c < 3 * count; c++) contactNormals[at + c] = normal[3 * i + (c % 3)]!;
  }

  /** Contacts of two parts, for those of all parts. */
  #addContacts(status: PairStatus): void {
    const { frame: r, normal, size } = this.#pair;
    const found = this.#found;
    const count = this.#findContacts(status);
    const turned = [0, 3, 6].map((k) => r[k]! * normal[0]! + r[k + 1]! * normal[1]! + r[k + 2]! * normal[2]!);
    for (let c = 0; c < CONTACT * count; c += CONTACT) {
      this.#partContacts.add(found.subarray(c, c + CONTACT), turned, MANIFOLD_RESOLUTION * size);
    }
  }

  /** Contacts of the pair just solved, in the world, into `#found`. */
  #findContacts(status: PairStatus): number {
    if (status === PairStatus.separated) return 0;
    const pair = this.#pair;
    const found = this.#found;
    const count = contactManifold(pair, this.#query.manifold, this.#reach, found, 0);
    const r = pair.frame;
    for (let c = 0; c < CONTACT * count; c += CONTACT) {
      const [x, y, z] = [found[c]!, found[c + 1]!, found[c + 2]!];
      for (let k = 0; k < 3; k++) {
        found[c + k] = r[9 + k]! + (r[3 * k]! * x + r[3 * k + 1]! * y + r[3 * k + 2]! * z);
      }
    }
    return count;
  }
}
