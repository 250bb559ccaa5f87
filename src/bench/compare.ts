/** What became faster or slower between two reports, beyond the noise of both; docs/bench-report.md has the rule. */
import { InputError } from '../index.ts';
import type { BenchReport, RunReport, SetUpReport, Spread } from './report.ts';
import { median } from './spread.ts';
import type { SuiteName } from './suite-names.ts';

/**
 * Probability that unchanged times are called faster or slower, by the repetitions of each side. Simulated with times
 * spread evenly between two bounds (test/bench/compare.test.ts). Above six repetitions it is smaller still.
 */
export const CHANCE_OF_VERDICT: Readonly<Record<number, number>> = {
  ...{ 2: 0.083, 3: 0.019, 4: 0.0052, 5: 0.0014, 6: 0.00035 },
};

export type Verdict = 'faster' | 'slower' | 'within noise' | 'not repeated';

/** One thing that both reports measured. */
export interface Change {
  readonly suite: string;
  readonly body: string;
  readonly way: string;
  /** `set-up`, or a set of points: `grid`, or a question about pairs. */
  readonly what: string;
  /** Of the set; of a set-up those that it was made for, or 0; of pairs 0. */
  readonly points: number;
  readonly before: Spread;
  readonly after: Spread;
  /** Median seconds after by before: below 1 is faster. */
  readonly ratio: number;
  readonly verdict: Verdict;
}

export interface Comparison {
  readonly changes: readonly Change[];
  /** How many of `changes` would be called faster or slower if nothing had changed; see `CHANCE_OF_VERDICT`. */
  readonly byChance: number;
  /** How many measurements only one report has, or only one extrapolated. */
  readonly onlyBefore: number;
  readonly onlyAfter: number;
  /** Median ratio of all changes. If it is far from 1, the machine as a whole differs. */
  readonly medianRatio: number;
  /** The yardstick of both: bytes per second of the copy kernel. */
  readonly copyBefore: number;
  readonly copyAfter: number;
  /** Causes outside scree why times may differ: another machine, adapter, runtime. */
  readonly differences: readonly string[];
}

/**
 * How far noise reaches, as logarithms of seconds: noise is a share of a time. Suppose n times spread evenly between
 * two unknown bounds. Their range is on average (n - 1) / (n + 1) of the distance of the bounds. So the best guess puts
 * each bound a range / (n - 1) beyond the least and the most. Undefined for a single time, which tells nothing.
 */
export function noiseRange({ min, max, runs }: Spread): { readonly low: number; readonly high: number } | undefined {
  if (runs < 2 || !(min > 0)) return undefined;
  const beyond = Math.log(max / min) / (runs - 1);
  return { low: Math.log(min) - beyond, high: Math.log(max) + beyond };
}

/** A difference is one if the ranges of noise of both have nothing in common. */
export function verdictOf(before: Spread, after: Spread): Verdict {
  const [old, now] = [noiseRange(before), noiseRange(after)];
  if (old === undefined || now === undefined) return 'not repeated';
  if (now.high < old.low) return 'faster';
  return now.low > old.high ? 'slower' : 'within noise';
}

/** Both as often as the one that was repeated less. */
function chanceOfVerdict({ before, after }: Change): number {
  const runs = Math.min(before.runs, after.runs);
  return runs < 2 ? 0 : CHANCE_OF_VERDICT[Math.min(runs, 6)]!;
}

type Measurement = Omit<Change, 'before' | 'after' | 'ratio' | 'verdict'> & { readonly seconds: Spread };

/** What a report measured, by what it is. */
function measurementsOf({ suites, pairs, contacts, dem, distance }: BenchReport): Map<string, Measurement> {
  const all = new Map<string, Measurement>();
  for (const suite of suites) {
    const isYardstick = (key: string) => suite.ways.some((way) => way.key === key && way.kind === 'yardstick');
    for (const body of suite.bodies) {
      const add = (of: RunReport | SetUpReport, what: string, seconds: Spread, how: string) => {
        if (isYardstick(of.way)) return;
        const { way, points } = of;
        const key = JSON.stringify([suite.name, body.name, body.triangles, way, what, points, how]);
        all.set(key, { suite: suite.name, body: body.name, way, what, points, seconds });
      };
      for (const setUp of body.setUps) add(setUp, 'set-up', setUp.total, '');
      for (const run of body.runs) {
        // A part of the points, scaled up, is compared with a part only.
        if (run.status !== 'left-out') add(run, run.set, run.seconds.total, run.status);
      }
    }
  }
  for (const shape of pairs?.shapes ?? []) {
    for (const { probability, pairs: count, runs } of shape.settings) {
      for (const { way, question, timedPairs, seconds } of runs) {
        const what = `${question} of ${timedPairs.toLocaleString('en-US')} pairs, p = ${probability}`;
        const key = JSON.stringify(['pairs', shape.name, count, way, what]);
        all.set(key, { suite: 'pairs', body: shape.label, way, what, points: 0, seconds });
      }
    }
  }
  for (const { label: body, triangles, gap, runs } of distance?.cases ?? []) {
    const of = `of ${triangles.toLocaleString('en-US')} triangles, ${gap} sizes apart`;
    for (const { way, distance, meet } of runs) {
      const add = (what: string, seconds: Spread) =>
        all.set(JSON.stringify([body, way, what]), { suite: 'distance', body, way, what, points: 0, seconds });
      add(`distance ${of}`, distance);
      add(`whether they meet ${of}`, meet);
    }
  }
  for (const [suite, measured] of [['contacts', contacts] as const, ['dem', dem] as const]) {
    for (const { label: body, bodies, runs } of measured?.packings ?? []) {
      const what = `a step of ${bodies.toLocaleString('en-US')} bodies`;
      for (const { way, seconds } of runs) {
        all.set(JSON.stringify([suite, body, bodies, way]), { suite, body, way, what, points: 0, seconds });
      }
    }
  }
  return all;
}

/**
 * @throws InputError if one is of a quick run and the other is not, or if they have nothing in common.
 */
export function compareReports(before: BenchReport, after: BenchReport): Comparison {
  if (before.quick !== after.quick) {
    throw new InputError(`reports: ${kindOf(before)} and ${kindOf(after)} found, expected two of a kind`);
  }
  const [old, now] = [measurementsOf(before), measurementsOf(after)];
  const changes: Change[] = [];
  for (const [key, { seconds, ...of }] of old) {
    const found = now.get(key);
    if (found === undefined) continue;
    const both = { before: seconds, after: found.seconds, verdict: verdictOf(seconds, found.seconds) };
    changes.push({ ...of, ...both, ratio: found.seconds.median / seconds.median });
  }
  if (changes.length === 0) {
    throw new InputError('reports: no measurement that both have found, expected runs of the same suites');
  }
  return {
    changes,
    byChance: changes.reduce((sum, change) => sum + chanceOfVerdict(change), 0),
    onlyBefore: old.size - changes.length,
    onlyAfter: now.size - changes.length,
    medianRatio: median(changes.map(({ ratio }) => ratio)),
    copyBefore: before.copyBytesPerSecond.median,
    copyAfter: after.copyBytesPerSecond.median,
    differences: differencesOf(before, after),
  };
}

/**
 * Refuses a report, before a run begins, that the run could not be compared with.
 *
 * @throws InputError
 */
export function requireComparable(
  before: BenchReport,
  name: string,
  run: { readonly quick: boolean; readonly suites: readonly SuiteName[] },
): void {
  if (before.quick !== run.quick) {
    const [expected, todo] = before.quick ? ['a full one', 'add'] : ['a quick one', 'leave out'];
    throw new InputError(
      `${name}: ${kindOf(before)} found, expected ${expected}, as this run is to be: ${todo} --quick`,
    );
  }
  const found = before.suites.map((suite) => suite.name);
  if (before.pairs !== undefined) found.push('pairs');
  if (before.contacts !== undefined) found.push('contacts');
  if (before.dem !== undefined) found.push('dem');
  if (before.stacks !== undefined) found.push('stacks');
  if (run.suites.some((suite) => found.includes(suite))) return;
  throw new InputError(`${name}: suite ${found.join(', ') || 'none'} found, expected ${run.suites.join(' or ')}`);
}

const kindOf = ({ quick }: Pick<BenchReport, 'quick'>) => (quick ? 'a quick run' : 'a full run');

function differencesOf(before: BenchReport, after: BenchReport): string[] {
  const facts = ({ environment }: BenchReport) => {
    const { adapter, runtime, platform, cpu, cores, versions } = environment;
    const name = [adapter.vendor, adapter.architecture, adapter.device, adapter.description];
    const found: Record<string, string> = {
      ...{ runtime, platform, processor: cpu, cores: String(cores), adapter: name.filter(Boolean).join(' ') },
    };
    for (const [of, version] of Object.entries(versions)) if (of !== 'scree') found[`version of ${of}`] = version;
    return found;
  };
  const [old, now] = [facts(before), facts(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((name) => old[name] !== now[name])
    .map((name) => `${name}: ${old[name] || 'not told'} before, ${now[name] || 'not told'} now`);
}
