/** Makes all that is known of a polyhedron's surface. */
import { InputError } from '../../errors.ts';
import { buildEdgeTable } from '../../mesh/edges.ts';
import { massProperties } from '../../mesh/mass-properties.ts';
import { surfaceDefect } from '../../mesh/mesh-verdict.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { rests } from '../../workers/slices.ts';
import { clusterTree, mortonOrder } from './clusters.ts';
import { CONCAVE_ANGLE, MOST_DEFAULT_PARTS, NODES_PER_DIAMETER, SHARP_ANGLE } from './constants.ts';
import { dihedralsOf } from './dihedrals.ts';
import { cutEdges, missedOverlapOf } from './edge-pieces.ts';
import { facesOf, pseudoNormals } from './faces.ts';
import { makeNodes } from './nodes.ts';
import { patchesOf } from './patches.ts';
import { middleOf, supportTable } from './support-table.ts';
import { CLUSTER, type SurfaceArrays } from './surface-arrays.ts';

export interface SurfaceOptions {
  /** As in `PolyhedronShape`. */
  readonly nodeSpacing?: number | undefined;
  readonly sharpAngle?: number | undefined;
  /** For messages, in place of the mesh's name. */
  readonly name?: string | undefined;
}

/** Radius of the ball that has the volume of a body; of a body without volume, that has its area. */
export function equalBallRadius({
  area,
  volume,
}: {
  readonly area: number;
  readonly volume: number;
}): number {
  const radius = Math.cbrt((3 * Math.abs(volume)) / (4 * Math.PI));
  return radius > 0 ? radius : Math.sqrt(area / (4 * Math.PI));
}

/** An eighth of the diameter of the ball of equal volume, or more where that would be very many nodes. */
function defaultSpacing(
  mesh: TriangleMesh,
  properties: { readonly area: number; readonly volume: number },
): number {
  const { positions, indices, triangleCount } = mesh;
  const { areas } = facesOf(mesh, 1);
  const lengths = Float64Array.from(areas, (_, t) => {
    const side = (h: number, g: number) =>
      Math.hypot(...[0, 1, 2].map((k) => positions[3 * indices[h]! + k]! - positions[3 * indices[g]! + k]!));
    return Math.max(side(3 * t, 3 * t + 1), side(3 * t + 1, 3 * t + 2), side(3 * t + 2, 3 * t));
  });
  const partsAt = (spacing: number) =>
    areas.reduce((sum, area, t) => {
      const length = lengths[t]!;
      return sum + Math.max(1, length / spacing) * Math.max(1, (2 * area) / (length * spacing) || 0);
    }, 0);
  let spacing = (2 * equalBallRadius(properties)) / NODES_PER_DIAMETER;
  while (partsAt(spacing) > MOST_DEFAULT_PARTS + 2 * triangleCount) spacing *= Math.SQRT2;
  return spacing;
}

/**
 * Nodes, edges, patches and normals of a closed mesh.
 *
 * @throws InputError for a mesh without triangles, open or not consistently oriented, options out of range, or too many
 *   nodes; the signal's reason once it is aborted.
 */
export async function buildSurface(
  mesh: TriangleMesh,
  options: SurfaceOptions = {},
  signal?: AbortSignal,
): Promise<SurfaceArrays> {
  const rest = rests(signal);
  const { triangleCount } = mesh;
  const { name = mesh.name } = options;
  if (triangleCount === 0) throw new InputError(`${name}: the mesh has no triangles, expected a closed one`);
  const defect = surfaceDefect(mesh, 'odd') ?? surfaceDefect(mesh, 'nonzero');
  if (defect !== undefined) throw new InputError(defect);
  const { area, volume } = massProperties(mesh);
  const { sharpAngle = SHARP_ANGLE } = options;
  const spacing = options.nodeSpacing ?? defaultSpacing(mesh, { area, volume });
  if (!(spacing > 0 && spacing < Infinity)) {
    throw new InputError(`${name}: nodeSpacing is ${spacing}, expected a length above 0`);
  }
  if (!(sharpAngle >= 0 && sharpAngle <= Math.PI)) {
    throw new InputError(`${name}: sharpAngle is ${sharpAngle}, expected radians from 0 to pi`);
  }

  const edges = buildEdgeTable(mesh.indices, mesh.vertexCount);
  const turn = volume < 0 ? -1 : 1;
  const faces = facesOf(mesh, turn);
  const { angles } = dihedralsOf(mesh, edges, faces, turn);
  // An edge in a plane is never sharp.
  const source = {
    name,
    mesh,
    edges,
    faces,
    angles,
    spacing,
    sharp: Math.max(sharpAngle, Number.MIN_VALUE),
  };
  const made = await makeNodes(source, rest);
  await rest();
  const order = mortonOrder(made.points);
  const nodes = reordered(made.points, order, 3);
  await rest();
  const cut = cutEdges(source);
  const middles = Float32Array.from({ length: cut.ends.length / 2 }, (_, i) => {
    const at = 6 * Math.floor(i / 3) + (i % 3);
    return (cut.ends[at]! + cut.ends[at + 3]!) / 2;
  });
  const pieceOrder = mortonOrder(middles);
  const pieces = reordered(cut.ends, pieceOrder, 6);
  const middle = middleOf(mesh);
  return {
    ...{ spacing, area, volume, nodes },
    weights: Float64Array.from(order, (n) => made.weights[n]!),
    nodeTree: await clusterTree(nodes, CLUSTER, rest, mesh.positions),
    edges: pieces,
    edgeTriangles: Uint32Array.from({ length: cut.triangles.length }, (_, i) => {
      return cut.triangles[2 * pieceOrder[i >> 1]! + (i & 1)]!;
    }),
    edgeTree: await clusterTree(pieces, 2 * CLUSTER, rest),
    missedOverlap: missedOverlapOf(source),
    ...patchesOf(triangleCount, edges, angles, CONCAVE_ANGLE),
    normals: pseudoNormals(mesh, edges, faces),
    middle,
    support: supportTable(mesh, middle),
  };
}

/** Groups of `size` numbers in an order. */
function reordered(values: Float32Array, order: Uint32Array, size: number): Float32Array<ArrayBuffer> {
  const result = new Float32Array(values.length);
  for (let i = 0; i < order.length; i++) {
    for (let k = 0; k < size; k++) result[size * i + k] = values[size * order[i]! + k]!;
  }
  return result;
}
