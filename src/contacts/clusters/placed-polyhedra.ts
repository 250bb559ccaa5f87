/** Colliders that polyhedra stand for, as kernels read them. */
import { quatd, vec3d } from 'wgpu-matrix';
import { originOnGpu } from '../atlas/pack-atlas.ts';
import { type Colliders, NO_POLYHEDRON } from '../bodies/colliders.ts';
import type { PolyhedronArrays } from '../field/field-arrays.ts';

/** Words of a `PlacedPolyhedron`. */
const WORDS = 12;

/** Packs colliders, a `PlacedPolyhedron` each; of those without a polyhedron, zeros. */
export function packPlacedPolyhedra(
  { count, bodies, parts, polyhedra: numbers, places }: Colliders,
  polyhedra: readonly PolyhedronArrays[],
): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(WORDS * count);
  const floats = new Float32Array(words.buffer);
  for (let c = 0; c < count; c++) {
    if (numbers[c] === NO_POLYHEDRON) continue;
    const polyhedron = polyhedra[numbers[c]!]!;
    const [x, y, z, ...turn] = places.subarray(7 * c, 7 * c + 7);
    const quaternion = quatd.normalize(turn as unknown as ReturnType<typeof quatd.create>);
    const origin = vec3d.transformQuat([...originOnGpu(polyhedron)], quaternion);
    floats.set(quaternion, WORDS * c);
    floats.set([x! + origin[0]!, y! + origin[1]!, z! + origin[2]!], WORDS * c + 4);
    words.set([bodies[c]!, numbers[c]!, parts[c]!], WORDS * c + 7);
    const { min, max } = polyhedron.field.box;
    floats[WORDS * c + 10] = Math.hypot(...[0, 1, 2].map((k) => Math.max(-min[k]!, max[k]!)));
  }
  return words;
}
