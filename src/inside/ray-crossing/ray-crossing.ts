/**
 * Point in polyhedron by ray crossing (Muth et al., section 2.2), on the GPU. What the kernels cannot certify is
 * settled by exact predicates, so that flags are exact. See docs/ray-crossing.md.
 */
import * as d from 'typegpu/data';
import { bind } from '../../gpu/bind.ts';
import { BufferPool, writeBuffer } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { GROUP } from '../../gpu/dispatch.ts';
import { compileKernel } from '../../gpu/kernel.ts';
import { lapClock } from '../../gpu/lap-clock.ts';
import { owned } from '../../gpu/owned.ts';
import { Recorder } from '../../gpu/recorder.ts';
import { runThreads } from '../../gpu/slices.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { type CrossingRule, LIST_HEADER, requireStillFinite } from '../classification.ts';
import { readFlags, reserveFlags } from '../doubtful-points.ts';
import { CHUNK, type MethodRun, type StageSeconds } from '../method.ts';
import type { LaneParts, PieceWatch, Settle, Slot } from '../stream/lane.ts';
import { RAY_SLOPE_Y, RAY_SLOPE_Z } from './constants.ts';
import { orderPoints, POINTS_PER_THREAD } from './point-order.ts';
import { crossingsSource, flagsSource } from './ray-crossing-layout.ts';
import {
  BOX_FLOATS,
  buildRayCrossingTables,
  CLUSTERS_PER_SUPER,
  type RayCrossingTables,
  TRIANGLE_FLOATS,
} from './tables.ts';

/** Threads of the first slice: about 10 ms of work on a software adapter for a mesh of 10^5 triangles. */
const FIRST_SLICE = 16 * GROUP;
/** Triangles that fit into one binding, with their boxes. */
interface Page {
  readonly triangles: GPUBuffer;
  readonly boxes: GPUBuffer;
  readonly triangleCount: number;
  readonly clusterCount: number;
}

export interface CrossingRun extends MethodRun<CrossingRule> {
  /** False to test every point against every triangle. */
  readonly cull: boolean;
}

/** The kernels and tables of one body for ray crossing. */
export class RayCrossing {
  readonly tables: RayCrossingTables;
  readonly #device: Device;
  readonly #pool: BufferPool;
  readonly #pages: Page[] = [];
  readonly #mesh: TriangleMesh;

  private constructor(device: Device, mesh: TriangleMesh, tables: RayCrossingTables) {
    this.#device = device;
    this.#mesh = mesh;
    this.tables = tables;
    this.#pool = new BufferPool(device);
  }

  /** Builds the tables of a body and uploads them, in as many pages as the device's largest binding asks for. */
  static async create(
    device: Device,
    mesh: TriangleMesh,
    options: { largestBinding?: number } = {},
  ): Promise<RayCrossing> {
    return owned(async (owner) => {
      const built = owner.keep(new RayCrossing(device, mesh, buildRayCrossingTables(mesh)));
      const { largestBinding = device.limits.maxStorageBufferBindingSize } = options;
      await device.checked('uploading the triangles', () => built.#uploadPages(largestBinding));
      return built;
    });
  }

  #uploadPages(largestBinding: number): void {
    const { tables } = this;
    const superBytes = 4 * TRIANGLE_FLOATS * tables.clusterSize * CLUSTERS_PER_SUPER;
    const supersPerPage = Math.max(1, Math.floor(largestBinding / superBytes));
    for (let s = 0; s < tables.superCount; s += supersPerPage) {
      const page = this.#pages.length;
      const lastSuper = Math.min(tables.superCount, s + supersPerPage);
      const [c, lastCluster] = [
        s * CLUSTERS_PER_SUPER,
        Math.min(tables.clusterCount, lastSuper * CLUSTERS_PER_SUPER),
      ];
      const [t, lastTriangle] = [
        c * tables.clusterSize,
        Math.min(tables.triangleCount, lastCluster * tables.clusterSize),
      ];
      const boxes = new Float32Array((lastCluster - c + lastSuper - s) * BOX_FLOATS);
      boxes.set(tables.boxes.subarray(c * BOX_FLOATS, lastCluster * BOX_FLOATS));
      boxes.set(
        tables.boxes.subarray(
          (tables.clusterCount + s) * BOX_FLOATS,
          (tables.clusterCount + lastSuper) * BOX_FLOATS,
        ),
        (lastCluster - c) * BOX_FLOATS,
      );
      this.#pages.push({
        triangles: this.#pool.upload(
          `ray crossing triangles ${page}`,
          tables.triangles.subarray(
            t * TRIANGLE_FLOATS,
            lastTriangle * TRIANGLE_FLOATS,
          ) as Float32Array<ArrayBuffer>,
        ),
        boxes: this.#pool.upload(`ray crossing boxes ${page}`, boxes),
        triangleCount: lastTriangle - t,
        clusterCount: lastCluster - c,
      });
    }
  }

  /** Bindings that the triangles are spread over. */
  get pageCount(): number {
    return this.#pages.length;
  }

  /** Bytes of GPU memory held for the body. */
  get gpuBytes(): number {
    return this.#pool.bytes;
  }

  /** Compiles the kernels for a rule, once per device. */
  async compile(run: { rule: CrossingRule; cull: boolean }) {
    const NONZERO = run.rule === 'nonzero' ? 1 : 0;
    const [crossings, settle] = await Promise.all([
      compileKernel(this.#device, crossingsSource, { NONZERO, CULL: run.cull ? 1 : 0 }),
      compileKernel(this.#device, flagsSource, { NONZERO }),
    ]);
    return { crossings, settle };
  }

  /** A lane of one piece at a time: only reading and writing go on beside it. */
  async laneParts(
    run: { rule: CrossingRule; cull: boolean },
    seconds: StageSeconds,
    settle: Settle,
  ): Promise<LaneParts> {
    await this.compile(run);
    const { triangles, boxes } = this.tables;
    const work = new BufferPool(this.#device);
    const slot: Slot = {
      get gpuBytes() {
        return work.peakBytes;
      },
      run: (points: Float32Array, flags: Uint8Array, { signal, onSlice }: PieceWatch) =>
        this.classify(points, flags, { ...run, signal, onProgress: onSlice }, work, seconds),
      close: () => work.destroy(),
    };
    return {
      slots: [slot],
      pieceSize: () => CHUNK,
      settle,
      tableBytes: () => triangles.byteLength + boxes.byteLength,
      tablesOnGpu: () => this.gpuBytes,
    };
  }

  /**
   * Writes the flags of points, and returns the numbers of those that the kernel could not certify, whose flags are
   * provisional. Adds to `seconds`.
   */
  async classify(
    points: Float32Array,
    flags: Uint8Array,
    run: CrossingRun,
    work: BufferPool,
    seconds: StageSeconds,
  ): Promise<Uint32Array> {
    const lap = lapClock();
    const device = this.#device;
    const count = flags.length;
    // Nobody can write to them between this and their copy.
    requireStillFinite(points);
    const ordered = orderPoints(points, 0, count, this.#mesh.box, this.tables.frame);
    const kept = ordered.order.length;
    flags.fill(0);
    if (kept === 0) {
      seconds.upload += lap();
      run.onProgress?.(count);
      return new Uint32Array(0);
    }
    const { stride } = ordered;
    const threads = stride / POINTS_PER_THREAD;
    const { crossings, settle } = await this.compile(run);
    const storage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
    const buffers = await device.checked('uploading points', () => ({
      points: work.upload('points', ordered.coordinates as Float32Array<ArrayBuffer>),
      windings: work.reserve('windings', d.sizeOf(d.vec4u) * threads, storage),
      doubtfuls: work.reserve('doubtful points', d.sizeOf(d.u32) * threads, storage),
      ...reserveFlags(work, stride),
    }));
    writeBuffer(device, buffers.doubtful, new Uint32Array(LIST_HEADER));
    await device.finished();
    seconds.upload += lap();

    const { tables } = this;
    const pages = this.#pages;
    for (const [number, page] of pages.entries()) {
      const bound = bind(device, crossings, {
        points: buffers.points,
        triangles: page.triangles,
        boxes: page.boxes,
        windings: buffers.windings,
        doubtfuls: buffers.doubtfuls,
      });
      await runThreads(device, {
        what: 'testing points',
        total: threads,
        first: FIRST_SLICE,
        signal: run.signal,
        onProgress: (done) =>
          run.onProgress?.((count * (number * threads + done)) / (pages.length * threads)),
        bound,
        label: 'ray crossing',
        params: {
          stride: stride / 4,
          triangles: page.triangleCount,
          clusters: page.clusterCount,
          resume: number > 0 ? 1 : 0,
          center: d.vec3f(...tables.center),
          slopeY: RAY_SLOPE_Y,
          slopeZ: RAY_SLOPE_Z,
        },
      });
    }
    await device.checked('turning crossings into flags', () => {
      const recorder = new Recorder(device, { label: 'ray crossing flags' });
      recorder.run(bind(device, settle, buffers), { threads: stride / 4, params: { points: kept } });
      recorder.submit();
    });
    await device.finished();
    seconds.classify += lap();

    const back = await readFlags(device, work, buffers, stride);
    const { order } = ordered;
    for (let i = 0; i < kept; i++) flags[order[i]!] = back.flags[i]!;
    const indices = back.doubtful.map((place) => order[place]!);
    seconds.readback += lap();
    return indices;
  }

  destroy(): void {
    this.#pool.destroy();
  }
}
