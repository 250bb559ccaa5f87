/** For cells outside, a lower bound of the distance from any of their points to the body, in cells. */
import { CellCode } from './field-arrays.ts';

/** The largest bound that a byte holds, and its square. */
const FAR = 255;
const FAR_SQUARE = FAR * FAR;

/**
 * Writes the bounds to the words of cells outside. All of the surface lies in mixed cells, so the gap to the nearest
 * mixed cell bounds the distance. Along an axis the gap between cells i and s is max(|i - s| - 1, 0): the distance to
 * the mixed cells grown by a cell. So squares are added up axis by axis, each time over the least of three neighbours.
 */
export function writeOutsideDistances(cells: Uint32Array, counts: readonly [number, number, number]): void {
  const [nx, ny, nz] = counts;
  const squares = new Uint16Array(cells.length);
  for (let row = 0; row < cells.length; row += nx) writeRow(cells, squares, row, row + nx);
  const line = new Line(Math.max(ny, nz));
  for (let k = 0; k < nz; k++) for (let i = 0; i < nx; i++) line.add(squares, k * nx * ny + i, nx, ny);
  for (let at = 0; at < nx * ny; at++) line.add(squares, at, nx * ny, nz);
  for (let c = 0; c < cells.length; c++) {
    if (cells[c]! >>> 30 === CellCode.outside) cells[c] = Math.floor(Math.sqrt(squares[c]!));
  }
}

/** Squares of the gaps along a row of cells. */
function writeRow(cells: Uint32Array, squares: Uint16Array, first: number, end: number): void {
  let gap = FAR;
  for (let c = first; c < end; c++) {
    gap = cells[c]! >>> 30 === CellCode.mixed ? -1 : Math.min(FAR, gap + 1);
    squares[c] = Math.max(0, gap) ** 2;
  }
  gap = FAR;
  for (let c = end - 1; c >= first; c--) {
    gap = cells[c]! >>> 30 === CellCode.mixed ? -1 : Math.min(FAR, gap + 1);
    squares[c] = Math.min(squares[c]!, Math.max(0, gap) ** 2);
  }
}

/**
 * A line of cells across rows. The least of all s + (i - n)^2 is found as the lower envelope of parabolas: P. F.
 * Felzenszwalb, D. P. Huttenlocher, "Distance transforms of sampled functions" (2012).
 */
class Line {
  readonly #values: Float64Array;
  /** Cells whose parabolas are in the envelope, and from where on each is the lowest. */
  readonly #cells: Int32Array;
  readonly #from: Float64Array;

  constructor(length: number) {
    this.#values = new Float64Array(length);
    this.#cells = new Int32Array(length);
    this.#from = new Float64Array(length + 1);
  }

  /** Adds the square of the gap along a line to the squares. */
  add(squares: Uint16Array, first: number, step: number, length: number): void {
    const [values, cells, from] = [this.#values, this.#cells, this.#from];
    let count = 0;
    for (let n = 0, at = first; n < length; n++, at += step) {
      let value = squares[at]!;
      if (n > 0) value = Math.min(value, squares[at - step]!);
      if (n + 1 < length) value = Math.min(value, squares[at + step]!);
      values[n] = value;
      if (value === FAR_SQUARE) continue;
      let start = -Infinity;
      while (count > 0) {
        const other = cells[count - 1]!;
        start = (value + n * n - values[other]! - other * other) / (2 * (n - other));
        if (start > from[count - 1]!) break;
        count--;
        start = -Infinity;
      }
      cells[count] = n;
      from[count++] = start;
    }
    if (count === 0) return;
    from[count] = Infinity;
    for (let n = 0, at = first, lowest = 0; n < length; n++, at += step) {
      while (from[lowest + 1]! < n) lowest++;
      const cell = cells[lowest]!;
      squares[at] = Math.min(FAR_SQUARE, values[cell]! + (n - cell) * (n - cell));
    }
  }
}
