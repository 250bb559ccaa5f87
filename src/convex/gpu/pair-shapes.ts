/** The shapes of a batch on a GPU. */
import { BufferPool } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import type { ResolvedPairQuery } from '../query/pair-query.ts';
import type { ShapeTable } from '../shapes/shape-table.ts';
import { packParts, type ShapeParts, shapeParts } from './shape-parts.ts';
import { shapeBuffers } from './tables.ts';

export class PairShapes {
  readonly mostParts: number;
  /** Whether some shape has several parts. */
  readonly isConcave: boolean;
  /** Whether some part has another place than its shape. */
  readonly isMoved: boolean;
  /** Whether some part is turned in its shape. */
  readonly isTurned: boolean;
  readonly #pool: BufferPool;
  readonly #parts: ShapeParts;
  /** What every kernel that answers reads. */
  readonly tables: Readonly<Record<'records' | 'vertices' | 'neighbours' | 'facets', GPUBuffer>>;
  /** First part and number of parts of each shape, and no more: its length is the number of shapes. */
  readonly shapeParts: GPUBufferBinding;
  readonly parts: GPUBuffer;

  private constructor(device: Device, table: ShapeTable, parts: ShapeParts) {
    this.#parts = parts;
    this.mostParts = this.#parts.mostParts;
    this.isConcave = table.partRecords.length > 0;
    this.isMoved = this.#parts.isMoved;
    this.isTurned = this.#parts.parts.some(({ turn }) => turn !== undefined);
    const pool = new BufferPool(device);
    this.#pool = pool;
    try {
      const { records, vertices, neighbours, facets } = shapeBuffers(table);
      this.tables = {
        records: pool.upload('pair records', records),
        vertices: pool.upload('pair vertices', vertices),
        neighbours: pool.upload('pair neighbours', neighbours),
        facets: pool.upload('pair facets', facets),
      };
      const { spans, parts } = this.#parts;
      this.shapeParts = { buffer: pool.upload('parts of shapes', spans), size: spans.byteLength };
      this.parts = pool.upload('convex parts', new Uint8Array(packParts(parts)));
    } catch (error) {
      pool.destroy();
      throw error;
    }
  }

  /**
   * Uploads the shapes.
   *
   * @param parts what bodies' shapes are, where these are not the table's: convex records, one or more each, with
   *   places
   * @throws DeviceError if the device has not enough room for them.
   */
  static create(device: Device, table: ShapeTable, parts = shapeParts(table)): Promise<PairShapes> {
    return device.checked('uploading shapes', () => new PairShapes(device, table, parts));
  }

  /** Bytes of GPU memory. */
  get bytes(): number {
    return this.#pool.bytes;
  }

  /** The numbers of all shapes. */
  get all(): number[] {
    return Array.from({ length: this.#parts.spans.length / 2 }, (_, shape) => shape);
  }

  /** Number of parts of a shape. */
  partCount(shape: number): number {
    return this.#parts.spans[2 * shape + 1]!;
  }

  /** Kinds of the records of some shapes. */
  kindsOf(shapes: ArrayLike<number>): number[] {
    const { parts, spans } = this.#parts;
    // Sets would take as long as all else that the host does for a query.
    const occurs = new Uint8Array(spans.length / 2);
    for (let i = 0; i < shapes.length; i++) occurs[shapes[i]!] = 1;
    const kinds = new Set<number>();
    occurs.forEach((yes, shape) => {
      const first = spans[2 * shape]!;
      for (let i = first; yes && i < first + spans[2 * shape + 1]!; i++) kinds.add(parts[i]!.kind);
    });
    return [...kinds].sort((a, b) => a - b);
  }

  /**
   * Which two kinds pairs of bodies have: 1 at `kinds.length * a + b` for the kinds of numbers a and b. Undefined where
   * shapes are concave: each may have parts of several kinds.
   */
  combinationsOf(
    { shapes, pairs }: Pick<ResolvedPairQuery, 'shapes' | 'pairs'>,
    kinds: readonly number[],
  ): Uint8Array | undefined {
    if (this.isConcave) return undefined;
    const { parts, spans } = this.#parts;
    const kindOf = Uint8Array.from(this.all, (shape) => kinds.indexOf(parts[spans[2 * shape]!]!.kind));
    const occurs = new Uint8Array(kinds.length ** 2);
    for (let i = 0; i < pairs.length; i += 2) {
      occurs[kinds.length * kindOf[shapes[pairs[i]!]!]! + kindOf[shapes[pairs[i + 1]!]!]!] = 1;
    }
    return occurs;
  }

  destroy(): void {
    this.#pool.destroy();
  }
}
