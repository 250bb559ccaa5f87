/** What a scene says of joints: docs/scene.md, "Mechanisms". */

import { quatd, vec3d } from 'wgpu-matrix';
import { found } from '../../arguments.ts';
import { POSE_SIZE } from '../../convex/shapes/pose.ts';
import {
  type NamedBodies,
  requireElement,
  requireJoint,
  requireMass,
} from '../../multibody/scene/check-multibody.ts';
import type {
  BodyOrWorld,
  Joint,
  MassOfBody,
  MechanismElement,
} from '../../multibody/scene/multibody-scene.ts';
import {
  called,
  checkedAt,
  type Fields,
  listAt,
  listed,
  objectAt,
  SceneError,
  textAt,
} from './scene-fields.ts';

export const MECHANISM_FIELDS = ['joints', 'elements'] as const;
export const MECHANISM_BODY_FIELDS = ['parent', 'mass'] as const;

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
  const bodies: NamedBodies = {
    count: names.length,
    told: (body) => found(typeof body === 'number' ? names[body] : body),
    expected: (canBeWorld) => `${canBeWorld ? '"world" or ' : ''}one of ${listed(names)}`,
  };
  const bodyAt = (value: unknown, place: string, canBeWorld = false): number => {
    const number = numbers.get(textAt(value, place));
    if (number !== undefined) return number;
    throw new SceneError(`${place} is ${found(value)}, expected ${bodies.expected(canBeWorld)}`);
  };
  const endAt = (value: unknown, place: string): BodyOrWorld =>
    value === 'world' && !numbers.has('world') ? value : bodyAt(value, place, true);
  const parents = Int32Array.from(entries, ({ fields, place }) =>
    fields.parent === undefined ? -1 : bodyAt(fields.parent, `${place}.parent`),
  );
  const masses = new Map<number, MassOfBody>();
  entries.forEach(({ fields, place }, body) => {
    if (fields.mass !== undefined) masses.set(body, massAt(fields.mass, place));
  });
  /** A joint or an element with numbers of bodies in place of names. */
  const numbered = <T>(
    value: unknown,
    place: string,
    check: (place: string, own: T, bodies: NamedBodies) => void,
  ) => {
    const fields = objectAt(value, place);
    const own = {
      ...fields,
      ...(fields.a !== undefined && { a: endAt(fields.a, `${place}.a`) }),
      ...(fields.b !== undefined && { b: endAt(fields.b, `${place}.b`) }),
      ...(fields.body !== undefined && { body: bodyAt(fields.body, `${place}.body`) }),
    };
    const { drive } = fields;
    if (drive !== undefined && typeof drive !== 'number') objectAt(drive, `${place}.drive`);
    return checkedAt<T>(own, place, (at, one) => check(at, one, bodies));
  };
  const list = (field: 'joints' | 'elements') =>
    scene[field] === undefined ? [] : listAt(scene[field], field);
  return {
    ...{ parents, relativePoses: poses, worldPoses: inWorld(poses, parents, entries), masses },
    joints: list('joints').map((value, i) => numbered(value, `joints[${i}]`, requireJoint)),
    elements: list('elements').map((value, i) => numbered(value, `elements[${i}]`, requireElement)),
  };
}

/** @param place of the body: the number may be the mass itself */
function massAt(value: unknown, place: string): MassOfBody {
  return typeof value === 'number'
    ? checkedAt({ mass: value }, place, requireMass)
    : checkedAt(value, `${place}.mass`, requireMass);
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
