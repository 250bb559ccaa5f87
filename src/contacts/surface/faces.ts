/** Unit normals and areas of a mesh's faces, and pseudo-normals of all features. */

import type { EdgeTable } from '../../mesh/edges.ts';
import { nextHalfEdge } from '../../mesh/edges.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { NORMAL_FLOATS } from './surface-arrays.ts';

export interface Faces {
  /** `[triangles * 3]`: unit normals, 0 where a face has no area. Outwards, also where the mesh is inside out. */
  readonly normals: Float64Array;
  /** `[triangles]` */
  readonly areas: Float64Array;
}

/** @param turn -1 where the mesh is inside out, else 1 */
export function facesOf({ positions, indices, triangleCount }: TriangleMesh, turn: number): Faces {
  const normals = new Float64Array(3 * triangleCount);
  const areas = new Float64Array(triangleCount);
  for (let t = 0; t < triangleCount; t++) {
    const [a, b, c] = [3 * indices[3 * t]!, 3 * indices[3 * t + 1]!, 3 * indices[3 * t + 2]!];
    const ux = positions[b]! - positions[a]!;
    const uy = positions[b + 1]! - positions[a + 1]!;
    const uz = positions[b + 2]! - positions[a + 2]!;
    const vx = positions[c]! - positions[a]!;
    const vy = positions[c + 1]! - positions[a + 1]!;
    const vz = positions[c + 2]! - positions[a + 2]!;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    areas[t] = length / 2;
    if (!(length > 0)) continue;
    normals[3 * t] = (turn * nx) / length;
    normals[3 * t + 1] = (turn * ny) / length;
    normals[3 * t + 2] = (turn * nz) / length;
  }
  return { normals, areas };
}

/** The angle of a triangle at corner h, radians; 0 where it has none. */
function angleAt({ positions, indices }: TriangleMesh, h: number): number {
  const next = nextHalfEdge(h);
  const [a, b, c] = [3 * indices[h]!, 3 * indices[next]!, 3 * indices[nextHalfEdge(next)]!];
  const u = [0, 1, 2].map((k) => positions[b + k]! - positions[a + k]!);
  const v = [0, 1, 2].map((k) => positions[c + k]! - positions[a + k]!);
  const across = Math.hypot(
    u[1]! * v[2]! - u[2]! * v[1]!,
    u[2]! * v[0]! - u[0]! * v[2]!,
    u[0]! * v[1]! - u[1]! * v[0]!,
  );
  return Math.atan2(across, u[0]! * v[0]! + u[1]! * v[1]! + u[2]! * v[2]!);
}

/**
 * Pseudo-normals: of a face its normal, of an edge the sum of its faces' normals, of a vertex the sum weighted by the
 * faces' angles there. With them, the side of the nearest feature that a point lies on is that of the surface: J. A.
 * Baerentzen, H. Aanaes, "Signed distance computation using the angle weighted pseudonormal" (2005).
 */
export function pseudoNormals(
  mesh: TriangleMesh,
  edges: EdgeTable,
  { normals }: Faces,
): Float32Array<ArrayBuffer> {
  const { indices, vertexCount, triangleCount } = mesh;
  const atVertex = new Float64Array(3 * vertexCount);
  for (let h = 0; h < indices.length; h++) {
    const angle = angleAt(mesh, h);
    const t = 3 * Math.floor(h / 3);
    for (let k = 0; k < 3; k++) atVertex[3 * indices[h]! + k]! += angle * normals[t + k]!;
  }
  const result = new Float32Array(NORMAL_FLOATS * triangleCount);
  const write = (to: number, from: Float64Array, at: number) => {
    const length = Math.hypot(from[at]!, from[at + 1]!, from[at + 2]!);
    if (length > 0) for (let k = 0; k < 3; k++) result[to + k] = from[at + k]! / length;
  };
  for (let h = 0; h < indices.length; h++) {
    const t = Math.floor(h / 3);
    if (h % 3 === 0) write(NORMAL_FLOATS * t, normals, 3 * t);
    write(NORMAL_FLOATS * t + 12 + 3 * (h % 3), atVertex, 3 * indices[h]!);
  }
  const sum = new Float64Array(3);
  for (let e = 0; e < edges.count; e++) {
    const around = edges.halfEdges.subarray(edges.offsets[e], edges.offsets[e + 1]);
    sum.fill(0);
    for (const h of around) for (let k = 0; k < 3; k++) sum[k]! += normals[3 * Math.floor(h / 3) + k]!;
    for (const h of around) write(NORMAL_FLOATS * Math.floor(h / 3) + 3 + 3 * (h % 3), sum, 0);
  }
  return result;
}
