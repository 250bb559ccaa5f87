/** Bindings of the kernels of forces. */
import tgpu from 'typegpu';
import * as d from 'typegpu/data';
import { ContactRecord } from '../../../contacts/bodies/device-layout.ts';
import { BodyConstants, BodyLoads, ForceSums, MotionBody, StepControl } from '../step-layout.ts';

const ForceParams = d
  .struct({
    contactRoom: d.u32,
    groupRoom: d.u32,
    bodies: d.u32,
    materials: d.u32,
    /** Where parts of `tables` begin: `packForceTables`. */
    moduliAt: d.u32,
    bodiesAt: d.u32,
    collidersAt: d.u32,
  })
  .$name('ForceParams');

const SumParams = d
  .struct({
    threads: d.u32,
    /** Sums that a thread joins. */
    width: d.u32,
    groupRoom: d.u32,
    contactRoom: d.u32,
  })
  .$name('SumParams');

/** Numbers of the step under way: of contacts, and of entries of groups in the lists of their bodies. */
export const ForceTally = d.struct({ contacts: d.u32, entries: d.u32 }).$name('ForceTally');

/** What a contact remembers. There are two of each: `StepControl.current` says which is of the last whole step. */
export const ContactHistory = d
  .struct({
    /** Tangential force on B, and the stiffness of its spring. */
    force: d.vec3f,
    stiffness: d.f32,
    /** Of the first contact of a group: torque on B that resists rolling, */
    rolling: d.vec3f,
    /** Of the normal spring. */
    energy: d.f32,
    /** the one about the normal that resists torsion, */
    torsion: d.f32,
    /** the group's stiffness that both were made with, and the energy that they hold. */
    groupStiffness: d.f32,
    rolled: d.f32,
    spare: d.f32,
  })
  .$name('ContactHistory');

/** What the contacts of a group do. Forces are those on B; torques are about the centroids. */
export const GroupLoads = d
  .struct({
    force: d.vec3f,
    a: d.u32,
    torqueA: d.vec3f,
    b: d.u32,
    torqueB: d.vec3f,
    /** Energies. */
    elastic: d.f32,
    /** Of these loads what dashpots do, */
    dashpotForce: d.vec3f,
    tangential: d.f32,
    dashpotTorqueA: d.vec3f,
    /** Deepest overlap. */
    deepest: d.f32,
    dashpotTorqueB: d.vec3f,
    frequency: d.f32,
    /** what friction does, */
    frictionForce: d.vec3f,
    /** Contacts that float32 left open. */
    open: d.u32,
    frictionTorqueA: d.vec3f,
    /** Energy of springs against rolling and torsion. */
    rolled: d.f32,
    frictionTorqueB: d.vec3f,
    spareB: d.u32,
    /** and against rolling, on B. */
    rollingTorque: d.vec3f,
    spareC: d.u32,
  })
  .$name('GroupLoads');

const words = d.arrayOf(d.u32);
const params = { uniform: ForceParams } as const;
const control = { storage: StepControl } as const;
const tally = { storage: ForceTally } as const;
const state = { storage: d.arrayOf(MotionBody) } as const;
const constants = { storage: d.arrayOf(BodyConstants) } as const;
const records = { storage: d.arrayOf(ContactRecord) } as const;
const loads = { storage: d.arrayOf(GroupLoads) } as const;
/** Number 0: groups that there is room for, groups, contacts. Then of each group what `group-ranges.wgsl` says. */
const ranges = { storage: d.arrayOf(d.vec4u) } as const;
/** Numbers of contacts of both halves, each in a vec4u; then the keys of both halves. */
const keys = { storage: d.arrayOf(d.vec4u), access: 'mutable' } as const;

export const beginForcesLayout = tgpu
  .bindGroupLayout({
    ...{ params, control },
    /** As `ContactHeader`. */
    header: { storage: words },
    tally: { ...tally, access: 'mutable' },
    ranges: { ...ranges, access: 'mutable' },
    keys,
  })
  .$idx(0)
  .$name('beginForcesLayout');

export const matchContactsLayout = tgpu
  .bindGroupLayout({
    ...{ params, control, tally, keys },
    records: { ...records, access: 'mutable' },
    /** 1 for the first contact of a group. */
    flags: { storage: words, access: 'mutable' },
  })
  .$idx(0)
  .$name('matchContactsLayout');

export const groupRangesLayout = tgpu
  .bindGroupLayout({
    ...{ params, control, records },
    tally: { ...tally, access: 'mutable' },
    /** How many groups there are; then their first contacts. */
    firsts: { storage: words },
    ranges: { ...ranges, access: 'mutable' },
    entryBodies: { storage: words, access: 'mutable' },
    entries: { storage: words, access: 'mutable' },
  })
  .$idx(0)
  .$name('groupRangesLayout');

export const groupForcesLayout = tgpu
  .bindGroupLayout({
    ...{ params, control, records, ranges, state, constants },
    /** As `packForceTables` says. */
    tables: { storage: words },
    history: { storage: d.arrayOf(ContactHistory), access: 'mutable' },
    loads: { ...loads, access: 'mutable' },
  })
  .$idx(0)
  .$name('groupForcesLayout');

export const spreadLoadsLayout = tgpu
  .bindGroupLayout({
    ...{ tally, loads },
    entries: { storage: words },
    values: { storage: d.arrayOf(BodyLoads), access: 'mutable' },
  })
  .$idx(0)
  .$name('spreadLoadsLayout');

export const bodyStartsLayout = tgpu
  .bindGroupLayout({
    ...{ params, tally },
    entryBodies: { storage: words },
    starts: { storage: words, access: 'mutable' },
  })
  .$idx(0)
  .$name('bodyStartsLayout');

export const sumGroupsLayout = tgpu
  .bindGroupLayout({
    ...{ params: { uniform: SumParams }, control, ranges, loads, state, constants },
    keys: { storage: d.arrayOf(d.vec4u) },
    history: { storage: d.arrayOf(ContactHistory) },
    sums: { storage: d.arrayOf(ForceSums), access: 'mutable' },
  })
  .$idx(0)
  .$name('sumGroupsLayout');

export const joinSumsLayout = tgpu
  .bindGroupLayout({
    ...{ params: { uniform: SumParams }, ranges },
    parts: { storage: d.arrayOf(ForceSums) },
    sums: { storage: d.arrayOf(ForceSums), access: 'mutable' },
  })
  .$idx(0)
  .$name('joinSumsLayout');
