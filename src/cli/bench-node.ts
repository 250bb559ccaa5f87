/** Node as the host of a benchmark. */
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { BenchHost } from '../bench/host.ts';
import { loadRapier } from '../bench/pairs/rapier.ts';
import { loadThreeMeshBvh } from '../bench/three-mesh-bvh.ts';
import { installedVersion } from './versions.ts';

/** What scree is compared with, where it is installed. */
export const PEERS = ['three', 'three-mesh-bvh', '@dimforge/rapier3d-compat'] as const;
/** Packages whose versions may matter to a figure. */
const PACKAGES = ['scree', 'webgpu', '@sparticuz/chromium', 'typegpu', 'robust-predicates', ...PEERS];

/** V8's collector: there with `--expose-gc`, which a running process can still ask for. */
function exposedCollector(): () => void {
  if (globalThis.gc) return globalThis.gc as () => void;
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

let collector: (() => void) | undefined;

export const nodeClock = {
  collectGarbage() {
    collector ??= exposedCollector();
    collector();
  },
  processorSeconds() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  },
};

export interface CpuFacts {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly platform: string;
  /** Processes that wanted to run in the minute before: near 0 on a quiet machine. */
  readonly loadBefore: number;
}

export function cpuFacts(): CpuFacts {
  return {
    cpu: cpus()[0]?.model.trim() ?? '',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    platform: `${process.platform} ${process.arch}`,
    // Windows has no such figure and gives zeros.
    loadBefore: process.platform === 'win32' ? -1 : Math.round(100 * loadavg()[0]!) / 100,
  };
}

/** Of those that are installed. */
export function versionsOf(packages: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    packages.flatMap((name) => {
      const version = installedVersion(name);
      return version === undefined ? [] : [[name, version]];
    }),
  );
}

/** @param commands those that repeat the run */
export function nodeHost(commands: readonly string[]): BenchHost {
  return {
    ...nodeClock,
    commands,
    environment: () => ({
      host: 'node',
      runtime: `Node ${process.versions.node}`,
      ...cpuFacts(),
      versions: versionsOf(PACKAGES),
    }),
    loadPeer: loadThreeMeshBvh,
    loadPairPeer: loadRapier,
  };
}
