// The undirected edges of a triangle mesh, found by sorting its half-edges: two stable counting sorts (a radix sort
// whose digits are the vertex indices), by the higher and then by the lower end. Linear in triangles + vertices.
//
// Half-edge h = 3 t + c runs from corner c to corner (c + 1) mod 3 of triangle t. The triangles are a cycle modulo 2
// where every edge has an even number of half-edges, and an integer cycle where every edge's balance is zero: what
// the odd-crossing and the nonzero-winding rule need.

/** Undirected edges in ascending order of (lower vertex, higher vertex). */
export interface EdgeTable {
  /** Number of different edges. */
  readonly count: number;
  /** Ends of the edges, length `2 * count`, the lower vertex first. */
  readonly vertices: Uint32Array;
  /** Times the edge runs from its lower to its higher vertex minus the times it runs back, length `count`. */
  readonly balance: Int32Array;
  /** Edge e owns `halfEdges[offsets[e] .. offsets[e + 1] - 1]`; the difference is its number of faces. */
  readonly offsets: Uint32Array;
  /** Half-edges `3 * triangle + corner`, grouped by edge, ascending within an edge. */
  readonly halfEdges: Uint32Array;
}

/**
 * Sorts the edges of triangles. A half-edge from a vertex to itself is no edge and is left out, so a triangle with a
 * repeated corner `(a, a, b)` adds both directions of `a b` and changes neither parity nor balance.
 *
 * @param indices three vertex indices per triangle, all below `vertexCount`
 * @param vertexCount number of vertices, used or not
 */
export function buildEdgeTable(indices: Uint32Array, vertexCount: number): EdgeTable {
  const halfEdges = sortedHalfEdges(indices, vertexCount);
  let count = 0;
  let low = -1;
  let high = -1;
  const total = halfEdges.length;
  const edgeOf = new Uint32Array(total);
  for (let k = 0; k < total; k++) {
    const h = halfEdges[k]!;
    const a = indices[h]!;
    const b = indices[nextHalfEdge(h)]!;
    const lower = Math.min(a, b);
    const higher = Math.max(a, b);
    if (lower !== low || higher !== high) {
      low = lower;
      high = higher;
      count++;
    }
    edgeOf[k] = count - 1;
  }

  const vertices = new Uint32Array(2 * count);
  const balance = new Int32Array(count);
  const offsets = new Uint32Array(count + 1);
  for (let k = 0; k < total; k++) {
    const h = halfEdges[k]!;
    const a = indices[h]!;
    const b = indices[nextHalfEdge(h)]!;
    const e = edgeOf[k]!;
    const forward = a < b;
    vertices[2 * e] = forward ? a : b;
    vertices[2 * e + 1] = forward ? b : a;
    balance[e]! += forward ? 1 : -1;
    offsets[e + 1] = k + 1;
  }
  return { count, vertices, balance, offsets, halfEdges };
}

/** The half-edge after `h` in its triangle. */
export function nextHalfEdge(h: number): number {
  return h % 3 === 2 ? h - 2 : h + 1;
}

function sortedHalfEdges(indices: Uint32Array, vertexCount: number): Uint32Array {
  const startHigh = new Uint32Array(vertexCount + 1);
  const startLow = new Uint32Array(vertexCount + 1);
  let total = 0;
  for (let h = 0; h < indices.length; h++) {
    const a = indices[h]!;
    const b = indices[nextHalfEdge(h)]!;
    if (a === b) continue;
    startHigh[Math.max(a, b) + 1]!++;
    startLow[Math.min(a, b) + 1]!++;
    total++;
  }
  for (let v = 0; v < vertexCount; v++) {
    startHigh[v + 1]! += startHigh[v]!;
    startLow[v + 1]! += startLow[v]!;
  }

  const byHigh = new Uint32Array(total);
  for (let h = 0; h < indices.length; h++) {
    const a = indices[h]!;
    const b = indices[nextHalfEdge(h)]!;
    if (a === b) continue;
    byHigh[startHigh[Math.max(a, b)]!++] = h;
  }
  const byBoth = new Uint32Array(total);
  for (let k = 0; k < total; k++) {
    const h = byHigh[k]!;
    const a = indices[h]!;
    const b = indices[nextHalfEdge(h)]!;
    byBoth[startLow[Math.min(a, b)]!++] = h;
  }
  return byBoth;
}
