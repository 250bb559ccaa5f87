/** `scree classify`: flags of points or of a grid, as a report, a file, a picture. */
import { type Command, Option } from 'commander';
import type { TriangleMesh } from '../index.ts';
import { type ClassifyFlags, FLAG_SUFFIXES, report, writeResults } from './classify-results.ts';
import { openJob, requireSoundShard, withShardOptions } from './cluster/shards.ts';
import { holdingAll, requireFiles, requireReadableAtOnce } from './files.ts';
import { nameOf, readAllPoints } from './input.ts';
import { interruptSignal, withDefaultSignals } from './interrupt.ts';
import {
  adapterOption,
  backendOption,
  cellsOption,
  chunkOption,
  DEFAULT_CHUNK,
  jsonOption,
  methodOption,
  number,
  reasonOf,
  ruleOption,
  suffixOf,
  wantedBackend,
  weldOption,
  wholeNumber,
  withCommonOptions,
} from './options.ts';
import { openProgress } from './progress.ts';
import { classifyPoints, stageSeconds, startClock } from './run.ts';
import { classifyStream } from './stream.ts';
import { readSubject } from './subject.ts';

/** The bound of `gridPoints`, repeated here so that a larger grid is refused before a mesh is read. */
const LARGEST_GRID = 710;
/** The grid's cube has to keep an extent, so the margin on each side stays above minus one half. */
const LEAST_MARGIN = -0.49;

export function addClassify(program: Command): void {
  const command = program
    .command('classify')
    .summary('classify points against a mesh')
    .description(
      'Classify points against a closed mesh (STL, OBJ, PLY, OFF, also gzipped) or a body that `scree build` saved: ' +
        '0 outside, 1 inside, 2 exactly on the surface. Every flag is exact for the float32 mesh and points. With ' +
        '--rule winding also against meshes with holes, or with faces turned, doubled or passing through each other.',
    )
    .argument('<mesh>', 'mesh file, or body file of `scree build`')
    .option(
      '--points <file>',
      'points: .npy [n, 3], CSV or text with x y z per line, or the vertices of a mesh file',
    )
    .option(
      '--grid <n>',
      'instead: n x n x n points over the cube around the mesh',
      wholeNumber(1, LARGEST_GRID, 'For more points give a file with --points.'),
    )
    .option(
      '--margin <fraction>',
      'with --grid: how far the cube reaches beyond the mesh, relative to its longest side (default 0.05)',
      number({ from: LEAST_MARGIN, to: 1e6 }),
    )
    .addOption(
      chunkOption('with --points, and --out .npy or none: points in memory at a time, a few times over'),
    )
    .addOption(weldOption())
    .addOption(methodOption())
    .addOption(backendOption())
    .addOption(cellsOption())
    .addOption(ruleOption())
    .addOption(adapterOption())
    .option('--no-cull', 'ray-crossing: test every point against every triangle')
    .option('--out <file>', 'write the flags: .npy (uint8 [n]), .csv (x,y,z,flag) or .vtp (ParaView)')
    .option('--save-points <file>', 'write the points: .npy (float32 [n, 3])')
    .option('--slice <file>', 'with --grid: draw a layer of the grid: .svg')
    .addOption(
      new Option('--slice-axis <axis>', 'axis across the layer (default z)').choices(['x', 'y', 'z']),
    )
    .option(
      '--slice-place <fraction>',
      'where the layer lies in the grid, 0 to 1 (default 0.5)',
      number({ from: 0, to: 1 }),
    )
    .addOption(jsonOption());
  withShardOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  scree classify part.stl --grid 100 --slice slice.svg
  scree classify part.stl --points points.npy --out flags.npy --json   # any number of points
  scree classify part.stl --points points.npy --out flags.npy --shard 3/16   # then: scree merge flags.npy
  scree classify scan.ply --weld 1e-4 --points points.csv --out points.vtp
  scree classify scan.ply --rule winding --grid 100 --slice slice.svg   # a mesh with holes`,
    )
    .action((mesh: string, flags: ClassifyFlags) => classify(mesh, flags, command));
  withCommonOptions(command);
}

async function classify(meshPath: string, flags: ClassifyFlags, command: Command): Promise<void> {
  const outSuffix =
    flags.out === undefined ? undefined : suffixOf(flags.out, '--out <file>', FLAG_SUFFIXES, command);
  requireSoundCombination(flags, outSuffix, command);
  if (flags.savePoints !== undefined) suffixOf(flags.savePoints, '--save-points <file>', ['npy'], command);
  if (flags.slice !== undefined) suffixOf(flags.slice, '--slice <file>', ['svg'], command);
  const inputs = [meshPath, ...(flags.points === undefined ? [] : [flags.points])];
  const outputs = [flags.out, flags.savePoints, flags.slice].filter((path) => path !== undefined);
  await requireFiles(inputs, outputs, command);

  const isStreamed = flags.points !== undefined && holdsLittle(flags, outSuffix);
  if (flags.points !== undefined && !isStreamed) await requireReadableAtOnce(flags.points, outputs);

  const signal = interruptSignal();
  const progress = await openProgress(flags);
  const total = startClock();
  const clock = startClock();
  try {
    progress.stage(`reading ${nameOf(meshPath)}`);
    const { mesh, saved } = await readSubject(meshPath, flags, signal);
    const { method, cells, rule, adapter, cull } = flags;
    const backend = wantedBackend(flags);
    const work = { mesh, saved, method, backend, cells, rule, adapter, cull, signal, progress };
    if (isStreamed) {
      const chunk = flags.chunk ?? DEFAULT_CHUNK;
      const files = flags.out === undefined ? [] : [{ what: 'flags', out: flags.out } as const];
      // By the other rules flags are exact, whatever computes them.
      const asked = { rule, ...(rule === 'winding' && { method, backend, adapter }) };
      const pointJob = { points: flags.points!, chunk, mesh, outputs: files, asked, signal };
      const job = await openJob(pointJob, flags, progress);
      if (job === undefined) return;
      const read = clock();
      const { times, ...outcome } = withReason(await classifyStream({ ...work, job }), flags);
      const seconds = stageSeconds(outcome, { ...times, read: read + times.read, total: total() });
      const { whole } = job.points;
      const reading = { streamed: whole === undefined, chunkPoints: chunk, readAtOnce: whole };
      const { paths, rows } = job;
      report({ meshPath, flags, outputs: paths, outcome, seconds, reading, rows });
    } else {
      const atOnce = async () => {
        const meshRead = clock();
        const points = await pointsOf(flags, mesh, signal);
        const pointsMade = clock();
        const isGrid = flags.points === undefined;
        const read = isGrid ? meshRead : meshRead + pointsMade;
        const outcome = withReason(await classifyPoints({ ...work, points }), flags);
        clock();
        progress.stage('writing');
        await writeResults({ flags, outSuffix, mesh, points, outcome, signal });
        progress.stop();
        const seconds = stageSeconds(outcome, {
          read,
          ...(isGrid && { make: pointsMade }),
          write: clock(),
          total: total(),
        });
        report({ meshPath, flags, outputs, outcome, seconds, reading: { streamed: false } });
      };
      await (flags.points === undefined ? atOnce() : holdingAll(flags.points, atOnce));
    }
  } finally {
    progress.stop();
  }
}

function withReason<T extends { readonly reason: string }>(outcome: T, flags: ClassifyFlags): T {
  return { ...outcome, reason: reasonOf(outcome.reason, flags) };
}

/** Whether no output needs all points at once. */
function holdsLittle(flags: ClassifyFlags, outSuffix: string | undefined): boolean {
  return (outSuffix === undefined || outSuffix === 'npy') && flags.savePoints === undefined;
}

function requireSoundCombination(
  flags: ClassifyFlags,
  outSuffix: string | undefined,
  command: Command,
): void {
  if ((flags.points === undefined) === (flags.grid === undefined)) {
    const found = flags.points === undefined ? 'neither --points nor --grid' : 'both --points and --grid';
    command.error(`error: found ${found}, expected one of them`);
  }
  if (flags.grid === undefined) {
    for (const [option, value] of [
      ['--margin', flags.margin],
      ['--slice', flags.slice],
    ] as const) {
      if (value !== undefined) command.error(`error: ${option} needs --grid, found --points`);
    }
  }
  requireSoundShard(flags, command);
  if (flags.shard !== undefined && !holdsLittle(flags, outSuffix)) {
    command.error('error: --shard needs --out .npy, and no other file to write');
  }
  if (flags.chunk !== undefined && (flags.points === undefined || !holdsLittle(flags, outSuffix))) {
    command.error('error: --chunk needs --points, and --out .npy or no file to write');
  }
  if (flags.cells !== undefined && flags.rule === 'winding') {
    command.error('error: --cells is for the cell grid, found --rule winding');
  }
  if (flags.cells !== undefined && flags.method !== 'auto' && flags.method !== 'cell-grid') {
    command.error(`error: --cells is for the cell grid, found --method ${flags.method}`);
  }
  // The library refuses it too, but only after a mesh is read.
  if (flags.method === 'ray-crossing' && flags.backend === 'cpu') {
    command.error(
      'error: --method ray-crossing runs on a GPU device only, found --backend cpu: use --method cell-grid on the CPU',
    );
  }
  if (flags.method !== 'ray-crossing' && !flags.cull) {
    command.error('error: --no-cull needs --method ray-crossing');
  }
  if (flags.slice === undefined) {
    for (const [option, value] of [
      ['--slice-axis', flags.sliceAxis],
      ['--slice-place', flags.slicePlace],
    ] as const) {
      if (value !== undefined) command.error(`error: ${option} needs --slice`);
    }
  }
}

async function pointsOf(
  flags: ClassifyFlags,
  mesh: TriangleMesh,
  signal: AbortSignal,
): Promise<Float32Array> {
  if (flags.points !== undefined) return readAllPoints(flags.points, signal);
  const { gridPoints } = await import('../index.ts');
  const options = { ...(flags.margin !== undefined && { margin: flags.margin }) };
  return withDefaultSignals(signal, () => gridPoints(mesh.box, flags.grid!, options));
}
