/**
 * The kernels that answer for pairs of convex bodies, in the order in which they run over a bucket, and the constants
 * that they are compiled with. docs/convex.md, "In float32".
 */
import type { Infer } from 'typegpu/data';
import { bind } from '../../gpu/bind.ts';
import type { Device } from '../../gpu/device.ts';
import {
  compileKernel,
  type KernelBuffers,
  type KernelSource,
  type LayoutEntries,
} from '../../gpu/kernel.ts';
import type { Extent, Recorder, Run } from '../../gpu/recorder.ts';
import {
  EPA_HEIGHT_ERROR_32,
  EPA_SEEN_32,
  FACING_COSINE,
  FACING_SINE,
  LEAST_FEATURE_WIDTH,
  LEAST_GAP_32,
  LEAST_INBALL,
  MANIFOLD_PERTURBATION,
  MANIFOLD_RESOLUTION,
  MOST_GJK_STALLS_32,
  MOST_GJK_STEPS_32,
  MOST_MPR_STEPS_32,
  POINT_ERROR_32,
  PORTAL_ERROR_32,
  RESOLUTION_32,
  STALLED_RESOLUTION_32,
  SUPPORT_ERROR_32,
  TOUCHING_TOLERANCE_32,
} from '../constants.ts';
import { type PairKind, refinesPortals } from '../query/pair-kinds.ts';
import { ShapeKind } from '../shapes/records.ts';
import {
  boxAxesSource,
  clippedManifoldSource,
  epaSources,
  gjkJohnsonSource,
  gjkVoronoiSource,
  mprIntersectionSource,
  mprPenetrationSource,
  mprSignedDistanceSource,
  sampledManifoldSource,
} from './pair-kernels.ts';
import type { List, PairParams, pairBuffers, pairTables } from './pair-layout.ts';
import { type PairPlan, Wanted } from './plan.ts';

/** Kinds of the records of A and of B that all pairs have, or `ANY_KIND` for both. */
export interface KindPair {
  readonly kindA: number;
  readonly kindB: number;
  /** Of any kinds: true where some records are boxes. */
  readonly hasBoxes?: boolean;
}

/** Any kind of record. */
export const ANY_KIND = 0xff;

/** Buffers that these kernels read and write; `pair-layout.ts` says what they hold. */
export type SolverBuffers = Readonly<Record<keyof typeof pairTables | keyof typeof pairBuffers, GPUBuffer>>;

/** A compiled kernel of a bucket. */
export interface Solver {
  /** What it runs over: all pairs of the bucket, or a list that a kernel before it made. */
  readonly over: 'all' | keyof typeof List;
  record(
    recorder: Recorder,
    buffers: SolverBuffers,
    run: Extent & { readonly params: Infer<typeof PairParams> },
  ): void;
}

type MakeSolver = (device: Device) => Promise<Solver>;

function solver<Entries extends LayoutEntries>(
  source: KernelSource<Entries>,
  constants: Record<string, number>,
  over: Solver['over'] = 'all',
): MakeSolver {
  return async (device) => {
    const kernel = await compileKernel(device, source, constants);
    return {
      over,
      record(recorder, buffers, run) {
        // All have the same parameters, and their buffers are some of those given.
        const bound = bind(device, kernel, buffers as unknown as KernelBuffers<Entries>);
        recorder.run(bound, run as Run<Entries>);
      },
    };
  };
}

/**
 * Box axes list what they do not decide for GJK. GJK leaves pairs whose depth is wanted as `INSIDE` and lists them for
 * EPA. What is still `INSIDE` at the end is open.
 */
export function solversFor(plan: PairPlan, kinds: KindPair): readonly MakeSolver[] {
  const manifolds = plan.kind === 'manifold' ? [manifoldSolver(plan, kinds)] : [];
  if (refinesPortals(plan.algorithm)) return [mprSolver(plan, kinds), ...manifolds];
  return [
    ...(usesBoxAxes(plan, kinds) ? [boxAxesSolver(plan, kinds)] : []),
    gjkSolver(plan, kinds),
    ...(leavesSimplices(plan) ? [epaSolver(kinds)] : []),
    ...manifolds,
  ];
}

/** Whether GJK leaves its simplices to EPA: MPR finds depths by itself. */
export function leavesSimplices({ algorithm, wanted }: Pick<PairPlan, 'algorithm' | 'wanted'>): boolean {
  return wanted === Wanted.depth && !refinesPortals(algorithm);
}

/**
 * Whether pairs go through separating axes first: both cores are boxes, or may be, and the caller leaves the algorithm
 * open.
 */
function usesBoxAxes({ algorithm }: PairPlan, { kindA, kindB, hasBoxes = false }: KindPair): boolean {
  return algorithm === 'auto' && (hasBoxes || (kindA === ShapeKind.box && kindB === ShapeKind.box));
}

const namesOf = ({ kindA, kindB }: KindPair) => ({ KIND_A: kindA, KIND_B: kindB });

/** shaders/convex/separating-axes/box-axes.wgsl; twin: src/convex/separating-axes/box-axes.ts. */
const boxAxesSolver = ({ wanted }: PairPlan, { hasBoxes = false }: KindPair) =>
  solver(boxAxesSource, {
    WANTED: wanted,
    ...(hasBoxes && { ANY: 1 }),
    ...namesOf({ kindA: ShapeKind.box, kindB: ShapeKind.box }),
    SUPPORT_ERROR: SUPPORT_ERROR_32,
    TOUCHING: TOUCHING_TOLERANCE_32,
    RESOLUTION: RESOLUTION_32,
    POINT_ERROR: POINT_ERROR_32,
  });

/** shaders/convex/gjk/gjk-voronoi.wgsl and gjk-johnson.wgsl; twins: files of the same names in src/convex/gjk/. */
function gjkSolver(plan: PairPlan, kinds: KindPair): MakeSolver {
  const isOpen = usesBoxAxes(plan, kinds);
  const source = plan.algorithm === 'gjk-johnson' ? gjkJohnsonSource : gjkVoronoiSource;
  const constants = {
    WANTED: plan.wanted,
    ...(isOpen && { OPEN_ONLY: 1 }),
    ...namesOf(kinds),
    SUPPORT_ERROR: SUPPORT_ERROR_32,
    TOUCHING: TOUCHING_TOLERANCE_32,
    RESOLUTION: RESOLUTION_32,
    MOST_STEPS: MOST_GJK_STEPS_32,
    MOST_STALLS: MOST_GJK_STALLS_32,
  };
  return solver(source, constants, isOpen ? 'open' : 'all');
}

/**
 * Kinds whose pairs seldom need more than 34 vertices. Cores that are curved in all directions need more, and more
 * vertices take longer for every pair.
 */
const FEW_VERTICES: readonly number[] = [
  ShapeKind.box,
  ShapeKind.cone,
  ShapeKind.frustum,
  ShapeKind.polytope,
];

/** Depth of the pairs that GJK listed: shaders/convex/epa/epa.wgsl; twin: src/convex/epa/epa.ts. */
function epaSolver(kinds: KindPair): MakeSolver {
  // Words of bits for the faces of polytopes of two kinds.
  const words = FEW_VERTICES.includes(kinds.kindA) && FEW_VERTICES.includes(kinds.kindB) ? 2 : 3;
  const constants = {
    ...namesOf(kinds),
    LEAST_GAP: RESOLUTION_32,
    HEIGHT_ERROR: EPA_HEIGHT_ERROR_32,
    SEEN: EPA_SEEN_32,
    SUPPORT_ERROR: SUPPORT_ERROR_32,
    POINT_ERROR: POINT_ERROR_32,
    TOUCHING: TOUCHING_TOLERANCE_32,
  };
  return solver(epaSources[words], constants, 'depth');
}

/** The MPR kernel that answers each kind of query, as `PairSolver` chooses among the twins. */
const mprSources = {
  intersect: mprIntersectionSource,
  distance: mprSignedDistanceSource,
  penetration: mprPenetrationSource,
  'signed-distance': mprSignedDistanceSource,
  manifold: mprPenetrationSource,
} as const satisfies Record<PairKind, unknown>;

/** shaders/convex/mpr/; twins: src/convex/mpr/mpr-intersection.ts, mpr-penetration.ts, mpr-signed-distance.ts. */
function mprSolver({ kind, algorithm }: PairPlan, kinds: KindPair): MakeSolver {
  const source = mprSources[kind];
  return solver(source, {
    ...namesOf(kinds),
    TOUCHING: TOUCHING_TOLERANCE_32,
    PORTAL_ERROR: PORTAL_ERROR_32,
    LEAST_GAP: LEAST_GAP_32,
    LEAST_INBALL,
    KNOWS_INBALL: algorithm === 'mpr-olvang' ? 0 : 1,
    STALLED_GAP: STALLED_RESOLUTION_32,
    MOST_STEPS: MOST_MPR_STEPS_32,
    WITH_POINTS: kind === 'intersect' ? 0 : 1,
    ...(source === mprSignedDistanceSource && { DISTANCE_ONLY: kind === 'distance' ? 1 : 0 }),
  });
}

/**
 * Contacts of pairs that overlap: shaders/convex/manifold/; twins: src/convex/manifold/clipped-manifold.ts,
 * sampled-manifold.ts.
 */
function manifoldSolver({ manifold }: PairPlan, kinds: KindPair): MakeSolver {
  if (manifold === 'clipped') {
    return solver(clippedManifoldSource, {
      ...{ ...namesOf(kinds), FACING_SINE, FACING_COSINE, RESOLUTION: MANIFOLD_RESOLUTION },
    });
  }
  return solver(sampledManifoldSource, {
    ...namesOf(kinds),
    PERTURBATION: MANIFOLD_PERTURBATION,
    LEAST_WIDTH: LEAST_FEATURE_WIDTH,
    RESOLUTION: RESOLUTION_32,
  });
}
