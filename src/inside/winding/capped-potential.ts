/**
 * The double-layer potential from a cell grid: the mesh is closed by caps, the cell grid has the winding number of the
 * closed chain, a whole number, and the caps' solid angles are taken off it. See docs/multipole.md, "Closed by caps".
 */
import { LARGEST_FLOAT32 } from '../../constants.ts';
import { lapClock } from '../../gpu/lap-clock.ts';
import { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { CellGrid } from '../cell-grid/cell-grid.ts';
import { cpuLane } from '../cell-grid/cpu-lane.ts';
import { UNKNOWN_BYTE } from '../cell-grid/tables.ts';
import { coordinatesOf, ExactTest, eachInSlices } from '../exact.ts';
import type { AskedPotential, Potential, PotentialRun, PotentialScratch } from '../potential/potential.ts';
import { float32Bound } from '../potential/unit-frame.ts';
import { noSeconds } from '../stream/lane.ts';
import { capTriangles } from './caps.ts';
import { MOST_TRIANGLES_SUMMED_DIRECTLY } from './constants.ts';
import { CpuPotential } from './potential-cpu.ts';

export interface CappedOptions {
  readonly workers?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export class CappedPotential implements Potential {
  readonly degree = 0;
  readonly separation = Infinity;
  readonly level = 0;
  readonly gpuBytes = 0;
  readonly #closed: TriangleMesh;
  readonly #grid: CellGrid;
  /** Undefined where there are none. */
  readonly #caps: CpuPotential | undefined;
  #exact: ExactTest | undefined;

  private constructor(closed: TriangleMesh, grid: CellGrid, caps: CpuPotential | undefined) {
    this.#closed = closed;
    this.#grid = grid;
    this.#caps = caps;
  }

  /**
   * @param boundary half-edges of the mesh without an opposite: none of a closed, consistently oriented one
   * @throws the signal's reason once it is aborted
   */
  static async create(
    mesh: TriangleMesh,
    boundary: Uint32Array,
    { workers, signal }: CappedOptions,
  ): Promise<CappedPotential> {
    const indices = capTriangles(boundary);
    if (indices.length === 0) {
      return new CappedPotential(mesh, await gridOf(mesh, { workers, signal }), undefined);
    }
    const { positions, name } = mesh;
    const all = new Uint32Array(mesh.indices.length + indices.length);
    all.set(mesh.indices);
    all.set(indices, mesh.indices.length);
    const closed = new TriangleMesh({ positions, indices: all, name });
    const grid = await gridOf(closed, { workers, signal });
    try {
      const kind = indices.length > 3 * MOST_TRIANGLES_SUMMED_DIRECTLY ? 'clusters' : 'direct';
      const caps = new TriangleMesh({ positions, indices, name });
      return new CappedPotential(closed, grid, await CpuPotential.create(kind, caps, { workers, signal }));
    } catch (error) {
      grid.destroy();
      throw error;
    }
  }

  get tableBytes(): number {
    return this.#grid.bytes + (this.#caps?.tableBytes ?? 0);
  }

  /** As `Potential` has it. Points on a triangle or a cap have the largest bound there is: nothing is known of them. */
  async evaluate(asked: AskedPotential, run: PotentialRun, { stages }: PotentialScratch = {}): Promise<void> {
    const { points, values, bounds } = asked;
    const lap = lapClock();
    const count = values.length;
    const windings = await this.#windings(points, run);
    const caps = this.#caps && { points, values: new Float64Array(count), bounds: new Float64Array(count) };
    if (caps) await this.#caps!.evaluate(caps, { ...run, onProgress: undefined });
    for (let i = 0; i < count; i++) {
      const isKnown = windings[i] !== UNKNOWN_WINDING;
      const value = isKnown ? windings[i]! - (caps?.values[i] ?? 0) : 0;
      values[i] = value;
      bounds[i] = isKnown ? float32Bound(value, caps?.bounds[i] ?? 0) : LARGEST_FLOAT32;
    }
    if (stages) stages.classify += lap();
  }

  /** Winding numbers of the closed chain; UNKNOWN_WINDING on it. */
  async #windings(points: Float32Array, { signal, onProgress }: PotentialRun): Promise<Int32Array> {
    const count = points.length / 3;
    const bytes = new Int8Array(count);
    const { slots, pieceSize } = cpuLane(this.#grid, 'winding', noSeconds(), async () => 0);
    const watch = { signal: signal ?? new AbortController().signal, onSlice: () => {} };
    try {
      for (let first = 0; first < count; ) {
        signal?.throwIfAborted();
        const end = first + Math.min(count - first, pieceSize(count - first));
        await slots[0]!.run(
          points.subarray(3 * first, 3 * end),
          new Uint8Array(bytes.buffer, first, end - first),
          watch,
        );
        onProgress?.(end);
        first = end;
      }
    } finally {
      for (const slot of slots) slot.close();
    }
    const windings = Int32Array.from(bytes);
    const unknown: number[] = [];
    for (let i = 0; i < count; i++) if (bytes[i] === UNKNOWN_BYTE) unknown.push(i);
    if (unknown.length > 0) {
      this.#exact ??= await ExactTest.create(this.#closed, signal);
      const all = () => true;
      await eachInSlices(Uint32Array.from(unknown), { signal }, (i) => {
        windings[i] = this.#exact!.windingOf(all, ...coordinatesOf(points, i)) ?? UNKNOWN_WINDING;
      });
    }
    return windings;
  }

  destroy(): void {
    this.#grid.destroy();
    this.#caps?.destroy();
  }
}

/** Of a point on the closed chain. */
const UNKNOWN_WINDING = -(2 ** 31);

function gridOf(mesh: TriangleMesh, { workers, signal }: CappedOptions): Promise<CellGrid> {
  return CellGrid.create(mesh, undefined, { workers, windings: true }, signal);
}
