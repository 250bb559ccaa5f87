/** Scenes: shapes, bodies and pairs of them, from a JSON file. docs/scene.md describes the format. */
import { platform } from '#platform';
import { found, type Options, requireOptions, requireText, told } from '../../arguments.ts';
import { requireContactShapes } from '../../contacts/bodies/check-shapes.ts';
import type { ContactBodies, ContactShape } from '../../contacts/bodies/contact-shape.ts';
import { DEFAULT_GRAVITY } from '../../dem/constants.ts';
import { requireNormalLaw } from '../../dem/materials/normal-law.ts';
import type { SceneMonitors } from '../../dem/measures/scene-monitors.ts';
import { InputError } from '../../errors.ts';
import { arePlacedByShape, type BodyContext, bodiesOf } from './scene-bodies.ts';
import {
  called,
  listAt,
  listed,
  numberAt,
  objectAt,
  requireFields,
  SceneError,
  textAt,
} from './scene-fields.ts';
import { MECHANISM_FIELDS, mechanismOf, type SceneMechanism, saysMechanism } from './scene-mechanism.ts';
import type { ReadSceneFile } from './scene-meshes.ts';
import { monitorsOf } from './scene-monitors.ts';
import { SceneShapes } from './scene-shapes.ts';
import {
  type NamedLaws,
  type SceneMotion,
  type SceneSimulation,
  SIMULATION_FIELDS,
  simulationOf,
} from './scene-simulation.ts';
import { withSizesOfFiles } from './scene-sizes.ts';

/** What a scene file says. */
export interface Scene {
  readonly shapes: readonly ContactShape[];
  /** Bodies, as `ContactPipeline.create` takes them. */
  readonly bodies: Required<Omit<ContactBodies, 'apart'>> & {
    readonly shapes: Uint32Array<ArrayBuffer>;
    readonly isStatic: Uint8Array<ArrayBuffer>;
    readonly groups: Uint32Array<ArrayBuffer>;
    readonly masks: Uint32Array<ArrayBuffer>;
  };
  /** `[n * 7]`: position x, y, z and unit quaternion x, y, z, w of each body. */
  readonly poses: Float64Array<ArrayBuffer>;
  /** The distance up to which pairs are kept in lists, a length. Undefined for the pipeline's default. */
  readonly margin: number | undefined;
  /** `[m * 2]`: the pairs that the scene lists; `all` where it lists none. */
  readonly pairs: Uint32Array<ArrayBuffer> | 'all';
  /** For messages: the places of the shapes (`scene.json: shapes.rock`), and the names of the bodies. */
  readonly names: { readonly shapes: readonly string[]; readonly bodies: readonly string[] };
  /** Materials and gravity, for `simulationScene`. */
  readonly simulation: SceneSimulation;
  /** What is watched beside `Monitors`, for `monitorValues`. */
  readonly monitors: SceneMonitors;
  /** `[n]`: what bodies say of their motion. */
  readonly motions: readonly SceneMotion[];
  /** `[n]`: simulated times from which on bodies are there. Bodies of a source come in batches. */
  readonly appearsAt: Float64Array<ArrayBuffer>;
  /** Joints and what else makes a mechanism of it, for `multibodyScene`. Undefined: its bodies move freely. */
  readonly mechanism: SceneMechanism | undefined;
  /** The name of the file. */
  readonly name: string;
}

export interface ParseSceneOptions {
  /** For messages: the name of the file. Default `scene`. */
  readonly name?: string;
  /**
   * The bytes of a file that the scene names, by that name. What it throws goes to the caller; an InputError gets the
   * place in the scene in front. Default: scenes that name files are refused.
   */
  readonly readFile?: ReadSceneFile;
  /** Laws of a user's own that pairs of materials name. Their names here are those in the scene. */
  readonly laws?: NamedLaws;
  /**
   * Called with the number of bodies before any is made. What it throws goes to the caller; an InputError gets the name
   * of the scene in front. A scene that takes more memory itself than there is, is refused anyway.
   */
  readonly onBodies?: (count: number) => void;
  /** Stops the search for places of bodies at random. */
  readonly signal?: AbortSignal;
}

const OPTIONS: Options<ParseSceneOptions> = {
  name: 'text',
  readFile: 'function',
  laws: 'object',
  onBodies: 'function',
  signal: 'signal',
};

/**
 * Reads the text of a scene, and the meshes that it names. docs/scene.md has the format.
 *
 *     const scene = await parseScene(text, { readFile: (file) => readFile(join(folder, file)) });
 *
 * @throws InputError, one line: the file, the place in it, what was found, what was expected.
 */
export async function parseScene(text: string, options: ParseSceneOptions = {}): Promise<Scene> {
  requireOptions('parseScene', options, OPTIONS);
  requireText('parseScene: text', text, 'the text of a scene');
  const { name = 'scene', readFile = noFiles, laws = {}, onBodies, signal } = options;
  for (const [law, own] of Object.entries(laws)) requireNormalLaw(`parseScene: laws.${law}`, own);
  try {
    return await sceneOf(parsed(text), { name, readFile, laws }, { onBodies, signal });
  } catch (error) {
    if (!(error instanceof SceneError)) throw error;
    throw new InputError(`${name}: ${error.message}`, { cause: error });
  }
}

/**
 * Reads a scene file, and the mesh files that it names, whose paths are relative to it.
 *
 * @param source a path or file URL (Node), or a URL (browser)
 * @param options laws that pairs of materials name, who is told of bodies, and a signal
 * @throws InputError, one line: the file, the place in it, what was found, what was expected.
 */
export async function readScene(
  source: string | URL,
  options: Pick<ParseSceneOptions, 'laws' | 'onBodies' | 'signal'> = {},
): Promise<Scene> {
  requireOptions('readScene', options, { laws: 'object', onBodies: 'function', signal: 'signal' });
  if (typeof source !== 'string' && !(source instanceof URL)) {
    throw new InputError(`readScene: source: found ${told(source)}, expected a path or URL`);
  }
  const bytes = await platform.readFile(source);
  const folder = `${source}`.replace(/[?#].*$/, '').replace(/[^/\\]*$/, '');
  const readFile = (file: string) => {
    if (source instanceof URL) return platform.readFile(new URL(file, source));
    // A path from the root, or a URL.
    const isWhole = /^([/\\]|[a-z][a-z\d+.-]*:)/i.test(file);
    return platform.readFile(isWhole ? file : `${folder}${file}`);
  };
  return parseScene(new TextDecoder().decode(bytes), { ...options, name: `${source}`, readFile });
}

function noFiles(file: string): never {
  throw new InputError(`${file}: no file can be read, expected the option readFile`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new SceneError(`is no JSON (${(error as Error).message}), expected a scene`);
  }
}

async function sceneOf(
  value: unknown,
  { name, readFile, laws }: Required<Omit<ParseSceneOptions, 'onBodies' | 'signal'>>,
  { onBodies, signal }: Pick<BodyContext, 'onBodies' | 'signal'>,
): Promise<Scene> {
  // Editors find the schema by it.
  const { $schema, ...scene } = objectAt(value, 'the scene');
  if ($schema !== undefined) textAt($schema, '$schema');
  requireFields(scene, '', [
    'shapes',
    'bodies',
    'pairs',
    'margin',
    ...SIMULATION_FIELDS,
    ...MECHANISM_FIELDS,
  ]);
  const described = objectAt(scene.shapes, 'shapes');
  const shapeNames = Object.keys(described);
  if (shapeNames.length === 0) throw new SceneError('shapes is {}, expected at least one shape');
  const shapes = await new SceneShapes(described, readFile).all();
  const simulation = simulationOf(scene, laws);
  const placeOf = (shape: string) => `${name}: shapes.${called(shape)}`;
  const list = await withSizesOfFiles(listAt(scene.bodies, 'bodies'), readFile);
  const isMechanism = saysMechanism(scene, list);
  if (isMechanism && scene.monitors !== undefined) {
    throw new SceneError(
      'monitors is there, expected none: scenes with joints, elements or parents are not measured',
    );
  }
  // Otherwise the library checks them when they are used.
  if (arePlacedByShape(list)) requireContactShapes(shapes, shapeNames.map(placeOf));
  const { names, poses, motions, appearsAt, entries, sized, ...bodies } = await bodiesOf(list, {
    ...{ isMechanism, shapes, shapeNames, materialNames: simulation.materialNames },
    gravity: simulation.gravity ?? DEFAULT_GRAVITY,
    onBodies,
    signal,
  });
  shapes.push(...sized.map(({ shape }) => shape));
  shapeNames.push(...sized.map((one) => one.name));
  bodies.shapes.forEach((shape, i) => {
    if (shapes[shape]?.kind === 'plane') bodies.isStatic[i] = 1;
  });
  const mechanism = mechanismOf(scene, { isMechanism, entries, names, poses });
  return {
    ...{
      shapes,
      bodies,
      poses: mechanism?.worldPoses ?? poses,
      simulation,
      mechanism,
      motions,
      appearsAt,
      name,
    },
    monitors: scene.monitors === undefined ? {} : monitorsOf(scene.monitors, names),
    margin: scene.margin === undefined ? undefined : marginAt(scene.margin),
    pairs: pairsOf(scene.pairs === undefined ? 'all' : scene.pairs, names),
    names: { shapes: shapeNames.map(placeOf), bodies: names },
  };
}

function marginAt(value: unknown): number {
  const margin = numberAt(value, 'margin');
  if (margin >= 0 && margin < Infinity) return margin;
  throw new SceneError(`margin is ${found(value)}, expected a length of 0 or more`);
}

function pairsOf(value: unknown, names: readonly string[]): Uint32Array<ArrayBuffer> | 'all' {
  if (value === 'all') return value;
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
