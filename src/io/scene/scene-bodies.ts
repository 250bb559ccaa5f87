/** The bodies of a scene, one by one or many in place of one. */
import type { ContactShape } from '../../contacts/bodies/contact-shape.ts';
import { LARGEST_SHAPE_SIZE, QUATERNION_NORM_TOLERANCE } from '../../convex/constants.ts';
import type { Vector3 } from '../../mesh/mass-properties.ts';
import { type Ball, centreOf, FreeSpace } from './free-space.ts';
import {
  called,
  type Fields,
  flagAt,
  found,
  listed,
  numbersAt,
  objectAt,
  requireFields,
  SceneError,
  textAt,
} from './scene-fields.ts';
import { INSERTIONS, type Plan, planOf, randomRotation, requireLeaves, scatter } from './scene-insertion.ts';
import { MOTION_FIELDS, materialAt, motionOf, type SceneMotion } from './scene-simulation.ts';
import { drawSizes, sizesAt } from './scene-sizes.ts';
import { type SizedShape, SizedShapes } from './sized-shapes.ts';

/** Bodies, one entry each in every array. */
export interface SceneBodies {
  /** Names. A body without one is called by its number. */
  readonly names: readonly string[];
  /** `[n * 7]`. */
  readonly poses: Float64Array<ArrayBuffer>;
  /** `[n]`, as are the others: shape, whether it stands still, bits of its groups and of those it may touch. */
  readonly shapes: Uint32Array<ArrayBuffer>;
  readonly isStatic: Uint8Array<ArrayBuffer>;
  readonly groups: Uint32Array<ArrayBuffer>;
  readonly masks: Uint32Array<ArrayBuffer>;
  /** Simulated times from which on bodies are there. */
  readonly appearsAt: Float64Array<ArrayBuffer>;
  readonly motions: readonly SceneMotion[];
}

const BODY_FIELDS = [
  ...(['name', 'shape', 'position', 'rotation', 'static', 'group', 'mask', 'sizes'] as const),
  ...INSERTIONS,
  ...MOTION_FIELDS,
] as const;
/** The group of bodies that name none. */
const DEFAULT_GROUP = 'default';
/** Bits of a mask. */
const MOST_GROUPS = 32;
const ALL_GROUPS = 2 ** 32 - 1;

/** What bodies may name, and what they are placed by. */
export interface BodyContext {
  readonly shapes: readonly ContactShape[];
  readonly shapeNames: readonly string[];
  readonly materialNames: readonly string[];
  readonly gravity: Vector3;
}

/** A body of the list, or many in place of one. */
interface Entry {
  readonly fields: Fields;
  readonly place: string;
  readonly isStatic: boolean;
  readonly motion: SceneMotion;
  readonly plan: Plan | undefined;
  /** Of each of its bodies. */
  readonly shapes: readonly number[];
  readonly rotations: readonly (readonly number[])[];
  /** Missing until bodies at random have found their places. */
  positions: readonly (readonly number[])[] | undefined;
}

/** Whether bodies take up room at random, or in several sizes: then shapes have to be sound before bodies are made. */
export function arePlacedByShape(list: readonly unknown[]): boolean {
  return list.some((entry) =>
    ['random', 'source', 'sizes'].some((field) => Object.hasOwn(Object(entry), field)),
  );
}

/** @returns bodies, and shapes of other sizes that follow those of the scene */
export function bodiesOf(
  list: readonly unknown[],
  context: BodyContext,
): SceneBodies & { readonly sized: readonly SizedShape[] } {
  const described = list.map((value, i) => {
    const entry = objectAt(value, `bodies[${i}]`);
    requireFields(entry, `bodies[${i}]`, BODY_FIELDS);
    return entry;
  });
  const bits = groupBits(described);
  const shapes = new SizedShapes(context.shapes, context.shapeNames);
  const entries = described.map((fields, i) => entryOf(fields, `bodies[${i}]`, shapes, context));
  placeAtRandom(entries, shapes);

  const names: string[] = [];
  const taken = new Map<string, string>();
  const numbers = () => [] as number[];
  const poses = numbers();
  const [numbersOfShapes, isStatic, groups, masks, times] = [
    numbers(),
    numbers(),
    numbers(),
    numbers(),
    numbers(),
  ];
  const motions: SceneMotion[] = [];
  for (const { fields, place, plan, ...entry } of entries) {
    const name = fields.name === undefined ? undefined : textAt(fields.name, `${place}.name`);
    const group = maskAt(fields.group === undefined ? DEFAULT_GROUP : fields.group, `${place}.group`, bits);
    const mask = fields.mask === undefined ? ALL_GROUPS : maskAt(fields.mask, `${place}.mask`, bits);
    entry.shapes.forEach((shape, k) => {
      const own = name === undefined ? `${names.length}` : plan ? `${name} ${k}` : name;
      const before = taken.get(own);
      if (before !== undefined) {
        throw new SceneError(
          `${place}.name is ${found(own)}, as ${before} is called; expected names of their own`,
        );
      }
      taken.set(own, place);
      names.push(own);
      poses.push(...entry.positions![k]!, ...entry.rotations[k]!);
      numbersOfShapes.push(shape);
      isStatic.push(entry.isStatic ? 1 : 0);
      groups.push(group);
      masks.push(mask);
      times.push(plan?.timeOf(k) ?? 0);
      motions.push(entry.motion);
    });
  }
  return {
    names,
    poses: Float64Array.from(poses),
    shapes: Uint32Array.from(numbersOfShapes),
    isStatic: Uint8Array.from(isStatic),
    groups: Uint32Array.from(groups),
    masks: Uint32Array.from(masks),
    appearsAt: Float64Array.from(times),
    motions,
    sized: shapes.made,
  };
}

function entryOf(fields: Fields, place: string, shapes: SizedShapes, context: BodyContext): Entry {
  const ways = INSERTIONS.filter((way) => fields[way] !== undefined);
  if (ways.length > 1) throw new SceneError(`${place} has ${ways.join(' and ')}, expected one of them`);
  const way = ways[0];
  const isMany = way !== undefined;
  const kinds = shapesAt(fields, place, isMany, context.shapeNames);
  const motion = motionOf(fields, place);
  if (motion.material !== undefined) materialAt(motion.material, `${place}.material`, context.materialNames);
  const saysStatic = fields.static !== undefined && flagAt(fields.static, `${place}.static`);
  const common = { fields, place, motion, isStatic: saysStatic };
  if (!isMany) {
    if (fields.sizes !== undefined) {
      throw new SceneError(`${place} has sizes, expected ${INSERTIONS.join(', ')} with them`);
    }
    const one = { plan: undefined, shapes: kinds, rotations: [rotationOf(fields, place)] };
    return { ...common, ...one, positions: [positionOf(fields, place)] };
  }
  const plan = planOf(fields, way, place, positionOf(fields, place));
  requireLeaves(plan, motion.velocity, context.gravity);
  const { count, random, cells } = plan;
  const sizes = fields.sizes === undefined ? undefined : sizesAt(fields.sizes, `${place}.sizes`);
  const drawn = sizes && drawSizes(sizes, count, random);
  const isTurned = fields.rotation === 'random';
  const rotation = isTurned ? [] : rotationOf(fields, place);
  const positions: (readonly number[])[] = [];
  const rotations: (readonly number[])[] = [];
  for (let k = 0; k < count; k++) {
    if (cells) positions.push(cells(k));
    rotations.push(isTurned ? randomRotation(random) : rotation);
  }
  const own = rotations.map((_, k) => {
    const shape = kinds[k % kinds.length]!;
    return sizes === undefined ? shape : shapes.sized(shape, sizes.factors[drawn![k]!]!);
  });
  return { ...common, plan, shapes: own, rotations, positions: cells && positions };
}

/** Places for bodies that lie at random: between the others, in the order of the scene. */
function placeAtRandom(entries: readonly Entry[], shapes: SizedShapes): void {
  if (entries.every(({ positions }) => positions)) return;
  const isWall = ({ isStatic, motion }: Entry, shape: number) =>
    isStatic || motion.motion !== undefined || shapes.shape(shape).kind === 'plane';
  const free = entries.flatMap((entry) => entry.shapes.filter((shape) => !isWall(entry, shape)));
  const balls = new Map<number, Ball>();
  for (const shape of new Set(free)) balls.set(shape, shapes.ball(shape));
  const space = new FreeSpace(Math.max(0, ...Array.from(balls.values(), ({ radius }) => radius)));
  for (const entry of entries) {
    entry.positions?.forEach((position, k) => {
      const shape = entry.shapes[k]!;
      if (isWall(entry, shape)) space.addWall(shapes.shape(shape), [...position, ...entry.rotations[k]!]);
    });
  }
  for (const entry of entries) {
    entry.positions?.forEach((position, k) => {
      const ball = balls.get(entry.shapes[k]!);
      if (ball === undefined || isWall(entry, entry.shapes[k]!)) return;
      const [x, y, z] = centreOf(ball, position, entry.rotations[k]!);
      space.addBall(x, y, z, ball.radius);
    });
  }
  for (const entry of entries) {
    if (entry.positions) continue;
    const own = entry.shapes.map((shape, k) => {
      if (!isWall(entry, shape)) return balls.get(shape)!;
      throw new SceneError(
        `${entry.place} has ${called(shapes.names[entry.shapes[k]!]!)}, which stands, expected bodies that move`,
      );
    });
    entry.positions = scatter(entry.plan!, own, entry.rotations, space);
  }
}

/** The numbers of a body's shapes. Where there are many bodies, they take them in turn. */
function shapesAt(
  entry: Fields,
  place: string,
  isMany: boolean,
  shapeNames: readonly string[],
): readonly number[] {
  const isList = isMany && Array.isArray(entry.shape) && entry.shape.length > 0;
  return (isList ? (entry.shape as unknown[]) : [entry.shape]).map((value, i) => {
    const at = isList ? `${place}.shape[${i}]` : `${place}.shape`;
    const name = textAt(value, at);
    const number = shapeNames.indexOf(name);
    if (number >= 0) return number;
    throw new SceneError(`${at} is ${found(name)}, expected one of ${listed(shapeNames)}`);
  });
}

function positionOf(entry: Fields, place: string): Vector3 {
  if (entry.position === undefined) return [0, 0, 0];
  const position = numbersAt(entry.position, `${place}.position`, 3);
  if (!position.every((x) => Math.abs(x) <= LARGEST_SHAPE_SIZE)) {
    throw new SceneError(
      `${place}.position is ${found(position)}, expected three numbers of at most ${LARGEST_SHAPE_SIZE}`,
    );
  }
  return position as unknown as Vector3;
}

function rotationOf(entry: Fields, place: string): readonly number[] {
  if (entry.rotation === undefined) return [0, 0, 0, 1];
  const rotation = numbersAt(entry.rotation, `${place}.rotation`, 4);
  const length = Math.hypot(...rotation);
  if (!(Math.abs(length - 1) <= QUATERNION_NORM_TOLERANCE)) {
    throw new SceneError(
      `${place}.rotation is ${found(rotation)} of length ${length}, expected a quaternion x, y, z, w of length 1`,
    );
  }
  return rotation;
}

/** The bit of each group that a body is in, in the order of bodies. */
function groupBits(entries: readonly Fields[]): ReadonlyMap<string, number> {
  const bits = new Map([[DEFAULT_GROUP, 0]]);
  entries.forEach((entry, i) => {
    if (entry.group === undefined) return;
    for (const [name, place] of namesAt(entry.group, `bodies[${i}].group`)) {
      if (bits.has(name)) continue;
      if (bits.size === MOST_GROUPS) {
        throw new SceneError(
          `${place} is ${found(name)}, group number ${MOST_GROUPS + 1}, ` +
            `expected at most ${MOST_GROUPS}, "${DEFAULT_GROUP}" among them`,
        );
      }
      bits.set(name, bits.size);
    }
  });
  return bits;
}

/** A name, or a list of names, each with its place. */
function namesAt(value: unknown, place: string): (readonly [name: string, place: string])[] {
  if (typeof value === 'string') return [[textAt(value, place), place]];
  if (!Array.isArray(value)) {
    throw new SceneError(`${place} is ${found(value)}, expected the name of a group, or a list of names`);
  }
  return value.map((name, i) => [textAt(name, `${place}[${i}]`), `${place}[${i}]`]);
}

function maskAt(value: unknown, place: string, bits: ReadonlyMap<string, number>): number {
  let mask = 0;
  for (const [name, at] of namesAt(value, place)) {
    const bit = bits.get(name);
    if (bit === undefined) {
      throw new SceneError(
        `${at} is ${found(name)}, a group that no body is in, expected one of ${listed([...bits.keys()].map(called))}`,
      );
    }
    mask |= 1 << bit;
  }
  return mask >>> 0;
}
