/** Copies of bodies near the borders of a space that repeats. */
import type { StoredArrays } from '../checkpoint/checkpoint.ts';
import { bytes, floats, type StoredRule } from '../checkpoint/require-stored.ts';
import { BodyStatus, type MotionState } from '../motion/motion.ts';
import { bringIn } from '../scene/copies.ts';
import type { SimulationModel } from '../scene/model.ts';
import type { RepeatedSpace } from '../scene/repeated-space.ts';

/**
 * Which copies are there is decided anew when a body has moved by half the margin, or comes or goes; then bodies that
 * have left the box come in on the other side. Until then they may be outside by half the margin. A copy is there where
 * its body is nearer to the low side than both its own radius, the largest one and the margin: two bodies may have come
 * nearer to each other by half the margin each since.
 */
export class Copies {
  readonly #space: RepeatedSpace;
  readonly #driven: SimulationModel['driven'];
  readonly #margin: number;
  /** `[n * 3]`: centroids when that was decided, and statuses then; NaN before the first time. */
  readonly #reference: Float64Array;
  readonly #statuses: Uint8Array;
  /** `[n * 3]`: lengths of the box that places of driven bodies are less than those of their motions. */
  readonly #turns: Float64Array;
  /** `[n * copies]`: 1 for copies that are not there. */
  readonly absent: Uint8Array;

  constructor(space: RepeatedSpace, { driven, count }: SimulationModel, margin: number) {
    this.#space = space;
    this.#driven = driven;
    this.#margin = margin;
    this.#reference = new Float64Array(3 * count).fill(NaN);
    this.#statuses = new Uint8Array(count);
    this.#turns = new Float64Array(3 * count);
    this.absent = new Uint8Array(space.copies * count);
  }

  store(): StoredArrays {
    return {
      ...{ copiesReference: this.#reference, copiesStatuses: this.#statuses },
      ...{ copiesTurns: this.#turns, copiesAbsent: this.absent },
    };
  }

  /** What `restore` takes. */
  get rules(): Readonly<Record<string, StoredRule>> {
    const [numbers, bodies] = [floats(this.#reference.length), this.#statuses.length];
    return {
      ...{ copiesReference: numbers, copiesStatuses: bytes(bodies, BodyStatus.removed + 1) },
      ...{ copiesTurns: numbers, copiesAbsent: bytes(this.absent.length, 2) },
    };
  }

  restore(arrays: StoredArrays): void {
    this.#reference.set(arrays.copiesReference!);
    this.#statuses.set(arrays.copiesStatuses!);
    this.#turns.set(arrays.copiesTurns!);
    this.absent.set(arrays.copiesAbsent!);
  }

  /**
   * Brings copies up to date. Bodies that come in on the other side take `start` along.
   *
   * @param start `[n * 3]`: where gravity's energy is 0
   */
  update(state: MotionState, start: Float64Array, statuses: Uint8Array): void {
    const { axes, lengths } = this.#space;
    const { positions, count } = state;
    for (const body of this.#driven.keys()) {
      axes.forEach((axis, j) => {
        positions[3 * body + axis]! -= this.#turns[3 * body + axis]! * lengths[j]!;
      });
    }
    if (!this.#isStale(positions, statuses)) return;
    for (let body = 0; body < count; body++) {
      bringIn(this.#space, body, positions, (at, turns, length) => {
        if (this.#driven.has(body)) this.#turns[at]! += turns;
        else start[at]! -= turns * length;
      });
    }
    this.#reference.set(positions);
    this.#statuses.set(statuses);
    for (let body = 0; body < count; body++) this.#choose(body, positions);
  }

  #isStale(positions: Float64Array, statuses: Uint8Array): boolean {
    const most = (this.#margin / 2) ** 2;
    for (let body = 0; body < statuses.length; body++) {
      if (statuses[body] !== this.#statuses[body]) return true;
      let squared = 0;
      for (let k = 3 * body; k < 3 * body + 3; k++) squared += (positions[k]! - this.#reference[k]!) ** 2;
      // NaN counts as stale.
      if (!(squared <= most)) return true;
    }
    return false;
  }

  #choose(body: number, positions: Float64Array): void {
    const { axes, lows, copies, walls, radii, largest } = this.#space;
    let near = 0;
    axes.forEach((axis, j) => {
      const most = lows[j]! + radii[body]! + largest[j]! + this.#margin;
      if (!((walls[body]! >> j) & 1) && positions[3 * body + axis]! <= most) near |= 1 << j;
    });
    const isThere = this.#statuses[body] === BodyStatus.present;
    for (let copy = 0; copy < copies; copy++)
      this.absent[copies * body + copy] = isThere && (copy & ~near) === 0 ? 0 : 1;
  }
}
