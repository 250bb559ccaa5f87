/** Suite `stacks`: tables 2 and 3 of Olvang's thesis. */
import type { StackReport } from '../report.ts';
import { clocked } from '../spread.ts';
import { askedWays, measuredCase, type PlannedSuite, type RunContext } from '../suite.ts';
import { MOST_BOXES, STACK_WAYS, type StackShape, THESIS, tallestStack } from './stacks.ts';
import { stackStatements } from './statements.ts';

const SHAPES: readonly { readonly shape: StackShape; readonly label: string }[] = [
  { shape: 'box', label: 'boxes' },
  { shape: 'round-box', label: 'round boxes' },
];

export interface StackPlan {
  readonly iterations: readonly number[];
  readonly seeds: readonly number[];
  /** Simulated seconds that stacks are to stand. */
  readonly seconds: number;
  readonly most: number;
  readonly ways: readonly string[];
}

const FULL: StackPlan = {
  ...{ iterations: [60, 40, 20], seeds: [1, 2, 3], seconds: 300, most: MOST_BOXES },
  ways: STACK_WAYS.filter(({ onRequest }) => !onRequest).map(({ key }) => key),
};
const QUICK: StackPlan = {
  ...{ iterations: [20], seeds: [1], seconds: 30, most: 11, ways: ['gjk', 'shocks', 'impulses', 'rapier'] },
};

const WITHOUT_PEER =
  'Stacks: Rapier was not compared: install the package @dimforge/rapier3d-simd-compat beside scree.';

export async function planStacks(context: RunContext, plan = context.quick ? QUICK : FULL): Promise<PlannedSuite> {
  const { host, quick, signal } = context;
  const peer = await host.loadContactPeer();
  const asked = askedWays(STACK_WAYS, context.ways ?? plan.ways);
  const ways = asked.filter(({ kind }) => kind === 'scree' || peer);
  return {
    steps: SHAPES.length * plan.iterations.length,
    async run(step) {
      const stacks: StackReport[] = [];
      for (const { shape, label } of SHAPES) {
        for (const iterations of plan.iterations) {
          await step(`${label}, ${iterations} iterations`);
          const runs: StackReport['runs'][number][] = [];
          for (const way of ways) {
            const { seconds, seeds } = plan;
            const { result, seconds: wall } = await clocked(() =>
              tallestStack({ way, shape, iterations, seconds, seeds, peer, signal }, plan.most),
            );
            runs.push({ way: way.key, ...result, wall });
          }
          const thesis = THESIS[shape][iterations] ?? 0;
          stacks.push({ shape, label, iterations, thesis, runs });
          const secondsOf = (key: string) => runs.find((run) => run.way === key)?.perCollision;
          context.onCase?.(
            measuredCase('stacks', `a collision of ${label}, ${iterations} iterations`, ways, secondsOf),
          );
        }
      }
      const measured = {
        ways: ways.map(({ key, label, kind }) => ({ key, label, kind })),
        ...{ stacks, seconds: plan.seconds, seeds: plan.seeds.length, most: plan.most },
      };
      const findings = quick ? [] : stackStatements(measured);
      return { stacks: { ...measured, findings }, remarks: ways.length < asked.length ? [WITHOUT_PEER] : [] };
    },
  };
}
