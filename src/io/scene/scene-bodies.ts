/** The bodies of a scene, one by one or many in place of one. */
import { found } from '../../arguments.ts';
import type { ContactShape } from '../../contacts/bodies/contact-shape.ts';
import { POSE_SIZE, requirePosition, requireRotation } from '../../convex/shapes/pose.ts';
import { SCENE_BODY_BYTES } from '../../dem/constants.ts';
import { requireMemory } from '../../dem/scene/memory.ts';
import type { Gravity } from '../../dem/scene/simulation-scene.ts';
import type { Vector3 } from '../../mesh/mass-properties.ts';
import { NO_SHAPE } from '../../multibody/scene/multibody-scene.ts';
import { BETWEEN_RESTS, rests } from '../../workers/slices.ts';
import { type Ball, centreOf, FreeSpace } from './free-space.ts';
import {
  called,
  checkedBy,
  type Fields,
  flagAt,
  listed,
  numbersAt,
  objectAt,
  requireFields,
  SceneError,
  textAt,
  vectorAt,
} from './scene-fields.ts';
import {
  INSERTIONS,
  insertionPlan,
  MOST_BODIES,
  type Plan,
  randomRotation,
  requireLeaves,
  scatter,
} from './scene-insertion.ts';
import { type Described, MECHANISM_BODY_FIELDS } from './scene-mechanism.ts';
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
  /** What the list says of each. */
  readonly entries: readonly Described[];
}

const BODY_FIELDS = [
  ...(['name', 'shape', 'position', 'rotation', 'static', 'group', 'mask', 'sizes'] as const),
  ...INSERTIONS,
  ...MOTION_FIELDS,
  ...MECHANISM_BODY_FIELDS,
] as const;
/** The group of bodies that name none. */
const DEFAULT_GROUP = 'default';
/** Bits of a mask. */
const MOST_GROUPS = 32;
const ALL_GROUPS = 2 ** 32 - 1;

/** What bodies may name, and what they are placed by. */
export interface BodyContext {
  /** Bodies may go without a shape. */
  readonly isMechanism: boolean;
  readonly shapes: readonly ContactShape[];
  readonly shapeNames: readonly string[];
  readonly materialNames: readonly string[];
  readonly gravity: Gravity;
  /** Told how many there will be. */
  readonly onBodies: ((count: number) => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

/** A body of the list, or many in place of one. */
interface Entry {
  readonly fields: Fields;
  readonly place: string;
  readonly isStatic: boolean;
  readonly motion: SceneMotion;
  readonly plan: Plan | undefined;
  /** `[n]`: of each of its bodies. */
  readonly shapes: Uint32Array<ArrayBuffer>;
  /** `[n * 7]`. Bodies at random get their positions last. */
  readonly poses: Float64Array<ArrayBuffer>;
}

/** Whether bodies take up room at random, or in several sizes: then shapes have to be sound before bodies are made. */
export function arePlacedByShape(list: readonly unknown[]): boolean {
  return list.some((entry) =>
    ['random', 'source', 'sizes'].some((field) => Object.hasOwn(Object(entry), field)),
  );
}

/**
 * @returns bodies, and shapes of other sizes that follow those of the scene
 * @throws SceneError; the signal's reason, which is looked at while bodies are made and places are sought
 */
export async function bodiesOf(
  list: readonly unknown[],
  context: BodyContext,
): Promise<SceneBodies & { readonly sized: readonly SizedShape[] }> {
  const described = list.map((value, i) => {
    const entry = objectAt(value, `bodies[${i}]`);
    requireFields(entry, `bodies[${i}]`, BODY_FIELDS);
    return entry;
  });
  const bits = groupBits(described);
  const shapes = new SizedShapes(context.shapes, context.shapeNames);
  let count = 0;
  const entries = described.map((fields, i) => {
    const place = `bodies[${i}]`;
    const plan = planAt(fields, place);
    count += plan?.count ?? 1;
    // Before anything is made of them.
    if (count > MOST_BODIES) {
      throw new SceneError(`${place} is beyond ${MOST_BODIES} bodies, expected so many at most in all`);
    }
    return () => entryOf(fields, place, plan, shapes, context);
  });
  checkedBy(count, 'bodies', () => {
    requireMemory(count, SCENE_BODY_BYTES);
    context.onBodies?.(count);
  });
  const rest = rests(context.signal);
  const made: Entry[] = [];
  for (const make of entries) made.push(await make());
  await placeAtRandom(made, shapes, context.signal);

  const names: string[] = [];
  const taken = new Map<string, string>();
  const motions: SceneMotion[] = [];
  const said: Described[] = [];
  const bodies = {
    poses: new Float64Array(POSE_SIZE * count),
    shapes: new Uint32Array(count),
    isStatic: new Uint8Array(count),
    groups: new Uint32Array(count),
    masks: new Uint32Array(count),
    appearsAt: new Float64Array(count),
  };
  for (const { fields, place, plan, motion, isStatic, ...own } of made) {
    const name = fields.name === undefined ? undefined : textAt(fields.name, `${place}.name`);
    const first = names.length;
    const end = first + own.shapes.length;
    bodies.poses.set(own.poses, POSE_SIZE * first);
    bodies.shapes.set(own.shapes, first);
    bodies.isStatic.fill(isStatic ? 1 : 0, first, end);
    const { group = DEFAULT_GROUP, mask } = fields;
    bodies.groups.fill(maskAt(group, `${place}.group`, bits), first, end);
    bodies.masks.fill(mask === undefined ? ALL_GROUPS : maskAt(mask, `${place}.mask`, bits), first, end);
    for (let k = 0; first + k < end; k++) {
      if (k % BETWEEN_RESTS === 0) await rest();
      const called = name === undefined ? `${names.length}` : plan ? `${name} ${k}` : name;
      const before = taken.get(called);
      if (before !== undefined) {
        throw new SceneError(
          `${place}.name is ${found(called)}, as ${before} is called; expected names of their own`,
        );
      }
      taken.set(called, place);
      names.push(called);
      bodies.appearsAt[first + k] = plan?.timeOf(k) ?? 0;
      motions.push(motion);
      said.push({ fields, place });
    }
  }
  return { names, ...bodies, motions, entries: said, sized: shapes.made };
}

/** What is said of many bodies in place of one. */
function planAt(fields: Fields, place: string): Plan | undefined {
  const ways = INSERTIONS.filter((way) => fields[way] !== undefined);
  if (ways.length > 1) throw new SceneError(`${place} has ${ways.join(' and ')}, expected one of them`);
  const way = ways[0];
  return way && insertionPlan(fields, way, place, positionOf(fields, place));
}

async function entryOf(
  fields: Fields,
  place: string,
  plan: Plan | undefined,
  shapes: SizedShapes,
  context: BodyContext,
): Promise<Entry> {
  const isBare = context.isMechanism && plan === undefined && fields.shape === undefined;
  const kinds = isBare ? [NO_SHAPE] : shapesAt(fields, place, plan !== undefined, context.shapeNames);
  const motion = motionOf(fields, place);
  if (motion.material !== undefined) materialAt(motion.material, `${place}.material`, context.materialNames);
  const isStatic = fields.static !== undefined && flagAt(fields.static, `${place}.static`);
  const common = { fields, place, motion, isStatic, plan };
  if (plan === undefined) {
    if (fields.sizes !== undefined) {
      throw new SceneError(`${place} has sizes, expected ${INSERTIONS.join(', ')} with them`);
    }
    const poses = Float64Array.of(...positionOf(fields, place), ...rotationAt(fields, place));
    return { ...common, poses, shapes: Uint32Array.from(kinds) };
  }
  requireLeaves(plan, motion.velocity, context.gravity);
  const { count, random, cells } = plan;
  const sizes = fields.sizes === undefined ? undefined : sizesAt(fields.sizes, `${place}.sizes`);
  const drawn = sizes && drawSizes(sizes, count, random);
  const isTurned = fields.rotation === 'random';
  const rotation = isTurned ? [] : rotationAt(fields, place);
  const poses = new Float64Array(POSE_SIZE * count);
  const rest = rests(context.signal);
  for (let k = 0; k < count; k++) {
    if (k % BETWEEN_RESTS === 0) await rest();
    if (cells) poses.set(cells(k), POSE_SIZE * k);
    poses.set(isTurned ? randomRotation(random) : rotation, POSE_SIZE * k + 3);
  }
  const own = new Uint32Array(count);
  for (let k = 0; k < count; k++) {
    if (k % BETWEEN_RESTS === 0) await rest();
    const shape = kinds[k % kinds.length]!;
    own[k] = sizes === undefined ? shape : shapes.sized(shape, sizes.factors[drawn![k]!]!);
  }
  return { ...common, poses, shapes: own };
}

/** Places for bodies that lie at random: between the others, in the order of the scene. */
async function placeAtRandom(
  entries: readonly Entry[],
  shapes: SizedShapes,
  signal: AbortSignal | undefined,
): Promise<void> {
  const isAtRandom = ({ plan }: Entry) => plan?.region !== undefined;
  if (!entries.some(isAtRandom)) return;
  const isWall = ({ isStatic, motion }: Entry, shape: number) =>
    isStatic || (motion.motion ?? motion.servo) !== undefined || shapes.shape(shape).kind === 'plane';
  const balls = new Map<number, Ball>();
  for (const entry of entries) {
    for (const shape of new Set(entry.shapes)) {
      if (shape === NO_SHAPE) continue;
      if (!isWall(entry, shape) && !balls.has(shape)) balls.set(shape, shapes.ball(shape));
    }
  }
  const space = new FreeSpace(Math.max(0, ...Array.from(balls.values(), ({ radius }) => radius)));
  for (const entry of entries) {
    if (isAtRandom(entry)) continue;
    entry.shapes.forEach((shape, k) => {
      const pose = entry.poses.subarray(POSE_SIZE * k, POSE_SIZE * (k + 1));
      if (shape === NO_SHAPE) return;
      if (isWall(entry, shape)) space.addWall(shapes.shape(shape), pose);
      else space.addBall(...centreOf(balls.get(shape)!, pose), balls.get(shape)!.radius);
    });
  }
  for (const entry of entries.filter(isAtRandom)) {
    const own = Array.from(entry.shapes, (shape) => {
      if (!isWall(entry, shape)) return balls.get(shape)!;
      throw new SceneError(
        `${entry.place} has ${called(shapes.names[shape]!)}, which stands, expected bodies that move`,
      );
    });
    await scatter(entry.plan!, own, entry.poses, space, signal);
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
  const at = `${place}.position`;
  return checkedBy(vectorAt(entry.position, at), at, requirePosition);
}

function rotationAt(entry: Fields, place: string): readonly number[] {
  if (entry.rotation === undefined) return [0, 0, 0, 1];
  const at = `${place}.rotation`;
  return checkedBy(numbersAt(entry.rotation, at, 4), at, requireRotation);
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
