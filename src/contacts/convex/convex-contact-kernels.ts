/** Kernels for contacts of convex pairs: their WGSL and bindings. */
import tgpu from 'typegpu';
import * as d from 'typegpu/data';
import colliderCentresWgsl from '../../../shaders/contacts/convex/collider-centres.wgsl';
import colliderPosesWgsl from '../../../shaders/contacts/convex/collider-poses.wgsl';
import countBallsWgsl from '../../../shaders/contacts/convex/count-balls.wgsl';
import countContactsWgsl from '../../../shaders/contacts/convex/count-contacts.wgsl';
import findNearWgsl from '../../../shaders/contacts/convex/find-near.wgsl';
import gatherNearWgsl from '../../../shaders/contacts/convex/gather-near.wgsl';
import writeBallsWgsl from '../../../shaders/contacts/convex/write-balls.wgsl';
import writeContactsWgsl from '../../../shaders/contacts/convex/write-contacts.wgsl';
import sumFacesWgsl from '../../../shaders/contacts/faces/sum-faces.wgsl';
import writeFacesWgsl from '../../../shaders/contacts/faces/write-faces.wgsl';
import { ContactBody } from '../../broadphase/broad-phase-layout.ts';
import { Body, pairBuffers, pairTables, stageBuffers } from '../../convex/gpu/pair-layout.ts';
import { kernelSource } from '../../gpu/kernel.ts';
import { ContactRecord } from '../bodies/device-layout.ts';
import { FaceContacts, faceWords } from '../faces/device-layout.ts';

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
export const colliderPosesSource = kernelSource(colliderPosesWgsl, colliderPosesLayout);

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
export const colliderCentresSource = kernelSource(colliderCentresWgsl, colliderCentresLayout);

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
export const sumFacesSource = kernelSource(sumFacesWgsl, sumFacesLayout);

const writeFacesLayout = tgpu
  .bindGroupLayout({
    params: { uniform: ContactPlaceParams },
    ...{ asked: stageBuffers.asked, list, origins, found: faceContacts },
    offsets: { storage: d.arrayOf(d.u32) },
    records: { storage: d.arrayOf(ContactRecord), access: 'mutable' },
  })
  .$idx(0)
  .$name('writeFacesLayout');
export const writeFacesSource = kernelSource(writeFacesWgsl, writeFacesLayout);

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
export const countContactsSource = kernelSource(countContactsWgsl, countContactsLayout);

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
export const writeContactsSource = kernelSource(writeContactsWgsl, writeContactsLayout);

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
export const findNearSource = kernelSource(findNearWgsl, findNearLayout);

const gatherNearLayout = tgpu
  .bindGroupLayout({
    ...{ sizes, asked: stageBuffers.asked, list },
    near: { storage: d.arrayOf(d.vec2u), access: 'mutable' },
  })
  .$idx(0)
  .$name('gatherNearLayout');
export const gatherNearSource = kernelSource(gatherNearWgsl, gatherNearLayout);

const countBallsLayout = tgpu
  .bindGroupLayout({
    params: { uniform: ContactPlaceParams },
    ...{ sizes, flags },
    counts: { storage: d.arrayOf(d.u32), access: 'mutable' },
  })
  .$idx(0)
  .$name('countBallsLayout');
export const countBallsSource = kernelSource(countBallsWgsl, countBallsLayout);

const writeBallsLayout = tgpu
  .bindGroupLayout({
    params: { uniform: ContactPlaceParams },
    ...{ sizes, asked: stageBuffers.asked, flags, placed, shapes, origins },
    offsets: { storage: d.arrayOf(d.u32) },
    records: { storage: d.arrayOf(ContactRecord), access: 'mutable' },
  })
  .$idx(0)
  .$name('writeBallsLayout');
export const writeBallsSource = kernelSource(writeBallsWgsl, writeBallsLayout);
