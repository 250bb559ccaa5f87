import { describe, expect, it } from 'vitest';
import { CHANCE_OF_VERDICT, compareReports, noiseRange, verdictOf } from '../../src/bench/compare.ts';
import type { BenchReport } from '../../src/bench/report.ts';
import { parseReport, reportJson } from '../../src/bench/report.ts';
import { spread as spreadOf } from '../../src/bench/spread.ts';
import { InputError } from '../../src/errors.ts';
import { createRandom } from '../../src/index.ts';
import { around, bodiesBy, runOf, sampleReport } from './sample-report.ts';

const spread = (min: number, median: number, max: number, runs: number) => ({ min, median, max, runs });

/** A report whose calls take `factor` times as long as they would, for some ways. */
function report(factors: Readonly<Record<string, number>>, more: Partial<BenchReport> = {}): BenchReport {
  const laws = Object.fromEntries(
    Object.entries(factors).map(([way, factor]) => [
      way,
      (n: number, m: number) => ({ setUp: 1e-6 * n, call: 1e-7 * m * factor }),
    ]),
  );
  return sampleReport(bodiesBy(laws, 'sphere', [512, 2048], [1000, 8000]), more);
}

describe('noise', () => {
  it('reaches a range over n - 1 beyond least and most, in logarithms', () => {
    const { low, high } = noiseRange(spread(1, 1.5, 2, 3))!;
    expect(Math.exp(low)).toBeCloseTo(1 / Math.SQRT2, 12);
    expect(Math.exp(high)).toBeCloseTo(2 * Math.SQRT2, 12);
  });

  it('is the nearer to the range the more repetitions there are', () => {
    const widths = [2, 3, 5, 50].map((runs) => {
      const { low, high } = noiseRange(spread(1, 1.5, 2, runs))!;
      return high - low;
    });
    expect(widths).toEqual([...widths].sort((a, b) => b - a));
    expect(widths[0]).toBeCloseTo(3 * Math.log(2), 12);
  });

  it('of a single time is not known', () => {
    expect(noiseRange(spread(1, 1, 1, 1))).toBeUndefined();
    expect(verdictOf(spread(1, 1, 1, 1), spread(9, 9, 9, 3))).toBe('not repeated');
  });

  it('decides by whether both ranges meet', () => {
    const before = spread(1, 1.02, 1.04, 5);
    expect(verdictOf(before, spread(1.05, 1.06, 1.07, 5))).toBe('within noise');
    expect(verdictOf(before, spread(1.2, 1.22, 1.24, 5))).toBe('slower');
    expect(verdictOf(before, spread(0.8, 0.82, 0.84, 5))).toBe('faster');
    // The same medians, but so scattered that nobody can tell.
    expect(verdictOf(before, spread(0.8, 1.22, 1.6, 5))).toBe('within noise');
  });
});

describe('verdicts by chance', () => {
  it.each([2, 3, 4, 5])('are as frequent as is said, of %i times', (runs) => {
    const random = createRandom(runs);
    const times = () => Array.from({ length: runs }, () => 1 + 0.3 * random());
    const trials = 100_000;
    let found = 0;
    for (let i = 0; i < trials; i++) {
      if (verdictOf(spreadOf(times()), spreadOf(times())) !== 'within noise') found++;
    }
    const said = CHANCE_OF_VERDICT[runs]! * trials;
    // Four standard deviations of what was counted, and half a unit of the last digit that is said.
    expect(Math.abs(found - said)).toBeLessThan(4 * Math.sqrt(said) + 0.05 * said);
  });

  it('are added up over all that is compared', () => {
    const same = report({ a: 1 });
    // Two bodies and two grids: calls and set-ups, three times each.
    expect(compareReports(same, same).byChance).toBeCloseTo(8 * CHANCE_OF_VERDICT[3]!, 12);
  });
});

describe('a comparison', () => {
  it('finds what became faster and slower, and leaves the rest', () => {
    const { changes, medianRatio, differences } = compareReports(
      report({ same: 1, slow: 1, fast: 1, copy: 1 }),
      report({ same: 1.01, slow: 1.5, fast: 0.5, copy: 3 }),
    );
    const verdicts = (way: string, what: string) =>
      new Set(changes.filter((one) => one.way === way && one.what === what).map(({ verdict }) => verdict));
    expect(verdicts('same', 'grid')).toEqual(new Set(['within noise']));
    expect(verdicts('slow', 'grid')).toEqual(new Set(['slower']));
    expect(verdicts('fast', 'grid')).toEqual(new Set(['faster']));
    expect(verdicts('slow', 'set-up')).toEqual(new Set(['within noise']));
    // The yardstick is the machine's, and told apart.
    expect(verdicts('copy', 'grid').size).toBe(0);
    expect(changes.find(({ way, what }) => way === 'slow' && what === 'grid')!.ratio).toBeCloseTo(1.5, 12);
    expect(medianRatio).toBe(1);
    expect(differences).toEqual([]);
  });

  it('compares like with like: not a measured time with one that was scaled up, nor what was left out', () => {
    const before = report({ a: 1, b: 1 });
    const after = structuredClone(before) as unknown as {
      suites: { bodies: { runs: { status: string }[] }[] }[];
    };
    const { runs } = after.suites[0]!.bodies[0]!;
    runs[0]!.status = 'extrapolated';
    runs[1]!.status = 'left-out';
    const { changes, onlyBefore, onlyAfter } = compareReports(before, after as never);
    const all = 2 * 2 * 2 * 2;
    expect(changes).toHaveLength(all - 2);
    expect([onlyBefore, onlyAfter]).toEqual([2, 1]);
  });

  it('names what differs besides scree', () => {
    const before = report({ a: 1 });
    const environment = {
      ...before.environment,
      cores: 8,
      versions: { scree: '0.2.0', webgpu: '0.7.0' },
    };
    expect(compareReports(before, { ...before, environment }).differences).toEqual([
      'cores: 2 before, 8 now',
      'version of webgpu: not told before, 0.7.0 now',
    ]);
  });

  it('refuses runs of different kinds, and such that have nothing in common', () => {
    const before = report({ a: 1 });
    expect(() => compareReports(before, { ...before, quick: true })).toThrow(
      'a full run and a quick run found, expected two of a kind',
    );
    expect(() => compareReports(before, report({ b: 1 }))).toThrow('no measurement that both have');
  });
});

describe('reading a report', () => {
  const good = report({ a: 1, copy: 1 });
  const changed = (change: (report: never) => void) => {
    const copy = structuredClone(good);
    change(copy as never);
    return () => parseReport(JSON.stringify(copy), 'old.json');
  };

  it('gives back what was written, to six digits', () => {
    const read = parseReport(reportJson(good), 'old.json');
    expect(read.suites[0]!.bodies[0]!.runs[0]!.seconds.total.median).toBe(0.0001);
    expect(parseReport(JSON.stringify(good), 'old.json')).toEqual(good);
    expect(compareReports(good, read).changes.every(({ verdict }) => verdict === 'within noise')).toBe(true);
  });

  it('takes GPU seconds where there are some', () => {
    const run = runOf('a', 10, 1);
    const bodies = [
      { ...good.suites[0]!.bodies[0]!, runs: [{ ...run, seconds: { ...run.seconds, gpu: around(1) } }] },
    ];
    expect(
      parseReport(reportJson(sampleReport(bodies)), 'r').suites[0]!.bodies[0]!.runs[0]!.seconds.gpu,
    ).toEqual(around(1));
  });

  it.each<[string, () => unknown, string]>([
    ['no JSON', () => parseReport('{', 'old.json'), 'old.json: no JSON ('],
    ['no object', () => parseReport('null', 'old.json'), 'old.json: no field "format" found'],
    [
      'another file',
      () => parseReport('{"format":"gltf"}', 'old.json'),
      'old.json: format "gltf" found, expected "scree-bench"',
    ],
    [
      'another version',
      changed((r: { version: number }) => void (r.version = 2)),
      'old.json: version 2 of the report found, expected 1',
    ],
    [
      'a missing field',
      changed((r: { suites: { bodies: { runs: { seconds: object }[] }[] }[] }) => {
        r.suites[0]!.bodies[1]!.runs[0]!.seconds = {};
      }),
      'old.json: suites[0].bodies[1].runs[0].seconds.total is missing, expected an object',
    ],
    [
      'a text for a number',
      changed((r: { environment: { cores: unknown } }) => void (r.environment.cores = '2')),
      'old.json: environment.cores is "2", expected a number',
    ],
    [
      'an unknown suite',
      changed((r: { suites: { name: string }[] }) => void (r.suites[0]!.name = 'outside')),
      'old.json: suites[0].name is "outside", expected one of inside, paper',
    ],
    [
      'a spread out of order',
      changed((r: { copyBytesPerSecond: object }) => void (r.copyBytesPerSecond = spread(2, 1, 3, 3))),
      'old.json: copyBytesPerSecond is 2, 1, 3, expected min <= median <= max',
    ],
  ])('refuses %s in one line', (_, read, message) => {
    expect(read).toThrow(InputError);
    expect(read).toThrow(message);
    expect(read).not.toThrow('\n');
  });
});
