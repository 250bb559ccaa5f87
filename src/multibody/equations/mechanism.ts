/** A scene as frames, closures and forces: all that the equations need, and where bodies are in it. */
import { Matrix } from 'ml-matrix';
import { quatd } from 'wgpu-matrix';
import { leastSquares } from '../../dae/least-squares.ts';
import { DEFAULT_GRAVITY } from '../../dem/constants.ts';
import { massOfShape } from '../../dem/mass/mass-of-shape.ts';
import type { PrescribedMotion } from '../../dem/scene/simulation-scene.ts';
import { InputError } from '../../errors.ts';
import { isBalanced } from '../../mesh/balance.ts';
import type { Matrix3, Vector3 } from '../../mesh/mass-properties.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { POINT_ROUNDING, RANK_TOLERANCE } from '../constants.ts';
import { across, type ClosureRow, closureRowsOf, freedomsOf, unit } from '../joints/joint-kinds.ts';
import { tensorOf } from '../scene/check-multibody.ts';
import {
  type BodyForce,
  type BodyOrWorld,
  type Joint,
  type JointDrive,
  type MultibodyScene,
  NO_SHAPE,
} from '../scene/multibody-scene.ts';
import { type SuperObjects, superObjectsOf } from '../scene/super-objects.ts';
import { cross } from '../vectors.ts';
import { type FrameMass, type FrameSpec, FrameTree } from './tree.ts';

/** Two points, or two bodies, by their frames; -1 is the world. */
export interface Ends {
  readonly frameA: number;
  readonly frameB: number;
  /** In the frames. */
  readonly pointA: Vector3;
  readonly pointB: Vector3;
}

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

const ORIGIN: Vector3 = [0, 0, 0];
const NO_TENSOR: Matrix3 = [ORIGIN, ORIGIN, ORIGIN];

/** A body as the scene places it. */
interface SceneBody {
  readonly position: Vector3;
  readonly rotation: Float64Array;
  readonly mass: number;
  /** In the world. */
  readonly centroid: Vector3;
  readonly inertia: Matrix3;
}

/** @param scene has been checked */
export function mechanismOf(
  scene: MultibodyScene,
  names: readonly string[],
  jointNames: readonly string[],
): Mechanism {
  const { bodies, joints = [], elements = [], gravity = DEFAULT_GRAVITY } = scene;
  const count = bodies.shapes.length;
  const placed = placedBodies(scene, names);
  const isPlane = (body: number) => scene.shapes[bodies.shapes[body]!]?.kind === 'plane';
  const isStatic = Uint8Array.from({ length: count }, (_, body) =>
    bodies.isStatic?.[body] === 1 || isPlane(body) ? 1 : 0,
  );
  const hasForce = new Set(elements.flatMap((one) => (one.kind === 'spring' ? [one.a, one.b] : [one.body])));
  const superObjects = superObjectsOf(
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
  const pointOf = (body: number, point: Vector3): Vector3 =>
    body < 0 ? point : plus(placed[body]!.position, turned(placed[body]!.rotation, point));
  const turnOf = (body: number, vector: Vector3): Vector3 =>
    body < 0 ? vector : turned(placed[body]!.rotation, vector);
  /** Points and axes of joints as the scene has them, in the world. */
  const hinges = joints.map((joint) => {
    const [a, b] = [numberOf(joint.a), numberOf(joint.b)];
    const onB = pointOf(b, joint.point ?? ORIGIN);
    const onA = joint.pointA === undefined ? onB : pointOf(a, joint.pointA);
    const axis = joint.axis ? unit(turnOf(b, joint.axis)) : ORIGIN;
    return { a, b, onA, onB, axis, second: joint.secondAxis ? unit(turnOf(b, joint.secondAxis)) : ORIGIN };
  });
  hinges.forEach(({ axis, second }, i) => {
    if (joints[i]!.kind !== 'universal') return;
    const sine = Math.hypot(...cross(axis, second));
    if (!(sine > 0.1)) throw new InputError(`joints[${i}].secondAxis is along axis, expected one across it`);
  });

  const superOf = (body: number) => (body < 0 ? 0 : superObjects.of[body]!);
  // Frames of super-objects, each after the one that it hangs on.
  const frames: FrameSpec[] = [];
  const frameOf: number[] = [-1];
  const firstFrameOf: number[] = [-1];
  /** The frame's origin among the super-object's bodies, as the scene places them. */
  const originOf: Vector3[] = [ORIGIN];
  const jointFrames = new Map<number, { readonly frames: readonly number[]; readonly isReversed: boolean }>();
  const freeFrames: { readonly body: number; readonly frames: readonly number[] }[] = [];
  superObjects.all.forEach((own, number) => {
    if (number === 0) return;
    const mass = together(own.mass.map((body) => placed[body]!));
    if (!(mass.mass > 0)) {
      throw new InputError(
        `${names[own.root]} moves without mass, as does all that is fixed to it; expected mass, or a shape and a ` +
          "material's density",
      );
    }
    const hinge = hinges[own.joint];
    let [offset, origin, parent] = [mass.centroid, mass.centroid, -1];
    let freedoms = [{ kind: 'shift' }, { kind: 'ball' }] as ReturnType<typeof freedomsOf>;
    if (hinge) {
      const isReversed = superOf(hinge.b) !== number;
      const [there, here] = isReversed ? [hinge.onB, hinge.onA] : [hinge.onA, hinge.onB];
      [offset, origin, parent] = [minus(there, originOf[own.parent]!), here, frameOf[own.parent]!];
      freedoms = freedomsOf(joints[own.joint]!.kind, hinge, isReversed);
    }
    const first = frames.length;
    firstFrameOf.push(first);
    freedoms.forEach((freedom, k) => {
      const isLast = k === freedoms.length - 1;
      frames.push({
        parent: k === 0 ? parent : frames.length - 1,
        offset: k === 0 ? offset : ORIGIN,
        freedom,
        mass: isLast ? { ...mass, centroid: minus(mass.centroid, origin) } : undefined,
      });
    });
    const made = freedoms.map((_, k) => first + k);
    const isReversed = hinge !== undefined && superOf(hinge.b) !== number;
    if (hinge) jointFrames.set(own.joint, { frames: isReversed ? [...made].reverse() : made, isReversed });
    else freeFrames.push({ body: own.root, frames: made });
    frameOf.push(frames.length - 1);
    originOf.push(origin);
  });
  if (frames.length === 0)
    throw new InputError(
      'bodies: none moves, expected one or more that are neither static nor fixed to such',
    );
  const tree = new FrameTree(frames, gravity as Vector3);
  const frameOfBody = (body: number) => frameOf[superOf(body)]!;
  /** A point of the scene in the frame of a body. */
  const inFrame = (body: number, point: Vector3) => minus(point, originOf[superOf(body)]!);
  const endsOf = (a: number, b: number, onA: Vector3, onB: Vector3): Ends => ({
    ...{ frameA: frameOfBody(a), frameB: frameOfBody(b), pointA: inFrame(a, onA), pointB: inFrame(b, onB) },
  });

  const rows: MechanismRow[] = superObjects.cutJoints.flatMap((number) => {
    const hinge = hinges[number]!;
    const ends = endsOf(hinge.a, hinge.b, hinge.onA, hinge.onB);
    return closureRowsOf(joints[number]!.kind, hinge).map((row, k): MechanismRow => {
      const name = `${jointNames[number]}: row ${k + 1} of its closure`;
      return { ...ends, ...withProduct(row), name };
    });
  });
  const jointLoads: JointLoad[] = [];
  const breaks = new Set<number>();
  const size = sizeOf(placed, hinges, superObjects);
  const idle = new Set(superObjects.idleJoints);
  joints.forEach((joint, i) => {
    const { damping = 0, drive = 0, kind } = joint;
    if (idle.has(i)) {
      const { onA, onB } = hinges[i]!;
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
      return;
    }
    const own = jointFrames.get(i)?.frames;
    const hinge = hinges[i]!;
    const motion = typeof drive === 'object' ? motionOf(joint, drive, i) : undefined;
    if (motion && own) {
      rows.push({
        ...{ kind: 'drive', coordinate: tree.coordinateOf[own[0]!]!, rate: tree.rateOf[own[0]!]!, motion },
        name: `joints[${i}].drive`,
      });
      for (const time of [motion.from, motion.until]) if (time > 0 && time < Infinity) breaks.add(time);
    } else if (motion) {
      throw new InputError(
        `joints[${i}].drive is a motion of a joint that closes a loop of such joints, expected one of them without`,
      );
    }
    const torque = motion ? 0 : (drive as number | JointDrive);
    if (damping === 0 && torque === 0) return;
    const arm = own || Math.hypot(...hinge.axis) === 0 ? ORIGIN : across(hinge.axis)[0];
    jointLoads.push({
      ...{ damping, drive: torque, place: `joints[${i}].drive` },
      coordinate: own ? tree.coordinateOf[own[0]!]! : -1,
      rates: own ? own.flatMap((frame) => ratesOf(tree, frame)) : [],
      loop: own
        ? undefined
        : {
            ...endsOf(hinge.a, hinge.b, hinge.onA, hinge.onB),
            ...{ axis: hinge.axis, armA: arm, armB: arm },
            isSlide: kind === 'prismatic' || kind === 'cylindrical',
            isBall: kind !== 'prismatic' && kind !== 'revolute',
          },
    });
  });

  const springs: Spring[] = [];
  const loads: BodyLoad[] = [];
  elements.forEach((element, i) => {
    if (element.kind === 'spring') {
      const [a, b] = [numberOf(element.a), numberOf(element.b)];
      const { pointA = ORIGIN, pointB = ORIGIN, stiffness, damping = 0, length } = element;
      springs.push({ ...endsOf(a, b, pointOf(a, pointA), pointOf(b, pointB)), stiffness, damping, length });
      return;
    }
    const { body, point = ORIGIN, force = ORIGIN, torque = ORIGIN } = element;
    loads.push({
      ...{ frame: frameOfBody(body), point: inFrame(body, pointOf(body, point)), force, torque },
      place: `elements[${i}]`,
    });
  });

  const coordinates: Coordinate[] = [];
  const rates: Coordinate[] = [];
  joints.forEach((_, i) => {
    const own = jointFrames.get(i);
    if (own) addNames(tree, frames, jointNames[i]!, own, coordinates, rates);
  });
  for (const { body, frames: own } of freeFrames)
    addNames(tree, frames, names[body]!, { frames: own, isReversed: false }, coordinates, rates);

  const rateSizes = Float64Array.from({ length: tree.rates }, () => 1);
  frames.forEach(({ freedom }, i) => {
    if (freedom.kind === 'slide' || freedom.kind === 'shift')
      for (const rate of ratesOf(tree, i)) rateSizes[rate] = size;
  });
  const mechanism: Mechanism = {
    ...{ tree, superObjects, rows, springs, loads, jointLoads, coordinates, rates, size, rateSizes },
    bodies: placed.map((body, i): PlacedBody => {
      const { mass, inertia } = body;
      return {
        ...{
          frame: frameOfBody(i),
          position: inFrame(i, body.position),
          rotation: body.rotation,
          mass,
          inertia,
        },
        centroid: inFrame(i, body.centroid),
      };
    }),
    breaks: [...breaks].sort((a, b) => a - b),
    gravity: gravity as Vector3,
    startRates: startRatesOf(scene, tree, firstFrameOf, superObjects, placed, originOf),
  };
  return mechanism;
}

/** Rates as the bodies' velocities say: a joint takes what it allows of its body's. */
function startRatesOf(
  { bodies }: MultibodyScene,
  tree: FrameTree,
  firstFrameOf: readonly number[],
  superObjects: SuperObjects,
  placed: readonly SceneBody[],
  originOf: readonly Vector3[],
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

/** Poses in the world, and masses, of all bodies. */
function placedBodies(scene: MultibodyScene, names: readonly string[]): SceneBody[] {
  const { bodies, shapes, materials } = scene;
  const { parents, masses } = bodies;
  const shapeMasses = new Map<number, ReturnType<typeof massOfShape>>();
  const done: (SceneBody | undefined)[] = [];
  const of = (body: number): SceneBody => {
    const known = done[body];
    if (known) return known;
    const own = Float64Array.from(bodies.poses.subarray(7 * body, 7 * body + 7));
    let position: Vector3 = [own[0]!, own[1]!, own[2]!];
    let rotation = Float64Array.from(quatd.normalize(own.slice(3, 7)));
    const parent = parents?.[body] ?? -1;
    if (parent >= 0) {
      const above = of(parent);
      position = plus(above.position, turned(above.rotation, position));
      rotation = Float64Array.from(quatd.normalize(quatd.multiply(above.rotation, rotation)));
    }
    const placed: SceneBody = { position, rotation, ...massAt(body, position, rotation) };
    done[body] = placed;
    return placed;
  };
  const massAt = (body: number, position: Vector3, rotation: Float64Array) => {
    const given = masses?.get(body);
    const number = bodies.shapes[body]!;
    const shape = number === NO_SHAPE ? undefined : shapes[number];
    const none = { mass: 0, centroid: position, inertia: NO_TENSOR };
    if (given) {
      const centroid = plus(position, turned(rotation, given.centroid ?? ORIGIN));
      return { mass: given.mass, centroid, inertia: turnedTensor(rotation, tensorOf(given)) };
    }
    if (shape === undefined || shape.kind === 'plane' || bodies.isStatic?.[body] === 1) return none;
    const { density } = materials[bodies.materials?.[body] ?? 0] ?? {};
    if (density === undefined)
      throw new InputError(`${names[body]} has neither mass nor a material, expected one of them`);
    if (shape.kind === 'polyhedron') {
      const mesh = ('mesh' in shape.mesh ? shape.mesh.mesh : shape.mesh) as TriangleMesh;
      if (!isBalanced(mesh.indices, mesh.positions.length / 3)) {
        throw new InputError(
          `${names[body]}: its surface is open, expected a closed one, or a mass: mass follows from the volume`,
        );
      }
    }
    let own = shapeMasses.get(number);
    if (own === undefined) {
      own = massOfShape(shape, scene.names?.shapes?.[number] ?? `shapes[${number}]`);
      shapeMasses.set(number, own);
    }
    const { moments, centroid, volume } = own;
    const axes = quatd.multiply(rotation, Float64Array.from(own.rotation) as never);
    const [x, y, z] = moments.map((moment) => density * moment) as [number, number, number];
    return {
      mass: density * volume,
      centroid: plus(position, turned(rotation, centroid)),
      inertia: turnedTensor(Float64Array.from(axes), [
        [x, 0, 0],
        [0, y, 0],
        [0, 0, z],
      ]),
    };
  };
  return Array.from({ length: bodies.shapes.length }, (_, body) => of(body));
}

/** Bodies side by side as one: m = sum m_i, r = sum m_i r_i / m, I = sum I_i + m_i (|d|^2 E - d d^T). */
function together(bodies: readonly SceneBody[]): FrameMass {
  const mass = bodies.reduce((sum, body) => sum + body.mass, 0);
  const centroid = [0, 1, 2].map((k) =>
    bodies.reduce((sum, body) => sum + (body.mass / (mass || 1)) * body.centroid[k]!, 0),
  ) as unknown as Vector3;
  const inertia = [0, 1, 2].map((i) =>
    [0, 1, 2].map((j) =>
      bodies.reduce((sum, body) => {
        const d = minus(body.centroid, centroid);
        const square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        return sum + body.inertia[i]![j]! + body.mass * ((i === j ? square : 0) - d[i]! * d[j]!);
      }, 0),
    ),
  ) as unknown as Matrix3;
  return { mass, centroid, inertia };
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

const numberOf = (body: BodyOrWorld) => (body === 'world' ? -1 : body);
const plus = (a: Vector3, b: Vector3): Vector3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const minus = (a: Vector3, b: Vector3): Vector3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

function turned([x, y, z, w]: Float64Array, [a, b, c]: Vector3): Vector3 {
  const [u, v, s] = [2 * (y! * c - z! * b), 2 * (z! * a - x! * c), 2 * (x! * b - y! * a)];
  return [a + w! * u + (y! * s - z! * v), b + w! * v + (z! * u - x! * s), c + w! * s + (x! * v - y! * u)];
}

/** R I R^T */
function turnedTensor(rotation: Float64Array, tensor: Matrix3): Matrix3 {
  const columns = [0, 1, 2].map((k) => turned(rotation, [tensor[0][k]!, tensor[1][k]!, tensor[2][k]!]));
  const rows = [0, 1, 2].map((i) => turned(rotation, [columns[0]![i]!, columns[1]![i]!, columns[2]![i]!]));
  return rows as unknown as Matrix3;
}
