/**
 * Backward differentiation formulas with fixed leading coefficient, order 1 to 5: coefficients, and the modified
 * divided differences of a solution (K. E. Brenan, S. L. Campbell, L. R. Petzold, chapter 5).
 */
import { MOST_ORDER } from './constants.ts';

const ROOM = MOST_ORDER + 1;

/** Times of the last steps, and what follows from them. */
export class Formula {
  order = 1;
  step = 0;
  /** Of the step that is being made. */
  time = 0;
  /** d y' / d y of the corrector. */
  factor = 0;
  /** Of the last step that was made: 0 before the first. */
  usedOrder = 0;
  usedStep = 0;
  /** Steps with one order and length, up to order + 2. */
  #equal = 0;
  readonly #psi = new Float64Array(ROOM);
  /** Before `advance`. */
  readonly #psiBefore = new Float64Array(ROOM);
  readonly #alpha = new Float64Array(ROOM);
  readonly #beta = new Float64Array(ROOM);
  readonly #sigma = new Float64Array(ROOM);
  readonly #gamma = new Float64Array(ROOM);
  /** What the error test multiplies corrections by. */
  errorFactor = 0;

  start(time: number, step: number): void {
    this.time = time;
    this.step = step;
    this.order = 1;
    this.usedOrder = 0;
    this.usedStep = 0;
    this.#equal = 0;
    this.#psi.fill(0);
    this.#psi[0] = step;
  }

  get equalSteps(): number {
    return this.#equal;
  }

  sigma(order: number): number {
    return this.#sigma[order]!;
  }

  /** Coefficients of the next step; differences are scaled to it. */
  advance(histories: readonly Differences[]): void {
    const { order: k, step: h } = this;
    const [psi, alpha, beta, sigma, gamma] = [this.#psi, this.#alpha, this.#beta, this.#sigma, this.#gamma];
    this.#psiBefore.set(psi);
    if (h !== this.usedStep || k !== this.usedOrder) this.#equal = 0;
    this.#equal = Math.min(this.#equal + 1, this.usedOrder + 2);
    if (k + 1 >= this.#equal) {
      beta[0] = 1;
      alpha[0] = 1;
      sigma[0] = 1;
      gamma[0] = 0;
      let sum = h;
      for (let i = 1; i <= k; i++) {
        const before = psi[i - 1]!;
        psi[i - 1] = sum;
        beta[i] = (beta[i - 1]! * sum) / before;
        sum = before + h;
        alpha[i] = h / sum;
        sigma[i] = i * sigma[i - 1]! * alpha[i]!;
        gamma[i] = gamma[i - 1]! + alpha[i - 1]! / h;
      }
      psi[k] = sum;
    }
    let [fixed, own] = [0, 0];
    for (let i = 0; i < k; i++) {
      fixed -= 1 / (i + 1);
      own -= alpha[i]!;
    }
    this.factor = -fixed / h;
    this.errorFactor = Math.max(Math.abs(alpha[k]! + fixed - own), alpha[k]!);
    for (const { phi } of histories) for (let i = this.#equal; i <= k; i++) scale(phi[i]!, beta[i]!);
    this.time += h;
  }

  /** Takes `advance` back. */
  retreat(histories: readonly Differences[]): void {
    this.time -= this.step;
    this.#psi.set(this.#psiBefore);
    for (const { phi } of histories)
      for (let i = this.#equal; i <= this.order; i++) scale(phi[i]!, 1 / this.#beta[i]!);
  }

  /** A first step of another length. */
  restep(step: number, histories: readonly Differences[]): void {
    for (const { phi } of histories) scale(phi[1]!, step / this.step);
    this.step = step;
    this.#psi[0] = step;
  }

  predict({ phi }: Differences, y: Float64Array, rates: Float64Array): void {
    y.set(phi[0]!);
    rates.fill(0);
    for (let j = 1; j <= this.order; j++) {
      const [own, gamma] = [phi[j]!, this.#gamma[j]!];
      for (let i = 0; i < y.length; i++) {
        y[i]! += own[i]!;
        rates[i]! += gamma * own[i]!;
      }
    }
  }

  /** The interpolating polynomial of the last step. */
  at(time: number, { phi }: Differences, y: Float64Array, rates: Float64Array): void {
    const psi = this.#psi;
    const away = time - this.time;
    let [c, d, gamma] = [1, 0, away / psi[0]!];
    y.set(phi[0]!);
    rates.fill(0);
    for (let j = 1; j <= Math.max(1, this.usedOrder); j++) {
      d = d * gamma + c / psi[j - 1]!;
      c *= gamma;
      gamma = (away + psi[j - 1]!) / psi[j]!;
      const own = phi[j]!;
      for (let i = 0; i < y.length; i++) {
        y[i]! += c * own[i]!;
        rates[i]! += d * own[i]!;
      }
    }
  }
}

/** Modified divided differences of some functions of time. */
export class Differences {
  readonly phi: readonly Float64Array[];

  constructor(count: number) {
    this.phi = Array.from({ length: ROOM + 1 }, () => new Float64Array(count));
  }

  start(y: Float64Array, rates: Float64Array, step: number): void {
    for (const one of this.phi) one.fill(0);
    this.phi[0]!.set(y);
    for (let i = 0; i < y.length; i++) this.phi[1]![i] = step * rates[i]!;
  }

  /** Takes a step's correction in. @param order of the step */
  accept(correction: Float64Array, order: number): void {
    const { phi } = this;
    if (order < MOST_ORDER) phi[order + 1]!.set(correction);
    add(phi[order]!, correction);
    for (let j = order - 1; j >= 0; j--) add(phi[j]!, phi[j + 1]!);
  }
}

function scale(values: Float64Array, factor: number): void {
  for (let i = 0; i < values.length; i++) values[i]! *= factor;
}

function add(values: Float64Array, others: Float64Array): void {
  for (let i = 0; i < values.length; i++) values[i]! += others[i]!;
}
