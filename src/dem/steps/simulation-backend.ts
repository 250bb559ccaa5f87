/** The backend of a simulation: it makes the steps, on the CPU or on the GPU. */
import type { DetectedContacts } from '../../contacts/pipeline/detection.ts';
import type { StoredState } from '../checkpoint/checkpoint.ts';
import type { PairForces } from '../forces/pair-forces.ts';
import type { Monitors } from '../monitors/monitors.ts';
import type { Loads, MotionState } from '../motion/motion.ts';
import type { StepClock } from '../motion/step-clock.ts';

export interface StepWatch {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Poses and loads of bodies, and which are there. */
export interface BodyState extends MotionState, Loads {
  /** `[n]`: `BodyStatus` */
  readonly statuses: Uint8Array;
  /** `[n * 3]`: how many times bodies went upwards through a box where space repeats. The CPU keeps that for itself. */
  readonly turns?: Int32Array | undefined;
}

export interface SimulationBackend {
  /** Whole steps that were made. */
  readonly steps: number;
  readonly monitors: Monitors;
  /** Wall seconds by stage. */
  readonly seconds: Readonly<Record<string, number>>;
  /** Finds contacts and forces where bodies are. @param mostDepth overlaps above it, in radii, are refused */
  evaluate(mostDepth: number, signal?: AbortSignal): Promise<void>;
  /** Makes steps. @throws ScreeError where there is no going on */
  advance(count: number, watch: StepWatch): Promise<void>;
  /** Steps that follow are of this length. No step is under way. */
  setClock(clock: StepClock): void;
  /** The model's gravity or applied loads have changed. No step is under way. */
  modelChanged(): void;
  read(): Promise<BodyState>;
  write(state: BodyState): Promise<void>;
  contacts(): Promise<DetectedContacts>;
  contactForces(): Promise<PairForces>;
  /** All that a step depends on. */
  store(): Promise<StoredState>;
  /** @param stored of the same scene and backend. @param name for messages. @throws InputError for what is not */
  restore(stored: StoredState, name: string): Promise<void>;
  destroy(): void;
}
