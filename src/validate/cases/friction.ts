/** Friction and gravity: inclines, a ball that comes to roll, bouncing. */
import type { Material, Simulation } from '../../index.ts';
import { bodiesOf, boxMesh, G, RIGID } from '../scenes.ts';
import { below, type CaseContext, equal, type Row, type ValidationCase } from '../validation-case.ts';

const MU = 0.3;
const SOFT: Material = {
  ...{ density: 1000, youngsModulus: 1e7, poissonRatio: 0.3, restitution: 0.4, friction: MU },
};
const ONE_PERCENT = {
  within: 0.01,
  because: '1 %: bodies sink in by up to half of that, and swing a little in their contacts',
};

const advance = (simulation: Simulation, time: number) =>
  simulation.step(Math.ceil(time / simulation.timeStep));

/** A ball of diameter 1 or a cube of triangles on a plane that is level, where gravity is turned by an angle. */
function onIncline(context: CaseContext, kind: 'ball' | 'block', angle: number, speed = 0) {
  const cube = { kind: 'polyhedron', mesh: boxMesh(0.5, 0.5, 0.5) } as const;
  return context.simulate({
    shapes: [kind === 'ball' ? { kind: 'sphere', radius: 0.5 } : cube, { kind: 'plane' }],
    materials: [kind === 'ball' ? SOFT : { ...SOFT, youngsModulus: 1e6, restitution: 0.1 }],
    gravity: [G * Math.sin(angle), 0, -G * Math.cos(angle)],
    bodies: bodiesOf([{ position: [0, 0, 0.5], velocity: [speed, 0, 0] }, { shape: 1 }]),
  });
}

export const incline: ValidationCase = {
  name: 'incline',
  shows:
    'A block sticks where tan(angle) <= mu, else slides with g (sin - mu cos). A ball rolls with 5/7 g sin where ' +
    'tan(angle) <= 3.5 mu, else slides with g (sin - mu cos). mu is 0.3.',
  source: 'closed form, Coulomb and rigid bodies',
  async run(context) {
    const rows: Row[] = [];
    const dots: Record<'ball' | 'block', [number, number][]> = { ball: [], block: [] };
    const all = { block: [0.2, 0.28, 0.35, 0.5, 0.8], ball: [0.2, 0.5, 0.9, 1.3, 2] };
    const some = { block: [0.28, 0.5], ball: [0.5, 2] };
    let done = 0;
    for (const kind of ['block', 'ball'] as const) {
      for (const tangent of (context.isQuick ? some : all)[kind]) {
        const angle = Math.atan(tangent);
        const simulation = await onIncline(context, kind, angle);
        await advance(simulation, kind === 'ball' ? 0.3 : 1);
        const speed = async () => (await simulation.read('velocities'))[0]!;
        const [v, t] = [await speed(), simulation.time];
        await advance(simulation, 0.3);
        const got = ((await speed()) - v) / (simulation.time - t);
        dots[kind].push([tangent, got / G]);
        const sliding = G * (Math.sin(angle) - MU * Math.cos(angle));
        const what = `${kind}, tan ${tangent}: acceleration`;
        const tolerance = { ...ONE_PERCENT, unit: ' m/s2' };
        if (kind === 'ball')
          rows.push(
            equal(what, got, tangent <= 3.5 * MU ? (5 / 7) * G * Math.sin(angle) : sliding, tolerance),
          );
        else if (tangent > MU) rows.push(equal(what, got, sliding, tolerance));
        else {
          const because = '1e-3 m/s: a block that sticks still swings in its tangential springs';
          rows.push(
            below(`block, tan ${tangent}: speed`, Math.abs(await speed()), {
              within: 1e-3,
              because,
              unit: ' m/s',
            }),
          );
        }
        context.progress(++done, 10);
      }
    }
    const curve = (law: (angle: number) => number) =>
      Array.from({ length: 101 }, (_, i) => [i / 50, law(Math.atan(i / 50)) / G] as const);
    const slide = (angle: number) => G * (Math.sin(angle) - MU * Math.cos(angle));
    const block = (angle: number) => Math.max(0, slide(angle));
    const ball = (angle: number) =>
      Math.tan(angle) <= 3.5 * MU ? (5 / 7) * G * Math.sin(angle) : slide(angle);
    return {
      rows,
      charts: [
        {
          ...{ title: 'Bodies on an incline', x: 'tan(angle)', y: 'acceleration / g' },
          series: [
            { name: 'block, closed form', look: 'line', color: 0, points: curve(block) },
            { name: 'block', look: 'dots', color: 0, points: dots.block },
            { name: 'ball, closed form', look: 'line', color: 1, points: curve(ball) },
            { name: 'ball', look: 'dots', color: 1, points: dots.ball },
          ],
        },
      ],
    };
  },
};

export const slipToRoll: ValidationCase = {
  name: 'slip-to-roll',
  shows: 'A ball slides at first. It rolls after 2 v / (7 mu g), with 5 v / 7.',
  source: 'closed form, Coulomb and rigid bodies',
  async run(context) {
    const speed = 2;
    const simulation = await onIncline(context, 'ball', 0, speed);
    const expected = (2 * speed) / (7 * MU * G);
    const slips: [number, number][] = [];
    const speeds: [number, number][] = [];
    let at = 0;
    while (simulation.time < 2 * expected) {
      await simulation.step();
      const v = (await simulation.read('velocities'))[0]!;
      const rim = 0.5 * (await simulation.read('angularVelocities'))[1]!;
      if (at === 0 && v - rim < 0.01 * speed) at = simulation.time;
      speeds.push([simulation.time, v]);
      slips.push([simulation.time, rim]);
    }
    const few = (points: [number, number][]) =>
      points.filter((_, i) => i % Math.ceil(points.length / 30) === 0);
    const because = '2 %: it counts as rolling where it slips by less than 1 % of its first speed';
    const half = [0, 1, 2].map((k) => (k * expected * 2) / 2);
    const law = (v0: number, slope: number, end: number) =>
      half.map((t) => [t, t < expected ? v0 + slope * t : end] as const);
    return {
      rows: [
        equal('time until it rolls', at, expected, { within: 0.02, because, unit: ' s' }),
        equal('speed then', speeds.at(-1)![1], (5 / 7) * speed, { ...ONE_PERCENT, unit: ' m/s' }),
      ],
      charts: [
        {
          ...{ title: 'From sliding to rolling', x: 'time, s', y: 'm/s' },
          series: [
            { name: 'closed form', look: 'line', color: 0, points: law(speed, -MU * G, (5 / 7) * speed) },
            { name: 'speed', look: 'dots', color: 0, points: few(speeds) },
            { name: 'closed form', look: 'line', color: 1, points: law(0, 2.5 * MU * G, (5 / 7) * speed) },
            { name: 'radius x spin', look: 'dots', color: 1, points: few(slips) },
          ],
        },
      ],
    };
  },
};

export const bounce: ValidationCase = {
  name: 'bounce',
  shows: 'A ball that falls on a plane: its centre rises to h_k = (h_0 - R) e^(2 k) + R.',
  source: 'closed form, restitution',
  async run(context) {
    const rows: Row[] = [];
    const charts: [number, number][][] = [];
    const [radius, height] = [0.1, 0.3];
    const set = context.isQuick ? [0.8] : [0.9, 0.8];
    for (const [i, e] of set.entries()) {
      const simulation = await context.simulate(
        {
          shapes: [{ kind: 'sphere', radius }, { kind: 'plane' }],
          materials: [{ ...SOFT, youngsModulus: 1e10, restitution: e }, RIGID],
          pairs: [{ materials: [0, 1], restitution: e }],
          bodies: bodiesOf([{ position: [0, 0, height] }, { shape: 1, material: 1 }]),
        },
        // A contact lasts 0.7 ms. Dashpots are stiff at the first touch, wherever in a step that is.
        { timeStep: 1.5e-5 },
      );
      const peaks = [height];
      let [last, rises] = [height, false];
      while (peaks.length <= 3) {
        await simulation.step(10);
        const z = (await simulation.read('centroids'))[2]!;
        if (rises && z < last) peaks.push(last);
        rises = z > last;
        last = z;
      }
      const because = '1 % of the clearance: gravity acts also while ball and plane touch';
      for (const k of [1, 2, 3]) {
        const expected = (height - radius) * e ** (2 * k);
        rows.push(
          equal(`e ${e}: clearance after impact ${k}`, peaks[k]! - radius, expected, {
            ...{ within: 0.01, because, unit: ' m' },
          }),
        );
      }
      charts.push(peaks.map((z, k) => [k, z]));
      context.progress(i + 1, set.length);
    }
    return {
      rows,
      charts: [
        {
          ...{ title: 'Bouncing', x: 'impact', y: 'height of the centre, m' },
          series: set.flatMap((e, color) => [
            {
              ...({ name: `e ${e}, closed form`, look: 'line', color } as const),
              points: Array.from({ length: 31 }, (_, k) => [k / 10, 0.2 * e ** (k / 5) + radius] as const),
            },
            { name: `e ${e}`, look: 'dots', color, points: charts[color]! } as const,
          ]),
        },
      ],
    };
  },
};
