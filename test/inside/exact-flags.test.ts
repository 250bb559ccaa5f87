import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { exactFlags } from '../../src/inside/exact-flags.ts';
import { openCellFoam } from '../../src/mesh/generate-foam.ts';
import { createRandom } from '../../src/mesh/random.ts';
import { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { boxMesh, joinMeshes, randomPoints } from '../support/shapes.ts';

const cube = boxMesh([0, 0, 0], [1, 1, 1]);

/** The sum of the triangles' solid angles over 4 pi: van Oosterom and Strackee (1983). Shares nothing with the code. */
function windingBySolidAngles({ positions, indices }: TriangleMesh, p: ArrayLike<number>): number {
  let sum = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((i) =>
      [0, 1, 2].map((k) => positions[3 * indices[t + i]! + k]! - p[k]!),
    ) as [number[], number[], number[]];
    const dot = (u: number[], v: number[]) => u[0]! * v[0]! + u[1]! * v[1]! + u[2]! * v[2]!;
    const across = [
      b[1]! * c[2]! - b[2]! * c[1]!,
      b[2]! * c[0]! - b[0]! * c[2]!,
      b[0]! * c[1]! - b[1]! * c[0]!,
    ];
    const [x, y, z] = [a, b, c].map((u) => Math.sqrt(dot(u, u))) as [number, number, number];
    sum += 2 * Math.atan2(dot(a, across), x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y);
  }
  return sum / (4 * Math.PI);
}

describe('exact flags', () => {
  it('are 0 outside, 1 inside and 2 on a triangle', () => {
    const points = Float32Array.of(0.5, 0.5, 0.5, 1.5, 0.5, 0.5, 1, 0.25, 0.5, 0, 0, 0);
    expect([...exactFlags(cube, points)]).toEqual([1, 0, 2, 2]);
    expect(exactFlags(cube, new Float32Array(0))).toHaveLength(0);
  });

  it('are those of the winding number, summed up from solid angles, for a foam', () => {
    const foam = openCellFoam({ triangles: 2000, cells: 1 });
    const points = randomPoints(foam, 400, createRandom(5));
    const expected = Array.from({ length: 400 }, (_, i) => {
      const winding = windingBySolidAngles(foam, points.subarray(3 * i, 3 * i + 3));
      // Random points are off the surface, where the number is whole.
      expect(Math.abs(winding - Math.round(winding))).toBeLessThan(1e-6);
      return Math.abs(Math.round(winding));
    });
    expect(expected).toContain(0);
    expect(expected).toContain(1);
    expect([...exactFlags(foam, points)]).toEqual(expected);
    expect([...exactFlags(foam, points, { rule: 'nonzero' })]).toEqual(expected);
  });

  it('are 2 at every vertex of a foam, and at middles of edges that float32 has', () => {
    const foam = openCellFoam({ triangles: 1000, seed: 8 });
    const { positions, indices } = foam;
    expect(new Set(exactFlags(foam, positions))).toEqual(new Set([2]));
    const middles: number[] = [];
    for (let t = 0; t < indices.length; t += 3) {
      const [a, b] = [3 * indices[t]!, 3 * indices[t + 1]!];
      const middle = [0, 1, 2].map((k) => (positions[a + k]! + positions[b + k]!) / 2);
      if (middle.every((x) => Math.fround(x) === x)) middles.push(...middle);
    }
    expect(middles.length).toBeGreaterThan(30);
    expect(new Set(exactFlags(foam, Float32Array.from(middles)))).toEqual(new Set([2]));
  });

  it('follow the rule', () => {
    const twice = joinMeshes([cube, boxMesh([0.25, 0.25, 0.25], [0.75, 0.75, 0.75])]);
    const middle = Float32Array.of(0.5, 0.5, 0.5);
    expect([...exactFlags(twice, middle)]).toEqual([0]);
    expect([...exactFlags(twice, middle, { rule: 'nonzero' })]).toEqual([1]);
  });

  it.each<[string, () => unknown, string]>([
    ['half a point', () => exactFlags(cube, new Float32Array(2)), '2 coordinates found'],
    ['NaN', () => exactFlags(cube, Float32Array.of(0, 0, NaN)), 'point 0 has the coordinate NaN'],
    [
      'an open mesh',
      () =>
        exactFlags(
          new TriangleMesh({ positions: cube.positions, indices: cube.indices.slice(3), name: 'open' }),
          new Float32Array(3),
        ),
      'open: ',
    ],
    [
      'an unknown rule',
      () => exactFlags(cube, new Float32Array(3), { rule: 'winding' as never }),
      'rule "winding": expected one of odd, nonzero',
    ],
  ])('are refused for %s', (_, call, message) => {
    expect(call).toThrow(InputError);
    expect(call).toThrow(message);
  });
});
