/**
 * What `scree bench` writes: `report.json`, documented in docs/bench-report.md, and what `report.html` shows. Plain numbers and
 * strings only, so that a report from a browser arrives whole in Node. Seconds, bytes and points per second everywhere.
 */
import type { AdapterSummary } from '../index.ts';
import type { PairsReport } from './pairs/pairs-report.ts';
import type { Finding, Spread, WayReport } from './report-common.ts';

export type { Finding, Spread, WayReport } from './report-common.ts';

/** Raised whenever a reader of older reports would misread a newer one. */
export const REPORT_VERSION = 1;

/** Suites about points in bodies. */
export const BODY_SUITES = ['paper', 'inside'] as const;
export const SUITE_NAMES = [...BODY_SUITES, 'pairs'] as const;
export type SuiteName = (typeof SUITE_NAMES)[number];

export interface BenchReport {
  readonly format: 'scree-bench';
  readonly version: typeof REPORT_VERSION;
  /** ISO 8601, UTC. */
  readonly date: string;
  /** Commands that repeat the run, the first the one that made it. */
  readonly commands: readonly string[];
  readonly quick: boolean;
  readonly environment: Environment;
  /** Rate of the adapter's copy kernel over all rounds: the machine's yardstick. */
  readonly copyBytesPerSecond: Spread;
  /** Those about points in bodies. */
  readonly suites: readonly SuiteReport[];
  /** Suite `pairs`, where it ran. */
  readonly pairs?: PairsReport;
  /** What was left out or is not as asked, a sentence each: a peer that is not installed, a page that was hidden. */
  readonly remarks: readonly string[];
}

export interface Environment {
  readonly host: 'node' | 'browser';
  /** Name and version: `Node 20.20.2`, `Chrome 143.0.7499.40`. */
  readonly runtime: string;
  readonly platform: string;
  /** Empty where the host does not tell. */
  readonly cpu: string;
  readonly cores: number;
  /** 0 where the host does not tell. */
  readonly memoryBytes: number;
  readonly adapter: AdapterSummary;
  /** Whether `seconds.gpu` comes from timestamps of the GPU; there is wall time in any case. */
  readonly timestamps: boolean;
  /** Versions of scree and of every package that took part. */
  readonly versions: Readonly<Record<string, string>>;
  /** Load of the machine in the minute before, in processes; -1 where the host does not tell. */
  readonly loadBefore: number;
}

export interface SuiteReport {
  readonly name: (typeof BODY_SUITES)[number];
  /** Everything that was compared, in the order of tables and legends. */
  readonly ways: readonly WayReport[];
  readonly bodies: readonly BodyReport[];
  /** Only of suite `paper`. */
  readonly findings: readonly Finding[];
}

export interface BodyReport {
  readonly name: string;
  /** `sphere` and `foam` are the paper's series. */
  readonly series: 'sphere' | 'foam' | 'other';
  readonly triangles: number;
  readonly vertices: number;
  readonly setUps: readonly SetUpReport[];
  readonly runs: readonly RunReport[];
}

/** A way made ready for a body. */
export interface SetUpReport {
  readonly way: string;
  /** Number of points that it was made ready for; 0: for any. */
  readonly points: number;
  readonly total: Spread;
  /** Parts of `total` by name: check, build, trees, p2m ... */
  readonly parts: Readonly<Record<string, Spread>>;
  readonly tableBytes: number;
  readonly gpuBytes: number;
  /** Finest level of the trees, cells per axis ... by name. */
  readonly figures: Readonly<Record<string, number>>;
}

/** A way asked about one set of points of a body. */
export interface RunReport {
  readonly way: string;
  readonly set: 'grid' | 'random' | 'near';
  readonly points: number;
  /** `extrapolated`: `measuredPoints` were asked, times are scaled up to `points`. `left-out`: nothing was run, see `reason`. */
  readonly status: 'measured' | 'extrapolated' | 'left-out';
  readonly measuredPoints: number;
  /** Why not all points were asked; empty for `measured`. */
  readonly reason: string;
  /** Wall seconds of the calls and of their parts; `gpu`: the kernels by the GPU's own timestamps, where it has them. */
  readonly seconds: {
    readonly total: Spread;
    readonly upload: Spread;
    readonly kernel: Spread;
    readonly readback: Spread;
    readonly exact: Spread;
    readonly gpu?: Spread;
  };
  /** `points` by `seconds.total`. */
  readonly pointsPerSecond: Spread;
  /** Medians over rounds of how many times as fast as three-mesh-bvh and the copy kernel; 0 where these did not run. */
  readonly ratioToPeer: number;
  readonly ratioToCopy: number;
  /** Method, backend and why, as the result told. */
  readonly chosen: string;
  readonly resolvedExactly: number;
  /** Flags that were held against exact ones, and how many of a peer's differed; scree's own end the run. */
  readonly checked: number;
  readonly wrong: number;
  readonly gpuBytes: number;
}
