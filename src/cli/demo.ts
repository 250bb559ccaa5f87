/**
 * `scree demo`, which `npm start` runs: classifies a grid in a foam like that of the source paper's figure 11, and lets
 * rocks run out of a hopper.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import type { AdapterPreference } from '../index.ts';
import { makeFolder, requireWritablePath } from './files.ts';
import { formatCount, formatTable } from './format.ts';
import { interruptSignal, withDefaultSignals } from './interrupt.ts';
import { adapterOption, wholeNumber, withCommonOptions } from './options.ts';
import { writeFileAtomically } from './output.ts';
import { openProgress } from './progress.ts';
import { classifyPoints, formatOutcome, stageSeconds, startClock } from './run.ts';
import { showPicture } from './show-picture.ts';
import { simulate } from './simulate.ts';

/** 80^3, as many points as the paper classified. */
const DEFAULT_POINTS = 512_000;
const MOST_POINTS = 710 ** 3;
const DEFAULT_TRIANGLES = 120_000;
/** Of the package, seen from dist/cli.js. */
const HOPPER = '../demos/scenes/hopper.json';
/** Frames for ParaView. */
const FRAMES = 20;

interface DemoFlags {
  readonly points: number;
  readonly triangles: number;
  readonly adapter: AdapterPreference;
  readonly out: string;
  readonly hopper: boolean;
  readonly quiet?: boolean;
}

export function addDemo(program: Command): void {
  const command = program
    .command('demo')
    .summary('classify points in a foam, and let rocks run out of a hopper')
    .description(
      'Make an open-cell foam, and classify a grid of points against it; then let concave rocks run out of a hopper. ' +
        'Both write a picture and files for ParaView.',
    )
    .option('--points <n>', 'points, rounded to a cubic grid', wholeNumber(1, MOST_POINTS), DEFAULT_POINTS)
    .option('--triangles <n>', 'triangles of the foam', wholeNumber(1000, 600_000), DEFAULT_TRIANGLES)
    .addOption(adapterOption())
    .option('--out <folder>', 'folder to write to, made if it is missing', 'scree-out')
    .option('--no-hopper', 'without the hopper, which takes some ten seconds')
    .action(async (flags: DemoFlags) => {
      await foam(flags);
      if (flags.hopper) await hopper(flags);
    });
  withCommonOptions(command);
}

async function foam(flags: DemoFlags): Promise<void> {
  await makeFolder(flags.out);
  const picture = join(flags.out, 'slice.svg');
  const flagged = join(flags.out, 'flags.vtp');
  const surface = join(flags.out, 'surface.vtp');
  for (const path of [picture, flagged, surface]) await requireWritablePath(path);

  const signal = interruptSignal();
  const progress = await openProgress(flags);
  const total = startClock();
  const clock = startClock();
  try {
    const n = Math.max(1, Math.round(Math.cbrt(flags.points)));
    progress.stage(`making a foam of about ${formatCount(flags.triangles)} triangles`);
    const { encodeVtp, encodeVtpSurface, gridPoints, openCellFoam, sliceSvg } = await import('../index.ts');
    const { mesh, points } = await withDefaultSignals(signal, () => {
      const mesh = openCellFoam({ triangles: flags.triangles });
      return { mesh, points: gridPoints(mesh.box, n) };
    });
    const make = clock();
    // On the GPU in any case: that is what the demo shows.
    const instead = 'the CPU for a mesh of yours: scree classify MESH --grid 80 --backend cpu';
    const work = { mesh, points, adapter: flags.adapter, backend: 'gpu', instead, signal, progress } as const;
    const result = await classifyPoints(work);
    const reason = result.reason.replace('gpu was asked for', 'the demo is for the GPU');
    const outcome = { ...result, reason };

    clock();
    progress.stage('writing');
    const title = `Open-cell foam, ${formatCount(mesh.triangleCount)} triangles, ${formatCount(n ** 3)} points`;
    const svg = () => sliceSvg({ mesh, points, flags: outcome.flags, n, title });
    await writeFileAtomically(picture, svg, { signal });
    await writeFileAtomically(flagged, () => encodeVtp({ points, flags: outcome.flags }), { signal });
    await writeFileAtomically(surface, () => encodeVtpSurface(mesh), { signal });
    progress.stop();

    const seconds = stageSeconds(outcome, { read: 0, make, write: clock(), total: total() });
    const written = formatTable([
      [`wrote ${picture}`, 'a layer of the grid, for any browser'],
      [`wrote ${flagged}`, 'the points, for ParaView'],
      [`wrote ${surface}`, 'the foam, for ParaView'],
    ]);
    process.stdout.write(`${title}\n\n${formatOutcome(outcome, seconds)}\n\n${written}\n`);
  } finally {
    progress.stop();
  }
}

/** The scene of the package: what `scree simulate` does with it, and a look at the picture. */
async function hopper({ out, quiet = false }: DemoFlags): Promise<void> {
  const folder = join(out, 'hopper');
  process.stdout.write('\n');
  const scene = fileURLToPath(new URL(HOPPER, import.meta.url));
  const { picture } = await simulate(scene, {
    out: folder,
    frames: FRAMES,
    series: true,
    picture: true,
    // Its steps are 27 times as long as those by forces, so that this takes seconds.
    response: 'impulses',
    quiet,
    backend: 'auto',
    adapter: 'auto',
  });
  if (picture === undefined) return;
  process.stdout.write(`look at ${picture}\n`);
  showPicture(picture);
}
