// Error against seconds of two mechanisms, a double pendulum and a slider-crank, over 3 s: Multibody at several
// tolerances, beside Rapier's joints at steps of 1/60 to 1/15360 s. Needs the package @dimforge/rapier3d-compat.
//
//     node demos/scripts/mechanism-errors.mjs [simulated seconds, default 3]
import RAPIER from '@dimforge/rapier3d-compat';
import { Multibody, NO_SHAPE } from 'scree';
import { positive } from './arguments.mjs';

const SECONDS = positive('seconds', process.argv[2], 3);
const TOLERANCES = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10];
const STEPS = Array.from({ length: 9 }, (_, k) => 60 * 2 ** k);
const Y = [0, 1, 0];

/** Rods of a mass and a length of 1, from the horizontal. Bodies, joints, and the body whose end tells of errors. */
const pendulum = {
  name: 'double pendulum',
  bodies: [
    { position: [0.5, 0, 0], mass: 1, inertia: [0.02, 1 / 12, 1 / 12] },
    { position: [1.5, 0, 0], mass: 1, inertia: [0.02, 1 / 12, 1 / 12] },
  ],
  joints: [
    { kind: 'revolute', a: 'world', b: 0, pointA: [0, 0, 0], point: [-0.5, 0, 0], axis: Y },
    { kind: 'revolute', a: 0, b: 1, pointA: [0.5, 0, 0], point: [-0.5, 0, 0], axis: Y },
  ],
  watched: 1,
};

/** A crank of 0.5 and a rod of 1, which fall from a height of 0.3 of the pin between them. */
const [pinX, pinZ] = [0.4, 0.3];
const slider = pinX + Math.sqrt(1 - pinZ ** 2);
const crank = {
  name: 'slider-crank',
  bodies: [
    { position: [pinX / 2, 0, pinZ / 2], mass: 1, inertia: [0.02, 0.02, 0.02] },
    { position: [(pinX + slider) / 2, 0, pinZ / 2], mass: 1, inertia: [0.08, 0.08, 0.08] },
    { position: [slider, 0, 0], mass: 1, inertia: [0.01, 0.01, 0.01] },
  ],
  joints: [
    { kind: 'revolute', a: 'world', b: 0, pointA: [0, 0, 0], point: [-pinX / 2, 0, -pinZ / 2], axis: Y },
    {
      ...{ kind: 'revolute', a: 0, b: 1, pointA: [pinX / 2, 0, pinZ / 2] },
      ...{ point: [(pinX - slider) / 2, 0, pinZ / 2], axis: Y },
    },
    { kind: 'prismatic', a: 'world', b: 2, pointA: [slider, 0, 0], point: [0, 0, 0], axis: [1, 0, 0] },
    {
      ...{ kind: 'revolute', a: 1, b: 2, pointA: [(slider - pinX) / 2, 0, -pinZ / 2] },
      ...{ point: [0, 0, 0], axis: Y },
    },
  ],
  watched: 1,
};

async function byScree({ bodies, joints, watched }, relativeTolerance) {
  const system = await Multibody.create(
    {
      shapes: [],
      materials: [],
      joints,
      bodies: {
        shapes: new Uint32Array(bodies.length).fill(NO_SHAPE),
        poses: Float64Array.from(bodies.flatMap(({ position }) => [...position, 0, 0, 0, 1])),
        masses: new Map(bodies.map(({ mass, inertia }, i) => [i, { mass, inertia }])),
      },
    },
    { relativeTolerance },
  );
  const start = performance.now();
  await system.advance(SECONDS);
  const seconds = (performance.now() - start) / 1000;
  const place = (await system.read('poses')).slice(7 * watched, 7 * watched + 3);
  system.destroy();
  return { place, seconds };
}

function byRapier({ bodies, joints, watched }, rate) {
  const vector = ([x, y, z]) => ({ x, y, z });
  const world = new RAPIER.World({ x: 0, y: 0, z: -9.81 });
  world.timestep = 1 / rate;
  const ground = world.createRigidBody(RAPIER.RigidBodyDesc.fixed());
  const made = bodies.map(({ position, mass, inertia }) =>
    world.createRigidBody(
      RAPIER.RigidBodyDesc.dynamic()
        .setTranslation(...position)
        .setCanSleep(false)
        .setAdditionalMassProperties(mass, vector([0, 0, 0]), vector(inertia), { x: 0, y: 0, z: 0, w: 1 }),
    ),
  );
  for (const { kind, a, b, pointA, point, axis } of joints) {
    const data = RAPIER.JointData[kind](vector(pointA), vector(point), vector(axis));
    world.createImpulseJoint(data, a === 'world' ? ground : made[a], made[b], true);
  }
  const start = performance.now();
  for (let i = 0; i < Math.round(SECONDS * rate); i++) world.step();
  const seconds = (performance.now() - start) / 1000;
  const { x, y, z } = made[watched].translation();
  world.free();
  return { place: [x, y, z], seconds };
}

/** The fastest of three runs, which all give the same. */
async function best(run) {
  const runs = [await run(), await run(), await run()];
  return { ...runs[0], seconds: Math.min(...runs.map(({ seconds }) => seconds)) };
}

await RAPIER.init();
console.log('| mechanism | moved by, tolerance or step | error | seconds |\n|---|---|---|---|');
for (const mechanism of [pendulum, crank]) {
  const { place } = await byScree(mechanism, 1e-12);
  const line = (name, own) => {
    const error = Math.hypot(...place.map((x, k) => own.place[k] - x));
    console.log(
      `| ${mechanism.name} | ${name} | ${error.toExponential(1)} | ${own.seconds.toPrecision(2)} |`,
    );
  };
  // The first runs compile.
  for (let i = 0; i < 3; i++) await byScree(mechanism, 1e-8);
  byRapier(mechanism, 1000);
  for (const tolerance of TOLERANCES)
    line(`scree, ${tolerance}`, await best(() => byScree(mechanism, tolerance)));
  for (const rate of STEPS) line(`Rapier, 1/${rate} s`, await best(() => byRapier(mechanism, rate)));
}
