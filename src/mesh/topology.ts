// Counts over the connectivity of a triangle mesh: components and vertex fans by union-find, duplicate faces from
// the edge table, and faces of exactly zero area by Shewchuk's exact orientation predicate (robust-predicates).
import { orient2d } from 'robust-predicates';
import { type EdgeTable, nextHalfEdge } from './edges.ts';

/** How often something was found, and the first few of it. */
export interface Findings<T> {
  readonly count: number;
  readonly examples: readonly T[];
}

/** Number of vertices that triangles use, and of parts that share no vertex with each other. */
export function countComponents(
  indices: Uint32Array,
  vertexCount: number,
): { usedVertices: number; components: number } {
  const parent = identity(vertexCount);
  const used = new Uint8Array(vertexCount);
  for (let i = 0; i < indices.length; i += 3) {
    const a = indices[i]!;
    const b = indices[i + 1]!;
    const c = indices[i + 2]!;
    used[a] = used[b] = used[c] = 1;
    unite(parent, a, b);
    unite(parent, b, c);
  }
  let usedVertices = 0;
  let components = 0;
  for (let v = 0; v < vertexCount; v++) {
    if (used[v] === 0) continue;
    usedVertices++;
    if (parent[v] === v) components++;
  }
  return { usedVertices, components };
}

/** Which part each triangle is of, `[triangles]`: those that edges join. Parts are in the order of their triangles. */
export function partsOf(indices: Uint32Array, edges: EdgeTable): { parts: Uint32Array; count: number } {
  const parts = identity(indices.length / 3);
  for (let e = 0; e < edges.count; e++) {
    const first = Math.floor(edges.halfEdges[edges.offsets[e]!]! / 3);
    for (let k = edges.offsets[e]! + 1; k < edges.offsets[e + 1]!; k++) {
      unite(parts, first, Math.floor(edges.halfEdges[k]! / 3));
    }
  }
  const numbers = new Uint32Array(parts.length);
  let count = 0;
  // The lowest triangle of a part is its root.
  for (let t = 0; t < parts.length; t++) numbers[t] = root(parts, t) === t ? count++ : numbers[parts[t]!]!;
  return { parts: numbers, count };
}

/**
 * Vertices whose triangles form more than one fan: two triangles are in one fan if a chain of triangles around the
 * vertex leads from one to the other through edges at that vertex.
 */
export function findExtraFans(
  indices: Uint32Array,
  vertexCount: number,
  edges: EdgeTable,
  limit: number,
): Findings<number> {
  const parent = identity(indices.length); // of the triangles' corners
  for (let e = 0; e < edges.count; e++) {
    const low = edges.vertices[2 * e]!;
    const end = edges.offsets[e + 1]!;
    let k = edges.offsets[e]!;
    const first = edges.halfEdges[k]!;
    const firstNext = nextHalfEdge(first);
    const firstAtLow = indices[first] === low;
    for (k++; k < end; k++) {
      const h = edges.halfEdges[k]!;
      const next = nextHalfEdge(h);
      const same = (indices[h] === low) === firstAtLow;
      unite(parent, first, same ? h : next);
      unite(parent, firstNext, same ? next : h);
    }
  }
  // Two corners of one triangle at the same vertex belong together.
  for (let h = 0; h < indices.length; h++) {
    const next = nextHalfEdge(h);
    if (indices[h] === indices[next]) unite(parent, h, next);
  }

  const fans = new Uint32Array(vertexCount);
  for (let h = 0; h < indices.length; h++) {
    if (parent[h] === h) fans[indices[h]!]!++;
  }
  const examples: number[] = [];
  let count = 0;
  for (let v = 0; v < vertexCount; v++) {
    if (fans[v]! < 2) continue;
    count++;
    if (examples.length < limit) examples.push(v);
  }
  return { count, examples };
}

/**
 * Triangles that have the same three different vertices, in any order, as an earlier one. Each triangle is compared
 * only at the edge of its two lowest vertices, so it is counted once.
 */
export function findDuplicateFaces(indices: Uint32Array, edges: EdgeTable, limit: number): Findings<number> {
  const examples: number[] = [];
  let count = 0;
  for (let e = 0; e < edges.count; e++) {
    const begin = edges.offsets[e]!;
    const end = edges.offsets[e + 1]!;
    if (end - begin < 2) continue;
    const third = (k: number) => indices[nextHalfEdge(nextHalfEdge(edges.halfEdges[k]!))]!;
    if (end - begin === 2 && third(begin) !== third(begin + 1)) continue; // nearly always
    const high = edges.vertices[2 * e + 1]!;
    const seen = new Set<number>();
    for (let k = begin; k < end; k++) {
      const vertex = third(k);
      if (vertex <= high) continue;
      if (!seen.has(vertex)) {
        seen.add(vertex);
        continue;
      }
      count++;
      if (examples.length < limit) examples.push(Math.floor(edges.halfEdges[k]! / 3));
    }
  }
  return { count, examples: examples.sort((a, b) => a - b) };
}

/**
 * Triangles of exactly zero area: the three corners lie on one line where their projections along all three axes do.
 * Exact for float32 coordinates of any size.
 */
export function findDegenerateFaces(
  positions: Float32Array,
  indices: Uint32Array,
  limit: number,
): Findings<number> {
  const examples: number[] = [];
  let count = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const a = 3 * indices[i]!;
    const b = 3 * indices[i + 1]!;
    const c = 3 * indices[i + 2]!;
    const ax = positions[a]!;
    const ay = positions[a + 1]!;
    const bx = positions[b]!;
    const by = positions[b + 1]!;
    const cx = positions[c]!;
    const cy = positions[c + 1]!;
    if (orient2d(ax, ay, bx, by, cx, cy) !== 0) continue;
    const az = positions[a + 2]!;
    const bz = positions[b + 2]!;
    const cz = positions[c + 2]!;
    if (orient2d(ay, az, by, bz, cy, cz) !== 0 || orient2d(az, ax, bz, bx, cz, cx) !== 0) continue;
    count++;
    if (examples.length < limit) examples.push(i / 3);
  }
  return { count, examples };
}

function identity(length: number): Uint32Array {
  const parent = new Uint32Array(length);
  for (let i = 0; i < length; i++) parent[i] = i;
  return parent;
}

function root(parent: Uint32Array, start: number): number {
  let i = start;
  while (parent[i] !== i) {
    parent[i] = parent[parent[i]!]!; // path halving
    i = parent[i]!;
  }
  return i;
}

/** Joins two sets; the lower root stays, so the result does not depend on the order of the calls. */
function unite(parent: Uint32Array, a: number, b: number): void {
  const i = root(parent, a);
  const j = root(parent, b);
  if (i < j) parent[j] = i;
  else parent[i] = j;
}
