/** The bodies of a scene, one by one or as grids of many. */
import { LARGEST_SHAPE_SIZE, QUATERNION_NORM_TOLERANCE } from '../../convex/constants.ts';
import { InputError } from '../../errors.ts';
import { createRandom } from '../../mesh/random.ts';
import {
  called,
  type Fields,
  flagAt,
  found,
  listed,
  numberAt,
  numbersAt,
  objectAt,
  positiveAt,
  requireFields,
  SceneError,
  textAt,
} from './scene-fields.ts';
import { MOTION_FIELDS, materialAt, motionOf, type SceneMotion } from './scene-simulation.ts';

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
  readonly motions: readonly SceneMotion[];
}

const BODY_FIELDS = [
  ...(['name', 'shape', 'position', 'rotation', 'static', 'group', 'mask', 'grid'] as const),
  ...MOTION_FIELDS,
] as const;
const GRID_FIELDS = ['counts', 'spacing', 'jitter', 'seed'] as const;
/** More are surely a mistake in `counts`. */
const MOST_IN_GRID = 1e7;
/** The group of bodies that name none. */
const DEFAULT_GROUP = 'default';
/** Bits of a mask. */
const MOST_GROUPS = 32;
const ALL_GROUPS = 2 ** 32 - 1;

/** @param shapeNames names of the scene's shapes, and of its materials, in their order */
export function bodiesOf(
  list: readonly unknown[],
  shapeNames: readonly string[],
  materialNames: readonly string[],
): SceneBodies {
  const entries = list.map((value, i) => {
    const entry = objectAt(value, `bodies[${i}]`);
    requireFields(entry, `bodies[${i}]`, BODY_FIELDS);
    return entry;
  });
  const bits = groupBits(entries);
  const shapeNumbers = new Map(shapeNames.map((name, i) => [name, i]));
  const names: string[] = [];
  const taken = new Map<string, number>();
  const numbers = () => [] as number[];
  const poses = numbers();
  const [shapes, isStatic, groups, masks] = [numbers(), numbers(), numbers(), numbers()];
  const motions: SceneMotion[] = [];
  entries.forEach((entry, i) => {
    const place = `bodies[${i}]`;
    const name = entry.name === undefined ? undefined : textAt(entry.name, `${place}.name`);
    const kinds = shapesAt(entry, place, shapeNumbers);
    const stands = entry.static !== undefined && flagAt(entry.static, `${place}.static`);
    const group = maskAt(entry.group === undefined ? DEFAULT_GROUP : entry.group, `${place}.group`, bits);
    const mask = entry.mask === undefined ? ALL_GROUPS : maskAt(entry.mask, `${place}.mask`, bits);
    const motion = motionOf(entry, place);
    if (motion.material !== undefined) materialAt(motion.material, `${place}.material`, materialNames);
    const isGrid = entry.grid !== undefined;
    let k = 0;
    for (const pose of isGrid ? gridOf(entry, place) : [poseOf(entry, place)]) {
      const own = name === undefined ? `${names.length}` : isGrid ? `${name} ${k}` : name;
      const before = taken.get(own);
      if (before !== undefined) {
        throw new SceneError(
          `${place}.name is ${found(own)}, as bodies[${before}] is called; expected names of their own`,
        );
      }
      taken.set(own, i);
      names.push(own);
      poses.push(...pose);
      shapes.push(kinds[k++ % kinds.length]!);
      isStatic.push(stands ? 1 : 0);
      groups.push(group);
      masks.push(mask);
      motions.push(motion);
    }
  });
  return {
    names,
    poses: Float64Array.from(poses),
    shapes: Uint32Array.from(shapes),
    isStatic: Uint8Array.from(isStatic),
    groups: Uint32Array.from(groups),
    masks: Uint32Array.from(masks),
    motions,
  };
}

/** The numbers of a body's shapes. Bodies of a grid take them in turn. */
function shapesAt(entry: Fields, place: string, numbers: ReadonlyMap<string, number>): readonly number[] {
  const isList = entry.grid !== undefined && Array.isArray(entry.shape) && entry.shape.length > 0;
  return (isList ? (entry.shape as unknown[]) : [entry.shape]).map((value, i) => {
    const at = isList ? `${place}.shape[${i}]` : `${place}.shape`;
    const name = textAt(value, at);
    const number = numbers.get(name);
    if (number !== undefined) return number;
    throw new SceneError(`${at} is ${found(name)}, expected one of ${listed([...numbers.keys()])}`);
  });
}

function poseOf(entry: Fields, place: string): readonly number[] {
  return [...positionOf(entry, place), ...rotationOf(entry, place)];
}

function positionOf(entry: Fields, place: string): readonly number[] {
  if (entry.position === undefined) return [0, 0, 0];
  const position = numbersAt(entry.position, `${place}.position`, 3);
  if (!position.every((x) => Math.abs(x) <= LARGEST_SHAPE_SIZE)) {
    throw new SceneError(
      `${place}.position is ${found(position)}, expected three numbers of at most ${LARGEST_SHAPE_SIZE}`,
    );
  }
  return position;
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

/** Poses on a grid about the position: x runs fastest, then y. Equal numbers give equal poses on every machine. */
function* gridOf(entry: Fields, place: string): Iterable<readonly number[]> {
  const at = `${place}.grid`;
  const grid = objectAt(entry.grid, at);
  requireFields(grid, at, GRID_FIELDS);
  const counts = numbersAt(grid.counts, `${at}.counts`, 3);
  const total = counts.reduce((product, count) => product * count, 1);
  if (!(counts.every((count) => Number.isInteger(count) && count > 0) && total <= MOST_IN_GRID)) {
    throw new SceneError(
      `${at}.counts is ${found(counts)}, expected three whole numbers above 0, ${MOST_IN_GRID} bodies at most`,
    );
  }
  const spacing = positiveAt(grid.spacing, `${at}.spacing`);
  const jitter = grid.jitter === undefined ? 0 : numberAt(grid.jitter, `${at}.jitter`);
  if (!(jitter >= 0 && jitter < Infinity)) {
    throw new SceneError(`${at}.jitter is ${found(jitter)}, expected a length of 0 or more`);
  }
  const random = randomAt(grid.seed === undefined ? 1 : grid.seed, `${at}.seed`);
  const middle = positionOf(entry, place);
  const isTurned = entry.rotation === 'random';
  const rotation = isTurned ? [] : rotationOf(entry, place);
  for (let i = 0; i < total; i++) {
    const [nx, ny] = counts as [number, number];
    const cell = [i % nx, Math.floor(i / nx) % ny, Math.floor(i / (nx * ny))];
    const position = cell.map(
      (c, k) => middle[k]! + (c - (counts[k]! - 1) / 2) * spacing + jitter * (2 * random() - 1),
    );
    yield [...position, ...(isTurned ? randomRotation(random) : rotation)];
  }
}

function randomAt(seed: unknown, place: string): () => number {
  try {
    return createRandom(seed as number);
  } catch (error) {
    if (error instanceof InputError) throw new SceneError(`${place}: ${error.message}`);
    throw error;
  }
}

/** A rotation, all equally likely: the direction of a point in the unit ball of four dimensions. */
function randomRotation(random: () => number): readonly number[] {
  for (;;) {
    const point = [0, 0, 0, 0].map(() => 2 * random() - 1);
    const square = point.reduce((sum, x) => sum + x * x, 0);
    // Shorter ones have few bits left.
    if (square <= 1 && square > 1e-3) return point.map((x) => x / Math.sqrt(square));
  }
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
