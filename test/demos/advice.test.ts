import { expect, it } from 'vitest';
import { adviceFor } from '../../demos/page/adapter.ts';
import { browserAndSystem } from '../../demos/page/browser.ts';

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)';

it.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36',
    /on Linux$/,
    0,
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/143.0.0.0 Safari/537.36 Edg/143.0.0.0',
    /on Windows/,
    0,
  ],
  [
    'Mozilla/5.0 (X11; CrOS x86_64 16433.0.0) AppleWebKit/537.36 Chrome/143.0.0.0 Safari/537.36',
    /ChromeOS/,
    0,
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/143.0.0.0 Mobile Safari/537.36',
    /^Android/,
    5,
  ],
  ['Mozilla/5.0 (Android 14; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0', /^Android/, 5],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', /^Firefox/, 0],
  [`${MAC} Version/18.5 Safari/605.1.15`, /^Safari/, 0],
  // An iPad says that it is a Mac.
  [`${MAC} Version/18.5 Mobile/15E148 Safari/604.1`, /^Safari/, 5],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 FxiOS/145.0 Mobile Safari/604.1',
    /iPhone/,
    5,
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 CriOS/143.0 Mobile Safari/604.1',
    /iPhone/,
    5,
  ],
])('%s is told first what concerns it, then the rest', (text, title, touchPoints) => {
  const { browser, system } = browserAndSystem(text, touchPoints);
  const advice = adviceFor(browser, system);
  expect(advice[0]!.title).toMatch(title);
  expect(new Set(advice).size).toBe(6);
});
