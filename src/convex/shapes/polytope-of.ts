// From meshes to convex shapes.
import { type Options, requireOptions } from '../../arguments.ts';
import { InputError } from '../../errors.ts';
import { requireMesh, type TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { hullOfPoints } from './hull.ts';
import type { SimpleShape } from './shapes.ts';

/** The convex hull of points. */
export type PolytopeShape = Extract<SimpleShape, { kind: 'polytope' }>;

export interface PolytopeOptions {
  /** Radius of a ball that the hull is swept with, in the unit of the result. Default 0. */
  readonly margin?: number;
  /** What coordinates are multiplied by: 0.001 for millimetres to metres. Default 1. */
  readonly scale?: number;
}

const OPTIONS: Options<PolytopeOptions> = { margin: 'number', scale: 'number' };

/**
 * The convex hull of a mesh, as a shape for `ConvexBatch`: of the vertices that triangles use, exact for their float32
 * coordinates. The mesh need not be closed. A concave body is a list of convex parts, a mesh each:
 *
 *     { kind: 'parts', parts: meshes.map((mesh) => ({ shape: polytopeOf(mesh) })) }
 *
 * @throws InputError if the mesh has no triangles, or the scale is not above 0.
 */
export function polytopeOf(mesh: TriangleMesh, options: PolytopeOptions = {}): PolytopeShape {
  requireMesh('polytopeOf: mesh', mesh);
  requireOptions('polytopeOf', options, OPTIONS);
  const { margin, scale = 1 } = options;
  if (mesh.triangleCount === 0) {
    throw new InputError(`${mesh.name}: the mesh has no triangles, expected some to take the hull of`);
  }
  if (!(scale > 0 && scale < Infinity)) throw new InputError(`scale is ${scale}, expected a number above 0`);
  const used = new Uint8Array(mesh.vertexCount);
  for (const vertex of mesh.indices) used[vertex] = 1;
  const points: number[] = [];
  for (let v = 0; v < used.length; v++) {
    if (used[v] === 1) for (let k = 0; k < 3; k++) points.push(mesh.positions[3 * v + k]!);
  }
  const { vertices } = hullOfPoints(points);
  return {
    kind: 'polytope',
    vertices: scale === 1 ? vertices : vertices.map((x) => x * scale),
    ...(margin !== undefined && { margin }),
  };
}
