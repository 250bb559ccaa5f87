/** A nut that goes down a bolt. */
import { type SimulationScene, thread } from '../../index.ts';
import { SOFT } from '../lying-bodies.ts';
import { below, type CaseContext, type ValidationCase } from '../validation-case.ts';

const PITCH = 0.8;

/** Without friction. The nut has this speed down, and turns by a pitch per turn. */
function nutOnBolt(speed: number, play = 0.05): SimulationScene {
  const sizes = { depth: 0.3, pitch: PITCH, segments: 16 };
  const meshes = [
    thread({ ...sizes, radius: 1, length: 4 }),
    thread({ ...sizes, radius: 1 + play, length: 2 * PITCH, nutRadius: 1.4 }),
  ];
  return {
    shapes: meshes.map((mesh) => ({ kind: 'polyhedron', mesh }) as const),
    materials: [{ ...SOFT, youngsModulus: 3e6, friction: 0, rollingFriction: 0, torsionalFriction: 0 }],
    bodies: {
      shapes: Uint32Array.of(0, 1),
      isStatic: Uint8Array.of(1, 0),
      poses: Float64Array.of(0, 0, 0, 0, 0, 0, 1, 0, 0, PITCH, 0, 0, 0, 1),
      velocities: Float64Array.of(0, 0, 0, 0, 0, -speed),
      angularVelocities: Float64Array.of(0, 0, 0, 0, 0, (-2 * Math.PI * speed) / PITCH),
    },
    margin: 0.03,
  };
}

/** Turns, and how far it got, after each step until it turned so far or for so long. */
async function wayOf(context: CaseContext, speed: number, most: { turns: number; time: number }) {
  const simulation = await context.simulate(nutOnBolt(speed));
  const way: (readonly [time: number, turns: number, fallen: number])[] = [];
  let turns = 0;
  while (turns < most.turns && simulation.time < most.time) {
    await simulation.step();
    turns -= ((await simulation.read('angularVelocities'))[5]! * simulation.timeStep) / (2 * Math.PI);
    way.push([simulation.time, turns, PITCH - (await simulation.read('centroids'))[5]!]);
    context.progress(turns, most.turns);
  }
  return way;
}

export const nut: ValidationCase = {
  name: 'nut',
  shows: 'A nut goes down a bolt without friction by its pitch per turn.',
  source: 'closed form: a screw',
  async run(context) {
    const driven = await wayOf(context, 1, { turns: 0.45, time: 1 });
    const behind = driven.map(([, turns, fallen]) => fallen - PITCH * turns);
    const later = behind.slice(behind.length / 2);
    const ahead = Math.max(...behind) / PITCH;
    const swing = (Math.max(...later) - Math.min(...later)) / PITCH;
    return {
      rows: [
        below('ahead of its turns, of the pitch', ahead, {
          ...{ within: 0.1, because: 'it falls through the play' },
        }),
        below('swing in the later half, of the pitch', swing, { within: 0.05, because: 'that of the play' }),
      ],
      charts: [
        {
          ...{ title: 'A nut on a bolt', x: 'turns', y: 'fallen, m' },
          series: [
            {
              name: 'pitch x turns',
              look: 'line',
              color: 0,
              points: [
                [0, 0],
                [0.45, 0.45 * PITCH],
              ],
            },
            {
              ...({ name: 'nut', look: 'dots', color: 0 } as const),
              points: driven
                .filter((_, i) => i % Math.ceil(driven.length / 30) === 0)
                .map(([, t, z]) => [t, z]),
            },
          ],
        },
      ],
    };
  },
};
