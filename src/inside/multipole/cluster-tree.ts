/**
 * Clusters of triangles for sums without an evaluation tree: a binary tree along a Morton curve, with moments about
 * each cluster's centroid and what bounds the rest of the series. Set up in time linear in the triangles, but for
 * sorting and radii. See docs/multipole.md, "Cluster sum".
 */
import { sortOrder } from '../morton.ts';
import { gatherTriangles } from '../potential/solid-angle.ts';
import type { Surface } from '../surface.ts';
import { ClusterMoments } from './cluster-moments.ts';
import { CLUSTER_LEAF } from './constants.ts';
import type { Steps } from './reference.ts';
import { centroidCodes, rootCell } from './tree.ts';

/** Clusters in the order in which a walk from the root meets them. */
export interface ClusterTable {
  /** PLACE_SIZE numbers each. */
  readonly places: Float64Array;
  /** MOMENT_SIZE numbers each. */
  readonly moments: Float64Array;
  /** The first cluster behind a cluster and all of its parts: the next one where it has none. */
  readonly next: Uint32Array;
  /** Triangles of cluster c are `firsts[c] .. lasts[c] - 1`. */
  readonly firsts: Uint32Array;
  readonly lasts: Uint32Array;
  /** Corners, nine coordinates per triangle, in the surface's local frame. */
  readonly triangles: Float64Array;
}

/** Triangles, or clusters, of a step. */
const STEP_SIZE = 4096;

/** Sets the clusters of a surface up. */
export function* setUpClusters(surface: Surface): Steps<ClusterTable> {
  const unsorted = centroidCodes(surface, rootCell(surface));
  yield 0.1;
  const order = sortOrder(unsorted);
  const codes = new Uint32Array(order.length);
  for (let t = 0; t < codes.length; t++) codes[t] = unsorted[order[t]!]!;
  yield 0.2;
  const triangles = gatherTriangles(surface, order);
  yield 0.3;
  const { next, firsts, lasts } = cutIntoClusters(codes);
  const moments = new ClusterMoments(next.length, triangles);
  let done = 0;
  for (let node = next.length - 1; node >= 0; node--) {
    // Parts come behind what they are parts of.
    if (next[node] === node + 1) moments.fromTriangles(node, firsts[node]!, lasts[node]!);
    else moments.fromParts(node, node + 1, next[node + 1]!, firsts[node]!, lasts[node]!);
    done += 1 + (next[node] === node + 1 ? lasts[node]! - firsts[node]! : 0);
    if (done < STEP_SIZE) continue;
    done = 0;
    yield 1 - 0.7 * (node / next.length);
  }
  return { places: moments.places, moments: moments.moments, next, firsts, lasts, triangles };
}

/** Halves ranges of triangles where their codes differ first, down to CLUSTER_LEAF triangles. */
function cutIntoClusters(codes: Uint32Array): Pick<ClusterTable, 'next' | 'firsts' | 'lasts'> {
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
