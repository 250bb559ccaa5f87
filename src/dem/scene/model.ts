/** A scene with all that follows from it: masses, laws, and where bodies are at first. */
import { copyOf } from '../../arguments.ts';
import type { ContactBodies } from '../../contacts/bodies/contact-shape.ts';
import { BETWEEN_RESTS } from '../../workers/slices.ts';
import { DEFAULT_GRAVITY } from '../constants.ts';
import type { BodyLaws } from '../forces/body-laws.ts';
import { type MassOfShape, massOfShape } from '../mass/mass-of-shape.ts';
import { pairTable } from '../materials/materials.ts';
import {
  type BodyFrames,
  type Inertia,
  type Loads,
  type MotionState,
  placeBody,
  setAngularVelocity,
} from '../motion/motion.ts';
import { removalPlanes } from './comings-and-goings.ts';
import { type Servo, servosOf } from './servo.ts';
import type { Bounds, Gravity, PeriodicBox, PrescribedMotion, SimulationScene } from './simulation-scene.ts';

/** A scene as steps need it: checked, in typed arrays. */
export interface SimulationModel extends BodyFrames {
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
  /** By the numbers of bodies: the motion, and the pose at first. */
  readonly driven: ReadonlyMap<number, { readonly motion: PrescribedMotion; readonly pose: Float64Array }>;
  /** By the numbers of bodies. */
  readonly servos: ReadonlyMap<number, Servo>;
  readonly state: MotionState;
  /** `[n]`: simulated times. */
  readonly appearsAt: Float64Array;
  readonly bounds: Bounds | undefined;
  /** Periods of space, along axes along which it repeats. */
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
  // Bodies touch a polyhedron or a plane on a face, which is flat.
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
