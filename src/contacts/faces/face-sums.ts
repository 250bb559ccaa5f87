/** Three contacts carry the sums over the pieces of two surfaces that overlap. docs/contacts.md, "Faces". */
import type { ContactSink, FoundContact } from '../list/contact-sink.ts';
import { FIRST_AXIS_COSINE, LEAST_FORCE } from './constants.ts';

/** Places in `FaceSums.#sums`. */
const PRESSURE = 15;
const WORK = 16;
/** Contacts of a pair. */
const POINTS = 3;
/** (cos, sin) of their directions from the middle, times sqrt(2): as far as the second moments of three points ask. */
const CIRCLE = Float64Array.from({ length: 2 * POINTS }, (_, i) => {
  const angle = (2 * Math.PI * (i >> 1)) / POINTS;
  return Math.SQRT2 * (i % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
});

/**
 * Sums over pieces of area times depth: force and torque of a foundation with a stiffness of 1 per area, on B, and its
 * energy. Three contacts have exactly these: of equal depth, which is the mean over the pressure, and with the areas
 * that give the force. They stand around the middle of the pressure, as far as it spreads. So friction turns against
 * spin, and dashpots against rocking.
 */
export class FaceSums {
  /**
   * Force; torque about the origin; pressure times place; pressure times products xx, yy, zz, xy, yz, zx; pressure; and
   * twice the energy.
   */
  readonly #sums = new Float64Array(17);
  /** In A's frame: place, force, 6 numbers per contact. */
  readonly #points = new Float64Array(6 * POINTS);
  #depth = 0;

  clear(): void {
    this.#sums.fill(0);
  }

  /**
   * Adds a convex polygon.
   *
   * @param at `[count * 3]`: corners, on the inner side of a plane
   * @param planes from which `p` on the plane that is nearest stands: normal and offset
   * @param share what part of the foundation it stands for; below 0 where the force on B is against the normal
   */
  add(at: Float64Array, count: number, planes: Float64Array, p: number, share: number): void {
    const nx = planes[p]!;
    const ny = planes[p + 1]!;
    const nz = planes[p + 2]!;
    const h = planes[p + 3]!;
    const ax = at[0]!;
    const ay = at[1]!;
    const az = at[2]!;
    const depthOfA = h - (nx * ax + ny * ay + nz * az);
    let bx = at[3]!;
    let by = at[4]!;
    let bz = at[5]!;
    let depthOfB = h - (nx * bx + ny * by + nz * bz);
    const part = Math.abs(share) / 6;
    // Plain numbers: sums in arrays take three times as long.
    let force = 0;
    let work = 0;
    let fx = 0;
    let fy = 0;
    let fz = 0;
    let xx = 0;
    let yy = 0;
    let zz = 0;
    let xy = 0;
    let yz = 0;
    let zx = 0;
    for (let i = 2; i < count; i++) {
      const cx = at[3 * i]!;
      const cy = at[3 * i + 1]!;
      const cz = at[3 * i + 2]!;
      const depthOfC = h - (nx * cx + ny * cy + nz * cz);
      const ux = bx - ax;
      const uy = by - ay;
      const uz = bz - az;
      const vx = cx - ax;
      const vy = cy - ay;
      const vz = cz - az;
      const x = uy * vz - uz * vy;
      const y = uz * vx - ux * vz;
      const z = ux * vy - uy * vx;
      // A third of the triangle's area for the middle of each edge: AB, BC, CA.
      const area = part * Math.sqrt(x * x + y * y + z * z);
      for (let k = 0; k < 3; k++) {
        const mx = (k === 0 ? ax + bx : k === 1 ? bx + cx : cx + ax) / 2;
        const my = (k === 0 ? ay + by : k === 1 ? by + cy : cy + ay) / 2;
        const mz = (k === 0 ? az + bz : k === 1 ? bz + cz : cz + az) / 2;
        const depth =
          (k === 0 ? depthOfA + depthOfB : k === 1 ? depthOfB + depthOfC : depthOfC + depthOfA) / 2;
        if (depth <= 0) continue;
        const w = area * depth;
        force += w;
        work += w * depth;
        fx += w * mx;
        fy += w * my;
        fz += w * mz;
        xx += w * mx * mx;
        yy += w * my * my;
        zz += w * mz * mz;
        xy += w * mx * my;
        yz += w * my * mz;
        zx += w * mz * mx;
      }
      // Depth times a product is of third degree, which the middles miss by 9/40 of a third of the area times the sum
      // over corners of what is left less the means. Without it moments would jump with the corner that is first.
      const meanDepth = (depthOfA + depthOfB + depthOfC) / 3;
      const meanX = (ax + bx + cx) / 3;
      const meanY = (ay + by + cy) / 3;
      const meanZ = (az + bz + cz) / 3;
      for (let k = 0; k < 3; k++) {
        const w = (9 / 40) * area * ((k === 0 ? depthOfA : k === 1 ? depthOfB : depthOfC) - meanDepth);
        const dx = (k === 0 ? ax : k === 1 ? bx : cx) - meanX;
        const dy = (k === 0 ? ay : k === 1 ? by : cy) - meanY;
        const dz = (k === 0 ? az : k === 1 ? bz : cz) - meanZ;
        xx += w * dx * dx;
        yy += w * dy * dy;
        zz += w * dz * dz;
        xy += w * dx * dy;
        yz += w * dy * dz;
        zx += w * dz * dx;
      }
      bx = cx;
      by = cy;
      bz = cz;
      depthOfB = depthOfC;
    }
    const sums = this.#sums;
    const sign = Math.sign(share);
    sums[0]! += sign * force * nx;
    sums[1]! += sign * force * ny;
    sums[2]! += sign * force * nz;
    // All of it points one way: the torque is that at the middle of its pressure.
    sums[3]! += sign * (fy * nz - fz * ny);
    sums[4]! += sign * (fz * nx - fx * nz);
    sums[5]! += sign * (fx * ny - fy * nx);
    sums[6]! += fx;
    sums[7]! += fy;
    sums[8]! += fz;
    sums[9]! += xx;
    sums[10]! += yy;
    sums[11]! += zz;
    sums[12]! += xy;
    sums[13]! += yz;
    sums[14]! += zx;
    sums[PRESSURE]! += force;
    sums[WORK]! += work;
  }

  /** Makes the contacts. False if there is no pressure. @param axis becomes the direction of the force */
  finish(axis: Float64Array): boolean {
    const s = this.#sums;
    const w = s[PRESSURE]!;
    if (!(w > 0)) return false;
    let force = Math.sqrt(s[0]! * s[0]! + s[1]! * s[1]! + s[2]! * s[2]!);
    if (force < LEAST_FORCE * w) this.#pushLeast(force);
    force = Math.sqrt(s[0]! * s[0]! + s[1]! * s[1]! + s[2]! * s[2]!);
    const nx = s[0]! / force;
    const ny = s[1]! / force;
    const nz = s[2]! / force;
    axis[0] = nx;
    axis[1] = ny;
    axis[2] = nz;
    // The middle of the pressure; the torque about it.
    const x = s[6]! / w;
    const y = s[7]! / w;
    const z = s[8]! / w;
    const tx = s[3]! - (y * s[2]! - z * s[1]!);
    const ty = s[4]! - (z * s[0]! - x * s[2]!);
    const tz = s[5]! - (x * s[1]! - y * s[0]!);
    // About this place only the torque along the force is left.
    const px = x + (ny * tz - nz * ty) / force;
    const py = y + (nz * tx - nx * tz) / force;
    const pz = z + (nx * ty - ny * tx) / force;
    const twist = tx * nx + ty * ny + tz * nz;
    // Two directions across the force; the first one is fixed in A.
    const isSecond = Math.abs(nx) > FIRST_AXIS_COSINE;
    const out = isSecond ? ny : nx;
    let ux = (isSecond ? 0 : 1) - out * nx;
    let uy = (isSecond ? 1 : 0) - out * ny;
    let uz = -out * nz;
    const length = Math.sqrt(ux * ux + uy * uy + uz * uz);
    ux /= length;
    uy /= length;
    uz /= length;
    const vx = ny * uz - nz * uy;
    const vy = nz * ux - nx * uz;
    const vz = nx * uy - ny * ux;
    // Second moments of the pressure along both, and their root: (C + r 1) / t, r^2 = det C, t^2 = trace C + 2 r.
    const xx = s[9]! / w - x * x;
    const yy = s[10]! / w - y * y;
    const zz = s[11]! / w - z * z;
    const xy = s[12]! / w - x * y;
    const yz = s[13]! / w - y * z;
    const zx = s[14]! / w - z * x;
    const mux = xx * ux + xy * uy + zx * uz;
    const muy = xy * ux + yy * uy + yz * uz;
    const muz = zx * ux + yz * uy + zz * uz;
    const uu = Math.max(0, mux * ux + muy * uy + muz * uz);
    const uv = mux * vx + muy * vy + muz * vz;
    const vv = Math.max(
      0,
      (xx * vx + xy * vy + zx * vz) * vx +
        (xy * vx + yy * vy + yz * vz) * vy +
        (zx * vx + yz * vy + zz * vz) * vz,
    );
    const r = Math.sqrt(Math.max(0, uu * vv - uv * uv));
    const t = Math.sqrt(uu + vv + 2 * r);
    // Forces across, in proportion to the way from the middle, make the twist: their sum is 0.
    const spread = 2 * POINTS * ((uu + vv) / 2);
    const across = spread > 0 ? twist / spread : 0;
    let total = 0;
    for (let k = 0; k < POINTS; k++) {
      const c = CIRCLE[2 * k]!;
      const d = CIRCLE[2 * k + 1]!;
      const a = t > 0 ? ((uu + r) * c + uv * d) / t : 0;
      const b = t > 0 ? (uv * c + (vv + r) * d) / t : 0;
      const q = this.#points;
      const o = 6 * k;
      q[o] = px + a * ux + b * vx;
      q[o + 1] = py + a * uy + b * vy;
      q[o + 2] = pz + a * uz + b * vz;
      // n x (a u + b v) = a v - b u.
      q[o + 3] = s[0]! / POINTS + across * (a * vx - b * ux);
      q[o + 4] = s[1]! / POINTS + across * (a * vy - b * uy);
      q[o + 5] = s[2]! / POINTS + across * (a * vz - b * uz);
      total += Math.sqrt(q[o + 3]! ** 2 + q[o + 4]! ** 2 + q[o + 5]! ** 2);
    }
    this.#depth = s[WORK]! / total;
    return this.#depth > 0;
  }

  /** A force that is rounding becomes the least there is, in the middle of the pressure: the depth is then immense. */
  #pushLeast(force: number): void {
    const s = this.#sums;
    const w = s[PRESSURE]!;
    for (let k = 0; k < 3; k++) s[k] = LEAST_FORCE * w * (force > 0 ? s[k]! / force : k === 0 ? 1 : 0);
    s[3] = (s[7]! * s[2]! - s[8]! * s[1]!) / w;
    s[4] = (s[8]! * s[0]! - s[6]! * s[2]!) / w;
    s[5] = (s[6]! * s[1]! - s[7]! * s[0]!) / w;
  }

  /** Adds the contacts, named by their numbers. @param frame A's: rotation by rows, and place */
  push(frame: Float64Array, found: FoundContact, sink: ContactSink, feature = 0): void {
    const r = frame;
    for (let k = 0; k < POINTS; k++) {
      const q = this.#points;
      const o = 6 * k;
      const fx = q[o + 3]!;
      const fy = q[o + 4]!;
      const fz = q[o + 5]!;
      const force = Math.sqrt(fx * fx + fy * fy + fz * fz);
      found.nx = (r[0]! * fx + r[1]! * fy + r[2]! * fz) / force;
      found.ny = (r[3]! * fx + r[4]! * fy + r[5]! * fz) / force;
      found.nz = (r[6]! * fx + r[7]! * fy + r[8]! * fz) / force;
      found.px = r[9]! + (r[0]! * q[o]! + r[1]! * q[o + 1]! + r[2]! * q[o + 2]!);
      found.py = r[10]! + (r[3]! * q[o]! + r[4]! * q[o + 1]! + r[5]! * q[o + 2]!);
      found.pz = r[11]! + (r[6]! * q[o]! + r[7]! * q[o + 1]! + r[8]! * q[o + 2]!);
      found.area = force / this.#depth;
      found.distance = -this.#depth;
      found.feature = feature + k;
      sink.push(found);
    }
  }
}
