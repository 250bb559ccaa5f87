/** What a scene says of joints: docs/scene.md, "Mechanisms". */

import { quatd, vec3d } from 'wgpu-matrix';
import { found } from '../../arguments.ts';
import { POSE_SIZE } from '../../convex/shapes/pose.ts';
import { requireMotion } from '../../dem/scene/check-scene.ts';
import { InputError } from '../../errors.ts';
import type { Matrix3, Vector3 } from '../../mesh/mass-properties.ts';
import { requireMass } from '../../multibody/scene/check-multibody.ts';
import {
  type BodyOrWorld,
  JOINT_KINDS,
  type Joint,
  type JointKind,
  type MassOfBody,
  type MechanismElement,
} from '../../multibody/scene/multibody-scene.ts';
import {
  called,
  checkedAt,
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

export const MECHANISM_FIELDS = ['joints', 'elements'] as const;
export const MECHANISM_BODY_FIELDS = ['parent', 'mass'] as const;

const JOINT_FIELDS = [
  ...['kind', 'a', 'b', 'point', 'pointA', 'axis', 'secondAxis', 'damping', 'drive', 'canCollide'],
];
const SPRING_FIELDS = ['kind', 'a', 'b', 'pointA', 'pointB', 'stiffness', 'damping', 'length'];
const FORCE_FIELDS = ['kind', 'body', 'point', 'force', 'torque'];
const MASS_FIELDS = ['mass', 'centroid', 'inertia'];

/** What makes a mechanism of a scene. */
export interface SceneMechanism {
  /** `[n]`: the body that each one is fixed to, -1 for none. */
  readonly parents: Int32Array<ArrayBuffer>;
  /** `[n * 7]`: relative to parents; in the world, as in `Scene.poses`. */
  readonly relativePoses: Float64Array<ArrayBuffer>;
  readonly worldPoses: Float64Array<ArrayBuffer>;
  /** By the numbers of bodies. */
  readonly masses: ReadonlyMap<number, MassOfBody>;
  readonly joints: readonly Joint[];
  readonly elements: readonly MechanismElement[];
}

/** A body's entry in the list. */
export interface Described {
  readonly fields: Fields;
  readonly place: string;
}

/** Whether a scene is a mechanism: it has joints, elements, or a body with a parent. */
export function saysMechanism(scene: Fields, list: readonly unknown[]): boolean {
  const hasParent = (body: unknown) => Object.hasOwn(Object(body), 'parent');
  return MECHANISM_FIELDS.some((field) => scene[field] !== undefined) || list.some(hasParent);
}

interface Bodies {
  readonly isMechanism: boolean;
  readonly entries: readonly Described[];
  readonly names: readonly string[];
  readonly poses: Float64Array<ArrayBuffer>;
}

/** @throws SceneError for names that are not there, and values of another type */
export function mechanismOf(
  scene: Fields,
  { isMechanism, entries, names, poses }: Bodies,
): SceneMechanism | undefined {
  if (!isMechanism) {
    const heavy = entries.find(({ fields }) => fields.mass !== undefined);
    if (heavy === undefined) return undefined;
    throw new SceneError(
      `${heavy.place}.mass is there, expected none without joints, elements or a parent: mass follows from density`,
    );
  }
  const numbers = new Map(names.map((name, i) => [name, i]));
  const bodyAt = (value: unknown, place: string): number => {
    const number = numbers.get(textAt(value, place));
    if (number !== undefined) return number;
    throw new SceneError(`${place} is ${found(value)}, expected one of ${listed(names)}`);
  };
  const endAt = (value: unknown, place: string): BodyOrWorld => {
    if (value === 'world' && !numbers.has('world')) return value;
    const number = numbers.get(textAt(value, place));
    if (number !== undefined) return number;
    throw new SceneError(`${place} is ${found(value)}, expected "world" or one of ${listed(names)}`);
  };
  const parents = Int32Array.from(entries, ({ fields, place }) =>
    fields.parent === undefined ? -1 : bodyAt(fields.parent, `${place}.parent`),
  );
  const masses = new Map<number, MassOfBody>();
  entries.forEach(({ fields, place }, body) => {
    if (fields.mass !== undefined) masses.set(body, massAt(fields.mass, `${place}.mass`));
  });
  const list = (field: 'joints' | 'elements') =>
    scene[field] === undefined ? [] : listAt(scene[field], field);
  return {
    ...{ parents, relativePoses: poses, worldPoses: inWorld(poses, parents, entries), masses },
    joints: list('joints').map((value, i) => jointAt(value, `joints[${i}]`, endAt)),
    elements: list('elements').map((value, i) => elementAt(value, `elements[${i}]`, endAt, bodyAt)),
  };
}

function massAt(value: unknown, place: string): MassOfBody {
  const own = typeof value === 'number' ? { mass: value } : massFields(objectAt(value, place), place);
  try {
    requireMass(own, place);
  } catch (error) {
    if (error instanceof InputError) throw new SceneError(error.message);
    throw error;
  }
  return own;
}

function massFields(fields: Fields, place: string): MassOfBody {
  requireFields(fields, place, MASS_FIELDS);
  const { inertia } = fields;
  return {
    mass: numberAt(fields.mass, `${place}.mass`),
    ...(fields.centroid !== undefined && { centroid: vectorAt(fields.centroid, `${place}.centroid`) }),
    // Its form is checked with its numbers.
    ...(inertia !== undefined && {
      inertia: listAt(inertia, `${place}.inertia`) as unknown as Vector3 | Matrix3,
    }),
  };
}

type EndAt = (value: unknown, place: string) => BodyOrWorld;

function jointAt(value: unknown, place: string, endAt: EndAt): Joint {
  const fields = objectAt(value, place);
  requireFields(fields, place, JOINT_FIELDS);
  const { kind, damping, drive, canCollide } = fields;
  if (!JOINT_KINDS.includes(kind as JointKind))
    throw new SceneError(`${place}.kind is ${found(kind)}, expected one of ${listed(JOINT_KINDS)}`);
  return {
    ...{ kind: kind as JointKind, a: endAt(fields.a, `${place}.a`), b: endAt(fields.b, `${place}.b`) },
    ...vectorsOf(fields, place, ['point', 'pointA', 'axis', 'secondAxis']),
    ...(damping !== undefined && { damping: numberAt(damping, `${place}.damping`) }),
    ...(canCollide !== undefined && { canCollide: flagAt(canCollide, `${place}.canCollide`) }),
    ...(drive !== undefined && {
      drive: typeof drive === 'number' ? drive : checkedAt(drive, `${place}.drive`, requireMotion),
    }),
  };
}

function elementAt(
  value: unknown,
  place: string,
  endAt: EndAt,
  bodyAt: (value: unknown, place: string) => number,
): MechanismElement {
  const fields = objectAt(value, place);
  if (fields.kind === 'spring') {
    requireFields(fields, place, SPRING_FIELDS);
    return {
      ...{ kind: 'spring', a: endAt(fields.a, `${place}.a`), b: endAt(fields.b, `${place}.b`) },
      ...vectorsOf(fields, place, ['pointA', 'pointB']),
      stiffness: numberAt(fields.stiffness, `${place}.stiffness`),
      length: numberAt(fields.length, `${place}.length`),
      ...(fields.damping !== undefined && { damping: numberAt(fields.damping, `${place}.damping`) }),
    };
  }
  if (fields.kind === 'force') {
    requireFields(fields, place, FORCE_FIELDS);
    return {
      ...{ kind: 'force', body: bodyAt(fields.body, `${place}.body`) },
      ...vectorsOf(fields, place, ['point', 'force', 'torque']),
    };
  }
  throw new SceneError(`${place}.kind is ${found(fields.kind)}, expected spring or force`);
}

function vectorsOf(fields: Fields, place: string, names: readonly string[]): Record<string, Vector3> {
  const given = names.filter((name) => fields[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, vectorAt(fields[name], `${place}.${name}`)]));
}

/** Poses in the world of bodies that are placed relative to parents. */
function inWorld(
  poses: Float64Array<ArrayBuffer>,
  parents: Int32Array,
  entries: readonly Described[],
): Float64Array<ArrayBuffer> {
  const out = poses.slice();
  // 0: not placed yet, 1: on the way to its first ancestor, 2: placed.
  const state = new Uint8Array(parents.length);
  for (let body = 0; body < parents.length; body++) {
    const path: number[] = [];
    for (let at = body; at >= 0 && state[at] !== 2; at = parents[at]!) {
      if (state[at] === 1) {
        const { fields, place } = entries[at]!;
        throw new SceneError(
          `${place}.parent is ${called(`${fields.parent}`)}, which leads around to the body itself, expected a tree`,
        );
      }
      state[at] = 1;
      path.push(at);
    }
    for (const at of path.reverse()) {
      state[at] = 2;
      const parent = parents[at]!;
      if (parent < 0) continue;
      const [own, above] = [at, parent].map((one) => out.subarray(POSE_SIZE * one, POSE_SIZE * (one + 1)));
      const turn = above!.subarray(3, 7);
      const arm = vec3d.transformQuat(own!.slice(0, 3), turn);
      own!.set(quatd.normalize(quatd.multiply(turn, own!.slice(3, 7))), 3);
      for (let k = 0; k < 3; k++) own![k] = above![k]! + arm[k]!;
    }
  }
  return out;
}
