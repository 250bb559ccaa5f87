/** A closed body that points are tested against. */
import { InputError, throwIfAborted } from '../errors.ts';
import { BufferPool } from '../gpu/buffers.ts';
import type { Device } from '../gpu/device.ts';
import { surfaceDefect } from '../mesh/mesh-verdict.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { CellGrid } from './cell-grid.ts';
import { type Choice, chooseMethod } from './choice.ts';
import {
  type Backend,
  BOUNDARY,
  type Classification,
  INSIDE,
  type Method,
  RULES,
  type Rule,
} from './classification.ts';
import { ExactTest } from './exact.ts';
import type { MethodRun, StageSeconds } from './method.ts';
import { RayCrossing } from './ray-crossing.ts';

export interface PolyhedronOptions {
  /** Cells of the cell grid along the body's longest extent, 1 .. 4095, instead of the cost model's choice. */
  readonly cellsPerAxis?: number;
  /** False to do all of the CPU's work on the calling thread. Default true. */
  readonly workers?: boolean;
}

export interface ClassifyOptions {
  /** Default `auto`: the fastest for the job; the result names it and says why. */
  readonly method?: Method | 'auto';
  /** Default `auto`: the GPU where the device is hardware and the points are many, else the CPU. */
  readonly backend?: Backend | 'auto';
  /** Default `odd`. */
  readonly rule?: Rule;
  /**
   * Ray crossing only: false to test every point against every triangle, as the paper does, instead of only against
   * clusters of triangles that its ray passes. The flags are the same; the time grows with points times triangles.
   */
  readonly cull?: boolean;
  /** Stops the call between two slices of work; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called after each slice of work with the number of points done, of `total`. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Points that are worked on at once: 12 MiB of coordinates, well inside every portable limit. */
const CHUNK = 1 << 20;

/** A method, ready for chunks of points: writes flags of points `first .. first + count`, returns the doubtful ones. */
interface Prepared {
  classify(first: number, count: number, run: MethodRun): Promise<Uint32Array>;
  /** Triangles in an order in which neighbours are close, if the method has one. */
  readonly order: Uint32Array | undefined;
  readonly tableBytes: number;
  gpuBytes(): number;
}

/**
 * A closed triangle mesh, prepared for testing points against it. It owns GPU memory until `destroy()`, or until its
 * device is destroyed.
 */
export class Polyhedron {
  readonly mesh: TriangleMesh;
  /** Undefined for a body that only the CPU works on. */
  readonly device: Device | undefined;
  readonly #options: PolyhedronOptions;
  #rayCrossing: RayCrossing | undefined;
  #cellGrid: CellGrid | undefined;
  #exact: ExactTest | undefined;
  readonly #defects = new Map<Rule, string | undefined>();
  #destroyed = false;
  /** Aborts the call under way when the body is destroyed. */
  readonly #closing = new AbortController();
  /** Calls that use the tables right now. */
  #active = 0;
  #forget: () => void = () => {};
  /** Calls on a body without a device run one after the other as well. */
  #tail: Promise<unknown> = Promise.resolve();

  private constructor(device: Device | undefined, mesh: TriangleMesh, options: PolyhedronOptions) {
    this.device = device;
    this.mesh = mesh;
    this.#options = options;
    if (device) this.#forget = device.own(this);
  }

  /**
   * Checks that the mesh is closed. Tables of a method are built when it is first used.
   *
   * @param device from `openDevice()`; undefined for a body that only the CPU works on
   * @throws InputError if the mesh has no triangles or an edge with an odd number of faces, with what to do.
   */
  static async create(
    device: Device | undefined,
    mesh: TriangleMesh,
    options: PolyhedronOptions = {},
  ): Promise<Polyhedron> {
    device?.assertOpen();
    if (mesh.triangleCount === 0) {
      throw new InputError(`${mesh.name}: the mesh has no triangles, expected a closed one`);
    }
    const polyhedron = new Polyhedron(device, mesh, options);
    try {
      polyhedron.#requireUsable('odd');
    } catch (error) {
      polyhedron.destroy();
      throw error;
    }
    return polyhedron;
  }

  #requireUsable(rule: Rule): void {
    if (!this.#defects.has(rule)) this.#defects.set(rule, surfaceDefect(this.mesh, rule));
    const defect = this.#defects.get(rule);
    if (defect !== undefined) throw new InputError(defect);
  }

  /**
   * Flags of points: 0 outside, 1 inside, 2 exactly on a triangle, each exact for the float32 point and mesh.
   *
   * @param points `[x, y, z]` per point, length `3 * n`, all finite, in the mesh's unit and frame. They are read while the
   *   call runs: leave them alone until it settles.
   * @throws InputError for a length that is no multiple of 3, a coordinate that is not finite, an unknown option, or a
   *   mesh that is not consistently oriented with rule `nonzero`.
   * @throws DeviceError if the device is lost, destroyed or out of memory.
   */
  async classify(points: Float32Array, options: ClassifyOptions = {}): Promise<Classification> {
    const { method = 'auto', backend = 'auto', rule = 'odd', cull = true, signal } = options;
    const started = performance.now();
    this.#requireOpen();
    if (!RULES.includes(rule)) throw new InputError(`rule "${rule}": expected one of ${RULES.join(', ')}`);
    const count = requirePoints(points);
    const choice = chooseMethod({ method, backend }, count, this.device);
    this.#requireUsable(rule);
    throwIfAborted(signal);

    return this.#exclusive(async () => {
      this.#requireOpen();
      throwIfAborted(signal);
      this.#active++;
      const stop = signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal;
      const buildStarted = performance.now();
      const flags = new Uint8Array(count);
      const stages: StageSeconds = { upload: 0, classify: 0, readback: 0 };
      const work = this.device && choice.backend === 'gpu' ? new BufferPool(this.device) : undefined;
      try {
        const prepared = await this.#prepare(choice, { rule, cull }, points, flags, stages, work);
        const build = (performance.now() - buildStarted) / 1000;
        const { resolvedExactly, exact } = await this.#classifyChunks(prepared, points, flags, rule, {
          ...options,
          signal: stop,
        });
        throwIfAborted(this.#closing.signal);
        return {
          flags,
          counts: countFlags(flags),
          resolvedExactly,
          ...choice,
          rule,
          adapter: this.device?.adapter,
          triangles: this.mesh.triangleCount,
          seconds: { build, ...stages, exact, total: (performance.now() - started) / 1000 },
          tableBytes: prepared.tableBytes,
          gpuBytes: prepared.gpuBytes() + (work?.peakBytes ?? 0),
        };
      } finally {
        work?.destroy();
        this.#active--;
        if (this.#destroyed) this.#release();
      }
    });
  }

  /** Tables and kernels of the chosen method, built where no earlier call did. */
  async #prepare(
    { method, backend }: Choice,
    { rule, cull }: { rule: Rule; cull: boolean },
    points: Float32Array,
    flags: Uint8Array,
    stages: StageSeconds,
    work: BufferPool | undefined,
  ): Promise<Prepared> {
    const { device, mesh } = this;
    if (method === 'ray-crossing') {
      this.#rayCrossing ??= await RayCrossing.create(device!, mesh);
      const crossing = this.#rayCrossing;
      await crossing.compile({ rule, cull });
      return {
        order: crossing.tables.order,
        tableBytes: crossing.tables.triangles.byteLength + crossing.tables.boxes.byteLength,
        gpuBytes: () => crossing.gpuBytes,
        classify: (first, count, run) =>
          crossing.classify(points, first, count, flags, { ...run, cull }, work!, stages),
      };
    }
    this.#cellGrid ??= await CellGrid.create(mesh, device, this.#options);
    const grid = this.#cellGrid;
    if (backend === 'gpu') await grid.prepareGpu(device!, rule);
    return {
      order: undefined,
      tableBytes: grid.tables.bytes,
      gpuBytes: () => (backend === 'gpu' ? grid.gpuBytes : 0),
      classify: (first, count, run) =>
        backend === 'gpu'
          ? grid.classifyOnGpu(device!, points, first, count, flags, run, work!, stages)
          : grid.classifyOnCpu(points, first, count, flags, run, stages),
    };
  }

  async #classifyChunks(
    prepared: Prepared,
    points: Float32Array,
    flags: Uint8Array,
    rule: Rule,
    { signal, onProgress }: ClassifyOptions,
  ): Promise<{ resolvedExactly: number; exact: number }> {
    let resolvedExactly = 0;
    let exact = 0;
    for (let first = 0; first < flags.length; first += CHUNK) {
      throwIfAborted(signal);
      const size = Math.min(CHUNK, flags.length - first);
      const doubtful = await prepared.classify(first, size, {
        rule,
        signal,
        onProgress: (done) => onProgress?.(first + Math.floor(done), flags.length),
      });
      if (doubtful.length === 0) continue;
      const started = performance.now();
      this.#exact ??= new ExactTest(this.mesh, prepared.order);
      for (const i of doubtful) {
        flags[i] = this.#exact.flag(points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!, rule);
      }
      resolvedExactly += doubtful.length;
      exact += (performance.now() - started) / 1000;
    }
    return { resolvedExactly, exact };
  }

  async #exclusive<T>(work: () => Promise<T>): Promise<T> {
    if (this.device) return this.device.exclusive(work);
    const result = this.#tail.then(work);
    this.#tail = result.catch(() => {});
    return result;
  }

  #requireOpen(): void {
    this.device?.assertOpen();
    throwIfAborted(this.#closing.signal);
  }

  /**
   * Gives back the body's GPU memory, once a call that is under way has let go of it: that call rejects, as later ones do.
   * Safe to call twice.
   */
  destroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.#forget();
    this.#closing.abort(new InputError(`${this.mesh.name}: this polyhedron was destroyed; create a new one`));
    if (this.#active === 0) this.#release();
  }

  #release(): void {
    this.#rayCrossing?.destroy();
    this.#cellGrid?.destroy();
    this.#rayCrossing = undefined;
    this.#cellGrid = undefined;
  }
}

function requirePoints(points: Float32Array): number {
  if (!(points instanceof Float32Array))
    throw new InputError('points: expected a Float32Array of [x, y, z] per point');
  if (points.length % 3 !== 0) {
    throw new InputError(`points: ${points.length} coordinates found, expected a multiple of 3`);
  }
  for (let i = 0; i < points.length; i++) {
    if (!Number.isFinite(points[i])) {
      throw new InputError(
        `points: point ${Math.floor(i / 3)} has the coordinate ${points[i]}, expected a finite number`,
      );
    }
  }
  return points.length / 3;
}

function countFlags(flags: Uint8Array): Classification['counts'] {
  let inside = 0;
  let boundary = 0;
  for (const flag of flags) {
    if (flag === INSIDE) inside++;
    else if (flag === BOUNDARY) boundary++;
  }
  return { points: flags.length, outside: flags.length - inside - boundary, inside, boundary };
}
