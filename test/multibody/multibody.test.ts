import { createRequire } from 'node:module';
import { Matrix } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { CLOSED } from '../../src/multibody/constants.ts';
import { Equations } from '../../src/multibody/equations/equations.ts';
import { mechanismOf } from '../../src/multibody/equations/mechanism.ts';
import { Multibody } from '../../src/multibody/multibody.ts';
import {
  type BodyState,
  JOINT_KINDS,
  type Joint,
  type JointKind,
  type MassOfBody,
  type MultibodyScene,
  NO_SHAPE,
} from '../../src/multibody/scene/multibody-scene.ts';
import {
  type BodyOfMechanism,
  bricard,
  chainOf,
  SQUEEZER_END,
  SQUEEZER_START,
  sceneOf,
  sliderCrankBodies,
  squeezer,
} from '../../src/validate/mechanism-scenes.ts';

const G = 9.81;
const tight = { relativeTolerance: 1e-10 };
// What is asked at that tolerance, in radians, lengths, times and energies, all of which are of size 1 here.
/** Errors of up to a thousand steps add up. */
const WHOLE_MOTION = 1e-7;
/** Of up to a hundred steps. */
const SHORT_MOTION = 1e-8;
/** Where errors are multiplied by ten: of rates, of sums of large terms, and of neighbouring motions that part. */
const GROWN_ERROR = 1e-6;
/** The same at the tolerance of those who name none, 1e-6: a hundred steps. */
const DEFAULT_MOTION = 1e-4;
/** Five digits that IDA prints, and ten of its tolerances. */
const IDA_DIGITS = 1e-4;
/** What steps of 1e-10 keep of the squeezer's reference, radians. */
const SQUEEZER_DIGITS = 1e-5;
/** A few rounding errors of numbers of size 1. */
const ROUNDING = 1e-14;
/** Half a central difference; and its error: rounding over it, and the square of it times numbers of some tens. */
const DIFFERENCE = 1e-6;
const ERROR_OF_DIFFERENCES = 1e-7;

/** Arithmetic-geometric mean. */
function agm(a: number, b: number): number {
  for (let i = 0; i < 40; i++) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
  return a;
}
const ellipticK = (k2: number) => Math.PI / (2 * agm(1, Math.sqrt(1 - k2)));

function equationsOf(scene: MultibodyScene): Equations {
  const names = Array.from(scene.bodies.shapes, (_, i) => `body ${i}`);
  const mechanism = mechanismOf(
    scene,
    names,
    (scene.joints ?? []).map((_, i) => `joint ${i}`),
  );
  return new Equations(mechanism, mechanism.rows, 1e-10);
}

describe('closed forms', () => {
  it.each([90, 179])('a pendulum let go at %i degrees is back after its period', async (degrees) => {
    const angle = (degrees * Math.PI) / 180;
    const [mass, length, inertia] = [2, 0.7, 0.3];
    const place = [length * Math.sin(angle), 0, -length * Math.cos(angle)] as const;
    const scene = sceneOf(
      [{ position: place, mass: { mass, inertia: [inertia, inertia, inertia] } }],
      [{ kind: 'revolute', a: 'world', b: 0, point: [-place[0], 0, -place[2]], axis: [0, 1, 0] }],
    );
    const system = await Multibody.create(scene, tight);
    const reduced = (inertia + mass * length ** 2) / (mass * length);
    const period = (2 * Math.PI * Math.sqrt(reduced / G)) / agm(1, Math.cos(angle / 2));
    // At a quarter it is lowest, where its place tells of time errors.
    await system.advance(period / 4);
    const [turned] = await system.read('coordinates');
    const [rate] = await system.read('rates');
    expect(Math.abs((Math.abs(turned!) - angle) / rate!) / period).toBeLessThan(WHOLE_MOTION);
    await system.advance((3 * period) / 4);
    expect(Math.abs((await system.read('coordinates'))[0]!)).toBeLessThan(WHOLE_MOTION);
  });

  it("a top's steady precession and its nutation", async () => {
    const [mass, arm, across, along, spin, tilt] = [1, 0.5, 0.4, 0.3, 30, 0.6];
    const about = across + mass * arm ** 2;
    const axis = [Math.sin(tilt), 0, Math.cos(tilt)] as const;
    const rotation = [0, Math.sin(tilt / 2), 0, Math.cos(tilt / 2)];
    const top = (angularVelocity: readonly [number, number, number]): MultibodyScene => {
      const cross = [1, 2, 0].map((i, k) => {
        const j = (i + 1) % 3;
        return angularVelocity[i]! * axis[j]! - angularVelocity[j]! * axis[i]! + 0 * k;
      });
      const velocity = cross.map((x) => arm * x) as unknown as [number, number, number];
      const body: BodyOfMechanism = {
        ...{ position: axis.map((x) => arm * x) as unknown as [number, number, number], rotation },
        ...{ velocity, angularVelocity, mass: { mass, inertia: [across, across, along] } },
      };
      return sceneOf([body], [{ kind: 'spherical', a: 'world', b: 0, point: [0, 0, -arm] }]);
    };
    const pull = mass * G * arm;
    const root = Math.sqrt((along * spin) ** 2 - 4 * about * Math.cos(tilt) * pull);
    const precession = (along * spin - root) / (2 * about * Math.cos(tilt));
    const rest = spin - precession * Math.cos(tilt);
    const steady = await Multibody.create(top([rest * axis[0], 0, precession + rest * axis[2]]), tight);
    await steady.advance(Math.PI / 2 / precession);
    const place = (await steady.read('centroids')).map((x) => x / arm);
    // A quarter of a turn about z.
    expect(Math.hypot(place[0]!, place[1]! - axis[0], place[2]! - axis[2])).toBeLessThan(WHOLE_MOTION);

    const nutating = await Multibody.create(top([spin * axis[0], 0, spin * axis[2]]), tight);
    const [u0, a, b] = [Math.cos(tilt), (along * spin) / about, (2 * pull) / about];
    const wide = Math.sqrt(a ** 4 - 4 * b * (a * a * u0 - b));
    const [u2, u3] = [(a * a - wide) / (2 * b), (a * a + wide) / (2 * b)];
    const period = (4 / Math.sqrt(b * (u3 - u2))) * ellipticK((u0 - u2) / (u3 - u2));
    await nutating.advance(period / 2);
    expect(Math.abs((await nutating.read('centroids'))[2]! / arm - u2)).toBeLessThan(WHOLE_MOTION);
    await nutating.advance(period / 2);
    expect(Math.abs((await nutating.read('centroids'))[2]! / arm - u0)).toBeLessThan(WHOLE_MOTION);
    expect(Math.abs((await nutating.read('velocities'))[2]! / arm)).toBeLessThan(GROWN_ERROR);
  });

  it('a free body turns back after its period, and its momenta stay', async () => {
    const moments = [1, 2, 2.7] as const;
    const spin = [0.3, 2, 0.1] as const;
    const scene = sceneOf(
      [{ mass: { mass: 1, inertia: moments }, angularVelocity: spin, velocity: [1, 2, 3] }],
      [],
      { gravity: [0, 0, 0] },
    );
    const twice = moments.reduce((sum, moment, k) => sum + moment * spin[k]! ** 2, 0);
    const square = moments.reduce((sum, moment, k) => sum + (moment * spin[k]!) ** 2, 0);
    const [i1, i2, i3] = moments;
    const [a, c] = square > twice * i2 ? [i1, i3] : [i3, i1];
    const p = Math.sqrt(((c - i2) * (square - twice * a)) / (i1 * i2 * i3));
    const k2 = ((i2 - a) * (twice * c - square)) / ((c - i2) * (square - twice * a));
    const system = await Multibody.create(scene, tight);
    const before = system.monitors;
    await system.advance((4 * ellipticK(k2)) / p);
    const rates = await system.read('rates');
    // The last three are the angular velocity in the body's axes.
    spin.forEach((x, k) => {
      expect(Math.abs(rates[3 + k]! - x)).toBeLessThan(WHOLE_MOTION);
    });
    before.angularMomentum.forEach((x, k) => {
      expect(Math.abs(system.monitors.angularMomentum[k]! - x)).toBeLessThan(GROWN_ERROR);
    });
    expect(Math.abs(system.monitors.kinetic / before.kinetic - 1)).toBeLessThan(SHORT_MOTION);
  });

  it('a double pendulum at 3 s is where odex has it', async () => {
    const { Solver } = createRequire(import.meta.url)('odex');
    const solver = new Solver(4);
    solver.absoluteTolerance = 1e-12;
    solver.relativeTolerance = 1e-12;
    const { y } = solver.solve(
      (_: number, [a, b, va, vb]: [number, number, number, number]) => {
        const [s, c] = [Math.sin(a - b) / 2, Math.cos(a - b) / 2];
        const f = 1.5 * G * Math.cos(a) - s * vb * vb;
        const h = 0.5 * G * Math.cos(b) + s * va * va;
        const det = 4 / 9 - c * c;
        return [va, vb, (f / 3 - c * h) / det, ((4 / 3) * h - c * f) / det];
      },
      ...[0, [0, 0, 0, 0], 3],
    );
    const system = await Multibody.create(chainOf(2), tight);
    await system.advance(3);
    const [first, second] = await system.read('coordinates');
    expect(Math.abs(first! - y[0])).toBeLessThan(GROWN_ERROR);
    expect(Math.abs(first! + second! - y[1])).toBeLessThan(GROWN_ERROR);
  });
});

describe('loops', () => {
  it("IDA's slider-crank: its angles, the slider where they put it, and the balance", async () => {
    const system = await Multibody.create(sliderCrankBodies(), tight);
    expect(system.statistics).toMatchObject({ degreesOfFreedom: 1, closureRows: 2 });
    expect(system.statistics.redundantRows).toHaveLength(3);
    const balance = system.monitors.balance;
    for (const [q, x, p] of [
      [0.072238, 1.498, -0.036096],
      [-1.43, 0.93903, 0.5179],
      [0.18041, 1.4879, -0.089839],
      [1.2757, 1.0236, -0.49881],
    ] as const) {
      await system.advance(2.5);
      const [crank, rod] = await system.read('coordinates');
      const angle = crank! + Math.PI / 2;
      const slider = (await system.read('poses'))[14]!;
      expect(
        Math.abs(slider - 0.5 * Math.cos(angle) - Math.sqrt(1 - (0.5 * Math.sin(angle)) ** 2)),
      ).toBeLessThan(CLOSED);
      for (const [got, want] of [
        [angle, q],
        [slider, x],
        [Math.asin(-0.5) + crank! + rod!, p],
      ] as const)
        expect(Math.abs(got - want)).toBeLessThan(IDA_DIGITS * Math.max(1, Math.abs(want)));
      expect(Math.abs(system.monitors.balance - balance)).toBeLessThan(WHOLE_MOTION);
    }
  });

  it("Andrews' squeezer at 0.03 s", async () => {
    const system = await Multibody.create(squeezer(), tight);
    expect(system.statistics).toMatchObject({ degreesOfFreedom: 1, closureRows: 6 });
    await system.advance(0.03);
    const angles = (await system.read('coordinates')).map((x, i) => x + SQUEEZER_START[i]!);
    angles.forEach((angle, i) => {
      expect(Math.abs(angle - SQUEEZER_END[i]!)).toBeLessThan(SQUEEZER_DIGITS);
    });
  });

  it("Bricard's mechanism has one freedom, which counting does not find, and keeps its energy over 10 s", async () => {
    const system = await Multibody.create(bricard(), tight);
    expect(system.statistics).toMatchObject({ degreesOfFreedom: 1, closureRows: 4 });
    expect(system.statistics.redundantRows).toHaveLength(1);
    const { balance } = system.monitors;
    let most = 0;
    for (let i = 0; i < 10; i++) {
      await system.advance(1);
      const now = system.monitors;
      most = Math.max(most, now.kinetic);
      expect(Math.abs(now.balance - balance) / most).toBeLessThan(GROWN_ERROR);
    }
    // It swings: at 5 s it is back.
    expect(most).toBeGreaterThan(4);
  });

  it.each(JOINT_KINDS.filter((kind) => kind !== 'fixed'))(
    'a %s joint that closes a loop holds what it leaves free as a joint of the tree does',
    async (kind: JointKind) => {
      // A body on a joint, and on the same joint again: all rows of the second one say nothing new.
      const own: Joint = {
        ...{ kind, a: 'world', b: 0, point: [-0.3, 0.1, 0.2] },
        ...(kind === 'spherical' ? {} : { axis: [1, 2, 3] }),
        ...(kind === 'universal' ? { secondAxis: [3, 0, -1] } : {}),
      };
      const body: BodyOfMechanism = {
        ...{ position: [1, 2, 3], rotation: [0.5, 0.5, 0.5, 0.5] },
        mass: { mass: 1, centroid: [0.2, 0, 0.1], inertia: [0.1, 0.2, 0.25] },
      };
      const free = { prismatic: 1, revolute: 1, cylindrical: 2, universal: 2, spherical: 3, fixed: 0 }[kind];
      const alone = await Multibody.create(sceneOf([body], [own]), tight);
      const twice = await Multibody.create(sceneOf([body], [own, own]), tight);
      expect(twice.statistics).toMatchObject({ degreesOfFreedom: free, closureRows: 0 });
      expect(twice.statistics.redundantRows).toHaveLength(6 - free);
      await alone.advance(0.7);
      await twice.advance(0.7);
      expect(await twice.read('poses')).toEqual(await alone.read('poses'));
      // They stay 0 where it has moved to: the rows know which ways the joint leaves.
      const equations = equationsOf(sceneOf([body], [own, own]));
      const y = new Float64Array(equations.count);
      const { tree } = equations.mechanism;
      y.set(tree.zero());
      const by = Float64Array.from({ length: tree.rates }, (_, r) => 0.3 + r / 5);
      tree.move(y.subarray(0, tree.coordinates), by);
      y.set(by, tree.coordinates);
      const { gaps, rates } = equations.closures({ time: 0, y, rates: y });
      expect(Math.max(...gaps.map(Math.abs), ...rates.map(Math.abs))).toBeLessThan(ROUNDING);
    },
  );

  it('gradients of rows, and the matrix, are those of differences', () => {
    const equations = equationsOf(bricard());
    const { count, at } = equations;
    const state = {
      time: 0,
      y: Float64Array.from({ length: count }, (_, i) => Math.sin(1 + i)),
      rates: Float64Array.from({ length: count }, (_, i) => Math.cos(2 + 3 * i)),
    };
    const matrix = Matrix.zeros(count, count);
    equations.known!.write(state, 7, matrix);
    const residual = (y: Float64Array, rates: Float64Array) => {
      const out = new Float64Array(count);
      equations.residual({ time: 0, y, rates }, out);
      return out;
    };
    const h = DIFFERENCE;
    for (let j = at.lambda; j < count; j++) {
      const [up, down] = [1, -1].map((sign) => {
        const [y, rates] = [state.y.slice(), state.rates.slice()];
        y[j]! += sign * h;
        rates[j]! += sign * 7 * h;
        return residual(y, rates);
      });
      for (let i = 0; i < count; i++)
        expect(Math.abs((up![i]! - down![i]!) / (2 * h) - matrix.get(i, j))).toBeLessThan(
          ERROR_OF_DIFFERENCES,
        );
    }
    // g by q is G: rows 3 of (7) beside rows 2 of lambda.
    const nv = equations.mechanism.tree.rates;
    for (let r = 0; r < nv; r++) {
      const [up, down] = [1, -1].map((sign) => {
        const y = state.y.slice();
        y[r]! += sign * h;
        return equations.closures({ ...state, y }).gaps;
      });
      equations.rows.forEach((_, k) => {
        const want = matrix.get(nv + r, at.lambda + k) / 7;
        expect(Math.abs((up![k]! - down![k]!) / (2 * h) - want)).toBeLessThan(ERROR_OF_DIFFERENCES);
      });
    }
  });

  it('a start off the constraints is assembled, and one that cannot close is refused with its gap', async () => {
    // A four-bar: a crank of 1, a coupler, a rocker; its last pin is off by `gap` at first.
    const bar = (gap: number, length = 2): MultibodyScene => {
      const body = (x: number, z: number): BodyOfMechanism => ({
        position: [x, 0, z],
        mass: { mass: 1, inertia: [1, 1, 1] },
      });
      const axis = [0, 1, 0] as const;
      return sceneOf(
        [body(0, 0), body(0, 1), body(length, 0)],
        [
          { kind: 'revolute', a: 'world', b: 0, axis },
          { kind: 'revolute', a: 0, b: 1, pointA: [0, 0, 1], axis },
          { kind: 'revolute', a: 'world', b: 2, axis },
          { kind: 'revolute', a: 1, b: 2, pointA: [length + gap, 0, 0], point: [0, 0, 1], axis },
        ],
      );
    };
    const system = await Multibody.create(bar(0.2), tight);
    expect(system.statistics).toMatchObject({ degreesOfFreedom: 1, closureRows: 2 });
    const poses = await system.read('poses');
    // The coupler is 2.2 long now, between pins of crank and rocker.
    const pin = (body: number, x: number, z: number) => {
      const angle = 2 * Math.atan2(poses[7 * body + 4]!, poses[7 * body + 6]!);
      const [s, c] = [Math.sin(angle), Math.cos(angle)];
      return [poses[7 * body]! + c * x + s * z, poses[7 * body + 2]! - s * x + c * z] as const;
    };
    const [a, b] = [pin(1, 2.2, 0), pin(2, 0, 1)];
    expect(Math.hypot(a[0] - b[0], a[1] - b[1])).toBeLessThan(CLOSED);
    await expect(Multibody.create(bar(5))).rejects.toThrow(
      /body 1-body 2: row \d.*a gap of .* expected a loop that closes/,
    );
  });
});

it('a start where a loop is flat is refused: there it may go two ways', async () => {
  // A parallelogram of four bars, all in a line: also off the axes, where rounding is all that is left of rows, and
  // where bars move at first.
  const axis = [0, 1, 0] as const;
  for (const angle of [0, 0.1, 1]) {
    for (const rate of [0, 1]) {
      const at = (way: number) => [way * Math.cos(angle), 0, way * Math.sin(angle)] as const;
      const bar: BodyOfMechanism = { mass: { mass: 1, inertia: [1, 1, 1] } };
      const flat = sceneOf(
        [
          { ...bar, angularVelocity: [0, rate, 0] },
          { ...bar, position: at(1) },
          { ...bar, position: at(2) },
        ],
        [
          { kind: 'revolute', a: 'world', b: 0, axis },
          { kind: 'revolute', a: 0, b: 1, axis },
          { kind: 'revolute', a: 'world', b: 2, axis },
          { kind: 'revolute', a: 1, b: 2, point: at(1), axis },
        ],
      );
      await expect(Multibody.create(flat)).rejects.toThrow(
        /not determined at time 0: 1 of 2 rows of closure.*body 1-body 2.*not special/,
      );
    }
  }
});

it('a universal joint takes the spin of its body, also where its axes are not square', async () => {
  const spin = [1, 1, 0] as const;
  const scene = sceneOf(
    [{ mass: { mass: 1, inertia: [1, 1, 1] }, angularVelocity: spin }],
    [{ kind: 'universal', a: 'world', b: 0, axis: [1, 0, 0], secondAxis: [1, 1, 0] }],
  );
  const system = await Multibody.create(scene);
  (await system.read('angularVelocities')).forEach((x, k) => {
    expect(Math.abs(x - spin[k]!)).toBeLessThan(ROUNDING);
  });
});

describe('drives and forces', () => {
  it('a prescribed motion is met, its work is in the balance, and it may begin and end', async () => {
    const scene = sceneOf(
      [{ position: [1, 0, 0], mass: { mass: 1, inertia: [0.1, 0.1, 0.1] } }],
      [
        {
          ...{ kind: 'revolute', a: 'world', b: 0, point: [-1, 0, 0], axis: [0, 1, 0], damping: 0.2 },
          drive: {
            angularVelocity: [0, 2, 0],
            amplitude: [0, 0.3, 0],
            frequency: 0.5,
            from: 0.25,
            until: 1.5,
          },
        },
      ],
    );
    const system = await Multibody.create(scene, tight);
    const at = (time: number) => {
      const elapsed = Math.max(0, Math.min(time, 1.5) - 0.25);
      return 2 * elapsed + 0.3 * Math.sin(Math.PI * elapsed);
    };
    const angles: number[] = [];
    const balances: number[] = [];
    for (const time of [0.2, 0.7, 1.4, 2]) {
      await system.advance(time - system.time);
      angles.push((await system.read('coordinates'))[0]! - at(time));
      balances.push(system.monitors.balance);
    }
    expect(Math.max(...angles.map(Math.abs))).toBeLessThan(CLOSED);
    // The start and the stop are impacts, whose work no integral sees.
    expect(Math.abs(balances[2]! - balances[1]!)).toBeLessThan(GROWN_ERROR);
    expect(system.statistics.degreesOfFreedom).toBe(0);
  });

  it('functions of time and state drive joints and bodies, on trees and in loops', async () => {
    // A torque of -9 q on an inertia of 1: cos(3 t), by a joint of the tree, of a loop, and by a body's torque.
    const inertia = [1, 1, 1] as const;
    const hinge = { kind: 'revolute', a: 'world', b: 0, axis: [0, 1, 0] } as const;
    const spring = (_: number, { coordinate }: { readonly coordinate: number }) => -9 * (coordinate + 1);
    const body: BodyOfMechanism = { mass: { mass: 1, inertia } };
    const quiet = { gravity: [0, 0, 0] } as const;
    const scenes = [
      sceneOf([body], [{ ...hinge, drive: spring }], quiet),
      sceneOf([body], [hinge, { ...hinge, drive: spring }], quiet),
      sceneOf([body], [hinge], {
        ...quiet,
        elements: [{ kind: 'force', body: 0, torque: (time) => [0, -9 * Math.cos(3 * time), 0] }],
      }),
    ];
    for (const scene of scenes) {
      const system = await Multibody.create(scene, tight);
      const before = system.monitors.balance;
      await system.advance(0.6);
      expect(Math.abs((await system.read('coordinates'))[0]! + 1 - Math.cos(1.8))).toBeLessThan(SHORT_MOTION);
      expect(Math.abs(system.monitors.balance - before)).toBeLessThan(WHOLE_MOTION);
    }
  });
});

it.each([1, 2])(
  'angles of functions are counted beyond half a turn, with %i of two joints driven',
  async (drives) => {
    // q'' = 1 + q / 10 on an inertia of 1: the joint that is driven is in the tree, two that are have one in a loop.
    const hinge = { kind: 'revolute', a: 'world', b: 0, axis: [0, 1, 0] } as const;
    const share = (_: number, { coordinate }: { readonly coordinate: number }) =>
      (1 + coordinate / 10) / drives;
    const driven = { ...hinge, drive: share };
    const scene = sceneOf(
      [{ mass: { mass: 1, inertia: [1, 1, 1] } }],
      [drives === 2 ? driven : hinge, driven],
      { gravity: [0, 0, 0] },
    );
    const system = await Multibody.create(scene, tight);
    await system.advance(5);
    const expected = 10 * (Math.cosh(5 * Math.sqrt(0.1)) - 1);
    expect(Math.abs((await system.read('coordinates'))[0]! - expected)).toBeLessThan(GROWN_ERROR);
  },
);

it('functions get numbers that are their own', async () => {
  const seen: Float64Array[] = [];
  const force = (_: number, state: BodyState) => {
    const own = [state.position, state.velocity, state.angularVelocity];
    seen.push(...own);
    for (const one of own) one.fill(100);
    return [0, 0, 0] as const;
  };
  const hinge = { kind: 'revolute', a: 'world', b: 0, point: [-1, 0, 0], axis: [0, 1, 0] } as const;
  const body: BodyOfMechanism = { position: [1, 0, 0], mass: { mass: 1, inertia: [1, 1, 1] } };
  const [plain, forced] = await Promise.all([
    Multibody.create(sceneOf([body], [hinge])),
    Multibody.create(sceneOf([body], [hinge], { elements: [{ kind: 'force', body: 0, force }] })),
  ]);
  for (const system of [plain, forced]) await system.advance(0.5);
  expect(await forced.read('coordinates')).toEqual(await plain.read('coordinates'));
  expect(new Set(seen).size).toBe(seen.length);
});

it('two runs give the same bytes, however the time is parted', async () => {
  const [whole, parts] = await Promise.all([0, 1].map(() => Multibody.create(sliderCrankBodies())));
  await whole!.advance(4);
  for (let i = 0; i < 8; i++) await parts!.advance(0.5);
  for (const quantity of ['coordinates', 'rates', 'poses', 'forces', 'torques'] as const)
    expect(await parts!.read(quantity)).toEqual(await whole!.read(quantity));
  expect(parts!.monitors).toEqual(whole!.monitors);
});

it('forces and torques are what accelerates a body', async () => {
  const scene = sceneOf(
    [{ position: [1, 0, 0], mass: { mass: 2, inertia: [0.1, 0.2, 0.3] } }],
    [{ kind: 'revolute', a: 'world', b: 0, point: [-1, 0, 0], axis: [0, 1, 0] }],
  );
  const system = await Multibody.create(scene, tight);
  // Let go at the horizontal: (I + m) q'' = m g.
  const change = (2 * G) / 2.2;
  const forces = await system.read('forces');
  const torques = await system.read('torques');
  expect(Math.abs(forces[2]! + 2 * change)).toBeLessThan(GROWN_ERROR);
  expect(Math.abs(torques[1]! - 0.2 * change)).toBeLessThan(GROWN_ERROR);
});

describe('bad input is one line', () => {
  const body: BodyOfMechanism = { position: [1, 0, 0], mass: { mass: 1, inertia: [1, 1, 1] } };
  const hinge: Joint = { kind: 'revolute', a: 'world', b: 0, axis: [0, 1, 0] };
  const refused: (readonly [string, () => MultibodyScene, RegExp])[] = [
    ['no mass', () => sceneOf([{}], [hinge]), /body 0 moves without mass.*expected mass/],
    [
      'a circle',
      () =>
        sceneOf(
          [
            { ...body, parent: 1 },
            { ...body, parent: 0 },
          ],
          [],
        ),
      /parent leads around in a circle: body 0, body 1, body 0/,
    ],
    [
      'an axis of 0',
      () => sceneOf([body], [{ ...hinge, axis: [0, 0, 0] }]),
      /joints\[0\]\.axis is \[0,0,0\]/,
    ],
    [
      'an inertia',
      () => sceneOf([{ mass: { mass: 1, inertia: [1, 1, 3] } }], []),
      /body 0\.mass\.inertia is \[1,1,3\]/,
    ],
    ['one body twice', () => sceneOf([body], [{ ...hinge, a: 0 }]), /joints\[0\]\.b is 0, as a is/],
    [
      'a body that is not there',
      () => sceneOf([body], [{ ...hinge, a: 3 }]),
      /joints\[0\]\.a is 3, expected/,
    ],
    [
      'a field',
      () => sceneOf([body], [{ ...hinge, angle: 3 } as never]),
      /joints\[0\]: unknown field "angle"/,
    ],
    [
      'a drive',
      () => sceneOf([body], [{ kind: 'spherical', a: 'world', b: 0, drive: 1 }]),
      /joints\[0\]\.drive is there/,
    ],
    [
      'a spring',
      () =>
        sceneOf([body], [], { elements: [{ kind: 'spring', a: 'world', b: 0, stiffness: -1, length: 1 }] }),
      /elements\[0\]\.stiffness is -1/,
    ],
    [
      'no inertia about the axis',
      () => sceneOf([{ mass: { mass: 1 } }], [hinge]),
      /accelerations are not determined at time 0/,
    ],
    [
      'no inertia about a tilted axis',
      () =>
        sceneOf(
          [{ position: [0.1, 0.2, 0.3], mass: { mass: 1, centroid: [0.1, 0.2, 0.3] } }],
          [{ ...hinge, point: [0.1 - 1 / 3, 0.2 - 2 / 3, 0.3 - 1], axis: [1, 2, 3] }],
        ),
      /not determined at time 0: the rate of world-body 0 moves no mass/,
    ],
    [
      'another point of a fixed joint',
      () => sceneOf([body, body], [hinge, { kind: 'fixed', a: 0, b: 1, pointA: [5, 0, 0] }]),
      /joints\[1\]\.pointA is 5 away from point.*moves nothing/,
    ],
    [
      'another point of a joint within one body',
      () => sceneOf([body, { parent: 0 }], [hinge, { ...hinge, a: 0, b: 1, pointA: [0, 2, 0] }]),
      /joints\[1\]\.pointA is 2 away from point/,
    ],
    [
      'a static body on one that moves',
      () => {
        const scene = sceneOf([body, { parent: 0 }], [hinge]);
        return { ...scene, bodies: { ...scene.bodies, isStatic: Uint8Array.of(0, 1) } };
      },
      /body 1\.parent is body 0, which may move/,
    ],
    [
      'nothing that moves',
      () => {
        const scene = sceneOf([body], []);
        return { ...scene, bodies: { ...scene.bodies, isStatic: Uint8Array.of(1) } };
      },
      /bodies: none moves/,
    ],
    [
      'static as an array',
      () => {
        const scene = sceneOf([body], []);
        return { ...scene, bodies: { ...scene.bodies, isStatic: [1] as never } };
      },
      /bodies\.isStatic: found an array.*expected a Uint8Array/,
    ],
    [
      'masses as an array',
      () => {
        const scene = sceneOf([body], []);
        return { ...scene, bodies: { ...scene.bodies, masses: [body.mass] as never } };
      },
      /bodies\.masses: found an array.*expected a Map/,
    ],
    [
      'a mass of no body',
      () => {
        const scene = sceneOf([body], []);
        return { ...scene, bodies: { ...scene.bodies, masses: new Map([[7, body.mass!]]) } };
      },
      /a key of bodies\.masses is 7, expected a whole number below 1/,
    ],
    [
      'bounds',
      () => ({ ...sceneOf([body], []), bounds: { low: [0, 0, 0], high: [1, 1, 1] } }),
      /^bounds is there, expected none/,
    ],
    [
      'a body that appears later',
      () => {
        const scene = sceneOf([body, body], []);
        return { ...scene, bodies: { ...scene.bodies, appearsAt: Float64Array.of(0, 2) } };
      },
      /^body 1 appears at 2, expected all bodies from the start where steps follow from a tolerance$/,
    ],
    [
      'a motion of a body',
      () => {
        const scene = sceneOf([body], []);
        return { ...scene, bodies: { ...scene.bodies, motions: new Map([[0, { velocity: [1, 0, 0] }]]) } };
      },
      /^body 0\.motion is there, expected none: where steps follow from a tolerance, joints have drives$/,
    ],
    [
      'masses beyond numbers',
      () =>
        sceneOf(
          [{ position: [1e10, 0, 0], mass: { mass: 1e300, inertia: [1e300, 1e300, 1e300] } }],
          [{ ...hinge, point: [-1e10, 0, 0] }],
        ),
      /accelerations are not determined/,
    ],
    [
      'a shape without material',
      () => ({
        ...{ materials: [], shapes: [{ kind: 'sphere', radius: 1 }] },
        bodies: { shapes: Uint32Array.of(0), poses: Float64Array.of(0, 0, 0, 0, 0, 0, 1) },
      }),
      /body 0 has neither mass nor a material/,
    ],
  ];
  it('an open surface whose volume would give the mass', async () => {
    const mesh = new TriangleMesh({
      positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
      indices: Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2),
    });
    const scene = (masses?: ReadonlyMap<number, MassOfBody>): MultibodyScene => ({
      shapes: [{ kind: 'polyhedron', mesh }],
      materials: [{ density: 1, youngsModulus: 1 }],
      bodies: {
        shapes: Uint32Array.of(0),
        poses: Float64Array.of(0, 0, 0, 0, 0, 0, 1),
        ...(masses && { masses }),
      },
    });
    await expect(Multibody.create(scene())).rejects.toThrow(
      /body 0: its surface is open, expected a closed one/,
    );
    const own = await Multibody.create(scene(new Map([[0, { mass: 1, inertia: [1, 1, 1] }]])));
    expect(own.statistics.degreesOfFreedom).toBe(6);
  });

  it.each(refused)('%s', async (_, scene, message) => {
    const error = await Multibody.create(scene()).then(
      () => undefined,
      (found: Error) => found,
    );
    expect(error?.message).toMatch(message);
    expect(error?.message).not.toContain('\n');
    expect(error).toMatchObject({ exitCode: 2 });
  });

  it('what a function gives is checked, and a step that collapses names time and coordinate', async () => {
    const nan = await Multibody.create(
      sceneOf([body], [{ ...hinge, drive: (time) => (time > 0.5 ? NaN : 0) }]),
    );
    await expect(nan.advance(1)).rejects.toThrow(/joints\[0\]\.drive gave NaN at time 0\.5\d*, expected/);
    // The state is that of the last step: a body of 1 on an arm of 1, let go at rest.
    expect(nan.time).toBeGreaterThan(0.2);
    expect(nan.time).toBeLessThanOrEqual(0.5);
    expect(Math.abs(nan.monitors.balance)).toBeLessThan(DEFAULT_MOTION);
    // A torque that grows with the rate squared ends in a finite time: w' = w^2.
    const wild = await Multibody.create(
      sceneOf(
        [{ mass: { mass: 1, inertia: [1, 1, 1] }, angularVelocity: [0, 1, 0] }],
        [{ ...hinge, drive: (_, { rate }) => rate * rate }],
      ),
    );
    await expect(wild.advance(2)).rejects.toThrow(/too short at time (1\.0|0\.99).*(world-body 0)/);
  });

  it('a call that is stopped leaves a whole step, and goes on', async () => {
    const [stopped, plain] = await Promise.all([0, 1].map(() => Multibody.create(chainOf(2))));
    const controller = new AbortController();
    const onProgress = (done: number) => done > 0.5 && controller.abort();
    await expect(stopped!.advance(1, { signal: controller.signal, onProgress })).rejects.toThrow(/abort/i);
    expect(stopped!.time).toBeGreaterThan(0.4);
    await stopped!.advance(1 - stopped!.time);
    await plain!.advance(1);
    expect(await stopped!.read('coordinates')).toEqual(await plain!.read('coordinates'));
    stopped!.destroy();
    await expect(stopped!.advance(1)).rejects.toThrow(/this mechanism/);
  });
});

it('shapes, materials and parents give the masses, merged once', async () => {
  // A ball of density 3 with a rod fixed to it that has a mass of its own.
  const scene: MultibodyScene = {
    shapes: [{ kind: 'sphere', radius: 0.5 }],
    materials: [{ density: 3, youngsModulus: 1 }],
    bodies: {
      shapes: Uint32Array.of(0, NO_SHAPE),
      poses: Float64Array.of(0, 0, 1, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 1),
      parents: Int32Array.of(-1, 0),
      masses: new Map([[1, { mass: 2, inertia: [0.1, 0.1, 0.1] }]]),
    },
  };
  const system = await Multibody.create(scene, tight);
  await system.advance(0.5);
  const ball = (4 / 3) * Math.PI * 0.125 * 3;
  const centroids = await system.read('centroids');
  // Both fall as one, without a turn.
  expect(Math.abs(centroids[2]! - 1 + (G * 0.25) / 2)).toBeLessThan(SHORT_MOTION);
  expect(Array.from(centroids.subarray(3, 5))).toEqual([2, 0]);
  expect(Math.abs(system.monitors.kinetic - ((ball + 2) * (G * 0.5) ** 2) / 2)).toBeLessThan(GROWN_ERROR);
});

describe('what stands at the edges', () => {
  const body = { mass: { mass: 2, inertia: [1, 1, 1] } } as const;
  const slide = { kind: 'prismatic', a: 'world', b: 0, axis: [0, 0, 1] } as const;

  it('damps a cylindrical joint that closes a loop along its axis, and about it', async () => {
    const damping = 3;
    const closing: Joint = { kind: 'cylindrical', a: 'world', b: 0, axis: [0, 0, 1], damping };
    const system = await Multibody.create(sceneOf([{ ...body }], [slide, closing]), tight);
    await system.advance(0.8);
    // m v' = m g - c v.
    const expected = ((-2 * G) / damping) * (1 - Math.exp((-damping * 0.8) / 2));
    expect(Math.abs((await system.read('velocities'))[2]! - expected)).toBeLessThan(SHORT_MOTION);
    expect(system.monitors.dashpots).toBeGreaterThan(1);
    expect(Math.abs(system.monitors.balance)).toBeLessThan(WHOLE_MOTION);
  });

  it("asks a user's functions for no time before the start", async () => {
    const times: number[] = [];
    const drive = (time: number) => {
      times.push(time);
      return Math.sqrt(time);
    };
    const moved = { ...slide, axis: [1, 0, 0], drive: { velocity: [0.1, 0, 0] } } as const;
    const system = await Multibody.create(
      sceneOf(
        [{ ...body }, { ...body }],
        [
          { ...slide, drive },
          { ...moved, b: 1 },
        ],
      ),
      tight,
    );
    await system.advance(0.01);
    expect(Math.min(...times)).toBe(0);
  });

  it('has the state of the last step wherever it is looked at', async () => {
    const system = await Multibody.create(sceneOf([{ ...body }], [slide]), tight);
    const seen: number[] = [];
    await system.advance(1, {
      onProgress: (done) => {
        expect(system.time).toBe(done);
        expect(Math.abs(system.monitors.balance)).toBeLessThan(WHOLE_MOTION);
        seen.push(done);
      },
    });
    expect(seen.length).toBeGreaterThan(3);
    expect(seen.at(-1)).toBe(1);
    await expect(system.advance(0, { signal: AbortSignal.abort(new Error('no more')) })).rejects.toThrow(
      'no more',
    );
  });

  it('gives masses, 0 of what stands still', async () => {
    const system = await Multibody.create(sceneOf([{ ...body }], [slide]));
    expect([...(await system.read('masses'))]).toEqual([2]);
  });

  it('refuses motions of scripts that are no numbers, with the place', async () => {
    const drive = { velocity: [Number.NaN, 0, 0] } as const;
    await expect(Multibody.create(sceneOf([{ ...body }], [{ ...slide, drive }]))).rejects.toThrow(
      /^joints\[0\]\.drive\.velocity is .*expected 3 numbers$/,
    );
  });
});
