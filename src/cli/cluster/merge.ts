/** `scree merge`: puts the shards of a result together, once all are there and fit. */
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Command } from 'commander';
import {
  describeFileError,
  fileError,
  inputError,
  requireReadableFile,
  requireWritablePath,
} from '../files.ts';
import { countOf, formatBytes, ranges, roundSeconds } from '../format.ts';
import { interruptSignal } from '../interrupt.ts';
import {
  DEFAULT_CHUNK,
  jsonOption,
  type OutputFlags,
  suffixOf,
  wholeNumber,
  withCommonOptions,
} from '../options.ts';
import { printJson } from '../output.ts';
import { openProgress, type Progress } from '../progress.ts';
import { createNpyFile, RESULT_DTYPES } from '../result-file.ts';
import { peakMemoryBytes, startClock } from '../run.ts';
import { findShard, readNumbers, type ShardHeader, type Share, shardPath } from './shard-file.ts';
import { differenceOf, foundExpected, MOST_SHARDS, misplaced, openRows, sumOfRows } from './shards.ts';

interface MergeFlags extends OutputFlags {
  readonly expect?: number;
  readonly points?: string;
  readonly remove?: boolean;
}

export function addMerge(program: Command): void {
  const command = program
    .command('merge')
    .summary('put the shards of a result together')
    .description(
      'Put the shards of a result together, which `--shard I/N` of classify and winding wrote: FILE.shard-1-of-N ' +
        'and so on become FILE, byte for byte what one run writes. Names those that are missing or do not fit.',
    )
    .argument('<file>', 'the result: what --out was, .npy')
    .option('--expect <n>', 'the number of shards, if there are several', wholeNumber(1, MOST_SHARDS))
    .option('--points <file>', 'also check that the shards are of these points')
    .option('--remove', 'remove the shards afterwards')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Examples:
  for i in $(seq 16); do scree classify part.body --points p.npy --out f.npy --shard $i/16; done
  scree merge f.npy
  scree merge f.npy --expect 16 --points p.npy --remove`,
    )
    .action((out: string, flags: MergeFlags) => merge(out, flags, command));
  withCommonOptions(command);
}

async function merge(out: string, flags: MergeFlags, command: Command): Promise<void> {
  suffixOf(out, '<file>', ['npy'], command);
  await requireWritablePath(out);
  if (flags.points !== undefined) await requireReadableFile(flags.points);
  const signal = interruptSignal();
  const progress = await openProgress(flags);
  const total = startClock();
  try {
    progress.stage(`looking for shards of ${out}`);
    const of = await numberOfShards(out, flags.expect);
    const shards = await fittingShards(out, of);
    const [{ what, rows }] = shards as [ShardHeader];
    const merging = { out, shards, signal, progress };
    if (flags.points !== undefined) await requirePoints(flags.points, merging);
    await copyNumbers(merging);
    progress.stop();
    if (flags.remove) for (const { share } of shards) await remove(shardPath(out, share));
    const seconds = roundSeconds(total());
    if (flags.json) {
      const fields = { out, what, points: rows.total, shards: of, removed: flags.remove === true };
      printJson({ ...fields, seconds, peakMemoryBytes: peakMemoryBytes() });
    } else {
      const bytes = formatBytes(rows.total * Number(RESULT_DTYPES[what][1]));
      const from = `${countOf(of, 'shard')}${flags.remove ? ', which are removed' : ''}`;
      process.stdout.write(
        `wrote ${out}: ${what} of ${countOf(rows.total, 'point')}, ${bytes}, of ${from}\n`,
      );
    }
  } finally {
    progress.stop();
  }
}

/** The number that the shards beside a file are of. @throws InputError unless all of one number are there */
async function numberOfShards(out: string, expected: number | undefined): Promise<number> {
  const start = `${basename(out)}.shard-`;
  const found = new Map<number, Set<number>>();
  for (const name of await readdir(dirname(out))) {
    const match = name.startsWith(start) && /^(\d+)-of-(\d+)$/.exec(name.slice(start.length));
    if (!match) continue;
    const [index, of] = [Number(match[1]), Number(match[2])];
    // Others are no names that scree gives.
    if (basename(shardPath(out, { index, of })) !== name || index < 1 || index > of || of > MOST_SHARDS)
      continue;
    found.set(of, (found.get(of) ?? new Set()).add(index));
  }
  if (found.size > 1 && expected === undefined) {
    const each = [...found].map(([of, { size }]) => `${size} of ${of}`).join(' and ');
    throw await inputError(`${out}: shards ${each} found, expected those of one number: --expect says which`);
  }
  const of = expected ?? [...found.keys()][0];
  if (of === undefined) {
    throw await inputError(
      `${out}: no shards found, expected ${basename(out)}.shard-1-of-N and so on beside it`,
    );
  }
  const missing = Array.from({ length: of }, (_, k) => k + 1).filter((index) => !found.get(of)?.has(index));
  if (missing.length > 0) {
    throw await inputError(
      `${out}: of ${countOf(of, 'shard')} ${missing.length} missing: ${ranges(missing)}`,
    );
  }
  return of;
}

/** The headers of all shards, in order. @throws InputError if they are not parts of one result */
async function fittingShards(out: string, of: number): Promise<ShardHeader[]> {
  const shards: ShardHeader[] = [];
  const faults: { readonly index: number; readonly line: string }[] = [];
  for (let index = 1; index <= of; index++) {
    const path = shardPath(out, { index, of });
    const found = (await findShard(path)) ?? { problem: 'gone meanwhile' };
    const problem =
      'problem' in found ? found.problem : misfit(found, { index, of }, shards[0] ?? found, out);
    if (problem === undefined) shards.push(found as ShardHeader);
    else faults.push({ index, line: `${path}: ${problem}` });
  }
  if (faults.length === 0) return shards;
  const others = faults.slice(1).map(({ index }) => index);
  const more = others.length > 0 ? ` (nor can be used: ${ranges(others)})` : '';
  throw await inputError(`${faults[0]!.line}${more}`);
}

/** What keeps a shard from being a share of the result that the first one is a share of. */
function misfit(found: ShardHeader, share: Share, first: ShardHeader, out: string): string | undefined {
  const difference = differenceOf(found, first, [found.used, first.used]);
  return misplaced(found, share) ?? (difference && `${difference} as in ${shardPath(out, first.share)}`);
}

interface Merging {
  readonly out: string;
  readonly shards: readonly ShardHeader[];
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** @throws InputError unless the shards are of these points */
async function requirePoints(points: string, { out, shards, signal, progress }: Merging): Promise<void> {
  const job = { points, chunk: DEFAULT_CHUNK, signal };
  const { total } = shards[0]!.rows;
  const file = await openRows(job, { first: 0, count: 0 });
  await file.close();
  if (file.total !== total) {
    const line = foundExpected('points', file.total, total);
    throw await inputError(`${points}: ${line} as in ${shardPath(out, shards[0]!.share)}`);
  }
  for (const { rows, share, pointsCrc32 } of shards) {
    const sum = await sumOfRows(job, rows);
    progress.update(rows.first + rows.count, total, ' checked');
    if (sum === pointsCrc32) continue;
    const line = foundExpected('points with the checksum', pointsCrc32, sum);
    throw await inputError(`${shardPath(out, share)}: ${line} as in ${points}`);
  }
}

async function copyNumbers({ out, shards, signal, progress }: Merging): Promise<void> {
  const { what, rows } = shards[0]!;
  const file = await createNpyFile(out, what, rows.total);
  try {
    for (const shard of shards) {
      const path = shardPath(out, shard.share);
      const problem = await readNumbers(path, shard, async (piece) => {
        signal.throwIfAborted();
        await file.write(piece);
      });
      if (problem !== undefined) throw await inputError(`${path}: ${problem}`);
      progress.update(shard.rows.first + shard.rows.count, rows.total);
    }
    signal.throwIfAborted();
    await file.commit({});
  } finally {
    await file.discard();
  }
}

async function remove(path: string): Promise<void> {
  try {
    await rm(path, { force: true });
  } catch (error) {
    const cause = error as NodeJS.ErrnoException;
    throw await fileError(`${path}: cannot be removed: ${describeFileError(cause, 'no such file')}`, cause);
  }
}
