/** Answers about an open body, held against direct sums of a sample of the points: there are no exact flags. */
import { createRandom, INSIDE, OUTSIDE, Polyhedron, type TriangleMesh } from '../../index.ts';
import type { Accuracy } from '../report.ts';
import { type AnswerCheck, accuracyOf, WrongFlags } from './check.ts';
import type { Answer } from './way.ts';

const SAMPLE_SEED = 20240606;
/** A direct sum takes milliseconds. */
const MOST_SAMPLED = 256;

interface OpenCheckOptions {
  readonly what: string;
  readonly mesh: TriangleMesh;
  readonly points: Float32Array;
  readonly sampleSize: number;
}

export class OpenCheck implements AnswerCheck {
  readonly #options: OpenCheckOptions;
  readonly #body: Polyhedron;
  /** Direct sums in float64, rounded to float32, with their bounds, by the number of the point. */
  readonly #known = new Map<number, { readonly value: number; readonly bound: number }>();

  private constructor(options: OpenCheckOptions, body: Polyhedron) {
    this.#options = options;
    this.#body = body;
  }

  static async create(options: OpenCheckOptions): Promise<OpenCheck> {
    return new OpenCheck(options, await Polyhedron.create(undefined, options.mesh, { open: true }));
  }

  /** Sums up some of these points, or of all. */
  async sample(numbers: Uint32Array | undefined): Promise<void> {
    const { points, sampleSize } = this.#options;
    const count = numbers?.length ?? points.length / 3;
    const random = createRandom(SAMPLE_SEED);
    const chosen = Array.from({ length: Math.min(sampleSize, MOST_SAMPLED, count) }, () => {
      const n = Math.floor(random() * count);
      return numbers?.[n] ?? n;
    });
    const missing = [...new Set(chosen)].filter((i) => !this.#known.has(i));
    const some = Float32Array.from(missing.flatMap((i) => [...points.subarray(3 * i, 3 * i + 3)]));
    const { values, bounds } = await this.#body.windingNumber(some, { method: 'direct', tolerance: Infinity });
    missing.forEach((i, n) => {
      this.#known.set(i, { value: values[n]!, bound: bounds[n]! });
    });
  }

  /** Flags by rule `winding`; of points that a direct sum tells the side of. */
  requireRight(way: string, flags: Uint8Array, numbers?: Uint32Array): number {
    const { checked, wrong } = this.#compare(flags, numbers);
    if (wrong.length === 0) return checked;
    const [{ i, flag }] = wrong as [{ i: number; flag: number }];
    const { value, bound } = this.#known.get(i)!;
    const first = `point ${i} has ${flag}, its winding number is ${value} within ${bound}`;
    throw new WrongFlags(`${this.#options.what}: ${way} gave ${wrong.length} wrong flags or more: ${first}`);
  }

  requireWithinBounds(way: string, winding: NonNullable<Answer['winding']>, numbers?: Uint32Array): Accuracy {
    const exactOf = (i: number) => {
      const known = this.#known.get(i);
      // On a triangle J jumps: a direct sum says nothing there.
      return known === undefined || known.bound >= 1 ? undefined : known.value;
    };
    const slackOf = (i: number) => this.#known.get(i)!.bound;
    return accuracyOf(`${this.#options.what}: ${way}`, winding, numbers, exactOf, slackOf);
  }

  countWrong(flags: Uint8Array, numbers?: Uint32Array): number {
    return this.#compare(flags, numbers).wrong.length;
  }

  destroy(): void {
    this.#body.destroy();
  }

  #compare(flags: Uint8Array, numbers?: Uint32Array) {
    let checked = 0;
    const wrong: { readonly i: number; readonly flag: number }[] = [];
    flags.forEach((flag, n) => {
      const i = numbers?.[n] ?? n;
      const known = this.#known.get(i);
      if (known === undefined || Math.abs(known.value - 0.5) <= known.bound || known.bound >= 1) return;
      checked++;
      if (flag !== (known.value > 0.5 ? INSIDE : OUTSIDE)) wrong.push({ i, flag });
    });
    return { checked, wrong };
  }
}
