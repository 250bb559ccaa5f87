// Convex polyhedra of 26 vertices settle in a box, and are timed: the scene that docs/benchmarks.md sets beside YADE.
//
//     node demos/scripts/polyhedra-in-a-box.mjs [bodies, default 1000] [timed steps, default 300]
//
// Units are metres, kilograms and seconds.
import { randomRock, Simulation } from 'scree';
import { whole } from './arguments.mjs';

const count = whole('bodies', process.argv[2], 1000);
const steps = whole('timed steps', process.argv[3], 300);
const size = 0.1;
const settling = 0.3; // seconds
const material = {
  density: 2600,
  youngsModulus: 1e7,
  poissonRatio: 0.002,
  friction: Math.tan(0.6),
  restitution: 0.3,
};

// Eight shapes. A convex rock of 48 triangles has 26 vertices, at most 1 from its middle.
const rocks = Array.from({ length: 8 }, (_, i) => randomRock({ seed: i + 1, convex: true, triangles: 48 }));
const scaled = (mesh) => Array.from(mesh.positions, (x) => 0.5 * size * x);
const shapes = [...rocks.map((mesh) => ({ kind: 'polytope', vertices: scaled(mesh) })), { kind: 'plane' }];

// Layers of the lattice that YADE's script has too, each body turned by angles of its own; then floor and walls.
const across = Math.round(Math.cbrt(count)) + 1;
const spacing = 1.05 * size;
const poses = [];
for (let i = 0; i < count; i++) {
  const place = [i % across, Math.floor(i / across) % across, Math.floor(i / across ** 2)];
  const turn = [Math.sin(1.3 * i), Math.sin(2.1 * i), Math.sin(0.7 * i), 0.2 + Math.cos(1.7 * i) ** 2];
  const length = Math.hypot(...turn);
  poses.push(spacing * (place[0] + 0.55), spacing * (place[1] + 0.55), 0.95 * size * (place[2] + 0.6));
  poses.push(...turn.map((x) => x / length));
}
const [side, half] = [across * spacing, Math.SQRT1_2];
poses.push(0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, half, 0, half, side, 0, 0, 0, -half, 0, half);
poses.push(0, 0, 0, -half, 0, 0, half, 0, side, 0, half, 0, 0, half);
const numbers = Uint32Array.from({ length: count + 5 }, (_, i) => (i < count ? i % 8 : 8));

const scene = { shapes, materials: [material], bodies: { shapes: numbers, poses: Float64Array.from(poses) } };
const simulation = await Simulation.create(undefined, scene);
const { timeStep } = simulation;
await simulation.step(Math.round(settling / timeStep));

const started = performance.now();
await simulation.step(steps);
const seconds = (performance.now() - started) / 1000;
const { contacts } = simulation.monitors;
console.log(
  `${count} polyhedra of ${rocks[0].positions.length / 3} vertices: ${steps} steps in ${seconds.toFixed(2)} s, ` +
    `${Math.round((steps * count) / seconds)} body-steps/s, ${contacts} contacts, ` +
    `time step ${timeStep.toExponential(2)} s`,
);
simulation.destroy();
