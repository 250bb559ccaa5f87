/**
 * Proofs of what the reference says, by formulas that share nothing with its algorithms: a plane between two bodies, a
 * point in both, the separating axes of two polytopes.
 */
import { quatd, vec3n } from 'wgpu-matrix';
import type { PairSet, Reference } from './pair-way.ts';
import type { Problem } from './problems.ts';
import { cross, minus, type Solid, type Vector, vectorAt } from './solids.ts';

/** A body where it lies: unit quaternion x, y, z, w, and position. */
export interface Placed {
  readonly solid: Solid;
  readonly rotation: Float64Array;
  readonly position: Vector;
}

/** Both bodies of pair i. */
export function placedPair({ a, b }: Problem, { poses }: PairSet, i: number): readonly [Placed, Placed] {
  return [placed(a.solid, poses, 14 * i), placed(b.solid, poses, 14 * i + 7)];
}

function placed(solid: Solid, poses: Float32Array, o: number): Placed {
  // In float32, a quaternion is not exactly of unit length.
  const rotation = quatd.normalize(poses.subarray(o + 3, o + 7));
  return { solid, rotation, position: [poses[o]!, poses[o + 1]!, poses[o + 2]!] };
}

/** From the world into the body's frame: a direction. */
function turnedBack({ rotation }: Placed, direction: Vector): Vector {
  return vectorAt(vec3n.transformQuat(direction, quatd.conjugate(rotation)), 0);
}

function turned({ rotation }: Placed, direction: Vector): Vector {
  return vectorAt(vec3n.transformQuat(direction, rotation), 0);
}

/** In the world. */
function centroidOf(body: Placed): Vector {
  const [x, y, z] = turned(body, body.solid.centroid);
  return [body.position[0] + x, body.position[1] + y, body.position[2] + z];
}

/** Both bounding radii and the distance of the centroids: what tolerances of a pair are relative to. Length. */
export function sizeOf(a: Placed, b: Placed): number {
  return a.solid.radius + b.solid.radius + Math.hypot(...minus(centroidOf(b), centroidOf(a)));
}

/** Width of the gap between two bodies along a unit vector out of the first: a lower bound of their signed distance. */
function gapAlong(a: Placed, b: Placed, normal: Vector): number {
  const [nx, ny, nz] = normal;
  const offset = minus(b.position, a.position);
  const na = turnedBack(a, normal);
  const nb = turnedBack(b, [-nx, -ny, -nz]);
  return nx * offset[0] + ny * offset[1] + nz * offset[2] - a.solid.reach(...na) - b.solid.reach(...nb);
}

/** Whether a point in the world lies in a body, or no farther outside than `slack`. */
export function holds(body: Placed, point: Vector, slack: number): boolean {
  return body.solid.holds(...turnedBack(body, minus(point, body.position)), slack);
}

/**
 * What is wrong with the reference's answer about pair i; empty if nothing is. Along its normal, the bodies have to be
 * as far apart as it says, or to overlap as deeply. Its points have to lie in the bodies.
 */
export function contradiction(
  [a, b]: readonly [Placed, Placed],
  reference: Reference,
  i: number,
  slack: number,
): string {
  const distance = reference.distance[i]!;
  const gap = gapAlong(a, b, vectorAt(reference.normal, i));
  if (!(Math.abs(gap - distance) <= slack)) {
    return `the signed distance is said to be ${distance}, and along the normal it is ${gap}`;
  }
  if (!holds(a, vectorAt(reference.pointA, i), slack)) return 'the point on A does not lie in A';
  if (!holds(b, vectorAt(reference.pointB, i), slack)) return 'the point on B does not lie in B';
  return '';
}

/** Whether a plane along the reference's normal is between the bodies of pair i. */
export function isProvenApart([a, b]: readonly [Placed, Placed], reference: Reference, i: number): boolean {
  return gapAlong(a, b, vectorAt(reference.normal, i)) > 0;
}

/** Whether one of some likely points, no farther outside than `slack`, lies in both bodies. */
export function isProvenIntersecting(
  [a, b]: readonly [Placed, Placed],
  reference: Reference,
  i: number,
  slack: number,
): boolean {
  const [onA, onB] = [vectorAt(reference.pointA, i), vectorAt(reference.pointB, i)];
  const [ca, cb] = [centroidOf(a), centroidOf(b)];
  const between = (p: Vector, q: Vector): Vector => [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2];
  const middle = between(onA, onB);
  const likely = [
    ...[middle, onA, onB, between(ca, cb), ca, cb, between(onA, cb), between(onB, ca)],
    ...[between(middle, ca), between(middle, cb), between(onA, ca), between(onB, cb)],
    between(middle, between(ca, cb)),
  ];
  return likely.some((point) => holds(a, point, slack) && holds(b, point, slack));
}

/**
 * Largest gap over the axes that can separate two polytopes: normals of faces, and of planes through an edge of each.
 * If the polytopes intersect, it is minus the depth. Undefined if one of both is no polytope.
 */
export function separatingAxes(a: Placed, b: Placed): number | undefined {
  const [ofA, ofB] = [a.solid.axes, b.solid.axes];
  if (ofA === undefined || ofB === undefined) return undefined;
  let most = Number.NEGATIVE_INFINITY;
  const tryAxis = (axis: Vector) => {
    const length = Math.hypot(...axis);
    // Edges that are parallel to rounding span no plane; those of the faces beside them do.
    if (length < 1e-9) return;
    const [x, y, z] = [axis[0] / length, axis[1] / length, axis[2] / length];
    most = Math.max(most, gapAlong(a, b, [x, y, z]), gapAlong(a, b, [-x, -y, -z]));
  };
  for (const normal of ofA.normals) tryAxis(turned(a, normal));
  for (const normal of ofB.normals) tryAxis(turned(b, normal));
  const edgesB = ofB.edges.map((edge) => turned(b, edge));
  for (const edge of ofA.edges) {
    const one = turned(a, edge);
    for (const other of edgesB) tryAxis(cross(one, other));
  }
  return most;
}
