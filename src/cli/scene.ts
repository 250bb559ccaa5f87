/** Scenes of `scree pairs`: bodies and pairs of them, from a JSON file. docs/pairs-scene.md describes the format. */
import { dirname } from 'node:path';
import type { Shape } from '../index.ts';
import { nameOf, readBytes } from './input.ts';
import { withDefaultSignals } from './interrupt.ts';
import {
  called,
  type Fields,
  found,
  listAt,
  listed,
  numbersAt,
  objectAt,
  requireFields,
  SceneError,
  textAt,
} from './scene-fields.ts';
import { SceneShapes } from './scene-shapes.ts';

export interface Scene {
  readonly shapes: readonly Shape[];
  /** The places of the shapes, for messages: `scene.json: shapes.rock`. */
  readonly places: readonly string[];
  /** The names of the bodies. A body without a name is called by its number. */
  readonly names: readonly string[];
  /** `[n * 7]`. */
  readonly poses: Float64Array;
  /** Shape of each body. */
  readonly bodies: Uint32Array;
  /** `[m * 2]`. */
  readonly pairs: Uint32Array;
}

/** How far the length of a rotation may be from 1: the library's own bound. */
const ROTATION_TOLERANCE = 1e-3;
/** How far from the origin a body may be: the library's own bound. */
const LARGEST_POSITION = 1e30;
/** The most pairs that "all" may stand for, those of 6324 bodies: their answers take 2 GB. */
const MOST_PAIRS_OF_ALL = 2e7;

/**
 * Reads a scene, and the meshes that it names.
 *
 * @throws InputError, one line: the file, the place in it, what was found, what was expected.
 */
export async function readScene(path: string, signal: AbortSignal): Promise<Scene> {
  const text = new TextDecoder().decode(await readBytes(path, signal));
  try {
    return await withDefaultSignals(signal, () => sceneOf(parse(text), path));
  } catch (error) {
    if (!(error instanceof SceneError)) throw error;
    const { InputError } = await import('../index.ts');
    throw new InputError(`${nameOf(path)}: ${error.message}`, { cause: error });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new SceneError(`is no JSON (${(error as Error).message}), expected a scene`);
  }
}

async function sceneOf(value: unknown, path: string): Promise<Scene> {
  const scene = objectAt(value, 'the scene');
  requireFields(scene, '', ['shapes', 'bodies', 'pairs']);
  const described = objectAt(scene.shapes, 'shapes');
  const names = Object.keys(described);
  if (names.length === 0) throw new SceneError('shapes is {}, expected at least one shape');
  const shapes = await new SceneShapes(described, dirname(path)).all();
  const { bodyNames, poses, bodies } = bodiesOf(listAt(scene.bodies, 'bodies'), names);
  return {
    shapes,
    places: names.map((name) => `${nameOf(path)}: shapes.${called(name)}`),
    names: bodyNames,
    poses,
    bodies,
    pairs: pairsOf(scene.pairs ?? 'all', bodyNames),
  };
}

function bodiesOf(list: readonly unknown[], shapes: readonly string[]) {
  const poses = new Float64Array(7 * list.length);
  const bodies = new Uint32Array(list.length);
  const bodyNames: string[] = [];
  const shapeNumbers = new Map(shapes.map((name, i) => [name, i]));
  const taken = new Map<string, number>();
  list.forEach((value, i) => {
    const place = `bodies[${i}]`;
    const body = objectAt(value, place);
    requireFields(body, place, ['name', 'shape', 'position', 'rotation']);
    const shape = textAt(body.shape, `${place}.shape`);
    const number = shapeNumbers.get(shape);
    if (number === undefined) {
      throw new SceneError(`${place}.shape is ${found(shape)}, expected one of ${listed(shapes)}`);
    }
    bodies[i] = number;
    poses.set(positionOf(body, place), 7 * i);
    poses.set(rotationOf(body, place), 7 * i + 3);
    const name = body.name === undefined ? `${i}` : textAt(body.name, `${place}.name`);
    const before = taken.get(name);
    if (before !== undefined) {
      throw new SceneError(
        `${place}.name is ${found(name)}, as bodies[${before}] is called; expected names of their own`,
      );
    }
    taken.set(name, i);
    bodyNames.push(name);
  });
  return { bodyNames, poses, bodies };
}

function positionOf(body: Fields, place: string): readonly number[] {
  if (body.position === undefined) return [0, 0, 0];
  const position = numbersAt(body.position, `${place}.position`, 3);
  if (!position.every((x) => Math.abs(x) <= LARGEST_POSITION)) {
    throw new SceneError(
      `${place}.position is ${found(position)}, expected three numbers of at most ${LARGEST_POSITION}`,
    );
  }
  return position;
}

function rotationOf(body: Fields, place: string): readonly number[] {
  if (body.rotation === undefined) return [0, 0, 0, 1];
  const rotation = numbersAt(body.rotation, `${place}.rotation`, 4);
  const length = Math.hypot(...rotation);
  if (!(Math.abs(length - 1) <= ROTATION_TOLERANCE)) {
    throw new SceneError(
      `${place}.rotation is ${found(rotation)} of length ${length}, expected a quaternion x, y, z, w of length 1`,
    );
  }
  return rotation;
}

function pairsOf(value: unknown, names: readonly string[]): Uint32Array {
  if (value === 'all') return allPairs(names.length);
  if (!Array.isArray(value)) {
    throw new SceneError(`pairs is ${found(value)}, expected "all" or a list of pairs of bodies`);
  }
  const numbers = new Map(names.map((name, i) => [name, i]));
  const pairs = new Uint32Array(2 * value.length);
  value.forEach((pair: unknown, i) => {
    const place = `pairs[${i}]`;
    if (!Array.isArray(pair) || pair.length !== 2) {
      throw new SceneError(`${place} is ${found(pair)}, expected two bodies`);
    }
    for (const k of [0, 1]) pairs[2 * i + k] = bodyAt(pair[k], `${place}[${k}]`, names, numbers);
    if (pairs[2 * i] === pairs[2 * i + 1]) {
      throw new SceneError(`${place} is ${found(pair)}, a body with itself, expected two bodies`);
    }
  });
  return pairs;
}

/** A body by its name or its number. */
function bodyAt(
  value: unknown,
  place: string,
  names: readonly string[],
  numbers: ReadonlyMap<string, number>,
): number {
  if (typeof value === 'string') {
    const number = numbers.get(value);
    if (number === undefined)
      throw new SceneError(`${place} is ${found(value)}, expected one of ${listed(names)}`);
    return number;
  }
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) < names.length)
    return value as number;
  throw new SceneError(
    `${place} is ${found(value)}, expected the name of a body or a whole number below ${names.length}`,
  );
}

function allPairs(count: number): Uint32Array {
  const total = (count * (count - 1)) / 2;
  if (total > MOST_PAIRS_OF_ALL) {
    throw new SceneError(
      `pairs is "all" of ${count} bodies, ${total} pairs, ` +
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
