/**
 * What a benchmark knows from the program around it, since Node and browsers tell it in different ways: facts about the
 * machine, sweeping the heap, and the peers, packages that may or may not be there.
 */
import type { PairLibrary } from './pairs/pair-way.ts';
import type { Way } from './points/way.ts';
import type { Environment } from './report.ts';

/** The machine and the programs, as far as the host tells; the rest of `Environment` is known from the device. */
export type HostFacts = Omit<Environment, 'adapter' | 'timestamps'>;

export interface BenchHost {
  /** Asked once, before anything runs: `loadBefore` is about others' work. */
  environment(): HostFacts | Promise<HostFacts>;
  /** Commands that repeat the run, the first the one that made it. */
  readonly commands: readonly string[];
  /** Sweeps the heap, so that nobody pays for another's garbage; left out where the host cannot. */
  collectGarbage?(): void;
  /** The peer; undefined where its packages are not installed, which the report then says. See `loadThreeMeshBvh`. */
  loadPeer(): Promise<Way | undefined>;
  /** The same for suite `pairs`. See `loadRapier`. */
  loadPairPeer(): Promise<PairLibrary | undefined>;
}
