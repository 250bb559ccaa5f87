/** Polygons that lines cut. */
import { expect, it } from 'vitest';
import { CORNER, Polygon } from '../../../src/contacts/faces/polygon.ts';
import { createRandom } from '../../../src/mesh/random.ts';

function areaOf({ at, end }: Polygon): number {
  let twice = 0;
  for (let i = 0, last = end - CORNER; i < end; last = i, i += CORNER)
    twice += at[last]! * at[i + 1]! - at[last + 1]! * at[i]!;
  return twice / 2;
}

it('is parted among planes whose bisectors all meet in a point, whatever the order of the cuts', () => {
  const random = createRandom(8);
  for (let round = 0; round < 200; round++) {
    const count = 5 + (round % 20);
    const [x, y, turn] = [random(), random(), random()];
    const angleOf = (k: number) => turn + (2 * Math.PI * k) / count;
    // Sides of a pyramid: each is the lowest over its sector.
    const sides = Array.from(
      { length: count },
      (_, k) => [Math.cos(angleOf(k)), Math.sin(angleOf(k))] as const,
    );
    const round32 = Float64Array.from({ length: 64 }, (_, i) => {
      const angle = (2 * Math.PI * (i >> 1)) / 32;
      return i % 2 === 0 ? x + 2 * Math.cos(angle) : y + 2 * Math.sin(angle);
    });
    const whole = new Polygon();
    whole.reserve(32 + count);
    whole.load(round32, 0, 32);
    const all = areaOf(whole);
    let sum = 0;
    for (const [k, [c, s]] of sides.entries()) {
      whole.load(round32, 0, 32);
      const others = sides.filter((_, l) => l !== k);
      if (round % 3 === 1) others.reverse();
      if (round % 3 === 2) others.sort(() => random() - 0.5);
      for (const [otherC, otherS] of others) {
        // Depths of the other one less those of this one.
        const [b, v] = [c - otherC, s - otherS];
        if (whole.end > 2 * CORNER) whole.cut(Float64Array.of(-(b * x + v * y), b, v), 0, 1);
      }
      sum += areaOf(whole);
    }
    expect(Math.abs(sum - all)).toBeLessThan(1e-12 * all);
  }
});
