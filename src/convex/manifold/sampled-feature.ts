// The feature of a shape in a direction, sampled by perturbing that direction: L. Olvang (2010), section 2.6, algorithm
// 13.
import { LEAST_FEATURE_WIDTH, MANIFOLD_PERTURBATION, MANIFOLD_SAMPLES } from '../constants.ts';
import type { Pair } from '../pair/pair.ts';
import { PARAMETERS, Parameter } from '../shapes/records.ts';
import { coreSupport } from '../shapes/support.ts';
import { addVertex, closeFeature, type Feature, setSlope, simplify } from './feature.ts';

const local = new Float64Array(3);
/** Cosines and sines of the directions of samples around another one. */
export const COSINES = Float64Array.from({ length: MANIFOLD_SAMPLES }, (_, i) =>
  Math.cos((2 * Math.PI * (i + 0.5)) / MANIFOLD_SAMPLES),
);
export const SINES = Float64Array.from({ length: MANIFOLD_SAMPLES }, (_, i) =>
  Math.sin((2 * Math.PI * (i + 0.5)) / MANIFOLD_SAMPLES),
);

/**
 * Samples the feature of A along the pair's normal, or of B against it. The margin is added along the normal itself. So
 * rounded shapes have the feature of their cores.
 *
 * @param axes unit vectors u, v, n of the contact's plane, right-handed, then its origin; in A's frame
 */
export function sampleFeature(pair: Pair, ofB: boolean, axes: Float64Array, out: Feature): void {
  const r = pair.placement;
  const sign = ofB ? -1 : 1;
  const shape = ofB ? pair.shapeB : pair.shapeA;
  const margin = sign * (ofB ? pair.marginB : pair.marginA);
  out.count = 0;
  for (let i = 0; i < MANIFOLD_SAMPLES; i++) {
    const cu = MANIFOLD_PERTURBATION * COSINES[i]!;
    const cv = MANIFOLD_PERTURBATION * SINES[i]!;
    const x = sign * axes[6]! + cu * axes[0]! + cv * axes[3]!;
    const y = sign * axes[7]! + cu * axes[1]! + cv * axes[4]!;
    const z = sign * axes[8]! + cu * axes[2]! + cv * axes[5]!;
    let [px, py, pz] = [0, 0, 0];
    if (ofB) {
      const lx = r[0]! * x + r[3]! * y + r[6]! * z;
      const ly = r[1]! * x + r[4]! * y + r[7]! * z;
      const lz = r[2]! * x + r[5]! * y + r[8]! * z;
      coreSupport(pair.table, shape, lx, ly, lz, local, 0);
      px = r[0]! * local[0]! + r[1]! * local[1]! + r[2]! * local[2]! + r[9]!;
      py = r[3]! * local[0]! + r[4]! * local[1]! + r[5]! * local[2]! + r[10]!;
      pz = r[6]! * local[0]! + r[7]! * local[1]! + r[8]! * local[2]! + r[11]!;
    } else {
      coreSupport(pair.table, shape, x, y, z, local, 0);
      px = local[0]!;
      py = local[1]!;
      pz = local[2]!;
    }
    px -= axes[9]!;
    py -= axes[10]!;
    pz -= axes[11]!;
    const u = px * axes[0]! + py * axes[1]! + pz * axes[2]!;
    const v = px * axes[3]! + py * axes[4]! + pz * axes[5]!;
    const h = px * axes[6]! + py * axes[7]! + pz * axes[8]! + margin;
    addVertex(out, u, v, h, pair.touching);
  }
  closeFeature(out, pair.touching);
  simplify(out, LEAST_FEATURE_WIDTH * pair.table.parameters[PARAMETERS * shape + Parameter.boundingRadius]!);
  setSlope(out);
}
