/** Concave bodies without losses: forces from a potential, and collisions that keep energy and momentum. */
import { quatd, vec3d } from 'wgpu-matrix';
import { checkMesh, createRandom, type Material, randomRock, type Simulation } from '../../index.ts';
import { bodiesOf } from '../scenes.ts';
import { above, below, type CaseContext, type Row, type ValidationCase } from '../validation-case.ts';

const ELASTIC: Material = {
  ...{ density: 1, youngsModulus: 800, poissonRatio: 0, restitution: 1, friction: 0 },
};
const rock = () => randomRock({ seed: 3, triangles: 80, convex: false });

/** Unit vectors and turns. */
function directions(seed: number) {
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

export const potential: ValidationCase = {
  name: 'potential',
  shows:
    'Two concave rocks that overlap at random: force and torque, all six components, are minus the central ' +
    'differences of the elastic energy, edges included.',
  source: 'definition of a potential',
  async run(context) {
    const { random, unit, turn } = directions(9);
    const simulation = await context.simulate({
      shapes: [{ kind: 'polyhedron', mesh: rock() }],
      materials: [ELASTIC],
      gravity: [0, 0, 0],
      margin: 0.2,
      bodies: bodiesOf([{}, { position: [9, 0, 0] }]),
    });
    const poses = new Float64Array(14);
    const at = async (own: Float64Array) => {
      await simulation.write('poses', own);
      await simulation.evaluate();
      return simulation.monitors.elastic;
    };
    const wanted = context.isQuick ? 20 : 1000;
    const h = 1e-6;
    const errors: number[] = [];
    while (errors.length < wanted) {
      const distance = 1.2 + 0.6 * random();
      poses.set([0, 0, 0, ...turn(), ...unit().map((x) => distance * x), ...turn()]);
      const energy = await at(poses);
      if (energy === 0 || simulation.monitors.deepestOverlap > 0.05) continue;
      const force = (await simulation.read('forces')).slice(3, 6);
      const torque = (await simulation.read('torques')).slice(3, 6);
      // About the origin of the rock's frame.
      const arm = (await simulation.read('centroids')).slice(3, 6).map((x, k) => x - poses[7 + k]!);
      const about = vec3d.add(torque, vec3d.cross(arm, force));
      const differences: number[] = [];
      for (let axis = 0; axis < 6; axis++) {
        const energies: number[] = [];
        for (const step of [h, -h]) {
          const moved = poses.slice();
          if (axis < 3) moved[7 + axis]! += step;
          else {
            const own = quatd.fromAxisAngle(
              [axis === 3 ? 1 : 0, axis === 4 ? 1 : 0, axis === 5 ? 1 : 0],
              step,
            );
            moved.set(Array.from(quatd.multiply(own, moved.slice(10, 14))), 10);
          }
          energies.push(await at(moved));
        }
        differences.push((energies[1]! - energies[0]!) / (2 * h));
      }
      const size = Math.hypot(...force) + Math.hypot(...about);
      const off = [...force, ...about].map((x, k) => Math.abs(x - differences[k]!));
      errors.push(Math.max(...off) / size);
      if (errors.length % 10 === 0) context.progress(errors.length, wanted);
    }
    errors.sort((a, b) => a - b);
    const because =
      'share of force and torque; where a nearest face changes, the force jumps between both ends';
    return {
      rows: [
        below(`largest error of ${wanted} overlaps`, errors.at(-1)!, { within: 1e-3, because }),
        below('median', errors[wanted / 2]!, {
          within: 1e-6,
          because: 'rounding of energies over the difference',
        }),
      ],
      charts: [
        {
          ...{
            title: 'Force and torque beside differences of the energy',
            x: 'overlaps, %',
            y: 'log10 of the error',
          },
          series: [
            {
              ...({ name: 'error', look: 'line', color: 0 } as const),
              points: errors.map((x, i) => [(100 * (i + 0.5)) / wanted, Math.log10(x)] as const),
            },
          ],
        },
      ],
    };
  },
};

/**
 * Just below the longest step that is allowed, a tenth of the time that two of these rocks would touch for with a
 * quarter of their surfaces. Most collisions are softer and last longer: how long is a row of `collisions`.
 */
const LONGEST_STEP = 0.0075;
const SPEED = 0.3;

export const collisions: ValidationCase = {
  name: 'collisions',
  shows:
    'Pairs of concave rocks collide, without friction and losses. Energy changes by an error of the step alone, ' +
    'without a trend.',
  source: 'conservation of energy and momentum',
  async run(context) {
    const rows: Row[] = [];
    const many = context.isQuick ? 6 : 1000;
    const few = context.isQuick ? 0 : 100;
    const rms = (all: readonly number[]) => Math.sqrt(all.reduce((sum, x) => sum + x * x, 0) / all.length);
    const { changes, momentum, contact } = await collide(context, many, LONGEST_STEP);
    const mean = changes.reduce((sum, x) => sum + x, 0) / many;
    const error = rms(changes.map((x) => x - mean)) / Math.sqrt(many);
    const asked = 'of the kinetic energy, as asked for at a fortieth of the time of contact';
    rows.push(
      below(`mean change of energy of ${many}`, Math.abs(mean), { within: 1e-3, because: asked }),
      above('steps per contact, mean', contact / LONGEST_STEP, {
        ...{ within: 40, because: 'what is asked for; steps may not be longer than these' },
      }),
      below('rms change', rms(changes), { within: 1e-2, because: asked }),
      below('change of momentum', momentum, {
        within: 1e-12,
        because: 'forces are equal and opposite: rounding',
      }),
    );
    if (!context.isQuick) {
      const because = 'three standard errors of the mean';
      rows.push(below('the same, in its standard error', Math.abs(mean) / error, { within: 3, because }));
      const half = rms((await collide(context, few, LONGEST_STEP / 2)).changes);
      const quarter = rms((await collide(context, few, LONGEST_STEP / 4)).changes);
      const twofold = {
        within: 2,
        because: 'at least twofold where directions jump, fourfold where they do not',
      };
      rows.push(
        above('rms change, over that at half the step', rms(changes.slice(0, few)) / half, twofold),
        above('rms at half the step, over that at a quarter', half / quarter, twofold),
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
  const touching = async () => {
    const found = new Uint8Array(pairs);
    const { bodies, count } = await simulation.contacts();
    for (let c = 0; c < count; c++) found[bodies[2 * c]! >> 1] = 1;
    return found;
  };
  // The first touch on the way in, from where they are apart.
  const near = new Float64Array(pairs);
  const far = new Float64Array(pairs).fill(4);
  const isFound = new Uint8Array(pairs);
  const look = async (distances: Float64Array) => {
    for (let i = 0; i < pairs; i++) place(i, distances[i]!);
    await simulation.write('poses', poses);
    await simulation.evaluate();
    return touching();
  };
  for (let d = 3.2; d > 0.5 && isFound.includes(0); d -= 0.05) {
    const found = await look(far.map((x, i) => (isFound[i] ? x : d)));
    for (let i = 0; i < pairs; i++) {
      if (isFound[i]) continue;
      if (found[i]) [near[i], isFound[i]] = [d, 1];
      else far[i] = d;
    }
  }
  for (let n = 0; n < 20; n++) {
    const middle = far.map((x, i) => (x + near[i]!) / 2);
    const found = await look(middle);
    for (let i = 0; i < pairs; i++) (found[i] ? near : far)[i] = middle[i]!;
  }
  await look(far);
  await simulation.write('angularVelocities', new Float64Array(6 * pairs));
  const towards = placed.flatMap(({ direction }) => [
    ...direction.map((x) => SPEED * x),
    ...direction.map((x) => -SPEED * x),
  ]);
  await simulation.write('velocities', Float64Array.from(towards));
  const { inertia, enclosedVolume: volume = 0 } = checkMesh(mesh);
  const energyBefore = await kinetic(simulation, volume, inertia!);
  // A pair has collided where it has touched and is apart.
  const state = new Uint8Array(pairs);
  let touches = 0;
  for (let n = 0; n * timeStep < 20 && state.some((x) => x !== 2); n++) {
    await simulation.step();
    const found = await touching();
    for (let i = 0; i < pairs; i++) state[i] = found[i] ? 1 : state[i] === 0 ? 0 : 2;
    touches += found.reduce((sum, x) => sum + x, 0);
    if (n % 10 === 0) context.progress(state.filter((x) => x === 2).length, pairs);
  }
  const energyAfter = await kinetic(simulation, volume, inertia!);
  const changes = Array.from({ length: pairs }, (_, i) => {
    const [before, after] = [energyBefore, energyAfter].map((all) => all[2 * i]! + all[2 * i + 1]!);
    return after! / before! - 1;
  });
  const momentum = Math.hypot(...simulation.monitors.momentum) / (2 * pairs * volume * SPEED);
  const contact = (touches * simulation.timeStep) / pairs;
  return { changes: changes.filter((_, i) => state[i] === 2), momentum, contact };
}

/** Of each rock, at density 1. */
async function kinetic(simulation: Simulation, mass: number, inertia: readonly (readonly number[])[]) {
  const [poses, v, w] = [
    await simulation.read('poses'),
    await simulation.read('velocities'),
    await simulation.read('angularVelocities'),
  ];
  return Array.from({ length: v.length / 3 }, (_, i) => {
    const turn = quatd.conjugate(poses.subarray(7 * i + 3, 7 * i + 7));
    const own = vec3d.transformQuat(w.subarray(3 * i, 3 * i + 3), turn);
    const spin = inertia.reduce(
      (sum, row, k) => sum + own[k]! * (row[0]! * own[0]! + row[1]! * own[1]! + row[2]! * own[2]!),
      0,
    );
    return (mass * Math.hypot(...v.subarray(3 * i, 3 * i + 3)) ** 2 + spin) / 2;
  });
}

export const walls: ValidationCase = {
  name: 'walls',
  shows: 'Four concave rocks fly about between six walls, without friction and losses.',
  source: 'conservation of energy',
  async run(context) {
    const wanted = context.isQuick ? 5 : 100;
    const { unit, turn } = directions(2);
    const mesh = rock();
    const half = 2.5;
    const q = Math.SQRT1_2;
    const planes = [
      [0, 0, 0, 1, 0, 0, -half],
      [1, 0, 0, 0, 0, 0, half],
      [0, q, 0, q, -half, 0, 0],
      [0, -q, 0, q, half, 0, 0],
      [-q, 0, 0, q, 0, -half, 0],
      [q, 0, 0, q, 0, half, 0],
    ].map(([x, y, z, w, px, py, pz]) => ({
      ...{ shape: 1, rotation: [x!, y!, z!, w!], position: [px!, py!, pz!] as const },
    }));
    const rocks = [
      [1, 1, 1],
      [-1, -1, 1],
      [-1, 1, -1],
      [1, -1, -1],
    ].map((at) => ({
      position: at.map((x) => 1.2 * x) as unknown as [number, number, number],
      rotation: turn(),
      velocity: unit().map((x) => SPEED * x) as [number, number, number],
    }));
    const simulation = await context.simulate(
      {
        shapes: [{ kind: 'polyhedron', mesh }, { kind: 'plane' }],
        materials: [ELASTIC],
        gravity: [0, 0, 0],
        bodies: bodiesOf([...rocks, ...planes]),
      },
      { timeStep: LONGEST_STEP },
    );
    const first = simulation.monitors.balance;
    const points: [number, number][] = [[0, 0]];
    let touched = new Set<number>();
    let count = 0;
    for (let n = 0; n < 200_000 && count < wanted; n++) {
      await simulation.step();
      const { bodies, count: contacts } = await simulation.contacts();
      const now = new Set<number>();
      for (let c = 0; c < contacts; c++) now.add(16 * bodies[2 * c]! + bodies[2 * c + 1]!);
      for (const pair of touched) {
        if (now.has(pair)) continue;
        count++;
        points.push([count, 100 * (simulation.monitors.balance / first - 1)]);
      }
      touched = now;
      if (n % 100 === 0) context.progress(count, wanted);
    }
    const change = Math.abs(simulation.monitors.balance / first - 1);
    const because = 'of the energy, as for a collision of two';
    return {
      rows: [
        above('collisions', count, { within: wanted, because: 'as many as were asked for' }),
        below('change of energy per collision', change / count, { within: 1e-3, because }),
        below('change of energy in all', change, {
          within: 1e-2 * Math.sqrt(wanted),
          because: 'that of one, as if they added at random',
        }),
      ],
      charts: [
        {
          ...{ title: 'Rocks between walls', x: 'collisions', y: 'change of energy, %' },
          series: [{ name: 'change', look: 'line', color: 0, points }],
        },
      ],
    };
  },
};
