/** A nut that goes down a bolt. */
import type { SimulationScene } from '../../../src/dem/scene/simulation-scene.ts';
import { thread } from '../../../src/mesh/generate-thread.ts';
import { SOFT } from './resting.ts';

export const PITCH = 0.8;

/** Without friction. The nut has this speed down, and turns by a pitch per turn. */
export function nutOnBolt(speed: number, play = 0.05): SimulationScene {
  const sizes = { depth: 0.3, pitch: PITCH, segments: 16 };
  const meshes = [
    thread({ ...sizes, radius: 1, length: 4 }),
    thread({ ...sizes, radius: 1 + play, length: 2 * PITCH, nutRadius: 1.4 }),
  ];
  return {
    shapes: meshes.map((mesh) => ({ kind: 'polyhedron', mesh }) as const),
    materials: [{ ...SOFT, youngsModulus: 3e6, friction: 0, rollingFriction: 0, torsionalFriction: 0 }],
    bodies: {
      shapes: Uint32Array.of(0, 1),
      isStatic: Uint8Array.of(1, 0),
      poses: Float64Array.of(0, 0, 0, 0, 0, 0, 1, 0, 0, PITCH, 0, 0, 0, 1),
      velocities: Float64Array.of(0, 0, 0, 0, 0, -speed),
      angularVelocities: Float64Array.of(0, 0, 0, 0, 0, (-2 * Math.PI * speed) / PITCH),
    },
    margin: 0.03,
  };
}
