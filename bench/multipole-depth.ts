/**
 * The depth that the cost model chooses, against fixed depths and the paper's two rules: set-up plus evaluation of M points
 * on bodies of N triangles. Times are the least of all rounds.
 */
import { buildEvaluationTree, type MultipoleDepth } from '../src/inside/multipole.depth.ts';
import { buildSourceTree } from '../src/inside/multipole.tree.ts';
import { localSurface } from '../src/inside/surface.ts';
import type { TriangleMesh } from '../src/mesh/triangle-mesh.ts';
import { makePoints } from './points.ts';
import {
  firstPoints,
  type PotentialKey,
  type PotentialWay,
  type TreeFigures,
  totalSeconds,
  treeFigures,
} from './potential-way.ts';
import { clocked, inTurns } from './spread.ts';

/** A fixed depth with so many times the near field of `auto` cannot be the best, and is left out. */
const MOST_NEAR = 8;
/** Points that figures of a tree are averaged over. */
const FIGURE_POINTS = 8000;

export interface DepthTrial {
  readonly depth: MultipoleDepth;
  readonly trees: TreeFigures;
  readonly setUpSeconds: number;
  /** Of all M points; from fewer where the way would take too long. */
  readonly evaluateSeconds: number;
}

export interface DepthCase {
  readonly name: string;
  readonly triangles: number;
  readonly points: number;
  /** `auto` first. */
  readonly trials: readonly DepthTrial[];
  /** The fixed depth of least total. */
  readonly best: number;
  /** Total of `auto` over that. */
  readonly autoOverBest: number;
}

export interface DepthOptions {
  readonly name: string;
  readonly mesh: TriangleMesh;
  readonly way: PotentialWay;
  readonly p: number;
  readonly d: number;
  /** Numbers of points, as those along an axis. */
  readonly perAxis: readonly number[];
  readonly rounds: number;
  readonly say: (line: string) => void;
}

export interface DepthStudy {
  readonly way: PotentialKey;
  readonly cases: readonly DepthCase[];
}

export const totalOf = ({ setUpSeconds, evaluateSeconds }: DepthTrial) => setUpSeconds + evaluateSeconds;

export async function studyDepth(options: DepthOptions): Promise<DepthCase[]> {
  const { name, mesh, say } = options;
  const all = makePoints('random', mesh, Math.max(...options.perAxis));
  const cases: DepthCase[] = [];
  for (const perAxis of options.perAxis) {
    const count = perAxis ** 3;
    say(`${name}: depths for ${count} points`);
    const points = firstPoints(all, count);
    const depths: MultipoleDepth[] = ['auto', ...fixedDepths(options, points), 'well-chosen', 'pre-chosen'];
    const trials = new Map<MultipoleDepth, DepthTrial>();
    await inTurns(depths, options.rounds, async (depth) => {
      const trial = await tryDepth(options, depth, points);
      const earlier = trials.get(depth);
      trials.set(depth, earlier === undefined ? trial : fasterOf(earlier, trial));
    });
    const list = depths.map((depth) => trials.get(depth)!);
    const fixed = list.filter(({ depth }) => typeof depth === 'number');
    const best = fixed.reduce((least, trial) => (totalOf(trial) < totalOf(least) ? trial : least));
    cases.push({
      name,
      triangles: mesh.triangleCount,
      points: count,
      trials: list,
      best: best.depth as number,
      autoOverBest: totalOf(list[0]!) / totalOf(best),
    });
  }
  return cases;
}

/** From the coarsest depth that could be the best to the first that has more interactions than `auto`. */
function fixedDepths({ mesh, p, d }: DepthOptions, points: Float32Array): number[] {
  const surface = localSurface(mesh);
  const source = buildSourceTree(surface);
  const count = points.length / 3;
  const figuresOf = (depth: MultipoleDepth) => {
    const evaluation = buildEvaluationTree(surface, source, { depth, points: count, p, q: p, d });
    return treeFigures({ surface, source, evaluation }, firstPoints(points, FIGURE_POINTS));
  };
  const auto = figuresOf('auto');
  const depths: number[] = [];
  for (let depth = 0; depth <= source.depth; depth++) {
    const { nearTriangles, interactions } = figuresOf(depth);
    if (nearTriangles <= MOST_NEAR * auto.nearTriangles) depths.push(depth);
    if (interactions > auto.interactions) break;
  }
  return depths;
}

async function tryDepth(
  { mesh, way, p, d }: DepthOptions,
  depth: MultipoleDepth,
  points: Float32Array,
): Promise<DepthTrial> {
  const count = points.length / 3;
  globalThis.gc?.();
  const prepared = await way.prepare(mesh, { p, d, depth, points: count, closed: true });
  try {
    const asked = firstPoints(points, way.mostPoints);
    const { seconds } = await clocked(() => prepared.evaluate(asked));
    return {
      depth,
      trees: treeFigures(prepared.trees, firstPoints(points, FIGURE_POINTS)),
      setUpSeconds: totalSeconds(prepared.stages),
      evaluateSeconds: (seconds * points.length) / asked.length,
    };
  } finally {
    prepared.destroy();
  }
}

const fasterOf = (a: DepthTrial, b: DepthTrial): DepthTrial => ({
  ...a,
  setUpSeconds: Math.min(a.setUpSeconds, b.setUpSeconds),
  evaluateSeconds: Math.min(a.evaluateSeconds, b.evaluateSeconds),
});
