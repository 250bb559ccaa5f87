/** Bodies as impulses need them: angular velocities beside momenta, and inverse moments in the world. */
import { angularVelocity, BodyStatus, drift, type Inertia, type MotionState } from '../motion/motion.ts';

export class SolverBodies {
  readonly state: MotionState;
  readonly inertia: Inertia;
  /** `[n]`: 1 / mass; 0 for bodies that forces do not move, and for those that are not there. */
  readonly inverseMasses: Float64Array;
  /** `[n * 3]`: angular velocities, in the world's axes. */
  readonly spins: Float64Array;
  /** `[n * 3]` each: ways and turns since the step began. */
  readonly ways: Float64Array;
  readonly turns: Float64Array;
  /** `[n * 6]`: inverse moments in the world: xx, xy, xz, yy, yz, zz. */
  readonly #inverses: Float64Array;
  /** Of the body under way: principal frame to world, row by row, and its angular velocity. */
  readonly #rotation = new Float64Array(9);
  readonly #spin = new Float64Array(3);

  constructor(state: MotionState, inertia: Inertia) {
    const { count } = state;
    this.state = state;
    this.inertia = inertia;
    this.inverseMasses = new Float64Array(count);
    this.spins = new Float64Array(3 * count);
    this.ways = new Float64Array(3 * count);
    this.turns = new Float64Array(3 * count);
    this.#inverses = new Float64Array(6 * count);
  }

  /** Takes bodies over at the start of a step. */
  begin(statuses: Uint8Array): void {
    const { inverseMasses } = this.inertia;
    this.ways.fill(0);
    this.turns.fill(0);
    for (let body = 0; body < this.state.count; body++) {
      this.inverseMasses[body] = statuses[body] === BodyStatus.present ? inverseMasses[body]! : 0;
      if (this.inverseMasses[body] === 0) this.#inverses.fill(0, 6 * body, 6 * body + 6);
      this.#refresh(body);
    }
  }

  /**
   * Moves bodies on by `time`: driven ones evenly, as they move at the step's start.
   *
   * @param surfaceVelocities `[n * 3]`: what velocities of belts have that does not move them
   */
  drift(time: number, statuses: Uint8Array, surfaceVelocities: Float64Array): void {
    const { state, inertia, spins } = this;
    const { positions, velocities, rotations: q } = state;
    for (let body = 0; body < state.count; body++) {
      const isDriven = inertia.isDriven[body] === 1;
      if (!isDriven && this.inverseMasses[body] === 0) continue;
      for (let k = 3 * body; k < 3 * body + 3; k++) {
        const way = time * (isDriven ? velocities[k]! - surfaceVelocities[k]! : velocities[k]!);
        this.ways[k]! += way;
        this.turns[k]! += time * spins[k]!;
        if (isDriven) positions[k]! += way;
      }
      if (isDriven) turnBy(q, 4 * body, spins, 3 * body, time);
    }
    drift(state, inertia, time, statuses);
    for (let body = 0; body < state.count; body++) if (this.inverseMasses[body]! > 0) this.#refresh(body);
  }

  /** Rotation, inverse moments and angular velocity of a body. */
  #refresh(body: number): void {
    const { state, inertia } = this;
    if (this.inverseMasses[body] === 0) {
      angularVelocity(state, inertia, body, this.#spin);
      this.spins.set(this.#spin, 3 * body);
      return;
    }
    const r = this.#rotation;
    const q = state.rotations;
    const x = q[4 * body]!;
    const y = q[4 * body + 1]!;
    const z = q[4 * body + 2]!;
    const w = q[4 * body + 3]!;
    r[0] = 1 - 2 * (y * y + z * z);
    r[1] = 2 * (x * y - z * w);
    r[2] = 2 * (x * z + y * w);
    r[3] = 2 * (x * y + z * w);
    r[4] = 1 - 2 * (x * x + z * z);
    r[5] = 2 * (y * z - x * w);
    r[6] = 2 * (x * z - y * w);
    r[7] = 2 * (y * z + x * w);
    r[8] = 1 - 2 * (x * x + y * y);
    const i = this.#inverses;
    const a = inertia.inverseMoments[3 * body]!;
    const b = inertia.inverseMoments[3 * body + 1]!;
    const c = inertia.inverseMoments[3 * body + 2]!;
    let put = 6 * body;
    for (let m = 0; m < 3; m++) {
      for (let n = m; n < 3; n++) {
        i[put++] =
          a * r[3 * m]! * r[3 * n]! + b * r[3 * m + 1]! * r[3 * n + 1]! + c * r[3 * m + 2]! * r[3 * n + 2]!;
      }
    }
    const l = state.momenta;
    this.spins[3 * body] = 0;
    this.spins[3 * body + 1] = 0;
    this.spins[3 * body + 2] = 0;
    this.#turnOn(body, l[3 * body]!, l[3 * body + 1]!, l[3 * body + 2]!);
  }

  /** Adds to an angular velocity what this angular momentum makes. @returns both, multiplied */
  #turnOn(body: number, x: number, y: number, z: number): number {
    const { spins } = this;
    const i = this.#inverses;
    const at = 6 * body;
    const wx = i[at]! * x + i[at + 1]! * y + i[at + 2]! * z;
    const wy = i[at + 1]! * x + i[at + 3]! * y + i[at + 4]! * z;
    const wz = i[at + 2]! * x + i[at + 4]! * y + i[at + 5]! * z;
    spins[3 * body]! += wx;
    spins[3 * body + 1]! += wy;
    spins[3 * body + 2]! += wz;
    return wx * x + wy * y + wz * z;
  }

  /**
   * Gives a body an impulse at an arm from its centroid.
   *
   * @returns the impulse times the change of speed that it makes there
   */
  push(body: number, rx: number, ry: number, rz: number, px: number, py: number, pz: number): number {
    const inverse = this.inverseMasses[body]!;
    if (inverse === 0) return 0;
    const { velocities, momenta } = this.state;
    velocities[3 * body]! += inverse * px;
    velocities[3 * body + 1]! += inverse * py;
    velocities[3 * body + 2]! += inverse * pz;
    const square = inverse * (px * px + py * py + pz * pz);
    const x = ry * pz - rz * py;
    const y = rz * px - rx * pz;
    const z = rx * py - ry * px;
    momenta[3 * body]! += x;
    momenta[3 * body + 1]! += y;
    momenta[3 * body + 2]! += z;
    return square + this.#turnOn(body, x, y, z);
  }

  /** Gives a body an angular impulse. @returns it times the change of angular velocity that it makes */
  twist(body: number, x: number, y: number, z: number): number {
    if (this.inverseMasses[body] === 0) return 0;
    const { momenta } = this.state;
    momenta[3 * body]! += x;
    momenta[3 * body + 1]! += y;
    momenta[3 * body + 2]! += z;
    return this.#turnOn(body, x, y, z);
  }

  /** Change of the speed along a unit vector, at an arm, that a unit impulse along it makes. */
  softness(body: number, rx: number, ry: number, rz: number, nx: number, ny: number, nz: number): number {
    const x = ry * nz - rz * ny;
    const y = rz * nx - rx * nz;
    const z = rx * ny - ry * nx;
    const inverse = this.inverseMasses[body]!;
    return inverse === 0 ? 0 : inverse + this.turnSoftness(body, x, y, z);
  }

  /** The same of turning about an axis. */
  turnSoftness(body: number, x: number, y: number, z: number): number {
    const i = this.#inverses;
    const at = 6 * body;
    return (
      x * (i[at]! * x + 2 * (i[at + 1]! * y + i[at + 2]! * z)) +
      y * (i[at + 3]! * y + 2 * i[at + 4]! * z) +
      z * i[at + 5]! * z
    );
  }
}

/** Turns a unit quaternion by an angular velocity in the world. */
function turnBy(q: Float64Array, at: number, spins: Float64Array, s: number, time: number): void {
  const speed = Math.hypot(spins[s]!, spins[s + 1]!, spins[s + 2]!);
  if (speed === 0) return;
  const sine = Math.sin((speed * time) / 2) / speed;
  const c = Math.cos((speed * time) / 2);
  const [a, b, d] = [sine * spins[s]!, sine * spins[s + 1]!, sine * spins[s + 2]!];
  const [x, y, z, w] = [q[at]!, q[at + 1]!, q[at + 2]!, q[at + 3]!];
  q[at] = c * x + a * w + b * z - d * y;
  q[at + 1] = c * y + b * w + d * x - a * z;
  q[at + 2] = c * z + d * w + a * y - b * x;
  q[at + 3] = c * w - a * x - b * y - d * z;
}
