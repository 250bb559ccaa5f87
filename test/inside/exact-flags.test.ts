import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { exactFlags } from '../../src/inside/exact-flags.ts';
import { openCellFoam } from '../../src/mesh/generate-foam.ts';
import { createRandom } from '../../src/mesh/random.ts';
import { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { exactFlags as byPredicates } from '../support/flags.ts';
import { boxMesh, joinMeshes, randomPoints } from '../support/shapes.ts';

const cube = boxMesh([0, 0, 0], [1, 1, 1]);

describe('exact flags', () => {
  it('are 0 outside, 1 inside and 2 on a triangle', () => {
    const points = Float32Array.of(0.5, 0.5, 0.5, 1.5, 0.5, 0.5, 1, 0.25, 0.5, 0, 0, 0);
    expect([...exactFlags(cube, points)]).toEqual([1, 0, 2, 2]);
    expect(exactFlags(cube, new Float32Array(0))).toHaveLength(0);
  });

  it('are those of the predicates, for a foam', () => {
    const foam = openCellFoam({ triangles: 2000, cells: 1 });
    const points = randomPoints(foam, 500, createRandom(5));
    expect(exactFlags(foam, points)).toEqual(byPredicates(foam, points));
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
