/**
 * Proofs of what the reference says, by formulas that share nothing with its algorithms: a plane between two bodies, a point in
 * both, the separating axes of two polytopes.
 */
import type { PairSet, Reference } from './pair-way.ts';
import type { Problem } from './problems.ts';
import { cross, minus, type Solid, type Vector, vectorAt } from './solids.ts';

/** A body where it lies: rotation by rows, and position. */
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
  const [x, y, z, w] = [poses[o + 3]!, poses[o + 4]!, poses[o + 5]!, poses[o + 6]!];
  // Rounded to float32, a quaternion is of unit length no more.
  const s = 2 / (x * x + y * y + z * z + w * w);
  const rotation = Float64Array.of(
    ...[1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)],
    ...[s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)],
    ...[s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)],
  );
  return { solid, rotation, position: [poses[o]!, poses[o + 1]!, poses[o + 2]!] };
}

/** From the world into the body's frame: a direction. */
function turnedBack({ rotation: r }: Placed, [x, y, z]: Vector): Vector {
  return [r[0]! * x + r[3]! * y + r[6]! * z, r[1]! * x + r[4]! * y + r[7]! * z, r[2]! * x + r[5]! * y + r[8]! * z];
}

function turned({ rotation: r }: Placed, [x, y, z]: Vector): Vector {
  return [r[0]! * x + r[1]! * y + r[2]! * z, r[3]! * x + r[4]! * y + r[5]! * z, r[6]! * x + r[7]! * y + r[8]! * z];
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
export function gapAlong(a: Placed, b: Placed, normal: Vector): number {
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
 * What is wrong with the reference's answer about pair i; empty where nothing is. Along its normal bodies have to be as far apart as
 * it says, or to overlap as deeply; its points have to lie in the bodies.
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
 * Largest gap over the directions in which two polytopes are separated if they are: normals of faces, and of planes through an
 * edge of each. Of polytopes that intersect it is minus the depth. Undefined where one of both is no polytope.
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
