/** All ways on one body: set-up, then every set of points, in turns. */
import type { TriangleMesh } from '../src/mesh/triangle-mesh.ts';
import { FlagCheck } from './check.ts';
import { makePoints, type PointSet } from './points.ts';
import { clocked, inTurns, medianRatio, type Spread, spread } from './spread.ts';
import type { Answer, CallSeconds, Prepared, Way, WayKey } from './way.ts';

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

export interface SetResult {
  readonly pointsPerSecond: Spread;
  /** Medians over rounds of how many times as fast as three-mesh-bvh and as the copy the way was. */
  readonly ratioToPeer: number;
  readonly ratioToCopy: number;
  readonly seconds: Readonly<Record<keyof CallSeconds | 'total', Spread>>;
  readonly processorSeconds: Spread;
  readonly resolvedExactly: number;
  /** Flags that differ from the exact ones; scree's ways end the run instead. */
  readonly wrong: number;
}

export interface BodyResult {
  readonly name: string;
  readonly triangles: number;
  readonly vertices: number;
  readonly setUp: Partial<Record<WayKey, SetUp>>;
  readonly sets: readonly {
    readonly name: PointSet;
    readonly points: number;
    readonly inside: number;
    readonly boundary: number;
    /** Points whose flags exact predicates decided beforehand. */
    readonly exactSample: number;
    readonly ways: Readonly<Record<WayKey, SetResult>>;
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

interface Ready {
  readonly way: Way;
  prepared: Prepared;
  readonly check: number[];
  readonly build: number[];
  gpuBytes: number;
}

/** @throws WrongFlags if a way of scree gives a wrong flag. */
export async function measureBody(options: BodyOptions): Promise<BodyResult> {
  const { name, mesh, sets, say } = options;
  say(`${name}: set-up`);
  const all = await setUp(options);
  try {
    const results: BodyResult['sets'][number][] = [];
    for (const set of sets) {
      say(`${name}: ${set}`);
      results.push(await measureSet(options, set, all));
    }
    return {
      name,
      triangles: mesh.triangleCount,
      vertices: mesh.vertexCount,
      setUp: summarizeSetUp(all),
      sets: results,
    };
  } finally {
    for (const { prepared } of all) prepared.destroy();
  }
}

async function setUp({ mesh, ways, setUpRounds }: BodyOptions): Promise<Ready[]> {
  const all = new Map<Way, Ready>();
  await inTurns(ways, setUpRounds, async (way) => {
    const earlier = all.get(way);
    earlier?.prepared.destroy();
    globalThis.gc?.();
    const prepared = await way.prepare(mesh);
    const ready = earlier ?? { way, prepared, check: [], build: [], gpuBytes: 0 };
    ready.prepared = prepared;
    ready.check.push(prepared.check);
    ready.build.push(prepared.build);
    all.set(way, ready);
  });
  return [...all.values()];
}

function summarizeSetUp(all: readonly Ready[]): BodyResult['setUp'] {
  const total = ({ check, build }: Ready) => check.map((seconds, round) => seconds + build[round]!);
  const peer = total(all.find(({ way }) => way.kind === 'peer')!);
  const measured = all.filter(({ way }) => way.kind !== 'yardstick');
  return Object.fromEntries(
    measured.map((ready) => [
      ready.way.key,
      {
        check: spread(ready.check),
        build: spread(ready.build),
        total: spread(total(ready)),
        ratioToPeer: medianRatio(total(ready), peer),
        tableBytes: ready.prepared.tableBytes,
        gpuBytes: ready.gpuBytes,
      },
    ]),
  );
}

interface Measured {
  readonly answers: Answer[];
  readonly total: number[];
  readonly processor: number[];
  wrong: number;
}

async function measureSet(options: BodyOptions, set: PointSet, all: readonly Ready[]) {
  const { name, mesh, pointsPerAxis, rounds, sampleSize } = options;
  const points = makePoints(set, mesh, pointsPerAxis);
  const check = new FlagCheck({ what: `${name}, ${set}`, mesh, points, sampleSize });
  const measured = new Map<WayKey, Measured>();
  const ask = async (ready: Ready) => {
    const { way, prepared } = ready;
    const run = await clocked(() => prepared.answer(points));
    const { flags, gpuBytes } = run.result;
    if (way.kind === 'scree') check.requireRight(way.label, flags!);
    ready.gpuBytes = Math.max(ready.gpuBytes, gpuBytes);
    const wrong = way.kind === 'peer' ? check.countWrong(flags!) : 0;
    return { run, wrong };
  };
  // Scree's ways come first, so that there are flags to hold the peer against.
  for (const ready of all) await ask(ready);
  await inTurns(all, rounds, async (ready) => {
    const { run, wrong } = await ask(ready);
    const own = measured.get(ready.way.key) ?? { answers: [], total: [], processor: [], wrong };
    // Kept repetitions hold no flags.
    own.answers.push({ ...run.result, flags: undefined });
    own.total.push(run.seconds);
    own.processor.push(run.processorSeconds);
    own.wrong = Math.max(own.wrong, wrong);
    measured.set(ready.way.key, own);
  });
  const { flags } = check;
  return {
    name: set,
    points: flags.length,
    inside: flags.reduce((sum, flag) => sum + (flag === 1 ? 1 : 0), 0),
    boundary: flags.reduce((sum, flag) => sum + (flag === 2 ? 1 : 0), 0),
    exactSample: check.sampleSize,
    ways: summarizeSet(all, measured, flags.length),
  };
}

function summarizeSet(all: readonly Ready[], measured: ReadonlyMap<WayKey, Measured>, points: number) {
  const totalOf = (kind: Way['kind']) =>
    measured.get(all.find(({ way }) => way.kind === kind)!.way.key)!.total;
  const [peer, copy] = [totalOf('peer'), totalOf('yardstick')];
  const summarize = ({ answers, total, processor, wrong }: Measured): SetResult => {
    const stage = (key: keyof CallSeconds) => spread(answers.map(({ seconds }) => seconds[key]));
    return {
      pointsPerSecond: spread(total.map((seconds) => points / seconds)),
      ratioToPeer: medianRatio(peer, total),
      ratioToCopy: medianRatio(copy, total),
      seconds: {
        upload: stage('upload'),
        kernel: stage('kernel'),
        readback: stage('readback'),
        exact: stage('exact'),
        total: spread(total),
      },
      processorSeconds: spread(processor),
      resolvedExactly: answers[0]!.resolvedExactly,
      wrong,
    };
  };
  return Object.fromEntries(
    [...measured].map(([key, own]) => [key, summarize(own)]),
  ) as BodyResult['sets'][number]['ways'];
}
