/** `bench resolution`: sweeps the cells of the cell grid and holds its cost model against the best; docs/benchmarks.md. */
import { join } from 'node:path';
import { makePoints, POINT_SETS, type PointSet } from '../src/bench/points.ts';
import { resultJson } from '../src/bench/report-json.ts';
import { inTurns } from '../src/bench/spread.ts';
import { chooseResolution } from '../src/inside/cell-grid/resolution.ts';
import { PAIR_FLOATS } from '../src/inside/cell-grid/tables.ts';
import { Polyhedron } from '../src/inside/polyhedron.ts';
import { localSurface } from '../src/inside/surface.ts';
import type { TriangleMesh } from '../src/mesh/triangle-mesh.ts';
import type { BenchOptions } from './arguments.ts';
import { type BodyName, makeBody, whyMissing } from './bodies.ts';
import { clocked } from './clocked.ts';
import { fitConstants, least, pointsForeseen } from './fit.ts';
import { describeMachine } from './machine.ts';
import {
  reportHead,
  reportMarkdown,
  requireMarkdownPlace,
  tableText,
  writeMarkdown,
  writeResult,
} from './output.ts';
import {
  costOf,
  type ResolutionResult,
  resolutionChart,
  resolutionTables,
  type Step,
  type Sweep,
} from './resolution-report.ts';

const SECTION = 'resolution';
/** Cells along the longest extent: twelve steps of a third, and the model's own choice. */
const SWEEP = [16, 21, 29, 38, 51, 69, 92, 123, 165, 221, 297, 400] as const;
const QUICK_SWEEP = [4, 8, 16] as const;
const POINTS_PER_AXIS = 80;
const QUICK_POINTS_PER_AXIS = 16;
/** Builds, and calls on one set of points, in a row: the first after a change is slower by what engines adapt. */
const IN_A_ROW = 2;
/** Steps of up to so many times the least cost decide the fit. */
const FITTED_COSTS = 2;
/** What the portable limits leave for the table of pairs, as for a body without a device. */
const LARGEST_TABLE = 128 << 20;

export async function runResolution(options: BenchOptions, args: readonly string[]): Promise<void> {
  const { out, json = join(out, 'resolution.json'), markdown, quick, repeat } = options;
  if (markdown !== undefined) requireMarkdownPlace(markdown, SECTION);
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const machine = describeMachine(undefined, args);
  const sweeps: Sweep[] = [];
  for (const name of options.bodies) {
    const reason = whyMissing(name);
    if (reason === undefined) sweeps.push(await sweepBody(name, { quick, repeat, say }));
    else say(`skipped ${name}: ${reason}`);
  }
  const pointsPerSet = (quick ? QUICK_POINTS_PER_AXIS : POINTS_PER_AXIS) ** 3;
  const fitted = fitConstants(sweeps.flatMap(nearBest));
  const result: ResolutionResult = {
    schema: 'scree-bench-resolution/1',
    machine,
    options: { quick, repeat, pointsPerSet },
    bodies: sweeps,
    fitted,
  };
  const tables = resolutionTables(result);
  const chart = join(out, 'resolution.svg');
  writeResult(json, resultJson(result));
  writeResult(chart, resolutionChart(result));
  if (markdown !== undefined) writeMarkdown(markdown, SECTION, reportMarkdown(machine, tables));
  const written = [json, chart, ...(markdown ? [markdown] : [])].map((path) => `wrote ${path}`);
  process.stdout.write([...reportHead(machine), '', ...tables.map(tableText), ...written, ''].join('\n'));
}

/** Steps that the model has to tell apart; far from them, costs grow in other ways. */
function nearBest({ steps, pointsForeseen: points }: Sweep): Step[] {
  const cost = (step: Step) => costOf(step, points);
  const limit = FITTED_COSTS * Math.min(...steps.map(cost));
  return steps.filter((step) => cost(step) <= limit);
}

/** The cells along the longest extent that the cost model chooses. */
function modelChoice(mesh: TriangleMesh): number {
  const surface = localSurface(mesh);
  const { cell } = chooseResolution(surface, { largestBinding: LARGEST_TABLE });
  return Math.round(longestOf(sizesOf(surface.box)) / cell);
}

const sizesOf = ({ min, max }: TriangleMesh['box']) => [0, 1, 2].map((k) => max[k]! - min[k]!);
const longestOf = (sizes: readonly number[]) => Math.max(...sizes);

/** What the model expects of a resolution, in its own terms. */
function expectation(mesh: TriangleMesh, cellsPerAxis: number): { pairs: number; cells: number } {
  const surface = localSurface(mesh);
  const { cell, expectedPairs } = chooseResolution(surface, { cellsPerAxis, largestBinding: Infinity });
  const cells = sizesOf(surface.box).reduce((product, size) => product * (Math.floor(size / cell) + 1), 1);
  return { pairs: expectedPairs, cells };
}

interface Timing {
  build: number;
  /** Seconds of all points of a set. */
  readonly sets: Record<PointSet, number>;
  tableBytes: number;
}

async function sweepBody(
  name: BodyName,
  { quick, repeat, say }: Pick<BenchOptions, 'quick' | 'repeat'> & { say: (line: string) => void },
): Promise<Sweep> {
  const mesh = await makeBody(name);
  const perAxis = quick ? QUICK_POINTS_PER_AXIS : POINTS_PER_AXIS;
  const sets = new Map(POINT_SETS.map((set) => [set, makePoints(set, mesh, perAxis)]));
  const chosen = modelChoice(mesh);
  const wanted = [...new Set([...(quick ? QUICK_SWEEP : SWEEP), chosen])].sort((a, b) => a - b);
  const expected = new Map(wanted.map((cellsPerAxis) => [cellsPerAxis, expectation(mesh, cellsPerAxis)]));
  // Larger tables are refused by the library.
  const all = wanted.filter((n) => 4 * PAIR_FLOATS * expected.get(n)!.pairs <= LARGEST_TABLE);
  const timings = new Map<number, Timing>();
  // The first round warms up and is forgotten by taking the least of all rounds.
  await inTurns(all, repeat + 1, async (cellsPerAxis, round) => {
    say(`${name}: round ${round} of ${repeat}, ${cellsPerAxis} cells per axis`);
    const timing = await timeOnce(mesh, cellsPerAxis, sets);
    const best = timings.get(cellsPerAxis);
    timings.set(cellsPerAxis, best === undefined ? timing : faster(best, timing));
  });
  const steps = all.map((cellsPerAxis): Step => {
    const { build, sets: seconds, tableBytes } = timings.get(cellsPerAxis)!;
    return {
      cellsPerAxis,
      ...expected.get(cellsPerAxis)!,
      buildSeconds: build,
      pointsPerSecond: {
        grid: perAxis ** 3 / seconds.grid,
        random: perAxis ** 3 / seconds.random,
        near: perAxis ** 3 / seconds.near,
      },
      secondsPerRandomPoint: seconds.random / perAxis ** 3,
      tableBytes,
    };
  });
  const foreseen = pointsForeseen(mesh.triangleCount);
  const cost = (step: Step) => costOf(step, foreseen);
  const best = least(steps, cost);
  const ofModel = steps.find(({ cellsPerAxis }) => cellsPerAxis === chosen)!;
  return {
    name,
    triangles: mesh.triangleCount,
    pointsForeseen: foreseen,
    steps,
    chosen,
    best: best.cellsPerAxis,
    lossPercent: 100 * (cost(ofModel) / cost(best) - 1),
  };
}

/** One thread: threads would speed up building and asking alike, and add noise. */
async function timeOnce(
  mesh: TriangleMesh,
  cellsPerAxis: number,
  sets: ReadonlyMap<PointSet, Float32Array>,
): Promise<Timing> {
  const seconds: Record<PointSet, number> = { grid: 0, random: 0, near: 0 };
  let [build, tableBytes] = [Infinity, 0];
  for (let i = 1; i <= IN_A_ROW; i++) {
    const polyhedron = await Polyhedron.create(undefined, mesh, { cellsPerAxis, workers: false });
    try {
      const built = await clocked(() => polyhedron.classify(new Float32Array(0)));
      build = Math.min(build, built.seconds);
      tableBytes = built.result.tableBytes;
      if (i < IN_A_ROW) continue;
      for (const [set, points] of sets) {
        const calls: number[] = [];
        while (calls.length < IN_A_ROW)
          calls.push((await clocked(() => polyhedron.classify(points))).seconds);
        seconds[set] = Math.min(...calls);
      }
    } finally {
      polyhedron.destroy();
    }
  }
  return { build, sets: seconds, tableBytes };
}

/** The least of every time: other processes only ever add. */
function faster(a: Timing, b: Timing): Timing {
  return {
    build: Math.min(a.build, b.build),
    sets: {
      grid: Math.min(a.sets.grid, b.sets.grid),
      random: Math.min(a.sets.random, b.sets.random),
      near: Math.min(a.sets.near, b.sets.near),
    },
    tableBytes: a.tableBytes,
  };
}
