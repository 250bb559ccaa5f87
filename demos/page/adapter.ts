/** The adapter that a page finds, and what to do where it finds none. */
import {
  type AdapterPreference,
  type AdapterSummary,
  type Device,
  DeviceError,
  type OpenDeviceOptions,
  openDevice,
} from '../../src/index.ts';
import { type BrowserName, browserAndSystem, type SystemName } from './browser.ts';
import { element, messageOf } from './elements.ts';

export interface AdapterFound {
  readonly adapter: AdapterSummary;
  /** All that the adapter offers. */
  readonly limits: Device['limits'];
  readonly hasTimestamps: boolean;
}

/**
 * Opens an adapter to see what it is, and closes it.
 *
 * @throws DeviceError, as `openDevice` does.
 */
export async function findAdapter(preference: AdapterPreference = 'auto'): Promise<AdapterFound> {
  const device = await openDevice({ adapter: preference, limits: 'adapter' });
  const { adapter, limits, features } = device;
  device.destroy();
  return { adapter, limits, hasTimestamps: features.has('timestamp-query') };
}

/**
 * The device of a page that works without one too. Where there is none, shows why in the element with an id, and what
 * to do in which browser; else hides it.
 */
export async function openOrExplain(
  id: string,
  options: OpenDeviceOptions,
): Promise<{ readonly device?: Device; readonly missing?: DeviceError }> {
  try {
    const device = await openDevice(options);
    showNoDevice(id, undefined);
    return { device };
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
    showNoDevice(id, error);
    return { missing: error };
  }
}

interface Advice {
  readonly browsers: readonly BrowserName[];
  readonly systems: readonly SystemName[];
  /** Before the text. */
  readonly title: string;
  readonly text: string;
}

/** For Chrome without a graphics driver; see src/cli/chrome/chrome.ts for what each of them is needed for. */
const SOFTWARE_SWITCHES =
  '--enable-unsafe-webgpu --use-webgpu-adapter=swiftshader --use-angle=swiftshader --use-vulkan=swiftshader ' +
  '--enable-features=Vulkan --disable-vulkan-surface';

/**
 * Versions as in github.com/gpuweb/gpuweb/wiki/Implementation-Status of April 2026. The first that fits is said first.
 */
const ADVICE: readonly Advice[] = [
  {
    browsers: ['Chrome'],
    systems: ['Windows', 'macOS', 'ChromeOS'],
    title: 'Chrome and Edge on Windows, macOS and ChromeOS',
    text:
      'Take version 113 or later, and switch graphics acceleration on in the settings, under System. The page ' +
      'chrome://gpu says what is wrong with WebGPU. Windows on ARM needs chrome://flags/#enable-unsafe-webgpu.',
  },
  {
    browsers: ['Chrome'],
    systems: ['Linux'],
    title: 'Chrome and Edge on Linux',
    text:
      'Take version 144 or later with an Intel GPU since generation 12, or 147 with an NVIDIA driver since ' +
      '535.183.01. With another GPU, start the browser with --enable-unsafe-webgpu --ozone-platform=x11 ' +
      '--use-angle=vulkan --enable-features=Vulkan,VulkanFromANGLE and have a current Vulkan driver.',
  },
  {
    browsers: ['Chrome', 'Firefox'],
    systems: ['Android'],
    title: 'Android',
    text: 'Take Chrome 121 or later on Android 12 or later. Firefox does not have WebGPU there yet.',
  },
  {
    browsers: ['Firefox'],
    systems: ['Windows', 'macOS', 'Linux'],
    title: 'Firefox',
    text:
      'On Windows take version 141 or later; on Macs with Apple silicon 147, or 145 with macOS 26. On Linux ' +
      'take Firefox Nightly, or set dom.webgpu.enabled in about:config to true.',
  },
  {
    browsers: ['Safari', 'Chrome', 'Firefox'],
    systems: ['macOS', 'iOS'],
    title: 'Safari, and every browser on iPhone and iPad',
    text: 'Take Safari 26 with macOS 26, iOS 26 or iPadOS 26 or later. On an older macOS take Chrome or Edge.',
  },
  {
    browsers: [],
    systems: [],
    title: 'Headless Chrome, and machines without a GPU',
    text: `Start Chrome with its software adapter: ${SOFTWARE_SWITCHES}`,
  },
];

/** What to do in each browser: that which the page is open in comes first. */
export function adviceFor(
  browser: BrowserName,
  system: SystemName,
): readonly Pick<Advice, 'title' | 'text'>[] {
  const own = ADVICE.find((one) => one.browsers.includes(browser) && one.systems.includes(system));
  return own ? [own, ...ADVICE.filter((one) => one !== own)] : ADVICE;
}

/**
 * Shows in the element with an id why there is no device and, where no WebGPU was found, what to do in which browser.
 * Hides it where there is no error.
 */
export function showNoDevice(id: string, error: unknown): void {
  const box = element(id);
  box.replaceChildren();
  box.hidden = error === undefined;
  if (error === undefined) return;
  const [line, own] = [document.createElement('p'), document.createElement('p')];
  line.textContent = messageOf(error);
  box.append(line);
  const isMissing = error instanceof DeviceError && ['no-webgpu', 'no-adapter'].includes(error.reason);
  // No browser has WebGPU on an insecure page, and the error's own line says so.
  if (!isMissing || !isSecureContext) return;
  const { browser, system } = browserAndSystem();
  const [first, ...others] = adviceFor(browser, system);
  own.append(bold(`${first!.title}: `), first!.text);
  const more = document.createElement('details');
  const summary = document.createElement('summary');
  summary.textContent = 'In other browsers';
  const list = document.createElement('ul');
  for (const { title, text } of others) {
    const item = document.createElement('li');
    item.append(bold(`${title}: `), text);
    list.append(item);
  }
  more.append(summary, list);
  box.append(own, more);
}

function bold(text: string): HTMLElement {
  const element = document.createElement('b');
  element.textContent = text;
  return element;
}
