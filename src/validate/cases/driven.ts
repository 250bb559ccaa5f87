/** Bodies with a prescribed motion: a belt, a turntable, a lid. */
import type { Chart } from '../../chart.ts';
import type { Material } from '../../index.ts';
import { bodiesOf, G } from '../scenes.ts';
import { below, type CaseContext, equal, type Row, type ValidationCase } from '../validation-case.ts';

const MU = 0.3;
const BLOCK: Material = {
  ...{ density: 1000, youngsModulus: 1e7, poissonRatio: 0.25, restitution: 0.3, friction: MU },
};
const SHAPES = [
  { kind: 'box', halfExtents: [0.25, 0.25, 0.25] },
  { kind: 'box', halfExtents: [5, 5, 0.5] },
] as const;
const MASS = 125;
/** Until blocks lie still. */
const CALM = 1;

const ONE = { within: 0.01, because: '1 %: blocks swing a little in their contacts' };
const SUM = {
  within: 2e-3,
  because: '0.2 %: work and losses are integrated by the trapezoidal rule over the steps',
};
const CREEP = {
  within: 0.01,
  because: '1 %: friction is a spring, which the centripetal force stretches',
};

/** A block on a body that is driven. */
const on = (context: CaseContext, motion: object, own: object = {}) =>
  context.simulate({
    shapes: SHAPES,
    materials: [BLOCK],
    bodies: bodiesOf([
      { position: [0, 0, 0.25], ...own },
      { shape: 1, position: [0, 0, -0.5], motion },
    ]),
  });

interface Shown {
  readonly rows: Row[];
  readonly chart: Chart;
}

async function onBelt(context: CaseContext): Promise<Shown> {
  const v = 0.6;
  const belt = await on(context, { velocity: [v, 0, 0], from: CALM });
  const until = (time: number) => belt.step(Math.max(0, Math.round((time - belt.time) / belt.timeStep)));
  const speed = async () => (await belt.read('velocities'))[0]!;
  const points: [number, number][] = [];
  await until(CALM);
  const before = belt.monitors;
  const slide = v / (MU * G);
  for (let i = 1; i <= 30; i++) {
    await until(CALM + (i * 2 * slide) / 30);
    points.push([belt.time - CALM, await speed()]);
  }
  const [from, to] = [points[2]!, points[11]!];
  const after = belt.monitors;
  const rows = [
    equal('belt: acceleration', (to[1] - from[1]) / (to[0] - from[0]), MU * G, { ...ONE, unit: ' m/s2' }),
    equal('belt: speed at the end', await speed(), v, { ...ONE, unit: ' m/s' }),
    equal('belt: work', after.driven - before.driven, MASS * v * v, { ...ONE, unit: ' J' }),
    equal('belt: heat', after.friction - before.friction, (MASS * v * v) / 2, { ...ONE, unit: ' J' }),
    below(
      'belt: change of the balance, of the work',
      Math.abs(after.balance - before.balance) / after.driven,
      SUM,
    ),
  ];
  return {
    rows,
    chart: {
      ...{ title: 'A block on a belt that starts', x: 'time, s', y: 'speed, m/s' },
      series: [
        {
          name: 'closed form',
          look: 'line',
          color: 4,
          points: [
            [0, 0],
            [slide, v],
            [2 * slide, v],
          ],
        },
        { name: 'measured', look: 'dots', color: 0, points },
      ],
    },
  };
}

async function onTurntable(context: CaseContext) {
  const [radius, turn] = [1.5, 1];
  const table = await on(
    context,
    { angularVelocity: [0, 0, turn] },
    { position: [radius, 0, 0.25], velocity: [0, radius * turn, 0], angularVelocity: [0, 0, turn] },
  );
  await table.step(Math.round(1.5 / table.timeStep));
  const [x, y] = await table.read('centroids');
  const rows = [
    equal('turntable: angle', Math.atan2(y!, x!), turn * table.time, { ...CREEP, unit: ' rad' }),
    equal('turntable: radius', Math.hypot(x!, y!), radius, { ...CREEP, unit: ' m' }),
  ];
  return { rows };
}

async function onLid(context: CaseContext): Promise<Shown> {
  const [amplitude, frequency] = [0.04, 1];
  const lid = await on(context, { amplitude: [0, 0, amplitude], frequency });
  await lid.step(Math.round(0.5 / lid.timeStep));
  const start = lid.monitors;
  const heights: [number, number][] = [];
  const lids: [number, number][] = [];
  let [low, high, most] = [Infinity, -Infinity, 0];
  for (let i = 0; i < 50; i++) {
    await lid.step(Math.round(0.02 / lid.timeStep));
    const at = await lid.read('centroids');
    [low, high] = [Math.min(low, at[2]!), Math.max(high, at[2]!)];
    most = Math.max(most, Math.abs(lid.monitors.driven - start.driven));
    heights.push([lid.time, 1e3 * (at[2]! - 0.25)]);
    lids.push([lid.time, 1e3 * (at[5]! + 0.5)]);
  }
  const drift = Math.abs(lid.monitors.balance - start.balance) / most;
  const rows = [
    equal('lid: swing of the block', (high - low) / 2, amplitude, {
      ...CREEP,
      because: '1 %: the contact gives way a little more while the lid slows down',
      unit: ' m',
    }),
    below('lid: change of the balance, of the work', drift, SUM),
  ];
  return {
    rows,
    chart: {
      ...{ title: 'A block on a lid that swings', x: 'time, s', y: 'height, mm' },
      series: [
        { name: 'lid', look: 'line', color: 4, points: lids },
        { name: 'block', look: 'dots', color: 0, points: heights },
      ],
    },
  };
}

export const driven: ValidationCase = {
  name: 'driven',
  shows:
    'A block on a belt that starts to run at v comes along with mu g, and the belt has done the work m v^2: half of ' +
    'it is heat. A block rides on a turntable along a circle, and on a lid that swings. The energies add up.',
  source: 'closed form, Coulomb and rigid bodies',
  async run(context) {
    const belt = await onBelt(context);
    context.progress(1, 3);
    const table = await onTurntable(context);
    context.progress(2, 3);
    const lid = await onLid(context);
    return { rows: [...belt.rows, ...table.rows, ...lid.rows], charts: [belt.chart, lid.chart] };
  },
};
