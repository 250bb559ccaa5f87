/** A browser as the host of a benchmark: what its page can tell of the machine and of itself. */
import type { BenchHost, HostFacts } from '../../src/bench/suite.ts';

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
    loadContactPeer: async () => (await import('../../src/bench/contacts/rapier.ts')).loadContactPeer(),
    loadPairPeer: async () => (await import('../../src/bench/pairs/rapier.ts')).loadRapier(),
  };
}

/** `{ runtime: 'Chrome 143.0.7499.40', platform: 'Linux x86 64' }` */
export async function describeBrowser(): Promise<{ runtime: string; platform: string }> {
  const data = (navigator as { userAgentData?: UserAgentData }).userAgentData;
  if (data === undefined) return { runtime: fromUserAgent(navigator.userAgent), platform: navigator.platform };
  const hints = ['architecture', 'bitness', 'fullVersionList'];
  const { architecture, bitness, fullVersionList } = await data.getHighEntropyValues(hints);
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
  const patterns = { Firefox: /Firefox\/([\d.]+)/, Safari: /Version\/([\d.]+).*Safari/, Chrome: /Chrome\/([\d.]+)/ };
  for (const [name, pattern] of Object.entries(patterns)) {
    const [, version] = pattern.exec(text) ?? [];
    if (version !== undefined) return `${name} ${version}`;
  }
  return text;
}
