/** What a scene says of motion: materials, velocities, gravity, prescribed motion. */
import { found } from '../../arguments.ts';
import { MANIFOLD_RULES } from '../../convex/manifold/manifold-rules.ts';
import { MOST_ITERATIONS, MOST_SUBSTEPS } from '../../dem/constants.ts';
import type { Material, MaterialPair } from '../../dem/materials/materials.ts';
import type { NormalLaw } from '../../dem/materials/normal-law.ts';
import {
  requireBounds,
  requireBox,
  requireGravity,
  requireMaterial,
  requireMotion,
  requirePair,
  requireRemoval,
  requireServo,
} from '../../dem/scene/check-scene.ts';
import {
  NARROW_ALGORITHMS,
  type NarrowPhaseChoice,
  RESPONSES,
  type ResponseName,
} from '../../dem/scene/response.ts';
import type {
  Bounds,
  Gravity,
  PeriodicBox,
  PrescribedMotion,
  RemovalPlane,
  ServoWall,
} from '../../dem/scene/simulation-scene.ts';
import type { Vector3 } from '../../mesh/mass-properties.ts';
import {
  called,
  checkedAt,
  checkedBy,
  type Fields,
  flagAt,
  listAt,
  listed,
  numberAt,
  objectAt,
  requireFields,
  SceneError,
  textAt,
  vectorAt,
} from './scene-fields.ts';

/** Of all bodies, and of the scene. */
export interface SceneSimulation {
  readonly materials: readonly Material[];
  readonly materialNames: readonly string[];
  readonly pairs: readonly MaterialPair[];
  readonly gravity: Gravity | undefined;
  readonly removal: readonly RemovalPlane[] | undefined;
  readonly bounds: Bounds | undefined;
  readonly box: PeriodicBox | undefined;
  /** Times. */
  readonly timeStep: number | undefined;
  readonly duration: number | undefined;
  readonly response: ResponseName | undefined;
  /** Parts of a step by impulses. */
  readonly substeps: number | undefined;
  /** Of olvang. */
  readonly iterations: number | undefined;
  readonly shocks: boolean | undefined;
  readonly narrowPhase: NarrowPhaseChoice | undefined;
}

/** What a body says of its motion: all bodies of a grid the same. */
export interface SceneMotion {
  readonly material: string | undefined;
  readonly velocity: Vector3;
  readonly angularVelocity: Vector3;
  readonly motion: PrescribedMotion | undefined;
  readonly servo: ServoWall | undefined;
}

/** Laws of a user's own, by name. */
export type NamedLaws = Readonly<Record<string, NormalLaw>>;

export const SIMULATION_FIELDS = [
  ...(['materials', 'materialPairs', 'gravity', 'removal', 'bounds', 'box', 'timeStep', 'duration'] as const),
  ...(['response', 'substeps', 'iterations', 'shocks', 'narrowPhase', 'monitors'] as const),
] as const;
export const MOTION_FIELDS = ['material', 'velocity', 'angularVelocity', 'motion', 'servo'] as const;

/** @param laws by the names that material pairs have for them */
export function simulationOf(scene: Fields, laws: NamedLaws): SceneSimulation {
  const described = scene.materials === undefined ? {} : objectAt(scene.materials, 'materials');
  const materialNames = Object.keys(described);
  const materials = materialNames.map((name) =>
    checkedAt(described[name], `materials.${called(name)}`, requireMaterial),
  );
  const list = scene.materialPairs === undefined ? [] : listAt(scene.materialPairs, 'materialPairs');
  const pairs = list.map((value, i): MaterialPair => {
    const place = `materialPairs[${i}]`;
    const fields = checkedAt(value, place, requirePair) as Fields;
    const names = listAt(fields.materials, `${place}.materials`);
    if (names.length !== 2) {
      throw new SceneError(`${place}.materials is ${found(names)}, expected the names of two materials`);
    }
    const [a, b] = names.map((name, k) => materialAt(name, `${place}.materials[${k}]`, materialNames));
    const law = fields.law === undefined ? undefined : lawAt(fields.law, `${place}.law`, laws);
    const { law: _, ...numbers } = fields;
    return { ...numbers, materials: [a!, b!], ...(law && { law }) };
  });
  const timeAt = (field: 'timeStep' | 'duration') => {
    if (scene[field] === undefined) return undefined;
    const time = numberAt(scene[field], field);
    if (time > 0 && time < Infinity) return time;
    throw new SceneError(`${field} is ${found(time)}, expected a time above 0`);
  };
  return {
    response: responseOf(scene),
    substeps: countOf(scene, 'substeps', MOST_SUBSTEPS),
    iterations: countOf(scene, 'iterations', MOST_ITERATIONS),
    shocks: scene.shocks === undefined ? undefined : flagAt(scene.shocks, 'shocks'),
    narrowPhase: narrowPhaseOf(scene),
    ...{ materials, materialNames, pairs, timeStep: timeAt('timeStep'), duration: timeAt('duration') },
    gravity:
      scene.gravity === undefined
        ? undefined
        : checkedBy(scene.gravity as Gravity, 'gravity', requireGravity),
    removal:
      scene.removal === undefined
        ? undefined
        : listAt(scene.removal, 'removal').map((plane, i) =>
            checkedAt(plane, `removal[${i}]`, requireRemoval),
          ),
    bounds: scene.bounds === undefined ? undefined : checkedAt(scene.bounds, 'bounds', requireBounds),
    box: scene.box === undefined ? undefined : checkedAt(scene.box, 'box', requireBox),
  };
}

function responseOf({ response }: Fields): ResponseName | undefined {
  return response === undefined ? undefined : nameAt(response, 'response', RESPONSES);
}

function nameAt<T extends string>(value: unknown, place: string, names: readonly T[]): T {
  if (names.includes(value as T)) return value as T;
  throw new SceneError(`${place} is ${found(value)}, expected ${listed(names)}`);
}

function countOf(scene: Fields, field: 'substeps' | 'iterations', most: number): number | undefined {
  if (scene[field] === undefined) return undefined;
  const number = numberAt(scene[field], field);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new SceneError(`${field} is ${found(scene[field])}, expected a whole number from 1 to ${most}`);
}

function narrowPhaseOf({ narrowPhase }: Fields): NarrowPhaseChoice | undefined {
  if (narrowPhase === undefined) return undefined;
  const fields = objectAt(narrowPhase, 'narrowPhase');
  requireFields(fields, 'narrowPhase', ['algorithm', 'manifold']);
  return {
    algorithm: nameAt(fields.algorithm, 'narrowPhase.algorithm', NARROW_ALGORITHMS),
    manifold: nameAt(fields.manifold, 'narrowPhase.manifold', MANIFOLD_RULES),
  };
}

function lawAt(value: unknown, place: string, laws: NamedLaws): NormalLaw {
  const name = textAt(value, place);
  if (Object.hasOwn(laws, name)) return laws[name]!;
  const names = Object.keys(laws);
  const expected = names.length > 0 ? `one of ${listed(names)}` : 'a law that is passed along with the scene';
  throw new SceneError(`${place} is ${found(name)}, expected ${expected}`);
}

export function motionOf(entry: Fields, place: string): SceneMotion {
  const vector = (field: 'velocity' | 'angularVelocity') =>
    entry[field] === undefined ? NONE : vectorAt(entry[field], `${place}.${field}`);
  if (entry.motion !== undefined && entry.servo !== undefined)
    throw new SceneError(`${place} has motion and servo, expected one of both`);
  return {
    material: entry.material === undefined ? undefined : textAt(entry.material, `${place}.material`),
    velocity: vector('velocity'),
    angularVelocity: vector('angularVelocity'),
    motion:
      entry.motion === undefined ? undefined : checkedAt(entry.motion, `${place}.motion`, requireMotion),
    servo: entry.servo === undefined ? undefined : checkedAt(entry.servo, `${place}.servo`, requireServo),
  };
}

const NONE: Vector3 = [0, 0, 0];

/** The number of a material. */
export function materialAt(value: unknown, place: string, names: readonly string[]): number {
  const number = names.indexOf(textAt(value, place));
  if (number >= 0) return number;
  throw new SceneError(`${place} is ${found(value)}, expected one of ${listed(names)}`);
}
