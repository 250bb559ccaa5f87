import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '#platform': resolve(import.meta.dirname, 'src/platform/node.ts') } },
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/fixed-seed.ts'],
    // Dawn keeps process-wide state: a process per file. Two at a time: most of a file's time is one thread's, as it compiles
    // kernels or computes what they have to give. More would wait for the one GPU, or for the cores of a software adapter.
    pool: 'forks',
    maxWorkers: 2,
    // The bundle that `npm test` has just built: worker threads cannot run the sources themselves.
    env: { SCREE_WORKER: resolve(import.meta.dirname, 'dist/platform/scree.worker.js') },
    // Hangs end here; on a busy machine the slowest hook takes two minutes.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: 'test-results/report.json' }]]
      : ['default'],
  },
});
