/**
 * The direct double-layer potential on the GPU, O(N M): the sum of solid angles over 4 pi (Muth et al., eqs. 6 and
 * 18), with a bound of its float32 rounding per point. The yardstick of the multipole method; its twin is
 * `directPotential`.
 */

import { sizeOf } from 'typegpu/data';
import { FLOAT32_SPACING } from '../../constants.ts';
import { bind } from '../../gpu/bind.ts';
import { BufferPool } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { GROUP } from '../../gpu/dispatch.ts';
import { compileKernel } from '../../gpu/kernel.ts';
import { lapClock } from '../../gpu/lap-clock.ts';
import { owned } from '../../gpu/owned.ts';
import { runThreads } from '../../gpu/slices.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import type { MethodRun, StageSeconds } from '../method.ts';
import { evaluateInChunks, readSums, uploadPoints } from '../potential/chunks.ts';
import { TRIANGLE_FLOATS } from '../potential/constants.ts';
import {
  FARTHEST,
  POINTS_PER_THREAD,
  packTriangles,
  solidAngleParams,
} from '../potential/packed-triangles.ts';
import type { AskedPotential, Potential, PotentialScratch } from '../potential/potential.ts';
import { addSolidAngles, areaOf, gatherTriangles, localAxes } from '../potential/solid-angle.ts';
import { float32Bound, largestExtent, unitScale } from '../potential/unit-frame.ts';
import { localSurface, type Surface } from '../surface.ts';
import { solidAnglesSource, ThreadSums } from './direct-layout.ts';

/** Numbers that a thread leaves. */
const SUM_FLOATS = sizeOf(ThreadSums) / 4;
/** Pairs of points and triangles in the first slice: about 20 ms on a software adapter. */
const FIRST_SLICE_PAIRS = 1 << 20;

export interface DirectOptions {
  /** Bytes of triangles that are bound at once, instead of the device's limit; for tests. */
  readonly largestBinding?: number | undefined;
}

/** The triangles of one body on the GPU, ready for direct sums. */
export class DirectPotential implements Potential {
  readonly degree = 0;
  readonly separation = Infinity;
  readonly level = 0;
  readonly #device: Device;
  readonly #surface: Surface;
  readonly #scale: number;
  readonly #pool: BufferPool;
  readonly #area: number;
  #corners: Float64Array | undefined;
  readonly #pages: { readonly buffer: GPUBuffer; readonly count: number }[] = [];

  private constructor(device: Device, surface: Surface) {
    this.#device = device;
    this.#surface = surface;
    this.#scale = unitScale(largestExtent(surface));
    this.#area = areaOf(gatherTriangles(surface));
    this.#pool = new BufferPool(device);
  }

  /**
   * Uploads a mesh, in as many pages as the device's largest binding asks for.
   *
   * @throws DeviceError if the device is lost or out of memory
   */
  static create(device: Device, mesh: TriangleMesh, options: DirectOptions = {}): Promise<DirectPotential> {
    const { largestBinding = device.limits.maxStorageBufferBindingSize } = options;
    return owned(async (owner) => {
      const direct = owner.keep(new DirectPotential(device, localSurface(mesh)));
      await device.checked('uploading the triangles', () => direct.#upload(largestBinding));
      return direct;
    });
  }

  #upload(largestBinding: number): void {
    const triangles = packTriangles(gatherTriangles(this.#surface), this.#scale);
    const perPage = Math.max(1, Math.floor(largestBinding / (4 * TRIANGLE_FLOATS)));
    const count = triangles.length / TRIANGLE_FLOATS;
    // A mesh without triangles has a page as well: the last one turns sums into values.
    for (let t = 0; t === 0 || t < count; t += perPage) {
      const last = Math.min(count, t + perPage);
      const page = triangles.subarray(TRIANGLE_FLOATS * t, TRIANGLE_FLOATS * last);
      const label = `direct sum triangles ${this.#pages.length}`;
      this.#pages.push({ buffer: this.#pool.upload(label, page), count: last - t });
    }
  }

  /** Bindings that the triangles are spread over. */
  get pageCount(): number {
    return this.#pages.length;
  }

  /** The triangles as they were uploaded. */
  get tableBytes(): number {
    return this.#pool.bytes;
  }

  get gpuBytes(): number {
    return this.#pool.bytes;
  }

  /**
   * See `Potential.evaluate`. Points 2^16 extents away get 0. Their bound is the area over 4 pi times the distance
   * squared.
   */
  evaluate(asked: AskedPotential, run: MethodRun, scratch: PotentialScratch = {}): Promise<void> {
    return evaluateInChunks(this.#device, asked, run, scratch, (...chunk) => this.#evaluateChunk(...chunk));
  }

  async #evaluateChunk(
    { points, values, bounds }: AskedPotential,
    run: MethodRun,
    work: BufferPool,
    stages: StageSeconds,
  ): Promise<void> {
    const count = values.length;
    const lap = lapClock();
    const device = this.#device;
    const threads = Math.ceil(count / POINTS_PER_THREAD);
    const kernel = await compileKernel(device, solidAnglesSource);
    const { coordinates, inexact } = this.#pack(points, threads);
    const bytes = sizeOf(ThreadSums) * threads;
    const buffers = await uploadPoints(device, work, coordinates, bytes);
    stages.upload += lap();
    for (const [number, page] of this.#pages.entries()) {
      const bound = bind(device, kernel, { ...buffers, triangles: page.buffer });
      const pairs = POINTS_PER_THREAD * Math.max(1, page.count);
      await runThreads(device, {
        what: 'adding solid angles',
        total: threads,
        first: Math.ceil(FIRST_SLICE_PAIRS / pairs / GROUP) * GROUP,
        signal: run.signal,
        onProgress: (done) =>
          run.onProgress?.((count * (number * threads + done)) / (this.#pages.length * threads)),
        bound,
        label: 'direct sum',
        params: {
          triangles: page.count,
          resume: number > 0 ? 1 : 0,
          finish: number === this.#pages.length - 1 ? 1 : 0,
          ...solidAngleParams(this.#surface.triangleCount),
          spacing: 2 * FLOAT32_SPACING,
        },
      });
    }
    stages.classify += lap();
    const sums = await readSums(device, work, buffers, bytes);
    for (let i = 0; i < count; i++) {
      const at = SUM_FLOATS * Math.floor(i / POINTS_PER_THREAD) + (i % POINTS_PER_THREAD);
      values[i] = sums[at]!;
      bounds[i] = sums[at + POINTS_PER_THREAD]!;
    }
    for (const { i, factor, value, bound } of inexact) {
      values[i] = value ?? values[i]!;
      bounds[i] = float32Bound(value ?? 0, bound ?? factor! * bounds[i]!);
    }
    stages.readback += lap();
  }

  /**
   * Points in the unit frame, x, y and z of four points a thread; and those that are not exact there. A point off the
   * box by a part of its distance from the frame's origin has a rounding no larger than that of the differences: its
   * bound is doubled.
   */
  #pack(points: Float32Array, threads: number) {
    const { box } = this.#surface;
    const axes = localAxes(this.#surface);
    const scale = this.#scale;
    const coordinates = new Float32Array(12 * threads);
    const inexact: { i: number; factor?: number; value?: number; bound?: number }[] = [];
    const sum = new Float64Array(2);
    for (let i = 0; i < points.length / 3; i++) {
      const at = 12 * Math.floor(i / POINTS_PER_THREAD) + (i % POINTS_PER_THREAD);
      const local: [number, number, number] = [0, 0, 0];
      let [away, size, exact] = [0, 0, true];
      for (let k = 0; k < 3; k++) {
        const x = axes[k]!(points[3 * i + k]!);
        local[k] = x;
        away = Math.max(away, box.min[k]! - x, x - box.max[k]!);
        size = Math.max(size, Math.abs(x));
        const unit = Math.fround(x * scale);
        exact &&= unit === x * scale;
        coordinates[at + POINTS_PER_THREAD * k] = unit;
      }
      if (away * scale > FARTHEST) {
        coordinates[at] = coordinates[at + 4] = coordinates[at + 8] = 0;
        inexact.push({ i, value: 0, bound: this.#area / (4 * Math.PI * away * away) });
      } else if (!exact && 4 * away >= size) inexact.push({ i, factor: 2 });
      else if (!exact) {
        sum.fill(0);
        this.#corners ??= gatherTriangles(this.#surface);
        const all = Uint32Array.of(0, this.#surface.triangleCount);
        addSolidAngles(this.#corners, all, 0, 1, ...local, sum);
        inexact.push({ i, value: sum[0]!, bound: sum[1]! });
      }
    }
    return { coordinates, inexact };
  }

  destroy(): void {
    this.#pool.destroy();
  }
}
