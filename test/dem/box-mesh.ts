import { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';

/** A box of two triangles per face. */
export function boxMesh(x: number, y: number, z: number): TriangleMesh {
  const positions = Float32Array.from({ length: 24 }, (_, i) => {
    const corner = Math.floor(i / 3);
    return (corner & (1 << (i % 3)) ? 1 : -1) * [x, y, z][i % 3]!;
  });
  const faces = [
    0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7,
    5,
  ];
  return new TriangleMesh({ positions, indices: Uint32Array.from(faces), name: 'box' });
}
