// Faces of the difference of two polytopes that are spanned by an edge of each.
//
// On the sphere of normals, P's faces are points and its edges are arcs between them. Along an arc, Q's farthest vertex
// changes from one to another across an edge of Q. There both edges span a face of the difference. So all of these
// faces are found by walking from vertex to vertex of Q along each of P's arcs. Between two such places, the vertices
// stay the same, and n . (p - q), which is positive, is least at one end.
import { FACE } from '../shapes/facets.ts';
import type { DifferenceFaces } from './difference-faces.ts';
import type { FaceList, FaceNormals } from './face-normals.ts';

/**
 * Walks along all arcs of P on which h can be less than the least so far.
 *
 * @param cosine the least cosine of half the angle of an arc
 */
export function walkArcs(
  difference: DifferenceFaces,
  normals: FaceNormals,
  { list, from, to }: FaceList,
  cosine: number,
): void {
  const { faceNeighbours, vertices: v } = difference.table;
  const { keysP, beyond, turned, firstP, isFarthest } = normals;
  // On an arc, P's part is at least the lesser of its ends; if that is negative, over the length of the chord.
  const room = difference.least - normals.innerQ;
  const limit = room < 0 ? room * cosine : room;
  for (let e = from; e < to; e++) {
    const i = list[e]!;
    if (keysP[i]! >= limit) continue;
    if (beyond[i]! < 0) normals.askP(i);
    for (let k = 0; k < 3; k++) {
      const j = faceNeighbours[3 * (firstP + i) + k]! - firstP;
      normals.scanAlone(j);
      if (keysP[j]! < limit) {
        // Each arc is walked from one end only.
        if (j < i) continue;
        if (beyond[j]! < 0) normals.askP(j);
        if (beyond[j] === beyond[i]) continue;
        // As below, seen from the other end.
        const c = 3 * beyond[j]!;
        const there =
          turned[3 * i]! * v[c]! + turned[3 * i + 1]! * v[c + 1]! + turned[3 * i + 2]! * v[c + 2]!;
        if (keysP[i]! + there >= difference.least + difference.tie) continue;
      } else if (beyond[j]! < 0) {
        normals.turn(j);
      }
      // With one vertex of Q for all of the arc, a lower bound of h is least at one of its ends. At i it is not below
      // the least.
      const b = 3 * beyond[i]!;
      const here = turned[3 * j]! * v[b]! + turned[3 * j + 1]! * v[b + 1]! + turned[3 * j + 2]! * v[b + 2]!;
      if (keysP[j]! + here >= difference.least + difference.tie) continue;
      if (isFarthest[i] === 0) normals.askFarthest(i);
      walkArc(difference, normals, i, j, k);
    }
  }
}

/** Walks over Q's vertices along the arc from P's face i to its neighbour j across edge k. */
function walkArc(difference: DifferenceFaces, normals: FaceNormals, i: number, j: number, k: number): void {
  const { vertices: v, neighbourStarts, neighbours, faces } = difference.table;
  const { keysP, turned, beyond, firstP } = normals;
  const x1 = turned[3 * i]!;
  const y1 = turned[3 * i + 1]!;
  const z1 = turned[3 * i + 2]!;
  const x2 = turned[3 * j]!;
  const y2 = turned[3 * j + 1]!;
  const z2 = turned[3 * j + 2]!;
  const g1 = keysP[i]!;
  const g2 = keysP[j]!;
  const p = FACE * (firstP + i);
  const q = FACE * (firstP + j);
  const dx = faces[q]! - faces[p]!;
  const dy = faces[q + 1]! - faces[p + 1]!;
  const dz = faces[q + 2]! - faces[p + 2]!;
  let b = beyond[i]!;
  let s = 0;
  while (true) {
    const b1 = x1 * v[3 * b]! + y1 * v[3 * b + 1]! + z1 * v[3 * b + 2]!;
    const b2 = x2 * v[3 * b]! + y2 * v[3 * b + 1]! + z2 * v[3 * b + 2]!;
    // Of all vertices that are farther than b at the arc's end, the one that becomes farther first.
    let first = 1;
    let next = -1;
    const end = neighbourStarts[b + 1]!;
    for (let e = neighbourStarts[b]!; e < end; e++) {
      const c = 3 * neighbours[e]!;
      const e2 = x2 * v[c]! + y2 * v[c + 1]! + z2 * v[c + 2]! - b2;
      if (e2 <= 0) continue;
      const e1 = x1 * v[c]! + y1 * v[c + 1]! + z1 * v[c + 2]! - b1;
      const at = e1 < 0 ? e1 / (e1 - e2) : 0;
      if (at > first || (at === first && next >= 0)) continue;
      first = at;
      next = c / 3;
    }
    if (next < 0) {
      // The arc's end: the neighbour's own value, or less by rounding.
      if (g2 + b2 < difference.least) difference.least = g2 + b2;
      return;
    }
    if (first > s) s = first;
    const nx = faces[p]! + s * dx;
    const ny = faces[p + 1]! + s * dy;
    const nz = faces[p + 2]! + s * dz;
    const h = (g1 + s * (g2 - g1) + (b1 + s * (b2 - b1))) / Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (h < difference.least + difference.tie) difference.keepEdges(h, firstP + i, k, b, next, s);
    b = next;
  }
}
