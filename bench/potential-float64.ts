/** The float64 twin of the multipole method, stage by stage, and the direct sum: both on one thread. */
import { buildEvaluationTree } from '../src/inside/multipole/depth.ts';
import { evaluateMultipole } from '../src/inside/multipole/evaluate.ts';
import {
  boundNorms,
  conversionBounds,
  convert,
  downwardPass,
  gatherBounds,
  type MultipoleField,
  upwardPass,
} from '../src/inside/multipole/reference.ts';
import { buildSourceTree, truncateSourceTree } from '../src/inside/multipole/tree.ts';
import { localSurface } from '../src/inside/surface.ts';
import type { TriangleMesh } from '../src/mesh/triangle-mesh.ts';
import { plantTrees } from './plant-trees.ts';
import type { PotentialSettings, PotentialWay, PreparedPotential, Stage } from './potential-way.ts';

/** Half a second or so. */
const MOST_POINTS = 64_000;
/** Degrees of moments that the bound knows beyond q, and the highest: those that the set-up takes by default. */
const [MORE_DEGREES, HIGHEST_DEGREE] = [4, 12];

export function float64Way(): PotentialWay {
  return {
    key: 'multipole-float64',
    label: 'multipole, float64',
    mostPoints: MOST_POINTS,
    trees: (mesh, settings) => plantTrees(mesh, settings, 'float64'),
    prepare,
  };
}

async function prepare(mesh: TriangleMesh, settings: PotentialSettings): Promise<PreparedPotential> {
  const { field, stages } = setUpInStages(mesh, settings);
  return {
    stages,
    tableBytes: bytesOf(field),
    gpuBytes: () => 0,
    evaluate: async (points) => evaluateMultipole(field, points),
    destroy() {},
  };
}

/** setUpMultipole with a clock between its steps. */
export function setUpInStages(
  mesh: TriangleMesh,
  { p, d, depth, points, closed }: PotentialSettings,
): { field: MultipoleField; stages: Stage[] } {
  const q = p;
  const errorDegree = Math.min(q + MORE_DEGREES, HIGHEST_DEGREE);
  const stages: Stage[] = [];
  const timed = <T>(name: string, work: () => T): T => {
    const started = performance.now();
    const result = work();
    stages.push({ name, seconds: (performance.now() - started) / 1000 });
    return result;
  };
  const { surface, whole } = timed('source tree', () => {
    const surface = localSurface(mesh);
    return { surface, whole: buildSourceTree(surface) };
  });
  const { evaluation, source } = timed('evaluation tree', () => {
    const evaluation = buildEvaluationTree(surface, whole, { depth, points, p, q, d });
    return { evaluation, source: truncateSourceTree(whole, evaluation.depth) };
  });
  const moments = timed('P2M, M2M', () => upwardPass(source, errorDegree));
  const locals = timed('M2L', () => convert(evaluation, moments, { p, q, errorDegree }));
  timed('L2L', () => downwardPass(evaluation, locals, p));
  const { norms, bounds } = timed('bounds', () => {
    const norms = boundNorms(source, moments, errorDegree);
    const bounds = conversionBounds(source, evaluation, norms, { p, q, errorDegree, d });
    gatherBounds(evaluation, bounds);
    return { norms, bounds };
  });
  const field = { surface, p, q, errorDegree, d, closed, source, evaluation, moments, norms, locals, bounds };
  return { field, stages };
}

/** Arrays of the trees and of the expansions; the mesh's own are not the method's. */
function bytesOf({ source, evaluation, moments, norms, locals, bounds }: MultipoleField): number {
  const arrays = [...Object.values(source), ...Object.values(evaluation), moments, norms, locals, bounds];
  return arrays.reduce((sum, array) => sum + (ArrayBuffer.isView(array) ? array.byteLength : 0), 0);
}
