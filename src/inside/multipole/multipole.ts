/**
 * The fast multipole double-layer potential on the GPU (Muth et al., section 2.1.2): trees and lists on the host,
 * expansions and evaluation in kernels, in float32 with a bound of J's error per point. Its float64 twin is
 * `multipole/field.ts`. See docs/multipole.md.
 */

import { sizeOf } from 'typegpu/data';
import { FLOAT32_SPACING } from '../../constants.ts';
import { bind } from '../../gpu/bind.ts';
import type { BufferPool } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { GROUP } from '../../gpu/dispatch.ts';
import { compileKernel } from '../../gpu/kernel.ts';
import { lapClock } from '../../gpu/lap-clock.ts';
import { runThreads } from '../../gpu/slices.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import type { MethodRun, StageSeconds } from '../method.ts';
import { evaluateInChunks, readSums, uploadPoints } from '../potential/chunks.ts';
import { ARGUMENT_ERROR, LEAST_HEIGHT_32, WHOLE_TURN } from '../potential/constants.ts';
import type { AskedPotential, Potential, PotentialScratch } from '../potential/potential.ts';
import { localAxes } from '../potential/solid-angle.ts';
import { float32Above, float32Bound } from '../potential/unit-frame.ts';
import {
  BOUNDARY_DOUBT,
  BOUNDARY_ROUNDING,
  CROSSING_ROUNDING,
  CROSSING_VOLUME_ROUNDING,
  LEAST_EDGE_NUMBER,
} from './constants.ts';
import { boundNorms, upwardPass } from './field.ts';
import { multipoleSources, ThreadResults } from './multipole-layout.ts';
import { OutsideSum } from './outside.ts';
import { HOST_PLACE, LeafSorter, OUTSIDE_PLACE, POINTS_PER_THREAD } from './points.ts';
import { type GpuField, type GpuMultipoleOptions, type SetUpSeconds, setUpOnGpu } from './set-up.ts';
import { localQuads } from './tables.ts';

export type { GpuMultipoleOptions, SetUpSeconds } from './set-up.ts';

/** Threads of the first slice: about 10 ms of work on a software adapter. */
const FIRST_SLICE = 64 * GROUP;
/** Numbers that a thread leaves. */
const RESULT_FLOATS = sizeOf(ThreadResults) / 4;

/** The expansions of one body on the GPU. */
export class Multipole implements Potential {
  readonly degree: number;
  readonly separation: number;
  readonly level: number;
  readonly seconds: SetUpSeconds;
  readonly tableBytes: number;
  readonly #device: Device;
  readonly #field: GpuField;
  readonly #sorter: LeafSorter;
  #outside: OutsideSum | undefined;

  private constructor(device: Device, field: GpuField) {
    this.degree = field.degree;
    this.separation = field.separation;
    this.level = field.evaluation.depth;
    this.seconds = field.seconds;
    this.tableBytes = field.pool.bytes;
    this.#device = device;
    this.#field = field;
    this.#sorter = new LeafSorter(field);
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
    return new Multipole(device, await setUpOnGpu(device, mesh, options));
  }

  get gpuBytes(): number {
    return this.#field.pool.bytes;
  }

  get setUpSeconds(): Readonly<Record<string, number>> {
    const { total, ...stages } = this.seconds;
    return stages;
  }

  /** See `Potential.evaluate`. */
  evaluate(asked: AskedPotential, run: MethodRun, scratch: PotentialScratch = {}): Promise<void> {
    return evaluateInChunks(this.#device, asked, run, scratch, (...chunk) => this.#evaluateChunk(...chunk));
  }

  async #evaluateChunk(
    asked: AskedPotential,
    run: MethodRun,
    work: BufferPool,
    seconds: StageSeconds,
  ): Promise<void> {
    const { points, values, bounds } = asked;
    const count = values.length;
    const lap = lapClock();
    const device = this.#device;
    run.signal?.throwIfAborted();
    const { threads, words, places, forHost } = this.#sorter.sort(points);
    let sums: Float32Array = new Float32Array(0);
    if (threads > 0) {
      const kernel = await compile(device, this.degree);
      const bytes = sizeOf(ThreadResults) * threads;
      const buffers = await uploadPoints(device, work, words, bytes);
      seconds.upload += lap();
      const bound = bind(device, kernel, {
        ...{ ...this.#field.tables, points: buffers.points, results: buffers.sums },
      });
      await runThreads(device, {
        what: 'evaluating the potential',
        total: threads,
        first: FIRST_SLICE,
        signal: run.signal,
        onProgress: (done) => run.onProgress?.(Math.floor((count * done) / threads)),
        ...{ bound, label: 'multipole evaluation', params: this.#constants() },
      });
      seconds.classify += lap();
      sums = await readSums(device, work, buffers, bytes);
    }
    for (let i = 0; i < count; i++) {
      const place = places[i]!;
      if (place === HOST_PLACE) continue;
      const point = place % POINTS_PER_THREAD;
      const at = RESULT_FLOATS * ((place - point) / POINTS_PER_THREAD) + point;
      values[i] = place === OUTSIDE_PLACE ? 0 : sums[at]!;
      bounds[i] = place === OUTSIDE_PLACE ? 0 : sums[at + POINTS_PER_THREAD]!;
    }
    seconds.readback += lap();
    this.#evaluateOnHost(forHost, asked);
    seconds.classify += lap();
    run.onProgress?.(count);
  }

  /**
   * Points outside the cube of an open surface: the series of eq. 20 for all clusters that are far enough, in
   * float64.
   */
  #evaluateOnHost(forHost: readonly number[], { points, values, bounds }: AskedPotential): void {
    if (forHost.length === 0) return;
    const [localX, localY, localZ] = localAxes(this.#field.surface);
    const sum = new Float64Array(2);
    const outside = this.#requireOutside();
    for (const i of forHost) {
      const p = 3 * i;
      sum.fill(0);
      outside.add(localX(points[p]!), localY(points[p + 1]!), localZ(points[p + 2]!), sum);
      values[i] = sum[0]!;
      bounds[i] = float32Bound(sum[0]!, sum[1]!);
    }
  }

  #requireOutside(): OutsideSum {
    if (this.#outside === undefined) {
      const { source, errorDegree } = this.#field;
      const moments = upwardPass(source, errorDegree);
      const norms = boundNorms(source, moments, errorDegree);
      const field = { source, moments, norms, errorDegree };
      this.#outside = new OutsideSum(field, this.separation);
    }
    return this.#outside;
  }

  /** What the bound is made of. */
  #constants() {
    // Of float32 sums of so many numbers that part is left at least. BOUNDARY_ROUNDING has room for a tenth of them.
    const left = Math.max(1 - this.#field.longestList * FLOAT32_SPACING, 2 ** -10);
    const rounding = float32Above(BOUNDARY_ROUNDING / Math.min(left + 0.1, 1));
    return {
      doubt: BOUNDARY_DOUBT,
      leastNumber: LEAST_EDGE_NUMBER,
      leastHeight: LEAST_HEIGHT_32,
      edgeError: CROSSING_ROUNDING,
      volumeError: CROSSING_VOLUME_ROUNDING,
      rounding,
      turn: float32Above(WHOLE_TURN / (rounding * left)),
      constant: ARGUMENT_ERROR,
      spacing: 4 * FLOAT32_SPACING,
    };
  }

  /** Gives back the body's GPU memory. No call may be under way or follow. */
  destroy(): void {
    this.#field.pool.destroy();
  }
}

function compile(device: Device, degree: number) {
  return compileKernel(device, multipoleSources.evaluate, { DEGREE: degree, ROWS: localQuads(degree) });
}
