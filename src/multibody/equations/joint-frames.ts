/** Frames of a mechanism: those that each joint of the tree adds, and where bodies are in them. */
import { InputError } from '../../errors.ts';
import type { Vector3 } from '../../mesh/mass-properties.ts';
import { freedomsOf, unit } from '../joints/joint-kinds.ts';
import type { BodyOrWorld, Joint } from '../scene/multibody-scene.ts';
import type { SuperObjects } from '../scene/super-objects.ts';
import { cross, minus, plus, turned } from '../vectors.ts';
import { ORIGIN, type SceneBody, together } from './placed-bodies.ts';
import type { FrameSpec } from './tree.ts';

/** Two points, or two bodies, by their frames; -1 is the world. */
export interface Ends {
  readonly frameA: number;
  readonly frameB: number;
  /** In the frames. */
  readonly pointA: Vector3;
  readonly pointB: Vector3;
}

/** Points and axes of a joint as the scene has them, in the world. */
export interface Hinge {
  /** -1 is the world. */
  readonly a: number;
  readonly b: number;
  readonly onA: Vector3;
  readonly onB: Vector3;
  readonly axis: Vector3;
  readonly second: Vector3;
}

export interface JointFrames {
  /** Each after the one that it hangs on. */
  readonly specs: readonly FrameSpec[];
  /** Of joints in the tree. */
  readonly ofJoints: ReadonlyMap<
    number,
    { readonly frames: readonly number[]; readonly isReversed: boolean }
  >;
  /** Of bodies that move freely. */
  readonly free: readonly { readonly body: number; readonly frames: readonly number[] }[];
  /** Of super-objects: the first frame, and its origin among their bodies, as the scene places them. */
  readonly firstFrameOf: readonly number[];
  readonly originOf: readonly Vector3[];
  /** The frame of a body, and a point of the scene in it. */
  readonly ofBody: (body: number) => number;
  readonly inFrame: (body: number, point: Vector3) => Vector3;
  /** Two points of the scene in the frames of two bodies. */
  readonly ends: (a: number, b: number, onA: Vector3, onB: Vector3) => Ends;
}

export const numberOf = (body: BodyOrWorld) => (body === 'world' ? -1 : body);

/** A point of a body, in the world. */
export function pointOf(placed: readonly SceneBody[], body: number, point: Vector3): Vector3 {
  return body < 0 ? point : plus(placed[body]!.position, turned(placed[body]!.rotation, point));
}

/** @throws InputError for a universal joint with axes along each other */
export function hingesOf(joints: readonly Joint[], placed: readonly SceneBody[]): Hinge[] {
  return joints.map((joint, i) => {
    const [a, b] = [numberOf(joint.a), numberOf(joint.b)];
    const axisOf = (axis: Vector3 | undefined) =>
      axis ? unit(b < 0 ? axis : turned(placed[b]!.rotation, axis)) : ORIGIN;
    const onB = pointOf(placed, b, joint.point ?? ORIGIN);
    const onA = joint.pointA === undefined ? onB : pointOf(placed, a, joint.pointA);
    const [axis, second] = [axisOf(joint.axis), axisOf(joint.secondAxis)];
    if (joint.kind === 'universal' && !(Math.hypot(...cross(axis, second)) > 0.1))
      throw new InputError(`joints[${i}].secondAxis is along axis, expected one across it`);
    return { a, b, onA, onB, axis, second };
  });
}

/** @throws InputError for bodies that move without mass, and where none moves */
export function framesOf(
  joints: readonly Joint[],
  hinges: readonly Hinge[],
  superObjects: SuperObjects,
  placed: readonly SceneBody[],
  names: readonly string[],
): JointFrames {
  const superOf = (body: number) => (body < 0 ? 0 : superObjects.of[body]!);
  const specs: FrameSpec[] = [];
  const frameOf: number[] = [-1];
  const firstFrameOf: number[] = [-1];
  const originOf: Vector3[] = [ORIGIN];
  const ofJoints = new Map<number, { readonly frames: readonly number[]; readonly isReversed: boolean }>();
  const free: { readonly body: number; readonly frames: readonly number[] }[] = [];
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
    const isReversed = hinge !== undefined && superOf(hinge.b) !== number;
    let [offset, origin, parent] = [mass.centroid, mass.centroid, -1];
    let freedoms = [{ kind: 'shift' }, { kind: 'ball' }] as ReturnType<typeof freedomsOf>;
    if (hinge) {
      const [there, here] = isReversed ? [hinge.onB, hinge.onA] : [hinge.onA, hinge.onB];
      [offset, origin, parent] = [minus(there, originOf[own.parent]!), here, frameOf[own.parent]!];
      freedoms = freedomsOf(joints[own.joint]!.kind, hinge, isReversed);
    }
    const first = specs.length;
    firstFrameOf.push(first);
    freedoms.forEach((freedom, k) => {
      const isLast = k === freedoms.length - 1;
      specs.push({
        parent: k === 0 ? parent : specs.length - 1,
        offset: k === 0 ? offset : ORIGIN,
        freedom,
        mass: isLast ? { ...mass, centroid: minus(mass.centroid, origin) } : undefined,
      });
    });
    const made = freedoms.map((_, k) => first + k);
    if (hinge) ofJoints.set(own.joint, { frames: isReversed ? [...made].reverse() : made, isReversed });
    else free.push({ body: own.root, frames: made });
    frameOf.push(specs.length - 1);
    originOf.push(origin);
  });
  if (specs.length === 0)
    throw new InputError(
      'bodies: none moves, expected one or more that are neither static nor fixed to such',
    );
  const ofBody = (body: number) => frameOf[superOf(body)]!;
  const inFrame = (body: number, point: Vector3) => minus(point, originOf[superOf(body)]!);
  return {
    ...{ specs, ofJoints, free, firstFrameOf, originOf, ofBody, inFrame },
    ends: (a, b, onA, onB) => ({
      ...{ frameA: ofBody(a), frameB: ofBody(b), pointA: inFrame(a, onA), pointB: inFrame(b, onB) },
    }),
  };
}
