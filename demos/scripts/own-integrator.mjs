// Rocks fall between four walls and come to rest: a small DEM script with forces and an integrator of its own.
//
//     node demos/scripts/own-integrator.mjs [seconds to simulate, default 1.5]
//
// Lengths are in metres, masses in kilograms. scree finds the contacts; the rest is here.
import { ContactKind, ContactPipeline, checkMesh, randomRock, TriangleMesh } from 'scree';
import { mat3d, quatd, vec3d } from 'wgpu-matrix';
import { positive } from './arguments.mjs';

const duration = positive('seconds', process.argv[2], 1.5);
const step = 5e-4;
const gravity = 9.81;
const density = 2500;
const stiffness = 2e7; // pressure per depth, Pa/m
const damping = 2e5; // pressure per speed, Pa s/m
const friction = 0.7;

// The shapes: one rock of about 0.2 m, and a plane for floor and walls.
const rock = randomRock({ seed: 7, convex: false, triangles: 128 });
const mesh = new TriangleMesh({ positions: rock.positions.map((x) => 0.1 * x), indices: rock.indices });
const { enclosedVolume, centroid, inertia } = checkMesh(mesh);
const mass = density * enclosedVolume;
const inverseInertia = mat3d.inverse(mat3d.create(...inertia.flat().map((x) => density * x)));
const shapes = [{ kind: 'polyhedron', mesh, nodeSpacing: 0.03 }, { kind: 'plane' }];

// The bodies: 18 rocks, then floor and walls. A plane's normal is its z axis.
const [floor, half] = [[0, 0, 0, 1], Math.SQRT1_2];
const planes = [
  [0, 0, 0, ...floor],
  [-0.45, 0, 0, 0, half, 0, half],
  [0.45, 0, 0, 0, -half, 0, half],
  [0, -0.45, 0, -half, 0, 0, half],
  [0, 0.45, 0, half, 0, 0, half],
];
const rocks = Array.from({ length: 18 }, (_, i) => {
  const cell = [i % 3, Math.floor(i / 3) % 3, Math.floor(i / 9)];
  const turn = quatd.fromEuler(1.3 * i, 2.1 * i, 0.7 * i, 'xyz');
  return {
    centre: [0.27 * (cell[0] - 1), 0.27 * (cell[1] - 1), 0.3 + 0.27 * cell[2]],
    turn,
    velocity: [0, 0, 0],
    momentum: [0, 0, 0], // angular
    spin: [0, 0, 0],
    force: [0, 0, 0],
    moment: [0, 0, 0],
  };
});
const poses = new Float64Array(7 * (rocks.length + planes.length));
for (const [i, plane] of planes.entries()) poses.set(plane, 7 * (rocks.length + i));
const bodies = { shapes: Uint32Array.from([...rocks.map(() => 0), ...planes.map(() => 1)]) };
// So few pairs need one thread and no GPU.
const pipeline = await ContactPipeline.create(undefined, shapes, { bodies, threads: 1 });

console.log('time/s  kinetic/J  potential/J  elastic/J  contacts');
const steps = Math.round(duration / step);
const stepsPerLine = Math.round(0.1 / step);
for (let n = 0; n <= steps; n++) {
  for (const [i, { centre, turn }] of rocks.entries()) {
    // A pose is that of the mesh's origin, which is not the centroid.
    poses.set(vec3d.subtract(centre, vec3d.transformQuat(centroid, turn)), 7 * i);
    poses.set(turn, 7 * i + 3);
  }
  const contacts = await pipeline.detect({ poses });
  const elastic = addForces(contacts);
  if (n % stepsPerLine === 0) report(n * step, elastic, contacts.count);
  for (const one of rocks) move(one);
}
pipeline.destroy();

/** Adds the forces of all contacts to the rocks, and returns the elastic energy. */
function addForces({ count, bodies: pairs, kinds, normals, points, distances, areas }) {
  for (const one of rocks)
    [one.force, one.moment] = [
      [0, 0, -mass * gravity],
      [0, 0, 0],
    ];
  let elastic = 0;
  for (let i = 0; i < count; i++) {
    const [a, b] = [rocks[pairs[2 * i]], rocks[pairs[2 * i + 1]]]; // planes are undefined
    const depth = -distances[i];
    // A node stands for an area; where an edge cuts in, a strip as wide as it is deep carries the force.
    const area = kinds[i] === ContactKind.edge ? areas[i] * depth : areas[i];
    const normal = [...normals.subarray(3 * i, 3 * i + 3)]; // from a to b
    const point = [...points.subarray(3 * i, 3 * i + 3)];
    const speed = vec3d.subtract(speedAt(b, point), speedAt(a, point));
    const apart = vec3d.dot(speed, normal);
    const push = Math.max(0, area * (stiffness * depth - damping * apart));
    const slip = vec3d.subtract(speed, vec3d.scale(normal, apart));
    const drag = Math.min(friction * push, area * damping * vec3d.length(slip));
    const along = vec3d.length(slip) === 0 ? [0, 0, 0] : vec3d.scale(vec3d.normalize(slip), -drag);
    const force = vec3d.add(vec3d.scale(normal, push), along);
    apply(b, force, point);
    apply(a, vec3d.negate(force), point);
    elastic += (area * stiffness * depth * depth) / 2;
  }
  return elastic;
}

function speedAt(one, point) {
  if (one === undefined) return [0, 0, 0];
  return vec3d.add(one.velocity, vec3d.cross(one.spin, vec3d.subtract(point, one.centre)));
}

function apply(one, force, point) {
  if (one === undefined) return;
  one.force = vec3d.add(one.force, force);
  one.moment = vec3d.add(one.moment, vec3d.cross(vec3d.subtract(point, one.centre), force));
}

/** Semi-implicit Euler: velocities first, then places by the new velocities. */
function move(one) {
  one.velocity = vec3d.addScaled(one.velocity, one.force, step / mass);
  one.momentum = vec3d.addScaled(one.momentum, one.moment, step);
  one.centre = vec3d.addScaled(one.centre, one.velocity, step);
  const own = vec3d.transformQuat(one.momentum, quatd.conjugate(one.turn));
  one.spin = vec3d.transformQuat(vec3d.transformMat3(own, inverseInertia), one.turn);
  const angle = vec3d.length(one.spin) * step;
  if (angle === 0) return;
  const turned = quatd.multiply(quatd.fromAxisAngle(vec3d.normalize(one.spin), angle), one.turn);
  one.turn = quatd.normalize(turned);
}

function report(time, elastic, contacts) {
  let [kinetic, potential] = [0, 0];
  for (const { velocity, momentum, spin, centre } of rocks) {
    kinetic += (mass * vec3d.lenSq(velocity) + vec3d.dot(spin, momentum)) / 2;
    potential += mass * gravity * centre[2];
  }
  const columns = [
    time.toFixed(1),
    kinetic.toFixed(3),
    potential.toFixed(1),
    elastic.toFixed(3),
    `${contacts}`,
  ];
  console.log(columns.map((text, k) => text.padStart([6, 9, 11, 9, 8][k])).join('  '));
}
