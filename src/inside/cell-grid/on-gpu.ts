/** The cell grid on a GPU: its tables, uploaded once, and the kernels that look points up in them. */
import * as d from 'typegpu/data';
import { LEAST_FLOAT32 } from '../../constants.ts';
import { bind } from '../../gpu/bind.ts';
import { BufferPool } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { type BufferCount, countWindow, type IndirectSizes } from '../../gpu/indirect.ts';
import { type BufferPart, compileKernel, type KernelOf } from '../../gpu/kernel.ts';
import { owned } from '../../gpu/owned.ts';
import type { Extent, Recorder } from '../../gpu/recorder.ts';
import type { Box } from '../../mesh/triangle-mesh.ts';
import { LIST_HEADER, type Rule } from '../classification.ts';
import { isIdentity, type LocalFrame, type Surface } from '../surface.ts';
import {
  cellLookUpSource,
  cellSegmentsSource,
  localPointsSource,
  MixedPoints,
  PointBits,
} from './cell-grid-layout.ts';
import { cutPairs, type PairsPart } from './parts.ts';
import { boundWordBytes, type CellGridTables, PAIR_FLOATS } from './tables.ts';

/** Points that a thread of the look-up works on; `POINTS` in the WGSL. */
const POINTS_PER_THREAD = 4;
/** Bytes of an entry of the table of words. */
const WORD_ENTRY_BYTES = 8;
/** Bytes of working memory that a body keeps between calls: that of some 60,000 points. */
const MOST_SPARE_BYTES = 2 << 20;

/** What a rule needs besides the tables that all share. */
interface OfRule {
  readonly lookUp: KernelOf<typeof cellLookUpSource>;
  readonly segments: KernelOf<typeof cellSegmentsSource>;
  /** Statuses and bases, and windings where these are asked for. */
  readonly words: GPUBuffer;
}

/** Pairs that are bound at once, with the mixed cells that they belong to. */
interface BoundPart extends PairsPart {
  readonly pairs: GPUBuffer;
}

/** What the kernels read of a set of points, and write about it. */
export interface PointBuffers {
  /** `[x, y, z]` per point, float32, in the frame of the mesh. */
  readonly points: BufferPart;
  /** A byte per point, four to a word: its flag, or winding number. Room for a multiple of 4. */
  readonly packed: BufferPart;
  /** The list of doubtful points. */
  readonly doubtful: BufferPart;
  /** Working memory, which only passes of the same points use. */
  readonly work: WorkBuffers;
}

export interface WorkBuffers {
  readonly mixedPoints: GPUBuffer;
  /** Points in the local frame, where that is another. */
  readonly local: GPUBuffer | undefined;
}

/** Points so many, or as many as a buffer says when the kernels run. */
export type PointCount =
  | { readonly points: number }
  | { readonly counted: BufferCount; readonly most: number; readonly sizes: IndirectSizes };

/** A capacity that the kernels can write flags of: whole words. */
export function wholeWords(points: number): number {
  return Math.ceil(points / POINTS_PER_THREAD) * POINTS_PER_THREAD;
}

export class CellGridOnGpu {
  readonly device: Device;
  readonly #tables: CellGridTables;
  readonly #surface: Surface;
  /** Undefined where the local frame is the mesh's own. */
  readonly #toLocal: KernelOf<typeof localPointsSource> | undefined;
  readonly #pool: BufferPool;
  readonly #buffers: Readonly<Record<'references' | 'starts' | 'blocks' | 'uncounted', GPUBuffer>>;
  readonly #parts: readonly BoundPart[];
  readonly #byRule = new Map<Rule, OfRule>();
  #spare: BufferPool | undefined;
  #isDestroyed = false;

  private constructor(
    device: Device,
    tables: CellGridTables,
    surface: Surface,
    toLocal: KernelOf<typeof localPointsSource> | undefined,
    pool: BufferPool,
    cut: readonly PairsPart[],
  ) {
    const { references, starts, pairs, blocks } = tables;
    this.device = device;
    this.#tables = tables;
    this.#surface = surface;
    this.#toLocal = toLocal;
    this.#pool = pool;
    this.#buffers = {
      references: pool.upload('cell grid references', references),
      starts: pool.upload('cell grid starts', starts),
      blocks: pool.upload('cell grid blocks', blocks),
      // Bound where the host knows the number of points.
      uncounted: pool.upload('no count', new Uint32Array(1)),
    };
    this.#parts = cut.map((part, n) => {
      const ofPart = pairs.subarray(PAIR_FLOATS * part.firstPair, PAIR_FLOATS * part.endPair);
      return { ...part, pairs: pool.upload(`cell grid pairs ${n}`, ofPart) };
    });
  }

  /**
   * Uploads the tables of a surface that all rules share.
   *
   * @param largestPart bytes of pairs that are bound at once: by default as many as the device allows
   */
  static async create(
    device: Device,
    tables: CellGridTables,
    surface: Surface,
    largestPart = Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize),
  ): Promise<CellGridOnGpu> {
    const cut = cutPairs(tables, largestPart);
    const toLocal = isIdentity(surface.frame) ? undefined : await compileKernel(device, localPointsSource);
    return owned((owner) => {
      const pool = owner.keep(new BufferPool(device));
      const make = () => new CellGridOnGpu(device, tables, surface, toLocal, pool, cut);
      return device.checked('uploading the cell grid', make);
    });
  }

  /** Bytes of the tables. */
  get gpuBytes(): number {
    return this.#pool.bytes;
  }

  /** Room for buffers of a call: where there are some that an earlier one has left, with those. */
  takeWork(): BufferPool {
    const work = this.#spare ?? new BufferPool(this.device);
    this.#spare = undefined;
    return work;
  }

  /**
   * Takes back the room of a call that has ended. What is small is kept for the next one, which then makes no buffer.
   */
  giveWork(work: BufferPool): void {
    if (this.#spare === undefined && !this.#isDestroyed && work.bytes <= MOST_SPARE_BYTES) this.#spare = work;
    else work.destroy();
  }

  /**
   * Makes the kernels and statuses of a rule ready, if no earlier call did. For `winding` the tables have windings, and
   * points get winding numbers in place of flags: bytes, as `windingByte` has them.
   */
  async prepare(rule: Rule): Promise<void> {
    if (this.#byRule.has(rule)) return;
    const { device } = this;
    const packed = packWords(this.#tables, rule);
    const windings = rule === 'winding';
    const [lookUp, segments] = await Promise.all([
      compileKernel(device, cellLookUpSource, {
        LEVELS: this.#tables.levels,
        STRIDE: boundWordBytes(windings) / WORD_ENTRY_BYTES,
      }),
      compileKernel(device, cellSegmentsSource, { WINDINGS: windings ? 1 : 0 }),
    ]);
    const upload = () => this.#pool.upload(`cell grid words, ${rule}`, packed);
    const words = await device.checked('uploading the cell grid', upload);
    this.#byRule.set(rule, { lookUp, segments, words });
  }

  /** Working memory for so many points. What is there and large enough stays. */
  reserveWork(pool: BufferPool, points: number): WorkBuffers {
    const { STORAGE, COPY_DST } = GPUBufferUsage;
    const capacity = wholeWords(points);
    return {
      mixedPoints: pool.reserve(
        'points in mixed cells',
        d.sizeOf(MixedPoints(Math.max(1, capacity))),
        STORAGE | COPY_DST,
      ),
      local:
        this.#toLocal && pool.reserve('points in the local frame', d.sizeOf(PointBits) * capacity, STORAGE),
    };
  }

  /** Records the kernels over points, behind `prepare` of the rule. Nothing in it waits. */
  record(recorder: Recorder, rule: Rule, buffers: PointBuffers, count: PointCount): void {
    const { device } = this;
    const { lookUp, segments, words } = this.#byRule.get(rule)!;
    const { packed, doubtful, work } = buffers;
    const { references, starts, blocks, uncounted } = this.#buffers;
    const { grid } = this.#tables;
    const { frame } = this.#surface;
    const box = boxForKernels(this.#surface.box);
    const { buffer, offset = 0 } = 'buffer' in doubtful ? doubtful : { buffer: doubtful };
    recorder.clear(buffer, offset, 4 * LIST_HEADER);
    recorder.clear(work.mixedPoints, 0, 4);
    const [most, extent] = this.#extentOf(recorder, count);
    if (this.#toLocal && work.local) {
      const bound = bind(device, this.#toLocal, { points: buffers.points, local: work.local });
      recorder.run(bound, { ...extent, params: localParams(most, frame, this.#surface.sourceBox) });
    }
    const points = work.local ?? buffers.points;
    const window = 'counted' in count ? countWindow(device, count.counted) : undefined;
    const params = {
      boxMin: d.vec3f(...box.min),
      inverse: 1 / grid.cell,
      boxMax: d.vec3f(...box.max),
      points: most,
      counts: d.vec3u(...grid.counts),
      nonzero: rule === 'nonzero' ? 1 : 0,
      isCounted: window ? 1 : 0,
      countAt: window?.countAt ?? 0,
    };
    const whole = { firstRank: 0, endRank: 0, firstPair: 0 };
    const tables = { words, references, blocks };
    const { mixedPoints } = work;
    recorder.run(
      bind(device, lookUp, {
        ...tables,
        ...{ points, packed, doubtful, mixedPoints, counted: window?.counts ?? uncounted },
      }),
      { ...extent, params: { ...params, ...whole } },
    );
    for (const { pairs, firstRank, endRank, firstPair } of this.#parts) {
      // As many threads as looked points up: each takes an entry of the list after the other.
      recorder.run(
        bind(device, segments, { points, mixedPoints, references, starts, pairs, packed, doubtful }),
        { ...extent, params: { ...params, firstRank, endRank, firstPair } },
      );
    }
  }

  /** Most points, and the threads that look them up. */
  #extentOf(recorder: Recorder, count: PointCount): [number, Extent] {
    if ('points' in count) return [count.points, { threads: Math.ceil(count.points / POINTS_PER_THREAD) }];
    const { counted, most, sizes } = count;
    return [most, sizes.record(recorder, counted, { place: 0, most, itemsPerThread: POINTS_PER_THREAD })];
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#pool.destroy();
    this.#spare?.destroy();
    this.#spare = undefined;
  }
}

/** The words of a rule as the look-up reads them: statuses and base, and the bytes of the windings. */
function packWords({ bases, odd, nonzero, windings }: CellGridTables, rule: Rule): Uint32Array<ArrayBuffer> {
  const statuses = rule === 'odd' ? odd : nonzero;
  const bytes =
    rule === 'winding'
      ? new Uint32Array(windings!.buffer, windings!.byteOffset, windings!.length / 4)
      : new Uint32Array(0);
  const words = statuses.length;
  const more = bytes.length / words;
  const packed = new Uint32Array((2 + more) * words);
  for (let w = 0, at = 0; w < words; w++) {
    packed[at++] = statuses[w]!;
    packed[at++] = bases[w]!;
    for (let b = more * w; b < more * (w + 1); b++) packed[at++] = bytes[b]!;
  }
  return packed;
}

/**
 * A box for kernels, which may take a subnormal coordinate of a point or of the box for 0, each on its own: an end that
 * is subnormal moves outwards to the next number that stays as it is.
 */
function boxForKernels({ min, max }: Box): Box {
  const isSubnormal = (x: number) => Math.abs(x) < LEAST_FLOAT32;
  const below = (x: number) => (isSubnormal(x) ? (x < 0 ? -LEAST_FLOAT32 : 0) : x);
  const above = (x: number) => (isSubnormal(x) ? (x > 0 ? LEAST_FLOAT32 : 0) : x);
  return {
    min: [below(min[0]), below(min[1]), below(min[2])],
    max: [above(max[0]), above(max[1]), above(max[2])],
  };
}

/** As `ordered` of the kernel: the bits of floats in their order, both zeros alike. */
export function orderedBits(x: number): number {
  const [bits] = new Uint32Array(Float32Array.of(x).buffer);
  return bits! & 0x80000000 ? -bits! >>> 0 : (bits! | 0x80000000) >>> 0;
}

/** Parameters of the kernel that brings points into the local frame. */
export function localParams(points: number, { scale, shift }: LocalFrame, { min, max }: Box) {
  const bits = ([x, y, z]: Box['min']) => d.vec3u(orderedBits(x), orderedBits(y), orderedBits(z));
  return {
    points,
    exponent: Math.round(Math.log2(scale)),
    shift: d.vec3f(...shift),
    boxMin: bits(min),
    boxMax: bits(max),
  };
}
