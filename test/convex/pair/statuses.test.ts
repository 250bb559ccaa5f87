/** The table of statuses in docs/convex.md, for each algorithm and kind, on random pairs of all kinds of shapes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queryPairs } from '../../../src/convex/cpu/pair-run.ts';
import { Pair } from '../../../src/convex/pair/pair.ts';
import { PairStatus, pairStatusName } from '../../../src/convex/pair/status.ts';
import { intersects } from '../../../src/convex/query/intersects.ts';
import {
  PAIR_ALGORITHMS,
  PAIR_KINDS,
  type PairKind,
  refinesPortals,
} from '../../../src/convex/query/pair-kinds.ts';
import { placements } from '../../../src/convex/shapes/pose.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import { arbitraryPlaced, kinds } from '../shapes-of-all-kinds.ts';

const { converged, touching, separated, degenerate, bounded } = PairStatus;
const bodies = kinds.flatMap((kind, i) =>
  fc
    .sample(fc.tuple(arbitraryPlaced(kind), fc.constantFrom(...kinds).chain(arbitraryPlaced)), {
      numRuns: 150,
      seed: 50 + i,
    })
    .flat(),
);
const count = bodies.length / 2;
const table = new ShapeTable(bodies.map(({ shape }) => shape));
const poses = Float64Array.from(bodies.flatMap(({ position, rotation }) => [...position, ...rotation]));
const query = { poses, pairs: Uint32Array.from({ length: 2 * count }, (_, i) => i) };
const exact = queryPairs(table, { ...query, kind: 'signed-distance', algorithm: 'gjk', tolerance: 2 ** -42 });
const placed = placements(poses);
const pair = new Pair(table);
const sizes = Float64Array.from({ length: count }, (_, i) => {
  pair.place(
    { record: 2 * i, frames: placed, at: 24 * i },
    { record: 2 * i + 1, frames: placed, at: 24 * i + 12 },
  );
  return pair.size;
});
const SWEEP = 0.25;

/**
 * Statuses that a kind may have for pairs apart and for those that overlap. Any may be `touching`; few, `degenerate` or
 * `bounded`.
 */
const usual: Record<PairKind, { readonly apart: number; readonly deep: number }> = {
  intersect: { apart: separated, deep: converged },
  distance: { apart: converged, deep: converged },
  'signed-distance': { apart: converged, deep: converged },
  penetration: { apart: separated, deep: converged },
  manifold: { apart: separated, deep: converged },
};

it('the reference knows all distances to 2^-40 but a few', () => {
  let known = 0;
  for (let i = 0; i < count; i++) if (exact.upper[i]! - exact.lower[i]! <= 2 ** -40 * sizes[i]!) known++;
  expect(known).toBeGreaterThan(0.97 * count);
});

describe.each(PAIR_ALGORITHMS)('%s', (algorithm) => {
  const isMpr = refinesPortals(algorithm);
  it.each(PAIR_KINDS)('%s: every status keeps its promise', (kind) => {
    const tolerance = 2 ** -20;
    const options = { kind, algorithm, tolerance, sweepRadius: SWEEP };
    const results = { kind, ...queryPairs(table, { ...query, ...options }) };
    const wrong: unknown[] = [];
    const counts = { met: 0, open: 0, rare: 0, deep: 0 };
    for (let i = 0; i < count; i++) {
      const size = sizes[i]!;
      const least = 2 ** -45 * size;
      const status = results.status[i]!;
      const [low, high] = [exact.lower[i]!, exact.upper[i]!];
      const plain = kind === 'distance';
      const shown = (value: number) => (plain ? Math.max(0, value) : value);
      const [distance, lower, upper] = [results.distance[i]!, results.lower[i]!, results.upper[i]!];
      const fail = (what: string) =>
        wrong.push({ i, what, status: pairStatusName(status), exact: high, distance, lower, upper, size });
      const isApart = low > least;
      const isDeep = high < -least;
      if (isDeep) counts.deep++;
      if ((isApart && intersects(results, i)) || (isDeep && !intersects(results, i))) fail('side');
      if (status === touching && (isApart || isDeep)) fail('touches');
      if (kind === 'intersect') {
        if (status === degenerate || status === bounded) fail('no status of this kind');
        continue;
      }
      if (!(lower <= shown(high) + least && shown(low) - least <= upper)) fail('bounds');
      if (status === converged) {
        counts.met++;
        if (!(upper - lower <= tolerance * size || (plain && distance === 0))) fail('width');
        if (!(distance >= shown(low) - tolerance * size && distance <= shown(high) + tolerance * size)) {
          fail('distance');
        }
      } else if (status === separated) {
        const reach = algorithm === 'sweep-gjk' ? 2 * SWEEP : 0;
        if (!(high > reach - least && distance <= high + least && distance > 0)) fail('bound');
      } else if (status === bounded) {
        counts.open++;
        if (upper - lower <= tolerance * size * (1 - 2 ** -20)) fail('it has converged');
        // Theorem 4.2: not nearer than they are, not less deep, to the gap that portals are refined to.
        const isFar = distance > 0 ? distance >= low - least : distance <= high + tolerance * size;
        if (isMpr ? !isFar : !(distance >= lower - least && distance <= upper + least)) {
          fail('estimate');
        }
      } else if (status !== touching && status !== degenerate) {
        fail('no status of a result');
      }
      const expected = isDeep ? usual[kind].deep : isApart ? usual[kind].apart : status;
      const isRare = status === degenerate || status === bounded;
      if (isRare) counts.rare++;
      const sweeps = algorithm === 'sweep-gjk' && !isDeep;
      if (status !== expected && status !== touching && !isRare && !sweeps) fail('no status of such a pair');
    }
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(counts.deep).toBeGreaterThan(count / 6);
    // A portal proves no depth; what the other algorithms cannot prove is rare.
    if (!isMpr) expect(counts.rare).toBeLessThan(0.02 * count);
    else if (kind !== 'intersect' && kind !== 'distance')
      expect(counts.open).toBeGreaterThan(0.8 * counts.deep);
    if (kind !== 'intersect' && !isMpr) expect(counts.met).toBeGreaterThan(0.9 * counts.deep);
  });
});
