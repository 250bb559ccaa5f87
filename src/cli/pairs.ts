/** `scree pairs`: distances, depths and contacts of the convex bodies of a scene. */
import { type Command, Option } from 'commander';
import { MANIFOLD_RULES } from '../convex/manifold/manifold-rules.ts';
import { PAIR_ALGORITHMS, PAIR_KINDS } from '../convex/query/pair-kinds.ts';
import type { ManifoldRule, PairAlgorithm, PairKind } from '../index.ts';
import { openIfNeeded, orAdvise } from './device.ts';
import { requireFiles } from './files.ts';
import { formatCount } from './format.ts';
import { nameOf } from './input.ts';
import { interruptSignal } from './interrupt.ts';
import {
  adapterOption,
  backendOption,
  type DeviceFlags,
  jsonOption,
  number,
  type OutputFlags,
  reasonOf,
  requireThreadsOnCpu,
  suffixOf,
  threadsOption,
  wantedBackend,
  withCommonOptions,
} from './options.ts';
import { printJson, printSummary } from './output.ts';
import { ANSWER_SUFFIXES, writeAnswers } from './pairs-files.ts';
import { formatSummary, type PairsOutcome, summarize } from './pairs-summary.ts';
import { openProgress } from './progress.ts';
import { startClock } from './run.ts';
import { readSceneFile } from './scene.ts';

/** The library's own bounds. */
const LEAST_TOLERANCE = 2 ** -46;
const LARGEST_TOLERANCE = 0.1;

interface PairsFlags extends OutputFlags, DeviceFlags {
  readonly kind: PairKind;
  readonly algorithm: PairAlgorithm;
  readonly tolerance?: number;
  readonly sweepRadius?: number;
  readonly manifold?: ManifoldRule;
  readonly threads?: number;
  readonly out?: string;
}

export function addPairs(program: Command): void {
  const command = program
    .command('pairs')
    .summary('distances, depths and contacts of convex bodies')
    .description(
      'Distances, penetration depths and contacts of pairs of convex bodies, and of concave ones made of ' +
        'convex parts, from a scene: a JSON file with shapes, bodies and pairs (docs/scene.md). ' +
        'Distances are positive where bodies are apart and minus the depth where they overlap; normals point ' +
        'from the first body to the second.',
    )
    .argument('<scene>', 'scene file: .json')
    .addOption(
      new Option('--kind <kind>', 'what to find out about each pair')
        .choices(PAIR_KINDS)
        .default('signed-distance'),
    )
    .addOption(
      new Option('--algorithm <algorithm>', 'how: auto is exact and the fastest')
        .choices(PAIR_ALGORITHMS)
        .default('auto'),
    )
    .option(
      '--tolerance <t>',
      'gap between the bounds of a distance, relative to the size of the pair (default 2^-20)',
      number({ from: LEAST_TOLERANCE, to: LARGEST_TOLERANCE }),
    )
    .option(
      '--sweep-radius <length>',
      'sweep-gjk: radius of the ball that each body is swept with (default 0)',
      number({ from: 0, to: Number.MAX_VALUE }),
    )
    .addOption(
      new Option(
        '--manifold <rule>',
        'kind manifold: whole faces cut with each other, or samples of them (default clipped)',
      ).choices(MANIFOLD_RULES),
    )
    .addOption(backendOption())
    .addOption(adapterOption())
    .addOption(threadsOption('most threads of the CPU; 1 is the main one alone'))
    .option(
      '--out <file>',
      'write all answers: .csv, .json (contacts too) or .npy (float64 [pairs, columns])',
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Examples:
  scree pairs scene.json
  scree pairs scene.json --kind manifold --out contacts.json
  scree pairs scene.json --kind intersect --algorithm mpr --json`,
    )
    .action((scene: string, flags: PairsFlags) => pairs(scene, flags, command));
  withCommonOptions(command);
}

async function pairs(path: string, flags: PairsFlags, command: Command): Promise<void> {
  const { out } = flags;
  const suffix = out === undefined ? undefined : suffixOf(out, '--out <file>', ANSWER_SUFFIXES, command);
  if (flags.sweepRadius !== undefined && flags.algorithm !== 'sweep-gjk') {
    command.error(`error: --sweep-radius needs --algorithm sweep-gjk, found ${flags.algorithm}`);
  }
  if (flags.manifold !== undefined && flags.kind !== 'manifold') {
    command.error(`error: --manifold needs --kind manifold, found ${flags.kind}`);
  }
  requireThreadsOnCpu(flags, command);
  await requireFiles([path], out === undefined ? [] : [out], command);

  const signal = interruptSignal();
  const progress = await openProgress(flags, 'pairs');
  const total = startClock();
  const clock = startClock();
  try {
    progress.stage(`reading ${nameOf(path)}`);
    const scene = await readSceneFile(path, signal);
    const read = clock();
    progress.stage('opening the WebGPU device');
    const { ConvexBatch, convexScene } = await import('../index.ts');
    const { shapes, query: bodiesAndPairs } = convexScene(scene);
    const { adapter, kind, algorithm, tolerance, sweepRadius, manifold, threads } = flags;
    const backend = wantedBackend(flags);
    const { device, missing } = await openIfNeeded({ adapter, backend });
    try {
      const open = clock();
      progress.stage(`preparing ${formatCount(shapes.length)} shapes`);
      const batch = await ConvexBatch.create(device, shapes, {
        names: scene.names.shapes,
        ...(threads !== undefined && { threads }),
      });
      const build = clock();
      const query = {
        ...bodiesAndPairs,
        ...{ kind, algorithm, tolerance, sweepRadius, manifold, backend, signal },
        onProgress: (done: number, all: number) => progress.update(done, all),
      };
      const results = await orAdvise({ adapter, backend }, () => batch.query(query));
      clock();
      progress.stage('writing');
      const outcome: PairsOutcome = { path, scene, results, missing };
      if (out !== undefined && suffix !== undefined) await writeAnswers(out, suffix, outcome, signal);
      progress.stop();
      const write = clock();
      const told = await summarize(outcome, { read, open, build, write, total: total() });
      const summary = { ...told, reason: reasonOf(told.reason, flags) };
      if (flags.json) printJson({ ...summary, out });
      else printSummary(path, formatSummary(summary), out);
    } finally {
      device?.destroy();
    }
  } finally {
    progress.stop();
  }
}
