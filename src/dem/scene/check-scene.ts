/**
 * Checks of a simulation's scene, and of its parts for the reader of files, which knows their places. Shapes, groups
 * and poses are checked by the contact pipeline.
 */
import { found, requireArray, requireKnown, requireObject, type TypedArray, told } from '../../arguments.ts';
import { LARGEST_SHAPE_SIZE } from '../../convex/constants.ts';
import { InputError } from '../../errors.ts';
import type { Vector3 } from '../../mesh/mass-properties.ts';
import { LARGEST_LOAD, LEAST_LOAD, LEAST_RESTITUTION } from '../constants.ts';
import type { Material, MaterialPair } from '../materials/materials.ts';
import { requireNormalLaw } from '../materials/normal-law.ts';
import type {
  Bounds,
  Gravity,
  PeriodicBox,
  PrescribedMotion,
  RemovalPlane,
  ServoWall,
  SimulationScene,
} from './simulation-scene.ts';
import { changes } from './time-table.ts';

/** Ranges of numbers. */
interface Range {
  readonly holds: (x: number) => boolean;
  readonly expected: string;
}

const ABOVE_0: Range = { holds: (x) => x > 0 && x < Infinity, expected: 'a number above 0' };
export const FROM_0: Range = { holds: (x) => x >= 0 && x < Infinity, expected: 'a number of 0 or more' };

/** Ranges of numbers by their fields. */
const PAIR_FIELDS = {
  restitution: {
    holds: (x: number) => x >= LEAST_RESTITUTION && x <= 1,
    expected: `a number from ${LEAST_RESTITUTION} to 1`,
  },
  friction: FROM_0,
  rollingFriction: FROM_0,
  torsionalFriction: FROM_0,
  cohesion: FROM_0,
} satisfies Record<string, Range>;

const MATERIAL_FIELDS: Readonly<Record<keyof Material, Range>> = {
  density: ABOVE_0,
  youngsModulus: ABOVE_0,
  poissonRatio: { holds: (x) => x > -1 && x <= 0.5, expected: 'a number above -1, up to 0.5' },
  ...PAIR_FIELDS,
};

/** Differences and products of two of them are finite. */
const TIME: Range = {
  holds: (x) => Math.abs(x) <= LARGEST_LOAD,
  expected: `a number from ${-LARGEST_LOAD} to ${LARGEST_LOAD}`,
};

const MOTION_FIELDS = { frequency: FROM_0, from: TIME, until: TIME } satisfies Record<string, Range>;

const SERVO_FIELDS = {
  force: ABOVE_0,
  pressure: ABOVE_0,
  area: ABOVE_0,
  speed: {
    holds: (x: number) => x >= LEAST_LOAD && x <= LARGEST_LOAD,
    expected: `a number from ${LEAST_LOAD} to ${LARGEST_LOAD}`,
  },
  from: TIME,
  until: TIME,
} satisfies Record<string, Range>;

const BODY_FIELDS = [
  ...[
    'shapes',
    'poses',
    'materials',
    'velocities',
    'angularVelocities',
    'isStatic',
    'motions',
    'servos',
    'appearsAt',
    'groups',
    'masks',
  ],
];
const SCENE_FIELDS = [
  ...['shapes', 'materials', 'pairs', 'bodies', 'gravity', 'removal', 'bounds', 'box', 'margin', 'names'],
];

/** @throws InputError for the first value that cannot be used: its place, what was found and what was expected. */
export function requireScene(scene: SimulationScene): void {
  requireObject('scene', scene, 'an object with shapes, materials and bodies');
  requireKnown('scene', 'field', scene, SCENE_FIELDS);
  const { materials, pairs = [], bodies, gravity, removal = [], bounds, box } = scene;
  if (!Array.isArray(materials) || materials.length === 0) {
    throw new InputError(`materials: found ${told(materials)}, expected an array of one or more materials`);
  }
  materials.forEach((material, i) => {
    requireMaterial(`materials[${i}]`, material);
  });
  if (!Array.isArray(pairs)) throw new InputError(`pairs: found ${told(pairs)}, expected an array`);
  pairs.forEach((pair, i) => {
    requirePair(`pairs[${i}]`, pair);
    if (pair.law !== undefined) requireNormalLaw(`pairs[${i}].law`, pair.law);
    const isPair = Array.isArray(pair.materials) && pair.materials.length === 2;
    if (isPair && pair.materials.every((one: unknown) => isPlace(one, materials.length))) return;
    throw new InputError(
      `pairs[${i}].materials is ${told(pair.materials)}, expected two numbers below ${materials.length}`,
    );
  });
  requireOwnNames(pairs);
  if (gravity !== undefined) requireGravity('gravity', gravity);
  if (!Array.isArray(removal))
    throw new InputError(`removal: found ${told(removal)}, expected an array of planes`);
  removal.forEach((plane, i) => {
    requireRemoval(`removal[${i}]`, plane);
  });
  if (bounds !== undefined) requireBounds('bounds', bounds);
  if (box !== undefined) requireBox('box', box);
  requireBodies(bodies, materials.length, box);
}

/** @throws InputError where two laws have one name: kernels call them by it. */
function requireOwnNames(pairs: readonly MaterialPair[]): void {
  const laws = new Map<string, MaterialPair['law']>();
  pairs.forEach(({ law }, i) => {
    if (law === undefined) return;
    if ((laws.get(law.name) ?? law) !== law) {
      throw new InputError(`pairs[${i}].law.name is "${law.name}", expected a name that no other law has`);
    }
    laws.set(law.name, law);
  });
}

export function requireGravity(place: string, gravity: Gravity): void {
  if (!Array.isArray(gravity) || !changes(gravity)) {
    if (!isVector(gravity))
      throw new InputError(
        `${place} is ${found(gravity)}, expected an array of 3 numbers, or of rows of a time and x, y, z`,
      );
    requireConstantGravity(place, gravity);
    return;
  }
  requireTable(place, gravity, 3, 'x, y, z');
  gravity.forEach(([, ...vector], i) => {
    requireConstantGravity(`${place}[${i}]`, vector);
  });
}

export function requireConstantGravity(place: string, gravity: Vector3): void {
  requireVector(place, gravity);
  if (Math.hypot(...gravity) <= LARGEST_SHAPE_SIZE) return;
  throw new InputError(`${place} is ${found(gravity)}, expected numbers of at most ${LARGEST_SHAPE_SIZE}`);
}

export function requireMaterial(place: string, material: Material): void {
  requireNumbers(place, material, MATERIAL_FIELDS, ['density', 'youngsModulus']);
}

/** The numbers of a pair of materials; what its materials and its law are is not looked at. */
export function requirePair(place: string, pair: object): void {
  requireNumbers(place, pair, PAIR_FIELDS, [], ['materials', 'law']);
}

export function requireRemoval(place: string, plane: RemovalPlane): void {
  requireNumbers(place, plane, {}, [], ['point', 'normal']);
  requireVector(`${place}.point`, plane.point);
  requireDirection(`${place}.normal`, plane.normal);
}

/** A vector that can be made one of length 1. */
function requireDirection(place: string, vector: Vector3): void {
  requireVector(place, vector);
  const length = Math.hypot(...vector);
  if (length > 0 && length <= LARGEST_SHAPE_SIZE) return;
  throw new InputError(
    `${place} is ${found(vector)}, expected a vector longer than 0, of at most ${LARGEST_SHAPE_SIZE}`,
  );
}

export function requireBounds(place: string, bounds: Bounds): void {
  requireNumbers(place, bounds, {}, [], ['low', 'high']);
  requireVector(`${place}.low`, bounds.low);
  requireVector(`${place}.high`, bounds.high);
  for (const axis of [0, 1, 2]) requireAbove(place, bounds, axis);
}

/** @throws InputError where a box has no length along an axis */
function requireAbove(place: string, { low, high }: Bounds, axis: number): void {
  if (high[axis]! > low[axis]!) return;
  throw new InputError(`${place}.high[${axis}] is ${high[axis]}, expected more than low, ${low[axis]}`);
}

export function requireBox(place: string, box: PeriodicBox): void {
  requireNumbers(place, box, {}, [], ['low', 'high', 'periodic']);
  requireVector(`${place}.low`, box.low);
  requireVector(`${place}.high`, box.high);
  const { periodic } = box;
  if (!Array.isArray(periodic) || periodic.length !== 3 || periodic.some((one) => typeof one !== 'boolean')) {
    throw new InputError(
      `${place}.periodic is ${found(periodic)}, expected true or false for each of x, y and z`,
    );
  }
  periodic.forEach((is, axis) => {
    if (is) requireAbove(place, box, axis);
  });
}

function requireBodies(
  bodies: SimulationScene['bodies'],
  materialCount: number,
  box: PeriodicBox | undefined,
): void {
  requireObject('bodies', bodies, 'an object with shapes and poses');
  requireKnown('bodies', 'field', bodies, BODY_FIELDS);
  requireArray('bodies.shapes', bodies.shapes, [Uint32Array], 'a shape per body');
  requireArray('bodies.poses', bodies.poses, [Float32Array, Float64Array], 'seven numbers per body');
  const count = bodies.shapes.length;
  requireLength('poses', bodies.poses, 7, count);
  const { materials, velocities, angularVelocities, motions, servos, appearsAt } = bodies;
  if (appearsAt !== undefined) {
    requireArray('bodies.appearsAt', appearsAt, [Float32Array, Float64Array], 'a time per body');
    requireLength('appearsAt', appearsAt, 1, count);
    const body = appearsAt.findIndex((time) => !(time >= 0));
    if (body >= 0) {
      throw new InputError(
        `bodies.appearsAt: body ${body} has ${appearsAt[body]}, expected a time of 0 or more`,
      );
    }
  }
  if (materials !== undefined) {
    requireArray('bodies.materials', materials, [Uint32Array], 'a material per body');
    requireLength('materials', materials, 1, count);
    const body = materials.findIndex((material) => material >= materialCount);
    if (body >= 0) {
      throw new InputError(
        `bodies.materials: body ${body} has the material ${materials[body]}, expected a number below ${materialCount}`,
      );
    }
  }
  for (const [field, array] of Object.entries({ velocities, angularVelocities })) {
    if (array === undefined) continue;
    requireArray(`bodies.${field}`, array, [Float32Array, Float64Array], 'three numbers per body');
    requireLength(field, array, 3, count);
    const at = array.findIndex((x) => !Number.isFinite(x));
    if (at < 0) continue;
    throw new InputError(
      `bodies.${field}: body ${Math.floor(at / 3)} has ${array[at]}, expected a finite number`,
    );
  }
  for (const [field, map] of Object.entries({ motions, servos })) {
    if (map === undefined) continue;
    if (!(map instanceof Map)) throw new InputError(`bodies.${field}: found ${told(map)}, expected a Map`);
    for (const body of map.keys()) {
      if (isPlace(body, count)) continue;
      throw new InputError(`bodies.${field}: found the body ${told(body)}, expected a number below ${count}`);
    }
  }
  for (const [body, motion] of motions ?? []) requireMotion(`bodies.motions, body ${body}`, motion);
  for (const [body, servo] of servos ?? []) {
    const place = `bodies.servos, body ${body}`;
    requireServo(place, servo);
    if (motions?.has(body)) throw new InputError(`${place}: found a motion as well, expected one of both`);
    const axis = [0, 1, 2].find((k) => box?.periodic[k] && servo.direction[k] !== 0);
    if (axis === undefined) continue;
    throw new InputError(
      `${place}.direction is ${found(servo.direction)}, expected 0 along ${'xyz'[axis]}, along which space repeats`,
    );
  }
}

export function requireServo(place: string, servo: ServoWall): void {
  requireNumbers(place, servo, SERVO_FIELDS, ['speed'], ['direction', 'factors']);
  requireDirection(`${place}.direction`, servo.direction);
  const { force, pressure, area, factors } = servo;
  const said = [force, pressure, area].map((x) => x !== undefined).join();
  if (said !== 'true,false,false' && said !== 'false,true,true')
    throw new InputError(`${place}: expected either force, or pressure and area`);
  if (factors !== undefined) requireTable(`${place}.factors`, factors, 1, 'a factor');
  const most = (factors ?? []).reduce((largest, [, factor]) => Math.max(largest, Math.abs(factor)), 1);
  const push = force ?? pressure! * area!;
  if (push >= LEAST_LOAD && most * push <= LARGEST_LOAD) return;
  throw new InputError(
    `${place} presses with ${push < LEAST_LOAD ? push : most * push}, expected ${LEAST_LOAD} to ${LARGEST_LOAD}`,
  );
}

export function requireMotion(place: string, motion: PrescribedMotion): void {
  const vectors = ['velocity', 'angularVelocity', 'about', 'amplitude', 'surfaceVelocity'] as const;
  requireNumbers(place, motion, MOTION_FIELDS, [], [...vectors, 'factors']);
  for (const field of vectors)
    if (motion[field] !== undefined) requireVector(`${place}.${field}`, motion[field]);
  if (motion.factors !== undefined) requireTable(`${place}.factors`, motion.factors, 1, 'a factor');
}

/** Rows of a time and some numbers, in order of time. */
function requireTable(place: string, rows: unknown, numbers: number, what: string): void {
  if (!Array.isArray(rows) || rows.length === 0)
    throw new InputError(`${place} is ${found(rows)}, expected one or more rows of a time and ${what}`);
  rows.forEach((row: unknown, i) => {
    const isRow = Array.isArray(row) && row.length === 1 + numbers && row.every((x) => Number.isFinite(x));
    if (!isRow) throw new InputError(`${place}[${i}] is ${found(row)}, expected a time and ${what}`);
    if (row.some((x) => !TIME.holds(x)))
      throw new InputError(`${place}[${i}] is ${found(row)}, expected numbers of at most ${LARGEST_LOAD}`);
    if (i === 0 || row[0] > rows[i - 1][0]) return;
    throw new InputError(
      `${place}[${i}] is of time ${row[0]}, expected more than ${rows[i - 1][0]}, that before`,
    );
  });
}

/** Numbers of an object in their ranges. @param others fields that are not looked at */
export function requireNumbers(
  place: string,
  object: object,
  fields: Readonly<Record<string, Range>>,
  needed: readonly string[],
  others: readonly string[] = [],
): void {
  const known = [...Object.keys(fields), ...others];
  requireObject(place, object, `an object with ${known.join(', ')}`);
  requireKnown(place, 'field', object, known);
  for (const [field, { holds, expected }] of Object.entries(fields)) {
    const value = (object as Record<string, unknown>)[field];
    if (value === undefined && !needed.includes(field)) continue;
    if (typeof value === 'number' && holds(value)) continue;
    throw new InputError(`${place}.${field} is ${found(value)}, expected ${expected}`);
  }
}

export function isVector(value: unknown): value is Vector3 {
  return Array.isArray(value) && value.length === 3 && value.every((x) => Number.isFinite(x));
}

export function requireVector(place: string, vector: unknown): void {
  if (isVector(vector)) return;
  throw new InputError(`${place} is ${found(vector)}, expected 3 numbers`);
}

function requireLength(field: string, array: TypedArray, perBody: number, count: number): void {
  if (array.length === perBody * count) return;
  throw new InputError(
    `bodies.${field}: ${array.length} numbers found, expected ${perBody * count}: ` +
      `${perBody} for each of ${count} bodies`,
  );
}

function isPlace(found: unknown, count: number): boolean {
  return Number.isInteger(found) && (found as number) >= 0 && (found as number) < count;
}
