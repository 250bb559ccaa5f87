/** The float32 bound of a cluster's series, where WGSL draws its rounding, fusing and order at random. */
import { expect, it } from 'vitest';
import { FLOAT32_SPACING } from '../../src/constants.ts';
import { seriesRounding } from '../../src/inside/clusters/tables.ts';
import type { DrawnFloat32, Term } from '../support/float32-emulation.ts';
import { type Drawn, worstRatio } from '../support/worst-ratio.ts';

const f = Math.fround;
const DEGREE = 4;
/** Exponents of the monomials of a degree. */
const MONOMIALS = [1, 2, 3, 4].map((n) =>
  Array.from({ length: n + 1 }, (_, i) => n - i).flatMap((i) =>
    Array.from({ length: n - i + 1 }, (_, j) => [i, n - i - j, j] as const),
  ),
);

/** J / q^2 of moments at (x, y, z), by exact arithmetic or nearly so. */
function exactTerms(moments: readonly (readonly number[])[], place: readonly number[], scale: number) {
  const distance = Math.hypot(...place);
  const [x, y, z] = place.map((d) => d / distance) as [number, number, number];
  let value = 0;
  let bound = 0;
  moments.forEach((ofDegree, below) => {
    const n = below + 1;
    let size = 0;
    ofDegree.forEach((c, m) => {
      const [i, j, k] = MONOMIALS[below]![m]!;
      const term = c * x ** i * y ** j * z ** k;
      value += term * (scale / distance) ** (n + 1);
      size += Math.abs(term);
    });
    bound += seriesRounding(n) * size * (scale / distance) ** (n + 1);
  });
  return { value, bound: bound * FLOAT32_SPACING };
}

/** As in cluster-sum.wgsl; a monomial's factors are multiplied in any order, its terms added up in any. */
function drawnSeries(
  draw: DrawnFloat32,
  moments: readonly (readonly number[])[],
  [dx, dy, dz]: readonly number[],
  scale: number,
): number {
  const inverse = draw.inverseSqrt(draw.dot([dx!, dy!, dz!], [dx!, dy!, dz!]));
  const q = draw.mul(scale, inverse);
  const [x, y, z] = [dx!, dy!, dz!].map((d) => draw.mul(d, inverse)) as [number, number, number];
  let sum = 0;
  for (let n = DEGREE; n >= 1; n--) {
    const terms = moments[n - 1]!.map((c, m): Term => {
      const [i, j, k] = MONOMIALS[n - 1]![m]!;
      const factors = [...Array(i).fill(x), ...Array(j).fill(y), ...Array(k).fill(z)] as number[];
      const last = factors.pop()!;
      return [draw.product(f(c), ...factors), last];
    });
    sum = n === DEGREE ? draw.sum(...terms) : draw.sum(...terms, [q, sum]);
  }
  return draw.mul(draw.mul(q, q), sum);
}

it("a cluster's series is within its bound, centres in two parts", () => {
  const worst = worstRatio(1500, (draw): Drawn[] => {
    const scale = 2 ** -Math.floor(12 * draw.random());
    const centre = [0, 0, 0].map(() => 2 * draw.random() - 1);
    const distance = scale * (0.62 + 10 * draw.random() ** 4);
    const point = centre.map((c) => f(c + distance * (draw.random() - 0.5) * 2));
    // Some coefficients alone, whose rounding none of the others hides.
    const some = draw.random();
    const moments = MONOMIALS.map((all) =>
      all.map(() => (draw.random() < some ? f(draw.random() - 0.5) : 0)),
    );
    const high = centre.map(f);
    const low = centre.map((c, k) => f(c - high[k]!));
    const away = point.map((x, k) => draw.add(draw.sub(high[k]!, x), low[k]!));
    const exactly = point.map((x, k) => high[k]! - x + low[k]!);
    const { value, bound } = exactTerms(moments, exactly, scale);
    // What two parts leave moves the centre.
    const lost = Math.hypot(...low) * FLOAT32_SPACING;
    const moved = moments.reduce((sum, all, below) => {
      const size = all.reduce((s, c) => s + Math.abs(c), 0);
      return sum + 1.2 * (2 * below + 3) * size * (scale / Math.hypot(...exactly)) ** (below + 2);
    }, 0);
    const found = drawnSeries(draw, moments, away, scale);
    return [{ found, exact: value, bound: bound + (moved * lost) / Math.hypot(...exactly) + 2 ** -100 }];
  });
  expect(worst).toBeGreaterThan(0.1);
});
