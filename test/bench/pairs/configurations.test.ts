import { describe, expect, it } from 'vitest';
import { cubeSides, scaled, unitConfigurations } from '../../../src/bench/pairs/configurations.ts';
import { callsOf } from '../../../src/bench/pairs/measure.ts';
import { APART, firstOf, INTERSECTING, type PairSet, repeated } from '../../../src/bench/pairs/pair-way.ts';

const set = unitConfigurations(4000, 11);

/** Balls of radius 1/2: pairs whose centres are no farther apart than 1 intersect. */
async function balls({ poses, count }: PairSet): Promise<Uint8Array> {
  return Uint8Array.from({ length: count }, (_, i) => {
    const [a, b] = [poses.subarray(14 * i), poses.subarray(14 * i + 7)];
    return Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!) <= 1 ? INTERSECTING : APART;
  });
}

describe('configurations', () => {
  it('are in the cube, with rotations of unit length that favour no direction', () => {
    const axis = [0, 0, 0];
    for (let o = 0; o < set.poses.length; o += 7) {
      const [x, y, z, qx, qy, qz, qw] = set.poses.subarray(o, o + 7) as unknown as [
        ...[number, number, number],
        ...[number, number, number, number],
      ];
      for (const one of [x, y, z]) expect(Math.abs(one)).toBeLessThanOrEqual(0.5);
      expect(Math.abs(Math.hypot(qx, qy, qz, qw) - 1)).toBeLessThan(1e-6);
      // Third column of the rotation.
      axis[0]! += 2 * (qx * qz + qy * qw);
      axis[1]! += 2 * (qy * qz - qx * qw);
      axis[2]! += 1 - 2 * (qx * qx + qy * qy);
    }
    // Of 8000 uniform directions a coordinate's mean is off by 1 / sqrt(24000) as a rule.
    for (const sum of axis) expect(Math.abs(sum / 8000)).toBeLessThan(4 / Math.sqrt(24_000));
  });

  it('are the same for the same seed, and others for another', () => {
    expect(unitConfigurations(100, 11).poses).toEqual(set.poses.slice(0, 1400));
    expect(unitConfigurations(100, 12).poses).not.toEqual(set.poses.slice(0, 1400));
  });

  it('come in cubes with the probabilities asked for', async () => {
    const wanted = [0.05, 0.3, 0.8];
    const sides = await cubeSides(wanted, set, balls);
    expect([...sides].sort((a, b) => b - a)).toEqual(sides);
    for (const [k, p] of wanted.entries()) {
      const others = scaled(unitConfigurations(4000, 99 + k), sides[k]!);
      const found = (await balls(others)).filter((side) => side === INTERSECTING).length / 4000;
      // Both the side and the share are known from 4000 pairs.
      expect(Math.abs(found - p)).toBeLessThan(4 * Math.sqrt((2 * p * (1 - p)) / 4000));
    }
  });

  it('can be cut, and repeated', () => {
    expect(firstOf(set, 3).poses).toEqual(set.poses.slice(0, 42));
    expect(firstOf(set, 9999).count).toBe(4000);
    const twice = repeated(firstOf(set, 3), 5);
    expect(twice.count).toBe(6);
    expect(twice.poses).toEqual(Float32Array.of(...set.poses.slice(0, 42), ...set.poses.slice(0, 42)));
  });
});

it('calls: their mean, and that of the highest thousandth', () => {
  const calls = Uint32Array.from({ length: 2000 }, (_, i) => i + 1);
  expect(callsOf(calls)).toEqual({ mean: 1000.5, highest: 1999.5 });
  expect(callsOf([3, 9])).toEqual({ mean: 6, highest: 9 });
  expect(callsOf([])).toEqual({ mean: 0, highest: 0 });
});
