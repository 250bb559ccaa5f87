// Pairs of convex shapes that were reported against other libraries, rebuilt small from their descriptions. Each test
// names its source.
import { describe, expect, it } from 'vitest';
import { PairStatus } from '../../src/convex/pair/status.ts';
import type { ConvexShape } from '../../src/convex/shapes/shapes.ts';
import { createRandom } from '../../src/mesh/random.ts';
import { ask, at } from '../convex/ask.ts';
import {
  overlapAlong,
  type Placed,
  type Quaternion,
  rotate,
  type Vector,
} from '../convex/shapes-of-all-kinds.ts';
import { box, cube, hull, inEveryWay, placed } from './convex-cases.ts';

describe('aligned and touching boxes', () => {
  it('libccd#25: aligned cubes that overlap by 0.1 have a normal, along the overlap', () => {
    const answer = inEveryWay(at(cube), at(cube, 0.9));
    expect(answer.distance).toBeCloseTo(-0.1, 12);
    expect(answer.normal[0]).toBeCloseTo(1, 12);
  });

  it('libccd#49, #51: zero depth divides nothing by zero', () => {
    for (const [x, y, z] of [
      [1, 0, 0],
      [1, 1, 0],
      [1, 1, 1],
      [0, 0, -1],
      [1, 0.25, -0.75],
    ] as const) {
      const answer = inEveryWay(at(cube), at(cube, x, y, z));
      expect(answer.status).toBe(PairStatus.touching);
      expect(Math.abs(answer.distance)).toBeLessThan(1e-12);
    }
  });

  it('libccd#68, fcl#495, #402: cubes that touch but for +-eps have that distance, by GJK and EPA alike', () => {
    for (let exponent = -1; exponent >= -40; exponent--) {
      for (const sign of [-1, 1]) {
        const eps = sign * 2 ** exponent;
        const answer = inEveryWay(at(cube), at(cube, 1 + eps, 0.25, 0.125));
        expect(Math.abs(answer.distance - eps)).toBeLessThan(1e-14);
        if (answer.status === PairStatus.converged) expect(answer.normal[0]).toBeCloseTo(1, 6);
      }
    }
  });

  it('libccd#7: EPA ends, on cubes in every lattice position and on spheres of many faces', () => {
    for (let i = -4; i <= 4; i++) {
      for (let j = -4; j <= 4; j++) {
        for (let k = -4; k <= 4; k++) {
          const answer = ask(at(cube), at(cube, i / 4, j / 4, k / 4), 'signed-distance');
          const most = Math.max(Math.abs(i), Math.abs(j), Math.abs(k)) / 4;
          // Lattice positions lie within the cubes' sum, or on its faces, edges and corners.
          expect(answer.distance).toBeCloseTo(most - 1, 12);
        }
      }
    }
    // Two nearly concentric hulls of 500 points on a sphere: EPA meets all faces of their difference.
    const random = createRandom(7);
    const ball = hull(
      ...Array.from({ length: 500 }, () => {
        const p = [random() - 0.5, random() - 0.5, random() - 0.5];
        return p.map((x) => x / Math.hypot(...p));
      }),
    );
    for (let i = 0; i < 10; i++) {
      const b = at(ball, 0.02 * random(), 0.02 * random(), 0.02 * random());
      const answer = ask(at(ball), b, 'signed-distance', 'gjk', { tolerance: 1e-6 });
      expect([PairStatus.converged, PairStatus.degenerate]).toContain(answer.status);
      const depth = overlapAlong(at(ball) as Placed, b as Placed, answer.normal);
      expect(Math.abs(answer.distance + depth)).toBeLessThan(1e-9);
      expect(answer.distance).toBeLessThan(-1.9);
      expect(answer.upper - answer.lower).toBeLessThan(answer.status === PairStatus.converged ? 1e-5 : 0.1);
    }
  });

  it('fcl#508: the distance along an axis is 3, not 3.16', () => {
    expect(inEveryWay(at(box(1, 1, 1)), at(box(1, 1, 1), 5)).distance).toBeCloseTo(3, 12);
    expect(inEveryWay(at(box(1, 1, 1)), at(box(1, 1, 1), 5, 1)).distance).toBeCloseTo(3, 12);
  });

  it('fcl#545: a centre on the diagonal of a cube is as deep as its face is far, not its corner', () => {
    const sphere: ConvexShape = { kind: 'sphere', radius: 0.1 };
    const answer = ask(at(box(1, 1, 1)), at(sphere, 0.5, 0.5, 0.5), 'signed-distance');
    expect(answer.distance).toBeCloseTo(-0.6, 12);
    const deep = ask(at(box(1, 1, 1)), at(box(1, 1, 1), 0.5, 0.5, 0.5), 'penetration');
    expect(deep.distance).toBeCloseTo(-1.5, 12);
  });

  it('openGJK#13: no false negative in 10,000 random overlapping and separated cubes', () => {
    const random = createRandom(13);
    const rotation = (): Quaternion => {
      const q = [0, 0, 0, 0].map(() => random() - 0.5);
      return q.map((x) => x / Math.hypot(...q)) as unknown as Quaternion;
    };
    /** Separating axes of two cubes: faces and pairs of edges. All 15 are enough, for the depth as well. */
    const overlapOfCubes = (a: Placed, b: Placed) => {
      const units: Vector[] = [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ];
      const [own, other] = [a, b].map(({ rotation }) => units.map((e) => rotate(rotation, e)));
      let least = Infinity;
      const attempt = (x: number, y: number, z: number) => {
        const length = Math.hypot(x, y, z);
        if (length < 1e-9) return;
        for (const s of [1 / length, -1 / length])
          least = Math.min(least, overlapAlong(a, b, [s * x, s * y, s * z]));
      };
      for (const e of [...own!, ...other!]) attempt(...e);
      for (const e of own!) {
        for (const f of other!) {
          attempt(e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]);
        }
      }
      return least;
    };
    let intersecting = 0;
    for (let i = 0; i < 10_000; i++) {
      const a = placed(cube, [0, 0, 0], rotation());
      const b = placed(cube, [2 * random() - 1, 2 * random() - 1, 2 * random() - 1], rotation());
      const answer = ask(a, b, 'signed-distance');
      const gjk = ask(a, b, 'intersect').status;
      const mpr = ask(a, b, 'intersect', 'mpr').status;
      const overlap = overlapOfCubes(a, b);
      const apart = overlap < 0;
      expect(gjk === PairStatus.separated).toBe(apart);
      expect(mpr === PairStatus.separated).toBe(apart);
      if (!apart) {
        intersecting++;
        expect(Math.abs(answer.distance + overlap)).toBeLessThan(1e-12);
      }
    }
    expect(intersecting).toBeGreaterThan(3000);
  });
});

describe('large against small', () => {
  it('libccd#17, mujoco_warp#1430, bullet3#1703: a small box on a large one touches where it lies', () => {
    for (const [x, y] of [
      [0, 0],
      [400, -300],
      [499.9, 499.9],
    ] as const) {
      const answer = inEveryWay(at(box(500, 500, 1)), at(box(0.05, 0.05, 0.05), x, y, 1.049), 500);
      expect(answer.distance).toBeCloseTo(-0.001, 10);
      expect(answer.normal[2]).toBeCloseTo(1, 9);
      for (const p of [answer.pointA, answer.pointB]) {
        expect(Math.abs(p[0] - x)).toBeLessThan(0.051);
        expect(Math.abs(p[1] - y)).toBeLessThan(0.051);
      }
    }
  });

  it('newton#3773: a large triangle against a small cylinder is 6 cm away, not 58.8 m', () => {
    const triangle = hull([-100, -100, 0], [100, -80, 0], [0, 120, 0]);
    const cylinder: ConvexShape = { kind: 'cylinder', radius: 0.05, halfHeight: 0.1 };
    expect(inEveryWay(at(triangle), at(cylinder, 3, 4, 0.16), 100).distance).toBeCloseTo(0.06, 9);
    expect(inEveryWay(at(triangle), at(cylinder, 3, 4, 0.04), 100).distance).toBeCloseTo(-0.06, 9);
  });

  it('openGJK#52: coordinates near 9e4 cost no digits of a distance', () => {
    const answer = ask(at(cube, 9e4, 9e4, 9e4), at(cube, 9e4 + 1.5, 9e4, 9e4), 'signed-distance');
    expect(answer.distance).toBe(0.5);
    const shifted = Array.from({ length: 8 }, (_, i) => [
      9e4 + (i & 1),
      9e4 + ((i >> 1) & 1),
      9e4 + (i >> 2),
    ]);
    expect(ask(at(hull(...shifted)), at(hull(...shifted), 1.5), 'signed-distance').distance).toBe(0.5);
  });
});

describe('triangles, planes and slivers', () => {
  it('newton#2622: a triangle beside a convex body is apart from it', () => {
    const triangle = hull([0, 0, 0], [2, 0, 0], [0, 2, 0]);
    const random = createRandom(2622);
    for (let i = 0; i < 100; i++) {
      const b = at(cube, 4 * random() - 1, 4 * random() - 1, 0.5 + 1e-3 + random() * 1e-3);
      const answer = inEveryWay(at(triangle), b);
      expect(answer.distance).toBeGreaterThan(1e-3 - 1e-12);
    }
  });

  it('mujoco_warp#1526: an origin on the face of the first tetrahedron drops no contact', () => {
    // Differences of these have the origin on faces, edges and corners of any simplex of their vertices.
    const octahedron = hull([1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]);
    for (const [x, y, z] of [
      [0, 0, 0],
      [1, 0, 0],
      [1, 1, 0],
      [0.5, 0.5, 0.5],
      [0, 1, 1],
    ] as const) {
      const answer = inEveryWay(at(octahedron), at(octahedron, x, y, z));
      expect(answer.distance).toBeCloseTo((x + y + z - 2) / Math.sqrt(3), 12);
    }
  });

  it('mujoco#3383: no separated hulls have the distance 0', () => {
    const random = createRandom(3383);
    const rock = () =>
      hull(...Array.from({ length: 30 }, () => [random() - 0.5, random() - 0.5, random() - 0.5]));
    for (let i = 0; i < 60; i++) {
      const [a, b] = [at(rock()), at(rock(), 1.01 + random(), random(), random())];
      expect(inEveryWay(a, b).distance).toBeGreaterThan(0.009);
    }
  });

  it('fcl#395, #390, #398, #493: thin boxes, whose triangles degenerate, have a depth', () => {
    for (const thin of [1e-3, 1e-6, 1e-9]) {
      const plate = box(1, 1, thin);
      const tilted = placed(plate, [0.1, 0.2, 0.05], [Math.sin(0.01), 0, 0, Math.cos(0.01)]);
      inEveryWay(at(plate), tilted, 2);
      const answer = inEveryWay(at(plate), at(plate, 0.3, 0.4, thin), 2);
      expect(Math.abs(answer.distance + thin)).toBeLessThan(1e-13);
      const crossing = placed(plate, [0, 0, 0], [Math.SQRT1_2, 0, 0, Math.SQRT1_2]);
      expect(inEveryWay(at(plate), crossing, 2).distance).toBeCloseTo(-1 - thin, 9);
    }
  });

  it('openGJK#56, #3, #54: planar polygons, a useless first guess, a point against a polytope', () => {
    const square = hull([0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]);
    expect(inEveryWay(at(square), at(square, 3, 0, 0), 2).distance).toBeCloseTo(2, 12);
    expect(inEveryWay(at(square), at(square, 0.5, 0.5, 2), 2).distance).toBeCloseTo(2, 12);
    // Both are in one plane, so there is no depth across it.
    const flat = ask(at(square), at(square, 0.5, 0.5, 0), 'signed-distance');
    expect(flat.status).toBe(PairStatus.touching);
    expect(Math.abs(flat.normal[2])).toBeCloseTo(1, 12);
    const far = hull([10, 10, 10], [11, 10, 10], [10, 11, 10], [10, 10, 11]);
    expect(inEveryWay(at({ kind: 'point' }), at(far), 20).distance).toBeCloseTo(Math.sqrt(300), 9);
  });

  it('fcl#293, #446: collinear simplices give numbers, and distances of 1e-9 are told from 0', () => {
    const segment: ConvexShape = { kind: 'segment', halfLength: 1 };
    expect(inEveryWay(at(segment), at(segment, 3), 4).distance).toBeCloseTo(1, 12);
    expect(inEveryWay(at(segment), at(segment, 0.5, 1e-9), 4).distance).toBeCloseTo(1e-9, 14);
    const overlapping = ask(at(segment), at(segment, 0.5), 'signed-distance');
    expect(overlapping.status).toBe(PairStatus.touching);
    expect(Math.hypot(...overlapping.normal)).toBeCloseTo(1, 12);
    expect(inEveryWay(at(cube), at(cube, 1 + 1e-9), 2).distance).toBeCloseTo(1e-9, 14);
  });
});
