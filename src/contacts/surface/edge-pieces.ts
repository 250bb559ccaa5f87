/** Pieces of sharp convex edges, and what the edges left out can miss. */
import type { EdgeTable } from '../../mesh/edges.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { lengthOf, type NodeSource, piecesOf } from './nodes.ts';

/** Pieces in the order of edges. */
export interface EdgePieces {
  /** `[x, y, z]` of both ends each. */
  readonly ends: Float32Array;
  /** Two triangles each. */
  readonly triangles: Uint32Array;
}

/** Cuts sharp convex edges into pieces no longer than the spacing. */
export function cutEdges({ mesh, edges, angles, sharp, spacing }: NodeSource): EdgePieces {
  const { positions } = mesh;
  const ends: number[] = [];
  const triangles: number[] = [];
  for (let e = 0; e < edges.count; e++) {
    if (!(angles[e]! >= sharp)) continue;
    const pieces = piecesOf(lengthOf(mesh, edges, e), spacing);
    const [a, b] = [3 * edges.vertices[2 * e]!, 3 * edges.vertices[2 * e + 1]!];
    const around = edges.halfEdges.subarray(edges.offsets[e], edges.offsets[e + 1]);
    const at = (s: number, k: number) =>
      s === pieces
        ? positions[b + k]!
        : positions[a + k]! + (positions[b + k]! - positions[a + k]!) * (s / pieces);
    for (let s = 0; s < pieces; s++) {
      for (let k = 0; k < 3; k++) ends.push(at(s, k));
      for (let k = 0; k < 3; k++) ends.push(at(s + 1, k));
      triangles.push(Math.floor(around[0]! / 3), Math.floor(around[1]! / 3));
    }
  }
  return { ends: Float32Array.from(ends), triangles: Uint32Array.from(triangles) };
}

/**
 * How far a point of a surface is from the nearest node, in spacings, at most: it lies in a part of a triangle, no edge
 * of which is longer than the spacing, and whose centroid is a node. A centroid is nearer to each corner than two
 * thirds of the longest median, which is no longer than the longest edge.
 */
const NODE_REACH = 2 / 3;

/**
 * The larger length of a pair bounds the overlaps that edges without pieces can miss: docs/contacts.md, "Gentle edges".
 */
export function missedOverlapOf({ mesh, edges, faces, angles, sharp, spacing }: NodeSource): number {
  const { normals, areas } = faces;
  const edgeOf = new Int32Array(mesh.indices.length).fill(-1);
  const trianglesAt = (e: number) =>
    Array.from(edges.halfEdges.subarray(edges.offsets[e], edges.offsets[e + 1]), (h) => Math.floor(h / 3));
  for (let e = 0; e < edges.count; e++) {
    for (let k = edges.offsets[e]!; k < edges.offsets[e + 1]!; k++) edgeOf[edges.halfEdges[k]!] = e;
  }
  let most = 0;
  for (let e = 0; e < edges.count; e++) {
    if (!(angles[e]! > 0 && angles[e]! < sharp)) continue;
    // Both ends of a gentle edge are nodes.
    const reach = Math.min(lengthOf(mesh, edges, e) / 2, NODE_REACH * spacing);
    const pending = trianglesAt(e);
    const seen = new Set(pending);
    const mean = [0, 1, 2].map((k) => pending.reduce((sum, t) => sum + normals[3 * t + k]!, 0));
    const length = Math.hypot(...mean);
    // The steepest face within the reach, as far as it is joined to the edge's own over edges that are not sharp.
    let least = 1;
    for (let t = pending.pop(); t !== undefined; t = pending.pop()) {
      const at = 3 * t;
      const cosine =
        (mean[0]! * normals[at]! + mean[1]! * normals[at + 1]! + mean[2]! * normals[at + 2]!) / length;
      if (areas[t]! > 0) least = Math.min(least, cosine);
      for (const across of edgeOf.subarray(at, at + 3)) {
        if (across < 0 || angles[across]! >= sharp || leastGap(mesh, edges, e, across) > reach) continue;
        for (const next of trianglesAt(across)) {
          if (seen.has(next)) continue;
          seen.add(next);
          pending.push(next);
        }
      }
    }
    const slope = least > 0 ? Math.sqrt(1 - least * least) / least : Infinity;
    most = Math.max(most, reach * Math.min(1, 2 * slope));
  }
  return most;
}

/** No more than the distance of two edges: that of f's ends and middle from e, less than half of what lies between. */
function leastGap({ positions }: TriangleMesh, { vertices }: EdgeTable, e: number, f: number): number {
  const end = (n: number) => [0, 1, 2].map((k) => positions[3 * vertices[n]! + k]!);
  const [a, b, c, d] = [end(2 * e), end(2 * e + 1), end(2 * f), end(2 * f + 1)];
  const along = a.map((x, k) => b[k]! - x);
  const square = along.reduce((sum, x) => sum + x * x, 0);
  const fromEdge = (share: number) => {
    const to = a.map((x, k) => c[k]! + share * (d[k]! - c[k]!) - x);
    const at = Math.min(1, Math.max(0, to.reduce((sum, x, k) => sum + x * along[k]!, 0) / square));
    return Math.hypot(...to.map((x, k) => x - at * along[k]!));
  };
  return Math.min(fromEdge(0), fromEdge(0.5), fromEdge(1)) - Math.hypot(...c.map((x, k) => d[k]! - x)) / 4;
}
