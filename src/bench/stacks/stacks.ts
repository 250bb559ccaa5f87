/** Stacks of the thesis: boxes and round boxes on each other, each shifted a little, and how high they stand. */
import {
  createRandom,
  Simulation,
  SimulationError,
  type SimulationOptions,
  type SimulationScene,
} from '../../index.ts';
import type { ContactPeer } from '../contacts/rapier.ts';

/** Updates per second. */
export const RATE = 200;
/** Sizes, and how far boxes are shifted at most. Stacks grow along z, which is the thesis' y. */
export const BOX = { halfExtents: [2, 2, 1], jitter: 0.2, radius: 0.5 } as const;
/** No stack is asked for that is higher. */
export const MOST_BOXES = 40;

export type StackShape = 'box' | 'round-box';
/** Of the thesis, double precision: the tallest of its three algorithms, by iterations. */
export const THESIS: Readonly<Record<StackShape, Readonly<Record<number, number>>>> = {
  box: { 60: 17, 40: 14, 20: 11 },
  'round-box': { 60: 19, 40: 16, 20: 11 },
};

export interface StackWay {
  readonly key: string;
  readonly label: string;
  readonly kind: 'scree' | 'peer';
  /** Whether it runs only where it is asked for. */
  readonly onRequest?: boolean;
  /** Of a simulation with so many passes; undefined of the peer. */
  readonly options?: (iterations: number) => SimulationOptions;
}

const olvang = (
  algorithm: 'sweep-gjk' | 'gjk' | 'mpr' | undefined,
  shocks: boolean,
  float32 = false,
): NonNullable<StackWay['options']> => {
  const narrowPhase = algorithm && ({ algorithm, manifold: 'sampled' } as const);
  return (iterations) => ({ response: 'olvang', iterations, shocks, float32, narrowPhase });
};

const LABELS = { 'sweep-gjk': 'Swept GJK', gjk: 'GJK', mpr: 'MPR' } as const;

export const STACK_WAYS: readonly StackWay[] = [
  { key: 'sweep-gjk', label: LABELS['sweep-gjk'], kind: 'scree', options: olvang('sweep-gjk', false) },
  { key: 'gjk', label: LABELS.gjk, kind: 'scree', options: olvang('gjk', false) },
  { key: 'mpr', label: LABELS.mpr, kind: 'scree', options: olvang('mpr', false) },
  { key: 'clipped', label: 'clipped faces', kind: 'scree', options: olvang(undefined, false) },
  { key: 'shocks', label: 'GJK, shocks', kind: 'scree', options: olvang('gjk', true) },
  {
    ...{ key: 'impulses', label: 'impulses', kind: 'scree' },
    // A substep has two passes.
    options: (iterations) => ({ response: 'impulses', substeps: iterations / 2 }),
  },
  { key: 'rapier', label: 'Rapier', kind: 'peer' },
  ...(['sweep-gjk', 'gjk', 'mpr'] as const).map((algorithm): StackWay => {
    const [key, label] = [`${algorithm}-float32`, `${LABELS[algorithm]}, float32`];
    return { key, label, kind: 'scree', options: olvang(algorithm, false, true), onRequest: true };
  }),
];

/** Poses of the boxes of a stack, `[n * 7]`. */
export function stackPoses(count: number, seed: number): Float64Array {
  const random = createRandom(seed);
  const poses = new Float64Array(7 * count);
  const shift = () => BOX.jitter * (2 * random() - 1);
  for (let i = 0; i < count; i++) {
    const place = [shift(), shift(), BOX.halfExtents[2] * (2 * i + 1)];
    poses.set([...place, 0, 0, 0, 1], 7 * i);
  }
  return poses;
}

/** Boxes on a floor, which is a box as well. */
export function stackScene(shape: StackShape, count: number, seed: number): SimulationScene {
  const [x, y, z] = BOX.halfExtents;
  const { radius } = BOX;
  const poses = new Float64Array(7 * (count + 1));
  poses.set(stackPoses(count, seed));
  poses.set([0, 0, -FLOOR[2], 0, 0, 0, 1], 7 * count);
  return {
    shapes: [
      shape === 'box'
        ? { kind: 'box', halfExtents: [x, y, z] }
        : { kind: 'round-box', halfExtents: [x - radius, y - radius, z - radius], radius },
      { kind: 'box', halfExtents: FLOOR },
    ],
    materials: [{ density: 1000, youngsModulus: 1e7, restitution: 1e-6, friction: FRICTION }],
    gravity: [0, 0, -GRAVITY],
    bodies: {
      shapes: Uint32Array.from({ length: count + 1 }, (_, i) => (i === count ? 1 : 0)),
      isStatic: Uint8Array.from({ length: count + 1 }, (_, i) => (i === count ? 1 : 0)),
      poses,
    },
  };
}

export const FLOOR = [100, 100, 5] as const;
export const FRICTION = 0.5;
export const GRAVITY = 9.81;

/** How a stack did. */
export interface Stood {
  readonly stands: boolean;
  /** Simulated seconds until it fell, or all. */
  readonly seconds: number;
  /** Wall time of collision detection, broad and narrow phase, over steps and boxes. */
  readonly perCollision: number;
}

export interface StackOptions {
  readonly way: StackWay;
  readonly shape: StackShape;
  readonly iterations: number;
  /** Simulated seconds that stacks are to stand. */
  readonly seconds: number;
  readonly seeds: readonly number[];
  readonly peer: ContactPeer | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A stack has fallen where its topmost box has sunk by more than half a box. */
const isStanding = (top: number, count: number) => top > BOX.halfExtents[2] * (2 * count - 2);

/** Lets a stack stand; asks each simulated second whether it does. */
export async function letStand(options: StackOptions, count: number, seed: number): Promise<Stood> {
  const { way, seconds, signal } = options;
  const asked = way.options ? await ownStack(options, count, seed) : peerStack(options, count, seed);
  try {
    for (let second = 1; second <= seconds; second++) {
      signal?.throwIfAborted();
      const top = await asked.top(RATE);
      const perCollision = asked.seconds() / (second * RATE * count);
      if (!isStanding(top, count)) return { stands: false, seconds: second, perCollision };
      if (second === seconds) return { stands: true, seconds, perCollision };
    }
    throw new Error(`${seconds} seconds are none`);
  } finally {
    asked.destroy();
  }
}

interface Asked {
  /** Height of the topmost box after so many steps more; 0 where there is no going on. */
  top(steps: number): number | Promise<number>;
  /** That collision detection took so far. */
  seconds(): number;
  destroy(): void;
}

async function ownStack({ way, shape, iterations, signal }: StackOptions, count: number, seed: number): Promise<Asked> {
  const simulation = await Simulation.create(undefined, stackScene(shape, count, seed), {
    ...{ ...way.options!(iterations), timeStep: 1 / RATE, threads: 1 },
  });
  return {
    async top(steps) {
      try {
        await simulation.step(steps, { signal });
      } catch (error) {
        // Boxes have got too deep into each other, or too far.
        if (error instanceof SimulationError) return 0;
        throw error;
      }
      return (await simulation.read('centroids'))[3 * count - 1]!;
    },
    seconds: () => detectionSeconds(simulation.seconds),
    destroy: () => simulation.destroy(),
  };
}

/** What steps of a simulation do besides finding contacts. */
const OTHER_STAGES = ['forces', 'impulses', 'motion'];

/** Of the seconds of a simulation by stage, those of broad and narrow phase: Rapier tells both as one. */
export function detectionSeconds(seconds: Simulation['seconds']): number {
  const found = Object.entries(seconds).filter(([stage]) => !OTHER_STAGES.includes(stage));
  return found.reduce((sum, [, own]) => sum + own, 0);
}

function peerStack({ peer, shape, iterations }: StackOptions, count: number, seed: number): Asked {
  const { radius, halfExtents } = BOX;
  return peer!.stack({
    ...{ halfExtents, radius: shape === 'box' ? 0 : radius, poses: stackPoses(count, seed), floor: FLOOR },
    ...{ friction: FRICTION, gravity: GRAVITY, timeStep: 1 / RATE, iterations },
  });
}

export interface Tallest {
  /** The tallest that stands with each seed. */
  readonly tallest: number;
  /** Stacks that were tried. */
  readonly tried: number;
  /** The mean of all that stood, or 0. */
  readonly perCollision: number;
}

/** Bisection over heights, from the thesis' own on. */
export async function tallestStack(options: StackOptions, most: number): Promise<Tallest> {
  const { shape, iterations, seeds } = options;
  const times: number[] = [];
  let tried = 0;
  const stands = async (count: number) => {
    for (const seed of seeds) {
      const stood = await letStand(options, count, seed);
      tried++;
      if (!stood.stands) return false;
      times.push(stood.perCollision);
    }
    return true;
  };
  let low = 0;
  let high = most + 1;
  let next = Math.min(most, THESIS[shape][iterations] ?? most);
  while (high - low > 1) {
    if (await stands(next)) low = next;
    else high = next;
    next = high > most ? Math.min(most, Math.ceil(1.4 * low)) : Math.floor((low + high) / 2);
  }
  const perCollision = times.length === 0 ? 0 : times.reduce((sum, one) => sum + one, 0) / times.length;
  return { tallest: low, tried, perCollision };
}
