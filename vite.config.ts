import { resolve } from 'node:path';
import { defineConfig } from 'vite';

/**
 * `vite build --mode node` makes dist/index.js and dist/cli.js, `--mode browser` dist/index.browser.js. They differ
 * only in the file that `#platform` stands for. `node-worker` and `browser-worker` make the worker threads' bundles.
 */
export default defineConfig(({ mode }) => {
  const node = mode.startsWith('node');
  const worker = mode.endsWith('-worker');
  const root = import.meta.dirname;
  return {
    resolve: {
      alias: { '#platform': resolve(root, `src/platform/${node ? 'node' : 'browser'}.ts`) },
    },
    build: {
      target: 'es2023',
      outDir: 'dist',
      emptyOutDir: false,
      sourcemap: true,
      minify: false,
      lib: {
        entry: worker
          ? { [node ? 'cell-grid.worker' : 'cell-grid.worker.browser']: 'src/inside/cell-grid/worker.ts' }
          : node
            ? { index: 'src/index.ts', cli: 'src/cli/cli.ts' }
            : { 'index.browser': 'src/index.ts' },
        formats: ['es'],
      },
      rollupOptions: {
        // The command line's chunks import from dist/index.js what it exports anyway: it stays whole, beside the workers' bundle.
        preserveEntrySignatures: 'allow-extension',
        external: node
          ? [
              /^node:/,
              /^(typegpu|robust-predicates|commander|cli-progress|nanotar|webgpu|puppeteer|three|three-mesh-bvh)(\/|$)/,
            ]
          : // A worker has no import map to find packages with.
            worker
            ? []
            : [/^(typegpu|robust-predicates)(\/|$)/],
        output: { chunkFileNames: node ? 'chunks/[name]-[hash].js' : 'chunks/browser-[name]-[hash].js' },
      },
    },
  };
});
