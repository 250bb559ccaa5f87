/**
 * Steps on the GPU: it records all kernels of a step into a command encoder, and nothing in it waits. docs/dem.md,
 * "Steps on the GPU".
 */
import * as d from 'typegpu/data';
import { ContactBody } from '../../broadphase/broad-phase-layout.ts';
import type { GpuContacts } from '../../contacts/gpu/gpu-contacts.ts';
import { ContactHeader } from '../../contacts/gpu/header.ts';
import { bind } from '../../gpu/bind.ts';
import { BufferPool, writeBuffer } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { compileKernels, type KernelsOf } from '../../gpu/kernel.ts';
import { owned } from '../../gpu/owned.ts';
import type { Recorder } from '../../gpu/recorder.ts';
import { WORD } from '../../gpu/words.ts';
import type { StepClock } from '../motion/step-clock.ts';
import type { SimulationModel } from '../scene/model.ts';
import type { RepeatedSpace } from '../scene/repeated-space.ts';
import { DeviceCopies } from './device-copies.ts';
import type { DeviceResponse } from './device-response.ts';
import { DRIVEN_WORDS, packConstants, packPlanes } from './pack.ts';
import { driftSource, endStepSource, kickSource, sumBodiesSource, sumSpansSource } from './step-kernels.ts';
import {
  BodyChecks,
  BodySums,
  MotionBody,
  NO_BODY,
  StartPlace,
  StepControl,
  StepGravity,
  StepMonitors,
} from './step-layout.ts';

/** Bodies, and sums of these, that one thread adds up: `SPAN` in the WGSL. */
const SPAN = 64;
/** Most steps of a submission: rows of the tables of gravity and of driven bodies. */
export const STEPS_AT_ONCE = 64;

/** Contacts and what they do, for a number of contacts. */
export interface StepStages {
  readonly contacts: GpuContacts;
  readonly response: DeviceResponse;
}

/** Parts that steps are made of. */
export interface StepsOptions {
  readonly model: SimulationModel;
  readonly clock: StepClock;
  /** Edge of the cells of positions. */
  readonly cell: number;
  /** Undefined: space does not repeat. */
  readonly space: RepeatedSpace | undefined;
  /** Of the contact pipeline's list of pairs, a length. */
  readonly margin: number;
}

const KERNELS = {
  ...{ drift: driftSource, kick: kickSource },
  ...{ sumBodies: sumBodiesSource, sumSpans: sumSpansSource, endStep: endStepSource },
};
type Kernels = KernelsOf<typeof KERNELS>;

export class DeviceSteps {
  /** `MotionBody`, both halves. */
  readonly state: GPUBuffer;
  /** `ContactBody` */
  readonly bodies: GPUBuffer;
  readonly control: GPUBuffer;
  readonly monitors: GPUBuffer;
  readonly starts: GPUBuffer;
  readonly driven: GPUBuffer;
  readonly gravities: GPUBuffer;
  /** Periods of space, where it repeats. */
  readonly copies: DeviceCopies | undefined;
  readonly pool: BufferPool;
  readonly #device: Device;
  readonly #kernels: Kernels;
  readonly #constants: GPUBuffer;
  readonly #planes: GPUBuffer;
  readonly #checks: GPUBuffer;
  /** Sums of bodies, of these sums, and so on until there is one; how many there are of each. */
  readonly #sums: readonly { readonly buffer: GPUBuffer; readonly count: number }[];
  readonly #model: SimulationModel;

  private constructor(
    device: Device,
    kernels: Kernels,
    pool: BufferPool,
    options: StepsOptions,
    copies: DeviceCopies | undefined,
  ) {
    const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
    const { model, clock, cell } = options;
    const { count } = model;
    const all = STORAGE | COPY_SRC | COPY_DST;
    this.#device = device;
    this.#kernels = kernels;
    this.pool = pool;
    this.#model = model;
    this.copies = copies;
    this.state = pool.reserve('bodies in motion', 2 * d.sizeOf(MotionBody) * count, all);
    this.bodies = pool.reserve('bodies', d.sizeOf(ContactBody) * count, all);
    this.control = pool.reserve('control', d.sizeOf(StepControl), all);
    this.monitors = pool.reserve('monitors', d.sizeOf(StepMonitors), all);
    this.starts = pool.reserve('places at first', d.sizeOf(StartPlace) * count, all);
    const gravityBytes = d.sizeOf(StepGravity) * STEPS_AT_ONCE;
    this.gravities = pool.reserve('gravity of steps', gravityBytes, STORAGE | COPY_DST);
    const rows = Math.max(1, model.driven.size + model.servos.size) * STEPS_AT_ONCE;
    this.driven = pool.reserve('driven bodies', WORD * DRIVEN_WORDS * rows, STORAGE | COPY_DST);
    this.#constants = pool.upload('constants of bodies', packConstants(model, clock));
    this.#planes = pool.upload('removal planes', packPlanes(model, cell));
    this.#checks = pool.reserve('checks', d.sizeOf(BodyChecks), STORAGE | COPY_DST);
    writeBuffer(device, this.#checks, Uint32Array.of(NO_BODY, NO_BODY, NO_BODY));
    const sums: { buffer: GPUBuffer; count: number }[] = [];
    for (let left = count; left > 1 || sums.length === 0; ) {
      left = Math.ceil(left / SPAN);
      const buffer = pool.reserve(`sums ${sums.length}`, d.sizeOf(BodySums) * left, STORAGE);
      sums.push({ buffer, count: left });
    }
    this.#sums = sums;
  }

  /** @throws DeviceError `limits` where the device allows no buffer so large */
  static async create(device: Device, options: StepsOptions): Promise<DeviceSteps> {
    const kernels = await compileKernels(device, KERNELS);
    return owned(async (owner) => {
      const pool = owner.keep(new BufferPool(device));
      const { model, space } = options;
      const copies =
        space && (await DeviceCopies.create(device, pool, { ...options, space, count: model.count }));
      return device.checked(
        'making room for bodies in motion',
        () => new DeviceSteps(device, kernels, pool, options, copies),
      );
    });
  }

  /** Bodies appear after other steps. */
  setClock(clock: StepClock): void {
    writeBuffer(this.#device, this.#constants, packConstants(this.#model, clock));
  }

  /** Records a step. @param keepsList without the kernels that make the list of pairs anew */
  record(recorder: Recorder, { contacts, response }: StepStages, keepsList: boolean): void {
    const { state, bodies, control, monitors, starts, driven, gravities, copies } = this;
    const device = this.#device;
    const { drift, kick, sumBodies, sumSpans, endStep } = this.#kernels;
    const constants = this.#constants;
    const [planes, checks] = [this.#planes, this.#checks];
    const perBody = { threads: this.#model.count };
    const inputs = {
      ...{ state, constants, control, bodies, gravities, driven, planes, checks },
      contacts: contacts.records,
      rows: contacts.rows!,
      places: contacts.places,
    };
    if (response.move) response.move(recorder, inputs);
    else recorder.run(bind(device, drift, { control, constants, driven, planes, state, bodies }), perBody);
    copies?.record(recorder, { control, state, bodies });
    contacts.record(recorder, copies?.bodies ?? bodies, keepsList);
    const { header } = contacts;
    response.record(recorder, inputs);
    if (response.touching)
      recorder.copy(response.touching, { buffer: header, offset: WORD * ContactHeader.touching }, WORD);
    recorder.run(
      bind(device, kick, { control, constants, driven, gravities, loads: response.loads, state }),
      perBody,
    );
    response.recordSums(recorder, inputs);
    let spans = this.#sums[0]!;
    recorder.run(
      bind(device, sumBodies, { control, constants, gravities, state, starts, spans: spans.buffer, checks }),
      { threads: spans.count },
    );
    for (const wider of this.#sums.slice(1)) {
      recorder.run(bind(device, sumSpans, { spans: spans.buffer, wider: wider.buffer }), {
        ...{ threads: wider.count, params: { count: spans.count, zero: 0 } },
      });
      spans = wider;
    }
    const sums = { forces: response.sums, spans: spans.buffer, checks };
    recorder.run(
      bind(device, endStep, { control, header, list: contacts.lists.broadPhase.header, monitors, ...sums }),
      { groups: 1 },
    );
  }

  destroy(): void {
    this.pool.destroy();
  }
}
