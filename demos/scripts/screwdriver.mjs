// A screwdriver finds its way into a cross recess, and a bolt into a countersunk hole: what C. Lennerz, E. Schömer and
// T. Warken show in "A framework for collision detection and response", figures 1 and 3, with the response
// `complementarity`. A hand presses lightly and turns; contacts deflect it.
//
//     node demos/scripts/screwdriver.mjs [starts, default 8] [picture, default screwdriver.png, or none]
//
// Units are millimetres, grams and seconds. The recess has measures of ISO 4757, type H, size 2: b (across the core),
// f (thickness of the wings), g (across the wings), alpha and beta. The norm's drawing is not at hand: where these are
// measured, and the angle of 26.5 degrees of the wings' ends, are taken from depths of screws that are sold.
import { writeFile } from 'node:fs/promises';
import { drawPicture, encodePng, openDevice, Simulation, TriangleMesh } from 'scree';
// What a response counts is no part of the public API.
import { ContactComplementarity } from '../../dist/dem/complementarity/contact-complementarity.js';
import { whole } from './arguments.mjs';

const starts = whole('starts', process.argv[2], 8);
const picture = process.argv[3] ?? 'screwdriver.png';
const TIME_STEP = 1 / 60;
const STEPS = 90;
const [MOMENT_STEPS, BOLT_STEPS] = [30, 60];
const GRAVITY = 9810;
const STEEL = { density: 7.8e-3, youngsModulus: 2e8, friction: 0 };
/** The hand: down, about the axis, and how fast it sets the axis upright, per second. */
const HAND = { speed: 5, turn: 2, upright: 8 };
/** What the thread does against a turn of the screw, per radian and second; what presses and turns in the end. */
const [DRAG, PRESSURE, MOMENT] = [300, 5000, 1800];

// Shapes.

const tangent = (degrees) => Math.tan((degrees * Math.PI) / 180);
const SIDES = tangent(5.75); // beta: of the wings' sides to the axis
const ENDS = tangent(26.5);
const BOTTOM = 1 / tangent(140 / 2); // alpha: height of the bottom's cone by its radius
/** Height over the bottom's tip at which b, f and g are taken. */
const LEVEL = (2.29 / 2) * BOTTOM;
/** Both within the norm's tolerances, so that wings meet wings at their sides. The driver's tip is 0.1 shorter. */
const RECESS = { b: 1.47, f: 0.74, g: 2.34, tip: 0, top: 2.1 };
const DRIVER = { b: 1.44, f: 0.735, g: 2.29, tip: 0.1, top: 4.2 };
/** How far the driver sinks into the recess until all sides of its wings touch, from the place where tips would. */
const DEPTH = (RECESS.f - DRIVER.f) / 2 / SIDES;

/** Triangles between rings of points. Those of a ring go counter-clockwise seen from above. */
class Surface {
  points = [];
  triangles = [];

  ring(points) {
    return points.map((point) => this.points.push(point) - 1);
  }

  /** Outside is away from the axis. */
  wall(low, high) {
    for (const [i, a] of low.entries()) {
      const j = (i + 1) % low.length;
      this.triangles.push([a, low[j], high[j]], [a, high[j], high[i]]);
    }
  }

  /** Outside is above. */
  fan(ring, middle) {
    const tip = this.points.push(middle) - 1;
    for (const [i, a] of ring.entries()) this.triangles.push([a, ring[(i + 1) % ring.length], tip]);
  }

  /** From a cross to an octagon around it. Outside is above. */
  shoulder(cross, octagon) {
    for (let wing = 0; wing < 4; wing++) {
      const [a, b, c, d, next] = [0, 1, 2, 3, 4].map((k) => cross[(4 * wing + k) % 16]);
      const [o, p, q] = [0, 1, 2].map((k) => octagon[(2 * wing + k) % 8]);
      this.triangles.push([a, o, b], [b, o, p], [b, p, c], [c, p, d], [d, p, next], [next, p, q]);
    }
  }

  /** The same with outside and inside exchanged. */
  inverse(add) {
    const first = this.triangles.length;
    add();
    for (const triangle of this.triangles.slice(first)) triangle.reverse();
  }

  mesh(name) {
    const [positions, indices] = [
      Float32Array.from(this.points.flat()),
      Uint32Array.from(this.triangles.flat()),
    ];
    return new TriangleMesh({ positions, indices, name });
  }
}

const polygon = (corners, radius, height, turn = 0) =>
  Array.from({ length: corners }, (_, k) => {
    const angle = turn + (2 * Math.PI * k) / corners;
    return [radius * Math.cos(angle), radius * Math.sin(angle), height];
  });

/** The cross of a recess or a driver: of each wing both ends of its end, and of the core's face behind it. */
function cross({ b, f, g }, height) {
  const over = height - LEVEL;
  const side = f / 2 + over * SIDES;
  const end = g / 2 + over * ENDS;
  const core = Math.SQRT2 * (b / 2 + over * SIDES) - side;
  const wing = [
    [end, -side],
    [end, side],
    [core, side],
    [side, core],
  ];
  const turns = [([x, y]) => [x, y], ([x, y]) => [-y, x], ([x, y]) => [-x, -y], ([x, y]) => [y, -x]];
  return turns.flatMap((turn) => wing.map((point) => [...turn(point), height]));
}

/** Where the cross meets the cone of the bottom. */
function lowerCross(profile) {
  return Array.from({ length: 16 }, (_, k) => {
    let height = LEVEL;
    // Each round leaves a fifth of the error.
    for (let round = 0; round < 40; round++) {
      const [x, y] = cross(profile, height)[k];
      height = profile.tip + Math.hypot(x, y) * BOTTOM;
    }
    return cross(profile, height)[k];
  });
}

function driver() {
  const surface = new Surface();
  const [low, high] = [lowerCross(DRIVER), cross(DRIVER, DRIVER.top)].map((ring) => surface.ring(ring));
  const [collar, end] = [DRIVER.top, 24].map((height) => surface.ring(polygon(8, 3.6, height)));
  surface.inverse(() => {
    surface.fan(low, [0, 0, DRIVER.tip]);
    surface.shoulder(high, collar);
  });
  surface.wall(low, high);
  surface.wall(collar, end);
  surface.fan(end, [0, 0, 24]);
  return surface.mesh('driver');
}

function screw() {
  const surface = new Surface();
  const [low, high] = [lowerCross(RECESS), cross(RECESS, RECESS.top)].map((ring) => surface.ring(ring));
  const [top, under, neck, end] = [
    [3.5, RECESS.top],
    [3.5, -0.8],
    [2, -0.8],
    [2, -4],
  ].map(([radius, height]) => surface.ring(polygon(8, radius, height)));
  surface.fan(low, [0, 0, RECESS.tip]);
  surface.inverse(() => {
    surface.wall(low, high);
    surface.fan(end, [0, 0, -4]);
  });
  surface.shoulder(high, top);
  surface.wall(end, neck);
  surface.wall(neck, under);
  surface.wall(under, top);
  return surface.mesh('screw');
}

/** With a hole through it. @param profile radii and heights of rings, down the outside and up the hole */
function block(corners, profile) {
  const surface = new Surface();
  const turn = Math.PI / corners;
  const rings = profile.map(([radius, height]) =>
    surface.ring(polygon(corners, radius / Math.cos(turn), height, turn)),
  );
  for (const [i, ring] of rings.entries()) surface.wall(rings[(i + 1) % rings.length], ring);
  return surface.mesh('block');
}

function bolt() {
  const surface = new Surface();
  const rings = [
    [0.8, 0],
    [2, 1.2],
    [2, 8],
    [3.4, 9.4],
    [3.4, 10],
  ].map(([radius, height]) => surface.ring(polygon(8, radius, height)));
  surface.inverse(() => surface.fan(rings[0], [0, 0, 0]));
  for (const [i, ring] of rings.slice(1).entries()) surface.wall(rings[i], ring);
  surface.fan(rings.at(-1), [0, 0, 10]);
  return surface.mesh('bolt');
}

// The hand.

/** The most contacts that a step has had, and that have pushed at once. */
const most = { contacts: 0, pushing: 0 };
const move = ContactComplementarity.prototype.move;
ContactComplementarity.prototype.move = function (...args) {
  const moved = move.apply(this, args);
  const { gapForces = [] } = this.store();
  most.contacts = Math.max(most.contacts, gapForces.length);
  most.pushing = Math.max(most.pushing, gapForces.filter((force) => force > 0).length);
  return moved;
};

/** Body 0 is in the hand, the last one stands. */
async function sceneOf(meshes, pose) {
  const others = meshes.slice(1).flatMap(() => [0, 0, 0, 0, 0, 0, 1]);
  const scene = {
    shapes: meshes.map((mesh) => ({ kind: 'polyhedron', mesh })),
    materials: [STEEL],
    gravity: [0, 0, -GRAVITY],
    bodies: {
      shapes: Uint32Array.from(meshes.keys()),
      poses: Float64Array.from([...pose, ...others]),
      isStatic: Uint8Array.from(meshes, (_, i) => (i === meshes.length - 1 ? 1 : 0)),
    },
  };
  const simulation = await Simulation.create(undefined, scene, {
    response: 'complementarity',
    timeStep: TIME_STEP,
  });
  return { simulation, scene, weight: (await simulation.read('masses'))[0] * GRAVITY };
}

/**
 * The hand carries the weight, sets velocities, and contacts deflect them. The thread drags at body 1.
 *
 * @returns seconds of a processor that the step has taken
 */
async function handStep({ simulation, weight }, turn) {
  const [velocities, spins, poses] = [
    await simulation.read('velocities'),
    await simulation.read('angularVelocities'),
    await simulation.read('poses'),
  ];
  const [x, y, z, w] = poses.subarray(3, 7);
  // Where the axis points to, across.
  const [tiltX, tiltY] = [2 * (x * z + y * w), 2 * (y * z - x * w)];
  velocities.set([0, 0, -HAND.speed]);
  await simulation.write('velocities', velocities);
  const torques = new Float64Array(spins.length);
  if (spins.length > 6) torques[5] = -DRAG * spins[5];
  spins.set([HAND.upright * tiltY, -HAND.upright * tiltX, turn]);
  await simulation.write('angularVelocities', spins);
  await simulation.write('appliedTorques', torques);
  await simulation.write(
    'appliedForces',
    torques.map((_, i) => (i === 2 ? weight : 0)),
  );
  const before = process.cpuUsage();
  await simulation.step(1);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** By how much the spins of driver and screw differ, relative to the driver's, after steps under a moment. */
async function turnByMoment({ simulation, weight }) {
  for (let step = 0; step < MOMENT_STEPS; step++) {
    const spins = await simulation.read('angularVelocities');
    await simulation.write('appliedTorques', Float64Array.of(0, 0, MOMENT, 0, 0, -DRAG * spins[5], 0, 0, 0));
    await simulation.write('appliedForces', Float64Array.of(0, 0, weight - PRESSURE, 0, 0, 0, 0, 0, 0));
    await simulation.step(1);
  }
  const spins = await simulation.read('angularVelocities');
  return Math.hypot(...[0, 1, 2].map((k) => spins[k] - spins[3 + k])) / Math.hypot(...spins.subarray(0, 3));
}

/** Over the recess: turned by shares of a right angle, beside the axis by up to 0.2, tilted by up to 0.02. */
function startPose(start) {
  const [angle, beside] = [((start + 0.5) * Math.PI) / 16, 2 * start];
  const tilt = 0.01 * Math.min(start, 2) * 0.5;
  const turn = [tilt * Math.cos(start), tilt * Math.sin(start), Math.sin(angle / 2), Math.cos(angle / 2)];
  const off = 0.1 * Math.min(start, 2);
  const length = Math.hypot(...turn);
  return [off * Math.cos(beside), off * Math.sin(beside), 2.3, ...turn.map((x) => x / length)];
}

const screwBlock = block(4, [
  [8, -0.8],
  [8, -5],
  [2.1, -5],
  [2.1, -0.8],
]);
const parts = [driver(), screw(), screwBlock];
const triangles = parts.reduce((sum, { indices }) => sum + indices.length / 3, 0);
console.log(`driver, screw and block: ${triangles} triangles; depth of the geometry ${DEPTH.toFixed(6)} mm`);
console.log(
  '| start | seated at step | off its depth, mm | contacts, most | pushing | spins differ by | steps/s |',
);
console.log('|---|---|---|---|---|---|---|');
let shown;
for (let start = 0; start < starts; start++) {
  const scene = await sceneOf(parts, startPose(start));
  Object.assign(most, { contacts: 0, pushing: 0 });
  let [seated, time] = [0, 0];
  for (let step = 1; step <= STEPS; step++) {
    time += await handStep(scene, HAND.turn);
    // It leans by turns: the depth is that of the tip over the screw.
    const poses = await scene.simulation.read('poses');
    if (seated === 0 && Math.abs(poses[9] - poses[2] - DEPTH) < 1e-3) seated = step;
  }
  const poses = await scene.simulation.read('poses');
  shown ??= poses;
  const off = Math.abs(poses[9] - poses[2] - DEPTH);
  const differ = await turnByMoment(scene);
  const rate = STEPS / time;
  console.log(
    `| ${start} | ${seated} | ${off.toExponential(1)} | ${most.contacts} | ${most.pushing} | ` +
      `${differ.toExponential(1)} | ${rate.toFixed(0)} |`,
  );
  scene.simulation.destroy();
}

// Figure 1: a hole that gets wider at the top, and a bolt beside its axis.
const boltBlock = block(8, [
  [8, 0],
  [8, -10],
  [2.1, -10],
  [2.1, -1.5],
  [3.6, 0],
]);
const inserted = await sceneOf([bolt(), boltBlock], [0.9, 0.5, 0.2, 0.02, 0, 0, Math.sqrt(1 - 0.02 ** 2)]);
for (let step = 0; step < BOLT_STEPS; step++) await handStep(inserted, 0);
const place = await inserted.simulation.read('poses');
console.log(
  `bolt: ${Math.hypot(place[0], place[1]).toFixed(3)} mm beside the axis of its hole, ` +
    `${(-place[2]).toFixed(3)} mm deep`,
);
inserted.simulation.destroy();

if (picture !== 'none') {
  const device = await openDevice();
  // Before and after, side by side, and the bolt.
  const [before, after] = [startPose(2), shown];
  const moved = (pose, x) => [pose[0] + x, ...pose.slice(1, 7)];
  const still = [0, 0, 0, 0, 0, 0, 1];
  const bodies = [
    [0, moved(before, -18)],
    [1, moved(still, -18)],
    [2, moved(still, -18)],
    [0, moved([...after.subarray(0, 7)], 0)],
    [1, moved([...after.subarray(7, 14)], 0)],
    [2, still],
    [3, moved([...place.subarray(0, 7)], 18)],
    [4, moved(still, 18)],
  ];
  const meshes = [...parts, bolt(), boltBlock];
  const image = await drawPicture(
    device,
    {
      shapes: meshes.map((mesh) => ({ kind: 'polyhedron', mesh })),
      bodies: { shapes: Uint32Array.from(bodies, ([shape]) => shape) },
      poses: Float64Array.from(bodies.flatMap(([, pose]) => pose)),
    },
    { width: 960, height: 540 },
  );
  await writeFile(picture, await encodePng(image));
  device.destroy();
  console.log(`${picture}: before, seated, and the bolt in its hole`);
}
