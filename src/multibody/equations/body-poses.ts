/** Poses of bodies, where the frames of a mechanism are. */
import { quatd } from 'wgpu-matrix';
import type { Mechanism } from './mechanism.ts';
import type { FrameTree } from './tree.ts';

/** `[n * 7]`: position and unit quaternion of each body, of all or of some. */
export function bodyPoses(
  { tree, bodies }: Mechanism,
  chosen: Iterable<number> = bodies.keys(),
): Float64Array<ArrayBuffer> {
  const rotations = frameRotations(tree);
  const own = Array.from(chosen);
  const out = new Float64Array(7 * own.length);
  own.forEach((body, i) => {
    const { frame, position, rotation } = bodies[body]!;
    tree.point(frame, position, out.subarray(7 * i, 7 * i + 3));
    const turn = frame < 0 ? rotation : quatd.normalize(quatd.multiply(rotations[frame]!, rotation));
    out.set(turn, 7 * i + 3);
  });
  return out;
}

/** Quaternions of the frames' rotations. */
function frameRotations({ count, rotations }: FrameTree): Float64Array[] {
  return Array.from({ length: count }, (_, i) => {
    const R = rotations.subarray(9 * i, 9 * i + 9);
    // wgpu-matrix has columns of four numbers.
    const columns = [0, 1, 2].flatMap((k) => [R[k]!, R[3 + k]!, R[6 + k]!, 0]);
    return Float64Array.from(quatd.normalize(quatd.fromMat(Float64Array.from(columns) as never)));
  });
}
