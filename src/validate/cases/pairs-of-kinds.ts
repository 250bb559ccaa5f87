/** Collisions of all kinds of bodies with each other, one by one: what they keep of their energy, and how they part. */
import {
  BodyStatus,
  type ContactShape,
  createRandom,
  type Material,
  type Simulation,
  type SimulationOptions,
  type Vector3,
} from '../../index.ts';
import { HOURS_ON_SOFTWARE } from '../constants.ts';
import { firstTouches, touchingPairs } from '../first-touches.ts';
import { type BodyOfCase, bodiesOf } from '../scenes.ts';
import {
  above,
  below,
  type CaseContext,
  near,
  type Row,
  type Tolerance,
  type ValidationCase,
} from '../validation-case.ts';
import { directions, fall, rms, rock } from './collisions.ts';

const vertices = (count: number) => {
  const { unit } = directions(count);
  return Array.from({ length: count }, unit).flat();
};

const BALL = 0.8;
/** Shapes about 1.5 in size. */
const KINDS: Readonly<Record<string, ContactShape>> = {
  box: { kind: 'box', halfExtents: [0.7, 0.7, 0.7] },
  hull: { kind: 'polytope', vertices: vertices(16) },
  'round box': { kind: 'round-box', halfExtents: [0.5, 0.5, 0.5], radius: 0.2 },
  cylinder: { kind: 'cylinder', radius: 0.7, halfHeight: 0.7 },
  cone: { kind: 'cone', radius: 0.8, height: 1.6 },
  frustum: { kind: 'frustum', bottom: [0.8, 0.8], top: [0.4, 0.5], height: 1.2 },
  'sum of box and cylinder': {
    kind: 'sum',
    a: { kind: 'box', halfExtents: [0.4, 0.4, 0.4] },
    b: { kind: 'cylinder', radius: 0.3, halfHeight: 0.3 },
  },
  'hull of box and ball': {
    kind: 'hull',
    a: { kind: 'box', halfExtents: [0.5, 0.5, 0.5] },
    b: { kind: 'sphere', radius: 0.4 },
    place: { position: [0.5, 0, 0.3] },
  },
  'two boxes': {
    kind: 'parts',
    parts: [
      { shape: { kind: 'box', halfExtents: [0.8, 0.3, 0.3] } },
      { shape: { kind: 'box', halfExtents: [0.3, 0.3, 0.8] }, position: [0.5, 0, 0.5] },
    ],
  },
  capsule: { kind: 'capsule', halfLength: 0.5, radius: 0.5 },
  ellipsoid: { kind: 'ellipsoid', radii: [0.9, 0.7, 0.5] },
  ball: { kind: 'sphere', radius: BALL },
  'concave rock': { kind: 'polyhedron', mesh: rock() },
};
const PLANE = 'plane';
/** The first body and the second one, or a plane and the body on it. */
type Kinds = readonly [string, string];
/** Of all these bodies about their origins. */
const REACH: Readonly<Record<string, number>> = { 'two boxes': 1.6, 'concave rock': 1.6 };
const DEFAULT_REACH = 1.25;
/** Pairs are this far from each other; bodies on a plane fly up and down. */
const BESIDE = 8;
const BESIDE_ON_PLANE = 3;
const SPEED = 1;
/** Pairs that touch at first are apart again before this. */
const TIME = 4;
/** Numbers of a pose. */
const POSE_SIZE = 7;
/** Steps between two looks at who touches: a quarter of a collision at most. */
const LOOK = 10;
const MODULUS = 1e7;
const POISSON_RATIO = 0.25;
const ELASTIC: Material = {
  ...{ density: 2500, youngsModulus: MODULUS, poissonRatio: POISSON_RATIO, friction: 0, restitution: 1 },
};
/** Of two the lower restitution counts, also of a body of the second material and a plane of the first. */
const MATERIALS = [ELASTIC, { ...ELASTIC, restitution: 0.5 }];
const DAMPED = 1;

/** Two bodies, or one that flies at the plane. The last one comes down. */
type Pair = readonly BodyOfCase[];

interface Collision {
  /** Before. */
  readonly energy: number;
  /** Change of energy until the bodies part first, of that before. */
  readonly change: number;
  readonly restitution: number;
  /** Whether the force rises and falls once: else a second corner has hit before the first one was off. */
  readonly isOne: boolean;
}

function simulatePairs(
  { simulate }: CaseContext,
  [one, other]: Kinds,
  pairs: readonly Pair[],
  options?: SimulationOptions,
): Promise<Simulation> {
  const isPlane = one === PLANE;
  const scene = {
    shapes: [isPlane ? ({ kind: 'plane' } as const) : KINDS[one]!, KINDS[other]!],
    materials: MATERIALS,
    gravity: [0, 0, 0] as const,
    bodies: bodiesOf([...(isPlane ? [{}] : []), ...pairs.flat()]),
  };
  return simulate(scene, options);
}

const lastOf = ([one]: Kinds, i: number) => (one === PLANE ? i + 1 : 2 * i + 1);
const firstOf = ([one]: Kinds, i: number) => (one === PLANE ? i + 1 : 2 * i);
const pairOf = (kinds: Kinds) => (a: number, b: number) => (kinds[0] === PLANE ? Math.max(a, b) - 1 : a >> 1);

/** How far from the first one to the last one. */
const widthOf = ([one]: Kinds, count: number) =>
  one === PLANE ? BESIDE_ON_PLANE * Math.ceil(Math.sqrt(count)) : BESIDE * Math.ceil(Math.cbrt(count));

/** Pairs that are about to touch, each far from the others: turned at random, and nothing turns. */
async function pairsAboutToMeet(context: CaseContext, kinds: Kinds, count: number): Promise<Pair[]> {
  const { turn } = directions(17);
  const random = createRandom(18);
  const isPlane = kinds[0] === PLANE;
  const width = widthOf(kinds, count);
  const pairAt = (i: number): Pair => {
    if (isPlane) {
      const across = width / BESIDE_ON_PLANE;
      // Around the plane's origin: in float32 places on it are as good as they are near.
      const [x, y] = [i % across, Math.floor(i / across)].map((k) => BESIDE_ON_PLANE * (k - across / 2));
      return [{ shape: 1, position: [x!, y!, 0], rotation: turn(), velocity: [0, 0, -SPEED] }];
    }
    const side = width / BESIDE;
    const [x, y, z] = [i % side, Math.floor(i / side) % side, Math.floor(i / side ** 2)].map(
      (k) => BESIDE * k,
    );
    // Less than half of a body's size beside the middle: nearly all of them meet.
    const [aside, beside] = [0.8 * (random() - 0.5), 0.8 * (random() - 0.5)];
    const position = [x! + aside, y! + beside, z!] as const;
    return [
      { position: [x!, y!, z!], rotation: turn(), velocity: [0, 0, SPEED / 2] },
      { shape: 1, position, rotation: turn(), velocity: [0, 0, -SPEED / 2] },
    ];
  };
  const lifted = (pair: Pair, distance: number): Pair => {
    const last = pair.at(-1)!;
    const [x, y, z] = last.position!;
    return [...pair.slice(0, -1), { ...last, position: [x, y, z + distance] }];
  };
  const reach = (name: string) => (name === PLANE ? 0 : (REACH[name] ?? DEFAULT_REACH));
  const from = reach(kinds[0]) + reach(kinds[1]);
  const pairs = Array.from({ length: count }, (_, i) => pairAt(i));
  const apart = pairs.map((pair) => lifted(pair, from));
  const simulation = await simulatePairs(context, kinds, apart);
  const poses = await simulation.read('poses');
  const place = (i: number, distance: number) => {
    poses[POSE_SIZE * lastOf(kinds, i) + 2] = pairs[i]!.at(-1)!.position![2] + distance;
  };
  const { distances, touches } = await firstTouches(simulation, {
    ...{ pairs: count, poses, place, pairOf: pairOf(kinds), from, to: 0 },
  });
  simulation.destroy();
  return pairs.map((pair, i) => lifted(pair, distances[i]!)).filter((_, i) => touches[i]);
}

interface Collisions {
  /** Of each pair that has touched and is apart again. */
  readonly found: readonly (Collision | undefined)[];
  readonly timeStep: number;
  readonly isOnGpu: boolean;
}

/** Collisions of pairs that are about to meet. */
async function collide(
  context: CaseContext,
  kinds: Kinds,
  pairs: readonly Pair[],
  options?: SimulationOptions,
): Promise<Collisions> {
  const simulation = await simulatePairs(context, kinds, pairs, options);
  const [energies, velocities] = [
    await simulation.read('kineticEnergies'),
    await simulation.read('velocities'),
  ];
  const statuses = await simulation.read('statuses');
  const found: (Collision | undefined)[] = pairs.map(() => undefined);
  const pushes = pairs.map((): number[] => []);
  for (let ended = 0; simulation.time < TIME && ended < pairs.length; ) {
    await simulation.step(LOOK);
    const touches = await touchingPairs(simulation, pairs.length, pairOf(kinds));
    const forces = await simulation.read('forces');
    const parted: number[] = [];
    for (const [i, before] of found.entries()) {
      if (before !== undefined) continue;
      const b = lastOf(kinds, i);
      pushes[i]!.push(Math.hypot(...forces.subarray(3 * b, 3 * b + 3)));
      if (!touches[i]) parted.push(i);
    }
    // Also hears signals.
    context.progress(ended + parted.length, pairs.length);
    if (parted.length === 0) continue;
    const energiesNow = await simulation.read('kineticEnergies');
    const velocitiesNow = await simulation.read('velocities');
    for (const i of parted) {
      const b = lastOf(kinds, i);
      const a = kinds[0] === PLANE ? 0 : b - 1;
      const before = energies[a]! + energies[b]!;
      const lost = before - energiesNow[a]! - energiesNow[b]!;
      const of = (all: Float64Array, body: number) => [...all.subarray(3 * body, 3 * body + 3)];
      const [was, wasOfA, is] = [of(velocities, b), of(velocities, a), of(velocitiesNow, b)];
      // All points meet at one speed, as nothing turns. A push J takes J v (1 - e) / 2 of the energy.
      const push = is.map((v, k) => v - was[k]!);
      const mass = (2 * energies[b]!) / Math.hypot(...was) ** 2;
      const speed = push.reduce((sum, x, k) => sum + x * (wasOfA[k]! - was[k]!), 0);
      found[i] = {
        ...{ energy: before, change: -lost / before, restitution: 1 - (2 * lost) / (mass * speed) },
        isOne: risesOnce(pushes[i]!),
      };
    }
    ended += parted.length;
    // They would cost as much as before, near each other as they are.
    for (const i of parted) statuses.fill(BodyStatus.removed, firstOf(kinds, i), lastOf(kinds, i) + 1);
    await simulation.write('statuses', statuses);
  }
  const { timeStep, backend } = simulation;
  simulation.destroy();
  return { found, timeStep, isOnGpu: backend === 'gpu' };
}

function risesOnce(forces: readonly number[]): boolean {
  const top = forces.indexOf(Math.max(...forces));
  return forces.every((f, i) => i === 0 || (i <= top ? f >= forces[i - 1]! : f <= forces[i - 1]!));
}

const mean = (all: readonly number[]) => all.reduce((sum, x) => sum + x, 0) / all.length;
const kept = 'a force is the gradient of one energy of both poses';
/**
 * Change of energy, of the energy, below which it is rounding, and that of iterations, and does not fall with the step.
 * In float64 EPA and iterations end at 1e-7.
 */
const ROUNDING = 1e-7;
/** In float32: some 16 roundings of 2^-24 in a force, whose work is all of the energy. */
const ROUNDING_32 = 2 ** -20;
/**
 * The same per length that a body is away from the plane's origin. Records have places in float32, from there: an arm
 * of about 0.7 is off by 2^-24 of that length, and so is the work of its torque, going in and out.
 */
const FAR_ON_PLANE = (2 * 2 ** -24) / 0.7;

/**
 * The most energy that a contact of a ball with the rock can have when it goes or comes, because an edge comes into the
 * ball or leaves it: docs/contacts.md, "Spheres on meshes". Faces that meet at concave edges of less than 20 degrees
 * are one place from there on, and so it is no deeper than R (1 - cos 10 degrees).
 */
const JOINED =
  (8 / 15) *
  (MODULUS / (2 * (1 - POISSON_RATIO ** 2))) *
  Math.sqrt(BALL) *
  (BALL * (1 - Math.cos(Math.PI / 18))) ** 2.5;

/** How much one collision may change its energy, as a share of the least energy that there is. */
function worstChange([one, other]: Kinds, found: Collisions['found']): Tolerance {
  if (one !== 'ball' || other !== 'concave rock') return { within: 1e-2, because: kept };
  const least = found.reduce((energy, pair) => Math.min(energy, pair?.energy ?? Infinity), Infinity);
  const because =
    'of a ball on a mesh but for the contact that goes or comes where a concave edge of less than 20 degrees is just ' +
    'within the ball: no deeper than R (1 - cos 10 degrees), its energy by Hertz';
  return { within: 1e-2 + JOINED / least, because };
}

async function rowsOf(context: CaseContext, kinds: Kinds, count: number): Promise<Row[]> {
  const what = `${kinds[1]} on ${kinds[0]}`;
  const pairs = await pairsAboutToMeet(context, kinds, count);
  const width = widthOf(kinds, count);
  // The same pairs beside these.
  const damped = pairs.map((pair) =>
    pair.map((body) => ({ ...body, material: DAMPED, position: shifted(body.position!, width) })),
  );
  const { found, timeStep, isOnGpu } = await collide(context, kinds, [...pairs, ...damped]);
  const finer = await collide(context, kinds, pairs, { timeStep: timeStep / 2 });
  const changesOf = (all: Collisions['found']) => all.flatMap((one) => (one ? [one.change] : []));
  const changes = changesOf(found.slice(0, pairs.length));
  const finerChanges = changesOf(finer.found);
  const restitutions = found.slice(pairs.length).flatMap((one) => (one?.isOne ? [one.restitution] : []));
  const inFloat32 = ROUNDING_32 + (kinds[0] === PLANE ? FAR_ON_PLANE * width : 0);
  const rounding = isOnGpu ? inFloat32 : ROUNDING;
  return [
    above(`${what}: collisions`, changes.length, {
      within: 0.9 * count,
      because: `nearly all of ${count}${context.isOnSoftware ? ', few, as this is a software adapter' : ''}`,
    }),
    below(`${what}: change of energy in sum`, Math.abs(mean(changes)), { within: 1e-3, because: kept }),
    below(`${what}: change of energy, worst`, Math.max(...changes.map(Math.abs)), worstChange(kinds, found)),
    ...(rms(finerChanges) < rounding ? [] : [fallOf(what, changes, finerChanges)]),
    near(`${what}: restitution, mean`, mean(restitutions), 0.5, RESTITUTION),
  ];
}

/** How much less changes are with half the step. Samples cannot always tell a fall from none: then the row says so. */
function fallOf(what: string, changes: readonly number[], finer: readonly number[]): Row {
  const row = fall(`${what}: `, changes, finer, 1, {
    within: 2,
    because: 'the error is that of the step. Less three standard errors of the samples',
  });
  if (row.tolerance > 1) return row;
  const because =
    'proves nothing: a few collisions have most of the error, and three standard errors of the samples are as large ' +
    'as the fall';
  return { ...row, what: `${row.what}, not proven`, because };
}

const shifted = ([x, y, z]: Vector3, width: number): Vector3 => [x + width, y, z];
const RESTITUTION = { within: 0.02, because: 'the dashpot is made for it, however the force grows' };

const names = Object.keys(KINDS);

async function runPairs(context: CaseContext, pairs: readonly Kinds[], count: number) {
  const rows: Row[] = [];
  for (const [done, pair] of pairs.entries()) {
    const progress = (some: number, of: number) => context.progress(done + some / of, pairs.length);
    rows.push(...(await rowsOf({ ...context, progress }, pair, count)));
  }
  return { rows };
}

const source = 'conservation of energy; J = (1 + e) v m* of an impact';
const likes = ['box', 'hull', 'round box', 'cylinder', 'cone', 'frustum', 'two boxes'];
const others = [
  ...[[PLANE, 'box'] as const, [PLANE, 'hull'] as const, [PLANE, 'cylinder'] as const],
  ...[['box', 'hull'] as const, ['capsule', 'box'] as const, ['concave rock', 'hull'] as const],
];

/**
 * A step is as long as its dispatches take: on SwiftShader 30 to 60 ms, with 20 bodies or with 600. So there is one
 * pair for each way to a force: round shapes, faces of boxes, hulls and meshes, and planes.
 */
const ON_SOFTWARE: readonly Kinds[] = [
  ...[['ball', 'ball'] as const, ['box', 'box'] as const, ['hull', 'hull'] as const],
  ...[['concave rock', 'concave rock'] as const, [PLANE, 'hull'] as const],
];

export const pairsOfKinds: ValidationCase = {
  name: 'pairs-of-kinds',
  shows: 'Bodies with faces meet at random and without friction: what an impact leaves of the energy.',
  source,
  run: (context) => {
    if (context.isQuick) return runPairs(context, [['box', 'hull']], 12);
    if (context.isOnSoftware) return runPairs(context, ON_SOFTWARE, 40);
    return runPairs(context, [...likes.map((name) => [name, name] as const), ...others], 300);
  },
};

export const pairsOfKindsLong: ValidationCase = {
  name: 'pairs-of-kinds-long',
  needsHardware: HOURS_ON_SOFTWARE,
  isLong: true,
  shows: 'Bodies of all kinds meet bodies of all kinds, and a plane, at random and without friction.',
  source,
  run: (context) =>
    runPairs(
      context,
      names.flatMap((one, i) => [
        [PLANE, one] as const,
        ...names.slice(i).map((other) => [one, other] as const),
      ]),
      300,
    ),
};
