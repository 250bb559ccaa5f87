/** A scene as frames, closures and forces: all that the equations need, and where bodies are in it. */
import { Matrix } from 'ml-matrix';
import { leastSquares } from '../../dae/least-squares.ts';
import { DEFAULT_GRAVITY } from '../../dem/constants.ts';
import type { PrescribedMotion } from '../../dem/scene/simulation-scene.ts';
import { InputError } from '../../errors.ts';
import type { Matrix3, Vector3 } from '../../mesh/mass-properties.ts';
import { POINT_ROUNDING, RANK_TOLERANCE } from '../constants.ts';
import { across, type ClosureRow, closureRowsOf, unit } from '../joints/joint-kinds.ts';
import {
  type BodyForce,
  type Joint,
  type JointDrive,
  type MultibodyScene,
  NO_SHAPE,
} from '../scene/multibody-scene.ts';
import { type SuperObjects, superObjectsOf } from '../scene/super-objects.ts';
import { cross, minus, plus } from '../vectors.ts';
import {
  type Ends,
  framesOf,
  type Hinge,
  hingesOf,
  type JointFrames,
  numberOf,
  pointOf,
} from './joint-frames.ts';
import { ORIGIN, placedBodies, type SceneBody } from './placed-bodies.ts';
import { type FrameSpec, FrameTree } from './tree.ts';

/** A row of closure, of a loop or of a drive. */
export type MechanismRow =
  | (Ends & { readonly kind: 'place'; readonly along: Vector3; readonly name: string })
  | (Ends & {
      readonly kind: 'turn';
      readonly ofA: Vector3;
      readonly ofB: Vector3;
      readonly product: number;
      readonly name: string;
    })
  | {
      readonly kind: 'drive';
      readonly coordinate: number;
      readonly rate: number;
      readonly motion: DriveMotion;
      readonly name: string;
    };

/** A coordinate that is given. */
export interface DriveMotion {
  readonly rate: number;
  readonly amplitude: number;
  readonly frequency: number;
  readonly from: number;
  readonly until: number;
}

export interface Spring extends Ends {
  readonly stiffness: number;
  readonly damping: number;
  readonly length: number;
}

export interface BodyLoad {
  readonly frame: number;
  readonly point: Vector3;
  readonly force: Vector3 | BodyForce;
  readonly torque: Vector3 | BodyForce;
  readonly place: string;
}

/** A drive's torque or a damping, of a joint in the tree or of one that closes a loop. */
export interface JointLoad {
  readonly damping: number;
  readonly drive: number | JointDrive;
  /** In the tree: numbers of coordinate and rate. */
  readonly coordinate: number;
  readonly rates: readonly number[];
  /** In a loop: the axis in both frames, and an arm across it to count angles by. */
  readonly loop:
    | (Ends & {
        readonly isSlide: boolean;
        readonly axis: Vector3;
        readonly armA: Vector3;
        readonly armB: Vector3;
        /** Damping acts about all axes. */
        readonly isBall: boolean;
      })
    | undefined;
  readonly place: string;
}

/** Where a body is in its frame, and its mass. */
export interface PlacedBody {
  /** -1: it stands still. */
  readonly frame: number;
  /** In the frame. */
  readonly position: Vector3;
  readonly rotation: Float64Array;
  readonly mass: number;
  readonly centroid: Vector3;
  readonly inertia: Matrix3;
}

/** A number of the state that users see. */
export interface Coordinate {
  readonly name: string;
  /** Its place among those of the tree, and whether the tree counts the other way. */
  readonly index: number;
  readonly sign: 1 | -1;
}

export interface Mechanism {
  readonly tree: FrameTree;
  readonly superObjects: SuperObjects;
  readonly bodies: readonly PlacedBody[];
  readonly rows: readonly MechanismRow[];
  readonly springs: readonly Spring[];
  readonly loads: readonly BodyLoad[];
  readonly jointLoads: readonly JointLoad[];
  /** Coordinates and rates in the order of joints, then of bodies that move freely. */
  readonly coordinates: readonly Coordinate[];
  readonly rates: readonly Coordinate[];
  /** Times at which drives begin or end. */
  readonly breaks: readonly number[];
  readonly gravity: Vector3;
  /** A length: how large it is. */
  readonly size: number;
  /** `[rates]`: usual sizes of rates times a time: radians, or lengths. */
  readonly rateSizes: Float64Array;
  /** `[rates]`: at first, as bodies say. */
  readonly startRates: Float64Array;
}

/** @param scene has been checked */
export function mechanismOf(
  scene: MultibodyScene,
  names: readonly string[],
  jointNames: readonly string[],
): Mechanism {
  const { joints = [] } = scene;
  const gravity = (scene.gravity ?? DEFAULT_GRAVITY) as Vector3;
  const placed = placedBodies(scene, names);
  const superObjects = superObjectsOfScene(scene, placed);
  const hinges = hingesOf(joints, placed);
  const frames = framesOf(joints, hinges, superObjects, placed, names);
  const tree = new FrameTree(frames.specs, gravity);
  const size = sizeOf(placed, hinges, superObjects);
  const closures: MechanismRow[] = superObjects.cutJoints.flatMap((number) => {
    const hinge = hinges[number]!;
    const ends = frames.ends(hinge.a, hinge.b, hinge.onA, hinge.onB);
    return closureRowsOf(joints[number]!.kind, hinge).map((row, k): MechanismRow => {
      const name = `${jointNames[number]}: row ${k + 1} of its closure`;
      return { ...ends, ...withProduct(row), name };
    });
  });
  for (const i of superObjects.idleJoints) requireIdle(joints[i]!, hinges[i]!, i, size);
  const { drives, jointLoads } = jointPartsOf(joints, hinges, frames, tree, new Set(superObjects.idleJoints));
  const breaks = new Set(drives.flatMap(({ motion }) => [motion.from, motion.until]));
  const rateSizes = Float64Array.from({ length: tree.rates }, () => 1);
  frames.specs.forEach(({ freedom }, i) => {
    if (freedom.kind === 'slide' || freedom.kind === 'shift')
      for (const rate of ratesOf(tree, i)) rateSizes[rate] = size;
  });
  return {
    ...{ tree, superObjects, rows: [...closures, ...drives], jointLoads, size, rateSizes, gravity },
    ...elementPartsOf(scene, placed, frames),
    ...namedCoordinates(tree, frames, names, jointNames),
    bodies: placed.map(
      ({ mass, inertia, position, rotation, centroid }, i): PlacedBody => ({
        ...{ frame: frames.ofBody(i), position: frames.inFrame(i, position), rotation, mass, inertia },
        centroid: frames.inFrame(i, centroid),
      }),
    ),
    breaks: [...breaks].filter((time) => time > 0 && time < Infinity).sort((a, b) => a - b),
    startRates: startRatesOf(scene, tree, frames, superObjects, placed),
  };
}

function superObjectsOfScene(scene: MultibodyScene, placed: readonly SceneBody[]): SuperObjects {
  const { bodies, joints = [], elements = [] } = scene;
  const count = bodies.shapes.length;
  const isPlane = (body: number) => scene.shapes[bodies.shapes[body]!]?.kind === 'plane';
  const isStatic = Uint8Array.from({ length: count }, (_, body) =>
    bodies.isStatic?.[body] === 1 || isPlane(body) ? 1 : 0,
  );
  const hasForce = new Set(elements.flatMap((one) => (one.kind === 'spring' ? [one.a, one.b] : [one.body])));
  return superObjectsOf(
    Array.from({ length: count }, (_, body) => ({
      canCollide: bodies.shapes[body] !== NO_SHAPE && bodies.masks?.[body] !== 0,
      hasMass: placed[body]!.mass > 0,
      isVisible: bodies.shapes[body] !== NO_SHAPE,
      hasForceElement: hasForce.has(body),
    })),
    bodies.parents ?? new Int32Array(count).fill(-1),
    isStatic,
    joints.map(({ kind, a, b, drive, canCollide = false }) => ({
      ...{ a: numberOf(a), b: numberOf(b), isFixed: kind === 'fixed', canCollide },
      // Those that close loops have no coordinate that is given, and count their angles from step to step.
      order: typeof drive === 'object' ? 0 : typeof drive === 'function' ? 1 : 2,
    })),
  );
}

/** @throws InputError for a joint that connects a body with itself and would move or hold something */
function requireIdle({ drive = 0 }: Joint, { onA, onB }: Hinge, i: number, size: number): void {
  const gap = Math.hypot(...minus(onA, onB));
  if (gap > POINT_ROUNDING * (size + Math.hypot(...onB)))
    throw new InputError(
      `joints[${i}].pointA is ${gap} away from point, expected the same place: the joint connects one body with ` +
        'itself, and moves nothing',
    );
  if (drive !== 0)
    throw new InputError(
      `joints[${i}].drive is there, expected none: the joint connects one body with itself`,
    );
}

/** Rows of coordinates that are given, and what else acts in joints. */
function jointPartsOf(
  joints: readonly Joint[],
  hinges: readonly Hinge[],
  frames: JointFrames,
  tree: FrameTree,
  idle: ReadonlySet<number>,
) {
  const drives: Extract<MechanismRow, { kind: 'drive' }>[] = [];
  const jointLoads: JointLoad[] = [];
  joints.forEach((joint, i) => {
    if (idle.has(i)) return;
    const { damping = 0, drive = 0, kind } = joint;
    const own = frames.ofJoints.get(i)?.frames;
    const hinge = hinges[i]!;
    const motion = typeof drive === 'object' ? motionOf(joint, drive, i) : undefined;
    const place = `joints[${i}].drive`;
    if (motion && !own) {
      throw new InputError(
        `${place} is a motion of a joint that closes a loop of such joints, expected one of them without`,
      );
    }
    const coordinate = own ? tree.coordinateOf[own[0]!]! : -1;
    if (motion) drives.push({ kind: 'drive', coordinate, rate: tree.rateOf[own![0]!]!, motion, name: place });
    const torque = motion ? 0 : (drive as number | JointDrive);
    if (damping === 0 && torque === 0) return;
    const arm = own || Math.hypot(...hinge.axis) === 0 ? ORIGIN : across(hinge.axis)[0];
    jointLoads.push({
      ...{ damping, drive: torque, place, coordinate },
      rates: own ? own.flatMap((frame) => ratesOf(tree, frame)) : [],
      loop: own
        ? undefined
        : {
            ...frames.ends(hinge.a, hinge.b, hinge.onA, hinge.onB),
            ...{ axis: hinge.axis, armA: arm, armB: arm },
            isSlide: kind === 'prismatic' || kind === 'cylindrical',
            isBall: kind !== 'prismatic' && kind !== 'revolute',
          },
    });
  });
  return { drives, jointLoads };
}

/** Springs, and forces on bodies. */
function elementPartsOf(
  { elements = [] }: MultibodyScene,
  placed: readonly SceneBody[],
  frames: JointFrames,
): Pick<Mechanism, 'springs' | 'loads'> {
  const springs: Spring[] = [];
  const loads: BodyLoad[] = [];
  elements.forEach((element, i) => {
    if (element.kind === 'spring') {
      const [a, b] = [numberOf(element.a), numberOf(element.b)];
      const { pointA = ORIGIN, pointB = ORIGIN, stiffness, damping = 0, length } = element;
      const ends = frames.ends(a, b, pointOf(placed, a, pointA), pointOf(placed, b, pointB));
      springs.push({ ...ends, stiffness, damping, length });
      return;
    }
    const { body, point = ORIGIN, force = ORIGIN, torque = ORIGIN } = element;
    loads.push({
      ...{
        frame: frames.ofBody(body),
        point: frames.inFrame(body, pointOf(placed, body, point)),
        force,
        torque,
      },
      place: `elements[${i}]`,
    });
  });
  return { springs, loads };
}

/** Coordinates and rates in the order of joints, then of bodies that move freely. */
function namedCoordinates(
  tree: FrameTree,
  frames: JointFrames,
  names: readonly string[],
  jointNames: readonly string[],
): Pick<Mechanism, 'coordinates' | 'rates'> {
  const coordinates: Coordinate[] = [];
  const rates: Coordinate[] = [];
  jointNames.forEach((name, i) => {
    const own = frames.ofJoints.get(i);
    if (own) addNames(tree, frames.specs, name, own, coordinates, rates);
  });
  for (const { body, frames: own } of frames.free)
    addNames(tree, frames.specs, names[body]!, { frames: own, isReversed: false }, coordinates, rates);
  return { coordinates, rates };
}

/** Rates as the bodies' velocities say: a joint takes what it allows of its body's. */
function startRatesOf(
  { bodies }: MultibodyScene,
  tree: FrameTree,
  { firstFrameOf, originOf }: JointFrames,
  superObjects: SuperObjects,
  placed: readonly SceneBody[],
): Float64Array {
  const out = new Float64Array(tree.rates);
  const { velocities, angularVelocities } = bodies;
  if (velocities === undefined && angularVelocities === undefined) return out;
  const q = tree.zero();
  const y = new Float64Array(tree.coordinates + tree.rates);
  y.set(q);
  const at = (values: Float32Array | Float64Array | undefined, body: number): Vector3 =>
    values === undefined ? ORIGIN : [values[3 * body]!, values[3 * body + 1]!, values[3 * body + 2]!];
  superObjects.all.forEach((own, number) => {
    if (number === 0) return;
    const mover = own.bodies.find(
      (body) => Math.hypot(...at(velocities, body)) + Math.hypot(...at(angularVelocities, body)) > 0,
    );
    if (mover === undefined) return;
    const spin = at(angularVelocities, mover);
    const arm = minus(originOf[number]!, placed[mover]!.centroid);
    const velocity = plus(at(velocities, mover), cross(spin, arm));
    // All rates of the joint together, as its axes need not be square: the nearest spin and velocity.
    const [first, end] = [firstFrameOf[number]!, firstFrameOf[number + 1] ?? tree.count];
    const [from, to] = [tree.rateOf[first]!, end < tree.count ? tree.rateOf[end]! : tree.rates];
    const motion = () => {
      y.set(out, q.length);
      tree.forward(y);
      const last = 3 * (end - 1);
      return [...tree.spins.subarray(last, last + 3), ...tree.velocities.subarray(last, last + 3)];
    };
    const before = motion();
    const ways = Array.from({ length: to - from }, (_, k) => {
      out[from + k] = 1;
      const with1 = motion();
      out[from + k] = 0;
      return with1.map((x, i) => x - before[i]!);
    });
    const wanted = Float64Array.from([...spin, ...velocity], (x, i) => x - before[i]!);
    out.set(leastSquares(new Matrix(ways).transpose(), wanted, RANK_TOLERANCE), from);
  });
  return out;
}

function addNames(
  tree: FrameTree,
  frames: readonly FrameSpec[],
  name: string,
  { frames: own, isReversed }: { readonly frames: readonly number[]; readonly isReversed: boolean },
  coordinates: Coordinate[],
  rates: Coordinate[],
): void {
  const total = own.reduce((sum, frame) => sum + ratesOf(tree, frame).length, 0);
  let [turns, ways] = [0, 0];
  for (const frame of own) {
    const { freedom } = frames[frame]!;
    const [c, r] = [tree.coordinateOf[frame]!, tree.rateOf[frame]!];
    if (freedom.kind === 'rotate' || freedom.kind === 'slide') {
      const part = freedom.kind === 'slide' ? `way${ways++ || ''}` : `angle${turns++ || ''}`;
      const called = total === 1 ? name : `${name} ${part}`;
      coordinates.push({ name: called, index: c, sign: 1 });
      rates.push({ name: called, index: r, sign: 1 });
    } else if (freedom.kind === 'shift') {
      for (const k of [0, 1, 2]) {
        coordinates.push({ name: `${name} ${'xyz'[k]}`, index: c + k, sign: 1 });
        rates.push({ name: `${name} ${'xyz'[k]}`, index: r + k, sign: 1 });
      }
    } else {
      for (const k of [0, 1, 2, 3])
        coordinates.push({ name: `${name} q${'xyzw'[k]}`, index: c + k, sign: isReversed && k < 3 ? -1 : 1 });
      for (const k of [0, 1, 2])
        rates.push({ name: `${name} turn ${'xyz'[k]}`, index: r + k, sign: isReversed ? -1 : 1 });
    }
  }
}

function ratesOf(tree: FrameTree, frame: number): number[] {
  const first = tree.rateOf[frame]!;
  const next = frame + 1 < tree.count ? tree.rateOf[frame + 1]! : tree.rates;
  return Array.from({ length: next - first }, (_, k) => first + k);
}

function withProduct(row: ClosureRow) {
  if (row.kind === 'place') return row;
  const { ofA, ofB } = row;
  return { ...row, product: ofA[0] * ofB[0] + ofA[1] * ofB[1] + ofA[2] * ofB[2] };
}

function motionOf({ kind, axis }: Joint, motion: PrescribedMotion, i: number): DriveMotion {
  const { frequency = 0, from = 0, until = Infinity, amplitude = ORIGIN } = motion;
  const speed = (kind === 'revolute' ? motion.angularVelocity : motion.velocity) ?? ORIGIN;
  const along = unit(axis!);
  const other = kind === 'revolute' ? motion.velocity : motion.angularVelocity;
  if (other !== undefined)
    throw new InputError(
      `joints[${i}].drive has ${kind === 'revolute' ? 'a velocity' : 'an angularVelocity'}, expected ` +
        `${kind === 'revolute' ? 'an angularVelocity' : 'a velocity'}: the joint is ${kind}`,
    );
  const part = (vector: Vector3) => vector[0] * along[0] + vector[1] * along[1] + vector[2] * along[2];
  return { rate: part(speed), amplitude: part(amplitude), frequency, from, until };
}

/** How far joints and centroids of moving bodies are apart: a length for tolerances. */
function sizeOf(
  placed: readonly SceneBody[],
  hinges: readonly { readonly onB: Vector3 }[],
  superObjects: SuperObjects,
): number {
  const points = [
    ...hinges.map(({ onB }) => onB),
    ...placed.filter((_, body) => superObjects.of[body] !== 0).map(({ centroid }) => centroid),
  ];
  const lows = [0, 1, 2].map((k) => points.reduce((least, point) => Math.min(least, point[k]!), Infinity));
  const highs = [0, 1, 2].map((k) => points.reduce((most, point) => Math.max(most, point[k]!), -Infinity));
  const size = Math.hypot(...highs.map((high, k) => high - lows[k]!));
  return size > 0 && size < Infinity ? size : 1;
}
