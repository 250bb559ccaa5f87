/** A scene with all that follows from it: masses, laws, and where bodies are at first. */
import { quatd, vec3d } from 'wgpu-matrix';
import { copyOf } from '../../arguments.ts';
import type { ContactBodies } from '../../contacts/bodies/contact-shape.ts';
import { BETWEEN_RESTS } from '../../workers/slices.ts';
import { DEFAULT_GRAVITY } from '../constants.ts';
import type { BodyLaws } from '../forces/body-laws.ts';
import { type MassOfShape, massOfShape } from '../mass/mass-of-shape.ts';
import { pairTable } from '../materials/materials.ts';
import type { Inertia, Loads, MotionState } from '../motion/motion.ts';
import { removalPlanes } from './comings-and-goings.ts';
import { type Servo, servosOf } from './servo.ts';
import type { Bounds, Gravity, PeriodicBox, PrescribedMotion, SimulationScene } from './simulation-scene.ts';

/** What a step needs of a scene. */
export interface SimulationModel {
  readonly count: number;
  readonly names: readonly string[];
  readonly contactBodies: ContactBodies;
  /** Scripts may change it between two steps. */
  gravity: Gravity;
  /** Forces and torques that scripts apply, beside contacts and weight. */
  readonly applied: Loads;
  readonly inertia: Inertia;
  readonly laws: Omit<BodyLaws, 'lengths'>;
  /** `[n]`: most points in which a body touches one other. 0: it touches with faces, or it is a plane. */
  readonly pointContacts: Uint8Array;
  /** Whether a body that is no plane touches with faces. */
  readonly hasFaces: boolean;
  /** `[n * 3]`: centroids in the frames of shapes. `[n * 4]`: principal frames to those of shapes. */
  readonly centroids: Float64Array;
  readonly principal: Float64Array;
  /** By the numbers of bodies: the motion, and the pose at first. */
  readonly driven: ReadonlyMap<number, { readonly motion: PrescribedMotion; readonly pose: Float64Array }>;
  /** By the numbers of bodies. */
  readonly servos: ReadonlyMap<number, Servo>;
  readonly state: MotionState;
  /** `[n]`: simulated times. */
  readonly appearsAt: Float64Array;
  readonly bounds: Bounds | undefined;
  /** Where space repeats along an axis. */
  readonly box: PeriodicBox | undefined;
  /** `[k * 6]`: point and normal of each plane beyond which bodies are removed. */
  readonly removal: Float64Array;
}

/**
 * All that follows from a scene but where bodies are at first: `placeAtFirst` says that. No array of the scene is read
 * later, and none is part of it.
 *
 * @param scene has been checked
 */
export function modelOf(
  scene: SimulationScene,
  names: { readonly shapes: readonly string[]; readonly bodies: readonly string[] },
): SimulationModel {
  const { shapes, bodies, materials, pairs, gravity = DEFAULT_GRAVITY } = scene;
  const count = bodies.shapes.length;
  const driven = new Map(
    [...(bodies.motions ?? [])].map(([body, motion]) => [
      body,
      { motion: copyOf(motion), pose: Float64Array.from(bodies.poses.subarray(7 * body, 7 * body + 7)) },
    ]),
  );
  const isStatic = staticBodies(scene);
  const masses = shapes.map((shape, i) =>
    shape.kind === 'plane' ? undefined : massOfShape(shape, names.shapes[i]!),
  );
  const materialOf = bodies.materials?.slice() ?? new Uint32Array(count);
  const inverseMasses = new Float64Array(count);
  const inverseMoments = new Float64Array(3 * count);
  const centroids = new Float64Array(3 * count);
  const principal = new Float64Array(4 * count);
  const radii = new Float64Array(count);
  const curvatures = new Float64Array(count);
  const haveParts = new Uint8Array(count);
  const pointContacts = new Uint8Array(count);
  const ofShapes = shapes.map((shape, i) => {
    const { centroid, rotation, volume, moments } = masses[i] ?? NOTHING;
    const radius = Math.cbrt((3 * volume) / (4 * Math.PI));
    const curvature = curvatureOf(shape, radius);
    return { ...{ centroid, moments, volume, radius, curvature }, rotation: Array.from(rotation) };
  });
  const points = shapes.map(pointsOf);
  for (let body = 0; body < count; body++) {
    const shape = bodies.shapes[body]!;
    const { centroid, rotation, volume, moments, radius, curvature } = ofShapes[shape]!;
    for (let k = 0; k < 3; k++) centroids[3 * body + k] = centroid[k]!;
    for (let k = 0; k < 4; k++) principal[4 * body + k] = rotation[k]!;
    pointContacts[body] = points[shape]!;
    haveParts[body] = shapes[shape]!.kind === 'parts' ? 1 : 0;
    curvatures[body] = curvature;
    // Walls have no layer of their own, and do not roll.
    if (isStatic[body] === 1) continue;
    radii[body] = radius;
    const { density } = materials[materialOf[body]!]!;
    inverseMasses[body] = 1 / (density * volume);
    for (let k = 0; k < 3; k++) inverseMoments[3 * body + k] = 1 / (density * moments[k]!);
  }
  const { groups, masks } = bodies;
  const model = {
    ...{ count, names: names.bodies, centroids, principal, driven, pointContacts },
    gravity: structuredClone(gravity) as Gravity,
    applied: { forces: new Float64Array(3 * count), torques: new Float64Array(3 * count) },
    hasFaces: pointContacts.some(
      (points, body) => points === 0 && shapes[bodies.shapes[body]!]!.kind !== 'plane',
    ),
    contactBodies: {
      shapes: bodies.shapes.slice(),
      isStatic,
      groups: groups?.slice(),
      masks: masks?.slice(),
    },
    inertia: {
      inverseMasses,
      inverseMoments,
      isDriven: isStatic.map((_, body) => (driven.has(body) || bodies.servos?.has(body) ? 1 : 0)),
    },
    servos: servosOf(scene, inverseMasses),
    appearsAt: new Float64Array(bodies.appearsAt ?? new Float64Array(count)),
    bounds: structuredClone(scene.bounds),
    box: scene.box?.periodic.includes(true) ? structuredClone(scene.box) : undefined,
    removal: removalPlanes(scene),
    laws: {
      ...{ pairs: pairTable(materials, pairs), materials: materialOf, radii, curvatures, haveParts },
      surfaceVelocities: new Float64Array(3 * count),
    },
  };
  const state: MotionState = {
    count,
    positions: new Float64Array(3 * count),
    rotations: new Float64Array(4 * count),
    velocities: new Float64Array(bodies.velocities ?? new Float64Array(3 * count)),
    momenta: new Float64Array(3 * count),
  };
  return { ...model, state };
}

/** `[n]`: 1 for planes, servo walls, bodies with a prescribed motion, and what is said to be static. */
export function staticBodies({ shapes, bodies }: SimulationScene): Uint8Array {
  return new Uint8Array(bodies.shapes.length).map((_, body) => {
    const isPlane = shapes[bodies.shapes[body]!]?.kind === 'plane';
    const isMoved = bodies.motions?.has(body) || bodies.servos?.has(body);
    return isPlane || isMoved || bodies.isStatic?.[body] === 1 ? 1 : 0;
  });
}

/** Points of shapes without faces. */
const POINTS: Readonly<Record<string, number>> = {
  sphere: 1,
  point: 1,
  ellipsoid: 1,
  capsule: 2,
  segment: 2,
};
/** Of a body of several parts without faces: as many of them as stand on the ground. */
const PARTS_POINTS = 4;

function pointsOf(shape: SimulationScene['shapes'][number]): number {
  if (shape.kind !== 'parts') return POINTS[shape.kind] ?? 0;
  return shape.parts.every((part) => part.shape.kind in POINTS) ? PARTS_POINTS : 0;
}

const NOTHING: MassOfShape = {
  volume: 0,
  centroid: [0, 0, 0],
  moments: [0, 0, 0],
  rotation: [0, 0, 0, 1],
  error: 0,
};

/** Radius of a ball at the place of a point contact: that of the shape's own rounding, else of equal volume. */
function curvatureOf(shape: SimulationScene['shapes'][number], radius: number): number {
  // What touches a polyhedron in a point touches a face: its nodes and edges are no points.
  if (shape.kind === 'plane' || shape.kind === 'polyhedron') return 0;
  if (shape.kind === 'sphere') return shape.radius + (shape.margin ?? 0);
  const margin =
    ('margin' in shape ? (shape.margin ?? 0) : 0) +
    ('radius' in shape && isSwept(shape.kind) ? shape.radius : 0);
  return margin || radius;
}

function isSwept(kind: string): boolean {
  return kind === 'capsule' || kind === 'lozenge' || kind === 'round-box';
}

/**
 * Puts bodies where they are at first, and lets them turn.
 *
 * @param poses `[n * 7]`, and `turns`, `[n * 3]`, their angular velocities: nobody changes them meanwhile
 * @param rest is waited for between parts
 */
export async function placeAtFirst(
  { state, inertia, ...frames }: SimulationModel,
  poses: Float64Array,
  turns: Float64Array | undefined,
  rest: () => Promise<void>,
): Promise<void> {
  const spin = new Float64Array(3);
  for (let body = 0; body < state.count; body++) {
    if (body % BETWEEN_RESTS === 0) await rest();
    placeBody(state, frames, body, poses, 7 * body);
    if (turns === undefined) continue;
    for (let k = 0; k < 3; k++) spin[k] = turns[3 * body + k]!;
    // Most bodies do not turn.
    if (spin.some((rate) => rate !== 0)) setAngularVelocity(state, inertia, body, spin);
  }
}

/** Room of `placeBody`: views of arrays of millions of bodies would take seconds. */
const room = { turn: quatd.create(), arm: vec3d.create(), principal: quatd.create() };

/**
 * Puts a body where its shape's frame has this pose.
 *
 * @param at where the pose begins in `poses`
 */
export function placeBody(
  { positions, rotations }: MotionState,
  { centroids, principal }: Pick<SimulationModel, 'centroids' | 'principal'>,
  body: number,
  poses: Float64Array,
  at = 0,
): void {
  const { turn, arm, principal: own } = room;
  for (let k = 0; k < 4; k++) turn[k] = poses[at + 3 + k]!;
  quatd.normalize(turn, turn);
  for (let k = 0; k < 3; k++) arm[k] = centroids[3 * body + k]!;
  vec3d.transformQuat(arm, turn, arm);
  for (let k = 0; k < 3; k++) positions[3 * body + k] = poses[at + k]! + arm[k]!;
  for (let k = 0; k < 4; k++) own[k] = principal[4 * body + k]!;
  quatd.normalize(quatd.multiply(turn, own, own), own);
  for (let k = 0; k < 4; k++) rotations[4 * body + k] = own[k]!;
}

/** Poses of the shapes' frames: `[n * 7]`. */
export function writePoses(
  state: MotionState,
  model: Pick<SimulationModel, 'centroids' | 'principal'>,
  poses: Float64Array,
): void {
  const { positions, rotations: q } = state;
  const { principal: p, centroids } = model;
  for (let body = 0; body < state.count; body++) {
    const at = 4 * body;
    // The rotation, after the way back from the principal frame to the shape's.
    const ax = q[at]!;
    const ay = q[at + 1]!;
    const az = q[at + 2]!;
    const aw = q[at + 3]!;
    const bx = -p[at]!;
    const by = -p[at + 1]!;
    const bz = -p[at + 2]!;
    const bw = p[at + 3]!;
    let x = ax * bw + aw * bx + ay * bz - az * by;
    let y = ay * bw + aw * by + az * bx - ax * bz;
    let z = az * bw + aw * bz + ax * by - ay * bx;
    let w = aw * bw - ax * bx - ay * by - az * bz;
    const length = Math.sqrt(x * x + y * y + z * z + w * w);
    x /= length;
    y /= length;
    z /= length;
    w /= length;
    const cx = centroids[3 * body]!;
    const cy = centroids[3 * body + 1]!;
    const cz = centroids[3 * body + 2]!;
    const ux = y * cz - z * cy;
    const uy = z * cx - x * cz;
    const uz = x * cy - y * cx;
    const to = 7 * body;
    poses[to] = positions[3 * body]! - (cx + 2 * (w * ux + (y * uz - z * uy)));
    poses[to + 1] = positions[3 * body + 1]! - (cy + 2 * (w * uy + (z * ux - x * uz)));
    poses[to + 2] = positions[3 * body + 2]! - (cz + 2 * (w * uz + (x * uy - y * ux)));
    poses[to + 3] = x;
    poses[to + 4] = y;
    poses[to + 5] = z;
    poses[to + 6] = w;
  }
}

/** Angular momentum of a body that turns with this angular velocity, in the world's axes. */
export function setAngularVelocity(
  state: MotionState,
  { inverseMoments }: Inertia,
  body: number,
  velocity: Float64Array,
): void {
  if (inverseMoments[3 * body] === 0) {
    state.momenta.set(velocity, 3 * body);
    return;
  }
  const rotation = state.rotations.subarray(4 * body, 4 * body + 4);
  const own = vec3d.transformQuat(velocity, quatd.conjugate(rotation));
  for (let k = 0; k < 3; k++) own[k]! /= inverseMoments[3 * body + k]!;
  const momentum = vec3d.transformQuat(own, rotation);
  for (let k = 0; k < 3; k++) state.momenta[3 * body + k] = momentum[k]!;
}
