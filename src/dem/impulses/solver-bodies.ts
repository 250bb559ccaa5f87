/** Bodies as impulses need them: angular velocities beside momenta, and inverse moments in the world. */
import { angularVelocities, BodyStatus, drift, type Inertia, type MotionState } from '../motion/motion.ts';

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
  /** `[n * 6]`: inverse moments in the world: xx, xy, xz, yy, yz, zz; 0 where `inverseMasses` is. */
  readonly inverses: Float64Array;

  constructor(state: MotionState, inertia: Inertia) {
    const { count } = state;
    this.state = state;
    this.inertia = inertia;
    this.inverseMasses = new Float64Array(count);
    this.spins = new Float64Array(3 * count);
    this.ways = new Float64Array(3 * count);
    this.turns = new Float64Array(3 * count);
    this.inverses = new Float64Array(6 * count);
  }

  /** Takes bodies over at the start of a step. */
  begin(statuses: Uint8Array): void {
    const { inverseMasses } = this.inertia;
    this.ways.fill(0);
    this.turns.fill(0);
    for (let body = 0; body < this.state.count; body++) {
      this.inverseMasses[body] = statuses[body] === BodyStatus.present ? inverseMasses[body]! : 0;
      if (this.inverseMasses[body] === 0) this.inverses.fill(0, 6 * body, 6 * body + 6);
    }
    this.#turn();
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
    this.#turn();
  }

  /** Angular velocities and inverse moments of bodies as they lie. */
  #turn(): void {
    const { state, inertia, inverses: i } = this;
    const { rotations: q } = state;
    angularVelocities(state, inertia, this.spins);
    for (let body = 0; body < state.count; body++) {
      if (this.inverseMasses[body] === 0) continue;
      const a = inertia.inverseMoments[3 * body]!;
      const b = inertia.inverseMoments[3 * body + 1]!;
      const c = inertia.inverseMoments[3 * body + 2]!;
      const x = q[4 * body]!;
      const y = q[4 * body + 1]!;
      const z = q[4 * body + 2]!;
      const w = q[4 * body + 3]!;
      // Principal frame to world, row by row.
      const r0 = 1 - 2 * (y * y + z * z);
      const r1 = 2 * (x * y - z * w);
      const r2 = 2 * (x * z + y * w);
      const r3 = 2 * (x * y + z * w);
      const r4 = 1 - 2 * (x * x + z * z);
      const r5 = 2 * (y * z - x * w);
      const r6 = 2 * (x * z - y * w);
      const r7 = 2 * (y * z + x * w);
      const r8 = 1 - 2 * (x * x + y * y);
      const at = 6 * body;
      i[at] = a * r0 * r0 + b * r1 * r1 + c * r2 * r2;
      i[at + 1] = a * r0 * r3 + b * r1 * r4 + c * r2 * r5;
      i[at + 2] = a * r0 * r6 + b * r1 * r7 + c * r2 * r8;
      i[at + 3] = a * r3 * r3 + b * r4 * r4 + c * r5 * r5;
      i[at + 4] = a * r3 * r6 + b * r4 * r7 + c * r5 * r8;
      i[at + 5] = a * r6 * r6 + b * r7 * r7 + c * r8 * r8;
    }
  }

  /** Gives a body an angular impulse. @returns it times the change of angular velocity that it makes */
  twist(body: number, x: number, y: number, z: number): number {
    if (this.inverseMasses[body] === 0) return 0;
    const { spins, inverses: i } = this;
    const { momenta } = this.state;
    const at = 6 * body;
    const wx = i[at]! * x + i[at + 1]! * y + i[at + 2]! * z;
    const wy = i[at + 1]! * x + i[at + 3]! * y + i[at + 4]! * z;
    const wz = i[at + 2]! * x + i[at + 4]! * y + i[at + 5]! * z;
    momenta[3 * body]! += x;
    momenta[3 * body + 1]! += y;
    momenta[3 * body + 2]! += z;
    spins[3 * body]! += wx;
    spins[3 * body + 1]! += wy;
    spins[3 * body + 2]! += wz;
    return wx * x + wy * y + wz * z;
  }

  /** Change of the angular velocity about an axis that a unit angular impulse about it makes. */
  turnSoftness(body: number, x: number, y: number, z: number): number {
    const i = this.inverses;
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
