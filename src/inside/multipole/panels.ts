/**
 * The panels that the kernels sum over: the mesh's triangles, and pairs of added ones that cancel and make the
 * boundaries of clusters short. Where two finest clusters meet, the polyline between them, from one cluster corner to
 * the next, is replaced by its chord: the fan of triangles between both goes to one cluster, the same turned to the
 * other. As a whole the surface stays what it is, and so does J; but a near field's boundary, which is what
 * evaluation costs, no longer has every edge of the mesh that it passes. See docs/multipole.md, "Near field".
 */
import { buildEdgeTable, nextHalfEdge } from '../../mesh/edges.ts';
import type { Surface } from '../surface.ts';
import type { EvaluationTree } from './lists.ts';
import type { ClusterTree, SourceTree } from './tree.ts';

export interface Panels {
  /** The tree with panels for triangles: `firsts`, `lasts` and `triangles` are theirs. */
  readonly source: ClusterTree;
  /** The near field of leaves as ranges of panels. */
  readonly nearRanges: Uint32Array;
  /** Three vertices per panel. */
  readonly corners: Uint32Array<ArrayBuffer>;
  /** The half-edge against each half-edge, or -1; half-edge 3 t + c goes from corner c of panel t. */
  readonly twins: Int32Array;
  /** The same panel turned, in the neighbouring cluster, of each added panel; -1 for the mesh's triangles. */
  readonly mates: Int32Array;
}

/** Three vertices per triangle, in the tree's order. */
export function orderedCorners({ indices }: Surface, order: Uint32Array): Uint32Array<ArrayBuffer> {
  const corners = new Uint32Array(3 * order.length);
  for (let t = 0; t < order.length; t++) {
    for (let k = 0; k < 3; k++) corners[3 * t + k] = indices[3 * order[t]! + k]!;
  }
  return corners;
}

/**
 * A half-edge on the other side of each half-edge of the tree's triangles; -1 for what is left where an edge is not
 * passed as often forwards as backwards. Any pairing would do: two of opposite direction cancel. Where several layers
 * share an edge, neighbours in the tree are paired, which are mostly near to the same leaves. Half-edge 3 t + c goes
 * from corner c of triangle t.
 *
 * @param corners three vertices per triangle, in the tree's order
 */
function findTwins(corners: Uint32Array, vertexCount: number): Int32Array {
  const { count, offsets, halfEdges } = buildEdgeTable(corners, vertexCount);
  const twins = new Int32Array(corners.length).fill(-1);
  /** Half-edges of the edge in hand that have no twin yet, all of one direction. */
  const open: number[] = [];
  for (let e = 0; e < count; e++) {
    open.length = 0;
    let openForward = false;
    for (let k = offsets[e]!; k < offsets[e + 1]!; k++) {
      const h = halfEdges[k]!;
      const forward = corners[h]! < corners[nextHalfEdge(h)]!;
      if (open.length === 0 || forward === openForward) {
        open.push(h);
        openForward = forward;
      } else {
        const other = open.pop()!;
        twins[h] = other;
        twins[other] = h;
      }
    }
  }
  return twins;
}

/**
 * Polylines between two finest clusters, as half-edges of the one with the lower number, with what follows each
 * other.
 */
interface Sides {
  /** Half-edges of side s are `starts[s] .. starts[s + 1] - 1`. */
  readonly starts: number[];
  readonly halfEdges: number[];
}

/** The number of the finest cluster of each triangle, from 0 on. */
function finestClusters({ levelStarts, depth, firsts, lasts, order }: SourceTree): Uint32Array {
  const owners = new Uint32Array(order.length);
  const first = levelStarts[depth]!;
  for (let c = first; c < levelStarts[depth + 1]!; c++) owners.fill(c - first, firsts[c]!, lasts[c]!);
  return owners;
}

function findSides(corners: Uint32Array, twins: Int32Array, owners: Uint32Array): Sides {
  const ownerOf = (h: number) => owners[Math.floor(h / 3)]!;
  /** The cluster's boundary after one of its half-edges. */
  const follow = (h: number): number => {
    const own = ownerOf(h);
    let edge = nextHalfEdge(h);
    for (let twin = twins[edge]!; twin >= 0 && ownerOf(twin) === own; twin = twins[edge]!)
      edge = nextHalfEdge(twin);
    return edge;
  };
  /** The half-edge that goes on along the same two clusters, if nothing else meets them in between; else -1. */
  const goOn = (h: number): number => {
    const next = follow(h);
    const across = twins[next]!;
    if (across < 0 || ownerOf(across) !== ownerOf(twins[h]!)) return -1;
    return follow(across) === twins[h] ? next : -1;
  };
  const nexts = new Int32Array(corners.length).fill(-1);
  const hasBefore = new Uint8Array(corners.length);
  const isSide = (h: number) => twins[h]! >= 0 && ownerOf(h) < ownerOf(twins[h]!);
  for (let h = 0; h < corners.length; h++) {
    if (!isSide(h)) continue;
    const next = goOn(h);
    nexts[h] = next;
    if (next >= 0) hasBefore[next] = 1;
  }
  const starts = [0];
  const halfEdges: number[] = [];
  for (let h = 0; h < corners.length; h++) {
    // Rings have no first half-edge: they stay as they are.
    if (nexts[h]! < 0 || hasBefore[h] === 1) continue;
    const start = halfEdges.length;
    let last = h;
    for (let edge = h; edge >= 0; edge = nexts[edge]!) {
      halfEdges.push(edge);
      last = edge;
    }
    // Back at its first vertex it has no chord.
    if (corners[nextHalfEdge(last)] === corners[h]) halfEdges.length = start;
    else starts.push(halfEdges.length);
  }
  return { starts, halfEdges };
}

/** The panels of a tree that ends at the evaluation tree's finest level. */
export function buildPanels(surface: Surface, tree: SourceTree, evaluation: EvaluationTree): Panels {
  const own = orderedCorners(surface, tree.order);
  const ownTwins = findTwins(own, surface.positions.length / 3);
  const owners = finestClusters(tree);
  const sides = findSides(own, ownTwins, owners);

  // Where the panels of each finest cluster begin: its triangles, then those added to it.
  const finest = tree.levelStarts[tree.depth]!;
  const clusters = tree.levelStarts[tree.depth + 1]! - finest;
  const starts = new Uint32Array(clusters + 1);
  const ownerOf = (h: number) => owners[Math.floor(h / 3)]!;
  for (let t = 0; t < owners.length; t++) starts[owners[t]! + 1]!++;
  for (let s = 0; s + 1 < sides.starts.length; s++) {
    const h = sides.halfEdges[sides.starts[s]!]!;
    const added = sides.starts[s + 1]! - sides.starts[s]! - 1;
    starts[ownerOf(h) + 1]! += added;
    starts[ownerOf(ownTwins[h]!) + 1]! += added;
  }
  for (let c = 0; c < clusters; c++) starts[c + 1]! += starts[c]!;

  const total = starts[clusters]!;
  const corners = new Uint32Array(3 * total);
  const twins = new Int32Array(3 * total).fill(-1);
  const mates = new Int32Array(total).fill(-1);
  const triangles = new Float64Array(9 * total);
  const ends = starts.slice();
  /** New numbers of the mesh's triangles. */
  const moved = new Uint32Array(owners.length);
  for (let t = 0; t < owners.length; t++) moved[t] = ends[owners[t]!]!++;
  const movedEdge = (h: number) => 3 * moved[Math.floor(h / 3)]! + (h % 3);
  for (let t = 0; t < owners.length; t++) {
    const at = moved[t]!;
    for (let k = 0; k < 3; k++) {
      corners[3 * at + k] = own[3 * t + k]!;
      const twin = ownTwins[3 * t + k]!;
      if (twin >= 0) twins[3 * at + k] = movedEdge(twin);
    }
    triangles.set(tree.triangles.subarray(9 * t, 9 * t + 9), 9 * at);
  }
  const pair = (g: number, h: number) => {
    twins[g] = h;
    twins[h] = g;
  };
  const { positions } = surface;
  const put = (panel: number, a: number, b: number, c: number) => {
    [a, b, c].forEach((v, k) => {
      corners[3 * panel + k] = v;
      for (let axis = 0; axis < 3; axis++) triangles[9 * panel + 3 * k + axis] = positions[3 * v + axis]!;
    });
  };
  for (let s = 0; s + 1 < sides.starts.length; s++) {
    const [first, last] = [sides.starts[s]!, sides.starts[s + 1]! - 1];
    const h = sides.halfEdges[first]!;
    const [left, right] = [ownerOf(h), ownerOf(ownTwins[h]!)];
    const a = own[h]!;
    // From the chord, a to b, down to the first half-edge: (a, b, w) with the half-edge w b of the polyline.
    let [chordLeft, chordRight] = [-1, -1];
    for (let i = last; i > first; i--) {
      const edge = sides.halfEdges[i]!;
      const across = movedEdge(ownTwins[edge]!);
      const [w, b] = [own[edge]!, own[nextHalfEdge(edge)]!];
      const p = ends[left]!++;
      const q = ends[right]!++;
      put(p, a, b, w);
      put(q, b, a, w);
      mates[p] = q;
      mates[q] = p;
      pair(3 * p + 1, movedEdge(edge));
      pair(3 * q + 2, across);
      // The chord, or the triangle before.
      if (chordLeft < 0) {
        pair(3 * p, 3 * q);
      } else {
        pair(3 * p, chordLeft);
        pair(3 * q, chordRight);
      }
      [chordLeft, chordRight] = [3 * p + 2, 3 * q + 1];
    }
    pair(chordLeft, movedEdge(h));
    pair(chordRight, movedEdge(ownTwins[h]!));
  }

  /** Where panels begin that used to begin with a cluster's first triangle. */
  const startOf = (t: number) => (t < owners.length ? starts[owners[t]!]! : total);
  const source = {
    ...tree,
    firsts: tree.firsts.map(startOf),
    lasts: tree.lasts.map(startOf),
    triangles,
  };
  return { source, nearRanges: evaluation.nearRanges.map(startOf), corners, twins, mates };
}
