/** Kernels for contacts of convex pairs: their WGSL and bindings. */
import tgpu from 'typegpu';
import * as d from 'typegpu/data';
import colliderCentresCode from '../../../shaders/contacts/convex/collider-centres.wgsl?raw';
import colliderPosesCode from '../../../shaders/contacts/convex/collider-poses.wgsl?raw';
import countContactsCode from '../../../shaders/contacts/convex/count-contacts.wgsl?raw';
import foundCode from '../../../shaders/contacts/convex/found.wgsl?raw';
import writeContactsCode from '../../../shaders/contacts/convex/write-contacts.wgsl?raw';
import { ContactBody } from '../../broadphase/layout.ts';
import { Body, pairBuffers, stageBuffers } from '../../convex/gpu/layout.ts';
import { pairParts } from '../../convex/gpu/sources.ts';
import { kernelSource } from '../../gpu/kernel.ts';
import { ContactRecord } from '../bodies/device-layout.ts';

/** Body and part of each collider. */
const owners = { storage: d.arrayOf(d.vec2u) } as const;
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
    /** Convex bodies of colliders, and whether they have one. */
    placed: { storage: d.arrayOf(Body) },
    spans: stageBuffers.spans,
    /** Centre less the body's position. */
    centres: { storage: d.arrayOf(d.vec4f), access: 'mutable' },
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
export const convexContactParts = [{ name: 'contacts/convex/found.wgsl', code: foundCode }];
const parts = [...convexContactParts, ...pairParts];

const countContactsLayout = tgpu
  .bindGroupLayout({
    params: { uniform: ContactPlaceParams },
    ...found,
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
    owners,
    centres: { storage: d.arrayOf(d.vec4f) },
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

export const convexContactSources = [
  colliderPosesSource,
  colliderCentresSource,
  countContactsSource,
  writeContactsSource,
];
