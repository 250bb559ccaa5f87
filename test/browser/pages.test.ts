/** Every page of dist/demos/ on a plain static server, in Chrome: what it loads, says and looks like. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BulkPage } from '../../demos/bulk/page-api.ts';
import type { InsidePage } from '../../demos/inside/page-api.ts';
import { type Chrome, launchChrome } from '../../src/cli/chrome/chrome.ts';
import { openPage } from '../support/open-page.ts';
import { excessOf, keyboardFaults, layoutShifts, paleTexts } from '../support/page-checks.ts';
import { type StaticServer, serveStatic } from '../support/static-server.ts';

const WIDE = { width: 1280, height: 900 };
/** CSS pixels: of small windows, and of a common phone. */
const NARROW = [400, 390, 320];
/**
 * What a page may load in all, compressed. That of bulk goods is asked for steps by forces on the GPU; what it makes
 * steps by on the CPU is loaded then, too. The benchmark loads Rapier.
 */
const MOST_BYTES = 640_000;
/** Chrome's own word on systems for which it has WebGPU behind a flag. */
const CHROMES_OWN = /^WebGPU is experimental on this platform/;

/** WebGL on the CPU, without a warning of Chrome's. */
const SWITCHES = ['--enable-unsafe-swiftshader'];

interface Demo {
  readonly name: string;
  readonly path: string;
  /** Resolves when the page has done what it is there for. */
  readonly work: (page: Page) => Promise<unknown>;
  /** The same where there is no WebGPU. */
  readonly workWithout: (page: Page) => Promise<unknown>;
  /** Where it says that there is no WebGPU, and that it is not isolated. */
  readonly says: { readonly noWebGpu: string; readonly notIsolated: string };
  readonly hasBudget: boolean;
  readonly draws?: boolean;
  /** What makes it work on the GPU, where the software adapter would leave it to the CPU. */
  readonly onGpu?: string;
}

/** Waits until bodies have moved. */
async function movesBodies(page: Page): Promise<void> {
  await page.waitForFunction(
    async () => {
      const { screeBulk } = globalThis as unknown as { screeBulk?: BulkPage };
      await screeBulk?.ready();
      return ((await screeBulk?.state())?.steps ?? 0) > 0;
    },
    { polling: 100 },
  );
}

/** Waits until points have flags. */
async function flagsPoints(page: Page): Promise<void> {
  await page.waitForFunction(
    async () => {
      const { screeInside } = globalThis as unknown as { screeInside?: InsidePage };
      await screeInside?.ready();
      return (screeInside?.state()?.points ?? 0) > 0;
    },
    { polling: 100 },
  );
}

const DEMOS: readonly Demo[] = [
  {
    name: 'index',
    path: 'index.html',
    work: (page) =>
      page.waitForFunction(() => /^WebGPU is here/.test(document.getElementById('found')!.textContent!)),
    workWithout: (page) => page.waitForSelector('#found a'),
    says: { noWebGpu: '#no-adapter', notIsolated: '#isolation-note' },
    hasBudget: true,
  },
  {
    name: 'bulk',
    path: 'bulk/index.html',
    work: movesBodies,
    workWithout: movesBodies,
    says: { noWebGpu: '#remarks', notIsolated: '#isolation' },
    onGpu: '?scene=heap&shape=balls&count=9&backend=gpu&response=forces',
    hasBudget: true,
    draws: true,
  },
  {
    name: 'inside',
    path: 'inside/index.html',
    work: flagsPoints,
    workWithout: flagsPoints,
    says: { noWebGpu: '#no-adapter', notIsolated: '#isolation-note' },
    onGpu: '?backend=gpu',
    hasBudget: true,
    draws: true,
  },
  {
    name: 'bench',
    path: 'bench/index.html',
    work: (page) => page.waitForSelector('#start:not(:disabled)'),
    workWithout: (page) => page.waitForSelector('#no-adapter:not([hidden])'),
    says: { noWebGpu: '#no-adapter', notIsolated: '#isolation-note' },
    hasBudget: false,
  },
];

const folder = resolve(import.meta.dirname, '../../dist/demos');
let isolated: StaticServer;
let plain: StaticServer;
let chrome: Chrome;

beforeAll(async () => {
  [isolated, plain] = [await serveStatic(folder, true), await serveStatic(folder, false)];
  chrome = await launchChrome({ adapter: 'software', switches: SWITCHES });
});

afterAll(async () => {
  await chrome?.close();
  await isolated?.close();
  await plain?.close();
});

/** Opens a page and notes all that it complains of, and requests that go elsewhere. */
async function open(server: StaticServer, path: string, hasWebGpu = true) {
  const page = await openPage(chrome.browser);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('error', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    const isBad = ['error', 'warn', 'assert'].includes(message.type());
    if (isBad && !CHROMES_OWN.test(message.text())) complaints.push(message.text());
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(server.url) && !/^(data|blob):/.test(url)) complaints.push(`a request to ${url}`);
  });
  await page.setViewport(WIDE);
  if (!hasWebGpu) {
    await page.evaluateOnNewDocument(() => Object.defineProperty(navigator, 'gpu', { value: undefined }));
  }
  server.reset();
  await page.goto(`${server.url}${path}`);
  return { page, complaints };
}

const compressedBytes = (file: string) => gzipSync(readFileSync(file), { level: 9 }).length;

/** No page is wider than a narrow window. */
async function expectToFit(page: Page): Promise<void> {
  for (const width of NARROW) {
    await page.setViewport({ ...WIDE, width });
    expect(await excessOf(page), `${width} px`).toBe(0);
  }
}

/** On a phone controls come before plots, and no two counters are in each other's way. What is counted is explained. */
async function expectReadable(page: Page): Promise<void> {
  await page.setViewport({ ...WIDE, width: 390 });
  const topOf = (selector: string) => page.$eval(selector, (one) => one.getBoundingClientRect().top);
  expect(await topOf('#form')).toBeLessThan(await topOf('#plots'));
  await page.setViewport({ ...WIDE, width: 320 });
  const colliding = await page.$$eval('#counters dt, #counters dd', (all) => {
    const ranges = all.map((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      return range.getBoundingClientRect();
    });
    return ranges.flatMap((a, i) =>
      ranges
        .slice(0, i)
        .map((b, j) => {
          const [wide, high] = [
            Math.min(a.right, b.right) - Math.max(a.left, b.left),
            Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top),
          ];
          return wide > 1 && high > 1 ? `${all[j]!.textContent} and ${all[i]!.textContent}` : '';
        })
        .filter((pair) => pair !== ''),
    );
  });
  expect(colliding).toEqual([]);
  const told = await page.$eval('.meanings', (one) => one.textContent!);
  const counted = await page.$$eval('#counters dt', (all) => all.map((one) => one.textContent!));
  expect(counted.length).toBeGreaterThan(3);
  expect(told).toContain('Energy off by');
}

const shownText = (page: Page, selector: string) =>
  page.$eval(selector, (one) => (one.checkVisibility() ? one.textContent! : ''));

describe.each(DEMOS)('$name', ({ path, draws, onGpu = '', work, workWithout, says, hasBudget }) => {
  /** What the server was asked for by all visits of the page. */
  const loaded = new Set<string>();

  it('loads from any folder of a server, without complaints, and stays where it is', async () => {
    const { page, complaints } = await open(isolated, path);
    await work(page);
    expect(await layoutShifts(page)).toEqual([]);
    expect(await shownText(page, says.noWebGpu)).toBe('');
    expect(await shownText(page, says.notIsolated)).toBe('');
    expect(isolated.missing).toEqual([]);
    for (const name of isolated.sent) loaded.add(name);
    for (const value of ['light', 'dark']) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
      expect(await paleTexts(page), value).toEqual([]);
    }
    expect(await keyboardFaults(page)).toEqual([]);
    await expectToFit(page);
    if (path.startsWith('bulk/')) await expectReadable(page);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('without WebGPU says so, and what to do', async () => {
    const { page, complaints } = await open(isolated, path, false);
    await workWithout(page);
    expect(await shownText(page, says.noWebGpu)).toMatch(/WebGPU is not available in this browser/);
    expect(await paleTexts(page)).toEqual([]);
    await expectToFit(page);
    expect(complaints).toEqual([]);
    await page.close();
  });

  const itDraws = draws ? it : () => {};
  itDraws('without WebGPU and WebGL says that nothing can be drawn, and what to do', async () => {
    const page = await openPage(chrome.browser);
    await page.evaluateOnNewDocument(() => {
      Object.defineProperty(navigator, 'gpu', { value: undefined });
      for (const canvas of [HTMLCanvasElement, OffscreenCanvas]) canvas.prototype.getContext = () => null;
    });
    await page.goto(`${plain.url}${path}`);
    await page.waitForSelector('#problem:not([hidden])');
    expect(await shownText(page, '#problem')).toMatch(/WebGL/);
    const advice = says.noWebGpu === '#remarks' ? '#no-device' : says.noWebGpu;
    expect(await shownText(page, advice)).toMatch(
      /WebGPU is not available in this browser.*In other browsers/s,
    );
    expect(await shownText(page, '#machine')).toMatch(/^There is no WebGPU here/);
    await page.close();
  });

  it('on a server that does not isolate it works too, and says what that costs', async () => {
    const { page, complaints } = await open(plain, `${path}${onGpu}`);
    await work(page);
    expect(await shownText(page, says.notIsolated)).toMatch(
      /not cross-origin isolated.*Cross-Origin-Opener-Policy/s,
    );
    expect(plain.missing).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it.runIf(hasBudget)('loads no more than it may, on the CPU and on the GPU', () => {
    for (const name of plain.sent) loaded.add(name);
    const sizes = new Map([...loaded].map((name) => [name, compressedBytes(join(folder, name))]));
    const sum = [...sizes.values()].reduce((all, bytes) => all + bytes, 0);
    expect(sizes.size).toBeGreaterThan(3);
    expect(sum, [...sizes].map((one) => one.join(' ')).join('\n')).toBeLessThan(MOST_BYTES);
  });
});
