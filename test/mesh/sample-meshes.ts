import { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';

/** A mesh from lists of vertices and triangles. */
export function meshOf(
  vertices: readonly (readonly number[])[],
  triangles: readonly (readonly number[])[],
): TriangleMesh {
  return new TriangleMesh({
    positions: new Float32Array(vertices.flat()),
    indices: new Uint32Array(triangles.flat()),
    name: 'sample',
  });
}

/** Twelve triangles of the box between two corners, counter-clockwise seen from outside; vertex bits are x, y, z. */
export function box(
  min: readonly [number, number, number] = [0, 0, 0],
  max: readonly [number, number, number] = [1, 1, 1],
) {
  const vertices = Array.from({ length: 8 }, (_, v) =>
    [0, 1, 2].map((k) => ((v >> k) & 1 ? max[k]! : min[k]!)),
  );
  const quads = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ];
  const triangles = quads.flatMap(([a, b, c, d]) => [
    [a!, b!, c!],
    [a!, c!, d!],
  ]);
  return { vertices, triangles };
}

export function boxMesh(
  min?: readonly [number, number, number],
  max?: readonly [number, number, number],
): TriangleMesh {
  const { vertices, triangles } = box(min, max);
  return meshOf(vertices, triangles);
}

/** Several bodies as one mesh, vertices not shared. */
export function joined(...meshes: readonly TriangleMesh[]): TriangleMesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const mesh of meshes) {
    const offset = positions.length / 3;
    positions.push(...mesh.positions);
    indices.push(...Array.from(mesh.indices, (v) => v + offset));
  }
  return new TriangleMesh({ positions: new Float32Array(positions), indices: new Uint32Array(indices) });
}

/** The mesh with every vertex moved by a function. */
export function mapVertices(
  mesh: TriangleMesh,
  map: (x: number, y: number, z: number) => readonly number[],
): TriangleMesh {
  const positions = new Float32Array(mesh.positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    positions.set(map(mesh.positions[i]!, mesh.positions[i + 1]!, mesh.positions[i + 2]!), i);
  }
  return new TriangleMesh({ positions, indices: mesh.indices, name: mesh.name });
}

/** The corner positions of a triangle. */
export function cornersOf(mesh: TriangleMesh, triangle: number): [Point, Point, Point] {
  const corner = (c: number): Point => pointOf(mesh, mesh.indices[3 * triangle + c]!);
  return [corner(0), corner(1), corner(2)];
}

export type Point = [number, number, number];

export function pointOf(mesh: TriangleMesh, vertex: number): Point {
  return [mesh.positions[3 * vertex]!, mesh.positions[3 * vertex + 1]!, mesh.positions[3 * vertex + 2]!];
}
