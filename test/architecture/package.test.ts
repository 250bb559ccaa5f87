import { readFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { pack } from '../support/package.ts';

const { unpackedSize, files } = pack('--dry-run');

it('the package is small, and carries neither source maps nor what the benchmark compares with', () => {
  // The library with its kernels, mechanisms, impulses and collisions takes 2.9 MB, pages and charts 2.9, 0.9 of that
  // three; docs, scenes, schemas and pictures 1.4.
  expect(unpackedSize).toBeLessThan(7_500_000);
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

it('pages that pages of the package name are in it', () => {
  const paths = files.map(({ path }) => path);
  const pages = paths.filter((path) => path.endsWith('.md'));
  const missing = pages.flatMap((page) => {
    const text = readFileSync(resolve(import.meta.dirname, '../..', page), 'utf8');
    const named = [...text.matchAll(/\]\(([^)#:\s]+\.(?:md|json|mjs|webp|svg|png))[^):]*\)/g)];
    return (
      named
        .map(([, link]) => posix.join(posix.dirname(page), link!))
        // The report of 2 MB stays in the repository.
        .filter((link) => !paths.includes(link) && !link.startsWith('docs/benchmarks/report.'))
        .map((link) => `${page}: ${link}`)
    );
  });
  expect(missing).toEqual([]);
});

it('npm run docs makes a site of the public API and every guide, whose search finds words of both', () => {
  const json = (name: string) =>
    JSON.parse(readFileSync(resolve(import.meta.dirname, '../..', name), 'utf8'));
  expect(json('package.json').scripts.docs).toBe('typedoc');
  expect(json('typedoc.json')).toMatchObject({
    entryPoints: ['src/index.ts'],
    projectDocuments: ['docs/*.md'],
    searchInDocuments: true,
    searchInComments: true,
  });
});
