/** Kernels of planes. */
import * as d from 'typegpu/data';
import sumBelowWgsl from '../../../shaders/contacts/faces/sum-below.wgsl';
import countBelowWgsl from '../../../shaders/contacts/planes/count-below.wgsl';
import findBallsBelowWgsl from '../../../shaders/contacts/planes/find-balls-below.wgsl';
import findCornersWgsl from '../../../shaders/contacts/planes/find-corners.wgsl';
import findNodesWgsl from '../../../shaders/contacts/planes/find-nodes.wgsl';
import writeBallsBelowWgsl from '../../../shaders/contacts/planes/write-balls-below.wgsl';
import writePlaneContactsWgsl from '../../../shaders/contacts/planes/write-plane-contacts.wgsl';
import { ContactBody } from '../../broadphase/broad-phase-layout.ts';
import { pairBuffers, pairTables } from '../../convex/gpu/pair-layout.ts';
import { kernelSource } from '../../gpu/kernel.ts';
import { struct } from '../../gpu/struct.ts';
import { ContactRecord } from '../bodies/device-layout.ts';
import { faceWords } from '../faces/device-layout.ts';

/** A plane, or a collider that meets planes. */
export const PlaneCollider = struct('PlaneCollider', {
  /** Unit quaternion of its frame in the body's. */
  quaternion: d.vec4f,
  /** Origin of that frame, in the body's: a convex shape's centre; of a polyhedron that of its frame in the atlas. */
  offset: d.vec3f,
  body: d.u32,
  /** Record, or number in the atlas. */
  shape: d.u32,
  part: d.u32,
  /** The most distance of its points from the origin of the frame; of a ball its radius. */
  radius: d.f32,
  spare: d.u32,
});

/** A plane and another collider. */
export const PlanePair = struct('PlanePair', {
  a: d.u32,
  b: d.u32,
  /** Its place in `corners`; of polyhedra the first word in `masks`, if their ball reaches below. */
  at: d.u32,
  spare: d.u32,
  /** 1 for a polyhedron, 2 for a shape with faces; 1 where A is the plane. */
  kind: d.vec2u,
  spare2: d.vec2u,
});

/** Corners of a convex shape that lie below a plane. */
export const PlaneCorners = struct('PlaneCorners', {
  /** In the order of names: place, less the position of the shape's body, in the world's axes; and distance. */
  points: d.arrayOf(d.vec4f, 4),
  /** Features; 2^32 - 1 where there is no contact. */
  names: d.vec4u,
  /** Of each contact. */
  area: d.f32,
  /** `ContactStatus`. */
  status: d.u32,
  /** 1 where the shape's ball reaches below. */
  isNear: d.u32,
});

const PlaneParams = struct('PlaneParams', {
  /** Edge of a cell of positions, a length. */
  cellSize: d.f32,
  /** Pairs. */
  count: d.u32,
  /** Place of the first count of these pairs. */
  countsAt: d.u32,
  /** 0. */
  zero: d.u32,
  /** Words that `masks` has room for. */
  room: d.u32,
});

const params = { uniform: PlaneParams } as const;
const placed = {
  params,
  bodies: { storage: d.arrayOf(ContactBody) },
  colliders: { storage: d.arrayOf(PlaneCollider) },
  pairs: { storage: d.arrayOf(PlanePair) },
} as const;
const words = d.arrayOf(d.u32);
/** As `packAtlas` says. */
const atlas = { storage: words } as const;
/** Of each polyhedron whose ball reaches below: a word for each cluster, with a bit for each of its nodes below. */
const masks = { storage: words } as const;
const corners = { storage: d.arrayOf(PlaneCorners) } as const;
export const PlaneTally = struct('PlaneTally', {
  /** Pairs whose collider's ball reaches below. */
  near: d.atomic(d.u32),
  /** Clusters of the polyhedra of these pairs: words of `masks`. */
  clusters: d.atomic(d.u32),
});
const tally = { storage: PlaneTally, access: 'mutable' } as const;

export const findBallsBelowSource = kernelSource(findBallsBelowWgsl, {
  ...placed,
  counts: { storage: words, access: 'mutable' },
  tally,
});

export const writeBallsBelowSource = kernelSource(writeBallsBelowWgsl, {
  ...placed,
  /** Contacts before those of each pair, and behind the last one's. */
  offsets: { storage: words },
  records: { storage: d.arrayOf(ContactRecord), access: 'mutable' },
});

export const findCornersSource = kernelSource(findCornersWgsl, {
  ...placed,
  ...{ records: pairTables.records, vertices: pairTables.vertices, neighbours: pairTables.neighbours },
  facets: pairBuffers.facets,
  corners: { ...corners, access: 'mutable' },
});

export const findNodesSource = kernelSource(findNodesWgsl, {
  ...{ ...placed, atlas, masks: { ...masks, access: 'mutable' } },
  pairs: { ...placed.pairs, access: 'mutable' },
  ...{ counts: { storage: words, access: 'mutable' }, tally },
});

export const sumBelowSource = kernelSource(sumBelowWgsl, {
  ...placed,
  faces: faceWords,
  corners: { ...corners, access: 'mutable' },
});

export const countBelowSource = kernelSource(countBelowWgsl, {
  ...{ params, pairs: placed.pairs, corners },
  counts: { storage: words, access: 'mutable' },
  tally,
});

export const writePlaneContactsSource = kernelSource(writePlaneContactsWgsl, {
  ...{ ...placed, atlas, masks, corners },
  /** Contacts before those of each pair. */
  offsets: { storage: words },
  records: { storage: d.arrayOf(ContactRecord), access: 'mutable' },
});
