/** Gaps of contacts, delta(s) in C. Lennerz, E. Schömer, T. Warken, section 3, and how they change with bodies. */
import type { MotionState } from '../motion/motion.ts';
import type { Features } from './features.ts';

/** Features that touch. The second body has the corner, the first one the face, the edge or the corner. */
export const GapKind = { face: 0, edges: 1, edge: 2, corner: 3 } as const;

/** Two features that touch or may. */
export interface Gap {
  /** `GapKind`: a corner of b and a face of a; edges of both; the middle of a ball b and an edge, or a corner, of a. */
  readonly kind: number;
  readonly a: number;
  readonly b: number;
  /** Numbers of the features in their bodies: of corners those of points. */
  readonly i: number;
  readonly j: number;
  /** Of edges: the sign with which the product of both leads out of a. */
  readonly sign: number;
}

/** Measures gaps of contacts at poses of their bodies. */
export class Gaps {
  readonly features: readonly Features[];
  /** Of the gap that was measured last: a length, below 0 where bodies overlap. */
  distance = 0;
  /** Out of a. */
  readonly normal = new Float64Array(3);
  /** Places of the contact on both bodies, in the world. */
  readonly onA = new Float64Array(3);
  readonly onB = new Float64Array(3);
  /** Of edges: the sine of their angle, and shares of the way along both. */
  sine = 1;
  alongA = 0;
  alongB = 0;
  /** `[n]`: points of each body in the world. */
  readonly points: readonly Float64Array[];

  constructor(features: readonly Features[]) {
    this.features = features;
    this.points = features.map(({ points }) => points.slice());
  }

  /** Takes over where bodies are. */
  place({ positions, rotations }: MotionState): void {
    for (const [body, { points }] of this.features.entries()) {
      const out = this.points[body]!;
      const [x, y, z, w] = rotations.subarray(4 * body, 4 * body + 4) as unknown as [
        ...[number, number, number, number],
      ];
      const [px, py, pz] = positions.subarray(3 * body, 3 * body + 3) as unknown as [number, number, number];
      for (let i = 0; i < points.length; i += 3) {
        const [u, v, s] = [points[i]!, points[i + 1]!, points[i + 2]!];
        const tx = 2 * (y * s - z * v);
        const ty = 2 * (z * u - x * s);
        const tz = 2 * (x * v - y * u);
        out[i] = px + u + w * tx + y * tz - z * ty;
        out[i + 1] = py + v + w * ty + z * tx - x * tz;
        out[i + 2] = pz + s + w * tz + x * ty - y * tx;
      }
    }
  }

  /** Measures a gap where bodies are. @returns it */
  measure(gap: Gap): number {
    const { kind, a, b, i, j } = gap;
    if (kind === GapKind.edges) return this.#betweenEdges(gap);
    const p = this.points[b]!.subarray(3 * j, 3 * j + 3);
    this.onB.set(p);
    const [x, y, z] = [p[0]!, p[1]!, p[2]!];
    const radius = this.features[b]!.radius;
    if (kind === GapKind.face) {
      const far = this.#aboveFace(a, i, x, y, z);
      for (let k = 0; k < 3; k++) {
        this.onA[k] = p[k]! - far * this.normal[k]!;
        this.onB[k]! -= radius * this.normal[k]!;
      }
      this.distance = far - radius;
      return this.distance;
    }
    const on = this.#nearestOf(a, i, kind, x, y, z);
    const far = Math.hypot(x - on[0]!, y - on[1]!, z - on[2]!);
    const own = kind === GapKind.corner ? this.features[a]!.radius : 0;
    for (let k = 0; k < 3; k++) {
      this.normal[k] = (p[k]! - on[k]!) / far;
      this.onA[k] = on[k]! + own * this.normal[k]!;
      this.onB[k] = p[k]! - radius * this.normal[k]!;
    }
    this.distance = far - radius - own;
    return this.distance;
  }

  /** Signed distance of a place from the plane of a face, whose normal is left in `normal`. */
  #aboveFace(body: number, face: number, x: number, y: number, z: number): number {
    const q = this.points[body]!;
    const [a, b, c] = this.features[body]!.faces[face]!.plane.map((point) => 3 * point) as [
      ...[number, number, number],
    ];
    const ux = q[b]! - q[a]!;
    const uy = q[b + 1]! - q[a + 1]!;
    const uz = q[b + 2]! - q[a + 2]!;
    const vx = q[c]! - q[a]!;
    const vy = q[c + 1]! - q[a + 1]!;
    const vz = q[c + 2]! - q[a + 2]!;
    const n = this.normal;
    n[0] = uy * vz - uz * vy;
    n[1] = uz * vx - ux * vz;
    n[2] = ux * vy - uy * vx;
    const size = Math.sqrt(n[0]! * n[0]! + n[1]! * n[1]! + n[2]! * n[2]!);
    for (let k = 0; k < 3; k++) n[k]! /= size;
    return n[0]! * (x - q[a]!) + n[1]! * (y - q[a + 1]!) + n[2]! * (z - q[a + 2]!);
  }

  /** The nearest point of an edge's line, or a corner; `alongA` is its place on the edge. */
  #nearestOf(body: number, i: number, kind: number, x: number, y: number, z: number): ArrayLike<number> {
    const q = this.points[body]!;
    if (kind === GapKind.corner) return q.subarray(3 * i, 3 * i + 3);
    const { from, to } = this.features[body]!.edges[i]!;
    const side = [0, 1, 2].map((k) => q[3 * to + k]! - q[3 * from + k]!) as [number, number, number];
    const way = [x - q[3 * from]!, y - q[3 * from + 1]!, z - q[3 * from + 2]!] as const;
    this.alongA =
      (side[0] * way[0] + side[1] * way[1] + side[2] * way[2]) / (side[0] ** 2 + side[1] ** 2 + side[2] ** 2);
    return side.map((s, k) => q[3 * from + k]! + this.alongA * s);
  }

  /** (2), from the closest points of both lines. */
  #betweenEdges({ a, b, i, j, sign }: Gap): number {
    const e = this.features[a]!.edges[i]!;
    const f = this.features[b]!.edges[j]!;
    const p = this.points[a]!;
    const q = this.points[b]!;
    const [e0, e1, f0, f1] = [3 * e.from, 3 * e.to, 3 * f.from, 3 * f.to];
    const ux = p[e1]! - p[e0]!;
    const uy = p[e1 + 1]! - p[e0 + 1]!;
    const uz = p[e1 + 2]! - p[e0 + 2]!;
    const vx = q[f1]! - q[f0]!;
    const vy = q[f1 + 1]! - q[f0 + 1]!;
    const vz = q[f1 + 2]! - q[f0 + 2]!;
    const wx = q[f0]! - p[e0]!;
    const wy = q[f0 + 1]! - p[e0 + 1]!;
    const wz = q[f0 + 2]! - p[e0 + 2]!;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const square = nx * nx + ny * ny + nz * nz;
    const size = Math.sqrt(square);
    const cx = wy * nz - wz * ny;
    const cy = wz * nx - wx * nz;
    const cz = wx * ny - wy * nx;
    // w + t v - s u is along n.
    this.alongA = -(vx * cx + vy * cy + vz * cz) / square;
    this.alongB = -(ux * cx + uy * cy + uz * cz) / square;
    this.sine = size / Math.sqrt((ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz));
    this.normal[0] = (sign * nx) / size;
    this.normal[1] = (sign * ny) / size;
    this.normal[2] = (sign * nz) / size;
    for (let k = 0; k < 3; k++) {
      this.onA[k] = p[e0 + k]! + this.alongA * [ux, uy, uz][k]!;
      this.onB[k] = q[f0 + k]! + this.alongB * [vx, vy, vz][k]!;
    }
    this.distance = (sign * (nx * wx + ny * wy + nz * wz)) / size;
    return this.distance;
  }
}
