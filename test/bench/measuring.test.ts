import { describe, expect, it } from 'vitest';
import { FlagCheck, WrongFlags } from '../../src/bench/points/check.ts';
import { makePoints, POINT_SETS } from '../../src/bench/points/points.ts';
import { inTurns, median, medianRatio, spread } from '../../src/bench/spread.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { exactFlags } from '../support/flags.ts';

const mesh = unitSphere(3);

describe('points', () => {
  it.each(POINT_SETS)('%s: as many as asked for, the same every time, in reach of the box', (set) => {
    const points = makePoints(set, mesh, 12);
    expect(points).toHaveLength(3 * 12 ** 3);
    expect(makePoints(set, mesh, 12)).toEqual(points);
    const reach = set === 'near' ? 1 + 2e-3 * Math.sqrt(3) : 1;
    expect(Math.max(...points.map(Math.abs))).toBeLessThanOrEqual(reach);
  });

  it('near: on both sides of the surface, and close to it', () => {
    const points = makePoints('near', mesh, 12);
    const radii = Array.from({ length: 12 ** 3 }, (_, i) => Math.hypot(...points.slice(3 * i, 3 * i + 3)));
    // Faces of the sphere lie up to 0.012 below it.
    expect(Math.min(...radii)).toBeGreaterThan(0.98);
    const inside = exactFlags(mesh, points).filter((flag) => flag === 1).length;
    expect(inside / radii.length).toBeGreaterThan(0.45);
    expect(inside / radii.length).toBeLessThan(0.55);
  });
});

describe('a check of flags', () => {
  const points = makePoints('random', mesh, 10);
  const right = exactFlags(mesh, points);
  const check = (sampleSize: number) => new FlagCheck({ what: 'sphere', mesh, points, sampleSize });
  const flipped = (i: number) => right.map((flag, k) => (k === i ? 1 - flag : flag));

  it('passes right flags and counts a peer that is wrong', () => {
    const checked = check(200);
    checked.requireRight('a', right);
    checked.requireRight('b', right);
    expect(checked.countWrong(right)).toBe(0);
    expect(checked.countWrong(flipped(17))).toBe(1);
  });

  it('finds a wrong flag in its sample, with exit code 1', () => {
    expect(() =>
      check(4000).requireRight(
        'a',
        right.map((flag) => 1 - flag),
      ),
    ).toThrow(WrongFlags);
    expect(new WrongFlags('').exitCode).toBe(1);
  });

  it('finds any disagreement between two ways and blames the wrong one', () => {
    const later = check(0);
    later.requireRight('first', right);
    expect(() => later.requireRight('second', flipped(17))).toThrow(/^sphere: second gave 1 .*point 17 /);
    const earlier = check(0);
    earlier.requireRight('first', flipped(17));
    expect(() => earlier.requireRight('second', right)).toThrow(/^sphere: first gave 1 .*point 17 /);
  });
});

describe('repetitions', () => {
  it('are summed up by least, middle and most', () => {
    expect(spread([3, 1, 2])).toEqual({ min: 1, median: 2, max: 3, runs: 3 });
    expect(median([4, 1, 2, 3])).toBe(2.5);
    // A slow round slows both and leaves the ratio.
    expect(medianRatio([2, 20, 2], [1, 10, 1])).toBe(2);
  });

  it('go in turns, each round starting with another', async () => {
    const order: string[] = [];
    await inTurns(['a', 'b', 'c'], 3, async (item) => void order.push(item));
    expect(order.join('')).toBe('abcbcacab');
  });
});
