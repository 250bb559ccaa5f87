/**
 * The fast multipole double-layer potential on the GPU (Muth et al., section 2.1.2): trees and lists on the host, expansions
 * and evaluation in kernels, in float32 with a bound of J's error per point. Its float64 twin is `multipole.reference.ts`.
 * See docs/multipole.md.
 */
import {
  ARGUMENT_ERROR,
  BOUNDARY_DOUBT,
  BOUNDARY_ROUNDING,
  CROSSING_ROUNDING,
  CROSSING_VOLUME_ROUNDING,
  FLOAT32_SPACING,
  LEAST_EDGE_NUMBER,
  LEAST_HEIGHT_32,
} from '../constants.ts';
import { InputError, throwIfAborted } from '../errors.ts';
import { BufferPool, readBack, UniformBuffer } from '../gpu/buffers.ts';
import type { Device } from '../gpu/device.ts';
import { bindBuffers, encodePass, getKernel, type Kernel, runSlices } from '../gpu/passes.ts';
import { isBalanced } from '../mesh/balance.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { lapClock, type MethodRun, type StageSeconds } from './method.ts';
import { buildNearField, orderedCorners } from './multipole.boundary.ts';
import { buildEvaluationTree, checkDepth, type MultipoleDepth } from './multipole.depth.ts';
import { addOutside, type OutsideField } from './multipole.evaluate.ts';
import { EvaluateParams, evaluateLayout } from './multipole.layout.ts';
import { HOST_PLACE, LeafSorter, OUTSIDE_PLACE, POINTS_PER_THREAD } from './multipole.points.ts';
import { boundNorms, upwardPass } from './multipole.reference.ts';
import { compileStages, type GpuStageSeconds, MultipoleStages } from './multipole.stages.ts';
import { localQuads, packCells, packFactors } from './multipole.tables.ts';
import { buildSourceTree, type SourceTree, truncateSourceTree } from './multipole.tree.ts';
import type { Potential } from './potential.ts';
import { multipoleShaders } from './shaders.ts';
import { localAxes } from './solid-angle.ts';
import { localSurface, type Surface } from './surface.ts';
import { unitScale, unitVertices } from './unit-frame.ts';

/** Threads per workgroup; `GROUP` in the WGSL. */
const GROUP = 64;
/** Points that are worked on at once: 12 MiB of coordinates. */
const CHUNK = 1 << 20;
/** Threads of the first slice: about 10 ms of work on a software adapter. */
const FIRST_SLICE = 64 * GROUP;

export interface GpuMultipoleOptions {
  /** Degree p of the expansions, 1 .. 8. Default 2, enough for flags. */
  readonly degree?: number | undefined;
  /** Separation d of eq. 16, above 1. Default 1.6. */
  readonly separation?: number | undefined;
  /** Default `auto`. */
  readonly depth?: MultipoleDepth | undefined;
  /** Number of points to come, if known. */
  readonly points?: number | undefined;
  /** Whether every edge is traversed as often in each direction, so that J is 0 outside the box; found out if not given. */
  readonly closed?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Interactions that are on the GPU at once, instead of the usual number; for tests. */
  readonly pageSize?: number | undefined;
}

/** Wall seconds of the set-up: on the host trees, lists and the near field's boundaries; then the stages on the GPU. */
export interface SetUpSeconds extends GpuStageSeconds {
  readonly trees: number;
  readonly lists: number;
  readonly nearField: number;
  readonly total: number;
}

/** What the evaluation reads. */
type Tables = Readonly<Record<'cells' | 'locals' | 'entries' | 'vertices' | 'factors', GPUBuffer>>;

/** The expansions of one body on the GPU. */
export class Multipole implements Potential {
  readonly degree: number;
  readonly separation: number;
  readonly level: number;
  readonly seconds: SetUpSeconds;
  readonly tableBytes: number;
  readonly #device: Device;
  readonly #surface: Surface;
  readonly #source: SourceTree;
  readonly #errorDegree: number;
  readonly #sorter: LeafSorter;
  readonly #pool: BufferPool;
  readonly #tables: Tables;
  #outside: OutsideField | undefined;

  private constructor(
    device: Device,
    pool: BufferPool,
    built: Pick<Multipole, 'degree' | 'separation' | 'level' | 'seconds'> & {
      surface: Surface;
      source: SourceTree;
      errorDegree: number;
      sorter: LeafSorter;
      tables: Tables;
    },
  ) {
    this.degree = built.degree;
    this.separation = built.separation;
    this.level = built.level;
    this.seconds = built.seconds;
    this.#device = device;
    this.#pool = pool;
    this.#surface = built.surface;
    this.#source = built.source;
    this.#errorDegree = built.errorDegree;
    this.#sorter = built.sorter;
    this.#tables = built.tables;
    this.tableBytes = pool.bytes;
  }

  /**
   * Builds trees, lists and expansions of a mesh.
   *
   * @throws InputError for a degree, a separation or a depth out of range
   * @throws DeviceError if the device is lost, out of memory, or its bindings are too small for a table
   */
  static async create(
    device: Device,
    mesh: TriangleMesh,
    options: GpuMultipoleOptions = {},
  ): Promise<Multipole> {
    const { degree = 2, separation = 1.6, depth = 'auto', points, signal, pageSize } = options;
    if (!(Number.isInteger(degree) && degree >= 1 && degree <= 8)) {
      throw new InputError(`degree is ${degree}, expected an integer from 1 to 8`);
    }
    if (!(separation > 1 && Number.isFinite(separation))) {
      throw new InputError(`separation is ${separation}, expected a number above 1`);
    }
    checkDepth({ depth, points });
    device.assertOpen();
    const started = performance.now();
    const lap = lapClock();
    const errorDegree = Math.min(degree + 4, 12);
    // Compiled while the host builds the trees; failures show where the kernels are used.
    for (const kernel of [
      ...Object.values(compileStages(device, degree, errorDegree)),
      compile(device, degree),
    ])
      kernel.catch(() => {});
    const surface = localSurface(mesh);
    const closed = options.closed ?? isBalanced(mesh.indices, mesh.vertexCount);
    const whole = buildSourceTree(surface);
    const trees = lap();
    throwIfAborted(signal);
    const evaluation = buildEvaluationTree(surface, whole, {
      depth,
      points,
      p: degree,
      q: degree,
      d: separation,
      costs: 'kernels',
    });
    const source = truncateSourceTree(whole, evaluation.depth);
    const lists = lap();
    throwIfAborted(signal);
    const corners = orderedCorners(surface, source.order);
    const near = buildNearField(surface, source, evaluation, corners);
    const nearField = lap();
    throwIfAborted(signal);

    const scale = unitScale(source.root.edge);
    const pool = new BufferPool(device);
    let stages: MultipoleStages | undefined;
    try {
      const tables = await device.checked('uploading the near field', () => ({
        cells: pool.upload('multipole cells', packCells(source, evaluation, near, scale)),
        entries: pool.upload('multipole near field', near.entries),
        vertices: pool.upload('multipole vertices', unitVertices(surface, scale)),
        factors: pool.upload('multipole factors', packFactors()),
      }));
      const input = { source, evaluation, p: degree, errorDegree, d: separation, scale, corners };
      stages = await device.checked(
        'making room for the expansions',
        () => new MultipoleStages(device, { ...input, ...tables, signal, pageSize }, pool),
      );
      const packing = lap();
      const onGpu = await stages.run();
      const seconds = {
        ...onGpu,
        upload: onGpu.upload + packing,
        trees,
        lists,
        nearField,
        total: (performance.now() - started) / 1000,
      };
      return new Multipole(device, pool, {
        degree,
        separation,
        level: evaluation.depth,
        seconds,
        surface,
        source,
        errorDegree,
        sorter: new LeafSorter(surface, source, evaluation, { scale, closed }),
        tables: { ...tables, locals: stages.locals },
      });
    } catch (error) {
      pool.destroy();
      throw error;
    } finally {
      stages?.destroy();
    }
  }

  get gpuBytes(): number {
    return this.#pool.bytes;
  }

  /**
   * See `Potential.evaluate`.
   *
   * @param pool scratch buffers to be used again; by default they last for the call
   * @param seconds stages to be added to
   */
  async evaluate(
    points: Float32Array,
    first: number,
    count: number,
    values: Float32Array,
    bounds: Float32Array,
    run: MethodRun,
    pool?: BufferPool,
    seconds: StageSeconds = { upload: 0, classify: 0, readback: 0 },
  ): Promise<void> {
    const work = pool ?? new BufferPool(this.#device);
    try {
      for (let from = 0; from < count; from += CHUNK) {
        const size = Math.min(CHUNK, count - from);
        const out = {
          values: values.subarray(from, from + size),
          bounds: bounds.subarray(from, from + size),
        };
        const onProgress = (done: number) => run.onProgress?.(from + done);
        await this.#evaluateChunk(points, first + from, size, out, { ...run, onProgress }, work, seconds);
      }
    } finally {
      if (pool === undefined) work.destroy();
    }
  }

  async #evaluateChunk(
    points: Float32Array,
    first: number,
    count: number,
    { values, bounds }: { values: Float32Array; bounds: Float32Array },
    run: MethodRun,
    work: BufferPool,
    seconds: StageSeconds,
  ): Promise<void> {
    const lap = lapClock();
    const device = this.#device;
    throwIfAborted(run.signal);
    const { threads, coordinates, places, forHost } = this.#sorter.sort(points, first, count);
    let results = new Float32Array(0);
    if (threads > 0) {
      const kernel = await compile(device, this.degree);
      const buffers = await device.checked('uploading points', () => ({
        points: work.upload('points', coordinates),
        results: work.reserve('potentials', 32 * threads, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC),
      }));
      const params = new UniformBuffer(device, EvaluateParams);
      try {
        await device.finished();
        seconds.upload += lap();
        const group = bindBuffers(device, kernel, { ...this.#tables, ...buffers, params: params.buffer });
        await runSlices(
          device,
          {
            what: 'evaluating the potential',
            total: threads,
            first: FIRST_SLICE,
            multiple: GROUP,
            signal: run.signal,
            onProgress: (done) => run.onProgress?.(Math.floor((count * done) / threads)),
          },
          (firstThread, endThread) => {
            params.write({ firstThread, endThread, ...CONSTANTS });
            const encoder = device.handle.createCommandEncoder({ label: 'multipole evaluation' });
            encodePass(device, encoder, kernel, group, Math.ceil((endThread - firstThread) / GROUP));
            device.handle.queue.submit([encoder.finish()]);
          },
        );
        seconds.classify += lap();
        const [bytes] = await readBack(device, work, [{ buffer: buffers.results, bytes: 32 * threads }]);
        results = new Float32Array(bytes!.buffer as ArrayBuffer, bytes!.byteOffset, 8 * threads);
      } finally {
        params.destroy();
      }
    }
    for (let i = 0; i < count; i++) {
      const place = places[i]!;
      if (place === HOST_PLACE) continue;
      // 16 words per thread among the coordinates, 8 among the results.
      const at = 8 * (place >> 4) + (place & 3);
      values[i] = place === OUTSIDE_PLACE ? 0 : results[at]!;
      bounds[i] = place === OUTSIDE_PLACE ? 0 : results[at + POINTS_PER_THREAD]!;
    }
    seconds.readback += lap();
    this.#evaluateOnHost(points, first, forHost, values, bounds);
    seconds.classify += lap();
    run.onProgress?.(count);
  }

  /** Points outside the cube of an open surface: the series of eq. 20 for all clusters that are far enough, in float64. */
  #evaluateOnHost(
    points: Float32Array,
    first: number,
    forHost: readonly number[],
    values: Float32Array,
    bounds: Float32Array,
  ): void {
    if (forHost.length === 0) return;
    const [localX, localY, localZ] = localAxes(this.#surface);
    const sum = new Float64Array(2);
    const field = this.#requireOutside();
    for (const i of forHost) {
      const p = 3 * (first + i);
      sum.fill(0);
      addOutside(field, localX(points[p]!), localY(points[p + 1]!), localZ(points[p + 2]!), sum);
      values[i] = sum[0]!;
      // From above, with the rounding to float32.
      bounds[i] = (sum[1]! + FLOAT32_SPACING * Math.abs(sum[0]!)) * (1 + FLOAT32_SPACING);
    }
  }

  #requireOutside(): OutsideField {
    if (this.#outside === undefined) {
      const [source, errorDegree] = [this.#source, this.#errorDegree];
      const moments = upwardPass(source, errorDegree);
      const norms = boundNorms(source, moments, errorDegree);
      this.#outside = { source, moments, norms, errorDegree, d: this.separation };
    }
    return this.#outside;
  }

  /** Gives back the body's GPU memory. No call may be under way or follow. */
  destroy(): void {
    this.#pool.destroy();
  }
}

function compile(device: Device, degree: number): Promise<Kernel> {
  return getKernel(device, multipoleShaders.evaluate.shader(), {
    entryPoint: 'evaluate',
    layout: evaluateLayout,
    constants: { DEGREE: degree, ROWS: localQuads(degree) },
  });
}

/** Of the bound, for all bodies. */
const CONSTANTS = {
  doubt: BOUNDARY_DOUBT,
  leastNumber: LEAST_EDGE_NUMBER,
  leastHeight: LEAST_HEIGHT_32,
  edgeError: CROSSING_ROUNDING,
  volumeError: CROSSING_VOLUME_ROUNDING,
  rounding: BOUNDARY_ROUNDING,
  turn: Math.fround((1 + FLOAT32_SPACING) / BOUNDARY_ROUNDING),
  constant: ARGUMENT_ERROR,
  spacing: 4 * FLOAT32_SPACING,
} as const;
