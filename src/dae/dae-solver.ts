/** Solves 0 = f(y', y, t) of index 1 to a tolerance. docs/dae.md has the method, and figures. */
import { Matrix } from 'ml-matrix';
import { ScreeError } from '../errors.ts';
import { type Gap, makeConsistent } from './consistent-start.ts';
import {
  FAILED_SHRINK,
  FIRST_STEP_CHANGE,
  FIRST_STEP_SHARE,
  LEAST_ERROR,
  LEAST_FACTOR_RATIO,
  LOOK_AHEAD,
  MOST_CORRECTIONS,
  MOST_FAILURES,
  MOST_ORDER,
  NEGLIGIBLE_CORRECTION,
  NEW_MATRIX_FACTOR,
  NEWTON_SHRINK,
  NEWTON_TOLERANCE,
  OLD_MATRIX_FACTOR,
  SLOWEST_CONVERGENCE,
  SMOOTH_SHRINK,
  UNIT,
} from './constants.ts';
import type { DaeStatistics } from './dae-statistics.ts';
import type { DaeState, DaeSystem } from './dae-system.ts';
import { Differences, Formula } from './history.ts';
import { type Block, blocksOf, columnGroups, differences, Factors } from './iteration-matrix.ts';
import { RootWatch } from './roots.ts';

export interface DaeSolverOptions {
  readonly relativeTolerance: number;
  /** A time that no step is longer than. */
  readonly longestStep?: number | undefined;
}

/** Where `advance` stopped. */
export interface Arrival {
  readonly time: number;
  /** Functions that cross 0 there; empty at the time that was asked for. */
  readonly roots: readonly number[];
}

/** What a step's test came to. */
interface StepTest {
  /** At most 1 passes. */
  readonly error: number;
  /** The order that is better: the step's or the one below, and the error of it. */
  readonly order: number;
  readonly errorOfOrder: number;
  /** Error of the step's order; terms of it and of the one below. */
  readonly own: number;
  readonly term: number;
  readonly termBelow: number;
}

export class DaeSolver {
  readonly statistics: DaeStatistics = {
    ...{ steps: 0, residuals: 0, jacobians: 0, corrections: 0, failedTests: 0, failedCorrections: 0 },
    ...{ rootEvaluations: 0, starts: 0 },
  };
  readonly #system: DaeSystem;
  readonly #options: DaeSolverOptions;
  readonly #groups: readonly (readonly number[])[];
  readonly #blocks: readonly Block[];
  readonly #formula = new Formula();
  readonly #history: Differences;
  readonly #integrals: Differences;
  readonly #histories: readonly Differences[];
  readonly #weights: Float64Array;
  readonly #matrix: Matrix;
  #factors: Factors | undefined;
  /** Of the matrix; of the last step that was tried. */
  #matrixFactor = 0;
  #lastFactor = 0;
  /** Rate / (1 - rate) of Newton's method. */
  #contraction = NEW_MATRIX_FACTOR;
  /** At first lengths double and orders rise. */
  #isStarting = true;
  readonly #watch: RootWatch | undefined;
  #crossed: readonly number[] = [];
  #time = 0;
  // Room for a step.
  readonly #y: Float64Array;
  readonly #rates: Float64Array;
  readonly #predicted: Float64Array;
  readonly #predictedRates: Float64Array;
  readonly #correction: Float64Array;
  readonly #residual: Float64Array;
  readonly #integralRates: Float64Array;
  readonly #integralCorrection: Float64Array;

  constructor(system: DaeSystem, options: DaeSolverOptions) {
    this.#system = system;
    this.#options = options;
    const { count, quadratures, roots } = system;
    const room = () => new Float64Array(count);
    [this.#y, this.#rates, this.#predicted, this.#predictedRates] = [room(), room(), room(), room()];
    [this.#correction, this.#residual, this.#weights] = [room(), room(), room()];
    this.#groups = columnGroups(system);
    this.#blocks = blocksOf(system);
    this.#history = new Differences(count);
    this.#integrals = new Differences(quadratures?.count ?? 0);
    this.#histories = [this.#history, this.#integrals];
    this.#integralRates = new Float64Array(quadratures?.count ?? 0);
    this.#integralCorrection = new Float64Array(quadratures?.count ?? 0);
    this.#matrix = new Matrix(count, count);
    this.#watch = roots === undefined ? undefined : new RootWatch(roots.count);
  }

  /** Where the caller is: the last arrival, or the start. */
  get time(): number {
    return this.#time;
  }

  /** The end of the last step, at or after `time`. */
  get stepEnd(): number {
    return this.#formula.time;
  }

  /**
   * Starts, or starts anew: the past is forgotten, roots that were found just now are not found again.
   *
   * @param state is copied
   * @param integrals values of the quadratures. Default 0
   * @param towards a later time: it tells how long a first step may be
   */
  start(state: DaeState, towards: number, integrals?: Float64Array): void {
    const { time, y, rates } = state;
    const { quadratures } = this.#system;
    this.statistics.starts++;
    this.#weigh(y);
    const way = Math.abs(towards - time);
    const change = this.#norm(rates, false);
    let step = FIRST_STEP_SHARE * way;
    if (change > FIRST_STEP_CHANGE / step) step = FIRST_STEP_CHANGE / change;
    step = this.#limited(step);
    this.#formula.start(time, step);
    this.#history.start(y, rates, step);
    if (quadratures) {
      quadratures.rates(state, this.#integralRates);
      const values = integrals ?? new Float64Array(quadratures.count);
      this.#integrals.start(values, this.#integralRates, step);
    }
    this.#factors = undefined;
    this.#isStarting = true;
    this.#time = time;
    // Values of the state as it is given: at the start the polynomial is a line with its rates.
    this.#watch?.start(time, time + LOOK_AHEAD * step, this.#valuesAt, this.#crossed);
    this.#crossed = [];
  }

  /** Moves a state onto the constraints and finds its rates. @returns what could not be met */
  makeConsistent(state: DaeState, timeScale = 1): Gap | undefined {
    this.#weigh(state.y);
    return makeConsistent(this.#system, state, this.#weights, timeScale);
  }

  /**
   * Goes on to a time, or to the first root before it. Steps end where they end: the state is read by `at`.
   *
   * @param until steps end at this time at the latest: a place where f breaks. Default: none
   * @throws ScreeError where steps get too short: the time, and the unknown of largest error
   */
  advance(to: number, until = Infinity): Arrival {
    for (;;) {
      const end = Math.min(to, this.#formula.time);
      if (this.#watch && this.#formula.usedOrder > 0 && end > this.#watch.time) {
        const root = this.#watch.next(end, this.#formula.usedStep, this.#valuesAt);
        this.statistics.rootEvaluations = this.#watch.evaluations;
        if (root) {
          this.#time = root.time;
          this.#crossed = root.functions;
          return { time: root.time, roots: root.functions };
        }
      }
      if (this.#formula.time >= to) {
        this.#time = to;
        this.#crossed = [];
        return { time: to, roots: [] };
      }
      this.step(until);
    }
  }

  /** The state at a time within the last step. */
  at(time: number, y: Float64Array, rates: Float64Array): void {
    this.#formula.at(time, this.#history, y, rates);
  }

  /** The integrals at a time within the last step. */
  integralsAt(time: number): Float64Array {
    const out = new Float64Array(this.#integralRates.length);
    this.#formula.at(time, this.#integrals, out, new Float64Array(out.length));
    return out;
  }

  /** Makes one step. Where it throws, the last step that was made is the last one. */
  step(until = Infinity): void {
    const began = this.#formula.time;
    try {
      this.#step(until);
    } catch (error) {
      if (this.#formula.time !== began) this.#formula.retreat(this.#histories);
      throw error;
    }
  }

  #step(until: number): void {
    const formula = this.#formula;
    const failures = { tests: 0, corrections: 0 };
    const began = formula.time;
    if (formula.usedOrder > 0) this.#weigh(this.#history.phi[0]!);
    for (;;) {
      if (began + formula.step * (1 + 100 * UNIT) > until && until > began) {
        const step = until - began;
        if (formula.usedOrder === 0) formula.restep(step, this.#histories);
        formula.step = step;
      }
      if (!(began + formula.step > began)) this.#giveUp(began);
      formula.advance(this.#histories);
      if (!this.#correct()) {
        this.statistics.failedCorrections++;
        if (++failures.corrections > MOST_FAILURES) this.#giveUp(began);
        this.#retry(formula.step * NEWTON_SHRINK);
        continue;
      }
      const test = this.#test();
      if (test.error <= 1) {
        this.#complete(test, until);
        return;
      }
      this.statistics.failedTests++;
      const failed = ++failures.tests;
      if (failed > MOST_FAILURES) this.#giveUp(began);
      this.#isStarting = false;
      const order = failed > 2 ? 1 : test.order;
      const shrink =
        failed > 1
          ? FAILED_SHRINK[0]
          : bounded(0.9 * growth(test.errorOfOrder, order), FAILED_SHRINK[0], FAILED_SHRINK[1]);
      this.#retry(formula.step * shrink, order);
    }
  }

  /** Newton's method for the step. */
  #correct(): boolean {
    const formula = this.#formula;
    const { factor } = formula;
    const ratio = factor / this.#matrixFactor;
    let isNew = false;
    if (this.#factors === undefined || ratio < LEAST_FACTOR_RATIO || ratio > 1 / LEAST_FACTOR_RATIO)
      isNew = true;
    else if (factor !== this.#lastFactor) this.#contraction = OLD_MATRIX_FACTOR;
    for (;;) {
      formula.predict(this.#history, this.#predicted, this.#predictedRates);
      this.#y.set(this.#predicted);
      this.#rates.set(this.#predictedRates);
      this.#correction.fill(0);
      this.#evaluate();
      if (isNew && !this.#factor()) return false;
      this.#lastFactor = factor;
      if (this.#iterate()) return true;
      if (isNew) return false;
      isNew = true;
    }
  }

  #iterate(): boolean {
    const { factor } = this.#formula;
    const [y, rates, total] = [this.#y, this.#rates, this.#correction];
    const change = new Float64Array(y.length);
    // An older matrix stands for another step length.
    const scale = 2 / (1 + factor / this.#matrixFactor);
    let first = 0;
    for (let n = 0; ; n++) {
      if (this.#residual.some((x) => !Number.isFinite(x))) return false;
      for (let i = 0; i < change.length; i++) change[i] = -scale * this.#residual[i]!;
      this.#factors!.solve(change);
      this.statistics.corrections++;
      for (let i = 0; i < change.length; i++) {
        total[i]! += change[i]!;
        y[i] = this.#predicted[i]! + total[i]!;
        rates[i] = this.#predictedRates[i]! + factor * total[i]!;
      }
      const norm = this.#norm(change, false);
      if (!Number.isFinite(norm)) return false;
      if (n === 0) {
        first = norm;
        if (norm <= NEGLIGIBLE_CORRECTION * NEWTON_TOLERANCE) return true;
      } else {
        const rate = (norm / first) ** (1 / n);
        if (rate > SLOWEST_CONVERGENCE) return false;
        this.#contraction = rate / (1 - rate);
      }
      if (this.#contraction * norm <= NEWTON_TOLERANCE) return true;
      if (n + 1 >= MOST_CORRECTIONS) return false;
      this.#evaluate();
    }
  }

  #evaluate(): void {
    this.#system.residual(this.#here(), this.#residual);
    this.statistics.residuals++;
  }

  #here(): DaeState {
    return { time: this.#formula.time, y: this.#y, rates: this.#rates };
  }

  #factor(): boolean {
    const { factor, step } = this.#formula;
    if (this.#residual.some((x) => !Number.isFinite(x))) return false;
    const place = { ...this.#here(), residual: this.#residual, weights: this.#weights, step, factor };
    this.statistics.residuals += differences(this.#system, this.#groups, place, this.#matrix);
    this.statistics.jacobians++;
    const factors = new Factors(this.#matrix, this.#weights, this.#blocks);
    this.#matrixFactor = factor;
    this.#contraction = NEW_MATRIX_FACTOR;
    this.#factors = factors.isSingular ? undefined : factors;
    return !factors.isSingular;
  }

  /** The error of the step, and those of lower orders. */
  #test(): StepTest {
    const formula = this.#formula;
    const k = formula.order;
    const { phi } = this.#history;
    const own = this.#norm(this.#correction, true);
    const errorOf = formula.sigma(k) * own;
    const term = (k + 1) * errorOf;
    let [order, errorOfOrder, termBelow] = [k, errorOf, 0];
    if (k > 1) {
      const delta = this.#correction.map((x, i) => x + phi[k]![i]!);
      const below = formula.sigma(k - 1) * this.#norm(delta, true);
      termBelow = k * below;
      let isLower = termBelow <= 0.5 * term;
      if (k > 2) {
        for (let i = 0; i < delta.length; i++) delta[i]! += phi[k - 1]![i]!;
        const twoBelow = (k - 1) * formula.sigma(k - 2) * this.#norm(delta, true);
        isLower = Math.max(termBelow, twoBelow) <= term;
      }
      if (isLower) [order, errorOfOrder] = [k - 1, below];
    }
    return { error: formula.errorFactor * own, order, errorOfOrder, own: errorOf, term, termBelow };
  }

  /** Takes a step in, and chooses order and length of the next. */
  #complete(test: StepTest, until: number): void {
    const formula = this.#formula;
    const { statistics } = this;
    const { order: k, step: h } = formula;
    const { phi } = this.#history;
    const rise = k - formula.usedOrder;
    statistics.steps++;
    const isFirst = formula.usedOrder === 0;
    const isEqualLong = formula.equalSteps > k + 1;
    this.#integrate();
    formula.usedOrder = k;
    formula.usedStep = h;
    if (test.order === k - 1 || k === MOST_ORDER) this.#isStarting = false;
    let next = h;
    if (this.#isStarting) {
      if (!isFirst) formula.order = k + 1;
      next = 2 * h;
    } else {
      let [order, error] = [k, test.own];
      if (test.order === k - 1) [order, error] = [k - 1, test.errorOfOrder];
      else if (k < MOST_ORDER && isEqualLong && rise !== 1) {
        const delta = this.#correction.map((x, i) => x - phi[k + 1]![i]!);
        const above = this.#norm(delta, true) / (k + 2);
        const termAbove = (k + 2) * above;
        if (k === 1) {
          if (termAbove < 0.5 * test.term) [order, error] = [k + 1, above];
        } else if (test.termBelow <= Math.min(test.term, termAbove)) {
          // The error below was not kept, as the order did not fall by the test: it is what its term says.
          [order, error] = [k - 1, test.termBelow / k];
        } else if (termAbove < test.term) [order, error] = [k + 1, above];
      }
      formula.order = order;
      const factor = growth(error, order);
      if (factor >= 2) next = 2 * h;
      else if (factor <= 1) next = h * bounded(factor, SMOOTH_SHRINK[0], SMOOTH_SHRINK[1]);
    }
    this.#history.accept(this.#correction, k);
    this.#integrals.accept(this.#integralCorrection, k);
    formula.step = this.#limited(next);
    // Two equal steps rather than a long one and a tiny one.
    const left = until - formula.time;
    if (left > formula.step && left < 2 * formula.step) formula.step = left / 2;
  }

  #integrate(): void {
    const { quadratures } = this.#system;
    if (!quadratures) return;
    const { factor } = this.#formula;
    const [values, predicted] = [this.#integralCorrection, new Float64Array(this.#integralCorrection.length)];
    this.#formula.predict(this.#integrals, values, predicted);
    quadratures.rates(this.#here(), this.#integralRates);
    for (let i = 0; i < values.length; i++) values[i] = (this.#integralRates[i]! - predicted[i]!) / factor;
  }

  #retry(step: number, order = this.#formula.order): void {
    const formula = this.#formula;
    formula.retreat(this.#histories);
    if (formula.usedOrder === 0) formula.restep(step, this.#histories);
    formula.step = step;
    formula.order = order;
  }

  #limited(step: number): number {
    return Math.min(step, this.#options.longestStep ?? Infinity);
  }

  readonly #valuesAt = (time: number, out: Float64Array): void => {
    const { count } = this.#system;
    const [y, rates] = [new Float64Array(count), new Float64Array(count)];
    this.at(time, y, rates);
    this.#system.roots!.values({ time, y, rates }, out);
  };

  #weigh(y: Float64Array): void {
    const { relativeTolerance } = this.#options;
    const { absoluteTolerances } = this.#system;
    for (let i = 0; i < y.length; i++)
      this.#weights[i] = 1 / (relativeTolerance * Math.abs(y[i]!) + absoluteTolerances[i]!);
  }

  /** Root of the mean square, weighted. */
  #norm(values: Float64Array, isTest: boolean): number {
    const isTested = isTest ? this.#system.isTested : undefined;
    let sum = 0;
    for (let i = 0; i < values.length; i++) {
      if (isTested?.[i] === 0) continue;
      sum += (values[i]! * this.#weights[i]!) ** 2;
    }
    return Math.sqrt(sum / values.length);
  }

  #giveUp(time: number): never {
    let [worst, most] = [0, -1];
    this.#correction.forEach((x, i) => {
      const error = Math.abs(x) * this.#weights[i]!;
      if (error > most || !Number.isFinite(error)) [worst, most] = [i, error];
    });
    const name = this.#system.nameOf?.(worst) ?? `unknown ${worst}`;
    throw new ScreeError(
      `steps get too short at time ${time}, found the largest error in ${name}: expected a smooth motion there, or a ` +
        'larger tolerance',
      1,
    );
  }
}

/** What a step may be multiplied by, so that half of the error that is allowed remains. */
function growth(error: number, order: number): number {
  return (2 * error + LEAST_ERROR) ** (-1 / (order + 1));
}

function bounded(x: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, x));
}
