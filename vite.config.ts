import { readFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import {
  type BuildOptions,
  defineConfig,
  normalizePath,
  type Plugin,
  type Rolldown,
  type UserConfig,
} from 'vite';
import { wgslModules } from './scripts/wgsl-modules.ts';

const root = import.meta.dirname;
const platformAlias = (name: 'node' | 'browser') => ({
  '#platform': resolve(root, `src/platform/${name}.ts`),
});
const WORKER_SOURCE = 'src/worker.ts';
/** Name by which src/platform/browser.ts looks for the worker threads' bundle, beside its own. */
const BROWSER_WORKER = 'scree.worker.browser';

/** What the benchmark compares with: large, and not to be had without a user's wish. */
const PEERS = ['three', 'three-mesh-bvh', '@dimforge/rapier3d-compat', '@dimforge/rapier3d-simd-compat'];
/** What pages draw with. */
const DRAWING = ['three/webgpu', 'three/tsl', 'three/addons/controls/OrbitControls.js'];
/** What is not bundled: what Node and a user's npm have. */
const EXTERNAL = [
  /^node:/,
  /^(typegpu|robust-predicates|commander|cli-progress|nanotar|ml-matrix|webgpu|wgpu-matrix|puppeteer)(\/|$)/,
  ...PEERS,
];

/**
 * `vite build --mode library` makes dist/index.js and a file beside it for each file of src/ that it needs, so that a
 * bundler takes what an application uses and no more. `node-worker` and `browser-worker` make the worker threads'
 * bundles, which stand alone beside the file that starts them, and `cli` dist/cli.js. `demos` makes the pages in
 * dist/demos/; `vite --mode demos` serves them from their sources. `charts` makes the script that draws a report's
 * charts, which both command line and pages put into it.
 */
export default defineConfig(({ mode, command }) => {
  switch (mode) {
    case 'library':
      return library();
    case 'node-worker':
      return worker('node', 'platform/scree.worker');
    case 'browser-worker':
      return worker('browser', `platform/${BROWSER_WORKER}`);
    case 'cli':
      return commandLine();
    case 'charts':
      return charts();
    default:
      return demos(command === 'serve');
  }
});

function library(): UserConfig {
  // Shorter, with lines and names of functions and classes as they are: users read it where they look for a fault.
  const mangle = { toplevel: false, keepNames: true };
  const minify = { compress: true, mangle, codegen: { removeWhitespace: false } };
  const output = { preserveModules: true, preserveModulesRoot: 'src', minify };
  const platforms = {
    'platform/node': 'src/platform/node.ts',
    'platform/deno': 'src/platform/deno.ts',
    'platform/browser': 'src/platform/browser.ts',
  };
  // package.json picks the platform.
  return {
    plugins: [wgslModules()],
    build: built({ index: 'src/index.ts', ...platforms }, [...EXTERNAL, '#platform'], output),
  };
}

function worker(platform: 'node' | 'browser', name: string): UserConfig {
  return {
    resolve: { alias: platformAlias(platform) },
    // A browser's worker has no import map to find packages with.
    build: built({ [name]: WORKER_SOURCE }, platform === 'node' ? EXTERNAL : [], { minify: true }),
  };
}

function commandLine(): UserConfig {
  return {
    plugins: [builtLibrary(), wgslModules()],
    build: built({ cli: 'src/cli/cli.ts' }, EXTERNAL, {
      chunkFileNames: 'chunks/[name]-[hash].js',
      // Smaller, and functions that `--debug` shows keep their names.
      minify: { compress: true, mangle: { toplevel: false, keepNames: true } },
    }),
  };
}

/** The script that a report carries: not a module, as a report is opened from a file. */
function charts(): UserConfig {
  const entry = resolve(root, 'src/bench/report-page/draw.ts');
  return {
    build: {
      ...{ target: 'es2023', outDir: 'dist/demos', emptyOutDir: false, minify: true },
      lib: { entry, formats: ['iife'], name: 'screeCharts', fileName: () => 'charts.js' },
      license: { fileName: 'charts-THIRD-PARTY.txt' },
    },
  };
}

function built(
  entry: Record<string, string>,
  external: (string | RegExp)[],
  output: Rolldown.OutputOptions = {},
): BuildOptions {
  return {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: false,
    minify: false,
    lib: { entry, formats: ['es'] },
    rollupOptions: {
      external,
      output: {
        ...output,
        // Doc comments are in the declarations.
        comments: { jsdoc: false, legal: true, annotation: true },
      },
    },
  };
}

/**
 * The command line takes the library as it is built, also what its benchmark times of it by itself. Bundled together,
 * whatever both use would move the library out of dist/index.js, away from the bundle of its worker threads. Of the
 * library it loads the files of the names it asks for: Node takes a second or half of one for all of them.
 */
function builtLibrary(): Plugin {
  const isBuilt = /^(contacts\/|mesh\/)/;
  const PREFIX = 'built:';
  // Beside the entry file, here as in dist/: from there it is written relative to whichever file imports it.
  const beside = (file: string) => ({ id: resolve(root, 'src/cli', file), external: 'relative' as const });
  const fileOf = new Map<string, string>();
  return {
    name: 'built-library',
    enforce: 'pre',
    buildStart() {
      for (const [, names, file] of readFileSync(resolve(root, 'dist/index.js'), 'utf8').matchAll(
        /^import \{ (.+) \} from "\.\/(.+)";$/gm,
      )) {
        for (const name of names!.split(', ')) fileOf.set(name, `${PREFIX}${file}`);
      }
    },
    transform(code) {
      const byFile = (names: string) => {
        const files = new Map<string, string[]>();
        for (const name of names.split(',').map((one) => one.trim())) {
          if (name === '' || name.startsWith('type ')) continue;
          const file = fileOf.get(name) ?? this.error(`the library exports no ${name}`);
          files.set(file, [...(files.get(file) ?? []), name]);
        }
        return [...files].map(([file, its]) => [`{ ${its.join(', ')} }`, `'${file}'`] as const);
      };
      return code
        .replace(/^import \{([^}]*)\} from '(?:\.\.\/)+index\.ts';/gm, (_, names) =>
          byFile(names)
            .map(([its, file]) => `import ${its} from ${file};`)
            .join(' '),
        )
        .replace(/const \{([^}]*)\} = await import\(\s*'(?:\.\.\/)+index\.ts',?\s*\);/g, (_, names) =>
          byFile(names)
            .map(([its, file]) => `const ${its} = await import(${file});`)
            .join(' '),
        );
    },
    async resolveId(source, importer, options) {
      if (source.startsWith(PREFIX)) return beside(source.slice(PREFIX.length));
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      const file = found && posix.relative(normalizePath(resolve(root, 'src')), found.id);
      if (file === 'index.ts') this.error(`${importer}: import { names } of the library`);
      return file && isBuilt.test(file) ? beside(file.replace(/\.ts$/, '.js')) : null;
    },
  };
}

/**
 * Built pages find peers where the server of `scree bench --browser` says; pages served from their sources find those
 * of the checkout.
 */
function demos(fromSources: boolean): UserConfig {
  const bundled = ['scree', 'typegpu', 'robust-predicates', 'wgpu-matrix', ...(fromSources ? PEERS : [])];
  // What pages draw with is bundled, and its parts import the rest of it by the peer's name.
  const isPeer = (id: string, importer?: string) =>
    PEERS.includes(id) && !/[/]node_modules[/]three[/]/.test(normalizePath(importer ?? ''));
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
    define: { BUNDLED_VERSIONS: JSON.stringify(versionsOf(bundled)) },
    plugins: [workerFromSource(), wgslModules()],
    cacheDir: resolve(root, '.cache/vite-demos'),
    // What is found only when a run has begun would have the page loaded anew.
    optimizeDeps: {
      include: ['typegpu', 'typegpu/data', 'robust-predicates', 'wgpu-matrix', ...PEERS, ...DRAWING],
    },
    server: { headers, fs: { allow: [root] } },
    preview: { headers },
    build: {
      target: 'es2023',
      outDir: resolve(root, 'dist/demos'),
      emptyOutDir: true,
      sourcemap: false,
      // In kB: three's renderer is one chunk. Tests hold what a page loads, compressed.
      chunkSizeWarningLimit: 1000,
      license: { fileName: 'THIRD-PARTY.txt' },
      rollupOptions: {
        external: isPeer,
        input: {
          demos: resolve(root, 'demos/index.html'),
          inside: resolve(root, 'demos/inside/index.html'),
          bulk: resolve(root, 'demos/bulk/index.html'),
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
function versionsOf(packages: readonly string[]): Record<string, string> {
  const version = (file: string) =>
    (JSON.parse(readFileSync(resolve(root, file), 'utf8')) as { version: string }).version;
  return Object.fromEntries(
    packages.map((name) => [
      name,
      version(name === 'scree' ? 'package.json' : `node_modules/${name}/package.json`),
    ]),
  );
}

/**
 * Serves the worker's source where pages that run from their sources look for its bundle, and the charts' script as it
 * was built.
 */
function workerFromSource(): Plugin {
  return {
    name: 'worker-from-source',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use((request, _, next) => {
        if (request.url?.split('?', 1)[0]?.endsWith(`/platform/${BROWSER_WORKER}.js`)) {
          request.url = `/@fs/${normalizePath(resolve(root, WORKER_SOURCE))}`;
        }
        if (request.url === '/charts.js') {
          request.url = `/@fs/${normalizePath(resolve(root, 'dist/demos/charts.js'))}`;
        }
        next();
      });
    },
  };
}
