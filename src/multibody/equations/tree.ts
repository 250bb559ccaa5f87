/**
 * A tree of frames that move against each other, one freedom each: places, speeds and accelerations by a pass from the
 * root, forces by a pass back, both in time proportional to frames (Neumayr and Otter 2019, section 4.3.3). All frames
 * are parallel to the world where coordinates are 0.
 */
import type { Matrix3, Vector3 } from '../../mesh/mass-properties.ts';
import { type Freedom, RATES } from '../joints/joint-kinds.ts';

const KINDS = { rotate: 0, slide: 1, ball: 2, shift: 3 } as const;

export interface FrameMass {
  readonly mass: number;
  /** From the frame's origin, in its axes. */
  readonly centroid: Vector3;
  /** About the centroid, in the frame's axes. */
  readonly inertia: Matrix3;
}

export interface FrameSpec {
  /** An earlier frame; -1 is the world. */
  readonly parent: number;
  /** Of the origin where the coordinates are 0, in the parent's frame. */
  readonly offset: Vector3;
  readonly freedom: Freedom;
  readonly mass?: FrameMass | undefined;
}

/** A point or a force acts on a frame; -1 is the world. */
export class FrameTree {
  readonly count: number;
  /** Coordinates and rates. */
  readonly coordinates: number;
  readonly rates: number;
  /** `[count]`: first coordinate and first rate of each frame. */
  readonly coordinateOf: Int32Array;
  readonly rateOf: Int32Array;
  /** Frames with a quaternion. */
  readonly balls: readonly number[];
  readonly #kinds: Uint8Array;
  readonly #parents: Int32Array;
  readonly #offsets: Float64Array;
  readonly #axes: Float64Array;
  readonly #masses: Float64Array;
  readonly #centroids: Float64Array;
  readonly #inertias: Float64Array;
  readonly #gravity: Vector3;
  /** `[count * 9]`, rows: frame to world. `[count * 3]`: origins, and all that follows, in the world. */
  readonly rotations: Float64Array;
  readonly origins: Float64Array;
  readonly velocities: Float64Array;
  readonly spins: Float64Array;
  readonly accelerations: Float64Array;
  readonly spinRates: Float64Array;
  /** Axes of freedoms in the world. */
  readonly #directions: Float64Array;
  /** Sums of the pass back: force, and torque about the origin. */
  readonly forces: Float64Array;
  readonly torques: Float64Array;

  constructor(frames: readonly FrameSpec[], gravity: Vector3) {
    const count = frames.length;
    this.count = count;
    this.#gravity = gravity;
    this.#kinds = Uint8Array.from(frames, ({ freedom }) => KINDS[freedom.kind]);
    this.#parents = Int32Array.from(frames, ({ parent }) => parent);
    this.#offsets = Float64Array.from(frames.flatMap(({ offset }) => offset));
    this.#axes = Float64Array.from(
      frames.flatMap(({ freedom }) => ('axis' in freedom ? freedom.axis : [0, 0, 0])),
    );
    this.#masses = Float64Array.from(frames, ({ mass }) => mass?.mass ?? 0);
    this.#centroids = Float64Array.from(frames.flatMap(({ mass }) => mass?.centroid ?? [0, 0, 0]));
    this.#inertias = Float64Array.from(
      frames.flatMap(({ mass }) => mass?.inertia.flat() ?? new Array<number>(9).fill(0)),
    );
    this.coordinateOf = new Int32Array(count);
    this.rateOf = new Int32Array(count);
    let [coordinates, rates] = [0, 0];
    const balls: number[] = [];
    frames.forEach(({ freedom }, i) => {
      this.coordinateOf[i] = coordinates;
      this.rateOf[i] = rates;
      rates += RATES[freedom.kind];
      coordinates += RATES[freedom.kind] + (freedom.kind === 'ball' ? 1 : 0);
      if (freedom.kind === 'ball') balls.push(i);
    });
    [this.coordinates, this.rates, this.balls] = [coordinates, rates, balls];
    const room = (size: number) => new Float64Array(size * count);
    this.rotations = room(9);
    [this.origins, this.velocities, this.spins] = [room(3), room(3), room(3)];
    [this.accelerations, this.spinRates, this.#directions] = [room(3), room(3), room(3)];
    [this.forces, this.torques] = [room(3), room(3)];
  }

  /** The frame that a frame moves against; -1 is the world. */
  parentOf(frame: number): number {
    return this.#parents[frame]!;
  }

  /** Coordinates where all frames are parallel to the world: quaternions are 0, 0, 0, 1. */
  zero(): Float64Array {
    const q = new Float64Array(this.coordinates);
    for (const ball of this.balls) q[this.coordinateOf[ball]! + 3] = 1;
    return q;
  }

  /** Rates of coordinates as angular and other velocities, `[rates]`. */
  ratesOf(q: Float64Array, qRates: Float64Array, out: Float64Array): void {
    for (let i = 0; i < this.count; i++) {
      const [c, r] = [this.coordinateOf[i]!, this.rateOf[i]!];
      const kind = this.#kinds[i];
      if (kind === KINDS.ball) {
        const [x, y, z, w] = [q[c]!, q[c + 1]!, q[c + 2]!, q[c + 3]!];
        const [dx, dy, dz, dw] = [qRates[c]!, qRates[c + 1]!, qRates[c + 2]!, qRates[c + 3]!];
        const twice = 2 / (x * x + y * y + z * z + w * w);
        out[r] = twice * (w * dx - x * dw - y * dz + z * dy);
        out[r + 1] = twice * (w * dy - y * dw - z * dx + x * dz);
        out[r + 2] = twice * (w * dz - z * dw - x * dy + y * dx);
      } else {
        const most = kind === KINDS.shift ? 3 : 1;
        for (let k = 0; k < most; k++) out[r + k] = qRates[c + k]!;
      }
    }
  }

  /** Moves coordinates on by rates times 1: quaternions turn, and keep their length. */
  move(q: Float64Array, by: Float64Array): void {
    for (let i = 0; i < this.count; i++) {
      const [c, r] = [this.coordinateOf[i]!, this.rateOf[i]!];
      const kind = this.#kinds[i];
      if (kind === KINDS.ball) {
        const angle = Math.hypot(by[r]!, by[r + 1]!, by[r + 2]!);
        const s = angle > 0 ? Math.sin(angle / 2) / angle : 0.5;
        const [a, b, d, e] = [s * by[r]!, s * by[r + 1]!, s * by[r + 2]!, Math.cos(angle / 2)];
        const [x, y, z, w] = [q[c]!, q[c + 1]!, q[c + 2]!, q[c + 3]!];
        const turned = [
          x * e + w * a + y * d - z * b,
          y * e + w * b + z * a - x * d,
          z * e + w * d + x * b - y * a,
          w * e - x * a - y * b - z * d,
        ];
        const length = Math.hypot(...turned);
        for (let k = 0; k < 4; k++) q[c + k] = turned[k]! / length;
      } else {
        const most = kind === KINDS.shift ? 3 : 1;
        for (let k = 0; k < most; k++) q[c + k]! += by[r + k]!;
      }
    }
  }

  /**
   * Places all frames, with their speeds and accelerations.
   *
   * @param y coordinates, and behind them rates
   * @param changes rates of change of `y`. Default: rates do not change
   */
  forward(y: Float64Array, changes?: Float64Array): void {
    const { rotations: R, origins: p, velocities, spins, accelerations, spinRates } = this;
    const directions = this.#directions;
    for (let i = 0; i < this.count; i++) {
      const parent = this.#parents[i]!;
      const c = this.coordinateOf[i]!;
      const r = this.coordinates + this.rateOf[i]!;
      const kind = this.#kinds[i]!;
      const [i3, i9, p3, p9] = [3 * i, 9 * i, 3 * parent, 9 * parent];
      const isRoot = parent < 0;
      // The parent's rotation, row by row.
      const a0 = isRoot ? 1 : R[p9]!;
      const a1 = isRoot ? 0 : R[p9 + 1]!;
      const a2 = isRoot ? 0 : R[p9 + 2]!;
      const a3 = isRoot ? 0 : R[p9 + 3]!;
      const a4 = isRoot ? 1 : R[p9 + 4]!;
      const a5 = isRoot ? 0 : R[p9 + 5]!;
      const a6 = isRoot ? 0 : R[p9 + 6]!;
      const a7 = isRoot ? 0 : R[p9 + 7]!;
      const a8 = isRoot ? 1 : R[p9 + 8]!;
      const wx = isRoot ? 0 : spins[p3]!;
      const wy = isRoot ? 0 : spins[p3 + 1]!;
      const wz = isRoot ? 0 : spins[p3 + 2]!;
      const ex = isRoot ? 0 : spinRates[p3]!;
      const ey = isRoot ? 0 : spinRates[p3 + 1]!;
      const ez = isRoot ? 0 : spinRates[p3 + 2]!;
      let ox = this.#offsets[i3]!;
      let oy = this.#offsets[i3 + 1]!;
      let oz = this.#offsets[i3 + 2]!;
      // The freedom's axis in the world, and its speed and acceleration.
      const [kx, ky, kz] = [this.#axes[i3]!, this.#axes[i3 + 1]!, this.#axes[i3 + 2]!];
      const ux = a0 * kx + a1 * ky + a2 * kz;
      const uy = a3 * kx + a4 * ky + a5 * kz;
      const uz = a6 * kx + a7 * ky + a8 * kz;
      directions[i3] = ux;
      directions[i3 + 1] = uy;
      directions[i3 + 2] = uz;
      if (kind === KINDS.slide) {
        const way = y[c]!;
        ox += kx * way;
        oy += ky * way;
        oz += kz * way;
      } else if (kind === KINDS.shift) {
        ox += y[c]!;
        oy += y[c + 1]!;
        oz += y[c + 2]!;
      }
      const rx = a0 * ox + a1 * oy + a2 * oz;
      const ry = a3 * ox + a4 * oy + a5 * oz;
      const rz = a6 * ox + a7 * oy + a8 * oz;
      // Speed of the place that moves along with the parent, and its acceleration.
      let vx = wy * rz - wz * ry;
      let vy = wz * rx - wx * rz;
      let vz = wx * ry - wy * rx;
      let ax = ey * rz - ez * ry + wy * vz - wz * vy;
      let ay = ez * rx - ex * rz + wz * vx - wx * vz;
      let az = ex * ry - ey * rx + wx * vy - wy * vx;
      if (isRoot) {
        p[i3] = rx;
        p[i3 + 1] = ry;
        p[i3 + 2] = rz;
      } else {
        p[i3] = p[p3]! + rx;
        p[i3 + 1] = p[p3 + 1]! + ry;
        p[i3 + 2] = p[p3 + 2]! + rz;
        vx += velocities[p3]!;
        vy += velocities[p3 + 1]!;
        vz += velocities[p3 + 2]!;
        ax += accelerations[p3]!;
        ay += accelerations[p3 + 1]!;
        az += accelerations[p3 + 2]!;
      }
      let [sx, sy, sz] = [wx, wy, wz];
      let [fx, fy, fz] = [ex, ey, ez];
      if (kind === KINDS.rotate) {
        const angle = y[c]!;
        const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
        const t = 1 - cos;
        // Rodrigues: rows of the turn about the axis.
        const b0 = cos + t * kx * kx;
        const b1 = t * kx * ky - sin * kz;
        const b2 = t * kx * kz + sin * ky;
        const b3 = t * kx * ky + sin * kz;
        const b4 = cos + t * ky * ky;
        const b5 = t * ky * kz - sin * kx;
        const b6 = t * kx * kz - sin * ky;
        const b7 = t * ky * kz + sin * kx;
        const b8 = cos + t * kz * kz;
        R[i9] = a0 * b0 + a1 * b3 + a2 * b6;
        R[i9 + 1] = a0 * b1 + a1 * b4 + a2 * b7;
        R[i9 + 2] = a0 * b2 + a1 * b5 + a2 * b8;
        R[i9 + 3] = a3 * b0 + a4 * b3 + a5 * b6;
        R[i9 + 4] = a3 * b1 + a4 * b4 + a5 * b7;
        R[i9 + 5] = a3 * b2 + a4 * b5 + a5 * b8;
        R[i9 + 6] = a6 * b0 + a7 * b3 + a8 * b6;
        R[i9 + 7] = a6 * b1 + a7 * b4 + a8 * b7;
        R[i9 + 8] = a6 * b2 + a7 * b5 + a8 * b8;
        const rate = y[r]!;
        const change = changes === undefined ? 0 : changes[r]!;
        sx += ux * rate;
        sy += uy * rate;
        sz += uz * rate;
        fx += ux * change + (wy * uz - wz * uy) * rate;
        fy += uy * change + (wz * ux - wx * uz) * rate;
        fz += uz * change + (wx * uy - wy * ux) * rate;
      } else if (kind === KINDS.ball) {
        const [qx, qy, qz, qw] = [y[c]!, y[c + 1]!, y[c + 2]!, y[c + 3]!];
        const s = 2 / (qx * qx + qy * qy + qz * qz + qw * qw);
        const b0 = 1 - s * (qy * qy + qz * qz);
        const b1 = s * (qx * qy - qw * qz);
        const b2 = s * (qx * qz + qw * qy);
        const b3 = s * (qx * qy + qw * qz);
        const b4 = 1 - s * (qx * qx + qz * qz);
        const b5 = s * (qy * qz - qw * qx);
        const b6 = s * (qx * qz - qw * qy);
        const b7 = s * (qy * qz + qw * qx);
        const b8 = 1 - s * (qx * qx + qy * qy);
        const c0 = (R[i9] = a0 * b0 + a1 * b3 + a2 * b6);
        const c1 = (R[i9 + 1] = a0 * b1 + a1 * b4 + a2 * b7);
        const c2 = (R[i9 + 2] = a0 * b2 + a1 * b5 + a2 * b8);
        const c3 = (R[i9 + 3] = a3 * b0 + a4 * b3 + a5 * b6);
        const c4 = (R[i9 + 4] = a3 * b1 + a4 * b4 + a5 * b7);
        const c5 = (R[i9 + 5] = a3 * b2 + a4 * b5 + a5 * b8);
        const c6 = (R[i9 + 6] = a6 * b0 + a7 * b3 + a8 * b6);
        const c7 = (R[i9 + 7] = a6 * b1 + a7 * b4 + a8 * b7);
        const c8 = (R[i9 + 8] = a6 * b2 + a7 * b5 + a8 * b8);
        const [v0, v1, v2] = [y[r]!, y[r + 1]!, y[r + 2]!];
        const dx = c0 * v0 + c1 * v1 + c2 * v2;
        const dy = c3 * v0 + c4 * v1 + c5 * v2;
        const dz = c6 * v0 + c7 * v1 + c8 * v2;
        sx += dx;
        sy += dy;
        sz += dz;
        fx += wy * dz - wz * dy;
        fy += wz * dx - wx * dz;
        fz += wx * dy - wy * dx;
        if (changes !== undefined) {
          const [e0, e1, e2] = [changes[r]!, changes[r + 1]!, changes[r + 2]!];
          fx += c0 * e0 + c1 * e1 + c2 * e2;
          fy += c3 * e0 + c4 * e1 + c5 * e2;
          fz += c6 * e0 + c7 * e1 + c8 * e2;
        }
      } else {
        R[i9] = a0;
        R[i9 + 1] = a1;
        R[i9 + 2] = a2;
        R[i9 + 3] = a3;
        R[i9 + 4] = a4;
        R[i9 + 5] = a5;
        R[i9 + 6] = a6;
        R[i9 + 7] = a7;
        R[i9 + 8] = a8;
        let [dx, dy, dz] = [0, 0, 0];
        let [gx, gy, gz] = [0, 0, 0];
        if (kind === KINDS.slide) {
          const rate = y[r]!;
          const change = changes === undefined ? 0 : changes[r]!;
          [dx, dy, dz] = [ux * rate, uy * rate, uz * rate];
          [gx, gy, gz] = [ux * change, uy * change, uz * change];
        } else {
          const [v0, v1, v2] = [y[r]!, y[r + 1]!, y[r + 2]!];
          dx = a0 * v0 + a1 * v1 + a2 * v2;
          dy = a3 * v0 + a4 * v1 + a5 * v2;
          dz = a6 * v0 + a7 * v1 + a8 * v2;
          if (changes !== undefined) {
            const [e0, e1, e2] = [changes[r]!, changes[r + 1]!, changes[r + 2]!];
            gx = a0 * e0 + a1 * e1 + a2 * e2;
            gy = a3 * e0 + a4 * e1 + a5 * e2;
            gz = a6 * e0 + a7 * e1 + a8 * e2;
          }
        }
        vx += dx;
        vy += dy;
        vz += dz;
        ax += gx + 2 * (wy * dz - wz * dy);
        ay += gy + 2 * (wz * dx - wx * dz);
        az += gz + 2 * (wx * dy - wy * dx);
      }
      velocities[i3] = vx;
      velocities[i3 + 1] = vy;
      velocities[i3 + 2] = vz;
      spins[i3] = sx;
      spins[i3 + 1] = sy;
      spins[i3 + 2] = sz;
      accelerations[i3] = ax;
      accelerations[i3 + 1] = ay;
      accelerations[i3 + 2] = az;
      spinRates[i3] = fx;
      spinRates[i3 + 1] = fy;
      spinRates[i3 + 2] = fz;
    }
  }

  /** Empties the sums of forces. */
  clear(): void {
    const { forces, torques } = this;
    // Faster than a call of fill where frames are few.
    for (let i = 0; i < forces.length; i++) {
      forces[i] = 0;
      torques[i] = 0;
    }
  }

  /** Adds what it takes to accelerate masses as `forward` found, less their weight. */
  addInertia(): void {
    const { rotations: R, forces, torques, accelerations, spins, spinRates } = this;
    const [g0, g1, g2] = this.#gravity;
    const inertia = this.#inertias;
    for (let i = 0; i < this.count; i++) {
      const mass = this.#masses[i]!;
      if (mass === 0) continue;
      const [i3, i9] = [3 * i, 9 * i];
      const [r0, r1, r2] = [R[i9]!, R[i9 + 1]!, R[i9 + 2]!];
      const [r3, r4, r5] = [R[i9 + 3]!, R[i9 + 4]!, R[i9 + 5]!];
      const [r6, r7, r8] = [R[i9 + 6]!, R[i9 + 7]!, R[i9 + 8]!];
      const [x, y, z] = [this.#centroids[i3]!, this.#centroids[i3 + 1]!, this.#centroids[i3 + 2]!];
      const cx = r0 * x + r1 * y + r2 * z;
      const cy = r3 * x + r4 * y + r5 * z;
      const cz = r6 * x + r7 * y + r8 * z;
      const [wx, wy, wz] = [spins[i3]!, spins[i3 + 1]!, spins[i3 + 2]!];
      const [ex, ey, ez] = [spinRates[i3]!, spinRates[i3 + 1]!, spinRates[i3 + 2]!];
      const vx = wy * cz - wz * cy;
      const vy = wz * cx - wx * cz;
      const vz = wx * cy - wy * cx;
      const fx = mass * (accelerations[i3]! + ey * cz - ez * cy + wy * vz - wz * vy - g0);
      const fy = mass * (accelerations[i3 + 1]! + ez * cx - ex * cz + wz * vx - wx * vz - g1);
      const fz = mass * (accelerations[i3 + 2]! + ex * cy - ey * cx + wx * vy - wy * vx - g2);
      // In the frame's axes, where the tensor stays.
      const w0 = r0 * wx + r3 * wy + r6 * wz;
      const w1 = r1 * wx + r4 * wy + r7 * wz;
      const w2 = r2 * wx + r5 * wy + r8 * wz;
      const e0 = r0 * ex + r3 * ey + r6 * ez;
      const e1 = r1 * ex + r4 * ey + r7 * ez;
      const e2 = r2 * ex + r5 * ey + r8 * ez;
      const l0 = inertia[i9]! * w0 + inertia[i9 + 1]! * w1 + inertia[i9 + 2]! * w2;
      const l1 = inertia[i9 + 3]! * w0 + inertia[i9 + 4]! * w1 + inertia[i9 + 5]! * w2;
      const l2 = inertia[i9 + 6]! * w0 + inertia[i9 + 7]! * w1 + inertia[i9 + 8]! * w2;
      const t0 = inertia[i9]! * e0 + inertia[i9 + 1]! * e1 + inertia[i9 + 2]! * e2 + w1 * l2 - w2 * l1;
      const t1 = inertia[i9 + 3]! * e0 + inertia[i9 + 4]! * e1 + inertia[i9 + 5]! * e2 + w2 * l0 - w0 * l2;
      const t2 = inertia[i9 + 6]! * e0 + inertia[i9 + 7]! * e1 + inertia[i9 + 8]! * e2 + w0 * l1 - w1 * l0;
      forces[i3]! += fx;
      forces[i3 + 1]! += fy;
      forces[i3 + 2]! += fz;
      torques[i3]! += r0 * t0 + r1 * t1 + r2 * t2 + cy * fz - cz * fy;
      torques[i3 + 1]! += r3 * t0 + r4 * t1 + r5 * t2 + cz * fx - cx * fz;
      torques[i3 + 2]! += r6 * t0 + r7 * t1 + r8 * t2 + cx * fy - cy * fx;
    }
  }

  /** Adds a force at a point of the world to a frame. */
  addForce(frame: number, x: number, y: number, z: number, fx: number, fy: number, fz: number): void {
    if (frame < 0) return;
    const i = 3 * frame;
    const [rx, ry, rz] = [x - this.origins[i]!, y - this.origins[i + 1]!, z - this.origins[i + 2]!];
    this.forces[i]! += fx;
    this.forces[i + 1]! += fy;
    this.forces[i + 2]! += fz;
    this.torques[i]! += ry * fz - rz * fy;
    this.torques[i + 1]! += rz * fx - rx * fz;
    this.torques[i + 2]! += rx * fy - ry * fx;
  }

  addTorque(frame: number, x: number, y: number, z: number): void {
    if (frame < 0) return;
    const i = 3 * frame;
    this.torques[i]! += x;
    this.torques[i + 1]! += y;
    this.torques[i + 2]! += z;
  }

  /** Sums forces up towards the root, and adds what of them is along the freedoms. */
  backward(out: Float64Array, first = 0): void {
    const { rotations: R, origins: p, forces, torques } = this;
    const directions = this.#directions;
    for (let i = this.count - 1; i >= 0; i--) {
      const [i3, i9, parent] = [3 * i, 9 * i, this.#parents[i]!];
      const r = first + this.rateOf[i]!;
      const [fx, fy, fz] = [forces[i3]!, forces[i3 + 1]!, forces[i3 + 2]!];
      const [tx, ty, tz] = [torques[i3]!, torques[i3 + 1]!, torques[i3 + 2]!];
      switch (this.#kinds[i]) {
        case KINDS.rotate:
          out[r]! += directions[i3]! * tx + directions[i3 + 1]! * ty + directions[i3 + 2]! * tz;
          break;
        case KINDS.slide:
          out[r]! += directions[i3]! * fx + directions[i3 + 1]! * fy + directions[i3 + 2]! * fz;
          break;
        case KINDS.ball:
          for (let k = 0; k < 3; k++)
            out[r + k]! += R[i9 + k]! * tx + R[i9 + 3 + k]! * ty + R[i9 + 6 + k]! * tz;
          break;
        default:
          // Its own axes are the parent's.
          for (let k = 0; k < 3; k++)
            out[r + k]! += R[i9 + k]! * fx + R[i9 + 3 + k]! * fy + R[i9 + 6 + k]! * fz;
      }
      if (parent < 0) continue;
      const p3 = 3 * parent;
      const [x, y, z] = [p[i3]! - p[p3]!, p[i3 + 1]! - p[p3 + 1]!, p[i3 + 2]! - p[p3 + 2]!];
      forces[p3]! += fx;
      forces[p3 + 1]! += fy;
      forces[p3 + 2]! += fz;
      torques[p3]! += tx + y * fz - z * fy;
      torques[p3 + 1]! += ty + z * fx - x * fz;
      torques[p3 + 2]! += tz + x * fy - y * fx;
    }
  }

  /** A vector of a frame in the world. */
  direction(frame: number, [x, y, z]: ArrayLike<number> & Iterable<number>, out: Float64Array): Float64Array {
    if (frame < 0) {
      out[0] = x!;
      out[1] = y!;
      out[2] = z!;
      return out;
    }
    const { rotations: R } = this;
    const i = 9 * frame;
    for (let k = 0; k < 3; k++) out[k] = R[i + 3 * k]! * x! + R[i + 3 * k + 1]! * y! + R[i + 3 * k + 2]! * z!;
    return out;
  }

  /** A point of a frame in the world. */
  point(frame: number, at: ArrayLike<number> & Iterable<number>, out: Float64Array): Float64Array {
    this.direction(frame, at, out);
    if (frame >= 0) for (let k = 0; k < 3; k++) out[k]! += this.origins[3 * frame + k]!;
    return out;
  }

  /** The velocity of a point of the world that moves with a frame. */
  velocityAt(frame: number, point: Float64Array, out: Float64Array): Float64Array {
    if (frame < 0) return out.fill(0);
    const i = 3 * frame;
    const { origins: p, spins: w, velocities: v } = this;
    const [x, y, z] = [point[0]! - p[i]!, point[1]! - p[i + 1]!, point[2]! - p[i + 2]!];
    out[0] = v[i]! + w[i + 1]! * z - w[i + 2]! * y;
    out[1] = v[i + 1]! + w[i + 2]! * x - w[i]! * z;
    out[2] = v[i + 2]! + w[i]! * y - w[i + 1]! * x;
    return out;
  }

  /** The acceleration of a point of the world that moves with a frame. */
  accelerationAt(frame: number, point: Float64Array, out: Float64Array): Float64Array {
    if (frame < 0) return out.fill(0);
    const i = 3 * frame;
    const { origins: p, spins: w, accelerations: a, spinRates: e } = this;
    const [x, y, z] = [point[0]! - p[i]!, point[1]! - p[i + 1]!, point[2]! - p[i + 2]!];
    const [wx, wy, wz] = [w[i]!, w[i + 1]!, w[i + 2]!];
    const [vx, vy, vz] = [wy * z - wz * y, wz * x - wx * z, wx * y - wy * x];
    out[0] = a[i]! + e[i + 1]! * z - e[i + 2]! * y + wy * vz - wz * vy;
    out[1] = a[i + 1]! + e[i + 2]! * x - e[i]! * z + wz * vx - wx * vz;
    out[2] = a[i + 2]! + e[i]! * y - e[i + 1]! * x + wx * vy - wy * vx;
    return out;
  }
}
