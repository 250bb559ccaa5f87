/** Kernels of nodes and edges: the bindings that both share, and the kernels that find planes and clusters for both. */
import * as d from 'typegpu/data';
import findClustersWgsl from '../../../shaders/contacts/nodes/find-clusters.wgsl';
import findPlanesWgsl from '../../../shaders/contacts/nodes/find-planes.wgsl';
import { ContactBody } from '../../broadphase/broad-phase-layout.ts';
import { kernelSource } from '../../gpu/kernel.ts';
import { struct } from '../../gpu/struct.ts';
import { ContactRecord } from '../bodies/device-layout.ts';

/** A collider that a polyhedron stands for. */
export const PlacedPolyhedron = struct('PlacedPolyhedron', {
  /** Unit quaternion of its frame in the body's. */
  quaternion: d.vec4f,
  /** Origin of the atlas's frame of the polyhedron, in the body's. */
  offset: d.vec3f,
  body: d.u32,
  /** Its number in the atlas. */
  shape: d.u32,
  part: d.u32,
  /** Most distance of its points from the origin of that frame. */
  radius: d.f32,
  spare: d.u32,
});

const FieldParams = struct('FieldParams', {
  /** Edge of a cell of positions, a length. */
  cellSize: d.f32,
  /** Room for pairs and for items. */
  mostPairs: d.u32,
  mostItems: d.u32,
  /** Place of the first count of these items. */
  countsAt: d.u32,
});

const FindParams = struct('FindParams', {
  /** As in `FieldParams`. */
  cellSize: d.f32,
  mostPairs: d.u32,
  mostItems: d.u32,
  /** 1 to list clusters, 0 to count them. */
  isListed: d.u32,
  /** 1 for pieces of edges, 0 for nodes. */
  ofEdges: d.u32,
});

/** Lengths of lists, room for them or not. */
export const FieldTally = struct('FieldTally', {
  pairs: d.u32,
  /** Clusters near a partner. */
  items: d.u32,
  /** Nodes that were looked up in the partner's tables, and those of them in cells that are not outside. */
  tested: d.u32,
  near: d.u32,
});

/** `FieldTally` for the kernel that counts nodes: threads add to its numbers. */
const CountedTally = struct('CountedTally', {
  pairs: d.u32,
  items: d.u32,
  tested: d.atomic(d.u32),
  near: d.atomic(d.u32),
});

const words = d.arrayOf(d.u32);
const common = {
  params: { uniform: FieldParams },
  bodies: { storage: d.arrayOf(ContactBody) },
  colliders: { storage: d.arrayOf(PlacedPolyhedron) },
  /** As `packAtlas` says. */
  atlas: { storage: words },
  /** Colliders A and B. */
  pairs: { storage: d.arrayOf(d.vec2u) },
  tally: { storage: FieldTally },
} as const;
const planes = { storage: d.arrayOf(d.vec4f) } as const;
/**
 * Twice the pair's number, and one more for clusters of B; the cluster; a bit for each of its nodes that has a contact;
 * of pieces the same for shallower ends.
 */
const items = { storage: d.arrayOf(d.vec4u) } as const;

export const testItemsBindings = {
  ...common,
  tally: { storage: CountedTally, access: 'mutable' },
  planes,
  items: { ...items, access: 'mutable' },
  /** Contacts of each item. */
  counts: { storage: words, access: 'mutable' },
} as const;

export const writeItemsBindings = {
  ...common,
  items,
  /** Contacts before those of each item. */
  offsets: { storage: words },
  records: { storage: d.arrayOf(ContactRecord), access: 'mutable' },
} as const;

export const findPlanesSource = kernelSource(findPlanesWgsl, {
  ...common,
  /** Of A and B of each pair: directions, and the least products with them of points that the partner may have. */
  planes: { ...planes, access: 'mutable' },
});

export const findClustersSource = kernelSource(findClustersWgsl, {
  ...common,
  params: { uniform: FindParams },
  planes,
  /** Per pair its clusters that are near; then those of the pairs before. */
  counts: { storage: words, access: 'mutable' },
  items: { ...items, access: 'mutable' },
});
