/** Bodies as kernels read them, and back. */
import { sizeOf } from 'typegpu/data';
import { packBodies } from '../../broadphase/gpu/tables.ts';
import { WORD } from '../../gpu/words.ts';
import type { Vector3 } from '../../mesh/mass-properties.ts';
import { BodyStatus, type MotionState, writePoses } from '../motion/motion.ts';
import type { StepClock } from '../motion/step-clock.ts';
import { appearanceSteps } from '../scene/comings-and-goings.ts';
import type { SimulationModel } from '../scene/model.ts';
import type { ServoStep } from '../scene/servo.ts';
import type { BodyState } from '../steps/simulation-backend.ts';
import {
  BodyConstants,
  BodyFlag,
  DRIVEN_SHIFT,
  DrivenPlace,
  MotionBody,
  RemovalPlane,
  StartPlace,
  StepGravity,
} from './step-layout.ts';

const CONSTANTS = sizeOf(BodyConstants) / WORD;
const START = sizeOf(StartPlace) / WORD;
const PLANE = sizeOf(RemovalPlane) / WORD;
const MOTION_WORDS = sizeOf(MotionBody) / WORD;
export const DRIVEN_WORDS = sizeOf(DrivenPlace) / WORD;
const GRAVITY = sizeOf(StepGravity) / WORD;
const UNITS = 2 ** 32;

/** Offsets of fields of a `MotionBody`, in words. */
const At = {
  ...{ cell: 0, status: 3, fraction: 4, turnsX: 7, carry: 8, turnsY: 11, rotation: 12, rotationLow: 16 },
  ...{ velocity: 20, turnsZ: 23, velocityLow: 24, momentum: 28, momentumLow: 32, force: 36, torque: 40 },
} as const;
const TURNS = [At.turnsX, At.turnsY, At.turnsZ] as const;
/** The same of a `DrivenPlace`. */
const DrivenAt = {
  ...{ cell: 0, fraction: 4, rotation: 8, velocity: 12, angularVelocity: 16, originCell: 20 },
  ...{ keep: 15, gain: 19, pushBefore: 23, push: 27, surfaceVelocity: 32 },
} as const;

/** Words of a buffer, seen as floats as well. */
function tableOf(words: number) {
  const table = new Uint32Array(words);
  return { words: table, floats: new Float32Array(table.buffer) };
}
type Table = ReturnType<typeof tableOf>;

/** A number as two float32. */
function putInTwo({ floats }: Table, high: number, low: number, x: number): void {
  floats[high] = x;
  floats[low] = x - floats[high]!;
}

/** A coordinate as whole cells, and 2^-32 of them with what is left of these. */
function inCells(x: number) {
  const whole = Math.floor(x);
  const units = (x - whole) * UNITS;
  return { whole, units, fraction: Math.min(Math.floor(units), UNITS - 1) };
}

/** Coordinates as whole cells and 2^-32 of them. */
export function cellsOf(place: readonly [number, number, number]) {
  const [x, y, z] = place.map(inCells) as [Cells, Cells, Cells];
  return {
    whole: [x.whole, y.whole, z.whole] as const,
    fraction: [x.fraction, y.fraction, z.fraction] as const,
  };
}
type Cells = ReturnType<typeof inCells>;

function putPlace({ words, floats }: Table, cellAt: number, fractionAt: number, carryAt: number, x: number) {
  const { whole, units, fraction } = inCells(x);
  words[cellAt] = whole;
  words[fractionAt] = fraction;
  if (carryAt >= 0) floats[carryAt] = units - fraction;
}

/** `MotionBody` of each body. */
export function packState(
  {
    count,
    positions,
    rotations,
    velocities,
    momenta,
    statuses,
    turns,
  }: MotionState & Pick<BodyState, 'statuses' | 'turns'>,
  cell: number,
): Uint32Array<ArrayBuffer> {
  const table = tableOf(MOTION_WORDS * count);
  for (let body = 0; body < count; body++) {
    const at = MOTION_WORDS * body;
    table.words[at + At.status] = statuses[body]!;
    for (let k = 0; k < 3; k++) {
      const i = 3 * body + k;
      putPlace(table, at + At.cell + k, at + At.fraction + k, at + At.carry + k, positions[i]! / cell);
      table.words[at + TURNS[k]!] = turns?.[i] ?? 0;
      putInTwo(table, at + At.velocity + k, at + At.velocityLow + k, velocities[i]!);
      putInTwo(table, at + At.momentum + k, at + At.momentumLow + k, momenta[i]!);
    }
    for (let k = 0; k < 4; k++)
      putInTwo(table, at + At.rotation + k, at + At.rotationLow + k, rotations[4 * body + k]!);
  }
  return table.words;
}

/** @param words of `MotionBody`s */
export function unpackState(words: Uint32Array<ArrayBuffer>, cell: number): BodyState {
  const count = words.length / MOTION_WORDS;
  const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  const cells = new Int32Array(words.buffer, words.byteOffset, words.length);
  const state = {
    count,
    positions: new Float64Array(3 * count),
    rotations: new Float64Array(4 * count),
    velocities: new Float64Array(3 * count),
    momenta: new Float64Array(3 * count),
    forces: new Float64Array(3 * count),
    torques: new Float64Array(3 * count),
    statuses: new Uint8Array(count),
    turns: new Int32Array(3 * count),
  };
  for (let body = 0; body < count; body++) {
    const at = MOTION_WORDS * body;
    state.statuses[body] = words[at + At.status]!;
    for (let k = at; k < at + 3; k++) {
      const i = 3 * body + k - at;
      const fraction = (words[k + At.fraction]! + floats[k + At.carry]!) / UNITS;
      state.positions[i] = (cells[k + At.cell]! + fraction) * cell;
      state.velocities[i] = floats[k + At.velocity]! + floats[k + At.velocityLow]!;
      state.momenta[i] = floats[k + At.momentum]! + floats[k + At.momentumLow]!;
      state.forces[i] = floats[k + At.force]!;
      state.torques[i] = floats[k + At.torque]!;
    }
    for (const [k, turns] of TURNS.entries()) state.turns[3 * body + k] = cells[at + turns]!;
    for (let k = 0; k < 4; k++)
      state.rotations[4 * body + k] = floats[at + At.rotation + k]! + floats[at + At.rotationLow + k]!;
  }
  return state;
}

/** `ContactBody` of each body; without statuses all are there. */
export function packContactBodies(
  state: MotionState & Partial<Pick<BodyState, 'statuses'>>,
  model: Pick<SimulationModel, 'centroids' | 'principal' | 'contactBodies'>,
  cell: number,
): Uint32Array<ArrayBuffer> {
  const poses = new Float64Array(7 * state.count);
  writePoses(state, model, poses);
  const absent = state.statuses?.map((status) => (status === BodyStatus.present ? 0 : 1));
  return packBodies(poses, model.contactBodies.isStatic!, cell, absent);
}

/** `StartPlace` of each body. */
export function packStarts({ count, positions }: MotionState, cell: number): Uint32Array<ArrayBuffer> {
  const table = tableOf(START * count);
  for (let i = 0; i < 3 * count; i++) {
    const at = START * Math.floor(i / 3) + (i % 3);
    putPlace(table, at, at + 4, -1, positions[i]! / cell);
  }
  return table.words;
}

/** `RemovalPlane` of each; one that is not looked at where there are none. */
export function packPlanes(
  { removal }: Pick<SimulationModel, 'removal'>,
  cell: number,
): Uint32Array<ArrayBuffer> {
  const table = tableOf(Math.max(PLANE, (PLANE * removal.length) / 6));
  for (let from = 0; from < removal.length; from += 6) {
    const at = (PLANE * from) / 6;
    const length = Math.hypot(...removal.subarray(from + 3, from + 6));
    for (let k = 0; k < 3; k++) {
      putPlace(table, at + k, at + 4 + k, -1, removal[from + k]! / cell);
      table.floats[at + 8 + k] = removal[from + 3 + k]! / length;
    }
  }
  return table.words;
}

/** `BodyConstants` of each body. */
export function packConstants(model: SimulationModel, clock: StepClock): Uint32Array<ArrayBuffer> {
  const { count, centroids, principal, inertia, laws, driven, servos, contactBodies, appearsAt, applied } =
    model;
  const appearsAfter = appearanceSteps(appearsAt, clock);
  const { words, floats } = tableOf(CONSTANTS * count);
  const places = new Map([...driven.keys(), ...servos.keys()].map((body, place) => [body, place]));
  for (let body = 0; body < count; body++) {
    const at = CONSTANTS * body;
    floats.set(centroids.subarray(3 * body, 3 * body + 3), at);
    floats[at + 3] = inertia.inverseMasses[body]!;
    floats.set(inertia.inverseMoments.subarray(3 * body, 3 * body + 3), at + 4);
    floats[at + 7] = laws.radii[body]!;
    const [x, y, z, w] = principal.subarray(4 * body, 4 * body + 4);
    floats.set([-x!, -y!, -z!, w!], at + 8);
    words[at + 12] = laws.materials[body]!;
    floats[at + 13] = laws.curvatures[body]!;
    const place = places.get(body);
    words[at + 14] =
      (contactBodies.isStatic![body] === 1 ? BodyFlag.isStatic : 0) |
      (laws.haveParts[body] === 1 ? BodyFlag.hasParts : 0) |
      (servos.has(body) ? BodyFlag.isServo : 0) |
      (place === undefined ? 0 : BodyFlag.isDriven | (place << DRIVEN_SHIFT));
    words[at + 15] = appearsAfter[body]!;
    floats.set(applied.forces.subarray(3 * body, 3 * body + 3), at + 16);
    floats.set(applied.torques.subarray(3 * body, 3 * body + 3), at + 20);
  }
  return words;
}

/**
 * `StepGravity` of each step of a submission.
 *
 * @param first steps that were made before
 * @param gravityAfter so many steps
 */
export function packGravities(
  first: number,
  steps: number,
  gravityAfter: (steps: number) => Vector3,
): Uint32Array<ArrayBuffer> {
  const { words, floats } = tableOf(GRAVITY * steps);
  let before = gravityAfter(first);
  for (let row = 0; row < steps; row++) {
    const now = gravityAfter(first + row + 1);
    floats.set(now, GRAVITY * row);
    // Taken of what kernels read: what float32 leaves of a step adds up to what it leaves of all.
    const change = now.map((g, k) => Math.fround(g) - Math.fround(before[k]!));
    floats.set(change, GRAVITY * row + 4);
    before = now;
  }
  return words;
}

/** `DrivenPlace` of a servo wall. */
export function packServo(
  table: Uint32Array<ArrayBuffer>,
  place: number,
  direction: readonly number[],
  { keep, gain, pushBefore, push }: ServoStep,
): void {
  const at = DRIVEN_WORDS * place;
  const floats = new Float32Array(table.buffer);
  floats.set(direction, at + DrivenAt.velocity);
  floats[at + DrivenAt.keep] = keep;
  floats[at + DrivenAt.gain] = gain;
  floats[at + DrivenAt.pushBefore] = pushBefore;
  floats[at + DrivenAt.push] = push;
}

/** `DrivenPlace` of a body. */
export function packDriven(
  table: Uint32Array<ArrayBuffer>,
  place: number,
  { positions, rotations, velocities, momenta }: MotionState,
  body: number,
  { centroids, principal, laws }: Pick<SimulationModel, 'centroids' | 'principal' | 'laws'>,
  cell: number,
): void {
  const at = DRIVEN_WORDS * place;
  const floats = new Float32Array(table.buffer);
  const vectorIn = (array: Float64Array) => array.subarray(3 * body, 3 * body + 3);
  const quaternionIn = (array: Float64Array) => array.subarray(4 * body, 4 * body + 4);
  const alone = {
    ...{ count: 1, positions: vectorIn(positions), rotations: quaternionIn(rotations) },
    ...{ velocities: vectorIn(velocities), momenta: vectorIn(momenta) },
  };
  for (let k = 0; k < 3; k++) {
    const x = alone.positions[k]! / cell;
    putPlace({ words: table, floats }, at + DrivenAt.cell + k, at + DrivenAt.fraction + k, -1, x);
  }
  floats.set(alone.rotations, at + DrivenAt.rotation);
  floats.set(alone.velocities, at + DrivenAt.velocity);
  floats.set(alone.momenta, at + DrivenAt.angularVelocity);
  floats.set(vectorIn(laws.surfaceVelocities), at + DrivenAt.surfaceVelocity);
  const pose = new Float64Array(7);
  writePoses(alone, { centroids: vectorIn(centroids), principal: quaternionIn(principal) }, pose);
  // Cell and flags, fraction, quaternion.
  table.set(packBodies(pose, Uint8Array.of(1), cell), at + DrivenAt.originCell);
}
