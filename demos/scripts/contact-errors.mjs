// Error against seconds of two collisions: how high a ball rebounds that falls from 0.5 m, and how fast the last ball
// of a cradle with gaps leaves. Multibody at several tolerances, beside Simulation from its own step on, halved, and
// Rapier at steps of 1/60 to 1/15360 s. Needs the package @dimforge/rapier3d-compat.
//
//     node demos/scripts/contact-errors.mjs [how many steps of Simulation, each half of the one before; 2]
import RAPIER from '@dimforge/rapier3d-compat';
import { Multibody, Simulation } from 'scree';
import { whole } from './arguments.mjs';

const RADIUS = 0.05;
const G = 9.81;
const TOLERANCES = [1e-6, 1e-8, 1e-10];
const HALVINGS = whole('steps', process.argv[2], 2, 0);
const RATES = Array.from({ length: 9 }, (_, k) => 60 * 2 ** k);

/** Balls along an axis: places and speeds, whether there is a ground, and what is told of the watched one. */
const rebound = {
  ...{ name: 'rebound height', axis: 2, places: [0.5], speeds: [0], watched: 0, seconds: 0.4 },
  ...{ gravity: G, restitution: 0.8, hasGround: true },
  // Energy in flight tells how high it will be.
  tell: (place, speed) => place - RADIUS + speed ** 2 / (2 * G),
};
const cradle = {
  ...{
    name: 'speed of the last ball',
    axis: 0,
    places: [-0.3, 0, 0.104, 0.208, 0.312],
    speeds: [1, 0, 0, 0, 0],
  },
  ...{ watched: 4, seconds: 0.5, gravity: 0, restitution: 1, hasGround: false },
  tell: (_, speed) => speed,
};

function sceneOf({ axis, places, speeds, gravity, restitution, hasGround }) {
  const at = (x) => [0, 1, 2].map((k) => (k === axis ? x : 0));
  const count = places.length + (hasGround ? 1 : 0);
  const still = hasGround ? [0, 0, 0] : [];
  return {
    shapes: [{ kind: 'sphere', radius: RADIUS }, ...(hasGround ? [{ kind: 'plane' }] : [])],
    materials: [{ density: 7800, youngsModulus: 2e11, poissonRatio: 0.3, restitution, friction: 0 }],
    gravity: [0, 0, -gravity],
    bodies: {
      shapes: Uint32Array.from({ length: count }, (_, i) => (i < places.length ? 0 : 1)),
      poses: Float64Array.from([
        ...places.flatMap((x) => [...at(x), 0, 0, 0, 1]),
        ...(hasGround ? [0, 0, 0, 0, 0, 0, 1] : []),
      ]),
      velocities: Float64Array.from([...speeds.flatMap(at), ...still]),
    },
  };
}

async function told({ tell, axis, watched }, run) {
  const [poses, velocities] = [await run.read('poses'), await run.read('velocities')];
  return tell(poses[7 * watched + axis], velocities[3 * watched + axis]);
}

async function byMultibody(one, relativeTolerance) {
  const system = await Multibody.create(sceneOf(one), { relativeTolerance });
  const start = performance.now();
  await system.advance(one.seconds);
  const seconds = (performance.now() - start) / 1000;
  const value = await told(one, system);
  system.destroy();
  return { value, seconds };
}

async function bySimulation(one, halvings) {
  const first = await Simulation.create(undefined, sceneOf(one), { backend: 'cpu', threads: 1 });
  const timeStep = first.timeStep / 2 ** halvings;
  first.destroy();
  const simulation = await Simulation.create(undefined, sceneOf(one), {
    timeStep,
    backend: 'cpu',
    threads: 1,
  });
  const start = performance.now();
  await simulation.step(Math.round(one.seconds / timeStep));
  const seconds = (performance.now() - start) / 1000;
  const value = await told(one, simulation);
  simulation.destroy();
  return { value, seconds, timeStep };
}

function byRapier(
  { axis, places, speeds, watched, seconds: time, gravity, restitution, hasGround, tell },
  rate,
) {
  const world = new RAPIER.World({ x: 0, y: 0, z: -gravity });
  world.timestep = 1 / rate;
  const along = (x) => [0, 1, 2].map((k) => (k === axis ? x : 0));
  const balls = places.map((place, i) => {
    const body = world.createRigidBody(
      RAPIER.RigidBodyDesc.dynamic()
        .setTranslation(...along(place))
        .setLinvel(...along(speeds[i]))
        .setCanSleep(false),
    );
    world.createCollider(RAPIER.ColliderDesc.ball(RADIUS).setRestitution(restitution).setFriction(0), body);
    return body;
  });
  if (hasGround) {
    const slab = RAPIER.ColliderDesc.cuboid(1, 1, 0.1).setTranslation(0, 0, -0.1);
    world.createCollider(slab.setRestitution(restitution).setFriction(0));
  }
  const start = performance.now();
  for (let i = 0; i < Math.round(time * rate); i++) world.step();
  const seconds = (performance.now() - start) / 1000;
  const letter = 'xyz'[axis];
  const value = tell(balls[watched].translation()[letter], balls[watched].linvel()[letter]);
  world.free();
  return { value, seconds };
}

/** The faster of two runs, which both give the same. */
async function best(run) {
  const runs = [await run(), await run()];
  return { ...runs[0], seconds: Math.min(...runs.map(({ seconds }) => seconds)) };
}

await RAPIER.init();
console.log('| what | moved by, tolerance or step | error | seconds |\n|---|---|---|---|');
for (const one of [rebound, cradle]) {
  // 0.64 of the fall but for the weight during contact, 4e-4; all momentum.
  const { value: expected } = await byMultibody(one, 1e-12);
  const line = (name, { value, seconds }) => {
    const error = Math.abs(value / expected - 1);
    console.log(`| ${one.name} | ${name} | ${error.toExponential(1)} | ${seconds.toPrecision(2)} |`);
  };
  // The first runs compile.
  await byMultibody(one, 1e-8);
  if (HALVINGS > 0) await bySimulation(one, 0);
  byRapier(one, 1000);
  for (const tolerance of TOLERANCES)
    line(`Multibody, ${tolerance}`, await best(() => byMultibody(one, tolerance)));
  for (let k = 0; k < HALVINGS; k++) {
    const own = await best(() => bySimulation(one, k));
    line(`Simulation, ${own.timeStep.toExponential(1)} s`, own);
  }
  for (const rate of RATES) line(`Rapier, 1/${rate} s`, await best(() => byRapier(one, rate)));
}
