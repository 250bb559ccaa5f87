/** `scree winding`: generalised winding numbers of points, for every mesh, within a tolerance. */
import { type Command, Option } from 'commander';
import type { AdapterPreference, Backend, PotentialKind, WindingNumbers } from '../index.ts';
import {
  holdingAll,
  requireDifferentFiles,
  requireReadableAtOnce,
  requireReadableFile,
  requireWritablePath,
} from './files.ts';
import {
  adapterFields,
  countOf,
  formatBytes,
  formatCount,
  formatSeconds,
  formatTable,
  roundSeconds,
} from './format.ts';
import { nameOf, readAllPoints } from './input.ts';
import { interruptSignal } from './interrupt.ts';
import {
  adapterOption,
  backendOption,
  jsonOption,
  number,
  reasonOf,
  suffixOf,
  wantedBackend,
  weldOption,
  wholeNumber,
  withCommonOptions,
} from './options.ts';
import { printJson, writeFileAtomically } from './output.ts';
import { openProgress, type Progress } from './progress.ts';
import { peakMemoryBytes, startClock, withPolyhedron } from './run.ts';
import { readSubject, type Subject } from './subject.ts';

// An object and not a list, so that the compiler complains when the library gains a kind.
const KINDS: Record<PotentialKind | 'auto', true> = { auto: true, direct: true, multipole: true };
/** The library's own bounds on degree and separation. Beyond a separation of 1000 nothing is far any more. */
const LARGEST_DEGREE = 8;
const SEPARATIONS = { above: 1, to: 1000 };

interface WindingFlags {
  readonly points: string;
  readonly out?: string;
  readonly bounds?: string;
  readonly tolerance?: number;
  readonly method: PotentialKind | 'auto';
  readonly degree?: number;
  readonly separation?: number;
  readonly backend: Backend | 'auto';
  readonly adapter: AdapterPreference;
  readonly weld?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

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
      new Option('--method <method>', 'how they are summed up').choices(Object.keys(KINDS)).default('auto'),
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
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Examples:
  scree winding scan.ply --points points.npy --out winding.npy
  scree winding scan.ply --points points.npy --out winding.npy --bounds bounds.npy --tolerance 1e-5 --json`,
    )
    .action((mesh: string, flags: WindingFlags) => winding(mesh, flags, command));
  withCommonOptions(command);
}

async function winding(meshPath: string, flags: WindingFlags, command: Command): Promise<void> {
  const { points: pointsPath, out, bounds } = flags;
  if (out !== undefined) suffixOf(out, '--out <file>', ['npy'], command);
  if (bounds !== undefined) suffixOf(bounds, '--bounds <file>', ['npy'], command);
  const inputs = [meshPath, pointsPath];
  const outputs = [out, bounds].filter((path) => path !== undefined);
  requireDifferentFiles(inputs, outputs, (message) => command.error(message));
  for (const path of inputs) await requireReadableFile(path);
  for (const path of outputs) await requireWritablePath(path);
  await requireReadableAtOnce(pointsPath, ['winding numbers']);

  const signal = interruptSignal();
  const progress = await openProgress(flags);
  const total = startClock();
  try {
    await holdingAll(pointsPath, async () => {
      const { encodeNpy } = await import('../index.ts');
      progress.stage(`reading ${nameOf(meshPath)}`);
      const subject = await readSubject(meshPath, flags, signal);
      const points = await readAllPoints(pointsPath, signal);
      const result = await evaluate({ subject, points, flags, signal, progress });
      progress.stage('writing');
      const count = points.length / 3;
      if (out !== undefined)
        await writeFileAtomically(out, () => encodeNpy(result.values, [count]), { signal });
      if (bounds !== undefined)
        await writeFileAtomically(bounds, () => encodeNpy(result.bounds, [count]), { signal });
      progress.stop();
      const summary = summarize(
        { ...result, reason: reasonOf(result.reason, flags) },
        subject.mesh.triangleCount,
        total(),
      );
      if (flags.json) printJson({ ...summary, out, boundsOut: bounds });
      else {
        const written = outputs.map((path) => `\nwrote ${path}`).join('');
        process.stdout.write(`${nameOf(meshPath)}\n\n${format(summary)}\n${written}${written && '\n'}`);
      }
    });
  } finally {
    progress.stop();
  }
}

interface Input {
  readonly subject: Subject;
  readonly points: Float32Array;
  readonly flags: WindingFlags;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

async function evaluate({ subject, points, flags, signal, progress }: Input): Promise<WindingNumbers> {
  const { tolerance, method, degree, separation, adapter } = flags;
  const backend = wantedBackend(flags);
  const work = { ...subject, adapter, method, backend, rule: 'winding', signal, progress } as const;
  const options = {
    ...{ method, backend, signal },
    ...(tolerance !== undefined && { tolerance }),
    ...(degree !== undefined && { degree }),
    ...(separation !== undefined && { separation }),
    onProgress: (done: number, total: number) => progress.update(done, total),
  };
  return withPolyhedron(work, (polyhedron) => polyhedron.windingNumber(points, options));
}

/** The summary of the numbers, in the order of a report. */
function summarize(result: WindingNumbers, triangles: number, totalSeconds: number) {
  const { values, bounds, adapter, seconds, separation, ...rest } = result;
  const least = (numbers: Float32Array) => numbers.reduce((a, b) => Math.min(a, b), Infinity);
  const most = (numbers: Float32Array) => numbers.reduce((a, b) => Math.max(a, b), -Infinity);
  const isEmpty = values.length === 0;
  return {
    points: values.length,
    triangles,
    least: isEmpty ? null : least(values),
    greatest: isEmpty ? null : most(values),
    largestBound: isEmpty ? null : most(bounds),
    ...rest,
    // JSON has no Infinity.
    separation: Number.isFinite(separation) ? separation : null,
    adapter: adapterFields(adapter),
    seconds: {
      build: roundSeconds(seconds.build),
      evaluate: roundSeconds(seconds.evaluate),
      sharpen: roundSeconds(seconds.sharpen),
      total: roundSeconds(totalSeconds),
    },
    peakMemoryBytes: peakMemoryBytes(),
  };
}

type Summary = ReturnType<typeof summarize>;

/** The report for people, without a final newline. */
function format(summary: Summary): string {
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
