/** Kernels of motion and of monitors: their WGSL and bindings. */
import * as d from 'typegpu/data';
import checkCopiesWgsl from '../../../shaders/dem/copies/check-copies.wgsl';
import placeCopiesWgsl from '../../../shaders/dem/copies/place-copies.wgsl';
import endStepWgsl from '../../../shaders/dem/monitors/end-step.wgsl';
import sumBodiesWgsl from '../../../shaders/dem/monitors/sum-bodies.wgsl';
import sumSpansWgsl from '../../../shaders/dem/monitors/sum-spans.wgsl';
import driftWgsl from '../../../shaders/dem/motion/drift.wgsl';
import kickWgsl from '../../../shaders/dem/motion/kick.wgsl';
import { ContactBody } from '../../broadphase/broad-phase-layout.ts';
import { kernelSource } from '../../gpu/kernel.ts';
import { struct } from '../../gpu/struct.ts';
import {
  BodyChecks,
  BodyConstants,
  BodyLoads,
  BodySums,
  CopyConstants,
  CopyPlace,
  DrivenPlace,
  ForceSums,
  MotionBody,
  RemovalPlane,
  StartPlace,
  StepControl,
  StepGravity,
  StepMonitors,
} from './step-layout.ts';

/** Parts that kernels may name in `// requires` lines. */
const read = <S>(storage: S) => ({ storage });
const written = <S>(storage: S) => ({ storage, access: 'mutable' as const });
const control = read(StepControl);
const constants = read(d.arrayOf(BodyConstants));
/** Rows per step of the submission. */
const driven = read(d.arrayOf(DrivenPlace));
const gravities = read(d.arrayOf(StepGravity));

export const driftSource = kernelSource(driftWgsl, {
  ...{ control, constants, driven },
  planes: read(d.arrayOf(RemovalPlane)),
  state: written(d.arrayOf(MotionBody)),
  bodies: written(d.arrayOf(ContactBody)),
});

export const checkCopiesSource = kernelSource(checkCopiesWgsl, {
  /** Half the margin, in cells. */
  params: { uniform: struct('CheckParams', { most: d.f32 }) },
  ...{ control, state: read(d.arrayOf(MotionBody)), places: read(d.arrayOf(CopyPlace)) },
  /** 1: copies are decided on anew. */
  isStale: written(d.atomic(d.u32)),
});

/** Corner of the box. `reach`: up to how many cells from a side bodies have copies, their own radius left out. */
const PlaceParams = struct('PlaceParams', { lowCell: d.vec3i, lowFraction: d.vec3u, reach: d.vec3f });

export const placeCopiesSource = kernelSource(placeCopiesWgsl, {
  ...{ params: { uniform: PlaceParams }, control, sizes: read(d.arrayOf(CopyConstants)) },
  state: written(d.arrayOf(MotionBody)),
  bodies: written(d.arrayOf(ContactBody)),
  places: written(d.arrayOf(CopyPlace)),
  isStale: read(d.u32),
  copies: written(d.arrayOf(ContactBody)),
});

export const kickSource = kernelSource(kickWgsl, {
  ...{ control, constants, driven, gravities },
  loads: read(d.arrayOf(BodyLoads)),
  state: written(d.arrayOf(MotionBody)),
});

export const sumBodiesSource = kernelSource(sumBodiesWgsl, {
  ...{ control, constants, gravities },
  state: read(d.arrayOf(MotionBody)),
  starts: read(d.arrayOf(StartPlace)),
  spans: written(d.arrayOf(BodySums)),
  checks: written(BodyChecks),
});

export const sumSpansSource = kernelSource(sumSpansWgsl, {
  params: { uniform: struct('SpanParams', { count: d.u32, zero: d.u32 }) },
  spans: read(d.arrayOf(BodySums)),
  wider: written(d.arrayOf(BodySums)),
});

export const endStepSource = kernelSource(endStepWgsl, {
  control: written(StepControl),
  /** `ContactHeader` */
  header: read(d.arrayOf(d.u32)),
  /** `HeaderWord` of the list of pairs. */
  list: read(d.arrayOf(d.u32)),
  forces: read(ForceSums),
  spans: read(d.arrayOf(BodySums)),
  checks: written(BodyChecks),
  monitors: written(StepMonitors),
});
