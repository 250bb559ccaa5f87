/** Suite `distance`: two meshes a gap apart, how long it takes to tell how far, and whether they meet. */
import {
  BoundingTree,
  type BoundingTreeOptions,
  meshDistance,
  meshesMeet,
  openCellFoam,
  randomRock,
  ScreeError,
  type Strategy,
  type TriangleMesh,
} from '../../index.ts';
import type { DistanceCaseReport, DistanceReport } from '../report.ts';
import { clocked, inTurns, medianRatio, spread } from '../spread.ts';
import { measuredCase, type PlannedSuite, type RunContext } from '../suite.ts';
import { countText } from '../text.ts';
import { distanceStatements } from './statements.ts';
import type { MeshPeer, MeshPeerPair, Pose } from './three-mesh-bvh.ts';

interface DistanceWay {
  readonly key: string;
  readonly label: string;
  readonly kind: 'scree' | 'peer';
  readonly tree?: BoundingTreeOptions;
  readonly strategy?: Strategy;
}

const VOLUMES: readonly (readonly [key: string, label: string, tree: BoundingTreeOptions])[] = [
  ['sphere', 'spheres', { volume: 'sphere' }],
  ['aabb', 'axis-aligned boxes', { volume: 'aabb' }],
  ['obb', 'oriented boxes', { volume: 'obb' }],
  ['k-dop-18', '18-DOPs', { volume: 'k-dop', k: 18 }],
];
const STRATEGIES = ['best-first', 'greedy'] as const;

const WAYS: readonly DistanceWay[] = [
  ...VOLUMES.flatMap(([key, label, tree]) =>
    STRATEGIES.map((strategy): DistanceWay => {
      return { key: `${key}-${strategy}`, label: `${label}, ${strategy}`, kind: 'scree', tree, strategy };
    }),
  ),
  { key: 'three-mesh-bvh', label: 'three-mesh-bvh', kind: 'peer' },
];

export interface DistancePlan {
  readonly triangles: readonly number[];
  /** In sizes of a body, the longest edge of its box. */
  readonly gaps: readonly number[];
  readonly rounds: number;
  /** A round repeats a question for so many seconds. */
  readonly seconds: number;
}

const FULL: DistancePlan = { triangles: [2000, 20_000, 120_000], gaps: [1, 1e-2, 1e-4], rounds: 3, seconds: 0.05 };
const QUICK: DistancePlan = { triangles: [2000], gaps: [1, 1e-2, 1e-4], rounds: 3, seconds: 0.01 };

const BODIES = [
  {
    label: 'rocks',
    make: (triangles: number, seed: number) => randomRock({ seed, convex: false, triangles }),
  },
  { label: 'foams', make: (triangles: number, seed: number) => openCellFoam({ triangles, seed }) },
];

const TURN = [0.1, 0.2, 0.3, Math.sqrt(1 - 0.14)];
const DIRECTION = [0.6, 0.64, 0.48];
const poseAt = (far: number): Pose => [...DIRECTION.map((x) => far * x), ...TURN];
const posesOf = (pose: Pose) => [0, 0, 0, 0, 0, 0, 1, ...pose];
const sizeOf = ({ box }: TriangleMesh) => Math.max(...box.max.map((x, k) => x - box.min[k]!));
/** Of distances, relative to the size: between scree's own ways, and of the peer. */
const OWN_TOLERANCE = 1e-12;
const PEER_TOLERANCE = 1e-6;

const WITHOUT_PEER = 'Distances: three-mesh-bvh was not compared: install three and three-mesh-bvh beside scree.';

export async function planDistance(context: RunContext, plan = context.quick ? QUICK : FULL): Promise<PlannedSuite> {
  const peer = await context.host.loadMeshPeer();
  const ways = WAYS.filter(({ kind }) => kind === 'scree' || peer);
  return {
    steps: BODIES.length * plan.triangles.length * plan.gaps.length,
    async run(step) {
      const report: { -readonly [K in 'setUps' | 'cases' | 'stopped']: DistanceReport[K][number][] } = {
        ...{ setUps: [], cases: [], stopped: [] },
      };
      for (const { label, make } of BODIES) {
        for (const triangles of plan.triangles) {
          const [meshA, meshB] = [make(triangles, 1), make(triangles, 2)];
          const told = { label, triangles: meshA.triangleCount };
          for (const gap of plan.gaps) {
            await step(`${label} of ${countText(triangles)} triangles, ${gap} sizes apart`);
            const pose = await poseWithGap(meshA, meshB, gap * sizeOf(meshA));
            const measured = await measure(meshA, meshB, pose, { ways, peer, plan, context });
            report.cases.push({ ...told, gap, runs: measured });
            const secondsOf = (key: string) => measured.find((one) => one.way === key)?.distance.median;
            context.onCase?.(measuredCase('distance', `${label}, ${countText(triangles)}, ${gap}`, ways, secondsOf));
            report.stopped.push(...(await stoppedAt(meshA, meshB, pose)).map((one) => ({ ...told, gap, ...one })));
          }
          report.setUps.push(...(await setUps(meshA, peer, plan)).map((one) => ({ ...told, ...one })));
        }
      }
      const measured = { ways: ways.map(({ key, label, kind }) => ({ key, label, kind })), ...report };
      return {
        distance: { ...measured, findings: distanceStatements(measured) },
        remarks: peer === undefined ? [WITHOUT_PEER] : [],
      };
    },
  };
}

/** Moves b towards a until they are a gap apart. They never pass it: a move by d shortens a distance by d at most. */
async function poseWithGap(meshA: TriangleMesh, meshB: TriangleMesh, gap: number): Promise<Pose> {
  const [a, b] = [BoundingTree.create(meshA), BoundingTree.create(meshB)];
  let far = 3 * sizeOf(meshA) + gap;
  for (let i = 0; i < 100; i++) {
    const { distance } = await meshDistance({ a, b, poses: posesOf(poseAt(far)) });
    if (distance - gap <= 1e-3 * gap) break;
    far -= distance - gap;
  }
  return poseAt(far);
}

interface MeasureOptions {
  readonly ways: readonly DistanceWay[];
  readonly peer: MeshPeer | undefined;
  readonly plan: DistancePlan;
  readonly context: RunContext;
}

async function measure(
  meshA: TriangleMesh,
  meshB: TriangleMesh,
  pose: Pose,
  { ways, peer, plan, context: { signal } }: MeasureOptions,
): Promise<DistanceCaseReport['runs']> {
  const poses = posesOf(pose);
  const other: MeshPeerPair | undefined = peer?.pair(meshA, meshB);
  const asked = ways.map(({ tree, strategy = 'best-first' }) => {
    if (tree === undefined) return { distance: () => other!.distance(pose), meet: () => other!.meet(pose) };
    const pair = { a: BoundingTree.create(meshA, tree), b: BoundingTree.create(meshB, tree), poses };
    return {
      distance: async () => (await meshDistance(pair, { strategy })).distance,
      meet: () => meshesMeet(pair),
      visited: async () => (await meshDistance(pair, { strategy })).visited,
    };
  });
  const times = ways.map(() => ({ distance: [] as number[], meet: [] as number[] }));
  const numbers = [...ways.keys()];
  const expected = await asked[0]!.distance();
  const wrong: number[] = [];
  for (const way of numbers) wrong.push(await checked(ways[way]!, await asked[way]!.distance(), expected, meshA));
  await inTurns(numbers, plan.rounds, async (way) => {
    signal?.throwIfAborted();
    times[way]!.distance.push(await secondsOf(asked[way]!.distance, plan.seconds));
    times[way]!.meet.push(await secondsOf(asked[way]!.meet, plan.seconds));
  });
  const peerTimes = peer && times.at(-1)!;
  return Promise.all(
    ways.map(async ({ key, kind }, way) => ({
      way: key,
      ...{ distance: spread(times[way]!.distance), meet: spread(times[way]!.meet) },
      visited: (await asked[way]!.visited?.()) ?? 0,
      ratioOfDistance: peerTimes && kind !== 'peer' ? medianRatio(peerTimes.distance, times[way]!.distance) : 0,
      ratioOfMeet: peerTimes && kind !== 'peer' ? medianRatio(peerTimes.meet, times[way]!.meet) : 0,
      ...{ checked: 1, wrong: wrong[way]! },
    })),
  );
}

/** 1 for a wrong distance of the peer's. One of scree's ends the run. */
async function checked(way: DistanceWay, found: number, expected: number, mesh: TriangleMesh): Promise<number> {
  const error = Math.abs(found - expected) / sizeOf(mesh);
  if (way.kind === 'peer') return error > PEER_TOLERANCE ? 1 : 0;
  if (error <= OWN_TOLERANCE) return 0;
  throw new ScreeError(`${way.label}: distance ${found} of two ${mesh.name}, expected ${expected}`, 1);
}

/** Of a call: as many as take so many seconds, at least one. */
async function secondsOf(ask: () => unknown, least: number): Promise<number> {
  let calls = 0;
  const { seconds } = await clocked(async () => {
    const started = performance.now();
    do {
      await ask();
      calls++;
    } while (performance.now() - started < 1000 * least);
  });
  return seconds / calls;
}

async function setUps(mesh: TriangleMesh, peer: MeshPeer | undefined, { rounds, seconds }: DistancePlan) {
  const makers = [
    ...VOLUMES.map(([key, , tree]) => {
      return { way: `${key}-${STRATEGIES[0]}`, make: () => void BoundingTree.create(mesh, tree) };
    }),
    ...(peer ? [{ way: 'three-mesh-bvh', make: () => void peer.build(mesh) }] : []),
  ];
  const times = makers.map(() => [] as number[]);
  // Compiled before it is timed: a round more.
  await inTurns([...makers.keys()], rounds + 1, async (i, round) => {
    const own = await secondsOf(makers[i]!.make, seconds);
    if (round > 0) times[i]!.push(own);
  });
  return makers.map(({ way }, i) => ({
    way,
    seconds: spread(times[i]!),
    overPeer: peer && way !== 'three-mesh-bvh' ? medianRatio(times[i]!, times.at(-1)!) : 0,
  }));
}

/** Bounds of a search that is stopped after more and more pairs of nodes, in distances. */
async function stoppedAt(meshA: TriangleMesh, meshB: TriangleMesh, pose: Pose) {
  const pair = { a: BoundingTree.create(meshA), b: BoundingTree.create(meshB), poses: posesOf(pose) };
  const { distance, visited } = await meshDistance(pair);
  const found: { visits: number; lower: number }[] = [];
  for (let visits = 16; visits < 4 * visited; visits *= 4) {
    found.push({ visits, lower: (await meshDistance(pair, { visits })).lower / distance });
  }
  return found;
}
