/** Kernels for contacts of convex pairs: their WGSL and bindings. */
import * as d from 'typegpu/data';
import countBallsWgsl from '../../../shaders/contacts/convex/count-balls.wgsl';
import countContactsWgsl from '../../../shaders/contacts/convex/count-contacts.wgsl';
import findBallContactsWgsl from '../../../shaders/contacts/convex/find-ball-contacts.wgsl';
import findNearWgsl from '../../../shaders/contacts/convex/find-near.wgsl';
import gatherNearWgsl from '../../../shaders/contacts/convex/gather-near.wgsl';
import placeCollidersWgsl from '../../../shaders/contacts/convex/place-colliders.wgsl';
import writeBallContactsWgsl from '../../../shaders/contacts/convex/write-ball-contacts.wgsl';
import writeBallsWgsl from '../../../shaders/contacts/convex/write-balls.wgsl';
import writeContactsWgsl from '../../../shaders/contacts/convex/write-contacts.wgsl';
import sumFacesWgsl from '../../../shaders/contacts/faces/sum-faces.wgsl';
import writeFacesWgsl from '../../../shaders/contacts/faces/write-faces.wgsl';
import partUnmovedWgsl from '../../../shaders/convex/pair/part-unmoved.wgsl';
import { ContactBody } from '../../broadphase/broad-phase-layout.ts';
import { Body, Part, pairBuffers, pairTables, stageBuffers } from '../../convex/gpu/pair-layout.ts';
import { kernelSource } from '../../gpu/kernel.ts';
import { struct } from '../../gpu/struct.ts';
import { ContactRecord } from '../bodies/device-layout.ts';
import { FaceContacts, faceWords } from '../faces/device-layout.ts';

/** Body and part of each collider. */
const owners = { storage: d.arrayOf(d.vec2u) } as const;
/** The centre of a collider, less its body's position, and its body. */
export const ColliderOrigin = struct('ColliderOrigin', { centre: d.vec3f, body: d.u32, part: d.u32 });
const origins = { storage: d.arrayOf(ColliderOrigin) } as const;
/** Sizes of dispatches over all pairs, and over those that are solved. */
const sizes = { storage: d.arrayOf(d.vec4u) } as const;
/** The pairs that are solved: their count, then their numbers. */
const list = { storage: d.arrayOf(d.u32) } as const;
/** A flag per pair: `find-near.wgsl` has their numbers. */
const flags = { storage: d.arrayOf(d.u32) } as const;
/** Convex bodies of colliders. */
const placed = { storage: d.arrayOf(Body) } as const;
const shapes = pairTables.records;

const mutable = <S>({ storage }: { storage: S }) => ({ storage, access: 'mutable' as const });

const placeCollidersBindings = {
  params: {
    uniform: struct('PlaceCollidersParams', {
      cell: d.f32,
      /** Colliders. */
      count: d.u32,
      /** 0, which compilers do not know. */
      zero: d.u32,
    }),
  },
  bodies: { storage: d.arrayOf(ContactBody) },
  owners,
  /** Of each collider; beyond those that there are: it is not convex. */
  shapes: { storage: d.arrayOf(d.u32) },
  /** First part and number of parts of each shape. */
  shapeParts: { storage: d.arrayOf(d.vec2u) },
  parts: { storage: d.arrayOf(Part) },
  placed: mutable(placed),
  /** Whether colliders have a convex body. */
  spans: mutable(stageBuffers.spans),
  origins: mutable(origins),
} as const;
export const placeCollidersSource = kernelSource(placeCollidersWgsl, placeCollidersBindings);
/** The same where all parts have the places of their shapes: the other takes compilers longer. */
export const placeUnmovedCollidersSource = kernelSource(placeCollidersWgsl, placeCollidersBindings, {
  name: 'contacts/convex/place-colliders-0.wgsl',
  parts: { 'convex/pair/part-place.wgsl': partUnmovedWgsl },
});

const ContactPlaceParams = struct('ContactPlaceParams', {
  /** Where the counts, or places of contacts, of these pairs begin. */
  countsAt: d.u32,
});

const found = {
  places: stageBuffers.places,
  results: { storage: pairBuffers.results.storage },
  contacts: { storage: pairBuffers.contacts.storage },
} as const;
/** Of each pair that was solved. */
const faceContacts = { storage: d.arrayOf(FaceContacts) } as const;

export const sumFacesSource = kernelSource(sumFacesWgsl, {
  ...{ asked: stageBuffers.asked, places: stageBuffers.places, placed, faces: faceWords },
  results: pairBuffers.results,
  found: { ...faceContacts, access: 'mutable' },
  open: stageBuffers.open,
});

export const writeFacesSource = kernelSource(writeFacesWgsl, {
  params: { uniform: ContactPlaceParams },
  ...{ asked: stageBuffers.asked, list, origins, found: faceContacts },
  offsets: { storage: d.arrayOf(d.u32) },
  records: { storage: d.arrayOf(ContactRecord), access: 'mutable' },
});

export const countContactsSource = kernelSource(countContactsWgsl, {
  params: { uniform: ContactPlaceParams },
  list,
  ...found,
  faceContacts,
  counts: { storage: d.arrayOf(d.u32), access: 'mutable' },
});

export const writeContactsSource = kernelSource(writeContactsWgsl, {
  params: { uniform: ContactPlaceParams },
  asked: stageBuffers.asked,
  list,
  origins,
  ...found,
  offsets: { storage: d.arrayOf(d.u32) },
  records: { storage: d.arrayOf(ContactRecord), access: 'mutable' },
});

export const findNearSource = kernelSource(findNearWgsl, {
  sizes,
  asked: stageBuffers.asked,
  placed,
  shapes,
  flags: { ...flags, access: 'mutable' },
});

export const gatherNearSource = kernelSource(gatherNearWgsl, {
  ...{ sizes, asked: stageBuffers.asked, list },
  near: { storage: d.arrayOf(d.vec2u), access: 'mutable' },
});

export const countBallsSource = kernelSource(countBallsWgsl, {
  params: { uniform: ContactPlaceParams },
  ...{ sizes, flags },
  counts: { storage: d.arrayOf(d.u32), access: 'mutable' },
});

export const writeBallsSource = kernelSource(writeBallsWgsl, {
  params: { uniform: ContactPlaceParams },
  ...{ sizes, asked: stageBuffers.asked, flags, placed, shapes, origins },
  offsets: { storage: d.arrayOf(d.u32) },
  records: { storage: d.arrayOf(ContactRecord), access: 'mutable' },
});

export const findBallContactsSource = kernelSource(findBallContactsWgsl, {
  params: { uniform: ContactPlaceParams },
  ...{ sizes, asked: stageBuffers.asked, placed, shapes, open: stageBuffers.open },
  counts: { storage: d.arrayOf(d.u32), access: 'mutable' },
});

export const writeBallContactsSource = kernelSource(writeBallContactsWgsl, {
  params: { uniform: ContactPlaceParams },
  ...{ sizes, asked: stageBuffers.asked, placed, shapes, origins },
  offsets: { storage: d.arrayOf(d.u32) },
  records: { storage: d.arrayOf(ContactRecord), access: 'mutable' },
});
