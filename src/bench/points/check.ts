/** Flags are held against exact ones in every run: a benchmark of wrong answers would be worth nothing. */
import { BOUNDARY, createRandom, exactFlags, INSIDE, ScreeError, type TriangleMesh } from '../../index.ts';
import type { Accuracy } from '../report.ts';
import type { Answer } from './way.ts';

const SAMPLE_SEED = 20240603;
/** Points that two ways disagree on, or that a sample finds wrong, which a message names. */
const NAMED = 3;
/** The flag of a point that no way of scree has answered yet. */
const UNKNOWN = 255;

/** A flag of scree is not the exact one. Ends the run with exit code 1. */
export class WrongFlags extends ScreeError {
  constructor(message: string) {
    super(message, 1);
  }
}

/** What answers about one set of points of one body are held against. */
export interface AnswerCheck {
  /** Called before answers about all points or these, where what is known of them has to be computed first. */
  sample?(numbers: Uint32Array | undefined): Promise<void>;
  requireRight(way: string, flags: Uint8Array, numbers?: Uint32Array): number;
  requireWithinBounds(way: string, winding: Winding, numbers?: Uint32Array): Accuracy;
  countWrong(flags: Uint8Array, numbers?: Uint32Array): number;
}

type Winding = NonNullable<Answer['winding']>;

/** Flags of one set of points of one body, as far as they are known to be right. */
export class FlagCheck implements AnswerCheck {
  readonly #what: string;
  readonly #mesh: TriangleMesh;
  readonly #points: Float32Array;
  readonly #sample: ReadonlyMap<number, number>;
  /** What the ways so far agree on, with the first that said so: its place in `#ways`. */
  readonly #agreed: Uint8Array;
  readonly #saidBy: Uint8Array;
  readonly #ways: string[] = [];

  /** @param what body and set, for messages; @param sampleSize points that exact predicates decide beforehand */
  constructor(options: { what: string; mesh: TriangleMesh; points: Float32Array; sampleSize: number }) {
    const { what, mesh, points, sampleSize } = options;
    this.#what = what;
    this.#mesh = mesh;
    this.#points = points;
    const count = points.length / 3;
    this.#agreed = new Uint8Array(count).fill(UNKNOWN);
    this.#saidBy = new Uint8Array(count);
    const random = createRandom(SAMPLE_SEED);
    const chosen = Array.from({ length: Math.min(sampleSize, count) }, () => Math.floor(random() * count));
    const numbers = Uint32Array.from(new Set(chosen));
    const exact = this.#exactFlags(numbers);
    this.#sample = new Map([...numbers].map((i, n) => [i, exact[n]!]));
  }

  #exactFlags(numbers: ArrayLike<number>): Uint8Array {
    const some = new Float32Array(3 * numbers.length);
    for (let n = 0; n < numbers.length; n++) {
      some.set(this.#points.subarray(3 * numbers[n]!, 3 * numbers[n]! + 3), 3 * n);
    }
    return exactFlags(this.#mesh, some);
  }

  /**
   * @param numbers of the points that the flags are for, ascending; by default all of them
   * @returns how many of them exact predicates had decided beforehand
   * @throws WrongFlags if a flag of the sample is wrong, or any flag differs from another way's.
   */
  requireRight(way: string, flags: Uint8Array, numbers?: Uint32Array): number {
    let checked = 0;
    const wrong: number[] = [];
    const different: number[] = [];
    if (!this.#ways.includes(way)) this.#ways.push(way);
    const by = this.#ways.indexOf(way);
    for (let n = 0; n < flags.length; n++) {
      const i = numbers?.[n] ?? n;
      const exact = this.#sample.get(i);
      const agreed = this.#agreed[i]!;
      if (exact !== undefined) checked++;
      if (exact !== undefined && flags[n] !== exact) wrong.push(n);
      else if (agreed !== UNKNOWN && flags[n] !== agreed) different.push(n);
      if (agreed !== UNKNOWN) continue;
      this.#agreed[i] = flags[n]!;
      this.#saidBy[i] = by;
    }
    const numberOf = (n: number) => numbers?.[n] ?? n;
    const own = (places: readonly number[]) => places.map((n) => ({ i: numberOf(n), flag: flags[n]! }));
    if (wrong.length > 0) throw this.#complaint(way, own(wrong));
    if (different.length > 0) {
      const exact = this.#exactFlags(different.map(numberOf));
      const mine = different.filter((n, at) => flags[n] !== exact[at]);
      if (mine.length > 0) throw this.#complaint(way, own(mine));
      const first = this.#ways[this.#saidBy[numberOf(different[0]!)]!]!;
      throw this.#complaint(
        first,
        different.map(numberOf).map((i) => ({ i, flag: this.#agreed[i]! })),
      );
    }
    return checked;
  }

  #complaint(way: string, wrong: readonly { i: number; flag: number }[]): WrongFlags {
    const some = wrong.slice(0, NAMED);
    const exact = this.#exactFlags(some.map(({ i }) => i));
    const named = some.map(({ i, flag }, n) => {
      const place = this.#points.slice(3 * i, 3 * i + 3).join(', ');
      return `point ${i} (${place}) has ${flag}, expected ${exact[n]}`;
    });
    return new WrongFlags(`${this.#what}: ${way} gave ${wrong.length} wrong flags or more: ${named.join('; ')}`);
  }

  /**
   * Winding numbers of a closed body that winds at most once around any point: exact ones are flags, of points off the
   * surface. Other ways have to have told the flags.
   *
   * @param numbers as for `requireRight`
   * @throws WrongFlags if one is off by more than its bound
   */
  requireWithinBounds(way: string, winding: Winding, numbers?: Uint32Array): Accuracy {
    return accuracyOf(`${this.#what}: ${way}`, winding, numbers, (i) => {
      const exact = this.#agreed[i]!;
      return exact === BOUNDARY || exact === UNKNOWN ? undefined : exact;
    });
  }

  /**
   * Of a peer: points that it puts on the other side. Points exactly on the surface are on neither.
   *
   * @param numbers as for `requireRight`
   */
  countWrong(flags: Uint8Array, numbers?: Uint32Array): number {
    let wrong = 0;
    for (let n = 0; n < flags.length; n++) {
      const expected = this.#agreed[numbers?.[n] ?? n]!;
      if (expected === BOUNDARY || expected === UNKNOWN) continue;
      if ((expected === INSIDE) !== (flags[n] === INSIDE)) wrong++;
    }
    return wrong;
  }
}

/** Half a spacing of float32 values at 1: smaller errors of values that are float32 are as good as none. */
const LEAST_ERROR = 2 ** -24;

/**
 * @param who set and way, for messages
 * @param exactOf the exact winding number of a point, or undefined where it is not known
 * @param slackOf how far that may be off itself
 * @throws WrongFlags if a value is off by more than its bound
 */
export function accuracyOf(
  who: string,
  { values, bounds }: Winding,
  numbers: Uint32Array | undefined,
  exactOf: (point: number) => number | undefined,
  slackOf: (point: number) => number = () => 0,
): Accuracy {
  let [points, worst, squares, sum, largestBound, open, ratioCount] = [0, 0, 0, 0, 0, 0, 0];
  const ratios = new Float64Array(values.length);
  for (let n = 0; n < values.length; n++) {
    const i = numbers?.[n] ?? n;
    const exact = exactOf(i);
    if (exact === undefined) continue;
    const [error, bound, slack] = [Math.abs(values[n]! - exact), bounds[n]!, slackOf(i)];
    // The other way round, NaN would pass.
    if (!(error <= bound + slack)) {
      const expected = `expected ${exact} within ${bound + slack}`;
      throw new WrongFlags(`${who} gave point ${i} the winding number ${values[n]}, ${expected}`);
    }
    points++;
    squares += error * error;
    sum += bound;
    worst = Math.max(worst, error);
    largestBound = Math.max(largestBound, bound);
    if (Math.abs(values[n]! - 0.5) <= bound) open++;
    if (bound > 0) ratios[ratioCount++] = bound / Math.max(error, slack, LEAST_ERROR);
  }
  const share = (total: number) => (points === 0 ? 0 : total / points);
  const sorted = ratios.subarray(0, ratioCount).sort();
  const at = (part: number) => sorted[Math.floor(part * (ratioCount - 1))]!;
  return {
    ...{ worst, rms: Math.sqrt(share(squares)), meanBound: share(sum), largestBound, open: share(open) },
    ...(ratioCount > 0 && { boundOverError: { median: at(0.5), percentile95: at(0.95) } }),
  };
}
