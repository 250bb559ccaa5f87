// Pairs of convex shapes that were reported against other libraries, rebuilt small from their descriptions, each under its source.
// Every case goes through every algorithm.
import { describe, expect, it } from 'vitest';
import type { PairAlgorithm } from '../../src/convex/query.ts';
import type { ConvexShape } from '../../src/convex/shapes.ts';
import { PairStatus } from '../../src/convex/status.ts';
import { createRandom } from '../../src/mesh/random.ts';
import { type Answer, ask, at, type PlacedShape } from '../convex/ask.ts';
import {
  outsideBy,
  overlapAlong,
  type Placed,
  type Quaternion,
  rotate,
  type Vector,
} from '../convex/shapes-of-all-kinds.ts';

const ALGORITHMS: readonly PairAlgorithm[] = ['gjk', 'gjk-johnson', 'sweep-gjk', 'mpr'];
const box = (x: number, y: number, z: number): ConvexShape => ({ kind: 'box', halfExtents: [x, y, z] });
const cube = box(0.5, 0.5, 0.5);
const hull = (...points: number[][]): ConvexShape => ({ kind: 'polytope', vertices: points.flat() });
const placed = (shape: ConvexShape, position: Vector, rotation: Quaternion): Placed => ({
  shape,
  position,
  rotation,
});

/** What must hold for any answer, whatever the case. */
function expectSound(a: PlacedShape, b: PlacedShape, answer: Answer, size: number): void {
  expect(answer.status).not.toBe(PairStatus.iterationLimit);
  for (const x of [answer.distance, ...answer.normal, ...answer.pointA, ...answer.pointB]) {
    expect(Number.isFinite(x)).toBe(true);
  }
  expect(Math.hypot(...answer.normal)).toBeCloseTo(1, 12);
  expect(outsideBy(a as Placed, answer.pointA, [answer.normal])).toBeLessThan(1e-7 * size);
  expect(outsideBy(b as Placed, answer.pointB, [answer.normal])).toBeLessThan(1e-7 * size);
}

/** The signed distance by GJK and EPA, after the sign and soundness of all algorithms have been held against it. */
function inEveryWay(a: PlacedShape, b: PlacedShape, size = 1): Answer {
  const exact = ask(a, b, 'signed-distance', 'gjk');
  expectSound(a, b, exact, size);
  const touching = exact.status === PairStatus.touching;
  for (const algorithm of ALGORITHMS) {
    const answer = ask(a, b, 'signed-distance', algorithm, { sweepRadius: 1e3 * size });
    expectSound(a, b, answer, size);
    if (algorithm === 'mpr') {
      if (!touching) expect(Math.sign(answer.distance)).toBe(Math.sign(exact.distance));
    } else {
      expect(Math.abs(answer.distance - exact.distance)).toBeLessThan(1e-9 * size);
    }
    const { status } = ask(a, b, 'intersect', algorithm);
    if (!touching) expect(status === PairStatus.separated).toBe(exact.distance > 0);
  }
  return exact;
}

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
          // Lattice positions are either within the cubes' sum or touch its faces, edges and corners.
          expect(answer.distance).toBeCloseTo(most - 1, 12);
        }
      }
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
    // In one plane: no depth across it.
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

describe('answers', () => {
  it('libccd#71, #55: the distance is the same with and without its points, and moves no faster than the shape', () => {
    const a = at(box(1, 1, 0.5));
    const cone: ConvexShape = { kind: 'cone', radius: 0.5, height: 1 };
    let before = Number.NaN;
    for (let i = 0; i <= 400; i++) {
      const b = at(cone, -1.3 + i * 0.006, 0.37, 0.74);
      const answer = ask(a, b, 'signed-distance');
      const distance = ask(a, b, 'distance');
      expect(distance.distance).toBeCloseTo(Math.max(0, answer.distance), 10);
      // Signed distance changes by no more than the motion.
      if (i > 0) expect(Math.abs(answer.distance - before)).toBeLessThan(0.006 + 1e-9);
      before = answer.distance;
    }
  });

  it('newton#2296: depth passes from GJK to EPA without a step or a bias', () => {
    const round: ConvexShape = { kind: 'round-box', halfExtents: [0.5, 0.5, 0.5], radius: 0.1 };
    for (let i = -100; i <= 100; i++) {
      const x = 1.2 + i * 1e-3;
      for (const algorithm of ['gjk', 'sweep-gjk'] as const) {
        const answer = ask(at(round), at(round, x, 0.1, 0.2), 'signed-distance', algorithm, {
          sweepRadius: 1,
        });
        expect(answer.distance).toBeCloseTo(x - 1.2, 11);
      }
    }
  });

  it('fcl#302: the point of a face is on the face, below the other body, not at a corner', () => {
    const answer = inEveryWay(at(box(2, 2, 0.5)), at({ kind: 'sphere', radius: 0.25 }, 0.7, -0.3, 1), 2);
    expect(answer.pointA[0]).toBeCloseTo(0.7, 9);
    expect(answer.pointA[1]).toBeCloseTo(-0.3, 9);
    expect(answer.pointA[2]).toBeCloseTo(0.5, 9);
  });

  it('fcl#366: what does not converge fast is decided, not called separated', () => {
    // Slender ellipsoids across each other: the most steps there are.
    const needle: ConvexShape = { kind: 'ellipsoid', radii: [1, 1e-3, 1e-4] };
    const turn = (angle: number): Quaternion => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
    for (let i = 0; i < 60; i++) {
      const b = placed(needle, [0.01 * i, 0, 1.5e-4], turn(0.05 * i));
      inEveryWay(at(needle), b, 1);
    }
    const deep = placed(needle, [0.3, 0, 1.9e-4], turn(1));
    const answer = ask(at(needle), deep, 'intersect');
    expect(answer.status === PairStatus.separated).toBe(
      overlapAlong(at(needle) as Placed, deep, [0, 0, 1]) < 0 ||
        ask(at(needle), deep, 'signed-distance').distance > 0,
    );
  });

  it('fcl#375: no normal is zero, even of concentric shapes', () => {
    for (const shape of [
      { kind: 'point' },
      { kind: 'sphere', radius: 1 },
      { kind: 'segment', halfLength: 1 },
      { kind: 'disc', radius: 1 },
      cube,
      { kind: 'cone', radius: 1, height: 1 },
    ] as const) {
      for (const algorithm of ALGORITHMS) {
        for (const kind of ['distance', 'penetration', 'signed-distance'] as const) {
          const answer = ask(at(shape), at(shape), kind, algorithm);
          expect(Math.hypot(...answer.normal)).toBeCloseTo(1, 12);
        }
      }
    }
    const answer = ask(
      at({ kind: 'sphere', radius: 1 }),
      at({ kind: 'sphere', radius: 2 }),
      'signed-distance',
    );
    expect(answer.status).toBe(PairStatus.degenerate);
    expect(answer.distance).toBe(-3);
  });

  it('coal#325, #37: a cylinder and a box, and corners against corners, converge', () => {
    const cylinder: ConvexShape = { kind: 'cylinder', radius: 0.3, halfHeight: 0.4 };
    const random = createRandom(325);
    for (let i = 0; i < 300; i++) {
      const q = [0, 0, 0, 0].map(() => random() - 0.5);
      const rotation = q.map((x) => x / Math.hypot(...q)) as unknown as Quaternion;
      const b = placed(
        cylinder,
        [1.6 * random() - 0.8, 1.6 * random() - 0.8, 1.6 * random() - 0.8],
        rotation,
      );
      const answer = ask(at(cube), b, 'signed-distance');
      expect(answer.status).toBe(PairStatus.converged);
      expect(overlapAlong(at(cube) as Placed, b, answer.normal) + answer.distance).toBeCloseTo(0, 9);
    }
    const corner = placed(cube, [1.3, 1.3, 1.3], [0, 0, 0, 1]);
    expect(inEveryWay(at(cube), corner).distance).toBeCloseTo(0.3 * Math.sqrt(3), 12);
  });

  it('Jolt#671, #940, #1008: the axis points from A to B, and a triangle of a mesh is never deep by its length', () => {
    const triangle = hull([-50, -50, 0], [50, -50, 0], [0, 50, 0]);
    for (let i = -10; i <= 10; i++) {
      const z = 0.5 + i * 0.02;
      const answer = inEveryWay(at(triangle), at(cube, 3, 2, z), 50);
      expect(answer.distance).toBeCloseTo(z - 0.5, 10);
      if (i !== 0) expect(answer.normal[2]).toBeCloseTo(1, 9);
    }
  });

  it('parry#378: the depth of long bodies and its points stay bracketed', () => {
    const rod = box(10, 0.01, 0.01);
    const random = createRandom(378);
    for (let i = 0; i < 200; i++) {
      const angle = random() * Math.PI;
      const b = placed(
        rod,
        [random(), random(), 0.02 * random()],
        [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)],
      );
      const answer = inEveryWay(at(rod), b, 10);
      expect(answer.upper - answer.lower).toBeLessThan(1e-9);
      expect(answer.distance).toBeGreaterThan(-0.0201);
    }
  });

  it('rapier#455: hulls of 1000 points at rest do not jitter: normals stay, depths follow', () => {
    const random = createRandom(455);
    const points: number[][] = [];
    while (points.length < 1000) {
      const p = [random() - 0.5, random() - 0.5, random() - 0.5];
      const r = Math.hypot(...p);
      if (r > 0.1 && r < 0.5) points.push(p.map((x) => x / (2 * r)));
    }
    const ball = hull(...points);
    const floor = at(box(5, 5, 0.5));
    let normal: Vector | undefined;
    for (let i = 0; i < 20; i++) {
      const answer = ask(floor, at(ball, 0, 0, 0.99 + i * 1e-7), 'signed-distance');
      normal ??= answer.normal;
      for (let k = 0; k < 3; k++) expect(answer.normal[k]).toBeCloseTo(normal[k]!, 9);
      expect(answer.normal[2]).toBeCloseTo(1, 9);
    }
  });

  it('Modia3D.jl PR#42: there is always a next portal, with rays along faces, edges and corners', () => {
    const frustum: ConvexShape = { kind: 'frustum', bottom: [1, 1], top: [0.5, 0.5], height: 1 };
    for (const shape of [cube, frustum, hull([0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1])]) {
      for (let i = -3; i <= 3; i++) {
        for (let j = -3; j <= 3; j++) {
          for (let k = -3; k <= 3; k++) {
            if (i === 0 && j === 0 && k === 0) continue;
            const [a, b] = [at(shape), at(shape, i / 2, j / 2, k / 2)];
            const mpr = ask(a, b, 'signed-distance', 'mpr');
            expect(mpr.redone).toBe(0);
            const exact = ask(a, b, 'signed-distance');
            if (exact.status !== PairStatus.touching) {
              expect(Math.sign(mpr.distance)).toBe(Math.sign(exact.distance));
            }
          }
        }
      }
    }
  });

  it('a later public MPR: cubes of 0.01, 1 and 100 have a third of their size as depth, not 0.333', () => {
    for (const size of [0.01, 1, 100]) {
      const scaled = box(size / 2, size / 2, size / 2);
      for (const algorithm of ['gjk', 'mpr'] as const) {
        const answer = ask(at(scaled), at(scaled, (2 / 3) * size), 'signed-distance', algorithm);
        expect(answer.distance / size).toBeCloseTo(-1 / 3, 10);
      }
    }
  });
});
