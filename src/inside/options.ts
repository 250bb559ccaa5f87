/** What callers of `Polyhedron` can ask for. */
import type { Options } from '../arguments.ts';
import type { Backend } from '../gpu/backend.ts';
import type { Method, Rule } from './classification.ts';
import { EXPANSION_OPTIONS, type ExpansionOptions } from './winding/potential-choice.ts';

export interface PolyhedronOptions {
  /**
   * True to take a surface that is open too, for rule `winding` and `windingNumber`; other rules still refuse it.
   * Default false.
   */
  readonly open?: boolean;
  /** Cells of the cell grid along the body's longest extent, 1 .. 4095, instead of the cost model's choice. */
  readonly cellsPerAxis?: number;
  /**
   * Most threads that the CPU's work is spread over, 1 or more; 1 is the calling one alone. Default: one per core, at
   * most 8.
   */
  readonly threads?: number | undefined;
}

export interface LoadOptions extends Pick<PolyhedronOptions, 'threads'> {
  /** For messages and as the mesh's name; by default that of the path, URL or File. */
  readonly name?: string;
}

export interface SaveOptions {
  /**
   * Tables for contacts, as `contactTables` makes them of the body's mesh: a `ContactPipeline` begins with them,
   * without building any.
   */
  readonly contacts?: Uint8Array | undefined;
  /** Stops the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** `degree`, `separation` and `depth` are for method `multipole`. */
export interface ClassifyOptions extends ExpansionOptions {
  /** Default `auto`: the fastest for the job; the result names it and says why. */
  readonly method?: Method | 'auto';
  /** Default `auto`: the GPU where the device is hardware and the points are many, else the CPU. */
  readonly backend?: Backend | 'auto';
  /** Default `odd`. */
  readonly rule?: Rule;
  /**
   * Ray crossing only: false to test every point against every triangle, as the paper does, instead of only against
   * clusters of triangles that its ray passes. The flags are the same; the time grows with points times triangles.
   */
  readonly cull?: boolean;
  /** True for `seconds.gpu`, which takes one more small reading back, after `seconds.total`. Default false. */
  readonly timestamps?: boolean;
  /** Stops the call between two slices of work; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called after each slice of work with the number of points done, of `total`. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface StreamOptions extends Omit<ClassifyOptions, 'onProgress' | 'timestamps'> {
  /** Points that will come in all, where that is known: for `onProgress`, and for `auto` to tell few from many. */
  readonly expectedPoints?: number;
  /**
   * Most chunks held at once: being read, waiting, in work, or with the consumer. Memory grows with it, by 13 bytes per
   * point. 1 or more; 1 leaves nothing to go on at the same time. Default 4.
   */
  readonly chunksInFlight?: number;
  /** Called with the number of points whose flags are there, in steps of at most a million. */
  readonly onProgress?: (done: number, total: number | undefined) => void;
}

/** All options of a call, with what each has to be; `checked` where it is used. */
export const POLYHEDRON_OPTIONS: Options<PolyhedronOptions> = {
  open: 'boolean',
  cellsPerAxis: 'number',
  threads: 'number',
};

export const LOAD_OPTIONS: Options<LoadOptions> = { threads: 'number', name: 'text' };

export const SAVE_OPTIONS: Options<SaveOptions> = { contacts: 'checked', signal: 'signal' };

export const CLASSIFY_OPTIONS: Options<ClassifyOptions> = {
  method: 'checked',
  backend: 'checked',
  rule: 'checked',
  cull: 'boolean',
  timestamps: 'boolean',
  signal: 'signal',
  onProgress: 'function',
  ...EXPANSION_OPTIONS,
};

export const STREAM_OPTIONS: Options<StreamOptions> = {
  method: 'checked',
  backend: 'checked',
  rule: 'checked',
  cull: 'boolean',
  expectedPoints: 'number',
  chunksInFlight: 'number',
  signal: 'signal',
  onProgress: 'function',
  ...EXPANSION_OPTIONS,
};
