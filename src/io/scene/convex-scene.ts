/** Scenes whose bodies are convex, or of convex parts: what `ConvexBatch` takes. */
import { requireObject } from '../../arguments.ts';
import type { Shape } from '../../convex/shapes/shapes.ts';
import { InputError } from '../../errors.ts';
import type { Scene } from './scene.ts';

/** Shapes for `ConvexBatch.create`, and a query about the scene's pairs. */
export interface ConvexScene {
  readonly shapes: readonly Shape[];
  readonly query: {
    readonly poses: Float64Array<ArrayBuffer>;
    /** Shape of each body. */
    readonly shapes: Uint32Array<ArrayBuffer>;
    /** `[m * 2]`. */
    readonly pairs: Uint32Array<ArrayBuffer>;
  };
}

/** The most pairs that "all" may stand for, those of 6324 bodies: their answers take 2 GB. */
const MOST_PAIRS_OF_ALL = 2e7;

/**
 * What `ConvexBatch` takes of a scene. Its pairs are those that the scene lists, or every body with every later one.
 *
 * @throws InputError, one line, for a polyhedron, a plane, or more than 2e7 pairs of all bodies.
 */
export function convexScene(scene: Scene): ConvexScene {
  requireObject('convexScene: scene', scene, 'a scene of parseScene() or readScene()');
  const { shapes, bodies, poses, pairs, names, name } = scene;
  if (!Array.isArray(shapes)) {
    throw new InputError(
      `convexScene: scene: found no shapes, expected a scene of parseScene() or readScene()`,
    );
  }
  const convex = shapes.map((shape, i) => {
    if (shape.kind !== 'polyhedron' && shape.kind !== 'plane') return shape;
    throw new InputError(
      `${names.shapes[i]}.kind is "${shape.kind}", expected a convex shape or parts: "mesh" is the hull of a mesh`,
    );
  });
  const bare = bodies.shapes.findIndex((shape) => shapes[shape] === undefined);
  if (bare >= 0)
    throw new InputError(`${name}: ${names.bodies[bare]} has no shape, expected one of each body`);
  const list = pairs === 'all' ? allPairs(bodies.shapes.length, name) : pairs;
  return { shapes: convex, query: { poses, shapes: bodies.shapes, pairs: list } };
}

function allPairs(count: number, name: string): Uint32Array<ArrayBuffer> {
  const total = (count * (count - 1)) / 2;
  if (total > MOST_PAIRS_OF_ALL) {
    throw new InputError(
      `${name}: pairs is "all" of ${count} bodies, ${total} pairs, ` +
        `expected at most ${MOST_PAIRS_OF_ALL}: list those that are near`,
    );
  }
  const pairs = new Uint32Array(2 * total);
  let at = 0;
  for (let a = 0; a < count; a++) {
    for (let b = a + 1; b < count; b++) {
      pairs[at++] = a;
      pairs[at++] = b;
    }
  }
  return pairs;
}
