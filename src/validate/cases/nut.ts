/** A nut that goes down a bolt. */
import { checkMesh, type SimulationScene, thread } from '../../index.ts';
import { HOURS_ON_SOFTWARE } from '../constants.ts';
import { SOFT } from '../lying-bodies.ts';
import { G } from '../scenes.ts';
import { below, type CaseContext, equal, type Row, type ValidationCase } from '../validation-case.ts';

const PITCH = 0.8;

/** Bolt and nut. */
function meshes(segments: number, play = 0.05) {
  const sizes = { depth: 0.3, pitch: PITCH, segments };
  return [
    thread({ ...sizes, radius: 1, length: 4 }),
    thread({ ...sizes, radius: 1 + play, length: 2 * PITCH, nutRadius: 1.4 }),
  ];
}

/** Without friction. The nut has this speed down, and turns by a pitch per turn. */
function nutOnBolt(speed: number, segments: number): SimulationScene {
  return {
    shapes: meshes(segments).map((mesh) => ({ kind: 'polyhedron', mesh }) as const),
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
async function wayOf(
  context: CaseContext,
  speed: number,
  most: { turns: number; time: number },
  segments = 16,
) {
  const simulation = await context.simulate(nutOnBolt(speed, segments));
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

/** How far a nut that was at rest gets per turn. */
async function fromRest(context: CaseContext): Promise<Row> {
  const way = await wayOf(context, 0, { turns: 1, time: 2 });
  // It falls through the play and bounces at first.
  const [[, n0, z0], [, n1, z1]] = [way[Math.round(way.length / 2)]!, way.at(-1)!];
  return equal('from rest under gravity: way per turn', (z1 - z0) / (n1 - n0), PITCH, {
    ...{ within: 0.05, because: '5 %: it swings in its play', unit: ' m' },
  });
}

export const nut: ValidationCase = {
  name: 'nut',
  shows: 'A nut goes down a bolt without friction by its pitch per turn, when it is sent down and from rest.',
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
        ...(context.isQuick ? [] : [await fromRest(context)]),
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

/** Facets of a thread's turn. Those that pass over each other shake a nut, and dashpots take what that costs. */
const FINE = 64;

/** Metres per second squared: how fast turns grow over the later half of a way, by least squares, by the pitch. */
function accelerationOf(way: readonly (readonly [time: number, turns: number, fallen: number])[]): number {
  const speeds = way.slice(1).map(([time, turns], i) => {
    const [before, fewer] = way[i]!;
    return [(time + before) / 2, (PITCH * (turns - fewer)) / (time - before)] as const;
  });
  const later = speeds.slice(speeds.length / 2);
  const mean = (of: (point: readonly [number, number]) => number) =>
    later.reduce((sum, point) => sum + of(point), 0) / later.length;
  const [time, speed] = [mean(([t]) => t), mean(([, v]) => v)];
  return mean(([t, v]) => (t - time) * (v - speed)) / mean(([t]) => (t - time) ** 2);
}

export const nutLong: ValidationCase = {
  name: 'nut-long',
  isLong: true,
  needsHardware: HOURS_ON_SOFTWARE,
  shows:
    'A nut of 64 facets a turn goes down a bolt from rest with g / (1 + I k^2 / m), k = 2 pi / pitch. It falls ' +
    'through its play first; the later of two seconds count.',
  source: 'closed form: a screw',
  async run(context) {
    const nut = checkMesh(meshes(FINE)[1]!);
    const k = (2 * Math.PI) / PITCH;
    const expected = G / (1 + (nut.inertia![2][2] * k ** 2) / nut.enclosedVolume!);
    const way = await wayOf(context, 0, { turns: 1, time: 2 }, FINE);
    return {
      rows: [
        equal('acceleration', accelerationOf(way), expected, {
          ...{ within: 0.05, unit: ' m/s2' },
          because:
            '5 %: facets shake it, and dashpots take 2 % of its fall; with 32 facets 7 %, with 16 23 %',
        }),
      ],
    };
  },
};
