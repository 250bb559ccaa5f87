/**
 * Which triangles can be nearest to a point of a cell: branch and bound, from the whole grid down to cells. Bounds are
 * derived in docs/contacts.md, "Candidates".
 */
import { FLOAT32_UPWARDS } from '../../constants.ts';
import { cellMargin, type GridShape } from '../../inside/cell-grid/tables.ts';
import { BOUND_STEP, CANDIDATE_SLACK, LEAST_DISTANCE_UNIT, LONGEST_SHARED_LIST } from './constants.ts';
import { CELL_REST, CellCode, LIST_HEADER } from './field-arrays.ts';
import { NEAREST_FLOATS, nearestOnTriangle } from './nearest.ts';

/** What candidates are found for. */
export interface CandidateSource {
  readonly grid: GridShape;
  readonly corners: Float32Array;
  /**
   * `[cells]`: as in `FieldArrays`, with the rank of mixed cells in place of their lists. Those of cells inside and
   * mixed are written.
   */
  readonly cells: Uint32Array;
  /** Depth to which cells get candidates, local. */
  readonly reach: number;
  /** Words of all lists, at most. */
  readonly mostWords: number;
}

/** Growing list of words. */
class Words {
  values = new Uint32Array(1 << 12);
  count = 0;

  reserve(more: number): void {
    if (this.count + more <= this.values.length) return;
    const grown = new Uint32Array(Math.max(2 * this.values.length, this.count + more));
    grown.set(this.values.subarray(0, this.count));
    this.values = grown;
  }
}

/** Blocks of 2^3 cells along an axis and smaller ones are done in one go. */
const LEVEL_AT_ONCE = 3;
/** Parts of a cell along an axis: the candidates of all parts are fewer than those that a test of the cell leaves. */
const PARTS = 2;
/** What cells a block has: some inside or mixed; some outside or mixed. */
const [NEEDED, UNEVEN] = [1, 2];

/** Finds the candidates of all cells. */
export class CandidateFinder {
  /** As in `FieldArrays`. */
  readonly lists = new Words();
  readonly #source: CandidateSource;
  readonly #margin: number;
  /** Per level, NEEDED and UNEVEN of the blocks of 2^level cells along an axis. */
  readonly #kinds: Uint8Array[];
  readonly #counts: (readonly [number, number, number])[];
  /** Middle and radius of a ball around each triangle. */
  readonly #balls: Float32Array;
  /** Candidates of the blocks that are being worked on, one list after the other. The nearest comes first. */
  #stack: Uint32Array;
  /** Of the candidates of one block: distance from its middle, direction from the nearest point to it, verdict. */
  readonly #distances: Float64Array;
  readonly #directions: Float64Array;
  readonly #kept: Uint8Array;
  /** Candidates of any part of a cell, and the distances of all from its middle. */
  readonly #ofParts: Uint8Array;
  readonly #atMiddle: Float64Array;
  readonly #w = new Float64Array(NEAREST_FLOATS);
  /** Of the block that was tested last: distance from its middle to the nearest triangle, and which one that is. */
  #least = 0;
  #nearest = 0;

  constructor(source: CandidateSource) {
    this.#source = source;
    this.#margin = cellMargin(source.grid);
    const triangles = source.corners.length / 9;
    this.#balls = ballsOf(source.corners);
    this.#stack = new Uint32Array(4 * triangles + 64);
    this.#distances = new Float64Array(triangles);
    this.#directions = new Float64Array(3 * triangles);
    this.#kept = new Uint8Array(triangles);
    this.#ofParts = new Uint8Array(triangles);
    this.#atMiddle = new Float64Array(triangles);
    const kindOf = [UNEVEN, NEEDED, NEEDED | UNEVEN];
    this.#kinds = [Uint8Array.from(source.cells, (word) => kindOf[word >>> 30]!)];
    this.#counts = [source.grid.counts];
    while (Math.max(...this.#counts.at(-1)!) > 1) {
      const [kinds, counts] = halved(this.#kinds.at(-1)!, this.#counts.at(-1)!);
      this.#kinds.push(kinds);
      this.#counts.push(counts);
    }
  }

  /** Whether there was room for all lists. */
  get isComplete(): boolean {
    return this.lists.count <= this.#source.mostWords;
  }

  /** Finds them all, in pieces of work between which the caller may pause, or as many as there is room for. */
  *run(): Generator<void, void, void> {
    const triangles = this.#source.corners.length / 9;
    for (let t = 0; t < triangles; t++) this.#stack[t] = t;
    yield* this.#inPieces(this.#kinds.length - 1, 0, 0, 0, 0, triangles);
  }

  *#inPieces(
    level: number,
    i: number,
    j: number,
    k: number,
    from: number,
    count: number,
  ): Generator<void, void, void> {
    if (level <= LEVEL_AT_ONCE) {
      this.#visit(level, i, j, k, from, count);
      return;
    }
    if (!this.isComplete) return;
    const kept = this.#open(level, i, j, k, from, count);
    yield;
    if (kept === 0) return;
    for (let part = 0; part < 8; part++) {
      const [x, y, z] = [2 * i + (part & 1), 2 * j + ((part >> 1) & 1), 2 * k + (part >> 2)];
      yield* this.#inPieces(level - 1, x, y, z, from + count, kept);
    }
  }

  /** Block (i, j, k) of a level, whose candidates are among `count` triangles on the stack. */
  #visit(level: number, i: number, j: number, k: number, from: number, count: number): void {
    const kept = this.#open(level, i, j, k, from, count);
    if (kept === 0) return;
    for (let part = 0; part < 8; part++) {
      const [x, y, z] = [2 * i + (part & 1), 2 * j + ((part >> 1) & 1), 2 * k + (part >> 2)];
      this.#visit(level - 1, x, y, z, from + count, kept);
    }
  }

  /**
   * Tests the candidates of a block. 0: nothing is left to be done for its cells. Otherwise so many candidates of the
   * block's parts lie on the stack behind its own.
   */
  #open(level: number, i: number, j: number, k: number, from: number, count: number): number {
    const [nx, ny, nz] = this.#counts[level]!;
    if (i >= nx || j >= ny || k >= nz) return 0;
    const kind = this.#kinds[level]![(k * ny + j) * nx + i]!;
    if ((kind & NEEDED) === 0) return 0;
    const { grid, reach } = this.#source;
    const { origin, cell } = grid;
    const size = 2 ** level;
    const half = (size / 2 + this.#margin) * cell;
    const x = origin[0] + (i + 0.5) * size * cell;
    const y = origin[1] + (j + 0.5) * size * cell;
    const z = origin[2] + (k + 0.5) * size * cell;
    this.#test(x, y, z, half, from, count);
    // Beyond reach the surface is far: all cells are inside, or all are outside.
    const diagonal = Math.sqrt(3) * half;
    if (this.#least - diagonal > reach) {
      this.#setCells(size, i, j, k, ((CellCode.deep << 30) | this.#nearest) >>> 0);
      return 0;
    }
    if (from + 2 * count > this.#stack.length) {
      const grown = new Uint32Array(2 * (from + 2 * count));
      grown.set(this.#stack);
      this.#stack = grown;
    }
    const stack = this.#stack;
    const [verdicts, distances] = [this.#kept, this.#distances];
    let to = from + count;
    let first = 0;
    for (let c = 0; c < count; c++) {
      if (verdicts[c] === 0) continue;
      if (stack[from + c] === this.#nearest) first = to;
      distances[to - from - count] = distances[c]!;
      stack[to++] = stack[from + c]!;
    }
    const kept = to - from - count;
    // A block that the reach passes is divided, so that no more than a cell beyond it has candidates.
    const isShared = this.#least + diagonal <= reach && kept <= LONGEST_SHARED_LIST / size;
    const isWhole = (kind & UNEVEN) === 0 && isShared;
    if (level > 0 && !isWhole) {
      stack[first] = stack[from + count]!;
      stack[from + count] = this.#nearest;
      return kept;
    }
    const left = (kind & UNEVEN) === 0 ? kept : this.#keptOfParts(x, y, z, half, from + count, kept);
    const list = this.#write(size * cell, from + count, left);
    if ((kind & UNEVEN) === 0) {
      this.lists.values[list + 2] = level;
      this.#setCells(size, i, j, k, ((CellCode.inside << 30) | list) >>> 0);
    } else {
      const { cells } = this.#source;
      const at = (k * ny + j) * nx + i;
      this.lists.values[list + 2] = cells[at]! & CELL_REST;
      cells[at] = ((CellCode.mixed << 30) | list) >>> 0;
    }
    return 0;
  }

  /**
   * Sets `kept` for each of `count` triangles: 0 if the nearest to the middle of a cube is nearer to all its points.
   *
   * @param half half the edge of the cube about (x, y, z)
   */
  #test(x: number, y: number, z: number, half: number, from: number, count: number): void {
    const [w, stack, distances, directions, balls] = [
      this.#w,
      this.#stack,
      this.#distances,
      this.#directions,
      this.#balls,
    ];
    const { corners } = this.#source;
    const diagonal = Math.sqrt(3) * half;
    w[0] = x;
    w[1] = y;
    w[2] = z;
    let nearest = 0;
    let least = Infinity;
    let [qx, qy, qz] = [0, 0, 0];
    for (let c = 0; c < count; c++) {
      const t = stack[from + c]!;
      const bx = x - balls[4 * t]!;
      const by = y - balls[4 * t + 1]!;
      const bz = z - balls[4 * t + 2]!;
      const far = (least + 2 * diagonal) * (1 + CANDIDATE_SLACK) + balls[4 * t + 3]!;
      const square = bx * bx + by * by + bz * bz;
      // Beyond any candidate's distance; or all of the triangle's ball is farther than one point, from all the cube.
      const isFarther =
        square > far * far ||
        square - least * least - 2 * half * (Math.abs(bx - qx) + Math.abs(by - qy) + Math.abs(bz - qz)) >
          balls[4 * t + 3]! * (Math.sqrt(square) + least + 2 * diagonal) + CANDIDATE_SLACK * square;
      if (isFarther) {
        distances[c] = Infinity;
        continue;
      }
      nearestOnTriangle(corners, 9 * t, w);
      const distance = Math.sqrt(w[6]!);
      distances[c] = distance;
      directions[3 * c] = x - w[3]!;
      directions[3 * c + 1] = y - w[4]!;
      directions[3 * c + 2] = z - w[5]!;
      if (distance < least) {
        nearest = c;
        least = distance;
        qx = directions[3 * c]!;
        qy = directions[3 * c + 1]!;
        qz = directions[3 * c + 2]!;
      }
    }
    this.#least = least;
    this.#nearest = stack[from + nearest]!;
    const slack = CANDIDATE_SLACK * (least + diagonal);
    // Along the direction to the nearest, the distance to it grows by no more than this.
    const bend = (diagonal * diagonal) / (2 * least);
    const ax = qx / least;
    const ay = qy / least;
    const az = qz / least;
    for (let c = 0; c < count; c++) {
      const distance = distances[c]!;
      const beyond = distance - least - slack;
      if (beyond > 2 * diagonal) {
        this.#kept[c] = 0;
        continue;
      }
      const nx = directions[3 * c]! / distance;
      const ny = directions[3 * c + 1]! / distance;
      const nz = directions[3 * c + 2]! / distance;
      const isFarther =
        beyond > diagonal + half * (Math.abs(nx) + Math.abs(ny) + Math.abs(nz)) ||
        beyond > half * (Math.abs(ax - nx) + Math.abs(ay - ny) + Math.abs(az - nz)) + bend;
      this.#kept[c] = Number(!isFarther);
    }
  }

  /**
   * Leaves those of `count` candidates of a cell on the stack that are candidates of a part of it; how many they are.
   */
  #keptOfParts(x: number, y: number, z: number, half: number, from: number, count: number): number {
    if (count === 1) return 1;
    const ofParts = this.#ofParts.fill(0, 0, count);
    const [stack, distances, atMiddle] = [this.#stack, this.#distances, this.#atMiddle];
    atMiddle.set(distances.subarray(0, count));
    const at = (index: number) => half * ((2 * index + 1) / PARTS - 1);
    for (let k = 0; k < PARTS; k++) {
      for (let j = 0; j < PARTS; j++) {
        for (let i = 0; i < PARTS; i++) {
          this.#test(x + at(i), y + at(j), z + at(k), half / PARTS, from, count);
          for (let c = 0; c < count; c++) ofParts[c]! |= this.#kept[c]!;
        }
      }
    }
    let left = 0;
    for (let c = 0; c < count; c++) {
      if (ofParts[c] === 0) continue;
      stack[from + left] = stack[from + c]!;
      distances[left++] = atMiddle[c]!;
    }
    return left;
  }

  /** All inner cells of a block, as far as they are in the grid, get a word. */
  #setCells(size: number, i: number, j: number, k: number, word: number): void {
    const { grid, cells } = this.#source;
    const [nx, ny, nz] = grid.counts;
    for (let z = k * size; z < Math.min(nz, (k + 1) * size); z++) {
      for (let y = j * size; y < Math.min(ny, (j + 1) * size); y++) {
        const row = (z * ny + y) * nx;
        const end = row + Math.min(nx, (i + 1) * size);
        for (let c = row + i * size; c < end; c++) {
          if (cells[c]! >>> 30 === CellCode.inside) cells[c] = word;
        }
      }
    }
  }

  /** Writes the list of a block of an edge, sorted: `count` on the stack, with their distances. Returns its place. */
  #write(edge: number, from: number, count: number): number {
    const { lists } = this;
    const [distances, stack] = [this.#distances, this.#stack];
    // By insertion, in place: lists are short.
    for (let c = 1; c < count; c++) {
      const triangle = stack[from + c]!;
      const distance = distances[c]!;
      let at = c;
      for (; at > 0; at--) {
        const before = distances[at - 1]!;
        if (before < distance || (before === distance && stack[from + at - 1]! < triangle)) break;
        distances[at] = before;
        stack[from + at] = stack[from + at - 1]!;
      }
      distances[at] = distance;
      stack[from + at] = triangle;
    }
    lists.reserve(LIST_HEADER + count);
    const { values, count: start } = lists;
    const least = Math.floor((distances[0]! * (1 - CANDIDATE_SLACK)) / (LEAST_DISTANCE_UNIT * edge));
    values[start] = count;
    values[start + 1] = least;
    for (let c = 0; c < count; c++) {
      const beyond = (distances[c]! * (1 - CANDIDATE_SLACK)) / edge - least * LEAST_DISTANCE_UNIT;
      const bound = Math.max(0, Math.min(255, Math.floor(beyond / BOUND_STEP)));
      values[start + LIST_HEADER + c] = ((stack[from + c]! << 8) | bound) >>> 0;
    }
    lists.count += LIST_HEADER + count;
    return start;
  }
}

/** Balls around triangles: middle of the box, and a radius that is rounded up. */
function ballsOf(corners: Float32Array): Float32Array {
  const balls = new Float32Array((4 * corners.length) / 9);
  for (let t = 0; 9 * t < corners.length; t++) {
    const at = (c: number, k: number) => corners[9 * t + 3 * c + k]!;
    for (let k = 0; k < 3; k++) {
      const [low, high] = [Math.min(at(0, k), at(1, k), at(2, k)), Math.max(at(0, k), at(1, k), at(2, k))];
      balls[4 * t + k] = low + (high - low) / 2;
    }
    const from = (c: number) => Math.hypot(...[0, 1, 2].map((k) => at(c, k) - balls[4 * t + k]!));
    balls[4 * t + 3] = Math.max(from(0), from(1), from(2)) * FLOAT32_UPWARDS;
  }
  return balls;
}

/** Blocks of twice the size have what cells any of their eight have. */
function halved(
  kinds: Uint8Array,
  [nx, ny, nz]: readonly [number, number, number],
): [Uint8Array, readonly [number, number, number]] {
  const counts = [Math.ceil(nx / 2), Math.ceil(ny / 2), Math.ceil(nz / 2)] as const;
  const result = new Uint8Array(counts[0] * counts[1] * counts[2]);
  for (let k = 0, at = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      const row = ((k >> 1) * counts[1] + (j >> 1)) * counts[0];
      for (let i = 0; i < nx; i++, at++) result[row + (i >> 1)]! |= kinds[at]!;
    }
  }
  return [result, counts];
}
