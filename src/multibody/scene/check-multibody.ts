/** Checks of what mechanisms have beside bodies: one line with the place, what was found, what was expected. */
import { found, requireArray, requireKnown, requireObject, told } from '../../arguments.ts';
import { requireContactShapes } from '../../contacts/bodies/check-shapes.ts';
import {
  FROM_0,
  isVector,
  requireMotion,
  requireNumbers,
  requireScene,
  requireVector,
} from '../../dem/scene/check-scene.ts';
import { changes } from '../../dem/scene/time-table.ts';
import { InputError } from '../../errors.ts';
import type { Matrix3 } from '../../mesh/mass-properties.ts';
import { principalAxes } from '../../mesh/principal-axes.ts';
import { INERTIA_ROUNDING, QUATERNION_ROUNDING } from '../constants.ts';
import {
  JOINT_KINDS,
  type Joint,
  type MassOfBody,
  type MechanismElement,
  type MultibodyScene,
  NO_SHAPE,
} from './multibody-scene.ts';

const JOINT_FIELDS = [...['kind', 'a', 'b', 'point', 'pointA', 'axis', 'secondAxis', 'drive', 'canCollide']];

/** The bodies that joints and elements may name, and how a message tells them. */
export interface NamedBodies {
  readonly count: number;
  readonly told: (body: unknown) => string;
  readonly expected: (canBeWorld: boolean) => string;
}

/** @throws InputError for the first joint, element, mass or parent that cannot be used */
export function requireMechanism(scene: MultibodyScene, names: readonly string[]): void {
  const { joints = [], elements = [], bodies } = scene;
  const count = bodies.shapes.length;
  requireOfSimulation(scene);
  requirePlaces(scene, names);
  if (!Array.isArray(joints)) throw new InputError(`joints: found ${told(joints)}, expected an array`);
  if (!Array.isArray(elements)) throw new InputError(`elements: found ${told(elements)}, expected an array`);
  const numbered: NamedBodies = {
    ...{ count, told },
    expected: (canBeWorld) => `a whole number below ${count}${canBeWorld ? ', or "world"' : ''}`,
  };
  joints.forEach((joint, i) => {
    requireJoint(`joints[${i}]`, joint, numbered);
  });
  elements.forEach((element, i) => {
    requireElement(`elements[${i}]`, element, numbered);
  });
  const { masses = new Map() } = bodies;
  if (!(masses instanceof Map))
    throw new InputError(
      `bodies.masses: found ${told(masses)}, expected a Map of masses by numbers of bodies`,
    );
  for (const [body, mass] of masses) {
    requireBody(body, 'a key of bodies.masses', numbered, false);
    requireMass(`${names[body]}.mass`, mass);
  }
  requireParents(scene, names);
  if (scene.gravity !== undefined && changes(scene.gravity)) {
    throw new InputError(
      'gravity is a table over time, expected 3 numbers: where steps follow from a tolerance, gravity stays as it is',
    );
  }
  if (bodies.motions?.size) {
    const [body] = bodies.motions.keys();
    throw new InputError(
      `${names[body!]}.motion is there, expected none: where steps follow from a tolerance, joints have drives`,
    );
  }
  if (bodies.servos?.size) {
    const [body] = bodies.servos.keys();
    throw new InputError(`${names[body!]}.servo is there, expected none where steps follow from a tolerance`);
  }
  const late = bodies.appearsAt?.findIndex((time) => time > 0) ?? -1;
  if (late >= 0) {
    throw new InputError(
      `${names[late]} appears at ${bodies.appearsAt![late]}, expected all bodies from the start where steps follow ` +
        'from a tolerance',
    );
  }
}

/** What scenes of a simulation have as well, and what of them mechanisms have no use for. */
function requireOfSimulation({ joints: _, elements: _elements, ...scene }: MultibodyScene): void {
  const { parents: _parents, masses: _masses, ...bodies } = scene.bodies;
  requireArrayOf('scene.shapes', scene.shapes);
  requireArrayOf('scene.materials', scene.materials);
  // Open polyhedra are refused where their volume is asked for.
  scene.shapes.forEach((shape, i) => {
    if (shape?.kind !== 'polyhedron')
      requireContactShapes([shape], [scene.names?.shapes?.[i] ?? `shapes[${i}]`]);
  });
  // Frames with masses of their own need no material.
  const materials = scene.materials.length > 0 ? scene.materials : [{ density: 1, youngsModulus: 1 }];
  requireScene({ ...scene, materials, bodies });
  const perBody = { isStatic: Uint8Array, groups: Uint32Array, masks: Uint32Array } as const;
  for (const [field, type] of Object.entries(perBody) as [keyof typeof perBody, Uint32ArrayConstructor][]) {
    const values = bodies[field];
    if (values === undefined) continue;
    requireArray(
      `bodies.${field}`,
      values,
      [type],
      field === 'isStatic' ? '0 or 1 per body' : 'bits per body',
    );
    if (values.length !== bodies.shapes.length)
      throw new InputError(`bodies.${field}: ${values.length} numbers found, expected one per body`);
  }
  for (const field of ['box', 'bounds'] as const)
    if (scene[field] !== undefined)
      throw new InputError(`${field} is there, expected none: space is open and without end for mechanisms`);
  if (scene.removal?.length)
    throw new InputError('removal has planes, expected none: all bodies of a mechanism stay');
}

function requireArrayOf(place: string, values: unknown): void {
  if (!Array.isArray(values)) throw new InputError(`${place}: found ${told(values)}, expected an array`);
}

/** @throws InputError for shapes, poses and velocities that are no numbers of bodies */
function requirePlaces({ shapes, bodies }: MultibodyScene, names: readonly string[]): void {
  const own = bodies.shapes;
  const wrong = own.findIndex((shape) => shape !== NO_SHAPE && shape >= shapes.length);
  if (wrong >= 0) {
    throw new InputError(
      `bodies.shapes: ${names[wrong]} has ${own[wrong]}, expected a number below ${shapes.length}, or NO_SHAPE`,
    );
  }
  const sizes = { poses: 7, velocities: 3, angularVelocities: 3 } as const;
  for (const [field, size] of Object.entries(sizes) as [keyof typeof sizes, number][]) {
    const values = bodies[field];
    if (values === undefined && field !== 'poses') continue;
    const place = `bodies.${field}`;
    requireArray(place, values, [Float32Array, Float64Array], `${size} numbers per body`);
    if (values!.length !== size * own.length)
      throw new InputError(`${place}: ${values!.length} numbers found, expected ${size} per body`);
    const open = values!.findIndex((x) => !Number.isFinite(x));
    if (open >= 0)
      throw new InputError(
        `${place}: ${names[Math.floor(open / size)]} has ${values![open]}, expected finite numbers`,
      );
  }
  for (let body = 0; body < own.length; body++) {
    const length = Math.hypot(...bodies.poses.subarray(7 * body + 3, 7 * body + 7));
    if (Math.abs(length - 1) <= QUATERNION_ROUNDING) continue;
    throw new InputError(
      `bodies.poses: ${names[body]} has a quaternion of length ${length}, expected 1 within ${QUATERNION_ROUNDING}`,
    );
  }
}

export function requireElement(place: string, element: MechanismElement, bodies: NamedBodies): void {
  requireObject(place, element, 'a spring or a force');
  if (element.kind === 'spring') {
    const numbers = { stiffness: FROM_0, length: FROM_0, damping: FROM_0 };
    requireNumbers(place, element, numbers, ['stiffness', 'length'], ['kind', 'a', 'b', 'pointA', 'pointB']);
    requireEnds(element.a, element.b, place, bodies);
    requireVectors(element, place, ['pointA', 'pointB']);
  } else if (element.kind === 'force') {
    requireKnown(place, 'field', element, ['kind', 'body', 'point', 'force', 'torque']);
    requireBody(element.body, `${place}.body`, bodies, false);
    requireVectors(element, place, ['point']);
    for (const field of ['force', 'torque'] as const)
      if (typeof element[field] !== 'function') requireVectors(element, place, [field]);
  } else {
    const { kind } = element as { readonly kind: unknown };
    throw new InputError(`${place}.kind is ${found(kind)}, expected spring or force`);
  }
}

export function requireJoint(place: string, joint: Joint, bodies: NamedBodies): void {
  requireNumbers(place, joint, { damping: FROM_0 }, [], JOINT_FIELDS);
  const { kind, drive, canCollide } = joint;
  if (!JOINT_KINDS.includes(kind))
    throw new InputError(`${place}.kind is ${found(kind)}, expected ${JOINT_KINDS.join(', ')}`);
  requireEnds(joint.a, joint.b, place, bodies);
  requireVectors(joint, place, ['point', 'pointA', 'axis', 'secondAxis']);
  const needed =
    kind === 'universal' ? ['axis', 'secondAxis'] : ['spherical', 'fixed'].includes(kind) ? [] : ['axis'];
  for (const field of ['axis', 'secondAxis'] as const) {
    const axis = joint[field];
    if (axis !== undefined && !needed.includes(field))
      throw new InputError(`${place}.${field} is there, expected none: the joint is ${kind}`);
    if (needed.includes(field) && !(axis !== undefined && Math.hypot(...axis) > 0))
      throw new InputError(`${place}.${field} is ${found(axis)}, expected a vector longer than 0`);
  }
  if (canCollide !== undefined && typeof canCollide !== 'boolean')
    throw new InputError(`${place}.canCollide is ${told(canCollide)}, expected true or false`);
  if (drive === undefined) return;
  if (kind !== 'revolute' && kind !== 'prismatic')
    throw new InputError(`${place}.drive is there, expected none: revolute and prismatic joints have drives`);
  if (typeof drive === 'function') return;
  if (typeof drive === 'number') {
    if (!Number.isFinite(drive)) throw new InputError(`${place}.drive is ${drive}, expected a finite number`);
    return;
  }
  requireObject(`${place}.drive`, drive, 'a number, a motion or a function');
  requireKnown(`${place}.drive`, 'field', drive, [
    ...['velocity', 'angularVelocity', 'amplitude', 'frequency', 'from', 'until'],
  ]);
  requireMotion(`${place}.drive`, drive);
}

function requireEnds(a: unknown, b: unknown, place: string, bodies: NamedBodies): void {
  requireBody(a, `${place}.a`, bodies, true);
  requireBody(b, `${place}.b`, bodies, true);
  if (a === b) throw new InputError(`${place}.b is ${bodies.told(b)}, as a is; expected two bodies`);
}

function requireBody(body: unknown, place: string, bodies: NamedBodies, canBeWorld: boolean): void {
  if (canBeWorld && body === 'world') return;
  if (Number.isInteger(body) && (body as number) >= 0 && (body as number) < bodies.count) return;
  throw new InputError(`${place} is ${bodies.told(body)}, expected ${bodies.expected(canBeWorld)}`);
}

function requireVectors(value: object, place: string, fields: readonly string[]): void {
  for (const field of fields) {
    const vector = (value as Record<string, unknown>)[field];
    if (vector !== undefined) requireVector(`${place}.${field}`, vector);
  }
}

/** The tensor of a mass, in the body's axes. */
export function tensorOf({ inertia = [0, 0, 0] }: MassOfBody): Matrix3 {
  const [x, y, z] = inertia;
  if (typeof x !== 'number') return inertia as Matrix3;
  return [
    [x, 0, 0],
    [0, y as number, 0],
    [0, 0, z as number],
  ];
}

/** @throws InputError for a mass, or an inertia, that no body can have */
export function requireMass(place: string, own: MassOfBody): void {
  requireNumbers(place, own, { mass: FROM_0 }, ['mass'], ['centroid', 'inertia']);
  requireVectors(own, place, ['centroid']);
  const { inertia } = own;
  if (inertia === undefined) return;
  const isTensor = Array.isArray(inertia) && inertia.length === 3 && inertia.every((row) => isVector(row));
  if (!isTensor && !isVector(inertia))
    throw new InputError(
      `${place}.inertia is ${found(inertia)}, expected three moments, or three rows of three`,
    );
  const tensor = tensorOf(own);
  const size = Math.max(...tensor.flat().map(Math.abs));
  const isSymmetric = tensor.every((row, i) =>
    row.every((x, j) => Math.abs(x - tensor[j]![i]!) <= INERTIA_ROUNDING * size),
  );
  const moments = principalAxes(tensor).moments;
  const sum = moments[0] + moments[1] + moments[2];
  const isPossible = moments.every(
    (x) => x >= -INERTIA_ROUNDING * size && 2 * x <= sum + INERTIA_ROUNDING * size,
  );
  if (isSymmetric && isPossible && (own.mass > 0 || size === 0)) return;
  throw new InputError(
    `${place}.inertia is ${found(inertia)}, expected that of a body: symmetric, no moment below 0 or above the ` +
      'sum of the other two, none without mass',
  );
}

function requireParents({ bodies, shapes }: MultibodyScene, names: readonly string[]): void {
  const { parents, isStatic } = bodies;
  if (parents === undefined) return;
  const count = bodies.shapes.length;
  if (!(parents instanceof Int32Array && parents.length === count))
    throw new InputError(`bodies.parents: found ${told(parents)}, expected an Int32Array of ${count}`);
  const state = new Uint8Array(count);
  for (let body = 0; body < count; body++) {
    const path: number[] = [];
    for (let at = body; at >= 0 && state[at] !== 2; at = parents[at]!) {
      if (at >= count || parents[at]! >= count || parents[at]! < -1)
        throw new InputError(
          `${names[at]}.parent is ${parents[at]}, expected a number below ${count}, or -1`,
        );
      if (state[at] === 1) {
        const circle = [...path.slice(path.indexOf(at)), at].map((one) => names[one]).join(', ');
        throw new InputError(`${names[at]}.parent leads around in a circle: ${circle}; expected a tree`);
      }
      state[at] = 1;
      path.push(at);
    }
    for (const at of path) state[at] = 2;
  }
  const stands = (body: number) => isStatic?.[body] === 1 || shapes[bodies.shapes[body]!]?.kind === 'plane';
  parents.forEach((parent, body) => {
    if (parent < 0 || !stands(body) || stands(parent)) return;
    throw new InputError(
      `${names[body]}.parent is ${names[parent]}, which may move, expected one that stands still as it does itself`,
    );
  });
}
