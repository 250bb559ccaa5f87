/** All ways on one body: set-up, then every set of points, in turns. */

import { type MeasuredSet, measureSet } from '../src/bench/measure-set.ts';
import { makePoints, type PointSet } from '../src/bench/points.ts';
import type { Spread } from '../src/bench/report.ts';
import { type Ready, setUpTotals, setUpWays } from '../src/bench/set-up.ts';
import { medianRatio, spread } from '../src/bench/spread.ts';
import type { Way } from '../src/bench/way.ts';
import { nodeClock } from '../src/cli/bench-node.ts';
import type { TriangleMesh } from '../src/mesh/triangle-mesh.ts';

/** Getting ready for a body. */
export interface SetUp {
  /** Is the mesh closed? 0 for a peer, which does not ask. */
  readonly check: Spread;
  /** Tables, their upload included. */
  readonly build: Spread;
  readonly total: Spread;
  /** Median over rounds of total by the peer's total. */
  readonly ratioToPeer: number;
  readonly tableBytes: number;
  /** Most GPU memory held in any call; 0 on the CPU. */
  readonly gpuBytes: number;
}

/** What the JSON has of a way; docs/benchmarks.md explains it. */
export type SetResult = Pick<
  MeasuredSet['ways'][string],
  | 'pointsPerSecond'
  | 'ratioToPeer'
  | 'ratioToCopy'
  | 'seconds'
  | 'processorSeconds'
  | 'resolvedExactly'
  | 'wrong'
>;

export interface BodyResult {
  readonly name: string;
  readonly triangles: number;
  readonly vertices: number;
  readonly setUp: Readonly<Record<string, SetUp>>;
  readonly sets: readonly {
    readonly name: PointSet;
    readonly points: number;
    readonly inside: number;
    readonly boundary: number;
    /** Points whose flags exact predicates decided beforehand. */
    readonly exactSample: number;
    readonly ways: Readonly<Record<string, SetResult>>;
  }[];
}

export interface BodyOptions {
  readonly name: string;
  readonly mesh: TriangleMesh;
  readonly ways: readonly Way[];
  readonly sets: readonly PointSet[];
  readonly pointsPerAxis: number;
  readonly rounds: number;
  readonly setUpRounds: number;
  readonly sampleSize: number;
  readonly say: (line: string) => void;
}

/** @throws WrongFlags if a way of scree gives a wrong flag. */
export async function measureBody(options: BodyOptions): Promise<BodyResult> {
  const { name, mesh, ways, sets, say } = options;
  say(`${name}: set-up`);
  const { ready } = await setUpWays({ mesh, ways, rounds: options.setUpRounds, host: nodeClock });
  try {
    const results: BodyResult['sets'][number][] = [];
    for (const set of sets) {
      say(`${name}: ${set}`);
      results.push(await measureOne(options, set, ready));
    }
    return {
      name,
      triangles: mesh.triangleCount,
      vertices: mesh.vertexCount,
      setUp: summarizeSetUp(ready),
      sets: results,
    };
  } finally {
    for (const { prepared } of ready) prepared.destroy();
  }
}

function summarizeSetUp(all: readonly Ready[]): BodyResult['setUp'] {
  const peer = setUpTotals(all.find(({ way }) => way.kind === 'peer')!);
  const measured = all.filter(({ way }) => way.kind !== 'yardstick');
  return Object.fromEntries(
    measured.map((ready) => [
      ready.way.key,
      {
        check: spread(ready.check),
        build: spread(ready.build),
        total: spread(setUpTotals(ready)),
        ratioToPeer: medianRatio(setUpTotals(ready), peer),
        tableBytes: ready.prepared.tableBytes,
        gpuBytes: ready.gpuBytes,
      },
    ]),
  );
}

async function measureOne(options: BodyOptions, set: PointSet, all: readonly Ready[]) {
  const { name, mesh, pointsPerAxis, rounds, sampleSize } = options;
  const points = makePoints(set, mesh, pointsPerAxis);
  const what = `${name}, ${set}`;
  const measured = await measureSet({ what, mesh, points, all, rounds, sampleSize, host: nodeClock });
  const { flags, exactSample, ways } = measured;
  return {
    name: set,
    points: flags.length,
    inside: flags.reduce((sum, flag) => sum + (flag === 1 ? 1 : 0), 0),
    boundary: flags.reduce((sum, flag) => sum + (flag === 2 ? 1 : 0), 0),
    exactSample,
    ways: Object.fromEntries(Object.entries(ways).map(([key, way]) => [key, documented(way)])),
  };
}

function documented(way: MeasuredSet['ways'][string]): SetResult {
  const { pointsPerSecond, ratioToPeer, ratioToCopy, seconds, processorSeconds, resolvedExactly, wrong } =
    way;
  return { pointsPerSecond, ratioToPeer, ratioToCopy, seconds, processorSeconds, resolvedExactly, wrong };
}
