/** What a kind of bounding volume is to trees and searches. All in float64, in the frame of the mesh. */
import type { Placement } from '../pose.ts';

/** The triangles that a volume is fitted around, and what is known of them. */
export interface FitPart {
  /** `[triangles * 9]`: corners of the triangles, those of the part at places `begin .. end - 1`. */
  readonly corners: Float32Array;
  begin: number;
  end: number;
  node: number;
  /** `[nodes]`: second child of each node, 0 for leaves; the first child follows its node. Both are fitted before. */
  readonly second: Uint32Array;
  /** `[nodes * width]`: the volumes. */
  readonly values: Float64Array;
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
  /** Writes the volume of a part at `node * width`. */
  fit(part: FitPart): void;
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
