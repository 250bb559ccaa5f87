/** `scree simulate`: bodies of a scene move under forces of their contacts. */
import { join } from 'node:path';
import type { Command } from 'commander';
import type { AdapterPreference, AdapterSummary, Backend, Simulation } from '../index.ts';
import { openIfNeeded, orAdvise } from './device.ts';
import { inputError, makeFolder, requireReadableFile, requireWritableFolder } from './files.ts';
import { type Film, openFilm } from './film.ts';
import { adapterFields, formatAdapter, formatCount, formatTable } from './format.ts';
import { nameOf, readBytes } from './input.ts';
import { interruptSignal } from './interrupt.ts';
import {
  adapterOption,
  backendOption,
  jsonOption,
  MOST_THREADS,
  number,
  reasonOf,
  wantedBackend,
  wholeNumber,
  withCommonOptions,
} from './options.ts';
import { printJson, printSummary } from './output.ts';
import { openProgress } from './progress.ts';
import { startClock } from './run.ts';
import { placedAt, readLaws, readSceneFile } from './scene.ts';
import { FILES, openRecord, plain, type Row } from './simulate-record.ts';

/** Steps are counted in 32 bits. */
const MOST_STEPS = 2 ** 32 - 1;

interface SimulateFlags {
  readonly out: string;
  readonly duration?: number;
  readonly timeStep?: number;
  readonly frames: number;
  readonly picture: boolean;
  readonly film?: boolean;
  readonly resume?: boolean;
  readonly laws?: string;
  readonly backend: Backend | 'auto';
  readonly adapter: AdapterPreference;
  readonly threads?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function addSimulate(program: Command): void {
  const command = program
    .command('simulate')
    .summary('bodies of a scene in motion')
    .description(
      'Moves the bodies of a scene under gravity and the forces of their contacts (docs/dem.md). The ' +
        'folder gets their surfaces and contacts for ParaView, energies as a table and as plots, a picture of the ' +
        'last state, and a checkpoint to go on from.',
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
      'length of a step (default: a fortieth of the shortest contact)',
      number({ above: 0 }),
    )
    .option('--frames <n>', 'pictures of the motion, and rows of the table', wholeNumber(1, 1e6), 20)
    .option('--film', 'draw a PNG file of each frame, from one camera')
    .option('--no-picture', 'without a picture of the last state')
    .option('--resume', 'go on from the checkpoint in the folder')
    .option('--laws <file>', 'module (.js) that exports the laws that pairs of materials name (docs/dem.md)')
    .addOption(backendOption())
    .addOption(adapterOption())
    .option('--threads <n>', 'most threads (default: one per core, at most 8)', wholeNumber(1, MOST_THREADS))
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Examples:
  scree simulate demos/scenes/heap.json --out heap
  scree simulate heap.json --out heap --duration 5 --frames 100
  scree simulate heap.json --out heap --duration 10 --resume`,
    )
    .action(async (scene: string, flags: SimulateFlags) => {
      await simulate(scene, flags);
    });
  withCommonOptions(command);
}

/** @returns the path of the picture, where there is one */
export async function simulate(path: string, flags: SimulateFlags): Promise<{ readonly picture?: string }> {
  const { out, frames, threads, resume } = flags;
  await requireReadableFile(path);
  await requireWritableFolder(out);
  const signal = interruptSignal();
  const progress = await openProgress(flags, 'steps');
  const total = startClock();
  try {
    progress.stage(`reading ${nameOf(path)}`);
    const scene = await readSceneFile(
      path,
      signal,
      flags.laws === undefined ? {} : await readLaws(flags.laws),
    );
    const duration = flags.duration ?? scene.simulation.duration;
    if (duration === undefined) {
      throw await inputError(
        `${scene.name}: duration is missing, expected a time there or --duration <time>`,
      );
    }
    const { Simulation, simulationScene } = await import('../index.ts');
    const timeStep = flags.timeStep ?? scene.simulation.timeStep;
    const own = simulationScene(scene);
    progress.stage(`preparing ${formatCount(scene.shapes.length)} shapes`);
    const checkpoint = join(out, FILES.checkpoint);
    const saved = resume ? await readBytes(checkpoint, signal) : undefined;
    const backend = wantedBackend(flags);
    const { device, missing: noDevice } = await openIfNeeded({ adapter: flags.adapter, backend });
    const common = { backend, threads, signal };
    let simulation: Simulation | undefined;
    let film: Film | undefined;
    try {
      const make = () =>
        saved
          ? Simulation.resume(device, own, saved, { ...common, name: checkpoint, timeStep: flags.timeStep })
          : Simulation.create(device, own, { ...common, timeStep });
      simulation = await orAdvise({ adapter: flags.adapter, backend }, () =>
        placedAt(scene.name, make, [checkpoint]),
      );
      const steps = Math.round(duration / simulation.timeStep);
      if (steps > MOST_STEPS) {
        throw await inputError(
          `${scene.name}: duration is ${duration}, ${steps.toPrecision(3)} steps of ${simulation.timeStep}, expected ` +
            `at most ${MOST_STEPS} steps`,
        );
      }
      film = flags.film ? await openFilm(own, flags.adapter) : undefined;
      await makeFolder(out);
      const record = await openRecord(out, scene, simulation, {
        ...{ resume: resume === true, frames, duration, signal, film },
      });
      const first = Math.round(simulation.time / simulation.timeStep);
      const began = performance.now();
      const sinceFirst = () => (performance.now() - began) / 1000;
      const clock = startClock();
      try {
        for (let done = first; done < steps; ) {
          const next = Math.min(steps, record.nextFrame(done));
          await simulation.step(next - done, {
            signal,
            onProgress: (n) => {
              const now = done - first + n;
              const time = plainly((done + n) * simulation!.timeStep);
              progress.update(now, steps - first, `, time ${time}, ${plainly(now / sinceFirst())} steps/s`);
            },
          });
          done = next;
          await record.frame();
        }
      } finally {
        // Also where it was interrupted: what is there fits together, and `--resume` goes on.
        await record.save();
      }
      const seconds = clock();
      if (flags.picture) progress.stage('drawing');
      const missing = flags.picture ? await record.picture(own) : undefined;
      const draw = clock();
      progress.stop();
      const { monitors, timeStep: step, recommendedTimeStep, bodyCount, adapter } = simulation;
      const reason = reasonOf(simulation.reason, flags);
      const told = {
        bodies: bodyCount,
        timeStep: step,
        recommendedTimeStep,
        backend: simulation.backend,
        reason: noDevice === undefined ? reason : `${reason} (${noDevice})`,
        ...(missing !== undefined && { pictureMissing: missing }),
        ...plain(monitors),
      };
      const rate = (steps - first) / seconds;
      const times = { simulate: seconds, draw, total: total() };
      const machine = { adapter: adapterFields(adapter) };
      if (flags.json) printJson({ ...told, ...machine, stepsPerSecond: rate, seconds: times, out });
      else
        printSummary(
          path,
          formatSummary(told, { rate, adapter, balanceAtFirst: record.balanceAtFirst() }),
          out,
        );
      return flags.picture && missing === undefined ? { picture: join(out, FILES.picture) } : {};
    } finally {
      film?.destroy();
      simulation?.destroy();
      device?.destroy();
    }
  } finally {
    progress.stop();
  }
}

const plainly = (x: number) => Number(x.toPrecision(4)).toString();

function formatSummary(
  told: Row & {
    readonly bodies: number;
    readonly timeStep: number;
    readonly backend: Backend;
    readonly reason: string;
    readonly pictureMissing?: string;
  },
  {
    rate,
    adapter,
    balanceAtFirst,
  }: { readonly rate: number; readonly adapter: AdapterSummary | undefined; readonly balanceAtFirst: number },
): string {
  const number = plainly;
  return formatTable([
    ['bodies', formatCount(told.bodies)],
    [
      'simulated time',
      `${number(told.time)} in ${formatCount(told.steps)} steps of ${number(told.timeStep)}`,
    ],
    ['rate', `${number(rate)} steps/s, ${number(rate * told.bodies)} body-steps/s`],
    ['backend', `${told.backend}: ${told.reason}`],
    ...(adapter ? [['adapter', formatAdapter(adapter)] as const] : []),
    ['contacts', formatCount(told.contacts)],
    ['deepest overlap', number(told.deepestOverlap)],
    [
      'energy',
      `kinetic ${number(told.kinetic)}, gravity ${number(told.gravity)}, elastic ${number(told.elastic)}`,
    ],
    [
      'lost',
      `dashpots ${number(told.dashpots)}, friction ${number(told.friction)}, rolling ${number(told.rolling)}`,
    ],
    ['balance', `${number(told.balance)}, ${number(balanceAtFirst)} at first`],
    ...(told.pictureMissing === undefined ? [] : [['no picture', told.pictureMissing] as const]),
  ]);
}
