import { Multibody } from 'scree';

// A ball that falls on a plane, and parts from it with 0.8 of its speed.
const system = await Multibody.create(
  {
    shapes: [{ kind: 'sphere', radius: 0.05 }, { kind: 'plane' }],
    materials: [{ density: 7800, youngsModulus: 2e11, restitution: 0.8 }],
    bodies: {
      shapes: Uint32Array.of(0, 1),
      poses: Float64Array.of(0, 0, 0.5, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1),
    },
  },
  { relativeTolerance: 1e-8, crossings: 100, reduction: 1 },
);
await system.advance(0.303);
console.log((await system.contacts()).count, (await system.contactForces()).forces);
await system.advance(0.7);
const { kinds, speeds } = system.events;
console.log(kinds, speeds[1] / speeds[0]);
system.destroy();
