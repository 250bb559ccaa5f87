/** What a kind of bounding volume is to trees and searches. All in float64, in the frame of the mesh. */
import type { Placement } from '../pose.ts';

/** A tree whose nodes have no volumes yet. Nodes are depth first: the first child of a node follows it. */
export interface BareTree {
  readonly nodes: number;
  /** `[nodes]`: the second child, 0 for leaves. */
  readonly second: Uint32Array;
  /** `[nodes]`: first place of a node's triangles, which are one after the other. */
  readonly first: Uint32Array;
  /** `[nodes]`: how many triangles. */
  readonly count: Uint32Array;
  /** `[triangles * 9]`: corners of the triangle at each place. */
  readonly corners: Float32Array;
}

/** What volumes are fitted to. */
export interface LeafPoints {
  /** `[x, y, z]` of the vertices of each leaf, each once: those of a node are one after the other. */
  readonly points: Float32Array;
  /** `[triangles + 1]`: the first point of a node whose triangles begin at a place. */
  readonly starts: Uint32Array;
}

/**
 * Lower bound of the distance of what two nodes hold; may be negative. It grows as volumes get apart.
 *
 * @param enough what is not below it need not be the best bound: the search for it may end
 */
export type PairBound = (nodeA: number, nodeB: number, enough: number) => number;

export interface VolumeKind {
  /** Numbers per volume. */
  readonly width: number;
  /**
   * Makes what writes the volume of a node at `node * width`. It is called for both children before their node.
   *
   * @param values `[nodes * width]`, all 0
   */
  fitter(tree: BareTree, leaves: LeafPoints, values: Float64Array): (node: number) => void;
  /** A length that tells how large a volume is: of two, the larger one is parted. */
  sizeOf(values: Float64Array, node: number): number;
  /**
   * The bound for trees of this kind.
   *
   * @param b in the frame of a
   * @param error what rounding may add to a bound: taken off
   */
  bound(a: Float64Array, b: Float64Array, placement: Placement, error: number): PairBound;
}
