// Whether every edge of a mesh is traversed as often in each direction, in one pass over the triangles: for meshes in
// good health, which most are, a sixth of the time that an edge table takes.

import { buildEdgeTable } from './edges.ts';

/** Room per vertex for half-edges that wait for their partner. */
const SLOTS = 8;
/** Half-edges without room that are counted one by one; beyond, an edge table takes less time and memory. */
const MOST_LATE = 10_000;

/**
 * Whether every edge is traversed as often in each direction. Then it also has an even number of faces, and the surface
 * is usable under both rules. A half-edge from a vertex to itself is no edge.
 *
 * @param indices three vertex indices per triangle, all below `vertexCount`, itself below 2^31
 */
export function isBalanced(indices: Uint32Array, vertexCount: number): boolean {
  const waiting = new WaitingHalfEdges(vertexCount);
  for (let i = 0; i < indices.length; i += 3) {
    const a = indices[i]!;
    const b = indices[i + 1]!;
    const c = indices[i + 2]!;
    waiting.meet(a, b);
    waiting.meet(b, c);
    waiting.meet(c, a);
    if (waiting.lateCount > MOST_LATE) {
      return buildEdgeTable(indices, vertexCount).balance.every((balance) => balance === 0);
    }
  }
  return waiting.allGone();
}

/**
 * Half-edges that no half-edge in the other direction has met yet, at the lower vertex of each. Two that meet are struck
 * out, which changes no edge's balance, so all edges are balanced where what is left at the end is.
 */
class WaitingHalfEdges {
  /** Higher vertex + 1; less than 0 where the half-edge descends. */
  readonly #slots: Int32Array;
  readonly #counts: Uint8Array;
  /** Lower vertex and slot of those that found no room. */
  readonly #late: number[] = [];

  constructor(vertexCount: number) {
    this.#slots = new Int32Array(SLOTS * vertexCount);
    this.#counts = new Uint8Array(vertexCount);
  }

  meet(from: number, to: number): void {
    if (from === to) return;
    const ascends = from < to;
    const low = ascends ? from : to;
    const mark = ascends ? to + 1 : -(from + 1);
    const slots = this.#slots;
    const first = SLOTS * low;
    const count = this.#counts[low]!;
    for (let s = first; s < first + count; s++) {
      if (slots[s] !== -mark) continue;
      slots[s] = slots[first + count - 1]!;
      this.#counts[low] = count - 1;
      return;
    }
    if (count === SLOTS) {
      this.#late.push(low, mark);
      return;
    }
    slots[first + count] = mark;
    this.#counts[low] = count + 1;
  }

  get lateCount(): number {
    return this.#late.length / 2;
  }

  /** Whether those that are left make up for each other. */
  allGone(): boolean {
    const late = this.#late;
    // Where nobody came late, whoever is left has no partner.
    if (late.length === 0) return this.#counts.every((count) => count === 0);
    const balance = new Map<string, number>();
    const add = (low: number, mark: number) => {
      const edge = `${low} ${Math.abs(mark)}`;
      balance.set(edge, (balance.get(edge) ?? 0) + Math.sign(mark));
    };
    for (let n = 0; n < late.length; n += 2) add(late[n]!, late[n + 1]!);
    this.#counts.forEach((count, low) => {
      for (let s = SLOTS * low; s < SLOTS * low + count; s++) add(low, this.#slots[s]!);
    });
    return [...balance.values()].every((sum) => sum === 0);
  }
}
