/** All ways on one set of points of a body, in turns: whole, or a part of the points where whole would take too long. */
import type { TriangleMesh } from '../index.ts';
import { FlagCheck } from './check.ts';
import { type Part, randomPart } from './points.ts';
import type { Spread } from './report.ts';
import type { Ready } from './set-up.ts';
import { clocked, type HostClock, inTurns, median, medianRatio, spread } from './spread.ts';
import type { Answer, CallSeconds, Way } from './way.ts';

/** Points of the first try of a way, and by how much more the next try has. */
const FIRST_TRY = 1000;
const NEXT_TRY = 8;
/** Calls that take longer are asked for GPU timestamps only once, in seconds. */
const SLOW_CALL = 0.25;

export interface SetResult {
  readonly pointsPerSecond: Spread;
  /** Medians over rounds of how many times as fast as the peer and as the copy the way was; 0 without them. */
  readonly ratioToPeer: number;
  readonly ratioToCopy: number;
  /** Of all points: scaled up where only `measuredPoints` were asked. */
  readonly seconds: Readonly<Record<keyof CallSeconds | 'total', Spread>>;
  /** The kernels by the GPU's own clock, likewise scaled. */
  readonly gpu?: Spread;
  readonly processorSeconds: Spread;
  readonly resolvedExactly: number;
  /** Flags that exact predicates had decided, of a peer those that scree's ways had. */
  readonly checked: number;
  /** Flags of a peer that differ from the exact ones; scree's ways end the run instead. */
  readonly wrong: number;
  readonly measuredPoints: number;
  /** Why not all points were asked; empty where they were. */
  readonly reason: string;
  readonly gpuBytes: number;
  readonly chosen: string;
}

export interface MeasuredSet {
  /** The flags that all ways of scree agree on. */
  readonly flags: Uint8Array;
  /** Points whose flags exact predicates decided beforehand. */
  readonly exactSample: number;
  readonly ways: Readonly<Record<string, SetResult>>;
}

export interface SetOptions {
  /** Body and set, for messages. */
  readonly what: string;
  readonly mesh: TriangleMesh;
  readonly points: Float32Array;
  /** Ways of scree before a peer, so that there are flags to hold it against. */
  readonly all: readonly Ready[];
  readonly rounds: number;
  readonly sampleSize: number;
  /**
   * Seconds that a call may be expected to take; default any. Ways for a number of points, and the yardstick, are asked about all
   * points in any case.
   */
  readonly mostCallSeconds?: number;
  /** Whether to ask for GPU timestamps, in calls of their own. */
  readonly timestamps?: boolean;
  readonly host: HostClock;
  readonly signal?: AbortSignal | undefined;
}

/** What a way was asked, and what came of it. */
interface Asked {
  readonly ready: Ready;
  /** Undefined for all points. */
  readonly part: Part | undefined;
  readonly reason: string;
  readonly answers: Answer[];
  readonly total: number[];
  readonly processor: number[];
  readonly gpu: number[];
  checked: number;
  wrong: number;
}

/** @throws WrongFlags if a way of scree gives a wrong flag. */
export async function measureSet(options: SetOptions): Promise<MeasuredSet> {
  const { what, mesh, points, all, rounds, sampleSize, host, signal } = options;
  const check = new FlagCheck({ what, mesh, points, sampleSize });
  const asked: Asked[] = [];
  for (const ready of all) {
    const first = await choosePart(options, ready, check);
    asked.push({ ready, ...first, answers: [], total: [], processor: [], gpu: [], checked: 0, wrong: 0 });
  }
  await inTurns(asked, rounds, async (one) => {
    signal?.throwIfAborted();
    const { prepared } = one.ready;
    const run = await clocked(() => prepared.answer(one.part?.points ?? points, { signal }), host);
    noteFlags(check, one, run.result);
    one.ready.gpuBytes = Math.max(one.ready.gpuBytes, run.result.gpuBytes);
    // Kept repetitions hold no flags.
    one.answers.push({ ...run.result, flags: undefined });
    one.total.push(run.seconds);
    one.processor.push(run.processorSeconds);
  });
  if (options.timestamps) for (const one of asked) await timeOnGpu(options, one, check);
  return { flags: check.flags, exactSample: check.sampleSize, ways: summarize(asked, points.length / 3) };
}

/**
 * Asks a way for the first time, which also warms it up: for more and more points, until it is foreseeable that all of them
 * take too long, or all were asked.
 */
async function choosePart(
  { points, mostCallSeconds = Infinity, host, signal }: SetOptions,
  { way, prepared }: Ready,
  check: FlagCheck,
): Promise<Pick<Asked, 'part' | 'reason'>> {
  const count = points.length / 3;
  const ask = async (size: number) => {
    signal?.throwIfAborted();
    const part = size < count ? randomPart(points, size) : undefined;
    const { result, seconds } = await clocked(
      () => prepared.answer(part?.points ?? points, { signal }),
      host,
    );
    if (way.kind === 'scree') check.requireRight(way.label, result.flags!, part?.numbers);
    return { part, seconds };
  };
  const isBound = Number.isFinite(mostCallSeconds) && !way.forPoints && way.kind !== 'yardstick';
  /** A first call may have been slow for other reasons: points are left out if a second one is, too. */
  const nextOf = async (once: Try) => {
    const next = nextAsk(once, mostCallSeconds);
    if ('size' in next) return next;
    const { seconds } = await ask(once.size);
    return nextAsk({ ...once, seconds: Math.min(once.seconds, seconds) }, mostCallSeconds);
  };
  if (!isBound) return { part: (await ask(count)).part, reason: '' };
  for (let size = Math.min(FIRST_TRY, count); ; ) {
    const first = await ask(size);
    if (first.part === undefined) return { part: undefined, reason: '' };
    const asked = first.part.numbers.length;
    const next = await nextOf({ size: asked, count, seconds: first.seconds });
    if ('size' in next) {
      size = next.size;
      continue;
    }
    return {
      part: randomPart(points, next.part),
      reason: `all ${count} points were expected to take about ${Number(next.expected.toPrecision(2))} s a call; a run allows ${mostCallSeconds}`,
    };
  }
}

/** So many points of `count` took so long. */
interface Try {
  readonly size: number;
  readonly count: number;
  readonly seconds: number;
}

/** How many points to ask next, or the part to stay with and the seconds that all points were expected to take. */
export function nextAsk(
  { size, count, seconds }: Try,
  mostSeconds: number,
): { readonly size: number } | { readonly part: number; readonly expected: number } {
  const expected = (seconds * count) / size;
  if (expected <= mostSeconds) return { size: count };
  const part = Math.max(size, Math.floor((size * mostSeconds) / seconds));
  // The last half is not worth a guess.
  if (2 * part >= count) return { size: count };
  // What a call takes however little it is asked weighs less in a next try, if that takes no longer than a call may.
  if (NEXT_TRY * seconds <= mostSeconds) return { size: NEXT_TRY * size };
  return { part, expected };
}

function noteFlags(check: FlagCheck, one: Asked, { flags }: Answer): void {
  const { way } = one.ready;
  const numbers = one.part?.numbers;
  if (way.kind === 'scree') one.checked = check.requireRight(way.label, flags!, numbers);
  if (way.kind !== 'peer') return;
  one.checked = flags!.length;
  one.wrong = Math.max(one.wrong, check.countWrong(flags!, numbers));
}

/** In calls of their own: what reading timestamps takes is no part of any wall time. */
async function timeOnGpu(
  { points, rounds, signal }: SetOptions,
  one: Asked,
  check: FlagCheck,
): Promise<void> {
  const { way, prepared } = one.ready;
  if (way.kind !== 'scree') return;
  const calls = median(one.total) > SLOW_CALL ? 1 : rounds;
  for (let call = 0; call < calls; call++) {
    signal?.throwIfAborted();
    const answer = await prepared.answer(one.part?.points ?? points, { timestamps: true, signal });
    noteFlags(check, one, answer);
    // A way on the CPU has none, and will not have.
    if (answer.gpu === undefined) return;
    one.gpu.push(answer.gpu);
  }
}

function summarize(asked: readonly Asked[], points: number): MeasuredSet['ways'] {
  /** Seconds per round of all points. */
  const totalsOf = ({ total, part }: Asked) => total.map((seconds) => seconds * scaleOf(part, points));
  const totalsOfKind = (kind: Way['kind']) => {
    const one = asked.find(({ ready }) => ready.way.kind === kind);
    return one && totalsOf(one);
  };
  const [peer, copy] = [totalsOfKind('peer'), totalsOfKind('yardstick')];
  const ratio = (other: readonly number[] | undefined, total: readonly number[]) =>
    other === undefined ? 0 : medianRatio(other, total);
  return Object.fromEntries(
    asked.map((one): [string, SetResult] => {
      const { answers, part, gpu } = one;
      const scale = scaleOf(part, points);
      const total = totalsOf(one);
      const stage = (key: keyof CallSeconds) => spread(answers.map(({ seconds }) => scale * seconds[key]));
      const last = answers.at(-1)!;
      return [
        one.ready.way.key,
        {
          pointsPerSecond: spread(total.map((seconds) => points / seconds)),
          ratioToPeer: ratio(peer, total),
          ratioToCopy: ratio(copy, total),
          seconds: {
            upload: stage('upload'),
            kernel: stage('kernel'),
            readback: stage('readback'),
            exact: stage('exact'),
            total: spread(total),
          },
          ...(gpu.length > 0 && { gpu: spread(gpu.map((seconds) => scale * seconds)) }),
          processorSeconds: spread(one.processor.map((seconds) => scale * seconds)),
          resolvedExactly: last.resolvedExactly,
          checked: one.checked,
          wrong: one.wrong,
          measuredPoints: part === undefined ? points : part.numbers.length,
          reason: one.reason,
          gpuBytes: Math.max(...answers.map(({ gpuBytes }) => gpuBytes)),
          chosen: last.chosen,
        },
      ];
    }),
  );
}

function scaleOf(part: Part | undefined, points: number): number {
  return part === undefined ? 1 : points / part.numbers.length;
}
