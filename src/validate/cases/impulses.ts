/** Steps by impulses beside closed forms, each at the step that is recommended. */
import type { Material, Simulation, SimulationScene } from '../../index.ts';
import { bodiesOf, G } from '../scenes.ts';
import { below, type CaseContext, equal, near, type Row, type ValidationCase } from '../validation-case.ts';

const TWO_PERCENT = {
  within: 0.02,
  because: '2 %: an impact is found up to a step late, when bodies overlap by what they moved in it',
};
/**
 * In float32 each change of a speed rounds it by 2^-24 of itself. There are two speeds, and 3 changes in each of 4
 * substeps and 8 for restitution, in the one or two steps that an impact takes: 80 in all.
 */
const MOMENTUM = {
  ...{ within: 1e-12, because: '1e-12 of it: an impulse and its opposite act at one place' },
  inFloat32: {
    within: 80 * 2 ** -24,
    because: '80 * 2^-24 of it: as many speeds are rounded while two bodies touch',
  },
};
const MATERIAL: Material = { density: 1000, youngsModulus: 1e7, restitution: 0.5, friction: 0.3 };
const RADIUS = 0.05;
/** The step that gravity would make of the radius, for scenes without. */
const STEP = Math.sqrt((2 * RADIUS) / G) / 24;

const simulate = (context: CaseContext, scene: SimulationScene, timeStep?: number, substeps?: number) =>
  context.simulate(scene, { response: 'impulses', timeStep, substeps });

async function advance(simulation: Simulation, time: number): Promise<void> {
  await simulation.step(Math.ceil(time / simulation.timeStep));
}

/** Balls that meet off centre, at 1 m/s: head-on ones at an angle of 0. */
async function collisions(context: CaseContext): Promise<Row[]> {
  const rows: Row[] = [];
  for (const e of context.isQuick ? [0.5] : [0, 0.2, 0.5, 0.8, 1].map((x) => Math.max(x, 1e-6))) {
    for (const angle of [0, Math.PI / 6]) {
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const simulation = await simulate(
        context,
        {
          shapes: [{ kind: 'sphere', radius: RADIUS }],
          materials: [{ ...MATERIAL, restitution: e, friction: 0 }],
          gravity: [0, 0, 0],
          bodies: bodiesOf([
            { position: [-2 * RADIUS * c - 0.0011, -2 * RADIUS * s, 0], velocity: [1, 0, 0] },
            {},
          ]),
        },
        STEP,
      );
      const first = [...simulation.monitors.momentum];
      await simulation.step(4);
      const v = await simulation.read('velocities');
      const along = (body: number) => v[3 * body]! * c + v[3 * body + 1]! * s;
      const what =
        angle === 0 ? `restitution ${e.toPrecision(1)}` : `billiards, restitution ${e.toPrecision(1)}`;
      rows.push(
        near(`${what}: speed of the first ball along the centres`, along(0), ((1 - e) * c) / 2, TWO_PERCENT),
        near(`${what}: of the second ball`, along(1), ((1 + e) * c) / 2, TWO_PERCENT),
        below(
          `${what}: momentum that was lost`,
          Math.hypot(...first.map((p, k) => simulation.monitors.momentum[k]! - p)) / first[0]!,
          MOMENTUM,
        ),
      );
    }
  }
  return rows;
}

async function bouncing(context: CaseContext): Promise<Row[]> {
  const rows: Row[] = [];
  for (const e of context.isQuick ? [0.6] : [0.9, 0.8, 0.6]) {
    const height = 1;
    const simulation = await simulate(context, {
      shapes: [{ kind: 'sphere', radius: RADIUS }, { kind: 'plane' }],
      materials: [{ ...MATERIAL, restitution: e }],
      bodies: bodiesOf([{ position: [0, 0, RADIUS + height] }, { shape: 1 }]),
    });
    let [last, top, isRising] = [Infinity, 0, false];
    while (top === 0) {
      await simulation.step();
      const z = (await simulation.read('centroids'))[2]!;
      if (isRising && z < last) top = last;
      isRising = z > last;
      last = z;
    }
    rows.push(
      equal(`bounce, restitution ${e}: height`, top - RADIUS, height * e ** 2, {
        ...TWO_PERCENT,
        unit: ' m',
      }),
    );
  }
  return rows;
}

/** A ball, or a box that lies on a face, where gravity is turned. */
function onIncline(context: CaseContext, kind: 'ball' | 'box', tangent: number, speed = 0) {
  const angle = Math.atan(tangent);
  const half = [RADIUS, RADIUS, RADIUS] as const;
  return simulate(context, {
    shapes: [
      kind === 'ball' ? { kind: 'sphere', radius: RADIUS } : { kind: 'box', halfExtents: half },
      { kind: 'plane' },
    ],
    materials: [MATERIAL],
    gravity: [G * Math.sin(angle), 0, -G * Math.cos(angle)],
    bodies: bodiesOf([{ position: [0, 0, RADIUS], velocity: [speed, 0, 0] }, { shape: 1 }]),
  });
}

async function sliding(context: CaseContext): Promise<Row[]> {
  const rows: Row[] = [];
  const all = [
    ['box', 0.5],
    ['box', 0.28],
    ['ball', 0.5],
    ['ball', 2],
    ['box', 0.8],
  ] as const;
  for (const [kind, tangent] of all) {
    const simulation = await onIncline(context, kind, tangent);
    const angle = Math.atan(tangent);
    await advance(simulation, 0.2);
    const at = async () => [(await simulation.read('velocities'))[0]!, simulation.time] as const;
    const [v, t] = await at();
    await advance(simulation, 0.3);
    const [w, u] = await at();
    const slope = 0.3;
    const slides = G * (Math.sin(angle) - slope * Math.cos(angle));
    const expected = kind === 'ball' && tangent <= 3.5 * slope ? (5 / 7) * G * Math.sin(angle) : slides;
    const what = `incline, ${kind}, tan ${tangent}`;
    rows.push(
      kind === 'box' && tangent < slope
        ? below(`${what}: speed`, Math.abs(w), { within: 1e-3, because: '1e-3 m/s: it sticks', unit: ' m/s' })
        : equal(`${what}: acceleration`, (w - v) / (u - t), expected, { ...TWO_PERCENT, unit: ' m/s2' }),
    );
  }
  const speed = 2;
  const simulation = await onIncline(context, 'ball', 0, speed);
  await advance(simulation, (2 * (2 * speed)) / (7 * 0.3 * G));
  const v = (await simulation.read('velocities'))[0]!;
  const spin = (await simulation.read('angularVelocities'))[1]!;
  rows.push(
    equal('slip to roll: speed at the end', v, (5 / 7) * speed, { ...TWO_PERCENT, unit: ' m/s' }),
    equal('slip to roll: of its rim', RADIUS * spin, (5 / 7) * speed, { ...TWO_PERCENT, unit: ' m/s' }),
  );
  return rows;
}

/** Boxes on each other, turned and shifted a little. */
async function standing(context: CaseContext, count: number, seconds: number): Promise<Row[]> {
  const [x, z] = [2 * RADIUS, 2 * RADIUS];
  const simulation = await simulate(context, {
    shapes: [{ kind: 'box', halfExtents: [RADIUS, RADIUS, RADIUS] }, { kind: 'plane' }],
    materials: [MATERIAL],
    bodies: bodiesOf([
      ...Array.from({ length: count }, (_, i) => {
        const [shift, turn] = count === 1 ? [0, 0] : [0.05 * x * Math.sin(7 * i), 0.05 * Math.sin(3 * i)];
        const rotation = [0, 0, Math.sin(turn / 2), Math.cos(turn / 2)];
        return { position: [shift, -shift / 2, (i + 0.5) * z] as const, rotation };
      }),
      { shape: 1 },
    ]),
  });
  await advance(simulation, 2);
  const before = await simulation.read('centroids');
  await advance(simulation, seconds);
  const now = await simulation.read('centroids');
  let moved = 0;
  for (let i = 0; i < count; i++)
    moved = Math.max(moved, Math.hypot(...[0, 1, 2].map((k) => now[3 * i + k]! - before[3 * i + k]!)));
  const [within, because] =
    count === 1
      ? [1e-3, '1e-3 of its size: it rests']
      : [0.1, 'a tenth of a box: a tower that falls moves by many'];
  return [
    below(`${count === 1 ? 'box' : `tower of ${count} boxes`}: way in ${seconds} s, in sizes`, moved / x, {
      ...{ within: within as number, because: because as string },
    }),
  ];
}

export const impulses: ValidationCase = {
  name: 'impulses',
  shows:
    'Steps by impulses, a 24th of a fall by the own size: restitution, billiards, bouncing, inclines, a ball that ' +
    'comes to roll, a box at rest, a tower of ten.',
  source: 'closed forms, momentum, restitution and Coulomb',
  async run(context) {
    const rows = await collisions(context);
    context.progress(1, 5);
    rows.push(...(await bouncing(context)));
    context.progress(2, 5);
    rows.push(...(await sliding(context)));
    context.progress(3, 5);
    rows.push(...(await standing(context, 1, context.isQuick ? 1 : 10)));
    context.progress(4, 5);
    rows.push(...(await standing(context, 10, context.isQuick ? 1 : 10)));
    return { rows };
  },
};
