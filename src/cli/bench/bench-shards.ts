/** `scree bench shards`: shards of points beside one run, `scree merge` beside `cat`, and memory of many points. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inTurns } from '../../bench/spread.ts';
import { bytesText, countText } from '../../bench/text.ts';
import { type AdapterPreference, createRandom, encodeNpyHeader, ScreeError } from '../../index.ts';
import { createShardFile, shardPath, shareRows } from '../cluster/shard-file.ts';
import { createFileAtomically } from '../output.ts';
import { bytesOf } from '../result-file.ts';
import { ownVersion } from '../versions.ts';
import { type Figure, figureOf, formatFigures } from './bench-figures.ts';
import { cpuFacts } from './bench-node.ts';

/** Points are a power of two, so that shares of a half, a quarter and so on are equal. */
const FULL = {
  ...{ triangles: 120_000, points: 2 ** 29, chunk: 2 ** 20, shards: 4 },
  ...{ merged: 2 ** 31, mergedShards: 16, rounds: 3 },
} as const;
const QUICK = {
  ...{ triangles: 1000, points: 2 ** 14, chunk: 2 ** 9, shards: 4 },
  ...{ merged: 2 ** 16, mergedShards: 4, rounds: 1 },
} as const;

export interface ShardsRun {
  readonly adapter: AdapterPreference;
  readonly quick: boolean;
  /** Where files are made. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Called between measurements only. */
  readonly onProgress: (what: string) => void;
}

interface ShardsFigure extends Figure {
  readonly part: 'classify' | 'merge' | 'memory';
}

export interface ShardsReport {
  readonly format: 'scree-bench-shards';
  readonly date: string;
  readonly machine: string;
  readonly quick: boolean;
  readonly chosen: readonly string[];
  readonly figures: readonly ShardsFigure[];
}

/** What is measured with. */
interface Bench extends ShardsRun {
  readonly plan: typeof FULL | typeof QUICK;
  /** Runs scree in the folder, and gives its JSON object with the seconds of its process. */
  readonly scree: (...args: string[]) => Promise<{ json: ClassifyJson; seconds: number }>;
}

/** Of the report of classify; merge has the last field too. */
interface ClassifyJson {
  readonly reason: string;
  readonly method: string;
  readonly backend: string;
  readonly seconds: { readonly stream: number };
  readonly peakMemoryBytes: number;
}

/** @throws ScreeError if a command fails */
export async function benchShards(run: ShardsRun): Promise<ShardsReport> {
  const plan = run.quick ? QUICK : FULL;
  const folder = await mkdtemp(join(run.folder, 'scree-bench-'));
  try {
    const scree = (...args: string[]) => runScree(args, folder, run.signal);
    const bench: Bench = { ...run, folder, plan, scree };
    run.onProgress(`making ${countText(plan.points)} points`);
    await writePoints(join(folder, 'points.npy'), plan, run.signal);
    await screeText(['generate', 'foam', '--triangles', `${plan.triangles}`, '--out', 'foam.stl'], bench);
    await screeText(['build', 'foam.stl', '--out', 'foam.body'], bench);
    const { chosen, figures } = await ofClassify(bench);
    const memory = await ofMemory(bench);
    await rm(join(folder, 'points.npy'));
    const { cpu, cores } = cpuFacts();
    return {
      ...{ format: 'scree-bench-shards', date: new Date().toISOString(), quick: run.quick, chosen },
      machine: `${cores} cores of ${cpu || 'an unnamed processor'}, Node ${process.version}`,
      figures: [...figures, ...(await ofMerge(bench)), ...memory],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Points at random in the unit cube, the same ones in every chunk. */
async function writePoints(path: string, { points, chunk }: Bench['plan'], signal: AbortSignal): Promise<void> {
  const random = createRandom(1);
  const some = bytesOf(Float32Array.from({ length: 3 * chunk }, random));
  const file = await createFileAtomically(path);
  try {
    await file.write(encodeNpyHeader('f4', [points, 3]));
    for (let made = 0; made < points; made += chunk) await file.write(some, signal);
    await file.commit();
  } finally {
    await file.discard();
  }
}

async function ofClassify(bench: Bench) {
  const { plan, scree, adapter, onProgress } = bench;
  const { points, chunk, shards, triangles, rounds } = plan;
  const work = ['classify', 'foam.body', '--points', 'points.npy', '--chunk', `${chunk}`, '--adapter', adapter];
  let first: ClassifyJson | undefined;
  const share = async (k: number) => scree(...work, '--out', 'f.npy', '--shard', `${k + 1}/${shards}`, '--force');
  const seconds = { one: [] as number[], each: [] as number[], two: [] as number[] };
  const streams = { one: [] as number[], each: [] as number[] };
  const setUps: number[] = [];
  const ways = {
    async one() {
      const done = await scree(...work, '--out', 'one.npy');
      first ??= done.json;
      seconds.one.push(done.seconds);
      streams.one.push(done.json.seconds.stream);
    },
    async each() {
      let [all, stream] = [0, 0];
      for (let k = 0; k < shards; k++) {
        const done = await share(k);
        all += done.seconds;
        stream += done.json.seconds.stream;
        setUps.push(done.seconds - done.json.seconds.stream);
      }
      seconds.each.push(all);
      streams.each.push(stream);
    },
    async two() {
      const started = performance.now();
      let next = 0;
      const worker = async () => {
        while (next < shards) await share(next++);
      };
      // Both have ended before the folder may be removed.
      for (const end of await Promise.allSettled([worker(), worker()])) if (end.status === 'rejected') throw end.reason;
      seconds.two.push((performance.now() - started) / 1000);
    },
  };
  await inTurns(['one', 'each', 'two'] as const, rounds, async (way, round) => {
    const names = { one: 'one run', each: `${shards} shards, one after another`, two: `${shards} shards, two at once` };
    onProgress(`${names[way]}, round ${round + 1} of ${rounds}`);
    await ways[way]();
  });
  const { method, backend, reason } = first!;
  const rates = (all: readonly number[]) => all.map((value) => points / value);
  const ratios = (one: readonly number[], other: readonly number[]) => one.map((value, k) => value / other[k]!);
  const add = (...figure: Parameters<typeof figureOf>) => ({ part: 'classify', ...figureOf(...figure) }) as const;
  const [each, two] = [`${shards} shards one by one`, `${shards} shards two at once`];
  const figures: ShardsFigure[] = [
    add('one run: points', 'per second', rates(seconds.one)),
    add(`${each}: points`, 'per second', rates(seconds.each)),
    add(`${two}: points`, 'per second', rates(seconds.two)),
    add('set-up of a share', 'seconds', setUps),
    add(`${each}: points/s beside one run`, 'ratio', ratios(seconds.one, seconds.each), { least: 0.9 }),
    add(`${two}: points/s beside one run`, 'ratio', ratios(seconds.one, seconds.two), { least: 0.9 }),
    add(`${each}: the same without set-up`, 'ratio', ratios(streams.one, streams.each), { least: 0.9 }),
  ];
  const chosen = [
    `classify: ${countText(points)} points, ${countText(triangles)} triangles, ${method}, ${backend}: ${reason}`,
  ];
  return { chosen, figures };
}

/** Memory of shares of one file, each four times as many points as the one before. */
async function ofMemory({ plan, scree, adapter, onProgress }: Bench): Promise<ShardsFigure[]> {
  const figures: ShardsFigure[] = [];
  const peaks: number[] = [];
  for (const share of [16, 4, 1]) {
    const points = countText(plan.points / share);
    onProgress(`memory of ${points} points`);
    const work = ['--points', 'points.npy', '--chunk', `${plan.chunk}`, '--adapter', adapter, '--out', 'm.npy'];
    const { json } = await scree('classify', 'foam.body', ...work, '--shard', `1/${share}`);
    peaks.push(json.peakMemoryBytes);
    figures.push({ part: 'memory', ...figureOf(`${points} points: peak`, 'bytes', [json.peakMemoryBytes]) });
  }
  const [least, , most] = peaks;
  const growth = figureOf('16 times the points: peak beside', 'ratio', [most! / least!], { most: 1.25 });
  return [...figures, { part: 'memory', ...growth }];
}

async function ofMerge({ plan, scree, folder, signal, onProgress }: Bench): Promise<ShardsFigure[]> {
  const { merged: total, mergedShards: of, chunk, rounds } = plan;
  onProgress(`making ${of} shards of ${bytesText(total)}`);
  const paths = await Promise.all(Array.from({ length: of }, (_, k) => writeShard(folder, { index: k + 1, of })));
  const times = { merge: [] as number[], cat: [] as number[] };
  const peaks: number[] = [];
  const result = join(folder, 'merged.npy');
  await inTurns(['cat', 'merge'] as const, rounds, async (way, round) => {
    onProgress(`${way}, round ${round + 1} of ${rounds}`);
    // Neither gets to write over an old file.
    await rm(result, { force: true });
    if (way === 'cat') times.cat.push(await cat(paths, result, signal));
    else {
      const { json, seconds } = await scree('merge', 'merged.npy');
      times.merge.push(seconds);
      peaks.push(json.peakMemoryBytes);
    }
  });
  const ratios = times.merge.map((value, k) => value / times.cat[k]!);
  return [
    figureOf(`${of} shards of ${bytesText(total)}: merge`, 'seconds', times.merge),
    figureOf(`${of} shards of ${bytesText(total)}: cat`, 'seconds', times.cat),
    figureOf('merge beside cat', 'ratio', ratios, { most: 2 }),
    figureOf('merge: peak memory', 'bytes', peaks),
  ].map((figure) => ({ part: 'merge', ...figure }));

  async function writeShard(at: string, share: { index: number; of: number }): Promise<string> {
    const path = shardPath(join(at, 'merged.npy'), share);
    const rows = { ...shareRows(total, chunk, share), total };
    const question = { scree: ownVersion('scree'), what: 'flags', share, rows, chunk, body: '', asked: {} } as const;
    const file = await createShardFile(path, question, () => 0);
    const random = createRandom(share.index);
    const flags = Uint8Array.from({ length: chunk }, () => Math.floor(3 * random()));
    for (let made = 0; made < rows.count; made += chunk) await file.write(flags);
    await file.commit({});
    return path;
  }
}

/** Seconds that `cat` takes to write files one after another into a new one. */
async function cat(paths: readonly string[], to: string, signal: AbortSignal): Promise<number> {
  const file = await open(to, 'wx');
  try {
    const started = performance.now();
    await succeeds(spawn('cat', paths, { stdio: ['ignore', file.fd, 'inherit'] }), 'cat', signal);
    return (performance.now() - started) / 1000;
  } finally {
    await file.close();
  }
}

async function runScree(args: readonly string[], folder: string, signal: AbortSignal) {
  const started = performance.now();
  const text = await screeText([...args, '--json'], { folder, signal });
  return { json: JSON.parse(text) as ClassifyJson, seconds: (performance.now() - started) / 1000 };
}

async function screeText(
  args: readonly string[],
  { folder, signal }: Pick<Bench, 'folder' | 'signal'>,
): Promise<string> {
  const whole = [process.argv[1]!, ...args, '--quiet'];
  const child = spawn(process.execPath, whole, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  await succeeds(child, `scree ${args[0]}`, signal);
  return text;
}

/** Waits for a process, which the signal ends. @throws the signal's reason; ScreeError if the process fails */
async function succeeds(child: ChildProcess, name: string, signal: AbortSignal): Promise<void> {
  const stop = () => void child.kill();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    signal.throwIfAborted();
    if (code !== 0) throw new ScreeError(`${name} failed, which the benchmark needs`, 1);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Without a final newline. */
export function formatShards({ machine, chosen, figures, quick }: ShardsReport): string {
  return formatFigures([machine, ...chosen], 'part', figures, quick);
}
