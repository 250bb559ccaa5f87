/** How the faces beside each edge of a mesh meet. */
import { type EdgeTable, nextHalfEdge } from '../../mesh/edges.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { FLAT_SINE } from './constants.ts';
import type { Faces } from './faces.ts';

export interface Dihedrals {
  /**
   * `[edges]`: the angle by which the surface turns at each edge, radians: above 0 where it is convex, below 0 where it
   * is concave. 0 within rounding where both faces are in one plane, and pi where more than two faces meet.
   */
  readonly angles: Float64Array;
}

/** Angles between the faces of all edges. @param turn -1 where the mesh is inside out, else 1 */
export function dihedralsOf(
  mesh: TriangleMesh,
  edges: EdgeTable,
  { normals }: Faces,
  turn: number,
): Dihedrals {
  const { positions, indices } = mesh;
  const angles = new Float64Array(edges.count);
  for (let e = 0; e < edges.count; e++) {
    const first = edges.offsets[e]!;
    if (edges.offsets[e + 1]! - first !== 2) {
      angles[e] = Math.PI;
      continue;
    }
    const h = edges.halfEdges[first]!;
    const s = 3 * Math.floor(h / 3);
    const t = 3 * Math.floor(edges.halfEdges[first + 1]! / 3);
    const a = 3 * indices[h]!;
    const b = 3 * indices[nextHalfEdge(h)]!;
    const along = [0, 1, 2].map((k) => positions[b + k]! - positions[a + k]!);
    const length = Math.hypot(...along) || 1;
    const [ux, uy, uz] = [normals[s]!, normals[s + 1]!, normals[s + 2]!];
    const [vx, vy, vz] = [normals[t]!, normals[t + 1]!, normals[t + 2]!];
    // The normals' cross product lies along the edge; the first face has it on its left as seen from outside.
    const sine =
      (turn *
        ((uy * vz - uz * vy) * along[0]! +
          (uz * vx - ux * vz) * along[1]! +
          (ux * vy - uy * vx) * along[2]!)) /
      length;
    const cosine = ux * vx + uy * vy + uz * vz;
    if (Math.abs(sine) > FLAT_SINE) angles[e] = Math.atan2(sine, cosine);
    // Folded back: a blade. A face without area has no angle with its neighbours.
    else angles[e] = cosine < 0 ? Math.PI : 0;
  }
  return { angles };
}
