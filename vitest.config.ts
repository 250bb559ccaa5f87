import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '#platform': resolve(import.meta.dirname, 'src/platform/node.ts') } },
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/fixed-seed.ts'],
    // Dawn keeps process-wide state and the GPU is one: a process per file, one at a time.
    pool: 'forks',
    fileParallelism: false,
    // The bundle that `npm test` has just built: worker threads cannot run the sources themselves.
    env: { SCREE_WORKER: resolve(import.meta.dirname, 'dist/platform/scree.worker.js') },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: 'test-results/report.json' }]]
      : ['default'],
  },
});
