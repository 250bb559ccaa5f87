/** `--shard I/N` of commands that ask about points: which share that is, and whether it is done already. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Command, InvalidArgumentError } from 'commander';
import type { PointFile, RowRange, TriangleMesh } from '../../index.ts';
import { DASH, inputError, requireWritablePath } from '../files.ts';
import { countOf, formatCount } from '../format.ts';
import { nameOf, sourceOf } from '../input.ts';
import { withDefaultSignals } from '../interrupt.ts';
import { printJson } from '../output.ts';
import type { Progress } from '../progress.ts';
import { bytesOf, createNpyFile, type ResultFile, type ResultKind, type Settings } from '../result-file.ts';
import { ownVersion } from '../versions.ts';
import {
  createShardFile,
  findShard,
  readNumbers,
  type ShardQuestion,
  type Share,
  shardPath,
  shareRows,
} from './shard-file.ts';

export const MOST_SHARDS = 1_000_000;

export interface ShardFlags {
  readonly shard?: Share;
  readonly force?: boolean;
}

/** Adds `--shard` and `--force` to a command. */
export function withShardOptions(command: Command): Command {
  return command
    .option(
      '--shard <i/n>',
      'only this share of the points, 1/16 to 16/16, to a file of its own, for `scree merge`',
      parseShare,
    )
    .option('--force', 'with --shard: also where the share is done already');
}

export function parseShare(text: string): Share {
  const [, index, of] = /^(\d{1,7})\/(\d{1,7})$/.exec(text)?.map(Number) ?? [];
  if (index === undefined || of === undefined || index < 1 || index > of || of > MOST_SHARDS) {
    throw new InvalidArgumentError(`Expected I/N with 1 <= I <= N <= ${MOST_SHARDS}.`);
  }
  return { index, of };
}

/** Ends the command if the points cannot be shared out. */
export function requireSoundShard(
  { shard, force, points, out }: ShardFlags & { readonly points?: string; readonly out?: string },
  command: Command,
): void {
  if (shard === undefined) {
    if (force) command.error('error: --force needs --shard');
    return;
  }
  if (out === undefined) command.error('error: --shard needs --out, to name its file by');
  if (points === undefined || points === DASH) {
    const found = points === undefined ? 'none' : 'standard input';
    command.error(`error: --shard needs --points with a .npy file, found ${found}`);
  }
}

/** What a command does for points. */
export interface PointJob {
  readonly points: string;
  readonly chunk: number;
  readonly mesh: TriangleMesh;
  readonly outputs: readonly { readonly what: ResultKind; readonly out: string }[];
  /** What was asked for, as far as numbers depend on it. */
  readonly asked: Settings;
  readonly signal: AbortSignal;
}

export interface OpenJob {
  readonly points: PointFile;
  readonly rows: RowRange & { readonly total: number };
  /** Files to be written. */
  readonly paths: readonly string[];
  /** Makes them, in the order of the job's outputs. */
  create(): Promise<ResultFile[]>;
}

/**
 * Opens the points of a job, all of them or those of a share. Undefined if the share is done, which is then reported:
 * its files are there, they are whole, and of the same body, points and options. One that was cut short or damaged is
 * made anew, with a remark on standard error.
 *
 * @throws InputError if the file of a share is there, and of something else
 */
export async function openJob(
  job: PointJob,
  { shard, force, json }: ShardFlags & { readonly json?: boolean },
  progress: Progress,
): Promise<OpenJob | undefined> {
  const { outputs, chunk, mesh, asked, signal } = job;
  if (shard === undefined) {
    const points = await openRows(job);
    const rows = { first: 0, count: points.count, total: points.total };
    const create = () => createAll(outputs, ({ what, out }) => createNpyFile(out, what, rows.count));
    return { points, rows, paths: outputs.map(({ out }) => out), create };
  }
  const paths = outputs.map(({ out }) => shardPath(out, shard));
  for (const path of paths) await requireWritablePath(path);
  const { total } = await openRows(job, { first: 0, count: 0 }).then(closed);
  const rows = { ...shareRows(total, chunk, shard), total };
  const common = { scree: ownVersion('scree'), share: shard, rows, chunk, body: hashOfBody(mesh), asked };
  const questions = outputs.map(({ what }) => ({ ...common, what }));
  const remark = (line: string) => {
    progress.stop();
    process.stderr.write(`scree: ${line}\n`);
  };
  if (!force && (await isDone(job, paths, questions, remark))) {
    progress.stop();
    if (json) printJson({ points: rows.count, ...shareFields(shard, rows), skipped: true, outputs: paths });
    else for (const path of paths) process.stdout.write(`${path} is there and whole: not made again\n`);
    return undefined;
  }
  const { points, sum } = summed(await openRows(job, rows));
  signal.throwIfAborted();
  const create = () => createAll(questions, (question, k) => createShardFile(paths[k]!, question, sum));
  return { points, rows, paths, create };
}

/** Of a report for programs. */
export function shareFields(shard: Share | undefined, rows: OpenJob['rows'] | undefined): object | undefined {
  return shard && { shard: { ...shard, ...rows } };
}

/** Of a report for people. */
export function shareRow(shard: Share | undefined, rows: OpenJob['rows'] | undefined): string[][] {
  if (shard === undefined || rows === undefined) return [];
  const { first, count, total } = rows;
  const found = `${formatCount(count)} of ${countOf(total, 'point')}, from row ${formatCount(first)} on`;
  return [[`share ${shard.index} of ${shard.of}`, found]];
}

/** Makes files. If one cannot be made, the others are gone, too. */
async function createAll<T>(
  of: readonly T[],
  make: (one: T, k: number) => Promise<ResultFile>,
): Promise<ResultFile[]> {
  const files: ResultFile[] = [];
  try {
    for (const [k, one] of of.entries()) files.push(await make(one, k));
    return files;
  } catch (error) {
    for (const file of files) await file.discard();
    throw error;
  }
}

/** Opens rows of a file of points, or all. */
export async function openRows(
  { points, chunk, signal }: Pick<PointJob, 'points' | 'chunk' | 'signal'>,
  rows?: RowRange,
): Promise<PointFile> {
  const { openPoints } = await import('../../index.ts');
  const options = { chunkPoints: chunk, name: nameOf(points), ...(rows && { rows }) };
  return withDefaultSignals(signal, () => openPoints(sourceOf(points), options));
}

async function closed(points: PointFile): Promise<PointFile> {
  await points.close();
  return points;
}

/** The points of a file, and the CRC-32 of those that have been read. A SHA-256 would take a tenth of the time. */
function summed(points: PointFile): { readonly points: PointFile; sum(): number } {
  let sum = 0;
  async function* chunks() {
    for await (const chunk of points) {
      sum = crc32(bytesOf(chunk), sum);
      yield chunk;
    }
  }
  return { points: { ...points, [Symbol.asyncIterator]: chunks }, sum: () => sum };
}

/** CRC-32 of rows of a file of points, as float32. */
export async function sumOfRows(
  job: Pick<PointJob, 'points' | 'chunk' | 'signal'>,
  rows: RowRange,
): Promise<number> {
  const { points, sum } = summed(await openRows(job, rows));
  for await (const _ of points) job.signal.throwIfAborted();
  return sum();
}

/** SHA-256 of a mesh: equal for a mesh file and a body that is built from it. */
function hashOfBody({ positions, indices }: TriangleMesh): string {
  const hash = createHash('sha256').update(`${positions.length} ${indices.length}\n`);
  return hash.update(bytesOf(positions)).update(bytesOf(indices)).digest('hex');
}

async function isDone(
  job: PointJob,
  paths: readonly string[],
  questions: readonly ShardQuestion[],
  remark: (line: string) => void,
): Promise<boolean> {
  const force = '--force makes it anew';
  let done = true;
  let sum: number | undefined;
  for (const [k, path] of paths.entries()) {
    const found = await findShard(path);
    if (found === undefined) {
      done = false;
      continue;
    }
    const anew = (problem: string) => {
      remark(`${path}: ${problem}: it is made anew`);
      done = false;
    };
    if ('problem' in found) {
      if (!found.isCut) throw await inputError(`${path}: ${found.problem}: ${force}`);
      anew(found.problem);
      continue;
    }
    const question = questions[k]!;
    const difference =
      differenceOf(found, question, [found.asked, job.asked]) ?? misplaced(found, question.share);
    if (difference !== undefined) throw await inputError(`${path}: ${difference}: ${force}`);
    const problem = await readNumbers(path, found, async () => job.signal.throwIfAborted());
    sum ??= await sumOfRows(job, found.rows);
    if (found.pointsCrc32 !== sum) {
      const other = foundExpected('points with the checksum', found.pointsCrc32, sum);
      throw await inputError(`${path}: ${other}: ${force}`);
    }
    if (problem !== undefined) anew(problem);
  }
  return done;
}

/**
 * The first thing in which two shards do not fit together, as "rule odd found, expected nonzero". Undefined if they do.
 *
 * @param settings of both: those asked for, where one is to answer the other's question; those used, where both are to
 *   be parts of one result
 */
export function differenceOf(
  found: ShardQuestion,
  expected: ShardQuestion,
  settings: readonly [Settings, Settings],
): string | undefined {
  const [a, b] = [found, expected].map(
    (shard, k): Settings => ({
      'results of kind': shard.what,
      'scree version': shard.scree,
      'body with the hash': shortHash(shard.body),
      'points in all': shard.rows.total,
      'points per chunk': shard.chunk,
      'number of shards': shard.share.of,
      ...settings[k],
    }),
  ) as [Settings, Settings];
  for (const name of Object.keys({ ...a, ...b })) {
    if (a[name] !== b[name]) return foundExpected(name, a[name], b[name]);
  }
  return undefined;
}

/** Whether a shard is another share than its name says. */
export function misplaced({ share, rows, chunk }: ShardQuestion, named: Share): string | undefined {
  const text = ({ index, of }: Share, { first, count }: RowRange) =>
    `${index}/${of} of ${count} rows from ${first} on`;
  const [is, should] = [text(share, rows), text(named, shareRows(rows.total, chunk, named))];
  return is === should ? undefined : foundExpected('share', is, should);
}

export function foundExpected(
  name: string,
  found: string | number = 'none',
  expected: string | number = 'none',
) {
  return `${name} ${found} found, expected ${expected}`;
}

/** Enough of a hash to tell two by. */
function shortHash(hash: string): string {
  return hash.slice(0, 16);
}
