// Points of the signed distance of two box cores, from the separating axis that box-axes.ts found.
import { FOOT_TOLERANCE, NEARLY_PARALLEL } from '../constants.ts';
import type { Pair } from '../pair/pair.ts';

/** Turns after which points of parallel features are sought by EPA. */
const TURNS = 8;

const local = new Float64Array(3);

/**
 * Answers with the points of the signed distance along an axis; false if no point is found that is on both features.
 *
 * If the boxes overlap, the depth is known without them. If they are apart, the axis gives a lower bound of the
 * distance. Points on both boxes that are so far from each other make it an upper bound as well. A miss of d sideways
 * makes the distance d^2 / (2 separation) longer. Here d is up to half the touching tolerance in each of two
 * coordinates, and the separation is more than that tolerance: so a quarter of it at most. Where edges pass each other
 * is known less well than where corners are.
 *
 * @param n unit normal along the axis, out of A and towards B
 * @param chosen the axis: 0 to 2 A's, 3 to 5 B's, from 6 on the cross products
 */
export function answerAlong(pair: Pair, n: Float64Array, chosen: number, separation: number): boolean {
  const depth = -separation;
  const foot = FOOT_TOLERANCE * pair.size;
  const apart = separation > 0;
  const found =
    chosen < 3
      ? onFaceOfA(pair, n, depth, apart ? pair.touching / 2 : foot)
      : chosen < 6
        ? onFaceOfB(pair, n, depth, apart ? pair.touching / 2 : foot)
        : onEdges(pair, n, chosen, apart ? -foot : foot);
  if (!found) return false;
  pair.answer(separation, n[0]!, n[1]!, n[2]!);
  pair.lower = pair.distance;
  pair.upper = pair.distance;
  return true;
}

/**
 * Takes the corner of B that is deepest in A, or the middle of the edge or face that is, and moves it into A's face. If
 * that point is not over the face, parallel features overlap elsewhere. It is then brought into the one and the other
 * by turns.
 */
function onFaceOfA(pair: Pair, n: Float64Array, depth: number, slack: number): boolean {
  const p = pair.table.parameters;
  const { placement: m, pointA, touching, recordA: a, recordB: b } = pair;
  for (let l = 0; l < 3; l++) {
    const along = n[0]! * m[l]! + n[1]! * m[3 + l]! + n[2]! * m[6 + l]!;
    local[l] = Math.abs(along) * p[b + l]! <= touching ? 0 : along < 0 ? p[b + l]! : -p[b + l]!;
  }
  for (let turn = 0; turn < TURNS; turn++) {
    let inside = true;
    for (let k = 0; k < 3; k++) {
      const x =
        m[9 + k]! +
        m[3 * k]! * local[0]! +
        m[3 * k + 1]! * local[1]! +
        m[3 * k + 2]! * local[2]! +
        depth * n[k]!;
      const most = p[a + k]!;
      if (x > most + slack || x < -most - slack) inside = false;
      pointA[k] = x > most ? most : x < -most ? -most : x;
    }
    if (inside) return true;
    // Back to B. Only the coordinates that run along the face may change.
    const x = pointA[0]! - depth * n[0]! - m[9]!;
    const y = pointA[1]! - depth * n[1]! - m[10]!;
    const z = pointA[2]! - depth * n[2]! - m[11]!;
    for (let l = 0; l < 3; l++) {
      const most = p[b + l]!;
      const along = n[0]! * m[l]! + n[1]! * m[3 + l]! + n[2]! * m[6 + l]!;
      if (Math.abs(along) * most > touching) continue;
      const value = m[l]! * x + m[3 + l]! * y + m[6 + l]! * z;
      local[l] = value > most ? most : value < -most ? -most : value;
    }
  }
  return false;
}

/** The same with A's corner in B. */
function onFaceOfB(pair: Pair, n: Float64Array, depth: number, slack: number): boolean {
  const p = pair.table.parameters;
  const { placement: m, pointA, touching, recordA: a, recordB: b } = pair;
  for (let k = 0; k < 3; k++) {
    const most = p[a + k]!;
    pointA[k] = Math.abs(n[k]!) * most <= touching ? 0 : n[k]! < 0 ? -most : most;
  }
  for (let turn = 0; turn < TURNS; turn++) {
    const x = pointA[0]! - depth * n[0]! - m[9]!;
    const y = pointA[1]! - depth * n[1]! - m[10]!;
    const z = pointA[2]! - depth * n[2]! - m[11]!;
    let inside = true;
    for (let l = 0; l < 3; l++) {
      const value = m[l]! * x + m[3 + l]! * y + m[6 + l]! * z;
      const most = p[b + l]!;
      if (value > most + slack || value < -most - slack) inside = false;
      local[l] = value > most ? most : value < -most ? -most : value;
    }
    if (inside) return true;
    for (let k = 0; k < 3; k++) {
      const most = p[a + k]!;
      if (Math.abs(n[k]!) * most > touching) continue;
      const value =
        m[9 + k]! +
        m[3 * k]! * local[0]! +
        m[3 * k + 1]! * local[1]! +
        m[3 * k + 2]! * local[2]! +
        depth * n[k]!;
      pointA[k] = value > most ? most : value < -most ? -most : value;
    }
  }
  return false;
}

/** Takes the place where A's edge passes B's edge nearest. */
function onEdges(pair: Pair, n: Float64Array, chosen: number, slack: number): boolean {
  const p = pair.table.parameters;
  const { placement: m, pointA, recordA: a, recordB: b } = pair;
  const i = chosen < 9 ? 0 : chosen < 12 ? 1 : 2;
  const j = chosen - 6 - 3 * i;
  let x = m[9]!;
  let y = m[10]!;
  let z = m[11]!;
  for (let l = 0; l < 3; l++) {
    if (l === j) continue;
    const along = n[0]! * m[l]! + n[1]! * m[3 + l]! + n[2]! * m[6 + l]!;
    const s = along < 0 ? p[b + l]! : -p[b + l]!;
    x += s * m[l]!;
    y += s * m[3 + l]!;
    z += s * m[6 + l]!;
  }
  for (let k = 0; k < 3; k++) pointA[k] = k === i ? 0 : n[k]! < 0 ? -p[a + k]! : p[a + k]!;
  x -= pointA[0]!;
  y -= pointA[1]!;
  z -= pointA[2]!;
  const cosine = m[3 * i + j]!;
  const u = m[3 * (i === 2 ? 0 : i + 1) + j]!;
  const v = m[3 * (i === 0 ? 2 : i - 1) + j]!;
  const squared = u * u + v * v;
  // Nearly parallel edges pass each other nowhere in particular.
  if (squared < NEARLY_PARALLEL) return false;
  const alongA = i === 0 ? x : i === 1 ? y : z;
  const onB = (cosine * alongA - (x * m[j]! + y * m[3 + j]! + z * m[6 + j]!)) / squared;
  const onA = alongA + cosine * onB;
  pointA[i] = onA;
  return Math.abs(onA) <= p[a + i]! + slack && Math.abs(onB) <= p[b + j]! + slack;
}
