/** Bodies that come to rest: on planes, on meshes, on each other. */
import type { Material, Simulation, SimulationScene } from '../../index.ts';
import { FLOAT32_FORCE, HOURS_ON_SOFTWARE } from '../constants.ts';
import { creepSince, LYING, restlessness, SOFT, tower } from '../lying-bodies.ts';
import { below, type CaseContext, equal, near, type Row, type ValidationCase } from '../validation-case.ts';
import { pileOf, SIZE } from './pile.ts';

const SPEEDS = 'Speeds are of the fastest point, in sqrt(g size)';
const ROUND = ['sphere', 'cylinder, lying', 'capsule'];
const CONVEX = [...ROUND, 'box', 'cylinder, upright', 'cone', 'hull', 'round box'];
const LETTERS = ['L, lying', 'U, lying', 'L, upright', 'U, upright', 'U, upside down'];

const stepFor = (simulation: Simulation, time: number) =>
  simulation.step(Math.ceil(time / simulation.timeStep));

interface Rest {
  readonly names: readonly string[];
  readonly ground: 'plane' | 'mesh';
  /** How many of them lie on each other. */
  readonly count?: number;
  readonly youngsModulus?: number;
  /** Seconds. */
  readonly time: number;
  /** Of the speed then. */
  readonly most: number;
  /** How far above each other they are at first. */
  readonly drop?: number;
  /** Seconds after that, in which they creep by less than a thousandth, and calm. */
  readonly watched?: number;
}

async function restOf(context: CaseContext, rests: readonly Rest[]): Promise<Row[]> {
  const rows: Row[] = [];
  const all = rests.reduce((sum, { names }) => sum + names.length, 0);
  let done = 0;
  for (const { names, ground, count = 1, youngsModulus = SOFT.youngsModulus, ...rest } of rests) {
    const { time, most, drop, watched = 0 } = rest;
    for (const [i, name] of names.entries()) {
      const simulation = await context.simulate(
        tower(LYING[name]!, ground, count, { ...SOFT, youngsModulus }, drop),
      );
      await stepFor(simulation, time);
      const place = count > 2 ? `${count - 1} of its like` : count > 1 ? 'its like' : `a ${ground}`;
      const what = `${name} on ${place}`;
      // Towers sway: the most of two seconds, in which they sway to both sides and back.
      const speed = () => (watched > 0 ? fastestIn(simulation, 2) : restlessness(simulation));
      const first = await speed();
      rows.push(
        below(`${what}: speed after ${time} s`, first, { within: most, because: 'nobody would see it' }),
      );
      if (watched > 0) {
        const before = await simulation.read('centroids');
        await stepFor(simulation, watched);
        const creep = await creepSince(simulation, before);
        rows.push(
          below(`${what}: the same ${watched} s later, of that`, (await speed()) / first, {
            ...{ within: 1, because: 'it falls' },
          }),
          below(`${what}: creep in ${watched} s, sizes`, creep, {
            ...{ within: 1e-3, because: 'nobody would see it' },
          }),
        );
      }
      context.progress(done + i + 1, all);
    }
    done += names.length;
  }
  return rows;
}

export const rest: ValidationCase = {
  name: 'rest',
  shows: 'Bodies that were dropped by a hundredth of their size and tipped by 0.6 degrees come to rest.',
  source: `what bodies do. ${SPEEDS}`,
  async run(context) {
    const rests: Rest[] = [
      { names: CONVEX, ground: 'plane', time: 4, most: 1e-5 },
      { names: ['cube'], ground: 'mesh', youngsModulus: 2e6, time: 3, most: 1e-5 },
    ];
    const others: Rest[] = [
      { names: ['cube', ...LETTERS], ground: 'plane', youngsModulus: 2e6, time: 4, most: 1e-5 },
      { names: ['box', 'cylinder, upright', 'round box'], ground: 'plane', count: 2, time: 5, most: 1e-3 },
    ];
    return { rows: await restOf(context, context.isQuick ? rests : [...rests, ...others]) };
  },
};

export const restLong: ValidationCase = {
  name: 'rest-long',
  isLong: true,
  needsHardware: HOURS_ON_SOFTWARE,
  shows: 'Bodies that take longer to rest, on planes, on meshes and on their like.',
  source: `what bodies do. ${SPEEDS}`,
  async run(context) {
    return {
      rows: await restOf(context, [
        { names: ['ellipsoid'], ground: 'plane', time: 8, most: 1e-6 },
        { names: CONVEX.filter((name) => name !== 'sphere'), ground: 'mesh', time: 8, most: 1e-6 },
        { names: ['ellipsoid'], ground: 'mesh', time: 8, most: 1e-6 },
        {
          ...{ names: ['L, lying', 'U, lying'], ground: 'plane', count: 2 },
          youngsModulus: 2e6,
          time: 4,
          most: 1e-4,
        },
        {
          ...{ names: ['cube of few nodes'], ground: 'plane', count: 5, drop: 2e-4 },
          ...{ youngsModulus: 1e7, time: 3, most: 1e-3, watched: 10 },
        },
        { names: LETTERS, ground: 'mesh', youngsModulus: 2e6, time: 6, most: 1e-5 },
        { names: ['rock'], ground: 'plane', time: 30, most: 1e-5 },
        { names: ['rock'], ground: 'mesh', time: 30, most: 1e-5 },
      ]),
    };
  },
};

/** Five, turned and shifted against each other, so that flat patches have up to eight corners. */
function fiveOf(name: string, material: Material) {
  const scene = tower(LYING[name]!, 'plane', 5, material);
  for (let i = 1; i <= 5; i++) {
    const angle = 0.03 * ((5 * i) % 4);
    scene.bodies.poses[7 * i + 1] = 0.013 * (((7 * i) % 3) - 1);
    scene.bodies.poses.set([0, 0, Math.sin(angle), Math.cos(angle)], 7 * i + 3);
  }
  return scene;
}

async function featuresOf(simulation: Simulation): Promise<string> {
  const { features, count } = await simulation.contacts();
  return features.slice(0, count).join();
}

/** The most speed in a time: towers sway. */
async function fastestIn(simulation: Simulation, time: number): Promise<number> {
  const end = simulation.time + time;
  let most = 0;
  while (simulation.time < end) {
    await simulation.step(10);
    most = Math.max(most, await restlessness(simulation));
  }
  return most;
}

async function towerOf(context: CaseContext, name: string, youngsModulus: number): Promise<Row[]> {
  const simulation = await context.simulate(fiveOf(name, { ...SOFT, youngsModulus }));
  await stepFor(simulation, 1);
  const before = await fastestIn(simulation, 0.5);
  const { balance, dashpots } = simulation.monitors;
  const places = await simulation.read('centroids');
  const features = await featuresOf(simulation);
  await stepFor(simulation, 1.5);
  const after = await fastestIn(simulation, 0.5);
  const change = Math.abs(simulation.monitors.balance - balance) / dashpots;
  return [
    below(`${name}: most speed from 3 s to 3.5 s`, after, {
      ...{ within: 0.015, because: 'nobody would see it: a slow sway, of which dashpots take little' },
    }),
    below(`${name}: the same, of that from 1 s to 1.5 s`, after / before, {
      within: 0.95,
      because: 'it calms',
    }),
    below(`${name}: way from 1.5 s to 3.5 s, sizes`, await creepSince(simulation, places), {
      ...{ within: 0.02, because: 'it sways, and does not lean' },
    }),
    below(`${name}: change of the balance, of the losses`, change, {
      ...{ within: 1e-3, because: 'losses are integrated by the trapezoidal rule over the steps' },
    }),
    ...(name === 'box'
      ? [
          near('box: contacts that changed', (await featuresOf(simulation)) === features ? 0 : 1, 0, {
            ...{ within: 0, because: '1 if any did: patches keep their corners' },
          }),
        ]
      : []),
  ];
}

export const towers: ValidationCase = {
  name: 'towers',
  shows: 'Five bodies on each other, turned and shifted, calm and stay.',
  source: `what towers do. ${SPEEDS}`,
  async run(context) {
    const rows: Row[] = [];
    const names = ['box', ...(context.isQuick ? [] : ['cylinder, upright', 'round box'])];
    for (const [i, name] of names.entries()) {
      rows.push(...(await towerOf(context, name, 3e7)));
      context.progress(i + 1, names.length);
    }
    return { rows };
  },
};

/** How far places are apart, in sizes, after a time, of bodies at the origin and 10^5 sizes away along x. */
async function apart(context: CaseContext, sceneOf: () => SimulationScene, size: number, time: number) {
  const ends: Float64Array[] = [];
  for (const away of [0, 1e5 * size]) {
    const scene = sceneOf();
    const { poses } = scene.bodies;
    for (let at = 0; at < poses.length; at += 7) poses[at]! += away;
    const simulation = await context.simulate(scene);
    await stepFor(simulation, time);
    ends.push((await simulation.read('centroids')).map((x, k) => (k % 3 === 0 ? x - away : x)));
  }
  return Math.max(...ends[0]!.map((x, k) => Math.abs(x - ends[1]![k]!))) / size;
}

export const far: ValidationCase = {
  name: 'far',
  shows: 'A tower of three boxes, and rocks that fall into a heap, move 10^5 sizes away as at the origin.',
  source: 'the same physics everywhere',
  async run(context) {
    const ofTower = await apart(context, () => tower(LYING.box!, 'plane', 3, SOFT, 0.0005), 1, 0.25);
    const ofHeap = await apart(context, () => pileOf(12, 2), SIZE, context.isQuick ? 0.3 : 1);
    return {
      rows: [
        below('tower: difference, sizes', ofTower, {
          ...{ within: 1e-7, because: 'float64 has 2^-37 of a size there' },
        }),
        below('heap of 12 rocks: difference, sizes', ofHeap, {
          ...{ within: 1e-6, because: '2^-37 of a size, which grows where rocks hit each other' },
        }),
      ],
    };
  },
};

/** A ball that moves over coplanar triangles, and over a plane: by how much its places and speeds differ. */
async function ballsApart(
  context: CaseContext,
  velocity: readonly number[],
  height: number,
): Promise<number> {
  const ends: number[][] = [];
  for (const ground of ['plane', 'mesh'] as const) {
    const scene = tower(LYING.sphere!, ground);
    scene.bodies.poses.set([-1, -0.8, height, 0, 0, 0, 1], 7);
    const simulation = await context.simulate({
      ...scene,
      bodies: { ...scene.bodies, velocities: Float64Array.of(0, 0, 0, ...velocity) },
    });
    await stepFor(simulation, 1);
    const end: number[] = [];
    for (const field of ['centroids', 'velocities', 'angularVelocities'] as const)
      end.push(...(await simulation.read(field)).subarray(3));
    ends.push(end);
  }
  return Math.max(...ends[0]!.map((x, k) => Math.abs(x - ends[1]![k]!)));
}

/** A cube that falls flat on a ground: its rebound over its speed, and how deep it got. */
async function flatImpact(context: CaseContext, ground: 'plane' | 'mesh', restitution: number) {
  const speed = 2;
  const scene = tower(LYING.cube!, ground, 1, { ...SOFT, youngsModulus: 1e8, restitution, friction: 0 });
  scene.bodies.poses.set([0.3, 0.2, 0.505, 0, 0, 0, 1], 7);
  const simulation = await context.simulate({
    ...scene,
    gravity: [0, 0, 0],
    bodies: { ...scene.bodies, velocities: Float64Array.of(0, 0, 0, 0, 0, -speed) },
  });
  let depth = 0;
  do {
    await simulation.step();
    depth = Math.max(depth, simulation.monitors.deepestOverlap);
  } while (depth === 0 || simulation.monitors.contacts > 0);
  return { rebound: (await simulation.read('velocities'))[5]! / speed, depth };
}

export const meshWalls: ValidationCase = {
  name: 'mesh-walls',
  shows:
    'Walls of triangles act as planes: a ball slides and bounces over coplanar triangles as over a plane, and a cube ' +
    'that falls flat parts from both with the restitution that was set.',
  source: 'the same physics, and restitution',
  async run(context) {
    const rows: Row[] = [];
    const same = {
      ...{ within: 1e-12, because: 'rounding of float64' },
      inFloat32: {
        within: 8 * FLOAT32_FORCE,
        because: '2^-14 of each force: speeds change by 4 m/s, on both grounds',
      },
    };
    rows.push(
      below('ball that slides: difference', await ballsApart(context, [2, 0.3, 0], 0.5), same),
      below('ball that bounces: difference', await ballsApart(context, [1.5, 0.4, -2], 0.8), same),
    );
    const depths: number[] = [];
    for (const ground of ['plane', 'mesh'] as const) {
      const { rebound, depth } = await flatImpact(context, ground, 0.5);
      depths.push(depth);
      rows.push(
        equal(`cube on a ${ground}: restitution`, rebound, 0.5, {
          ...{ within: 0.02, because: '2 %: a mesh gives way where its nodes are, edges add their own' },
        }),
      );
    }
    rows.push(
      equal('cube: overlap with the mesh, of that with the plane', depths[1]! / depths[0]!, 1, {
        ...{
          within: 0.02,
          because: '2 %: edges add that to the area, and few nodes of the mesh are below the cube',
        },
      }),
    );
    return { rows };
  },
};
