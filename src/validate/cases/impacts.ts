/** Balls that meet: Hertz, restitution, oblique impacts, billiards, Newton's cradle. */
import type { Material, Simulation } from '../../index.ts';
import { bodiesOf, RIGID } from '../scenes.ts';
import { type CaseContext, equal, near, type Row, type ValidationCase } from '../validation-case.ts';

const CHUNG =
  'Y. C. Chung, J. Y. Ooi, "Benchmark tests for verifying discrete element modelling codes at ' +
  'particle impact level", Granular Matter 13 (2011)';
const ONE_PERCENT = {
  within: 0.01,
  because: '1 %: tables of the source have three to five digits; 400 steps per contact err by less than that',
};

/** Steps until a contact that comes is over. @param each called after each step of the contact */
export async function throughContact(simulation: Simulation, each?: () => unknown): Promise<void> {
  for (let hasTouched = false; ; ) {
    await simulation.step();
    if (simulation.monitors.contacts > 0) {
      hasTouched = true;
      await each?.();
    } else if (hasTouched) return;
  }
}

/** How long a Hertzian impact lasts. @param modulus E* */
function hertzTime(modulus: number, radius: number, mass: number, speed: number): number {
  const depth = ((15 * mass * speed ** 2) / (16 * modulus * Math.sqrt(radius))) ** 0.4;
  return (2.9433 * depth) / speed;
}

const ball = (radius: number, density: number) => (4 / 3) * Math.PI * radius ** 3 * density;
const planeModulus = (E: number, nu: number) => E / (1 - nu * nu);

interface HertzTest {
  readonly name: string;
  readonly material: Material;
  readonly radius: number;
  readonly speed: number;
  /** Against a rigid plane, else against its like. */
  readonly onPlane: boolean;
  readonly depth: number;
  readonly force: number;
  readonly time: number;
}

const elastic = (youngsModulus: number, poissonRatio: number, density: number): Material => ({
  ...{ density, youngsModulus, poissonRatio, restitution: 1, friction: 0 },
});
const HERTZ: readonly HertzTest[] = [
  {
    ...{ name: 'glass', material: elastic(48e9, 0.2, 2800), radius: 0.01, speed: 10, onPlane: false },
    ...{ depth: 274.11e-6, force: 10697, time: 40.34e-6 },
  },
  {
    ...{ name: 'limestone', material: elastic(20e9, 0.25, 2500), radius: 0.01, speed: 10, onPlane: false },
    ...{ depth: 368.3e-6, force: 7108, time: 54.2e-6 },
  },
  {
    ...{ name: 'aluminium', material: elastic(70e9, 0.3, 2699), radius: 0.1, speed: 0.2, onPlane: true },
    ...{ depth: 49.72e-6, force: 11370, time: 731.7e-6 },
  },
  {
    ...{ name: 'magnesium', material: elastic(40e9, 0.35, 1800), radius: 0.1, speed: 0.2, onPlane: true },
    ...{ depth: 52.12e-6, force: 7233, time: 767.1e-6 },
  },
];

/** A ball that comes to its like or to a plane below it, head-on, each at a speed. */
function meeting(context: CaseContext, { material, radius, speed, onPlane, time }: HertzTest) {
  const height = radius * (1 + 1e-9);
  const one = { position: [0, 0, height], velocity: [0, 0, -speed] } as const;
  const other = onPlane
    ? ({ shape: 1, material: 1 } as const)
    : ({ position: [0, 0, -height], velocity: [0, 0, speed] } as const);
  return context.simulate(
    {
      shapes: [{ kind: 'sphere', radius }, { kind: 'plane' }],
      materials: [material, RIGID],
      gravity: [0, 0, 0],
      bodies: bodiesOf([one, other]),
    },
    { timeStep: time / 400 },
  );
}

export const hertz: ValidationCase = {
  name: 'hertz',
  shows: 'Elastic impacts of balls, with each other at 10 m/s each and on a rigid plane at 0.2 m/s.',
  source: `${CHUNG}, tests 1 and 2`,
  async run(context) {
    const rows: Row[] = [];
    const series = [];
    for (const [color, test] of HERTZ.entries()) {
      const simulation = await meeting(context, test);
      const points: [number, number][] = [];
      let [depth, force] = [0, 0];
      await throughContact(simulation, async () => {
        const now = Math.abs((await simulation.read('forces'))[2]!);
        const { deepestOverlap } = simulation.monitors;
        depth = Math.max(depth, deepestOverlap);
        force = Math.max(force, now);
        points.push([deepestOverlap / test.depth, now / test.force]);
      });
      rows.push(
        equal(`${test.name}: overlap`, depth * 1e6, test.depth * 1e6, { ...ONE_PERCENT, unit: ' um' }),
        equal(`${test.name}: force`, force / 1e3, test.force / 1e3, { ...ONE_PERCENT, unit: ' kN' }),
        equal(`${test.name}: time of contact`, points.length * simulation.timeStep * 1e6, test.time * 1e6, {
          ...{ ...ONE_PERCENT, unit: ' us' },
        }),
      );
      const few = points.filter((_, i) => i % 24 === 6 * color);
      series.push({ name: test.name, look: 'dots', color, points: few } as const);
      context.progress(color + 1, HERTZ.length);
    }
    const law = Array.from({ length: 61 }, (_, i) => [i / 60, (i / 60) ** 1.5] as const);
    return {
      rows,
      charts: [
        {
          ...{ title: 'Elastic impacts', x: 'overlap / greatest overlap', y: 'force / greatest force' },
          series: [{ name: 'Hertz', look: 'line', color: 4, points: law }, ...series],
        },
      ],
    };
  },
};

const OXIDE: Material = elastic(380e9, 0.23, 4000);

export const restitution: ValidationCase = {
  name: 'restitution',
  shows:
    'Balls of aluminium oxide part with the restitution that was set, at 3.9 m/s, and the energies add up.',
  source: `${CHUNG}, test 3`,
  async run(context) {
    const set = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
    const [radius, speed] = [0.0025, 3.9];
    const modulus = planeModulus(OXIDE.youngsModulus, 0.23) / 2;
    const time = hertzTime(modulus, radius / 2, ball(radius, 4000) / 2, 2 * speed);
    const found: [number, number][] = [];
    const rows: Row[] = [];
    for (const [i, e] of set.entries()) {
      const material = { ...OXIDE, restitution: e };
      const test = { ...{ material, radius, speed, time }, onPlane: false } as HertzTest;
      const simulation = await meeting(context, test);
      const { kinetic } = simulation.monitors;
      await throughContact(simulation);
      const got = (await simulation.read('velocities'))[2]! / speed;
      found.push([e, got]);
      rows.push(
        equal(`restitution ${e}`, got, e, { within: 0.01, because: '1 %: 400 steps per contact' }),
        equal(`restitution ${e}: energy, with what dashpots took`, simulation.monitors.balance / kinetic, 1, {
          within: 1e-3,
          because: '0.1 % of the energy: losses are integrated by the trapezoidal rule over the steps',
        }),
      );
      context.progress(i + 1, set.length);
    }
    return {
      rows,
      charts: [
        {
          ...{ title: 'Restitution', x: 'set', y: 'measured' },
          series: [
            { name: 'as it was set', look: 'line', color: 4, points: set.map((e) => [e, e] as const) },
            { name: 'measured', look: 'dots', color: 0, points: found },
          ],
        },
      ],
    };
  },
};

export const oblique: ValidationCase = {
  name: 'oblique',
  shows:
    'A ball of aluminium oxide meets a rigid plane at 3.9 m/s, friction 0.092, restitution 0.98. It slides ' +
    'throughout where tan(angle) >= 3.5 mu (1 + e), angles from the normal.',
  source: `${CHUNG}, test 4`,
  async run(context) {
    const [radius, speed, mu, e] = [0.0025, 3.9, 0.092, 0.98];
    const material = { ...OXIDE, restitution: e, friction: mu };
    const modulus = planeModulus(OXIDE.youngsModulus, 0.23);
    const rows: Row[] = [];
    const [sideways, spins]: [number, number][][] = [[], []];
    const angles = context.isQuick
      ? [45, 70]
      : [5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85];
    for (const [i, degrees] of angles.entries()) {
      const angle = (degrees * Math.PI) / 180;
      const [along, down] = [speed * Math.sin(angle), speed * Math.cos(angle)];
      const simulation = await context.simulate(
        {
          shapes: [{ kind: 'sphere', radius }, { kind: 'plane' }],
          materials: [material, RIGID],
          pairs: [{ materials: [0, 1], friction: mu, restitution: e }],
          gravity: [0, 0, 0],
          bodies: bodiesOf([
            { position: [0, 0, radius * (1 + 1e-9)], velocity: [along, 0, -down] },
            { shape: 1, material: 1 },
          ]),
        },
        { timeStep: hertzTime(modulus, radius, ball(radius, 4000), down) / 400 },
      );
      await throughContact(simulation);
      const got = (await simulation.read('velocities'))[0]! / along;
      const spin = Math.hypot(...(await simulation.read('angularVelocities')).slice(0, 3));
      sideways.push([degrees, got]);
      spins.push([degrees, spin]);
      context.progress(i + 1, angles.length);
      if (Math.tan(angle) < 3.5 * mu * (1 + e) || (degrees % 10 === 5 && degrees !== 45)) continue;
      rows.push(
        equal(
          `${degrees} degrees: tangential restitution`,
          got,
          1 - (mu * (1 + e)) / Math.tan(angle),
          ONE_PERCENT,
        ),
        equal(`${degrees} degrees: spin after it`, spin, (2.5 * mu * (1 + e) * down) / radius, {
          ...{ ...ONE_PERCENT, unit: ' rad/s' },
        }),
      );
    }
    const curve = (law: (angle: number) => number) =>
      Array.from({ length: 53 }, (_, i) => [33 + i, law(((33 + i) * Math.PI) / 180)] as const);
    const law = { name: 'sliding throughout', look: 'line', color: 4 } as const;
    const dots = { name: 'measured', look: 'dots', color: 0 } as const;
    const x = 'angle from the normal, degrees';
    return {
      rows,
      charts: [
        {
          ...{
            title: 'Oblique impact: tangential restitution',
            x,
            y: 'speed along the plane, after / before',
          },
          series: [
            { ...law, points: curve((angle) => 1 - (mu * (1 + e)) / Math.tan(angle)) },
            { ...dots, points: sideways },
          ],
        },
        {
          ...{ title: 'Oblique impact: spin', x, y: 'rad/s' },
          series: [
            { ...law, points: curve((angle) => (2.5 * mu * (1 + e) * speed * Math.cos(angle)) / radius) },
            { ...dots, points: spins },
          ],
        },
      ],
    };
  },
};

const SOFT_BALL: Material = {
  density: 1000,
  youngsModulus: 1e8,
  poissonRatio: 0.3,
  restitution: 1,
  friction: 0,
};

export const cradle: ValidationCase = {
  name: 'cradle',
  shows:
    "Newton's cradle: five equal balls, a tenth of their radius apart. Each impact leaves (1 - e) v / 2 and " +
    'hands on (1 + e) v / 2.',
  source: 'closed form, momentum and restitution',
  async run(context) {
    const rows: Row[] = [];
    const because = '0.5 % of the first speed: balls still touch a little while the next impact begins';
    for (const e of [1, 0.8]) {
      const simulation = await context.simulate({
        shapes: [{ kind: 'sphere', radius: 0.05 }],
        materials: [{ ...SOFT_BALL, restitution: e }],
        gravity: [0, 0, 0],
        bodies: bodiesOf(
          Array.from({ length: 5 }, (_, i) => ({
            position: [i * 0.1 + i * 0.005, 0, 0] as const,
            velocity: [i === 0 ? 0.1 : 0, 0, 0] as const,
          })),
        ),
      });
      const last = async () => (await simulation.read('velocities'))[12]!;
      while ((await last()) === 0 || simulation.monitors.contacts > 0) await simulation.step(10);
      const v = await simulation.read('velocities');
      const speeds = [0, 1, 2, 3, 4].map((i) => v[3 * i]! / 0.1);
      speeds.forEach((speed, i) => {
        const handed = ((1 + e) / 2) ** i;
        const expected = i === 4 ? handed : (handed * (1 - e)) / 2;
        rows.push(
          near(`e ${e}: ball ${i + 1}, of the first speed`, speed, expected, { within: 0.005, because }),
        );
      });
      context.progress(e === 1 ? 1 : 2, 2);
    }
    return { rows };
  },
};

export const billiards: ValidationCase = {
  name: 'billiards',
  shows:
    'A ball meets its like off centre, without friction: what is along the line of centres parts as (1 - e) v / 2 ' +
    'and (1 + e) v / 2, the rest stays.',
  source: 'closed form, momentum and restitution',
  async run(context) {
    const rows: Row[] = [];
    const tolerance = {
      within: 0.005,
      because: '0.5 % of the first speed: the line of centres turns while they touch',
    };
    const [radius, speed] = [0.05, 1];
    for (const [i, e] of (context.isQuick ? [0.5] : [1, 0.8, 0.5]).entries()) {
      const angle = Math.PI / 6;
      const apart = 2 * radius * (1 + 1e-9);
      const simulation = await context.simulate({
        shapes: [{ kind: 'sphere', radius }],
        materials: [{ ...SOFT_BALL, youngsModulus: 1e10, restitution: e }],
        gravity: [0, 0, 0],
        bodies: bodiesOf([
          { position: [-apart * Math.cos(angle), -apart * Math.sin(angle), 0], velocity: [speed, 0, 0] },
          {},
        ]),
      });
      await throughContact(simulation);
      const v = await simulation.read('velocities');
      const along = (body: number) => v[3 * body]! * Math.cos(angle) + v[3 * body + 1]! * Math.sin(angle);
      const across = (body: number) => v[3 * body + 1]! * Math.cos(angle) - v[3 * body]! * Math.sin(angle);
      const [n, t] = [speed * Math.cos(angle), -speed * Math.sin(angle)];
      rows.push(
        near(`e ${e}: first ball along the centres`, along(0), ((1 - e) * n) / 2, tolerance),
        near(`e ${e}: first ball across`, across(0), t, tolerance),
        near(`e ${e}: second ball along the centres`, along(1), ((1 + e) * n) / 2, tolerance),
        near(`e ${e}: second ball across`, across(1), 0, tolerance),
      );
      context.progress(i + 1, 3);
    }
    return { rows };
  },
};
