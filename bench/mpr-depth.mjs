// How often the depth of MPR is that of EPA, and how much deeper at most: random pairs of four shapes, by depth over the shapes'
// bounding diameter, for the improved algorithm's single pass (kind `signed-distance`) and the thesis' two (`penetration`). Prints
// a table in Markdown. Needs `npm run build`.
//
//   node bench/mpr-depth.mjs                     200,000 pairs of each shape
//   node bench/mpr-depth.mjs --pairs 10000       fewer
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { pairs: { type: 'string', default: '200000' }, seed: { type: 'string', default: '1' } },
});
const { ConvexBatch, createRandom } = await import(resolve(import.meta.dirname, '../dist/index.js'));

const count = Number(values.pairs);
if (!(Number.isInteger(count) && count > 0)) {
  process.stderr.write(`--pairs is ${values.pairs}, expected a whole number from 1 on\n`);
  process.exit(2);
}
const seed = Number(values.seed);
if (!(Number.isInteger(seed) && seed >= 0)) {
  process.stderr.write(`--seed is ${values.seed}, expected a whole number\n`);
  process.exit(2);
}
/** Within this of EPA's depth MPR's counts as the same. */
const SAME = 1.01;
/** Bins by depth over the bounding diameter: where they end, and their names. */
const BINS = [
  [0.01, 'below 1 %'],
  [0.05, '1 to 5 %'],
  [0.15, '5 to 15 %'],
  [Infinity, 'above 15 %'],
];

const random = createRandom(seed);

/** Uniform on the unit sphere, by Archimedes: heights are uniform. */
function spherePoint() {
  const z = 2 * random() - 1;
  const r = Math.sqrt(1 - z * z);
  const longitude = 2 * Math.PI * random();
  return [r * Math.cos(longitude), r * Math.sin(longitude), z];
}

/** Uniformly random rotation: K. Shoemake, Graphics Gems III (1992). */
function quaternion() {
  const [u, v, w] = [random(), 2 * Math.PI * random(), 2 * Math.PI * random()];
  const [a, b] = [Math.sqrt(1 - u), Math.sqrt(u)];
  return [a * Math.sin(v), a * Math.cos(v), b * Math.sin(w), b * Math.cos(w)];
}

const hull = {
  kind: 'polytope',
  vertices: Float64Array.from(Array.from({ length: 50 }, spherePoint).flat()),
};
/** Each with its bounding diameter about its centre. */
const SHAPES = [
  ['cube', { kind: 'box', halfExtents: [1, 1, 1] }, 2 * Math.sqrt(3)],
  ['hull of 50 points', hull, 2],
  ['cone', { kind: 'cone', radius: 1, height: 2 }, 3],
  ['ellipsoid', { kind: 'ellipsoid', radii: [0.5, 1, 0.75] }, 2],
];

const columns = [];
for (const [name, shape, diameter] of SHAPES) {
  // Deep and shallow overlaps alike: the other's centre is anywhere in a ball that reaches to where shapes just touch.
  const poses = new Float32Array(14 * count);
  for (let i = 0; i < count; i++) {
    const distance = diameter * random();
    poses.set([0, 0, 0, ...quaternion()], 14 * i);
    poses.set([...spherePoint().map((x) => distance * x), ...quaternion()], 14 * i + 7);
  }
  const pairs = Uint32Array.from({ length: 2 * count }, (_, i) => i);
  const bodies = new Uint32Array(2 * count);
  const batch = await ConvexBatch.create(undefined, [shape]);
  const ask = (kind, algorithm) => batch.query({ poses, pairs, bodies, kind, algorithm });
  const exact = await ask('penetration', 'gjk');
  const improved = await ask('signed-distance', 'mpr');
  const twoPasses = await ask('penetration', 'mpr');
  batch.destroy();
  for (const [label, found] of [
    ['improved', improved],
    ['two passes', twoPasses],
  ]) {
    const rows = BINS.map(() => ({ pairs: 0, same: 0, most: 1 }));
    for (let i = 0; i < count; i++) {
      if (exact.distance[i] < 0 !== found.distance[i] < 0)
        throw new Error(`${name}, pair ${i}: signs differ`);
      if (!(exact.distance[i] < 0)) continue;
      const row = rows[BINS.findIndex(([end]) => -exact.distance[i] < end * diameter)];
      // Bounds meet to the tolerance, which is no small part of the shallowest depths.
      const ratio = found.distance[i] / Math.min(exact.lower[i], exact.distance[i]);
      // EPA's is no larger than the exact depth by more than the tolerance, of a size of at most two diameters.
      const missing = (1 - ratio) * -exact.distance[i];
      if (missing > 2 ** -18 * diameter) throw new Error(`${name}, pair ${i}: too small by ${missing}`);
      row.pairs++;
      if (ratio <= SAME) row.same++;
      row.most = Math.max(row.most, ratio);
    }
    columns.push({ name: `${name}, ${label}`, rows });
  }
}
console.log(`${count} pairs of each shape, seed ${values.seed}\n`);
console.log(`| depth | ${columns.map(({ name }) => name).join(' | ')} |`);
console.log(`|---|${'---|'.repeat(columns.length)}`);
BINS.forEach(([, name], bin) => {
  const cells = columns.map(({ rows }) => {
    const { pairs, same, most } = rows[bin];
    return pairs === 0 ? '' : `${((100 * same) / pairs).toFixed(1)} %, ${most.toFixed(2)}`;
  });
  console.log(`| ${name} | ${cells.join(' | ')} |`);
});
