/** A browser as the host of a benchmark: what its page can tell of the machine and of itself. */
import type { BenchHost, HostFacts } from '../../src/bench/host.ts';

/** Put in by the build: versions of scree and of the packages that the page is made of. */
declare const BUNDLED_VERSIONS: Readonly<Record<string, string>>;

/** `NavigatorUAData`, which browsers made of Chromium have. */
interface UserAgentData {
  readonly platform: string;
  getHighEntropyValues(hints: readonly string[]): Promise<{
    readonly architecture?: string;
    readonly bitness?: string;
    readonly fullVersionList?: readonly { readonly brand: string; readonly version: string }[];
  }>;
}

/** A host that also says what the program knows which opened the page. */
export async function browserHost(commands: readonly string[], facts: Partial<HostFacts> = {}): Promise<BenchHost> {
  const { runtime, platform } = await describeBrowser();
  return {
    commands,
    environment: () => ({
      host: 'browser',
      runtime,
      platform,
      cpu: '',
      cores: navigator.hardwareConcurrency,
      // navigator.deviceMemory is rounded and capped: no figure to put into a report.
      memoryBytes: 0,
      loadBefore: -1,
      ...facts,
      versions: { ...BUNDLED_VERSIONS, ...facts.versions },
    }),
    // Chrome with --js-flags=--expose-gc.
    ...('gc' in globalThis && { collectGarbage: (globalThis as unknown as { gc(): void }).gc }),
    async loadPeer() {
      const { loadThreeMeshBvh } = await import('../../src/bench/points/three-mesh-bvh.ts');
      return loadThreeMeshBvh();
    },
    async loadPairPeer() {
      const { loadRapier } = await import('../../src/bench/pairs/rapier.ts');
      return loadRapier();
    },
  };
}

/** `{ runtime: 'Chrome 143.0.7499.40', platform: 'Linux x86 64' }` */
export async function describeBrowser(): Promise<{ runtime: string; platform: string }> {
  const data = (navigator as { userAgentData?: UserAgentData }).userAgentData;
  if (data === undefined) return { runtime: fromUserAgent(navigator.userAgent), platform: navigator.platform };
  const { architecture, bitness, fullVersionList } = await data.getHighEntropyValues([
    'architecture',
    'bitness',
    'fullVersionList',
  ]);
  // Besides its own, a browser names Chromium, and a brand that does not exist.
  const brands = (fullVersionList ?? []).filter(({ brand }) => !/not.*brand/i.test(brand));
  const own = brands.find(({ brand }) => brand !== 'Chromium') ?? brands[0];
  return {
    runtime: own ? `${own.brand.replace(/^Google /, '')} ${own.version}` : fromUserAgent(navigator.userAgent),
    platform: [data.platform, architecture, bitness].filter(Boolean).join(' '),
  };
}

/** Firefox and Safari, which say it in one line of text only. */
function fromUserAgent(text: string): string {
  const [, firefox] = /Firefox\/([\d.]+)/.exec(text) ?? [];
  if (firefox !== undefined) return `Firefox ${firefox}`;
  const [, safari] = /Version\/([\d.]+).*Safari/.exec(text) ?? [];
  if (safari !== undefined) return `Safari ${safari}`;
  const [, chrome] = /Chrome\/([\d.]+)/.exec(text) ?? [];
  return chrome === undefined ? text : `Chrome ${chrome}`;
}
