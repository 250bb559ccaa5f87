/**
 * Windings of the cells of a block against a point of the block whose winding is known: from there along z to every
 * layer, along y to every row, along x to every cell. Where a step's line crosses a triangle the winding changes. All
 * decisions are exact; a corner of such a path that lies on the surface itself has no winding, and the block is given
 * up.
 */

import { orient2d, orient3d } from 'robust-predicates';
import { perturbedSide } from '../exact.ts';
import { lowerBound } from '../lower-bound.ts';
import { CELL_ROW_Y, CELL_ROW_Z, CROSSING_PLACE_ROUNDING } from './constants.ts';
import { type CrossingShift, crossingShift } from './crossing-shift.ts';
import { bitCount, type GridShape, type MixedCells, REFERENCE_FLOATS, type SurfaceArrays } from './tables.ts';

/** Lines parallel to one axis, through the product of places along the other two, and stops on each. */
interface Lines {
  /** 0, 1, 2; the other two follow cyclically as u and v, which keeps orientation. */
  readonly axis: number;
  readonly us: Float32Array;
  readonly vs: Float32Array;
  /** Per line (u fastest), `perLine` places along the axis, ascending. */
  readonly stops: Float32Array;
  readonly perLine: number;
  /** Whether a stop must not lie on the surface. */
  readonly isCorner: (line: number, stop: number) => boolean;
}

/**
 * Per line and stop, the sum of the changes of winding before it (from far below along the axis); undefined where a
 * corner lies on a triangle.
 */
function windingsAlong(mesh: SurfaceArrays, lines: Lines): Int32Array | undefined {
  const { positions, indices } = mesh;
  const { axis, us, vs, stops, perLine, isCorner } = lines;
  const [ku, kv] = [(axis + 1) % 3, (axis + 2) % 3];
  const changes = new Int32Array(stops.length);
  const crossing: CrossingShift = { shift: 0, error: 0 };
  for (let t = 0; t < indices.length; t += 3) {
    const a = 3 * indices[t]!;
    const b = 3 * indices[t + 1]!;
    const c = 3 * indices[t + 2]!;
    const au = positions[a + ku]!;
    const bu = positions[b + ku]!;
    const cu = positions[c + ku]!;
    const highU = Math.max(au, bu, cu);
    const firstU = lowerBound(us, 0, us.length, Math.min(au, bu, cu));
    // Most triangles lie between the lines.
    if (firstU === us.length || us[firstU]! > highU) continue;
    const av = positions[a + kv]!;
    const bv = positions[b + kv]!;
    const cv = positions[c + kv]!;
    const highV = Math.max(av, bv, cv);
    const firstV = lowerBound(vs, 0, vs.length, Math.min(av, bv, cv));
    if (firstV === vs.length || vs[firstV]! > highV) continue;
    const ax = positions[a + axis]!;
    const bx = positions[b + axis]!;
    const cx = positions[c + axis]!;
    for (let k = firstV; k < vs.length; k++) {
      const v = vs[k]!;
      if (v > highV) break;
      for (let j = firstU; j < us.length; j++) {
        const u = us[j]!;
        if (u > highU) break;
        const p = orient2d(au, av, bu, bv, u, v);
        const q = orient2d(bu, bv, cu, cv, u, v);
        const r = orient2d(cu, cv, au, av, u, v);
        if ((p < 0 || q < 0 || r < 0) && (p > 0 || q > 0 || r > 0)) continue;
        const touches = p === 0 || q === 0 || r === 0;
        const turn = perturbedSide(au, av, bu, bv, u, v);
        const passes =
          turn !== 0 &&
          perturbedSide(bu, bv, cu, cv, u, v) === turn &&
          perturbedSide(cu, cv, au, av, u, v) === turn;
        if (!touches && !passes) continue;

        const line = k * us.length + j;
        const [from, to] = [line * perLine, (line + 1) * perLine];
        let place = 0;
        let error = Infinity;
        if (!touches) {
          crossingShift(ax, au, av, bx, bu, bv, cx, cu, cv, u, v, crossing);
          place = ax + crossing.shift;
          // The sum's own rounding, generously.
          error = crossing.error + CROSSING_PLACE_ROUNDING * (Math.abs(ax) + Math.abs(place));
        }
        let stop = from;
        let undecided = to;
        if (error < Infinity) {
          stop = lowerBound(stops, from, to, place - error);
          undecided = lowerBound(stops, stop, to, place + error);
          while (undecided < to && stops[undecided]! <= place + error) undecided++;
        }
        // Stops before `stop` lie before the crossing, those from `undecided` on behind it.
        let behind = undecided;
        for (; stop < undecided; stop++) {
          const x = stops[stop]!;
          const side = -Math.sign(orient3d(ax, au, av, bx, bu, bv, cx, cu, cv, x, u, v));
          const low = Math.min(ax, bx, cx);
          if (side === 0 && isCorner(line, stop - from) && x >= low && x <= Math.max(ax, bx, cx)) {
            return undefined;
          }
          if (passes && side === turn && behind === undecided) behind = stop;
        }
        if (passes && behind < to) changes[behind]! -= turn;
      }
    }
  }
  for (let line = 0; line < stops.length; line += perLine) {
    for (let stop = line + 1; stop < line + perLine; stop++) changes[stop]! += changes[stop - 1]!;
  }
  return changes;
}

/** Ascending places with one more put in, and where it went. */
function withSeed(places: ArrayLike<number>, seed: number): { stops: Float32Array; at: number } {
  let at = 0;
  while (at < places.length && places[at]! < seed) at++;
  const stops = new Float32Array(places.length + 1);
  for (let i = 0; i < places.length; i++) stops[i < at ? i : i + 1] = places[i]!;
  stops[at] = seed;
  return { stops, at };
}

/**
 * Windings of a block's cells (at references in mixed ones) minus that of a seed, in the order of cells; undefined if
 * the seed, or a corner of a path from it, lies on the surface.
 *
 * @param mesh all triangles that meet the block
 * @param cells its mixed cells, with the x of their references
 * @param seed a point of the block: float32
 */
export function blockWindings(
  mesh: SurfaceArrays,
  grid: GridShape,
  { words, bases, references }: MixedCells,
  seed: readonly [number, number, number],
): Int32Array | undefined {
  const [ox, oy, oz] = grid.origin;
  const [nx, ny, nz] = grid.counts;
  const h = grid.cell;
  const [sx, sy, sz] = seed;
  const ys = Float32Array.from({ length: ny }, (_, j) => oy + (j + CELL_ROW_Y) * h);
  const zs = Float32Array.from({ length: nz }, (_, k) => oz + (k + CELL_ROW_Z) * h);
  const everywhere = () => true;

  // Along z (u = x, v = y) at the seed's x and y.
  const column = withSeed(zs, sz);
  const layers = windingsAlong(mesh, {
    axis: 2,
    us: Float32Array.of(sx),
    vs: Float32Array.of(sy),
    stops: column.stops,
    perLine: nz + 1,
    isCorner: everywhere,
  });
  if (layers === undefined) return undefined;

  // Along y (u = z, v = x) at every layer's z and the seed's x.
  const line = withSeed(ys, sy);
  const rowStops = new Float32Array((ny + 1) * nz);
  for (let k = 0; k < nz; k++) rowStops.set(line.stops, k * (ny + 1));
  const rows = windingsAlong(mesh, {
    axis: 1,
    us: zs,
    vs: Float32Array.of(sx),
    stops: rowStops,
    perLine: ny + 1,
    isCorner: everywhere,
  });
  if (rows === undefined) return undefined;

  // Along x (u = y, v = z) at every row.
  const cellStops = new Float32Array((nx + 1) * ny * nz);
  const corners = new Uint16Array(ny * nz);
  for (let row = 0, to = 0; row < ny * nz; row++) {
    let corner = -1;
    for (let i = 0; i < nx; i++) {
      const cell = row * nx + i;
      const word = words[cell >>> 4]!;
      const shift = (cell & 15) << 1;
      let x = ox + (i + 0.5) * h;
      if ((word >>> shift) & 2) {
        const rank = bases[cell >>> 4]! + bitCount(word & ((1 << shift) - 1) & 0xaaaaaaaa);
        x = references[REFERENCE_FLOATS * rank]!;
      }
      if (corner < 0 && x >= sx) {
        corner = i;
        cellStops[to++] = sx;
      }
      cellStops[to++] = x;
    }
    if (corner < 0) {
      corner = nx;
      cellStops[to++] = sx;
    }
    corners[row] = corner;
  }
  const cells = windingsAlong(mesh, {
    axis: 0,
    us: ys,
    vs: zs,
    stops: cellStops,
    perLine: nx + 1,
    isCorner: (row, stop) => stop === corners[row],
  });
  if (cells === undefined) return undefined;

  const windings = new Int32Array(nx * ny * nz);
  for (let k = 0; k < nz; k++) {
    const layer = layers[k < column.at ? k : k + 1]! - layers[column.at]!;
    for (let j = 0; j < ny; j++) {
      const from = k * (ny + 1);
      const row = k * ny + j;
      const corner = row * (nx + 1) + corners[row]!;
      const base = layer + rows[from + (j < line.at ? j : j + 1)]! - rows[from + line.at]! - cells[corner]!;
      for (let i = 0; i < nx; i++) {
        windings[row * nx + i] = base + cells[row * (nx + 1) + (i < corners[row]! ? i : i + 1)]!;
      }
    }
  }
  return windings;
}
