/** What a scene says of motion: materials, velocities, gravity, prescribed motion. */

import { MOST_SUBSTEPS } from '../../dem/constants.ts';
import type { Material, MaterialPair } from '../../dem/materials/materials.ts';
import type { NormalLaw } from '../../dem/materials/normal-law.ts';
import {
  MATERIAL_FIELDS,
  PAIR_FIELDS,
  MOTION_FIELDS as PRESCRIBED_NUMBERS,
  type Range,
} from '../../dem/scene/check-scene.ts';
import { RESPONSES, type ResponseName } from '../../dem/scene/response.ts';
import type {
  Bounds,
  PeriodicBox,
  PrescribedMotion,
  RemovalPlane,
} from '../../dem/scene/simulation-scene.ts';
import type { Vector3 } from '../../mesh/mass-properties.ts';
import {
  called,
  type Fields,
  flagAt,
  found,
  listAt,
  listed,
  numberAt,
  numbersAt,
  objectAt,
  requireFields,
  SceneError,
  textAt,
} from './scene-fields.ts';

/** Of all bodies, and of the scene. */
export interface SceneSimulation {
  readonly materials: readonly Material[];
  readonly materialNames: readonly string[];
  readonly pairs: readonly MaterialPair[];
  readonly gravity: Vector3 | undefined;
  readonly removal: readonly RemovalPlane[] | undefined;
  readonly bounds: Bounds | undefined;
  readonly box: PeriodicBox | undefined;
  /** Times. */
  readonly timeStep: number | undefined;
  readonly duration: number | undefined;
  readonly response: ResponseName | undefined;
  /** Parts of a step by impulses. */
  readonly substeps: number | undefined;
}

/** What a body says of its motion: all bodies of a grid the same. */
export interface SceneMotion {
  readonly material: string | undefined;
  readonly velocity: Vector3;
  readonly angularVelocity: Vector3;
  readonly motion: PrescribedMotion | undefined;
}

/** Laws of a user's own, by name. */
export type NamedLaws = Readonly<Record<string, NormalLaw>>;

export const SIMULATION_FIELDS = [
  ...(['materials', 'materialPairs', 'gravity', 'removal', 'bounds', 'box', 'timeStep', 'duration'] as const),
  ...(['response', 'substeps', 'monitors'] as const),
] as const;
export const MOTION_FIELDS = ['material', 'velocity', 'angularVelocity', 'motion'] as const;

const MOTION_VECTORS = ['velocity', 'angularVelocity', 'about', 'amplitude', 'surfaceVelocity'] as const;

/** @param laws by the names that material pairs have for them */
export function simulationOf(scene: Fields, laws: NamedLaws): SceneSimulation {
  const described = scene.materials === undefined ? {} : objectAt(scene.materials, 'materials');
  const materialNames = Object.keys(described);
  const materials = materialNames.map((name) => {
    const place = `materials.${called(name)}`;
    const fields = objectAt(described[name], place);
    requireFields(fields, place, Object.keys(MATERIAL_FIELDS));
    return numbersOf(fields, place, MATERIAL_FIELDS, ['density', 'youngsModulus']) as unknown as Material;
  });
  const list = scene.materialPairs === undefined ? [] : listAt(scene.materialPairs, 'materialPairs');
  const pairs = list.map((value, i): MaterialPair => {
    const place = `materialPairs[${i}]`;
    const fields = objectAt(value, place);
    requireFields(fields, place, ['materials', 'law', ...Object.keys(PAIR_FIELDS)]);
    const names = listAt(fields.materials, `${place}.materials`);
    if (names.length !== 2) {
      throw new SceneError(`${place}.materials is ${found(names)}, expected the names of two materials`);
    }
    const [a, b] = names.map((name, k) => materialAt(name, `${place}.materials[${k}]`, materialNames));
    const law = fields.law === undefined ? undefined : lawAt(fields.law, `${place}.law`, laws);
    return { ...numbersOf(fields, place, PAIR_FIELDS), materials: [a!, b!], ...(law && { law }) };
  });
  const timeAt = (field: 'timeStep' | 'duration') => {
    if (scene[field] === undefined) return undefined;
    const time = numberAt(scene[field], field);
    if (time > 0 && time < Infinity) return time;
    throw new SceneError(`${field} is ${found(time)}, expected a time above 0`);
  };
  return {
    ...{ response: responseOf(scene), substeps: substepsOf(scene) },
    ...{ materials, materialNames, pairs, timeStep: timeAt('timeStep'), duration: timeAt('duration') },
    gravity: scene.gravity === undefined ? undefined : vectorAt(scene.gravity, 'gravity'),
    removal: scene.removal === undefined ? undefined : listAt(scene.removal, 'removal').map(removalAt),
    bounds: scene.bounds === undefined ? undefined : boundsAt(objectAt(scene.bounds, 'bounds')),
    box: scene.box === undefined ? undefined : boxAt(objectAt(scene.box, 'box')),
  };
}

function responseOf({ response }: Fields): ResponseName | undefined {
  if (response === undefined || RESPONSES.includes(response as ResponseName))
    return response as ResponseName | undefined;
  throw new SceneError(`response is ${found(response)}, expected ${listed(RESPONSES)}`);
}

function substepsOf({ substeps }: Fields): number | undefined {
  if (substeps === undefined) return undefined;
  const number = numberAt(substeps, 'substeps');
  if (Number.isInteger(number) && number >= 1 && number <= MOST_SUBSTEPS) return number;
  throw new SceneError(`substeps is ${found(substeps)}, expected a whole number from 1 to ${MOST_SUBSTEPS}`);
}

function lawAt(value: unknown, place: string, laws: NamedLaws): NormalLaw {
  const name = textAt(value, place);
  if (Object.hasOwn(laws, name)) return laws[name]!;
  const names = Object.keys(laws);
  const expected = names.length > 0 ? `one of ${listed(names)}` : 'a law that is passed along with the scene';
  throw new SceneError(`${place} is ${found(name)}, expected ${expected}`);
}

function removalAt(value: unknown, i: number): RemovalPlane {
  const place = `removal[${i}]`;
  const fields = objectAt(value, place);
  requireFields(fields, place, ['point', 'normal']);
  const normal = vectorAt(fields.normal, `${place}.normal`);
  if (Math.hypot(...normal) > 0) return { point: vectorAt(fields.point, `${place}.point`), normal };
  throw new SceneError(`${place}.normal is ${found(normal)}, expected a vector longer than 0`);
}

function boundsAt(fields: Fields): Bounds {
  requireFields(fields, 'bounds', ['low', 'high']);
  const [low, high] = [vectorAt(fields.low, 'bounds.low'), vectorAt(fields.high, 'bounds.high')];
  const axis = [0, 1, 2].find((k) => !(high[k]! > low[k]!));
  if (axis === undefined) return { low, high };
  throw new SceneError(`bounds.high[${axis}] is ${found(high[axis])}, expected more than low, ${low[axis]}`);
}

function boxAt(fields: Fields): PeriodicBox {
  requireFields(fields, 'box', ['low', 'high', 'periodic']);
  const [low, high] = [vectorAt(fields.low, 'box.low'), vectorAt(fields.high, 'box.high')];
  const flags = listAt(fields.periodic, 'box.periodic').map((flag, k) => flagAt(flag, `box.periodic[${k}]`));
  if (flags.length !== 3) {
    throw new SceneError(`box.periodic is ${found(flags)}, expected true or false for each of x, y and z`);
  }
  const axis = flags.findIndex((is, k) => is && !(high[k]! > low[k]!));
  if (axis >= 0) {
    throw new SceneError(`box.high[${axis}] is ${found(high[axis])}, expected more than low, ${low[axis]}`);
  }
  return { low, high, periodic: flags as unknown as PeriodicBox['periodic'] };
}

export function motionOf(entry: Fields, place: string): SceneMotion {
  const vector = (field: 'velocity' | 'angularVelocity') =>
    entry[field] === undefined ? NONE : vectorAt(entry[field], `${place}.${field}`);
  return {
    material: entry.material === undefined ? undefined : textAt(entry.material, `${place}.material`),
    velocity: vector('velocity'),
    angularVelocity: vector('angularVelocity'),
    motion: entry.motion === undefined ? undefined : prescribedAt(entry.motion, `${place}.motion`),
  };
}

const NONE: Vector3 = [0, 0, 0];

export function prescribedAt(value: unknown, place: string): PrescribedMotion {
  const fields = objectAt(value, place);
  requireFields(fields, place, [...MOTION_VECTORS, ...Object.keys(PRESCRIBED_NUMBERS)]);
  const vectors = MOTION_VECTORS.filter((field) => fields[field] !== undefined);
  return {
    ...Object.fromEntries(vectors.map((field) => [field, vectorAt(fields[field], `${place}.${field}`)])),
    ...numbersOf(fields, place, PRESCRIBED_NUMBERS),
  };
}

/** The number of a material. */
export function materialAt(value: unknown, place: string, names: readonly string[]): number {
  const number = names.indexOf(textAt(value, place));
  if (number >= 0) return number;
  throw new SceneError(`${place} is ${found(value)}, expected one of ${listed(names)}`);
}

/** Numbers of some fields, each within its range. Those that are not `needed` may be missing. */
function numbersOf(
  fields: Fields,
  place: string,
  ranges: Readonly<Record<string, Range>>,
  needed: readonly string[] = [],
): Record<string, number> {
  const given = Object.entries(ranges).filter(
    ([field]) => fields[field] !== undefined || needed.includes(field),
  );
  return Object.fromEntries(
    given.map(([field, { holds, expected }]) => {
      const number = fields[field];
      if (typeof number === 'number' && holds(number)) return [field, number];
      throw new SceneError(`${place}.${field} is ${found(number)}, expected ${expected}`);
    }),
  );
}

export function vectorAt(value: unknown, place: string): Vector3 {
  return numbersAt(value, place, 3) as unknown as Vector3;
}
