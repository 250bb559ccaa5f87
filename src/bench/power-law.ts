/** How times grow: exponents of power laws. */

export interface Sample {
  readonly x: number;
  readonly y: number;
}

/** The exponent e of y = c x^e with the least sum of squares of logarithms; undefined for fewer than two different x. */
export function fittedExponent(samples: readonly Sample[]): number | undefined {
  const usable = samples.filter(({ x, y }) => x > 0 && y > 0);
  const mean = (value: (sample: Sample) => number) =>
    usable.reduce((sum, sample) => sum + value(sample), 0) / usable.length;
  const [x, y] = [mean((sample) => Math.log(sample.x)), mean((sample) => Math.log(sample.y))];
  let [across, up] = [0, 0];
  for (const sample of usable) {
    across += (Math.log(sample.x) - x) ** 2;
    up += (Math.log(sample.x) - x) * (Math.log(sample.y) - y);
  }
  return across > 0 ? up / across : undefined;
}

/** The exponent between the two samples of largest x, where what a call takes however little it is asked weighs least. */
export function lastExponent(samples: readonly Sample[]): number | undefined {
  return fittedExponent(samples.toSorted((a, b) => a.x - b.x).slice(-2));
}
