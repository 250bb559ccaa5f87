/** Collisions of all kinds of bodies with each other, one by one: what they keep of their energy, and how they part. */
import { type ContactShape, createRandom } from '../../index.ts';
import { type BodyOfCase, bodiesOf } from '../scenes.ts';
import { above, below, type CaseContext, near, type Row, type ValidationCase } from '../validation-case.ts';
import { directions, fall, rms, rock } from './collisions.ts';

const vertices = (count: number) => {
  const { unit } = directions(count);
  return Array.from({ length: count }, unit).flat();
};

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
  ball: { kind: 'sphere', radius: 0.8 },
  'concave rock': { kind: 'polyhedron', mesh: rock() },
};
const PLANE = 'plane';
/** Of all these bodies about their origins. */
const REACH: Readonly<Record<string, number>> = { 'two boxes': 1.6, 'concave rock': 1.6 };
const DEFAULT_REACH = 1.25;
/** Bodies on a plane fly up and down, this far from each other. */
const BESIDE_PLANE = 3;
const SPEED = 1;
/** They have met before this, and are apart again. */
const TIME = 4;
/** Steps between two looks at who touches: a quarter of a collision at most. */
const LOOK = 10;

interface Collisions {
  /** Change of energy until bodies part first, of that before: one entry for each pair that has. */
  readonly changes: readonly number[];
  /** Of those whose force rises and falls once: else a second corner has hit before the first one was off. */
  readonly restitutions: readonly number[];
  readonly timeStep: number;
  /** Of the energy, below which a change is rounding, and that of iterations, and does not fall with the step. */
  readonly rounding: number;
}

/** Collisions without friction, one in each world: the second body flies at the first one, and nothing turns. */
async function collide(
  { simulate, progress }: CaseContext,
  [one, other]: readonly [string, string],
  count: number,
  restitution: number,
  timeStep?: number,
): Promise<Collisions> {
  const { turn } = directions(17);
  const random = createRandom(18);
  const isPlane = one === PLANE;
  const side = Math.ceil(Math.cbrt(count));
  const across = Math.ceil(Math.sqrt(count));
  const reach = (name: string) => (name === PLANE ? 0 : (REACH[name] ?? DEFAULT_REACH));
  const distance = reach(one) + reach(other);
  const bodies: BodyOfCase[] = isPlane ? [{}] : [];
  for (let i = 0; i < count; i++) {
    if (isPlane) {
      // Around the plane's origin: in float32 places on it are as good as they are near.
      const [x, y] = [i % across, Math.floor(i / across)].map((k) => BESIDE_PLANE * (k - across / 2));
      const position = [x!, y!, distance] as const;
      bodies.push({ shape: 1, position, rotation: turn(), velocity: [0, 0, -SPEED] });
      continue;
    }
    const [x, y, z] = [i % side, Math.floor(i / side) % side, Math.floor(i / side ** 2)].map((k) => 8 * k);
    // Less than half of a body's size beside the middle: nearly all of them meet.
    const [aside, beside] = [0.8 * (random() - 0.5), 0.8 * (random() - 0.5)];
    const position = [x! + aside, y! + beside, z! + distance] as const;
    bodies.push(
      { position: [x!, y!, z!], rotation: turn(), velocity: [0, 0, SPEED / 2] },
      { shape: 1, position, rotation: turn(), velocity: [0, 0, -SPEED / 2] },
    );
  }
  const simulation = await simulate(
    {
      shapes: [isPlane ? { kind: 'plane' } : KINDS[one]!, KINDS[other]!],
      materials: [{ density: 2500, youngsModulus: 1e7, friction: 0, restitution }],
      gravity: [0, 0, 0],
      bodies: bodiesOf(bodies),
    },
    timeStep === undefined ? {} : { timeStep },
  );
  const energies = await simulation.read('kineticEnergies');
  const velocities = await simulation.read('velocities');
  const hasTouched = new Uint8Array(count);
  const changes: number[] = [];
  const restitutions: number[] = [];
  const ended = new Set<number>();
  const pushes = Array.from({ length: count }, (): number[] => []);
  while (simulation.time < TIME && ended.size < count) {
    await simulation.step(LOOK);
    const { bodies: touching, count: contacts } = await simulation.contacts();
    const touches = new Uint8Array(count);
    for (let c = 0; c < contacts; c++)
      touches[isPlane ? touching[2 * c + 1]! - 1 : touching[2 * c]! >> 1] = 1;
    const forces = await simulation.read('forces');
    for (let i = 0; i < count; i++) {
      const b = isPlane ? i + 1 : 2 * i + 1;
      pushes[i]!.push(Math.hypot(...forces.subarray(3 * b, 3 * b + 3)));
    }
    const parted = [...touches.keys()].filter((i) => hasTouched[i] && !touches[i] && !ended.has(i));
    hasTouched.set(hasTouched.map((before, i) => before | touches[i]!));
    if (parted.length === 0) continue;
    const energiesNow = await simulation.read('kineticEnergies');
    const velocitiesNow = await simulation.read('velocities');
    for (const i of parted) {
      ended.add(i);
      const b = isPlane ? i + 1 : 2 * i + 1;
      const a = isPlane ? 0 : b - 1;
      const before = energies[a]! + energies[b]!;
      const lost = before - energiesNow[a]! - energiesNow[b]!;
      changes.push(-lost / before);
      const of = (all: Float64Array, body: number) => [...all.subarray(3 * body, 3 * body + 3)];
      const [was, wasOfA, is] = [of(velocities, b), of(velocities, a), of(velocitiesNow, b)];
      // All points meet at one speed, as nothing turns. A push J takes J v (1 - e) / 2 of the energy.
      const push = is.map((v, k) => v - was[k]!);
      const mass = (2 * energies[b]!) / Math.hypot(...was) ** 2;
      const speed = push.reduce((sum, x, k) => sum + x * (wasOfA[k]! - was[k]!), 0);
      if (risesOnce(pushes[i]!)) restitutions.push(1 - (2 * lost) / (mass * speed));
    }
    progress(ended.size, count);
  }
  const { timeStep: made, backend } = simulation;
  simulation.destroy();
  const inFloat32 = ROUNDING_32 + (isPlane ? FAR_ON_PLANE * BESIDE_PLANE * across : 0);
  const rounding = backend === 'gpu' ? inFloat32 : ROUNDING;
  return { changes, restitutions, timeStep: made, rounding };
}

function risesOnce(forces: readonly number[]): boolean {
  const top = forces.indexOf(Math.max(...forces));
  return forces.every((f, i) => i === 0 || (i <= top ? f >= forces[i - 1]! : f <= forces[i - 1]!));
}

const mean = (all: readonly number[]) => all.reduce((sum, x) => sum + x, 0) / all.length;
const kept = 'a force is the gradient of one energy of both poses';
/** `Collisions.rounding` of float64: EPA and iterations end at 1e-7. */
const ROUNDING = 1e-7;
/** Of float32: some 16 roundings of 2^-24 in a force, whose work is all of the energy. */
const ROUNDING_32 = 2 ** -20;
/**
 * The same per length that a body is away from the plane's origin. Records have places in float32, from there: an arm
 * of about 0.7 is off by 2^-24 of that length, and so is the work of its torque, going in and out.
 */
const FAR_ON_PLANE = (2 * 2 ** -24) / 0.7;

async function rowsOf(context: CaseContext, pair: readonly [string, string], count: number): Promise<Row[]> {
  const what = `${pair[1]} on ${pair[0]}`;
  const { changes, timeStep, rounding } = await collide(context, pair, count, 1);
  const finer = await collide(context, pair, count, 1, timeStep / 2);
  const { restitutions } = await collide(context, pair, count, 0.5);
  return [
    above(`${what}: collisions`, changes.length, { within: 0.9 * count, because: 'nearly all of them' }),
    below(`${what}: change of energy in sum`, Math.abs(mean(changes)), { within: 1e-3, because: kept }),
    below(`${what}: change of energy, worst`, Math.max(...changes.map(Math.abs)), {
      ...{ within: 1e-2, because: kept },
    }),
    ...(rms(finer.changes) < rounding
      ? []
      : [
          fall(`${what}: `, changes, finer.changes, 1, {
            within: 2,
            because: 'the error is that of the step. Less three standard errors of the samples',
          }),
        ]),
    near(`${what}: restitution, mean`, mean(restitutions), 0.5, RESTITUTION),
  ];
}

const RESTITUTION = { within: 0.02, because: 'the dashpot is made for it, however the force grows' };

const names = Object.keys(KINDS);

async function runPairs(context: CaseContext, pairs: readonly (readonly [string, string])[], count: number) {
  const rows: Row[] = [];
  for (const pair of pairs) rows.push(...(await rowsOf(context, pair, count)));
  return { rows };
}

const source = 'conservation of energy; J = (1 + e) v m* of an impact';
const likes = ['box', 'hull', 'round box', 'cylinder', 'cone', 'frustum', 'two boxes'];
const others = [
  ...[[PLANE, 'box'] as const, [PLANE, 'hull'] as const, [PLANE, 'cylinder'] as const],
  ...[['box', 'hull'] as const, ['capsule', 'box'] as const, ['concave rock', 'hull'] as const],
];

export const pairsOfKinds: ValidationCase = {
  name: 'pairs-of-kinds',
  shows: 'Bodies with faces meet at random and without friction: what an impact leaves of the energy.',
  source,
  run: (context) =>
    context.isQuick
      ? runPairs(context, [['box', 'hull']], 12)
      : runPairs(context, [...likes.map((name) => [name, name] as const), ...others], 300),
};

export const pairsOfKindsLong: ValidationCase = {
  name: 'pairs-of-kinds-long',
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
