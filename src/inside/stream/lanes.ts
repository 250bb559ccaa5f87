/** The ways of a stream's points through a method: several pieces at a time, or one after the other. */
import type { Begun } from './pipeline.ts';

/** Takes chunks of points through a method. One `begin` at a time; results settle in order. */
export interface Lane {
  /**
   * Hands points over; resolves when that is done and the next chunk may begin, with the doubtful ones to come. `flags` are
   * written by then. Points and flags are in use until then.
   */
  begin(points: Float32Array, flags: Uint8Array, stop: AbortSignal): Promise<Begun<Uint32Array>>;
  /** Bytes of GPU memory at the peak, tables left out. */
  readonly gpuBytes: number;
  /** Gives back what was made for the lane. Nothing may be in work. */
  close(): void;
}

/** Room for one piece of points in work. */
export interface Slot {
  /**
   * Tests the points of a piece, after those of earlier pieces, writes their flags, and resolves with the doubtful ones.
   */
  run(points: Float32Array, flags: Uint8Array): Promise<Uint32Array>;
  readonly gpuBytes: number;
  close(): void;
}

export interface SlotLaneOptions {
  /** Most points of the next piece, of a chunk of which so many are left. */
  readonly pieceSize: (left: number) => number;
  /** Called with the points of each piece when its flags are there. */
  readonly onPiece: (points: number) => void;
}

/** Cuts chunks into pieces, of which as many are in work as there are slots: one is handed over while others are tested. */
export class SlotLane implements Lane {
  readonly #slots: readonly Slot[];
  readonly #free: Slot[];
  readonly #options: SlotLaneOptions;
  #wake: () => void = () => {};
  /** A piece failed: no other is begun. */
  #failure: { readonly error: unknown } | undefined;

  constructor(slots: readonly Slot[], options: SlotLaneOptions) {
    this.#slots = slots;
    this.#free = [...slots];
    this.#options = options;
  }

  get gpuBytes(): number {
    return this.#slots.reduce((sum, slot) => sum + slot.gpuBytes, 0);
  }

  async begin(points: Float32Array, flags: Uint8Array, stop: AbortSignal): Promise<Begun<Uint32Array>> {
    const pieces: Promise<Uint32Array>[] = [];
    for (let first = 0; first < flags.length; ) {
      const slot = await this.#take();
      if (stop.aborted || this.#failure !== undefined) {
        this.#give(slot);
        // Not before what is in work has let go of points and flags.
        await Promise.allSettled(pieces);
        throw this.#failure === undefined ? stop.reason : this.#failure.error;
      }
      const left = flags.length - first;
      const end = first + Math.min(left, this.#options.pieceSize(left));
      const piece = this.#run(slot, points.subarray(3 * first, 3 * end), flags.subarray(first, end), first);
      piece.catch((error) => {
        this.#failure ??= { error };
      });
      pieces.push(piece);
      first = end;
    }
    return { done: allDone(pieces).then(join) };
  }

  async #run(slot: Slot, points: Float32Array, flags: Uint8Array, first: number): Promise<Uint32Array> {
    try {
      const doubtful = await slot.run(points, flags);
      this.#options.onPiece(flags.length);
      return doubtful.map((i) => first + i);
    } finally {
      this.#give(slot);
    }
  }

  async #take(): Promise<Slot> {
    while (this.#free.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#free.shift()!;
  }

  #give(slot: Slot): void {
    this.#free.push(slot);
    this.#wake();
  }

  close(): void {
    for (const slot of this.#slots) slot.close();
  }
}

/** One chunk at a time, by a method that does no better: only reading and writing go on beside it. */
export class SerialLane implements Lane {
  readonly #classify: (points: Float32Array, flags: Uint8Array, stop: AbortSignal) => Promise<Uint32Array>;
  readonly #memory: { readonly peakBytes: number; destroy(): void };
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    memory: { readonly peakBytes: number; destroy(): void },
    classify: (points: Float32Array, flags: Uint8Array, stop: AbortSignal) => Promise<Uint32Array>,
  ) {
    this.#memory = memory;
    this.#classify = classify;
  }

  get gpuBytes(): number {
    return this.#memory.peakBytes;
  }

  async begin(points: Float32Array, flags: Uint8Array, stop: AbortSignal): Promise<Begun<Uint32Array>> {
    const done = this.#last.then(() => this.#classify(points, flags, stop));
    this.#last = done;
    // Seen by whoever waits for this chunk.
    done.catch(() => {});
    return { done };
  }

  close(): void {
    this.#memory.destroy();
  }
}

/** Results of all pieces; rejects as the first that failed does, but only when none uses points, flags or tables any more. */
async function allDone(pieces: readonly Promise<Uint32Array>[]): Promise<Uint32Array[]> {
  await Promise.allSettled(pieces);
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
