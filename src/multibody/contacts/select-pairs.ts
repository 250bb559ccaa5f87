/**
 * Which pairs have a zero-crossing function of their own: the `count` pairs of least distance (Neumayr and Otter 2017,
 * section 5). One sorted array of (distance, pair) takes the place of the paper's two trees, so that pairs at equal
 * distance are both kept.
 */

export interface PairDistance {
  readonly pair: number;
  readonly distance: number;
}

const byDistance = (x: PairDistance, y: PairDistance) => x.distance - y.distance || x.pair - y.pair;

export class PairSelection {
  /** Most functions. */
  count: number;
  #selected: readonly number[] = [];

  constructor(count: number) {
    this.count = count;
  }

  /** Pairs in the order of their functions. */
  get selected(): readonly number[] {
    return this.#selected;
  }

  /**
   * Before a step: takes the pairs of least distance, in order.
   *
   * @returns how many of all are negative: more than `count` cannot be watched
   */
  selectContactPairs(all: readonly PairDistance[]): number {
    const sorted = [...all].sort(byDistance);
    this.#selected = sorted.slice(0, this.count).map(({ pair }) => pair);
    return sorted.filter(({ distance }) => distance < 0).length;
  }

  /** Whenever they are asked for: distances of the selected pairs, in order; the others are told by `dummy`. */
  getDistances(distanceOf: (pair: number) => number, out: Float64Array, dummy: number): void {
    out.fill(dummy);
    this.#selected.forEach((pair, i) => {
      out[i] = distanceOf(pair);
    });
  }
}
