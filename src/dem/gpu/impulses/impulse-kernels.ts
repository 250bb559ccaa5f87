/** Kernels of impulses: their WGSL and bindings. docs/dem.md, "Impulses on the GPU". */
import * as d from 'typegpu/data';
import beginBodiesWgsl from '../../../../shaders/dem/impulses/begin-bodies.wgsl';
import chooseContactsWgsl from '../../../../shaders/dem/impulses/choose-contacts.wgsl';
import colourGroupsWgsl from '../../../../shaders/dem/impulses/colour-groups.wgsl';
import fallBodiesWgsl from '../../../../shaders/dem/impulses/fall-bodies.wgsl';
import findColoursWgsl from '../../../../shaders/dem/impulses/find-colours.wgsl';
import finishBodiesWgsl from '../../../../shaders/dem/impulses/finish-bodies.wgsl';
import joinSplitsWgsl from '../../../../shaders/dem/impulses/join-splits.wgsl';
import listColoursWgsl from '../../../../shaders/dem/impulses/list-colours.wgsl';
import moveBodiesWgsl from '../../../../shaders/dem/impulses/move-bodies.wgsl';
import prepareGroupsWgsl from '../../../../shaders/dem/impulses/prepare-groups.wgsl';
import prepareRowsWgsl from '../../../../shaders/dem/impulses/prepare-rows.wgsl';
import solveRowsWgsl from '../../../../shaders/dem/impulses/solve-rows.wgsl';
import storeImpulsesWgsl from '../../../../shaders/dem/impulses/store-impulses.wgsl';
import sumFoundWgsl from '../../../../shaders/dem/impulses/sum-found.wgsl';
import sumImpulsesWgsl from '../../../../shaders/dem/impulses/sum-impulses.wgsl';
import totalRowsWgsl from '../../../../shaders/dem/impulses/total-rows.wgsl';
import { ContactBody } from '../../../broadphase/broad-phase-layout.ts';
import { ContactRecord } from '../../../contacts/bodies/device-layout.ts';
import { kernelSource } from '../../../gpu/kernel.ts';
import { struct } from '../../../gpu/struct.ts';
import { GroupLoads } from '../forces/force-kernels.ts';
import {
  BodyChecks,
  BodyConstants,
  DrivenPlace,
  ForceSums,
  MotionBody,
  RemovalPlane,
  StepControl,
  StepGravity,
} from '../step-layout.ts';

/** Bodies during a step: `SolverBodies` of the float64 twin. */
export const SolverBody = struct('SolverBody', {
  /** In two parts; impulses change the first one alone. */
  velocity: d.vec3f,
  /** 0 for bodies that forces do not move, and for those that are not there. */
  inverseMass: d.f32,
  velocityLow: d.vec3f,
  /** Energies that falling, and pairs past the last colour, have brought in. */
  gained: d.f32,
  /** Angular velocity, in the world's axes. */
  spin: d.vec3f,
  /** 1: it has rows. */
  isHeld: d.u32,
  momentum: d.vec3f,
  /** Pairs past the last colour that it has. */
  splits: d.f32,
  /** Way and turn since the step began. */
  way: d.vec3f,
  isDriven: d.u32,
  turn: d.vec3f,
  material: d.u32,
  /** Inverse moments in the world. */
  inverse0: d.vec3f,
  radius: d.f32,
  inverse1: d.vec3f,
  spare1: d.f32,
  inverse2: d.vec3f,
  spare2: d.f32,
  /** Of a belt. */
  surface: d.vec3f,
  spare3: d.f32,
  /** From the shape's position to the centroid, and where that was at the start: as in `MotionBody`. */
  centroid: d.vec3f,
  spare4: d.f32,
  cell: d.vec3i,
  spare5: d.f32,
  fraction: d.vec3u,
  spare6: d.f32,
});

/** Of each row of pairs: contacts that were chosen, and what is known of all. */
export const ChosenContacts = struct('ChosenContacts', {
  /** Places in the list. */
  contacts: d.arrayOf(d.vec4u, 2),
  bodies: d.vec2u,
  count: d.u32,
  /** The pair's first contact. */
  first: d.u32,
  /** Contacts that float32 left open. */
  open: d.u32,
  deepest: d.f32,
  pullArea: d.f32,
  spare: d.u32,
});

const colourOfGroup = <S extends d.AnyWgslData>(state: S) => ({
  priority: d.u32,
  /** Its colour and when it was taken; `shaders/dem/impulses/colour-groups.wgsl`. */
  state,
  /** Bodies that move; 2^32 - 1 for others. */
  a: d.u32,
  b: d.u32,
});
export const ColourOfGroup = struct('ColourOfGroup', colourOfGroup(d.u32));
const ColourUnderWay = struct('ColourUnderWay', colourOfGroup(d.atomic(d.u32)));

/** A direction that an impulse is found for: `Row` of src/dem/impulses/rows.ts. */
export const ImpulseRow = struct('ImpulseRow', {
  normal: d.vec3f,
  /** Distance where it was found. */
  found: d.f32,
  along: d.vec3f,
  impulse: d.f32,
  /** From the centroids to the contact, where it was found. */
  foundA: d.vec3f,
  impulseAlong: d.f32,
  foundB: d.vec3f,
  impulseAcross: d.f32,
  mass: d.f32,
  massAlong: d.f32,
  massAcross: d.f32,
  bounce: d.f32,
  total: d.vec3f,
  pressed: d.f32,
  speed: d.vec3f,
  belt: d.f32,
  /** Impulses of bouncing: along the normal, `along` and across. */
  bounced: d.vec3f,
  /** Its place in the list. */
  contact: d.u32,
});

/** Data that rows of a pair share, and its rolling: `Roll` of src/dem/impulses/rows.ts. */
export const ImpulseGroup = struct('ImpulseGroup', {
  a: d.u32,
  b: d.u32,
  /** Its first row, and how many there are. */
  first: d.u32,
  count: d.u32,
  colour: d.u32,
  friction: d.f32,
  left: d.f32,
  push: d.f32,
  least: d.f32,
  rolling: d.f32,
  torsion: d.f32,
  restitution: d.f32,
  axis: d.vec3f,
  massAlong: d.f32,
  along: d.vec3f,
  massAcross: d.f32,
  speed: d.vec3f,
  massAbout: d.f32,
  /** Angular impulses along, across and about the axis. */
  twist: d.vec3f,
  /** Energies of the step, as in `ForceSums`. */
  driven: d.f32,
  gained: d.f32,
  bounced: d.f32,
  slid: d.f32,
  rolled: d.f32,
  /** Past the last colour: what the bodies' parts were given in a pass, the impulse that of B. */
  splitPush: d.vec3f,
  spare1: d.f32,
  splitTurnA: d.vec3f,
  spare2: d.f32,
  splitTurnB: d.vec3f,
  spare3: d.f32,
});

/**
 * History of a contact: mean forces of the last substep, as the next one may be shorter. Of the first contact of a
 * pair, `rolling` is the torque of the pair.
 */
export const ImpulseHistory = struct('ImpulseHistory', {
  friction: d.vec3f,
  force: d.f32,
  rolling: d.vec3f,
  spare: d.f32,
});

/** Parameters of all kernels: each reads those that it needs. */
export const ImpulseParams = struct('ImpulseParams', {
  contactRoom: d.u32,
  rowRoom: d.u32,
  substeps: d.u32,
  materials: d.u32,
  /** Colours that pairs are solved by, one after another; then come those past the last one. */
  colours: d.u32,
  /** 1: some materials pull. */
  hasCohesion: d.u32,
  /** Numbers of src/dem/constants.ts. */
  directionShare: d.f32,
  left: d.f32,
  push: d.f32,
  bounceFalls: d.f32,
  farthest: d.f32,
  /** Of soft constraints, per substep. */
  rate: d.f32,
  massShare: d.f32,
  impulseShare: d.f32,
});

const PassParams = struct('PassParams', {
  substeps: d.u32,
  colours: d.u32,
  rate: d.f32,
  massShare: d.f32,
  impulseShare: d.f32,
  /** Colours, and threads. */
  first: d.u32,
  last: d.u32,
  threads: d.u32,
  /** `Pass` */
  kind: d.u32,
});

const RoundParams = struct('RoundParams', {
  rowRoom: d.u32,
  colours: d.u32,
  first: d.u32,
  last: d.u32,
  threads: d.u32,
});

const SumParams = struct('ThreadParams', { threads: d.u32 });

const read = <S>(storage: S) => ({ storage });
const written = <S>(storage: S) => ({ storage, access: 'mutable' as const });
const words = d.arrayOf(d.u32);
const params = { uniform: ImpulseParams } as const;
const control = read(StepControl);
const constants = read(d.arrayOf(BodyConstants));
const gravities = read(d.arrayOf(StepGravity));
const records = read(d.arrayOf(ContactRecord));
const ranges = read(d.arrayOf(d.vec4u));
const keys = read(d.arrayOf(d.vec4u));
const history = d.arrayOf(ImpulseHistory);
const picks = d.arrayOf(ChosenContacts);
const solver = d.arrayOf(SolverBody);
const rows = d.arrayOf(ImpulseRow);
const groups = d.arrayOf(ImpulseGroup);
const ofBodies = { starts: read(words), entries: read(words) } as const;

export const chooseContactsSource = kernelSource(chooseContactsWgsl, {
  ...{ params, control, ranges, constants },
  ...{ records: written(d.arrayOf(ContactRecord)), history: written(history), picks: written(picks) },
  ...{ colours: written(d.arrayOf(ColourOfGroup)), counts: written(words) },
});

export const colourGroupsSource = kernelSource(colourGroupsWgsl, {
  ...{ params: { uniform: RoundParams }, control, ...ofBodies },
  colours: written(d.arrayOf(ColourUnderWay)),
});

export const listColoursSource = kernelSource(listColoursWgsl, {
  ...{ params, colours: read(d.arrayOf(ColourOfGroup)), keys: written(words), order: written(words) },
});

export const findColoursSource = kernelSource(findColoursWgsl, {
  params,
  keys: read(words),
  firsts: written(words),
});

export const beginBodiesSource = kernelSource(beginBodiesWgsl, {
  ...{ params, control, constants, ...ofBodies, colours: read(d.arrayOf(ColourOfGroup)) },
  ...{ state: written(d.arrayOf(MotionBody)), solver: written(solver) },
});

export const prepareGroupsSource = kernelSource(prepareGroupsWgsl, {
  ...{ params, control, picks: read(picks), offsets: read(words) },
  ...{ colours: read(d.arrayOf(ColourOfGroup)), solver: read(solver) },
  /** `packImpulseTable` */
  ...{ table: read(d.arrayOf(d.f32)), groups: written(groups) },
});

export const prepareRowsSource = kernelSource(prepareRowsWgsl, {
  ...{
    params,
    control,
    records,
    history: read(history),
    picks: read(picks),
    solver: read(solver),
    gravities,
  },
  ...{ groups: written(groups), rows: written(rows) },
});

export const fallBodiesSource = kernelSource(fallBodiesWgsl, {
  params,
  control,
  gravities,
  solver: written(solver),
});

export const moveBodiesSource = kernelSource(moveBodiesWgsl, {
  ...{ params, control, gravities, constants },
  ...{ state: written(d.arrayOf(MotionBody)), solver: written(solver) },
});

export const solveRowsSource = kernelSource(solveRowsWgsl, {
  ...{ params: { uniform: PassParams }, control, order: read(words), firsts: read(words) },
  ...{ groups: written(groups), rows: written(rows), solver: written(solver) },
});

export const joinSplitsSource = kernelSource(joinSplitsWgsl, {
  params,
  control,
  ...ofBodies,
  groups: read(groups),
  solver: written(solver),
});

export const totalRowsSource = kernelSource(totalRowsWgsl, {
  ...{ params, control, solver: read(solver), groups: written(groups), rows: written(rows) },
});

export const storeImpulsesSource = kernelSource(storeImpulsesWgsl, {
  ...{ params, control, ranges, solver: read(solver), groups: read(groups), rows: read(rows) },
  ...{ history: written(history), loads: written(d.arrayOf(GroupLoads)) },
  /** Of each row 1 more than its place in `loads`, or 0 where it touches nothing. */
  places: written(d.arrayOf(d.u32)),
});

export const finishBodiesSource = kernelSource(finishBodiesWgsl, {
  ...{ params, control, constants, driven: read(d.arrayOf(DrivenPlace)) },
  ...{ planes: read(d.arrayOf(RemovalPlane)), solver: read(solver) },
  ...{ state: written(d.arrayOf(MotionBody)), bodies: written(d.arrayOf(ContactBody)) },
  checks: written(BodyChecks),
});

export const sumImpulsesSource = kernelSource(sumImpulsesWgsl, {
  ...{ params: { uniform: SumParams }, control, keys, records },
  ...{ groups: read(groups), solver: read(solver), sums: written(d.arrayOf(ForceSums)) },
});

export const sumFoundSource = kernelSource(sumFoundWgsl, {
  ...{ params: { uniform: SumParams }, control, keys, records, picks: read(picks) },
  ...{ state: read(d.arrayOf(MotionBody)), constants, sums: written(d.arrayOf(ForceSums)) },
});
