/** Why a simulation does not go on: one line each, with the step, the body, and what to change. */
import { CELL_RANGE } from '../../broadphase/constants.ts';
import { InputError, ScreeError } from '../../errors.ts';
import { DEEPEST_START, EDGE_CELLS, MOST_IMBALANCE } from '../constants.ts';
import type { SimulationModel } from '../scene/model.ts';
import { unstable } from '../scene/time-step.ts';

/** Where it stopped. */
export interface StoppedStep {
  /** The number of the step that could not be made. */
  readonly step: number;
  readonly timeStep: number;
}

function stop({ step }: StoppedStep, message: string): ScreeError {
  return new ScreeError(`step ${step}: ${message}`, 1);
}

const said = (x: number) => Number(x.toPrecision(4)).toString();

export function notFinite(at: StoppedStep, body: string): ScreeError {
  return stop(at, `the speed of ${body} is not finite: use a shorter timeStep than ${at.timeStep}`);
}

/** @param at a step by which they are */
export function energiesNotFinite(at: StoppedStep): ScreeError {
  return stop(
    at,
    `energies or momenta are not finite in float32: use lower speeds, a shorter timeStep than ${at.timeStep}, or ` +
      'the backend cpu',
  );
}

/** A step that is too long for the contacts that came up. */
export class StepTooLong extends ScreeError {
  /** Of the stiffest contact, radians per time. */
  readonly frequency: number;

  /** @param bodies of that contact, where they are known */
  constructor({ step, timeStep }: StoppedStep, frequency: number, bodies?: readonly [string, string]) {
    const pair = bodies ? `, of ${bodies[0]} and ${bodies[1]},` : '';
    super(`step ${step}: ${unstable(timeStep, frequency, `the stiffest contact${pair} lasts`)}`, 1);
    this.frequency = frequency;
  }
}

/** @param position of the centroid */
export function escaped(
  at: StoppedStep,
  body: string,
  position: ArrayLike<number>,
  { low, high }: { readonly low: readonly number[]; readonly high: readonly number[] },
): ScreeError {
  const place = (of: ArrayLike<number>) => `[${Array.from(of, said).join(', ')}]`;
  const found = `${body} is at ${place(position)}`;
  const expected = `expected a place from ${place(low)} to ${place(high)}`;
  if (at.step === 0) return new InputError(`bodies: ${found} at first, ${expected}`);
  return stop(at, `${found}, ${expected}: close the walls or let a removal plane take it`);
}

export function tooDeep(
  at: StoppedStep,
  [a, b]: readonly [string, string],
  depth: number,
  most: number,
): ScreeError {
  const found = `${a} and ${b} overlap by ${depth.toPrecision(3)}`;
  const expected = `expected at most ${most.toPrecision(3)}`;
  // Nothing has moved yet: it is the scene's.
  if (at.step === 0) return new InputError(`bodies: ${found} at first, ${expected}`);
  return stop(at, `${found}, ${expected}: use a larger youngsModulus, lower speeds, or a shorter timeStep`);
}

/** @param own the body that appears, and the one that is in its way */
export function blocked(
  at: StoppedStep,
  { names, appearsAt, laws }: Pick<SimulationModel, 'names' | 'appearsAt' | 'laws'>,
  [own, other]: readonly [number, number],
  depth: number,
): ScreeError {
  const most = DEEPEST_START * smallerRadius(laws.radii, own, other);
  return stop(
    at,
    `${names[own]} appears at ${appearsAt[own]} and overlaps ${names[other]} by ${depth.toPrecision(3)}, ` +
      `expected at most ${most.toPrecision(3)}: let it appear later or elsewhere, or make room there`,
  );
}

/** Of two bodies; walls have none. */
export function smallerRadius(radii: Float64Array, a: number, b: number): number {
  return Math.min(radii[a]! || Infinity, radii[b]! || Infinity);
}

/** @param bodies of the stiffest contact, where there is one */
export function imbalanced(
  at: StoppedStep,
  bodies: readonly [string, string] | undefined,
  off: number,
): ScreeError {
  const stiffest = bodies ? `; the stiffest contact is that of ${bodies[0]} and ${bodies[1]}` : '';
  return stop(
    at,
    `energies are off by ${said(off)}, expected at most ${100 * MOST_IMBALANCE} % of what was turned over` +
      `${stiffest}: use a shorter timeStep than ${at.timeStep}`,
  );
}

/**
 * Where centroids may be: the range of positions, less what a body's origin may be from its centroid, and within it
 * what the scene says.
 */
export function boundsOf({ bounds }: Pick<SimulationModel, 'bounds'>, cell: number) {
  const most = (CELL_RANGE - EDGE_CELLS) * cell;
  const axes = [0, 1, 2] as const;
  return {
    low: axes.map((k) => Math.max(-most, bounds?.low[k] ?? -most)) as [number, number, number],
    high: axes.map((k) => Math.min(most, bounds?.high[k] ?? most)) as [number, number, number],
  };
}
