/** A body that points are tested against. */

import { HeldArray, requireOptions, threadsOf, told } from '../arguments.ts';
import { InputError } from '../errors.ts';
import { requireBackend, requireName } from '../gpu/backend.ts';
import { type Device, requireDevice } from '../gpu/device.ts';
import { lend } from '../gpu/lend.ts';
import { Lifetime } from '../gpu/lifetime.ts';
import type { ReadSource } from '../mesh/read/source.ts';
import { requireMesh, type TriangleMesh } from '../mesh/triangle-mesh.ts';
import { encodeBody, isSavedBody, readBody, type SavedBody } from './body-file/body-file.ts';
import { requireContactTables } from './body-file/contact-section.ts';
import { BodyTables } from './body-tables.ts';
import { CellGrid } from './cell-grid/cell-grid.ts';
import {
  type Classification,
  CROSSING_RULES,
  type CrossingRule,
  countPoints,
  namingPoint,
  requireFinite,
  requirePoints,
  requireStillFinite,
} from './classification.ts';
import { classifyPoints } from './classify.ts';
import {
  ON_DEVICE_OPTIONS,
  type PointsOnDevice,
  type PointsOnDeviceOptions,
  type PointsReadBack,
} from './on-device.ts';
import {
  CLASSIFY_OPTIONS,
  type ClassifyOptions,
  LOAD_OPTIONS,
  type LoadOptions,
  POLYHEDRON_OPTIONS,
  type PolyhedronOptions,
  SAVE_OPTIONS,
  type SaveOptions,
  STREAM_OPTIONS,
  type StreamOptions,
} from './options.ts';
import { checksPoints, classifyPlan, type Plan } from './plan.ts';
import type { LaneOptions } from './stream/lane.ts';
import { ClassificationStream, type OpenLane } from './stream/point-stream.ts';
import type { Job } from './winding/potential-choice.ts';
import {
  evaluateWinding,
  WINDING_OPTIONS,
  type WindingNumbers,
  type WindingOptions,
  windingPlanOf,
} from './winding/winding-number.ts';

/**
 * A triangle mesh, prepared for testing points against it. It owns GPU memory until `destroy()`, or until its
 * device is destroyed.
 */
export class Polyhedron {
  readonly mesh: TriangleMesh;
  /** Undefined for a body that only the CPU works on. */
  readonly device: Device | undefined;
  readonly #options: PolyhedronOptions;
  readonly #tables: BodyTables;
  readonly #life: Lifetime;

  /** @param rules those that the surface is known to be usable with */
  private constructor(
    device: Device | undefined,
    mesh: TriangleMesh,
    options: PolyhedronOptions,
    rules: readonly CrossingRule[],
  ) {
    this.device = device;
    this.mesh = mesh;
    this.#options = options;
    this.#tables = new BodyTables(mesh, device, options, rules);
    this.#life = new Lifetime({
      device,
      name: `${mesh.name}: this polyhedron`,
      release: () => this.#tables.destroy(),
    });
  }

  /**
   * Checks that the mesh is closed, unless `open` says that it need not be. Tables of a method are built at its first
   * use.
   *
   * @param device from `openDevice()`; undefined for a body that only the CPU works on
   * @throws InputError if the mesh has no triangles or, without `open`, an edge with an odd number of faces. The
   *   message says what to do.
   */
  static async create(
    device: Device | undefined,
    mesh: TriangleMesh,
    options: PolyhedronOptions = {},
  ): Promise<Polyhedron> {
    requireOptions('Polyhedron.create', options, POLYHEDRON_OPTIONS);
    requireDevice('Polyhedron.create', device);
    requireMesh('Polyhedron.create: mesh', mesh);
    threadsOf(options.threads);
    // They start while the surface is checked.
    CellGrid.startWorkers(mesh, options);
    return Polyhedron.#checked(device, mesh, options, []);
  }

  /** @param rules those that the surface is known to be usable with */
  static #checked(
    device: Device | undefined,
    mesh: TriangleMesh,
    options: PolyhedronOptions,
    rules: readonly CrossingRule[],
  ): Polyhedron {
    device?.assertOpen();
    if (mesh.triangleCount === 0) {
      throw new InputError(
        `${mesh.name}: the mesh has no triangles, expected ${options.open ? 'some' : 'a closed one'}`,
      );
    }
    const polyhedron = new Polyhedron(device, mesh, options, rules);
    try {
      if (!options.open) polyhedron.#tables.requireClosed('odd');
    } catch (error) {
      polyhedron.destroy();
      throw error;
    }
    return polyhedron;
  }

  /**
   * A body that `save()` made; it gives the same flags. The surface is not checked again, and tables are not built
   * again: the file's checksum vouches for both (against damage, not forgery: docs/body-file.md).
   *
   * @param source a path (Node) or a URL (browser), a Blob or File, the file's bytes, or what `readBody` made of them.
   *   Do not change the bytes afterwards.
   * @throws InputError with the file's name if it is no body file, of another version, truncated or damaged.
   */
  static async load(
    device: Device | undefined,
    source: ReadSource | SavedBody,
    options: LoadOptions = {},
  ): Promise<Polyhedron> {
    requireOptions('Polyhedron.load', options, LOAD_OPTIONS);
    threadsOf(options.threads);
    requireDevice('Polyhedron.load', device);
    const { name, ...rest } = options;
    const saved = isSavedBody(source)
      ? source
      : await readBody(source, { ...(name !== undefined && { name }) });
    const { mesh, rules, tables, cellsPerAxis } = saved;
    const all = { ...rest, ...(cellsPerAxis !== undefined && { cellsPerAxis }) };
    const polyhedron = Polyhedron.#checked(device, mesh, all, rules);
    if (tables) polyhedron.#tables.restoreCellGrid(tables);
    return polyhedron;
  }

  /**
   * The body as a file for `load`: the mesh, the usable rules, and the cell grid, which is built if need be. See
   * docs/body-file.md.
   *
   * @param options `contacts` are saved too; `signal` stops building tables; the call then rejects with the signal's
   *   reason
   * @throws InputError for an open surface, which has no cell grid, or tables for contacts that are none, or another
   *   mesh's.
   * @throws DeviceError if tables are on a device that is lost or destroyed.
   */
  async save(options: SaveOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    this.#requireUsable();
    requireOptions('save', options, SAVE_OPTIONS);
    const { signal, contacts } = options;
    if (contacts !== undefined) requireContactTables('save: contacts', contacts, this.mesh);
    this.#tables.requireClosed('odd');
    signal?.throwIfAborted();
    return this.#exclusive(async () => {
      const stop = this.#life.signal(signal);
      const { tables } = await this.#tables.cellGrid(stop);
      stop.throwIfAborted();
      const rules = this.#tables.crossingRules;
      const { cellsPerAxis } = this.#options;
      return encodeBody({ mesh: this.mesh, rules, tables, cellsPerAxis, contacts });
    });
  }

  /**
   * Flags of points: 0 outside, 1 inside, 2 exactly on a triangle. Each is exact for the float32 point and mesh. One
   * case is less sure: rule `winding`, a surface that is open or not consistently oriented, and a point whose winding
   * number is 1/2 to within its float64 rounding. Its flag is only likely, and `undecided` counts it.
   *
   * @param points `[x, y, z]` per point, length `3 * n`, all finite, in the mesh's unit and frame. The call reads them
   *   while it runs: leave them alone until it settles. It rejects if their buffer is transferred meanwhile.
   * @throws InputError for a length that is no multiple of 3, a coordinate that is not finite, an unknown option, an
   *   open mesh with rules `odd` and `nonzero`, or a mesh that is not consistently oriented with rule `nonzero`, or
   *   with `odd` and a method that needs it.
   * @throws DeviceError if the device is lost, destroyed or out of memory.
   */
  async classify(points: Float32Array, options: ClassifyOptions = {}): Promise<Classification> {
    const started = performance.now();
    this.#requireUsable();
    requireOptions('classify', options, CLASSIFY_OPTIONS);
    const { signal, onProgress, timestamps = false } = options;
    const count = countPoints(points);
    const held = new HeldArray('points', points);
    const plan = classifyPlan(options, this.#job(count), this.device);
    if (!checksPoints(plan)) requireFinite(points);
    this.#tables.requireUsable(plan);
    signal?.throwIfAborted();

    const answer = async (): Promise<Classification> => {
      signal?.throwIfAborted();
      return classifyPoints(plan, {
        ...{ points: held.array, tables: this.#tables, device: this.device, started },
        ...{ triangles: this.mesh.triangleCount, timestamps, onProgress },
        signal: this.#life.signal(signal),
        closing: this.#life.signal(),
      });
    };
    return this.#exclusive(() => held.during(answer));
  }

  /**
   * Flags of points that come in chunks, more than memory holds. While one chunk is tested, later ones are read and
   * handed over and earlier ones are used. Results come in order, one per chunk, with the flags that `classify` gives.
   * At most `chunksInFlight` chunks are held at once, so a slow consumer slows the source down.
   *
   *     for await (const { flags } of body.classifyStream(await openPoints('points.npy'))) await file.write(flags);
   *
   * The stream ends, and closes the source, when the loop is left, when the source or a chunk fails, and by the signal.
   * Results of chunks before a faulty one still come. Other calls on the body and its device take turns with the
   * stream, chunk by chunk; they may be made in the loop.
   *
   * @param chunks `[x, y, z]` per point, as `classify` takes them, of any length that is a multiple of 3; best are some
   *   hundred thousand points. A chunk is read while it is held: leave it alone until its result is there.
   * @throws InputError for an unknown option. Errors of `classify` come at the place of their chunk. For a coordinate
   *   that is not finite the message has the number of the point in the stream.
   */
  classifyStream(
    chunks: AsyncIterable<Float32Array> | Iterable<Float32Array>,
    options: StreamOptions = {},
  ): ClassificationStream {
    this.#requireUsable();
    requireOptions('classifyStream', options, STREAM_OPTIONS);
    const plan = classifyPlan(options, this.#job(options.expectedPoints ?? Infinity), this.device);
    const { method, backend, reason, rule } = plan;
    return new ClassificationStream(chunks, options, {
      ...{ method, backend, reason, rule },
      adapter: this.device?.adapter,
      triangles: this.mesh.triangleCount,
      signal: this.#life.signal(options.signal),
      open: (watch) => this.#lendLane(plan, watch, options.signal),
    });
  }

  /**
   * Generalised winding numbers of points: the solid angles of all triangles over 4 pi. Each is within the tolerance
   * and has a derived bound. Any mesh will do: create the body with `open` if it is not closed.
   *
   * @param points as `classify` takes them
   * @throws InputError as `classify` does, for an option out of range, or backend `gpu` without a device.
   * @throws DeviceError if the device is lost, destroyed or out of memory, or its bindings are too small for a table.
   */
  async windingNumber(points: Float32Array, options: WindingOptions = {}): Promise<WindingNumbers> {
    this.#requireUsable();
    requireOptions('windingNumber', options, WINDING_OPTIONS);
    const { signal, onProgress, expectedPoints } = options;
    const count = requirePoints(points);
    const plan = windingPlanOf(options, this.#job(expectedPoints ?? count), this.device);
    const held = new HeldArray('points', points);
    signal?.throwIfAborted();
    const answer = async (): Promise<WindingNumbers> => {
      signal?.throwIfAborted();
      const result = await namingPoint(held.array, 0, async () => {
        const numbers = await evaluateWinding(plan, {
          ...{ points: held.array, onProgress, potentials: this.#tables.potentials, device: this.device },
          signal: this.#life.signal(signal),
        });
        // Callers may have written to points since they were checked, and no number would tell.
        requireStillFinite(held.array);
        return numbers;
      });
      this.#life.signal().throwIfAborted();
      return result;
    };
    return this.#exclusive(() => held.during(answer));
  }

  /**
   * Makes the body ready for points that are on its device already, for programs that stay there. Tables are built and
   * uploaded, kernels are compiled and room is made now. `encode` then only records into the caller's command encoder.
   *
   *     const inside = await body.onDevice({ mostPoints: 1_000_000 });
   *     inside.encode(encoder, { points, count: { buffer: counts, offset: 0 } });
   *
   * No flag is a guess: points that float32 leaves open are listed in `doubtful`. The body's tables stay until this
   * object is destroyed too.
   *
   * @throws InputError for a body without a device, an unknown option, a number of points that is not usable, an open
   *   mesh, or one that is not consistently oriented with rule `nonzero`.
   * @throws DeviceError `limits` if the device allows no buffer for so many points; or if the device is lost, destroyed
   *   or out of memory.
   */
  async onDevice(options: PointsOnDeviceOptions): Promise<PointsOnDevice> {
    this.#requireUsable();
    requireOptions('onDevice', options, ON_DEVICE_OPTIONS);
    const { rule = 'odd', mostPoints, signal } = options;
    requireName('rule', rule, CROSSING_RULES);
    requireBackend('gpu', this.device, 'polyhedron');
    if (!Number.isInteger(mostPoints) || mostPoints < 1) {
      throw new InputError(`mostPoints is ${told(mostPoints)}, expected a whole number of 1 or more`);
    }
    this.#tables.requireClosed(rule);
    return lend(this.#life, signal, (lent, stop) =>
      this.#exclusive(async () => {
        stop.throwIfAborted();
        const grid = await (await this.#tables.cellGrid(stop)).onGpu(this.device!);
        const { CellGridPoints } = await import('./cell-grid/points-on-device.ts');
        const body = {
          ...{ grid, rule, ...lent },
          requireOpen: () => this.#requireUsable(),
          settle: (read: PointsReadBack, numbers: Uint32Array, signal: AbortSignal) =>
            this.#settle(read, numbers, rule, signal),
        };
        stop.throwIfAborted();
        return CellGridPoints.create(body, mostPoints);
      }),
    );
  }

  /** Writes exact flags of points that were read back. */
  async #settle(
    { points, flags }: PointsReadBack,
    numbers: Uint32Array,
    rule: CrossingRule,
    signal: AbortSignal,
  ): Promise<void> {
    const stop = this.#life.signal(signal);
    const settle = this.#tables.settler(rule);
    await this.#life.hold(async () => {
      await settle(points, flags, numbers, { signal: stop, onSettled: () => {} });
    });
  }

  /** @throws what says why the body cannot be used. */
  #requireUsable(): void {
    this.#life.requireOpen();
    requireMesh(`${this.mesh.name}: this polyhedron`, this.mesh);
  }

  /** Runs a call in its turn. Its result is worth nothing if the mesh's memory went meanwhile. */
  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.#life.exclusive(async () => {
      try {
        return await work();
      } finally {
        requireMesh(`${this.mesh.name}: this polyhedron`, this.mesh);
      }
    });
  }

  #job(points: number): Job {
    const caps = () => this.#tables.potentials.caps.length / 3;
    return { points, triangles: this.mesh.triangleCount, caps };
  }

  /** Opens a lane in turn with other calls. It is kept until it is released, whoever calls meanwhile. */
  #lendLane(plan: Plan, watch: LaneOptions, signal: AbortSignal | undefined): Promise<OpenLane> {
    return this.#exclusive(async () => {
      const started = performance.now();
      this.#tables.requireUsable(plan);
      const lane = await this.#tables.openLane(plan, watch, this.#life.signal(signal));
      const letGo = this.#life.use();
      return {
        lane,
        build: (performance.now() - started) / 1000,
        release: () => {
          lane.close();
          letGo();
        },
      };
    });
  }

  /**
   * Gives back the body's GPU memory. A call that is under way rejects, and so do later ones; the memory is freed once
   * the call has let go of it. Safe to call twice.
   */
  destroy(): void {
    this.#life.destroy();
  }
}
