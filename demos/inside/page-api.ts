/** What the page says of itself to tests and to the benchmark: `globalThis.screeInside`. */
import type { AdapterSummary, Backend, Classification, Device, Method } from '../../src/index.ts';
import type { Answer } from './answer.ts';
import type { Choice } from './question.ts';
import type { SavedKind } from './save.ts';
import type { Subject } from './subject.ts';

export interface InsideState {
  readonly choice: Choice;
  readonly mesh: string;
  readonly triangles: number;
  readonly points: number;
  readonly counts: Classification['counts'];
  readonly method: Method;
  readonly backend: Backend;
  readonly reason: string;
  readonly adapter: AdapterSummary | undefined;
  /** Of the classification alone. */
  readonly seconds: Classification['seconds'];
  readonly resolvedExactly: number;
  /** Points with different flags by the second method; undefined where there is none. */
  readonly differing: number | undefined;
  /** Lowest and highest winding number that is drawn; undefined where none are. */
  readonly winding: readonly [number, number] | undefined;
  /** What draws. */
  readonly drawing: 'WebGPU' | 'WebGL';
  /** Seconds that pictures take, as a mean of the last. */
  readonly drawSeconds: number | undefined;
  /** The line that is shown in the alert; empty for none. */
  readonly problem: string;
}

export interface InsidePage {
  /** Settles when the answer to what was asked last is drawn, or an alert says why there is none. */
  ready(): Promise<void>;
  /** Asks the chosen question once more. Settles when its flags are on the page and their picture is asked for. */
  classify(): Promise<void>;
  /** Undefined where nothing was answered yet: an alert says why. */
  state(): InsideState | undefined;
  /** As the form does. Settles as `ready` does. */
  choose(changes: Partial<Choice>): Promise<void>;
  /** As dropping a file does. */
  take(file: File): Promise<void>;
  cancel(): void;
  save(kind: SavedKind): Promise<Uint8Array<ArrayBuffer> | string>;
  readonly answer: Answer | undefined;
  readonly subject: Subject | undefined;
  readonly device: Device | undefined;
}
