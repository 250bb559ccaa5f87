/** Which browser and system a page is open in. */

/** `NavigatorUAData`, which browsers made of Chromium have. */
interface UserAgentData {
  readonly platform: string;
  getHighEntropyValues(hints: readonly string[]): Promise<{
    readonly architecture?: string;
    readonly bitness?: string;
    readonly fullVersionList?: readonly { readonly brand: string; readonly version: string }[];
  }>;
}

/** `{ runtime: 'Chrome 143.0.7499.40', platform: 'Linux x86 64' }` */
export async function describeBrowser(): Promise<{ runtime: string; platform: string }> {
  const data = (navigator as { userAgentData?: UserAgentData }).userAgentData;
  if (data === undefined)
    return { runtime: fromUserAgent(navigator.userAgent), platform: navigator.platform };
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
  const patterns = {
    Firefox: /Firefox\/([\d.]+)/,
    Safari: /Version\/([\d.]+).*Safari/,
    Chrome: /Chrome\/([\d.]+)/,
  };
  for (const [name, pattern] of Object.entries(patterns)) {
    const [, version] = pattern.exec(text) ?? [];
    if (version !== undefined) return `${name} ${version}`;
  }
  return text;
}

/** Names that advice goes by. Other browsers than these are mostly made of Chromium. */
export type BrowserName = 'Chrome' | 'Firefox' | 'Safari';
export type SystemName = 'Windows' | 'macOS' | 'Linux' | 'Android' | 'iOS' | 'ChromeOS';

/** What a browser's line of text says of it. iPads name themselves Macs, and have touch screens. */
export function browserAndSystem(
  text = navigator.userAgent,
  touchPoints = navigator.maxTouchPoints,
): { readonly browser: BrowserName; readonly system: SystemName } {
  const systems: readonly (readonly [SystemName, RegExp])[] = [
    ['Android', /Android/],
    ['iOS', touchPoints > 1 ? /iPhone|iPad|Macintosh/ : /iPhone|iPad/],
    ['macOS', /Mac OS/],
    ['Windows', /Windows/],
    ['ChromeOS', /CrOS/],
  ];
  const browser = /Firefox\//.test(text) ? 'Firefox' : /Chrom(e|ium)\//.test(text) ? 'Chrome' : 'Safari';
  return { browser, system: systems.find(([, pattern]) => pattern.test(text))?.[0] ?? 'Linux' };
}
