/**
 * Clusters of triangles for sums without an evaluation tree: a binary tree along a Morton curve, with moments about
 * each cluster's centroid and what bounds the rest of the series. Set up in time linear in the triangles, but for
 * sorting and radii; moments of its branches by many threads. See docs/multipole.md, "Cluster sum".
 */
import { sortOrder } from '../morton.ts';
import { CLUSTER_LEAF } from '../multipole/constants.ts';
import type { Steps } from '../multipole/field.ts';
import { centroidCodes, rootCell } from '../multipole/tree.ts';
import { gatherTriangles } from '../potential/solid-angle.ts';
import type { Surface } from '../surface.ts';
import {
  ClusterMoments,
  type ClusterNumbers,
  MOMENT_SIZE,
  PLACE_SIZE,
  RECORD_SIZE,
} from './cluster-moments.ts';

/** Clusters in the order in which a walk from the root meets them. */
export interface ClusterTable extends ClusterNumbers {
  /** The first cluster behind a cluster and all of its parts: the next one where it has none. */
  readonly next: Uint32Array;
  /** Triangles of cluster c are `firsts[c] .. lasts[c] - 1`. */
  readonly firsts: Uint32Array;
  readonly lasts: Uint32Array;
}

/** A table whose places and moments are still to be filled: of each branch by itself, then of what joins them. */
export interface ClusterBranches {
  readonly clusters: ClusterTable;
  readonly count: number;
  /** Of each branch its first cluster, which has all others: the largest of at most BRANCH_SIZE triangles, in order. */
  readonly roots: Uint32Array;
  /** RECORD_SIZE numbers per branch: what joining takes from it. */
  readonly records: Float64Array;
}

/** Triangles of a branch, at most: some 5 ms of work. */
export const BRANCH_SIZE = 4096;

/** Numbers, 0 at first. */
function numbers(count: number, shared: boolean): Float64Array {
  const bytes = count * Float64Array.BYTES_PER_ELEMENT;
  return new Float64Array(shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
}

/**
 * Cuts a surface into clusters, without places and moments.
 *
 * @param shared whether other threads are to see these
 */
export function* cutIntoClusters(surface: Surface, shared: boolean): Steps<ClusterTable> {
  const unsorted = centroidCodes(surface, rootCell(surface));
  yield 0.3;
  const order = sortOrder(unsorted);
  const codes = new Uint32Array(order.length);
  for (let t = 0; t < codes.length; t++) codes[t] = unsorted[order[t]!]!;
  yield 0.6;
  const triangles = gatherTriangles(surface, order);
  yield 0.9;
  const ranges = rangesOf(codes);
  const count = ranges.next.length;
  return {
    ...ranges,
    places: numbers(PLACE_SIZE * count, shared),
    moments: numbers(MOMENT_SIZE * count, shared),
    triangles,
  };
}

/** @param shared whether other threads are to fill branches */
export function branchesOf(clusters: ClusterTable, shared: boolean): ClusterBranches {
  const { next, firsts, lasts } = clusters;
  const roots: number[] = [];
  for (let node = 0; node < next.length; ) {
    const isRoot = lasts[node]! - firsts[node]! <= BRANCH_SIZE;
    if (isRoot) roots.push(node);
    node = isRoot ? next[node]! : node + 1;
  }
  const count = roots.length;
  return { clusters, count, roots: Uint32Array.from(roots), records: numbers(RECORD_SIZE * count, shared) };
}

/** Fills the places and moments of branches `first .. end - 1`. */
export function fillBranches(
  { clusters, roots, records }: ClusterBranches,
  first: number,
  end: number,
): void {
  const { next, firsts, lasts } = clusters;
  const moments = new ClusterMoments(clusters);
  for (let b = first; b < end; b++) {
    // Parts come behind what they are parts of.
    for (let node = next[roots[b]!]! - 1; node >= roots[b]!; node--) {
      if (next[node] === node + 1) moments.fromTriangles(node, firsts[node]!, lasts[node]!);
      else moments.fromParts(node, node + 1, next[node + 1]!, firsts[node]!, lasts[node]!);
    }
    moments.takeLast(records.subarray(RECORD_SIZE * b, RECORD_SIZE * (b + 1)));
  }
}

/** Fills the places and moments of the clusters that branches are parts of. */
export function* joinBranches({ clusters, count, roots, records }: ClusterBranches): Steps<void> {
  const { next, firsts, lasts } = clusters;
  const moments = new ClusterMoments(clusters);
  let b = count;
  for (let node = next.length - 1; node >= 0; node--) {
    if (b > 0 && next[roots[b - 1]!] === node + 1) {
      node = roots[--b]!;
      moments.putBack(records.subarray(RECORD_SIZE * b, RECORD_SIZE * (b + 1)));
    } else moments.fromParts(node, node + 1, next[node + 1]!, firsts[node]!, lasts[node]!);
    yield 1 - node / next.length;
  }
}

/** Halves ranges of triangles where their codes differ first, down to CLUSTER_LEAF triangles. */
function rangesOf(codes: Uint32Array): Pick<ClusterTable, 'next' | 'firsts' | 'lasts'> {
  const most = Math.max(0, 2 * codes.length - 1);
  const [next, firsts, lasts] = [new Uint32Array(most), new Uint32Array(most), new Uint32Array(most)];
  let count = 0;
  const cut = (first: number, last: number): void => {
    const node = count++;
    firsts[node] = first;
    lasts[node] = last;
    if (last - first > CLUSTER_LEAF) {
      const middle = middleOf(codes, first, last);
      cut(first, middle);
      cut(middle, last);
    }
    next[node] = count;
  };
  if (codes.length > 0) cut(0, codes.length);
  return { next: next.slice(0, count), firsts: firsts.slice(0, count), lasts: lasts.slice(0, count) };
}

/** Where the highest bit changes in which codes of a range differ; its middle where all are equal. */
function middleOf(codes: Uint32Array, first: number, last: number): number {
  const different = codes[first]! ^ codes[last - 1]!;
  if (different === 0) return (first + last) >> 1;
  const bit = 1 << (31 - Math.clz32(different));
  let [low, high] = [first, last - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((codes[middle]! & bit) === 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
