// Draws docs/benchmarks/paper.svg, the chart of README.md, and fills the section "paper" of docs/benchmarks.md:
//   node dist/cli.js bench
//   cp scree-out/bench/report.json docs/benchmarks/paper.json
//   node scripts/paper-figures.mjs
import { drawFigures } from './report-figures.mjs';

await drawFigures('paper');
