/** Exact flags of a closed body, which potentials are held against: the cell grid's, sampled by exact predicates. */

import { FlagCheck } from '../src/bench/check.ts';
import { Polyhedron } from '../src/inside/polyhedron.ts';
import type { TriangleMesh } from '../src/mesh/triangle-mesh.ts';

/** @throws WrongFlags if a flag of the sample is wrong. */
export async function exactFlags(
  what: string,
  mesh: TriangleMesh,
  points: Float32Array,
  sampleSize: number,
): Promise<Uint8Array> {
  const polyhedron = await Polyhedron.create(undefined, mesh, { workers: false });
  try {
    const { flags } = await polyhedron.classify(points, { method: 'cell-grid' });
    const check = new FlagCheck({ what, mesh, points, sampleSize });
    check.requireRight('cell grid, CPU', flags);
    return flags;
  } finally {
    polyhedron.destroy();
  }
}
