/**
 * Contacts with planes on the GPU. Planes are few, so that all their pairs are listed once, and each looks in every
 * step whether its collider reaches below. docs/contacts.md, "Planes".
 */
import { sizeOf } from 'typegpu/data';
import { FACING_COSINE, FACING_SINE, MANIFOLD_RESOLUTION } from '../../convex/constants.ts';
import { shapeBuffers } from '../../convex/gpu/tables.ts';
import type { ShapeTable } from '../../convex/shapes/shape-table.ts';
import { bind } from '../../gpu/bind.ts';
import { threadsOver } from '../../gpu/blocks/form.ts';
import { BufferPool } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { compileKernels } from '../../gpu/kernel.ts';
import { owned } from '../../gpu/owned.ts';
import type { Recorder } from '../../gpu/recorder.ts';
import { isBall } from '../bodies/ball.ts';
import { ColliderKind, type Colliders } from '../bodies/colliders.ts';
import type { FaceTable } from '../faces/face-table.ts';
import { packFaces } from '../faces/pack-faces.ts';
import type { PolyhedronArrays } from '../field/field-arrays.ts';
import * as kernels from './plane-kernels.ts';
import { hasKnownFaces, packPlaneColliders, packPlanePairs } from './plane-tables.ts';

export interface PlanesOnDeviceOptions {
  readonly colliders: Colliders;
  /** The convex shapes; undefined where there are none. */
  readonly table: ShapeTable | undefined;
  /** Their faces. */
  readonly faces: FaceTable | undefined;
  /** By the numbers in `Colliders.polyhedra`. */
  readonly polyhedra: readonly PolyhedronArrays[];
  /** These, as `packAtlas` makes them; undefined where there are none. */
  readonly atlas: GPUBuffer | undefined;
  /** `[k * 2]`: colliders A and B, as `possiblePlanePairs` lists them. */
  readonly pairs: Uint32Array;
  /** Edge of a cell of positions: a power of two. */
  readonly cell: number;
  /** Clusters of polyhedra whose ball reaches below. Default: all. What does not fit is left out, and counted. */
  readonly room?: number | undefined;
}

type Kernels = Awaited<ReturnType<typeof compileAll>>;
type Buffers = ReturnType<typeof reserve>;

export class PlanesOnDevice {
  /** Words that counts of contacts take: one per pair. */
  readonly countWords: number;
  /** Clusters of polyhedra whose ball reaches below that there is room for. */
  readonly room: number;
  readonly #device: Device;
  readonly #cell: number;
  readonly #kernels: Kernels;
  readonly #pool: BufferPool;
  readonly #buffers: Buffers;
  #bodies: GPUBuffer | undefined;

  private constructor(
    device: Device,
    { cell, pairs }: PlanesOnDeviceOptions,
    kernels: Kernels,
    pool: BufferPool,
    buffers: Buffers,
  ) {
    this.countWords = pairs.length / 2;
    this.room = buffers.room;
    this.#device = device;
    this.#cell = cell;
    this.#kernels = kernels;
    this.#pool = pool;
    this.#buffers = buffers;
  }

  /** Compiles the kernels, if nobody did before, and makes room. @throws DeviceError `limits` if there is none */
  static create(device: Device, options: PlanesOnDeviceOptions): Promise<PlanesOnDevice> {
    return owned(async (owner) => {
      const pool = owner.keep(new BufferPool(device));
      const buffers = await device.checked('room for contacts with planes', () => reserve(pool, options));
      return new PlanesOnDevice(device, options, await compileAll(device, buffers), pool, buffers);
    });
  }

  /** Two u32, of the last pass: pairs whose collider's ball reaches below, and clusters of the polyhedra of these. */
  get tally(): GPUBuffer {
    return this.#buffers.tally;
  }

  /** `PlanePair` each. */
  get pairs(): GPUBuffer {
    return this.#buffers.pairs;
  }

  /** Bytes of its buffers. */
  get bytes(): number {
    return this.#pool.bytes;
  }

  /** Records what stands before a pass. */
  begin(recorder: Recorder): void {
    recorder.clear(this.#buffers.tally);
  }

  /** Records that contacts are found. They are counted and written afterwards. @param bodies `ContactBody` each */
  record(recorder: Recorder, { bodies }: { readonly bodies: GPUBuffer }): void {
    const { findCorners, sumBelow } = this.#kernels;
    const { colliders, pairs, tables, corners, faces } = this.#buffers;
    this.#bodies = bodies;
    const size = this.#size(0);
    const placed = { bodies, colliders, pairs };
    if (findCorners) recorder.run(bind(this.#device, findCorners, { ...placed, ...tables, corners }), size);
    if (sumBelow)
      recorder.run(bind(this.#device, sumBelow, { ...placed, faces, corners }), {
        ...size,
        ...this.#fewThreads,
      });
  }

  /** Records that numbers of contacts go to `counts`: `countWords` of them, from `countsAt` on. */
  countContacts(recorder: Recorder, counts: GPUBuffer, countsAt: number): void {
    const device = this.#device;
    const { colliders, pairs, atlas, masks, corners, tally } = this.#buffers;
    const { findBallsBelow, findNodes, countBelow } = this.#kernels;
    const size = this.#size(countsAt);
    const found = { bodies: this.#bodies!, colliders, pairs, counts, tally };
    if (findBallsBelow) recorder.run(bind(device, findBallsBelow, found), size);
    if (findNodes)
      recorder.run(bind(device, findNodes, { ...found, atlas, masks }), { ...size, ...this.#fewThreads });
    if (countBelow) recorder.run(bind(device, countBelow, { pairs, corners, counts, tally }), size);
  }

  /**
   * Records that contacts are written as `ContactRecord`, at the sums of the numbers before theirs: `offsets`, from
   * `countsAt` on, with one more behind the last. Those that `records` has no room for are left out.
   */
  writeContacts(recorder: Recorder, offsets: GPUBuffer, countsAt: number, records: GPUBuffer): void {
    const { colliders, pairs, atlas, masks, corners } = this.#buffers;
    const { writeBallsBelow, writePlaneContacts } = this.#kernels;
    const size = this.#size(countsAt);
    const placed = { bodies: this.#bodies!, colliders, pairs, offsets, records };
    if (writeBallsBelow) recorder.run(bind(this.#device, writeBallsBelow, placed), size);
    if (!writePlaneContacts) return;
    recorder.run(bind(this.#device, writePlaneContacts, { ...placed, atlas, masks, corners }), {
      ...size,
      ...this.#fewThreads,
    });
  }

  destroy(): void {
    this.#pool.destroy();
  }

  /** Of kernels that go from pair to pair. */
  get #fewThreads() {
    return threadsOver(this.#device, this.countWords);
  }

  #size(countsAt: number) {
    const count = this.countWords;
    const { room } = this.#buffers;
    return { threads: count, params: { cellSize: this.#cell, count, countsAt, zero: 0, room } };
  }
}

/** Of these pairs, those of which kernels find the deepest point alone. */
export function pairsWithUnknownFaces(
  { kinds, shapes }: Colliders,
  table: ShapeTable | undefined,
  pairs: Uint32Array,
): Uint32Array {
  return Uint32Array.from(
    Array.from({ length: pairs.length / 2 }, (_, k) => [pairs[2 * k]!, pairs[2 * k + 1]!] as const)
      .filter((pair) =>
        pair.some((c) => kinds[c] === ColliderKind.convex && !hasKnownFaces(table!, shapes[c]!)),
      )
      .flat(),
  );
}

/** Of shapes that meet no plane there are none. */
function compileAll(device: Device, { areBalls, hasCorners, hasMasks, hasFaces }: Buffers) {
  const constants = { FACING_SINE, FACING_COSINE, RESOLUTION: MANIFOLD_RESOLUTION };
  const corners = { ...kernels.findCornersSource, constants };
  return compileKernels(device, {
    findBallsBelow: areBalls ? kernels.findBallsBelowSource : undefined,
    writeBallsBelow: areBalls ? kernels.writeBallsBelowSource : undefined,
    findCorners: hasCorners && !areBalls ? corners : undefined,
    findNodes: hasMasks ? kernels.findNodesSource : undefined,
    sumBelow: hasFaces ? kernels.sumBelowSource : undefined,
    countBelow: (hasCorners || hasFaces) && !areBalls ? kernels.countBelowSource : undefined,
    writePlaneContacts: areBalls ? undefined : kernels.writePlaneContactsSource,
  });
}

/** Whether all that meets planes is balls. */
function areAllBalls(
  { kinds, shapes }: Colliders,
  table: ShapeTable | undefined,
  pairs: Uint32Array,
): boolean {
  const isRound = (c: number) => kinds[c] === ColliderKind.convex && isBall(table!, shapes[c]!);
  return pairs.every((c) => kinds[c] === ColliderKind.plane || isRound(c));
}

function reserve(
  pool: BufferPool,
  { colliders, table, faces, polyhedra, atlas, pairs, room: most = Infinity }: PlanesOnDeviceOptions,
) {
  const packed = packPlanePairs(colliders, faces, polyhedra, pairs);
  const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
  const areBalls = areAllBalls(colliders, table, pairs);
  const shapes = table && !areBalls ? shapeBuffers(table) : undefined;
  const none = new Float32Array(0);
  const room = Math.min(packed.clusters, most);
  return {
    areBalls,
    hasCorners: packed.corners > packed.withFaces,
    hasFaces: packed.withFaces > 0,
    hasMasks: packed.clusters > 0,
    room,
    colliders: pool.upload('planes: colliders', packPlaneColliders(colliders, table, polyhedra)),
    pairs: pool.upload('planes: pairs', packed.words),
    tables: {
      records: pool.upload('planes: shapes', shapes?.records ?? none),
      vertices: pool.upload('planes: vertices', shapes?.vertices ?? none),
      neighbours: pool.upload('planes: neighbours', shapes?.neighbours ?? none),
      facets: pool.upload('planes: facets', shapes?.facets ?? none),
    },
    faces: pool.upload('planes: faces', packed.withFaces > 0 ? packFaces(faces!) : new Uint32Array(0)),
    atlas: atlas ?? pool.reserve('planes: no atlas', 0, STORAGE),
    tally: pool.reserve('planes: tally', sizeOf(kernels.PlaneTally), STORAGE | COPY_SRC | COPY_DST),
    masks: pool.reserve('planes: nodes below', 4 * room, STORAGE),
    corners: pool.reserve(
      'planes: corners',
      sizeOf(kernels.PlaneCorners) * Math.max(1, areBalls ? 0 : packed.corners),
      STORAGE,
    ),
  };
}
