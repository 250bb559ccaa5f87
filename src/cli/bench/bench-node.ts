/** Node as the host of a benchmark. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { loadContactPeer } from '../../bench/contacts/rapier.ts';
import { loadMeshPeer } from '../../bench/distance/three-mesh-bvh.ts';
import { loadRapier } from '../../bench/pairs/rapier.ts';
import { loadThreeMeshBvh } from '../../bench/points/three-mesh-bvh.ts';
import type { BenchHost, HostFacts } from '../../bench/suite.ts';
import { ScreeError } from '../../index.ts';
import { installedVersion } from '../versions.ts';

/** What scree is compared with, where it is installed. */
export const PEERS = [
  'three',
  'three-mesh-bvh',
  '@dimforge/rapier3d-compat',
  '@dimforge/rapier3d-simd-compat',
] as const;
/** Packages whose versions may matter to a figure. */
const PACKAGES = ['scree', 'webgpu', '@sparticuz/chromium', 'typegpu', 'robust-predicates', 'wgpu-matrix', ...PEERS];

/** V8's collector: there with `--expose-gc`, which a running process can still ask for. */
function exposedCollector(): () => void {
  if (globalThis.gc) return globalThis.gc as () => void;
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

let collector: (() => void) | undefined;

export function cpuFacts(): Omit<HostFacts, 'host' | 'runtime' | 'versions'> {
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
  const found = packages.map((name) => [name, installedVersion(name)] as const);
  return Object.fromEntries(found.filter((one): one is [string, string] => one[1] !== undefined));
}

/**
 * A file of dist/demos/, which the build makes.
 *
 * @throws ScreeError, with what to do, where it is missing
 */
export function builtPage(file: string): string {
  const require = createRequire(import.meta.url);
  const path = join(dirname(require.resolve('scree/package.json')), 'dist/demos', file);
  if (existsSync(path)) return path;
  throw new ScreeError(`${path}: no such file, expected the built page; make it with: npm run build`, 1);
}

/** @param commands those that repeat the run */
export function nodeHost(commands: readonly string[]): BenchHost {
  return {
    commands,
    environment: () => ({
      ...{ host: 'node', runtime: `Node ${process.versions.node}`, ...cpuFacts(), versions: versionsOf(PACKAGES) },
    }),
    collectGarbage: () => (collector ??= exposedCollector())(),
    usedBytes() {
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    },
    loadPeer: loadThreeMeshBvh,
    loadPairPeer: loadRapier,
    ...{ loadContactPeer, loadMeshPeer },
  };
}
