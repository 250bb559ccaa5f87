/** What `scree bench --browser` and the page that it opens in Chrome say to each other. */
import type { AdapterPreference, AdapterSummary, DeviceErrorReason } from '../index.ts';
import type { BenchReport } from './report.ts';
import type { HostFacts } from './suite.ts';
import type { SuiteName } from './suite-names.ts';

/** A function on the page's global object. It takes a `BenchProgress` as JSON and waits for no answer. */
export const PROGRESS_FUNCTION = 'screeBenchProgress';

export interface PageRequest {
  readonly suites: readonly SuiteName[];
  readonly quick: boolean;
  readonly ways?: readonly string[] | undefined;
  readonly adapter: AdapterPreference;
  readonly commands: readonly string[];
  /** What the page cannot know of the machine that it runs on. */
  readonly facts: Partial<HostFacts>;
}

/** An error on its way out of the page. */
export interface PageError {
  readonly name: string;
  /** Of a DeviceError its problem alone: advice for scripts is nothing for a command line. */
  readonly message: string;
  /** Of a ScreeError; left out for what nobody foresaw. */
  readonly exitCode?: 1 | 2;
  /** Of a DeviceError. */
  readonly reason?: DeviceErrorReason;
  readonly stack?: string;
}

export type PageAnswer<T> = { readonly result: T } | { readonly error: PageError };

/** Pages that `scree bench pages` measures beside the library without a page. */
export type MeasuredPage = 'bulk' | 'inside';

/** What the page `bulk/` tells of itself: the property `screeBulk` of its global object. */
export interface MeasuredBulk {
  /** What is shown. */
  state(): Promise<{ readonly choice: { readonly count: number } } | undefined>;
  /** Settles when the scene moves, or an alert says why not. */
  ready(): Promise<void>;
  play(): void;
  pause(): void;
  /** Of the last frames with steps: wall seconds of all of it, of drawing, and of steps. */
  readonly framesSeconds: readonly number[];
  readonly drawSeconds: readonly number[];
  readonly simulation: { readonly monitors: { readonly steps: number; readonly time: number } } | undefined;
}

/** The same of the page `inside/`: `screeInside`. */
export interface MeasuredInside {
  /** Settles when what was asked is answered and drawn, or an alert says why not. */
  ready(): Promise<void>;
  /** Asks the same once more. Settles when flags are on the page and their picture is asked for. */
  classify(): Promise<void>;
  /** Undefined where nothing was answered. */
  state(): { readonly points: number; readonly seconds: { readonly total: number } } | undefined;
}

/** What a page shows, made ready without the page. */
export interface BareFacts {
  /** Bodies that move, or points. */
  readonly count: number;
  /** What does the work, and why. */
  readonly chosen: string;
}

/** The page's side: the property `screeBench` of its global object. */
export interface BenchPage {
  /** The adapter that a run would use. */
  adapter(preference: AdapterPreference): Promise<PageAnswer<AdapterSummary>>;
  /** Runs suites. The answer is a `PageAnswer<BenchReport>` as JSON: a report is too large to pass value by value. */
  run(request: PageRequest): Promise<string>;
  /** Makes ready what a page shows at an address; what was ready before is given up. @param search of the address */
  open(page: MeasuredPage, search: string): Promise<PageAnswer<BareFacts>>;
  /** Makes so many steps of it, or calls. The answer is the seconds that they took. */
  work(amount: number): Promise<PageAnswer<number>>;
}

export type RunAnswer = PageAnswer<BenchReport>;
