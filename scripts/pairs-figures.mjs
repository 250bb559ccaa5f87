// Draws docs/benchmarks/pairs.svg and fills the section "pairs" of docs/benchmarks.md:
//   node dist/cli.js bench --suite pairs
//   cp scree-out/bench/report.json docs/benchmarks/pairs.json
//   node scripts/pairs-figures.mjs
import { drawFigures } from './report-figures.mjs';

await drawFigures('pairs');
