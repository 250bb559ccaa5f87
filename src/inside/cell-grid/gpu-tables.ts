/** Tables of a cell grid that were built on the GPU: they stay there for classification, and can be read back. */
import { BufferPool, readBack } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { takeMemory } from '../../workers/spare-memory.ts';
import type { RefinedCell } from './blocks.ts';
import { joinBlocks } from './join.ts';
import {
  CELLS_PER_WORD,
  type CellGridTables,
  type GridShape,
  PAIR_FLOATS,
  REFERENCE_FLOATS,
  tableBytes,
} from './tables.ts';

/** Wall seconds of the stages, each up to the point where the host has read what it needs of it. */
export interface GpuBuildSeconds {
  /** Kernels, where no earlier build on the device compiled them. */
  compile: number;
  /** Upload, boxes and planes of triangles. */
  triangles: number;
  overlaps: number;
  /** Grouping, references, rows and crossings. */
  pairs: number;
  statuses: number;
  /** Cells with many triangles, on the host. */
  blocks: number;
}

/** Tables of the grid itself in the form that the classification kernels bind. */
export interface GpuGridBuffers {
  /** Per word of 16 cells: statuses by the rule, and the mixed cells before it. */
  readonly odd: GPUBuffer;
  readonly nonzero: GPUBuffer;
  readonly references: GPUBuffer;
  readonly starts: GPUBuffer;
  readonly pairs: GPUBuffer;
}

/** A cell grid on the GPU. It owns its buffers until `destroy()`. */
export class GpuCellGrid {
  readonly grid: GridShape;
  readonly buffers: GpuGridBuffers;
  readonly mixedCount: number;
  readonly pairCount: number;
  /** Decisions that took more than the kernels' places: their orient3d, or exact predicates on the host. */
  readonly settledExactly: number;
  /** Decisions that exact predicates on the host settled. */
  readonly settledOnHost: number;
  /** Cells with blocks, which the host made. The buffers are without them, `readBack()` gives tables with them. */
  readonly refined: readonly RefinedCell[];
  readonly seconds: GpuBuildSeconds;
  /** Most bytes of GPU memory held while building, besides the tables. */
  readonly scratchBytes: number;
  readonly #device: Device;
  readonly #pool: BufferPool;

  constructor(
    device: Device,
    pool: BufferPool,
    fields: Omit<GpuCellGrid, 'readBack' | 'destroy' | 'bytes' | 'gpuBytes'>,
  ) {
    this.#device = device;
    this.#pool = pool;
    this.grid = fields.grid;
    this.buffers = fields.buffers;
    this.mixedCount = fields.mixedCount;
    this.pairCount = fields.pairCount;
    this.settledExactly = fields.settledExactly;
    this.settledOnHost = fields.settledOnHost;
    this.refined = fields.refined;
    this.seconds = fields.seconds;
    this.scratchBytes = fields.scratchBytes;
  }

  /** Bytes of the buffers' tables as `CellGridTables` holds them. */
  get bytes(): number {
    const words = wordCount(this.grid);
    const { mixedCount, pairCount } = this;
    return 4 * (3 * words + (REFERENCE_FLOATS + 1) * mixedCount + 1 + PAIR_FLOATS * pairCount);
  }

  /** Bytes of GPU memory held. */
  get gpuBytes(): number {
    return this.#pool.bytes;
  }

  /** Copies the tables to the host. @throws DeviceError if the device is lost or out of memory. */
  async readBack(): Promise<CellGridTables> {
    const { grid, buffers, mixedCount, pairCount, settledExactly } = this;
    const words = wordCount(grid);
    const staging = new BufferPool(this.#device);
    // One at a time: together they may be larger than a buffer may be.
    const copy = async (buffer: GPUBuffer, length: number) => {
      const [bytes] = await readBack(this.#device, staging, [{ buffer, bytes: 4 * length }]);
      return bytes!.buffer as ArrayBuffer;
    };
    try {
      const both = new Uint32Array(await copy(buffers.odd, 2 * words));
      const bothNonzero = new Uint32Array(await copy(buffers.nonzero, 2 * words));
      const room = () => takeMemory(Uint32Array<ArrayBuffer>, words, false);
      const [odd, nonzero, bases] = [room(), room(), room()];
      for (let w = 0; w < words; w++) {
        odd[w] = both[2 * w]!;
        bases[w] = both[2 * w + 1]!;
        nonzero[w] = bothNonzero[2 * w]!;
      }
      const references = new Float32Array(await copy(buffers.references, REFERENCE_FLOATS * mixedCount));
      const starts = new Uint32Array(await copy(buffers.starts, mixedCount + 1));
      const pairs = new Float32Array(await copy(buffers.pairs, PAIR_FLOATS * pairCount));
      const tables = { odd, nonzero, bases, references, starts, pairs, blocks: new Uint32Array(0) };
      const counts = { mixedCount, pairCount, settledExactly };
      return joinBlocks({ grid, ...tables, levels: 0, ...counts, bytes: tableBytes(tables) }, this.refined);
    } finally {
      staging.destroy();
    }
  }

  destroy(): void {
    this.#pool.destroy();
  }
}

/** Words of 16 cells. */
export function wordCount({ counts: [nx, ny, nz] }: GridShape): number {
  return (nx * ny * nz) / CELLS_PER_WORD;
}
