/** A heap by all ways: their first steps are compared, then steps are timed, round by round, all ways in turns. */
import { type Monitors, Simulation } from '../../index.ts';
import type { MeasureOptions, PackingWay } from '../contacts/measure.ts';
import type { PeerHeap } from '../contacts/rapier.ts';
import { WrongAnswers } from '../pairs/check.ts';
import type { DemHeapReport, DemRunReport } from '../report.ts';
import { clocked, inTurns, medianRatio, medianStages, spread } from '../spread.ts';
import type { BenchHost } from '../suite.ts';
import { countText } from '../text.ts';
import { DENSITY, type Heap, sceneOf } from './heaps.ts';

/**
 * Steps before the timed ones, and seconds after which no more follow: engines compile what is asked often. A step of
 * 100 spheres took 0.32 ms after 30 and after 1,000 steps, and 0.17 ms after 5,000.
 */
const WARM_UP = { steps: 5000, seconds: 2 } as const;
/** Steps of a round take about so long, and are so many at most. */
const ROUND = { steps: 200, seconds: 1 } as const;
/** Steps after which the backends' energies are compared. */
const COMPARED_STEPS = 3;
/**
 * How far the energy of springs on the GPU may be off. Distances there are within 2^-17 of a pair's size
 * (docs/contacts.md), 2^-16 units here. Overlaps are some thousandths of a unit, so the energy, which grows with their
 * square or faster, is within a hundredth.
 */
const ENERGY_TOLERANCE = 1e-2;

interface MeasureHeapOptions extends MeasureOptions {
  readonly heap: Heap;
  readonly host: Pick<BenchHost, 'collectGarbage' | 'usedBytes'>;
}

/** A way at work on a heap. */
interface Asked {
  readonly way: PackingWay;
  readonly of: Simulation | PeerHeap;
  readonly setUpSeconds: number;
  readonly hostBytes: number;
  readonly checked: number;
  /** Per round. */
  readonly steps: number;
  readonly seconds: number[];
  readonly stages: Readonly<Record<string, number>>[];
}

export interface MeasuredHeap {
  readonly report: DemHeapReport;
  /** What was left out, and why. */
  readonly remarks: readonly string[];
}

const isOwn = (of: Asked['of']): of is Simulation => of instanceof Simulation;

/** @throws WrongAnswers if a way of scree has another energy than the CPU after the first steps. */
export async function measureHeap(options: MeasureHeapOptions): Promise<MeasuredHeap> {
  const { kind, heap, made, ways, rounds, mostSeconds, quick, secondsPerBody, host, signal } = options;
  const bodies = heap.packing.shapes.length;
  const what = `${kind.label}, ${countText(bodies)} bodies`;
  const asked: Asked[] = [];
  const remarks: string[] = [];
  let expected: number | undefined;
  try {
    for (const way of ways) {
      signal?.throwIfAborted();
      if (bodies > way.mostBodies) continue;
      if (bodies * (secondsPerBody.get(way) ?? 0) > mostSeconds) {
        remarks.push(`${what}: ${way.label} was left out, as a step would take more than ${mostSeconds} s.`);
        continue;
      }
      host.collectGarbage?.();
      const before = host.usedBytes?.() ?? 0;
      const { result: of, seconds: setUpSeconds } = await clocked(() => open(way, options));
      if (of === undefined) continue;
      let checked = 0;
      if (isOwn(of)) {
        await of.step(COMPARED_STEPS, { signal });
        const { elastic } = of.monitors;
        if (way.response === undefined) {
          expected ??= elastic;
          hold(`${what}: ${way.label}`, way, expected, elastic);
        } else holdBalance(`${what}: ${way.label}`, of.monitors);
        checked = 1;
      }
      const perStep = await warmUp(of, quick ? 1 : WARM_UP.steps, signal);
      secondsPerBody.set(way, perStep / bodies);
      host.collectGarbage?.();
      const hostBytes = Math.max(0, (host.usedBytes?.() ?? 0) - before);
      const steps = quick ? 1 : Math.max(1, Math.min(ROUND.steps, Math.round(ROUND.seconds / perStep)));
      asked.push({ way, of, setUpSeconds, hostBytes, checked, steps, seconds: [], stages: [] });
    }
    await inTurns(asked, rounds, async (one) => {
      signal?.throwIfAborted();
      const { of, steps } = one;
      const before = isOwn(of) ? of.seconds : {};
      one.seconds.push((await clocked(() => move(of, steps, signal), host)).seconds / steps);
      const after = isOwn(of) ? Object.entries(of.seconds) : [];
      one.stages.push(Object.fromEntries(after.map(([name, sum]) => [name, (sum - (before[name] ?? 0)) / steps])));
    });
    const runs: DemRunReport[] = [];
    for (const one of asked) runs.push(await runOf(one, asked, kind.volume * DENSITY * bodies));
    return { report: { kind: kind.name, label: kind.label, bodies, made, runs }, remarks };
  } finally {
    for (const { of } of asked) of.destroy();
  }
}

async function open(
  { backend, oneThread, response }: PackingWay,
  { device, kind, heap, peer, signal }: MeasureHeapOptions,
): Promise<Asked['of'] | undefined> {
  if (backend === undefined) return peer?.heap(kind.shapes, heap.packing, heap.box);
  const of = { backend, signal, response, threads: oneThread ? 1 : undefined };
  return Simulation.create(backend === 'gpu' ? device : undefined, sceneOf(kind, heap), of);
}

async function move(of: Asked['of'], steps: number, signal: AbortSignal | undefined): Promise<void> {
  if (isOwn(of)) await of.step(steps, { signal });
  else for (let step = 0; step < steps; step++) of.step();
}

/** Seconds of the shortest step: others wait for compilers, and for what else the machine does. */
async function warmUp(of: Asked['of'], most: number, signal: AbortSignal | undefined): Promise<number> {
  let [least, sum] = [Infinity, 0];
  for (let step = 0; step < most && sum < WARM_UP.seconds; step++) {
    const { seconds } = await clocked(() => move(of, 1, signal));
    least = Math.min(least, seconds);
    sum += seconds;
  }
  return least;
}

/** Any number of threads has the same bytes; the GPU has float32. */
export function hold(what: string, { backend }: Pick<PackingWay, 'backend'>, expected: number, found: number): void {
  const tolerance = backend === 'gpu' ? ENERGY_TOLERANCE * expected : 0;
  if (Math.abs(found - expected) <= tolerance) return;
  throw new WrongAnswers(
    `${what}: springs have the energy ${found} after ${COMPARED_STEPS} steps, and ${expected} on the CPU`,
  );
}

/** Impulses hold no energy: what moves, was lost and brought in makes up for what was there. */
export function holdBalance(
  what: string,
  {
    balance,
    kinetic,
    dashpots,
    friction,
    pushed,
  }: Pick<Monitors, 'balance' | 'kinetic' | 'dashpots' | 'friction' | 'pushed'>,
): void {
  // Dashpots give energy back where overlaps that forces left come apart.
  const turnedOver = [kinetic, dashpots, friction, pushed].reduce((sum, energy) => sum + Math.abs(energy), 0);
  if (Math.abs(balance) <= ENERGY_TOLERANCE * turnedOver) return;
  throw new WrongAnswers(
    `${what}: energies are off by ${balance} after ${COMPARED_STEPS} steps, of ${turnedOver} that was turned over`,
  );
}

async function runOf(one: Asked, asked: readonly Asked[], mass: number): Promise<DemRunReport> {
  const { way, of, setUpSeconds, hostBytes, checked, seconds, stages } = one;
  const peer = asked.find((other) => other.way.kind === 'peer');
  const ratioToPeer = peer === undefined || peer === one ? 0 : medianRatio(peer.seconds, seconds);
  const own = isOwn(of) ? of.monitors : undefined;
  return {
    ...{ way: way.key, setUpSeconds, seconds: spread(seconds), timeStep: of.timeStep },
    stages: medianStages(stages),
    ...{ ratioToPeer, ratioOfTime: peer === undefined ? 0 : (ratioToPeer * of.timeStep) / peer.of.timeStep },
    ...{ hostBytes, gpuBytes: isOwn(of) ? (await of.contacts()).gpuBytes : 0, checked, wrong: 0 },
    ...{ contacts: own?.contacts ?? 0, deepest: own?.deepestOverlap ?? 0 },
    speed: Math.sqrt((2 * (own?.kinetic ?? 0)) / mass),
  };
}
