/** The page for people, as the build made it, in Chrome. */
import type { Page } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BenchReport } from '../../src/bench/report.ts';
import { serveBuiltPages } from '../../src/cli/bench/bench-browser.ts';
import { type Chrome, launchChrome } from '../../src/cli/chrome/chrome.ts';
import type { PageServer } from '../../src/cli/chrome/page-server.ts';
import { openPage } from '../support/open-page.ts';

/** Width of a phone, in CSS pixels. */
const PHONE = { width: 390, height: 800 };

let server: PageServer;
let chrome: Chrome;

beforeAll(async () => {
  server = await serveBuiltPages();
  chrome = await launchChrome({ adapter: 'software' });
});

afterAll(async () => {
  await chrome?.close();
  await server?.close();
});

/** Opens a page and notes what it complains of. */
async function open(path: string, prepare?: (page: Page) => Promise<unknown>) {
  const page = await openPage(chrome.browser);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('response', (response) => {
    if (!response.ok()) complaints.push(`${response.status()} ${response.url()}`);
  });
  await prepare?.(page);
  await page.goto(`${server.url}${path}`);
  return { page, complaints };
}

const textOf = (page: Page, id: string) => page.$eval(`#${id}`, (element) => element.textContent);
const isReady = (page: Page) => page.waitForSelector('#start:not(:disabled)');
const checkedOf = (page: Page) =>
  page.$$eval('input:checked', (inputs) => inputs.map((input) => `${input.name} ${input.value}`));

/** How much wider than the window the page is, in CSS pixels. */
const excessOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

describe("the benchmark's page", () => {
  it('is found from the list of demos, and names browser and adapter', async () => {
    const { page, complaints } = await open('');
    await Promise.all([page.waitForNavigation(), page.click('a[href*="bench"]')]);
    await isReady(page);
    expect(await textOf(page, 'browser')).toMatch(/^\w*Chrom\w* \d+[\d.]+, /);
    expect(await textOf(page, 'adapter-found')).toMatch(/, software$/);
    expect(await textOf(page, 'threads')).toBe('yes');
    expect(await checkedOf(page)).toEqual([
      ...['suite paper', 'suite inside', 'suite pairs', 'suite contacts', 'suite dem'],
      ...['extent quick', 'adapter auto'],
    ]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('runs what is chosen, shows the report and saves it, at the width of a phone too', async () => {
    const { page, complaints } = await open('bench/?suite=inside&quick&adapter=software', (opened) =>
      opened.setViewport(PHONE),
    );
    await isReady(page);
    expect(await excessOf(page)).toBe(0);
    expect(await checkedOf(page)).toEqual(['suite inside', 'extent quick', 'adapter software']);
    await page.click('#start');
    await page.waitForSelector('#running:not([hidden])');
    await page.waitForSelector('#done:not([hidden])');
    // Of the case before the last: these were drawn while the run went on.
    const bars = await page.$$eval('#bars-inside tr', (rows) =>
      rows.map((row) => ({
        width: row.querySelector<HTMLElement>('.bar')!.style.width,
        text: row.lastElementChild!.textContent,
      })),
    );
    expect(bars.length).toBeGreaterThan(2);
    expect(bars.filter(({ width }) => width === '100%')).toEqual([{ width: '100%', text: 'fastest' }]);
    const { json, html } = await page.evaluate(async () => {
      const read = async (id: string) =>
        (await fetch((document.getElementById(id) as HTMLAnchorElement).href)).text();
      return { json: await read('json-file'), html: await read('html-file') };
    });
    const report = JSON.parse(json) as BenchReport;
    expect(report.suites.map(({ name }) => name)).toEqual(['inside']);
    expect(report.commands).toEqual([
      `${server.url}bench/?suite=inside&quick&adapter=software`,
      'scree bench --suite inside --browser --adapter software --quick',
    ]);
    expect(report.suites[0]!.ways.map(({ key }) => key)).toContain('three-mesh-bvh');
    expect(html).toMatch(/^<!doctype html>/);
    const shown = await page.waitForFrame((frame) => frame.url().startsWith('blob:'));
    expect(await shown.$eval('h1', (heading) => heading.textContent)).toMatch(/benchmark/);
    // As high as what it holds: the page scrolls, not the frame.
    await page.waitForFunction(() => {
      const frame = document.getElementById('report') as HTMLIFrameElement;
      const inner = frame.contentDocument!.documentElement;
      return frame.clientHeight > 1000 && inner.scrollHeight <= frame.clientHeight;
    });
    expect(await excessOf(page)).toBe(0);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('stops when asked, and can start again', async () => {
    const { page, complaints } = await open('bench/?suite=paper&full');
    await isReady(page);
    await page.click('#start');
    await page.waitForFunction(() =>
      /step [1-9]/.test(document.getElementById('stage')!.textContent as string),
    );
    await page.click('#stop');
    await page.waitForSelector('#stopped:not([hidden])');
    await isReady(page);
    expect(await page.$eval('#running', (section) => (section as HTMLElement).hidden)).toBe(true);
    expect(await page.$eval('#problem', (box) => (box as HTMLElement).hidden)).toBe(true);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('asks for a suite where none is chosen', async () => {
    const { page } = await open('bench/?suite=inside');
    await isReady(page);
    await page.click('[value="inside"]');
    await page.click('#start');
    expect(await textOf(page, 'problem')).toBe('No suite is chosen: choose at least one.');
    await page.close();
  });

  it('says what to do where there is no WebGPU', async () => {
    const { page } = await open('bench/', (opened) =>
      opened.evaluateOnNewDocument(() => Object.defineProperty(navigator, 'gpu', { value: undefined })),
    );
    await page.waitForSelector('#no-adapter:not([hidden])');
    expect(await textOf(page, 'no-adapter')).toMatch(/^WebGPU is not available in this browser: use /);
    expect(await page.$eval('#start', (button) => (button as HTMLButtonElement).disabled)).toBe(true);
    await page.close();
  });

  it('says so where the adapter that is chosen is not to be had, and goes on with another', async () => {
    const { page } = await open('bench/?adapter=hardware');
    await page.waitForSelector('#no-adapter:not([hidden])');
    expect(await textOf(page, 'no-adapter')).toMatch(/^no hardware WebGPU adapter: /);
    await page.click('[value="software"]');
    await isReady(page);
    expect(await page.$eval('#no-adapter', (box) => (box as HTMLElement).hidden)).toBe(true);
    await page.close();
  });
});
