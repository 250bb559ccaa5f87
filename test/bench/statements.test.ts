import { describe, expect, it } from 'vitest';
import { KEYS } from '../../src/bench/paper/cells.ts';
import { paperStatements } from '../../src/bench/paper/statements.ts';
import type { BodyReport, Finding } from '../../src/bench/report.ts';
import { fittedExponent, lastExponent } from '../../src/bench/spread.ts';
import { bodiesBy, type Law } from './sample-report.ts';

const SPHERES = [8, 32, 128, 512, 2048, 8192, 32_768, 131_072];
const FOAMS = [28_940, 120_868, 494_272];

/** Times as the paper has them: linear ray crossing, and multipole that balances set-up and evaluation. */
const PAPER: Readonly<Record<string, Law>> = {
  [KEYS.crossing]: (n, m) => ({ setUp: 0, call: 7.5e-10 * n * m }),
  [KEYS.culled]: (n, m) => ({ setUp: 0, call: 7.5e-10 * n ** 0.5 * m }),
  // Fewer points leave less to balance the triangles with.
  [KEYS.wellChosen]: (n, m) => {
    const exponent = 0.9 - 0.25 * Math.log10(m / 1000);
    const half = 5e-8 * n ** exponent * m ** 0.3;
    return { setUp: 5e-2 + half, call: half };
  },
  // The set-up of a deep tree, and an evaluation that falls from level to level.
  [KEYS.preChosen]: (n, m) => ({ setUp: 2e-4 * n, call: (n === 131_072 ? 5e-6 : 1e-5) * m }),
};

const paperBodies = (laws = PAPER, status?: Parameters<typeof bodiesBy>[4]): BodyReport[] => [
  ...bodiesBy(laws, 'sphere', SPHERES, undefined, status),
  ...bodiesBy(laws, 'foam', FOAMS, undefined, status),
];

const about = (findings: readonly Finding[], source: string, words: string) => {
  const found = findings.filter((one) => one.source === source && one.statement.includes(words));
  expect(found, `${source}: ${words}`).toHaveLength(1);
  return found[0]!;
};

describe('exponents', () => {
  const power = (exponent: number) => [1, 4, 16, 64].map((x) => ({ x, y: 3 * x ** exponent }));

  it('are those that made the samples', () => {
    expect(fittedExponent(power(0.7))).toBeCloseTo(0.7, 12);
    expect(lastExponent(power(1.3))).toBeCloseTo(1.3, 12);
  });

  it('at the end leave out what a call takes in any case', () => {
    const samples = power(1).map(({ x, y }) => ({ x, y: y + 20 }));
    expect(fittedExponent(samples)).toBeLessThan(0.65);
    expect(lastExponent(samples)).toBeGreaterThan(0.7);
    expect(lastExponent(samples.toReversed())).toBe(lastExponent(samples));
  });

  it('need two different sizes', () => {
    expect(fittedExponent([])).toBeUndefined();
    expect(
      fittedExponent([
        { x: 2, y: 1 },
        { x: 2, y: 3 },
      ]),
    ).toBeUndefined();
  });
});

describe('findings of suite paper', () => {
  const findings = paperStatements(paperBodies());

  it('cover the figures 7 to 10 and 12 to 15, table 2 and the conclusions', () => {
    expect([...new Set(findings.map(({ source }) => source))].sort()).toEqual(
      [7, 8, 9, 10, 12, 13, 14, 15]
        .map((n) => `Figure ${n}`)
        .concat('Section 4', 'Table 2')
        .sort(),
    );
  });

  it('agree where times are as the paper has them', () => {
    expect(
      findings.filter(({ agrees }) => agrees !== 'yes').map(({ source, statement }) => [source, statement]),
    ).toEqual([]);
  });

  it('give the exponents that made the times', () => {
    expect(about(findings, 'Figure 9', 'with the triangles').measured).toContain(
      'N^1.00 from 32,768 to 131,072',
    );
    expect(about(findings, 'Figure 9', 'with the triangles').measured).toContain(
      'Culled, as ours does it by default: N^0.50',
    );
    expect(about(findings, 'Figure 14', 'with the points').measured).toContain(
      'Every triangle of 494,272 tested: M^1.00',
    );
    expect(about(findings, 'Table 2', 'fixed depth').measured).toContain(
      '131,072 triangles: M^1.00 (320 ms for 40³, 2.56 s for 80³ points)',
    );
  });

  it('name the body from which on the multipole method is ahead', () => {
    const { measured } = about(findings, 'Figure 10', 'fewest points');
    const slower = SPHERES.filter((n) => {
      const time = (way: string) => PAPER[way]!(n, 1000).setUp + PAPER[way]!(n, 1000).call;
      return time(KEYS.crossing) > time(KEYS.wellChosen);
    });
    expect(measured).toContain(
      `from ${slower[0]!.toLocaleString('en-US')} triangles on with well-chosen depth`,
    );
  });

  it('say no where ours is otherwise', () => {
    const laws: Readonly<Record<string, Law>> = {
      ...PAPER,
      [KEYS.crossing]: (n, m) => ({ setUp: 0, call: 1e-3 + 1e-9 * n ** 0.5 * m ** 1.4 }),
      [KEYS.wellChosen]: (n, m) => ({ setUp: 1e-4 * n ** 1.2, call: 1e-6 * m }),
      [KEYS.preChosen]: (n, m) => ({ setUp: 1e-9 * n, call: 1e-7 * m * n ** 0.2 }),
      [KEYS.gridGpu]: () => ({ setUp: 0, call: 1e-9 }),
    };
    const others = paperStatements(paperBodies(laws));
    for (const [source, words] of [
      ['Figure 7', 'less than linearly'],
      ['Figure 8', 'set-up dominates'],
      ['Table 2', 'deeper by a level'],
      ['Figure 9', 'with the triangles'],
      ['Figure 9', 'with the points'],
      ['Figure 10', 'most points'],
      ['Figure 12', 'less than linearly'],
      ['Figure 15', 'fewest points'],
      ['Section 4', 'advantages'],
    ] as const) {
      const finding = about(others, source, words);
      expect(finding, `${source}: ${words}`).toMatchObject({ agrees: 'no' });
    }
    expect(about(others, 'Section 4', 'advantages').measured).toContain(
      'in 44 cases of body and points: cell grid, GPU 44',
    );
  });

  it('judge growth with the points by measured times only: scaled ones are linear by themselves', () => {
    const status = (way: string, n: number, m: number) =>
      way === KEYS.crossing && n * m > 1e8 ? 'extrapolated' : 'measured';
    const { measured } = about(paperStatements(paperBodies(PAPER, status)), 'Figure 9', 'with the points');
    // The finest sphere of which most grids were measured: 128 triangles at 512,000 points.
    expect(measured).toContain('Every triangle of 128 tested: M^1.00 from 40³ to 80³');
    const all = paperStatements(
      paperBodies(PAPER, (way) => (way === KEYS.crossing ? 'extrapolated' : 'measured')),
    );
    expect(about(all, 'Figure 9', 'with the points').agrees).toBe('not measured');
    expect(about(all, 'Figure 9', 'with the triangles').agrees).toBe('yes');
  });

  it('judge the evaluation of table 2 by measured times only, too', () => {
    const status = (way: string, n: number, m: number) =>
      way === KEYS.preChosen && n === 131_072 && m === 512_000 ? 'extrapolated' : 'measured';
    const { measured } = about(paperStatements(paperBodies(PAPER, status)), 'Table 2', 'fixed depth');
    expect(measured).toContain('131,072 triangles: M^1.00 (40.0 ms for 20³, 320 ms for 40³ points)');
    expect(measured).toContain('32,768 triangles: M^1.00 (640 ms for 40³, 5.12 s for 80³ points)');
  });

  it('mark what rests on extrapolated times', () => {
    const few = about(findings, 'Figure 10', 'most points').measured;
    expect(few).not.toMatch(/≈|extrapolated/);
    const status = (way: string, _: number, m: number) =>
      way === KEYS.crossing && m === 512_000 ? 'extrapolated' : 'measured';
    const scaled = paperStatements(paperBodies(PAPER, status));
    expect(about(scaled, 'Figure 10', 'most points').measured).toMatch(/ triangles ≈[\d.,]+ times as long/);
    expect(about(scaled, 'Figure 15', 'most points').measured).toMatch(
      /well-chosen depth: 80³ points: testing every triangle takes ≈[\d.]+ \(28,940 triangles\), ≈/,
    );
    expect(about(scaled, 'Figure 15', 'fewest points').measured).not.toContain('≈');
    expect(about(scaled, 'Figure 14', 'with the triangles').measured).toContain(
      'at 80³ points, extrapolated from a part of the points.',
    );
  });

  it('hold the advice on two methods against these two, and name the fastest of all', () => {
    const laws = { ...PAPER, [KEYS.gridGpu]: () => ({ setUp: 0, call: 1e-9 }) };
    const finding = about(paperStatements(paperBodies(laws)), 'Section 4', 'advantages');
    expect(finding).toMatchObject({ agrees: 'yes' });
    expect(finding.measured).toContain('in 44 cases of body and points: cell grid, GPU 44');
    expect(finding.measured).toContain('on 4 of 4 grids for 8 triangles and on 0 of 4 for 494,272');
    // Whatever is fastest: where ray crossing is ahead for the finest body, the advice does not hold.
    const crossing = { ...laws, [KEYS.crossing]: () => ({ setUp: 0, call: 1e-8 }) };
    expect(about(paperStatements(paperBodies(crossing)), 'Section 4', 'advantages').agrees).toBe('no');
  });

  it('count a pre-chosen depth as worse only where that is more than noise', () => {
    const same = { ...PAPER, [KEYS.preChosen]: PAPER[KEYS.wellChosen]! };
    const noisy: Law = (n, m) => {
      const { setUp, call } = PAPER[KEYS.wellChosen]!(n, m);
      return { setUp: 1.1 * setUp, call: 1.1 * call };
    };
    for (const laws of [same, { ...PAPER, [KEYS.preChosen]: noisy }]) {
      const all = paperStatements(paperBodies(laws));
      for (const figure of ['Figure 10', 'Figure 13']) {
        expect(about(all, figure, 'sometimes performs worse').agrees, figure).toBe('no');
      }
    }
  });

  it('leave out what was left out', () => {
    const status = (way: string, n: number) =>
      way === KEYS.preChosen && (n === 131_072 || n === 494_272) ? 'left-out' : 'measured';
    const some = paperStatements(paperBodies(PAPER, status));
    expect(about(some, 'Figure 8', 'set-up dominates')).toMatchObject({
      agrees: 'yes',
      measured: expect.stringMatching(/^32,768 triangles: the set-up of /),
    });
    expect(about(some, 'Figure 15', 'most points').measured).toMatch(
      /Pre-chosen: .* [\d.]+ \(28,940 triangles\), [\d.]+ \(120,868 triangles\) times as long\.$/,
    );
    expect(about(some, 'Figure 7', 'less than linearly').agrees).toBe('yes');
  });

  it('of nothing are not measured', () => {
    expect(new Set(paperStatements([]).map(({ agrees }) => agrees))).toEqual(new Set(['not measured']));
  });
});
