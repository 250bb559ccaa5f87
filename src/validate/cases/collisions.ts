/** Concave rocks without losses that meet each other, and a plane: they keep energy and momentum. */
import { quatd } from 'wgpu-matrix';
import { checkMesh, createRandom, type Material, randomRock } from '../../index.ts';
import { firstTouches, touchingPairs } from '../first-touches.ts';
import { bodiesOf } from '../scenes.ts';
import {
  above,
  below,
  type CaseContext,
  type Row,
  type Tolerance,
  type ValidationCase,
} from '../validation-case.ts';

export const ELASTIC: Material = {
  ...{ density: 1, youngsModulus: 800, poissonRatio: 0, restitution: 1, friction: 0 },
};
export const rock = () => randomRock({ seed: 3, triangles: 80, convex: false });

/** Unit vectors and turns. */
export function directions(seed: number) {
  const random = createRandom(seed);
  const unit = (): [number, number, number] => {
    for (;;) {
      const v = [2 * random() - 1, 2 * random() - 1, 2 * random() - 1] as [number, number, number];
      const length = Math.hypot(...v);
      if (length > 0.1 && length < 1) return [v[0] / length, v[1] / length, v[2] / length];
    }
  };
  const turn = () => Array.from(quatd.fromAxisAngle(unit(), 2 * Math.PI * random()));
  return { random, unit, turn };
}

/**
 * Just below the longest step that is allowed, a tenth of the time that two of these rocks would touch for with a
 * quarter of their surfaces. Most collisions are softer and last longer: how long is a row of `collisions`.
 */
export const LONGEST_STEP = 0.0075;
export const SPEED = 0.3;

export const collisions: ValidationCase = {
  name: 'collisions',
  shows:
    'Pairs of concave rocks collide, and rocks fall on a plane, without friction and losses. Energy changes by an ' +
    'error of the step alone, without a trend. Where two rocks meet, the direction of a force jumps where a nearest ' +
    'face changes. On a plane it does not.',
  source: 'conservation of energy and momentum',
  needsFloat64: 'energies change by 10^-5 of themselves, and momenta by nothing but rounding of float64',
  async run(context) {
    const rows: Row[] = [];
    const many = context.isQuick ? 6 : 1000;
    const { changes, momentum, angularMomentum, contact } = await collide(context, many, LONGEST_STEP);
    const mean = changes.reduce((sum, x) => sum + x, 0) / many;
    const error = rms(changes.map((x) => x - mean)) / Math.sqrt(many);
    const asked = 'of the kinetic energy, as asked for at a fortieth of the time of contact';
    const rounding = { within: 1e-12, because: 'forces are equal and opposite: rounding' };
    rows.push(
      above('pairs that collide', changes.length, { within: many, because: 'all of them' }),
      below(`mean change of energy of ${many}`, Math.abs(mean), { within: 1e-3, because: asked }),
      above('steps per contact, mean', contact / LONGEST_STEP, {
        ...{ within: 40, because: 'what is asked for; steps may not be longer than these' },
      }),
      below('rms change', rms(changes), { within: 1e-2, because: asked }),
      below('change of momentum', momentum, rounding),
      below('change of angular momentum', angularMomentum, rounding),
    );
    if (!context.isQuick) {
      const because = 'three standard errors of the mean';
      rows.push(below('the same, in its standard error', Math.abs(mean) / error, { within: 3, because }));
      const quarter = (await collide(context, many, LONGEST_STEP / 4)).changes;
      rows.push(
        fall('', changes, quarter, 2, {
          within: 2,
          because:
            'twofold where directions jump: the error is that of the step in which they do, of a sign by chance. ' +
            'Less three standard errors of the samples',
        }),
      );
    }
    const landed = await land(context, LONGEST_STEP);
    rows.push(below('on a plane: rms change', rms(landed), { within: 1e-2, because: asked }));
    if (!context.isQuick) {
      const because =
        'fourfold where directions do not jump: the method is of second order. Less three standard errors of the ' +
        'samples';
      rows.push(
        fall('on a plane: ', landed, await land(context, LONGEST_STEP / 8), 3, { within: 4, because }),
      );
    }
    const sorted = [...changes].sort((a, b) => a - b);
    return {
      rows,
      charts: [
        {
          ...{ title: 'Collisions of concave rocks', x: 'collisions, %', y: 'change of energy, %' },
          series: [
            {
              ...({ name: 'longest step', look: 'line', color: 0 } as const),
              points: sorted.map((x, i) => [(100 * (i + 0.5)) / many, 100 * x] as const),
            },
          ],
        },
      ],
    };
  },
};

export const rms = (all: readonly number[]) => Math.sqrt(all.reduce((sum, x) => sum + x * x, 0) / all.length);

/** How much less changes are per halved step. @param halvings from the step of `coarse` to that of `fine` */
export function fall(
  place: string,
  coarse: readonly number[],
  fine: readonly number[],
  halvings: number,
  { within, because }: Tolerance,
): Row {
  // What the mean of the squares is off by, as a share: twice that of the rms.
  const off = (all: readonly number[]) => {
    const mean = rms(all) ** 2;
    return rms(all.map((x) => x * x - mean)) / (mean * Math.sqrt(all.length));
  };
  const error = Math.hypot(off(coarse), off(fine)) / (2 * halvings);
  const got = (rms(coarse) / rms(fine)) ** (1 / halvings);
  return above(`${place}fall of the rms per halved step`, got, {
    ...{ within: within * (1 - 3 * error), because },
  });
}

/** Rocks that fall on a plane, turned at random: the change of each one's energy. */
async function land(context: CaseContext, timeStep: number): Promise<number[]> {
  const count = context.isQuick ? 6 : 200;
  const { turn } = directions(11);
  const mesh = rock();
  const rocks = Array.from({ length: count }, (_, i) => ({
    ...{ position: [10 * (i % 20), 10 * Math.floor(i / 20), 1.7] as const, rotation: turn() },
    velocity: [0, 0, -SPEED] as const,
  }));
  const simulation = await context.simulate(
    {
      shapes: [{ kind: 'polyhedron', mesh }, { kind: 'plane' }],
      materials: [ELASTIC],
      gravity: [0, 0, 0],
      bodies: bodiesOf([...rocks, { shape: 1 }]),
    },
    { timeStep },
  );
  const before = await simulation.read('kineticEnergies');
  const touched = new Set<number>();
  while (touched.size < count || simulation.monitors.contacts > 0) {
    await simulation.step();
    const { bodies, count: contacts } = await simulation.contacts();
    for (let c = 0; c < contacts; c++) touched.add(Math.min(bodies[2 * c]!, bodies[2 * c + 1]!));
  }
  const after = await simulation.read('kineticEnergies');
  return rocks.map((_, i) => after[i]! / before[i]! - 1);
}

/** Pairs far from each other, each brought to the first touch, then moved together and apart. */
async function collide(context: CaseContext, pairs: number, timeStep: number) {
  const { random, unit, turn } = directions(5);
  const mesh = rock();
  const side = Math.ceil(Math.cbrt(pairs));
  const placed = Array.from({ length: pairs }, (_, i) => {
    const centre = [i % side, Math.floor(i / side) % side, Math.floor(i / side ** 2)].map((x) => 10 * x);
    const turns = [turn(), turn()];
    const direction = unit();
    return { centre, turns, direction, offset: unit().map((x) => 0.7 * x * random()) };
  });
  const poses = new Float64Array(14 * pairs);
  const place = (i: number, distance: number) => {
    const { centre, turns, direction, offset } = placed[i]!;
    poses.set([...centre, ...turns[0]!], 14 * i);
    poses.set([...centre.map((x, k) => x + distance * direction[k]! + offset[k]!), ...turns[1]!], 14 * i + 7);
  };
  for (let i = 0; i < pairs; i++) place(i, 4);
  const simulation = await context.simulate(
    {
      shapes: [{ kind: 'polyhedron', mesh }],
      materials: [ELASTIC],
      gravity: [0, 0, 0],
      margin: 0.3,
      bodies: { shapes: new Uint32Array(2 * pairs), poses },
    },
    { timeStep },
  );
  const pairOf = (one: number) => one >> 1;
  const { distances } = await firstTouches(simulation, { pairs, poses, place, pairOf, from: 3.25, to: 0.5 });
  for (let i = 0; i < pairs; i++) place(i, distances[i]!);
  await simulation.write('poses', poses);
  await simulation.evaluate();
  await simulation.write('angularVelocities', new Float64Array(6 * pairs));
  const towards = placed.flatMap(({ direction }) => [
    ...direction.map((x) => SPEED * x),
    ...direction.map((x) => -SPEED * x),
  ]);
  await simulation.write('velocities', Float64Array.from(towards));
  const energyBefore = await simulation.read('kineticEnergies');
  const { angularMomentum: first } = simulation.monitors;
  // A pair has collided where it has touched and is apart.
  const state = new Uint8Array(pairs);
  let touches = 0;
  for (let n = 0; n * timeStep < 20 && state.some((x) => x !== 2); n++) {
    await simulation.step();
    const found = await touchingPairs(simulation, pairs, pairOf);
    for (let i = 0; i < pairs; i++) state[i] = found[i] ? 1 : state[i] === 0 ? 0 : 2;
    touches += found.reduce((sum, x) => sum + x, 0);
    if (n % 10 === 0) context.progress(state.filter((x) => x === 2).length, pairs);
  }
  const energyAfter = await simulation.read('kineticEnergies');
  const changes = Array.from({ length: pairs }, (_, i) => {
    const [before, after] = [energyBefore, energyAfter].map((all) => all[2 * i]! + all[2 * i + 1]!);
    return after! / before! - 1;
  });
  // Of what all rocks have, had they one direction and an arm of 1.
  const size = 2 * pairs * checkMesh(mesh).enclosedVolume! * SPEED;
  const momentum = Math.hypot(...simulation.monitors.momentum) / size;
  const angularMomentum =
    Math.hypot(...simulation.monitors.angularMomentum.map((x, k) => x - first[k]!)) / size;
  const contact = (touches * simulation.timeStep) / pairs;
  return { changes: changes.filter((_, i) => state[i] === 2), momentum, angularMomentum, contact };
}
