/** Kernels for contacts of convex pairs: their WGSL and bindings. */
import tgpu from 'typegpu';
import * as d from 'typegpu/data';
import ballsCode from '../../../shaders/contacts/convex/balls.wgsl?raw';
import colliderCentresCode from '../../../shaders/contacts/convex/collider-centres.wgsl?raw';
import colliderPosesCode from '../../../shaders/contacts/convex/collider-poses.wgsl?raw';
import countBallsCode from '../../../shaders/contacts/convex/count-balls.wgsl?raw';
import countContactsCode from '../../../shaders/contacts/convex/count-contacts.wgsl?raw';
import findNearCode from '../../../shaders/contacts/convex/find-near.wgsl?raw';
import foundCode from '../../../shaders/contacts/convex/found.wgsl?raw';
import gatherNearCode from '../../../shaders/contacts/convex/gather-near.wgsl?raw';
import writeBallsCode from '../../../shaders/contacts/convex/write-balls.wgsl?raw';
import writeContactsCode from '../../../shaders/contacts/convex/write-contacts.wgsl?raw';
import sumFacesCode from '../../../shaders/contacts/faces/sum-faces.wgsl?raw';
import writeFacesCode from '../../../shaders/contacts/faces/write-faces.wgsl?raw';
import { ContactBody } from '../../broadphase/layout.ts';
import { Body, pairBuffers, pairTables, stageBuffers } from '../../convex/gpu/layout.ts';
import { pairParts } from '../../convex/gpu/sources.ts';
import { kernelSource } from '../../gpu/kernel.ts';
import { ContactRecord } from '../bodies/device-layout.ts';
import { FaceContacts, facesPart, faceWords } from '../faces/device-layout.ts';

/** Body and part of each collider. */
const owners = { storage: d.arrayOf(d.vec2u) } as const;
/** Where the centre of a collider is, less its body's position, and whose it is. */
export const ColliderOrigin = d.struct({ centre: d.vec3f, body: d.u32, part: d.u32 }).$name('ColliderOrigin');
const origins = { storage: d.arrayOf(ColliderOrigin) } as const;
/** Sizes of dispatches over all pairs, and over those that are solved. */
const sizes = { storage: d.arrayOf(d.vec4u) } as const;
/** Which pairs are solved: how many, then their numbers. */
const list = { storage: d.arrayOf(d.u32) } as const;
/** What a pair is: `find-near.wgsl` has the numbers. */
const flags = { storage: d.arrayOf(d.u32) } as const;
/** Convex bodies of colliders. */
const placed = { storage: d.arrayOf(Body) } as const;
const shapes = pairTables.records;

/** Numbers per pose: seven, in the order of poses. */
const poses = { storage: d.arrayOf(d.f32) } as const;

const ColliderPosesParams = d.struct({ cell: d.f32 }).$name('ColliderPosesParams');

const colliderPosesLayout = tgpu
  .bindGroupLayout({
    params: { uniform: ColliderPosesParams },
    bodies: { storage: d.arrayOf(ContactBody) },
    owners,
    poses: { ...poses, access: 'mutable' },
    rests: { ...poses, access: 'mutable' },
  })
  .$idx(0)
  .$name('colliderPosesLayout');
export const colliderPosesSource = kernelSource(
  { name: 'contacts/convex/collider-poses.wgsl', code: colliderPosesCode },
  colliderPosesLayout,
);

const colliderCentresLayout = tgpu
  .bindGroupLayout({
    poses,
    rests: poses,
    placed,
    /** Whether colliders have a convex body. */
    spans: stageBuffers.spans,
    owners,
    origins: { ...origins, access: 'mutable' },
  })
  .$idx(0)
  .$name('colliderCentresLayout');
export const colliderCentresSource = kernelSource(
  { name: 'contacts/convex/collider-centres.wgsl', code: colliderCentresCode },
  colliderCentresLayout,
);

const ContactPlaceParams = d
  .struct({
    /** Where the counts, or places of contacts, of these pairs begin. */
    countsAt: d.u32,
  })
  .$name('ContactPlaceParams');

const found = {
  places: stageBuffers.places,
  results: { storage: pairBuffers.results.storage },
  contacts: { storage: pairBuffers.contacts.storage },
} as const;
/** What these kernels may name in `// requires` lines, besides those of `src/convex`. */
export const convexContactParts = [
  { name: 'contacts/convex/found.wgsl', code: foundCode },
  { name: 'contacts/convex/balls.wgsl', code: ballsCode },
];
const parts = [...convexContactParts, facesPart, ...pairParts];

/** Of each pair that was solved. */
const faceContacts = { storage: d.arrayOf(FaceContacts) } as const;

const sumFacesLayout = tgpu
  .bindGroupLayout({
    ...{ asked: stageBuffers.asked, places: stageBuffers.places, placed, faces: faceWords },
    results: pairBuffers.results,
    found: { ...faceContacts, access: 'mutable' },
  })
  .$idx(0)
  .$name('sumFacesLayout');
export const sumFacesSource = kernelSource(
  { name: 'contacts/faces/sum-faces.wgsl', code: sumFacesCode },
  sumFacesLayout,
  parts,
);

const writeFacesLayout = tgpu
  .bindGroupLayout({
    params: { uniform: ContactPlaceParams },
    ...{ asked: stageBuffers.asked, list, origins, found: faceContacts },
    offsets: { storage: d.arrayOf(d.u32) },
    records: { storage: d.arrayOf(ContactRecord), access: 'mutable' },
  })
  .$idx(0)
  .$name('writeFacesLayout');
export const writeFacesSource = kernelSource(
  { name: 'contacts/faces/write-faces.wgsl', code: writeFacesCode },
  writeFacesLayout,
);

const countContactsLayout = tgpu
  .bindGroupLayout({
    params: { uniform: ContactPlaceParams },
    list,
    ...found,
    faceContacts,
    counts: { storage: d.arrayOf(d.u32), access: 'mutable' },
  })
  .$idx(0)
  .$name('countContactsLayout');
export const countContactsSource = kernelSource(
  { name: 'contacts/convex/count-contacts.wgsl', code: countContactsCode },
  countContactsLayout,
  parts,
);

const writeContactsLayout = tgpu
  .bindGroupLayout({
    params: { uniform: ContactPlaceParams },
    asked: stageBuffers.asked,
    list,
    origins,
    ...found,
    offsets: { storage: d.arrayOf(d.u32) },
    records: { storage: d.arrayOf(ContactRecord), access: 'mutable' },
  })
  .$idx(0)
  .$name('writeContactsLayout');
export const writeContactsSource = kernelSource(
  { name: 'contacts/convex/write-contacts.wgsl', code: writeContactsCode },
  writeContactsLayout,
  parts,
);

const findNearLayout = tgpu
  .bindGroupLayout({
    sizes,
    asked: stageBuffers.asked,
    placed,
    shapes,
    flags: { ...flags, access: 'mutable' },
  })
  .$idx(0)
  .$name('findNearLayout');
export const findNearSource = kernelSource(
  { name: 'contacts/convex/find-near.wgsl', code: findNearCode },
  findNearLayout,
  parts,
);

const gatherNearLayout = tgpu
  .bindGroupLayout({
    ...{ sizes, asked: stageBuffers.asked, list },
    near: { storage: d.arrayOf(d.vec2u), access: 'mutable' },
  })
  .$idx(0)
  .$name('gatherNearLayout');
export const gatherNearSource = kernelSource(
  { name: 'contacts/convex/gather-near.wgsl', code: gatherNearCode },
  gatherNearLayout,
);

const countBallsLayout = tgpu
  .bindGroupLayout({
    params: { uniform: ContactPlaceParams },
    ...{ sizes, flags },
    counts: { storage: d.arrayOf(d.u32), access: 'mutable' },
  })
  .$idx(0)
  .$name('countBallsLayout');
export const countBallsSource = kernelSource(
  { name: 'contacts/convex/count-balls.wgsl', code: countBallsCode },
  countBallsLayout,
);

const writeBallsLayout = tgpu
  .bindGroupLayout({
    params: { uniform: ContactPlaceParams },
    ...{ sizes, asked: stageBuffers.asked, flags, placed, shapes, origins },
    offsets: { storage: d.arrayOf(d.u32) },
    records: { storage: d.arrayOf(ContactRecord), access: 'mutable' },
  })
  .$idx(0)
  .$name('writeBallsLayout');
export const writeBallsSource = kernelSource(
  { name: 'contacts/convex/write-balls.wgsl', code: writeBallsCode },
  writeBallsLayout,
  parts,
);

export const convexContactSources = [
  findNearSource,
  gatherNearSource,
  countBallsSource,
  writeBallsSource,
  colliderPosesSource,
  colliderCentresSource,
  countContactsSource,
  writeContactsSource,
  sumFacesSource,
  writeFacesSource,
];
