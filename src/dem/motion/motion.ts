/**
 * How bodies move: velocity Verlet with the rotation of a free rigid body by splitting, in float64. Symplectic and
 * reversible. The twin of the kernels in shaders/dem/motion/.
 */
/** Whether a body of a simulation is there: what `Simulation.read('statuses')` gives of each. */
export const BodyStatus = {
  /** It appears later. */
  absent: 0,
  present: 1,
  removed: 2,
} as const;

/** Where bodies are and how they move. A body's frame here is that of its centroid and its principal axes. */
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

/** What does not change. */
export interface Inertia {
  /** `[n]`: 1 / mass; 0 for bodies that forces do not move. */
  readonly inverseMasses: Float64Array;
  /** `[n * 3]`: 1 / principal moments; 0 likewise. */
  readonly inverseMoments: Float64Array;
  /** `[n]`: 1 for bodies with a prescribed motion. */
  readonly isDriven: Uint8Array;
}

/** Forces and torques about the centroids, in the world's axes: `[n * 3]` each. */
export interface Loads {
  readonly forces: Float64Array;
  readonly torques: Float64Array;
}

/**
 * Changes velocities and angular momenta by `time` of the loads.
 *
 * @param statuses bodies that are not `present` stay as they are
 */
export function kick(
  state: MotionState,
  { inverseMasses }: Inertia,
  loads: Loads,
  time: number,
  statuses: Uint8Array,
): void {
  const { count, velocities, momenta } = state;
  for (let body = 0; body < count; body++) {
    const change = time * inverseMasses[body]!;
    if (change === 0 || statuses[body] !== BodyStatus.present) continue;
    for (let k = 3 * body; k < 3 * body + 3; k++) {
      velocities[k]! += change * loads.forces[k]!;
      momenta[k]! += time * loads.torques[k]!;
    }
  }
}

/**
 * Moves bodies on by `time`. A rotation is a product of turns about the principal axes 1, 2, 3, 2, 1, each with the
 * angular velocity L / I about its axis (A. Dullweber, B. Leimkuhler, R. McLachlan, "Symplectic splitting methods for
 * rigid body molecular dynamics", 1997). Angular momenta in the world do not change.
 *
 * @param statuses bodies that are not `present` stay as they are
 */
export function drift(
  state: MotionState,
  { inverseMasses, inverseMoments }: Inertia,
  time: number,
  statuses: Uint8Array,
): void {
  const { count, positions, velocities, rotations, momenta } = state;
  for (let body = 0; body < count; body++) {
    if (inverseMasses[body] === 0 || statuses[body] !== BodyStatus.present) continue;
    for (let k = 3 * body; k < 3 * body + 3; k++) positions[k]! += time * velocities[k]!;
    turn(rotations, 4 * body, momenta, inverseMoments, 3 * body, time);
  }
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
  const [lx, ly, lz] = [momenta[b]!, momenta[b + 1]!, momenta[b + 2]!];
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
export function angularVelocity(
  state: MotionState,
  { inverseMoments, isDriven }: Inertia,
  body: number,
  out: Float64Array,
): void {
  const { rotations: q, momenta } = state;
  if (isDriven[body] === 1) {
    for (let k = 0; k < 3; k++) out[k] = momenta[3 * body + k]!;
    return;
  }
  const [x, y, z, w] = [q[4 * body]!, q[4 * body + 1]!, q[4 * body + 2]!, q[4 * body + 3]!];
  const [lx, ly, lz] = [momenta[3 * body]!, momenta[3 * body + 1]!, momenta[3 * body + 2]!];
  const tx = 2 * (z * ly - y * lz);
  const ty = 2 * (x * lz - z * lx);
  const tz = 2 * (y * lx - x * ly);
  const ax = (lx + w * tx + (z * ty - y * tz)) * inverseMoments[3 * body]!;
  const ay = (ly + w * ty + (x * tz - z * tx)) * inverseMoments[3 * body + 1]!;
  const az = (lz + w * tz + (y * tx - x * ty)) * inverseMoments[3 * body + 2]!;
  const sx = 2 * (y * az - z * ay);
  const sy = 2 * (z * ax - x * az);
  const sz = 2 * (x * ay - y * ax);
  out[0] = ax + w * sx + (y * sz - z * sy);
  out[1] = ay + w * sy + (z * sx - x * sz);
  out[2] = az + w * sz + (x * sy - y * sx);
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
