/** Colliders and pairs as the kernels of planes read them. */
import { sizeOf } from 'typegpu/data';
import { quatd, vec3d } from 'wgpu-matrix';
import {
  INTEGERS,
  Integer,
  PARAMETERS,
  Parameter,
  type ShapeArrays,
  ShapeKind,
} from '../../convex/shapes/records.ts';
import { originOnGpu } from '../atlas/pack-atlas.ts';
import { ColliderKind, type Colliders } from '../bodies/colliders.ts';
import { type FaceTable, meetsPlaneWithFaces } from '../faces/face-table.ts';
import type { PolyhedronArrays } from '../field/field-arrays.ts';
import { CLUSTER } from '../surface/surface-arrays.ts';
import { PlaneCollider, PlanePair } from './plane-kernels.ts';

const COLLIDER_WORDS = sizeOf(PlaneCollider) / 4;
const PAIR_WORDS = sizeOf(PlanePair) / 4;

/** A `PlaneCollider` for each collider. */
export function packPlaneColliders(
  { count, bodies, parts, kinds, shapes, polyhedra: numbers, places }: Colliders,
  table: ShapeArrays | undefined,
  polyhedra: readonly PolyhedronArrays[],
): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(COLLIDER_WORDS * count);
  const floats = new Float32Array(words.buffer);
  for (let c = 0; c < count; c++) {
    const at = COLLIDER_WORDS * c;
    const [x, y, z, ...turn] = places.subarray(7 * c, 7 * c + 7);
    const quaternion = quatd.normalize(turn as unknown as ReturnType<typeof quatd.create>);
    const kind = kinds[c]!;
    let middle: ArrayLike<number> = [0, 0, 0];
    if (kind === ColliderKind.convex) {
      const centre = PARAMETERS * shapes[c]! + Parameter.centre;
      middle = table!.parameters.subarray(centre, centre + 3);
      floats[at + 10] = table!.parameters[PARAMETERS * shapes[c]! + Parameter.boundingRadius]!;
    } else if (kind === ColliderKind.polyhedron) {
      const polyhedron = polyhedra[numbers[c]!]!;
      middle = originOnGpu(polyhedron);
      const { min, max } = polyhedron.field.box;
      floats[at + 10] = Math.hypot(...[0, 1, 2].map((k) => Math.max(-min[k]!, max[k]!)));
    }
    const origin = vec3d.transformQuat([middle[0]!, middle[1]!, middle[2]!], quaternion);
    floats.set(quaternion, at);
    floats.set([x! + origin[0]!, y! + origin[1]!, z! + origin[2]!], at + 4);
    words.set([bodies[c]!, kind === ColliderKind.convex ? shapes[c]! : numbers[c]!, parts[c]!], at + 7);
  }
  return words;
}

/**
 * A `PlanePair` for each pair; and how many shapes have corners, or faces, and how many clusters all polyhedra have.
 *
 * @param pairs `[k * 2]`: one of each is a plane
 */
export function packPlanePairs(
  { kinds, shapes, polyhedra: numbers }: Colliders,
  faces: FaceTable | undefined,
  polyhedra: readonly PolyhedronArrays[],
  pairs: Uint32Array,
) {
  const words = new Uint32Array((PAIR_WORDS * pairs.length) / 2);
  let [corners, clusters, withFaces] = [0, 0, 0];
  for (let k = 0; k < pairs.length; k += 2) {
    const [a, b] = [pairs[k]!, pairs[k + 1]!];
    const isB = kinds[a] === ColliderKind.plane;
    const other = isB ? b : a;
    const isPolyhedron = kinds[other] === ColliderKind.polyhedron;
    const hasFaces = !isPolyhedron && meetsPlaneWithFaces(faces!, shapes[other]!);
    const kind = isPolyhedron ? 1 : hasFaces ? 2 : 0;
    words.set([a, b, isPolyhedron ? 0 : corners, 0, kind, Number(isB)], (PAIR_WORDS * k) / 2);
    if (hasFaces) withFaces++;
    if (isPolyhedron) clusters += Math.ceil(polyhedra[numbers[other]!]!.surface.weights.length / CLUSTER);
    else corners++;
  }
  return { words, corners, clusters, withFaces };
}

/** Whether kernels know a record's faces. Of flat polytopes they find the deepest point alone: it is `bounded`. */
export function hasKnownFaces({ integers }: ShapeArrays, record: number): boolean {
  const at = INTEGERS * record;
  return integers[at + Integer.kind] !== ShapeKind.polytope || integers[at + Integer.faceCount]! > 0;
}
