/**
 * The double-layer potential from a cell grid: the mesh is closed by caps, the cell grid has the winding number of the
 * closed chain, a whole number, and the caps' solid angles are taken off it. See docs/multipole.md, "Closed by caps".
 */
import { LARGEST_FLOAT32 } from '../../constants.ts';
import type { BufferPool } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { lapClock } from '../../gpu/lap-clock.ts';
import { owned } from '../../gpu/owned.ts';
import { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { CellGrid } from '../cell-grid/cell-grid.ts';
import { cpuLane } from '../cell-grid/cpu-lane.ts';
import { UNKNOWN_BYTE } from '../cell-grid/tables.ts';
import { coordinatesOf, ExactTest, eachInSlices } from '../exact.ts';
import { gatherPoints } from '../potential/gather-points.ts';
import type { AskedPotential, Potential, PotentialRun, PotentialScratch } from '../potential/potential.ts';
import { float32Bound } from '../potential/unit-frame.ts';
import { Lane, type LaneParts, type LaneSeconds, noSeconds } from '../stream/lane.ts';
import { MOST_TRIANGLES_SUMMED_DIRECTLY } from './constants.ts';
import type { CpuPotential } from './potential-cpu.ts';

export interface CappedOptions {
  /** Vertices of the triangles that close the mesh: see `capTriangles`. */
  readonly caps: Uint32Array;
  /** For the GPU; undefined for the CPU. */
  readonly device: Device | undefined;
  readonly threads?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Makes the potential of the caps where it is to be evaluated. */
  readonly ofCaps: (kind: CapsKind, caps: TriangleMesh) => Promise<Potential>;
}

type CapsKind = 'direct' | 'clusters';

export class CappedPotential implements Potential {
  readonly degree = 0;
  readonly separation = Infinity;
  readonly level = 0;
  readonly heedsTolerance = true;
  readonly #closed: TriangleMesh;
  readonly #grid: CellGrid;
  readonly #options: CappedOptions;
  readonly #caps: TriangleMesh;
  /** Undefined where there are no caps. */
  #ofCaps: Potential | undefined;
  /** The same in float64, for what the kernels' bounds leave above the tolerance. */
  #precise: CpuPotential | undefined;
  #exact: ExactTest | undefined;

  private constructor(closed: TriangleMesh, caps: TriangleMesh, grid: CellGrid, options: CappedOptions) {
    this.#closed = closed;
    this.#caps = caps;
    this.#grid = grid;
    this.#options = options;
  }

  /** @throws the signal's reason once it is aborted */
  static async create(mesh: TriangleMesh, options: CappedOptions): Promise<CappedPotential> {
    const { caps: indices, device, threads, signal, ofCaps } = options;
    const { positions, name } = mesh;
    const caps = new TriangleMesh({ positions, indices, name });
    const closed = caps.triangleCount === 0 ? mesh : joined(mesh, caps);
    const grid = await CellGrid.create(closed, device, { threads, windings: true }, signal);
    return owned(async (owner) => {
      const potential = owner.keep(new CappedPotential(closed, caps, grid, options));
      if (device) await (await grid.onGpu(device)).prepare('winding');
      if (caps.triangleCount > 0) potential.#ofCaps = await ofCaps(kindFor(caps), caps);
      return potential;
    });
  }

  get tableBytes(): number {
    return this.#grid.bytes + (this.#ofCaps?.tableBytes ?? 0) + (this.#precise?.tableBytes ?? 0);
  }

  get gpuBytes(): number {
    return this.#grid.gpuBytes + (this.#ofCaps?.gpuBytes ?? 0);
  }

  /** As `Potential` has it. Points on a triangle or a cap have the largest bound there is: nothing is known of them. */
  async evaluate(
    asked: AskedPotential,
    run: PotentialRun,
    { work, stages }: PotentialScratch = {},
  ): Promise<void> {
    const { points, values, bounds } = asked;
    const lap = lapClock();
    const seconds = noSeconds();
    const count = values.length;
    const silent = { ...run, onProgress: undefined };
    const windings = await this.#windings(points, this.#ofCaps ? silent : run, seconds, work);
    const caps = this.#ofCaps && { points, values: new Float32Array(count), bounds: new Float32Array(count) };
    if (caps) {
      await this.#ofCaps!.evaluate(caps, run, { work, stages: seconds });
      if (this.#ofCaps!.gpuBytes > 0) await this.#sumAgain(caps, silent);
    }
    for (let i = 0; i < count; i++) {
      const isKnown = windings[i] !== UNKNOWN_WINDING;
      const value = isKnown ? windings[i]! - (caps?.values[i] ?? 0) : 0;
      values[i] = value;
      bounds[i] = isKnown ? float32Bound(value, caps?.bounds[i] ?? 0) : LARGEST_FLOAT32;
    }
    if (stages === undefined) return;
    const { upload, readback } = seconds;
    stages.upload += upload;
    stages.readback += readback;
    stages.classify += Math.max(0, lap() - upload - readback);
  }

  /** The caps' potential in float64, where float32 leaves a bound above the tolerance. */
  async #sumAgain({ points, values, bounds }: AskedPotential, run: PotentialRun): Promise<void> {
    const { tolerance = Infinity, signal } = run;
    const found: number[] = [];
    bounds.forEach((bound, i) => {
      if (bound > tolerance) found.push(i);
    });
    if (found.length === 0) return;
    const { threads } = this.#options;
    const { CpuPotential } = await import('./potential-cpu.ts');
    this.#precise ??= await CpuPotential.create(kindFor(this.#caps), this.#caps, { threads, signal });
    const again = Uint32Array.from(found);
    const asked = {
      points: gatherPoints(points, again),
      values: new Float32Array(again.length),
      bounds: new Float32Array(again.length),
    };
    await this.#precise.evaluate(asked, run);
    again.forEach((i, n) => {
      values[i] = asked.values[n]!;
      bounds[i] = asked.bounds[n]!;
    });
  }

  /** Winding numbers of the closed chain; UNKNOWN_WINDING on it. */
  async #windings(
    points: Float32Array,
    { signal, onProgress }: PotentialRun,
    seconds: LaneSeconds,
    work: BufferPool | undefined,
  ): Promise<Int32Array> {
    const bytes = new Int8Array(points.length / 3);
    const lane = new Lane(await this.#laneParts(seconds, work), { seconds, onProgress });
    try {
      const all = new Uint8Array(bytes.buffer);
      await (await lane.begin(points, all, signal ?? new AbortController().signal)).done;
    } finally {
      lane.close();
    }
    const windings = Int32Array.from(bytes);
    const unknown: number[] = [];
    bytes.forEach((byte, i) => {
      if (byte === UNKNOWN_BYTE) unknown.push(i);
    });
    if (unknown.length > 0) {
      this.#exact ??= await ExactTest.create(this.#closed, signal);
      const all = () => true;
      await eachInSlices(Uint32Array.from(unknown), { signal }, (i) => {
        windings[i] = this.#exact!.windingOf(all, ...coordinatesOf(points, i)) ?? UNKNOWN_WINDING;
      });
    }
    return windings;
  }

  /** A lane that leaves unknown what it cannot certify. */
  async #laneParts(seconds: LaneSeconds, work: BufferPool | undefined): Promise<LaneParts> {
    const { device } = this.#options;
    const settle = async () => 0;
    if (device === undefined) return cpuLane(this.#grid, 'winding', seconds, settle);
    const { gpuLane } = await import('../cell-grid/gpu-lane.ts');
    return gpuLane(this.#grid, device, 'winding', seconds, settle, work);
  }

  destroy(): void {
    this.#grid.destroy();
    this.#ofCaps?.destroy();
    this.#precise?.destroy();
  }
}

/** Of a point on the closed chain. */
const UNKNOWN_WINDING = -(2 ** 31);

/** Few are summed up as fast as clusters of them. */
function kindFor({ triangleCount }: TriangleMesh): CapsKind {
  return triangleCount > MOST_TRIANGLES_SUMMED_DIRECTLY ? 'clusters' : 'direct';
}

/** A mesh and its caps, which share its vertices. */
function joined({ positions, indices, name }: TriangleMesh, caps: TriangleMesh): TriangleMesh {
  const all = new Uint32Array(indices.length + caps.indices.length);
  all.set(indices);
  all.set(caps.indices, indices.length);
  return new TriangleMesh({ positions, indices: all, name });
}
