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

/** What the command line takes of the library by itself: names, and what its benchmark times. */
const TAKEN_ALONE = ['contacts/field/polyhedron', 'contacts/field/signed-distance', 'mesh/mesh-formats'];

/** What scripts in demos/scripts/ time and count inside the library. */
const LOOKED_INTO = [
  ...['equations', 'mechanism'].map((name) => `multibody/equations/${name}`),
  'dem/complementarity/contact-complementarity',
];

/**
 * `vite build --mode library` makes dist/index.js, a file for each file of src/ that it exports from, and dist/parts/
 * with what these share: a bundler takes what an application uses and no more, and Node has few files to load.
 * `node-worker` and `browser-worker` make the worker threads' bundles, which stand alone beside the file that starts
 * them, and `cli` dist/cli.js. `demos` makes the pages in dist/demos/; `vite --mode demos` serves them from their
 * sources. `charts` makes the script that draws a report's charts, which both command line and pages put into it.
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
  const output = { chunkFileNames: 'parts/[name].js', minifyInternalExports: false, minify };
  // package.json picks the platform.
  const platforms = ['node', 'deno', 'browser'].map((name) => `platform/${name}`);
  const entries = ['index', ...publicFiles(), ...TAKEN_ALONE, ...LOOKED_INTO, ...platforms].map((file) => [
    file,
    `src/${file}.ts`,
  ]);
  const { rollupOptions, ...rest } = built(Object.fromEntries(entries), [...EXTERNAL, '#platform'], output);
  const options: Rolldown.RolldownOptions = {
    // Files that others need more of export that as well, and are not parted for it.
    preserveEntrySignatures: 'allow-extension',
    // What is loaded when needed must not import what loads it: bundlers would keep both in applications that use
    // neither.
    experimental: { chunkOptimization: { mergeCommonChunks: true, avoidRedundantChunkLoads: false } },
  };
  return { plugins: [wgslModules()], build: { ...rest, rollupOptions: { ...rollupOptions, ...options } } };
}

/** Files of src/ that the public API exports from, without their suffix. */
function publicFiles(): string[] {
  const text = readFileSync(resolve(root, 'src/index.ts'), 'utf8');
  return [...text.matchAll(/^export \{([^}]*)\} from '\.\/(.*)\.ts';$/gm)]
    .filter(([, names]) => valuesAmong(names!).length > 0)
    .map(([, , file]) => file!);
}

/** Of what stands between braces of an import or export, all that is no type. */
function valuesAmong(names: string): string[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));
}

function worker(platform: 'node' | 'browser', name: string): UserConfig {
  return {
    resolve: { alias: platformAlias(platform) },
    // A browser's worker has no import map to find packages with.
    build: built({ [name]: WORKER_SOURCE }, platform === 'node' ? EXTERNAL : [], {
      minify: true,
      codeSplitting: false,
    }),
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
 * whatever both use would move the library out of dist/index.js, away from the bundle of its worker threads. Each
 * import is of the files that have its names: all of them would take longer to load than many commands take.
 */
function builtLibrary(): Plugin {
  const PREFIX = 'built:';
  // Beside the entry file, here as in dist/: from there it is written relative to whichever file imports it.
  const beside = (file: string) => ({ id: resolve(root, 'src/cli', file), external: 'relative' as const });
  const fileOf = new Map<string, string>();
  return {
    name: 'built-library',
    enforce: 'pre',
    buildStart() {
      const code = readFileSync(resolve(root, 'dist/index.js'), 'utf8');
      for (const [, names, file] of code.matchAll(/^import \{ (.+) \} from "\.\/(.+)";$/gm))
        for (const name of names!.split(', ')) fileOf.set(name, `${PREFIX}${file}`);
    },
    transform(code) {
      const byFile = (names: string, write: (names: string, file: string) => string) => {
        const files = new Map<string, string[]>();
        for (const name of valuesAmong(names)) {
          const file = fileOf.get(name) ?? this.error(`the library exports no ${name}`);
          files.set(file, [...(files.get(file) ?? []), name]);
        }
        return [...files].map(([file, its]) => write(`{ ${its.join(', ')} }`, `'${file}'`)).join(' ');
      };
      return code
        .replace(/^import \{([^}]*)\} from '(?:\.\.\/)+index\.ts';/gm, (_, all) =>
          byFile(all, (names, file) => `import ${names} from ${file};`),
        )
        .replace(/const \{([^}]*)\} = await import\(\s*'(?:\.\.\/)+index\.ts',?\s*\);/g, (_, all) =>
          byFile(all, (names, file) => `const ${names} = await import(${file});`),
        );
    },
    async resolveId(source, importer, options) {
      if (source.startsWith(PREFIX)) return beside(source.slice(PREFIX.length));
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      const file =
        found && posix.relative(normalizePath(resolve(root, 'src')), found.id).replace(/\.ts$/, '');
      if (file === 'index') this.error(`${importer}: import { names } of the library`);
      return file && TAKEN_ALONE.includes(file) ? beside(`${file}.js`) : null;
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
      // Browsers that have WebGPU know module preloads. Worker threads have no document to put them into.
      modulePreload: {
        polyfill: false,
        resolveDependencies: (_, files, { hostId }) => (hostId.includes(BROWSER_WORKER) ? [] : files),
      },
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
