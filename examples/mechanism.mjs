import { Multibody, NO_SHAPE } from 'scree';

// A rod of length 1 that hangs on a damped joint, let go at the horizontal.
const system = await Multibody.create(
  {
    shapes: [],
    materials: [],
    bodies: {
      shapes: Uint32Array.of(NO_SHAPE),
      poses: Float64Array.of(0.5, 0, 0, 0, 0, 0, 1),
      masses: new Map([[0, { mass: 1, inertia: [0.001, 1 / 12, 1 / 12] }]]),
    },
    joints: [{ kind: 'revolute', a: 'world', b: 0, point: [-0.5, 0, 0], axis: [0, 1, 0], damping: 0.05 }],
  },
  { relativeTolerance: 1e-8 },
);
await system.advance(2);
console.log(system.coordinateNames, await system.read('coordinates'));
console.log(system.monitors.balance, system.statistics.degreesOfFreedom);
system.destroy();
