// MPR's kernels over all pairs of kinds: theorems 4.1 and 4.2 against exact answers.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GpuPairAnswers } from '../../../src/convex/gpu/answers.ts';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import { useDevice } from '../../support/device.ts';
import { arbitraryPlaced, kindPairs, kinds, type Placed } from '../shapes-of-all-kinds.ts';
import { claimed, type PlacedPair, undecidedShare } from './mpr-claims.ts';

const device = useDevice();
const mprKinds = ['intersect', 'penetration', 'signed-distance'] as const;

const scaled = ({ shape, position, rotation }: Placed, by: number): Placed => {
  const grow = (value: unknown, key = ''): unknown => {
    if (key === 'rotation' || key === 'kind') return value;
    if (typeof value === 'number') return value * by;
    if (Array.isArray(value)) return value.map((one) => grow(one));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, grow(v, k)]));
  };
  return {
    shape: grow(shape) as Placed['shape'],
    position: grow(position) as Placed['position'],
    rotation,
  };
};

/** So many pairs of each two kinds. */
const pairsOfKinds = (numRuns: number, seed: number): readonly PlacedPair[] =>
  kindPairs.flatMap(([a, b], i) =>
    fc.sample(fc.tuple(arbitraryPlaced(a), arbitraryPlaced(b)), { numRuns, seed: seed + i }),
  );
/** What all kinds of queries are asked about. */
const [many, some] = [pairsOfKinds(12, 0), pairsOfKinds(3, 1000)];
const enlarged = new Map(
  [1e-6, 1e6].map((by) => [by, some.map(([a, b]) => [scaled(a, by), scaled(b, by)] as const)]),
);
const mixed: readonly PlacedPair[] = fc.sample(
  fc
    .tuple(fc.constantFrom(...kinds), fc.constantFrom(...kinds))
    .chain(([a, b]) => fc.tuple(arbitraryPlaced(a), arbitraryPlaced(b))),
  { numRuns: 500, seed: 3 },
);
const swapped = mixed.map(([a, b]) => [b, a] as const);

describe.each(mprKinds)('%s', (kind) => {
  it('all pairs of kinds: sign, bounds, normal and points', async () => {
    const answers = await claimed(device(), many, kind);
    // Many of these are flat, aligned or touching.
    expect(undecidedShare(answers)).toBeLessThan(0.1);
  });

  it.each([1e-6, 1e6])('%s times the size: as sure, and right', async (by) => {
    const plain = await claimed(device(), some, kind);
    const grown = await claimed(device(), enlarged.get(by)!, kind);
    expect(Math.abs(undecidedShare(plain) - undecidedShare(grown))).toBeLessThan(0.02);
  });

  it('swapping A and B: the same side, where both are decided, as nearly all are', async () => {
    const there = await claimed(device(), mixed, kind);
    const back = await claimed(device(), swapped, kind);
    // Rays end at another portal of the same plane: a distance may be proven from the one side alone.
    const sideOf = ({ status, distance }: GpuPairAnswers, i: number) => {
      const isMeasured = status[i] === PairStatus.converged || status[i] === PairStatus.bounded;
      return isMeasured && kind !== 'intersect' ? `measured, ${Math.sign(distance[i]!)}` : status[i];
    };
    let both = 0;
    mixed.forEach((_, i) => {
      const left = PairStatus.iterationLimit;
      if (there.status[i] === left || back.status[i] === left) return;
      both++;
      expect(sideOf(back, i)).toBe(sideOf(there, i));
    });
    expect(both).toBeGreaterThan(0.8 * mixed.length);
  });
});
