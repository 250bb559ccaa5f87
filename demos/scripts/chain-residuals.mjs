// Time of a residual of Multibody's equations per link, for chains of 4 to 256 rods: it is proportional to links. The
// equations are no part of the public API, so that they are taken from where the package has them.
//
//     node demos/scripts/chain-residuals.mjs [batches, default 60]
import { NO_SHAPE } from 'scree';
import { Equations } from '../../dist/multibody/equations/equations.js';
import { mechanismOf } from '../../dist/multibody/equations/mechanism.js';
import { whole } from './arguments.mjs';

const BATCHES = whole('batches', process.argv[2], 60);
/** Residuals of links in a batch: some milliseconds. */
const LINKS_PER_BATCH = 32768;

/** Rods of a mass and a length of 1 in a row, each on the end of the one before. */
function chainOf(count) {
  const rods = Array.from({ length: count }, (_, i) => i);
  const scene = {
    shapes: [],
    materials: [],
    bodies: {
      shapes: new Uint32Array(count).fill(NO_SHAPE),
      poses: Float64Array.from(rods.flatMap((i) => [i + 0.5, 0, 0, 0, 0, 0, 1])),
      masses: new Map(rods.map((i) => [i, { mass: 1, inertia: [0.001, 1 / 12, 1 / 12] }])),
    },
    joints: rods.map((i) => ({
      ...{ kind: 'revolute', a: i === 0 ? 'world' : i - 1, b: i },
      ...{ point: [-0.5, 0, 0], axis: [0, 1, 0] },
    })),
  };
  const names = rods.map((i) => `rod ${i}`);
  return new Equations(mechanismOf(scene, names, names), [], 1e-6);
}

console.log('| links | ns per residual and link |\n|---|---|');
for (let count = 4; count <= 256; count *= 2) {
  const equations = chainOf(count);
  const y = Float64Array.from({ length: equations.count }, (_, i) => Math.sin(1 + i));
  const state = { time: 0, y, rates: y.map((x) => 1 - x) };
  const out = new Float64Array(equations.count);
  const residuals = LINKS_PER_BATCH / count;
  let fastest = Infinity;
  for (let batch = 0; batch < BATCHES; batch++) {
    const start = performance.now();
    for (let i = 0; i < residuals; i++) equations.residual(state, out);
    fastest = Math.min(fastest, performance.now() - start);
  }
  console.log(`| ${count} | ${((1e6 * fastest) / LINKS_PER_BATCH).toFixed(0)} |`);
}
