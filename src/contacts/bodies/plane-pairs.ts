/** Colliders that may lie below planes. There are few planes, so each looks at all colliders. */
import { quatd, vec3d } from 'wgpu-matrix';
import { HEIGHT_ROUNDING } from '../constants.ts';
import { mayTouch, type ResolvedBodies } from './check-bodies.ts';
import type { PosedColliders } from './collider-pairs.ts';
import { ColliderKind, type Colliders } from './colliders.ts';

/** All pairs of a plane and another collider that may touch, `[k * 2]`: in order, the lower collider first. */
export function possiblePlanePairs(colliders: Colliders, bodies: ResolvedBodies): Uint32Array<ArrayBuffer> {
  const { count, kinds } = colliders;
  const planes = Array.from({ length: count }, (_, c) => c).filter((c) => kinds[c] === ColliderKind.plane);
  const found: number[] = [];
  const add = (a: number, b: number) => {
    if (mayTouch(bodies, colliders.bodies[a]!, colliders.bodies[b]!)) found.push(a, b);
  };
  for (let a = 0; a < count && planes.length > 0; a++) {
    if (kinds[a] !== ColliderKind.plane) {
      for (const plane of planes) if (plane > a) add(a, plane);
      continue;
    }
    for (let b = a + 1; b < count; b++) if (kinds[b] !== ColliderKind.plane) add(a, b);
  }
  return Uint32Array.from(found);
}

/**
 * Of such pairs, those whose collider's ball reaches below the plane, in their order.
 *
 * @param absent `[bodies]`: 1 for bodies that are not there
 */
export function pairsNearPlanes(
  { colliders, poses, absent }: PosedColliders & { readonly absent?: Uint8Array | undefined },
  pairs: Uint32Array,
): Uint32Array {
  if (pairs.length === 0) return pairs;
  const isAbsent = (collider: number) => absent?.[colliders.bodies[collider]!] === 1;
  const middles = middlesOf(colliders, poses, isAbsent);
  const normals = new Map<number, Float64Array>();
  const found: number[] = [];
  for (let k = 0; k < pairs.length; k += 2) {
    const [a, b] = [pairs[k]!, pairs[k + 1]!];
    if (isAbsent(a) || isAbsent(b)) continue;
    const [plane, other] = colliders.kinds[a] === ColliderKind.plane ? [a, b] : [b, a];
    let normal = normals.get(plane);
    if (normal === undefined) normals.set(plane, (normal = normalOf(poses, colliders.bodies[plane]!)));
    if (heightOver(normal, { poses, middles, colliders }, other, plane) <= 0) found.push(a, b);
  }
  return Uint32Array.from(found);
}

function normalOf(poses: Float64Array, body: number): Float64Array {
  return vec3d.transformQuat([0, 0, 1], quatd.normalize(poses.subarray(7 * body + 3, 7 * body + 7)));
}

/** Middles of colliders' balls, less the positions of their bodies, `[n * 3]`. */
function middlesOf(
  { count, bodies, places, boxes }: Colliders,
  poses: Float64Array,
  isAbsent: (collider: number) => boolean,
): Float64Array {
  const middles = new Float64Array(3 * count);
  const turn = quatd.create();
  for (let c = 0; c < count; c++) {
    if (isAbsent(c)) continue;
    const middle = middles.subarray(3 * c, 3 * c + 3);
    vec3d.transformQuat(boxes.subarray(6 * c), places.subarray(7 * c + 3), middle);
    vec3d.add(middle, places.subarray(7 * c), middle);
    quatd.normalize(poses.subarray(7 * bodies[c]! + 3, 7 * bodies[c]! + 7), turn);
    vec3d.transformQuat(middle, turn, middle);
  }
  return middles;
}

/** How far a collider's ball surely lies above a plane; 0 or less where it may reach below it. */
function heightOver(
  normal: Float64Array,
  { poses, middles, colliders }: PosedColliders & { readonly middles: Float64Array },
  collider: number,
  plane: number,
): number {
  const radius = colliders.radii[collider]!;
  let height = -radius;
  let size = radius;
  for (let k = 0; k < 3; k++) {
    const away = poses[7 * colliders.bodies[collider]! + k]! - poses[7 * colliders.bodies[plane]! + k]!;
    const middle = middles[3 * collider + k]!;
    height += normal[k]! * (away + middle);
    size += Math.abs(away) + Math.abs(middle);
  }
  return height - HEIGHT_ROUNDING * size;
}
