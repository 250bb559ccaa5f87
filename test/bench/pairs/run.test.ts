import { beforeAll, describe, expect, it } from 'vitest';
import { compareReports, requireComparable } from '../../../src/bench/compare.ts';
import { WrongAnswers } from '../../../src/bench/pairs/check.ts';
import { HIGHEST_SHARE } from '../../../src/bench/pairs/constants.ts';
import { type ScreePairs, screePairs } from '../../../src/bench/pairs/convex-ways.ts';
import { APART, INTERSECTING } from '../../../src/bench/pairs/pair-way.ts';
import { type PairPlan, pairPlanOf } from '../../../src/bench/pairs/plans.ts';
import { thesisProblems } from '../../../src/bench/pairs/problems.ts';
import { loadRapier } from '../../../src/bench/pairs/rapier.ts';
import { type PairSuite, pairRemarks, runPairs } from '../../../src/bench/pairs/suite.ts';
import type { BenchReport, PairSettingReport, PairsReport } from '../../../src/bench/report.ts';
import { PAIR_QUESTIONS, parseReport, reportJson } from '../../../src/bench/report.ts';
import { reportHtml } from '../../../src/bench/report-page/page.ts';
import { summaryOf } from '../../../src/bench/summary.ts';
import { escapeHtml } from '../../../src/bench/text.ts';
import { PAIR_ALGORITHMS } from '../../../src/convex/query/pair-kinds.ts';
import { useDevice } from '../../support/device.ts';
import { sampleReport } from '../sample-report.ts';

const device = useDevice();
const SHAPES = ['box', 'ellipsoid', 'box-ellipsoid', 'round-box', 'polyhedron', 'cone'];
/** Kernels of these are compiled for all algorithms, those of the others for one: compiling takes the time. */
const ALL_KERNELS = ['box', 'round-box', 'cone'];
const PLAN: PairPlan = {
  probabilities: [0.3, 0.7],
  pairs: 200,
  timedPairs: 100,
  manyPairs: 300,
  manyAt: 0.7,
  rounds: 2,
  samplePairs: 400,
  provenDepths: 2,
  growth: { shapes: ['cone'], pairs: [50, 400], probability: 0.5, rounds: 2 },
  onGpu: Object.fromEntries(
    SHAPES.map((name) => [
      name,
      PAIR_QUESTIONS.flatMap((question) =>
        (ALL_KERNELS.includes(name) ? PAIR_ALGORITHMS : ['auto']).map(
          (algorithm) => `${algorithm} ${question}`,
        ),
      ),
    ]),
  ),
};

let scree: ScreePairs;
const steps: string[] = [];
let measured: PairsReport;
let report: BenchReport;

let copies = 0;
const run = (more: Partial<PairSuite> = {}) =>
  runPairs(
    {
      ...{ device: device(), quick: false, host: {}, peer: undefined, plan: PLAN, scree },
      ...{ problems: thesisProblems(), measureCopyRate: async () => void copies++, ...more },
    },
    async (what) => void steps.push(what),
  );

beforeAll(async () => {
  scree = screePairs(device());
  measured = await run({ peer: await loadRapier() });
  expect(copies).toBe(6);
  report = { ...sampleReport([]), suites: [], pairs: measured };
});

describe('a run of suite pairs', () => {
  it('asks every way about every combination of shapes at every probability', () => {
    expect(measured.shapes.map(({ name }) => name)).toEqual(SHAPES);
    for (const { name, settings } of measured.shapes) {
      expect(settings.map(({ probability }) => probability)).toEqual(PLAN.probabilities);
      const hasPeer = !name.includes('ellipsoid');
      const expected = [
        ...scree.ways.filter(
          ({ precision, algorithm }) =>
            precision === 'float64' || algorithm === 'auto' || ALL_KERNELS.includes(name),
        ),
        ...(hasPeer ? measured.ways.filter(({ kind }) => kind === 'peer') : []),
      ];
      for (const { intersecting, probability, pairs, runs, proof, cubeSide } of settings) {
        expect(pairs).toBe(200);
        expect(proof.apart + proof.intersecting + proof.open).toBe(200);
        expect(cubeSide).toBeGreaterThan(1);
        // From 200 pairs, in a cube that was found with 400.
        expect(Math.abs(intersecting - probability)).toBeLessThan(4 * Math.sqrt(0.25 / 200 + 0.25 / 400));
        expect(new Set(runs.map(({ way }) => way))).toEqual(new Set(expected.map(({ key }) => key)));
        for (const run of runs) {
          const peer = run.way === 'rapier';
          expect(run.checked).toBe(200);
          expect(run.seconds).toMatchObject({ runs: 2 });
          expect(run.pairsPerSecond.median).toBeGreaterThan(0);
          expect(run.calls.mean > 0).toBe(!peer);
          expect(run.calls.highest).toBeGreaterThanOrEqual(run.calls.mean);
          if (!peer) expect([run.wrong, run.disagreeing]).toEqual([0, 0]);
          expect(run.ratioToPeer > 0).toBe(hasPeer && !peer && run.question !== 'distance');
          const depth = run.question === 'penetration' || run.question === 'signed-distance';
          expect(run.meanDepth > 0).toBe(depth);
        }
      }
    }
  });

  it('finds larger cubes for smaller probabilities, and deeper pairs in smaller cubes', () => {
    for (const { settings } of measured.shapes) {
      const [rare, likely] = settings;
      expect(rare!.cubeSide).toBeGreaterThan(likely!.cubeSide);
      expect(rare!.meanDepth).toBeLessThan(likely!.meanDepth);
      expect(rare!.meanDistance).toBeGreaterThan(likely!.meanDistance);
    }
  });

  it('says where it is before every step', () => {
    expect(steps).toHaveLength(6 * 3 + 1);
    expect(steps.at(-1)).toBe('cones: up to 400 pairs');
    expect(steps[0]).toBe('boxes: how large cubes have to be');
    expect(steps[2]).toBe('boxes: 200 pairs, probability 0.7');
  });

  it('holds every figure of the thesis against what was measured', () => {
    const numbers = measured.findings.map(({ source }) => Number(/^Figure (\d+)$/.exec(source)![1]));
    for (const number of [4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]) expect(numbers).toContain(number);
    const of = (source: string, words: string) =>
      measured.findings.find((one) => one.source === source && one.statement.includes(words))!;
    expect(of('Figure 11', 'fail in less than').measured).toMatch(
      new RegExp(
        String.raw`^No answer failed\. Left to a surer algorithm were in float64 [\d,]+ of [\d,]+ answers .*, ` +
          String.raw`in float32 [\d,]+ of [\d,]+ answers`,
      ),
    );
    expect(of('Figure 17', 'disagree').measured).toMatch(/^They disagree on 0 of [\d,]+ answers\.$/);
    expect(of('Figure 6', 'one support call less').measured).toMatch(/boxes −?[\d.]+, ellipsoids/);
    for (const { measured: found } of measured.findings) expect(found).not.toBe('');
  });

  it('gives the same calls, errors and cubes again', async () => {
    const [first] = thesisProblems();
    const again = await run({ problems: [first!] });
    const counted = ({ shapes }: PairsReport) =>
      shapes[0]!.settings.map(({ runs, ...setting }) => ({
        ...setting,
        runs: runs
          .filter(({ way }) => way !== 'rapier')
          .map(
            ({ seconds: _, pairsPerSecond: __, ratioToPeer: ___, gpu: ____, parts: _____, ...run }) => run,
          ),
      }));
    expect(counted(again)).toEqual(counted(measured));
  });
});

describe('times and memory', () => {
  it('has the parts of every call of scree, which are no more than the call, and of no other', () => {
    for (const { runs } of measured.shapes.flatMap(({ settings }) => settings)) {
      for (const { way, parts, seconds, undecided } of runs) {
        if (way === 'rapier') {
          expect(parts).toBeUndefined();
          continue;
        }
        const { upload, kernel, readback, redo } = parts!;
        expect(kernel).toBeGreaterThan(0);
        expect(upload + kernel + readback + redo).toBeLessThanOrEqual(seconds.max);
        if (!way.includes('-gpu')) expect(redo).toBe(0);
        else if (undecided > 0) {
          expect(readback).toBeGreaterThan(0);
          expect(redo).toBeGreaterThan(0);
        }
      }
    }
  });

  it('grow with the number of pairs: arrays in proportion, the GPU by what a pair takes there', () => {
    const { growth = [] } = measured;
    expect(growth.map(({ shape, way, pairs }) => [shape, way, pairs])).toEqual([
      ...[
        ['cone', 'auto-cpu', 50],
        ['cone', 'auto-gpu', 50],
      ],
      ...[
        ['cone', 'auto-cpu', 400],
        ['cone', 'auto-gpu', 400],
      ],
    ]);
    const [cpu, gpu, moreCpu, moreGpu] = growth;
    for (const { seconds } of growth) expect(seconds).toMatchObject({ runs: 2 });
    // In: two poses, two indices and two shapes of 4 bytes; out: a copy of the indices, 13 numbers or more and a byte.
    expect(moreCpu!.hostBytes).toBe(8 * cpu!.hostBytes);
    expect(moreGpu!.hostBytes).toBe(8 * gpu!.hostBytes);
    expect(gpu!.hostBytes / 50).toBeGreaterThan(4 * (14 + 2 + 2 + 2 + 13));
    expect(cpu!.hostBytes).toBeGreaterThan(gpu!.hostBytes);
    expect([cpu!.gpuBytes, moreCpu!.gpuBytes]).toEqual([0, 0]);
    // Three vec4f of results, eight of a simplex, and the pair.
    expect((moreGpu!.gpuBytes - gpu!.gpuBytes) / 350).toBeGreaterThan(16 * 11 + 8);
  });

  it('of a GPU that is asked a part only are of that part', async () => {
    const [, , , , , cones] = thesisProblems();
    const onGpu = { cone: ['gjk intersect', 'auto penetration'] };
    const plan = { ...PLAN, probabilities: [0.7], onGpu };
    const ran = await run({ problems: [cones!], plan });
    expect(ran.ways.map(({ kind }) => kind)).not.toContain('peer');
    const [{ runs }] = ran.shapes[0]!.settings as [PairSettingReport];
    const asked = runs
      .filter(({ way }) => way.includes('-gpu'))
      .map(({ way, question }) => `${way} ${question}`);
    expect(asked).toEqual(['gjk-gpu intersect', 'auto-gpu penetration', 'auto-gpu-coarse penetration']);
    expect(runs.filter(({ way }) => !way.includes('-gpu'))).toHaveLength(20);
  });
});

describe('plans', () => {
  it('say what a run leaves out: kernels, Rapier', async () => {
    const plan = pairPlanOf(true, { software: true });
    const remarks = pairRemarks({ plan, peer: undefined });
    expect(remarks).toEqual([
      expect.stringMatching(/^Pairs: each kernel ran on one combination/),
      expect.stringMatching(/^Rapier was not compared: install the package @dimforge\/rapier3d-compat/),
    ]);
    expect(pairRemarks({ plan, peer: await loadRapier() })).toEqual(remarks.slice(0, 1));
    expect(pairRemarks({ plan: pairPlanOf(false, { software: true }), peer: undefined })).toEqual(
      remarks.slice(1),
    );
  });

  it('quickly run every kernel of an algorithm once at least', () => {
    const { onGpu, pairs } = pairPlanOf(true, { software: true });
    const asked = new Set(Object.values(onGpu!).flat());
    expect(Object.keys(onGpu!).sort()).toEqual([...SHAPES].sort());
    for (const { algorithm } of scree.ways.filter(({ precision }) => precision === 'float32')) {
      expect(
        [...asked].some((one) => one.startsWith(`${algorithm} `)),
        algorithm,
      ).toBe(true);
    }
    for (const one of asked) {
      const [algorithm, question] = one.split(' ');
      const way = scree.ways.find(({ key }) => key === `${algorithm}-gpu`)!;
      expect(way.questions).toContain(question);
    }
    expect(pairs).toBeLessThan(pairPlanOf(false, { software: true }).pairs);
  });

  it('ask more of hardware, and leave the thousandth of the highest calls some pairs', () => {
    const [software, hardware] = [true, false].map((one) => pairPlanOf(false, { software: one }));
    expect(hardware!.pairs).toBeGreaterThan(software!.pairs);
    for (const plan of [software!, hardware!]) {
      expect(HIGHEST_SHARE * plan.pairs).toBeGreaterThanOrEqual(10);
      expect(plan.timedPairs).toBeLessThanOrEqual(plan.pairs);
      expect(plan.growth.pairs.length).toBeGreaterThanOrEqual(3);
      for (const name of plan.growth.shapes) expect(SHAPES).toContain(name);
    }
  });
});

describe('a wrong answer of scree', () => {
  /** Scree with one way that lies about one pair. */
  const lying = (wayKey: string): ScreePairs => ({
    ...scree,
    prepare: async (problem) => {
      const prepared = await scree.prepare(problem);
      return {
        ...prepared,
        async ask(way, set, question, signal) {
          const answers = await prepared.ask(way, set, question, signal);
          if (way.key !== wayKey) return answers;
          const sides = answers.sides.slice();
          sides[17] = sides[17] === APART ? INTERSECTING : APART;
          return { ...answers, sides };
        },
      };
    },
  });

  it.each(['mpr-cpu', 'gjk-johnson-cpu', 'auto-cpu-1', 'gjk-gpu'])(
    'of %s ends the run with exit code 1',
    async (key) => {
      const [, , , , , cones] = thesisProblems();
      const error: WrongAnswers = await run({ scree: lying(key), problems: [cones!] }).then(
        () => expect.unreachable(),
        (reason) => reason,
      );
      expect(error).toBeInstanceOf(WrongAnswers);
      expect(error.exitCode).toBe(1);
      const { label } = scree.ways.find((way) => way.key === key)!;
      expect(error.message).toMatch(/^cones, probability 0\.3, intersect: /);
      expect(error.message).toContain(`${label} gave 1 wrong answers: pair 17 is `);
    },
  );
});

describe('its report', () => {
  it('reads back as it was written', () => {
    const read = parseReport(reportJson(report), 'report.json');
    expect(read.pairs!.shapes).toHaveLength(6);
    expect(read.pairs!.ways).toEqual(
      // Numbers have six digits.
      measured.ways.map((way) => ({
        ...way,
        ...(way.tolerance && { tolerance: expect.closeTo(way.tolerance, 8) }),
      })),
    );
    expect(read.pairs!.growth).toHaveLength(4);
  });

  it.each([
    [
      'a question that is none',
      (text: string) => text.replace('"penetration"', '"depth"'),
      /question is "depth", expected one of intersect, /,
    ],
    [
      'a missing field',
      (text: string) => text.replace('"intersecting":', '"meeting":'),
      /pairs\.shapes\[0\]\.settings\[0\]\.intersecting is missing/,
    ],
  ])('with %s is refused in one line', (_, change, message) => {
    const parse = () => parseReport(change(reportJson(report)), 'report.json');
    expect(parse).toThrow(message);
    expect(parse).not.toThrow('\n');
  });

  it('shows every figure, statement and run, without a broken number', () => {
    const html = reportHtml(report, '');
    for (const figure of [6, 7, 8, 9, 10, 12, 14, 15, 16])
      expect(html).toContain(`Figure ${figure} of the thesis`);
    for (const { statement } of measured.findings) expect(html).toContain(escapeHtml(statement));
    expect(html).not.toMatch(/NaN|undefined|Infinity|\[object/);
    const runs = measured.shapes.flatMap(({ settings }) => settings.flatMap((one) => one.runs)).length;
    expect(html.match(/<tr><th scope="row" class="text">/g)!.length).toBeGreaterThan(runs);
    // One statement has no verdict, and the summary tells the others.
    const judged = measured.findings.filter(({ agrees }) => agrees === 'yes' || agrees === 'no').length;
    const [line] = summaryOf(report).filter(([, meaning]) => meaning.includes('of Olvang'));
    expect(line![0]).toBe(
      `${measured.findings.filter(({ agrees }) => agrees === 'yes').length} of ${judged}`,
    );
  });

  it('is compared with another, run by run', () => {
    const slower: BenchReport = {
      ...report,
      pairs: {
        ...measured,
        shapes: measured.shapes.map((shape) => ({
          ...shape,
          settings: shape.settings.map((setting) => ({
            ...setting,
            runs: setting.runs.map((run) => {
              const { min, median, max, runs } = run.seconds;
              return { ...run, seconds: { min: 9 * min, median: 9 * median, max: 9 * max, runs } };
            }),
          })),
        })),
      },
    };
    const { changes, onlyBefore, onlyAfter, medianRatio } = compareReports(report, slower);
    const runs = measured.shapes.flatMap(({ settings }) => settings.flatMap((one) => one.runs)).length;
    expect([changes.length, onlyBefore, onlyAfter]).toEqual([runs, 0, 0]);
    expect(medianRatio).toBeCloseTo(9, 9);
    expect(changes[0]).toMatchObject({ suite: 'pairs', body: 'boxes' });
    expect(changes[0]!.what).toMatch(/^intersect of 200 pairs, p = 0\.3$/);
    requireComparable(report, 'old.json', { quick: false, suites: ['pairs'] });
    expect(() => requireComparable(report, 'old.json', { quick: false, suites: ['inside'] })).toThrow(
      'old.json: suite pairs found, expected inside',
    );
  });
});
