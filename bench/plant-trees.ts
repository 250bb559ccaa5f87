/** Trees alone, for figures about them; what is set up makes its own. */
import { buildEvaluationTree, type DepthOptions } from '../src/inside/multipole/depth.ts';
import { buildSourceTree } from '../src/inside/multipole/tree.ts';
import { localSurface } from '../src/inside/surface.ts';
import type { TriangleMesh } from '../src/mesh/triangle-mesh.ts';
import type { PotentialSettings, Trees } from './potential-way.ts';

/** @param costs whose times the choice of depth goes by */
export function plantTrees(
  mesh: TriangleMesh,
  { p, d, depth, points }: Omit<PotentialSettings, 'closed'>,
  costs: DepthOptions['costs'],
): Trees {
  const surface = localSurface(mesh);
  const source = buildSourceTree(surface);
  const evaluation = buildEvaluationTree(surface, source, { depth, points, p, q: p, d, costs });
  return { surface, source, evaluation };
}
