/** A rock on a belt. */
import type { SimulationScene } from '../../src/dem/scene/simulation-scene.ts';
import { randomRock } from '../../src/mesh/generate-rock.ts';
import { boxMesh } from '../support/shapes.ts';

/** The belt is a mesh with nodes so near each other that many lie in the rock, whose faces rise along it. */
export function onBelt(friction: number, speed: number): SimulationScene {
  const rock = randomRock({ seed: 3, triangles: 72, convex: false });
  return {
    shapes: [
      { kind: 'polyhedron', mesh: rock, nodeSpacing: 0.5 },
      { kind: 'polyhedron', mesh: boxMesh([-3, -2, -0.5], [3, 2, 0]), nodeSpacing: 0.25 },
    ],
    materials: [{ density: 1000, youngsModulus: 1e6, friction, restitution: 0.3 }],
    bodies: {
      shapes: Uint32Array.of(0, 1),
      poses: Float64Array.of(-1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1),
      motions: new Map([[1, { surfaceVelocity: [speed, 0, 0] }]]),
    },
  };
}
