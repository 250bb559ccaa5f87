import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig, normalizePath, type Plugin, type UserConfig } from 'vite';

const root = import.meta.dirname;
const platformAlias = (name: 'node' | 'browser') => ({
  '#platform': resolve(root, `src/platform/${name}.ts`),
});
const WORKER_SOURCE = 'src/inside/cell-grid/worker.ts';
/** Name by which src/platform/browser.ts looks for the worker threads' bundle, beside its own. */
const BROWSER_WORKER = 'cell-grid.worker.browser';

/**
 * `vite build --mode node` makes dist/index.js and dist/cli.js, `--mode browser` dist/index.browser.js. They differ
 * only in the file that `#platform` stands for. `node-worker` and `browser-worker` make the worker threads' bundles.
 * `demos` makes the pages in dist/demos/; `vite --mode demos` serves them from their sources.
 */
export default defineConfig(({ mode }) => (mode === 'demos' ? demos() : library(mode)));

function library(mode: string): UserConfig {
  const node = mode.startsWith('node');
  const worker = mode.endsWith('-worker');
  return {
    resolve: { alias: platformAlias(node ? 'node' : 'browser') },
    build: {
      target: 'es2023',
      outDir: 'dist',
      emptyOutDir: false,
      sourcemap: true,
      minify: false,
      lib: {
        entry: worker
          ? { [node ? 'cell-grid.worker' : BROWSER_WORKER]: WORKER_SOURCE }
          : node
            ? { index: 'src/index.ts', cli: 'src/cli/cli.ts' }
            : { 'index.browser': 'src/index.ts' },
        formats: ['es'],
      },
      rollupOptions: {
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
}

function demos(): UserConfig {
  // As the server of `scree bench --browser` answers: isolated pages have SharedArrayBuffer and finer clocks.
  const headers = {
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
  };
  return {
    root: resolve(root, 'demos'),
    // The pages may lie in any folder of a server.
    base: './',
    resolve: { alias: platformAlias('browser') },
    define: { BUNDLED_VERSIONS: JSON.stringify(bundledVersions()) },
    plugins: [workerFromSource()],
    cacheDir: resolve(root, '.cache/vite-demos'),
    // What is found only when a run has begun would have the page loaded anew.
    optimizeDeps: { include: ['typegpu', 'typegpu/data', 'robust-predicates', 'three', 'three-mesh-bvh'] },
    server: { headers, fs: { allow: [root] } },
    preview: { headers },
    build: {
      target: 'es2023',
      outDir: resolve(root, 'dist/demos'),
      emptyOutDir: true,
      sourcemap: false,
      license: { fileName: 'THIRD-PARTY.txt' },
      // three is what is large, and the peer needs it.
      chunkSizeWarningLimit: 2000,
      rollupOptions: {
        input: {
          demos: resolve(root, 'demos/index.html'),
          bench: resolve(root, 'demos/bench/index.html'),
          headless: resolve(root, 'demos/bench/headless.html'),
          [BROWSER_WORKER]: resolve(root, WORKER_SOURCE),
        },
        output: {
          entryFileNames: ({ name }) => `assets/${name === BROWSER_WORKER ? name : '[name]-[hash]'}.js`,
        },
      },
    },
  };
}

/** Versions of what the benchmark's page is made of, for its reports. */
function bundledVersions(): Record<string, string> {
  const packages = ['typegpu', 'robust-predicates', 'three', 'three-mesh-bvh'];
  const version = (file: string) =>
    (JSON.parse(readFileSync(resolve(root, file), 'utf8')) as { version: string }).version;
  return Object.fromEntries([
    ['scree', version('package.json')],
    ...packages.map((name) => [name, version(`node_modules/${name}/package.json`)]),
  ]);
}

/** Serves the worker's source where pages that run from their sources look for its bundle. */
function workerFromSource(): Plugin {
  return {
    name: 'worker-from-source',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use((request, _, next) => {
        if (request.url?.split('?', 1)[0]?.endsWith(`/platform/${BROWSER_WORKER}.js`)) {
          request.url = `/@fs/${normalizePath(resolve(root, WORKER_SOURCE))}`;
        }
        next();
      });
    },
  };
}
