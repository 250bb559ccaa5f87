/** Checks answers about pairs against surer ones in every run: a benchmark of wrong answers would be worth nothing. */
import { ScreeError } from '../../index.ts';
import type { PairProofReport, PairQuestion } from '../report.ts';
import {
  ASKED_TOLERANCE,
  DEPTH_WITHIN,
  FLOAT32_ERROR,
  FLOAT64_ERROR,
  PROOF_SLACK,
  REFERENCE_TOLERANCE,
  TOO_CLOSE,
} from './constants.ts';
import {
  APART,
  INTERSECTING,
  type PairAnswers,
  type PairSet,
  type PairWay,
  type Reference,
  TOUCHING,
} from './pair-way.ts';
import type { Problem } from './problems.ts';
import { contradiction, isProvenApart, isProvenIntersecting, placedPair, separatingAxes, sizeOf } from './proof.ts';

/** Pairs that a message names. */
const NAMED = 3;

/** An answer of scree is not the right one. Ends the run with exit code 1. */
export class WrongAnswers extends ScreeError {
  constructor(message: string) {
    super(message, 1);
  }
}

/** How answers compare with the reference. */
export interface Held {
  readonly checked: number;
  /** Of a peer; scree's end the run. */
  readonly wrong: number;
  readonly error: { readonly worst: number; readonly mean: number };
  readonly meanDepth: number;
  readonly within: number;
}

/** The pairs of a setting with the reference's answers, proven as far as they can be. */
export class PairCheck {
  readonly #what: string;
  readonly #reference: Reference;
  readonly #sides: Uint8Array;
  readonly #sizes: Float64Array;
  readonly #count: number;
  readonly proof: PairProofReport;

  /**
   * @param depths pairs whose depth is held against separating axes, where both bodies are polytopes
   * @throws WrongAnswers if a proof contradicts the reference
   */
  constructor(options: { what: string; problem: Problem; set: PairSet; reference: Reference; depths: number }) {
    const { what, problem, set, reference, depths } = options;
    this.#what = what;
    this.#reference = reference;
    this.#count = set.count;
    this.#sides = new Uint8Array(set.count);
    this.#sizes = new Float64Array(set.count);
    const proof = { apart: 0, intersecting: 0, open: 0, depths: 0 };
    const wrong: string[] = [];
    for (let i = 0; i < set.count && wrong.length < NAMED; i++) {
      const pair = placedPair(problem, set, i);
      const size = sizeOf(...pair);
      this.#sizes[i] = size;
      const { [i]: distance } = reference.distance;
      const side = referenceSide(reference, i, size);
      this.#sides[i] = side;
      const problemFound = contradiction(pair, reference, i, PROOF_SLACK * size);
      if (problemFound !== '') wrong.push(`pair ${i}: ${problemFound}`);
      if (side === TOUCHING) proof.open++;
      else if (side === APART) {
        if (isProvenApart(pair, reference, i)) proof.apart++;
        else wrong.push(`pair ${i} is said to be apart by ${distance}, and no plane is between its bodies`);
      } else if (isProvenIntersecting(pair, reference, i, PROOF_SLACK * size)) proof.intersecting++;
      else proof.open++;
      if (i >= depths) continue;
      const exact = separatingAxes(...pair);
      if (exact === undefined) continue;
      proof.depths++;
      const off = exact < 0 ? Math.abs(exact - distance!) > PROOF_SLACK * size : distance! < exact - PROOF_SLACK * size;
      if (off) wrong.push(`pair ${i} has the signed distance ${distance}, by separating axes ${exact}`);
    }
    if (wrong.length > 0) {
      throw new WrongAnswers(`${what}: the reference, GJK and EPA in float64, is wrong: ${wrong.join('; ')}`);
    }
    this.proof = proof;
  }

  /** Share of pairs that intersect. */
  get intersecting(): number {
    return this.#sides.reduce((sum, side) => sum + (side === APART ? 0 : 1), 0) / this.#count;
  }

  /** Over all pairs: those apart with depth 0, those that intersect with distance 0. */
  get means(): { readonly depth: number; readonly distance: number } {
    let [depth, distance] = [0, 0];
    for (let i = 0; i < this.#count; i++) {
      const { [i]: signed } = this.#reference.distance;
      if (signed! < 0) depth -= signed!;
      else distance += signed!;
    }
    return { depth: depth / this.#count, distance: distance / this.#count };
  }

  /**
   * Holds a way's answers about all pairs, the first of them, or all of them repeatedly against the reference.
   *
   * @throws WrongAnswers if a way of scree's has a pair on the wrong side, or a distance off by more than is promised
   */
  hold(way: PairWay, question: PairQuestion, answers: PairAnswers): Held {
    const { sides, distance } = answers;
    const peer = way.kind === 'peer';
    const asksDepth = question === 'penetration' || question === 'signed-distance';
    const wrong: number[] = [];
    let [pairs, sum, worst, depth, deep, within] = [0, 0, 0, 0, 0, 0];
    for (let n = 0; n < sides.length; n++) {
      const i = n % this.#count;
      const [side, size, exact] = [this.#sides[i]!, this.#sizes[i]!, this.#reference.distance[i]!];
      // What a peer cannot know from float32 coordinates is not held against it.
      if (peer && Math.abs(exact) <= TOO_CLOSE * size) continue;
      const said = sides[n]!;
      const isOther = said !== side && said !== TOUCHING && side !== TOUCHING;
      const isFar = Math.abs(exact) > (ASKED_TOLERANCE + FLOAT64_ERROR) * size;
      const isMissing = distance.length > 0 && question !== 'penetration' && Number.isNaN(distance[n]!);
      if (isOther || (said === TOUCHING && side !== TOUCHING && isFar) || isMissing) {
        wrong.push(n);
        continue;
      }
      if (distance.length === 0) continue;
      const { beyond, error } = this.#errorOf(way, question, answers, n);
      if (!peer && !(beyond <= promisedError(way))) wrong.push(n);
      if (error === undefined) continue;
      pairs++;
      sum += error;
      worst = Math.max(worst, error);
      if (!asksDepth || exact >= 0) continue;
      deep++;
      depth -= Math.min(0, distance[n]!);
      if (Math.abs(distance[n]! - exact) <= DEPTH_WITHIN * -exact) within++;
    }
    if (!peer && wrong.length > 0) throw this.#complaint(way, question, answers, wrong);
    const share = (total: number, of: number) => (of === 0 ? 0 : total / of);
    const error = { worst, mean: share(sum, pairs) };
    const [checked, meanDepth] = [sides.length, share(depth, sides.length)];
    return { checked, wrong: wrong.length, error, meanDepth, within: share(within, deep) };
  }

  /** How far a distance is off, and how far on the side where it must not be; both relative to the size. */
  #errorOf(
    { fromAbove, sweepRadius = 0 }: PairWay,
    question: PairQuestion,
    { distance, sides }: PairAnswers,
    n: number,
  ): { readonly beyond: number; readonly error?: number } {
    const i = n % this.#count;
    const size = this.#sizes[i]!;
    const { [i]: signed } = this.#reference.distance;
    const exact = question === 'distance' ? Math.max(0, signed!) : signed!;
    const { [n]: said } = distance;
    if (question === 'penetration' && sides[n] === APART && exact > 2 * sweepRadius) {
      // Only a lower bound was asked for; a peer has none.
      return { beyond: Number.isNaN(said) ? 0 : (said! - exact) / size };
    }
    const off = (said! - exact) / size;
    const [deeper, farther] = [-off, off];
    const allowed = fromAbove ? (exact < 0 ? deeper : farther) : 0;
    return { beyond: allowed > 0 ? 0 : Math.abs(off), error: Math.abs(off) };
  }

  #complaint(way: PairWay, question: PairQuestion, answers: PairAnswers, wrong: readonly number[]): WrongAnswers {
    const named = wrong.slice(0, NAMED).map((n) => {
      const i = n % this.#count;
      const [side, expected] = [SIDE_NAMES[answers.sides[n]!], SIDE_NAMES[this.#sides[i]!]];
      const said = answers.distance.length === 0 ? '' : `, signed distance ${answers.distance[n]}`;
      return `pair ${i} is ${side}${said}, expected ${expected}, ${this.#reference.distance[i]}`;
    });
    return new WrongAnswers(
      `${this.#what}, ${question}: ${way.label} gave ${wrong.length} wrong answers: ${named.join('; ')}`,
    );
  }
}

/** Largest error of a distance of scree's, relative to the pair's size. */
function promisedError({ precision, tolerance = ASKED_TOLERANCE }: PairWay): number {
  return tolerance + (precision === 'float64' ? FLOAT64_ERROR : FLOAT32_ERROR);
}

const SIDE_NAMES = ['apart', 'intersecting', 'touching'] as const;

/** Bounds that agree on a side tell it. */
function referenceSide({ lower, upper }: Reference, i: number, size: number): number {
  const slack = REFERENCE_TOLERANCE * size;
  if (lower[i]! > slack) return APART;
  return upper[i]! < -slack ? INTERSECTING : TOUCHING;
}
