/** What the page says of itself to tests and to the benchmark: `globalThis.screeBulk`. */
import type { AdapterSummary, Backend, Device, Simulation } from '../../src/index.ts';
import type { Choice } from './choice.ts';
import type { Counters, Stop } from './run.ts';

export interface BulkState extends Counters {
  readonly choice: Choice;
  readonly backend: Backend;
  readonly adapter: AdapterSummary | undefined;
  /** What draws. */
  readonly drawing: 'WebGPU' | 'WebGL';
  readonly timeStep: number;
  readonly isPlaying: boolean;
  readonly stop: Stop | undefined;
  /** The line that is shown in the alert; empty for none. */
  readonly problem: string;
  /** Of places and speeds of all bodies. */
  readonly stateHash: string;
}

export interface BulkPage {
  /** Settles when the scene that was asked for last moves, or an alert says why not. */
  ready(): Promise<void>;
  /** Undefined where nothing runs: an alert says why. */
  state(): Promise<BulkState | undefined>;
  /** Of the last frames with steps: wall seconds of all of it, of drawing, and of steps. */
  readonly framesSeconds: readonly number[];
  readonly drawSeconds: readonly number[];
  readonly stepSeconds: readonly number[];
  play(): void;
  pause(): void;
  /** Makes so many steps, and draws. */
  runSteps(count: number): Promise<void>;
  /** Begins anew, with another choice where one is given. */
  reset(choice?: Partial<Choice>): Promise<void>;
  /** The file that the page saves, and what it does with one. */
  save(): Promise<Uint8Array<ArrayBuffer>>;
  load(file: Uint8Array, name: string): Promise<void>;
  pick(body: number | undefined): Promise<void>;
  readonly simulation: Simulation | undefined;
  readonly device: Device | undefined;
}
