/**
 * Cluster sums on the GPU: J of single points from the series of clusters that leave little out, and the solid angles
 * of the triangles of all others, with a bound of what is left out and of the float32 rounding. The float64 twin,
 * `ClusterSum`, sets the clusters up and takes the points that are no float32 numbers in the kernel's units.
 */
import { sizeOf } from 'typegpu/data';
import { bind } from '../../gpu/bind.ts';
import { BufferPool } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { GROUP } from '../../gpu/dispatch.ts';
import { compileKernel, type KernelBuffers } from '../../gpu/kernel.ts';
import { lapClock } from '../../gpu/lap-clock.ts';
import { owned } from '../../gpu/owned.ts';
import { runThreads } from '../../gpu/slices.ts';
import type { StageSeconds } from '../method.ts';
import { evaluateInChunks, readSums, uploadPoints } from '../potential/chunks.ts';
import { gatherPoints } from '../potential/gather-points.ts';
import {
  FARTHEST,
  leastPartOfSum,
  POINTS_PER_THREAD,
  packTriangles,
  solidAngleParams,
} from '../potential/packed-triangles.ts';
import type { AskedPotential, Potential, PotentialRun, PotentialScratch } from '../potential/potential.ts';
import { areaOf, localAxes } from '../potential/solid-angle.ts';
import { float32Bound, largestExtent, unitScale } from '../potential/unit-frame.ts';
import type { Surface } from '../surface.ts';
import { clusterSumSource, ThreadSums } from './cluster-layout.ts';
import { firstShare, nextShare } from './cluster-sum.ts';
import type { ClusterTable } from './cluster-tree.ts';
import { alongCurve } from './point-order.ts';
import { packClusters } from './tables.ts';

/** Numbers of a thread's points, and of what it leaves. */
const POINT_FLOATS = 4 * POINTS_PER_THREAD;
const SUM_FLOATS = sizeOf(ThreadSums) / 4;
/** Threads of the first slice: some 50 ms on a software adapter. */
const FIRST_SLICE = 8 * GROUP;
/** Part of the tolerance that may come from a point's own rounding to float32; farther off, float64 sums it up. */
const MOVED_SHARE = 2 ** -6;
/** By what sums are raised for the rounding of what is added: below 110 spacings. See docs/multipole.md, "Float32". */
const RAISED = 1 + 2 ** -16;

/** The twin, set up. */
export interface HostClusters {
  readonly clusters: ClusterTable | undefined;
  readonly tableBytes: number;
  evaluate(asked: AskedPotential<Float64Array>, run: PotentialRun): Promise<void>;
  destroy(): void;
}

/** What a chunk's points come to before kernels run. */
interface Sorted {
  /** Numbers of the points for the kernel, neighbours one after the other; x, y and z of each in the unit frame. */
  readonly numbers: readonly number[];
  readonly places: Float32Array;
  /** Per point of the chunk how far J may be from that of its place. */
  readonly moved: Float64Array;
  /** Points that are not exact there. */
  readonly forHost: readonly number[];
}

/** What the walks of a chunk share. */
interface ChunkRun {
  readonly run: PotentialRun;
  readonly work: BufferPool;
  readonly stages: StageSeconds;
  readonly lap: () => number;
}

export class Clusters implements Potential {
  readonly degree = 0;
  readonly separation = Infinity;
  readonly level = 0;
  readonly heedsTolerance = true;
  readonly #device: Device;
  readonly #surface: Surface;
  readonly #host: HostClusters;
  readonly #table: ClusterTable;
  readonly #scale: number;
  readonly #area: number;
  readonly #pool: BufferPool;
  #tables: Omit<KernelBuffers<(typeof clusterSumSource)['layout']['entries']>, 'points' | 'sums'> | undefined;

  private constructor(device: Device, surface: Surface, host: HostClusters) {
    this.#device = device;
    this.#surface = surface;
    this.#host = host;
    this.#table = host.clusters!;
    this.#scale = unitScale(largestExtent(surface));
    this.#area = areaOf(this.#table.triangles);
    this.#pool = new BufferPool(device);
  }

  /**
   * Uploads clusters.
   *
   * @param host the twin of the surface, which is this object's from here on
   * @throws DeviceError if the device is lost or out of memory, or its bindings are too small for a table
   */
  static create(device: Device, surface: Surface, host: HostClusters): Promise<Clusters> {
    return owned(async (owner) => {
      const made = owner.keep(new Clusters(device, surface, host));
      made.#tables = await device.checked('uploading the clusters', () => made.#upload());
      return made;
    });
  }

  #upload() {
    const { clusters, moments } = packClusters(this.#table, this.#scale);
    return {
      clusters: this.#pool.upload('clusters', clusters),
      moments: this.#pool.upload('cluster moments', moments),
      triangles: this.#pool.upload('cluster triangles', packTriangles(this.#table.triangles, this.#scale)),
    };
  }

  get tableBytes(): number {
    return this.#host.tableBytes;
  }

  get gpuBytes(): number {
    return this.#pool.bytes;
  }

  /**
   * See `Potential.evaluate`. Points 2^16 extents away get 0. Their bound is the area over 4 pi times the distance
   * squared.
   */
  evaluate(asked: AskedPotential, run: PotentialRun, scratch: PotentialScratch = {}): Promise<void> {
    return evaluateInChunks(this.#device, asked, run, scratch, (...chunk) => this.#evaluateChunk(...chunk));
  }

  async #evaluateChunk(
    asked: AskedPotential,
    run: PotentialRun,
    work: BufferPool,
    stages: StageSeconds,
  ): Promise<void> {
    const { values, bounds } = asked;
    const tolerance = run.tolerance!;
    const chunk = { run, work, stages, lap: lapClock() };
    run.signal?.throwIfAborted();
    const { numbers, places, moved, forHost } = this.#sort(asked, tolerance);
    const most = new Float64Array(numbers.length).fill(firstShare(this.#table, tolerance));
    let open = Uint32Array.from(numbers, (_, n) => n);
    const raised = RAISED / leastPartOfSum(this.#table.next.length);
    const angles = solidAngleParams(this.#surface.triangleCount);
    while (open.length > 0) {
      const sums = await this.#walk(open, places, most, chunk);
      open = open.filter((n, k) => {
        const at = SUM_FLOATS * Math.floor(k / POINTS_PER_THREAD) + (k % POINTS_PER_THREAD);
        const left = sums[at + POINTS_PER_THREAD]! * raised;
        const steepness = sums[at + 3 * POINTS_PER_THREAD]!;
        const near = steepness > 0 ? angles.rounding * steepness + angles.constant : 0;
        const rounding = sums[at + 2 * POINTS_PER_THREAD]! * raised + near;
        // What is left out makes room for rounding; that of a point as good as on a triangle no walk changes.
        const room = Math.max(tolerance - rounding, tolerance / 2);
        if (left > room) {
          most[n] = nextShare(most[n]!, room, left);
          return true;
        }
        const i = numbers[n]!;
        values[i] = sums[at]!;
        bounds[i] = float32Bound(sums[at]!, left + rounding + moved[i]!);
        return false;
      });
      stages.readback += chunk.lap();
    }
    await this.#evaluateOnHost(forHost, asked, run);
    stages.classify += chunk.lap();
    run.onProgress?.(values.length);
  }

  /** Runs the kernel over places. Returns `ThreadSums` per four of them. */
  async #walk(
    open: Uint32Array,
    places: Float32Array,
    most: Float64Array,
    { run, work, stages, lap }: ChunkRun,
  ): Promise<Float32Array> {
    const device = this.#device;
    const threads = Math.ceil(open.length / POINTS_PER_THREAD);
    const packed = new Float32Array(POINT_FLOATS * threads);
    for (let k = 0; k < POINTS_PER_THREAD * threads; k++) {
      const thread = Math.floor(k / POINTS_PER_THREAD);
      // The last thread may have fewer points: the others repeat its first.
      const n = open[k] ?? open[POINTS_PER_THREAD * thread]!;
      const at = POINT_FLOATS * thread + (k % POINTS_PER_THREAD);
      for (let axis = 0; axis < 3; axis++) packed[at + POINTS_PER_THREAD * axis] = places[3 * n + axis]!;
      packed[at + POINTS_PER_THREAD * 3] = most[n]!;
    }
    const kernel = await compileKernel(device, clusterSumSource);
    const bytes = sizeOf(ThreadSums) * threads;
    const buffers = await uploadPoints(device, work, packed, bytes);
    stages.upload += lap();
    const bound = bind(device, kernel, { ...this.#tables!, ...buffers });
    const { doubt, leastHeight, turn } = solidAngleParams(this.#surface.triangleCount);
    const clusters = this.#table.next.length;
    await runThreads(device, {
      what: 'adding up clusters',
      total: threads,
      first: FIRST_SLICE,
      signal: run.signal,
      // Walks that begin again are few, and their points have been counted.
      onProgress: (done) =>
        open.length === most.length && run.onProgress?.(Math.floor((open.length * done) / threads)),
      ...{ bound, label: 'cluster sums', params: { clusters, doubt, leastHeight, turn } },
    });
    stages.classify += lap();
    return readSums(device, work, buffers, bytes);
  }

  /**
   * Points for the kernel, in the unit frame, along a curve; and those for the host. Writes the values of points that
   * are far off.
   */
  #sort({ points, values, bounds }: AskedPotential, tolerance: number): Sorted {
    const { box, frame } = this.#surface;
    const axes = localAxes(this.#surface);
    const scale = this.#scale;
    const order = alongCurve(frame, this.#table, points);
    const places = new Float32Array(points.length);
    const moved = new Float64Array(values.length);
    const [numbers, forHost]: [number[], number[]] = [[], []];
    for (const i of order) {
      const at = 3 * numbers.length;
      let [away, off] = [0, 0];
      for (let k = 0; k < 3; k++) {
        const x = axes[k]!(points[3 * i + k]!);
        away = Math.max(away, box.min[k]! - x, x - box.max[k]!);
        places[at + k] = x * scale;
        off += Math.abs(places[at + k]! / scale - x);
      }
      if (away * scale > FARTHEST) {
        values[i] = 0;
        bounds[i] = float32Bound(0, this.#area / (4 * Math.PI * away * away));
        continue;
      }
      // The gradient of a triangle's potential is at most its area over 2 pi times the distance cubed.
      moved[i] = off > 0 ? (off * this.#area) / (2 * Math.PI * Math.max(away - off, 0) ** 3) : 0;
      if (moved[i]! <= MOVED_SHARE * tolerance) numbers.push(i);
      else forHost.push(i);
    }
    return { numbers, places, moved, forHost };
  }

  async #evaluateOnHost(
    numbers: readonly number[],
    { points, values, bounds }: AskedPotential,
    run: PotentialRun,
  ): Promise<void> {
    if (numbers.length === 0) return;
    const some = gatherPoints(points, Uint32Array.from(numbers));
    const found = { values: new Float64Array(numbers.length), bounds: new Float64Array(numbers.length) };
    await this.#host.evaluate({ points: some, ...found }, { ...run, onProgress: undefined });
    numbers.forEach((i, n) => {
      values[i] = found.values[n]!;
      bounds[i] = float32Bound(found.values[n]!, found.bounds[n]!);
    });
  }

  destroy(): void {
    this.#pool.destroy();
    this.#host.destroy();
  }
}
