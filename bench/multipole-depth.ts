/**
 * The depth that the cost model chooses, against fixed depths and the paper's two rules: set-up plus evaluation of M points
 * on bodies of N triangles. Times are the least of all rounds.
 */

import { makePoints } from '../src/bench/points.ts';
import { inTurns } from '../src/bench/spread.ts';
import { MOST_MULTIPOLE_LEVEL } from '../src/inside/multipole/constants.ts';
import type { MultipoleDepth } from '../src/inside/multipole/depth.ts';
import type { TriangleMesh } from '../src/mesh/triangle-mesh.ts';
import { clocked } from './clocked.ts';
import { least } from './fit.ts';
import {
  firstPoints,
  type PotentialKey,
  type PotentialWay,
  type TreeFigures,
  totalSeconds,
  treeFigures,
} from './potential-way.ts';

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

/** One set-up, and the numbers of points that it is asked for. */
interface Item {
  readonly depth: MultipoleDepth;
  readonly counts: readonly number[];
}

export async function studyDepth(options: DepthOptions): Promise<DepthCase[]> {
  const { name, mesh, perAxis, rounds, say } = options;
  const points = makePoints('random', mesh, Math.max(...perAxis));
  const counts = perAxis.map((n) => n ** 3);
  const trials = new Map<number, Map<MultipoleDepth, DepthTrial>>(counts.map((count) => [count, new Map()]));
  const items = itemsOf(options, points, counts);
  await inTurns(items, rounds, async (item, round) => {
    say(`${name}: round ${round + 1} of ${rounds}, depth ${item.depth}, points ${item.counts.join(', ')}`);
    for (const [count, trial] of await tryDepth(options, item, points)) {
      const own = trials.get(count)!;
      const earlier = own.get(item.depth);
      own.set(item.depth, earlier === undefined ? trial : fasterOf(earlier, trial));
    }
  });
  return counts.map((count) => {
    // Not in the order of the rounds.
    const list = items.flatMap(({ depth, counts }) =>
      counts.includes(count) ? [trials.get(count)!.get(depth)!] : [],
    );
    const auto = list.find(({ depth }) => depth === 'auto')!;
    const fixed = list.filter(({ depth }) => typeof depth === 'number');
    const best = least(fixed, totalOf);
    return {
      name,
      triangles: mesh.triangleCount,
      points: count,
      trials: list,
      best: best.depth as number,
      autoOverBest: totalOf(auto) / totalOf(best),
    };
  });
}

/** A fixed depth and `pre-chosen` are the same trees for all numbers of points. */
function itemsOf(options: DepthOptions, points: Float32Array, counts: readonly number[]): Item[] {
  const each = (depth: MultipoleDepth) => counts.map((count): Item => ({ depth, counts: [count] }));
  const eligible = counts.map((count) => ({
    count,
    depths: fixedDepths(options, firstPoints(points, count)),
  }));
  const fixed = [...new Set(eligible.flatMap(({ depths }) => depths))].sort((a, b) => a - b);
  return [
    ...each('auto'),
    ...fixed.map(
      (depth): Item => ({
        depth,
        counts: eligible.filter(({ depths }) => depths.includes(depth)).map(({ count }) => count),
      }),
    ),
    ...each('well-chosen'),
    { depth: 'pre-chosen', counts },
  ];
}

/** From the coarsest depth that could be the best to the first that has more interactions than `auto`. */
function fixedDepths({ mesh, way, p, d }: DepthOptions, points: Float32Array): number[] {
  const figuresOf = (depth: MultipoleDepth) =>
    treeFigures(
      way.trees(mesh, { p, d, depth, points: points.length / 3 }),
      firstPoints(points, FIGURE_POINTS),
    );
  const auto = figuresOf('auto');
  const depths: number[] = [];
  for (let depth = 0; depth <= MOST_MULTIPOLE_LEVEL; depth++) {
    const { level, nearTriangles, interactions } = figuresOf(depth);
    // The source tree ends before.
    if (level < depth) break;
    // Without interactions it is a direct sum, which is measured elsewhere.
    if (interactions > 0 && nearTriangles <= MOST_NEAR * auto.nearTriangles) depths.push(depth);
    if (interactions > auto.interactions) break;
  }
  return depths;
}

async function tryDepth(
  { mesh, way, p, d }: DepthOptions,
  { depth, counts }: Item,
  points: Float32Array,
): Promise<Map<number, DepthTrial>> {
  globalThis.gc?.();
  const settings = { p, d, depth, points: Math.max(...counts), closed: true };
  const prepared = await way.prepare(mesh, settings);
  try {
    const trees = treeFigures(way.trees(mesh, settings), firstPoints(points, FIGURE_POINTS));
    const setUpSeconds = totalSeconds(prepared.stages);
    const trials = new Map<number, DepthTrial>();
    for (const count of counts) {
      const asked = firstPoints(points, Math.min(count, way.mostPoints));
      const { seconds } = await clocked(() => prepared.evaluate(asked));
      const evaluateSeconds = (seconds * count) / (asked.length / 3);
      trials.set(count, { depth, trees, setUpSeconds, evaluateSeconds });
    }
    return trials;
  } finally {
    prepared.destroy();
  }
}

const fasterOf = (a: DepthTrial, b: DepthTrial): DepthTrial => ({
  ...a,
  setUpSeconds: Math.min(a.setUpSeconds, b.setUpSeconds),
  evaluateSeconds: Math.min(a.evaluateSeconds, b.evaluateSeconds),
});
