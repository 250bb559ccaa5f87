/** Points sorted by the leaf that they are in, four of one leaf to a thread of the evaluation. */
import { sizeOf, u32 } from 'typegpu/data';
import type { Box } from '../../mesh/triangle-mesh.ts';
import { localAxes } from '../potential/solid-angle.ts';
import type { Surface } from '../surface.ts';
import type { EvaluationTree } from './lists.ts';
import { ThreadPoints } from './multipole-layout.ts';
import type { SourceTree } from './tree.ts';

/** Points per thread of `evaluate.wgsl`. */
export const POINTS_PER_THREAD = 4;
const THREAD_WORDS = sizeOf(ThreadPoints) / sizeOf(u32);
/** Levels of the table that finds leaves: 2 MiB at most. */
const MOST_TABLE_LEVELS = 6;

export interface SortedPoints {
  readonly threads: number;
  /** `ThreadPoints` of each thread, in the unit frame. */
  readonly words: Uint32Array<ArrayBuffer>;
  /** Of each point of the chunk: `POINTS_PER_THREAD * thread + point`, or one of the places below. */
  readonly places: Int32Array;
  /** Points for the host, by their number in the chunk. */
  readonly forHost: readonly number[];
}

/** Place of a point with J exactly 0, and of one for the host. */
export const OUTSIDE_PLACE = -1;
export const HOST_PLACE = -2;

/** Least normal float32: adapters may take smaller numbers for 0. */
const LEAST_NORMAL_32 = 2 ** -126;

/** Whether kernels see a number as it is. */
function isNormal(x: number): boolean {
  return Math.fround(x) === x && (x === 0 || Math.abs(x) >= LEAST_NORMAL_32);
}

/** The box is rounded to float32, and so must the point be: what was in it stays in it then. */
function isInBox(x: number, y: number, z: number, { min, max }: Box): boolean {
  return x >= min[0] && x <= max[0] && y >= min[1] && y <= max[1] && z >= min[2] && z <= max[2];
}

/** What points are sorted by. */
interface SortedField {
  readonly surface: Surface;
  readonly source: SourceTree;
  readonly evaluation: EvaluationTree;
  /** Of the unit frame. */
  readonly scale: number;
  /** J is 0 outside the surface's box. */
  readonly closed: boolean;
}

/** Finds leaves of a tree and sorts points by them. */
export class LeafSorter {
  readonly #surface: Surface;
  readonly #source: SourceTree;
  readonly #tree: EvaluationTree;
  readonly #scale: number;
  readonly #closed: boolean;
  readonly #tableLevels: number;
  /** Cell at the table's level, or the leaf above it, per place x + y side + z side^2. */
  readonly #table: Uint32Array;
  readonly #counts: Uint32Array;

  constructor({ surface, source, evaluation, scale, closed }: SortedField) {
    this.#surface = surface;
    this.#source = source;
    this.#tree = evaluation;
    this.#scale = scale;
    this.#closed = closed;
    this.#tableLevels = Math.min(evaluation.depth, MOST_TABLE_LEVELS);
    this.#table = this.#buildTable();
    this.#counts = new Uint32Array(evaluation.levels.length + 1);
  }

  #buildTable(): Uint32Array {
    const { levels, cells, firstChildren } = this.#tree;
    const side = 2 ** this.#tableLevels;
    const table = new Uint32Array(side ** 3);
    for (let cell = 0; cell < levels.length; cell++) {
      const level = levels[cell]!;
      if (level > this.#tableLevels || (level < this.#tableLevels && firstChildren[cell]! > 0)) continue;
      const span = 2 ** (this.#tableLevels - level);
      const x = cells[3 * cell]! * span;
      for (let k = 0; k < span; k++) {
        for (let j = 0; j < span; j++) {
          const row = ((cells[3 * cell + 2]! * span + k) * side + cells[3 * cell + 1]! * span + j) * side;
          table.fill(cell, row + x, row + x + span);
        }
      }
    }
    return table;
  }

  sort(points: Float32Array): SortedPoints {
    const count = points.length / 3;
    const { firstChildren, cells } = this.#tree;
    const { origin, edge } = this.#source.root;
    const [localX, localY, localZ] = localAxes(this.#surface);
    const scale = this.#scale;
    const side = 2 ** this.#tableLevels;
    const table = this.#table;
    const counts = this.#counts.fill(0);
    const leaves = new Int32Array(count);
    const forHost: number[] = [];
    for (let i = 0; i < count; i++) {
      const p = 3 * i;
      const x = localX(points[p]!);
      const y = localY(points[p + 1]!);
      const z = localZ(points[p + 2]!);
      if (this.#closed && !isInBox(Math.fround(x), Math.fround(y), Math.fround(z), this.#surface.box)) {
        leaves[i] = OUTSIDE_PLACE;
        continue;
      }
      // Place in the root's cell, 0 .. 1.
      const u = (x - origin[0]) / edge;
      const v = (y - origin[1]) / edge;
      const w = (z - origin[2]) / edge;
      const inCube = u >= 0 && u <= 1 && v >= 0 && v <= 1 && w >= 0 && w <= 1;
      if (!inCube || !(isNormal(x * scale) && isNormal(y * scale) && isNormal(z * scale))) {
        leaves[i] = HOST_PLACE;
        forHost.push(i);
        continue;
      }
      const tx = u < 1 ? Math.floor(u * side) : side - 1;
      const ty = v < 1 ? Math.floor(v * side) : side - 1;
      const tz = w < 1 ? Math.floor(w * side) : side - 1;
      let cell = table[(tz * side + ty) * side + tx]!;
      for (let below = 2 * side; firstChildren[cell]! > 0; below *= 2) {
        // The last child begins where the middle is.
        const child = firstChildren[cell]!;
        const last = 3 * (child + 7);
        const right = u * below >= cells[last]! ? 1 : 0;
        const back = v * below >= cells[last + 1]! ? 2 : 0;
        const up = w * below >= cells[last + 2]! ? 4 : 0;
        cell = child + right + back + up;
      }
      leaves[i] = cell;
      counts[cell]!++;
    }

    // First thread of each leaf.
    let threads = 0;
    const starts = counts;
    for (let cell = 0; cell < this.#tree.levels.length; cell++) {
      const here = Math.ceil(counts[cell]! / POINTS_PER_THREAD);
      starts[cell] = POINTS_PER_THREAD * threads;
      threads += here;
    }
    const words = new Uint32Array(THREAD_WORDS * threads);
    const coordinates = new Float32Array(words.buffer);
    const places = leaves;
    for (let i = 0; i < count; i++) {
      const leaf = leaves[i]!;
      if (leaf < 0) continue;
      const p = 3 * i;
      const number = starts[leaf]!++;
      const point = number % POINTS_PER_THREAD;
      const at = THREAD_WORDS * ((number - point) / POINTS_PER_THREAD) + point;
      const x = localX(points[p]!) * scale;
      const y = localY(points[p + 1]!) * scale;
      const z = localZ(points[p + 2]!) * scale;
      if (point === 0) {
        // A leaf's last thread may have fewer points: the others repeat its first.
        coordinates.fill(x, at, at + 4);
        coordinates.fill(y, at + 4, at + 8);
        coordinates.fill(z, at + 8, at + 12);
        words[at + 12] = leaf;
      } else {
        coordinates[at] = x;
        coordinates[at + 4] = y;
        coordinates[at + 8] = z;
      }
      places[i] = number;
    }
    return { threads, words, places, forHost };
  }
}
