/** What of a mechanism can collide: colliders in frames, the pairs that may meet, and their laws. */
import { quatd } from 'wgpu-matrix';
import { mayTouch, type ResolvedBodies, resolveBodies } from '../../contacts/bodies/check-bodies.ts';
import { makeColliders } from '../../contacts/bodies/collider-table.ts';
import { ColliderKind, type Colliders } from '../../contacts/bodies/colliders.ts';
import { type FaceTable, withFaces } from '../../contacts/faces/face-table.ts';
import type { ShapeTable } from '../../convex/shapes/shape-table.ts';
import type { BodyLaws } from '../../dem/forces/body-laws.ts';
import { modelOf } from '../../dem/scene/model.ts';
import { InputError } from '../../errors.ts';
import type { Mechanism } from '../equations/mechanism.ts';
import { type MultibodyScene, NO_SHAPE } from '../scene/multibody-scene.ts';

export interface CollisionModel {
  readonly colliders: Colliders;
  readonly shapes: ShapeTable | undefined;
  readonly faces: FaceTable | undefined;
  /** `[bodies]` of `colliders`: numbers of the scene's bodies, their frames; -1 is the world. */
  readonly bodies: Uint32Array;
  readonly frames: Int32Array;
  readonly resolved: ResolvedBodies;
  readonly laws: Omit<BodyLaws, 'lengths'>;
  /** Whether two bodies of `colliders` may meet: nothing rigidly connected, nor what a joint keeps from it. */
  mayMeet(a: number, b: number): boolean;
}

/**
 * Bodies with a shape and a material whose mask is not empty, those of the world among them.
 *
 * @returns undefined where no two may meet
 * @throws InputError for what collides by no law of a mechanism
 */
export function collisionModel(
  scene: MultibodyScene,
  { superObjects, bodies: placed }: Mechanism,
  names: readonly string[],
): CollisionModel | undefined {
  const { bodies, shapes, materials, names: given } = scene;
  if (materials.length === 0) return undefined;
  const own = Uint32Array.from(bodies.shapes.keys()).filter(
    (body) => bodies.shapes[body] !== NO_SHAPE && bodies.masks?.[body] !== 0,
  );
  const used = [...new Set(Array.from(own, (body) => bodies.shapes[body]!))].sort((a, b) => a - b);
  const isMoving = own.some((body) => superObjects.of[body] !== 0);
  if (!isMoving || own.length < 2) return undefined;
  const pick = <A extends Uint32Array>(values: A | undefined) => values && own.map((body) => values[body]!);
  const groups = pick(bodies.groups);
  const masks = pick(bodies.masks);
  const ownNames = Array.from(own, (body) => names[body]!);
  const shapeNames = used.map((shape) => given?.shapes?.[shape] ?? `shapes[${shape}]`);
  const contactBodies = {
    shapes: own.map((body) => used.indexOf(bodies.shapes[body]!)),
    isStatic: Uint8Array.from(own, (body) => (superObjects.of[body] === 0 ? 1 : 0)),
    ...(groups && { groups }),
    ...(masks && { masks }),
  };
  const ownShapes = used.map((shape) => shapes[shape]!);
  const resolved = resolveBodies(contactBodies, ownShapes, () => ownNames);
  const number = superObjects.of;
  const excluded = superObjects.all.map(({ noCPairs }) => new Set(noCPairs));
  const mayMeet = (a: number, b: number) => {
    const [p, q] = [number[own[a]!]!, number[own[b]!]!];
    return p !== q && !excluded[Math.min(p, q)]!.has(Math.max(p, q)) && mayTouch(resolved, a, b);
  };
  const partner = (a: number) => own.findIndex((_, b) => a !== b && mayMeet(a, b));
  const hasPartner = Array.from(own.keys()).some((a) => partner(a) >= 0);
  if (!hasPartner) return undefined;
  const materialOf = bodies.materials;
  const { laws } = modelOf(
    {
      ...{ shapes: ownShapes, materials, pairs: scene.pairs },
      bodies: {
        ...contactBodies,
        poses: Float64Array.from(
          Array.from(own).flatMap((body) => [...bodies.poses.subarray(7 * body, 7 * body + 7)]),
        ),
        ...(materialOf && { materials: pick(materialOf) }),
      },
    },
    { shapes: shapeNames, bodies: ownNames },
  );
  requireOwnLaws(scene);
  const { colliders, convex, faces } = withFaces(makeColliders(ownShapes, shapeNames, resolved));
  const polyhedron = colliders.kinds.indexOf(ColliderKind.polyhedron);
  if (polyhedron >= 0) {
    const name = ownNames[colliders.bodies[polyhedron]!];
    throw new InputError(`${name} is a polyhedron, expected convex shapes, parts, or an empty mask`);
  }
  return {
    ...{ colliders, shapes: convex, faces, bodies: own, resolved, laws, mayMeet },
    frames: Int32Array.from(own, (body) => placed[body]!.frame),
  };
}

function requireOwnLaws({ materials, pairs = [] }: MultibodyScene): void {
  pairs.forEach(({ law, cohesion = 0 }, i) => {
    if (law !== undefined)
      throw new InputError(
        `pairs[${i}].law is there, expected none: contacts of mechanisms follow Hertz's law`,
      );
    if (cohesion > 0) throw new InputError(`pairs[${i}].cohesion is ${cohesion}, expected 0: ${NO_PULL}`);
  });
  materials.forEach(({ cohesion = 0 }, i) => {
    if (cohesion > 0) throw new InputError(`materials[${i}].cohesion is ${cohesion}, expected 0: ${NO_PULL}`);
  });
}

const NO_PULL = 'contacts of mechanisms do not pull';

/** `[12 * colliders]`: each one's rotation by rows and its origin, in the frame of its body. */
export function placesInFrames({ colliders, bodies }: CollisionModel, mechanism: Mechanism): Float64Array {
  const out = new Float64Array(12 * colliders.count);
  for (let c = 0; c < colliders.count; c++) {
    const { position, rotation } = mechanism.bodies[bodies[colliders.bodies[c]!]!]!;
    const place = colliders.places.subarray(7 * c, 7 * c + 7);
    const turn = quatd.normalize(quatd.multiply(rotation, place.slice(3)));
    // Columns of rotations are turned axes.
    const r = rotationOf(turn);
    out.set(r, 12 * c);
    const own = rotationOf(rotation);
    for (let k = 0; k < 3; k++)
      out[12 * c + 9 + k] =
        position[k]! + own[3 * k]! * place[0]! + own[3 * k + 1]! * place[1]! + own[3 * k + 2]! * place[2]!;
  }
  return out;
}

function rotationOf([x, y, z, w]: ArrayLike<number> & Iterable<number>): number[] {
  return [
    ...[1 - 2 * (y! * y! + z! * z!), 2 * (x! * y! - w! * z!), 2 * (x! * z! + w! * y!)],
    ...[2 * (x! * y! + w! * z!), 1 - 2 * (x! * x! + z! * z!), 2 * (y! * z! - w! * x!)],
    ...[2 * (x! * z! - w! * y!), 2 * (y! * z! + w! * x!), 1 - 2 * (x! * x! + y! * y!)],
  ];
}
