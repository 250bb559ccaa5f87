// Where the time of a step goes: bodies fall into a box, then steps are timed on one thread of the CPU.
//
//     node demos/scripts/step-times.mjs [spheres, hulls or rocks] [bodies] [steps to settle] [timed steps]
//
// Defaults are spheres, 1000, 2000 and 100.
// Processor time is that of the process, so other work on the machine counts little. Lengths are radii.
import { randomRock, Simulation } from 'scree';
import { refuse, whole } from './arguments.mjs';

const kind = process.argv[2] ?? 'spheres';
const count = whole('bodies', process.argv[3], 1000);
const settling = whole('steps to settle', process.argv[4], 2000, 0);
const steps = whole('timed steps', process.argv[5], 100);
const material = { density: 1000, youngsModulus: 5e7, poissonRatio: 0.25, restitution: 0.3, friction: 0.3 };

const rocks = [1, 2, 3, 4].map((seed) => randomRock({ seed, convex: kind === 'hulls', triangles: 72 }));
const shapesOf = {
  spheres: [{ kind: 'sphere', radius: 1 }],
  hulls: rocks.map(({ positions }) => ({ kind: 'polytope', vertices: Array.from(positions) })),
  rocks: rocks.map((mesh) => ({ kind: 'polyhedron', mesh })),
};
if (!Object.hasOwn(shapesOf, kind)) refuse('kind', kind, 'spheres, hulls or rocks');
const shapes = shapesOf[kind];

// Layers of a lattice, a little apart; then floor and walls.
const across = Math.ceil(Math.cbrt(count));
const spacing = 2.05;
const poses = [];
for (let i = 0; i < count; i++) {
  const [x, y, z] = [i % across, Math.floor(i / across) % across, Math.floor(i / across ** 2)];
  const shift = 0.02 * Math.sin(i);
  poses.push(spacing * (x + 0.5) + shift, spacing * (y + 0.5) - shift, spacing * (z + 0.5));
  poses.push(0, 0, Math.sin(i / 2), Math.cos(i / 2));
}
const [side, half] = [across * spacing, Math.SQRT1_2];
poses.push(0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, half, 0, half, side, 0, 0, 0, -half, 0, half);
poses.push(0, 0, 0, -half, 0, 0, half, 0, side, 0, half, 0, 0, half);
const numbers = Uint32Array.from({ length: count + 5 }, (_, i) =>
  i < count ? i % shapes.length : shapes.length,
);

const scene = {
  shapes: [...shapes, { kind: 'plane' }],
  materials: [material],
  bodies: { shapes: numbers, poses: Float64Array.from(poses) },
};
const simulation = await Simulation.create(undefined, scene, { backend: 'cpu', threads: 1 });
await simulation.step(settling);

const before = { ...simulation.seconds };
const began = process.cpuUsage();
await simulation.step(steps);
const { user, system } = process.cpuUsage(began);
const perStep = (user + system) / 1000 / steps;
const stages = Object.entries(simulation.seconds).map(([name, sum]) => [name, sum - (before[name] ?? 0)]);
const all = stages.reduce((sum, [, seconds]) => sum + seconds, 0);
console.log(
  `${count} ${kind}, ${simulation.monitors.contacts} contacts: ${perStep.toFixed(2)} ms of processor time a step, ` +
    `${Math.round((1000 * count) / perStep)} body-steps/s`,
);
for (const [name, seconds] of stages)
  console.log(`${name.padEnd(12)} ${((100 * seconds) / all).toFixed(1)} %`);
simulation.destroy();
