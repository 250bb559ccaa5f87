/** Three contacts carry the sums over the pieces of two surfaces that overlap. docs/contacts.md, "Faces". */
import type { ContactSink, FoundContact } from '../list/contact-sink.ts';
import { FIRST_AXIS_COSINE, LEAST_FORCE } from './constants.ts';
import type { FaceFrame } from './near-faces.ts';
import { CORNER, type Polygon } from './polygon.ts';

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

/** A number, or 0 if it is below. Signs of rounding are in no order: a branch would be guessed wrong. */
const notBelow = (x: number) => (x + Math.abs(x)) / 2;

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
   * Adds a convex polygon of a face.
   *
   * @param depths `LINEAR` numbers from `d` on: what the depth is over the face
   * @param planes from which `p` on the normal of the plane that is nearest stands
   * @param share what part of the foundation it stands for; below 0 where the force on B is against the normal
   */
  add(
    { at, end }: Polygon,
    frame: FaceFrame,
    depths: Float64Array,
    d: number,
    planes: Float64Array,
    p: number,
    share: number,
  ): void {
    const perU = depths[d + 1]!;
    const perV = depths[d + 2]!;
    // Places are less the first corner's.
    const u = at[0]!;
    const v = at[1]!;
    const depth = depths[d]! + perU * u + perV * v;
    // No corner is outside: what is below 0 is rounding.
    const depthOfA = notBelow(depth);
    let bu = at[CORNER]! - u;
    let bv = at[CORNER + 1]! - v;
    let depthOfB = notBelow(depth + perU * bu + perV * bv);
    // Integrals over triangles ABC of the depth, of its square, and of the depth times u, v, uu, uv and vv.
    let force = 0;
    let work = 0;
    let su = 0;
    let sv = 0;
    let uu = 0;
    let uv = 0;
    let vv = 0;
    for (let i = 2 * CORNER; i < end; i += CORNER) {
      const cu = at[i]! - u;
      const cv = at[i + 1]! - v;
      const depthOfC = notBelow(depth + perU * cu + perV * cv);
      // Less than nothing is rounding.
      const twice = notBelow(bu * cv - bv * cu);
      const sum = depthOfA + depthOfB + depthOfC;
      const ofB = sum + depthOfB;
      const ofC = sum + depthOfC;
      force += twice * sum;
      work += twice * (sum * sum + depthOfA * depthOfA + depthOfB * depthOfB + depthOfC * depthOfC);
      su += twice * (ofB * bu + ofC * cu);
      sv += twice * (ofB * bv + ofC * cv);
      // (2 d_B + s) 2 bb + (s + d_B + d_C) (bc + cb) + (2 d_C + s) 2 cc.
      const ofBB = 2 * (ofB + depthOfB);
      const ofCC = 2 * (ofC + depthOfC);
      const ofBC = ofB + depthOfC;
      uu += twice * (ofBB * bu * bu + 2 * ofBC * bu * cu + ofCC * cu * cu);
      uv += twice * (ofBB * bu * bv + ofBC * (bu * cv + bv * cu) + ofCC * cu * cv);
      vv += twice * (ofBB * bv * bv + 2 * ofBC * bv * cv + ofCC * cv * cv);
      bu = cu;
      bv = cv;
      depthOfB = depthOfC;
    }
    const part = Math.abs(share);
    force *= part / 6;
    su *= part / 24;
    sv *= part / 24;
    // Seen from the origin of the face.
    const first = u * force;
    const second = v * force;
    uu = (part / 120) * uu + u * (2 * su + first);
    uv = (part / 120) * uv + u * sv + v * su + u * second;
    vv = (part / 120) * vv + v * (2 * sv + second);
    su += first;
    sv += second;
    const ox = frame[0]!;
    const oy = frame[1]!;
    const oz = frame[2]!;
    const ux = frame[3]!;
    const uy = frame[4]!;
    const uz = frame[5]!;
    const vx = frame[6]!;
    const vy = frame[7]!;
    const vz = frame[8]!;
    // The depth times the place, less the origin; and times its products with u and v.
    const px = ux * su + vx * sv;
    const py = uy * su + vy * sv;
    const pz = uz * su + vz * sv;
    const pux = ux * uu + vx * uv;
    const puy = uy * uu + vy * uv;
    const puz = uz * uu + vz * uv;
    const pvx = ux * uv + vx * vv;
    const pvy = uy * uv + vy * vv;
    const pvz = uz * uv + vz * vv;
    const fx = ox * force + px;
    const fy = oy * force + py;
    const fz = oz * force + pz;
    const sums = this.#sums;
    const signed = Math.sign(share);
    const nx = signed * planes[p]!;
    const ny = signed * planes[p + 1]!;
    const nz = signed * planes[p + 2]!;
    sums[0]! += force * nx;
    sums[1]! += force * ny;
    sums[2]! += force * nz;
    // All of it points one way: the torque is that at the middle of its pressure.
    sums[3]! += fy * nz - fz * ny;
    sums[4]! += fz * nx - fx * nz;
    sums[5]! += fx * ny - fy * nx;
    sums[6]! += fx;
    sums[7]! += fy;
    sums[8]! += fz;
    sums[9]! += ox * (fx + px) + ux * pux + vx * pvx;
    sums[10]! += oy * (fy + py) + uy * puy + vy * pvy;
    sums[11]! += oz * (fz + pz) + uz * puz + vz * pvz;
    sums[12]! += ox * fy + oy * px + ux * puy + vx * pvy;
    sums[13]! += oy * fz + oz * py + uy * puz + vy * pvz;
    sums[14]! += oz * fx + ox * pz + uz * pux + vz * pvx;
    sums[PRESSURE]! += force;
    sums[WORK]! += (part / 24) * work;
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
