/** `scree simulate`: bodies of a scene move under forces of their contacts. */
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import type { Scene } from '../index.ts';
import { TASK_FILES } from './cluster/sweep-folder.ts';
import { type TaskLock, takeLock } from './cluster/task-lock.ts';
import { inputError, requireReadableFile, requireWritableFolder } from './files.ts';
import { adapterFields, formatAdapter, formatCount, formatTable } from './format.ts';
import { interruptSignal } from './interrupt.ts';
import {
  adapterOption,
  backendOption,
  jsonOption,
  number,
  type OutputFlags,
  stopAfterOption,
  threadsOption,
  wholeNumber,
  withCommonOptions,
} from './options.ts';
import { printJson, printSummary } from './output.ts';
import { openProgress, type Progress } from './progress.ts';
import { formatMechanism, runMechanism } from './run-mechanism.ts';
import { plainly, type RunFlags, type RunReport, readSceneOf, runSimulation } from './run-simulation.ts';
import { FILES } from './simulate-record.ts';

interface SimulateFlags extends RunFlags, OutputFlags {
  readonly out: string;
  readonly tolerance?: number;
  readonly stopAfter?: number;
}

export function addSimulate(program: Command): void {
  const command = program
    .command('simulate')
    .summary('bodies of a scene in motion')
    .description(
      'Moves the bodies of a scene under gravity and the forces of their contacts (docs/dem.md). The ' +
        'folder gets their surfaces and contacts for ParaView, energies as a table and as plots, a picture of the ' +
        'last state, and a checkpoint to go on from. Scenes with joints, and others with --tolerance, move to an ' +
        'error that is asked for (docs/multibody.md).',
    )
    .argument('<scene>', 'scene file: .json, with materials')
    .requiredOption('--out <folder>', 'folder to write to, made if it is missing')
    .option(
      '--duration <time>',
      'simulated time at the end (default: that of the scene)',
      number({ above: 0 }),
    )
    .option(
      '--time-step <time>',
      'length of a step (default: that of the scene and its response, else what is recommended)',
      number({ above: 0 }),
    )
    .option(
      '--tolerance <share>',
      'error that a step may make, in place of --time-step (scenes with joints: 1e-6 unless told)',
      number({ above: 0 }),
    )
    .addOption(
      new Option(
        '--response <name>',
        'what steps do with contacts (default: as the scene says, else forces)',
      ).choices(['forces', 'impulses', 'olvang', 'complementarity', 'bilateral']),
    )
    .option('--frames <n>', 'pictures of the motion, and rows of the table', wholeNumber(1, 1e6), 20)
    .option('--film', 'draw a PNG file of each frame, from one camera')
    .option('--no-picture', 'without a picture of the last state')
    .option('--no-series', 'without surfaces, contacts and forces of each frame')
    .option('--npy', 'bodies and forces of each frame also as arrays for NumPy')
    .addOption(stopAfterOption())
    .option('--resume', 'go on from the checkpoint in the folder')
    .option('--laws <file>', 'module (.js) that exports the laws that pairs of materials name (docs/dem.md)')
    .addOption(backendOption())
    .addOption(adapterOption())
    .addOption(threadsOption('most threads'))
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Examples:
  scree simulate demos/scenes/heap.json --out heap
  scree simulate heap.json --out heap --duration 5 --frames 100
  scree simulate heap.json --out heap --duration 10 --resume
  scree simulate demos/scenes/slider-crank.json --out crank --tolerance 1e-9`,
    )
    .action(async (scene: string, flags: SimulateFlags) => {
      await simulate(scene, flags);
    });
  withCommonOptions(command);
}

/** @returns the path of the picture, where there is one */
export async function simulate(path: string, flags: SimulateFlags): Promise<{ readonly picture?: string }> {
  const { out } = flags;
  await requireReadableFile(path);
  await requireWritableFolder(out);
  const signal = interruptSignal(flags);
  const progress = await openProgress(flags, 'steps');
  try {
    const losing = new AbortController();
    const lock = () =>
      takeLock(join(out, TASK_FILES.lock), {
        signal,
        onWait: () => progress.stage('waiting for a process on another machine'),
        onLost: (error) => losing.abort(error),
      });
    const stop = AbortSignal.any([signal, losing.signal]);
    const scene = await readSceneOf(path, flags, { signal, progress });
    if (scene.mechanism !== undefined || flags.tolerance !== undefined)
      return await simulateMechanism(path, scene, flags, stop, progress, lock);
    const report = await runSimulation(path, out, flags, {
      ...{ signal: stop, progress, lock, scene },
    });
    const { told, adapter, rate, stateHash, seconds } = report;
    if (flags.json) {
      const machine = { adapter: adapterFields(adapter) };
      printJson({ ...told, ...machine, stepsPerSecond: rate, seconds, stateHash, out });
    } else printSummary(path, formatSummary(report), out);
    return flags.picture && told.pictureMissing === undefined ? { picture: join(out, FILES.picture) } : {};
  } finally {
    progress.stop();
  }
}

/** @throws InputError for options that a mechanism has not */
async function simulateMechanism(
  path: string,
  scene: Scene,
  flags: SimulateFlags,
  signal: AbortSignal,
  progress: Progress,
  take: () => Promise<TaskLock>,
): Promise<{ readonly picture?: string }> {
  const refused = [
    ...(flags.resume ? ['--resume: it leaves no checkpoint, as runs take seconds'] : []),
    ...(flags.stopAfter !== undefined ? ['--stop-after: it leaves no checkpoint, as runs take seconds'] : []),
    ...(flags.backend === 'gpu' ? ['--backend gpu: mechanisms are moved on the CPU'] : []),
    ...(flags.timeStep !== undefined ? ['--time-step: steps follow from --tolerance'] : []),
    ...(flags.laws !== undefined ? ["--laws: contacts follow Hertz's law"] : []),
    ...(flags.response !== undefined ? ['--response: contacts are events with forces between them'] : []),
    ...(flags.npy ? ['--npy: forces of contacts at steps are what it is for'] : []),
  ];
  const why = scene.mechanism ? 'has joints, elements or parents' : 'is moved to a --tolerance';
  if (refused.length > 0) throw await inputError(`${scene.name} ${why}, found ${refused[0]}`);
  if (Object.keys(scene.monitors).length > 0)
    throw await inputError(`${scene.name}: monitors is there, expected none with --tolerance`);
  progress.stop();
  // Steps of a mechanism are not known beforehand.
  const frames = await openProgress(flags, 'frames');
  const { told, seconds } = await runMechanism(scene, flags.out, flags, {
    signal,
    progress: frames,
    take,
  }).finally(() => frames.stop());
  if (flags.json) printJson({ ...told, seconds, out: flags.out });
  else printSummary(path, formatMechanism(told, seconds), flags.out);
  return flags.picture && told.pictureMissing === undefined
    ? { picture: join(flags.out, FILES.picture) }
    : {};
}

function formatSummary({ told, rate, adapter, balanceAtFirst }: RunReport): string {
  const number = plainly;
  return formatTable([
    ['bodies', formatCount(told.bodies)],
    [
      'simulated time',
      `${number(told.time)} in ${formatCount(told.steps)} steps of ${number(told.timeStep)}`,
    ],
    ...told.halvings.map(
      ({ steps, time, timeStep, frequency }) =>
        [
          'step halved',
          `after ${formatCount(steps)} steps, at ${number(time)}: to ${number(timeStep)}, as ` +
            (frequency > 0
              ? `a contact lasts ${number(Math.PI / frequency)}`
              : 'a body moves by more than half its radius'),
        ] as const,
    ),
    ['rate', `${number(rate)} steps/s, ${number(rate * told.bodies)} body-steps/s`],
    ['backend', `${told.backend}: ${told.reason}`],
    ...(adapter ? [['adapter', formatAdapter(adapter)] as const] : []),
    ['response', told.response],
    ['contacts', formatCount(told.contacts)],
    ['deepest overlap', number(told.deepestOverlap)],
    [
      'energy',
      `kinetic ${number(told.kinetic)}, gravity ${number(told.gravity)}, elastic ${number(told.elastic)}`,
    ],
    [
      'lost',
      `dashpots ${number(told.dashpots)}, friction ${number(told.friction)}, rolling ${number(told.rolling)}` +
        (told.response === 'forces' ? '' : `; pushed ${number(told.pushed)}`),
    ],
    ['balance', `${number(told.balance)}, ${number(balanceAtFirst)} at first`],
    ...(told.pictureMissing === undefined ? [] : [['no picture', told.pictureMissing] as const]),
  ]);
}
