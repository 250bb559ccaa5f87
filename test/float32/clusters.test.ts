/** The float32 bound of a cluster's series, where WGSL draws its rounding, fusing and order at random. */
import { expect, it } from 'vitest';
import { FLOAT32_SPACING } from '../../src/constants.ts';
import { seriesRounding } from '../../src/inside/clusters/tables.ts';
import { CLUSTER_RATIO } from '../../src/inside/multipole/constants.ts';
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
    // A radius is at least half of the scale, a distance 1 / CLUSTER_RATIO of the radius.
    const distance = scale * (0.5 / CLUSTER_RATIO + 10 * draw.random() ** 4);
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

it('what a cluster leaves out loses less than it is raised by', () => {
  const worst = worstRatio(4000, (draw): Drawn[] => {
    const scale = 1;
    const radius = f(0.5 + 0.5 * draw.random());
    // Centres in two parts may be off: the kernel's t is somewhat above the ratio at most.
    const ratio = CLUSTER_RATIO * (1 + 2 ** -6 * draw.random());
    const distance = (radius / ratio) * (1 + (draw.random() < 0.5 ? 0 : draw.random()));
    const direction = [0, 0, 0].map(() => draw.random() - 0.5);
    const away = direction.map((x) => f((x / Math.hypot(...direction)) * distance));
    // What a difference in two parts loses.
    const moved = away.map((x) => f(x * (1 + 2 * FLOAT32_SPACING * draw.random())));
    const norms = [0, 0, 1].map((least) => (draw.random() < 0.5 ? least : f(draw.random())));
    const q = draw.mul(scale, draw.inverseSqrt(draw.dot(moved, moved)));
    const q2 = draw.mul(q, q);
    const t = draw.mul(radius, q);
    const u = draw.div(1, draw.sub(1, t));
    const series = draw.sum(1, [draw.mul(t, u), f(1 / 7)]);
    const tail = draw.mul(draw.mul(draw.mul(q, norms[2]!), u), series);
    const inner = draw.sum(norms[0]!, [q, draw.add(norms[1]!, tail)]);
    const rest = draw.mul(draw.mul(draw.mul(q2, q2), q2), inner);
    const inverse = 1 / Math.hypot(...away);
    const [exactT, exactU] = [radius * inverse, 1 / (1 - radius * inverse)];
    const above = norms[2]! * exactU * (1 + (exactT * exactU) / 7);
    const exact = inverse ** 6 * (norms[0]! + inverse * (norms[1]! + inverse * above));
    // It may come out larger.
    return [{ found: Math.min(rest, exact), exact, bound: 110 * FLOAT32_SPACING * exact }];
  });
  expect(worst).toBeGreaterThan(0.1);
});
