import { BodyStatus, Simulation } from 'scree';

const bodies = {
  shapes: Uint32Array.of(0, 0, 1),
  poses: Float64Array.of(0, 0, 2, 0, 0, 0, 1, /* */ 0, 0, 9, 0, 0, 0, 1, /* the plane */ 0, 0, 0, 0, 0, 0, 1),
  appearsAt: Float64Array.of(0, Infinity, 0),
};
const simulation = await Simulation.create(undefined, {
  shapes: [{ kind: 'sphere', radius: 0.1 }, { kind: 'plane' }],
  materials: [{ density: 1000, youngsModulus: 1e7 }],
  bodies,
});
for (let i = 0; i < 20; i++) {
  const velocities = await simulation.read('velocities');
  // Stokes' drag: 6 pi times viscosity, radius and speed.
  await simulation.write(
    'appliedForces',
    velocities.map((v) => -6 * Math.PI * 1.5 * 0.1 * v),
  );
  await simulation.step(20);
}
await simulation.write(
  'statuses',
  Float64Array.of(BodyStatus.removed, BodyStatus.present, BodyStatus.present),
);
await simulation.write('gravity', Float64Array.of(1, 0, -9.76));
await simulation.step(20);
console.log(simulation.monitors.presentBodies, simulation.monitors.driven);
simulation.destroy();
