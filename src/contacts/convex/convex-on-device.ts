/**
 * Contacts of convex pairs on the GPU, for colliders whose bodies are there. It records kernels; nothing waits. The
 * kernels of `src/convex` answer pairs, bucketed by the kinds of their shapes.
 */

import { sizeOf, u32, vec2u } from 'typegpu/data';
import { BATCH_TOLERANCE, TOUCHING_TOLERANCE_32 } from '../../convex/constants.ts';
import { PairProgram } from '../../convex/gpu/pair-program.ts';
import type { PairRoom } from '../../convex/gpu/pair-room.ts';
import { reserveRoom } from '../../convex/gpu/pair-room.ts';
import { pairPlan } from '../../convex/gpu/plan.ts';
import type { ShapeTable } from '../../convex/shapes/shape-table.ts';
import { bind } from '../../gpu/bind.ts';
import { type Compaction, createCompaction } from '../../gpu/blocks/compaction.ts';
import { threadsOver } from '../../gpu/blocks/form.ts';
import { createScan } from '../../gpu/blocks/scan.ts';
import { BufferPool } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { type BufferCount, IndirectSizes } from '../../gpu/indirect.ts';
import { compileKernels, type KernelsOf } from '../../gpu/kernel.ts';
import { type Owner, owned } from '../../gpu/owned.ts';
import type { Recorder } from '../../gpu/recorder.ts';
import { isBall } from '../bodies/ball.ts';
import { ColliderKind, type Colliders } from '../bodies/colliders.ts';
import { type FaceTable, meetsPlaneWithFaces } from '../faces/face-table.ts';
import { packFaces } from '../faces/pack-faces.ts';
import * as sources from './convex-contact-kernels.ts';
import { PlacedColliders } from './placed-colliders.ts';

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
  /** Whether the pairs are those of the pass before: sizes of dispatches over them are there. Default: no. */
  readonly isKept?: boolean;
}

/** Kinds of shapes that the scene has, as far as kernels depend on them. */
interface Kinds {
  /** Whether all pairs touch with faces. */
  readonly areFaced: boolean;
  readonly haveBalls: boolean;
}

/** Of kinds that the scene lacks there are none. */
function sourcesFor({ areFaced, haveBalls }: Kinds) {
  const constants = { TOUCHING: TOUCHING_TOLERANCE_32 };
  return {
    findNear: { ...sources.findNearSource, constants },
    ...{ gatherNear: sources.gatherNearSource, sumFaces: sources.sumFacesSource },
    ...{ countContacts: sources.countContactsSource, writeFaces: sources.writeFacesSource },
    writeContacts: areFaced ? undefined : sources.writeContactsSource,
    countBalls: haveBalls ? sources.countBallsSource : undefined,
    writeBalls: haveBalls ? { ...sources.writeBallsSource, constants } : undefined,
  };
}

function kindsOf({ table, faces, colliders }: ConvexOnDeviceOptions): Kinds {
  const { kinds, shapes } = colliders;
  const convex = [...new Set(shapes.filter((_, c) => kinds[c] === ColliderKind.convex))];
  return {
    areFaced: convex.every((record) => meetsPlaneWithFaces(faces, record)),
    haveBalls: convex.some((record) => isBall(table, record)),
  };
}

interface Parts {
  readonly owner: Owner;
  readonly kernels: KernelsOf<ReturnType<typeof sourcesFor>>;
  readonly program: PairProgram;
  readonly placing: PlacedColliders;
  readonly pool: BufferPool;
  readonly room: PairRoom;
  readonly buffers: ReturnType<typeof reserve>;
  readonly compaction: Compaction;
  readonly sizes: IndirectSizes;
}

/** Flag of pairs that are solved, in find-near.wgsl. */
const SOLVED = 1;
/** Offset of the count in an indirect size, bytes. */
const COUNT_OF_SIZE = 12;

export class ConvexOnDevice {
  readonly #device: Device;
  readonly #options: ConvexOnDeviceOptions;
  readonly #parts: Parts;
  #pairs: GPUBuffer | undefined;

  private constructor(device: Device, options: ConvexOnDeviceOptions, parts: Parts) {
    this.#device = device;
    this.#options = options;
    this.#parts = parts;
  }

  /**
   * Compiles all kernels and makes all room.
   *
   * @throws DeviceError `limits` where the device allows no buffer so large.
   */
  static create(device: Device, options: ConvexOnDeviceOptions): Promise<ConvexOnDevice> {
    const { faces, colliders, mostPairs } = options;
    return owned(async (owner) => {
      const placing = owner.keep(await PlacedColliders.create(device, options));
      const { shapes } = placing;
      const pool = owner.keep(new BufferPool(device));
      const found = kindsOf(options);
      const plan = pairPlan({
        // For shapes that touch with faces, solvers find only a direction.
        ...{
          kind: found.areFaced ? 'penetration' : 'manifold',
          algorithm: 'auto',
          tolerance: BATCH_TOLERANCE,
        },
        ...{ sweepRadius: 0, manifold: 'clipped' },
      });
      const kinds = shapes.kindsOf(shapes.all);
      const [kernels, program] = await Promise.all([
        compileKernels(device, sourcesFor(found)),
        PairProgram.create(device, shapes, { plan, kinds, pairs: mostPairs, hasAnswers: false }),
      ]);
      const numbers = program.countsFor(mostPairs);
      const scan = numbers > 0 ? owner.keep(await createScan(device, { most: numbers })) : undefined;
      const compaction = owner.keep(await createCompaction(device, { most: mostPairs }));
      const sizes = owner.keep(await IndirectSizes.create(device, 2));
      const count = colliders.count;
      const room = {
        bodies: count,
        convexBodies: count,
        pairs: mostPairs,
        slots: mostPairs,
        answers: mostPairs,
      };
      const made = await device.checked('making room for convex pairs', () => ({
        room: reserveRoom(device, pool, program, room, scan),
        buffers: reserve(pool, faces, mostPairs),
      }));
      const blocks = { owner, kernels, program, placing, pool, compaction, sizes };
      return new ConvexOnDevice(device, options, { ...blocks, ...made });
    });
  }

  /**
   * u32: words of `OpenWord`, then the numbers in `solved` of the pairs that float32 leaves open, in any order. Their
   * records have the status `bounded` or `open`, and there is none where not even a bound is known.
   */
  get open(): GPUBuffer {
    return this.#parts.room.buffers.open;
  }

  /** Two u32 per pair: colliders of the pairs that were solved, in order. Balls apart, and two balls, are not. */
  get solved(): GPUBuffer {
    return this.#parts.buffers.near;
  }

  get gpuBytes(): number {
    return this.#parts.pool.bytes + this.#parts.placing.bytes;
  }

  /** Nothing stands before a pass. */
  begin(): void {}

  /** Records that pairs are answered. Contacts are counted and written afterwards. */
  record(recorder: Recorder, { bodies, pairs, count, isKept = false }: ConvexPairsOnDevice): void {
    const device = this.#device;
    const room = this.#parts.room;
    const { flags, list, near } = this.#parts.buffers;
    const { bodies: placed, spans } = room.buffers;
    this.#parts.placing.record(recorder, bodies, { placed, spans });
    const held = Math.min(this.#options.mostPairs, Math.floor(pairs.size / sizeOf(vec2u)));
    const all = this.#parts.sizes.record(recorder, count, { place: 0, most: held, isKept });
    const sizes = this.#parts.sizes.buffer;
    const inputs = { sizes, asked: pairs, placed, shapes: this.#parts.placing.shapes.tables.records, flags };
    recorder.run(bind(device, this.#parts.kernels.findNear, inputs), all);
    // The count of the size is at most the number of pairs that there is room for.
    const flagged = { buffer: sizes, offset: COUNT_OF_SIZE };
    this.#parts.compaction.record(recorder, { flags, count: flagged, list, mask: SOLVED });
    const some = this.#parts.sizes.record(recorder, { buffer: list }, { place: 1, most: held });
    recorder.run(bind(device, this.#parts.kernels.gatherNear, { sizes, asked: pairs, list, near }), some);
    const solved = {
      asked: near,
      bodyCount: this.#options.colliders.count,
      first: 0,
      count: { buffer: list },
      held,
    };
    this.#parts.program.recordPairs(recorder, room, solved);
    const { places, results, open } = room.buffers;
    const { faces } = this.#parts.buffers;
    const found = this.#faceContacts;
    const summed = { asked: near, places, placed, faces, results, found, open };
    recorder.run(bind(device, this.#parts.kernels.sumFaces, summed), threadsOver(device, held));
    this.#pairs = pairs;
  }

  /** Records that the number of contacts of pair i of the last `record` goes to `counts[countsAt + i]`. */
  countContacts(recorder: Recorder, counts: GPUBuffer, countsAt: number): void {
    const device = this.#device;
    const { places, results, contacts } = this.#parts.room.buffers;
    const { flags, list } = this.#parts.buffers;
    const faceContacts = this.#faceContacts;
    const { countContacts, countBalls } = this.#parts.kernels;
    const params = { countsAt };
    const solved = bind(device, countContacts, { list, places, results, contacts, faceContacts, counts });
    recorder.run(solved, { ...this.#solvedPairs, params });
    if (!countBalls) return;
    const balls = bind(device, countBalls, { sizes: this.#parts.sizes.buffer, flags, counts });
    recorder.run(balls, { ...this.#allPairs, params });
  }

  /**
   * Records that the contacts of pair i are written as `ContactRecord`, from `offsets[countsAt + i]` on. Those that
   * `records` has no room for are left out.
   */
  writeContacts(recorder: Recorder, offsets: GPUBuffer, countsAt: number, records: GPUBuffer): void {
    const device = this.#device;
    const { places, results, contacts, bodies: placed } = this.#parts.room.buffers;
    const { list, near, flags } = this.#parts.buffers;
    const found = this.#faceContacts;
    const { origins } = this.#parts.placing;
    const { writeContacts, writeFaces, writeBalls } = this.#parts.kernels;
    const params = { countsAt };
    const solved = { asked: near, list, origins, places, results, contacts, offsets, records };
    if (writeContacts) recorder.run(bind(device, writeContacts, solved), { ...this.#solvedPairs, params });
    const ofFaces = { asked: near, list, origins, found, offsets, records };
    recorder.run(bind(device, writeFaces, ofFaces), { ...this.#solvedPairs, params });
    if (!writeBalls) return;
    const shapes = this.#parts.placing.shapes.tables.records;
    const asked = { sizes: this.#parts.sizes.buffer, asked: this.#pairs!, flags, placed, shapes };
    const balls = bind(device, writeBalls, { ...asked, origins, offsets, records });
    recorder.run(balls, { ...this.#allPairs, params });
  }

  /** `FaceContacts` of each pair that was solved: where simplices were, which nobody reads any more by then. */
  get #faceContacts(): GPUBuffer {
    return this.#parts.room.buffers.simplices;
  }

  /** Sizes of dispatches over all pairs, and over those that are solved. */
  get #allPairs() {
    return { indirect: { buffer: this.#parts.sizes.buffer, offset: 0 } };
  }

  get #solvedPairs() {
    return { indirect: { buffer: this.#parts.room.buffers.sizes, offset: 0 } };
  }

  destroy(): void {
    this.#parts.owner.destroy();
  }
}

function reserve(pool: BufferPool, faces: FaceTable, mostPairs: number) {
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
  return {
    flags: pool.reserve('convex pairs: flags', sizeOf(u32) * mostPairs, usage),
    list: pool.reserve('convex pairs: numbers', sizeOf(u32) * (mostPairs + 1), usage),
    near: pool.reserve('convex pairs: colliders', sizeOf(vec2u) * mostPairs, usage),
    faces: pool.upload('faces of convex shapes', packFaces(faces)),
  };
}
