import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { PagesReport } from '../../src/cli/bench/bench-pages.ts';
import { scree, temporaryFolder } from './scree.ts';

const folder = temporaryFolder();

it('scree bench pages measures both pages, and judges no quick run', async () => {
  const args = ['bench', 'pages', '--quick', '--adapter', 'software', '--json', 'pages.json', '--quiet'];
  const { code, stdout, stderr } = await scree(args, { cwd: folder });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const report = JSON.parse(readFileSync(join(folder, 'pages.json'), 'utf8')) as PagesReport;
  expect(report).toMatchObject({ format: 'scree-bench-pages', quick: true, adapter: { software: true } });
  const wanted = report.figures.filter((one) => one.wanted !== undefined);
  expect(wanted.map(({ page, what }) => `${page}: ${what}`)).toEqual([
    'bulk: from navigation to the first motion',
    'bulk: as it begins: of real time',
    'bulk: as it begins: longest frame',
    'bulk: 40 rocks: steps/s beside suite dem',
    'bulk: 40 rocks: drawing, share of frames',
    'inside: 1,000 points: points/s beside suite inside',
  ]);
  // So short a time may be without a picture.
  const certain = report.figures.filter(({ what }) => !what.includes('drawing'));
  for (const { what, value } of certain) expect(value.min, what).toBeGreaterThan(0);
  expect(stdout.split('\n').at(-2)).toBe('A quick run, not judged.');
  expect(stdout).not.toMatch(/(yes|no)$/m);
});

it('its options are its own', async () => {
  const { code, stderr } = await scree(['bench', 'pages', '--suite', 'dem'], { cwd: folder });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: "scree: unknown option '--suite' (Did you mean --quiet?)\n",
  });
});
