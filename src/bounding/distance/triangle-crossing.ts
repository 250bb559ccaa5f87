/**
 * Whether two triangles have a point in common, by exact predicates on the coordinates given (Shewchuk's, package
 * robust-predicates). Where they do, an edge of one meets the other triangle, or both lie in one plane.
 */
import { orient2d, orient3d } from 'robust-predicates';

/** Sides of the corners of one triangle, of the other's plane. */
const sidesOfB = new Float64Array(3);
const sidesOfA = new Float64Array(3);

/**
 * Boundaries belong to triangles. One without area has no plane, but meets one that has by its edges. Of two without
 * area distances tell.
 *
 * @param a `[i .. i + 8]`: corners of a triangle
 * @param b `[j .. j + 8]`
 * @param point gets a common point, to rounding
 */
export function trianglesMeet(
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
  point: Float64Array,
): boolean {
  if (!writeSides(a, i, b, j, sidesOfB) || !writeSides(b, j, a, i, sidesOfA)) return false;
  // Where one alone is all 0, that triangle's edges reach through the other, or the other has no plane.
  if (isFlat(sidesOfB) && isFlat(sidesOfA))
    return coplanarMeet(a, i, b, j, point) || coplanarMeet(b, j, a, i, point);
  return edgesMeet(b, j, sidesOfB, a, i, point) || edgesMeet(a, i, sidesOfA, b, j, point);
}

const isFlat = (sides: Float64Array) => sides[0] === 0 && sides[1] === 0 && sides[2] === 0;

/** Heights of the corners of b over the plane of a, with exact signs; false where all are on one side. */
function writeSides(a: Float64Array, i: number, b: Float64Array, j: number, sides: Float64Array): boolean {
  for (let c = 0; c < 3; c++) sides[c] = orient(a, i, a, i + 3, a, i + 6, b, j + 3 * c);
  const [p, q, r] = [sides[0]!, sides[1]!, sides[2]!];
  return !((p > 0 && q > 0 && r > 0) || (p < 0 && q < 0 && r < 0));
}

function orient(
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
  c: Float64Array,
  k: number,
  d: Float64Array,
  l: number,
): number {
  // biome-ignore format: a line per point
  return orient3d(
    a[i]!, a[i + 1]!, a[i + 2]!,
    b[j]!, b[j + 1]!, b[j + 2]!,
    c[k]!, c[k + 1]!, c[k + 2]!,
    d[l]!, d[l + 1]!, d[l + 2]!,
  );
}

/** Whether an edge of b that is not in the plane of a meets a. */
function edgesMeet(
  b: Float64Array,
  j: number,
  sides: Float64Array,
  a: Float64Array,
  i: number,
  point: Float64Array,
): boolean {
  for (let c = 0; c < 3; c++) {
    const d = (c + 1) % 3;
    const from = sides[c]!;
    const to = sides[d]!;
    if (Math.sign(from) === Math.sign(to)) continue;
    const p = j + 3 * c;
    const q = j + 3 * d;
    let low = 0;
    let high = 0;
    for (let e = 0; e < 9 && !(low < 0 && high > 0); e += 3) {
      const turn = orient(b, p, b, q, a, i + e, a, i + ((e + 3) % 9));
      if (turn < low) low = turn;
      if (turn > high) high = turn;
    }
    if (low < 0 && high > 0) continue;
    const share = from / (from - to);
    for (let k = 0; k < 3; k++) point[k] = b[p + k]! + share * (b[q + k]! - b[p + k]!);
    return true;
  }
  return false;
}

function coplanarMeet(a: Float64Array, i: number, b: Float64Array, j: number, point: Float64Array): boolean {
  // A projection in which the first triangle has an area keeps what the two have in common.
  const turn2 = (
    p: Float64Array,
    at: number,
    q: Float64Array,
    bt: number,
    r: Float64Array,
    ct: number,
    u: number,
    v: number,
  ) => orient2d(p[at + u]!, p[at + v]!, q[bt + u]!, q[bt + v]!, r[ct + u]!, r[ct + v]!);
  const axes = [
    [0, 1],
    [1, 2],
    [2, 0],
  ].find(([u, v]) => turn2(a, i, a, i + 3, a, i + 6, u!, v!) !== 0);
  if (axes === undefined) return false;
  const [u, v] = axes as [number, number];
  const holds = (t: Float64Array, at: number, p: Float64Array, bt: number) => {
    const turns = [0, 3, 6].map((e) => turn2(t, at + e, t, at + ((e + 3) % 9), p, bt, u, v));
    return !(turns.some((one) => one > 0) && turns.some((one) => one < 0));
  };
  const hasArea = turn2(b, j, b, j + 3, b, j + 6, u, v) !== 0;
  for (let c = 0; c < 9; c += 3) {
    const [inA, inB] = [holds(a, i, b, j + c), hasArea && holds(b, j, a, i + c)];
    if (!inA && !inB) continue;
    for (let k = 0; k < 3; k++) point[k] = inA ? b[j + c + k]! : a[i + c + k]!;
    return true;
  }
  for (let e = 0; e < 9; e += 3) {
    const [p, q] = [i + e, i + ((e + 3) % 9)];
    for (let f = 0; f < 9; f += 3) {
      const [r, s] = [j + f, j + ((f + 3) % 9)];
      const [from, to] = [turn2(a, p, a, q, b, r, u, v), turn2(a, p, a, q, b, s, u, v)];
      if (from > 0 === to > 0) continue;
      if (turn2(b, r, b, s, a, p, u, v) > 0 === turn2(b, r, b, s, a, q, u, v) > 0) continue;
      const share = from / (from - to);
      for (let k = 0; k < 3; k++) point[k] = b[r + k]! + share * (b[s + k]! - b[r + k]!);
      return true;
    }
  }
  return false;
}
