/** The tables of a cell grid on a GPU, uploaded once. */
import { BufferPool } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { getKernel, type Kernel } from '../../gpu/passes.ts';
import type { CrossingRule } from '../classification.ts';
import { cellLookUpLayout, cellSegmentsLayout } from './layout.ts';
import { cutPairs, type PairsPart } from './parts.ts';
import { cellLookUpShader, cellSegmentsShader } from './shaders.ts';
import { type CellGridTables, PAIR_FLOATS } from './tables.ts';

/** What the kernels bind of a body, under one rule. */
export interface BoundTables {
  /** Statuses by that rule, and bases. */
  readonly words: GPUBuffer;
  readonly references: GPUBuffer;
  readonly starts: GPUBuffer;
  readonly blocks: GPUBuffer;
}

/** Pairs that are bound at once, with the mixed cells that they belong to. */
export interface BoundPart extends PairsPart {
  readonly pairs: GPUBuffer;
}

export interface CellGridKernels {
  readonly lookUp: Kernel;
  readonly segments: Kernel;
}

export class UploadedCellGrid {
  readonly #device: Device;
  /** Where the statuses of a rule come from that is not on the GPU yet. */
  readonly #tables: CellGridTables;
  readonly #pool: BufferPool;
  readonly #buffers: Omit<BoundTables, 'words'>;
  readonly #words = new Map<CrossingRule, GPUBuffer>();
  readonly parts: readonly BoundPart[];

  private constructor(
    device: Device,
    tables: CellGridTables,
    pool: BufferPool,
    buffers: Omit<BoundTables, 'words'>,
    parts: readonly BoundPart[],
  ) {
    this.#device = device;
    this.#tables = tables;
    this.#pool = pool;
    this.#buffers = buffers;
    this.parts = parts;
  }

  /** @param largestPart bytes of pairs that are bound at once: by default as many as the device allows */
  static async create(
    device: Device,
    tables: CellGridTables,
    largestPart = Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize),
  ): Promise<UploadedCellGrid> {
    const { references, starts, pairs, blocks } = tables;
    const cut = cutPairs(tables, largestPart);
    const pool = new BufferPool(device);
    try {
      return await device.checked('uploading the cell grid', () => {
        const buffers = {
          references: pool.upload('cell grid references', references),
          starts: pool.upload('cell grid starts', starts),
          blocks: pool.upload('cell grid blocks', blocks),
        };
        const parts = cut.map((part, n) => {
          const ofPart = pairs.subarray(PAIR_FLOATS * part.firstPair, PAIR_FLOATS * part.endPair);
          return { ...part, pairs: pool.upload(`cell grid pairs ${n}`, ofPart) };
        });
        return new UploadedCellGrid(device, tables, pool, buffers, parts);
      });
    } catch (error) {
      pool.destroy();
      throw error;
    }
  }

  get gpuBytes(): number {
    return this.#pool.bytes;
  }

  /** The tables for a rule; its statuses are uploaded where no earlier call did. */
  async boundTables(rule: CrossingRule): Promise<BoundTables> {
    let words = this.#words.get(rule);
    if (words === undefined) {
      const { bases, [rule]: statuses } = this.#tables;
      const both = new Uint32Array(2 * statuses.length);
      for (let w = 0; w < statuses.length; w++) {
        both[2 * w] = statuses[w]!;
        both[2 * w + 1] = bases[w]!;
      }
      words = await this.#device.checked('uploading the cell grid', () =>
        this.#pool.upload(`cell grid words, ${rule}`, both),
      );
      this.#words.set(rule, words);
    }
    return { ...this.#buffers, words };
  }

  destroy(): void {
    this.#pool.destroy();
  }
}

/** The kernels for tables with so many levels of blocks. */
export async function compileCellGrid(device: Device, levels: number): Promise<CellGridKernels> {
  const [lookUp, segments] = await Promise.all([
    getKernel(device, cellLookUpShader(), {
      entryPoint: 'cellLookUp',
      layout: cellLookUpLayout,
      constants: { LEVELS: levels },
    }),
    getKernel(device, cellSegmentsShader(), { entryPoint: 'cellSegments', layout: cellSegmentsLayout }),
  ]);
  return { lookUp, segments };
}
