// Polygons into triangles: a fan where that is a triangulation, else ear clipping (G. H. Meisters, "Polygons have
// ears", 1975) with Shewchuk's exact orient2d. Every edge of the polygon stays an edge of exactly one triangle in the
// same direction, whatever its shape, so that closed surfaces stay closed.
import { orient2d } from 'robust-predicates';
import { InputError } from '../errors.ts';

/**
 * Most point-in-triangle tests that ear clipping may come to, for all polygons of a file together: some seconds.
 * It allows a single polygon of about 18,000 corners that is not convex.
 */
const LARGEST_CLIPPING_WORK = 5e8;

export interface PolygonFaces {
  /** Float32 coordinates, `[x, y, z]` per vertex. */
  readonly positions: Float32Array;
  /** Vertex indices of the corners, face after face. */
  readonly corners: Uint32Array;
  /** Face f has the corners `faceStarts[f]` to `faceStarts[f + 1]`, at least three; undefined: all triangles. */
  readonly faceStarts: Uint32Array | undefined;
}

/**
 * Splits every polygon of n corners into n - 2 triangles, in the order of the faces.
 *
 * The polygon is looked at in the coordinate plane that it faces most (by Newell's normal).
 * - If the triangles of the fan from its first corner are all turned the right way there, the fan is taken. This holds
 *   for every convex polygon without three corners on a line at its first.
 * - Otherwise ears are clipped. This is right for every planar polygon that does not cross itself, also one whose holes
 *   are joined by a doubled edge. What is left when there is no ear is fanned: the polygon crosses itself or has no
 *   area.
 *
 * A polygon that is not planar gets the triangles that its projection gets.
 * @returns Vertex indices, three per triangle.
 * @throws InputError if the polygons that are not convex have too many corners to be clipped in seconds.
 */
export function triangulate(faces: PolygonFaces, name: string): Uint32Array {
  const { positions, corners, faceStarts } = faces;
  if (faceStarts === undefined) return corners;
  const faceCount = faceStarts.length - 1;
  const triangles = new Uint32Array(3 * (corners.length - 2 * faceCount));
  let out = 0;
  let work = 0;
  const emit = (a: number, b: number, c: number): void => {
    triangles[out] = a;
    triangles[out + 1] = b;
    triangles[out + 2] = c;
    out += 3;
  };
  for (let face = 0; face < faceCount; face++) {
    const polygon = corners.subarray(faceStarts[face]!, faceStarts[face + 1]!);
    const n = polygon.length;
    const flat = n > 3 ? project(positions, polygon) : undefined;
    if (flat === undefined || fanFits(flat)) {
      for (let i = 1; i + 1 < n; i++) emit(polygon[0]!, polygon[i]!, polygon[i + 1]!);
      continue;
    }
    work += clippingWork(flat);
    if (work > LARGEST_CLIPPING_WORK) {
      throw new InputError(
        `${name}: face ${face}: found ${n} corners that are not convex, ` +
          `expected polygons that take less than ${LARGEST_CLIPPING_WORK} steps to split`,
      );
    }
    clipEars(flat, (a, b, c) => emit(polygon[a]!, polygon[b]!, polygon[c]!));
  }
  return triangles;
}

/**
 * The polygon in the coordinate plane that it faces most: `[u, v]` per corner, turned so that it runs
 * counter-clockwise. Dropping a coordinate keeps the others exact. Undefined if it has no area at all.
 */
function project(positions: Float32Array, polygon: Uint32Array): Float64Array | undefined {
  const n = polygon.length;
  const origin = 3 * polygon[0]!;
  const normal: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const a = 3 * polygon[i]!;
    const b = 3 * polygon[(i + 1) % n]!;
    for (let k = 0; k < 3; k++) {
      const u = (k + 1) % 3;
      const v = (k + 2) % 3;
      const au = positions[a + u]! - positions[origin + u]!;
      const av = positions[a + v]! - positions[origin + v]!;
      const bu = positions[b + u]! - positions[origin + u]!;
      const bv = positions[b + v]! - positions[origin + v]!;
      normal[k]! += au * bv - av * bu;
    }
  }
  let drop = 2;
  for (const k of [0, 1]) if (Math.abs(normal[k]!) > Math.abs(normal[drop]!)) drop = k;
  if (normal[drop] === 0) return undefined;
  const forward = normal[drop]! > 0;
  const u = (drop + (forward ? 1 : 2)) % 3;
  const v = (drop + (forward ? 2 : 1)) % 3;
  const flat = new Float64Array(2 * n);
  for (let i = 0; i < n; i++) {
    flat[2 * i] = positions[3 * polygon[i]! + u]!;
    flat[2 * i + 1] = positions[3 * polygon[i]! + v]!;
  }
  return flat;
}

/** Positive if the corners a, b, c turn counter-clockwise; exact in sign. */
function turn(flat: Float64Array, a: number, b: number, c: number): number {
  // The predicate counts clockwise as positive.
  return -orient2d(
    flat[2 * a]!,
    flat[2 * a + 1]!,
    flat[2 * b]!,
    flat[2 * b + 1]!,
    flat[2 * c]!,
    flat[2 * c + 1]!,
  );
}

function fanFits(flat: Float64Array): boolean {
  const n = flat.length / 2;
  for (let i = 1; i + 1 < n; i++) if (!(turn(flat, 0, i, i + 1) > 0)) return false;
  return true;
}

/** Bound on the steps of clipEars: 3 n candidates, each tested against the corners that are not strictly convex. */
function clippingWork(flat: Float64Array): number {
  const n = flat.length / 2;
  let blunt = 0;
  for (let i = 0; i < n; i++) if (!(turn(flat, (i + n - 1) % n, i, (i + 1) % n) > 0)) blunt++;
  return 3 * n * blunt;
}

function clipEars(flat: Float64Array, emit: (a: number, b: number, c: number) => void): void {
  const n = flat.length / 2;
  const previous = Uint32Array.from({ length: n }, (_, i) => (i + n - 1) % n);
  const following = Uint32Array.from({ length: n }, (_, i) => (i + 1) % n);
  const isClipped = new Uint8Array(n);
  // Only corners that are not strictly convex can lie in the triangle of an ear; a convex one stays convex.
  const blunt: number[] = [];
  for (let i = 0; i < n; i++) if (!(turn(flat, previous[i]!, i, following[i]!) > 0)) blunt.push(i);
  // A corner can only become an ear when one beside it is clipped, so each clipped ear calls for two more looks.
  const candidates = Array.from({ length: n }, (_, i) => i);
  let left = n;
  let last = 0;
  for (let head = 0; head < candidates.length && left > 3; head++) {
    const b = candidates[head]!;
    if (isClipped[b] === 1) continue;
    const a = previous[b]!;
    const c = following[b]!;
    if (!(turn(flat, a, b, c) > 0) || blunt.some((p) => blocks(flat, p, a, b, c))) continue;
    emit(a, b, c);
    isClipped[b] = 1;
    following[a] = c;
    previous[c] = a;
    last = a;
    left--;
    for (const corner of [a, c]) {
      candidates.push(corner);
      const at = turn(flat, previous[corner]!, corner, following[corner]!) > 0 ? blunt.indexOf(corner) : -1;
      if (at >= 0) blunt.splice(at, 1);
    }
  }
  for (let i = following[last]!; left > 2; left--, i = following[i]!) emit(last, i, following[i]!);
}

/** Whether corner p lies in the closed triangle a, b, c; a corner at the same place as one of the three does not. */
function blocks(flat: Float64Array, p: number, a: number, b: number, c: number): boolean {
  if (turn(flat, c, a, p) < 0 || turn(flat, a, b, p) < 0 || turn(flat, b, c, p) < 0) return false;
  return !coincide(flat, p, a) && !coincide(flat, p, b) && !coincide(flat, p, c);
}

function coincide(flat: Float64Array, p: number, q: number): boolean {
  return flat[2 * p] === flat[2 * q] && flat[2 * p + 1] === flat[2 * q + 1];
}
