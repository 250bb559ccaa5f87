/** A browser as the host of a benchmark: what its page can tell of the machine and of itself. */
import type { BenchHost, HostFacts } from '../../src/bench/suite.ts';
import { describeBrowser } from '../page/browser.ts';

/** Put in by the build: versions of scree and of the packages that the page is made of. */
declare const BUNDLED_VERSIONS: Readonly<Record<string, string>>;

/** A host that also says what the program knows which opened the page. */
export async function browserHost(commands: readonly string[], facts: Partial<HostFacts> = {}): Promise<BenchHost> {
  const { runtime, platform } = await describeBrowser();
  return {
    commands,
    environment: () => ({
      ...{ host: 'browser', runtime, platform, cpu: '', cores: navigator.hardwareConcurrency },
      // navigator.deviceMemory is rounded and capped: no figure to put into a report.
      memoryBytes: 0,
      loadBefore: -1,
      ...facts,
      versions: { ...BUNDLED_VERSIONS, ...facts.versions },
    }),
    // Chrome with --js-flags=--expose-gc.
    ...('gc' in globalThis && { collectGarbage: (globalThis as unknown as { gc(): void }).gc }),
    loadPeer: async () => (await import('../../src/bench/points/three-mesh-bvh.ts')).loadThreeMeshBvh(),
    loadMeshPeer: async () => (await import('../../src/bench/distance/three-mesh-bvh.ts')).loadMeshPeer(),
    loadContactPeer: async () => (await import('../../src/bench/contacts/rapier.ts')).loadContactPeer(),
    loadPairPeer: async () => (await import('../../src/bench/pairs/rapier.ts')).loadRapier(),
  };
}
