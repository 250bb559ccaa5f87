/** Bodies of a scene in the world, with their masses. */
import { quatd } from 'wgpu-matrix';
import { massOfShape } from '../../dem/mass/mass-of-shape.ts';
import { InputError } from '../../errors.ts';
import { isBalanced } from '../../mesh/balance.ts';
import type { Matrix3, Vector3 } from '../../mesh/mass-properties.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { tensorOf } from '../scene/check-multibody.ts';
import { type MultibodyScene, NO_SHAPE } from '../scene/multibody-scene.ts';
import { minus, plus, turned } from '../vectors.ts';
import type { FrameMass } from './tree.ts';

export const ORIGIN: Vector3 = [0, 0, 0];
const NO_TENSOR: Matrix3 = [ORIGIN, ORIGIN, ORIGIN];

/** A body as the scene places it. */
export interface SceneBody {
  readonly position: Vector3;
  readonly rotation: Float64Array;
  readonly mass: number;
  /** In the world. */
  readonly centroid: Vector3;
  readonly inertia: Matrix3;
}

/** Poses in the world, and masses, of all bodies. */
export function placedBodies(scene: MultibodyScene, names: readonly string[]): SceneBody[] {
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
export function together(bodies: readonly SceneBody[]): FrameMass {
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

/** R I R^T */
function turnedTensor(rotation: Float64Array, tensor: Matrix3): Matrix3 {
  const columns = [0, 1, 2].map((k) => turned(rotation, [tensor[0][k]!, tensor[1][k]!, tensor[2][k]!]));
  const rows = [0, 1, 2].map((i) => turned(rotation, [columns[0]![i]!, columns[1]![i]!, columns[2]![i]!]));
  return rows as unknown as Matrix3;
}
