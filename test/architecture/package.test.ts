import { expect, it } from 'vitest';
import { pack } from '../support/package.ts';

it('the package is small, and carries neither source maps nor what the benchmark compares with', () => {
  const { unpackedSize, files } = pack('--dry-run');
  // The library with its kernels takes 2.3 MB, pages and charts 1.8, docs, schema and the picture 0.8.
  expect(unpackedSize).toBeLessThan(5_200_000);
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
  // Only code of others is as large as this.
  expect(files.filter(({ size }) => size > 300_000)).toEqual([]);
});
