/** Points where a ball touches the patches of a surface: those nearest to its centre. */
import type { PolyhedronArrays } from '../field/field-arrays.ts';
import { NEAREST_FLOATS, nearestOnTriangle } from '../field/nearest.ts';
import { NO_NEIGHBOUR, NORMAL_FLOATS } from '../surface/surface-arrays.ts';
import { eachNear } from '../surface/triangle-tree.ts';
import { FLAT, SAME_PLACE } from './constants.ts';

/** Triangles that there is room for at first. */
const FIRST_ROOM = 64;
const NONE = -1;

/** A connected part of a patch within the ball. */
export interface PatchPart {
  readonly patch: number;
  /** The lowest of its triangles: parts of a patch are in this order. */
  readonly first: number;
  /**
   * The patch, and the number of patches times how many of its parts come before: a patch that the ball touches at one
   * place has its own number.
   */
  readonly feature: number;
  /** The nearest triangle, and its distance in the mesh's unit. Of triangles that are equally near, the first one. */
  readonly triangle: number;
  readonly distance: number;
  /** Unit direction from the nearest point to the centre. */
  readonly direction: readonly [number, number, number];
}

/** A part with its place in the list of triangles: that of its first one in the order of the tree. */
type ListedPart = { -readonly [K in keyof PatchPart]: PatchPart[K] } & { root: number };

export class NearestOfPatches {
  #count = 0;
  /** Triangles found, by their ranks; squares of their distances; ways from their nearest points to the centre. */
  #ranks = new Uint32Array(FIRST_ROOM);
  #squares = new Float64Array(FIRST_ROOM);
  #ways = new Float64Array(3 * FIRST_ROOM);
  /** Places of others of the same part, on the way to its first one. */
  #parents = new Uint32Array(FIRST_ROOM);
  readonly #work = new Float64Array(NEAREST_FLOATS);

  /**
   * Finds where the patches come within a distance of a point of the mesh's frame, in the order of features. Each
   * connected part of a patch within the ball has a place: two walls of a groove may be one patch, joined over the
   * ends. A place on a convex edge of two patches counts once.
   *
   * Only triangles count whose outer side faces the point: those of a thin wall's other side do not.
   *
   * Of k triangles within the ball, and m parts, it takes no more than k log k and m log m steps.
   */
  find(poly: PolyhedronArrays, x: number, y: number, z: number, reach: number): PatchPart[] {
    const { scale, shift } = poly.field.frame;
    const w = this.#work;
    w[0] = x * scale - shift[0];
    w[1] = y * scale - shift[1];
    w[2] = z * scale - shift[2];
    this.#gather(poly, reach * scale);
    this.#join(poly, (reach * scale) ** 2);
    const parts = this.#parts(poly);
    if (parts.length <= 1) return parts;
    const size = Math.abs(w[0]) + Math.abs(w[1]) + Math.abs(w[2]) + reach * scale;
    const features = new Map(parts.map(({ root, feature }) => [root, feature]));
    return parts
      .filter((part) => !this.#isOthers(poly, part, features, SAME_PLACE * size))
      .sort((p, q) => p.feature - q.feature);
  }

  /** Lists the triangles within reach of the point in `#work` that face it, in the order of the tree. */
  #gather({ field, surface, tree }: PolyhedronArrays, reach: number): void {
    const { corners } = field;
    const w = this.#work;
    const side = surface.volume < 0 ? -1 : 1;
    this.#count = 0;
    eachNear(tree, w[0]!, w[1]!, w[2]!, reach, (rank) => {
      const t = 9 * tree.order[rank]!;
      if (side * heightOver(corners, t, w) < 0) return;
      nearestOnTriangle(corners, t, w);
      if (!(w[6]! <= reach * reach)) return;
      const at = this.#count++;
      if (at === this.#ranks.length) this.#grow();
      this.#ranks[at] = rank;
      this.#squares[at] = w[6]!;
      for (let axis = 0; axis < 3; axis++) this.#ways[3 * at + axis] = w[axis]! - w[3 + axis]!;
      this.#parents[at] = at;
    });
  }

  /** Joins triangles over edges within a distance, squared. */
  #join({ field, surface, tree }: PolyhedronArrays, most: number): void {
    for (let at = 0; at < this.#count; at++) {
      const rank = this.#ranks[at]!;
      const t = tree.order[rank]!;
      for (let side = 0; side < 3; side++) {
        const other = surface.neighbours[3 * t + side]!;
        if (other === NO_NEIGHBOUR || tree.ranks[other]! > rank) continue;
        const place = this.#placeOf(tree.ranks[other]!);
        if (place === NONE) continue;
        const [a, b] = [this.#rootOf(at), this.#rootOf(place)];
        if (a === b || !isEdgeWithin(field.corners, t, side, this.#work, most)) continue;
        this.#parents[Math.max(a, b)] = Math.min(a, b);
      }
    }
  }

  /** The place of a triangle in the list, or NONE. */
  #placeOf(rank: number): number {
    let [low, high] = [0, this.#count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#ranks[middle]! < rank) low = middle + 1;
      else high = middle;
    }
    return low < this.#count && this.#ranks[low] === rank ? low : NONE;
  }

  #rootOf(place: number): number {
    const parents = this.#parents;
    let at = place;
    while (parents[at] !== at) {
      parents[at] = parents[parents[at]!]!;
      at = parents[at]!;
    }
    return at;
  }

  #parts({ surface, field, tree }: PolyhedronArrays): ListedPart[] {
    const { patches, patchCount } = surface;
    const squares = this.#squares;
    const found = new Map<number, { first: number; nearest: number }>();
    const triangleAt = (place: number) => tree.order[this.#ranks[place]!]!;
    for (let at = 0; at < this.#count; at++) {
      const root = this.#rootOf(at);
      const triangle = triangleAt(at);
      const part = found.get(root);
      if (part === undefined) {
        found.set(root, { first: triangle, nearest: at });
        continue;
      }
      part.first = Math.min(part.first, triangle);
      const difference = squares[at]! - squares[part.nearest]!;
      if (difference < 0 || (difference === 0 && triangle < triangleAt(part.nearest))) part.nearest = at;
    }
    const parts = [...found].map(([root, { first, nearest }]): ListedPart => {
      const length = Math.sqrt(squares[nearest]!);
      const unit = (axis: number) => this.#ways[3 * nearest + axis]! / (length || 1);
      const triangle = triangleAt(nearest);
      return {
        ...{ root, patch: patches[triangle]!, first, feature: patches[triangle]!, triangle },
        ...{ distance: length / field.frame.scale, direction: [unit(0), unit(1), unit(2)] },
      };
    });
    parts.sort((p, q) => p.patch - q.patch || p.first - q.first);
    for (const [i, part] of parts.entries()) {
      const before = parts[i - 1];
      if (before?.patch === part.patch) part.feature = before.feature + patchCount;
    }
    return parts;
  }

  /**
   * Whether a part's nearest point is on a triangle of another part that is nearer to the centre, over a convex edge:
   * then the ball touches that one alone. Of two that are equally near, the lower one has the place.
   */
  #isOthers(
    { field, surface, tree }: PolyhedronArrays,
    { root, distance, direction, feature }: ListedPart,
    features: ReadonlyMap<number, number>,
    rounding: number,
  ): boolean {
    const { corners, frame } = field;
    const length = distance * frame.scale;
    const point = new Float64Array(NEAREST_FLOATS);
    for (let k = 0; k < 3; k++) point[k] = this.#work[k]! - length * direction[k]!;
    // Of the part all triangles at its nearest point: which of them is nearest is rounding.
    const own: number[] = [];
    const others: { readonly triangle: number; readonly hasPlace: boolean }[] = [];
    eachNear(tree, point[0]!, point[1]!, point[2]!, rounding, (rank) => {
      const place = this.#placeOf(rank);
      if (place === NONE) return;
      const nearer = length - Math.sqrt(this.#squares[place]!);
      const triangle = tree.order[rank]!;
      nearestOnTriangle(corners, 9 * triangle, point);
      if (nearer < -rounding || point[6]! > rounding * rounding) return;
      const other = this.#rootOf(place);
      if (other === root) own.push(triangle);
      else others.push({ triangle, hasPlace: nearer > rounding || features.get(other)! < feature });
    });
    return others.some(
      ({ triangle, hasPlace }) =>
        hasPlace && !own.some((one) => isAbove(corners, surface.normals, one, triangle)),
    );
  }

  #grow(): void {
    const larger = <T extends Uint32Array | Float64Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    const room = 2 * this.#ranks.length;
    this.#ranks = larger(this.#ranks, new Uint32Array(room));
    this.#squares = larger(this.#squares, new Float64Array(room));
    this.#ways = larger(this.#ways, new Float64Array(3 * room));
    this.#parents = larger(this.#parents, new Uint32Array(room));
  }
}

const work = new Float64Array(NEAREST_FLOATS);

/**
 * The lowest patch of those that meet at a point of a triangle, in the mesh's frame. Which triangle there is nearest to
 * a ball's centre is rounding.
 */
export function patchAt(poly: PolyhedronArrays, triangle: number, x: number, y: number, z: number): number {
  const { field, surface, tree } = poly;
  const { scale, shift } = field.frame;
  const w = work;
  w[0] = x * scale - shift[0];
  w[1] = y * scale - shift[1];
  w[2] = z * scale - shift[2];
  const rounding = SAME_PLACE * scale * (Math.abs(x) + Math.abs(y) + Math.abs(z));
  let lowest = surface.patches[triangle]!;
  eachNear(tree, w[0], w[1], w[2], rounding, (rank) => {
    const other = tree.order[rank]!;
    nearestOnTriangle(field.corners, 9 * other, w);
    if (w[6]! <= rounding * rounding) lowest = Math.min(lowest, surface.patches[other]!);
  });
  return lowest;
}

/** Whether a triangle rises over the plane of another one: they meet at a concave edge or corner. */
function isAbove(c: Float32Array, normals: Float32Array, triangle: number, base: number): boolean {
  const n = NORMAL_FLOATS * base;
  let [height, lengths] = [0, 0];
  for (let at = 9 * triangle; at < 9 * triangle + 9; at += 3) {
    const [x, y, z] = [c[at]! - c[9 * base]!, c[at + 1]! - c[9 * base + 1]!, c[at + 2]! - c[9 * base + 2]!];
    height += normals[n]! * x + normals[n + 1]! * y + normals[n + 2]! * z;
    lengths += Math.sqrt(x * x + y * y + z * z);
  }
  return height > FLAT * lengths;
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
  const along = px * ux + py * uy + pz * uz;
  const t = along > 0 ? Math.min(1, along / (ux * ux + uy * uy + uz * uz)) : 0;
  const [x, y, z] = [px - t * ux, py - t * uy, pz - t * uz];
  return x * x + y * y + z * z <= most;
}

/** Height of the point in `w` over a triangle's plane, times twice the triangle's area. */
function heightOver(c: Float32Array, at: number, w: Float64Array): number {
  const ux = c[at + 3]! - c[at]!;
  const uy = c[at + 4]! - c[at + 1]!;
  const uz = c[at + 5]! - c[at + 2]!;
  const vx = c[at + 6]! - c[at]!;
  const vy = c[at + 7]! - c[at + 1]!;
  const vz = c[at + 8]! - c[at + 2]!;
  return (
    (uy * vz - uz * vy) * (w[0]! - c[at]!) +
    (uz * vx - ux * vz) * (w[1]! - c[at + 1]!) +
    (ux * vy - uy * vx) * (w[2]! - c[at + 2]!)
  );
}
