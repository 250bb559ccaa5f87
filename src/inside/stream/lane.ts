/** A lane: the way of points through a method, from a call's array to its flags. Arrays and streams take the same. */
import { firstNonFinite } from '../../mesh/finite.ts';
import { type Expansion, NotFinite } from '../classification.ts';
import type { StageSeconds } from '../method.ts';
import type { Begun } from './pipeline.ts';

/** Room for one piece of points in work. */
export interface Slot {
  /** Tests the points of a piece, behind earlier pieces, writes their flags, and resolves with the doubtful ones. */
  run(points: Float32Array, flags: Uint8Array, watch: PieceWatch): Promise<Uint32Array>;
  /** Bytes of GPU memory at the peak, tables left out. */
  readonly gpuBytes: number;
  /** Gives back what was made for the slot. Nothing may be in work. */
  close(): void;
}

/** For methods that test a piece in several steps. */
export interface PieceWatch {
  readonly signal: AbortSignal;
  /** Takes the number of the piece's points that are done. */
  readonly onSlice: (done: number) => void;
}

/** Writes final flags of doubtful points, by number, and resolves with how many are undecided all the same. */
export type Settle = (
  points: Float32Array,
  flags: Uint8Array,
  doubtful: Uint32Array,
  watch: { readonly signal: AbortSignal; readonly onSettled: (done: number) => void },
) => Promise<number>;

/** What a method with its tables built makes a lane of. */
export interface LaneParts {
  /** One for each piece that may be in work at the same time. */
  readonly slots: readonly Slot[];
  /** The most points of the next piece, when `left` points of its chunk are left. */
  readonly pieceSize: (left: number) => number;
  readonly settle: Settle;
  /** Bytes of the method's tables on the host. */
  readonly tableBytes: () => number;
  /** Bytes of GPU memory of the tables. */
  readonly tablesOnGpu: () => number;
  /** Of the multipole method. */
  readonly expansion?: Expansion | undefined;
}

/** Wall seconds of a lane's stages. */
export interface LaneSeconds extends StageSeconds {
  /** Settling doubtful points. */
  exact: number;
}

/** Who opens a lane, and is told what it does. */
export interface LaneOptions {
  /** Added to. */
  readonly seconds: LaneSeconds;
  /** Called with the number of points whose flags are final. It grows. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

export function noSeconds(): LaneSeconds {
  return { upload: 0, classify: 0, readback: 0, exact: 0 };
}

/** A chunk whose flags are final. */
export interface Settled {
  /** Doubtful points, which were settled. */
  readonly resolvedExactly: number;
  /** Those among them that remain undecided. */
  readonly undecided: number;
}

/**
 * Cuts chunks of points into pieces. As many pieces are in work as there are slots: one is handed over while others are
 * tested. One `begin` at a time; results settle in order.
 */
export class Lane {
  readonly expansion: Expansion | undefined;
  readonly #parts: LaneParts;
  readonly #options: LaneOptions;
  readonly #free: Slot[];
  #wake: () => void = () => {};
  /** A piece failed: no other is begun. */
  #failure: { readonly error: unknown } | undefined;
  #done = 0;
  #told = 0;

  constructor(parts: LaneParts, options: LaneOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#free = [...parts.slots];
    this.expansion = parts.expansion;
  }

  /** Bytes of the method's tables on the host. */
  get tableBytes(): number {
    return this.#parts.tableBytes();
  }

  /** Bytes of GPU memory at the peak, tables included. */
  get gpuBytes(): number {
    const { slots, tablesOnGpu } = this.#parts;
    return slots.reduce((sum, slot) => sum + slot.gpuBytes, tablesOnGpu());
  }

  /**
   * Hands the points of a chunk over; resolves when that is done and the next chunk may begin. `flags` are written, and
   * points and flags in use, until `done` settles.
   */
  async begin(points: Float32Array, flags: Uint8Array, signal: AbortSignal): Promise<Begun<Settled>> {
    const pieces: Promise<Uint32Array>[] = [];
    for (let first = 0; first < flags.length; ) {
      const slot = this.#free.pop() ?? (await this.#take());
      if (signal.aborted || this.#failure !== undefined) {
        this.#give(slot);
        // Pieces in work have to let go of points and flags first.
        await Promise.allSettled(pieces);
        throw this.#failure === undefined ? signal.reason : this.#failure.error;
      }
      const left = flags.length - first;
      const end = first + Math.min(left, this.#parts.pieceSize(left));
      const piece = this.#run(slot, { points, flags, first, end, signal });
      // Heard where the chunk is finished, which may be begun later.
      piece.catch(() => {});
      pieces.push(piece);
      first = end;
    }
    return { done: this.#finish(pieces, points, flags, signal) };
  }

  async #run(
    slot: Slot,
    {
      points,
      flags,
      first,
      end,
      signal,
    }: {
      points: Float32Array;
      flags: Uint8Array;
      first: number;
      end: number;
      signal: AbortSignal;
    },
  ): Promise<Uint32Array> {
    let counted = 0;
    const count = (done: number) => {
      this.#tell(done - counted);
      counted = done;
    };
    const size = end - first;
    // All of them are done when it is known which are doubtful.
    const onSlice = (done: number) => {
      if (done < size) count(Math.floor(done));
    };
    try {
      const piece = flags.subarray(first, end);
      const doubtful = await slot.run(points.subarray(3 * first, 3 * end), piece, { signal, onSlice });
      count(size - doubtful.length);
      return first === 0 ? doubtful : doubtful.map((i) => first + i);
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    } finally {
      this.#give(slot);
    }
  }

  /** Settles what the pieces of a chunk left open, when none is in work any more. */
  async #finish(
    pieces: readonly Promise<Uint32Array>[],
    points: Float32Array,
    flags: Uint8Array,
    signal: AbortSignal,
  ): Promise<Settled> {
    const doubtful = join(await allDone(pieces));
    signal.throwIfAborted();
    const { length } = doubtful;
    if (length === 0) return { resolvedExactly: 0, undecided: 0 };
    // The caller may have written to them since they were checked. Exact predicates would take minutes for many.
    if (doubtful.some((i) => firstNonFinite(points.subarray(3 * i, 3 * i + 3)) >= 0)) throw new NotFinite();
    const started = performance.now();
    let counted = 0;
    const onSettled = (done: number) => {
      this.#tell(done - counted);
      counted = done;
    };
    const undecided = await this.#parts.settle(points, flags, doubtful, { signal, onSettled });
    onSettled(length);
    this.#options.seconds.exact += (performance.now() - started) / 1000;
    return { resolvedExactly: length, undecided };
  }

  /** What was told is not taken back: a point that a slice counted as done may turn out doubtful. */
  #tell(more: number): void {
    this.#done += more;
    if (this.#done <= this.#told) return;
    this.#told = this.#done;
    this.#options.onProgress?.(this.#done);
  }

  async #take(): Promise<Slot> {
    while (this.#free.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#free.pop()!;
  }

  #give(slot: Slot): void {
    this.#free.push(slot);
    this.#wake();
  }

  /** Gives back what was made for the lane. Nothing may be in work. */
  close(): void {
    for (const slot of this.#parts.slots) slot.close();
  }
}

/**
 * Results of all pieces; rejects as the first that failed does, but only when none uses points, flags or tables any
 * more.
 */
async function allDone(pieces: readonly Promise<Uint32Array>[]): Promise<Uint32Array[]> {
  if (pieces.length > 1) await Promise.allSettled(pieces);
  return Promise.all(pieces);
}

function join(parts: readonly Uint32Array[]): Uint32Array {
  if (parts.length === 1) return parts[0]!;
  const all = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
