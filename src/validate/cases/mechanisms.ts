/** Bodies on joints: motions with closed forms, and mechanisms of the literature with closed loops. */
import { Multibody, type MultibodyScene, type Vector3 } from '../../index.ts';
import {
  bricard,
  chainOf,
  SQUEEZER_END,
  SQUEEZER_START,
  sceneOf,
  sliderCrankBodies,
  squeezer,
} from '../mechanism-scenes.ts';
import { G } from '../scenes.ts';
import { below, equal, near, type Row, type ValidationCase } from '../validation-case.ts';
import { ellipticK } from './rigid.ts';

/** Of steps. What is asked of whole motions is a thousand times that at most. */
const TOLERANCE = 1e-10;
const because = 'a thousand steps of a tolerance of 1e-10';
const OWN = { needsFloat64: 'mechanisms are moved on the CPU' } as const;

async function moved<T>(scene: MultibodyScene, work: (system: Multibody) => Promise<T>): Promise<T> {
  const system = await Multibody.create(scene, { relativeTolerance: TOLERANCE });
  try {
    return await work(system);
  } finally {
    system.destroy();
  }
}

/** How far a pendulum is from where it was, a period after it was let go at an angle. */
async function pendulumPeriod(angle: number): Promise<{ readonly period: number; readonly got: number }> {
  const [mass, length, inertia] = [2, 0.7, 0.3];
  const place: Vector3 = [length * Math.sin(angle), 0, -length * Math.cos(angle)];
  const scene = sceneOf(
    [{ position: place, mass: { mass, inertia: [inertia, inertia, inertia] } }],
    [{ kind: 'revolute', a: 'world', b: 0, point: [-place[0], 0, -place[2]], axis: [0, 1, 0] }],
  );
  const reduced = (inertia + mass * length ** 2) / (mass * length);
  const period = 4 * Math.sqrt(reduced / G) * ellipticK(Math.sin(angle / 2));
  return moved(scene, async (system) => {
    // At a quarter it is lowest and fastest: there its place tells of the time.
    await system.advance(period / 4);
    const [[turned], [rate]] = [await system.read('coordinates'), await system.read('rates')];
    return { period, got: period - (4 * (Math.abs(turned!) - angle)) / Math.abs(rate!) };
  });
}

/** A top on its tip: Lagrange's. */
const TOP = { mass: 1, arm: 0.5, across: 0.4, along: 0.3, spin: 30, tilt: 0.6 } as const;

function top(angularVelocity: Vector3): MultibodyScene {
  const { mass, arm, across, along, tilt } = TOP;
  const place: Vector3 = [arm * Math.sin(tilt), 0, arm * Math.cos(tilt)];
  const [x, y, z] = angularVelocity;
  const velocity: Vector3 = [y * place[2], z * place[0] - x * place[2], -y * place[0]];
  const body = {
    ...{
      position: place,
      rotation: [0, Math.sin(tilt / 2), 0, Math.cos(tilt / 2)],
      velocity,
      angularVelocity,
    },
    mass: { mass, inertia: [across, across, along] as const },
  };
  return sceneOf([body], [{ kind: 'spherical', a: 'world', b: 0, point: [0, 0, -arm] }]);
}

async function topRows(): Promise<Row[]> {
  const { mass, arm, across, along, spin, tilt } = TOP;
  const [about, pull, c] = [across + mass * arm ** 2, mass * G * arm, Math.cos(tilt)];
  const axis: Vector3 = [Math.sin(tilt), 0, c];
  const root = Math.sqrt((along * spin) ** 2 - 4 * about * c * pull);
  const precession = (along * spin - root) / (2 * about * c);
  const rest = spin - precession * c;
  const quarter = Math.PI / 2 / precession;
  const turned = await moved(top([rest * axis[0], 0, precession + rest * c]), async (system) => {
    await system.advance(quarter);
    const [x, y, z] = await system.read('centroids');
    return { angle: Math.atan2(y!, x!), height: z! / arm };
  });
  // Between the heights at which it stands still: u'^2 = b (u0 - u) (u - u2) (u3 - u).
  const [a, b] = [(along * spin) / about, (2 * pull) / about];
  const wide = Math.sqrt(a ** 4 - 4 * b * (a * a * c - b));
  const [low, high] = [(a * a - wide) / (2 * b), (a * a + wide) / (2 * b)];
  const period = (4 / Math.sqrt(b * (high - low))) * ellipticK(Math.sqrt((c - low) / (high - low)));
  const heights = await moved(top([spin * axis[0], 0, spin * c]), async (system) => {
    await system.advance(period / 2);
    const half = (await system.read('centroids'))[2]! / arm;
    await system.advance(period / 2);
    return { half, whole: (await system.read('centroids'))[2]! / arm };
  });
  const tight = { within: 1e-7, because };
  return [
    equal('top: turn in a quarter of its precession', turned.angle, Math.PI / 2, { ...tight, unit: ' rad' }),
    near('top: height in steady precession', turned.height, c, tight),
    near('top: height after half a nutation', heights.half, low, tight),
    near('top: height after a nutation', heights.whole, c, tight),
  ];
}

export const mechanisms: ValidationCase = {
  ...OWN,
  name: 'mechanisms',
  shows:
    "Bodies on joints, to a tolerance of 1e-10: a pendulum's period at large angles, a top's precession and " +
    'nutation, and the energy of a chain of eight rods.',
  source: 'closed forms: elliptic integrals; F. Klein, A. Sommerfeld, "The theory of the top"',
  async run(context) {
    const rows: Row[] = [];
    for (const degrees of [90, 179]) {
      const { period, got } = await pendulumPeriod((degrees * Math.PI) / 180);
      rows.push(
        equal(`pendulum at ${degrees} degrees: period`, got, period, { within: 1e-7, because, unit: ' s' }),
      );
    }
    context.progress(1, 3);
    rows.push(...(await topRows()));
    context.progress(2, 3);
    const points: [number, number][] = [];
    const drift = await moved(chainOf(8), async (system) => {
      const { balance } = system.monitors;
      let worst = 0;
      for (let i = 1; i <= (context.isQuick ? 5 : 20); i++) {
        await system.advance(0.1);
        const off = (system.monitors.balance - balance) / system.monitors.kinetic;
        points.push([system.time, off]);
        worst = Math.max(worst, Math.abs(off));
      }
      return worst;
    });
    rows.push(
      below('chain of eight rods: change of energy, of the kinetic one', drift, { within: 1e-7, because }),
    );
    return {
      rows,
      charts: [
        {
          ...{ title: 'Chain of eight rods', x: 'time, s', y: 'change of energy, of the kinetic one' },
          series: [{ name: 'measured', look: 'dots', color: 0, points }],
        },
      ],
    };
  },
};

async function sliderRows(isQuick: boolean): Promise<Row[]> {
  const spans = isQuick ? 1 : 4;
  return moved(sliderCrankBodies(), async (system) => {
    const balance = system.monitors.balance;
    let [place, change] = [0, 0];
    const rows: Row[] = [];
    // IDA's example prints five digits.
    const printed = [
      [0.072238, 1.498],
      [-1.43, 0.93903],
      [0.18041, 1.4879],
      [1.2757, 1.0236],
    ] as const;
    for (const [q, x] of printed.slice(0, spans)) {
      await system.advance(2.5);
      const angle = (await system.read('coordinates'))[0]! + Math.PI / 2;
      const slider = (await system.read('poses'))[14]!;
      const closed = 0.5 * Math.cos(angle) + Math.sqrt(1 - (0.5 * Math.sin(angle)) ** 2);
      place = Math.max(place, Math.abs(slider - closed));
      change = Math.max(change, Math.abs(system.monitors.balance - balance));
      const own = { within: 7.5e-5, because: "ten of IDA's tolerances, and half of its last digit" };
      rows.push(near(`slider-crank at ${system.time} s: crank`, angle, q, { ...own, unit: ' rad' }));
      rows.push(near(`slider-crank at ${system.time} s: slider`, slider, x, own));
    }
    return [
      ...rows,
      below('slider-crank: slider, beside its closed form', place, { within: 1e-9, because }),
      below('slider-crank: change of the balance', change, { within: 1e-7, because }),
    ];
  });
}

export const loops: ValidationCase = {
  ...OWN,
  name: 'loops',
  shows:
    "Closed loops, to a tolerance of 1e-10: IDA's slider-crank, Andrews' squeezer at 0.03 s, and Bricard's " +
    'mechanism, which has a freedom that counting does not find.',
  source:
    "SUNDIALS' example idaSlCrank; F. Mazzia, C. Magherini, test set for initial value problem solvers (2008); M. " +
    'Gonzalez et al., multibody benchmark library, A04',
  async run(context) {
    const rows = await sliderRows(context.isQuick);
    context.progress(1, 3);
    const angles = await moved(squeezer(), async (system) => {
      rows.push(
        near('squeezer: freedoms', system.statistics.degreesOfFreedom, 1, { within: 0, because: 'a number' }),
      );
      await system.advance(0.03);
      return (await system.read('coordinates')).map((x, i) => x + SQUEEZER_START[i]!);
    });
    ['beta', 'delta', 'epsilon', 'gamma', 'theta', 'phi', 'omega'].forEach((name, i) => {
      const own = {
        within: 1e-5,
        because: 'digits of the reference that tolerances of 1e-10 keep',
        unit: ' rad',
      };
      rows.push(near(`squeezer: ${name}`, angles[i]!, SQUEEZER_END[i]!, own));
    });
    context.progress(2, 3);
    const points: [number, number][] = [];
    await moved(bricard(), async (system) => {
      const { balance } = system.monitors;
      rows.push(
        near('Bricard: freedoms', system.statistics.degreesOfFreedom, 1, { within: 0, because: 'a number' }),
      );
      let [worst, most] = [0, 0];
      for (let i = 1; i <= (context.isQuick ? 20 : 100); i++) {
        await system.advance(0.1);
        const { kinetic, balance: now } = system.monitors;
        most = Math.max(most, kinetic);
        worst = Math.max(worst, Math.abs(now - balance) / most);
        points.push([system.time, kinetic]);
      }
      rows.push(
        below('Bricard: change of energy, of the largest kinetic one', worst, { within: 1e-6, because }),
      );
    });
    return {
      rows,
      charts: [
        {
          ...{ title: "Bricard's mechanism: kinetic energy", x: 'time, s', y: 'J' },
          series: [{ name: 'measured', look: 'line', color: 0, points }],
        },
      ],
    };
  },
};
