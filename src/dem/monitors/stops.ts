/** Why a simulation does not go on: one line each, with the step, the body, and what to change. */
import { CELL_RANGE } from '../../broadphase/constants.ts';
import { InputError, type ScreeError, SimulationError } from '../../errors.ts';
import { DEEPEST_START, EDGE_CELLS, FARTHEST_MOVE, MOST_IMBALANCE } from '../constants.ts';
import type { SimulationModel } from '../scene/model.ts';
import { unstable } from '../scene/time-step.ts';

/** Step and bodies at which a run stopped. */
export interface StoppedStep {
  /** The number of the step that could not be made. */
  readonly step: number;
  readonly timeStep: number;
}

const said = (x: number) => Number(x.toPrecision(4)).toString();

type Names = SimulationModel['names'];

export function notFinite({ step, timeStep }: StoppedStep, names: Names, body: number): ScreeError {
  const message = `the speed of ${names[body]} is not finite: use a shorter timeStep than ${timeStep}`;
  return new SimulationError('not-finite', { step, bodies: [body] }, message);
}

/** @param at a step by which they are */
export function energiesNotFinite({ step, timeStep }: StoppedStep): ScreeError {
  return new SimulationError(
    'not-finite',
    { step, bodies: [] },
    `energies or momenta are not finite in float32: use lower speeds, a shorter timeStep than ${timeStep}, or ` +
      'the backend cpu',
  );
}

/** A step that is too long for what came up. */
export class StepTooLong extends SimulationError {
  /** Of the stiffest contact, radians per time; 0 where a body moves too far. */
  readonly frequency: number;

  constructor(step: number, bodies: readonly number[], message: string, frequency = 0) {
    super('step-too-long', { step, bodies }, message);
    this.frequency = frequency;
  }
}

/** @param bodies of the stiffest contact, where they are known */
export function tooStiff(
  { step, timeStep }: StoppedStep,
  frequency: number,
  names: Names,
  bodies: readonly number[],
): StepTooLong {
  const pair = bodies.length > 0 ? `, of ${pairOf(names, bodies)},` : '';
  const message = unstable(timeStep, frequency, `the stiffest contact${pair} lasts`);
  return new StepTooLong(step, bodies, message, frequency);
}

function pairOf(names: Names, [a, b]: readonly number[]): string {
  return `${names[a!]} and ${names[b!]}`;
}

/** A step by impulses in which a body may have passed through another. @param way that its centroid has made */
export function movedTooFar(
  { step, timeStep }: StoppedStep,
  names: Names,
  body: number,
  way: number,
  radius: number,
): StepTooLong {
  const most = FARTHEST_MOVE * radius;
  // Half of the longest step that would do: speeds may still grow.
  const wanted = (timeStep * most) / way / 2;
  return new StepTooLong(
    step,
    [body],
    `${names[body]} moves by ${way.toPrecision(3)}, expected at most half its radius, ${most.toPrecision(3)}: use a ` +
      `timeStep of ${wanted.toPrecision(2)}`,
  );
}

/** @param position of the centroid */
export function escaped(
  { step }: StoppedStep,
  { names, servos }: Pick<SimulationModel, 'names' | 'servos'>,
  body: number,
  position: ArrayLike<number>,
  { low, high }: { readonly low: readonly number[]; readonly high: readonly number[] },
): ScreeError {
  const place = (of: ArrayLike<number>) => `[${Array.from(of, said).join(', ')}]`;
  const found = `${names[body]} is at ${place(position)}`;
  const expected = `expected a place from ${place(low)} to ${place(high)}`;
  if (step === 0) return new InputError(`bodies: ${found} at first, ${expected}`);
  const advice = servos.has(body)
    ? 'let the wall press on bodies, or stand from a time on: servo.until'
    : 'close the walls or let a removal plane take it';
  const message = `${found}, ${expected}: ${advice}`;
  return new SimulationError('out-of-bounds', { step, bodies: [body] }, message);
}

export function tooDeep(
  { step }: StoppedStep,
  names: Names,
  bodies: readonly [number, number],
  depth: number,
  most: number,
  isByImpulses = false,
): ScreeError {
  const found = `${pairOf(names, bodies)} overlap by ${depth.toPrecision(3)}`;
  const expected = `expected at most ${most.toPrecision(3)}`;
  // Nothing has moved yet: the fault is the scene's.
  if (step === 0) return new InputError(`bodies: ${found} at first, ${expected}`);
  // Impulses ask for no stiffness, so a stiffer material would not help.
  const stiffer = isByImpulses ? '' : 'a larger youngsModulus, ';
  const message = `${found}, ${expected}: use ${stiffer}lower speeds, or a shorter timeStep`;
  return new SimulationError('too-deep', { step, bodies }, message);
}

/** @param own the body that appears, and the one that is in its way */
export function blocked(
  { step }: StoppedStep,
  { names, appearsAt, laws }: Pick<SimulationModel, 'names' | 'appearsAt' | 'laws'>,
  [own, other]: readonly [number, number],
  depth: number,
): ScreeError {
  const most = DEEPEST_START * smallerRadius(laws.radii, own, other);
  return new SimulationError(
    'blocked',
    { step, bodies: [own, other] },
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
  { step, timeStep }: StoppedStep,
  names: Names,
  bodies: readonly number[],
  off: number,
): ScreeError {
  const stiffest = bodies.length > 0 ? `; the stiffest contact is that of ${pairOf(names, bodies)}` : '';
  return new SimulationError(
    'energy-balance',
    { step, bodies },
    `energies are off by ${said(off)}, expected at most ${100 * MOST_IMBALANCE} % of what was turned over` +
      `${stiffest}: use a shorter timeStep than ${timeStep}`,
  );
}

/**
 * The box for centroids: the range of positions, less the way from a body's origin to its centroid, and within it the
 * bounds of the scene.
 */
export function boundsOf({ bounds }: Pick<SimulationModel, 'bounds'>, cell: number) {
  const most = (CELL_RANGE - EDGE_CELLS) * cell;
  const axes = [0, 1, 2] as const;
  return {
    low: axes.map((k) => Math.max(-most, bounds?.low[k] ?? -most)) as [number, number, number],
    high: axes.map((k) => Math.min(most, bounds?.high[k] ?? most)) as [number, number, number],
  };
}
