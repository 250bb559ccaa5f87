import { randomRock, Simulation } from 'scree';

const mesh = randomRock({ seed: 3, convex: false, triangles: 80 });
const simulation = await Simulation.create(undefined, {
  shapes: [{ kind: 'polyhedron', mesh }, { kind: 'plane' }],
  materials: [{ density: 2500, youngsModulus: 1e7, restitution: 0.3, friction: 0.5, rollingFriction: 0.1 }],
  bodies: {
    shapes: Uint32Array.of(0, 1),
    poses: Float64Array.of(0, 0, 2, 0, 0, 0, 1, /* the plane */ 0, 0, 0, 0, 0, 0, 1),
  },
});
await simulation.step(1000);
console.log(simulation.time, await simulation.read('poses'), simulation.monitors.kinetic);
simulation.destroy();
