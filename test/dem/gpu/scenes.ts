/** Scenes for steps on the GPU. */
import type { NormalLaw } from '../../../src/dem/materials/normal-law.ts';
import type { SimulationScene } from '../../../src/dem/scene/simulation-scene.ts';
import { randomRock } from '../../../src/mesh/generate-rock.ts';

/** Rocks, hulls and balls that fall on the ground, and a lid that comes down on them. */
export function heap(): SimulationScene {
  const { positions: vertices } = randomRock({ seed: 4, triangles: 28, convex: true });
  const poses: number[] = [];
  for (let i = 0; i < 6; i++) poses.push(1.8 * (i % 2), 1.8 * ((i >> 1) % 2), 1 + 2 * (i >> 2), 0, 0, 0, 1);
  poses.push(0, 0, 6, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1);
  return {
    shapes: [
      { kind: 'polyhedron', mesh: randomRock({ seed: 3, triangles: 80, convex: false }) },
      { kind: 'polytope', vertices },
      { kind: 'sphere', radius: 0.9 },
      { kind: 'box', halfExtents: [3, 3, 0.2] },
      { kind: 'plane' },
    ],
    materials: [{ density: 1000, youngsModulus: 1e6, friction: 0.5, rollingFriction: 0.1 }],
    bodies: {
      shapes: Uint32Array.of(0, 1, 2, 0, 1, 0, 3, 4),
      poses: Float64Array.from(poses),
      motions: new Map([[6, { amplitude: [0, 0, -2], frequency: 2 }]]),
    },
  };
}

/** Balls of radius 0.5 above a plane, the last body. */
export function balls(
  positions: readonly (readonly [number, number, number])[],
  more: Partial<SimulationScene['bodies']> & Pick<SimulationScene, 'gravity'> = {},
): SimulationScene {
  const { gravity, ...bodies } = more;
  return {
    shapes: [{ kind: 'sphere', radius: 0.5 }, { kind: 'plane' }],
    materials: [{ density: 1000, youngsModulus: 1e6, friction: 0.5 }],
    gravity,
    bodies: {
      shapes: Uint32Array.from([...positions.map(() => 0), 1]),
      poses: Float64Array.from([...positions, [0, 0, 0] as const].flatMap((place) => [...place, 0, 0, 0, 1])),
      ...bodies,
    },
  };
}

/** Half of Hertz's force, and a foundation that gets softer with the depth. */
export const softer: NormalLaw = {
  name: 'softer',
  wgsl: `
    fn softer(depth: f32, area: f32, p: LawParameters) -> vec3f {
      if (area == 0.0) {
        let stiffness = p.modulus * sqrt(p.radius * depth);
        return vec3f(2.0 / 3.0 * stiffness * depth, stiffness, 4.0 / 15.0 * stiffness * depth * depth);
      }
      let shares = vec3f(depth * (1.0 - 0.25 * depth), 1.0 - 0.5 * depth, depth * depth * (0.5 - depth / 12.0));
      return p.foundation * area * shares;
    }`,
  twin: (depth, area, { modulus, radius, foundation }) => {
    if (area === 0) {
      const stiffness = modulus * Math.sqrt(radius * depth);
      return [(2 / 3) * stiffness * depth, stiffness, (4 / 15) * stiffness * depth * depth];
    }
    const all = foundation * area;
    return [all * depth * (1 - depth / 4), all * (1 - depth / 2), all * depth * depth * (1 / 2 - depth / 12)];
  },
};
