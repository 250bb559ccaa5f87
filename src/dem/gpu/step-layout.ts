/** Layouts of buffers on the GPU that several stages of a step share. docs/dem.md, "Steps on the GPU". */
import * as d from 'typegpu/data';
import { struct } from '../../gpu/struct.ts';

/**
 * Place and motion of a body: `MotionState` of the float64 twin. There are two of each body: those of the last
 * whole step are in half `StepControl.current` of the buffer, those of the step under way in the other half.
 *
 * A number in two parts is the sum of both: a step changes it by less than float32 shows.
 */
export const MotionBody = struct('MotionBody', {
  /** The centroid: whole cells, */
  cell: d.vec3i,
  /** `BodyStatus` */
  status: d.u32,
  /** Position in the cell, in units of 2^-32 of a cell. */
  fraction: d.vec3u,
  /** Times that it went up through the box where space repeats, along x; `turnsY`, `turnsZ`: along y and z. */
  turnsX: d.i32,
  /** Rest of the position below `fraction`, in the same unit, from 0 to below 1. */
  carry: d.vec3f,
  turnsY: d.i32,
  /** Unit quaternion x, y, z, w, in two parts: principal frame to world. */
  rotation: d.vec4f,
  rotationLow: d.vec4f,
  /** Of the centroid, in two parts. */
  velocity: d.vec3f,
  turnsZ: d.i32,
  velocityLow: d.vec3f,
  /** Of a belt: what its surface moves at beyond its body. The velocity has it as well. */
  surfaceX: d.f32,
  /** Angular momentum about the centroid, in the world's axes, in two parts. Of driven bodies: angular velocity. */
  momentum: d.vec3f,
  surfaceY: d.f32,
  momentumLow: d.vec3f,
  surfaceZ: d.f32,
  /** Loads on it here, gravity with them: what it is kicked by at the beginning of the next step. */
  force: d.vec3f,
  spare6: d.f32,
  torque: d.vec3f,
  spare7: d.f32,
});

/** Bits of `BodyConstants.flags`. */
export const BodyFlag = {
  /** Forces do not move it. */
  isStatic: 1,
  /** It has a prescribed motion; such bodies are static, too. */
  isDriven: 2,
  /** It is of several parts, so a pair of it may have several groups of contacts. */
  hasParts: 4,
  /** It is a servo wall; such bodies are driven, too. */
  isServo: 8,
} as const;

export const DRIVEN_SHIFT = 8;

/**
 * Place of a driven body at the end of a step: the host computes it in float64, for the steps of a submission. Of a
 * servo wall, whose place hangs on its load, it has how the load changes its speed: `ServoStep`.
 */
export const DrivenPlace = struct('DrivenPlace', {
  /** The centroid, as in `MotionBody`, */
  cell: d.vec3i,
  spare: d.u32,
  fraction: d.vec3u,
  rest: d.u32,
  rotation: d.vec4f,
  /** and its velocity; of a servo wall the direction that it moves along. */
  velocity: d.vec3f,
  /** Of a servo wall. */
  keep: d.f32,
  angularVelocity: d.vec3f,
  gain: d.f32,
  /** `ContactBody` of the shape's frame. */
  originCell: d.vec3i,
  pushBefore: d.f32,
  originFraction: d.vec3u,
  push: d.f32,
  quaternion: d.vec4f,
  /** Velocity of its surface beyond its own. */
  surfaceVelocity: d.vec3f,
  spare6: d.f32,
});

/** Gravity at the end of a step, and what it has changed by in the step: for the steps of a submission. */
export const StepGravity = struct('StepGravity', {
  now: d.vec3f,
  spare: d.f32,
  change: d.vec3f,
  spare2: d.f32,
});

/** Numbers of a body that do not change. */
export const BodyConstants = struct('BodyConstants', {
  /** The centroid in the frame of the shape. */
  centroid: d.vec3f,
  /** 0 for bodies that forces do not move. */
  inverseMass: d.f32,
  /** 1 / principal moments; 0 likewise. */
  inverseMoments: d.vec3f,
  /** Of the ball of equal volume; 0 for walls. */
  radius: d.f32,
  /** Frame of the shape to the principal frame. */
  shapeToPrincipal: d.vec4f,
  material: d.u32,
  /** Radius of a ball at the place of a point contact; 0 for planes. */
  curvature: d.f32,
  /** `BodyFlag`s; from `DRIVEN_SHIFT` on, a driven body's place among them, servo walls last. */
  flags: d.u32,
  /** The step with which it appears; 0: it is there from the start. */
  appearsAt: d.u32,
  /** Force and torque that act beside contacts and weight. */
  appliedForce: d.vec3f,
  spare: d.u32,
  appliedTorque: d.vec3f,
  spare2: d.u32,
});

/** Force and torque about the centroid, in the world's axes. */
export const BodyLoads = struct('BodyLoads', { force: d.vec3f, spare: d.f32, torque: d.vec3f, rest: d.f32 });

/** Why no step is made any more. */
export const StopReason = {
  none: 0,
  /** A list of the contact pipeline has no room for all. The host makes room and goes on. */
  room: 1,
  /** A place or a speed is not finite. */
  notFinite: 2,
  /** The stiffest contact needs a shorter step. */
  stepTooLong: 3,
  tooDeep: 4,
  /** A body has left the bounds, or the range of positions. */
  escaped: 5,
  /** The energies do not add up. */
  balance: 6,
  /** A body that appears has no room. */
  blocked: 7,
  /** The list of pairs does not serve any more, in a step that was to keep it. The host has it made anew. */
  list: 8,
  /** By impulses: a body has moved so far that it may have passed through another one. */
  tooFar: 9,
} as const;

/** State of a step that all its kernels read. A storage buffer of one. */
export const StepControl = struct('StepControl', {
  /** Length of the step under way; 0 where forces are found anew and nothing moves. */
  timeStep: d.f32,
  /** Edge of the cells of positions. */
  cell: d.f32,
  /** Bodies. */
  count: d.u32,
  /** 0, of which compilers know nothing: `convex/pair/twofold.wgsl`. */
  zero: d.u32,
  /** The half of the bodies that holds the last whole step: 0 or 1. */
  current: d.u32,
  /** `StopReason`; kernels of forces and motion do nothing where it is not 0. */
  stop: d.u32,
  /** The body that stopped it, and its partner. */
  stopBody: d.u32,
  stopPartner: d.u32,
  /** The number that was found, for the message. */
  stopValue: d.f32,
  /** Steps that are done. */
  steps: d.u32,
  /** The row of the tables of gravity and of driven bodies that the step under way takes. */
  row: d.u32,
  /** Largest frequency of a contact that the step allows. */
  mostFrequency: d.f32,
  /** Deepest overlap, in the radius of the smaller body. */
  mostDepth: d.f32,
  /** Bounds of centroids, in cells. */
  low: d.vec3f,
  /** Most that the energies may be off by, as a share of the energy that was turned over. */
  mostImbalance: d.f32,
  high: d.vec3f,
  /** Energy that counts as turned over from the start. */
  leastTurnover: d.f32,
  /** Driven bodies. */
  driven: d.u32,
  /** Planes beyond which bodies are removed. */
  planes: d.u32,
  /** Deepest overlap of a body that appears, in the radius of the smaller body. */
  mostDepthAtFirst: d.f32,
  /** Bits of the axes along which space repeats. */
  repeats: d.u32,
  /** Lengths of the box along these, in whole cells, 0 along others, */
  lengthCell: d.vec3i,
  /** Steps since the list of pairs was made. */
  listAge: d.u32,
  /** and 2^-32 of a cell. */
  lengthFraction: d.vec3u,
  /** How far some body has moved since then, in parts of what is allowed. */
  listShare: d.f32,
  /** How far that is, a length. */
  listAllowed: d.f32,
  /** 1: impulses move bodies, and count what they take out themselves. */
  isByImpulses: d.u32,
  rest: d.vec2u,
});

/** Sums over forces of all contacts: elastic energies after `record`, powers after `recordSums`. */
export const ForceSums = struct('ForceSums', {
  /** Energy of normal springs, of tangential ones, and of those against rolling and torsion. */
  elastic: d.f32,
  tangential: d.f32,
  rolled: d.f32,
  /** Energy per time that is lost, at the velocities of the step's end. */
  dashpots: d.f32,
  friction: d.f32,
  rolling: d.f32,
  /** Energy per time that `BodySums.driven` misses: speeds of belts along normals give none. */
  belts: d.f32,
  /** Deepest overlap, a length. */
  deepest: d.f32,
  /** Deepest overlap in the radius of the smaller body of its pair, and these bodies. */
  deepestShare: d.f32,
  deepestA: d.u32,
  deepestB: d.u32,
  /** Of the stiffest group, radians per time, and its bodies. */
  largestFrequency: d.f32,
  stiffestA: d.u32,
  stiffestB: d.u32,
  /** Contacts that float32 left open. */
  open: d.u32,
  contacts: d.u32,
  /** Energy of normal springs of bodies that have just appeared. */
  inserted: d.f32,
  /** Energy that springs of bodies just removed held in the step before; of that, tangential ones, */
  removed: d.f32,
  held: d.f32,
  /** and those against rolling and torsion. */
  heldRolled: d.f32,
  /** Deepest overlap of a body that has just appeared, as above, and as a length. */
  newShare: d.f32,
  newDepth: d.f32,
  newA: d.u32,
  newB: d.u32,
  /** Energies that impulses took out in the step, by impacts, sliding and rolling. */
  bounced: d.f32,
  slid: d.f32,
  rolledOff: d.f32,
  /** Work of driven bodies, and what pushes brought in. */
  work: d.f32,
  pushed: d.f32,
});

/** A half space that bodies end in: a point, as in `ContactBody`, and its unit normal. */
export const RemovalPlane = struct('RemovalPlane', {
  cell: d.vec3i,
  spare: d.u32,
  fraction: d.vec3u,
  rest: d.u32,
  normal: d.vec3f,
  spare2: d.u32,
});

/** Place of a body at first: gravity's energy is 0 there. */
export const StartPlace = struct('StartPlace', {
  cell: d.vec3i,
  spare: d.u32,
  fraction: d.vec3u,
  rest: d.u32,
});

/** Numbers that decide which copies of a body are there, where space repeats. */
export const CopyConstants = struct('CopyConstants', {
  /** The farthest that a point of it is from its centroid, in cells. */
  radius: d.f32,
  /** Bits of the axes that it is a wall along. */
  walls: d.u32,
});

/** Place of a body when copies were decided on. There are two of each, as of `MotionBody`. */
export const CopyPlace = struct('CopyPlace', {
  /** Its centroid, and its status, or `NO_BODY` before the first time. */
  cell: d.vec3i,
  status: d.u32,
  fraction: d.vec3u,
  /** Bits of the axes along which copies of it were there. */
  near: d.u32,
});

/** Sums over some bodies. */
export const BodySums = struct('BodySums', {
  /** In two parts each. */
  momentum: d.vec3f,
  kinetic: d.f32,
  momentumLow: d.vec3f,
  /** Energy in gravity. */
  gravity: d.f32,
  /** About the origin. */
  angularMomentum: d.vec3f,
  /** Energy per time that driven bodies give to the others. */
  driven: d.f32,
  angularMomentumLow: d.vec3f,
  /** Energy of bodies that have just appeared, or been removed. */
  inserted: d.f32,
  removed: d.f32,
  /** Work of gravity that has changed in the step. */
  weighed: d.f32,
  /** Bodies that are there, and those that were removed. */
  present: d.u32,
  gone: d.u32,
});

/** The first body whose numbers are not finite, and the first that is out of bounds; `NO_BODY` where there is none. */
export const BodyChecks = struct('BodyChecks', {
  notFinite: d.atomic(d.u32),
  escaped: d.atomic(d.u32),
  tooFar: d.atomic(d.u32),
});
export const NO_BODY = 2 ** 32 - 1;

/** Energies, a sum and what rounding left of it each. */
const Accumulated = d.vec3f;

/** Monitors, at the end of the last whole step. */
export const StepMonitors = struct('StepMonitors', {
  sums: BodySums,
  /** Energy that dashpots and rolling took so far, less that held by springs, and the work of driven bodies. */
  work: Accumulated,
  elastic: d.f32,
  workLow: Accumulated,
  /** Of these, what tangential springs hold. */
  tangential: d.f32,
  /** Energy that friction took so far, less that held by springs; energy that was turned over. */
  friction: Accumulated,
  deepest: d.f32,
  frictionLow: Accumulated,
  largestFrequency: d.f32,
  /** Powers at the last step's end: dashpots, rolling, driven; friction. */
  powers: d.vec3f,
  frictionPower: d.f32,
  /** The balance that there was at first. */
  balance: d.f32,
  contacts: d.u32,
  open: d.u32,
  spare: d.u32,
  /** Energy so far: brought by bodies that appeared, taken along by removed ones, and brought in by pushes. */
  exchanged: Accumulated,
  /** Of `elastic`, what springs against rolling and torsion hold. */
  rolled: d.f32,
  exchangedLow: Accumulated,
  spare2: d.f32,
  /** Energy lost to dashpots, to rolling and to friction: the most that these took so far. */
  lost: Accumulated,
  spare3: d.f32,
  lostLow: Accumulated,
  spare4: d.f32,
});
