/**
 * Where a ball touches the patches of a surface: the points nearest to its centre, by the cells of the field's grid.
 */
import { BYTE_SLACK } from '../field/constants.ts';
import { CELL_REST, CellCode, type PolyhedronArrays } from '../field/field-arrays.ts';
import { NEAREST_FLOATS, nearestOnTriangle } from '../field/nearest.ts';
import { NO_NEIGHBOUR } from '../surface/surface-arrays.ts';
import { SAME_PLACE } from './constants.ts';

/** Triangles that there is room for at first. */
const FIRST_ROOM = 64;
const NONE = 2 ** 32 - 1;

/** Triangles of a polyhedron that were looked at: the number of the search, and the place in its list or NONE. */
interface Seen {
  readonly search: Float64Array;
  readonly places: Uint32Array;
}
const seenOf = new WeakMap<PolyhedronArrays, Seen>();

/** A connected part of a patch within the ball. */
export interface PatchPart {
  readonly patch: number;
  /** The lowest of its triangles: parts of a patch are in this order. */
  readonly first: number;
  /**
   * The patch, and the number of patches times how many of its parts come before: a patch that the ball touches at one
   * place has its own number.
   */
  feature: number;
  /** The nearest triangle, and its distance in the mesh's unit. Of triangles that are equally near, the first one. */
  readonly triangle: number;
  readonly distance: number;
  /** Unit direction from the nearest point to the centre. */
  readonly direction: readonly [number, number, number];
}

export class NearestOfPatches {
  #count = 0;
  /** Triangles found, the squares of their distances, and the ways from their nearest points to the centre. */
  #triangles = new Uint32Array(FIRST_ROOM);
  #squares = new Float64Array(FIRST_ROOM);
  #ways = new Float64Array(3 * FIRST_ROOM);
  /** The part that each belongs to. */
  #partOf = new Uint32Array(FIRST_ROOM);
  readonly #pending: number[] = [];
  readonly #work = new Float64Array(NEAREST_FLOATS);
  #search = 0;

  /**
   * Finds where the patches come within a distance of a point of the mesh's frame, in the order of features. Each
   * connected part of a patch within the ball has a place: two walls of a groove may be one patch, joined over the
   * ends. A place on a convex edge of two patches counts once.
   *
   * Only triangles count whose outer side faces the point: those of a thin wall's other side do not.
   */
  find(poly: PolyhedronArrays, x: number, y: number, z: number, reach: number): PatchPart[] {
    const { scale, shift } = poly.field.frame;
    const w = this.#work;
    w[0] = x * scale - shift[0];
    w[1] = y * scale - shift[1];
    w[2] = z * scale - shift[2];
    this.#gather(poly, reach * scale);
    const parts = this.#parts(poly, (reach * scale) ** 2);
    if (parts.length === 1) return parts;
    const size = Math.abs(w[0]) + Math.abs(w[1]) + Math.abs(w[2]) + reach * scale;
    return parts
      .filter((_, part) => !this.#isOthers(poly, parts, part, SAME_PLACE * size))
      .sort((p, q) => p.feature - q.feature);
  }

  /** Lists the triangles within reach of the point in `#work` that face it. */
  #gather(poly: PolyhedronArrays, reach: number): void {
    const { grid, cells, lists, starts, pairTriangles } = poly.field;
    const [lx, ly, lz] = this.#work as unknown as [number, number, number];
    const h = grid.cell;
    const [ox, oy, oz] = grid.origin;
    const [countX, countY, countZ] = grid.counts;
    // A little more than the reach: cells that rounding would leave out.
    const r = reach + BYTE_SLACK * h;
    const search = ++this.#search;
    const seen = seenBy(poly);
    this.#count = 0;
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
            if (seen.search[triangle] === search) continue;
            seen.search[triangle] = search;
            seen.places[triangle] = this.#look(poly, triangle, reach * reach);
          }
        }
      }
    }
  }

  /** The triangle's place in the list, or NONE. */
  #look({ field, surface }: PolyhedronArrays, triangle: number, most: number): number {
    const { corners } = field;
    const w = this.#work;
    const side = surface.volume < 0 ? -1 : 1;
    if (side * heightOver(corners, 9 * triangle, w, 0) < 0) return NONE;
    nearestOnTriangle(corners, 9 * triangle, w);
    if (!(w[6]! <= most)) return NONE;
    const at = this.#count++;
    if (at === this.#triangles.length) this.#grow();
    this.#triangles[at] = triangle;
    this.#squares[at] = w[6]!;
    for (let axis = 0; axis < 3; axis++) this.#ways[3 * at + axis] = w[axis]! - w[3 + axis]!;
    this.#partOf[at] = NONE;
    return at;
  }

  /** Parts of patches: triangles are joined over edges within reach. */
  #parts(poly: PolyhedronArrays, most: number): PatchPart[] {
    const { surface, field } = poly;
    const { neighbours, patches, patchCount } = surface;
    const { search, places } = seenBy(poly);
    const triangles = this.#triangles;
    const squares = this.#squares;
    const parts: PatchPart[] = [];
    for (let start = 0; start < this.#count; start++) {
      if (this.#partOf[start] !== NONE) continue;
      this.#partOf[start] = parts.length;
      this.#pending.push(start);
      let nearest = start;
      let first = triangles[start]!;
      for (let at = this.#pending.pop(); at !== undefined; at = this.#pending.pop()) {
        const t = triangles[at]!;
        first = Math.min(first, t);
        const difference = squares[at]! - squares[nearest]!;
        if (difference < 0 || (difference === 0 && t < triangles[nearest]!)) nearest = at;
        for (let side = 0; side < 3; side++) {
          const other = neighbours[3 * t + side]!;
          if (other === NO_NEIGHBOUR || search[other] !== this.#search) continue;
          const place = places[other]!;
          if (place === NONE || this.#partOf[place] !== NONE) continue;
          if (!isEdgeWithin(field.corners, t, side, this.#work, most)) continue;
          this.#partOf[place] = parts.length;
          this.#pending.push(place);
        }
      }
      const length = Math.sqrt(squares[nearest]!);
      const unit = (axis: number) => this.#ways[3 * nearest + axis]! / (length || 1);
      parts.push({
        ...{ patch: patches[triangles[nearest]!]!, first, feature: 0, triangle: triangles[nearest]! },
        ...{ distance: length / field.frame.scale, direction: [unit(0), unit(1), unit(2)] },
      });
    }
    for (const part of parts) {
      const before = parts.filter(({ patch, first }) => patch === part.patch && first < part.first).length;
      part.feature = part.patch + before * patchCount;
    }
    return parts;
  }

  /**
   * Whether a part's nearest point is on a triangle of another part that is nearer to the centre, over a convex edge:
   * then the ball touches that one alone. Of two that are equally near, the lower one has the place.
   */
  #isOthers(
    { field, surface }: PolyhedronArrays,
    parts: PatchPart[],
    part: number,
    rounding: number,
  ): boolean {
    const { corners, frame } = field;
    const { triangle, distance, direction, feature } = parts[part]!;
    const length = distance * frame.scale;
    const point = new Float64Array(NEAREST_FLOATS);
    for (let k = 0; k < 3; k++) point[k] = this.#work[k]! - length * direction[k]!;
    for (let i = 0; i < this.#count; i++) {
      if (this.#partOf[i] === part) continue;
      const nearer = length - Math.sqrt(this.#squares[i]!);
      if (nearer < -rounding) continue;
      const t = 9 * this.#triangles[i]!;
      nearestOnTriangle(corners, t, point);
      if (point[6]! > rounding * rounding) continue;
      let height = 0;
      for (let c = 0; c < 9; c += 3) height += heightOver(corners, t, corners, 9 * triangle + c);
      if ((surface.volume < 0 ? -height : height) > 0) continue;
      if (nearer > rounding || parts[this.#partOf[i]!]!.feature < feature) return true;
    }
    return false;
  }

  #grow(): void {
    const larger = <T extends Uint32Array | Float64Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    const room = 2 * this.#triangles.length;
    this.#triangles = larger(this.#triangles, new Uint32Array(room));
    this.#squares = larger(this.#squares, new Float64Array(room));
    this.#ways = larger(this.#ways, new Float64Array(3 * room));
    this.#partOf = larger(this.#partOf, new Uint32Array(room));
  }
}

function seenBy(poly: PolyhedronArrays): Seen {
  let seen = seenOf.get(poly);
  if (seen === undefined) {
    const triangles = poly.indices.length / 3;
    seen = { search: new Float64Array(triangles), places: new Uint32Array(triangles) };
    seenOf.set(poly, seen);
  }
  return seen;
}

/** How far a number is from an interval of this length. */
function between(low: number, x: number, length: number): number {
  return Math.max(0, low - x, x - (low + length));
}

/** Whether the edge of a triangle that begins at a corner passes within a distance, squared, of the point in `w`. */
function isEdgeWithin(
  c: Float32Array,
  triangle: number,
  corner: number,
  w: Float64Array,
  most: number,
): boolean {
  const a = 9 * triangle + 3 * corner;
  const b = 9 * triangle + 3 * ((corner + 1) % 3);
  const [ux, uy, uz] = [c[b]! - c[a]!, c[b + 1]! - c[a + 1]!, c[b + 2]! - c[a + 2]!];
  const [px, py, pz] = [w[0]! - c[a]!, w[1]! - c[a + 1]!, w[2]! - c[a + 2]!];
  const share = (px * ux + py * uy + pz * uz) / (ux * ux + uy * uy + uz * uz);
  const t = Math.min(1, Math.max(0, share));
  const [x, y, z] = [px - t * ux, py - t * uy, pz - t * uz];
  return x * x + y * y + z * z <= most;
}

/** Height of a point, three numbers of `p` from `o` on, over a triangle's plane, times twice the triangle's area. */
function heightOver(c: Float32Array, at: number, p: ArrayLike<number>, o: number): number {
  const ux = c[at + 3]! - c[at]!;
  const uy = c[at + 4]! - c[at + 1]!;
  const uz = c[at + 5]! - c[at + 2]!;
  const vx = c[at + 6]! - c[at]!;
  const vy = c[at + 7]! - c[at + 1]!;
  const vz = c[at + 8]! - c[at + 2]!;
  return (
    (uy * vz - uz * vy) * (p[o]! - c[at]!) +
    (uz * vx - ux * vz) * (p[o + 1]! - c[at + 1]!) +
    (ux * vy - uy * vx) * (p[o + 2]! - c[at + 2]!)
  );
}
