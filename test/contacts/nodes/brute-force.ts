/** Contacts of nodes by looking at every node and every triangle: what culling and fields are held against. */
import { quatd, vec3d } from 'wgpu-matrix';
import type { PolyhedronArrays } from '../../../src/contacts/field/field-arrays.ts';
import { FEATURE_OF_B } from '../../../src/contacts/list/contact-arrays.ts';
import { ExactTest } from '../../../src/inside/exact.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { nearestOnTriangles, type Vector } from './nearest.ts';

/** A polyhedron and where it is. */
export interface Body {
  readonly solid: PolyhedronArrays;
  /** Position, and unit quaternion x, y, z, w. */
  readonly pose: readonly number[];
}

export interface BruteContact {
  readonly feature: number;
  readonly triangle: number;
  readonly depth: number;
  /** From A to B. */
  readonly normal: Vector;
  /** Less the position of A. */
  readonly point: Vector;
  readonly area: number;
}

const turn = (pose: readonly number[]) => quatd.create(pose[3]!, pose[4]!, pose[5]!, pose[6]!);

/** A point of one body in the frame of another; positions are subtracted first. */
export function pointIn(from: readonly number[], to: readonly number[], point: ArrayLike<number>): Vector {
  const place = vec3d.transformQuat([point[0]!, point[1]!, point[2]!], turn(from));
  for (let k = 0; k < 3; k++) place[k]! += from[k]! - to[k]!;
  return [...vec3d.transformQuat(place, quatd.inverse(turn(to)))] as Vector;
}

const tests = new WeakMap<PolyhedronArrays, ExactTest>();

/** Whether a point is inside a polyhedron, by a ray through the whole mesh and exact predicates. */
export function isInside(solid: PolyhedronArrays, p: Vector): boolean {
  return flagOf(solid, p) === 1;
}

/** 0 outside, 1 inside, 2 on the surface. */
function flagOf(solid: PolyhedronArrays, p: Vector): number {
  const { positions, indices } = solid;
  let test = tests.get(solid);
  if (test === undefined) tests.set(solid, (test = new ExactTest(new TriangleMesh({ positions, indices }))));
  return test.flag(...p, 'odd');
}

/** Depth of a point in a polyhedron, below 0 outside. */
export function depthIn(solid: PolyhedronArrays, p: Vector): number {
  const { distance } = nearestOnTriangles(solid, p);
  return isInside(solid, p) ? distance : -distance;
}

/** Nodes of A in B or on its surface, then those of B in A, no less deep than `least`. */
export function bruteNodes(a: Body, b: Body, least = 0): BruteContact[] {
  return [...nodesIn(a, b, 0, least), ...nodesIn(b, a, FEATURE_OF_B, least)];
}

function nodesIn(from: Body, into: Body, bit: number, least: number): BruteContact[] {
  const { nodes, weights } = from.solid.surface;
  const { min, max } = into.solid.box;
  const found: BruteContact[] = [];
  for (let n = 0; n < weights.length; n++) {
    const place = pointIn(from.pose, into.pose, nodes.subarray(3 * n, 3 * n + 3));
    if (place.some((x, k) => x < min[k]! || x > max[k]!)) continue;
    if (flagOf(into.solid, place) === 0) continue;
    const { distance, point, triangle } = nearestOnTriangles(into.solid, place);
    if (distance < least) continue;
    const outwards = vec3d.transformQuat(vec3d.normalize(vec3d.subtract(point, place)), turn(into.pose));
    const a = bit === 0 ? from : into;
    const toWorld = vec3d.transformQuat(place, turn(into.pose));
    found.push({
      feature: bit + n,
      triangle,
      depth: distance,
      // A node of A leaves B against the normal from A to B.
      normal: [...vec3d.scale(outwards, bit === 0 ? -1 : 1)] as Vector,
      point: [0, 1, 2].map((k) => toWorld[k]! + (into.pose[k]! - a.pose[k]!)) as Vector,
      area: weights[n]!,
    });
  }
  return found;
}
