/** Walls that hold a load: half a step of theirs, the same on the host and for kernels. docs/dem.md, "Servo walls". */
import { copyOf } from '../../arguments.ts';
import type { Loads, MotionState } from '../motion/motion.ts';
import type { ServoWall, SimulationScene } from './simulation-scene.ts';
import { valueAt } from './time-table.ts';

/** A servo wall with what follows from its scene. */
export interface Servo {
  readonly wall: ServoWall;
  /** Of length 1. */
  readonly direction: readonly [x: number, y: number, z: number];
  /** Force that the wall presses with where the factor is 1. */
  readonly force: number;
  /** Inertia of the wall: the mass of all bodies that forces move, so no body that it presses is heavier. */
  readonly mass: number;
}

/** A half of a step: the speed along the direction becomes `keep` times it, and `gain` times push and load. */
export interface ServoHalf {
  readonly keep: number;
  readonly gain: number;
}

/** A step: its halves, and what the wall presses with before and after it. */
export interface ServoStep extends ServoHalf {
  readonly pushBefore: number;
  readonly push: number;
}

/** @param inverseMasses `[n]`: 0 for bodies that forces do not move */
export function servosOf(
  { bodies: { servos = new Map() } }: SimulationScene,
  inverseMasses: Float64Array,
): ReadonlyMap<number, Servo> {
  const mass = inverseMasses.reduce((sum, inverse) => sum + (inverse > 0 ? 1 / inverse : 0), 0);
  return new Map(
    [...servos].map(([body, wall]) => {
      const [x, y, z] = wall.direction;
      const length = Math.hypot(x, y, z);
      const force = wall.force ?? wall.pressure! * wall.area!;
      return [body, { wall: copyOf(wall), direction: [x / length, y / length, z / length], force, mass }];
    }),
  );
}

/**
 * M du/dt = push + load - c u, with c = force / speed: where nothing resists, the wall comes to its speed. The drag is
 * taken at the end of each half, so it never turns the wall around, however large it is.
 *
 * @param before the step, and after it: times. The same: no time passes
 */
export function servoStep({ wall, force, mass }: Servo, before: number, after: number): ServoStep {
  const { factors, from = -Infinity, until = Infinity, speed } = wall;
  const pushAt = (time: number) => force * (factors ? valueAt(factors, time) : 1);
  const pushes = { pushBefore: pushAt(before), push: pushAt(after) };
  const half = (after - before) / 2;
  if (half === 0) return { keep: 1, gain: 0, ...pushes };
  if (after < from || after >= until) return { keep: 0, gain: 0, ...pushes };
  const whole = mass + (half * force) / speed;
  return { keep: mass / whole, gain: half / whole, ...pushes };
}

/**
 * Changes the speed of a servo wall by half a step. It moves along its direction alone, and does not turn.
 *
 * @param push what it presses with there
 */
export function kickServo(
  { velocities, momenta }: MotionState,
  { forces }: Loads,
  body: number,
  [x, y, z]: Servo['direction'],
  { keep, gain }: ServoHalf,
  push: number,
): void {
  const at = 3 * body;
  const along = (of: Float64Array) => x * of[at]! + y * of[at + 1]! + z * of[at + 2]!;
  const speed = keep * along(velocities) + gain * (push + along(forces));
  velocities.set([speed * x, speed * y, speed * z], at);
  momenta.fill(0, at, at + 3);
}
