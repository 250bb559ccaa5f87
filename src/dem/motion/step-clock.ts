/** Times of steps, whose length may have been halved. */

/** A step that was chosen by default was too long for a contact or a speed that came up: it was halved. */
export interface Halving {
  /** Whole steps that were made before, and the time that they took. */
  readonly steps: number;
  readonly time: number;
  /** Length of the steps from there on: half of what it was. */
  readonly timeStep: number;
  /** Of the contact that needed it, radians per time. 0: by impulses a body moved by more than half its radius. */
  readonly frequency: number;
}

/**
 * Makes a time of the number of a step. Steps before a halving count as two each, so a time is a whole number times the
 * step, and is the same in a run that goes on.
 */
export interface StepClock {
  readonly timeStep: number;
  /** Steps of this length that longer ones before count for, beyond their own number. */
  readonly extra: number;
}

export function timeAfter({ timeStep, extra }: StepClock, steps: number): number {
  return (steps + extra) * timeStep;
}

/** @param steps that were made */
export function halved({ timeStep, extra }: StepClock, steps: number): StepClock {
  return { timeStep: timeStep / 2, extra: steps + 2 * extra };
}
