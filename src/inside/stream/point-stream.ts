/**
 * `Polyhedron.classifyStream`: points come in chunks. While one is classified, later ones are read and earlier ones are
 * used.
 */
import { HeldArray, told } from '../../arguments.ts';
import { InputError } from '../../errors.ts';
import {
  type Classification,
  type ClassifySeconds,
  countFlags,
  countPoints,
  namingPoint,
  requireFinite,
} from '../classification.ts';
import type { StreamOptions } from '../options.ts';
import { checksPoints } from '../plan.ts';
import { type Lane, type LaneOptions, noSeconds, type Settled } from './lane.ts';
import { orAborted, pipeline } from './pipeline.ts';

/** One read, one handed over, one in work, and one with the consumer. */
const DEFAULT_CHUNKS_IN_FLIGHT = 4;

/** A chunk of points with its flags. */
export interface ClassifiedChunk
  extends Pick<Classification, 'flags' | 'counts' | 'resolvedExactly' | 'undecided'> {
  /** Number of the chunk, from 0. */
  readonly index: number;
  /** Points of the stream before this chunk. */
  readonly first: number;
  /** The array that the source gave; nothing of scree uses it any more. */
  readonly points: Float32Array;
}

/**
 * Seconds of wall time per stage of a stream. Stages of different chunks run at the same time, so their sum may exceed
 * `total`. The others wait for a stage whose time is near `total`.
 */
export interface StreamSeconds extends Omit<ClassifySeconds, 'gpu'> {
  /** Waiting for the source, from asking for a chunk until it is there. */
  readonly read: number;
  /** From the first chunk asked for to the last one given, or to now. */
  readonly total: number;
}

/** What a stream has done, for the chunks that were given so far. */
export interface StreamSummary extends Omit<Classification, 'flags' | 'seconds'> {
  readonly chunks: number;
  readonly seconds: StreamSeconds;
}

/** What a stream works with, which a body lends it. */
export interface OpenLane {
  readonly lane: Lane;
  /** Seconds that building took. */
  readonly build: number;
  /** Gives back lane and tables. */
  release(): void;
}

/** What the body says about the stream before it begins. */
export interface StreamJob
  extends Pick<Classification, 'method' | 'backend' | 'reason' | 'rule' | 'adapter' | 'triangles'> {
  /** Aborted where the body is destroyed, or the caller's own signal. */
  readonly signal: AbortSignal;
  /** Builds tables and kernels where that is not done yet. */
  open(watch: LaneOptions): Promise<OpenLane>;
}

/**
 * Classified chunks in the order of the source. Take them with `for await`, once. Nothing happens before the first is
 * asked for.
 */
export class ClassificationStream implements AsyncIterableIterator<ClassifiedChunk> {
  readonly #job: StreamJob;
  readonly #chunks: AsyncGenerator<ClassifiedChunk, void>;
  readonly #seconds = noSeconds();
  readonly #counts = { points: 0, outside: 0, inside: 0, boundary: 0 };
  #given = 0;
  #resolvedExactly = 0;
  #undecided = 0;
  #read = 0;
  /** Of `performance.now()`. */
  #started: number | undefined;
  #ended: number | undefined;
  #open: OpenLane | undefined;

  constructor(
    source: AsyncIterable<Float32Array> | Iterable<Float32Array>,
    options: StreamOptions,
    job: StreamJob,
  ) {
    const { chunksInFlight = DEFAULT_CHUNKS_IN_FLIGHT } = options;
    if (!Number.isInteger(chunksInFlight) || chunksInFlight < 1) {
      throw new InputError(`chunksInFlight is ${told(chunksInFlight)}, expected a whole number of 1 or more`);
    }
    const isIterable = Symbol.asyncIterator in Object(source) || Symbol.iterator in Object(source);
    // Texts and arrays of numbers can be iterated, but not over chunks.
    if (!isIterable || typeof source === 'string' || ArrayBuffer.isView(source)) {
      throw new InputError(
        `chunks: found ${told(source)}, expected an iterable or async iterable of Float32Array`,
      );
    }
    this.#job = job;
    this.#chunks = this.#run(source, options, chunksInFlight);
  }

  /** What was done so far: counts and the like are those of the chunks given, times and bytes those of all work. */
  get summary(): StreamSummary {
    const { method, backend, reason, rule, adapter, triangles } = this.#job;
    const open = this.#open;
    const seconds = {
      build: open?.build ?? 0,
      read: this.#read,
      ...this.#seconds,
      total: this.#started === undefined ? 0 : ((this.#ended ?? performance.now()) - this.#started) / 1000,
    };
    return {
      chunks: this.#given,
      counts: { ...this.#counts },
      resolvedExactly: this.#resolvedExactly,
      undecided: this.#undecided,
      ...{ method, backend, reason, rule, adapter, triangles },
      seconds,
      expansion: open?.lane.expansion,
      tableBytes: open?.lane.tableBytes ?? 0,
      gpuBytes: open?.lane.gpuBytes ?? 0,
    };
  }

  async *#run(
    source: AsyncIterable<Float32Array> | Iterable<Float32Array>,
    { onProgress, expectedPoints }: StreamOptions,
    most: number,
  ): AsyncGenerator<ClassifiedChunk, void> {
    this.#started = performance.now();
    const { signal } = this.#job;
    const opening = this.#job.open({
      seconds: this.#seconds,
      onProgress: onProgress && ((done) => onProgress(done, expectedPoints)),
    });
    // Seen where it is awaited: by the first chunk, or below.
    opening.catch(() => {});
    let [points, chunks] = [0, 0];
    const classified = pipeline(source, {
      most,
      signal,
      onRead: (seconds) => {
        this.#read += seconds;
      },
      begin: async (chunk: Float32Array, stop) => {
        this.#open = await opening;
        const first = points;
        const index = chunks++;
        const count = countPoints(chunk);
        if (!checksPoints(this.#job)) requireFinite(chunk, first);
        points += count;
        const held = new HeldArray(`points: chunk ${index}`, chunk);
        const flags = new Uint8Array(count);
        const work = { index, first, points: chunk, flags };
        const { lane } = this.#open;
        const { done } = await held.during(() =>
          namingPoint(held.array, first, async () => {
            const begun = await lane.begin(held.array, flags, stop);
            // Listened to also where the chunk is refused after all.
            begun.done.catch(() => {});
            return begun;
          }),
        );
        const settled = () => namingPoint(held.array, first, () => done);
        return { done: held.during(async () => finished(work, await settled())) };
      },
      release: () => void opening.then((open) => open.release()).catch(() => {}),
    });
    try {
      for await (const chunk of classified) {
        this.#given++;
        this.#resolvedExactly += chunk.resolvedExactly;
        this.#undecided += chunk.undecided;
        for (const kind of ['points', 'outside', 'inside', 'boundary'] as const) {
          this.#counts[kind] += chunk.counts[kind];
        }
        yield chunk;
      }
      // A body that cannot be used is one even if there are no points.
      this.#open = await orAborted(opening, signal);
    } finally {
      this.#ended = performance.now();
    }
  }

  next(): Promise<IteratorResult<ClassifiedChunk, void>> {
    return this.#chunks.next();
  }

  /** Stops the stream, closes its source, and gives back what it used; `for await` calls it where a loop is left. */
  return(): Promise<IteratorResult<ClassifiedChunk, void>> {
    return this.#chunks.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

function finished(
  chunk: Pick<ClassifiedChunk, 'index' | 'first' | 'points' | 'flags'>,
  settled: Settled,
): ClassifiedChunk {
  return { ...chunk, counts: countFlags(chunk.flags), ...settled };
}
