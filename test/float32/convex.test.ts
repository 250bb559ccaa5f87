/**
 * Support points and planes of convex pairs, where WGSL draws its rounding, fusing and order at random, against
 * float64, which is 2^29 times as fine. As in shaders/convex/pair/pair.wgsl and shapes/support.wgsl.
 */
import { describe, expect, it } from 'vitest';
import { FLOAT32_SPACING } from '../../src/constants.ts';
import { SUPPORT_ERROR_32 } from '../../src/convex/constants.ts';
import type { DrawnFloat32 } from '../support/float32-emulation.ts';
import { type Drawn, worstRatio } from '../support/worst-ratio.ts';

const f = Math.fround;
type Vec3 = [number, number, number];
type Quaternion = [number, number, number, number];
type Matrix = [Vec3, Vec3, Vec3];

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, k) => sum + x * b[k]!, 0);
const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const vector = (component: (k: number) => number): Vec3 => [component(0), component(1), component(2)];
const signed = (draw: DrawnFloat32) => 2 * draw.random() - 1;

function drawnQuaternion(draw: DrawnFloat32): Quaternion {
  const q = [0, 0, 0, 0].map(() => signed(draw) * (draw.random() < 0.2 ? 1e-3 : 1));
  return q.map((x) => f(x / Math.hypot(...q))) as Quaternion;
}

/** Conjugate of a times b. */
const relative = ([ax, ay, az, aw]: Quaternion, b: Quaternion): Quaternion => {
  const [u, v]: [Vec3, Vec3] = [
    [-ax, -ay, -az],
    [b[0], b[1], b[2]],
  ];
  const across = cross(u, v);
  return [...vector((k) => aw * v[k]! + b[3] * u[k]! + across[k]!), aw * b[3] - dot(u, v)] as Quaternion;
};

function matrixOf(q: Quaternion): Matrix {
  const s = 2 / dot(q, q);
  const [x, y, z, w] = q;
  return [
    [1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)],
    [s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)],
    [s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)],
  ];
}

/** The same as a kernel does it. */
function drawnMatrix(draw: DrawnFloat32, [ax, ay, az, aw]: Quaternion, b: Quaternion): Matrix {
  const [u, v]: [Vec3, Vec3] = [
    [-ax, -ay, -az],
    [b[0], b[1], b[2]],
  ];
  const across = (k: number) =>
    [
      [u[(k + 1) % 3]!, v[(k + 2) % 3]!],
      [-u[(k + 2) % 3]!, v[(k + 1) % 3]!],
    ] as const;
  const q = [
    ...vector((k) => draw.sum([aw, v[k]!], [b[3], u[k]!], ...across(k))),
    draw.sum([aw, b[3]], [-u[0], v[0]], [-u[1], v[1]], [-u[2], v[2]]),
  ] as Quaternion;
  const s = draw.div(2, draw.dot(q, q));
  const xyz = vector((k) => draw.mul(s, q[k]!));
  const [square, product, turn] = [0, 1, 3].map((to) =>
    vector((k) => draw.mul(xyz[k]!, q[to === 3 ? 3 : (k + to) % 3]!)),
  ) as [Vec3, Vec3, Vec3];
  return [
    [draw.sum(1, -square[1], -square[2]), draw.sub(product[0], turn[2]), draw.add(product[2], turn[1])],
    [draw.add(product[0], turn[2]), draw.sum(1, -square[0], -square[2]), draw.sub(product[1], turn[0])],
    [draw.sub(product[2], turn[1]), draw.add(product[1], turn[0]), draw.sum(1, -square[0], -square[1])],
  ];
}

/** v turned by a quaternion, s over its squared length being 2. */
function drawnTurn(draw: DrawnFloat32, v: Vec3, [x, y, z, w]: Quaternion): Vec3 {
  const q: Vec3 = [x, y, z];
  const s = draw.div(2, draw.dot([x, y, z, w], [x, y, z, w]));
  const inner = vector((k) => {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    return draw.sum([q[i]!, v[j]!], [-q[j]!, v[i]!], [w, v[k]!]);
  });
  const outer = draw.cross(q, inner);
  return vector((k) => draw.sum(v[k]!, [s, outer[k]!]));
}

/** Support points of boxes and ellipsoids: as kernels find them, and exactly. */
const SHAPES = {
  box: {
    drawn: (_: DrawnFloat32, half: Vec3, n: Vec3) => vector((k) => (n[k]! < 0 ? -half[k]! : half[k]!)),
    reach: (half: Vec3, n: Vec3) => dot(half, n.map(Math.abs)),
  },
  ellipsoid: {
    drawn(draw: DrawnFloat32, axes: Vec3, n: Vec3) {
      const scaled = vector((k) => draw.mul(axes[k]!, n[k]!));
      const s = draw.inverseSqrt(draw.dot(scaled, scaled));
      return vector((k) => draw.product(axes[k]!, s, axes[k]!, n[k]!));
    },
    reach: (axes: Vec3, n: Vec3) => Math.hypot(...axes.map((x, k) => x * n[k]!)),
  },
} as const;

describe('support planes of pairs', () => {
  it.each(['box', 'ellipsoid'] as const)('of pairs of kind %s are within the bound', (kind) => {
    const shape = SHAPES[kind];
    const worst = worstRatio(1500, (draw) => {
      const sizes = [0, 1].map(() => vector(() => f(2 ** (-4 * draw.random())))) as [Vec3, Vec3];
      const [qa, qb] = [drawnQuaternion(draw), drawnQuaternion(draw)];
      const conjugate: Quaternion = [-qa[0], -qa[1], -qa[2], qa[3]];
      const apart = vector(() => f(2 * signed(draw)));
      const rotation = drawnMatrix(draw, qa, qb);
      const offset = drawnTurn(draw, apart, conjugate);
      const wanted = vector(() => signed(draw));
      const n = vector((k) => f(wanted[k]! / Math.hypot(...wanted)));
      const a = shape.drawn(draw, sizes[0], n);
      const inB = vector((k) => -draw.dot(n, [rotation[0][k]!, rotation[1][k]!, rotation[2][k]!]));
      const b = shape.drawn(draw, sizes[1], inB);
      const w = vector((k) =>
        draw.sum(a[k]!, ...vector((j) => j).map((j) => [-rotation[k]![j]!, b[j]!] as const), -offset[k]!),
      );
      const found = draw.dot(n, w);
      // Exactly: the greatest n . (a - b) over both shapes, for n as it is.
      const toA = matrixOf(conjugate.map((x) => x) as Quaternion);
      const exactOffset = vector((k) => dot(toA[k]!, apart));
      const exactRotation = matrixOf(relative(qa, qb));
      const exactInB = vector(
        (k) => -dot(n, [exactRotation[0][k]!, exactRotation[1][k]!, exactRotation[2][k]!]),
      );
      const exact = shape.reach(sizes[0], n) + shape.reach(sizes[1], exactInB) - dot(n, exactOffset);
      const radius = (size: Vec3) => (kind === 'box' ? Math.hypot(...size) : Math.max(...size));
      const size = radius(sizes[0]) + radius(sizes[1]) + Math.hypot(...apart);
      return [{ found, exact, bound: SUPPORT_ERROR_32 * size }];
    });
    expect(worst).toBeGreaterThan(0.02);
  });
});

describe('centres in two parts', () => {
  const FAR = 2 ** 22;

  /** Two places far from the origin and near each other; their difference, as a kernel has it and exactly. */
  function difference(draw: DrawnFloat32, clamped: boolean): Drawn {
    const at = FAR * (1 + draw.random());
    const [a, b] = [at, at + signed(draw)];
    const [highA, highB] = [f(a), f(b)];
    const [lowA, lowB] = [f(a - highA), f(b - highB)];
    const found = clamped
      ? draw.sum(draw.sub(highB, highA), lowB, -lowA)
      : draw.sum(highB, -highA, lowB, -lowA);
    return { found, exact: b - a, bound: 6.4 * FLOAT32_SPACING };
  }

  it('keep their digits, as high parts cancel first', () => {
    worstRatio(2000, (draw) => [difference(draw, true)]);
  });

  it('would lose them in another order of the sum, which WGSL allows where nothing holds it', () => {
    expect(() => worstRatio(2000, (draw) => [difference(draw, false)])).toThrow(/Property failed/);
  });
});
