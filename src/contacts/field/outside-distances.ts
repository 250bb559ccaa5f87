/** For cells outside, a lower bound of the distance from any of their points to the body, in cells. */
import { CellCode } from './field-arrays.ts';

/** The largest bound that a byte holds. */
const FAR = 255;

/**
 * Writes the bounds to the words of cells outside. All of the surface lies in mixed cells, so the gap to the nearest
 * mixed cell bounds the distance. Along an axis the gap between cells i and s is max(|i - s| - 1, 0): the distance to
 * the mixed cells grown by a cell. So squares are added up axis by axis, each time over the least of three neighbours.
 */
export function writeOutsideDistances(cells: Uint32Array, counts: readonly [number, number, number]): void {
  const [nx, ny, nz] = counts;
  // Along x, the gap itself; no byte holds more than FAR.
  const squares = Float64Array.from(cells, (word) => (word >>> 30 === CellCode.mixed ? 0 : FAR * FAR));
  const line = new Float64Array(Math.max(nx, ny, nz));
  const along = (first: number, step: number, length: number) => {
    for (let n = 0; n < length; n++) {
      const at = first + n * step;
      let least = squares[at]!;
      if (n > 0) least = Math.min(least, squares[at - step]!);
      if (n + 1 < length) least = Math.min(least, squares[at + step]!);
      line[n] = least;
    }
    for (let n = 0; n < length; n++) {
      let least = line[n]!;
      for (let d = 1; d * d < least && d < length; d++) {
        if (n >= d) least = Math.min(least, line[n - d]! + d * d);
        if (n + d < length) least = Math.min(least, line[n + d]! + d * d);
      }
      squares[first + n * step] = least;
    }
  };
  for (let row = 0; row < ny * nz; row++) along(row * nx, 1, nx);
  for (let k = 0; k < nz; k++) for (let i = 0; i < nx; i++) along(k * nx * ny + i, nx, ny);
  for (let j = 0; j < ny; j++) for (let i = 0; i < nx; i++) along(j * nx + i, nx * ny, nz);
  for (let c = 0; c < cells.length; c++) {
    if (cells[c]! >>> 30 === CellCode.outside) cells[c] = Math.floor(Math.sqrt(squares[c]!));
  }
}
