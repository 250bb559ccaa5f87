/** MPR on the GPU: shaders/convex/mpr/. Twins: src/convex/mpr/. */
import {
  LEAST_GAP_32,
  LEAST_INBALL,
  MOST_MPR_STEPS_32,
  PORTAL_ERROR_32,
  STALLED_RESOLUTION_32,
  TOUCHING_TOLERANCE_32,
} from '../constants.ts';
import type { PairKind } from '../query/pair-kinds.ts';
import { type MakePairKernel, pairKernel } from './pair-kernel.ts';
import {
  mprIntersectionShader,
  mprLayout,
  mprPenetrationShader,
  mprSignedDistanceShader,
} from './shaders.ts';

const signedDistance = { shader: mprSignedDistanceShader, entryPoint: 'mprSignedDistance' } as const;
const penetration = { shader: mprPenetrationShader, entryPoint: 'mprPenetration' } as const;
/** The kernel that answers each kind of query, as `PairSolver` chooses among the twins. */
const kernels = {
  intersect: { shader: mprIntersectionShader, entryPoint: 'mprIntersection' },
  distance: signedDistance,
  penetration,
  'signed-distance': signedDistance,
  manifold: penetration,
} as const satisfies Record<PairKind, unknown>;

/** Minkowski Portal Refinement: intersection, penetration in two passes, or signed distance. */
export const mprKernel: MakePairKernel = (device, { kind, kinds, ...plan }, buffers) => {
  const { shader, entryPoint } = kernels[kind];
  return pairKernel(device, { kind, kinds, ...plan }, buffers, {
    shader: shader(),
    entryPoint,
    layout: mprLayout,
    constants: {
      KIND_A: kinds.kindA,
      KIND_B: kinds.kindB,
      TOUCHING: TOUCHING_TOLERANCE_32,
      PORTAL_ERROR: PORTAL_ERROR_32,
      LEAST_GAP: LEAST_GAP_32,
      LEAST_INBALL,
      STALLED_GAP: STALLED_RESOLUTION_32,
      MOST_STEPS: MOST_MPR_STEPS_32,
      WITH_POINTS: kind === 'intersect' ? 0 : 1,
      ...(shader === mprSignedDistanceShader && { DISTANCE_ONLY: kind === 'distance' ? 1 : 0 }),
    },
  });
};
