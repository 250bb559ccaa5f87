import {
  type Options,
  requireArray,
  requireObject,
  requireOptions,
  requireText,
  told,
} from '../arguments.ts';
import { InputError } from '../errors.ts';
import { firstNonFinite } from '../mesh/finite.ts';
import { detectFormat, parseDetected, textStart } from '../mesh/read/detect.ts';
import { readError } from '../mesh/read/read-error.ts';
import { inflateGzip, type ReadSource, readSource } from '../mesh/read/source.ts';
import type { Box } from '../mesh/triangle-mesh.ts';
import { weldExact } from '../mesh/weld.ts';
import { isNpy, type NpyArray, parseNpy } from './npy.ts';
import { parseTextPoints } from './text-points.ts';

export interface ParsePointsOptions {
  readonly name: string;
}

const NAME_OPTIONS: Options<ParsePointsOptions> = { name: 'text' };

/**
 * Parses points, found by content, as they are or compressed with gzip:
 * - `.npy`: float32 or float64 of shape [n, 3], C or Fortran order, either byte order;
 * - PLY, OBJ, OFF: their vertices in the order of the file, not welded, with or without faces;
 * - STL: its vertices, equal ones once, in the order of their first appearance;
 * - text with a point per line: CSV, XYZ and the like, see `parseTextPoints`.
 *
 * Points are float32: what a file holds in float64 or in decimal is rounded to the nearest float32, and every answer
 * of scree is for the rounded point.
 * @returns Float32 coordinates, `[x, y, z]` per point, in the unit of the file.
 * @throws InputError with the file's name and the row, line, vertex or triangle if a coordinate is not finite or
 * beyond float32's range, the file is malformed or truncated, or there is no point in it.
 */
export async function parsePoints(
  bytes: Uint8Array,
  options: ParsePointsOptions,
): Promise<Float32Array<ArrayBuffer>> {
  requireArray('parsePoints: bytes', bytes, [Uint8Array], 'the bytes of a file (readPoints() reads files)');
  requireOptions('parsePoints', options, NAME_OPTIONS);
  requireText('parsePoints: name', options.name, 'a name for messages');
  const { name } = options;
  const inflated = await inflateGzip(bytes, name);
  const points = isNpy(inflated) ? npyPoints(inflated, name) : filePoints(inflated, name);
  if (points.length === 0) throw noPoints(name);
  return points;
}

export function noPoints(name: string): InputError {
  return readError({ name, found: 'no points', expected: 'at least one' });
}

/**
 * Reads a file of points, see `parsePoints`.
 * @param source A path (Node) or a URL (browser) as a string, a URL, a Blob or File, or the bytes themselves.
 * @param options `name` for messages; by default that of the path, URL or File.
 * @throws InputError with the file's name if it cannot be read or used.
 */
export async function readPoints(
  source: ReadSource,
  options: Partial<ParsePointsOptions> = {},
): Promise<Float32Array<ArrayBuffer>> {
  requireOptions('readPoints', options, NAME_OPTIONS);
  const { bytes, name } = await readSource(source, options.name, 'points');
  return parsePoints(bytes, { name });
}

function filePoints(bytes: Uint8Array, name: string): Float32Array<ArrayBuffer> {
  const detected = detectFormat(bytes);
  if (detected === undefined) return parseTextPoints(bytes, name, textStart(bytes)).slice();
  const { positions } = parseDetected(bytes, detected, name);
  return detected.format.startsWith('stl') ? weldExact(positions).positions : positions.slice();
}

function npyPoints(bytes: Uint8Array, name: string): Float32Array<ArrayBuffer> {
  const array = parseNpy(bytes, name);
  requirePointArray(array, name);
  const data = array.data as Float32Array<ArrayBuffer> | Float64Array;
  const points = data instanceof Float32Array ? data : new Float32Array(data);
  requireFinitePoints(points, data, 0, name);
  return points;
}

/** @throws InputError if an array is not of floating-point numbers, three to a row. */
export function requirePointArray({ dtype, shape }: Pick<NpyArray, 'dtype' | 'shape'>, name: string): void {
  if (dtype !== 'f4' && dtype !== 'f8') {
    throw readError({ name, found: `an array of ${dtype}`, expected: 'float32 (f4) or float64 (f8)' });
  }
  if (shape.length !== 2 || shape[1] !== 3) {
    const hint = shape.length === 2 && shape[0] === 3 ? ', a row per point: this one looks transposed' : '';
    throw readError({ name, found: `the shape [${shape.join(', ')}]`, expected: `[n, 3]${hint}` });
  }
}

/**
 * @param points rows from `firstRow` on, as float32
 * @param data the same as they were in the file
 * @throws InputError with the row of the first coordinate that is not finite, before or after rounding.
 */
export function requireFinitePoints(
  points: Float32Array,
  data: Float32Array | Float64Array,
  firstRow: number,
  name: string,
): void {
  const i = firstNonFinite(points);
  if (i < 0) return;
  const overflow = Number.isFinite(data[i]);
  throw readError({
    name,
    place: `row ${firstRow + Math.floor(i / 3)}`,
    problem: overflow ? 'coordinate overflows float32' : 'non-finite coordinate',
    found: `${data[i]}`,
    expected: overflow ? 'at most 3.4e38' : 'a finite number',
  });
}

export interface GridOptions {
  readonly margin?: number;
}

const GRID_OPTIONS: Options<GridOptions> = { margin: 'number' };

/** By default a grid reaches 5 % of the box's longest extent beyond it on every side. */
const DEFAULT_GRID_MARGIN = 0.05;
/** Most points along one side: their coordinates fill 4 GiB. */
const LARGEST_GRID = 710;

/**
 * A regular grid of n x n x n points over a cube around a box. The cube has the box's centre; its side is
 * `s = (1 + 2 margin) L` with L the box's longest extent. It is cut into n^3 equal cells, and the points are the
 * centres of the cells: `centre - s / 2 + (i + 0.5) s / n` for i = 0 .. n - 1 along every axis, computed in float64
 * and rounded to float32.
 * @param n Points along a side, 1 to 710.
 * @param options `margin`: what is added on either side of the box, as a fraction of L; 0.05 if left out, more than
 * -0.5.
 * @returns Float32 coordinates, length `3 n^3`; x runs fastest, then y, then z.
 * @throws InputError if the box is empty, a point or not finite, or n or margin is out of range.
 */
export function gridPoints(box: Box, n: number, options: GridOptions = {}): Float32Array<ArrayBuffer> {
  requireOptions('gridPoints', options, GRID_OPTIONS);
  requireObject('gridPoints: box', box, "an object with min and max, a mesh's for instance");
  for (const corner of [box.min, box.max]) {
    if (Array.isArray(corner) && corner.length === 3) continue;
    throw new InputError(`gridPoints: box: found the corner ${told(corner)}, expected [x, y, z]`);
  }
  const { margin = DEFAULT_GRID_MARGIN } = options;
  if (!(Number.isInteger(n) && n >= 1 && n <= LARGEST_GRID)) {
    throw new InputError(
      `grid: found ${told(n)} points per side, expected a whole number from 1 to ${LARGEST_GRID}`,
    );
  }
  if (!(margin > -0.5 && margin < Infinity)) {
    throw new InputError(`grid: found the margin ${margin}, expected a finite number greater than -0.5`);
  }
  const extents = [0, 1, 2].map((k) => box.max[k]! - box.min[k]!);
  const longest = Math.max(...extents);
  if (!(longest > 0 && longest < Infinity) || !extents.every((extent) => extent >= 0)) {
    throw new InputError(
      `grid: found the box [${box.min.join(', ')}] to [${box.max.join(', ')}], expected a finite one with an extent`,
    );
  }
  const side = (1 + 2 * margin) * longest;
  const [xs, ys, zs] = [0, 1, 2].map((k) => {
    const centre = (box.min[k]! + box.max[k]!) / 2;
    return Float32Array.from({ length: n }, (_, i) => centre - side / 2 + ((i + 0.5) * side) / n);
  }) as [Float32Array, Float32Array, Float32Array];
  const points = new Float32Array(3 * n ** 3);
  let at = 0;
  for (const z of zs) {
    for (const y of ys) {
      for (const x of xs) {
        points[at++] = x;
        points[at++] = y;
        points[at++] = z;
      }
    }
  }
  return points;
}
