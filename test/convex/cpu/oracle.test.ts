import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { queryPairs } from '../../../src/convex/cpu/pair-run.ts';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import { dataPath, describeWithData, hasData } from '../../support/data.ts';
import { dot } from '../shapes-of-all-kinds.ts';

interface Oracle {
  readonly shapes: readonly { readonly file: string; readonly vertices: readonly number[][] }[];
  readonly cases: readonly {
    readonly a: number;
    readonly b: number;
    readonly quat_xyzw: readonly number[];
    readonly translation: readonly number[];
    readonly signed_distance: number;
    readonly intersect: boolean;
    readonly direction: readonly number[];
  }[];
}

describeWithData('300 pairs of polytopes against the hull of their Minkowski difference', () => {
  const oracle = (hasData
    ? JSON.parse(readFileSync(dataPath('convex_pairs.json'), 'utf8'))
    : { shapes: [], cases: [] }) as unknown as Oracle;
  const { cases } = oracle;
  const table = () =>
    new ShapeTable(oracle.shapes.map(({ vertices }) => ({ kind: 'polytope', vertices: vertices.flat() })));
  // Bodies 2 i and 2 i + 1 are A, at rest, and B of case i.
  const bodies = Uint32Array.from(cases.flatMap(({ a, b }) => [a, b]));
  const poses = Float64Array.from(
    cases.flatMap(({ quat_xyzw, translation }) => [0, 0, 0, 0, 0, 0, 1, ...translation, ...quat_xyzw]),
  );
  const pairs = Uint32Array.from({ length: 2 * cases.length }, (_, i) => i);
  const query = { poses, pairs, shapes: bodies } as const;

  it.each(['gjk', 'gjk-johnson'] as const)('%s: distance and depth within 1e-9 of the size', (algorithm) => {
    const results = queryPairs(table(), { ...query, kind: 'signed-distance', algorithm });
    cases.forEach((one, i) => {
      expect(results.status[i]).toBe(PairStatus.converged);
      expect(Math.abs(results.distance[i]! - one.signed_distance)).toBeLessThan(1e-9);
      expect(results.lower[i]).toBeLessThanOrEqual(one.signed_distance + 1e-11);
      expect(results.upper[i]).toBeGreaterThanOrEqual(one.signed_distance - 1e-11);
      // The oracle's direction is from B to A where they are apart. Of tied facets any is right.
      const turn = one.signed_distance > 0 ? -1 : 1;
      const along = turn * dot(results.normal.subarray(3 * i, 3 * i + 3), one.direction);
      if (one.signed_distance > 0) expect(along).toBeGreaterThan(1 - 1e-9);
    });
    // Johnson's cofactors lose digits on slivers, which the bounds notice and the surer way makes good.
    expect(results.redone).toBeLessThanOrEqual(algorithm === 'gjk' ? 0 : 6);
  });

  it('EPA: the bounds bracket the depth at any tolerance', () => {
    for (const tolerance of [0.1, 1e-2, 1e-3, 1e-6]) {
      const results = queryPairs(table(), { ...query, kind: 'penetration', tolerance });
      cases.forEach((one, i) => {
        if (!one.intersect) return;
        expect(results.lower[i]).toBeLessThanOrEqual(one.signed_distance + 1e-11);
        expect(results.upper[i]).toBeGreaterThanOrEqual(one.signed_distance - 1e-11);
        // Bodies have radius 1, the pair's size is below 4.
        expect(results.upper[i]! - results.lower[i]!).toBeLessThanOrEqual(4 * tolerance);
      });
    }
  });

  it.each(['gjk', 'gjk-johnson', 'mpr', 'mpr-olvang'] as const)('%s: whether they intersect', (algorithm) => {
    const results = queryPairs(table(), { ...query, kind: 'intersect', algorithm });
    const wrong = cases.filter((one, i) => one.intersect !== (results.status[i] !== PairStatus.separated));
    expect(wrong).toEqual([]);
    expect(results.redone).toBe(0);
  });

  it('MPR: not below the distance and not above the depth, with the right sign', () => {
    const results = queryPairs(table(), { ...query, kind: 'signed-distance', algorithm: 'mpr' });
    let exact = 0;
    cases.forEach((one, i) => {
      const delta = results.distance[i]!;
      expect(Math.sign(delta)).toBe(Math.sign(one.signed_distance));
      if (one.intersect) expect(delta).toBeLessThan(one.signed_distance + 1e-11);
      else expect(delta).toBeGreaterThan(one.signed_distance - 1e-11);
      if (Math.abs(delta - one.signed_distance) < 1e-9) exact++;
    });
    // The ray passes the nearest facet of about a third of these.
    expect(exact).toBeGreaterThan(cases.length / 5);
  });

  it('a query that starts from the last one answers the same with fewer support points', () => {
    const first = queryPairs(table(), { ...query, kind: 'signed-distance' });
    const again = queryPairs(table(), { ...query, kind: 'signed-distance', previous: first });
    const calls = (of: Uint32Array) => of.reduce((sum, x) => sum + x, 0);
    cases.forEach((_, i) => {
      expect(Math.abs(again.distance[i]! - first.distance[i]!)).toBeLessThan(1e-11);
    });
    expect(calls(again.iterations)).toBeLessThan(calls(first.iterations));
  });
});
