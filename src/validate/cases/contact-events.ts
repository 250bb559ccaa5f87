/** Bodies that meet, moved to a tolerance: contacts as events between which the motion is smooth. */
import {
  Multibody,
  type MultibodyOptions,
  type MultibodyScene,
  multibodyScene,
  parseScene,
  type Vector3,
} from '../../index.ts';
import { piecesFalling } from '../pieces-falling.ts';
import { G } from '../scenes.ts';
import { below, equal, near, type Row, type ValidationCase } from '../validation-case.ts';

const OWN = { needsFloat64: 'mechanisms are moved on the CPU' } as const;
const RADIUS = 0.05;
const STEEL = { density: 7800, youngsModulus: 2e9, poissonRatio: 0.3 } as const;
const NO_GRAVITY: Vector3 = [0, 0, 0];
const because = 'some hundred steps of a tolerance of 1e-10, a hundred times over';

interface Ball {
  readonly position: Vector3;
  readonly velocity?: Vector3;
}

interface Contacting {
  readonly balls: readonly Ball[];
  readonly radius?: number;
  /** By place and quaternion. */
  readonly planes?: readonly (readonly number[])[];
  readonly restitution: number;
  readonly friction?: number;
  readonly gravity?: Vector3;
  readonly stiffer?: number;
}

/** Balls, and planes behind them. */
function sceneOf({
  balls,
  planes = [],
  radius = RADIUS,
  restitution,
  friction = 0,
  stiffer = 1,
  gravity,
}: Contacting): MultibodyScene {
  const still = planes.flatMap(() => [0, 0, 0]);
  return {
    shapes: [{ kind: 'sphere', radius }, { kind: 'plane' }],
    materials: [{ ...STEEL, youngsModulus: stiffer * STEEL.youngsModulus, restitution, friction }],
    ...(gravity && { gravity }),
    bodies: {
      shapes: Uint32Array.from([...balls.map(() => 0), ...planes.map(() => 1)]),
      poses: Float64Array.from([
        ...balls.flatMap(({ position }) => [...position, 0, 0, 0, 1]),
        ...planes.flat(),
      ]),
      velocities: Float64Array.from([
        ...balls.flatMap(({ velocity = NO_GRAVITY }) => [...velocity]),
        ...still,
      ]),
    },
  };
}

const FLOOR = [0, 0, 0, 0, 0, 0, 1] as const;

async function moved<T>(
  scene: MultibodyScene,
  options: MultibodyOptions,
  work: (system: Multibody) => Promise<T>,
): Promise<T> {
  const system = await Multibody.create(scene, options);
  try {
    return await work(system);
  } finally {
    system.destroy();
  }
}

const TIGHT = { relativeTolerance: 1e-10 } as const;

async function reboundRows(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const restitution of [0.3, 0.5, 0.8]) {
    const falling = { position: [0, 0, 0.06], velocity: [0, 0, -1] } as const;
    const scene = sceneOf({ balls: [falling], planes: [FLOOR], restitution, gravity: NO_GRAVITY });
    rows.push(
      await moved(scene, TIGHT, async (system) => {
        await system.advance(0.05);
        const { speeds } = system.events;
        return equal(`restitution of ${restitution}`, speeds[1]! / speeds[0]!, restitution, {
          within: 1e-5,
          because,
        });
      }),
    );
  }
  return rows;
}

async function hertzRows(): Promise<Row[]> {
  const scene = sceneOf({
    ...{ balls: [{ position: [0, 0, 0.06], velocity: [0, 0, -1] }], planes: [FLOOR] },
    ...{ restitution: 1, gravity: NO_GRAVITY },
  });
  const modulus = STEEL.youngsModulus / (2 * (1 - STEEL.poissonRatio ** 2));
  const mass = (STEEL.density * 4 * Math.PI * RADIUS ** 3) / 3;
  const depth = ((15 * mass) / (16 * modulus * Math.sqrt(RADIUS))) ** 0.4;
  // 2 times the integral of dx / sqrt(1 - x^2.5): 2 sqrt(pi) Gamma(1.4) / Gamma(0.9).
  const duration = 2.943275087 * depth;
  return moved(scene, TIGHT, async (system) => {
    await system.advance(0.01 + duration / 2);
    const deepest = system.monitors.deepestOverlap;
    await system.advance(0.01);
    const [began, ended] = system.events.times;
    return [
      equal("Hertz' depth", deepest, depth, { within: 1e-5, because, unit: ' m' }),
      equal("Hertz' duration", ended! - began!, duration, { within: 1e-5, because, unit: ' s' }),
    ];
  });
}

async function flightRows(): Promise<Row[]> {
  const scene = sceneOf({ balls: [{ position: [0, 0, 0.5] }], planes: [FLOOR], restitution: 0.8 });
  return moved(scene, { relativeTolerance: 1e-8 }, async (system) => {
    await system.advance(2.2);
    const { times, speeds, kinds } = system.events;
    let worst = 0;
    for (let i = 1; i + 1 < times.length; i += 2) {
      if (kinds[i] !== 0) throw new Error('a contact that began did not end');
      worst = Math.max(worst, Math.abs(((times[i + 1]! - times[i]!) * G) / (2 * speeds[i]!) - 1));
    }
    return [
      below('flight between contacts, beside 2 v / g', worst, {
        ...{ within: 1e-8, because: 'ten times the width that a root is found to, and parabolas are exact' },
      }),
    ];
  });
}

async function slideRows(): Promise<Row[]> {
  const [friction, speed] = [0.3, 1];
  // A hundred times as stiff: the arm of friction is the radius less half of the depth.
  const start = { position: [0, 0, RADIUS], velocity: [speed, 0, 0] } as const;
  const scene = sceneOf({ balls: [start], planes: [FLOOR], restitution: 0.5, friction, stiffer: 100 });
  const rolls = (2 * speed) / (7 * friction * G);
  return moved(scene, { relativeTolerance: 1e-9 }, async (system) => {
    const times: number[] = [];
    const slips: number[] = [];
    // Well before it rolls, where the slip falls by 7/2 mu g a second, and well after.
    for (const share of [0.4, 0.8]) {
      await system.advance(share * rolls - system.time);
      const [vx] = await system.read('velocities');
      const [, wy] = await system.read('angularVelocities');
      times.push(system.time);
      slips.push(vx! - RADIUS * wy!);
    }
    const slope = (slips[1]! - slips[0]!) / (times[1]! - times[0]!);
    const end = times[1]! - slips[1]! / slope;
    await system.advance(2 * rolls - system.time);
    const [vx] = await system.read('velocities');
    const own = {
      within: 1e-4,
      because: 'slip fades below 0.01 m/s, a hundredth of the speed',
    };
    return [
      equal('sliding ball: rolls after', end, rolls, { ...own, unit: ' s' }),
      equal('sliding ball: speed when it rolls', vx!, (5 / 7) * speed, { ...own, unit: ' m/s' }),
    ];
  });
}

async function cradleRows(): Promise<Row[]> {
  const balls = [
    { position: [-0.3, 0, 0], velocity: [1, 0, 0] } as const,
    ...[0, 1, 2, 3].map((i) => ({ position: [i * 0.104, 0, 0] as const })),
  ];
  return moved(sceneOf({ balls, restitution: 1, gravity: NO_GRAVITY }), TIGHT, async (system) => {
    await system.advance(0.5);
    const last = (await system.read('velocities'))[12]!;
    const own = { within: 1e-5, because };
    return [
      equal('cradle with gaps: speed of the last ball', last, 1, { ...own, unit: ' m/s' }),
      near('cradle: contacts that began and ended', system.events.count, 8, {
        within: 0,
        because: 'a number',
      }),
    ];
  });
}

export const rebound: ValidationCase = {
  ...OWN,
  name: 'rebound',
  shows:
    'Contacts as events, moved to a tolerance: the restitution that was asked for, flights between contacts, ' +
    "Hertz' depth and duration, a ball that slides and then rolls, and a cradle with gaps.",
  source: 'closed forms: docs/multibody.md, "Contacts"; H. Hertz (1882)',
  async run(context) {
    const rows: Row[] = [];
    const parts = [reboundRows, hertzRows, flightRows, slideRows, cradleRows];
    for (const [i, part] of parts.entries()) {
      rows.push(...(await part()));
      context.progress(i + 1, parts.length);
    }
    return { rows };
  },
};

/** A triangle of balls of a diameter and a little, which one more runs into along its axis. */
export function breakShot(rows: number): MultibodyScene {
  const radius = 0.0286;
  const pitch = 2 * radius + 1e-4;
  const balls: Ball[] = [{ position: [-0.2, 0, 0], velocity: [3, 0, 0] }];
  for (let row = 0; row < rows; row++)
    for (let k = 0; k <= row; k++)
      balls.push({ position: [(row * pitch * Math.sqrt(3)) / 2, (k - row / 2) * pitch, 0] });
  return sceneOf({ balls, radius, restitution: 1, gravity: NO_GRAVITY });
}

export const breaks: ValidationCase = {
  ...OWN,
  name: 'breaks',
  shows:
    'A ball runs into a triangle of balls along its axis, moved to a tolerance of 1e-5 with a ten-thousandth of the ' +
    'stiffness: both halves of the break mirror each other, and energy and momentum stay.',
  source:
    'symmetry; A. Neumayr, M. Otter, collision handling with elastic response calculation (2019), section 5',
  async run(context) {
    const count = context.isQuick ? 3 : 5;
    const scene = breakShot(count);
    const options = { relativeTolerance: 1e-5, reduction: 1e-4 };
    return moved(scene, options, async (system) => {
      const before = system.monitors;
      await system.advance(0.3);
      context.progress(1, 1);
      const places = await system.read('poses');
      let worst = 0;
      for (let row = 0, first = 1; row < count; first += ++row)
        for (let k = 0; k <= row; k++) {
          const [one, other] = [7 * (first + k), 7 * (first + row - k)];
          worst = Math.max(
            ...[worst, Math.abs(places[one]! - places[other]!)],
            Math.abs(places[one + 1]! + places[other + 1]!),
          );
        }
      const { momentum, balance } = system.monitors;
      return {
        rows: [
          below('break: left beside right, of a radius', worst / 0.0286, {
            ...{ within: 1e-6, because: 'both sides are computed alike, to rounding that impacts multiply' },
          }),
          equal('break: momentum along the axis', momentum[0]!, before.momentum[0]!, {
            ...{ within: 1e-6, because: 'forces of a pair are opposite to the bit' },
          }),
          equal('break: energy', balance, before.balance, {
            ...{ within: 1e-3, because: 'a hundred steps of a tolerance of 1e-5' },
          }),
        ],
      };
    });
  },
};

/** As the CLI is asked for it in docs/multibody.md. */
const SOFT = { relativeTolerance: 1e-5 } as const;
const LENGTH = 0.05;

export const pieces: ValidationCase = {
  ...OWN,
  name: 'pieces',
  isLong: true,
  shows:
    'A cylinder, a ball, and bodies of 70 and 6 convex parts fall on a box, onto each other, and come to rest: 79 ' +
    'shapes, which are 651 pairs.',
  source: 'rest, and the balance of energy; A. Neumayr, M. Otter (2017), figure 9',
  async run(context) {
    const file = piecesFalling();
    const scene = multibodyScene(await parseScene(JSON.stringify(file)));
    return moved(scene, SOFT, async (system) => {
      const before = system.monitors.balance;
      const frames = 40;
      for (let i = 1; i <= frames; i++) {
        await system.advance((i * file.duration) / frames - system.time);
        context.progress(i, frames);
      }
      const [velocities, spins] = [await system.read('velocities'), await system.read('angularVelocities')];
      const { balance, dashpots, friction, rolling, deepestOverlap } = system.monitors;
      const fastest = Math.max(...velocities.map(Math.abs), ...spins.map((spin) => Math.abs(spin) * LENGTH));
      const lost = dashpots + friction + rolling;
      return {
        rows: [
          below('pieces: largest speed, of sqrt(g L)', fastest / Math.sqrt(G * LENGTH), {
            ...{ within: 1e-4, because: 'all of them lie' },
          }),
          below('pieces: balance of energy, of what was lost', Math.abs(balance - before) / lost, {
            ...{ within: 1e-4, because: 'some thousand steps of a tolerance of 1e-5' },
          }),
          below('pieces: deepest overlap at rest', deepestOverlap, {
            ...{
              within: 1e-3,
              unit: ' m',
              because: 'what a modulus of 20 MPa carries, a fiftieth of a radius',
            },
          }),
        ],
      };
    });
  },
};
