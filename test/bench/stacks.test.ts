/** Suite `stacks`: stacks that stand and that fall, the search for the tallest, and the report. */
import { expect, it } from 'vitest';
import { loadContactPeer } from '../../src/bench/contacts/rapier.ts';
import { parseReport, reportJson, type StacksReport } from '../../src/bench/report.ts';
import { reportHtml } from '../../src/bench/report-page/page.ts';
import {
  detectionSeconds,
  letStand,
  STACK_WAYS,
  stackPoses,
  tallestStack,
} from '../../src/bench/stacks/stacks.ts';
import { stackStatements } from '../../src/bench/stacks/statements.ts';
import { planStacks } from '../../src/bench/stacks/suite.ts';
import type { BenchHost } from '../../src/bench/suite.ts';
import { sampleReport } from './sample-report.ts';

const wayOf = (key: string) => STACK_WAYS.find((way) => way.key === key)!;

it('boxes are shifted by a fifth of a unit at most, each seed in its own way, and lie on each other', () => {
  const [one, other] = [stackPoses(50, 1), stackPoses(50, 2)];
  const shifts = one.filter((_, i) => i % 7 < 2);
  expect(Math.max(...shifts.map(Math.abs))).toBeLessThan(0.2);
  expect(Math.max(...shifts) - Math.min(...shifts)).toBeGreaterThan(0.35);
  expect(one[0]).not.toBe(other[0]);
  expect([one[2], one[9], one[7 * 49 + 2]]).toEqual([1, 3, 99]);
});

it('stacks stand by every way, and too high a one falls; the tallest is between', async () => {
  const peer = await loadContactPeer();
  const own = { shape: 'round-box', iterations: 20, seconds: 1, seeds: [1], peer } as const;
  for (const way of STACK_WAYS) {
    const { stands, seconds, perCollision } = await letStand({ ...own, way }, 3, 1);
    expect([stands, seconds], way.key).toEqual([true, 1]);
    expect(perCollision, way.key).toBeGreaterThan(0);
  }
  // A single pass leaves what the boxes above bring.
  const weak = { ...own, way: wayOf('gjk'), iterations: 1 };
  const { tallest, tried } = await tallestStack(weak, 16);
  expect(tallest).toBeGreaterThan(0);
  expect(tallest).toBeLessThan(16);
  expect(tried).toBeGreaterThan(2);
  expect((await letStand(weak, tallest + 1, 1)).stands).toBe(false);
});

it('collisions count broad and narrow phase, as those of Rapier do, and not what solves them', () => {
  const seconds = { broadphase: 1, convex: 2, planes: 4, narrowPhase: 8, impulses: 16, motion: 32 };
  expect(detectionSeconds(seconds)).toBe(15);
  expect(detectionSeconds({ broadphase: 1, nodes: 2, edges: 4, patches: 8, forces: 16 })).toBe(15);
});

it('the suite reports what stood, with the thesis beside it, and says what is missing', async () => {
  const host = { loadContactPeer: async () => undefined } as unknown as BenchHost;
  const context = { host, quick: true, measureCopyRate: async () => {} } as never;
  const plan = { iterations: [20], seeds: [1], seconds: 1, most: 3, ways: ['gjk', 'rapier'] };
  const suite = await planStacks(context, plan);
  const said: string[] = [];
  const { stacks, remarks } = await suite.run(async (what) => void said.push(what));
  expect(said).toEqual(['boxes, 20 iterations', 'round boxes, 20 iterations']);
  expect(remarks).toEqual([expect.stringMatching(/^Stacks: Rapier was not compared: install the package/)]);
  expect(
    stacks!.stacks.map(({ thesis, runs }) => [thesis, runs.map((run) => [run.way, run.tallest])]),
  ).toEqual([
    [11, [['gjk', 3]]],
    [11, [['gjk', 3]]],
  ]);
  const report = sampleReport([], { stacks: stacks! });
  expect(parseReport(reportJson(report), 'report.json').stacks!.most).toBe(3);
  const html = reportHtml(report, '');
  expect(html).toContain('<h2 id="stacks">');
  expect(html).toContain('3 or more');
});

it('statements hold where stacks are as the thesis says, and not where they are not', () => {
  const reportOf = (
    boxes: readonly number[],
    round: readonly number[],
    shocks: number,
    impulses: number,
  ) => ({
    ways: [],
    ...{ seconds: 300, seeds: 3, most: 40 },
    stacks: (
      [
        ['box', boxes],
        ['round-box', round],
      ] as const
    ).flatMap(([shape, tallest]) =>
      [60, 40, 20].map((iterations, i): StacksReport['stacks'][number] => ({
        ...{ shape, label: shape, iterations, thesis: [17, 14, 11][i]! },
        runs: [
          ...[
            { way: 'gjk', tallest: tallest[i]! },
            { way: 'shocks', tallest: shocks },
          ],
          ...[{ way: 'impulses', tallest: impulses }],
        ].map((run) => ({ ...run, tried: 1, perCollision: 1e-5, wall: 1 })),
      })),
    ),
  });
  const verdicts = (of: ReturnType<typeof reportOf>) => stackStatements(of).map(({ agrees }) => agrees);
  expect(verdicts(reportOf([17, 14, 11], [19, 16, 11], 20, 40))).toEqual(['yes', 'yes', 'yes', 'yes', 'yes']);
  expect(verdicts(reportOf([20, 14, 11], [17, 16, 16], 10, 39))).toEqual(['no', 'no', 'no', 'no', 'no']);
});
