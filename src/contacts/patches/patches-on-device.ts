/**
 * Contacts of balls with polyhedra on the GPU. Triangles near each ball are counted, and listed in the order of pairs
 * and then of the tree; each pair finds its parts in its own range of the list, and the contacts are written at their
 * places. So records have the order of the CPU's list, and no place depends on timing. Nothing in it waits.
 */
import * as d from 'typegpu/data';
import type { ShapeArrays } from '../../convex/shapes/records.ts';
import { PARAMETERS, Parameter } from '../../convex/shapes/records.ts';
import { bind } from '../../gpu/bind.ts';
import { createScan, type Scan } from '../../gpu/blocks/scan.ts';
import { BufferPool } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { type BufferCount, IndirectSizes } from '../../gpu/indirect.ts';
import { compileKernels, type KernelsOf } from '../../gpu/kernel.ts';
import { type Owner, owned } from '../../gpu/owned.ts';
import type { Extent, Recorder } from '../../gpu/recorder.ts';
import { WORD } from '../../gpu/words.ts';
import { ColliderKind, type Colliders } from '../bodies/colliders.ts';
import { PlacedPolyhedron } from '../clusters/cluster-kernels.ts';
import { packPlacedPolyhedra } from '../clusters/placed-polyhedra.ts';
import type { PolyhedronArrays } from '../field/field-arrays.ts';
import {
  countTrianglesSource,
  findPartsSource,
  ListedTriangle,
  writePatchesSource,
} from './patch-kernels.ts';

/** Places in the tally, in bytes, and words of it. */
const Tally = { pairs: 0, triangles: WORD } as const;
const TALLY_WORDS = 2;

export interface PatchesOnDeviceOptions {
  readonly colliders: Colliders;
  /** Of the balls. */
  readonly shapes: ShapeArrays;
  /** By the numbers in `Colliders.polyhedra`. */
  readonly polyhedra: readonly PolyhedronArrays[];
  /** These, as `packAtlas` makes them. */
  readonly atlas: GPUBuffer;
  /** Edge of a cell of positions, a length. */
  readonly cell: number;
  /** Room for pairs. What does not fit is left out, and counted all the same. */
  readonly pairs: number;
  /** Room for triangles near balls. A pair whose triangles do not fit has no contacts. */
  readonly triangles: number;
}

export interface PatchPairs {
  /** `ContactBody` each. */
  readonly bodies: GPUBuffer;
  /** Two u32 each: colliders A and B. One is a ball, the other one a polyhedron. */
  readonly pairs: GPUBuffer;
  readonly count: BufferCount;
  /** Size of a dispatch over the pairs. Default: it is made. */
  readonly perPair?: Extent;
}

const KERNELS = { count: countTrianglesSource, find: findPartsSource, write: writePatchesSource };

interface Parts {
  readonly kernels: KernelsOf<typeof KERNELS>;
  readonly owner: Owner;
  readonly pool: BufferPool;
  readonly scan: Scan;
  readonly sizes: IndirectSizes;
}

/** `record`, then `countContacts`, then `writeContacts`. */
export class PatchesOnDevice {
  /** Two u32: pairs, and triangles near balls, that there were in the last pass. */
  readonly tally: GPUBuffer;
  readonly #device: Device;
  readonly #options: PatchesOnDeviceOptions;
  readonly #parts: Parts;
  readonly #buffers: Readonly<Record<'colliders' | 'spans' | 'triangles', GPUBuffer>>;
  #last: { readonly given: Given; readonly extent: Extent } | undefined;

  private constructor(device: Device, options: PatchesOnDeviceOptions, parts: Parts) {
    this.#device = device;
    this.#options = options;
    this.#parts = parts;
    const { pool } = parts;
    const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
    this.tally = pool.reserve(
      'tally of triangles near balls',
      WORD * TALLY_WORDS,
      STORAGE | COPY_SRC | COPY_DST,
    );
    const spans = 2 * options.pairs + TALLY_WORDS;
    this.#buffers = {
      colliders: pool.upload('balls and polyhedra', packPlaced(options)),
      spans: pool.reserve('triangles of pairs', WORD * spans, STORAGE | COPY_DST),
      triangles: pool.reserve('triangles near balls', d.sizeOf(ListedTriangle) * options.triangles, STORAGE),
    };
  }

  /** Compiles the kernels, if nobody did before, and makes room. @throws DeviceError `limits` if there is none */
  static create(device: Device, options: PatchesOnDeviceOptions): Promise<PatchesOnDevice> {
    return owned(async (owner) => {
      const kernels = await compileKernels(device, KERNELS);
      const pool = owner.keep(new BufferPool(device));
      const scan = owner.keep(await createScan(device, { most: options.pairs }));
      const sizes = owner.keep(await IndirectSizes.create(device));
      const parts = { owner, kernels, pool, scan, sizes };
      return device.checked('room for balls on polyhedra', () => new PatchesOnDevice(device, options, parts));
    });
  }

  /** Words that counts of contacts take. */
  get countWords(): number {
    return this.#options.pairs;
  }

  /** Bytes of its buffers. */
  get bytes(): number {
    return this.#parts.pool.bytes;
  }

  /** Records what stands before a pass. */
  begin(recorder: Recorder, { count }: Pick<PatchPairs, 'count'>): void {
    const from = { buffer: count.buffer, offset: count.offset ?? 0 };
    const end = { buffer: this.#buffers.spans, offset: 2 * WORD * this.#options.pairs };
    recorder.copy(from, { buffer: this.tally, offset: Tally.pairs }, WORD);
    recorder.copy(from, end, WORD);
  }

  /** Records that triangles near balls are counted. Contacts are found and written afterwards. */
  record(recorder: Recorder, { bodies, pairs, perPair }: PatchPairs): void {
    const { kernels, scan, sizes } = this.#parts;
    const { atlas, pairs: mostPairs } = this.#options;
    const { colliders, spans } = this.#buffers;
    const { tally } = this;
    const given = { bodies, colliders, atlas, pairs, spans };
    const countOfPairs = { buffer: tally, offset: Tally.pairs };
    const end = { buffer: spans, offset: 2 * WORD * mostPairs };
    const extent = perPair ?? sizes.record(recorder, countOfPairs, { place: 0, most: mostPairs });
    recorder.run(bind(this.#device, kernels.count, given), { ...extent, params: this.#params(0) });
    scan.record(recorder, { numbers: spans, count: countOfPairs });
    recorder.copy(scan.total, { buffer: tally, offset: Tally.triangles }, WORD);
    recorder.copy(scan.total, { ...end, offset: end.offset + WORD }, WORD);
    this.#last = { given, extent };
  }

  /** Records that the number of contacts of pair i of the last `record` goes to `counts[countsAt + i]`: 0 before. */
  countContacts(recorder: Recorder, counts: GPUBuffer, countsAt: number): void {
    const { given, extent } = this.#last!;
    const bound = bind(this.#device, this.#parts.kernels.find, {
      ...given,
      triangles: this.#buffers.triangles,
      counts,
    });
    recorder.run(bound, { ...extent, params: this.#params(countsAt) });
  }

  /**
   * Records that the contacts of pair i are written as `ContactRecord`, from `offsets[countsAt + i]` on. Those that
   * `records` has no room for are left out.
   */
  writeContacts(recorder: Recorder, offsets: GPUBuffer, countsAt: number, records: GPUBuffer): void {
    const { given, extent } = this.#last!;
    const buffers = { ...given, triangles: this.#buffers.triangles, offsets, records };
    recorder.run(bind(this.#device, this.#parts.kernels.write, buffers), {
      ...extent,
      params: this.#params(countsAt),
    });
  }

  destroy(): void {
    this.#parts.owner.destroy();
  }

  #params(countsAt: number) {
    const { cell, pairs, triangles } = this.#options;
    return { cellSize: cell, mostPairs: pairs, mostTriangles: triangles, countsAt };
  }
}

type Given = Readonly<Record<'bodies' | 'colliders' | 'atlas' | 'pairs' | 'spans', GPUBuffer>>;

/** In place of a polyhedron's number: a ball. ball.wgsl has it too. */
const NO_SHAPE = 2 ** 32 - 1;
const PLACED_WORDS = d.sizeOf(PlacedPolyhedron) / WORD;

/** Polyhedra, and convex colliders as balls: those that are no balls are in no pair. */
function packPlaced({ colliders, shapes, polyhedra }: PatchesOnDeviceOptions): Uint32Array<ArrayBuffer> {
  const words = packPlacedPolyhedra(colliders, polyhedra);
  const floats = new Float32Array(words.buffer);
  for (let c = 0; c < colliders.count; c++) {
    if (colliders.kinds[c] !== ColliderKind.convex) continue;
    const at = PLACED_WORDS * c;
    floats.set([0, 0, 0, 1, ...colliders.places.subarray(7 * c, 7 * c + 3)], at);
    words.set([colliders.bodies[c]!, NO_SHAPE, colliders.parts[c]!], at + 7);
    floats[at + 10] = shapes.parameters[PARAMETERS * colliders.shapes[c]! + Parameter.margin]!;
  }
  return words;
}
