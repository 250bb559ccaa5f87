/** Bodies that turn: free rotation, impacts off centre, springs and dashpots of faces. */
import { quatd, vec3d } from 'wgpu-matrix';
import { createRandom } from '../../index.ts';
import { bodiesOf, boxMesh } from '../scenes.ts';
import { below, type CaseContext, equal, near, type Row, type ValidationCase } from '../validation-case.ts';
import { throughContact } from './impacts.ts';

/** Half axes 1/2, 1, 3/2: moments of inertia about x, y, z at density 1. */
const HALVES = [0.5, 1, 1.5] as const;
const MASS = 6;
const MOMENTS = [0, 1, 2].map(
  (k) => (MASS / 3) * (HALVES[(k + 1) % 3]! ** 2 + HALVES[(k + 2) % 3]! ** 2),
) as [number, number, number];

function freeBox(context: CaseContext, spin: readonly [number, number, number], timeStep: number) {
  return context.simulate(
    {
      shapes: [{ kind: 'polyhedron', mesh: boxMesh(...HALVES) }],
      materials: [{ density: 1, youngsModulus: 1 }],
      gravity: [0, 0, 0],
      bodies: bodiesOf([{ angularVelocity: spin }]),
    },
    { timeStep },
  );
}

/** Complete elliptic integral of the first kind, by the arithmetic-geometric mean. */
export function ellipticK(k: number): number {
  let [a, b] = [1, Math.sqrt(1 - k * k)];
  while (Math.abs(a - b) > 1e-15) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
  return Math.PI / (2 * a);
}

export const rotation: ValidationCase = {
  name: 'rotation',
  shows:
    'A box that turns freely: angular momentum and energy stay, turning about the middle axis is unstable with the ' +
    'rate w2 ((I2 - I1)(I3 - I2) / (I1 I3))^0.5, and the period is 4 K(k) / p.',
  source: "closed forms, Euler's equations",
  async run(context) {
    const rows: Row[] = [];
    const spin = [0.3, 1, 0.2] as const;
    const errors: number[] = [];
    let turned = 0;
    for (const timeStep of [0.02, 0.01]) {
      const simulation = await freeBox(context, spin, timeStep);
      const { kinetic, angularMomentum } = simulation.monitors;
      let worst = 0;
      for (let i = 0; i < 40; i++) {
        await simulation.step(0.5 / timeStep);
        const now = simulation.monitors;
        worst = Math.max(worst, Math.abs(now.kinetic / kinetic - 1));
        const change = now.angularMomentum.map((x, k) => x - angularMomentum[k]!);
        turned = Math.max(turned, Math.hypot(...change) / Math.hypot(...angularMomentum));
      }
      errors.push(worst);
    }
    const kept = 'the method is of second order, and its error stays bounded';
    rows.push(
      below('change of angular momentum', turned, {
        within: 1e-12,
        because: 'angular momentum stays but for rounding',
      }),
      below('change of energy at steps of 0.02', errors[0]!, { within: 1e-4, because: kept }),
      equal('it falls with half the step', errors[0]! / errors[1]!, 4, { within: 0.05, because: kept }),
    );
    context.progress(1, 3);

    const [i1, i2, i3] = [...MOMENTS].sort((a, b) => a - b) as [number, number, number];
    // The middle axis is y. Without a turn about the other axis, the one about x grows as cosh.
    const [least, time, rate] = [1e-6, 12, Math.sqrt(((i2 - i1) * (i3 - i2)) / (i1 * i3))];
    const unstable = await freeBox(context, [least, 1, 0], 0.01);
    await unstable.step(time / 0.01);
    const [x] = await inBody(unstable);
    const because = '0.1 %: steps of 0.01 of the time of a radian';
    rows.push(
      equal('growth rate about the middle axis', Math.acosh(Math.abs(x / least)) / time, rate, {
        ...{ within: 1e-3, because, unit: ' 1/s' },
      }),
    );
    context.progress(2, 3);

    const twice = MOMENTS.reduce((sum, moment, k) => sum + moment * spin[k]! ** 2, 0);
    const square = MOMENTS.reduce((sum, moment, k) => sum + (moment * spin[k]!) ** 2, 0);
    // L^2 is below 2 E I2 or above: the axes change their places.
    const [a, c] = square > twice * i2 ? [i1, i3] : [i3, i1];
    const p = Math.sqrt(((c - i2) * (square - twice * a)) / (i1 * i2 * i3));
    const k = Math.sqrt(((i2 - a) * (twice * c - square)) / ((c - i2) * (square - twice * a)));
    const simulation = await freeBox(context, spin, 0.01);
    // The middle axis' angular velocity in the body's frame is 0 twice in a period.
    const crossings: number[] = [];
    const points: [number, number][] = [];
    let last: number = spin[1];
    while (crossings.length < 3) {
      await simulation.step();
      const middle = (await inBody(simulation))[1];
      if (middle * last < 0) crossings.push(simulation.time - (0.01 * middle) / (middle - last));
      last = middle;
      if (simulation.monitors.steps % 20 === 0) points.push([simulation.time, middle]);
    }
    rows.push(
      equal('period', crossings[2]! - crossings[0]!, (4 * ellipticK(k)) / p, {
        within: 1e-3,
        because,
        unit: ' s',
      }),
    );
    return {
      rows,
      charts: [
        {
          ...{
            title: 'Free turn: about the middle axis',
            x: 'time, s',
            y: 'rad/s, in the frame of the body',
          },
          series: [{ name: 'measured', look: 'dots', color: 0, points }],
        },
      ],
    };
  },
};

/** Angular velocity of body 0 in its own frame. */
async function inBody(simulation: Awaited<ReturnType<typeof freeBox>>): Promise<[number, number, number]> {
  const turn = quatd.conjugate((await simulation.read('poses')).subarray(3, 7));
  const spin = (await simulation.read('angularVelocities')).subarray(0, 3);
  return Array.from(vec3d.transformQuat(spin, turn)) as [number, number, number];
}

export const offCentre: ValidationCase = {
  name: 'off-centre',
  shows:
    'Boxes of triangles meet a plane with one corner, without friction: the impulse is ' +
    '(1 + e) v / (1/m + (r x n) I^-1 (r x n)), and turns the box by its arm.',
  source: 'closed form, rigid bodies',
  async run(context) {
    const rows: Row[] = [];
    const random = createRandom(7);
    const [density, speed] = [1000, 0.01];
    const count = context.isQuick ? 2 : 12;
    for (let i = 0; i < count; i++) {
      const e = i % 2 === 0 ? 1 : 0.5;
      const axis = vec3d.normalize([random() - 0.5, random() - 0.5, random() - 0.5]);
      const turn = Array.from(quatd.fromAxisAngle(axis, 2 * Math.PI * random()));
      const corners = Array.from({ length: 8 }, (_, c) => {
        const corner = HALVES.map((half, k) => (c & (1 << k) ? half : -half));
        return Array.from(vec3d.transformQuat(corner as [number, number, number], turn as never));
      });
      const r = corners.reduce((low, one) => (one[2]! < low[2]! ? one : low));
      const simulation = await context.simulate({
        shapes: [{ kind: 'polyhedron', mesh: boxMesh(...HALVES) }, { kind: 'plane' }],
        materials: [{ density, youngsModulus: 1e9, restitution: e, friction: 0 }],
        gravity: [0, 0, 0],
        bodies: bodiesOf([
          { position: [0, 0, 1e-6 - r[2]!], rotation: turn, velocity: [0, 0, -speed] },
          { shape: 1 },
        ]),
      });
      await throughContact(simulation);
      // r x n, in the axes of the box.
      const arm = vec3d.transformQuat([r[1]!, -r[0]!, 0], quatd.conjugate(turn as never));
      const spin = [0, 1, 2].map((k) => arm[k]! / (density * MOMENTS[k]!));
      const mass = density * MASS;
      const impulse =
        ((1 + e) * speed) / (1 / mass + arm[0]! * spin[0]! + arm[1]! * spin[1]! + arm[2]! * spin[2]!);
      const because = '1 %: the corner sinks in by up to that share of the box, and turns on meanwhile';
      const velocity = (await simulation.read('velocities'))[2]!;
      rows.push(
        equal(`box ${i + 1}, e ${e}: impulse`, mass * (velocity + speed), impulse, {
          within: 0.01,
          because,
          unit: ' N s',
        }),
        equal(
          `box ${i + 1}, e ${e}: turn after it`,
          Math.hypot(...(await inBody(simulation))),
          impulse * Math.hypot(...spin),
          {
            ...{ within: 0.01, because, unit: ' rad/s' },
          },
        ),
      );
      context.progress(i + 1, count);
    }
    return { rows };
  },
};

export const dashpot: ValidationCase = {
  name: 'dashpot',
  shows:
    "A cube of triangles falls flat on a plane: a linear spring, k = area / (l / E'_A + l / E'_B), and a dashpot " +
    'that never pulls. Overlap and time of contact follow from k, mass and restitution. On an edge or a corner, more ' +
    'nodes touch the deeper it is: the dashpot follows from force and energy, however the force grows.',
  source:
    'T. Schwager, T. Poeschel, "Coefficient of restitution and linear-dashpot model revisited" (2007), eq. 18',
  async run(context) {
    const rows: Row[] = [];
    const [density, youngsModulus, nu, half, speed] = [1000, 1e6, 0.25, 0.5, 0.1];
    const layer = 2 * half * Math.cbrt(3 / (4 * Math.PI));
    const mass = density * (2 * half) ** 3;
    const stiffness = (2 * half) ** 2 / ((2 * layer * (1 - nu * nu)) / youngsModulus);
    const frequency = Math.sqrt(stiffness / mass);
    for (const e of [1, 0.7, 0.4]) {
      const share = dampingFor(e);
      const root = Math.sqrt(1 - share * share);
      const turn = Math.atan2(2 * share * root, 2 * share * share - 1);
      const time = turn / (root * frequency);
      const depth = (speed / frequency) * Math.exp((-share / root) * Math.atan2(root, share));
      const simulation = await context.simulate(
        {
          shapes: [{ kind: 'polyhedron', mesh: boxMesh(half, half, half) }, { kind: 'plane' }],
          materials: [{ density, youngsModulus, poissonRatio: nu, restitution: e, friction: 0 }],
          gravity: [0, 0, 0],
          bodies: bodiesOf([{ position: [0, 0, half * (1 + 1e-9)], velocity: [0, 0, -speed] }, { shape: 1 }]),
        },
        { timeStep: time / 400 },
      );
      let [deepest, pushed] = [0, 0];
      await throughContact(simulation, async () => {
        deepest = Math.max(deepest, simulation.monitors.deepestOverlap);
        if ((await simulation.read('forces'))[2]! > 0) pushed++;
      });
      const got = (await simulation.read('velocities'))[2]! / speed;
      const because = '1 %: 400 steps per contact';
      rows.push(
        equal(`e ${e}: overlap`, deepest * 1e3, depth * 1e3, { within: 0.01, because, unit: ' mm' }),
        equal(`e ${e}: time of contact`, pushed * simulation.timeStep * 1e3, time * 1e3, {
          ...{ within: 0.01, because, unit: ' ms' },
        }),
        equal(`e ${e}: restitution`, got, e, { within: 0.01, because }),
      );
    }
    // Its centroid is above what touches.
    const turns = [
      { name: 'edge', axis: [1, 0, 0], angle: Math.PI / 4, height: Math.SQRT2 },
      { name: 'corner', axis: [1, -1, 0], angle: Math.acos(1 / Math.sqrt(3)), height: Math.sqrt(3) },
    ] as const;
    const because =
      '0.005: the error of the step, in which nodes begin to touch. A dashpot that goes with the stiffness gives ' +
      '0.77 for 0.8 on a corner';
    for (const { name, axis, angle, height } of turns) {
      for (const fall of context.isQuick ? [1] : [0.1, 1]) {
        for (const e of context.isQuick ? [0.5] : [0.8, 0.5, 0.3]) {
          const rotation = Array.from(quatd.fromAxisAngle(vec3d.normalize([...axis]), angle));
          const position = [0, 0, half * height * (1 + 1e-6)] as const;
          const simulation = await context.simulate({
            shapes: [{ kind: 'polyhedron', mesh: boxMesh(half, half, half) }, { kind: 'plane' }],
            materials: [{ density, youngsModulus: 1e7, poissonRatio: nu, restitution: e, friction: 0 }],
            gravity: [0, 0, 0],
            bodies: bodiesOf([{ position, rotation, velocity: [0, 0, -fall] }, { shape: 1 }]),
          });
          await throughContact(simulation);
          const got = (await simulation.read('velocities'))[2]! / fall;
          rows.push(near(`${name}, ${fall} m/s, e ${e}: restitution`, got, e, { within: 0.005, because }));
        }
      }
    }
    return { rows };
  },
};

/** Share of the critical damping for a restitution, where the contact ends with its force. */
function dampingFor(restitution: number): number {
  let [low, high] = [0, 0.99];
  for (let i = 0; i < 60; i++) {
    const share = (low + high) / 2;
    const root = Math.sqrt(1 - share * share);
    const turn = Math.atan2(2 * share * root, 2 * share * share - 1);
    if (Math.exp((-share / root) * turn) > restitution) low = share;
    else high = share;
  }
  return low;
}
