/** What a mechanism is made of, as TypeScript objects. */
import type {
  PrescribedMotion,
  SimulationBodies,
  SimulationScene,
} from '../../dem/scene/simulation-scene.ts';
import type { Matrix3, Vector3 } from '../../mesh/mass-properties.ts';

export const JOINT_KINDS = [
  ...(['revolute', 'prismatic', 'cylindrical', 'universal', 'spherical', 'fixed'] as const),
] as const;
export type JointKind = (typeof JOINT_KINDS)[number];

/** The shape of a body that has none: a bare frame. */
export const NO_SHAPE = 2 ** 32 - 1;

/** Mass of a body, in place of its shape's and material's. */
export interface MassOfBody {
  /** 0 for none. */
  readonly mass: number;
  /** In the body's frame. Default its origin. */
  readonly centroid?: Vector3 | undefined;
  /** About the centroid, in the body's axes: moments about them, or rows of the tensor. Default 0: a point. */
  readonly inertia?: Vector3 | Matrix3 | undefined;
}

/** The number of a body, or what stands still. */
export type BodyOrWorld = number | 'world';

/** Where a joint is at a time. */
export interface JointState {
  /** Radians, or a length. */
  readonly coordinate: number;
  readonly rate: number;
}

/** Where the body of a force is at a time, in the world. */
export interface BodyState {
  /** Of the point that the force acts on. */
  readonly position: Float64Array;
  readonly velocity: Float64Array;
  readonly angularVelocity: Float64Array;
}

/** Torque (of a prismatic joint: force) on b about the joint's axis, and the opposite one on a. */
export type JointDrive = (time: number, state: JointState) => number;
/** A vector in the world's axes. */
export type BodyForce = (time: number, state: BodyState) => Vector3;

/** What leaves two bodies some ways to move against each other. Its coordinates are 0 in the scene's poses. */
export interface Joint {
  readonly kind: JointKind;
  readonly a: BodyOrWorld;
  readonly b: BodyOrWorld;
  /** In b's frame. Default its origin. */
  readonly point?: Vector3 | undefined;
  /** The same point in a's frame. Default: where it is in the scene's poses. Another one: bodies are moved to fit. */
  readonly pointA?: Vector3 | undefined;
  /** In b's frame, of any length. All kinds but spherical and fixed need it. Coordinates count about it, of b. */
  readonly axis?: Vector3 | undefined;
  /** Of a universal joint, whose first axis is fixed in a: the one that is fixed in b, in b's frame. */
  readonly secondAxis?: Vector3 | undefined;
  /** Torque or force per rate of each coordinate. Default 0. */
  readonly damping?: number | undefined;
  /**
   * Of a revolute or prismatic joint: a torque or force, constant or a function; or a motion along the axis, which
   * nothing disturbs.
   */
  readonly drive?: number | PrescribedMotion | JointDrive | undefined;
  /** Whether the two bodies may touch each other. Default false. */
  readonly canCollide?: boolean | undefined;
}

/** A spring with a dashpot between two points. */
export interface SpringElement {
  readonly kind: 'spring';
  readonly a: BodyOrWorld;
  readonly b: BodyOrWorld;
  /** In the frames of a and b. Default their origins. */
  readonly pointA?: Vector3 | undefined;
  readonly pointB?: Vector3 | undefined;
  /** Force per length. */
  readonly stiffness: number;
  /** Force per rate of length. Default 0. */
  readonly damping?: number | undefined;
  /** At which it is slack. */
  readonly length: number;
}

/** A force and a torque on a body, in the world's axes. */
export interface ForceElement {
  readonly kind: 'force';
  readonly body: number;
  /** In the body's frame. Default its origin. */
  readonly point?: Vector3 | undefined;
  readonly force?: Vector3 | BodyForce | undefined;
  readonly torque?: Vector3 | BodyForce | undefined;
}

export type MechanismElement = SpringElement | ForceElement;

export interface MultibodyBodies extends SimulationBodies {
  /** `[n]`: the body that each one is part of, its pose relative to it; -1 for none. Default none. */
  readonly parents?: Int32Array | undefined;
  /** By the numbers of bodies. Default: mass follows from shape and material; without a shape there is none. */
  readonly masses?: ReadonlyMap<number, MassOfBody> | undefined;
}

/** Bodies on joints. Shapes of bodies are numbers of shapes, or `NO_SHAPE`, 2^32 - 1. */
export interface MultibodyScene extends SimulationScene {
  readonly bodies: MultibodyBodies;
  readonly joints?: readonly Joint[] | undefined;
  readonly elements?: readonly MechanismElement[] | undefined;
}
