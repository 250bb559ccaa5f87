/** Whether all parts of a mesh look to the same side: normals of contacts point out of the body, as faces tell. */
import { InputError } from '../errors.ts';
import { buildEdgeTable } from '../mesh/edges.ts';
import { partsOf } from '../mesh/topology.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { ExactTest } from './exact.ts';

/** Corners of a part that are looked at: one would do, but in a mesh that passes through itself they differ. */
const MOST_LOOKED_AT = 16;

/**
 * A part outside of all others has to look to the side that the mesh as a whole looks to, and a part just inside of
 * these to the other side: it is a cavity. Of parts that cross others, corners outside of these are asked alone.
 *
 * @param mesh closed and consistently oriented
 * @param volume of the whole, not 0
 * @throws InputError for the first part that looks to the wrong side
 */
export function requirePartsToAgree(mesh: TriangleMesh, volume: number, where: string): void {
  const { positions, indices, vertexCount } = mesh;
  const { parts, count } = partsOf(indices, buildEdgeTable(indices, vertexCount));
  if (count === 1) return;
  const whole = Math.sign(volume);
  const exact = new ExactTest(mesh);
  const triangles = Array.from({ length: count }, (): number[] => []);
  for (let t = 0; t < parts.length; t++) triangles[parts[t]!]!.push(t);
  triangles.forEach((own, part) => {
    const side = sideOf(mesh, own);
    // A sheet of two layers has no side.
    if (side === 0) return;
    const isOfOthers = (triangle: number) => parts[triangle] !== part;
    const cornerOf = (t: number) => positions.subarray(3 * indices[3 * t]!, 3 * indices[3 * t]! + 3);
    const windings = new Set<number>();
    for (let i = 0; i < own.length; i += Math.ceil(own.length / MOST_LOOKED_AT)) {
      const [x, y, z] = cornerOf(own[i]!);
      // Undefined where another part touches.
      const winding = exact.windingOf(isOfOthers, x!, y!, z!);
      if (winding !== undefined) windings.add(winding);
    }
    const told =
      `${where}: part ${part + 1} of ${count} (${own.length} triangles, one of them at ` +
      `(${cornerOf(own[0]!).join(', ')}))`;
    if (windings.has(0) && side !== whole) {
      throw new InputError(
        `${told}: faces found that look to the other side than the mesh as a whole, expected all to look outwards`,
      );
    }
    if (windings.size === 1 && windings.has(whole) && side === whole) {
      throw new InputError(
        `${told}: found inside another part, its faces to the same side, expected the faces of a cavity to look ` +
          'inwards',
      );
    }
  });
}

/** The sign of the volume that some triangles enclose; 0 where rounding hides it. */
function sideOf({ positions, indices }: TriangleMesh, triangles: readonly number[]): number {
  const origin = 3 * indices[3 * triangles[0]!]!;
  let [volume, magnitude] = [0, 0];
  for (const t of triangles) {
    const [a, b, c] = [0, 1, 2].map((h) => {
      const v = 3 * indices[3 * t + h]!;
      return [0, 1, 2].map((k) => positions[v + k]! - positions[origin + k]!);
    }) as [number[], number[], number[]];
    for (let k = 0; k < 3; k++) {
      const [l, m] = [(k + 1) % 3, (k + 2) % 3];
      volume += a[k]! * (b[l]! * c[m]! - b[m]! * c[l]!);
      magnitude += Math.abs(a[k]!) * (Math.abs(b[l]! * c[m]!) + Math.abs(b[m]! * c[l]!));
    }
  }
  return Math.abs(volume) <= 8 * triangles.length * Number.EPSILON * magnitude ? 0 : Math.sign(volume);
}
