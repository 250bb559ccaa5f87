/** Queries for bodies and pairs that are on the GPU already. */

import { f32, sizeOf, vec2u, vec3f, vec4f } from 'typegpu/data';
import { type Options, requireOptions, told } from '../../arguments.ts';
import { InputError } from '../../errors.ts';
import { createScan } from '../../gpu/blocks/scan.ts';
import { BufferPool, readBack, wordsOf } from '../../gpu/buffers.ts';
import {
  CALL_OPTIONS,
  requireApart,
  requireBuffer,
  requireCount,
  requireEncoder,
  usedPart,
} from '../../gpu/callers-buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { inTurnUnless } from '../../gpu/lend.ts';
import { Lifetime } from '../../gpu/lifetime.ts';
import { requireBufferSize } from '../../gpu/limits.ts';
import { owned } from '../../gpu/owned.ts';
import { Recorder } from '../../gpu/recorder.ts';
import { WORD } from '../../gpu/words.ts';
import type { WebGpuCommandEncoder } from '../../platform/webgpu.ts';
import { requirePoseArray } from '../query/check-query.ts';
import type {
  BatchOnDevice,
  PairsOnDevice,
  PairsOnDeviceInputs,
  PairsOnDeviceOptions,
  PairsOnDeviceResults,
  PairsReadBack,
} from '../query/on-device.ts';
import { float32ArraysFor } from '../query/pair-arrays.ts';
import type { PairQuestion } from '../query/pair-query.ts';
import { POSE_SIZE, requirePoses, splitPoses } from '../shapes/pose.ts';
import { takeAnswers } from './answers.ts';
import { OPEN_HEADER, OpenWord } from './pair-layout.ts';
import { PairProgram } from './pair-program.ts';
import { answerBytes, type PairRoom, reserveRoom, slotBytes } from './pair-room.ts';
import type { PairShapes } from './pair-shapes.ts';
import { type PairPlan, pairPlan } from './plan.ts';

/** Pairs of parts that there is room for where concave bodies may come to more. */
const MOST_PART_PAIRS = 1 << 18;

/** Bytes per body and per pair in buffers of the caller's. */
const [POSE_BYTES, PAIR_BYTES, NORMAL_BYTES] = [sizeOf(f32) * POSE_SIZE, sizeOf(vec2u), sizeOf(vec3f)];

const INPUTS: Options<PairsOnDeviceInputs> = {
  poses: 'checked',
  poseRests: 'checked',
  shapes: 'checked',
  bodyCount: 'number',
  pairs: 'checked',
  normals: 'checked',
  count: 'checked',
};

export class DevicePairs implements PairsOnDevice {
  readonly #device: Device;
  readonly #batch: BatchOnDevice;
  readonly #life: Lifetime;
  readonly #program: PairProgram;
  readonly #pool: BufferPool;
  readonly #room: PairRoom;

  private constructor(
    device: Device,
    batch: BatchOnDevice,
    { program, pool, room }: { program: PairProgram; pool: BufferPool; room: PairRoom },
  ) {
    this.#device = device;
    this.#batch = batch;
    this.#program = program;
    this.#pool = pool;
    this.#room = room;
    const release = () => {
      pool.destroy();
      room.scan?.destroy();
      batch.letGo();
    };
    this.#life = new Lifetime({ device, name: 'this query on the device', release });
  }

  /**
   * Compiles all kernels and makes all room.
   *
   * @throws InputError for numbers that are not usable; DeviceError `limits` where the device allows no buffer so
   * large.
   */
  static async create(
    device: Device,
    shapes: PairShapes,
    question: PairQuestion,
    options: PairsOnDeviceOptions,
    batch: BatchOnDevice,
  ): Promise<DevicePairs> {
    const plan = pairPlan(question);
    const kinds = shapes.kindsOf(shapes.all);
    // Before kernels are compiled, which takes seconds on a software adapter.
    const sizes = roomFor(device, shapes, plan, options);
    const program = await PairProgram.create(device, shapes, { plan, kinds, pairs: options.mostPairs });
    const numbers = program.countsFor(sizes.pairs);
    return owned(async (owner) => {
      const scan = numbers > 0 ? owner.keep(await createScan(device, { most: numbers })) : undefined;
      const pool = owner.keep(new BufferPool(device));
      const make = () => reserveRoom(device, pool, program, sizes, scan);
      const room = await device.checked('making room for pairs', make);
      return new DevicePairs(device, batch, { program, pool, room });
    });
  }

  get results(): GPUBuffer {
    return this.#room.buffers.answers;
  }

  get wordsPerPair(): number {
    return this.#program.plan.answerSize;
  }

  get contacts(): GPUBuffer | undefined {
    return this.contactsPerPair > 0 ? this.#room.buffers.manifolds : undefined;
  }

  get contactsPerPair(): number {
    const { manifolds } = answerBytes(this.#program);
    return manifolds / (sizeOf(vec4f) * (this.#program.isConcave ? 2 : 1));
  }

  get open(): GPUBuffer {
    return this.#room.buffers.open;
  }

  get gpuBytes(): number {
    return this.#pool.bytes;
  }

  encode(encoder: WebGpuCommandEncoder, inputs: PairsOnDeviceInputs): void {
    this.#requireOpen();
    const own = requireEncoder(encoder);
    requireOptions('encode', inputs, INPUTS);
    const device = this.#device;
    const { pairs: mostPairs, bodies: mostBodies } = this.#room;
    const poses = requireBuffer('poses', inputs.poses, { bytes: POSE_BYTES });
    const shapes = requireBuffer('shapes', inputs.shapes, { bytes: WORD });
    const held = Math.min(mostBodies, Math.floor(poses.size / POSE_BYTES), Math.floor(shapes.size / WORD));
    const { bodyCount = held, poseRests, count: given } = inputs;
    requireWhole('bodyCount', bodyCount, held);
    const rests = poseRests && requireBuffer('poseRests', poseRests, { bytes: POSE_BYTES * bodyCount });
    if (typeof given === 'number') requireWhole('count', given, mostPairs);
    const count = typeof given === 'number' ? given : requireCount(given);
    const known = typeof count === 'number' ? count : 1;
    const asked = requireBuffer('pairs', inputs.pairs, { bytes: PAIR_BYTES * known });
    const normals =
      inputs.normals && requireBuffer('normals', inputs.normals, { bytes: NORMAL_BYTES * known });
    const { answers, open, manifolds } = this.#room.buffers;
    requireApart(
      { results: answers, open, contacts: manifolds },
      {
        ...{ poses, shapes, pairs: asked },
        ...(rests && { poseRests: rests }),
        ...(normals && { normals }),
        ...(typeof count === 'object' && { count: count.buffer }),
      },
    );
    const ofBodies = (buffer: GPUBuffer, bytes: number) => usedPart(device, buffer, bytes * mostBodies);
    const ofPairs = (buffer: GPUBuffer, bytes: number) => usedPart(device, buffer, bytes * mostPairs);
    // Nothing is recorded before all is checked: the caller's encoder stays usable.
    const recorder = new Recorder(device, { encoder: own, label: 'pairs' });
    this.#program.recordBodies(recorder, this.#room, {
      poses: ofBodies(poses, POSE_BYTES),
      rests: rests && ofBodies(rests, POSE_BYTES),
      shapes: ofBodies(shapes, WORD),
      count: bodyCount,
    });
    this.#program.recordPairs(recorder, this.#room, {
      ...{ bodyCount, first: 0, count },
      asked: ofPairs(asked, PAIR_BYTES),
      normals: normals && ofPairs(normals, NORMAL_BYTES),
      held: Math.floor(asked.size / PAIR_BYTES),
    });
    recorder.end();
  }

  packPoses(poses: Float32Array | Float64Array) {
    requirePoseArray(poses);
    requirePoses(poses);
    return splitPoses(poses);
  }

  async read(options: { signal?: AbortSignal | undefined } = {}): Promise<PairsOnDeviceResults> {
    requireOptions('read', options, CALL_OPTIONS);
    // Readings share a buffer.
    return inTurnUnless(this.#life, options.signal, () => this.#read());
  }

  async #read(): Promise<PairsOnDeviceResults> {
    const { plan, isConcave } = this.#program;
    const { open, answers, manifolds } = this.#room.buffers;
    const [header] = await this.#readWords([{ buffer: open, bytes: WORD * OPEN_HEADER }]);
    const needed = header![OpenWord.needed]!;
    const count = Math.min(needed, header![OpenWord.room]!);
    const sizes = answerBytes(this.#program);
    const [list, words, points] = await this.#readWords([
      { buffer: open, bytes: WORD * (OPEN_HEADER + header![OpenWord.listed]!) },
      { buffer: answers, bytes: sizes.answers * count },
      { buffer: manifolds, bytes: sizes.manifolds * count },
    ]);
    const arrays = float32ArraysFor(plan.kind, count);
    takeAnswers(plan, isConcave, arrays, {
      ...{ first: 0, count, answers: words! },
      manifolds:
        sizes.manifolds > 0
          ? new Float32Array(points!.buffer, points!.byteOffset, points!.length)
          : undefined,
    });
    const { kind, algorithm, tolerance } = plan;
    return {
      ...arrays,
      ...{ kind, algorithm, tolerance, count, needed },
      partPairs: header![OpenWord.partPairs]!,
      open: list!.slice(OPEN_HEADER).sort(),
    };
  }

  async #readWords(
    sources: readonly { buffer: GPUBuffer; bytes: number }[],
  ): Promise<Uint32Array<ArrayBuffer>[]> {
    this.#requireOpen();
    const found = await readBack(this.#device, this.#pool, sources);
    return found.map(wordsOf);
  }

  async settle(read: PairsReadBack, options: { signal?: AbortSignal | undefined } = {}): Promise<number> {
    this.#requireOpen();
    requireOptions('settle', options, CALL_OPTIONS);
    const stop = this.#life.signal(options.signal);
    stop.throwIfAborted();
    return this.#life.hold(() => this.#batch.settle(read, stop));
  }

  #requireOpen(): void {
    this.#batch.requireOpen();
    this.#life.requireOpen();
  }

  destroy(): void {
    this.#life.destroy();
  }
}

/** @throws InputError for numbers that are not usable. */
function roomFor(device: Device, shapes: PairShapes, plan: PairPlan, options: PairsOnDeviceOptions) {
  const { mostBodies, mostPairs } = options;
  requireWhole('mostBodies', mostBodies, 2 ** 31);
  requireWhole('mostPairs', mostPairs, 2 ** 31);
  requireBufferSize(device.limits, 'poses', POSE_BYTES * mostBodies);
  requireBufferSize(device.limits, 'pairs', PAIR_BYTES * mostPairs);
  const largest = Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize);
  const ofPairs = mostPairs * shapes.mostParts ** 2;
  const inRoom = Math.max(mostPairs, Math.min(MOST_PART_PAIRS, Math.floor(largest / slotBytes({ plan }))));
  const { mostParts = mostBodies * shapes.mostParts, mostPartPairs = Math.min(ofPairs, inRoom) } = options;
  requireWhole('mostParts', mostParts, 2 ** 31);
  requireWhole('mostPartPairs', mostPartPairs, 2 ** 31);
  const ofConvex = !shapes.isConcave;
  return {
    bodies: mostBodies,
    convexBodies: ofConvex ? mostBodies : mostParts,
    pairs: mostPairs,
    slots: ofConvex ? mostPairs : mostPartPairs,
    answers: mostPairs,
  };
}

function requireWhole(name: string, found: number, most: number): void {
  if (Number.isInteger(found) && found >= 0 && found <= most) return;
  throw new InputError(`${name} is ${told(found)}, expected a whole number from 0 to ${most}`);
}
