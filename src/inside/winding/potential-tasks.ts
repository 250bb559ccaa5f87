/**
 * The potential's work on the CPU, in parts that run on any thread: setting up the tables of a surface, and J of a
 * range of points. Results do not depend on who does what.
 */

import { type PartsDone, takeParts, type WorkParts } from '../../workers/parts.ts';
import { shareAll } from '../../workers/shared-memory.ts';
import type { Task } from '../../workers/worker-pool.ts';
import { ClusterSum } from '../clusters/cluster-sum.ts';
import {
  type ClusterBranches,
  type ClusterTable,
  cutIntoClusters,
  fillBranches,
} from '../clusters/cluster-tree.ts';
import { alongCurve } from '../clusters/point-order.ts';
import { type EvaluatedField, evaluateMultipole } from '../multipole/evaluate.ts';
import { type MultipoleOptions, type Steps, setUpInSteps } from '../multipole/field.ts';
import { addSolidAngles, gatherTriangles, localAxes } from '../potential/solid-angle.ts';
import { float32Bound } from '../potential/unit-frame.ts';
import type { LocalFrame, Surface } from '../surface.ts';

/** Tables of a surface on the CPU, by what is done with them. */
export type CpuTables =
  | { readonly kind: 'direct'; readonly frame: LocalFrame; readonly triangles: Float64Array }
  | {
      readonly kind: 'multipole';
      readonly field: EvaluatedField;
      /** Finest level of the evaluation tree. */
      readonly level: number;
    }
  | { readonly kind: 'clusters'; readonly frame: LocalFrame; readonly clusters: ClusterTable };

export type CpuKind = CpuTables['kind'];

/** Makes tables. Places and moments of clusters are not filled yet: see `BranchesTask`. */
export interface SetUpTask extends Task<CpuTables> {
  readonly kind: 'set-up';
  readonly of: CpuKind;
  readonly surface: Surface;
  /** Of the multipole method. */
  readonly options: MultipoleOptions | undefined;
  /** Whether other threads are to see the tables. */
  readonly shared: boolean;
  /** What the calling thread and the one at work tell each other, in memory that both see. */
  readonly control?: SetUpControl | undefined;
}

/** Fills branches from `first` on of clusters that are cut. */
export interface BranchesTask extends Task<PartsDone>, WorkParts {
  readonly kind: 'branches';
  readonly branches: ClusterBranches;
  readonly first: number;
}

export function runBranches(task: BranchesTask): PartsDone {
  return takeParts(task, (from, to) => fillBranches(task.branches, task.first + from, task.first + to));
}

/** Two words: not 0 to stop, and how much is done, in parts of PROGRESS_PARTS. */
export type SetUpControl = Int32Array<SharedArrayBuffer>;
export const PROGRESS_PARTS = 1000;

/** J of points and its bound, into `values` and `bounds` at the same numbers. */
export interface PotentialWork {
  readonly tables: CpuTables;
  readonly points: Float32Array;
  readonly values: Float32Array | Float64Array;
  readonly bounds: Float32Array | Float64Array;
  /** Of cluster sums: what their truncation errors may add up to, and that of a cluster at first. */
  readonly tolerance: number | undefined;
  readonly share: number | undefined;
}

/** Points from `first` on. */
export interface PotentialTask extends Task<PartsDone>, WorkParts {
  readonly kind: 'potential';
  readonly work: PotentialWork;
  readonly first: number;
}

export function runPotential(task: PotentialTask): PartsDone {
  return takeParts(task, (from, to) => evaluatePoints(task.work, task.first + from, task.first + to));
}

/** Sets up in one go. @throws Error if the control word says to stop */
export function runSetUp(task: SetUpTask): CpuTables {
  const { control } = task;
  const steps = setUpSteps(task);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (control === undefined) continue;
    if (Atomics.load(control, 0) !== 0) throw new Error('the set-up was stopped');
    Atomics.store(control, 1, Math.floor(PROGRESS_PARTS * step.value));
  }
}

/** The set-up in steps, for who wants to do something else in between. */
export function* setUpSteps({ of, surface, options, shared }: SetUpTask): Steps<CpuTables> {
  const tables = yield* setUp(of, surface, options, shared);
  return shared ? shareAll(tables) : tables;
}

function* setUp(
  kind: CpuKind,
  surface: Surface,
  options: MultipoleOptions | undefined,
  shared: boolean,
): Steps<CpuTables> {
  const { frame } = surface;
  if (kind === 'direct') return { kind, frame, triangles: gatherTriangles(surface) };
  if (kind === 'clusters') return { kind, frame, clusters: yield* cutIntoClusters(surface, shared) };
  const field = yield* setUpInSteps(surface, options!);
  const { levels, cells, firstChildren, nearStarts, nearRanges, depth } = field.evaluation;
  const { p, d, closed, errorDegree, source, moments, norms, locals, bounds } = field;
  // Moments are for points outside the box, where J of a closed surface is known.
  const none = new Float64Array(0);
  return {
    kind,
    level: depth,
    field: {
      ...{ p, d, closed, errorDegree, source, locals, bounds },
      moments: closed ? none : moments,
      norms: closed ? none : norms,
      surface: { frame },
      evaluation: { levels, cells, firstChildren, nearStarts, nearRanges },
    },
  };
}

/** Points `first .. end - 1`. */
export function evaluatePoints(work: PotentialWork, first: number, end: number): void {
  const { tables, points, values, bounds } = work;
  if (tables.kind === 'multipole') {
    const found = evaluateMultipole(tables.field, points.subarray(3 * first, 3 * end));
    for (let i = first; i < end; i++)
      put(values, bounds, i, found.values[i - first]!, found.bounds[i - first]!);
    return;
  }
  const add = adder(tables, work);
  const sum = new Float64Array(2);
  const [localX, localY, localZ] = localAxes(tables);
  const order =
    tables.kind === 'clusters' ? alongCurve(tables.frame, tables.clusters, points, first, end) : undefined;
  for (let n = 0; n < end - first; n++) {
    const i = first + (order === undefined ? n : order[n]!);
    sum.fill(0);
    add(localX(points[3 * i]!), localY(points[3 * i + 1]!), localZ(points[3 * i + 2]!), sum);
    put(values, bounds, i, sum[0]!, sum[1]!);
  }
}

function adder(tables: Exclude<CpuTables, { kind: 'multipole' }>, { tolerance, share }: PotentialWork) {
  if (tables.kind === 'clusters') {
    const clusters = new ClusterSum(tables.clusters, tolerance!, share!);
    return (x: number, y: number, z: number, sum: Float64Array) => void clusters.add(x, y, z, sum);
  }
  const { triangles } = tables;
  const all = Uint32Array.of(0, triangles.length / 9);
  return (x: number, y: number, z: number, sum: Float64Array) =>
    addSolidAngles(triangles, all, 0, 1, x, y, z, sum);
}

/** Writes a value and its bound; into float32 with the value's rounding in the bound, and that rounded up. */
function put(
  values: Float32Array | Float64Array,
  bounds: Float32Array | Float64Array,
  i: number,
  value: number,
  bound: number,
): void {
  values[i] = value;
  bounds[i] = values instanceof Float64Array ? bound : float32Bound(value, bound);
}
