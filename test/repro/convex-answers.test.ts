// Pairs of convex shapes that were reported against other libraries, rebuilt small from their descriptions. Each test
// names its source.
import { describe, expect, it } from 'vitest';
import { PairStatus } from '../../src/convex/pair/status.ts';
import type { ConvexShape } from '../../src/convex/shapes/shapes.ts';
import { createRandom } from '../../src/mesh/random.ts';
import { ask, at } from '../convex/ask.ts';
import { overlapAlong, type Placed, type Quaternion, type Vector } from '../convex/shapes-of-all-kinds.ts';
import { ALGORITHMS, box, cube, hull, inEveryWay, placed } from './convex-cases.ts';

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
      // The signed distance changes by no more than the motion.
      if (i > 0) expect(Math.abs(answer.distance - before)).toBeLessThan(0.006 + 1e-9);
      before = answer.distance;
      // MPR's normal may jump at an edge of the portal. But it belongs to MPR's distance, and distances agree.
      const mpr = ask(a, b, 'signed-distance', 'mpr');
      expect(ask(a, b, 'distance', 'mpr').distance).toBe(Math.max(0, mpr.distance));
      for (let k = 0; k < 3; k++) {
        expect(mpr.pointB[k]! - mpr.pointA[k]!).toBeCloseTo(mpr.distance * mpr.normal[k]!, 12);
      }
      if (answer.distance > 1e-9) expect(mpr.distance).toBeGreaterThan(answer.distance - 1e-9);
      if (answer.distance < -1e-9) expect(mpr.distance).toBeLessThan(answer.distance + 1e-9);
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
    // Slender ellipsoids across each other take the most steps.
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

  it('rapier#455: sharp hulls on their point do not jitter either', () => {
    const spike = hull(
      [0, 0, -2],
      ...[0, 1, 2, 3, 4].map((k) => [0.02 * Math.cos(1.2566 * k), 0.02 * Math.sin(1.2566 * k), 0]),
    );
    for (let i = -20; i <= 20; i++) {
      const turn = 1e-4 * i;
      const tilted = placed(
        spike,
        [2 * Math.sin(turn), 0, 0.5 + 2 * Math.cos(turn) + i * 1e-4],
        [0, -Math.sin(turn / 2), 0, Math.cos(turn / 2)],
      );
      const answer = inEveryWay(at(box(5, 5, 0.5)), tilted, 10);
      // The tip of the spike is at x = 4 sin(turn), at this height above the floor.
      expect(answer.distance).toBeCloseTo(i * 1e-4, 10);
      if (i !== 0) expect(answer.normal[2]).toBeCloseTo(1, 6);
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
