/** Kernels of balls on polyhedra. */
import * as d from 'typegpu/data';
import countTrianglesWgsl from '../../../shaders/contacts/patches/count-triangles.wgsl';
import findPartsWgsl from '../../../shaders/contacts/patches/find-parts.wgsl';
import writePatchesWgsl from '../../../shaders/contacts/patches/write-patches.wgsl';
import { ContactBody } from '../../broadphase/broad-phase-layout.ts';
import { kernelSource } from '../../gpu/kernel.ts';
import { struct } from '../../gpu/struct.ts';
import { ContactRecord } from '../bodies/device-layout.ts';
import { PlacedPolyhedron } from '../clusters/cluster-kernels.ts';

/** A triangle within a ball. */
export const ListedTriangle = struct('ListedTriangle', {
  /** In the order of the tree. */
  rank: d.u32,
  /** Place of another triangle of its part, on the way to the first one: the root. */
  parent: d.u32,
  /** Of the centre. */
  distance: d.f32,
  /** Edges within the ball: three bits for sure ones, three for possible ones. */
  edges: d.u32,
  /** Of a root: place of the part's nearest triangle; the lowest number of a triangle; the part's feature. */
  best: d.u32,
  first: d.u32,
  feature: d.u32,
  /** Of the k-th triangle of a pair: place of the root of the pair's k-th part. */
  part: d.u32,
});

const PatchParams = struct('PatchParams', {
  /** Edge of a cell of positions, a length. */
  cellSize: d.f32,
  /** Room for pairs and for triangles. */
  mostPairs: d.u32,
  mostTriangles: d.u32,
  /** Place of the first count of these pairs. */
  countsAt: d.u32,
});

const words = d.arrayOf(d.u32);
const common = {
  params: { uniform: PatchParams },
  bodies: { storage: d.arrayOf(ContactBody) },
  /** A `PlacedPolyhedron` each; of a ball its radius, and no shape. */
  colliders: { storage: d.arrayOf(PlacedPolyhedron) },
  /** As `packAtlas` says. */
  atlas: { storage: words },
  /** Colliders A and B. */
  pairs: { storage: d.arrayOf(d.vec2u) },
} as const;
/**
 * Per pair its triangles, then those of the pairs before; per pair its state, as ball.wgsl says; the number of pairs,
 * and that of triangles.
 */
const spans = { storage: words } as const;
const triangles = { storage: d.arrayOf(ListedTriangle) } as const;

export const countTrianglesSource = kernelSource(countTrianglesWgsl, {
  ...common,
  spans: { ...spans, access: 'mutable' },
});

export const findPartsSource = kernelSource(findPartsWgsl, {
  ...common,
  spans: { ...spans, access: 'mutable' },
  triangles: { ...triangles, access: 'mutable' },
  /** Contacts of each pair. */
  counts: { storage: words, access: 'mutable' },
});

export const writePatchesSource = kernelSource(writePatchesWgsl, {
  ...common,
  spans,
  triangles,
  /** Contacts before those of each pair. */
  offsets: { storage: words },
  records: { storage: d.arrayOf(ContactRecord), access: 'mutable' },
});
