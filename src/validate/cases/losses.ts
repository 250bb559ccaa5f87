/** What was lost is lost. */
import { type ContactShape, randomRock } from '../../index.ts';
import { bodiesOf } from '../scenes.ts';
import { above, below, type Row, type ValidationCase } from '../validation-case.ts';
import { directions, rock } from './collisions.ts';

const KINDS: Readonly<Record<string, () => ContactShape>> = {
  plane: () => ({ kind: 'plane' }),
  'concave rock': () => ({ kind: 'polyhedron', mesh: rock() }),
  hull: () => ({
    kind: 'polytope',
    vertices: randomRock({ seed: 4, triangles: 28, convex: true }).positions,
  }),
  ball: () => ({ kind: 'sphere', radius: 0.9 }),
  box: () => ({ kind: 'box', halfExtents: [0.7, 0.6, 0.5] }),
};
/**
 * Verlet's error of the energy at the recommended step, whose w dt is pi / 40: (w dt)^2 / 4 of what a spring holds. Of
 * a ball that touches for as long, 1.65 as much: at its deepest, Hertz's spring is (4.03 / pi)^2 times as stiff. Its
 * tangential spring has 0.86 of the stiffness, and a mass of 2 / 7: three times the square of the frequency. By
 * friction of 0.5 it holds at most 0.29 of what the normal one does: 1.65 (1 + 3 * 0.29) / (1 + 0.29) is 2.4, a quarter
 * of it 0.6. Bodies with faces have less.
 */
const STEP_ERROR = 0.6 * (Math.PI / 40) ** 2;
const MATERIAL = {
  ...{ density: 1000, youngsModulus: 1e6, restitution: 0.5 },
  ...{ friction: 0.5, rollingFriction: 0.1, torsionalFriction: 0.05 },
};
const LOST = ['dashpots', 'friction', 'rolling'] as const;

export const losses: ValidationCase = {
  name: 'losses',
  shows:
    'Two bodies that meet askew, turn, slide and roll: what was lost does not come back, and the energies add up.',
  source: 'second law of thermodynamics, conservation of energy',
  async run({ simulate, isQuick, progress }) {
    const { random, unit, turn } = directions(12);
    const names = Object.keys(KINDS);
    const pairs = names.flatMap((a, i) => names.slice(Math.max(1, i)).map((b) => [a, b] as const));
    const rows: Row[] = [];
    for (const [done, [a, b]] of pairs.entries()) {
      progress(done, pairs.length);
      let [fall, lost, off, energy] = [0, 0, 0, 0];
      for (let run = 0; run < (isQuick ? 2 : 20); run++) {
        const isPlane = a === 'plane';
        const simulation = await simulate({
          shapes: [KINDS[a]!(), KINDS[b]!()],
          materials: [MATERIAL],
          gravity: [0, 0, 0],
          bodies: bodiesOf([
            isPlane ? {} : { rotation: turn(), angularVelocity: unit() },
            {
              ...{ shape: 1, position: [0.3 * random(), 0.3 * random(), isPlane ? 1.2 : 2.2] },
              ...{ rotation: turn(), velocity: [1, random(), -3], angularVelocity: unit() },
            },
          ]),
        });
        let last = simulation.monitors;
        const { balance, kinetic } = last;
        // They meet within a length of 1.2.
        for (const end = 0.5; simulation.time < end; ) {
          await simulation.step();
          const now = simulation.monitors;
          fall = Math.max(fall, ...LOST.map((of) => last[of] - now[of]));
          off = Math.max(off, Math.abs(now.balance - balance) / kinetic);
          last = now;
        }
        lost += Math.min(...LOST.map((of) => last[of]));
        energy += kinetic;
        simulation.destroy();
      }
      rows.push(
        above(`${b} on ${a}: least of what was lost in each way, of the energy`, lost / energy, {
          ...{ within: 1e-4, because: 'they damp, slide and roll' },
        }),
        below(`${b} on ${a}: largest fall of any of these in a step`, fall, {
          ...{ within: 0, because: 'what was lost does not come back' },
        }),
        below(`${b} on ${a}: the energies are off by, of the energy`, off, {
          within: STEP_ERROR,
          because:
            'of second order in the step, 0.6 (pi / 40)^2: nothing is hidden that losses should have told',
        }),
      );
    }
    return { rows };
  },
};
