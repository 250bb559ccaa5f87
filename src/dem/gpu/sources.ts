/** Kernels of motion and of monitors: their WGSL and bindings. */
import tgpu, { type TgpuBindGroupLayout } from 'typegpu';
import * as d from 'typegpu/data';
import cellsBetweenCode from '../../../shaders/contacts/cells-between.wgsl?raw';
import checkCopiesCode from '../../../shaders/dem/copies/check-copies.wgsl?raw';
import copiesCode from '../../../shaders/dem/copies/copies.wgsl?raw';
import placeCopiesCode from '../../../shaders/dem/copies/place-copies.wgsl?raw';
import addBodySumsCode from '../../../shaders/dem/monitors/add-body-sums.wgsl?raw';
import endStepCode from '../../../shaders/dem/monitors/end-step.wgsl?raw';
import sumBodiesCode from '../../../shaders/dem/monitors/sum-bodies.wgsl?raw';
import sumSpansCode from '../../../shaders/dem/monitors/sum-spans.wgsl?raw';
import driftCode from '../../../shaders/dem/motion/drift.wgsl?raw';
import kickCode from '../../../shaders/dem/motion/kick.wgsl?raw';
import placesCode from '../../../shaders/dem/motion/places.wgsl?raw';
import turnsCode from '../../../shaders/dem/motion/turns.wgsl?raw';
import { ContactBody } from '../../broadphase/layout.ts';
import { pairParts } from '../../convex/gpu/sources.ts';
import { kernelSource, type LayoutEntries } from '../../gpu/kernel.ts';
import type { ShaderSource } from '../../gpu/shader.ts';
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
  StepMonitors,
} from './layout.ts';

/** What kernels may name in `// requires` lines. */
export const motionParts: readonly ShaderSource[] = [
  { name: 'contacts/cells-between.wgsl', code: cellsBetweenCode },
  { name: 'dem/motion/turns.wgsl', code: turnsCode },
  { name: 'dem/motion/places.wgsl', code: placesCode },
  { name: 'dem/copies/copies.wgsl', code: copiesCode },
  { name: 'dem/monitors/add-body-sums.wgsl', code: addBodySumsCode },
  ...pairParts.filter(({ name }) => name === 'convex/pair/twofold.wgsl'),
];

const source = <Entries extends LayoutEntries>(
  name: string,
  code: string,
  layout: TgpuBindGroupLayout<Entries>,
) => kernelSource({ name: `dem/${name}.wgsl`, code }, layout, motionParts);

const read = <S>(storage: S) => ({ storage });
const written = <S>(storage: S) => ({ storage, access: 'mutable' as const });
const control = read(StepControl);
const constants = read(d.arrayOf(BodyConstants));

export const driftSource = source(
  'motion/drift',
  driftCode,
  tgpu
    .bindGroupLayout({
      ...{ control, constants },
      /** A row per step of the submission. */
      driven: read(d.arrayOf(DrivenPlace)),
      planes: read(d.arrayOf(RemovalPlane)),
      state: written(d.arrayOf(MotionBody)),
      bodies: written(d.arrayOf(ContactBody)),
    })
    .$idx(0)
    .$name('driftLayout'),
);

export const checkCopiesSource = source(
  'copies/check-copies',
  checkCopiesCode,
  tgpu
    .bindGroupLayout({
      /** Half the margin, in cells. */
      params: { uniform: d.struct({ most: d.f32 }).$name('CheckParams') },
      ...{ control, state: read(d.arrayOf(MotionBody)), places: read(d.arrayOf(CopyPlace)) },
      /** 1: copies are decided on anew. */
      isStale: written(d.atomic(d.u32)),
    })
    .$idx(0)
    .$name('checkCopiesLayout'),
);

/** Corner of the box; in cells what of an axis is near to it, but for a body's own radius. */
const PlaceParams = d.struct({ lowCell: d.vec3i, lowFraction: d.vec3u, reach: d.vec3f }).$name('PlaceParams');

export const placeCopiesSource = source(
  'copies/place-copies',
  placeCopiesCode,
  tgpu
    .bindGroupLayout({
      ...{ params: { uniform: PlaceParams }, control, sizes: read(d.arrayOf(CopyConstants)) },
      state: written(d.arrayOf(MotionBody)),
      bodies: written(d.arrayOf(ContactBody)),
      places: written(d.arrayOf(CopyPlace)),
      isStale: read(d.u32),
      copies: written(d.arrayOf(ContactBody)),
    })
    .$idx(0)
    .$name('placeCopiesLayout'),
);

export const kickSource = source(
  'motion/kick',
  kickCode,
  tgpu
    .bindGroupLayout({
      ...{ control, constants },
      loads: read(d.arrayOf(BodyLoads)),
      state: written(d.arrayOf(MotionBody)),
    })
    .$idx(0)
    .$name('kickLayout'),
);

export const sumBodiesSource = source(
  'monitors/sum-bodies',
  sumBodiesCode,
  tgpu
    .bindGroupLayout({
      ...{ control, constants },
      state: read(d.arrayOf(MotionBody)),
      starts: read(d.arrayOf(StartPlace)),
      spans: written(d.arrayOf(BodySums)),
      checks: written(BodyChecks),
    })
    .$idx(0)
    .$name('sumBodiesLayout'),
);

export const sumSpansSource = source(
  'monitors/sum-spans',
  sumSpansCode,
  tgpu
    .bindGroupLayout({
      params: { uniform: d.struct({ count: d.u32, zero: d.u32 }).$name('SpanParams') },
      spans: read(d.arrayOf(BodySums)),
      wider: written(d.arrayOf(BodySums)),
    })
    .$idx(0)
    .$name('sumSpansLayout'),
);

export const endStepSource = source(
  'monitors/end-step',
  endStepCode,
  tgpu
    .bindGroupLayout({
      control: written(StepControl),
      /** `ContactHeader` */
      header: read(d.arrayOf(d.u32)),
      forces: read(ForceSums),
      spans: read(d.arrayOf(BodySums)),
      checks: written(BodyChecks),
      monitors: written(StepMonitors),
    })
    .$idx(0)
    .$name('endStepLayout'),
);

export const motionSources = [
  driftSource,
  checkCopiesSource,
  placeCopiesSource,
  kickSource,
  sumBodiesSource,
  sumSpansSource,
  endStepSource,
] as const;
