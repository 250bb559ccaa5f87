/** What every suite looks like to the runner, and what it is given to run with. */
import { type Device, InputError } from '../index.ts';
import type { ContactPeer } from './contacts/rapier.ts';
import type { MeshPeer } from './distance/three-mesh-bvh.ts';
import type { PairLibrary } from './pairs/pair-way.ts';
import type { Way } from './points/way.ts';
import type {
  ContactsReport,
  DemReport,
  DistanceReport,
  Environment,
  PairsReport,
  StacksReport,
  SuiteReport,
} from './report.ts';
import type { SuiteName } from './suite-names.ts';

/** The machine and the programs, as far as the host tells; the rest of `Environment` is known from the device. */
export type HostFacts = Omit<Environment, 'adapter' | 'timestamps'>;

/** What Node and browsers tell in different ways: facts about the machine, sweeping the heap, and the peers. */
export interface BenchHost {
  /** Asked once, before anything runs: `loadBefore` is about others' work. */
  environment(): HostFacts | Promise<HostFacts>;
  /** Commands that repeat the run, the first the one that made it. */
  readonly commands: readonly string[];
  /** Sweeps the heap, so that nobody pays for another's garbage; left out where the host cannot. */
  collectGarbage?(): void;
  /** Memory of the host in use, arrays included; left out where the host cannot tell. */
  usedBytes?(): number;
  /** The peer; undefined where its packages are not installed, which the report then says. See `loadThreeMeshBvh`. */
  loadPeer(): Promise<Way | undefined>;
  /** The same for suite `pairs`. See `loadRapier`. */
  loadPairPeer(): Promise<PairLibrary | undefined>;
  /** For suites `contacts`, `dem` and `stacks`. See `loadContactPeer`. */
  loadContactPeer(): Promise<ContactPeer | undefined>;
  /** For suite `distance`. See `loadMeshPeer`. */
  loadMeshPeer(): Promise<MeshPeer | undefined>;
}

/** What the ways took for one case, for a page that shows results while a run goes on. The report has all there is. */
export interface MeasuredCase {
  readonly suite: SuiteName;
  readonly what: string;
  /** Those that ran, in the order of the report: medians of a call, a step, or a pair. No yardstick. */
  readonly ways: readonly { readonly label: string; readonly isPeer: boolean; readonly seconds: number }[];
}

/** A case of a suite from its runs. Without seconds, a way did not run. */
export function measuredCase(
  suite: SuiteName,
  what: string,
  ways: readonly { readonly key: string; readonly label: string; readonly kind: string }[],
  secondsOf: (key: string) => number | undefined,
): MeasuredCase {
  const ran = ways
    .filter(({ kind }) => kind !== 'yardstick')
    .map(({ key, label, kind }) => ({ label, isPeer: kind === 'peer', seconds: secondsOf(key) ?? 0 }))
    .filter(({ seconds }) => seconds > 0);
  return { suite, what, ways: ran };
}

/** What a suite is given to measure with. */
export interface RunContext {
  readonly device: Device;
  readonly quick: boolean;
  /** Keys of the ways to run; undefined: those that the suite runs by itself. */
  readonly ways?: readonly string[] | undefined;
  readonly host: BenchHost;
  readonly signal?: AbortSignal | undefined;
  /** Measures the yardstick once more: between cases, so that its rates tell how the machine was all along. */
  measureCopyRate(): Promise<void>;
  /** Told of each case that has ended. */
  onCase?(of: MeasuredCase): void;
}

/**
 * Of all ways of a suite those with the keys that were asked for, in their own order.
 *
 * @throws InputError for a key that no way has
 */
export function askedWays<Way extends { readonly key: string }>(
  all: readonly Way[],
  asked: readonly string[],
): readonly Way[] {
  const known = all.map(({ key }) => key);
  const unknown = asked.find((key) => !known.includes(key));
  if (unknown !== undefined) throw new InputError(`way "${unknown}": expected some of ${known.join(', ')}`);
  return all.filter(({ key }) => asked.includes(key));
}

/** A suite that is ready to run: its cases are known, its peers are loaded. */
export interface PlannedSuite {
  /** How often `run` calls `step`. */
  readonly steps: number;
  /** Compiles kernels and warms engines, before anything of any suite is timed. */
  warmUp?(): Promise<void>;
  /** @param step called before each case, with what it is */
  run(step: (what: string) => Promise<void>): Promise<SuiteResult>;
}

export interface SuiteResult {
  readonly suites?: readonly SuiteReport[];
  readonly pairs?: PairsReport;
  readonly contacts?: ContactsReport;
  readonly dem?: DemReport;
  readonly stacks?: StacksReport;
  readonly distance?: DistanceReport;
  /** What was left out or is not as asked, a sentence each. */
  readonly remarks: readonly string[];
}
