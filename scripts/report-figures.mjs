// What paper-figures.mjs and pairs-figures.mjs have in common. From docs/benchmarks/NAME.json, or the report named on
// the command line, bench/NAME-figures.ts draws docs/benchmarks/NAME.svg and fills the section NAME of
// docs/benchmarks.md.
import { join, resolve } from 'node:path';
import { runnerImport } from 'vite';

const root = resolve(import.meta.dirname, '..');

/** @param {'paper' | 'pairs'} name */
export async function drawFigures(name) {
  const { module } = await runnerImport(join(root, `bench/${name}-figures.ts`), {
    root,
    configFile: false,
    logLevel: 'warn',
    resolve: { alias: { '#platform': join(root, 'src/platform/node.ts') } },
  });
  const write = { paper: module.writePaperFigures, pairs: module.writePairsFigures }[name];
  const [report = join(root, `docs/benchmarks/${name}.json`), ...rest] = process.argv.slice(2);
  try {
    if (rest.length > 0) throw Object.assign(new Error('more than a report found'), { exitCode: 2 });
    write({
      report,
      chart: join(root, `docs/benchmarks/${name}.svg`),
      page: join(root, 'docs/benchmarks.md'),
    });
  } catch (error) {
    process.exitCode = error.exitCode ?? 1;
    console.error(`${name}-figures: ${error.exitCode ? error.message : error.stack}`);
  }
}
