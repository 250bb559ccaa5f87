/**
 * A plain solver of contact impulses, one after another, without warm starting (E. Catto 2005). Manifolds have to be
 * good enough for such a solver.
 */

import { queryPairs } from '../../src/convex/cpu/pair-run.ts';
import type { ManifoldRule } from '../../src/convex/manifold/manifold.ts';
import { writeRotation } from '../../src/convex/shapes/pose.ts';
import { ShapeTable } from '../../src/convex/shapes/shape-table.ts';
import type { Shape } from '../../src/convex/shapes/shapes.ts';

const STEP = 1 / 60;
const ITERATIONS = 30;
const GRAVITY = 9.81;
const FRICTION = 0.5;
/** The share of an overlap that a step removes, and the overlap that stays. */
const PUSH = 0.2;
const SLOP = 0.005;

export interface SolverBody {
  readonly shape: Shape;
  /** Position, then quaternion x, y, z, w. */
  readonly pose: number[];
  /** 0 for a body that does not move. */
  readonly inverseMass: number;
  /** Inverse of the moments about the body's own axes. */
  readonly inverseInertia: readonly [number, number, number];
}

type Vector = [number, number, number];
const dot = (a: ArrayLike<number>, b: ArrayLike<number>) => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
const cross = (a: ArrayLike<number>, b: ArrayLike<number>): Vector => [
  a[1]! * b[2]! - a[2]! * b[1]!,
  a[2]! * b[0]! - a[0]! * b[2]!,
  a[0]! * b[1]! - a[1]! * b[0]!,
];

/** One direction of one contact. */
interface Row {
  readonly a: number;
  readonly b: number;
  readonly direction: Vector;
  readonly armA: Vector;
  readonly armB: Vector;
  readonly turnA: Vector;
  readonly turnB: Vector;
  readonly inverseMass: number;
  readonly bias: number;
  /** For friction: the row of the normal, whose impulse bounds that of friction. */
  readonly normal: Row | undefined;
  impulse: number;
}

/** Moves bodies under gravity along -z. Each body meets its neighbours in the list. */
export class ImpulseSolver {
  readonly bodies: readonly SolverBody[];
  readonly #rule: ManifoldRule;
  readonly #table: ShapeTable;
  readonly #pairs: Uint32Array;
  readonly #velocities: Vector[];
  readonly #spins: Vector[];

  constructor(bodies: readonly SolverBody[], rule: ManifoldRule) {
    this.bodies = bodies;
    this.#rule = rule;
    this.#table = new ShapeTable(bodies.map(({ shape }) => shape));
    this.#pairs = Uint32Array.from(bodies.slice(1).flatMap((_, i) => [i, i + 1]));
    this.#velocities = bodies.map(() => [0, 0, 0]);
    this.#spins = bodies.map(() => [0, 0, 0]);
  }

  step(): void {
    const rows = this.#rows();
    this.bodies.forEach(({ inverseMass }, i) => {
      if (inverseMass > 0) this.#velocities[i]![2] -= GRAVITY * STEP;
    });
    for (let k = 0; k < ITERATIONS; k++) for (const row of rows) this.#push(row);
    this.bodies.forEach(({ pose }, i) => {
      const [v, s] = [this.#velocities[i]!, this.#spins[i]!];
      for (let k = 0; k < 3; k++) pose[k]! += STEP * v[k]!;
      const [x, y, z, w] = pose.slice(3) as [number, number, number, number];
      const h = STEP / 2;
      const next = [
        x + h * (s[0] * w + s[1] * z - s[2] * y),
        y + h * (s[1] * w + s[2] * x - s[0] * z),
        z + h * (s[2] * w + s[0] * y - s[1] * x),
        w - h * (s[0] * x + s[1] * y + s[2] * z),
      ];
      const length = Math.hypot(...next);
      next.forEach((value, k) => {
        pose[3 + k] = value / length;
      });
    });
  }

  #rows(): Row[] {
    const poses = Float64Array.from(this.bodies.flatMap(({ pose }) => pose));
    const query = { poses, pairs: this.#pairs, kind: 'manifold', algorithm: 'auto' } as const;
    const found = queryPairs(this.#table, { ...query, manifold: this.#rule });
    const inverses = this.bodies.map((body) => worldInverse(body));
    const rows: Row[] = [];
    for (let i = 0; i < found.contactCounts.length; i++) {
      for (let c = 0; c < found.contactCounts[i]!; c++) {
        const [x, y, z, distance] = found.contacts.subarray(64 * i + 4 * c, 64 * i + 4 * c + 4);
        const n = [...found.contactNormals.subarray(48 * i + 3 * c, 48 * i + 3 * c + 3)] as Vector;
        const place: Vector = [x!, y!, z!];
        const bias = distance! > 0 ? -distance! / STEP : (PUSH / STEP) * Math.max(0, -distance! - SLOP);
        const normal = this.#row(i, n, place, bias, undefined, inverses);
        const across = cross(n, Math.abs(n[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]);
        const length = Math.hypot(...across);
        const u = across.map((value) => value / length) as Vector;
        rows.push(normal, ...[u, cross(n, u)].map((t) => this.#row(i, t, place, 0, normal, inverses)));
      }
    }
    return rows;
  }

  #row(
    i: number,
    direction: Vector,
    place: Vector,
    bias: number,
    normal: Row | undefined,
    inverses: readonly ((v: Vector) => Vector)[],
  ): Row {
    const [a, b] = [i, i + 1];
    const arm = (body: number) =>
      cross(
        place.map((x, k) => x - this.bodies[body]!.pose[k]!),
        direction,
      );
    const [armA, armB] = [arm(a), arm(b)];
    const [turnA, turnB] = [inverses[a]!(armA), inverses[b]!(armB)];
    const masses = this.bodies[a]!.inverseMass + this.bodies[b]!.inverseMass;
    const inverseMass = masses + dot(armA, turnA) + dot(armB, turnB);
    return { a, b, direction, armA, armB, turnA, turnB, inverseMass, bias, normal, impulse: 0 };
  }

  #push(row: Row): void {
    const { a, b, direction: n, normal } = row;
    const [va, vb, sa, sb] = [this.#velocities[a]!, this.#velocities[b]!, this.#spins[a]!, this.#spins[b]!];
    const speed = dot(n, vb) - dot(n, va) + dot(row.armB, sb) - dot(row.armA, sa);
    const most = normal === undefined ? Infinity : FRICTION * normal.impulse;
    const least = normal === undefined ? 0 : -most;
    const before = row.impulse;
    row.impulse = Math.min(most, Math.max(least, before + (row.bias - speed) / row.inverseMass));
    const change = row.impulse - before;
    for (let k = 0; k < 3; k++) {
      va[k]! -= change * this.bodies[a]!.inverseMass * n[k]!;
      vb[k]! += change * this.bodies[b]!.inverseMass * n[k]!;
      sa[k]! -= change * row.turnA[k]!;
      sb[k]! += change * row.turnB[k]!;
    }
  }
}

/** Multiplies by a body's inverse inertia in the world. */
function worldInverse({ pose, inverseInertia }: SolverBody): (v: Vector) => Vector {
  const r = new Float64Array(9);
  writeRotation(pose[3]!, pose[4]!, pose[5]!, pose[6]!, r, 0);
  return (v) => {
    const own = [0, 1, 2].map(
      (k) => inverseInertia[k]! * (r[k]! * v[0] + r[3 + k]! * v[1] + r[6 + k]! * v[2]),
    );
    return [0, 1, 2].map(
      (k) => r[3 * k]! * own[0]! + r[3 * k + 1]! * own[1]! + r[3 * k + 2]! * own[2]!,
    ) as Vector;
  };
}
