import { describe, expect, it } from 'vitest';
import { DaeSolver } from '../../src/dae/dae-solver.ts';
import type { DaeState, DaeSystem } from '../../src/dae/dae-system.ts';
import { blocksOf, columnGroups } from '../../src/dae/iteration-matrix.ts';
import { RootWatch } from '../../src/dae/roots.ts';
import { ScreeError } from '../../src/errors.ts';
import { carAxis, robertson, sliderCrank, sliderCrankStart } from './systems.ts';

/** Ten times the relative tolerance of IDA's Robertson. */
const TEN_TOLERANCES = 1e-3;

/** y'' = -y as two rows. */
const oscillator = (tolerance: number, more: Partial<DaeSystem> = {}): DaeSystem => ({
  count: 2,
  absoluteTolerances: new Float64Array(2).fill(tolerance),
  residual({ y, rates }, out) {
    out[0] = rates[0]! - y[1]!;
    out[1] = rates[1]! + y[0]!;
  },
  ...more,
});
const state = (y: readonly number[], rates: readonly number[], time = 0): DaeState => ({
  ...{ time, y: Float64Array.from(y), rates: Float64Array.from(rates) },
});
function valuesAt(solver: DaeSolver, time: number, count: number) {
  const [y, rates] = [new Float64Array(count), new Float64Array(count)];
  solver.at(time, y, rates);
  return { y, rates };
}

describe("IDA's examples, at its tolerances, in no more work than it prints times 1.2", () => {
  it('Robertson: values, roots, 362 steps, 537 residuals, 60 matrices', () => {
    const solver = new DaeSolver(robertson, { relativeTolerance: 1e-4 });
    solver.start(state([1, 0, 0], [-0.04, 0.04, 0]), 0.4);
    const printed = new Map([
      [0.4, 0.98517],
      [40, 0.71579],
      [4e3, 0.1832],
      [4e5, 4.9369e-3],
      [4e7, 5.2009e-5],
    ]);
    const roots: (readonly [number, readonly number[]])[] = [];
    for (let time = 0.4; time <= 4e10; time *= 10) {
      for (let at = solver.advance(time); at.time < time; at = solver.advance(time))
        roots.push([at.time, at.roots]);
      const want = printed.get(Number(time.toPrecision(1)));
      if (want === undefined) continue;
      const [a, b, c] = valuesAt(solver, time, 3).y;
      expect(Math.abs(a! - want)).toBeLessThanOrEqual(10 * (1e-4 * want + 1e-8));
      // The second one is fast: it stands where its rate is none next to 0.04 a. The third one is what is left.
      const stands = (0.08 * want) / (1e4 * c! + Math.sqrt((1e4 * c!) ** 2 + 0.16 * 3e7 * want));
      expect(Math.abs(b! / stands - 1)).toBeLessThan(TEN_TOLERANCES);
      expect(Math.abs(c! - (1 - want - stands))).toBeLessThanOrEqual(10 * (1e-4 * c! + 1e-6));
    }
    expect(roots.map(([, which]) => which)).toEqual([[1], [0]]);
    expect(Math.abs(roots[0]![0] / 0.26402 - 1)).toBeLessThan(1e-3);
    expect(Math.abs(roots[1]![0] / 2.0788e7 - 1)).toBeLessThan(1e-3);
    const { steps, residuals, jacobians } = solver.statistics;
    expect(steps).toBeLessThanOrEqual(1.2 * 362);
    expect(residuals).toBeLessThanOrEqual(1.2 * 537);
    expect(jacobians).toBeLessThanOrEqual(1.2 * 60);
  });

  it('stabilised slider-crank: values, 222 steps, 874 residuals, 32 matrices', () => {
    const solver = new DaeSolver(sliderCrank, { relativeTolerance: 1e-6 });
    solver.start(sliderCrankStart(), 0.25);
    const printed = [
      [0.072238, 1.498, -0.036096],
      [-1.43, 0.93903, 0.5179],
      [0.18041, 1.4879, -0.089839],
      [1.2757, 1.0236, -0.49881],
    ];
    printed.forEach((want, i) => {
      solver.advance(2.5 * (i + 1));
      const { y } = valuesAt(solver, 2.5 * (i + 1), 10);
      // Five digits are printed.
      want.forEach((x, k) => {
        expect(Math.abs(y[k]! - x)).toBeLessThanOrEqual(10e-6 * (1 + Math.abs(x)) + 5e-5 * Math.abs(x));
      });
    });
    const { steps, residuals, jacobians } = solver.statistics;
    expect(steps).toBeLessThanOrEqual(1.2 * 222);
    expect(residuals).toBeLessThanOrEqual(1.2 * 874);
    expect(jacobians).toBeLessThanOrEqual(1.2 * 32);
  });
});

it("the car axis in Gear's form is within 1e-6 of the reference", () => {
  const solver = new DaeSolver(carAxis(1e-10), { relativeTolerance: 1e-10 });
  const start = state([0, 0.5, 1, 0.5, -0.5, 0, -0.5, 0, 0, 0, 0, 0], new Array(12).fill(0));
  expect(solver.makeConsistent(start)).toBeUndefined();
  solver.start(start, 3);
  solver.advance(3);
  const { y } = valuesAt(solver, 3, 12);
  const reference = [
    ...[0.0493455784275403, 0.496989460230171, 1.04174252488542, 0.373911027265361],
    ...[-0.0770583684040972, 0.00744686658723779, 0.0175568157537232, 0.770341043779252],
  ];
  reference.forEach((want, i) => {
    expect(Math.abs(y[i]! - want)).toBeLessThan(1e-6);
  });
});

describe('steps and orders', () => {
  it('errors fall with the tolerance, also between the ends of steps, and of integrals', () => {
    for (const tolerance of [1e-4, 1e-7, 1e-10]) {
      const quadratures = {
        count: 1,
        rates: ({ y }: DaeState, out: Float64Array) => {
          out[0] = y[0]! ** 2;
        },
      };
      const solver = new DaeSolver(oscillator(tolerance, { quadratures }), { relativeTolerance: tolerance });
      solver.start(state([0, 1], [1, 0]), 10);
      let worst = 0;
      for (let i = 1; i <= 100; i++) {
        const time = i / 10;
        solver.advance(time);
        const { y, rates } = valuesAt(solver, time, 2);
        const integral = time / 2 - Math.sin(2 * time) / 4;
        worst = Math.max(
          ...[worst, Math.abs(y[0]! - Math.sin(time)), Math.abs(rates[0]! - Math.cos(time)) / 10],
          Math.abs(solver.integralsAt(time)[0]! - integral) / 10,
        );
      }
      expect(worst).toBeLessThan(500 * tolerance);
      expect(worst).toBeGreaterThan(tolerance / 10);
    }
  });

  it('a stop is met to the bit, and no step is asked for beyond it', () => {
    let latest = 0;
    const system = oscillator(1e-8);
    const solver = new DaeSolver(
      {
        ...system,
        residual(at, out) {
          latest = Math.max(latest, at.time);
          system.residual(at, out);
        },
      },
      { relativeTolerance: 1e-8 },
    );
    solver.start(state([0, 1], [1, 0]), 1);
    solver.advance(1 / 3, 1 / 3);
    expect(solver.stepEnd).toBeCloseTo(1 / 3, 14);
    expect(latest).toBeLessThanOrEqual(1 / 3 + 1e-15);
  });

  it('columns that share no row are differenced together, and factored apart', () => {
    // Ten blocks of three unknowns.
    const count = 30;
    const rowsOf = Array.from({ length: count }, (_, j) => [0, 1, 2].map((k) => 3 * Math.floor(j / 3) + k));
    const system: DaeSystem = {
      ...{ count, rowsOf, absoluteTolerances: new Float64Array(count).fill(1e-6) },
      residual({ y, rates }, out) {
        for (let i = 0; i < count; i++)
          out[i] = rates[i]! + (1 + i) * y[i]! - y[3 * Math.floor(i / 3) + ((i + 1) % 3)]!;
      },
    };
    expect(columnGroups(system)).toHaveLength(3);
    expect(blocksOf(system).map(({ columns, rows }) => [columns, rows])).toEqual(
      Array.from({ length: 10 }, (_, k) => [
        [3 * k, 3 * k + 1, 3 * k + 2],
        [3 * k, 3 * k + 1, 3 * k + 2],
      ]),
    );
    const ends = [system, { ...system, rowsOf: undefined }].map((own) => {
      const solver = new DaeSolver(own, { relativeTolerance: 1e-6 });
      const y = Array.from({ length: count }, (_, i) => 1 + i / 10);
      const start = state(y, y);
      own.residual({ ...start, rates: new Float64Array(count) }, start.rates);
      solver.start({ ...start, rates: start.rates.map((x) => -x) }, 1);
      solver.advance(1);
      return { y: valuesAt(solver, 1, count).y, ...solver.statistics };
    });
    expect(ends[0]!.y).toEqual(ends[1]!.y);
    expect(ends[0]!.residuals).toBeLessThan(ends[1]!.residuals / 2);
  });

  it('a start off the constraints is moved onto them, with rates that keep them', () => {
    // x^2 + y^2 = 1 + t / 2, and y follows x': x' = 1.
    const system: DaeSystem = {
      ...{ count: 2, absoluteTolerances: new Float64Array(2).fill(1e-10), sizes: Float64Array.of(1, 1) },
      isConstraint: Uint8Array.of(0, 1),
      residual({ time, y: [a, b], rates }, out) {
        out[0] = rates[0]! - 1;
        out[1] = a! * a! + b! * b! - 1 - time / 2;
      },
    };
    const solver = new DaeSolver(system, { relativeTolerance: 1e-10 });
    const start = state([0.7, 0.9], [0, 0]);
    expect(solver.makeConsistent(start)).toBeUndefined();
    const [a, b] = start.y;
    expect(Math.abs(Math.hypot(a!, b!) - 1)).toBeLessThan(1e-12);
    expect(Math.abs(b! / a! - 9 / 7)).toBeLessThan(1e-6);
    expect(Math.abs(2 * a! * start.rates[0]! + 2 * b! * start.rates[1]! - 0.5)).toBeLessThan(1e-6);
    // a^2 + 1 = 0 has no solution.
    const never = {
      ...system,
      residual: ({ y, rates }: DaeState, out: Float64Array) => {
        out[0] = rates[1]!;
        out[1] = y[0]! ** 2 + 1;
      },
    };
    const gap = new DaeSolver(never, { relativeTolerance: 1e-10 }).makeConsistent(state([0.7, 0.9], [0, 0]));
    expect(gap).toMatchObject({ row: 1, of: 'constraints' });
  });

  it('a step that collapses names the time and the unknown of largest error', () => {
    // 1 / (1 - t) ends at 1.
    const system: DaeSystem = {
      ...{ count: 2, absoluteTolerances: new Float64Array(2).fill(1e-6) },
      nameOf: (unknown) => ['steady', 'explosive'][unknown]!,
      residual({ y: [a, b], rates }, out) {
        out[0] = rates[0]! + a!;
        out[1] = rates[1]! - b! * b!;
      },
    };
    const solver = new DaeSolver(system, { relativeTolerance: 1e-6 });
    solver.start(state([1, 1], [-1, 1]), 2);
    expect(() => solver.advance(2)).toThrow(ScreeError);
    expect(() => solver.advance(2)).toThrow(/time (0\.99|1\.00).*explosive/);
  });
});

describe('roots', () => {
  it('is one bracket of rounding errors wide, and simultaneous ones come together', () => {
    const roots = {
      count: 3,
      values({ y }: DaeState, out: Float64Array) {
        out[0] = y[1]!;
        out[1] = y[1]! ** 3 * 1e6;
        out[2] = y[1]! - 0.5;
      },
    };
    const solver = new DaeSolver(oscillator(1e-12, { roots }), { relativeTolerance: 1e-12 });
    solver.start(state([0, 1], [1, 0]), 1);
    const found = [];
    for (let at = solver.advance(4); at.time < 4; at = solver.advance(4)) found.push(at);
    expect(found.map((one) => one.roots)).toEqual([[2], [0, 1]]);
    expect(Math.abs(found[0]!.time - Math.PI / 3)).toBeLessThan(1e-9);
    expect(Math.abs(found[1]!.time - Math.PI / 2)).toBeLessThan(1e-9);
  });

  it('a ball that bounces is found once per bounce, where it flies and at rest on the ground', () => {
    // llnl/sundials#881, AMICI#2861, Hipparchus#184: a root that is 0 at the restart, and whose side the reset flips.
    const [g, e] = [10, 0.5];
    const roots = {
      count: 1,
      values: ({ y }: DaeState, out: Float64Array) => {
        out[0] = y[0]!;
      },
    };
    const system: DaeSystem = {
      ...{ count: 2, absoluteTolerances: new Float64Array(2).fill(1e-12), roots },
      residual({ y, rates }, out) {
        out[0] = rates[0]! - y[1]!;
        out[1] = rates[1]! + g;
      },
    };
    const solver = new DaeSolver(system, { relativeTolerance: 1e-10 });
    solver.start(state([1, 0], [0, -g]), 1);
    const times: number[] = [];
    let at = solver.advance(3);
    for (; at.roots.length > 0 && times.length < 12; at = solver.advance(3)) {
      times.push(at.time);
      const { y } = valuesAt(solver, at.time, 2);
      // The height stays what it was found at: a rounding error below the ground.
      solver.start(state([y[0]!, -e * y[1]!], [-e * y[1]!, -g], at.time), at.time + 0.1);
    }
    const first = Math.sqrt(2 / g);
    const flights = times.map((time, i) => time - (times[i - 1] ?? 0));
    expect(times).toHaveLength(12);
    flights.forEach((flight, i) => {
      const want = i === 0 ? first : 2 * first * e ** i;
      expect(Math.abs(flight / want - 1)).toBeLessThan(1e-7);
    });
  });

  it('a function that is 0 at a start is not found there, and is found when it comes back', () => {
    const watch = new RootWatch(2);
    // One leaves 0 at once, the other stays on it for a while.
    const values = (time: number, out: Float64Array) => {
      out[0] = Math.sin(time);
      out[1] = time < 1 ? 0 : (time - 1) * (2 - time);
    };
    watch.start(0, 1e-6, values, []);
    expect(Array.from(watch.sides)).toEqual([1, 0]);
    const found = [];
    for (const end of [0.5, 1.5, 2.5, 3.5])
      for (let root = watch.next(end, 1, values); root; root = watch.next(end, 1, values)) found.push(root);
    expect(found.map(({ functions }) => functions)).toEqual([[1], [0]]);
    expect(found[0]!.time).toBeCloseTo(2, 12);
    expect(found[1]!.time).toBeCloseTo(Math.PI, 12);
  });

  it('steep and flat functions take no more than some three times the evaluations of bisection', () => {
    for (const own of [(x: number) => Math.tanh(1e6 * (x - 0.3)), (x: number) => (x - 0.3) ** 9]) {
      const watch = new RootWatch(1);
      const values = (time: number, out: Float64Array) => {
        out[0] = own(time);
      };
      watch.start(0, 1e-6, values, []);
      expect(watch.next(1, 1, values)!.time).toBeCloseTo(0.3, 10);
      // 45 halvings lead to the width.
      expect(watch.evaluations).toBeLessThan(3 * 45 + 5);
    }
  });
});
