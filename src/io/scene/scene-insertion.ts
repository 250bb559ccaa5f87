/** Many bodies in place of one: on a grid, at random in a region, or from a source. */
import { found } from '../../arguments.ts';
import { POSE_SIZE } from '../../convex/shapes/pose.ts';
import type { Gravity } from '../../dem/scene/simulation-scene.ts';
import { gravityAt } from '../../dem/scene/time-table.ts';
import { InputError } from '../../errors.ts';
import type { Vector3 } from '../../mesh/mass-properties.ts';
import { createRandom } from '../../mesh/random.ts';
import { pauses } from '../../workers/slices.ts';
import { type Ball, centreOf, type FreeSpace } from './free-space.ts';
import {
  type Fields,
  numberAt,
  numbersAt,
  objectAt,
  positiveAt,
  requireFields,
  SceneError,
} from './scene-fields.ts';
import { type Region, regionAt } from './scene-regions.ts';

/** Ways to insert many bodies: a body has one of these fields at most. */
export const INSERTIONS = ['grid', 'random', 'source'] as const;
export type Insertion = (typeof INSERTIONS)[number];

const GRID_FIELDS = ['counts', 'spacing', 'jitter', 'seed'] as const;
const RANDOM_FIELDS = ['count', 'region', 'seed'] as const;
const SOURCE_FIELDS = ['count', 'region', 'batch', 'every', 'from', 'seed'] as const;
/** Bodies of a scene. More are surely a mistake in `counts`. */
export const MOST_BODIES = 1e7;
/** Places that are tried for a body. Beyond a third of the volume in balls hardly any more is found. */
const MOST_TRIES = 2000;
/** Radii of a ball that its place may be from the origin: float64 then has 2^-12 of the radius as least step. */
const MOST_RADII = 2 ** 40;

/** How many bodies, where they can be, and when they come. */
export interface Plan {
  readonly count: number;
  readonly random: () => number;
  /** Of a source: its bodies come by so many at a time. */
  readonly batch: number;
  readonly timeOf: (body: number) => number;
  /** Middles of the places on a grid. */
  readonly cells: ((body: number) => Vector3) | undefined;
  readonly region: Region | undefined;
  /** Of a source: how long until the next batch. */
  readonly every: number | undefined;
  /** In the scene, for messages. */
  readonly place: string;
}

export function insertionPlan(entry: Fields, kind: Insertion, place: string, position: Vector3): Plan {
  const at = `${place}.${kind}`;
  const fields = objectAt(entry[kind], at);
  if (kind === 'grid') return gridOf(fields, at, position);
  requireFields(fields, at, kind === 'random' ? RANDOM_FIELDS : SOURCE_FIELDS);
  if (entry.position !== undefined) {
    throw new SceneError(`${place} has position and ${kind}, expected a region in ${kind} alone`);
  }
  const count = countAt(fields.count, `${at}.count`);
  const region = regionAt(fields.region, `${at}.region`);
  const random = randomAt(fields.seed === undefined ? 1 : fields.seed, `${at}.seed`);
  const common = { count, random, region, cells: undefined, place: at };
  if (kind === 'random') return { ...common, batch: count, timeOf: () => 0, every: undefined };
  const batch = countAt(fields.batch, `${at}.batch`);
  const every = positiveAt(fields.every, `${at}.every`);
  const from = fields.from === undefined ? 0 : numberAt(fields.from, `${at}.from`);
  if (!(from >= 0 && from < Infinity))
    throw new SceneError(`${at}.from is ${found(from)}, expected a time of 0 or more`);
  return { ...common, batch, timeOf: (body) => from + Math.floor(body / batch) * every, every };
}

function countAt(value: unknown, place: string): number {
  const count = numberAt(value, place);
  if (Number.isInteger(count) && count > 0 && count <= MOST_BODIES) return count;
  throw new SceneError(`${place} is ${found(count)}, expected a whole number from 1 to ${MOST_BODIES}`);
}

function gridOf(grid: Fields, at: string, middle: Vector3): Plan {
  requireFields(grid, at, GRID_FIELDS);
  const counts = numbersAt(grid.counts, `${at}.counts`, 3);
  const count = counts.reduce((product, n) => product * n, 1);
  if (!(counts.every((n) => Number.isInteger(n) && n > 0) && count <= MOST_BODIES)) {
    throw new SceneError(
      `${at}.counts is ${found(counts)}, expected three whole numbers above 0, ${MOST_BODIES} bodies at most`,
    );
  }
  const spacing = positiveAt(grid.spacing, `${at}.spacing`);
  const jitter = grid.jitter === undefined ? 0 : numberAt(grid.jitter, `${at}.jitter`);
  if (!(jitter >= 0 && jitter < Infinity)) {
    throw new SceneError(`${at}.jitter is ${found(jitter)}, expected a length of 0 or more`);
  }
  const random = randomAt(grid.seed === undefined ? 1 : grid.seed, `${at}.seed`);
  const [nx, ny] = counts as [number, number, number];
  const cells = (body: number) => {
    const cell = [body % nx, Math.floor(body / nx) % ny, Math.floor(body / (nx * ny))];
    return cell.map(
      (c, k) => middle[k]! + (c - (counts[k]! - 1) / 2) * spacing + jitter * (2 * random() - 1),
    ) as unknown as Vector3;
  };
  return {
    ...{ count, random, cells, place: at },
    batch: count,
    timeOf: () => 0,
    region: undefined,
    every: undefined,
  };
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
export function randomRotation(random: () => number): readonly number[] {
  for (;;) {
    const point = [0, 0, 0, 0].map(() => 2 * random() - 1);
    const square = point.reduce((sum, x) => sum + x * x, 0);
    // Shorter ones have few bits left.
    if (square <= 1 && square > 1e-3) return point.map((x) => x / Math.sqrt(square));
  }
}

/**
 * Puts the bodies of a plan where their balls lie in the region and touch neither each other nor what is there. The
 * largest ones are put down first, as they need most room.
 *
 * @param balls of each body
 * @param poses of each: rotations are there, positions of the bodies' frames are filled in
 * @throws SceneError where there is no room; the signal's reason
 */
export async function scatter(
  { count, batch, place, region, random, every }: Plan,
  balls: readonly Ball[],
  poses: Float64Array,
  space: FreeSpace,
  signal: AbortSignal | undefined,
): Promise<void> {
  requireFinePlaces(region!, balls, place);
  const pause = pauses();
  for (let first = 0; first < count; first += batch) {
    const end = Math.min(count, first + batch);
    // What a source gave before has gone on.
    const around = every === undefined ? space : space.withoutBalls();
    const order = Array.from({ length: end - first }, (_, i) => first + i).sort(
      (a, b) => balls[b]!.radius - balls[a]!.radius || a - b,
    );
    const volume = order.reduce((sum, b) => sum + (4 / 3) * Math.PI * balls[b]!.radius ** 3, 0);
    for (const [done, body] of order.entries()) {
      await pause();
      signal?.throwIfAborted();
      const { radius } = balls[body]!;
      // Balls that have more than the region's volume are not put down one by one first.
      const at = volume > region!.volume ? undefined : freePlace(region!, radius, random, around);
      if (at === undefined) {
        const share = ((100 * volume) / region!.volume).toPrecision(2);
        throw new SceneError(
          `${place}.region has room for ${done} of ${order.length} bodies: the balls around them have ${share} % of ` +
            'its volume, and random places take up a third at best; ask for fewer, or for a larger region',
        );
      }
      around.addBall(...at, radius);
      const arm = centreOf(balls[body]!, poses.subarray(POSE_SIZE * body));
      for (let k = 0; k < 3; k++) poses[POSE_SIZE * body + k] = at[k]! - arm[k]!;
    }
  }
}

/** @throws SceneError for a region so far out that float64 is too coarse there for the smallest ball. */
function requireFinePlaces({ farthest }: Region, balls: readonly Ball[], place: string): void {
  const most = MOST_RADII * balls.reduce((least, { radius }) => Math.min(least, radius), Infinity);
  if (farthest <= most) return;
  throw new SceneError(
    `${place}.region reaches ${farthest} from the origin, expected ${most} at most: ${MOST_RADII} radii of the ` +
      'smallest body',
  );
}

function freePlace(region: Region, radius: number, random: () => number, space: FreeSpace) {
  for (let i = 0; i < MOST_TRIES; i++) {
    const at = region.place(radius, random);
    if (at === undefined) return undefined;
    if (space.isFree(...at, radius)) return at;
  }
  return undefined;
}

/** @throws SceneError for a source whose bodies are still in its region when the next ones come. */
export function requireLeaves(
  { every, timeOf, region, count, batch, place }: Plan,
  velocity: Vector3,
  gravity: Gravity,
): void {
  if (every === undefined || count <= batch) return;
  const falling = gravityAt(gravity, timeOf(0) + every / 2);
  const way = velocity.map((v, k) => Math.abs(v * every + (falling[k]! * every ** 2) / 2));
  if (way.some((length, k) => length >= region!.extents[k]!)) return;
  throw new SceneError(
    `${place}.every is ${every}: until then bodies move by ${found(way)}, expected that they leave a region of ` +
      `${found(region!.extents)}; give them a velocity, or more time`,
  );
}
