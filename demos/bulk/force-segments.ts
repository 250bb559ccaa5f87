/**
 * Contact forces as lines: of each two bodies that touch, from the centroid of each that forces move, towards where it
 * is pushed from. Two rocks that press on each other have lines that meet between them.
 */
import type { PairForces } from '../../src/index.ts';
import type { ForceSegments } from './drawing.ts';

/** The largest forces of a picture are shown as lines so long, in metres per metre of the scene. */
const LONGEST_SHARE = 0.12;
/** Of all lines so many are at most as long as that: a single blow would make all others vanish. */
const SHOWN_WHOLE = 0.98;
/** What the scale keeps of itself from picture to picture. */
const KEPT = 0.9;

export class ForceScale {
  readonly #isMoved: (body: number) => boolean;
  readonly #longest: number;
  /** Newtons of the longest line. */
  #newtons = 0;

  /** @param size of the scene, metres; `isMoved` says whether forces move a body */
  constructor(size: number, isMoved: (body: number) => boolean) {
    this.#longest = LONGEST_SHARE * size;
    this.#isMoved = isMoved;
  }

  /** What lines mean. */
  get scale(): string {
    return this.#newtons > 0
      ? `A line of ${(100 * this.#longest).toFixed(0)} cm is ${Number(this.#newtons.toPrecision(2))} N`
      : '';
  }

  /** Ends of lines, `[m * 6]`, and the forces that they show, `[m]`. */
  segmentsOf({ count, bodies, forces }: PairForces, centroids: Float64Array): ForceSegments {
    const sizes = Array.from({ length: count }, (_, i) => Math.hypot(...forces.subarray(3 * i, 3 * i + 3)));
    const large = sizes.toSorted((a, b) => a - b)[Math.floor(SHOWN_WHOLE * (count - 1))] ?? 0;
    this.#newtons = this.#newtons === 0 ? large : KEPT * this.#newtons + (1 - KEPT) * large;
    const [ends, shown]: [number[], number[]] = [[], []];
    if (this.#newtons === 0) return { segments: new Float32Array(), sizes: new Float32Array() };
    for (let i = 0; i < count; i++) {
      const length = this.#longest * Math.min(1, sizes[i]! / this.#newtons);
      for (const [side, sign] of [
        [0, 1],
        [1, -1],
      ] as const) {
        const body = bodies[2 * i + side]!;
        if (sizes[i] === 0 || !this.#isMoved(body)) continue;
        // Forces are those on b: what pushes b to one side pushes a to the other.
        const from = centroids.subarray(3 * body, 3 * body + 3);
        ends.push(...from, ...from.map((x, k) => x + (sign * length * forces[3 * i + k]!) / sizes[i]!));
        shown.push(sizes[i]!);
      }
    }
    return { segments: Float32Array.from(ends), sizes: Float32Array.from(shown) };
  }
}
