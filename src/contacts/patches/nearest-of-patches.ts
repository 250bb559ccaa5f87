/** The nearest point of each patch of a surface to a point outside, by the cells of the field's grid. */
import { BYTE_SLACK } from '../field/constants.ts';
import { CELL_REST, CellCode, type PolyhedronArrays } from '../field/field-arrays.ts';
import { NEAREST_FLOATS, nearestOnTriangle } from '../field/nearest.ts';

/** Patches that there is room for at first. */
const FIRST_ROOM = 16;

/** Triangles of a polyhedron that were looked at, by the number of the search. */
const seenOf = new WeakMap<PolyhedronArrays, Float64Array>();

export class NearestOfPatches {
  /** Patches that were found, in no order. */
  count = 0;
  /** Which one each is, its nearest triangle, and the distance, in the mesh's unit. */
  patches = new Uint32Array(FIRST_ROOM);
  triangles = new Uint32Array(FIRST_ROOM);
  distances = new Float64Array(FIRST_ROOM);
  /** Unit directions from the nearest points to the point. */
  directions = new Float64Array(3 * FIRST_ROOM);
  /** Where each is, by the numbers of patches. */
  order = new Uint32Array(FIRST_ROOM);
  readonly #work = new Float64Array(NEAREST_FLOATS);
  #search = 0;

  /**
   * Finds the patches within a distance of a point of the mesh's frame. Only triangles count whose outer side faces the
   * point: those of a thin wall's other side do not. Of triangles that are equally near, the first one is taken.
   */
  find(poly: PolyhedronArrays, x: number, y: number, z: number, reach: number): void {
    const { grid, cells, lists, starts, pairTriangles, frame } = poly.field;
    const w = this.#work;
    const { scale } = frame;
    const [lx, ly, lz] = [x * scale - frame.shift[0], y * scale - frame.shift[1], z * scale - frame.shift[2]];
    w[0] = lx;
    w[1] = ly;
    w[2] = lz;
    const h = grid.cell;
    const [ox, oy, oz] = grid.origin;
    const [countX, countY, countZ] = grid.counts;
    // A little more than the reach: cells that rounding would leave out.
    const r = reach * scale + BYTE_SLACK * h;
    const squared = (reach * scale) ** 2;
    const search = ++this.#search;
    const seen = seenBy(poly);
    this.count = 0;
    const firstZ = Math.max(0, Math.floor((lz - r - oz) / h));
    const lastZ = Math.min(countZ - 1, Math.floor((lz + r - oz) / h));
    const firstY = Math.max(0, Math.floor((ly - r - oy) / h));
    const lastY = Math.min(countY - 1, Math.floor((ly + r - oy) / h));
    for (let k = firstZ; k <= lastZ; k++) {
      const dz = between(oz + k * h, lz, h);
      for (let j = firstY; j <= lastY; j++) {
        const dy = between(oy + j * h, ly, h);
        const left = r * r - dz * dz - dy * dy;
        if (left < 0) continue;
        const half = Math.sqrt(left);
        const row = (k * countY + j) * countX;
        const lastX = Math.min(countX - 1, Math.floor((lx + half - ox) / h));
        let i = Math.max(0, Math.floor((lx - half - ox) / h));
        while (i <= lastX) {
          const word = cells[row + i]!;
          const rest = word & CELL_REST;
          const code = word >>> 30;
          i++;
          if (code === CellCode.outside) {
            // No point of the surface is nearer to any point of the cell: so many cells are empty as well.
            i += Math.max(0, Math.floor(rest - BYTE_SLACK) - 1);
            continue;
          }
          if (code !== CellCode.mixed) continue;
          const rank = lists[rest + 2]!;
          const stop = starts[rank + 1]!;
          for (let p = starts[rank]!; p < stop; p++) {
            const triangle = pairTriangles[p]!;
            if (seen[triangle] === search) continue;
            seen[triangle] = search;
            this.#look(poly, triangle, squared);
          }
        }
      }
    }
    this.#finish(scale);
  }

  #look({ field, surface }: PolyhedronArrays, triangle: number, most: number): void {
    const { corners } = field;
    const w = this.#work;
    const at = 9 * triangle;
    if (!facesPoint(corners, at, w, surface.volume < 0)) return;
    nearestOnTriangle(corners, at, w);
    if (!(w[6]! <= most)) return;
    const patch = surface.patches[triangle]!;
    const { patches, count } = this;
    let k = 0;
    while (k < count && patches[k] !== patch) k++;
    if (k === count) {
      if (k === patches.length) this.#grow();
      this.count++;
      this.patches[k] = patch;
    } else if (w[6]! > this.distances[k]! || (w[6] === this.distances[k] && triangle > this.triangles[k]!)) {
      return;
    }
    this.triangles[k] = triangle;
    // Squared until all is found.
    this.distances[k] = w[6]!;
    for (let axis = 0; axis < 3; axis++) this.directions[3 * k + axis] = w[axis]! - w[3 + axis]!;
  }

  /** Lengths of squares, directions of unit length, and the order of patches. */
  #finish(scale: number): void {
    const { count, distances, directions, order, patches } = this;
    for (let k = 0; k < count; k++) {
      const length = Math.sqrt(distances[k]!);
      distances[k] = length / scale;
      for (let axis = 0; axis < 3; axis++)
        directions[3 * k + axis] = directions[3 * k + axis]! / (length || 1);
      let at = k;
      while (at > 0 && patches[order[at - 1]!]! > patches[k]!) {
        order[at] = order[at - 1]!;
        at--;
      }
      order[at] = k;
    }
  }

  #grow(): void {
    const room = 2 * this.patches.length;
    const larger = <T extends Uint32Array | Float64Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    this.patches = larger(this.patches, new Uint32Array(room));
    this.triangles = larger(this.triangles, new Uint32Array(room));
    this.distances = larger(this.distances, new Float64Array(room));
    this.directions = larger(this.directions, new Float64Array(3 * room));
    this.order = larger(this.order, new Uint32Array(room));
  }
}

function seenBy(poly: PolyhedronArrays): Float64Array {
  let seen = seenOf.get(poly);
  if (seen === undefined) {
    seen = new Float64Array(poly.indices.length / 3);
    seenOf.set(poly, seen);
  }
  return seen;
}

/** How far a number is from an interval of this length. */
function between(low: number, x: number, length: number): number {
  return Math.max(0, low - x, x - (low + length));
}

/** True if a point is on the outer side of a triangle's plane, or in it. */
function facesPoint(c: Float32Array, at: number, w: Float64Array, isInsideOut: boolean): boolean {
  const ux = c[at + 3]! - c[at]!;
  const uy = c[at + 4]! - c[at + 1]!;
  const uz = c[at + 5]! - c[at + 2]!;
  const vx = c[at + 6]! - c[at]!;
  const vy = c[at + 7]! - c[at + 1]!;
  const vz = c[at + 8]! - c[at + 2]!;
  const height =
    (uy * vz - uz * vy) * (w[0]! - c[at]!) +
    (uz * vx - ux * vz) * (w[1]! - c[at + 1]!) +
    (ux * vy - uy * vx) * (w[2]! - c[at + 2]!);
  return isInsideOut ? height <= 0 : height >= 0;
}
