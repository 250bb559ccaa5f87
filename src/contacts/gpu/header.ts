/** Words of the header: lengths of the lists of a step on the GPU, and room for them. */
export const ContactHeader = {
  /** Contacts that there are. Those beyond `contactCapacity` are not in the list. */
  contacts: 0,
  contactCapacity: 1,
  /**
   * Pairs of colliders from the broad phase: none with planes. More than `pairCapacity`: there are no contacts at all.
   */
  pairs: 2,
  pairCapacity: 3,
  /** Clusters of nodes, and of edges, near a partner. Where they are more than their room, contacts are missing. */
  clusters: 4,
  edgeClusters: 7,
  clusterCapacity: 5,
  /** Convex pairs that float32 leaves open. */
  open: 6,
  /** Nodes that were looked up in a partner's tables, and those of them in cells that are not outside. */
  nodesTested: 8,
  nodesNear: 9,
  /** Pairs with planes whose collider's ball reaches below. */
  planePairs: 10,
  /** Triangles near balls. Where they are more than their room, contacts are missing. */
  triangles: 11,
  triangleCapacity: 12,
  /** Of simulations by forces: pairs that touch. Where they are more than their room, loads are missing. */
  touching: 13,
  touchingCapacity: 14,
  edgeClusterCapacity: 15,
  /**
   * Clusters of polyhedra whose ball reaches below a plane, of all these pairs. Where they are more than their room,
   * contacts are missing.
   */
  planeClusters: 17,
  planeClusterCapacity: 16,
} as const;
/** Words of the header. */
export const HEADER_WORDS = 18;

/** A list on the GPU that was too short: the pass ran again with room for what was needed. */
export interface GrownList {
  readonly list: string;
  /** Entries that there was room for. */
  readonly capacity: number;
  readonly needed: number;
}
