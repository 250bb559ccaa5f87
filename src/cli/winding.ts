/** `scree winding`: generalised winding numbers of points, for every mesh, within a tolerance. */
import { type Command, Option } from 'commander';
import type { TriangleMesh } from '../index.ts';
import { POTENTIAL_KINDS } from '../inside/potential/potential.ts';
import { openJob, requireSoundShard, shareFields, shareRow, withShardOptions } from './cluster/shards.ts';
import { requireFiles } from './files.ts';
import {
  adapterFields,
  countOf,
  formatBytes,
  formatCount,
  formatSeconds,
  formatTable,
  roundedStages,
} from './format.ts';
import { nameOf } from './input.ts';
import { interruptSignal } from './interrupt.ts';
import {
  adapterOption,
  backendOption,
  chunkOption,
  DEFAULT_CHUNK,
  jsonOption,
  number,
  reasonOf,
  suffixOf,
  weldOption,
  wholeNumber,
  withCommonOptions,
} from './options.ts';
import { printJson } from './output.ts';
import { openProgress } from './progress.ts';
import type { Settings } from './result-file.ts';
import { peakMemoryBytes, startClock } from './run.ts';
import { readSubject } from './subject.ts';
import { type Evaluated, evaluate, type WindingFlags } from './winding-stream.ts';

/** The library's own bounds on degree and separation. Beyond a separation of 1000 nothing is far any more. */
const LARGEST_DEGREE = 8;
const SEPARATIONS = { above: 1, to: 1000 };

export function addWinding(program: Command): void {
  const command = program
    .command('winding')
    .summary('winding numbers of points, also for meshes with holes')
    .description(
      'Generalised winding numbers of points: solid angles of all triangles over 4 pi, for a closed mesh 1 ' +
        'inside and 0 outside. For every mesh: open, with faces turned, doubled or passing through each other. ' +
        'Values are within the tolerance; bounds of their errors can be written as well.',
    )
    .argument('<mesh>', 'mesh file, or body file of `scree build`')
    .requiredOption(
      '--points <file>',
      'points: .npy [n, 3], CSV or text with x y z per line, or the vertices of a mesh file',
    )
    .option('--tolerance <t>', 'most that a winding number may be off (default 0.001)', number({ above: 0 }))
    .option('--out <file>', 'write the winding numbers: .npy (float32 [n])')
    .option('--bounds <file>', 'write the bounds of their errors: .npy (float32 [n])')
    .addOption(
      new Option('--method <method>', 'how they are summed up')
        .choices(['auto', ...POTENTIAL_KINDS])
        .default('auto'),
    )
    .option(
      '--degree <p>',
      "multipole: degree of the expansions, instead of the tolerance's",
      wholeNumber(1, LARGEST_DEGREE),
    )
    .option('--separation <d>', 'multipole: from where on clusters are far, above 1', number(SEPARATIONS))
    .addOption(backendOption())
    .addOption(adapterOption())
    .addOption(weldOption())
    .addOption(chunkOption('points in memory at a time'))
    .addOption(jsonOption());
  withShardOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  scree winding scan.ply --points points.npy --out winding.npy   # any number of points
  scree winding scan.ply --points points.npy --out winding.npy --shard 3/16   # then: scree merge winding.npy
  scree winding scan.ply --points points.npy --out winding.npy --bounds bounds.npy --tolerance 1e-5 --json`,
    )
    .action((mesh: string, flags: WindingFlags) => winding(mesh, flags, command));
  withCommonOptions(command);
}

async function winding(meshPath: string, flags: WindingFlags, command: Command): Promise<void> {
  const { points: pointsPath, out, bounds } = flags;
  if (out !== undefined) suffixOf(out, '--out <file>', ['npy'], command);
  if (bounds !== undefined) suffixOf(bounds, '--bounds <file>', ['npy'], command);
  requireSoundShard(flags, command);
  const inputs = [meshPath, pointsPath];
  const outputs = [out, bounds].filter((path) => path !== undefined);
  await requireFiles(inputs, outputs, command);

  const signal = interruptSignal();
  const progress = await openProgress(flags);
  const total = startClock();
  try {
    progress.stage(`reading ${nameOf(meshPath)}`);
    const subject = await readSubject(meshPath, flags, signal);
    const { mesh } = subject;
    const chunk = flags.chunk ?? DEFAULT_CHUNK;
    const files = [
      ...(out === undefined ? [] : [{ what: 'winding', out } as const]),
      ...(bounds === undefined ? [] : [{ what: 'bounds', out: bounds } as const]),
    ];
    const pointJob = { points: pointsPath, chunk, mesh, outputs: files, asked: askedBy(flags), signal };
    const job = await openJob(pointJob, flags, progress);
    if (job === undefined) return;
    const result = await evaluate({ subject, job, flags, signal, progress });
    progress.stop();
    const { paths, rows } = job;
    const summary = summarize({ ...result, reason: reasonOf(result.reason, flags) }, mesh, total());
    if (flags.json) {
      const [path, boundsOut] = out === undefined ? [undefined, ...paths] : paths;
      printJson({ ...summary, ...shareFields(flags.shard, rows), out: path, boundsOut });
    } else {
      const written = paths.map((path) => `\nwrote ${path}`).join('');
      const text = format(summary, shareRow(flags.shard, rows));
      process.stdout.write(`${nameOf(meshPath)}\n\n${text}\n${written}${written && '\n'}`);
    }
  } finally {
    progress.stop();
  }
}

/** What numbers depend on, as it was asked for. */
function askedBy({ tolerance, method, degree, separation, backend, adapter }: WindingFlags): Settings {
  return {
    ...(tolerance !== undefined && { tolerance }),
    ...(degree !== undefined && { degree }),
    ...(separation !== undefined && { separation }),
    ...{ method, backend, adapter },
  };
}

/** The summary of the numbers, in the order of a report. */
function summarize(result: Evaluated, { triangleCount }: TriangleMesh, totalSeconds: number) {
  const { points, least, greatest, largestBound, adapter, seconds, separation, ...rest } = result;
  return {
    points,
    triangles: triangleCount,
    ...{ least, greatest, largestBound },
    ...rest,
    // JSON has no Infinity.
    separation: Number.isFinite(separation) ? separation : null,
    adapter: adapterFields(adapter),
    seconds: roundedStages({ ...seconds, total: totalSeconds }),
    peakMemoryBytes: peakMemoryBytes(),
  };
}

type Summary = ReturnType<typeof summarize>;

/** The report for people, without a final newline. */
function format(summary: Summary, rows: readonly (readonly string[])[]): string {
  const { points, triangles, least, greatest, largestBound, tolerance, sharpened, overTolerance } = summary;
  const digits = (value: number) => `${Number(value.toPrecision(6))}`;
  const range =
    least === null || greatest === null || largestBound === null
      ? []
      : [
          ['winding numbers', `${digits(least)} to ${digits(greatest)}`],
          ['largest bound', digits(largestBound)],
        ];
  const way = formatTable([
    ['points', formatCount(points)],
    ['triangles', formatCount(triangles)],
    ...range,
    ['tolerance', digits(tolerance)],
    ['summed up again', `${countOf(sharpened, 'point')} with a bound above the tolerance`],
    ...(overTolerance > 0
      ? [['still above it', `${countOf(overTolerance, 'point')}, on triangles or nearly on them`]]
      : []),
    ['method', summary.method],
    ['backend', summary.backend],
    ['because', summary.reason],
    ...rows,
    ['tables', formatBytes(summary.tableBytes)],
    ['peak memory', formatBytes(summary.peakMemoryBytes)],
  ]);
  const { seconds } = summary;
  const times = formatSeconds([
    ['build', seconds.build],
    ['evaluate', seconds.evaluate],
    ['sum up again', seconds.sharpen],
    ['total', seconds.total],
  ]);
  return [way, times].join('\n\n');
}
