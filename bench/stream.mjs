// Points of a file against a foam: streamed by `scree classify`, and held at once by `readPoints` and `classify`, each in a
// process of its own. Prints a table in Markdown. Needs `npm run build`, and 13 bytes of disk per point in --folder.
//
//   node bench/stream.mjs                                  10^7 points on the CPU, streamed and at once
//   node bench/stream.mjs --points 1e8 --ways stream       10^8 points
//   node bench/stream.mjs --backend gpu                    on the adapter that there is
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const root = resolve(import.meta.dirname, '..');
const library = () => import(join(root, 'dist/index.js'));
const MESH = 'foam.ply';
const POINTS = 'points.npy';
const PIECE = 1 << 20;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    points: { type: 'string', default: '1e7' },
    triangles: { type: 'string', default: '120000' },
    backend: { type: 'string', default: 'cpu' },
    ways: { type: 'string', default: 'stream,at-once' },
    repeat: { type: 'string', default: '3' },
    folder: { type: 'string', default: tmpdir() },
  },
});
if (positionals[0] === 'at-once') await classifyAtOnce(positionals[1]);
else await compare();

/** Uniformly random points in the cube from -0.05 to 1.05, in float32: xorshift (Marsaglia 2003), seed 1. */
async function writePoints(path, count) {
  const { encodeNpyHeader } = await library();
  let state = 1;
  const random = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  const file = await open(path, 'w');
  await file.write(encodeNpyHeader('f4', [count, 3]));
  for (let first = 0; first < count; first += PIECE) {
    const points = new Float32Array(3 * Math.min(PIECE, count - first));
    for (let i = 0; i < points.length; i++) points[i] = 1.1 * random() - 0.05;
    await file.writeFile(new Uint8Array(points.buffer));
  }
  await file.close();
}

/** The child process of way `at-once`: prints seconds and peak memory as JSON. */
async function classifyAtOnce(backend) {
  const { encodeNpy, openDevice, Polyhedron, readMesh, readPoints } = await library();
  const started = performance.now();
  const mesh = await readMesh(MESH);
  const device = backend === 'gpu' ? await openDevice() : undefined;
  const body = await Polyhedron.create(device, mesh);
  // Built before the clock of the points starts, as the command line has it.
  await body.classify(new Float32Array(3), { backend });
  const pointsStarted = performance.now();
  const { flags } = await body.classify(await readPoints(POINTS), { backend });
  await writeFile('at-once.npy', encodeNpy(flags, [flags.length]));
  const ended = performance.now();
  // As the command line has it, see peakMemoryBytes in src/cli/run.ts.
  const own = await readFile('/proc/self/status', 'latin1').catch(() => '');
  const peak = /^VmHWM:\s*(\d+) kB$/m.exec(own)?.[1] ?? process.resourceUsage().maxRSS;
  const peakMemoryBytes = 1024 * Number(peak);
  process.stdout.write(
    JSON.stringify({
      seconds: { stream: (ended - pointsStarted) / 1000, total: (ended - started) / 1000 },
      peakMemoryBytes,
    }),
  );
  device?.destroy();
}

async function compare() {
  const count = Number(values.points);
  const ways = values.ways.split(',');
  const folder = mkdtempSync(join(values.folder, 'scree-stream-'));
  const run = (...args) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  const cli = join(root, 'dist/cli.js');
  const backend = ['--backend', values.backend];
  const commands = {
    stream: [
      cli,
      'classify',
      MESH,
      '--points',
      POINTS,
      '--out',
      'stream.npy',
      '--quiet',
      '--json',
      ...backend,
    ],
    'at-once': [import.meta.filename, 'at-once', values.backend],
  };
  try {
    run(cli, 'generate', 'foam', '--triangles', values.triangles, '--out', MESH);
    await writePoints(join(folder, POINTS), count);
    // Into the cache of the system, for whoever comes first.
    for await (const _ of createReadStream(join(folder, POINTS), { highWaterMark: PIECE }));
    const results = Object.fromEntries(ways.map((way) => [way, []]));
    for (let round = 0; round < Number(values.repeat); round++) {
      for (const way of ways) results[way].push(JSON.parse(run(...commands[way])));
    }
    const hashes = await Promise.all(
      ways.map(async (way) =>
        createHash('sha256')
          .update(await readFile(join(folder, `${way}.npy`)))
          .digest('hex'),
      ),
    );
    if (new Set(hashes).size > 1) throw new Error('the ways differ in their flags');
    print(count, results);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function print(count, results) {
  const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
  const { model, length } = { ...cpus()[0], length: cpus().length };
  console.log(`${model}, ${length} cores, Node ${process.versions.node}\n`);
  console.log(
    '| way | backend | points | seconds, read to write | points/s | seconds in all | peak memory |',
  );
  console.log('| --- | --- | ---: | ---: | ---: | ---: | ---: |');
  for (const [way, runs] of Object.entries(results)) {
    const seconds = median(runs.map((run) => run.seconds.stream));
    const total = median(runs.map((run) => run.seconds.total));
    const peak = median(runs.map((run) => run.peakMemoryBytes)) / 2 ** 20;
    const cells = [
      ...[way, values.backend, count.toLocaleString('en-US'), seconds.toFixed(2)],
      ...[`${(count / seconds / 1e6).toFixed(1)} M`, total.toFixed(2), `${peak.toFixed(0)} MiB`],
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
  for (const [way, runs] of Object.entries(results)) {
    console.log(`\n${way}: ${runs.map((run) => JSON.stringify(run.seconds)).join(' ')}`);
  }
}
