// Rule winding on a sphere of 131,072 triangles of which some are missing, turned or doubled: how many flags of random points
// differ from those of the whole sphere, and how long it takes; then winding numbers at several tolerances. Prints tables in
// Markdown. Needs `npm run build`.
//
//   node bench/winding.mjs                                        100 triangles, 512,000 points, on the CPU
//   node bench/winding.mjs --refinements 5 --points 50000         smaller
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    refinements: { type: 'string', default: '7' },
    damaged: { type: 'string', default: '100' },
    points: { type: 'string', default: '512000' },
    seed: { type: 'string', default: '1' },
    tolerances: { type: 'string', default: '0.1,0.01,0.001' },
  },
});
const { Polyhedron, TriangleMesh, unitSphere } = await import(
  resolve(import.meta.dirname, '../dist/index.js')
);

let state = Number(values.seed);
/** Uniform in 0 .. 1: xorshift (Marsaglia 2003). */
function random() {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) / 2 ** 32;
}

const whole = unitSphere(Number(values.refinements));
const count = Number(values.points);
const points = Float32Array.from({ length: 3 * count }, () => 2.1 * random() - 1.05);
const damaged = new Set();
while (damaged.size < Number(values.damaged)) damaged.add(Math.floor(random() * whole.triangleCount));

const { positions } = whole;
const corners = (t) => whole.indices.subarray(3 * t, 3 * t + 3);
const turned = whole.indices.slice();
for (const t of damaged) turned.subarray(3 * t, 3 * t + 2).reverse();
const variants = {
  missing: whole.indices.filter((_, i) => !damaged.has(Math.floor(i / 3))),
  turned,
  doubled: Uint32Array.from([...whole.indices, ...[...damaged].flatMap((t) => [...corners(t)])]),
};

const body = await Polyhedron.create(undefined, whole);
const { flags: expected } = await body.classify(points);
body.destroy();

const seconds = (value) => value.toFixed(2);
console.log(
  `${whole.triangleCount} triangles, ${damaged.size} of them damaged, ${count} random points, seed ${values.seed}\n`,
);
console.log('| triangles are | flags that differ | settled | undecided | method | set-up s | points s |');
console.log('|---|---:|---:|---:|---|---:|---:|');
for (const [name, indices] of Object.entries(variants)) {
  const mesh = new TriangleMesh({ positions, indices, name });
  const dirty = await Polyhedron.create(undefined, mesh, { open: true });
  const result = await dirty.classify(points, { rule: 'winding' });
  let differ = 0;
  for (let i = 0; i < count; i++) if (result.flags[i] !== expected[i]) differ++;
  const { build, classify, exact } = result.seconds;
  console.log(
    `| ${name} | ${differ} | ${result.resolvedExactly} | ${result.undecided} | ${result.method} | ${seconds(build)} | ${seconds(classify + exact)} |`,
  );
  dirty.destroy();
}

console.log(
  '\n| tolerance | method | degree | separation | summed up again | largest bound | set-up s | points s | again s | MB |',
);
console.log('|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|');
const mesh = new TriangleMesh({ positions, indices: variants.missing, name: 'missing' });
for (const tolerance of values.tolerances.split(',').map(Number)) {
  const torn = await Polyhedron.create(undefined, mesh, { open: true });
  const found = await torn.windingNumber(points, { tolerance });
  const { build, evaluate, sharpen } = found.seconds;
  const most = found.bounds.reduce((a, b) => Math.max(a, b), 0);
  console.log(
    `| ${tolerance} | ${found.method} | ${found.degree} | ${found.separation} | ${found.sharpened} | ${most.toExponential(1)} | ${seconds(build)} | ${seconds(evaluate)} | ${seconds(sharpen)} | ${(found.tableBytes / 1e6).toFixed(0)} |`,
  );
  torn.destroy();
}
