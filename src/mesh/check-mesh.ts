// The health of a mesh and what it permits. Rule `odd` needs a cycle modulo 2: every edge has an even number of faces.
// Without that the surface has no inside. Rule `nonzero` needs an integer cycle: every edge is traversed as often in
// each direction. Without that the winding number changes where there is no surface. Both are weaker than manifold on
// purpose: bodies that touch along an edge or at a vertex are still unambiguous.
import { type Options, requireOptions } from '../arguments.ts';
import { InputError } from '../errors.ts';
import { buildEdgeTable, type EdgeTable } from './edges.ts';
import { type Matrix3, massProperties, type Vector3 } from './mass-properties.ts';
import {
  countComponents,
  type Findings,
  findDegenerateFaces,
  findDuplicateFaces,
  findExtraFans,
} from './topology.ts';
import { type Box, requireMesh, type TriangleMesh } from './triangle-mesh.ts';

/** An edge: its ends, where they lie, its number of faces, and the first of those, at most `examples` of them. */
export interface EdgePlace {
  readonly vertices: readonly [number, number];
  readonly positions: readonly [Vector3, Vector3];
  readonly faces: number;
  readonly triangles: readonly number[];
}

export interface VertexPlace {
  readonly vertex: number;
  readonly position: Vector3;
}

export interface FacePlace {
  readonly triangle: number;
  readonly vertices: readonly [number, number, number];
  readonly positions: readonly [Vector3, Vector3, Vector3];
}

/** What `checkMesh` found. Lengths are in the mesh's unit; mass properties are for unit density. */
export interface MeshReport {
  readonly triangles: number;
  /** Vertices that triangles use. */
  readonly vertices: number;
  readonly unusedVertices: number;
  /** Parts that share no vertex. */
  readonly components: number;
  /** Every edge has an even number of faces: what rule `odd` needs. */
  readonly closed: boolean;
  /** Every edge has exactly two faces and every vertex one fan of triangles. */
  readonly manifold: boolean;
  /** Every edge is traversed as often in each direction: what rule `nonzero` needs. Implies `closed`. */
  readonly oriented: boolean;
  /** Edges with exactly one face. */
  readonly boundaryEdges: Findings<EdgePlace>;
  /** Edges with three, five, ... faces; they leave the surface open as boundary edges do. */
  readonly oddEdges: Findings<EdgePlace>;
  /** Edges with more than two faces, odd or even. */
  readonly nonManifoldEdges: Findings<EdgePlace>;
  /** Edges with an even number of faces that is not traversed as often in each direction. */
  readonly wronglyOrientedEdges: Findings<EdgePlace>;
  /** Vertices with more than one fan of triangles. */
  readonly extraVertexFans: Findings<VertexPlace>;
  /** Faces with the vertices of another one, in any order, beyond the first. */
  readonly duplicateFaces: Findings<FacePlace>;
  /** Faces of exactly zero area. */
  readonly degenerateFaces: Findings<FacePlace>;
  /** Faces the reader dropped, because welding made two of their corners one vertex. */
  readonly facesDropped: number;
  /** Vertices - edges + faces: 2 per component for spheres, 0 for tori. */
  readonly eulerCharacteristic: number;
  readonly boundingBox: Box;
  readonly area: number;
  /**
   * Negative where the mesh is inside out. Undefined where it is not closed. Where it is closed but not oriented, this
   * is the sum of signed tetrahedra from the box's centre, which is no volume: check `oriented` before use.
   */
  readonly enclosedVolume: number | undefined;
  /** Undefined where `enclosedVolume` is, and where that is zero within rounding. */
  readonly centroid: Vector3 | undefined;
  /** Inertia about the centroid, with the volume's sign. Undefined where the centroid is. */
  readonly inertia: Matrix3 | undefined;
}

export interface CheckMeshOptions {
  /** Most places given per finding, 0 or more. Default 5. */
  readonly examples?: number;
}

const DEFAULT_EXAMPLES = 5;
const OPTIONS: Options<CheckMeshOptions> = { examples: 'number' };

/**
 * Examines a mesh in time linear in its size. It does not look for self-intersections: they make no flag ambiguous.
 *
 * @throws InputError for an unknown option or a bad `examples`, never because of the mesh's condition.
 */
export function checkMesh(mesh: TriangleMesh, options: CheckMeshOptions = {}): MeshReport {
  requireMesh('checkMesh: mesh', mesh);
  requireOptions('checkMesh', options, OPTIONS);
  const limit = options.examples ?? DEFAULT_EXAMPLES;
  if (!Number.isInteger(limit) || limit < 0) {
    throw new InputError(`checkMesh: examples is ${limit}, expected an integer of 0 or more`);
  }
  const { positions, indices, vertexCount, triangleCount } = mesh;
  const edges = buildEdgeTable(indices, vertexCount);
  const { usedVertices, components } = countComponents(indices, vertexCount);
  const find = (test: (faces: number, balance: number) => boolean) => findEdges(mesh, edges, limit, test);
  const boundaryEdges = find(isBoundary);
  const oddEdges = find((faces) => faces % 2 === 1 && faces > 1);
  const nonManifoldEdges = find((faces) => faces > 2);
  const wronglyOrientedEdges = find(isWronglyOriented);
  const fans = findExtraFans(indices, vertexCount, edges, limit);
  const duplicates = findDuplicateFaces(indices, edges, limit);
  const degenerates = findDegenerateFaces(positions, indices, limit);
  const closed = boundaryEdges.count === 0 && oddEdges.count === 0;
  const mass = massProperties(mesh);
  return {
    triangles: triangleCount,
    vertices: usedVertices,
    unusedVertices: vertexCount - usedVertices,
    components,
    closed,
    manifold: boundaryEdges.count === 0 && nonManifoldEdges.count === 0 && fans.count === 0,
    oriented: closed && wronglyOrientedEdges.count === 0,
    boundaryEdges,
    oddEdges,
    nonManifoldEdges,
    wronglyOrientedEdges,
    extraVertexFans: {
      count: fans.count,
      examples: fans.examples.map((vertex) => ({ vertex, position: positionOf(mesh, vertex) })),
    },
    duplicateFaces: { count: duplicates.count, examples: duplicates.examples.map((t) => facePlace(mesh, t)) },
    degenerateFaces: {
      count: degenerates.count,
      examples: degenerates.examples.map((t) => facePlace(mesh, t)),
    },
    facesDropped: mesh.origin.facesDropped,
    eulerCharacteristic: usedVertices - edges.count + triangleCount,
    boundingBox: mesh.box,
    area: mass.area,
    enclosedVolume: closed ? mass.volume : undefined,
    centroid: closed ? mass.centroid : undefined,
    inertia: closed ? mass.inertia : undefined,
  };
}

/** Tests for `findEdges`. */
export function isBoundary(faces: number): boolean {
  return faces === 1;
}

export function isWronglyOriented(faces: number, balance: number): boolean {
  return faces % 2 === 0 && balance !== 0;
}

/** The edges whose number of faces and balance pass a test, the first `limit` of them with their places. */
export function findEdges(
  mesh: TriangleMesh,
  edges: EdgeTable,
  limit: number,
  test: (faces: number, balance: number) => boolean,
): Findings<EdgePlace> {
  const { vertices, offsets, balance } = edges;
  const examples: EdgePlace[] = [];
  let count = 0;
  for (let e = 0; e < edges.count; e++) {
    if (!test(offsets[e + 1]! - offsets[e]!, balance[e]!)) continue;
    count++;
    if (examples.length >= limit) continue;
    const low = vertices[2 * e]!;
    const high = vertices[2 * e + 1]!;
    examples.push({
      vertices: [low, high],
      positions: [positionOf(mesh, low), positionOf(mesh, high)],
      faces: offsets[e + 1]! - offsets[e]!,
      triangles: trianglesAt(edges, e, limit),
    });
  }
  return { count, examples };
}

/** The first `limit` triangles at an edge; there may be millions. */
function trianglesAt({ halfEdges, offsets }: EdgeTable, e: number, limit: number): number[] {
  const triangles: number[] = [];
  for (let k = offsets[e]!; k < offsets[e + 1]! && triangles.length < limit; k++) {
    const triangle = Math.floor(halfEdges[k]! / 3);
    // Half-edges ascend, so two of one triangle follow each other.
    if (triangle !== triangles.at(-1)) triangles.push(triangle);
  }
  return triangles;
}

function positionOf(mesh: TriangleMesh, vertex: number): Vector3 {
  const i = 3 * vertex;
  return [mesh.positions[i]!, mesh.positions[i + 1]!, mesh.positions[i + 2]!];
}

function facePlace(mesh: TriangleMesh, triangle: number): FacePlace {
  const [a, b, c] = mesh.indices.subarray(3 * triangle, 3 * triangle + 3) as unknown as [
    number,
    number,
    number,
  ];
  return {
    triangle,
    vertices: [a, b, c],
    positions: [positionOf(mesh, a), positionOf(mesh, b), positionOf(mesh, c)],
  };
}
