/** Bodies in a box that repeats. */
import { quatd } from 'wgpu-matrix';
import type { ContactShape } from '../../src/contacts/bodies/contact-shape.ts';
import type { PeriodicBox, SimulationScene } from '../../src/dem/scene/simulation-scene.ts';
import { randomRock } from '../../src/mesh/generate-rock.ts';
import { createRandom } from '../../src/mesh/random.ts';

/** Rocks, hulls and balls, each of radius 1 or less. */
export const SHAPES: readonly ContactShape[] = [
  { kind: 'polyhedron', mesh: randomRock({ seed: 3, triangles: 80, convex: false }) },
  { kind: 'polytope', vertices: randomRock({ seed: 4, triangles: 28, convex: true }).positions },
  { kind: 'sphere', radius: 0.9 },
];
export const EDGE = 5.8;
export const CUBE: PeriodicBox = { low: [0, 0, 0], high: [EDGE, EDGE, EDGE], periodic: [true, true, true] };

/** Bodies on a lattice with some disorder, that move about and lie across all borders. */
export function packing(shift = 0, box = CUBE, shapes = SHAPES): SimulationScene {
  const random = createRandom(7);
  const count = 27;
  const poses = new Float64Array(7 * count);
  const velocities = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    const cell = [i % 3, Math.floor(i / 3) % 3, Math.floor(i / 9)];
    const place = cell.map((x) => (EDGE / 3) * x + 0.3 * (random() - 0.5) + shift);
    poses.set(
      [...place, ...quatd.normalize([random() - 0.5, random() - 0.5, random() - 0.5, random()])],
      7 * i,
    );
    for (let k = 0; k < 3; k++) velocities[3 * i + k] = 10 * (random() - 0.5);
  }
  return {
    shapes,
    materials: [{ density: 1000, youngsModulus: 1e6, friction: 0.5, rollingFriction: 0.1, restitution: 0.7 }],
    bodies: { shapes: Uint32Array.from({ length: count }, (_, i) => i % shapes.length), poses, velocities },
    gravity: [0, 0, 0],
    box,
  };
}

/** The nearest distance of two places in a space that repeats. */
export function apart(a: number, b: number): number {
  return Math.abs(a - b - EDGE * Math.round((a - b) / EDGE));
}
