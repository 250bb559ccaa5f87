/** A pile of concave rocks that comes to rest. */
import { createRandom, randomRock, type SimulationScene } from '../../index.ts';
import { HOURS_ON_SOFTWARE } from '../constants.ts';
import { creepSince, restlessness } from '../lying-bodies.ts';
import { below, type ValidationCase } from '../validation-case.ts';

/** Width of a rock. */
export const SIZE = 2;
const ROCKS = 200;
const SIDE = 8;
/** Steps are as long as pointed contacts allow: ten for the stiffest contact that came up. */
const TIME_STEP = 1.5e-3;
/** Seconds. */
const SETTLING = 16;
const WATCHED = 10;

/** Rocks of 32 triangles that fall together from a lattice so many wide, on a plane. */
export function pileOf(count: number, side: number): SimulationScene {
  const random = createRandom(11);
  const rocks = [1, 2, 3, 4].map((seed) => randomRock({ seed, triangles: 32, convex: false }));
  const poses = [0, 0, 0, 0, 0, 0, 1];
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [i % side, Math.floor(i / side) % side, Math.floor(i / side ** 2)];
    const turn = [0, 1, 2, 3].map(() => 2 * random() - 1);
    const length = Math.hypot(...turn);
    const middle = (side - 1) / 2;
    poses.push(2.1 * (x - middle), 2.1 * (y - middle), 1.1 + 2.1 * z, ...turn.map((one) => one / length));
  }
  return {
    shapes: [
      { kind: 'plane' },
      ...rocks.map((mesh) => ({ kind: 'polyhedron', mesh, nodeSpacing: SIZE / 4 }) as const),
    ],
    materials: [
      {
        ...{ density: 1000, youngsModulus: 1e7, restitution: 0.3, friction: 0.5 },
        ...{ rollingFriction: 0.1, torsionalFriction: 0.1 },
      },
    ],
    bodies: {
      shapes: Uint32Array.from({ length: count + 1 }, (_, i) => (i === 0 ? 0 : 1 + (i % rocks.length))),
      poses: Float64Array.from(poses),
    },
    margin: 0.1,
  };
}

export const pile: ValidationCase = {
  name: 'pile',
  shows: `${ROCKS} concave rocks fall together, with friction and rolling friction, and stop.`,
  source: 'What a pile does. Speeds are of the fastest point of all rocks, in sqrt(g size).',
  isLong: true,
  needsHardware: HOURS_ON_SOFTWARE,
  async run(context) {
    const simulation = await context.simulate(pileOf(ROCKS, SIDE), { timeStep: TIME_STEP });
    const all = Math.ceil((SETTLING + WATCHED) / TIME_STEP);
    const speed = () => restlessness(simulation, SIZE);
    const stepTo = async (last: number) => {
      while (simulation.monitors.steps < last) {
        await simulation.step();
        context.progress(simulation.monitors.steps, all);
      }
    };
    await stepTo(Math.ceil(SETTLING / TIME_STEP));
    const first = await speed();
    const before = await simulation.read('centroids');
    await stepTo(all);
    const creep = (await creepSince(simulation, before)) / SIZE;
    const last = await speed();
    return {
      rows: [
        below('fastest point, sqrt(g size)', first, { within: 1e-3, because: 'a pile at rest' }),
        below('the same, 10 s later over before', last / first, { within: 1, because: 'it falls' }),
        below('creep in 10 s, sizes', creep, { within: 1e-3, because: 'nobody would see it' }),
      ],
    };
  },
};
