/** A packing by all ways: contacts are checked first; then steps are timed, round by round, all ways in turns. */
import { ContactPipeline, type DetectedContacts, type Device } from '../../index.ts';
import { WrongAnswers } from '../pairs/check.ts';
import type { ContactRunReport, PackingReport, WayReport } from '../report.ts';
import { clocked, type HostClock, inTurns, medianRatio, medianStages, spread } from '../spread.ts';
import { countText } from '../text.ts';
import { movedPoses, type PackedKind, type Packing } from './packings.ts';
import type { ContactPeer } from './rapier.ts';
import { deepestOf } from './relaxed.ts';

/** Steps of a round. Their poses begin anew with each round, so lists of pairs are made in the first at least. */
export const STEPS = 5;

/**
 * Overlap below which a way need not know that two bodies overlap, in radii of the bodies, which are about 1. Scree:
 * twice what docs/contacts.md derives for float32, which is 2^-17 of a pair's size, 2 radii. The peer: its depths are
 * off by up to 5e-3 of a pair's size.
 */
const SHALLOW = { scree: 2 ** -15, peer: 1e-2 } as const;

/**
 * Steps before the timed ones, and seconds after which no more follow: engines compile what they find to be asked
 * often.
 */
const WARM_UP = { steps: 20, seconds: 2 } as const;

/** A way of detecting contacts, or of moving bodies. */
export interface PackingWay extends WayReport {
  readonly backend?: 'cpu' | 'gpu';
  readonly oneThread?: boolean;
  /** What steps do with contacts. Default: forces. */
  readonly response?: 'impulses';
  /** Most bodies that it is asked about. */
  readonly mostBodies: number;
}

/**
 * @param suite begins the keys of scree's ways
 * @param peer whether Rapier is there
 */
export function packingWays(suite: 'contacts' | 'dem', { adapter }: Device, peer: boolean): PackingWay[] {
  const gpu = { backend: 'gpu', mostBodies: adapter.software ? 1e4 : Infinity } as const;
  const cpu = { kind: 'scree', backend: 'cpu' } as const;
  return [
    { key: `${suite}-cpu`, label: 'CPU', ...cpu, mostBodies: Infinity },
    { key: `${suite}-cpu-1`, label: 'CPU, 1 thread', ...cpu, oneThread: true, mostBodies: 1e4 },
    { key: `${suite}-gpu`, label: 'GPU', kind: 'scree', ...gpu },
    // Making ten times as many kinematic bodies takes it minutes.
    ...(peer ? [{ key: 'rapier', label: 'Rapier, CPU', kind: 'peer', mostBodies: 1e4 } as const] : []),
  ];
}

/** What a step of a way took and found. */
interface Step {
  readonly seconds: number;
  /** Deepest overlaps by pairs of bodies, where they are asked for. */
  readonly overlaps?: Map<number, number>;
  readonly result?: DetectedContacts;
}

interface Ready {
  readonly setUpSeconds: number;
  step(poses: Float64Array, ask?: { readonly overlaps?: boolean; readonly timestamps?: boolean }): Promise<Step>;
  destroy(): void;
}

/** What suites `contacts` and `dem` measure bodies of a kind with. */
export interface MeasureOptions {
  readonly device: Device;
  readonly kind: PackedKind;
  readonly made: string;
  /** The CPU's first: the first that is not left out is the reference of the others. */
  readonly ways: readonly PackingWay[];
  readonly peer: ContactPeer | undefined;
  readonly rounds: number;
  /** Seconds that all timed rounds of a way may take, or a step of a heap: else there are fewer, or it is left out. */
  readonly mostSeconds: number;
  /** Whether engines may be cold: times say nothing then. */
  readonly quick: boolean;
  /** Of fewer bodies of the kind; these add their own. */
  readonly secondsPerBody: Map<PackingWay, number>;
  readonly signal?: AbortSignal | undefined;
}

interface MeasurePackingOptions extends MeasureOptions {
  readonly packing: Packing;
  readonly host: HostClock;
}

/** A way at work on a packing. */
interface Asked {
  readonly way: PackingWay;
  readonly ready: Ready;
  readonly counted: Pick<ContactRunReport, 'checked' | 'wrong'> & { readonly grown: number };
  readonly rounds: number;
  readonly seconds: number[];
  readonly stages: Readonly<Record<string, number>>[];
  last?: DetectedContacts;
  gpu?: number;
}

export interface MeasuredPacking {
  /** Both undefined where all ways of scree were left out. */
  readonly report?: PackingReport;
  readonly reference?: DetectedContacts | undefined;
  /** What was left out, and why. */
  readonly remarks: readonly string[];
}

/** @throws WrongAnswers if a way of scree finds other contacts than the CPU. */
export async function measurePacking(options: MeasurePackingOptions): Promise<MeasuredPacking> {
  const { kind, packing, made, ways, rounds, mostSeconds, quick, secondsPerBody, host, signal } = options;
  const bodies = packing.shapes.length;
  const what = `${kind.label}, ${countText(bodies)} bodies`;
  const poses = movedPoses(packing, STEPS);
  const asked: Asked[] = [];
  const leftOut: string[] = [];
  let reference: Step | undefined;
  try {
    for (const way of ways) {
      signal?.throwIfAborted();
      const expected = STEPS * bodies * (secondsPerBody.get(way) ?? 0);
      if (expected > mostSeconds) leftOut.push(way.label);
      if (expected > mostSeconds || bodies > way.mostBodies) continue;
      if (way.kind === 'peer' && reference === undefined) continue;
      const ready = await prepare(way, options);
      if (ready === undefined) continue;
      // The first step compiles kernels and grows lists.
      const first = await ready.step(poses[0]!, { overlaps: true });
      reference ??= first;
      const counted = hold(what, way, reference.overlaps!, first.overlaps!);
      const seconds = await warmUp(ready, poses, quick ? 1 : WARM_UP.steps);
      secondsPerBody.set(way, seconds / bodies);
      const own = Math.max(1, Math.floor(mostSeconds / (STEPS * seconds)));
      const grown = first.result?.grown.length ?? 0;
      asked.push({ way, ready, counted: { ...counted, grown }, rounds: own, seconds: [], stages: [] });
    }
    const remark = `${what}: left out, as it would take too long: ${leftOut.join('; ')}.`;
    const remarks = leftOut.length === 0 ? [] : [remark];
    if (reference === undefined) return { remarks };
    await inTurns(asked, rounds, async (one, round) => {
      if (round < one.rounds) await timeRound(one, poses, host, signal);
    });
    const overlaps = [...reference.overlaps!.values()];
    const sum = overlaps.reduce((total, depth) => total + depth, 0);
    const report = {
      ...{ kind: kind.name, label: kind.label, bodies, made, partners: (2 * overlaps.length) / bodies },
      meanDepth: sum / Math.max(1, overlaps.length),
      runs: asked.map((one) => runOf(one, asked)),
    };
    return { report, reference: reference.result, remarks };
  } finally {
    for (const { ready } of asked) ready.destroy();
  }
}

async function prepare(
  way: PackingWay,
  { device, kind, packing, peer, signal }: MeasurePackingOptions,
): Promise<Ready | undefined> {
  const { backend, oneThread } = way;
  if (backend === undefined) {
    const { result: world, seconds } = await clocked(async () => peer?.world(kind.shapes, packing));
    if (world === undefined) return undefined;
    return {
      setUpSeconds: seconds,
      step: async (poses, { overlaps } = {}) => ({
        seconds: world.detect(poses),
        ...(overlaps && { overlaps: world.overlaps() }),
      }),
      destroy: () => world.destroy(),
    };
  }
  const of = { bodies: { shapes: packing.shapes }, signal, ...(oneThread && { threads: 1 }) };
  const made = await clocked(() => ContactPipeline.create(backend === 'gpu' ? device : undefined, kind.shapes, of));
  const { result: pipeline, seconds } = made;
  return {
    setUpSeconds: seconds,
    async step(poses, { overlaps, timestamps } = {}) {
      const { result, seconds: wall } = await clocked(() => pipeline.detect({ poses, backend, signal, timestamps }));
      return { seconds: wall, result, ...(overlaps && { overlaps: overlapsOf(result) }) };
    },
    destroy: () => pipeline.destroy(),
  };
}

function overlapsOf(result: DetectedContacts): Map<number, number> {
  const { bodies, distances } = result;
  return new Map(deepestOf(result).map((i) => [bodies[2 * i]! * 2 ** 26 + bodies[2 * i + 1]!, -distances[i]!]));
}

/** Pairs that overlap more than a hair, in the one list or the other, have to be in both. */
export function hold(
  what: string,
  { kind, label }: WayReport,
  expected: ReadonlyMap<number, number>,
  found: ReadonlyMap<number, number>,
): { readonly checked: number; readonly wrong: number } {
  const shallow = kind === 'peer' ? SHALLOW.peer : SHALLOW.scree;
  const missing = [...expected].filter(([pair, depth]) => depth > shallow && !found.has(pair));
  const surplus = [...found].filter(([pair, depth]) => depth > shallow && !expected.has(pair));
  const wrong = missing.length + surplus.length;
  if (kind === 'peer' || wrong === 0) return { checked: expected.size, wrong };
  const [pair, depth] = (missing[0] ?? surplus[0])!;
  const bodies = `bodies ${Math.floor(pair / 2 ** 26)} and ${pair % 2 ** 26}, which overlap by ${depth}`;
  const how = missing.length > 0 ? `misses ${bodies}` : `has ${bodies}, where the CPU has nothing`;
  throw new WrongAnswers(`${what}: ${label} gave ${wrong} wrong pairs: it ${how}`);
}

/** Seconds of the last step. */
async function warmUp(ready: Ready, poses: readonly Float64Array[], most: number): Promise<number> {
  let [seconds, sum] = [0, 0];
  for (let step = 1; step <= most && sum < WARM_UP.seconds; step++) {
    ({ seconds } = await ready.step(poses[step % STEPS]!));
    sum += seconds;
  }
  return seconds;
}

async function timeRound(
  one: Asked,
  poses: readonly Float64Array[],
  host: HostClock,
  signal?: AbortSignal,
): Promise<void> {
  const { ready, way } = one;
  host.collectGarbage?.();
  let total = 0;
  const sums: Record<string, number> = {};
  for (const own of poses) {
    signal?.throwIfAborted();
    const { seconds, result } = await ready.step(own);
    total += seconds / STEPS;
    if (result === undefined) continue;
    const { total: _, gpu: __, ...stages } = result.seconds;
    for (const [name, stage] of Object.entries(stages)) sums[name] = (sums[name] ?? 0) + stage / STEPS;
    one.last = result;
  }
  one.seconds.push(total);
  one.stages.push(sums);
  if (way.backend !== 'gpu' || one.gpu !== undefined) return;
  // In a call of its own: what reading timestamps takes is no part of any wall time.
  const { result } = await ready.step(poses[0]!, { timestamps: true });
  if (result?.seconds.gpu !== undefined) one.gpu = result.seconds.gpu;
}

function runOf({ way, ready, counted, seconds, stages, last, gpu }: Asked, asked: readonly Asked[]): ContactRunReport {
  const peer = asked.find((one) => one.way.kind === 'peer');
  const isCompared = peer !== undefined && way.kind !== 'peer';
  const both = isCompared ? Math.min(peer.seconds.length, seconds.length) : 0;
  return {
    ...{ way: way.key, setUpSeconds: ready.setUpSeconds, seconds: spread(seconds) },
    ...(gpu !== undefined && { gpu }),
    stages: medianStages(stages),
    ratioToPeer: both === 0 ? 0 : medianRatio(peer!.seconds.slice(0, both), seconds.slice(0, both)),
    ...{ pairs: last?.pairs ?? 0, contacts: last?.count ?? 0, nodesTested: last?.nodesTested ?? 0 },
    nodesNear: last?.nodesNear ?? 0,
    ...{ openContacts: last?.openContacts ?? 0, deepContacts: last?.deepContacts ?? 0 },
    ...{ ...counted, gpuBytes: last?.gpuBytes ?? 0 },
  };
}
