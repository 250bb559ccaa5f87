/** What every way to the double-layer potential looks like to `bench multipole`: set up for a body, then asked about points. */
import type { MultipoleDepth } from '../src/inside/multipole/depth.ts';
import { leafOf } from '../src/inside/multipole/evaluate.ts';
import type { EvaluationTree } from '../src/inside/multipole/lists.ts';
import type { SourceTree } from '../src/inside/multipole/tree.ts';
import { localAxes } from '../src/inside/potential/solid-angle.ts';
import type { Surface } from '../src/inside/surface.ts';
import type { TriangleMesh } from '../src/mesh/triangle-mesh.ts';

export type PotentialKey = 'multipole-gpu' | 'multipole-float64';

export interface PotentialSettings {
  /** Degree and separation. */
  readonly p: number;
  readonly d: number;
  readonly depth: MultipoleDepth;
  /** Points to come. */
  readonly points: number;
  readonly closed: boolean;
}

export interface Trees {
  readonly surface: Surface;
  readonly source: SourceTree;
  readonly evaluation: EvaluationTree;
}

export interface Potentials {
  readonly values: Float32Array | Float64Array;
  readonly bounds: Float32Array | Float64Array;
}

export interface Stage {
  readonly name: string;
  readonly seconds: number;
  /** On the host while the GPU is at other stages: no part of the total. */
  readonly beside?: boolean;
}

/** A potential that is set up. */
export interface PreparedPotential {
  /** Set-up in order; all of it. */
  readonly stages: readonly Stage[];
  readonly tableBytes: number;
  /** GPU memory at the peak so far; 0 on the CPU. */
  gpuBytes(): number;
  evaluate(points: Float32Array): Promise<Potentials>;
  destroy(): void;
}

export interface PotentialWay {
  readonly key: PotentialKey;
  readonly label: string;
  /** Points beyond these are left out where only time per point or an error is asked for: they would take too long. */
  readonly mostPoints: number;
  /** The trees that such settings lead to. */
  trees(mesh: TriangleMesh, settings: Omit<PotentialSettings, 'closed'>): Trees;
  prepare(mesh: TriangleMesh, settings: PotentialSettings): Promise<PreparedPotential>;
}

export function totalSeconds(stages: readonly Stage[]): number {
  return stages.reduce((sum, { seconds, beside }) => (beside ? sum : sum + seconds), 0);
}

/** The first points of a set. All sets are in random order, so these are as random as the rest. */
export function firstPoints(points: Float32Array, most: number): Float32Array {
  return points.subarray(0, 3 * most);
}

/** What the depth of the trees decides. */
export interface TreeFigures {
  /** Level of the finest cell. */
  readonly level: number;
  readonly cells: number;
  readonly interactions: number;
  /** Triangles of the near field, mean over points. */
  readonly nearTriangles: number;
}

export function treeFigures({ surface, source, evaluation }: Trees, points: Float32Array): TreeFigures {
  const { nearStarts, nearRanges, levels, sources, depth } = evaluation;
  const near = Float64Array.from(levels, (_, cell) => {
    let triangles = 0;
    for (let r = nearStarts[cell]!; r < nearStarts[cell + 1]!; r++)
      triangles += nearRanges[2 * r + 1]! - nearRanges[2 * r]!;
    return triangles;
  });
  const [x, y, z] = localAxes(surface);
  let sum = 0;
  for (let i = 0; i < points.length; i += 3) {
    const leaf = leafOf(evaluation, source.root, x(points[i]!), y(points[i + 1]!), z(points[i + 2]!));
    if (leaf >= 0) sum += near[leaf]!;
  }
  const nearTriangles = (3 * sum) / points.length;
  return { level: depth, cells: levels.length, interactions: sources.length, nearTriangles };
}
