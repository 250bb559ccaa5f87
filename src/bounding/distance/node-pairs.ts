/** Pairs of nodes that are still to be looked at: a stack, or a heap whose least key comes first. */

const FIRST_ROOM = 64;

export class NodePairs {
  /** The pair that `pop` took out. */
  nodeA = 0;
  nodeB = 0;
  key = 0;
  count = 0;
  readonly #isHeap: boolean;
  #keys = new Float64Array(FIRST_ROOM);
  #pairs = new Uint32Array(2 * FIRST_ROOM);

  constructor(isHeap: boolean) {
    this.#isHeap = isHeap;
  }

  /** Infinity where there are no pairs. */
  leastKey(): number {
    if (this.#isHeap) return this.count > 0 ? this.#keys[0]! : Infinity;
    let least = Infinity;
    for (let i = 0; i < this.count; i++) least = Math.min(least, this.#keys[i]!);
    return least;
  }

  push(key: number, nodeA: number, nodeB: number): void {
    if (this.count === this.#keys.length) this.#grow();
    let at = this.count++;
    const keys = this.#keys;
    const pairs = this.#pairs;
    if (this.#isHeap) {
      for (let up = (at - 1) >> 1; at > 0 && key < keys[up]!; at = up, up = (at - 1) >> 1) this.#move(up, at);
    }
    keys[at] = key;
    pairs[2 * at] = nodeA;
    pairs[2 * at + 1] = nodeB;
  }

  /** Takes the next pair whose key is below a limit; false where there is none, and then none are left. */
  pop(limit: number): boolean {
    while (this.count > 0) {
      const top = this.#isHeap ? 0 : this.count - 1;
      const key = this.#keys[top]!;
      if (this.#isHeap && key >= limit) break;
      this.key = key;
      this.nodeA = this.#pairs[2 * top]!;
      this.nodeB = this.#pairs[2 * top + 1]!;
      this.count--;
      if (this.#isHeap) this.#sink();
      if (key < limit) return true;
    }
    this.count = 0;
    return false;
  }

  /** Puts the last pair in the place of the first, and it sinks. */
  #sink(): void {
    const keys = this.#keys;
    const { count } = this;
    const key = keys[count]!;
    const [a, b] = [this.#pairs[2 * count]!, this.#pairs[2 * count + 1]!];
    let at = 0;
    for (let down = 1; down < count; down = 2 * at + 1) {
      if (down + 1 < count && keys[down + 1]! < keys[down]!) down++;
      if (keys[down]! >= key) break;
      this.#move(down, at);
      at = down;
    }
    keys[at] = key;
    this.#pairs[2 * at] = a;
    this.#pairs[2 * at + 1] = b;
  }

  #move(from: number, to: number): void {
    this.#keys[to] = this.#keys[from]!;
    this.#pairs[2 * to] = this.#pairs[2 * from]!;
    this.#pairs[2 * to + 1] = this.#pairs[2 * from + 1]!;
  }

  #grow(): void {
    const keys = new Float64Array(2 * this.#keys.length);
    const pairs = new Uint32Array(2 * this.#pairs.length);
    keys.set(this.#keys);
    pairs.set(this.#pairs);
    [this.#keys, this.#pairs] = [keys, pairs];
  }
}
