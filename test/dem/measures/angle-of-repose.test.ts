import { describe, expect, it } from 'vitest';
import { DEGREE } from '../../../src/constants.ts';
import { angleOfRepose, createRandom } from '../../../src/index.ts';

const random = createRandom(18);
const tan = (degrees: number) => Math.tan((degrees * Math.PI) / 180);

/** Centroids that fill a cone of this slope evenly, from a floor on. */
function heap(count: number, slope: number, { at = [0, 0, 0], radius = 1 } = {}): number[] {
  const height = radius * tan(slope);
  const centroids: number[] = [];
  while (centroids.length < 3 * count) {
    const [x, y, z] = [radius * (2 * random() - 1), radius * (2 * random() - 1), height * random()];
    if (z < height - Math.hypot(x!, y!) * tan(slope)) centroids.push(x! + at[0]!, y! + at[1]!, z! + at[2]!);
  }
  return centroids;
}

/** Of bodies that rolled away: about on the floor, one to four radii from the axis. */
function rolledAway(count: number): number[] {
  return Array.from({ length: count }, () => {
    const [distance, angle] = [1 + 3 * random(), 2 * Math.PI * random()];
    return [distance * Math.cos(angle), distance * Math.sin(angle), 0.04 * random()];
  }).flat();
}

const angleOf = (centroids: readonly number[], options = {}) =>
  angleOfRepose(Float64Array.from(centroids), options) / DEGREE;

describe('the angle of repose', () => {
  it.each([5, 15, 25, 35, 45, 60])('is the slope of a cone of %s degrees', (slope) => {
    expect(Math.abs(angleOf(heap(20_000, slope)) - slope)).toBeLessThan(1);
  });

  // Bounds: three standard errors of a mean of 100, and what bodies that rolled away add to them (docs/dem.md).
  it.each([
    [80, 0, 1.3],
    [72, 8, 1.6],
  ])(
    'scatters little about 25 degrees for %s bodies of a heap, and %s that rolled away',
    (count, away, bound) => {
      const angles = Array.from({ length: 100 }, () => angleOf([...heap(count, 25), ...rolledAway(away)]));
      const mean = angles.reduce((sum, one) => sum + one) / angles.length;
      expect(Math.abs(mean - 25)).toBeLessThan(bound);
      const squares = angles.reduce((sum, one) => sum + (one - mean) ** 2, 0);
      expect(Math.sqrt(squares / angles.length)).toBeLessThan(5);
    },
  );

  it('does not depend on where the heap is, how large, and what is above', () => {
    const one = heap(200, 30);
    const angle = angleOf(one);
    const moved = one.map((x, k) => 0.01 * x + [5, -7, 3][k % 3]!);
    expect(angleOf(moved)).toBeCloseTo(angle, 6);
    const turned = one.map((_, k) => one[3 * Math.floor(k / 3) + [2, 0, 1][k % 3]!]!);
    expect(angleOf(turned, { up: [2, 0, 0] })).toBeCloseTo(angle, 6);
    expect(angleOfRepose(Float32Array.from(one)) / DEGREE).toBeCloseTo(angle, 3);
  });

  it.each([20, 35])('changes little where a tenth of the bodies rolled away from %s degrees', (slope) => {
    const own = heap(2000, slope);
    const all = [...own, ...rolledAway(200)];
    expect(Math.abs(angleOf(all) - slope)).toBeLessThan(1.5);
  });

  it('is the same of the largest coordinates', () => {
    const heap = [0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0.25, 0, 0.5];
    const angle = angleOf(heap);
    expect(angle).toBeGreaterThan(0);
    for (const power of [700, 1022]) expect(angleOf(heap.map((x) => x * 2 ** power))).toBeCloseTo(angle, 9);
    expect(angleOf(heap, { up: [0, 0, 2 ** 1023] })).toBe(angle);
  });

  it('is 0 for a layer, and not a number for too few bodies', () => {
    expect(angleOf([0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1])).toBe(0);
    expect(angleOf([0, 0, 0, 1, 0, 0, 0, 1, 1])).toBeNaN();
  });

  it('says what it cannot take', () => {
    expect(() => angleOf([0, 0])).toThrow('angleOfRepose: centroids: found 2 numbers, expected n * 3');
    expect(() => angleOf([0, 0, 0, 0, Number.NaN, 0])).toThrow(
      'angleOfRepose: centroids: body 1: found NaN, expected finite numbers',
    );
    expect(() => angleOf([], { up: [0, 0, 0] })).toThrow('three numbers that are not all 0');
  });
});
