/** Concave bodies without losses: forces from a potential, and energy that stays. */
import { quatd, vec3d } from 'wgpu-matrix';
import { bodiesOf } from '../scenes.ts';
import { above, below, type ValidationCase } from '../validation-case.ts';
import { directions, ELASTIC, LONGEST_STEP, rock, SPEED } from './collisions.ts';

export const potential: ValidationCase = {
  name: 'potential',
  shows:
    'Two concave rocks that overlap at random: force and torque, all six components, are minus the central ' +
    'differences of the elastic energy, edges included.',
  source: 'definition of a potential',
  needsFloat64: 'energies are subtracted whose ways are a millionth apart, which float32 cannot tell',
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
