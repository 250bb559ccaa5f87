/** Poses of convex colliders on the GPU, for bodies that are there. */
import { sizeOf, vec2u } from 'typegpu/data';
import { QUATERNION_NORM_TOLERANCE } from '../../convex/constants.ts';
import { Body } from '../../convex/gpu/pair-layout.ts';
import { PairShapes } from '../../convex/gpu/pair-shapes.ts';
import { placedPart, placeOf, type ShapePart, type ShapeParts } from '../../convex/gpu/shape-parts.ts';
import { PLACEMENT, POSE_SIZE, writeRotation } from '../../convex/shapes/pose.ts';
import type { ShapeTable } from '../../convex/shapes/shape-table.ts';
import { bind } from '../../gpu/bind.ts';
import { BufferPool } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { compileKernel, type KernelOf } from '../../gpu/kernel.ts';
import { type Owner, owned } from '../../gpu/owned.ts';
import type { Recorder } from '../../gpu/recorder.ts';
import { ColliderKind, type Colliders } from '../bodies/colliders.ts';
import * as sources from './convex-contact-kernels.ts';

export interface PlacedCollidersOptions {
  /** The convex shapes, no concave ones. */
  readonly table: ShapeTable;
  readonly colliders: Colliders;
  /** Edge of a cell of positions: a power of two. */
  readonly cell: number;
}

/** Buffers that get a number of entries per collider. */
export interface PlacedBuffers {
  /** `Body` */
  readonly placed: GPUBuffer;
  /** vec2u: its number, and 1 where it is convex. */
  readonly spans: GPUBuffer;
}

interface Parts {
  readonly owner: Owner;
  readonly pool: BufferPool;
  readonly shapes: PairShapes;
  readonly kernel: KernelOf<typeof sources.placeCollidersSource>;
  readonly shapeOf: Uint32Array<ArrayBuffer>;
}

const NO_SHAPE = 2 ** 32 - 1;

export class PlacedColliders {
  /** The shapes with their places in bodies. */
  readonly shapes: PairShapes;
  /** `ColliderOrigin` */
  readonly origins: GPUBuffer;
  readonly count: number;
  readonly #device: Device;
  readonly #cell: number;
  readonly #parts: Parts;
  readonly #owners: GPUBuffer;
  readonly #shapeOf: GPUBuffer;

  private constructor(device: Device, { colliders, cell }: PlacedCollidersOptions, made: Parts) {
    const { pool, shapes, shapeOf } = made;
    const { count, bodies, parts } = colliders;
    this.#device = device;
    this.#cell = cell;
    this.#parts = made;
    this.shapes = shapes;
    this.count = count;
    const owners = Uint32Array.from({ length: 2 * count }, (_, i) => (i % 2 === 0 ? bodies : parts)[i >> 1]!);
    this.#owners = pool.upload('bodies and parts of colliders', owners);
    this.#shapeOf = pool.upload('shapes of colliders', shapeOf);
    const bytes = sizeOf(sources.ColliderOrigin) * count;
    this.origins = pool.reserve('centres of colliders', bytes, GPUBufferUsage.STORAGE);
  }

  /** @throws DeviceError `limits` where the device allows no buffer so large */
  static create(device: Device, options: PlacedCollidersOptions): Promise<PlacedColliders> {
    return owned(async (owner) => {
      const { parts, shapeOf } = partsOf(options.table, options.colliders);
      const shapes = owner.keep(await PairShapes.create(device, options.table, parts));
      const { placeCollidersSource: moved, placeUnmovedCollidersSource: unmoved } = sources;
      const kernel = await compileKernel(device, shapes.isMoved ? moved : unmoved, {
        TURNED: shapes.isTurned ? 1 : 0,
        UNIT_TOLERANCE: 2 * QUATERNION_NORM_TOLERANCE,
      });
      const pool = owner.keep(new BufferPool(device));
      const made = { owner, pool, shapes, kernel, shapeOf };
      return device.checked('making room for colliders', () => new PlacedColliders(device, options, made));
    });
  }

  /** Makes room for these buffers. */
  static reserve(pool: BufferPool, count: number): PlacedBuffers {
    return {
      placed: pool.reserve('convex bodies', sizeOf(Body) * count, GPUBufferUsage.STORAGE),
      spans: pool.reserve('convex bodies of bodies', sizeOf(vec2u) * count, GPUBufferUsage.STORAGE),
    };
  }

  get bytes(): number {
    return this.#parts.pool.bytes + this.shapes.bytes;
  }

  /** Records that colliders are placed. @param bodies `ContactBody` of each body */
  record(recorder: Recorder, bodies: GPUBuffer, { placed, spans }: PlacedBuffers): void {
    const { kernel, shapes } = this.#parts;
    const { shapeParts, parts } = shapes;
    const given = { bodies, owners: this.#owners, shapes: this.#shapeOf, shapeParts, parts };
    recorder.run(bind(this.#device, kernel, { ...given, placed, spans, origins: this.origins }), {
      ...{ threads: this.count, params: { cell: this.#cell, count: this.count, zero: 0 } },
    });
  }

  destroy(): void {
    this.#parts.owner.destroy();
  }
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
