/** The benchmark's page as people get it: laid out by Chrome, on a desktop and on a phone, light and dark. */
import { readFileSync } from 'node:fs';
import type { Page } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportHtml } from '../../src/bench/report-page/page.ts';
import { THEMES } from '../../src/bench/report-page/style.ts';
import { syntheticReport } from '../support/bench-report.ts';
import { type ChromeSession, startChrome } from '../support/chrome.ts';
import { openPage } from '../support/open-page.ts';

let session: ChromeSession;
let page: Page;
const requests: string[] = [];
const complaints: string[] = [];

beforeAll(async () => {
  session = await startChrome();
  page = await openPage(session.browser);
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => complaints.push(message.text()));
  await page.setContent(
    reportHtml(syntheticReport({ timestamps: true }), readFileSync('dist/demos/charts.js', 'utf8')),
  );
});

afterAll(() => session?.close());

/** Charts are drawn when their width is known. The page allows no evaluation, which `waitForFunction` needs. */
const drawn = () =>
  page.evaluate(async () => {
    const isDrawn = (plot: HTMLElement) => plot.dataset.width === String(plot.clientWidth);
    const shown = () =>
      [...document.querySelectorAll<HTMLElement>('.plot')].filter(
        (plot) => !plot.closest('details:not([open])'),
      );
    while (!shown().every(isDrawn)) await new Promise(requestAnimationFrame);
  });

async function show(width: number, scheme: 'light' | 'dark'): Promise<void> {
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await drawn();
}

const openDetails = async (open: boolean) => {
  await page.evaluate((wanted) => {
    for (const one of document.querySelectorAll('details')) one.open = wanted;
  }, open);
  await drawn();
};

/** Colours as Chrome tells them, of the page and of the text of its first chart. */
const colours = () =>
  page.evaluate(() => ({
    background: getComputedStyle(document.body).backgroundColor,
    chart: getComputedStyle(document.querySelector('.plot svg text')!).fill,
  }));

function rgb(colour: string): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return `rgb(${parts.join(', ')})`;
}

const expected = ({ background, ink }: (typeof THEMES)['light']) => ({
  background: rgb(background!),
  chart: rgb(ink!),
});

describe('the report in Chrome', () => {
  it('asks for nothing and has nothing to complain of', () => {
    expect(requests).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it.each([1280, 820, 390, 320])('is never wider than a window of %i pixels, tables open', async (width) => {
    await show(width, 'light');
    await openDetails(true);
    const wide = await page.evaluate(() => {
      const { clientWidth, scrollWidth } = document.documentElement;
      // What stands in a box that scrolls may be wider.
      const sticking = [...document.querySelectorAll('main *, header *')].filter(
        (element) =>
          !element.closest('.scroll *, pre *, svg *') &&
          element.getBoundingClientRect().right > clientWidth + 1,
      );
      return {
        over: scrollWidth - clientWidth,
        sticking: sticking.map((element) => element.outerHTML.slice(0, 80)),
      };
    });
    await openDetails(false);
    expect(wide).toEqual({ over: 0, sticking: [] });
  });

  it('has no text of a chart upon another or outside of its chart', async () => {
    await show(390, 'light');
    const wrong = await page.evaluate(() => {
      const found: string[] = [];
      for (const chart of document.querySelectorAll<SVGSVGElement>('.plot svg')) {
        const box = chart.getBoundingClientRect();
        const texts = [...chart.querySelectorAll('text')].map((text) => ({
          name: `${chart.getAttribute('aria-label')}: ${text.textContent}`,
          at: text.getBoundingClientRect(),
        }));
        for (const [i, { name, at }] of texts.entries()) {
          const outside =
            at.left < box.left - 1 ||
            at.right > box.right + 1 ||
            at.top < box.top - 1 ||
            at.bottom > box.bottom + 1;
          if (outside) found.push(`${name} sticks out`);
          for (const other of texts.slice(i + 1)) {
            const across = Math.min(at.right, other.at.right) - Math.max(at.left, other.at.left);
            // Boxes are as high as the font's tallest letters: lines of two-line labels share a little of theirs.
            const down = Math.min(at.bottom, other.at.bottom) - Math.max(at.top, other.at.top);
            if (across > 0 && down > 0.3 * Math.min(at.height, other.at.height)) {
              found.push(`${name} is upon ${other.name}`);
            }
          }
        }
      }
      return found;
    });
    expect(wrong).toEqual([]);
  });

  it('has text of at least 9.5 pixels on a phone', async () => {
    await show(390, 'light');
    const smallest = await page.evaluate(() =>
      Math.min(
        ...[...document.querySelectorAll<SVGTextElement>('.plot svg text')].map((text) => {
          const size = Number.parseFloat(getComputedStyle(text).fontSize);
          return size * text.getScreenCTM()!.a;
        }),
      ),
    );
    expect(smallest).toBeGreaterThanOrEqual(9.5);
  });

  it('follows the system’s theme, and the button over it', async () => {
    // Chrome tells the page of another scheme with one of its next frames.
    const shows = async (theme: (typeof THEMES)['light'], label: string) => {
      await expect.poll(() => page.$eval('#theme', (button) => button.textContent)).toBe(label);
      await expect.poll(colours).toEqual(expected(theme));
    };
    await show(1280, 'light');
    await shows(THEMES.light, 'Dark theme');
    await show(1280, 'dark');
    await shows(THEMES.dark, 'Light theme');
    await page.click('#theme');
    await shows(THEMES.light, 'Dark theme');
    await show(1280, 'light');
    await page.click('#theme');
    await shows(THEMES.dark, 'Light theme');
  });
});
