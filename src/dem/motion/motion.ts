/**
 * How bodies move: velocity Verlet with the rotation of a free rigid body by splitting, in float64. Symplectic and
 * reversible. The twin of the kernels in shaders/dem/motion/.
 */
import { quatd, vec3d } from 'wgpu-matrix';
import { SMALL_ANGLE } from '../constants.ts';

/** Whether a body of a simulation is there: what `Simulation.read('statuses')` gives of each. */
export const BodyStatus = {
  /** It appears later. */
  absent: 0,
  present: 1,
  removed: 2,
} as const;

/** Places and motion of bodies. A body's frame here is that of its centroid and its principal axes. */
export interface MotionState {
  readonly count: number;
  /** `[n * 3]`: centroids. */
  readonly positions: Float64Array;
  /** `[n * 4]`: unit quaternions x, y, z, w: principal frame to world. */
  readonly rotations: Float64Array;
  /** `[n * 3]` */
  readonly velocities: Float64Array;
  /** `[n * 3]`: angular momenta about the centroids, in the world's axes. Of driven bodies: angular velocities. */
  readonly momenta: Float64Array;
}

/** Masses and inertias of bodies, which do not change. */
export interface Inertia {
  /** `[n]`: 1 / mass; 0 for bodies that forces do not move. */
  readonly inverseMasses: Float64Array;
  /** `[n * 3]`: 1 / principal moments; 0 likewise. */
  readonly inverseMoments: Float64Array;
  /** `[n]`: 1 for bodies with a prescribed motion, and servo walls. */
  readonly isDriven: Uint8Array;
}

/** Frames of shapes, which poses are of, and those of motion. */
export interface BodyFrames {
  /** `[n * 3]`: centroids in the frames of shapes. */
  readonly centroids: Float64Array;
  /** `[n * 4]`: principal frames to those of shapes. */
  readonly principal: Float64Array;
}

/** Forces and torques about the centroids, in the world's axes: `[n * 3]` each. */
export interface Loads {
  readonly forces: Float64Array;
  readonly torques: Float64Array;
}

/**
 * Changes the velocity and the angular momentum of a body by `time` of its loads.
 *
 * @param change `time` over the mass
 */
export function kickBody(
  { velocities, momenta }: MotionState,
  { forces, torques }: Loads,
  body: number,
  change: number,
  time: number,
): void {
  const at = 3 * body;
  velocities[at]! += change * forces[at]!;
  velocities[at + 1]! += change * forces[at + 1]!;
  velocities[at + 2]! += change * forces[at + 2]!;
  momenta[at]! += time * torques[at]!;
  momenta[at + 1]! += time * torques[at + 1]!;
  momenta[at + 2]! += time * torques[at + 2]!;
}

/**
 * Moves bodies on by `time`. A rotation is a product of turns about the principal axes 1, 2, 3, 2, 1, each with the
 * angular velocity L / I about its axis (A. Dullweber, B. Leimkuhler, R. McLachlan, "Symplectic splitting methods for
 * rigid body molecular dynamics", 1997). A body of three equal moments turns about its momentum, which is exact.
 * Angular momenta in the world do not change.
 *
 * @param statuses bodies that are not `present` stay as they are
 */
export function drift(state: MotionState, inertia: Inertia, time: number, statuses: Uint8Array): void {
  for (let body = 0; body < state.count; body++) {
    if (inertia.inverseMasses[body] !== 0 && statuses[body] === BodyStatus.present)
      driftBody(state, inertia, body, time);
  }
}

function driftBody(
  { positions, velocities, rotations, momenta }: MotionState,
  { inverseMoments }: Inertia,
  body: number,
  time: number,
): void {
  const at = 3 * body;
  positions[at]! += time * velocities[at]!;
  positions[at + 1]! += time * velocities[at + 1]!;
  positions[at + 2]! += time * velocities[at + 2]!;
  const i1 = inverseMoments[at]!;
  if (i1 === inverseMoments[at + 1] && i1 === inverseMoments[at + 2])
    turnBall(rotations, 4 * body, momenta, i1, at, time);
  else turn(rotations, 4 * body, momenta, inverseMoments, at, time);
}

/** A box for centroids. */
export interface MotionBounds {
  readonly low: readonly number[];
  readonly high: readonly number[];
}

/**
 * The first part of a step: half of what loads change speeds by, then the way. Returns whether all bodies that it moves
 * are in bounds then, and their places and speeds are finite.
 */
export function kickAndDrift(
  state: MotionState,
  inertia: Inertia,
  loads: Loads,
  time: number,
  statuses: Uint8Array,
  { low, high }: MotionBounds,
): boolean {
  const { count, positions, rotations, velocities, momenta } = state;
  const [lowX, lowY, lowZ] = low as [number, number, number];
  const [highX, highY, highZ] = high as [number, number, number];
  let areInside = true;
  for (let body = 0; body < count; body++) {
    const change = (time / 2) * inertia.inverseMasses[body]!;
    if (change === 0 || statuses[body] !== BodyStatus.present) continue;
    kickBody(state, loads, body, change, time / 2);
    driftBody(state, inertia, body, time);
    const at = 3 * body;
    const x = positions[at]!;
    const y = positions[at + 1]!;
    const z = positions[at + 2]!;
    const isIn = x >= lowX && x <= highX && y >= lowY && y <= highY && z >= lowZ && z <= highZ;
    // What is not finite makes a difference of itself that is none, as a rotation of no angle has no component.
    const speeds = velocities[at]! + velocities[at + 1]! + velocities[at + 2]!;
    const sum = speeds + momenta[at]! + momenta[at + 1]! + momenta[at + 2]! + rotations[4 * body]!;
    if (!isIn || sum - sum !== 0) areInside = false;
  }
  return areInside;
}

/** Turns a body of three equal moments, 1 / `inverse`: its angular velocity stays the same. */
function turnBall(
  q: Float64Array,
  at: number,
  momenta: Float64Array,
  inverse: number,
  b: number,
  time: number,
) {
  const lx = momenta[b]!;
  const ly = momenta[b + 1]!;
  const lz = momenta[b + 2]!;
  const half = (time * inverse) / 2;
  const squared = half * half * (lx * lx + ly * ly + lz * lz);
  if (squared === 0) return;
  let s = half;
  let c = 1;
  if (squared < SMALL_ANGLE ** 2) {
    s *= 1 - (squared / 6) * (1 - (squared / 20) * (1 - squared / 42));
    c -= (squared / 2) * (1 - (squared / 12) * (1 - squared / 30));
  } else {
    const angle = Math.sqrt(squared);
    s *= Math.sin(angle) / angle;
    c = Math.cos(angle);
  }
  const x = q[at]!;
  const y = q[at + 1]!;
  const z = q[at + 2]!;
  const w = q[at + 3]!;
  // The turn in the world's axes, times q.
  const nx = c * x + s * (lx * w + ly * z - lz * y);
  const ny = c * y + s * (ly * w + lz * x - lx * z);
  const nz = c * z + s * (lz * w + lx * y - ly * x);
  const nw = c * w - s * (lx * x + ly * y + lz * z);
  const scale = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz + nw * nw);
  q[at] = nx * scale;
  q[at + 1] = ny * scale;
  q[at + 2] = nz * scale;
  q[at + 3] = nw * scale;
}

function turn(
  q: Float64Array,
  at: number,
  momenta: Float64Array,
  inverse: Float64Array,
  b: number,
  time: number,
) {
  let x = q[at]!;
  let y = q[at + 1]!;
  let z = q[at + 2]!;
  let w = q[at + 3]!;
  // Into the principal frame: the momentum turned by the conjugate.
  const lx = momenta[b]!;
  const ly = momenta[b + 1]!;
  const lz = momenta[b + 2]!;
  const tx = 2 * (z * ly - y * lz);
  const ty = 2 * (x * lz - z * lx);
  const tz = 2 * (y * lx - x * ly);
  let l1 = lx + w * tx + (z * ty - y * tz);
  let l2 = ly + w * ty + (x * tz - z * tx);
  let l3 = lz + w * tz + (y * tx - x * ty);
  for (let k = 0; k < 5; k++) {
    const axis = k < 3 ? k : 4 - k;
    const angle =
      (axis === 2 ? time : time / 2) * inverse[b + axis]! * (axis === 0 ? l1 : axis === 1 ? l2 : l3);
    const s = Math.sin(angle / 2);
    const c = Math.cos(angle / 2);
    const sine = 2 * s * c;
    const cosine = 1 - 2 * s * s;
    // q times the turn; the momentum turned back.
    if (axis === 0) {
      [x, y, z, w] = [c * x + s * w, c * y + s * z, c * z - s * y, c * w - s * x];
      [l2, l3] = [cosine * l2 + sine * l3, cosine * l3 - sine * l2];
    } else if (axis === 1) {
      [x, y, z, w] = [c * x - s * z, c * y + s * w, c * z + s * x, c * w - s * y];
      [l3, l1] = [cosine * l3 + sine * l1, cosine * l1 - sine * l3];
    } else {
      [x, y, z, w] = [c * x + s * y, c * y - s * x, c * z + s * w, c * w - s * z];
      [l1, l2] = [cosine * l1 + sine * l2, cosine * l2 - sine * l1];
    }
  }
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  q[at] = x / length;
  q[at + 1] = y / length;
  q[at + 2] = z / length;
  q[at + 3] = w / length;
}

/** Angular velocity of a body, in the world's axes, into `out`. */
export function angularVelocity(state: MotionState, inertia: Inertia, body: number, out: Float64Array): void {
  writeSpin(state, inertia, body, out, 0);
}

/** Angular velocities of all bodies, `[n * 3]`. */
export function angularVelocities(state: MotionState, inertia: Inertia, out: Float64Array): void {
  for (let body = 0; body < state.count; body++) writeSpin(state, inertia, body, out, 3 * body);
}

function writeSpin(
  { rotations: q, momenta }: MotionState,
  { inverseMoments, isDriven }: Inertia,
  body: number,
  out: Float64Array,
  at: number,
): void {
  const lx = momenta[3 * body]!;
  const ly = momenta[3 * body + 1]!;
  const lz = momenta[3 * body + 2]!;
  const i1 = isDriven[body] === 1 ? 1 : inverseMoments[3 * body]!;
  const i2 = isDriven[body] === 1 ? 1 : inverseMoments[3 * body + 1]!;
  const i3 = isDriven[body] === 1 ? 1 : inverseMoments[3 * body + 2]!;
  if (i1 === i2 && i1 === i3) {
    out[at] = i1 * lx;
    out[at + 1] = i1 * ly;
    out[at + 2] = i1 * lz;
    return;
  }
  const x = q[4 * body]!;
  const y = q[4 * body + 1]!;
  const z = q[4 * body + 2]!;
  const w = q[4 * body + 3]!;
  const tx = 2 * (z * ly - y * lz);
  const ty = 2 * (x * lz - z * lx);
  const tz = 2 * (y * lx - x * ly);
  const ax = (lx + w * tx + (z * ty - y * tz)) * i1;
  const ay = (ly + w * ty + (x * tz - z * tx)) * i2;
  const az = (lz + w * tz + (y * tx - x * ty)) * i3;
  const sx = 2 * (y * az - z * ay);
  const sy = 2 * (z * ax - x * az);
  const sz = 2 * (x * ay - y * ax);
  out[at] = ax + w * sx + (y * sz - z * sy);
  out[at + 1] = ay + w * sy + (z * sx - x * sz);
  out[at + 2] = az + w * sz + (x * sy - y * sx);
}

const spin = new Float64Array(3);

/** Of a body that forces move; of others 0. */
export function kineticEnergy(state: MotionState, inertia: Inertia, body: number): number {
  const inverse = inertia.inverseMasses[body]!;
  if (inverse === 0) return 0;
  angularVelocity(state, inertia, body, spin);
  let twice = 0;
  for (let k = 0; k < 3; k++) {
    twice += state.velocities[3 * body + k]! ** 2 / inverse + state.momenta[3 * body + k]! * spin[k]!;
  }
  return twice / 2;
}

/** Room of `placeBody`: views of arrays of millions of bodies would take seconds. */
const room = { turn: quatd.create(), arm: vec3d.create(), principal: quatd.create() };

/**
 * Puts a body where its shape's frame has this pose.
 *
 * @param at where the pose begins in `poses`
 */
export function placeBody(
  { positions, rotations }: MotionState,
  { centroids, principal }: BodyFrames,
  body: number,
  poses: Float64Array,
  at = 0,
): void {
  const { turn, arm, principal: own } = room;
  for (let k = 0; k < 4; k++) turn[k] = poses[at + 3 + k]!;
  quatd.normalize(turn, turn);
  for (let k = 0; k < 3; k++) arm[k] = centroids[3 * body + k]!;
  vec3d.transformQuat(arm, turn, arm);
  for (let k = 0; k < 3; k++) positions[3 * body + k] = poses[at + k]! + arm[k]!;
  for (let k = 0; k < 4; k++) own[k] = principal[4 * body + k]!;
  quatd.normalize(quatd.multiply(turn, own, own), own);
  for (let k = 0; k < 4; k++) rotations[4 * body + k] = own[k]!;
}

/** Poses of the shapes' frames: `[n * 7]`. */
export function writePoses(
  state: MotionState,
  { centroids, principal: p }: BodyFrames,
  poses: Float64Array,
): void {
  const { positions, rotations: q } = state;
  for (let body = 0; body < state.count; body++) {
    const at = 4 * body;
    // The rotation, after the way back from the principal frame to the shape's.
    const ax = q[at]!;
    const ay = q[at + 1]!;
    const az = q[at + 2]!;
    const aw = q[at + 3]!;
    const bx = -p[at]!;
    const by = -p[at + 1]!;
    const bz = -p[at + 2]!;
    const bw = p[at + 3]!;
    let x = ax * bw + aw * bx + ay * bz - az * by;
    let y = ay * bw + aw * by + az * bx - ax * bz;
    let z = az * bw + aw * bz + ax * by - ay * bx;
    let w = aw * bw - ax * bx - ay * by - az * bz;
    const length = Math.sqrt(x * x + y * y + z * z + w * w);
    x /= length;
    y /= length;
    z /= length;
    w /= length;
    const cx = centroids[3 * body]!;
    const cy = centroids[3 * body + 1]!;
    const cz = centroids[3 * body + 2]!;
    const ux = y * cz - z * cy;
    const uy = z * cx - x * cz;
    const uz = x * cy - y * cx;
    const to = 7 * body;
    poses[to] = positions[3 * body]! - (cx + 2 * (w * ux + (y * uz - z * uy)));
    poses[to + 1] = positions[3 * body + 1]! - (cy + 2 * (w * uy + (z * ux - x * uz)));
    poses[to + 2] = positions[3 * body + 2]! - (cz + 2 * (w * uz + (x * uy - y * ux)));
    poses[to + 3] = x;
    poses[to + 4] = y;
    poses[to + 5] = z;
    poses[to + 6] = w;
  }
}

/** Angular momentum of a body that turns with this angular velocity, in the world's axes. */
export function setAngularVelocity(
  state: MotionState,
  { inverseMoments }: Inertia,
  body: number,
  velocity: Float64Array,
): void {
  if (inverseMoments[3 * body] === 0) {
    state.momenta.set(velocity, 3 * body);
    return;
  }
  const rotation = state.rotations.subarray(4 * body, 4 * body + 4);
  const own = vec3d.transformQuat(velocity, quatd.conjugate(rotation));
  for (let k = 0; k < 3; k++) own[k]! /= inverseMoments[3 * body + k]!;
  const momentum = vec3d.transformQuat(own, rotation);
  for (let k = 0; k < 3; k++) state.momenta[3 * body + k] = momentum[k]!;
}
