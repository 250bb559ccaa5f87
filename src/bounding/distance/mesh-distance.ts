/** `meshDistance`: how far two meshes are apart. */
import { type Options, requireOptions, told } from '../../arguments.ts';
import { InputError } from '../../errors.ts';
import { rests } from '../../workers/slices.ts';
import { STRATEGIES, type Strategy } from '../names.ts';
import {
  inverseOf,
  newPlacement,
  type Placement,
  type PosePair,
  place,
  placementOf,
  relativePlacement,
  requirePoses,
} from '../pose.ts';
import { BoundingTree, boundError } from '../tree/bounding-tree.ts';
import { DistanceSearch } from './distance-search.ts';
import { boxesApart, nestedCorner } from './nested.ts';

/** Two meshes where they are. */
export interface MeshPair {
  readonly a: BoundingTree;
  /** With volumes of the same kind. */
  readonly b: BoundingTree;
  /** `[14]`: position and unit quaternion x, y, z, w of a, then of b. Default: both at the origin, not turned. */
  readonly poses?: ArrayLike<number>;
}

export interface MeshDistanceOptions {
  /**
   * Which pair of nodes comes next: `greedy`, the nearer one of those made last, or `best-first`, the nearest of all.
   * Both give the same distance. Default `best-first`.
   */
  readonly strategy?: Strategy;
  /** Most pairs of nodes to look at, 1 or more. Default: as many as it takes. */
  readonly visits?: number;
  readonly signal?: AbortSignal;
}

export interface MeshDistance {
  /** In the unit of the meshes: 0 where they meet or one is inside the other. */
  readonly distance: number;
  /** The distance of the meshes is not below it: `distance` itself where that is exact. */
  readonly lower: number;
  /** False where `visits` ended the search: `distance` is that of two points of the meshes, and may be too long. */
  readonly exact: boolean;
  /** Points of a and b at that distance, in the world. Of nested bodies both are a corner of the inner one. */
  readonly pointA: readonly [number, number, number];
  readonly pointB: readonly [number, number, number];
  /** Triangles of the points; undefined of a body that the other is inside of. */
  readonly triangleA: number | undefined;
  readonly triangleB: number | undefined;
  /** Pairs of nodes looked at. */
  readonly visited: number;
}

const MEET_OPTIONS = { signal: 'signal' } as const;
const PAIR: Options<MeshPair> = { a: 'checked', b: 'checked', poses: 'checked' };
const OPTIONS: Options<MeshDistanceOptions> = { strategy: 'checked', visits: 'number', signal: 'signal' };
/** Pairs of nodes between two looks at the clock: a millisecond or so. */
const VISITS_PER_LOOK = 4096;

export const IDENTITIES: PosePair = [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1];

/** @throws InputError unless these are two trees of one kind, and poses where there are any. */
export function requirePair(call: string, { a, b }: { readonly a: unknown; readonly b: unknown }): void {
  if (a instanceof BoundingTree && b instanceof BoundingTree && a.volume === b.volume && a.k === b.k) return;
  for (const [name, tree] of Object.entries({ a, b })) {
    if (!(tree instanceof BoundingTree)) {
      throw new InputError(`${call}: ${name}: found ${told(tree)}, expected a BoundingTree`);
    }
  }
  const [one, other] = [a, b] as [BoundingTree, BoundingTree];
  const nameOf = ({ volume, k }: BoundingTree) => (volume === 'k-dop' ? `${volume} with k ${k}` : volume);
  throw new InputError(
    `${call}: found volumes ${nameOf(one)} and ${nameOf(other)}, expected two of one kind`,
  );
}

/**
 * The distance of two meshes, open or closed, by branch and bound (Lennerz, Schömer, Warken, section 2.4). It is exact
 * but for rounding, about 1e-15 of the size; whether meshes meet, exact predicates decide, on coordinates that are
 * rounded to float64 in the frame of a.
 *
 * @throws InputError for trees of different kinds, poses that are none, an unknown strategy or visits below 1.
 * @throws the signal's reason once it is aborted
 */
export async function meshDistance(pair: MeshPair, options: MeshDistanceOptions = {}): Promise<MeshDistance> {
  requireOptions('meshDistance', options, OPTIONS);
  requirePlaced('meshDistance', pair);
  const { strategy = 'best-first', visits = Infinity, signal } = options;
  if (!STRATEGIES.includes(strategy)) {
    throw new InputError(
      `meshDistance: strategy: found ${told(strategy)}, expected one of ${STRATEGIES.join(', ')}`,
    );
  }
  if (!(visits >= 1)) throw new InputError(`meshDistance: visits: found ${told(visits)}, expected 1 or more`);
  const placed = placedOf(pair);
  const search = new DistanceSearch(placed.a, placed.b, placed.placement, strategy);
  await searchThrough(search, visits, signal);
  return answerOf(search, placed);
}

/**
 * Whether two meshes have a point in common, or one is inside the other: `meshDistance` that looks for 0 alone.
 *
 * @throws InputError for trees of different kinds, or poses that are none.
 * @throws the signal's reason once it is aborted
 */
export async function meshesMeet(
  pair: MeshPair,
  options?: { readonly signal?: AbortSignal },
): Promise<boolean> {
  if (options !== undefined) requireOptions('meshesMeet', options, MEET_OPTIONS);
  requirePlaced('meshesMeet', pair);
  options?.signal?.throwIfAborted();
  // Of bodies whose boxes are apart no more is made.
  if (areApart(pair)) return false;
  const placed = placedOf(pair);
  const search = new DistanceSearch(placed.a, placed.b, placed.placement, 'greedy', 0);
  await searchThrough(search, Infinity, options?.signal);
  if (search.upper === 0 || search.isApart) return search.upper === 0;
  return nestedIn(placed.a, placed.b, placed.placement) !== undefined;
}

/** @throws InputError unless these are two trees of one kind, and poses where there are any. */
function requirePlaced(call: string, pair: MeshPair): void {
  requireOptions(call, pair, PAIR);
  requirePair(call, pair);
  if (pair.poses !== undefined) requirePoses(call, 'poses', pair.poses);
}

const worldA = newPlacement();
const worldB = newPlacement();
const relative = newPlacement();

/** Whether the boxes of bodies are apart. */
function areApart({ a, b, poses = IDENTITIES }: MeshPair): boolean {
  relativePlacement(placementOf(poses, 0, worldA), placementOf(poses, 7, worldB), relative);
  return boxesApart(a.mesh.box, b.mesh.box, relative, boundError(a, b, relative));
}

function placedOf({ a, b, poses = IDENTITIES }: MeshPair): PlacedPair {
  const world = placementOf(poses, 0);
  return { a, b, world, placement: relativePlacement(world, placementOf(poses, 7)) };
}

async function searchThrough(
  search: DistanceSearch,
  visits: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  const rest = rests(signal);
  while (!search.run(Math.min(visits, search.visited + VISITS_PER_LOOK)) && search.visited < visits)
    await rest();
}

/** Bodies of a search: a in the world, b in the frame of a. */
export interface PlacedPair {
  readonly a: BoundingTree;
  readonly b: BoundingTree;
  readonly world: Placement;
  readonly placement: Placement;
}

function answerOf(search: DistanceSearch, { a, b, world, placement }: PlacedPair): MeshDistance {
  const { visited, lower, upper, triangles } = search;
  const toWorld = (local: Float64Array) => {
    const point = new Float64Array(3);
    place(world, local, 0, point);
    return [...point] as unknown as [number, number, number];
  };
  if (upper > 0 && !search.isApart) {
    const nested = nestedIn(a, b, placement);
    if (nested !== undefined) {
      const point = toWorld(nested.point);
      const { triangleA, triangleB } = nested;
      return {
        distance: 0,
        lower: 0,
        exact: true,
        pointA: point,
        pointB: point,
        triangleA,
        triangleB,
        visited,
      };
    }
  }
  const exact = lower >= upper;
  return {
    ...{ distance: upper, lower: exact ? upper : lower, exact, visited },
    ...{ pointA: toWorld(triangles.pointA), pointB: toWorld(triangles.pointB) },
    triangleA: a.arrays.triangles[search.placeA]!,
    triangleB: b.arrays.triangles[search.placeB]!,
  };
}

/** A corner of a body that is inside the other, in the frame of a. */
function nestedIn(a: BoundingTree, b: BoundingTree, placement: Placement) {
  const error = boundError(a, b, placement);
  const ofB = nestedCorner(b.mesh, a.mesh, placement, error);
  if (ofB !== undefined) return { point: ofB.point, triangleA: undefined, triangleB: ofB.triangle };
  const ofA = nestedCorner(a.mesh, b.mesh, inverseOf(placement), error);
  if (ofA === undefined) return undefined;
  const { positions, indices } = a.mesh;
  const at = 3 * indices[3 * ofA.triangle]!;
  return {
    point: Float64Array.from(positions.subarray(at, at + 3)),
    triangleA: ofA.triangle,
    triangleB: undefined,
  };
}
