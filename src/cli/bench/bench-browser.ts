/** `scree bench --browser`: the suites in a page of a headless Chrome. */
import type { Page } from 'puppeteer';
import {
  type BenchPage,
  type PageError,
  type PageRequest,
  PROGRESS_FUNCTION,
  type RunAnswer,
} from '../../bench/page.ts';
import type { BenchReport } from '../../bench/report.ts';
import type { BenchProgress } from '../../bench/runner.ts';
import { type AdapterPreference, type AdapterSummary, DeviceError, ScreeError } from '../../index.ts';
import { type Chrome, launchChrome, orLost } from '../chrome/chrome.ts';
import { type PageServer, servePages } from '../chrome/page-server.ts';
import { installedPackage } from '../versions.ts';
import { builtPage, cpuFacts, PEERS, versionsOf } from './bench-node.ts';

/** What a page may take to be there, and an adapter to be opened. */
export const OPEN_SECONDS = 60;
const PAGE = 'bench/headless.html';

/** Adapter `auto`: hardware if Chrome offers it, software otherwise; the report says what it was. */
export interface BrowserRun extends Omit<PageRequest, 'facts'> {
  readonly signal?: AbortSignal;
  /** Called between measurements only. */
  readonly onProgress?: (line: BenchProgress) => void;
}

/** A page of a running Chrome, ready to be asked. */
export interface OpenPage {
  readonly chrome: Chrome;
  readonly page: Page;
  /** Rejects when there is no more to be had of the page; never resolves. */
  readonly gone: Promise<never>;
}

declare const screeBench: BenchPage;

/**
 * Runs suites in a headless Chrome and returns their report. Chrome, its profile and the server of the page are gone
 * when it settles.
 *
 * @throws ScreeError with one line and exit code 1 if Chrome is missing, does not start, offers no adapter of that
 *   kind, or ends before the report is there; what `runSuites` throws; the signal's reason.
 */
export async function runInBrowser(options: BrowserRun): Promise<BenchReport> {
  const { suites, quick, ways, commands, onProgress } = options;
  // Before Chrome adds its own load. How many cores there are, the page knows: fewer may be left to it.
  const { cores: _, ...facts } = cpuFacts();
  const server = await serveBuiltPages();
  let opened: OpenPage | undefined;
  try {
    const { found, ...page } = await openBenchmark(server, options);
    opened = page;
    const request: PageRequest = {
      ...{ suites, quick, ways, commands, adapter: found.software ? 'software' : 'hardware' },
      facts: { ...facts, versions: versionsOf(['puppeteer', ...PEERS]) },
    };
    if (onProgress !== undefined) await relayProgress(opened.page, onProgress);
    const running = opened.page.evaluate((wanted) => screeBench.run(wanted), request);
    const answer = JSON.parse(await orGone(opened, running)) as RunAnswer;
    if ('error' in answer) throw pageError(answer.error);
    return answer.result;
  } finally {
    await opened?.chrome.close();
    await server.close();
  }
}

/** Serves the pages that the build made, and to them the peers that are installed: the package carries none. */
export async function serveBuiltPages(): Promise<PageServer> {
  const folder = builtPage(PAGE).slice(0, -PAGE.length);
  const peers = PEERS.flatMap((name) => installedPackage(name) ?? []);
  try {
    return await servePages(folder, peers);
  } catch (error) {
    const { message } = error as Error;
    throw new ScreeError(`the benchmark's page cannot be served to this machine: ${message}`, 1, { cause: error });
  }
}

/**
 * Starts Chrome and opens the benchmark's page, and asks which adapter pages get.
 *
 * @throws as `runInBrowser`; Chrome has ended then.
 */
export async function openBenchmark(
  server: PageServer,
  options: Pick<BrowserRun, 'adapter' | 'signal'>,
): Promise<OpenPage & { readonly found: AdapterSummary }> {
  const { adapter } = options;
  const wanted = adapter === 'auto' ? 'hardware' : adapter;
  let opened = await openPage(server, wanted, options);
  try {
    let answer = await adapterOf(opened, wanted);
    if ('error' in answer && adapter === 'auto' && answer.error.exitCode !== undefined) {
      await opened.chrome.close();
      opened = await openPage(server, 'software', options);
      answer = await adapterOf(opened, 'software');
    }
    if ('error' in answer) throw noAdapter(opened.chrome, answer.error, adapter);
    return { ...opened, found: answer.result };
  } catch (error) {
    await opened.chrome.close();
    throw error;
  }
}

async function openPage(
  server: PageServer,
  adapter: 'hardware' | 'software',
  { signal }: Pick<BrowserRun, 'signal'>,
): Promise<OpenPage> {
  const chrome = await launchChrome({ adapter, ...(signal && { signal }), switches: ['--js-flags=--expose-gc'] });
  try {
    const opened = await newPage(chrome);
    const complaints: string[] = [];
    opened.page.on('pageerror', (error) => complaints.push((error as Error).message));
    await orGone(opened, opened.page.goto(`${server.url}${PAGE}`, { timeout: 1000 * OPEN_SECONDS }));
    const starting = opened.page.evaluate(() => 'screeBench' in globalThis);
    if (await orGone(opened, starting)) return opened;
    const name = `${chrome.version} (${chrome.path})`;
    throw new ScreeError(`the benchmark's page does not start in ${name}: ${complaints[0] ?? 'it said nothing'}`, 1);
  } catch (error) {
    await chrome.close();
    throw error;
  }
}

/** A new page of a running Chrome. */
export async function newPage(chrome: Chrome): Promise<OpenPage> {
  const page = await orLost(chrome.browser.newPage(), chrome.lost);
  const gone = new Promise<never>((_, reject) => {
    const end = (how: string) => reject(new ScreeError(`the benchmark's page in ${chrome.version} ${how}`, 1));
    page.on('error', () => end('crashed; more memory, or suites one by one, may help'));
    page.on('close', () => end('was closed'));
  });
  gone.catch(() => {});
  return { chrome, page, gone };
}

/** Settles as `work` in a page does, or rejects with what ended the page or Chrome. */
export async function orGone<T>({ chrome, gone }: OpenPage, work: Promise<T>): Promise<T> {
  return Promise.race([orLost(work, chrome.lost), chrome.lost, gone]);
}

async function adapterOf(opened: OpenPage, preference: AdapterPreference) {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const message = `${opened.chrome.version} (${opened.chrome.path}) opens no WebGPU adapter within ${OPEN_SECONDS} s`;
    timer = setTimeout(() => reject(new ScreeError(message, 1)), 1000 * OPEN_SECONDS);
  });
  const asking = opened.page.evaluate((wanted) => screeBench.adapter(wanted), preference);
  return Promise.race([orGone(opened, asking), late]).finally(() => clearTimeout(timer));
}

/** Messages go one way: an answer would reach the page while it measures. */
async function relayProgress(page: Page, onProgress: (line: BenchProgress) => void): Promise<void> {
  const session = await page.createCDPSession();
  session.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name === PROGRESS_FUNCTION) onProgress(JSON.parse(payload) as BenchProgress);
  });
  await session.send('Runtime.enable');
  await session.send('Runtime.addBinding', { name: PROGRESS_FUNCTION });
}

function noAdapter(chrome: Chrome, error: PageError, adapter: AdapterPreference): Error {
  if (error.reason !== 'no-adapter' && error.reason !== 'no-webgpu') return pageError(error);
  const kind = adapter === 'auto' ? '' : `${adapter} `;
  const advice =
    adapter === 'hardware'
      ? 'install a GPU driver with Vulkan, Metal or D3D12, or use --adapter auto or software'
      : 'name another Chrome in CHROME_PATH, or use --node';
  return new DeviceError(error.reason, `${chrome.version} (${chrome.path}) offers no ${kind}WebGPU adapter; ${advice}`);
}

/** The page's error, as one of this side. */
export function pageError({ name, message, exitCode, reason, stack }: PageError): Error {
  const cause = stack === undefined ? undefined : Object.assign(new Error(message), { stack });
  if (reason !== undefined) return new DeviceError(reason, message, { cause });
  if (exitCode !== undefined) return new ScreeError(message, exitCode, { cause });
  return new Error(`${name} in the benchmark's page: ${message}`, { cause });
}
