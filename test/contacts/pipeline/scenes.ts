/** Scenes for tests of the pipeline: shapes, bodies and poses. */
import { quatd } from 'wgpu-matrix';
import type { ContactBodies, ContactShape } from '../../../src/contacts/bodies/contact-shape.ts';
import { randomRock } from '../../../src/mesh/generate-rock.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';

export interface Scene {
  readonly shapes: readonly ContactShape[];
  readonly bodies: ContactBodies;
  readonly poses: Float64Array;
}

/** A mesh times a factor. */
export function scaled({ positions, indices, name }: TriangleMesh, factor: number): TriangleMesh {
  return new TriangleMesh({ positions: positions.map((x) => factor * x), indices, name });
}

/** Shapes of about one size: convex ones, a body of parts, and a plane. */
export const CONVEX_SHAPES: readonly ContactShape[] = [
  { kind: 'plane' },
  { kind: 'sphere', radius: 0.5 },
  { kind: 'box', halfExtents: [0.3, 0.5, 0.4] },
  { kind: 'capsule', halfLength: 0.4, radius: 0.2 },
  { kind: 'polytope', vertices: [0, 0, 0, 0.8, 0, 0, 0, 0.8, 0, 0, 0, 0.8], margin: 0.05 },
  {
    kind: 'parts',
    parts: [
      { shape: { kind: 'sphere', radius: 0.3 }, position: [-0.3, 0, 0] },
      {
        shape: { kind: 'cylinder', radius: 0.2, halfHeight: 0.4 },
        position: [0.3, 0, 0],
        rotation: [0, 0.6, 0, 0.8],
      },
    ],
  },
];

const ROCK: ContactShape = {
  kind: 'polyhedron',
  mesh: scaled(randomRock({ seed: 1, triangles: 80, convex: false, roughness: 0.5 }), 0.5),
};

/** Balls and polyhedra, and a plane. */
export const ROCKS: readonly ContactShape[] = [{ kind: 'plane' }, { kind: 'sphere', radius: 0.4 }, ROCK];

/** All of them. */
export const MIXED_SHAPES: readonly ContactShape[] = [...CONVEX_SHAPES, ROCK];

export interface PackingOptions {
  readonly count: number;
  readonly seed: number;
  /** Edge of the cube that bodies are in, and its middle. */
  readonly size: number;
  readonly middle?: readonly [number, number, number];
}

/** Bodies of random shapes at random poses in a cube. Body 0 has shape 0 and lies at the bottom, as floors do. */
export function packing(
  shapes: readonly ContactShape[],
  { count, seed, size, middle = [0, 0, 0] }: PackingOptions,
): Scene {
  const random = createRandom(seed);
  const poses = new Float64Array(7 * count);
  const numbers = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const turn = Array.from({ length: 4 }, () => random() - 0.5);
    for (let k = 0; k < 3; k++) poses[7 * i + k] = middle[k]! + (random() - 0.5) * size;
    poses.set(i === 0 ? [0, 0, 0, 1] : quatd.normalize(turn), 7 * i + 3);
    numbers[i] = i === 0 ? 0 : 1 + Math.floor(random() * (shapes.length - 1));
  }
  poses.set([middle[0], middle[1], middle[2] - 0.4 * size], 0);
  return { shapes, poses, bodies: { shapes: numbers, isStatic: new Uint8Array(count).fill(1, 0, 1) } };
}
