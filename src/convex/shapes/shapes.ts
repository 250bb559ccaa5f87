// Descriptions of shapes, and their checks. Shapes after L. Olvang, "Real-time collision detection with implicit
// objects" (2010), table 1. All lie about the origin of their own frame; docs/convex.md has a table of sizes and axes.

import { found, requireKnown, requireObject, told as tell } from '../../arguments.ts';
import { InputError } from '../../errors.ts';
import { LARGEST_SHAPE_SIZE, LEAST_SHAPE_SIZE, QUATERNION_NORM_TOLERANCE } from '../constants.ts';

/** What every convex shape may have. */
export interface WithMargin {
  /** Radius of a ball that the shape is swept with, in the unit of length: support + margin e. Default 0. */
  readonly margin?: number;
}

/** Where a part lies in the frame of the whole. */
export interface PartPose {
  /** Default `[0, 0, 0]`. */
  readonly position?: readonly [number, number, number];
  /** Unit quaternion x, y, z, w. Default: none. */
  readonly rotation?: readonly [number, number, number, number];
}

/** A convex shape with a support mapping of its own. Lengths are half extents and radii in one unit of length. */
export type SimpleShape = WithMargin &
  (
    | { readonly kind: 'point' }
    /** Along x. */
    | { readonly kind: 'segment'; readonly halfLength: number }
    /** In the plane z = 0. */
    | { readonly kind: 'rectangle'; readonly halfExtents: readonly [number, number] }
    | { readonly kind: 'box'; readonly halfExtents: readonly [number, number, number] }
    /** In the plane z = 0. */
    | { readonly kind: 'disc'; readonly radius: number }
    | { readonly kind: 'sphere'; readonly radius: number }
    /** In the plane z = 0. */
    | { readonly kind: 'ellipse'; readonly radii: readonly [number, number] }
    | { readonly kind: 'ellipsoid'; readonly radii: readonly [number, number, number] }
    /** Segment along x, swept with a ball. */
    | { readonly kind: 'capsule'; readonly halfLength: number; readonly radius: number }
    /** Rectangle in z = 0, swept with a ball. */
    | { readonly kind: 'lozenge'; readonly halfExtents: readonly [number, number]; readonly radius: number }
    /** Box, swept with a ball. */
    | {
        readonly kind: 'round-box';
        readonly halfExtents: readonly [number, number, number];
        readonly radius: number;
      }
    /** Axis z. */
    | { readonly kind: 'cylinder'; readonly radius: number; readonly halfHeight: number }
    /** Axis z, apex upwards; the origin is the centroid, a quarter of the height above the base. */
    | { readonly kind: 'cone'; readonly radius: number; readonly height: number }
    /** Disc in z = 0, swept with a ball. */
    | { readonly kind: 'wheel'; readonly radius: number; readonly tubeRadius: number }
    /** Hull of two rectangles, at the bottom and the top, half extents each; the origin is the centroid. */
    | {
        readonly kind: 'frustum';
        readonly bottom: readonly [number, number];
        readonly top: readonly [number, number];
        readonly height: number;
      }
    /** Convex hull of points, `[x, y, z]` each: a mesh's positions, for instance. */
    | { readonly kind: 'polytope'; readonly vertices: ArrayLike<number> }
  );

/** Two simple shapes, the second one placed in the frame of the first. */
export type CompoundShape = WithMargin & {
  /** `sum`: Minkowski sum. `hull`: convex hull of both. */
  readonly kind: 'sum' | 'hull';
  readonly a: SimpleShape;
  readonly b: SimpleShape;
  /** Where `b` lies in the frame of `a`. For a sum, its position only moves the result. */
  readonly place?: PartPose;
};

/** A convex shape. */
export type ConvexShape = SimpleShape | CompoundShape;

/** A body that need not be convex: the union of convex parts. */
export interface ConcaveShape {
  readonly kind: 'parts';
  readonly parts: readonly (PartPose & { readonly shape: ConvexShape })[];
}

export type Shape = ConvexShape | ConcaveShape;

/** True for a Minkowski sum or hull of two shapes. */
export function isCompound(shape: ConvexShape): shape is CompoundShape {
  return shape.kind === 'sum' || shape.kind === 'hull';
}

/** Letters of a list that is told in full. */
const LONGEST_TOLD = 60;

/** What was found, for messages. Numbers are written as they are, since JSON has no NaN. */
function told(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = Array.isArray(value) ? `[${value.map((one) => tell(one)).join(',')}]` : tell(value);
  return text.length > LONGEST_TOLD ? tell(value) : text;
}

function requireLength(name: string, field: string, value: number): void {
  const isGood = value === 0 || (value >= LEAST_SHAPE_SIZE && value <= LARGEST_SHAPE_SIZE);
  // Texts compare like numbers.
  if (typeof value === 'number' && isGood) return;
  throw new InputError(
    `${name}: ${field} is ${told(value)}, expected 0 or a length from ${LEAST_SHAPE_SIZE} to ${LARGEST_SHAPE_SIZE}`,
  );
}

function requireLengths(name: string, field: string, values: readonly number[], count: number): void {
  if (!Array.isArray(values) || values.length !== count) {
    throw new InputError(`${name}: ${field} is ${told(values)}, expected an array of ${count} numbers`);
  }
  values.forEach((value, i) => {
    requireLength(name, `${field}[${i}]`, value);
  });
}

function requireVertices(name: string, vertices: ArrayLike<number>): void {
  if (vertices === undefined)
    throw new InputError(`${name}: vertices is missing, expected a list of numbers`);
  const length = vertices?.length;
  if (Array.isArray(vertices?.[0])) {
    throw new InputError(
      `${name}: vertices is a list of lists, expected one list of numbers x, y, z, x, ...`,
    );
  }
  if (!Number.isInteger(length) || length === 0 || length % 3 !== 0) {
    throw new InputError(`${name}: vertices has ${length} numbers, expected a positive multiple of 3`);
  }
  for (let i = 0; i < length; i++) {
    const value = vertices[i]!;
    if (typeof value === 'number' && Math.abs(value) <= LARGEST_SHAPE_SIZE) continue;
    throw new InputError(
      `${name}: vertex ${Math.floor(i / 3)} has the coordinate ${told(value)}, ` +
        `expected a number of at most ${LARGEST_SHAPE_SIZE}`,
    );
  }
}

/** Lengths of a shape by field: what has to be 0 or within the range of sizes. */
const LENGTHS: Record<SimpleShape['kind'], readonly (readonly [field: string, count: number])[]> = {
  point: [],
  segment: [['halfLength', 1]],
  rectangle: [['halfExtents', 2]],
  box: [['halfExtents', 3]],
  disc: [['radius', 1]],
  sphere: [['radius', 1]],
  ellipse: [['radii', 2]],
  ellipsoid: [['radii', 3]],
  capsule: [
    ['halfLength', 1],
    ['radius', 1],
  ],
  lozenge: [
    ['halfExtents', 2],
    ['radius', 1],
  ],
  'round-box': [
    ['halfExtents', 3],
    ['radius', 1],
  ],
  cylinder: [
    ['radius', 1],
    ['halfHeight', 1],
  ],
  cone: [
    ['radius', 1],
    ['height', 1],
  ],
  wheel: [
    ['radius', 1],
    ['tubeRadius', 1],
  ],
  frustum: [
    ['bottom', 2],
    ['top', 2],
    ['height', 1],
  ],
  polytope: [],
};

/** Kinds of simple shapes, in the order of the thesis' table 1. */
const SIMPLE_KINDS = Object.keys(LENGTHS) as readonly SimpleShape['kind'][];

const COMPOUND_FIELDS = ['a', 'b', 'place', 'margin'] as const;

/** Fields of each kind of shape besides `kind`, for those who read or ask for descriptions. */
export const SHAPE_FIELDS: Readonly<Record<Shape['kind'], readonly string[]>> = {
  ...(Object.fromEntries(
    Object.entries(LENGTHS).map(([kind, lengths]) => [kind, [...lengths.map(([field]) => field), 'margin']]),
  ) as unknown as Record<SimpleShape['kind'], readonly string[]>),
  polytope: ['vertices', 'margin'],
  sum: COMPOUND_FIELDS,
  hull: COMPOUND_FIELDS,
  parts: ['parts'],
};

/** @throws InputError for what is no description, or of a kind that is not among those given. */
function requireKind(shape: unknown, name: string, kinds: readonly string[]): void {
  if (typeof shape !== 'object' || shape === null || Array.isArray(shape)) {
    throw new InputError(`${name} is ${told(shape)}, expected an object with the kind of a shape`);
  }
  const { kind } = shape as { kind?: string };
  if (kinds.includes(kind as string)) return;
  throw new InputError(`${name}: kind is ${found(kind)}, expected ${kinds.join(', ')}`);
}

/** @throws InputError for a field that shapes of this kind do not have. */
function requireFields(shape: Shape, name: string): void {
  requireKnown(name, `field of kind ${shape.kind}:`, shape, ['kind', ...SHAPE_FIELDS[shape.kind]]);
}

function requireSimple(shape: SimpleShape, name: string): void {
  requireKind(shape, name, SIMPLE_KINDS);
  requireFields(shape, name);
  const lengths = LENGTHS[shape.kind];
  for (const [field, count] of lengths) {
    const value = (shape as unknown as Record<string, unknown>)[field];
    if (count === 1) requireLength(name, field, value as number);
    else requireLengths(name, field, value as readonly number[], count);
  }
  if (shape.kind === 'polytope') requireVertices(name, shape.vertices);
}

/**
 * Checks a description.
 *
 * @throws InputError that names the shape and the field, what was found and what was expected.
 */
export function requireShape(shape: Shape, name: string): void {
  requireKind(shape, name, Object.keys(SHAPE_FIELDS));
  requireFields(shape, name);
  if (shape.kind === 'parts') {
    if (!Array.isArray(shape.parts) || shape.parts.length === 0) {
      throw new InputError(`${name}: no parts found, expected at least one`);
    }
    shape.parts.forEach((part, i) => {
      const convex = Object.keys(SHAPE_FIELDS).filter((kind) => kind !== 'parts');
      requireKind(part?.shape, `${name}, the shape of part ${i}`, convex);
      requireShape(part.shape, `${name}, part ${i}`);
      requirePartPose(part, `${name}, part ${i}`);
      requireKnown(`${name}, part ${i}`, 'field', part, ['shape', ...POSE_FIELDS]);
    });
    return;
  }
  if (shape.margin !== undefined) requireLength(name, 'margin', shape.margin);
  if (!isCompound(shape)) {
    requireSimple(shape, name);
    return;
  }
  for (const child of ['a', 'b'] as const) {
    requireSimple(shape[child], `${name}, ${child} of the ${shape.kind}`);
    if (shape[child].margin !== undefined) requireLength(name, `${child}.margin`, shape[child].margin);
  }
  if (shape.place === undefined) return;
  requirePartPose(shape.place, name);
  requireKnown(`${name}: place`, 'field', shape.place, POSE_FIELDS);
}

const POSE_FIELDS = ['position', 'rotation'] as const;

function requirePartPose(pose: PartPose, name: string): void {
  requireObject(`${name}: place`, pose, 'an object with position and rotation');
  const { position = [0, 0, 0], rotation = [0, 0, 0, 1] } = pose;
  if (!areNumbers(position, 3) || !position.every((x) => Math.abs(x) <= LARGEST_SHAPE_SIZE)) {
    throw new InputError(
      `${name}: position is ${told(position)}, expected three numbers of at most ${LARGEST_SHAPE_SIZE}`,
    );
  }
  if (!areNumbers(rotation, 4) || !(Math.abs(Math.hypot(...rotation) - 1) <= QUATERNION_NORM_TOLERANCE)) {
    throw new InputError(
      `${name}: rotation is ${told(rotation)}, expected a quaternion x, y, z, w of length 1`,
    );
  }
}

function areNumbers(found: unknown, count: number): boolean {
  return Array.isArray(found) && found.length === count && found.every((x) => typeof x === 'number');
}
