import { Simulation } from 'scree';

const simulation = await Simulation.create(undefined, {
  shapes: [{ kind: 'plane' }, { kind: 'sphere', radius: 0.1 }],
  materials: [{ density: 1000, youngsModulus: 1e5, restitution: 1, friction: 0 }],
  pairs: [
    {
      materials: [0, 0],
      law: {
        name: 'rubber',
        wgsl: `
          fn rubber(depth: f32, area: f32, p: LawParameters) -> vec3f {
            let k = select(p.foundation * area, p.modulus * p.radius, area == 0.0);
            return k * vec3f(depth + depth * depth, 1.0 + 2.0 * depth, depth * depth * (0.5 + depth / 3.0));
          }`,
        twin: (depth, area, { modulus, radius, foundation }) => {
          const k = area === 0 ? modulus * radius : foundation * area;
          return [k * (depth + depth ** 2), k * (1 + 2 * depth), k * depth ** 2 * (1 / 2 + depth / 3)];
        },
      },
    },
  ],
  bodies: {
    shapes: Uint32Array.of(0, 1),
    poses: Float64Array.of(0, 0, 0, 0, 0, 0, 1, /* the ball */ 0, 0, 0.12, 0, 0, 0, 1),
  },
});
await simulation.step(100);
console.log(simulation.monitors.balance); // what no step changes
simulation.destroy();
