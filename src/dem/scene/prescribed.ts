/** Poses of bodies with a prescribed motion, at a time. */
import { quatd, vec3d } from 'wgpu-matrix';
import type { Vector3 } from '../../mesh/mass-properties.ts';
import type { PrescribedMotion } from './simulation-scene.ts';
import { integralUpTo, valueAt } from './time-table.ts';

export interface PrescribedPlace {
  /** Of the origin of the body's frame. */
  readonly position: Float64Array;
  readonly rotation: Float64Array;
  readonly velocity: Float64Array;
  readonly angularVelocity: Float64Array;
  /** Of a belt: what its surface moves at beyond its body. `velocity` has it as well. */
  readonly surfaceVelocity: Float64Array;
}

const NONE: Vector3 = [0, 0, 0];

/** @param pose where the body is at first: position and unit quaternion */
export function prescribedPlace(motion: PrescribedMotion, pose: Float64Array, time: number): PrescribedPlace {
  const { velocity = NONE, angularVelocity = NONE, amplitude = NONE, frequency = 0 } = motion;
  const { surfaceVelocity = NONE, factors } = motion;
  const { from = 0, until = Infinity, about = [pose[0]!, pose[1]!, pose[2]!] } = motion;
  const end = Math.max(from, Math.min(time, until));
  const elapsed = end - from;
  const isMoving = time >= from && time < until;
  const factor = factors ? valueAt(factors, time) : 1;
  // Ways are as long as with factor 1 in this time.
  const driven = factors ? integralUpTo(factors, end) - integralUpTo(factors, from) : elapsed;
  const speed = Math.hypot(...angularVelocity);
  const axis = angularVelocity.map((x) => x / (speed || 1));
  const turn = quatd.fromAxisAngle(axis, speed * driven);
  const phase = 2 * Math.PI * frequency;
  const arm = vec3d.transformQuat(
    [0, 1, 2].map((k) => pose[k]! - about[k]!),
    turn,
  );
  const place: PrescribedPlace = {
    position: new Float64Array(3),
    rotation: Float64Array.from(quatd.normalize(quatd.multiply(turn, pose.subarray(3, 7)))),
    velocity: new Float64Array(3),
    angularVelocity: Float64Array.from(angularVelocity, (x) => (isMoving ? factor * x : 0)),
    surfaceVelocity: Float64Array.from(surfaceVelocity, (x) => (isMoving ? factor * x : 0)),
  };
  const swing = Math.sin(phase * elapsed);
  for (let k = 0; k < 3; k++)
    place.position[k] = about[k]! + arm[k]! + velocity[k]! * driven + amplitude[k]! * swing;
  if (!isMoving) return place;
  const around = vec3d.cross(angularVelocity as never, arm as never);
  for (let k = 0; k < 3; k++) {
    const swings = amplitude[k]! * phase * Math.cos(phase * elapsed);
    place.velocity[k] = factor * (velocity[k]! + around[k]! + surfaceVelocity[k]!) + swings;
  }
  return place;
}
