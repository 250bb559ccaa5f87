// Draws docs/benchmarks/pairs.svg and fills the section "pairs" of docs/benchmarks.md:
//   node dist/cli.js bench --suite pairs && cp scree-out/bench/report.json docs/benchmarks/pairs.json && node scripts/pairs-figures.mjs
import { join, resolve } from 'node:path';
import { runnerImport } from 'vite';

const root = resolve(import.meta.dirname, '..');
const { module } = await runnerImport(join(root, 'bench/pairs-figures.ts'), {
  root,
  configFile: false,
  logLevel: 'warn',
  resolve: { alias: { '#platform': join(root, 'src/platform/node.ts') } },
});
const [report = join(root, 'docs/benchmarks/pairs.json'), ...rest] = process.argv.slice(2);
try {
  if (rest.length > 0) throw Object.assign(new Error('more than a report found'), { exitCode: 2 });
  module.writePairsFigures({
    report,
    chart: join(root, 'docs/benchmarks/pairs.svg'),
    page: join(root, 'docs/benchmarks.md'),
  });
} catch (error) {
  process.exitCode = error.exitCode ?? 1;
  console.error(`pairs-figures: ${error.exitCode ? error.message : error.stack}`);
}
