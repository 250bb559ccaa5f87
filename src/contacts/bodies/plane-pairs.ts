/** Colliders that may lie below planes. There are few planes, so each looks at all colliders. */
import { quatd, vec3d } from 'wgpu-matrix';
import { numbersTo } from '../../broadphase/entries.ts';
import { HEIGHT_ROUNDING } from '../constants.ts';
import { mayTouch, type ResolvedBodies } from './check-bodies.ts';
import type { PosedColliders } from './collider-pairs.ts';
import { ColliderKind, type Colliders } from './colliders.ts';

/** All pairs of a plane and another collider that may touch, `[k * 2]`: in order, the lower collider first. */
export function possiblePlanePairs(colliders: Colliders, bodies: ResolvedBodies): Uint32Array<ArrayBuffer> {
  const { count, kinds } = colliders;
  const planes = numbersTo(count).filter((c) => kinds[c] === ColliderKind.plane);
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
 * @param way pairs whose collider comes as near when it moves that far are among them
 */
export function pairsNearPlanes(
  { colliders, poses, absent }: PosedColliders & { readonly absent?: Uint8Array | undefined },
  pairs: Uint32Array,
  way = 0,
): Uint32Array {
  const normals = new Map<number, Float64Array>();
  const found: number[] = [];
  for (let k = 0; k < pairs.length; k += 2) {
    const a = pairs[k]!;
    const b = pairs[k + 1]!;
    if (absent?.[colliders.bodies[a]!] === 1 || absent?.[colliders.bodies[b]!] === 1) continue;
    const isFirst = colliders.kinds[a] === ColliderKind.plane;
    const plane = colliders.bodies[isFirst ? a : b]!;
    let normal = normals.get(plane);
    if (normal === undefined) normals.set(plane, (normal = normalOf(poses, plane)));
    if (!liesAbove(normal, { colliders, poses }, isFirst ? b : a, plane, way)) found.push(a, b);
  }
  return Uint32Array.from(found);
}

function normalOf(poses: Float64Array, body: number): Float64Array {
  return vec3d.transformQuat([0, 0, 1], quatd.normalize(poses.subarray(7 * body + 3, 7 * body + 7)));
}

const middle = vec3d.create();
const turn = quatd.create();

/** Whether a collider's ball surely lies above a plane. */
function liesAbove(
  normal: Float64Array,
  { colliders, poses }: PosedColliders,
  collider: number,
  plane: number,
  way: number,
): boolean {
  const { bodies, places, boxes, radii } = colliders;
  const at = 7 * bodies[collider]!;
  const place = 7 * collider;
  const box = 6 * collider;
  const x = poses[at]! - poses[7 * plane]!;
  const y = poses[at + 1]! - poses[7 * plane + 1]!;
  const z = poses[at + 2]! - poses[7 * plane + 2]!;
  const height = normal[0]! * x + normal[1]! * y + normal[2]! * z;
  const radius = radii[collider]! + way;
  // First without the turn of its body, as most lie far above: no way is longer than the sum of its parts.
  const along = Math.abs(boxes[box]!) + Math.abs(boxes[box + 1]!) + Math.abs(boxes[box + 2]!);
  const beside = Math.abs(places[place]!) + Math.abs(places[place + 1]!) + Math.abs(places[place + 2]!);
  const reach = radius + along + beside;
  const most = HEIGHT_ROUNDING * (Math.abs(x) + Math.abs(y) + Math.abs(z) + 2 * reach);
  if (height - reach > most) return true;
  vec3d.transformQuat(boxes.subarray(box, box + 3), places.subarray(place + 3, place + 7), middle);
  vec3d.add(middle, places.subarray(place, place + 3), middle);
  quatd.normalize(poses.subarray(at + 3, at + 7), turn);
  vec3d.transformQuat(middle, turn, middle);
  return height + vec3d.dot(normal, middle) - radius > most;
}
