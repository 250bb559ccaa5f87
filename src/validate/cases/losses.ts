/** What was lost is lost. */
import { type ContactShape, randomRock } from '../../index.ts';
import { bodiesOf } from '../scenes.ts';
import { below, type Row, type ValidationCase } from '../validation-case.ts';
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
/** The trapezoidal rule's error in a step, in parts of the energy: (w dt)^3 / 12, and w dt is pi / 40 by default. */
const STEP_ERROR = (Math.PI / 40) ** 3 / 12;
const MATERIAL = { density: 1000, youngsModulus: 1e6, friction: 0.5, restitution: 0.5 };

export const losses: ValidationCase = {
  name: 'losses',
  shows: 'Two bodies that meet askew, turn and slide: what dashpots and friction took does not come back.',
  source: 'second law of thermodynamics',
  async run({ simulate, isQuick, progress }) {
    const { random, unit, turn } = directions(12);
    const names = Object.keys(KINDS);
    const pairs = names.flatMap((a, i) => names.slice(Math.max(1, i)).map((b) => [a, b] as const));
    const rows: Row[] = [];
    for (const [done, [a, b]] of pairs.entries()) {
      progress(done, pairs.length);
      let [fall, lost] = [0, 0];
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
        // They meet within a length of 1.2.
        for (const end = 0.5; simulation.time < end; ) {
          await simulation.step();
          const now = simulation.monitors;
          fall = Math.max(fall, last.dashpots - now.dashpots, last.friction - now.friction);
          last = now;
        }
        lost += last.dashpots + last.friction;
      }
      const because =
        'what was lost does not come back, but for the third order of a step: powers are those at its ends';
      const what = `${b} on ${a}: largest fall in a step, of what was lost`;
      rows.push(below(what, fall / lost, { within: STEP_ERROR, because }));
    }
    return { rows };
  },
};
