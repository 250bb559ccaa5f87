/** A mesh as the builders of tables see it: in its own coordinates, or scaled where those are extreme. */
import type { Box, TriangleMesh } from '../mesh/triangle-mesh.ts';

export interface Surface {
  readonly name: string;
  readonly positions: Float32Array | Float64Array;
  readonly indices: Uint32Array;
  readonly triangleCount: number;
  readonly box: Box;
}

/** The mesh with its coordinates multiplied by a power of two: in float64, where that is exact; itself for 1. */
export function scaledSurface(mesh: TriangleMesh, scale: number): Surface {
  if (scale === 1) return mesh;
  const { name, indices, triangleCount, box } = mesh;
  const by = (corner: Box['min']): Box['min'] => [corner[0] * scale, corner[1] * scale, corner[2] * scale];
  return {
    name,
    indices,
    triangleCount,
    positions: Float64Array.from(mesh.positions, (x) => x * scale),
    box: { min: by(box.min), max: by(box.max) },
  };
}
