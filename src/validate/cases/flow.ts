/** Rocks that make heaps and turn in a drum, balls that flow out of a silo. */
import {
  createRandom,
  type Material,
  parseScene,
  revolution,
  type Simulation,
  type SimulationScene,
  simulationScene,
} from '../../index.ts';
import { G } from '../scenes.ts';
import { above, type CaseContext, equal, near, type Row, type ValidationCase } from '../validation-case.ts';

const ROCKS = ['rock 1', 'rock 2', 'rock 3'];
const DEGREES = 180 / Math.PI;

/** Rocks of one friction, and what else a scene has, as of a scene file. */
async function rocksOf(friction: number, size: number, shapes: object, bodies: object[], body: object) {
  const rocks = ROCKS.map((name, i) => {
    const generate = { kind: 'rock', triangles: 32, roughness: 0.5, seed: i + 1 };
    return [name, { kind: 'polyhedron', generate, scale: size, nodeSpacing: size / 2 }];
  });
  const text = JSON.stringify({
    shapes: { ...shapes, ...Object.fromEntries(rocks) },
    materials: {
      rock: {
        ...{ density: 2500, youngsModulus: 2e6, restitution: 0.2, friction },
        ...{ rollingFriction: 0.05, torsionalFriction: 0.05 },
      },
    },
    bodies: [...bodies, { name: 'rock', shape: ROCKS, rotation: 'random', ...body }],
  });
  return simulationScene(await parseScene(text));
}

async function stepTo(simulation: Simulation, time: number, done: (share: number) => void) {
  while (simulation.time < time) {
    await simulation.step(Math.min(50, Math.ceil((time - simulation.time) / simulation.timeStep)));
    done(simulation.time / time);
  }
}

/** Degrees: the slope of the cone of the same mean height, and of the same mean distance from its axis. */
async function slopeOfHeap(context: CaseContext, friction: number, seed: number, done: (s: number) => void) {
  const source = {
    ...{ count: 60, batch: 4, every: 0.25, seed },
    region: { base: [0, 0, 0.6], radius: 0.4, height: 0.5 },
  };
  const scene = await rocksOf(friction, 0.1, { ground: { kind: 'plane' } }, [{ shape: 'ground' }], {
    ...{ velocity: [0, 0, -1], source },
  });
  const simulation = await context.simulate(scene, { timeStep: 4e-4 });
  await stepTo(simulation, 4.5, done);
  const places = (await simulation.read('centroids')).subarray(3);
  const count = places.length / 3;
  const mean = [0, 0, 0];
  for (const [k, x] of places.entries()) mean[k % 3]! += x / count;
  let distance = 0;
  for (let i = 0; i < count; i++) {
    distance += Math.hypot(places[3 * i]! - mean[0]!, places[3 * i + 1]! - mean[1]!) / count;
  }
  // A cone of height H and radius R has the means H / 4 and R / 2.
  return Math.atan((2 * mean[2]!) / distance) * DEGREES;
}

/** Degrees: how far the rocks in a drum lean over, as seen from its axis, on average over the later half. */
async function leanInDrum(context: CaseContext, friction: number, done: (share: number) => void) {
  const drum = {
    kind: 'polyhedron',
    generate: { kind: 'drum', radius: 0.5, length: 0.4, thickness: 0.1, opening: 0.15 },
    nodeSpacing: 0.1,
  };
  const turned = { shape: 'drum', rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] };
  const scene = await rocksOf(
    friction,
    0.07,
    { drum },
    [{ ...turned, motion: { angularVelocity: [0, 1, 0] } }],
    { random: { count: 16, region: { low: [-0.34, -0.19, -0.42], high: [0.34, 0.19, 0.3] }, seed: 5 } },
  );
  const simulation = await context.simulate(scene, { timeStep: 2.5e-4 });
  const [settled, end] = [0.8, 1.6];
  await stepTo(simulation, settled, (share) => done(share / 2));
  let [x, z] = [0, 0];
  while (simulation.time < end) {
    await simulation.step(50);
    const places = (await simulation.read('centroids')).subarray(3);
    for (const [k, way] of places.entries()) {
      if (k % 3 === 0) x += way;
      if (k % 3 === 2) z += way;
    }
    done(simulation.time / end);
  }
  return Math.abs(Math.atan2(x, -z)) * DEGREES;
}

/** Angles for a few coefficients of friction: they rise, and a chart of them. */
function rising(title: string, frictions: readonly number[], angles: readonly number[], rise: number) {
  const rows = frictions.slice(1).map((friction, i) =>
    above(`rise of the angle from friction ${frictions[i]} to ${friction}`, angles[i + 1]! - angles[i]!, {
      ...{ within: rise, because: 'more friction holds steeper slopes', unit: ' degrees' },
    }),
  );
  const points = frictions.map((friction, i) => [friction, angles[i]!] as const);
  const series = [{ name: 'rocks', look: 'dots', color: 0, points } as const];
  return { rows, charts: [{ title, x: 'friction', y: 'angle, degrees', series }] };
}

export const heap: ValidationCase = {
  name: 'heap',
  isLong: true,
  shows: 'Concave rocks that rain make a heap. Its angle of repose is repeatable, and rises with friction.',
  source: 'what heaps do',
  async run(context) {
    const frictions = [0.1, 0.3, 0.9];
    const angles: number[] = [];
    const slope = (friction: number, seed: number, i: number) =>
      slopeOfHeap(context, friction, seed, (share) => context.progress(i + share, 4));
    for (const [i, friction] of frictions.entries()) angles.push(await slope(friction, 7, i));
    const again = await slope(frictions[2]!, 8, 3);
    const { rows, charts } = rising('Angle of repose', frictions, angles, 0);
    const repeated = near('angle of another rain of the same rocks, friction 0.9', again, angles[2]!, {
      ...{
        within: 3,
        because: '3 degrees: 60 rocks, whose angle is known to about a tenth',
        unit: ' degrees',
      },
    });
    return { rows: [...rows, repeated], charts };
  },
};

export const drum: ValidationCase = {
  name: 'drum',
  isLong: true,
  shows: 'Concave rocks in a drum that turns lean over, and more with more friction.',
  source: 'what drums do',
  async run(context) {
    const frictions = [0.1, 0.3, 0.9];
    const angles: number[] = [];
    for (const [i, friction] of frictions.entries()) {
      const done = (share: number) => context.progress(i + share, frictions.length);
      angles.push(await leanInDrum(context, friction, done));
    }
    return rising('Rocks in a drum', frictions, angles, 0);
  },
};

/** Of a ball. Lengths below are diameters. */
const D = 0.1;
const [SILO, OPENING, LAYERS] = [4, 4, 18];
const BALLS: Material = {
  ...{ density: 2500, youngsModulus: 5e6, restitution: 0.5, friction: 0.5, rollingFriction: 0.02 },
};
const BALL_MASS = (2500 * Math.PI * D ** 3) / 6;

/** A silo with a flat bottom, and a round opening in it. */
function siloOf(): SimulationScene {
  const profile = [
    ...[
      [OPENING / 2, 0],
      [OPENING / 2, -0.5],
      [SILO + 1, -0.5],
    ],
    ...[
      [SILO + 1, LAYERS + 4],
      [SILO, LAYERS + 4],
      [SILO, 0],
    ],
  ].map(([r, z]) => [r! * D, z! * D] as [number, number]);
  const random = createRandom(3);
  const poses: number[] = [0, 0, 0, 0, 0, 0, 1];
  const spacing = 1.08 * D;
  const most = (SILO - 0.55) * D;
  for (let layer = 0; layer < LAYERS; layer++) {
    for (let i = -SILO; i <= SILO; i++) {
      for (let j = -SILO; j <= SILO; j++) {
        const [x, y, z] = [i, j, layer + 0.6].map((at) => spacing * at + 0.03 * D * (random() - 0.5));
        if (Math.hypot(x!, y!) < most) poses.push(x!, y!, z!, 0, 0, 0, 1);
      }
    }
  }
  const count = poses.length / 7;
  const mesh = revolution({ profile: profile.reverse(), segments: 24 });
  return {
    shapes: [
      { kind: 'polyhedron', mesh, nodeSpacing: 2 * D },
      { kind: 'sphere', radius: D / 2 },
    ],
    materials: [BALLS],
    bodies: {
      shapes: Uint32Array.from({ length: count }, (_, i) => Math.min(i, 1)),
      poses: Float64Array.from(poses),
      isStatic: Uint8Array.from({ length: count }, (_, i) => (i === 0 ? 1 : 0)),
    },
    removal: [{ point: [0, 0, -4 * D], normal: [0, 0, -1] }],
    margin: 0.1 * D,
  };
}

export const hopper: ValidationCase = {
  name: 'hopper',
  isLong: true,
  shows:
    'Balls of diameter d flow out of a silo by W = 0.58 rho g^0.5 (D - 1.4 d)^2.5, with the density rho of the bulk, ' +
    'while it is filled higher than two openings D.',
  source: 'W. A. Beverloo et al., "The flow of granular solids through orifices" (1961)',
  async run(context) {
    const simulation = await context.simulate(siloOf(), { timeStep: 5e-4 });
    const out: [number, number][] = [];
    const densities: number[] = [];
    const area = Math.PI * (SILO * D) ** 2;
    for (;;) {
      await simulation.step(25);
      const places = await simulation.read('centroids');
      const statuses = await simulation.read('statuses');
      let [slab, top, gone] = [0, 0, 0];
      for (let i = 1; i < statuses.length; i++) {
        const z = places[3 * i + 2]! / D;
        if (statuses[i] === 2 || z < 0) gone++;
        else if (z > 2 && z < 6) slab++;
        if (statuses[i] === 1) top = Math.max(top, z);
      }
      if (top < 2 * OPENING + 1) break;
      context.progress(LAYERS - top, LAYERS - 2 * OPENING - 1);
      // Until then the balls fall onto each other.
      if (simulation.time < 0.6) continue;
      out.push([simulation.time, gone * BALL_MASS]);
      densities.push((slab * BALL_MASS) / (4 * D * area));
    }
    const density = densities.reduce((sum, one) => sum + one, 0) / densities.length;
    const expected = 0.58 * density * Math.sqrt(G) * ((OPENING - 1.4) * D) ** 2.5;
    const [[t0, m0], [t1, m1]] = [out[0]!, out.at(-1)!];
    const tolerance = { within: 0.1, because: '10 %: as far as the law itself is held to', unit: ' kg/s' };
    const law = [t0, t1].map((t) => [t, m0 + expected * (t - t0)] as const);
    const points = out.filter((_, i) => i % Math.ceil(out.length / 40) === 0);
    return {
      rows: [equal('flow', (m1 - m0) / (t1 - t0), expected, tolerance)] satisfies Row[],
      charts: [
        {
          ...{ title: 'Flow out of a silo', x: 'time, s', y: 'mass that is out, kg' },
          series: [
            { name: 'Beverloo', look: 'line', color: 0, points: law },
            { name: 'balls', look: 'dots', color: 0, points },
          ],
        },
      ],
    };
  },
};
