import { describe, expect, it } from 'vitest';
import { spherePoints, thesisProblems } from '../../../src/bench/pairs/problems.ts';
import {
  boxSolid,
  coneSolid,
  polytopeSolid,
  type Solid,
  type Vector,
} from '../../../src/bench/pairs/solids.ts';
import { createRandom } from '../../../src/mesh/random.ts';

const random = createRandom(7);
const anywhere = (): Vector => [4 * random() - 2, 4 * random() - 2, 4 * random() - 2];
const solids = new Map<string, Solid>(
  thesisProblems().flatMap(({ name, a, b }) => [
    [`${name}, first`, a.solid] as const,
    [`${name}, second`, b.solid] as const,
  ]),
);

describe.each([...solids])('%s', (_, solid) => {
  const inside = Array.from({ length: 4000 }, anywhere).filter((p) => solid.holds(...p, 0));

  it('holds no point beyond its reach, and some close to it', () => {
    expect(inside.length).toBeGreaterThan(50);
    for (let k = 0; k < 100; k++) {
      const n = anywhere();
      const length = Math.hypot(...n);
      const reach = solid.reach(...n);
      const farthest = Math.max(...inside.map((p) => p[0] * n[0] + p[1] * n[1] + p[2] * n[2]));
      expect(farthest).toBeLessThanOrEqual(reach * (1 + 1e-12));
      expect(farthest).toBeGreaterThan(reach - 0.8 * length);
    }
  });

  it('lies in the ball of its radius about its centroid, which is the mean of its points', () => {
    const most = Math.max(...inside.map((p) => Math.hypot(...p.map((x, k) => x - solid.centroid[k]!))));
    expect(most).toBeLessThanOrEqual(solid.radius);
    for (let k = 0; k < 3; k++) {
      const mean = inside.reduce((sum, p) => sum + p[k]!, 0) / inside.length;
      expect(Math.abs(mean - solid.centroid[k]!)).toBeLessThan(4 * (solid.radius / Math.sqrt(inside.length)));
    }
  });

  it('holds more with slack, and little more: at the tip of a cone 2.3 times as much', () => {
    const slack = 0.1;
    for (const p of Array.from({ length: 500 }, anywhere)) {
      if (!solid.holds(...p, slack)) continue;
      // Otherwise a plane is between the point and the body that is farther away than the slack.
      for (let k = 0; k < 20; k++) {
        const n = anywhere();
        const beyond = p[0] * n[0] + p[1] * n[1] + p[2] * n[2] - solid.reach(...n);
        expect(beyond).toBeLessThanOrEqual(2.3 * slack * Math.hypot(...n));
      }
    }
    expect(inside.every((p) => solid.holds(...p, slack))).toBe(true);
  });
});

it('a tetrahedron has four faces, six edges and the mean of its corners as centroid', () => {
  const solid = polytopeSolid([0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3]);
  expect(solid.axes!.normals).toHaveLength(4);
  expect(solid.axes!.edges).toHaveLength(6);
  expect(solid.centroid.map((x) => Number(x.toFixed(12)))).toEqual([0.25, 0.5, 0.75]);
  expect(solid.holds(0.1, 0.1, 0.1, 0)).toBe(true);
  expect(solid.holds(0.6, 0.6, 0.6, 0)).toBe(false);
});

it('a hull of points on a sphere has 2 n - 4 faces and 3 n - 6 edges', () => {
  const { normals, edges } = polytopeSolid(spherePoints(50, 3)).axes!;
  expect([normals.length, edges.length]).toEqual([96, 144]);
});

it('sizes are those of the thesis', () => {
  const extent = ({ reach }: Solid) => [reach(1, 0, 0), reach(0, 1, 0), reach(0, 0, 1)];
  expect(extent(boxSolid([1, 1, 1]))).toEqual([1, 1, 1]);
  const of = (name: string) => thesisProblems().find((one) => one.name === name)!;
  expect(extent(of('ellipsoid').a.solid)).toEqual([0.5, 1, 0.75]);
  expect(extent(of('round-box').a.solid)).toEqual([1.5, 1.5, 1.5]);
  expect(extent(coneSolid(1, 2))).toEqual([1, 1, 1.5]);
  expect(of('box-ellipsoid').a.shape.kind).toBe('box');
});
