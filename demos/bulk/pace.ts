/** How fast a run goes beside what was chosen, what the page says of it, and how many bodies would go faster. */
import { type Choice, type MachineKind, RANGES } from './choice.ts';

/** Below this share of the speed that was chosen, the page says how fast it goes. */
const SLOW_SHARE = 0.5;
/** Below this share, few would wait to see anything: fewer bodies are taken or offered. */
const WORTH_SEEING = 0.1;
/**
 * Below this share of the speed that was chosen a first visit does not show how bodies flow, and the page says so.
 * Where it is much less, fewer bodies are taken: a little less is not worth a new start.
 */
const AS_FAST = 0.9;
const TOO_SLOW = 0.75;
/** Steps are timed for so long, in seconds, before anything is said of them. */
const MEASURED_SECONDS = 1.5;
/** Until then engines compile what is asked often: in Chrome the first second of 80 rocks takes four times as long. */
const COMPILED_SECONDS = 3;
/** After so many seconds a run is somebody's work: fewer bodies are offered alone. */
const YOUNG_SECONDS = 10;

export interface Measured {
  /** Simulated seconds per second. */
  readonly simulatedPerSecond: number;
  /** Wall seconds of all frames that made steps. */
  readonly measuredSeconds: number;
}

export interface Pace {
  /** What the page says; empty where there is nothing to say. */
  readonly text: string;
  /** Bodies that go faster, where there are too many. */
  readonly fewer: number | undefined;
  /** Whether the page takes them by itself, because nobody has chosen how many there are. */
  readonly isTaken: boolean;
}

const AS_CHOSEN: Pace = { text: '', fewer: undefined, isTaken: false };

/** @param isOwn somebody has chosen how many bodies there are */
export function paceOf(measured: Measured, choice: Choice, machine: MachineKind, isOwn: boolean): Pace {
  const { simulatedPerSecond, measuredSeconds } = measured;
  const share = simulatedPerSecond / choice.speed;
  const isYoung = !isOwn && measuredSeconds < YOUNG_SECONDS;
  // Steps of forces are far too short for it.
  const isToFlow = isYoung && choice.response !== 'forces' && measuredSeconds >= COMPILED_SECONDS;
  if (measuredSeconds < MEASURED_SECONDS || share >= (isToFlow ? AS_FAST : SLOW_SHARE)) return AS_CHOSEN;
  const why = machine === 'hardware' ? 'as fast as this machine makes the steps' : 'no GPU here';
  const text = `${Number(simulatedPerSecond.toPrecision(2))} of real time: ${why}.`;
  if (share >= (isToFlow ? TOO_SLOW : WORTH_SEEING)) return { ...AS_CHOSEN, text };
  // Steps take about as long as there are bodies. But on a first visit rocks fall by now, and engines still compile.
  // Anew, 80 rocks go 2.6 times as fast, and 40 of them 2.4 times as fast as all (docs/benchmarks.md): more are kept.
  const left = isToFlow ? Math.sqrt(share) : share / WORTH_SEEING;
  const fewer = fewerBodies(choice, choice.count * left);
  return { text, fewer, isTaken: fewer !== undefined && isYoung };
}

/** About so many bodies, and no fewer than can be chosen; undefined where there are no more than those already. */
export function fewerBodies(choice: Choice, about: number): number | undefined {
  const fewer = Math.max(RANGES.count.low, Math.floor(about));
  return fewer < choice.count ? fewer : undefined;
}
