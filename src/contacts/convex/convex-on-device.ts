/**
 * Contacts of convex pairs on the GPU, for colliders whose bodies are there. It records kernels; nothing waits. The
 * kernels of `src/convex` answer pairs, bucketed by the kinds of their shapes.
 */
import { sizeOf, u32, vec2u, vec4f } from 'typegpu/data';
import { BATCH_TOLERANCE } from '../../convex/constants.ts';
import { PairProgram } from '../../convex/gpu/pair-program.ts';
import type { PairRoom } from '../../convex/gpu/pair-room.ts';
import { reserveRoom } from '../../convex/gpu/pair-room.ts';
import { PairShapes } from '../../convex/gpu/pair-shapes.ts';
import { planOf } from '../../convex/gpu/plan.ts';
import { placedPart, placeOf, type ShapePart, type ShapeParts } from '../../convex/gpu/shape-parts.ts';
import { PLACEMENT, POSE_SIZE, rotationOf } from '../../convex/shapes/pose.ts';
import type { ShapeTable } from '../../convex/shapes/shape-table.ts';
import { bind } from '../../gpu/bind.ts';
import { createScan, type Scan } from '../../gpu/blocks/scan.ts';
import { BufferPool } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import type { BufferCount } from '../../gpu/indirect.ts';
import { compileKernel } from '../../gpu/kernel.ts';
import type { Recorder } from '../../gpu/recorder.ts';
import { ColliderKind, type Colliders } from '../bodies/colliders.ts';
import * as sources from './sources.ts';

export interface ConvexOnDeviceOptions {
  /** The convex shapes, no concave ones. */
  readonly table: ShapeTable;
  readonly colliders: Colliders;
  /** Edge of a cell of positions: a power of two. */
  readonly cell: number;
  /** Most pairs of a call. */
  readonly mostPairs: number;
}

export interface ConvexPairsOnDevice {
  /** `ContactBody` of each body. */
  readonly bodies: GPUBuffer;
  /** Two u32 per pair: colliders, that of the body with the lower number first. */
  readonly pairs: GPUBuffer;
  /** How many pairs there are. Those beyond `mostPairs` are left out. */
  readonly count: number | BufferCount;
}

type Kernels = Awaited<ReturnType<typeof compileAll>>;
const NO_SHAPE = 2 ** 32 - 1;

export class ConvexOnDevice {
  readonly #device: Device;
  readonly #options: ConvexOnDeviceOptions;
  readonly #kernels: Kernels;
  readonly #program: PairProgram;
  readonly #shapes: PairShapes;
  readonly #pool: BufferPool;
  readonly #room: PairRoom;
  readonly #buffers: ReturnType<typeof reserve>;
  #pairs: GPUBuffer | undefined;

  private constructor(
    device: Device,
    options: ConvexOnDeviceOptions,
    kernels: Kernels,
    parts: {
      program: PairProgram;
      shapes: PairShapes;
      pool: BufferPool;
      room: PairRoom;
      buffers: ReturnType<typeof reserve>;
    },
  ) {
    this.#device = device;
    this.#options = options;
    this.#kernels = kernels;
    this.#program = parts.program;
    this.#shapes = parts.shapes;
    this.#pool = parts.pool;
    this.#room = parts.room;
    this.#buffers = parts.buffers;
  }

  /**
   * Compiles all kernels and makes all room.
   *
   * @throws DeviceError `limits` where the device allows no buffer so large.
   */
  static async create(device: Device, options: ConvexOnDeviceOptions): Promise<ConvexOnDevice> {
    const { table, colliders, mostPairs } = options;
    const { parts, shapeOf } = partsOf(table, colliders);
    const shapes = await PairShapes.create(device, table, parts);
    const pool = new BufferPool(device);
    let scan: Scan | undefined;
    try {
      const plan = planOf({
        ...{
          kind: 'manifold',
          algorithm: 'auto',
          tolerance: BATCH_TOLERANCE,
          sweepRadius: 0,
          manifold: 'clipped',
        },
      });
      const kinds = shapes.kindsOf(shapes.all);
      const [kernels, program] = await Promise.all([
        compileAll(device),
        PairProgram.create(device, shapes, { plan, kinds, pairs: mostPairs }),
      ]);
      const numbers = program.countsFor(mostPairs);
      scan = numbers > 0 ? await createScan(device, { most: numbers }) : undefined;
      const count = colliders.count;
      const made = await device.checked('making room for convex pairs', () => ({
        room: reserveRoom(
          device,
          pool,
          program,
          { bodies: count, convexBodies: count, pairs: mostPairs, slots: mostPairs, answers: mostPairs },
          scan,
        ),
        buffers: reserve(pool, colliders, shapeOf),
      }));
      return new ConvexOnDevice(device, options, kernels, { program, shapes, pool, ...made });
    } catch (error) {
      shapes.destroy();
      pool.destroy();
      scan?.destroy();
      throw error;
    }
  }

  /**
   * u32: how many pairs float32 leaves open, pairs asked for, two more words, then the open pairs' numbers, in any
   * order. Their records have the status `bounded` or `open`, and there is none where not even a bound is known.
   */
  get open(): GPUBuffer {
    return this.#room.buffers.open;
  }

  get gpuBytes(): number {
    return this.#pool.bytes + this.#shapes.bytes;
  }

  /** Records that pairs are answered. Contacts are counted and written afterwards. */
  record(recorder: Recorder, { bodies, pairs, count }: ConvexPairsOnDevice): void {
    const device = this.#device;
    const room = this.#room;
    const { colliderPoses, colliderCentres } = this.#kernels;
    const { owners, shapeOf, poses, rests, centres } = this.#buffers;
    const threads = this.#options.colliders.count;
    recorder.run(bind(device, colliderPoses, { bodies, owners, poses, rests }), {
      threads,
      params: { cell: this.#options.cell },
    });
    this.#program.recordBodies(recorder, room, { poses, rests, shapes: shapeOf, count: threads });
    const { bodies: placed, spans } = room.buffers;
    recorder.run(bind(device, colliderCentres, { poses, rests, placed, spans, centres }), { threads });
    const held = Math.floor(pairs.size / sizeOf(vec2u));
    this.#program.recordPairs(recorder, room, { asked: pairs, bodyCount: threads, first: 0, count, held });
    this.#pairs = pairs;
  }

  /** Records that the number of contacts of pair i of the last `record` goes to `counts[countsAt + i]`. */
  countContacts(recorder: Recorder, counts: GPUBuffer, countsAt: number): void {
    const { places, results, contacts } = this.#room.buffers;
    const bound = bind(this.#device, this.#kernels.countContacts, { places, results, contacts, counts });
    recorder.run(bound, { ...this.#allPairs, params: { countsAt } });
  }

  /**
   * Records that the contacts of pair i are written as `ContactRecord`, from `offsets[countsAt + i]` on. Those that
   * `records` has no room for are left out.
   */
  writeContacts(recorder: Recorder, offsets: GPUBuffer, countsAt: number, records: GPUBuffer): void {
    const { places, results, contacts } = this.#room.buffers;
    const { owners, centres } = this.#buffers;
    const inputs = { asked: this.#pairs!, owners, centres, places, results, contacts, offsets, records };
    recorder.run(bind(this.#device, this.#kernels.writeContacts, inputs), {
      ...this.#allPairs,
      params: { countsAt },
    });
  }

  /** The size of a dispatch over all pairs, which `PairProgram` has made. */
  get #allPairs() {
    return { indirect: { buffer: this.#room.buffers.sizes, offset: 0 } };
  }

  destroy(): void {
    this.#shapes.destroy();
    this.#pool.destroy();
    this.#room.scan?.destroy();
  }
}

async function compileAll(device: Device) {
  const [colliderPoses, colliderCentres, countContacts, writeContacts] = await Promise.all([
    compileKernel(device, sources.colliderPosesSource),
    compileKernel(device, sources.colliderCentresSource),
    compileKernel(device, sources.countContactsSource),
    compileKernel(device, sources.writeContactsSource),
  ]);
  return { colliderPoses, colliderCentres, countContacts, writeContacts };
}

function reserve(pool: BufferPool, { count, bodies, parts }: Colliders, shapeOf: Uint32Array<ArrayBuffer>) {
  const owners = Uint32Array.from({ length: 2 * count }, (_, i) => (i % 2 === 0 ? bodies : parts)[i >> 1]!);
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
  return {
    owners: pool.upload('bodies and parts of colliders', owners),
    shapeOf: pool.upload('shapes of colliders', shapeOf),
    poses: pool.reserve('poses of colliders', sizeOf(u32) * POSE_SIZE * count, usage),
    rests: pool.reserve('rests of poses', sizeOf(u32) * POSE_SIZE * count, usage),
    centres: pool.reserve('centres of colliders', sizeOf(vec4f) * count, usage),
  };
}

/** Convex shapes with their places in bodies, each once, and which one each collider has. */
function partsOf(table: ShapeTable, { count, kinds, shapes, places }: Colliders) {
  const parts: ShapePart[] = [];
  const known = new Map<string, number>();
  const placement = new Float64Array(PLACEMENT);
  const shapeOf = Uint32Array.from({ length: count }, (_, i) => {
    if (kinds[i] !== ColliderKind.convex) return NO_SHAPE;
    const place = places.subarray(POSE_SIZE * i, POSE_SIZE * (i + 1));
    const key = `${shapes[i]} ${place.join()}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    rotationOf(place[3]!, place[4]!, place[5]!, place[6]!, placement, 0);
    placement.set(place.subarray(0, 3), 9);
    known.set(key, parts.length);
    return parts.push(placedPart(table, shapes[i]!, placement)) - 1;
  });
  const all: ShapeParts = {
    parts,
    spans: Uint32Array.from({ length: 2 * parts.length }, (_, i) => (i % 2 === 0 ? i >> 1 : 1)),
    mostParts: 1,
    isMoved: parts.some((part) => placeOf(part) !== 0),
  };
  return { parts: all, shapeOf };
}
