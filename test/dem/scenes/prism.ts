/** Prisms over polygons, convex or not. */

import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { triangulate } from '../../../src/mesh/triangulate.ts';

type Polygon = readonly (readonly [number, number])[];

/** @param polygon counter-clockwise corners; the prism is about z = 0 */
export function prism(polygon: Polygon, height: number): TriangleMesh {
  const n = polygon.length;
  const positions = Float32Array.from(
    [-0.5, 0.5].flatMap((share) => polygon.flatMap(([x, y]) => [x, y, share * height])),
  );
  const corners = Uint32Array.from({ length: n }, (_, i) => n + i);
  const top = triangulate({ positions, corners, faceStarts: Uint32Array.of(0, n) }, 'prism');
  const indices = [...top];
  for (let i = 0; i < top.length; i += 3) indices.push(top[i]! - n, top[i + 2]! - n, top[i + 1]! - n);
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n;
    indices.push(i, j, n + j, i, n + j, n + i);
  }
  return new TriangleMesh({ positions, indices: Uint32Array.from(indices), name: 'prism' });
}

/** Letters 1 wide and high, with strokes 0.3 thick. */
export const LETTER_L: Polygon = [
  [-0.5, -0.5],
  [0.5, -0.5],
  [0.5, -0.2],
  [-0.2, -0.2],
  [-0.2, 0.5],
  [-0.5, 0.5],
];
export const LETTER_U: Polygon = [
  [-0.5, -0.5],
  [0.5, -0.5],
  [0.5, 0.5],
  [0.2, 0.5],
  [0.2, -0.2],
  [-0.2, -0.2],
  [-0.2, 0.5],
  [-0.5, 0.5],
];
