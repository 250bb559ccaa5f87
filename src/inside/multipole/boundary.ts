/**
 * The near field by its boundary. The solid angle of a surface, up to whole turns, depends on its edge alone: with a
 * fixed unit vector k, the angle of a triangle is the sum of those of (k, a, b) over its directed edges a b, plus a
 * whole turn where the ray from the point along -k crosses it. Edges between two triangles of the near field cancel,
 * so what is left are the boundary polylines of the near field and the few triangles that the ray may cross. Exact,
 * and a fraction of the work of adding triangles. See docs/multipole.md, "Near field".
 */

import { limitError } from '../../gpu/limits.ts';
import { nextHalfEdge } from '../../mesh/edges.ts';
import { NEAR_CELL_MARGIN } from './constants.ts';
import type { EvaluationTree } from './lists.ts';
import type { Panels } from './panels.ts';
import type { ClusterTree } from './tree.ts';

/** Bit of an entry that begins a polyline; the others are the number of a vertex. */
export const POLYLINE_START = 2 ** 31;

export interface NearField {
  /**
   * Entries of leaf c: polylines `starts[c] .. middles[c] - 1`, then corners of triangles up to `starts[c + 1] - 1`.
   */
  readonly starts: Uint32Array;
  readonly middles: Uint32Array;
  /** Vertices of the boundary's polylines; then three per triangle that the ray may cross. */
  readonly entries: Uint32Array<ArrayBuffer>;
  /** Direction of the leaf's rays: `2 * axis`, one more if against it. */
  readonly directions: Uint8Array;
}

/** A list of unsigned integers that grows. */
class Entries {
  readonly #most: number;
  #items = new Uint32Array(1 << 16);
  length = 0;

  /** @param most length from which on it need not grow */
  constructor(most: number) {
    this.#most = most;
  }

  /** The items, with room for `more`. @throws DeviceError `limits` if they are too many already. */
  reserve(more: number): Uint32Array {
    if (this.length > this.#most) {
      throw limitError({
        problem:
          `multipole near field: needs a buffer of more than ${4 * this.length} bytes, ` +
          `the device allows ${4 * this.#most}`,
        limits: ['maxStorageBufferBindingSize'],
        needed: 4 * this.length,
        instead: 'use method "direct", or a smaller depth',
      });
    }
    if (this.length + more > this.#items.length) {
      const items = new Uint32Array(2 * (this.length + more));
      items.set(this.#items);
      this.#items = items;
    }
    return this.#items;
  }

  finish(): Uint32Array<ArrayBuffer> {
    return this.#items.slice(0, this.length);
  }
}

/** Builds boundary and crossing lists, a part of the leaves at a time. */
export class NearFieldBuilder {
  readonly #source: ClusterTree;
  readonly #tree: EvaluationTree;
  readonly #corners: Uint32Array;
  readonly #twins: Int32Array;
  readonly #mates: Int32Array;
  readonly #nearRanges: Uint32Array;
  readonly #boxes: Float64Array;
  readonly #starts: Uint32Array;
  readonly #middles: Uint32Array;
  readonly #directions: Uint8Array;
  readonly #list: Entries;
  /** The last leaf, plus 1, whose near field a triangle was in, and whose boundary a half-edge is on. */
  readonly #nearOf: Uint32Array;
  readonly #walkedBy: Uint32Array;
  readonly #counts = new Uint32Array(6);
  #done = 0;

  /** @param mostBytes of the entries */
  constructor(
    { source, nearRanges, corners, twins, mates }: Panels,
    tree: EvaluationTree,
    mostBytes = Infinity,
  ) {
    this.#source = source;
    this.#list = new Entries(Math.floor(mostBytes / 4));
    this.#tree = tree;
    this.#nearRanges = nearRanges;
    this.#corners = corners;
    this.#twins = twins;
    this.#mates = mates;
    this.#boxes = triangleBoxes(source.triangles);
    const cells = tree.levels.length;
    this.#starts = new Uint32Array(cells + 1);
    this.#middles = new Uint32Array(cells);
    this.#directions = new Uint8Array(cells);
    this.#nearOf = new Uint32Array(mates.length);
    this.#walkedBy = new Uint32Array(corners.length);
  }

  /**
   * Goes on for about so many milliseconds; true when all leaves are done.
   *
   * @throws DeviceError `limits` once there are more entries than allowed
   */
  work(milliseconds = Infinity): boolean {
    const end = performance.now() + milliseconds;
    const cells = this.#tree.levels.length;
    while (this.#done < cells) {
      this.#addLeaf(this.#done++);
      if (performance.now() > end) break;
    }
    return this.#done === cells;
  }

  finish(): NearField {
    this.work();
    return {
      starts: this.#starts,
      middles: this.#middles,
      directions: this.#directions,
      entries: this.#list.finish(),
    };
  }

  #addLeaf(leaf: number): void {
    const tree = this.#tree;
    const [nearOf, walkedBy, corners, twins] = [this.#nearOf, this.#walkedBy, this.#corners, this.#twins];
    const stamp = leaf + 1;
    const [firstRange, lastRange] = [tree.nearStarts[leaf]!, tree.nearStarts[leaf + 1]!];
    let triangleCount = 0;
    for (let r = firstRange; r < lastRange; r++) {
      const [first, last] = [this.#nearRanges[2 * r]!, this.#nearRanges[2 * r + 1]!];
      nearOf.fill(stamp, first, last);
      triangleCount += last - first;
    }
    // Polylines have at most three half-edges a triangle, each with a start; and three corners of each triangle.
    const entries = this.#list.reserve(9 * triangleCount);
    let at = this.#list.length;
    for (let r = firstRange; r < lastRange; r++) {
      const last = 3 * this.#nearRanges[2 * r + 1]!;
      for (let h = 3 * this.#nearRanges[2 * r]!; h < last; h++) {
        const twin = twins[h]!;
        if ((twin >= 0 && nearOf[Math.floor(twin / 3)] === stamp) || walkedBy[h] === stamp) continue;
        // Along the boundary to where it closes, or meets a part walked before.
        entries[at++] = corners[h]! + POLYLINE_START;
        for (let edge = h; walkedBy[edge] !== stamp; ) {
          walkedBy[edge] = stamp;
          edge = nextHalfEdge(edge);
          entries[at++] = corners[edge]!;
          // Around the vertex, across edges inside the near field.
          for (;;) {
            const other = twins[edge]!;
            if (other < 0 || nearOf[Math.floor(other / 3)] !== stamp) break;
            edge = nextHalfEdge(other);
          }
        }
      }
    }
    this.#middles[leaf] = at;
    if (triangleCount > 0) at = this.#addCrossings(leaf, entries, at);
    this.#list.length = at;
    this.#starts[leaf + 1] = at;
  }

  /** Whether a panel has its mate in the near field too. */
  #cancels(panel: number, stamp: number): boolean {
    const mate = this.#mates[panel]!;
    return mate >= 0 && this.#nearOf[mate] === stamp;
  }

  /** Chooses the direction in which rays from a leaf may cross the fewest triangles, and lists these. */
  #addCrossings(leaf: number, entries: Uint32Array, start: number): number {
    const tree = this.#tree;
    const [boxes, corners] = [this.#boxes, this.#corners];
    const stamp = leaf + 1;
    const { root } = this.#source;
    const edge = root.edge * 2 ** -tree.levels[leaf]!;
    const cell = [0, 1, 2].flatMap((k) => {
      const low = root.origin[k]! + tree.cells[3 * leaf + k]! * edge;
      return [low - NEAR_CELL_MARGIN * edge, low + edge + NEAR_CELL_MARGIN * edge];
    });
    const [x0, x1, y0, y1, z0, z1] = cell as [number, number, number, number, number, number];
    const counts = this.#counts;
    let at = start;
    counts.fill(0);
    const [firstRange, lastRange] = [tree.nearStarts[leaf]!, tree.nearStarts[leaf + 1]!];
    for (let r = firstRange; r < lastRange; r++) {
      const last = 6 * this.#nearRanges[2 * r + 1]!;
      for (let b = 6 * this.#nearRanges[2 * r]!; b < last; b += 6) {
        if (this.#cancels(b / 6, stamp)) continue;
        const inX = boxes[b]! <= x1 && boxes[b + 1]! >= x0;
        const inY = boxes[b + 2]! <= y1 && boxes[b + 3]! >= y0;
        const inZ = boxes[b + 4]! <= z1 && boxes[b + 5]! >= z0;
        if (inY && inZ) {
          if (boxes[b + 1]! >= x0) counts[0]!++;
          if (boxes[b]! <= x1) counts[1]!++;
        }
        if (inZ && inX) {
          if (boxes[b + 3]! >= y0) counts[2]!++;
          if (boxes[b + 2]! <= y1) counts[3]!++;
        }
        if (inX && inY) {
          if (boxes[b + 5]! >= z0) counts[4]!++;
          if (boxes[b + 4]! <= z1) counts[5]!++;
        }
      }
    }
    let direction = 0;
    for (let k = 1; k < 6; k++) if (counts[k]! < counts[direction]!) direction = k;
    this.#directions[leaf] = direction;
    if (counts[direction] === 0) return at;
    const w = 2 * (direction >> 1);
    const u = (w + 2) % 6;
    const v = (w + 4) % 6;
    const against = (direction & 1) === 1;
    for (let r = firstRange; r < lastRange; r++) {
      for (let t = this.#nearRanges[2 * r]!; t < this.#nearRanges[2 * r + 1]!; t++) {
        const b = 6 * t;
        if (boxes[b + u]! > cell[u + 1]! || boxes[b + u + 1]! < cell[u]!) continue;
        if (boxes[b + v]! > cell[v + 1]! || boxes[b + v + 1]! < cell[v]!) continue;
        if (this.#cancels(t, stamp)) continue;
        if (against ? boxes[b + w]! > cell[w + 1]! : boxes[b + w + 1]! < cell[w]!) continue;
        for (let k = 0; k < 3; k++) entries[at++] = corners[3 * t + k]!;
      }
    }
    return at;
  }
}

/** Least and greatest coordinates per triangle: xMin, xMax, yMin, yMax, zMin, zMax. */
function triangleBoxes(triangles: Float64Array): Float64Array {
  const boxes = new Float64Array((triangles.length / 9) * 6);
  for (let t = 0; t < triangles.length / 9; t++) {
    for (let k = 0; k < 3; k++) {
      const a = triangles[9 * t + k]!;
      const b = triangles[9 * t + 3 + k]!;
      const c = triangles[9 * t + 6 + k]!;
      boxes[6 * t + 2 * k] = a < b ? (a < c ? a : c) : b < c ? b : c;
      boxes[6 * t + 2 * k + 1] = a > b ? (a > c ? a : c) : b > c ? b : c;
    }
  }
  return boxes;
}
