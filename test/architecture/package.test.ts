import { expect, it } from 'vitest';
import { pack } from '../support/package.ts';

it('the package is small, and carries neither source maps nor what the benchmark compares with', () => {
  const { unpackedSize, files } = pack('--dry-run');
  // The library with its kernels takes 2.5 MB, pages and charts 2.9, 0.9 of that three; docs, scenes, schemas and
  // pictures 1.0.
  expect(unpackedSize).toBeLessThan(6_600_000);
  const paths = files.map(({ path }) => path);
  for (const needed of [
    'dist/index.js',
    'dist/cli.js',
    'dist/types/index.d.ts',
    'dist/platform/scree.worker.js',
    'dist/platform/scree.worker.browser.js',
    'dist/demos/bench/headless.html',
    'README.md',
    'LICENSE',
  ]) {
    expect(paths).toContain(needed);
  }
  expect(paths.filter((path) => path.endsWith('.map'))).toEqual([]);
  // Only code of others is as large as this: three, once, for the pages that draw.
  const large = files.filter(({ size }) => size > 300_000).map(({ path }) => path);
  expect(large).toEqual([expect.stringMatching(/^dist\/demos\/assets\/[\w-]+\.js$/)]);
});
