// Draws docs/benchmarks/paper.svg, the chart of README.md, and fills the section "paper" of docs/benchmarks.md:
//   node dist/cli.js bench && cp scree-out/bench/report.json docs/benchmarks/paper.json && node scripts/paper-figures.mjs
import { join, resolve } from 'node:path';
import { runnerImport } from 'vite';

const root = resolve(import.meta.dirname, '..');
const { module } = await runnerImport(join(root, 'bench/paper-figures.ts'), {
  root,
  configFile: false,
  logLevel: 'warn',
  resolve: { alias: { '#platform': join(root, 'src/platform/node.ts') } },
});
const [report = join(root, 'docs/benchmarks/paper.json'), ...rest] = process.argv.slice(2);
try {
  if (rest.length > 0) throw Object.assign(new Error('more than a report found'), { exitCode: 2 });
  module.writePaperFigures({
    report,
    chart: join(root, 'docs/benchmarks/paper.svg'),
    page: join(root, 'docs/benchmarks.md'),
  });
} catch (error) {
  process.exitCode = error.exitCode ?? 1;
  console.error(`paper-figures: ${error.exitCode ? error.message : error.stack}`);
}
