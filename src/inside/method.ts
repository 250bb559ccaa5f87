/** What every method of classification is given and gives back, besides points and flags. */
import type { BufferPool } from '../gpu/buffers.ts';
import type { Expansion, Rule } from './classification.ts';
import type { Lane } from './stream/lanes.ts';

export interface MethodRun<R extends Rule = Rule> {
  readonly rule: R;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((pointsDone: number) => void) | undefined;
}

/** Wall seconds per stage; methods add to them chunk by chunk. */
export interface StageSeconds {
  upload: number;
  classify: number;
  readback: number;
}

/** Points that are worked on at once: 12 MiB of coordinates, well inside every portable limit. */
export const CHUNK = 1 << 20;

export interface LaneOptions {
  readonly stages: StageSeconds;
  readonly onPiece: (points: number) => void;
}

/** A method with its tables built and its kernels compiled, ready for points. */
export interface Prepared {
  /** Writes flags of points `first .. first + count`, at most CHUNK, and returns the doubtful ones. Adds to `stages`. */
  classify(
    points: Float32Array,
    first: number,
    count: number,
    flags: Uint8Array,
    run: MethodRun,
    work: BufferPool | undefined,
    stages: StageSeconds,
  ): Promise<Uint32Array>;
  /**
   * Writes final flags of the points with the numbers in `doubtful` where exact predicates do not decide them, and returns how
   * many are decided by a rounded sum alone. Undefined where exact predicates do.
   */
  readonly settle?: (
    points: Float32Array,
    flags: Uint8Array,
    doubtful: Uint32Array,
    signal: AbortSignal,
  ) => Promise<number>;
  /** A way for a stream of points. It adds to `stages` and calls `onPiece` with the points of each piece that is done. */
  openLane(options: LaneOptions): Lane;
  readonly tableBytes: number;
  /** Of the multipole method. */
  readonly expansion?: Expansion | undefined;
  /** Bytes of GPU memory of the tables. */
  gpuBytes(): number;
}
