/** Pieces of sharp convex edges, and what the edges left out can miss. */
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
export function missedOverlapOf(source: NodeSource): number {
  const { mesh, edges, angles, sharp, spacing } = source;
  const slopes = new SlopeFinder(source);
  let most = 0;
  for (let e = 0; e < edges.count; e++) {
    if (!(angles[e]! > 0 && angles[e]! < sharp)) continue;
    // Both ends of a gentle edge are nodes.
    const reach = Math.min(lengthOf(mesh, edges, e) / 2, NODE_REACH * spacing);
    if (reach > most) most = Math.max(most, reach * Math.min(1, 2 * slopes.steepest(e, reach)));
  }
  return most;
}

/** Finds how steep a surface is around its edges. */
class SlopeFinder {
  readonly #source: NodeSource;
  /** The edge of each half-edge; its own number of edges where it has none. */
  readonly #edgeOf: Uint32Array;
  /** The edge for which a triangle was seen last, plus 1. */
  readonly #seen: Uint32Array;
  readonly #pending: number[] = [];

  constructor(source: NodeSource) {
    this.#source = source;
    const { edges, mesh } = source;
    this.#seen = new Uint32Array(mesh.triangleCount);
    this.#edgeOf = new Uint32Array(mesh.indices.length).fill(edges.count);
    for (let e = 0; e < edges.count; e++) {
      for (let k = edges.offsets[e]!; k < edges.offsets[e + 1]!; k++) this.#edgeOf[edges.halfEdges[k]!] = e;
    }
  }

  #add(e: number, of: number): void {
    const { edges } = this.#source;
    for (let k = edges.offsets[e]!; k < edges.offsets[e + 1]!; k++) {
      const t = Math.floor(edges.halfEdges[k]! / 3);
      if (this.#seen[t] === of + 1) continue;
      this.#seen[t] = of + 1;
      this.#pending.push(t);
    }
  }

  /**
   * The largest tangent between the mean of the normals at an edge and those of the faces within reach, as far as they
   * are joined to the edge's own over edges that are not sharp. Infinity from a right angle on.
   */
  steepest(e: number, reach: number): number {
    const { edges, faces, angles, sharp } = this.#source;
    const { normals, areas } = faces;
    this.#add(e, e);
    let [x, y, z] = [0, 0, 0];
    for (const t of this.#pending) {
      x += normals[3 * t]!;
      y += normals[3 * t + 1]!;
      z += normals[3 * t + 2]!;
    }
    const length = Math.sqrt(x * x + y * y + z * z);
    let least = 1;
    for (let t = this.#pending.pop(); t !== undefined; t = this.#pending.pop()) {
      const cosine = (x * normals[3 * t]! + y * normals[3 * t + 1]! + z * normals[3 * t + 2]!) / length;
      if (areas[t]! > 0 && cosine < least) least = cosine;
      for (let h = 3 * t; h < 3 * t + 3; h++) {
        const across = this.#edgeOf[h]!;
        if (across === edges.count || across === e || angles[across]! >= sharp) continue;
        if (this.#leastGap(e, across) <= reach) this.#add(across, e);
      }
    }
    return least > 0 ? Math.sqrt(Math.max(0, 1 - least * least)) / least : Infinity;
  }

  /** No more than the distance of two edges: that of f's ends and middle from e, less half of what lies between. */
  #leastGap(e: number, f: number): number {
    const { mesh, edges } = this.#source;
    const { positions } = mesh;
    const a = 3 * edges.vertices[2 * e]!;
    const b = 3 * edges.vertices[2 * e + 1]!;
    const c = 3 * edges.vertices[2 * f]!;
    const d = 3 * edges.vertices[2 * f + 1]!;
    const ux = positions[b]! - positions[a]!;
    const uy = positions[b + 1]! - positions[a + 1]!;
    const uz = positions[b + 2]! - positions[a + 2]!;
    const vx = positions[d]! - positions[c]!;
    const vy = positions[d + 1]! - positions[c + 1]!;
    const vz = positions[d + 2]! - positions[c + 2]!;
    const square = ux * ux + uy * uy + uz * uz;
    let least = Infinity;
    for (let share = 0; share <= 1; share += 0.5) {
      const px = positions[c]! - positions[a]! + share * vx;
      const py = positions[c + 1]! - positions[a + 1]! + share * vy;
      const pz = positions[c + 2]! - positions[a + 2]! + share * vz;
      const at = Math.min(1, Math.max(0, (px * ux + py * uy + pz * uz) / square));
      least = Math.min(least, (px - at * ux) ** 2 + (py - at * uy) ** 2 + (pz - at * uz) ** 2);
    }
    return Math.sqrt(least) - Math.sqrt(vx * vx + vy * vy + vz * vz) / 4;
  }
}
