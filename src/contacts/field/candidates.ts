/**
 * Which triangles can be nearest to a point of a cell: branch and bound, from the whole grid down to cells. Bounds are
 * derived in docs/contacts.md, "Candidates".
 */
import { cellMargin, type GridShape } from '../../inside/cell-grid/tables.ts';
import { BOUND_STEP, CANDIDATE_SLACK, LEAST_DISTANCE_UNIT } from './constants.ts';
import { CELL_REST, CellCode, LIST_HEADER } from './field-arrays.ts';
import { NEAREST_FLOATS, nearestOnTriangle } from './nearest.ts';

/** What candidates are found for. */
export interface CandidateSource {
  readonly grid: GridShape;
  readonly corners: Float32Array;
  /**
   * `[cells]`: as in `FieldArrays`, with the rank of mixed cells in place of their lists. Those of cells inside and mixed
   * are written.
   */
  readonly cells: Uint32Array;
  /** Depth to which cells get candidates, local. */
  readonly reach: number;
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

/** Finds the candidates of all cells. */
export class CandidateFinder {
  /** As in `FieldArrays`. */
  readonly lists = new Words();
  readonly #source: CandidateSource;
  readonly #margin: number;
  /** Per level, 1 for the blocks of 2^level cells along an axis that have a cell inside or mixed. */
  readonly #needed: Uint8Array[];
  readonly #counts: (readonly [number, number, number])[];
  /** Candidates of the blocks that are being worked on, one list after the other. */
  #stack: Uint32Array;
  /** Of the candidates of one block: distance from its middle, direction from the nearest point to it, and the verdict. */
  #distances: Float64Array;
  #directions: Float64Array;
  #kept: Uint8Array;
  readonly #w = new Float64Array(NEAREST_FLOATS);
  /** Of the block that was tested last: distance from its middle to the nearest triangle, and which one that is. */
  #least = 0;
  #nearest = 0;

  constructor(source: CandidateSource) {
    this.#source = source;
    this.#margin = cellMargin(source.grid);
    const triangles = source.corners.length / 9;
    this.#stack = new Uint32Array(4 * triangles + 64);
    this.#distances = new Float64Array(triangles);
    this.#directions = new Float64Array(3 * triangles);
    this.#kept = new Uint8Array(triangles);
    this.#needed = [Uint8Array.from(source.cells, (word) => Number(word >>> 30 !== CellCode.outside))];
    this.#counts = [source.grid.counts];
    while (Math.max(...this.#counts.at(-1)!) > 1) {
      const [needed, counts] = halved(this.#needed.at(-1)!, this.#counts.at(-1)!);
      this.#needed.push(needed);
      this.#counts.push(counts);
    }
  }

  /** Finds them all, in pieces of work between which the caller may pause. */
  *run(): Generator<void, void, void> {
    const triangles = this.#source.corners.length / 9;
    for (let t = 0; t < triangles; t++) this.#stack[t] = t;
    yield* this.#inPieces(this.#needed.length - 1, 0, 0, 0, 0, triangles);
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
    if (!this.#isNeeded(level, i, j, k)) return;
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
    if (!this.#isNeeded(level, i, j, k)) return;
    const kept = this.#open(level, i, j, k, from, count);
    if (kept === 0) return;
    if (level === 0) {
      this.#write(i, j, k, from + count, kept);
      return;
    }
    for (let part = 0; part < 8; part++) {
      const [x, y, z] = [2 * i + (part & 1), 2 * j + ((part >> 1) & 1), 2 * k + (part >> 2)];
      this.#visit(level - 1, x, y, z, from + count, kept);
    }
  }

  #isNeeded(level: number, i: number, j: number, k: number): boolean {
    const [nx, ny, nz] = this.#counts[level]!;
    return i < nx && j < ny && k < nz && this.#needed[level]![(k * ny + j) * nx + i] === 1;
  }

  /** Tests the candidates of a block and puts those that are left behind them. None is left where all of it is deep. */
  #open(level: number, i: number, j: number, k: number, from: number, count: number): number {
    const { grid, reach } = this.#source;
    const { origin, cell } = grid;
    const size = 2 ** level;
    const half = (size / 2 + this.#margin) * cell;
    const middle = (index: number, axis: number) => origin[axis]! + (index + 0.5) * size * cell;
    this.#test(middle(i, 0), middle(j, 1), middle(k, 2), half, from, count);
    if (this.#least - Math.sqrt(3) * half > reach) {
      this.#writeDeep(size, i * size, j * size, k * size);
      return 0;
    }
    this.#reserve(from + 2 * count);
    const stack = this.#stack;
    let to = from + count;
    for (let c = 0; c < count; c++) if (this.#kept[c] === 1) stack[to++] = stack[from + c]!;
    return to - from - count;
  }

  #reserve(length: number): void {
    if (length <= this.#stack.length) return;
    const grown = new Uint32Array(2 * length);
    grown.set(this.#stack);
    this.#stack = grown;
  }

  /**
   * Sets `kept` for each of `count` triangles: 0 if another one is nearer to all points of a cube.
   *
   * @param half half the edge of the cube about (x, y, z)
   */
  #test(x: number, y: number, z: number, half: number, from: number, count: number): void {
    const [w, stack, distances, directions] = [this.#w, this.#stack, this.#distances, this.#directions];
    const { corners } = this.#source;
    w[0] = x;
    w[1] = y;
    w[2] = z;
    let nearest = 0;
    for (let c = 0; c < count; c++) {
      nearestOnTriangle(corners, 9 * stack[from + c]!, w);
      const distance = Math.sqrt(w[6]!);
      distances[c] = distance;
      directions[3 * c] = x - w[3]!;
      directions[3 * c + 1] = y - w[4]!;
      directions[3 * c + 2] = z - w[5]!;
      if (distance < distances[nearest]!) nearest = c;
    }
    const least = distances[nearest]!;
    this.#least = least;
    this.#nearest = stack[from + nearest]!;
    const diagonal = Math.sqrt(3) * half;
    const slack = CANDIDATE_SLACK * (least + diagonal);
    // Along the direction to the nearest, the distance to it grows by no more than this.
    const bend = (diagonal * diagonal) / (2 * least);
    const ax = directions[3 * nearest]! / least;
    const ay = directions[3 * nearest + 1]! / least;
    const az = directions[3 * nearest + 2]! / least;
    for (let c = 0; c < count; c++) {
      const distance = distances[c]!;
      const nx = directions[3 * c]! / distance;
      const ny = directions[3 * c + 1]! / distance;
      const nz = directions[3 * c + 2]! / distance;
      const beyond = distance - least - slack;
      const isFarther =
        beyond > diagonal + half * (Math.abs(nx) + Math.abs(ny) + Math.abs(nz)) ||
        beyond > half * (Math.abs(ax - nx) + Math.abs(ay - ny) + Math.abs(az - nz)) + bend;
      this.#kept[c] = Number(!isFarther);
    }
  }

  /** All cells of a block, as far as they are in the grid, get the triangle that is nearest to its middle. */
  #writeDeep(size: number, i0: number, j0: number, k0: number): void {
    const { grid, cells } = this.#source;
    const [nx, ny, nz] = grid.counts;
    for (let k = k0; k < Math.min(nz, k0 + size); k++) {
      for (let j = j0; j < Math.min(ny, j0 + size); j++) {
        const row = (k * ny + j) * nx;
        for (let c = row + i0; c < row + Math.min(nx, i0 + size); c++) {
          if (cells[c]! >>> 30 === CellCode.inside) cells[c] = ((CellCode.deep << 30) | this.#nearest) >>> 0;
        }
      }
    }
  }

  /** Writes the list of a cell: those of its candidates on the stack that are candidates of one of its parts. */
  #write(i: number, j: number, k: number, from: number, count: number): void {
    const { grid, cells, corners } = this.#source;
    const { origin, cell: h, counts } = grid;
    const [x, y, z] = [origin[0] + (i + 0.5) * h, origin[1] + (j + 0.5) * h, origin[2] + (k + 0.5) * h];
    const half = (0.5 + this.#margin) * h;
    const marked = this.#marked;
    if (count > 1) {
      if (marked.length < count) this.#marked = new Uint8Array(2 * count);
      this.#marked.fill(0, 0, count);
      for (let part = 0; part < PARTS ** 3; part++) {
        const at = (index: number) => half * ((2 * index + 1) / PARTS - 1);
        const [px, py, pz] = [
          at(part % PARTS),
          at(Math.floor(part / PARTS) % PARTS),
          at(Math.floor(part / PARTS ** 2)),
        ];
        this.#test(x + px, y + py, z + pz, half / PARTS, from, count);
        for (let c = 0; c < count; c++) this.#marked[c]! |= this.#kept[c]!;
      }
    } else this.#marked[0] = 1;

    const w = this.#w;
    w[0] = x;
    w[1] = y;
    w[2] = z;
    const found: { triangle: number; distance: number }[] = [];
    for (let c = 0; c < count; c++) {
      if (this.#marked[c] === 0) continue;
      const triangle = this.#stack[from + c]!;
      nearestOnTriangle(corners, 9 * triangle, w);
      found.push({ triangle, distance: Math.sqrt(w[6]!) / h });
    }
    found.sort((a, b) => a.distance - b.distance || a.triangle - b.triangle);
    const least = Math.floor((found[0]!.distance * (1 - CANDIDATE_SLACK)) / LEAST_DISTANCE_UNIT);
    const cell = (k * counts[1] + j) * counts[0] + i;
    const { lists } = this;
    lists.reserve(LIST_HEADER + found.length);
    const start = lists.count;
    const word = cells[cell]!;
    lists.values[start] = found.length;
    lists.values[start + 1] = least;
    lists.values[start + 2] = word & CELL_REST;
    for (const [n, { triangle, distance }] of found.entries()) {
      const beyond = distance * (1 - CANDIDATE_SLACK) - least * LEAST_DISTANCE_UNIT;
      const bound = Math.max(0, Math.min(255, Math.floor(beyond / BOUND_STEP)));
      lists.values[start + LIST_HEADER + n] = ((triangle << 8) | bound) >>> 0;
    }
    lists.count += LIST_HEADER + found.length;
    cells[cell] = (((word >>> 30) << 30) | start) >>> 0;
  }
  #marked = new Uint8Array(64);
}

/** Blocks of twice the size: 1 where one of the eight is. */
function halved(
  needed: Uint8Array,
  [nx, ny, nz]: readonly [number, number, number],
): [Uint8Array, readonly [number, number, number]] {
  const counts = [Math.ceil(nx / 2), Math.ceil(ny / 2), Math.ceil(nz / 2)] as const;
  const result = new Uint8Array(counts[0] * counts[1] * counts[2]);
  for (let k = 0, at = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      const row = ((k >> 1) * counts[1] + (j >> 1)) * counts[0];
      for (let i = 0; i < nx; i++, at++) result[row + (i >> 1)]! |= needed[at]!;
    }
  }
  return [result, counts];
}
