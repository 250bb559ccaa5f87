/** Flags are held against exact ones in every run: a benchmark of wrong answers would be worth nothing. */
import { ScreeError } from '../src/errors.ts';
import { BOUNDARY, INSIDE } from '../src/inside/classification.ts';
import { ExactTest } from '../src/inside/exact.ts';
import { createRandom } from '../src/mesh/random.ts';
import type { TriangleMesh } from '../src/mesh/triangle-mesh.ts';

const SAMPLE_SEED = 20240603;
/** Points that two ways disagree on, or that a sample finds wrong, which a message names. */
const NAMED = 3;

/** A flag of scree is not the exact one. Ends the run with exit code 1. */
export class WrongFlags extends ScreeError {
  constructor(message: string) {
    super(message, 1);
  }
}

/** Flags of one set of points of one body, as far as they are known to be right. */
export class FlagCheck {
  readonly #what: string;
  readonly #points: Float32Array;
  readonly #exact: ExactTest;
  readonly #sample: ReadonlyMap<number, number>;
  /** Of the first way that was checked; all others have to agree on every point. */
  #agreed: { readonly way: string; readonly flags: Uint8Array } | undefined;

  /** @param what body and set, for messages; @param sampleSize points that exact predicates decide beforehand */
  constructor(options: { what: string; mesh: TriangleMesh; points: Float32Array; sampleSize: number }) {
    const { what, mesh, points, sampleSize } = options;
    this.#what = what;
    this.#points = points;
    this.#exact = new ExactTest(mesh);
    const count = points.length / 3;
    const random = createRandom(SAMPLE_SEED);
    const chosen = Array.from({ length: Math.min(sampleSize, count) }, () => Math.floor(random() * count));
    this.#sample = new Map(chosen.map((i) => [i, this.#exactFlag(i)]));
  }

  get sampleSize(): number {
    return this.#sample.size;
  }

  /** The flags that all ways of scree agree on. */
  get flags(): Uint8Array {
    return this.#agreed!.flags;
  }

  #exactFlag(i: number): number {
    return this.#exact.flag(this.#points[3 * i]!, this.#points[3 * i + 1]!, this.#points[3 * i + 2]!, 'odd');
  }

  /** @throws WrongFlags if a flag of the sample is wrong, or any flag differs from another way's. */
  requireRight(way: string, flags: Uint8Array): void {
    const wrong = [...this.#sample].filter(([i, flag]) => flags[i] !== flag).map(([i]) => i);
    if (wrong.length > 0) throw this.#complaint(way, flags, wrong);
    this.#agreed ??= { way, flags: flags.slice() };
    const other = this.#agreed;
    const different: number[] = [];
    for (let i = 0; i < flags.length; i++) if (flags[i] !== other.flags[i]) different.push(i);
    if (different.length === 0) return;
    const mine = different.filter((i) => flags[i] !== this.#exactFlag(i));
    if (mine.length > 0) throw this.#complaint(way, flags, mine);
    throw this.#complaint(other.way, other.flags, different);
  }

  #complaint(way: string, flags: Uint8Array, wrong: readonly number[]): WrongFlags {
    const named = wrong.slice(0, NAMED).map((i) => {
      const place = this.#points.slice(3 * i, 3 * i + 3).join(', ');
      return `point ${i} (${place}) has ${flags[i]}, expected ${this.#exactFlag(i)}`;
    });
    return new WrongFlags(
      `${this.#what}: ${way} gave ${wrong.length} wrong flags or more: ${named.join('; ')}`,
    );
  }

  /** Of a peer: points that it puts on the other side. Points exactly on the surface are on neither. */
  countWrong(flags: Uint8Array): number {
    const { flags: right } = this;
    let wrong = 0;
    for (let i = 0; i < right.length; i++) {
      if (right[i] !== BOUNDARY && (right[i] === INSIDE) !== (flags[i] === INSIDE)) wrong++;
    }
    return wrong;
  }
}
