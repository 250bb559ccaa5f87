/** A closed body that points are tested against. */
import { InputError, throwIfAborted } from '../errors.ts';
import { BufferPool } from '../gpu/buffers.ts';
import type { Device } from '../gpu/device.ts';
import { surfaceDefect } from '../mesh/mesh-verdict.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import {
  BOUNDARY,
  type Classification,
  INSIDE,
  METHODS,
  type Method,
  RULES,
  type Rule,
} from './classification.ts';
import { ExactTest } from './exact.ts';
import type { StageSeconds } from './method.ts';
import { RayCrossing } from './ray-crossing.ts';

export interface ClassifyOptions {
  /** Default `ray-crossing`. */
  readonly method?: Method;
  /** Default `odd`. */
  readonly rule?: Rule;
  /**
   * False to test every point against every triangle, as the paper does, instead of only against clusters of
   * triangles that its ray passes. The flags are the same; the time grows with points times triangles.
   */
  readonly cull?: boolean;
  /** Stops the call between two slices of work; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called after each slice of work with the number of points done, of `total`. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Points that are on the GPU at once: 12 MiB of coordinates, well inside every portable limit. */
const CHUNK = 1 << 20;

/**
 * A closed triangle mesh, prepared for testing points against it. It owns GPU memory until `destroy()`, or until its
 * device is destroyed.
 */
export class Polyhedron {
  readonly mesh: TriangleMesh;
  readonly device: Device;
  #rayCrossing: Promise<RayCrossing> | undefined;
  #exact: ExactTest | undefined;
  readonly #defects = new Map<Rule, string | undefined>();
  #destroyed = false;
  readonly #forget: () => void;

  private constructor(device: Device, mesh: TriangleMesh) {
    this.device = device;
    this.mesh = mesh;
    this.#forget = device.own(this);
  }

  /**
   * Checks that the mesh is closed. Tables of a method are built when it is first used.
   *
   * @throws InputError if the mesh has no triangles or an edge with an odd number of faces, with what to do.
   */
  static async create(device: Device, mesh: TriangleMesh): Promise<Polyhedron> {
    device.assertOpen();
    if (mesh.triangleCount === 0)
      throw new InputError(`${mesh.name}: the mesh has no triangles, expected a closed one`);
    const polyhedron = new Polyhedron(device, mesh);
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
   * @param points `[x, y, z]` per point, length `3 * n`, all finite, in the mesh's unit and frame.
   * @throws InputError for a length that is no multiple of 3, a coordinate that is not finite, an unknown option, or a
   *   mesh that is not consistently oriented with rule `nonzero`.
   * @throws DeviceError if the device is lost, destroyed or out of memory.
   */
  async classify(points: Float32Array, options: ClassifyOptions = {}): Promise<Classification> {
    const { method = 'ray-crossing', rule = 'odd', cull = true, signal, onProgress } = options;
    const started = performance.now();
    this.#requireOpen();
    if (!METHODS.includes(method))
      throw new InputError(`method "${method}": expected one of ${METHODS.join(', ')}`);
    if (!RULES.includes(rule)) throw new InputError(`rule "${rule}": expected one of ${RULES.join(', ')}`);
    const count = requirePoints(points);
    this.#requireUsable(rule);
    throwIfAborted(signal);

    return this.device.exclusive(async () => {
      this.#requireOpen();
      throwIfAborted(signal);
      const buildStarted = performance.now();
      const crossing = await (this.#rayCrossing ??= RayCrossing.create(this.device, this.mesh).catch(
        (error) => {
          this.#rayCrossing = undefined;
          throw error;
        },
      ));
      await crossing.compile({ rule, cull });
      const build = (performance.now() - buildStarted) / 1000;

      const seconds: StageSeconds = { upload: 0, classify: 0, readback: 0 };
      let exactSeconds = 0;
      let resolvedExactly = 0;
      const flags = new Uint8Array(count);
      const work = new BufferPool(this.device);
      try {
        for (let first = 0; first < count; first += CHUNK) {
          throwIfAborted(signal);
          const size = Math.min(CHUNK, count - first);
          const run = {
            rule,
            cull,
            signal,
            onProgress: (done: number) => onProgress?.(first + Math.floor(done), count),
          };
          const uncertain = await crossing.classify(points, first, size, flags, run, work, seconds);
          const exactStarted = performance.now();
          if (uncertain.length > 0) {
            this.#exact ??= new ExactTest(this.mesh, crossing.tables.order);
            for (const i of uncertain) {
              flags[i] = this.#exact.flag(points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!, rule);
            }
            resolvedExactly += uncertain.length;
          }
          exactSeconds += (performance.now() - exactStarted) / 1000;
        }
        return {
          flags,
          counts: countFlags(flags),
          resolvedExactly,
          method,
          rule,
          backend: 'gpu',
          adapter: this.device.adapter,
          triangles: this.mesh.triangleCount,
          seconds: { build, ...seconds, exact: exactSeconds, total: (performance.now() - started) / 1000 },
          gpuBytes: crossing.gpuBytes + work.peakBytes,
        };
      } finally {
        work.destroy();
      }
    });
  }

  #requireOpen(): void {
    if (this.#destroyed)
      throw new InputError(`${this.mesh.name}: this polyhedron was destroyed; create a new one`);
    this.device.assertOpen();
  }

  /** Gives back the body's GPU memory. Safe to call twice. */
  destroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.#forget();
    this.#rayCrossing?.then(
      (crossing) => crossing.destroy(),
      () => {
        // Never built: nothing to give back.
      },
    );
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
