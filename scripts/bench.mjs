// Bundles the benchmark into a new folder below .cache/bench/ and runs it in another Node process, so that nothing of
// the bundler is in its memory or its engine. Arguments are passed on: `npm run bench -- --help`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';

const root = resolve(import.meta.dirname, '..');
const cache = join(root, '.cache/bench');
mkdirSync(cache, { recursive: true });
// Two runs at a time must not overwrite each other.
const outDir = mkdtempSync(join(cache, 'run-'));
try {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    resolve: { alias: { '#platform': join(root, 'src/platform/node.ts') } },
    build: {
      ssr: true,
      target: 'es2023',
      outDir,
      emptyOutDir: false,
      sourcemap: true,
      minify: false,
      rollupOptions: {
        input: {
          bench: join(root, 'bench/main.ts'),
          // The library starts its worker threads from a file of this name beside it.
          'scree.worker': join(root, 'src/worker.ts'),
        },
        external: [/^(webgpu|typegpu|three|three-mesh-bvh|robust-predicates|nanotar)(\/|$)/],
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
  const bench = ['--enable-source-maps', '--expose-gc', join(outDir, 'bench.js'), ...process.argv.slice(2)];
  const child = spawn(process.execPath, bench, { stdio: 'inherit' });
  // Whoever ends this process wants to end the benchmark, which must not go on alone.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const [status, signal] = await once(child, 'exit');
  if (signal !== null) console.error(`bench: the process was ended by ${signal}`);
  process.exitCode = status ?? 1;
} finally {
  rmSync(outDir, { recursive: true, force: true });
}
