/** Rocks that make heaps and turn in a drum, balls that flow out of a silo. */
import {
  createRandom,
  type Material,
  parseScene,
  revolution,
  type Simulation,
  type SimulationOptions,
  type SimulationScene,
  simulationScene,
} from '../../index.ts';
import { HOURS_ON_SOFTWARE } from '../constants.ts';
import { G } from '../scenes.ts';
import { above, below, type CaseContext, equal, type Row, type ValidationCase } from '../validation-case.ts';

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

/** At the step that is recommended. */
const BY_IMPULSES: SimulationOptions = { response: 'impulses', backend: 'cpu' };
/** Of what comes out by impulses beside forces. */
const AGREED = { within: 0.05, because: '5 %: both responses are of one scene' } as const;

/** Degrees: the slope of the cone of the same mean height, and of the same mean distance from its axis. */
async function slopeOfHeap(
  context: CaseContext,
  friction: number,
  seed: number,
  options: SimulationOptions,
  done: (share: number) => void,
) {
  const source = {
    ...{ count: 60, batch: 4, every: 0.25, seed },
    region: { base: [0, 0, 0.6], radius: 0.4, height: 0.5 },
  };
  const scene = await rocksOf(friction, 0.1, { ground: { kind: 'plane' } }, [{ shape: 'ground' }], {
    ...{ velocity: [0, 0, -1], source },
  });
  const simulation = await context.simulate(scene, options);
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

/** Spans of time, in seconds, that angles in a drum are averages of: longer than a slide of the rocks takes. */
const SPAN = 0.4;
const SPANS = 4;

/** Degrees: how far the rocks in a drum lean over, as seen from its axis, on average over each of some spans. */
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
  const settled = 0.8;
  const end = settled + SPANS * SPAN;
  await stepTo(simulation, settled, (share) => done((share * settled) / end));
  const angles: number[] = [];
  for (let span = 1; span <= SPANS; span++) {
    let [x, z] = [0, 0];
    while (simulation.time < settled + span * SPAN) {
      await simulation.step(50);
      const places = (await simulation.read('centroids')).subarray(3);
      for (const [k, way] of places.entries()) {
        if (k % 3 === 0) x += way;
        if (k % 3 === 2) z += way;
      }
      done(simulation.time / end);
    }
    angles.push(Math.abs(Math.atan2(x, -z)) * DEGREES);
  }
  return angles;
}

const meanOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

/**
 * Angles for a few coefficients of friction, each measured as many times: they rise by more than chance, and a chart of
 * them. The scatter of one angle is that of all measurements about the means of their frictions.
 */
function rising(title: string, frictions: readonly number[], angles: readonly (readonly number[])[]) {
  const count = angles[0]!.length;
  const means = angles.map(meanOf);
  const squares = angles.map((own, i) => meanOf(own.map((angle) => (angle - means[i]!) ** 2)));
  const scatter = Math.sqrt((meanOf(squares) * count) / (count - 1));
  const chance = 2 * scatter * Math.sqrt(2 / count);
  const rows = frictions.slice(1).map((friction, i) =>
    above(`rise of the angle from friction ${frictions[i]} to ${friction}`, means[i + 1]! - means[i]!, {
      ...{ within: chance, unit: ' degrees' },
      because: `two standard errors of the difference of two means of ${count}`,
    }),
  );
  const points = frictions.flatMap((friction, i) => angles[i]!.map((angle) => [friction, angle] as const));
  const series = [{ name: 'rocks', look: 'dots', color: 0, points } as const];
  return { rows, scatter, charts: [{ title, x: 'friction', y: 'angle, degrees', series }] };
}

export const heap: ValidationCase = {
  name: 'heap',
  isLong: true,
  needsHardware: HOURS_ON_SOFTWARE,
  shows: 'Concave rocks that rain make a heap. Its angle of repose is repeatable, and rises with friction.',
  source: 'what heaps do',
  async run(context) {
    // Above 0.4 angles rise by less than they scatter: rocks roll before they slide.
    const frictions = [0.1, 0.2, 0.4];
    const seeds = [7, 8];
    const rain = async (options: SimulationOptions, first: number, share: number) => {
      const angles: number[][] = [];
      for (const [i, friction] of frictions.entries()) {
        const own: number[] = [];
        for (const [j, seed] of seeds.entries()) {
          const done = (of: number) =>
            context.progress(first + (share * (2 * i + j + of)) / (2 * frictions.length), 1);
          own.push(await slopeOfHeap(context, friction, seed, options, done));
        }
        angles.push(own);
      }
      return angles;
    };
    const angles = await rain({ timeStep: 4e-4 }, 0, 0.8);
    const others = await rain(BY_IMPULSES, 0.8, 0.2);
    const { rows, scatter, charts } = rising('Angle of repose', frictions, angles);
    const repeated = below('scatter of the angle of two rains', scatter, {
      ...{ within: 3, unit: ' degrees' },
      because: '3 degrees: 60 rocks, whose angle is known to about a tenth',
    });
    const agreed = equal(
      'mean angle of all, by impulses',
      meanOf(others.map(meanOf)),
      meanOf(angles.map(meanOf)),
      { ...AGREED, unit: ' degrees' },
    );
    return { rows: [...rows, repeated, agreed], charts };
  },
};

export const drum: ValidationCase = {
  name: 'drum',
  isLong: true,
  needsHardware: HOURS_ON_SOFTWARE,
  shows: 'Concave rocks in a drum that turns lean over, and more with more friction.',
  source: 'what drums do',
  async run(context) {
    const frictions = [0.1, 0.3, 0.9];
    const angles: number[][] = [];
    for (const [i, friction] of frictions.entries()) {
      const done = (share: number) => context.progress(i + share, frictions.length);
      angles.push(await leanInDrum(context, friction, done));
    }
    const { rows, charts } = rising('Rocks in a drum', frictions, angles);
    return { rows, charts };
  },
};

/** Of a ball. Lengths below are diameters. */
const D = 0.1;
/**
 * The law needs a silo that is wider than 2.5 openings, and filled higher than two (C. Mankoc et al., "The flow rate of
 * granular materials through an orifice", 2007). Openings below about 5 diameters clog (I. Zuriguel et al., "Jamming
 * during the discharge of granular matter from a silo", 2005).
 */
const [OPENING, SILO, LAYERS] = [6, 7.8, 22];
/**
 * So stiff that the deepest overlap of balls that lie is 4 % of a ball: soft ones pack denser, and flow faster. They
 * are smooth: the law has no friction in it, but flow falls as friction rises (docs/dem.md).
 */
const BALLS: Material = { density: 2500, youngsModulus: 5e7, restitution: 0.5, friction: 0.2 };
const BALL_MASS = (2500 * Math.PI * D ** 3) / 6;
const TIME_STEP = 2e-4;
/** Seconds until balls that fell together lie still, and until they flow evenly once the opening is there. */
const [SETTLING, STARTING] = [0.8, 0.3];
/** Layers along a wall and the bottom, and the uneven top, are left out of the bulk. */
const LAYERED = 2;

/** Balls that fall together, which are not in each other. */
function looseBalls(): number[] {
  const random = createRandom(3);
  const poses: number[] = [];
  const spacing = 1.1 * D;
  const most = (SILO - 0.6) * D;
  const side = Math.ceil(SILO);
  for (let layer = 0; layer < LAYERS; layer++) {
    for (let i = -side; i <= side; i++) {
      for (let j = -side; j <= side; j++) {
        const [x, y, z] = [i, j, layer + 0.6].map((at) => spacing * at + 0.1 * D * (random() - 0.5));
        if (Math.hypot(x!, y!) < most) poses.push(x!, y!, z!, 0, 0, 0, 1);
      }
    }
  }
  return poses;
}

/** A silo with a flat bottom, which may have a round opening in it, and balls. */
function siloOf(opening: number, balls: readonly number[]): SimulationScene {
  const high = 1.1 * LAYERS + 2;
  const outline = [
    ...[
      [SILO, 0],
      [SILO, high],
      [SILO + 1, high],
      [SILO + 1, -0.5],
    ],
    ...[
      [opening / 2, -0.5],
      [opening / 2, 0],
    ],
  ].map(([r, z]) => [r! * D, z! * D] as [number, number]);
  const poses = [0, 0, 0, 0, 0, 0, 1, ...balls];
  const count = poses.length / 7;
  return {
    shapes: [
      { kind: 'polyhedron', mesh: revolution({ profile: outline, segments: 24 }), nodeSpacing: 2 * D },
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

/** Balls that lie in a closed silo, and the density of their bulk. */
async function filledSilo(context: CaseContext, done: (share: number) => void) {
  const balls = looseBalls();
  const simulation = await context.simulate(siloOf(0, balls), { timeStep: TIME_STEP });
  await stepTo(simulation, SETTLING, done);
  const places = (await simulation.read('centroids')).subarray(3);
  const heights = places.filter((_, k) => k % 3 === 2).sort();
  // A few lie on top of the others.
  const top = heights[Math.floor(0.98 * heights.length)]! / D;
  let bulk = 0;
  for (let i = 0; i < heights.length; i++) {
    const [x, y, z] = [places[3 * i]!, places[3 * i + 1]!, places[3 * i + 2]! / D];
    balls.splice(7 * i, 3, x, y, z * D);
    if (Math.hypot(x, y) < (SILO - LAYERED) * D && z > LAYERED && z < top - LAYERED) bulk++;
  }
  const volume = Math.PI * (SILO - LAYERED) ** 2 * (top - 2 * LAYERED) * D ** 3;
  return { balls, density: (bulk * BALL_MASS) / volume, top };
}

/** Times, and the mass that is out then, while a silo is filled higher than two openings. */
async function flowOut(
  context: CaseContext,
  { balls, top: highest }: Awaited<ReturnType<typeof filledSilo>>,
  options: SimulationOptions,
  done: (share: number) => void,
) {
  const simulation = await context.simulate(siloOf(OPENING, balls), options);
  const out: [number, number][] = [];
  for (;;) {
    await simulation.step(Math.ceil((50 * TIME_STEP) / simulation.timeStep));
    const places = await simulation.read('centroids');
    const statuses = await simulation.read('statuses');
    let [top, gone] = [0, 0];
    for (let i = 1; i < statuses.length; i++) {
      const z = places[3 * i + 2]! / D;
      if (statuses[i] === 2 || z < 0) gone++;
      else top = Math.max(top, z);
    }
    if (top < 2 * OPENING) return out;
    done((highest - top) / (highest - 2 * OPENING));
    if (simulation.time > STARTING) out.push([simulation.time, gone * BALL_MASS]);
  }
}

function rateOf(out: readonly (readonly [number, number])[]): number {
  const [[t0, m0], [t1, m1]] = [out[0]!, out.at(-1)!];
  return (m1 - m0) / (t1 - t0);
}

export const hopper: ValidationCase = {
  name: 'hopper',
  isLong: true,
  needsHardware: HOURS_ON_SOFTWARE,
  shows:
    'Smooth balls of diameter d flow out of a silo by W = 0.58 rho g^0.5 (D - 1.4 d)^2.5, with the density rho that ' +
    'their bulk has at rest, away from walls, while it is filled higher than two openings D.',
  source: 'W. A. Beverloo et al., "The flow of granular solids through orifices" (1961)',
  async run(context) {
    const filled = await filledSilo(context, (share) => context.progress(share, 4));
    const out = await flowOut(context, filled, { timeStep: TIME_STEP }, (share) =>
      context.progress(1 + 2 * share, 4),
    );
    const other = await flowOut(context, filled, BY_IMPULSES, (share) => context.progress(3 + share, 4));
    const expected = 0.58 * filled.density * Math.sqrt(G) * ((OPENING - 1.4) * D) ** 2.5;
    const [[t0, m0], [t1]] = [out[0]!, out.at(-1)!];
    const tolerance = { within: 0.1, because: '10 %: as far as the law itself is held to', unit: ' kg/s' };
    const law = [t0, t1].map((t) => [t, m0 + expected * (t - t0)] as const);
    const points = out.filter((_, i) => i % Math.ceil(out.length / 40) === 0);
    return {
      rows: [
        equal('flow', rateOf(out), expected, tolerance),
        equal('flow by impulses', rateOf(other), expected, tolerance),
        equal('flow by impulses beside that by forces', rateOf(other), rateOf(out), {
          ...AGREED,
          unit: ' kg/s',
        }),
      ] satisfies Row[],
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
