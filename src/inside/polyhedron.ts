/** A closed body that points are tested against. */
import { InputError, throwIfAborted } from '../errors.ts';
import { BufferPool } from '../gpu/buffers.ts';
import type { Device } from '../gpu/device.ts';
import { surfaceDefect } from '../mesh/mesh-verdict.ts';
import type { ReadSource } from '../mesh/read/source.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { encodeBody, isSavedBody, readBody, type SavedBody } from './body-file.ts';
import { CellGrid } from './cell-grid.ts';
import { type Choice, chooseBuild, chooseMethod } from './choice.ts';
import { type Classification, countFlags, RULES, type Rule, requirePoints } from './classification.ts';
import { ExactTest } from './exact.ts';
import type { Prepared, StageSeconds } from './method.ts';
import type { ClassifyOptions, LoadOptions, PolyhedronOptions } from './options.ts';
import { RayCrossing } from './ray-crossing.ts';

/** Points that are worked on at once: 12 MiB of coordinates, well inside every portable limit. */
const CHUNK = 1 << 20;

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
    // They start while the surface is checked.
    CellGrid.startWorkers(mesh, options);
    return Polyhedron.#checked(device, mesh, options, []);
  }

  /** @param rules those that the surface is known to be usable with */
  static #checked(
    device: Device | undefined,
    mesh: TriangleMesh,
    options: PolyhedronOptions,
    rules: readonly Rule[],
  ): Polyhedron {
    device?.assertOpen();
    if (mesh.triangleCount === 0) {
      throw new InputError(`${mesh.name}: the mesh has no triangles, expected a closed one`);
    }
    chooseBuild(options.build ?? 'auto', mesh.triangleCount, device);
    const polyhedron = new Polyhedron(device, mesh, options);
    for (const rule of rules) polyhedron.#defects.set(rule, undefined);
    try {
      polyhedron.#requireUsable('odd');
    } catch (error) {
      polyhedron.destroy();
      throw error;
    }
    return polyhedron;
  }

  /**
   * A body that `save()` made; it gives the same flags. The surface is not checked nor are tables built again: the file's
   * checksum vouches for both (damage, not forgery: docs/body-file.md).
   *
   * @param source a path (Node) or a URL (browser), a Blob or File, the file's bytes, which must not be changed afterwards,
   *   or what `readBody` made of them
   * @throws InputError with the file's name if it is no body file, of another version, truncated or damaged.
   */
  static async load(
    device: Device | undefined,
    source: ReadSource | SavedBody,
    options: LoadOptions = {},
  ): Promise<Polyhedron> {
    const { name, ...rest } = options;
    const saved = isSavedBody(source)
      ? source
      : await readBody(source, { ...(name !== undefined && { name }) });
    const { mesh, rules, tables, cellsPerAxis } = saved;
    const all = { ...rest, ...(cellsPerAxis !== undefined && { cellsPerAxis }) };
    const polyhedron = Polyhedron.#checked(device, mesh, all, rules);
    if (tables) polyhedron.#cellGrid = CellGrid.restore(mesh, device, tables, all);
    return polyhedron;
  }

  /** The body as a file for `load`: mesh, usable rules, and the cell grid, built if it is not yet. See docs/body-file.md. */
  async save(): Promise<Uint8Array<ArrayBuffer>> {
    this.#requireOpen();
    return this.#exclusive(async () => {
      const tables = await (await this.#requireCellGrid()).hostTables();
      const rules = RULES.filter((rule) => this.#defectUnder(rule) === undefined);
      return encodeBody({ mesh: this.mesh, rules, tables, cellsPerAxis: this.#options.cellsPerAxis });
    });
  }

  async #requireCellGrid(): Promise<CellGrid> {
    this.#cellGrid ??= await CellGrid.create(this.mesh, this.device, this.#options);
    return this.#cellGrid;
  }

  #defectUnder(rule: Rule): string | undefined {
    if (!this.#defects.has(rule)) this.#defects.set(rule, surfaceDefect(this.mesh, rule));
    return this.#defects.get(rule);
  }

  #requireUsable(rule: Rule): void {
    const defect = this.#defectUnder(rule);
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
      throwIfAborted(signal);
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
          built: prepared.built,
          tableBytes: prepared.tableBytes,
          gpuBytes: prepared.gpuBytes() + (work?.peakBytes ?? 0),
        };
      } finally {
        work?.destroy();
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
        built: undefined,
        order: crossing.tables.order,
        tableBytes: crossing.tables.triangles.byteLength + crossing.tables.boxes.byteLength,
        gpuBytes: () => crossing.gpuBytes,
        classify: (first, count, run) =>
          crossing.classify(points, first, count, flags, { ...run, cull }, work!, stages),
      };
    }
    const grid = await this.#requireCellGrid();
    if (backend === 'gpu') await grid.prepareGpu(device!, rule);
    return {
      built: grid.built,
      order: undefined,
      tableBytes: grid.bytes,
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

  /** Runs work that uses the tables, after what is under way on the same device or body; they are kept until it is done. */
  async #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const guarded = async () => {
      this.#requireOpen();
      this.#active++;
      try {
        return await work();
      } finally {
        this.#active--;
        if (this.#destroyed) this.#release();
      }
    };
    if (this.device) return this.device.exclusive(guarded);
    const result = this.#tail.then(guarded);
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
