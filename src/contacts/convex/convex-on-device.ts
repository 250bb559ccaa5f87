/**
 * Contacts of convex pairs on the GPU, for colliders whose bodies are there. It records kernels; nothing waits. The
 * kernels of `src/convex` answer pairs, bucketed by the kinds of their shapes.
 */

import { sizeOf, u32, vec2u } from 'typegpu/data';
import { BATCH_TOLERANCE, TOUCHING_TOLERANCE_32 } from '../../convex/constants.ts';
import { PairProgram } from '../../convex/gpu/pair-program.ts';
import type { PairRoom } from '../../convex/gpu/pair-room.ts';
import { reserveRoom } from '../../convex/gpu/pair-room.ts';
import { PairShapes } from '../../convex/gpu/pair-shapes.ts';
import { pairPlan } from '../../convex/gpu/plan.ts';
import { placedPart, placeOf, type ShapePart, type ShapeParts } from '../../convex/gpu/shape-parts.ts';
import { PLACEMENT, POSE_SIZE, writeRotation } from '../../convex/shapes/pose.ts';
import type { ShapeTable } from '../../convex/shapes/shape-table.ts';
import { bind } from '../../gpu/bind.ts';
import { type Compaction, createCompaction } from '../../gpu/blocks/compaction.ts';
import { createScan, type Scan } from '../../gpu/blocks/scan.ts';
import { BufferPool } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { type BufferCount, IndirectSizes } from '../../gpu/indirect.ts';
import { compileKernel } from '../../gpu/kernel.ts';
import type { Recorder } from '../../gpu/recorder.ts';
import { ColliderKind, type Colliders } from '../bodies/colliders.ts';
import { FaceContacts } from '../faces/device-layout.ts';
import type { FaceTable } from '../faces/face-table.ts';
import { packFaces } from '../faces/pack-faces.ts';
import * as sources from './convex-contact-kernels.ts';

/** Behind poses: a vec4. */
const SPARE_WORDS = 4;

export interface ConvexOnDeviceOptions {
  /** The convex shapes, no concave ones. */
  readonly table: ShapeTable;
  readonly faces: FaceTable;
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
  readonly count: BufferCount;
}

type Kernels = Awaited<ReturnType<typeof compileAll>>;
const NO_SHAPE = 2 ** 32 - 1;
/** Flag of pairs that are solved, in find-near.wgsl. */
const SOLVED = 1;
/** Where the count stands in an indirect size, bytes. */
const COUNT_OF_SIZE = 12;

export class ConvexOnDevice {
  readonly #device: Device;
  readonly #options: ConvexOnDeviceOptions;
  readonly #kernels: Kernels;
  readonly #program: PairProgram;
  readonly #shapes: PairShapes;
  readonly #pool: BufferPool;
  readonly #room: PairRoom;
  readonly #buffers: ReturnType<typeof reserve>;
  readonly #compaction: Compaction;
  readonly #sizes: IndirectSizes;
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
      compaction: Compaction;
      sizes: IndirectSizes;
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
    this.#compaction = parts.compaction;
    this.#sizes = parts.sizes;
  }

  /**
   * Compiles all kernels and makes all room.
   *
   * @throws DeviceError `limits` where the device allows no buffer so large.
   */
  static async create(device: Device, options: ConvexOnDeviceOptions): Promise<ConvexOnDevice> {
    const { table, faces, colliders, mostPairs } = options;
    const { parts, shapeOf } = partsOf(table, colliders);
    const shapes = await PairShapes.create(device, table, parts);
    const pool = new BufferPool(device);
    let scan: Scan | undefined;
    let compaction: Compaction | undefined;
    let sizes: IndirectSizes | undefined;
    try {
      const plan = pairPlan({
        ...{ kind: 'manifold', algorithm: 'auto', tolerance: BATCH_TOLERANCE },
        ...{ sweepRadius: 0, manifold: 'clipped' },
      });
      const kinds = shapes.kindsOf(shapes.all);
      const [kernels, program] = await Promise.all([
        compileAll(device),
        PairProgram.create(device, shapes, { plan, kinds, pairs: mostPairs }),
      ]);
      const numbers = program.countsFor(mostPairs);
      scan = numbers > 0 ? await createScan(device, { most: numbers }) : undefined;
      compaction = await createCompaction(device, { most: mostPairs });
      sizes = await IndirectSizes.create(device, 2);
      const count = colliders.count;
      const made = await device.checked('making room for convex pairs', () => ({
        room: reserveRoom(
          device,
          pool,
          program,
          { bodies: count, convexBodies: count, pairs: mostPairs, slots: mostPairs, answers: mostPairs },
          scan,
        ),
        buffers: reserve(pool, colliders, faces, shapeOf, mostPairs),
      }));
      return new ConvexOnDevice(device, options, kernels, {
        ...{ program, shapes, pool, compaction, sizes },
        ...made,
      });
    } catch (error) {
      shapes.destroy();
      pool.destroy();
      scan?.destroy();
      compaction?.destroy();
      sizes?.destroy();
      throw error;
    }
  }

  /**
   * u32: how many pairs float32 leaves open, three more words, then the open pairs' numbers in `solved`, in any order.
   * Their records have the status `bounded` or `open`, and there is none where not even a bound is known.
   */
  get open(): GPUBuffer {
    return this.#room.buffers.open;
  }

  /** Two u32 per pair: colliders of the pairs that were solved, in order. Balls apart, and two balls, are not. */
  get solved(): GPUBuffer {
    return this.#buffers.near;
  }

  get gpuBytes(): number {
    return this.#pool.bytes + this.#shapes.bytes;
  }

  /** Records that pairs are answered. Contacts are counted and written afterwards. */
  record(recorder: Recorder, { bodies, pairs, count }: ConvexPairsOnDevice): void {
    const device = this.#device;
    const room = this.#room;
    const { colliderPoses, colliderCentres } = this.#kernels;
    const { owners, shapeOf, poses, rests, origins, flags, list, near } = this.#buffers;
    const threads = this.#options.colliders.count;
    recorder.run(bind(device, colliderPoses, { bodies, owners, poses, rests }), {
      threads,
      params: { cell: this.#options.cell },
    });
    this.#program.recordBodies(recorder, room, { poses, rests, shapes: shapeOf, count: threads });
    const { bodies: placed, spans } = room.buffers;
    recorder.run(bind(device, colliderCentres, { poses, rests, placed, spans, owners, origins }), {
      threads,
    });
    const held = Math.min(this.#options.mostPairs, Math.floor(pairs.size / sizeOf(vec2u)));
    const all = this.#sizes.record(recorder, count, { place: 0, most: held });
    const sizes = this.#sizes.buffer;
    const inputs = { sizes, asked: pairs, placed, shapes: this.#shapes.tables.records, flags };
    recorder.run(bind(device, this.#kernels.findNear, inputs), all);
    // The size's count is at most what is held.
    const flagged = { buffer: sizes, offset: COUNT_OF_SIZE };
    this.#compaction.record(recorder, { flags, count: flagged, list, mask: SOLVED });
    const some = this.#sizes.record(recorder, { buffer: list }, { place: 1, most: held });
    recorder.run(bind(device, this.#kernels.gatherNear, { sizes, asked: pairs, list, near }), some);
    const solved = { asked: near, bodyCount: threads, first: 0, count: { buffer: list }, held };
    this.#program.recordPairs(recorder, room, solved);
    const { places, results } = room.buffers;
    const { faces, faceContacts: found } = this.#buffers;
    recorder.run(
      bind(device, this.#kernels.sumFaces, { asked: near, places, placed, faces, results, found }),
      this.#solvedPairs,
    );
    this.#pairs = pairs;
  }

  /** Records that the number of contacts of pair i of the last `record` goes to `counts[countsAt + i]`. */
  countContacts(recorder: Recorder, counts: GPUBuffer, countsAt: number): void {
    const device = this.#device;
    const { places, results, contacts } = this.#room.buffers;
    const { flags, list, faceContacts } = this.#buffers;
    const { countContacts, countBalls } = this.#kernels;
    const params = { countsAt };
    const solved = bind(device, countContacts, { list, places, results, contacts, faceContacts, counts });
    recorder.run(solved, { ...this.#solvedPairs, params });
    const balls = bind(device, countBalls, { sizes: this.#sizes.buffer, flags, counts });
    recorder.run(balls, { ...this.#allPairs, params });
  }

  /**
   * Records that the contacts of pair i are written as `ContactRecord`, from `offsets[countsAt + i]` on. Those that
   * `records` has no room for are left out.
   */
  writeContacts(recorder: Recorder, offsets: GPUBuffer, countsAt: number, records: GPUBuffer): void {
    const device = this.#device;
    const { places, results, contacts, bodies: placed } = this.#room.buffers;
    const { origins, list, near, flags, faceContacts: found } = this.#buffers;
    const { writeContacts, writeFaces, writeBalls } = this.#kernels;
    const params = { countsAt };
    const solved = { asked: near, list, origins, places, results, contacts, offsets, records };
    recorder.run(bind(device, writeContacts, solved), { ...this.#solvedPairs, params });
    const ofFaces = { asked: near, list, origins, found, offsets, records };
    recorder.run(bind(device, writeFaces, ofFaces), { ...this.#solvedPairs, params });
    const shapes = this.#shapes.tables.records;
    const asked = { sizes: this.#sizes.buffer, asked: this.#pairs!, flags, placed, shapes };
    const balls = bind(device, writeBalls, { ...asked, origins, offsets, records });
    recorder.run(balls, { ...this.#allPairs, params });
  }

  /** Sizes of dispatches over all pairs, and over those that are solved. */
  get #allPairs() {
    return { indirect: { buffer: this.#sizes.buffer, offset: 0 } };
  }

  get #solvedPairs() {
    return { indirect: { buffer: this.#room.buffers.sizes, offset: 0 } };
  }

  destroy(): void {
    this.#shapes.destroy();
    this.#pool.destroy();
    this.#room.scan?.destroy();
    this.#compaction.destroy();
    this.#sizes.destroy();
  }
}

async function compileAll(device: Device) {
  const [solver, balls] = await Promise.all([compileSolvers(device), compileBalls(device)]);
  return { ...solver, ...balls };
}

async function compileSolvers(device: Device) {
  const [colliderPoses, colliderCentres, sumFaces, countContacts, writeContacts, writeFaces] =
    await Promise.all([
      compileKernel(device, sources.colliderPosesSource),
      compileKernel(device, sources.colliderCentresSource),
      compileKernel(device, sources.sumFacesSource),
      compileKernel(device, sources.countContactsSource),
      compileKernel(device, sources.writeContactsSource),
      compileKernel(device, sources.writeFacesSource),
    ]);
  return { colliderPoses, colliderCentres, sumFaces, countContacts, writeContacts, writeFaces };
}

async function compileBalls(device: Device) {
  const [findNear, gatherNear, countBalls, writeBalls] = await Promise.all([
    compileKernel(device, sources.findNearSource, { TOUCHING: TOUCHING_TOLERANCE_32 }),
    compileKernel(device, sources.gatherNearSource),
    compileKernel(device, sources.countBallsSource),
    compileKernel(device, sources.writeBallsSource),
  ]);
  return { findNear, gatherNear, countBalls, writeBalls };
}

function reserve(
  pool: BufferPool,
  { count, bodies, parts }: Colliders,
  faces: FaceTable,
  shapeOf: Uint32Array<ArrayBuffer>,
  mostPairs: number,
) {
  const owners = Uint32Array.from({ length: 2 * count }, (_, i) => (i % 2 === 0 ? bodies : parts)[i >> 1]!);
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
  return {
    owners: pool.upload('bodies and parts of colliders', owners),
    shapeOf: pool.upload('shapes of colliders', shapeOf),
    // With room behind: SwiftShader reads another word for the last one of four poses where the buffer ends with it.
    poses: pool.reserve('poses of colliders', sizeOf(u32) * (POSE_SIZE * count + SPARE_WORDS), usage),
    rests: pool.reserve('rests of poses', sizeOf(u32) * (POSE_SIZE * count + SPARE_WORDS), usage),
    origins: pool.reserve('centres of colliders', sizeOf(sources.ColliderOrigin) * count, usage),
    flags: pool.reserve('convex pairs: flags', sizeOf(u32) * mostPairs, usage),
    list: pool.reserve('convex pairs: numbers', sizeOf(u32) * (mostPairs + 1), usage),
    near: pool.reserve('convex pairs: colliders', sizeOf(vec2u) * mostPairs, usage),
    faces: pool.upload('faces of convex shapes', packFaces(faces)),
    faceContacts: pool.reserve('convex pairs: faces', sizeOf(FaceContacts) * mostPairs, usage),
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
    writeRotation(place[3]!, place[4]!, place[5]!, place[6]!, placement, 0);
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
