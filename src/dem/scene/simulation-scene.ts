/** Scenes of simulations, as TypeScript objects. */
import type { ContactShape } from '../../contacts/bodies/contact-shape.ts';
import type { Vector3 } from '../../mesh/mass-properties.ts';
import type { Material, MaterialPair } from '../materials/materials.ts';

/**
 * How a body moves that nothing moves: a conveyor's belt, a drum, a lid. Between `from` and `until`, it moves on with
 * `velocity`, turns with `angularVelocity` about an axis through `about`, which moves along with it, and swings by
 * `amplitude` sin(2 pi `frequency` t). `factors` make velocities change.
 */
export interface PrescribedMotion {
  /** Length per time. Default 0. */
  readonly velocity?: Vector3 | undefined;
  /** Radians per time, in the world's axes. Default 0. */
  readonly angularVelocity?: Vector3 | undefined;
  /** A point of the axis at first, in the world. Default: the origin of the body's frame. */
  readonly about?: Vector3 | undefined;
  /** A length along each axis. Default 0. */
  readonly amplitude?: Vector3 | undefined;
  /**
   * Velocity of its surface beside its own, as of a belt that runs around its pulleys while the body stands. A length
   * per time. Default 0. Contacts feel what of it lies in their planes: the part along a normal moves nothing.
   */
  readonly surfaceVelocity?: Vector3 | undefined;
  /**
   * Factors of velocities over simulated times, of those of its surface too: pairs of a time and a factor, in order of
   * time. The factor is linear between two of them, and constant before the first and after the last. Swings
   * go on as they are. Below 0 the body goes back. At most 1e30, times too. Default 1.
   */
  readonly factors?: readonly (readonly [time: number, factor: number])[] | undefined;
  /** Swings per time. Default 0. */
  readonly frequency?: number | undefined;
  /** Simulated times. Default: always. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

/**
 * A wall that presses, and gives way where bodies press it more: the load on it comes to be what it presses with. It
 * moves along its direction alone. Its weight does not count.
 */
export interface ServoWall {
  /** Direction in which it presses, of any length above 0. */
  readonly direction: Vector3;
  /** The load: `force`, or `pressure` on an `area`. */
  readonly force?: number | undefined;
  readonly pressure?: number | undefined;
  readonly area?: number | undefined;
  /** Length per time that it comes to where nothing resists. The larger the load is, the slower it moves. */
  readonly speed: number;
  /**
   * Factors of the force over simulated times, as `PrescribedMotion` has them of velocities. Below 0 the wall moves the
   * other way while nothing holds it. Default 1.
   */
  readonly factors?: readonly (readonly [time: number, factor: number])[] | undefined;
  /** Simulated times. Before and after it stands. Default: always. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

/** Gravity from a time on: length per time squared. */
export type GravityRow = readonly [time: number, x: number, y: number, z: number];

/**
 * Length per time squared: one vector, or a table over simulated times, in order of time. Between two rows it is
 * linear, before the first and after the last constant.
 */
export type Gravity = Vector3 | readonly GravityRow[];

/** A half space that bodies end in: one whose centroid is beyond the plane, on the side of the normal, is removed. */
export interface RemovalPlane {
  readonly point: Vector3;
  /** Of any length above 0. */
  readonly normal: Vector3;
}

/**
 * Space that repeats along the periodic axes: what leaves through one side comes in through the other, and contacts
 * reach across. Along other axes the box has no effect. Bodies take half of it at most, but for walls, which reach
 * through all of it and do not repeat: planes along an axis, and bodies that forces do not move.
 */
export interface PeriodicBox {
  readonly low: Vector3;
  readonly high: Vector3;
  /** For x, y and z. */
  readonly periodic: readonly [boolean, boolean, boolean];
}

/** A box for the centroids of bodies that forces move: a simulation stops if one gets out. */
export interface Bounds {
  readonly low: Vector3;
  readonly high: Vector3;
}

/** Bodies: one entry per body in each array. */
export interface SimulationBodies {
  /** `[n]`: numbers of shapes. */
  readonly shapes: Uint32Array;
  /** `[n * 7]`: position of the origin of the shape's frame, and unit quaternion x, y, z, w. */
  readonly poses: Float32Array | Float64Array;
  /** `[n]`: numbers of materials. Default: all are of the first one. */
  readonly materials?: Uint32Array | undefined;
  /** `[n * 3]`: velocities of centroids, and angular velocities in the world's axes, radians. Default 0. */
  readonly velocities?: Float32Array | Float64Array | undefined;
  readonly angularVelocities?: Float32Array | Float64Array | undefined;
  /** `[n]`: 1 for bodies that stand still. Planes do, and so do servo walls and bodies with a motion, but for that. */
  readonly isStatic?: Uint8Array | undefined;
  /** By the numbers of bodies. */
  readonly motions?: ReadonlyMap<number, PrescribedMotion> | undefined;
  /** By the numbers of bodies, none of which has a prescribed motion. */
  readonly servos?: ReadonlyMap<number, ServoWall> | undefined;
  /**
   * `[n]`: simulated times from which on bodies are there. Default 0: from the start. Infinity: `Simulation.write` of
   * `statuses` alone brings them.
   */
  readonly appearsAt?: Float32Array | Float64Array | undefined;
  /** As in `ContactBodies`. */
  readonly groups?: Uint32Array | undefined;
  readonly masks?: Uint32Array | undefined;
}

/** Lengths, masses and times are in units that go together, as metres, kilograms and seconds do. */
export interface SimulationScene {
  readonly shapes: readonly ContactShape[];
  readonly materials: readonly Material[];
  /** Properties of pairs of materials, where they are not those that follow from both. */
  readonly pairs?: readonly MaterialPair[] | undefined;
  readonly bodies: SimulationBodies;
  /** Default 0, 0, -9.81. */
  readonly gravity?: Gravity | undefined;
  /** Bodies that get beyond one of these are removed. Bodies that forces do not move stay. */
  readonly removal?: readonly RemovalPlane[] | undefined;
  /** Default: the range of positions alone. */
  readonly bounds?: Bounds | undefined;
  /** Default: space does not repeat. */
  readonly box?: PeriodicBox | undefined;
  /** Bounds are grown by it, a length: `ContactPipeline` says how. */
  readonly margin?: number | undefined;
  /** Names for messages. */
  readonly names?:
    | {
        readonly shapes?: readonly string[];
        readonly bodies?: readonly string[];
        readonly materials?: readonly string[];
      }
    | undefined;
}
