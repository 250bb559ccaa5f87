/** `meshCollision`: when two meshes first touch on their way over a step. */
import { type Options, requireOptions, told } from '../../arguments.ts';
import { POSE_SIZE } from '../../convex/shapes/pose.ts';
import { InputError } from '../../errors.ts';
import { requireOutward } from '../../inside/outward.ts';
import { rests } from '../../workers/slices.ts';
import { BOUND_ERROR } from '../constants.ts';
import { DistanceSearch } from '../distance/distance-search.ts';
import { LeafTriangles } from '../distance/leaf-triangles.ts';
import { meshDistance, requirePair } from '../distance/mesh-distance.ts';
import { isInBox } from '../distance/nested.ts';
import {
  inverseOf,
  type Placement,
  type PosePair,
  place,
  placementOf,
  relativePlacement,
  requirePoses,
} from '../pose.ts';
import { type BoundingTree, boundError, partsFirst } from '../tree/bounding-tree.ts';
import { DEFAULT_TOLERANCE, MOST_SLICES, MOST_TURN, SLICE_SHARE } from './constants.ts';
import { MovingPoints, PoseWay } from './moving-points.ts';
import { type TriangleTouch, triangleCollision } from './triangle-collision.ts';

/** Two meshes on their way. */
export interface MovingMeshes {
  readonly a: BoundingTree;
  /** With volumes of the same kind. */
  readonly b: BoundingTree;
  /** `[14]` each: position and unit quaternion x, y, z, w of a, then of b, at both ends of the step. */
  readonly from: ArrayLike<number>;
  readonly to: ArrayLike<number>;
}

export interface MeshCollisionOptions {
  /**
   * `interpolated`: distances of features are interpolated over the step, and their zeros looked for from there: exact,
   * but what dips in and out within a turn is missed, less deep than the square of it. `conservative`: bodies move as
   * far as their distance lets them, again and again. It misses nothing, and takes many distances. Default
   * `interpolated`.
   */
  readonly method?: 'interpolated' | 'conservative';
  /**
   * Of `conservative`: bodies so close touch, a length, not below what rounding does to distances. Default 1e-6 of the
   * smaller body's reach.
   */
  readonly tolerance?: number;
  readonly signal?: AbortSignal;
}

export interface MeshCollision {
  /** A share of the step, 0 to 1. */
  readonly time: number;
  /** Features of a and b: `vertex-face`, `face-vertex` or `edge-edge`; `closest`: points within the tolerance. */
  readonly kind: TriangleTouch['kind'] | 'closest';
  readonly triangleA: number;
  readonly triangleB: number;
  /** Corners of both triangles, 0 to 2: the vertex, or where the edge begins; of a face, and of closest points, 0. */
  readonly features: readonly [number, number];
  /** Of unit length, out of b, in the world; 0 of closest points that are one. */
  readonly normal: readonly [number, number, number];
  readonly point: readonly [number, number, number];
}

const OPTIONS: Options<MeshCollisionOptions> = { method: 'checked', tolerance: 'number', signal: 'signal' };
const METHODS = ['interpolated', 'conservative'];

/**
 * When two meshes first touch (Lennerz, Schömer, Warken, section 2.3). Positions and quaternions are interpolated
 * linearly over the step. By `interpolated`, features that are crossed at the start, and such as part, are no
 * collisions; faces have to be counter-clockwise seen from outside: an open mesh is passed from behind.
 *
 * @returns undefined where they do not touch
 * @throws InputError for trees of different kinds, poses that are none, a body inside the other at the start, an
 *   unknown method, a tolerance that is 0 or below rounding, and by `interpolated` a closed mesh with faces that look
 *   inwards.
 * @throws the signal's reason once it is aborted
 */
export async function meshCollision(
  meshes: MovingMeshes,
  options: MeshCollisionOptions = {},
): Promise<MeshCollision | undefined> {
  requireOptions('meshCollision', meshes, { a: 'checked', b: 'checked', from: 'checked', to: 'checked' });
  requireOptions('meshCollision', options, OPTIONS);
  requirePair('meshCollision', meshes);
  requirePoses('meshCollision', 'from', meshes.from);
  requirePoses('meshCollision', 'to', meshes.to);
  const { method = 'interpolated', signal } = options;
  const least = leastTolerance(meshes);
  const { tolerance = Math.max(least, DEFAULT_TOLERANCE * Math.min(meshes.a.reach, meshes.b.reach)) } =
    options;
  if (!METHODS.includes(method)) {
    throw new InputError(
      `meshCollision: method: found ${told(method)}, expected one of ${METHODS.join(', ')}`,
    );
  }
  if (!(tolerance > 0)) {
    throw new InputError(`meshCollision: tolerance: found ${told(tolerance)}, expected a length above 0`);
  }
  if (tolerance < least) {
    throw new InputError(
      `meshCollision: tolerance: found ${tolerance}, expected ${least} or more: distances of these bodies are rounded`,
    );
  }
  // Callers may use theirs anew as soon as they have the promise.
  const own = { ...meshes, from: Float64Array.from(meshes.from), to: Float64Array.from(meshes.to) };
  for (const { mesh } of method === 'interpolated' ? [own.a, own.b] : []) {
    signal?.throwIfAborted();
    requireOutward(mesh, 'meshCollision');
  }
  signal?.throwIfAborted();
  await requireApart(own, signal);
  const rest = rests(signal);
  return method === 'conservative' ? advance(own, tolerance, rest) : interpolate(own, rest);
}

/** @throws InputError where all of one body is inside the other: what it touches from there is no collision. */
async function requireApart({ a, b, from }: MovingMeshes, signal: AbortSignal | undefined): Promise<void> {
  const placement = relativePlacement(placementOf(from, 0), placementOf(from, POSE_SIZE));
  if (!isInBox(b.mesh, a.mesh, placement) && !isInBox(a.mesh, b.mesh, inverseOf(placement))) return;
  const { triangleA, triangleB } = await meshDistance({ a, b, poses: from }, signal && { signal });
  const inner = triangleA === undefined ? 'b' : triangleB === undefined ? 'a' : undefined;
  if (inner === undefined) return;
  throw new InputError(
    `meshCollision: from: ${inner} is inside ${inner === 'a' ? 'b' : 'a'}, expected bodies apart, or whose surfaces ` +
      'meet',
  );
}

/** Distances are off by less: bodies that touch may never come closer than that. */
function leastTolerance({ a, b, from, to }: MovingMeshes): number {
  let far = 0;
  for (const poses of [from, to])
    for (const at of [0, POSE_SIZE])
      far = Math.max(far, Math.hypot(poses[at]!, poses[at + 1]!, poses[at + 2]!));
  return BOUND_ERROR * (a.reach + b.reach + 2 * far);
}

/** Ways of both bodies, and what bounds how they move. */
class Motion {
  readonly ways: readonly [PoseWay, PoseWay];
  readonly #change: number;
  /** Of half the turns: what quaternions between two times are apart. */
  readonly #halfAngles: readonly [number, number];
  readonly #reaches: readonly [number, number];

  constructor({ a, b, from, to }: MovingMeshes) {
    this.ways = [new PoseWay(from, to), new PoseWay(from, to, POSE_SIZE)];
    this.#change = Math.hypot(
      ...[0, 1, 2].map((k) => to[POSE_SIZE + k]! - from[POSE_SIZE + k]! - (to[k]! - from[k]!)),
    );
    this.#halfAngles = [halfAngleOf(from, to, 0), halfAngleOf(from, to, POSE_SIZE)];
    this.#reaches = [a.reach, b.reach];
  }

  /**
   * No two points of the bodies get closer in a share of the step than by this: positions move along a line, and a
   * quaternion that is interpolated linearly by an angle h turns by the rate 2 * 2 tan(h / 2) at most, half way.
   */
  get speed(): number {
    return this.#halfAngles.reduce(
      (sum, half, i) => sum + 4 * Math.tan(half / 2) * this.#reaches[i]!,
      this.#change,
    );
  }

  /** By how much both bodies turn over the step, in radians. */
  get turn(): number {
    return 2 * (this.#halfAngles[0] + this.#halfAngles[1]);
  }

  /** Both bodies at a time, `[14]`. */
  poses(time: number): Float64Array {
    return Float64Array.of(...this.ways[0].pose(time), ...this.ways[1].pose(time));
  }
}

function halfAngleOf(from: PosePair, to: PosePair, at: number): number {
  let cosine = 0;
  for (let k = 3; k < POSE_SIZE; k++) cosine += from[at + k]! * to[at + k]!;
  return Math.acos(Math.min(1, Math.abs(cosine)));
}

type Rest = () => Promise<void>;

/**
 * Conservative advancement (section 1.1): while the distance is d, bodies cannot touch for the share d / speed. Ends at
 * the tolerance.
 */
async function advance(
  meshes: MovingMeshes,
  tolerance: number,
  rest: Rest,
): Promise<MeshCollision | undefined> {
  const { a, b } = meshes;
  const motion = new Motion(meshes);
  const { speed } = motion;
  for (let time = 0; ; ) {
    await rest();
    const poses = motion.poses(time);
    const world = placementOf(poses, 0);
    const search = new DistanceSearch(
      a,
      b,
      relativePlacement(world, placementOf(poses, POSE_SIZE)),
      'greedy',
    );
    search.run(Infinity);
    const { upper, triangles } = search;
    if (upper <= tolerance) {
      const [pointA, pointB] = [triangles.pointA, triangles.pointB].map((local) => {
        const point = new Float64Array(3);
        place(world, local, 0, point);
        return point;
      }) as [Float64Array, Float64Array];
      const apart = [0, 1, 2].map((k) => pointA[k]! - pointB[k]!);
      const length = Math.hypot(...apart);
      return {
        ...{ time, kind: 'closest', features: [0, 0] },
        triangleA: a.arrays.triangles[search.placeA]!,
        triangleB: b.arrays.triangles[search.placeB]!,
        normal: vector((k) => (length > 0 ? apart[k]! / length : 0)),
        point: vector((k) => (pointA[k]! + pointB[k]!) / 2),
      };
    }
    if (time === 1 || speed === 0) return undefined;
    time = Math.min(1, time + upper / speed);
  }
}

function vector(component: (k: number) => number): [number, number, number] {
  return [component(0), component(1), component(2)];
}

/**
 * Steps in which bodies turn by more than a radian are made of parts. In each, pairs of triangles are looked at that
 * may touch within a slice: those whose bound half way through it is no more than what bodies can move until its
 * ends. Their features are interpolated over the part.
 */
async function interpolate(meshes: MovingMeshes, rest: Rest): Promise<MeshCollision | undefined> {
  const { a, b } = meshes;
  const motion = new Motion(meshes);
  const { speed, turn } = motion;
  const parts = Math.max(1, Math.ceil(turn / MOST_TURN));
  const wanted = Math.ceil(speed / (SLICE_SHARE * Math.min(a.reach, b.reach)) / parts);
  const slices = Math.max(1, Math.min(Math.ceil(MOST_SLICES / parts), wanted || 1));
  for (let part = 0; part < parts; part++) {
    const ways = motion.ways.map((way) => way.part(part / parts, (part + 1) / parts)) as [PoseWay, PoseWay];
    const seen = new Set<number>();
    let best: MeshCollision | undefined;
    for (let slice = 0; slice < slices; slice++) {
      await rest();
      const poses = motion.poses((part + (slice + 0.5) / slices) / parts);
      const placement = relativePlacement(placementOf(poses, 0), placementOf(poses, POSE_SIZE));
      eachNear(a, b, placement, speed / (2 * slices * parts), (placeA, placeB) => {
        const key = placeA * b.mesh.triangleCount + placeB;
        if (seen.has(key)) return;
        seen.add(key);
        best = earlier(best, trianglesCollide(a, placeA, b, placeB, ways));
      });
      // What is met later in the part lies in later slices.
      if (best !== undefined && best.time <= (slice + 1) / slices) break;
    }
    if (best !== undefined) return { ...best, time: (part + best.time) / parts };
  }
  return undefined;
}

const earlier = (one: MeshCollision | undefined, other: MeshCollision | undefined) =>
  one === undefined || (other !== undefined && other.time < one.time) ? other : one;

/**
 * Calls with the places of triangles that may be within a distance of each other.
 *
 * @param placement b in the frame of a
 */
function eachNear(
  a: BoundingTree,
  b: BoundingTree,
  placement: Placement,
  distance: number,
  look: (placeA: number, placeB: number) => void,
): void {
  const within = distance + boundError(a, b, placement);
  const bound = a.volumes.bound(a.arrays.values, b.arrays.values, placement, within);
  const [ofA, ofB] = [new LeafTriangles(a, 0), new LeafTriangles(b, 0, placement)];
  const stack: [nodeA: number, nodeB: number][] = [[0, 0]];
  for (let pair = stack.pop(); pair !== undefined; pair = stack.pop()) {
    const [nodeA, nodeB] = pair;
    if (bound(nodeA, nodeB, Number.MIN_VALUE) > 0) continue;
    const [otherA, otherB] = [a.arrays.second[nodeA]!, b.arrays.second[nodeB]!];
    if (otherA !== 0 || otherB !== 0) {
      if (partsFirst(a, nodeA, b, nodeB)) stack.push([nodeA + 1, nodeB], [otherA, nodeB]);
      else stack.push([nodeA, nodeB + 1], [nodeA, otherB]);
      continue;
    }
    const [firstA, firstB] = [a.arrays.first[nodeA]!, b.arrays.first[nodeB]!];
    const [countA, countB] = [a.arrays.count[nodeA]!, b.arrays.count[nodeB]!];
    ofA.take(firstA, countA);
    ofB.take(firstB, countB);
    const [nearA, nearB] = [ofA.findNear(ofB, within * within), ofB.findNear(ofA, within * within)];
    for (const i of ofA.near.subarray(0, nearA)) {
      for (const j of ofB.near.subarray(0, nearB)) {
        if (ofA.gap(i, ofB, j) < within * within) look(firstA + i, firstB + j);
      }
    }
  }
}

/** The first touch of the triangles at two places. */
function trianglesCollide(
  a: BoundingTree,
  placeA: number,
  b: BoundingTree,
  placeB: number,
  [wayA, wayB]: readonly [PoseWay, PoseWay],
): MeshCollision | undefined {
  const pointsOf = ({ arrays: { corners } }: BoundingTree, place: number, way: PoseWay) =>
    new MovingPoints(way, corners.subarray(9 * place, 9 * place + 9));
  const touch = triangleCollision(pointsOf(a, placeA, wayA), 0, pointsOf(b, placeB, wayB), 0);
  if (touch === undefined) return undefined;
  const { time, kind, features, normal, point } = touch;
  return {
    ...{ time, kind, features, normal: vector((k) => normal[k]!), point: vector((k) => point[k]!) },
    triangleA: a.arrays.triangles[placeA]!,
    triangleB: b.arrays.triangles[placeB]!,
  };
}
