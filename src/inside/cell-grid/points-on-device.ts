/** Points that are on the GPU already, through the cell grid: `Polyhedron.onDevice`. */

import { requireArray, requireOptions, told } from '../../arguments.ts';
import { InputError } from '../../errors.ts';
import { BufferPool, readBack, wordsOf } from '../../gpu/buffers.ts';
import {
  CALL_OPTIONS,
  requireApart,
  requireBuffer,
  requireCount,
  requireEncoder,
  usedPart,
} from '../../gpu/callers-buffers.ts';
import type { CountOnDevice } from '../../gpu/count-on-device.ts';
import { IndirectSizes } from '../../gpu/indirect.ts';
import { inTurnUnless, type Lent } from '../../gpu/lend.ts';
import { Lifetime } from '../../gpu/lifetime.ts';
import { requireBufferSize } from '../../gpu/limits.ts';
import { owned } from '../../gpu/owned.ts';
import { Recorder } from '../../gpu/recorder.ts';
import { type CrossingRule, LIST_HEADER, ListWord, requireFinite } from '../classification.ts';
import { listBytes, reserveFlags } from '../doubtful-points.ts';
import {
  INPUT_OPTIONS,
  type PointsOnDevice,
  type PointsOnDeviceInputs,
  type PointsReadBack,
  READ_BACK_OPTIONS,
} from '../on-device.ts';
import { type CellGridOnGpu, type PointBuffers, type PointCount, wholeWords } from './on-gpu.ts';

/** x, y, z. */
const POINT_BYTES = 12;

/** What the body lends, as long as it is not destroyed. */
export interface BodyOnDevice extends Lent {
  readonly grid: CellGridOnGpu;
  readonly rule: CrossingRule;
  /** Writes final flags of doubtful points. */
  settle(read: PointsReadBack, numbers: Uint32Array, signal: AbortSignal): Promise<void>;
}

export class CellGridPoints implements PointsOnDevice {
  readonly mostPoints: number;
  readonly #body: BodyOnDevice;
  readonly #pool: BufferPool;
  readonly #sizes: IndirectSizes;
  readonly #buffers: Omit<PointBuffers, 'points'>;
  readonly #life: Lifetime;

  private constructor(body: BodyOnDevice, mostPoints: number, pool: BufferPool, sizes: IndirectSizes) {
    this.mostPoints = mostPoints;
    this.#body = body;
    this.#pool = pool;
    this.#sizes = sizes;
    this.#buffers = {
      ...reserveFlags(pool, wholeWords(mostPoints)),
      work: body.grid.reserveWork(pool, mostPoints),
    };
    const release = () => {
      pool.destroy();
      sizes.destroy();
      body.letGo();
    };
    this.#life = new Lifetime({ device: body.grid.device, name: 'this query on the device', release });
  }

  /** Makes all room. @throws DeviceError `limits` where the device allows no buffers so large. */
  static async create(body: BodyOnDevice, mostPoints: number): Promise<CellGridPoints> {
    const { device } = body.grid;
    requireBufferSize(device.limits, 'points', POINT_BYTES * mostPoints);
    await body.grid.prepare(body.rule);
    return owned(async (owner) => {
      const sizes = owner.keep(await IndirectSizes.create(device));
      const pool = owner.keep(new BufferPool(device));
      const make = () => new CellGridPoints(body, mostPoints, pool, sizes);
      return device.checked('making room for points', make);
    });
  }

  get rule(): CrossingRule {
    return this.#body.rule;
  }

  get flags(): GPUBuffer {
    return this.#buffers.packed as GPUBuffer;
  }

  get doubtful(): GPUBuffer {
    return this.#buffers.doubtful as GPUBuffer;
  }

  get gpuBytes(): number {
    return this.#pool.bytes + this.#sizes.buffer.size;
  }

  encode(encoder: GPUCommandEncoder, inputs: PointsOnDeviceInputs): void {
    this.#requireOpen();
    const given = requireEncoder(encoder);
    requireOptions('encode', inputs, INPUT_OPTIONS);
    const { flags: packed = this.flags, doubtful = this.doubtful } = inputs;
    const points = requireBuffer('points', inputs.points);
    requireBuffer('flags', packed);
    requireBuffer('doubtful', doubtful, { usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST });
    const count = this.#countOf(inputs.count, {
      points: Math.floor(points.size / POINT_BYTES),
      flags: 4 * Math.floor(packed.size / 4),
      doubtful: Math.floor(doubtful.size / 4) - LIST_HEADER,
    });
    const counted = 'counted' in count ? { count: count.counted.buffer } : {};
    requireApart({ flags: packed, doubtful }, { points, ...counted });
    const { device } = this.#body.grid;
    const most = wholeWords(this.mostPoints);
    const buffers = {
      points: usedPart(device, points, POINT_BYTES * most),
      packed: usedPart(device, packed, most),
      doubtful: usedPart(device, doubtful, listBytes(most)),
      work: this.#buffers.work,
    };
    const recorder = new Recorder(device, { encoder: given, label: 'points on the device' });
    this.#body.grid.record(recorder, this.#body.rule, buffers, count);
    recorder.end();
  }

  /** @param room points that each buffer has room for */
  #countOf(count: number | CountOnDevice, room: Readonly<Record<string, number>>): PointCount {
    const { mostPoints } = this;
    if (typeof count !== 'number') {
      const counted = requireCount(count);
      // Without a point there is no thread that counts those without room.
      requireRoom(room, 1);
      return { counted, most: Math.min(mostPoints, ...Object.values(room)), sizes: this.#sizes };
    }
    if (!Number.isInteger(count) || count < 0 || count > mostPoints) {
      throw new InputError(
        `count is ${told(count)}, expected a whole number up to mostPoints = ${mostPoints}`,
      );
    }
    requireRoom(room, count);
    return { points: count };
  }

  async read(options: { signal?: AbortSignal | undefined } = {}): Promise<Omit<PointsReadBack, 'points'>> {
    requireOptions('read', options, CALL_OPTIONS);
    // Readings share a buffer.
    return inTurnUnless(this.#life, options.signal, async () => {
      this.#requireOpen();
      const { device } = this.#body.grid;
      const [bytes] = await readBack(device, this.#pool, [{ buffer: this.doubtful, bytes: listBytes(0) }]);
      const header = wordsOf(bytes!);
      const count = Math.min(header[ListWord.needed]!, header[ListWord.room]!);
      const [flags, list] = await readBack(device, this.#pool, [
        { buffer: this.flags, bytes: wholeWords(count) },
        { buffer: this.doubtful, bytes: listBytes(header[ListWord.listed]!) },
      ]);
      return { flags: flags!.slice(0, count), doubtful: wordsOf(list!) };
    });
  }

  async settle(read: PointsReadBack, options: { signal?: AbortSignal | undefined } = {}): Promise<number> {
    this.#requireOpen();
    requireOptions('settle', read, READ_BACK_OPTIONS);
    requireOptions('settle', options, CALL_OPTIONS);
    const { points, flags, doubtful } = read;
    requireArray('points', points, [Float32Array], '[x, y, z] per point');
    requireArray('flags', flags, [Uint8Array], 'one byte per point');
    requireArray('doubtful', doubtful, [Uint32Array], 'the list of doubtful points');
    const [needed = 0, room = 0, count = 0] = doubtful;
    const numbers = doubtful.subarray(LIST_HEADER, LIST_HEADER + count);
    if (doubtful.length < LIST_HEADER || numbers.length < count) {
      throw new InputError(
        `doubtful: found ${doubtful.length} numbers, expected the ${LIST_HEADER + count} of a list of ${count} points`,
      );
    }
    if (needed > room) {
      throw new InputError(
        `${needed - room} points found no room, expected at most mostPoints = ${this.mostPoints}, and buffers for all`,
      );
    }
    const known = Math.min(flags.length, Math.floor(points.length / 3));
    const wrong = numbers.find((number) => number >= known);
    if (wrong !== undefined) {
      throw new InputError(
        `doubtful: found point ${wrong}, expected numbers below the ${known} of points and flags`,
      );
    }
    for (const number of numbers) requireFinite(points.subarray(3 * number, 3 * number + 3), number);
    const stop = this.#life.signal(options.signal);
    stop.throwIfAborted();
    if (count > 0) await this.#life.hold(() => this.#body.settle(read, numbers, stop));
    return count;
  }

  #requireOpen(): void {
    this.#body.requireOpen();
    this.#life.requireOpen();
  }

  destroy(): void {
    this.#life.destroy();
  }
}

/** @throws InputError for a buffer with room for fewer points, or with no room for the header of a list. */
function requireRoom(room: Readonly<Record<string, number>>, count: number): void {
  const small = Object.keys(room).find((name) => room[name]! < count);
  if (small === undefined) return;
  const [found, expected] = [Math.max(0, room[small]!), Math.max(1, count)];
  throw new InputError(
    `${small}: found a buffer with room for ${found} points, expected room for ${expected}`,
  );
}
