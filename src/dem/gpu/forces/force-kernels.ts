/** The kernels of forces: their WGSL and bindings. */
import * as d from 'typegpu/data';
import groupForcesWgsl from '../../../../shaders/dem/forces/group-forces.wgsl';
import joinSumsWgsl from '../../../../shaders/dem/forces/join-sums.wgsl';
import matchContactsWgsl from '../../../../shaders/dem/forces/match-contacts.wgsl';
import sumGroupsWgsl from '../../../../shaders/dem/forces/sum-groups.wgsl';
import sumLoadsWgsl from '../../../../shaders/dem/forces/sum-loads.wgsl';
import sumRunsWgsl from '../../../../shaders/dem/forces/sum-runs.wgsl';
import { ContactRecord } from '../../../contacts/bodies/device-layout.ts';
import { kernelSource } from '../../../gpu/kernel.ts';
import { struct } from '../../../gpu/struct.ts';
import { BodyConstants, BodyLoads, ForceSums, MotionBody, StepControl } from '../step-layout.ts';

const ForceParams = struct('ForceParams', {
  contactRoom: d.u32,
  rowRoom: d.u32,
  bodies: d.u32,
  materials: d.u32,
  /** First words of the parts of `tables`, as `packForceTables` has them. */
  moduliAt: d.u32,
  bodiesAt: d.u32,
  collidersAt: d.u32,
  /** vec4f of a contact's history. */
  memory: d.u32,
  /** Room for loads of pairs that touch. */
  touchingRoom: d.u32,
});

const SumParams = struct('SumParams', {
  threads: d.u32,
  /** Sums that a thread joins. */
  width: d.u32,
  contactRoom: d.u32,
  /** vec4f of a contact's history. */
  memory: d.u32,
});

const MatchParams = struct('MatchParams', {
  contactRoom: d.u32,
  rowRoom: d.u32,
  /** Places in `offsets`: of each kind's first number, and of the number of all. 2^32 - 1: there are no edges. */
  nodesAt: d.u32,
  edgesAt: d.u32,
  patchesAt: d.u32,
  convexAt: d.u32,
  planesAt: d.u32,
  all: d.u32,
  /** Room for clusters of nodes, and of edges. */
  clusters: d.u32,
  edgeClusters: d.u32,
});

/** Loads on a body from the pairs of a run of its entries. */
export const RunLoads = struct('RunLoads', { force: d.vec3f, spare: d.f32, torque: d.vec3f, rest: d.f32 });

/**
 * History of a contact: `memory` vec4f. There are two of each: `StepControl.current` says which is of the last whole
 * step. The first one is the tangential force on B, and the stiffness of its spring. Only scenes that need them have
 * two more. The second one is, of the first contact of a group, the torque on B that resists rolling; then the energy
 * of the contact's normal spring. The third one is of the first contact of a group: the torque about the normal that
 * resists torsion, the group's stiffness that both were made with, and the energy that they hold.
 */
const ContactHistory = d.vec4f;
/** vec4f of a contact's history: in all, and in scenes without rolling friction where no body is removed. */
export const FULL_MEMORY = 3;
export const SHORT_MEMORY = 1;

/** Loads from the contacts of a group. Forces are those on B; torques are about the centroids. */
export const GroupLoads = struct('GroupLoads', {
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
  spare: d.u32,
  /** and against rolling, on B. */
  rollingTorque: d.vec3f,
  /** The first contact. */
  first: d.u32,
});

const words = d.arrayOf(d.u32);
const params = { uniform: ForceParams } as const;
const control = { storage: StepControl } as const;
const state = { storage: d.arrayOf(MotionBody) } as const;
const constants = { storage: d.arrayOf(BodyConstants) } as const;
const records = { storage: d.arrayOf(ContactRecord) } as const;
const loads = { storage: d.arrayOf(GroupLoads) } as const;
/**
 * Number 0: rows, those that touch, contacts. Then of each row, for both halves, the contacts that `matchContacts`
 * found. Then a word of each row: 1 more than its place in `loads`, or 0 where it touches nothing.
 */
const ranges = { storage: d.arrayOf(d.vec4u) } as const;
/** Of both halves the number of contacts, and of the list of pairs, in a vec4u; then the keys of both halves. */
const keys = { storage: d.arrayOf(d.vec4u), access: 'mutable' } as const;

export const matchContactsSource = kernelSource(matchContactsWgsl, {
  ...{ params: { uniform: MatchParams }, control, table: { storage: words }, keys },
  /** Contacts before those of each cluster, or pair; and the first clusters of pairs of polyhedra. */
  ...{ offsets: { storage: words }, nodeFirsts: { storage: words }, edgeFirsts: { storage: words } },
  records: { ...records, access: 'mutable' },
  ranges: { ...ranges, access: 'mutable' },
});

export const groupForcesSource = kernelSource(groupForcesWgsl, {
  ...{ params, control, state, constants },
  /** Its words. */
  ranges: { storage: d.arrayOf(d.atomic(d.u32)), access: 'mutable' },
  records: { ...records, access: 'mutable' },
  /** As `packForceTables` says. */
  tables: { storage: words },
  history: { storage: d.arrayOf(ContactHistory), access: 'mutable' },
  loads: { ...loads, access: 'mutable' },
});

export const sumRunsSource = kernelSource(sumRunsWgsl, {
  params: {
    uniform: struct('RunParams', {
      /** First word of the rows' places in `loads`. */
      placesAt: d.u32,
    }),
  },
  ...{ table: { storage: words }, entries: { storage: words }, places: { storage: words }, loads },
  runOf: { storage: words, access: 'mutable' },
  runs: { storage: d.arrayOf(RunLoads), access: 'mutable' },
});

export const sumLoadsSource = kernelSource(sumLoadsWgsl, {
  params: { uniform: struct('LoadParams', { bodies: d.u32 }) },
  ...{ starts: { storage: words }, entries: { storage: words }, runOf: { storage: words } },
  runs: { storage: d.arrayOf(RunLoads) },
  loads: { storage: d.arrayOf(BodyLoads), access: 'mutable' },
});

export const sumGroupsSource = kernelSource(sumGroupsWgsl, {
  ...{ params: { uniform: SumParams }, control, records, loads, state, constants },
  keys: { storage: d.arrayOf(d.vec4u) },
  history: { storage: d.arrayOf(ContactHistory) },
  sums: { storage: d.arrayOf(ForceSums), access: 'mutable' },
});

export const joinSumsSource = kernelSource(joinSumsWgsl, {
  params: { uniform: SumParams },
  parts: { storage: d.arrayOf(ForceSums) },
  sums: { storage: d.arrayOf(ForceSums), access: 'mutable' },
});
