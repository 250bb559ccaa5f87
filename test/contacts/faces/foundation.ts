/** The elastic foundation of two convex solids, by subdivision of their faces: independent of how src/ cuts them. */
import { dot, type Quaternion, rotate, type Vector } from '../../convex/shapes-of-all-kinds.ts';
import type { contactsIn } from '../posed.ts';

export const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const plus = (a: Vector, b: Vector, factor = 1): Vector => [
  a[0] + factor * b[0],
  a[1] + factor * b[1],
  a[2] + factor * b[2],
];
export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const lengthOf = (v: Vector): number => Math.hypot(...v);

type Triangle = readonly [Vector, Vector, Vector];

/** What a foundation with a stiffness of 1 per area does to B: force, torque about the origin, energy. */
export interface Foundation {
  readonly force: Vector;
  readonly torque: Vector;
  readonly energy: number;
}

/** A convex solid in the world. */
export interface Solid {
  readonly triangles: readonly Triangle[];
  /** Outward unit normal and offset of each triangle. */
  readonly planes: readonly { readonly n: Vector; readonly h: number }[];
}

/** The hull of points, of which no four lie in a plane or all of a face do: by all triples. */
export function solidOf(points: readonly Vector[], position: Vector, rotation: Quaternion): Solid {
  const placed = points.map((p) => plus(rotate(rotation, p), position));
  const middle = placed.reduce((sum, p) => plus(sum, p, 1 / placed.length), [0, 0, 0] as Vector);
  const faces: { n: Vector; h: number; corners: Vector[] }[] = [];
  for (let i = 0; i < placed.length; i++) {
    for (let j = i + 1; j < placed.length; j++) {
      for (let k = j + 1; k < placed.length; k++) {
        const up = cross(minus(placed[j]!, placed[i]!), minus(placed[k]!, placed[i]!));
        if (lengthOf(up) < 1e-9) continue;
        const sign = dot(up, minus(placed[i]!, middle)) > 0 ? 1 : -1;
        const n = up.map((x) => (sign * x) / lengthOf(up)) as unknown as Vector;
        const h = dot(n, placed[i]!);
        if (placed.some((p) => dot(n, p) > h + 1e-9)) continue;
        if (faces.some((face) => dot(face.n, n) > 1 - 1e-12)) continue;
        faces.push({ n, h, corners: placed.filter((p) => dot(n, p) > h - 1e-9) });
      }
    }
  }
  const triangles: Triangle[] = [];
  const planes: { n: Vector; h: number }[] = [];
  for (const { n, h, corners } of faces) {
    const centre = corners.reduce((sum, p) => plus(sum, p, 1 / corners.length), [0, 0, 0] as Vector);
    const x = minus(corners[0]!, centre);
    const y = cross(n, x);
    const angle = (p: Vector) => Math.atan2(dot(minus(p, centre), y), dot(minus(p, centre), x));
    const round = corners.toSorted((p, q) => angle(p) - angle(q));
    for (let i = 2; i < round.length; i++) {
      triangles.push([round[0]!, round[i - 1]!, round[i]!]);
      planes.push({ n, h });
    }
  }
  return { triangles, planes };
}

/** Area of a solid's surface. */
export function areaOf({ triangles }: Solid): number {
  return triangles.reduce((sum, [a, b, c]) => sum + lengthOf(cross(minus(b, a), minus(c, a))) / 2, 0);
}

/**
 * Integrates over both surfaces, half each. A triangle is split into four until one plane is nearest to all of it, or
 * all of it is outside of one: then the middles of its edges give it exactly.
 *
 * @param levels times that a triangle is split at most
 * @returns with what the smallest triangles, which planes still cut, may be off by at most: in force and in energy
 */
export function foundationOf(a: Solid, b: Solid, levels: number) {
  const sums = {
    force: [0, 0, 0] as Vector,
    torque: [0, 0, 0] as Vector,
    energy: 0,
    unsure: 0,
    unsureWork: 0,
  };
  for (const [own, other, sign] of [
    [a, b, -1],
    [b, a, 1],
  ] as const) {
    const depthBelow = (p: Vector, k: number) => other.planes[k]!.h - dot(other.planes[k]!.n, p);
    const nearestTo = (p: Vector) => {
      let best = 0;
      for (let k = 1; k < other.planes.length; k++) if (depthBelow(p, k) < depthBelow(p, best)) best = k;
      return best;
    };
    const add = ([p, q, r]: Triangle, k: number) => {
      const part = lengthOf(cross(minus(q, p), minus(r, p))) / 2 / 3 / 2;
      const n = other.planes[k]!.n;
      for (const [s, t] of [
        [p, q],
        [q, r],
        [r, p],
      ] as const) {
        const at = plus(s, minus(t, s), 0.5);
        const depth = Math.max(0, depthBelow(at, k));
        sums.force = plus(sums.force, n, sign * part * depth);
        sums.torque = plus(sums.torque, cross(at, n), sign * part * depth);
        sums.energy += (part * depth * depth) / 2;
      }
    };
    const split = (triangle: Triangle, left: number) => {
      const [p, q, r] = triangle;
      const isOutside = other.planes.some((_, k) => triangle.every((corner) => depthBelow(corner, k) <= 0));
      if (isOutside) return;
      const k = nearestTo(p);
      const isOne = triangle.every(
        (corner) =>
          depthBelow(corner, k) >= 0 &&
          other.planes.every((_, l) => depthBelow(corner, k) <= depthBelow(corner, l) + 1e-13),
      );
      if (isOne || left === 0) {
        if (!isOne) {
          const width = Math.max(lengthOf(minus(q, p)), lengthOf(minus(r, q)), lengthOf(minus(p, r)));
          const depth =
            Math.max(0, ...triangle.map((corner) => depthBelow(corner, nearestTo(corner)))) + width;
          const area = lengthOf(cross(minus(q, p), minus(r, p))) / 2 / 2;
          sums.unsure += 2 * area * depth;
          sums.unsureWork += area * depth * depth;
        }
        add(triangle, isOne ? k : nearestTo(plus(plus(p, q), r).map((x) => x / 3) as unknown as Vector));
        return;
      }
      const [u, v, w] = [plus(p, minus(q, p), 0.5), plus(q, minus(r, q), 0.5), plus(r, minus(p, r), 0.5)];
      for (const one of [
        [p, u, w],
        [u, q, v],
        [w, v, r],
        [u, v, w],
      ] as const) {
        split(one, left - 1);
      }
    };
    for (const triangle of own.triangles) split(triangle, levels);
  }
  return sums;
}

/** What contacts come to, with a stiffness of 1 per area. @param origin the position of A's body */
export function sumsOf(contacts: ReturnType<typeof contactsIn>, origin: Vector = [0, 0, 0]): Foundation {
  let [force, torque, energy]: [Vector, Vector, number] = [[0, 0, 0], [0, 0, 0], 0];
  for (const { normal, point, distance, area } of contacts) {
    force = plus(force, normal, -area * distance);
    torque = plus(torque, cross(plus(point, origin), normal), -area * distance);
    energy += (area * distance * distance) / 2;
  }
  return { force, torque, energy };
}
