/** `scree distance`: how far two meshes are apart. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { DOP_FACES, STRATEGIES, VOLUMES } from '../bounding/names.ts';
import { UNIT_ERROR } from '../constants.ts';
import type { MeshDistance, Strategy, Volume } from '../index.ts';
import { requireReadableFile } from './files.ts';
import { formatCount, formatTable } from './format.ts';
import { nameOf } from './input.ts';
import { interruptSignal, withDefaultSignals } from './interrupt.ts';
import { jsonOption, type OutputFlags, wholeNumber, withCommonOptions } from './options.ts';
import { printJson } from './output.ts';
import { openProgress } from './progress.ts';
import { startClock } from './run.ts';
import { readSubject } from './subject.ts';

interface DistanceFlags extends OutputFlags {
  readonly pose: readonly number[];
  readonly volume: Volume;
  readonly k?: string;
  readonly strategy: Strategy;
  readonly visits?: number;
}

const NOT_MOVED = [0, 0, 0, 0, 0, 0, 1];

export function addDistance(program: Command): void {
  const command = program
    .command('distance')
    .summary('how far two meshes are apart')
    .description(
      'How far two meshes are apart, concave and open ones too, and the points that are closest. The distance is 0 ' +
        'where the meshes meet, and where one closed body is inside the other (docs/bounding.md).',
    )
    .argument('<a>', 'mesh file, or body file of `scree build`')
    .argument('<b>', 'another one, or the same')
    .addOption(
      new Option('--pose <x,y,z,qx,qy,qz,qw>', 'where b is: position and unit quaternion')
        .argParser(poseOf)
        .default(NOT_MOVED, 'as in its file'),
    )
    .addOption(
      new Option('--volume <volume>', 'bounding volumes of the trees').choices(VOLUMES).default('sphere'),
    )
    .addOption(new Option('--k <k>', 'faces of k-dop (default 18)').choices(DOP_FACES.map(String)))
    .addOption(
      new Option('--strategy <strategy>', 'which pair of volumes is looked at next')
        .choices(STRATEGIES)
        .default('best-first'),
    )
    .option(
      '--visits <n>',
      'stop after so many pairs of volumes, with bounds of the distance',
      wholeNumber(1, Number.MAX_SAFE_INTEGER),
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Examples:
  scree distance a.stl b.stl
  scree distance a.stl a.stl --pose 2,0,0,0,0,0,1 --json
  scree distance a.stl b.stl --volume obb --visits 1000`,
    )
    .action(distance);
  withCommonOptions(command);
}

function poseOf(text: string): number[] {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (numbers.length !== NOT_MOVED.length || !numbers.every(Number.isFinite)) {
    throw new InvalidArgumentError('Expected seven numbers: x,y,z,qx,qy,qz,qw.');
  }
  const length = Math.hypot(...numbers.slice(3));
  if (Math.abs(length - 1) > UNIT_ERROR)
    throw new InvalidArgumentError(`The quaternion has length ${length}, expected 1.`);
  return numbers;
}

async function distance(pathA: string, pathB: string, flags: DistanceFlags, command: Command): Promise<void> {
  const { pose, volume, k, strategy, visits, json } = flags;
  if (k !== undefined && volume !== 'k-dop')
    command.error(`error: --k is for --volume k-dop, found --volume ${volume}`);
  for (const path of [pathA, pathB]) await requireReadableFile(path);
  const signal = interruptSignal();
  const progress = await openProgress(flags, 'pairs');
  const clock = startClock();
  try {
    const { BoundingTree, meshDistance } = await import('../index.ts');
    const read = async (path: string) => {
      progress.stage(`reading ${nameOf(path)}`);
      return (await readSubject(path, {}, signal)).mesh;
    };
    const [meshA, meshB] = [await read(pathA), await read(pathB)];
    const seconds = { read: clock(), build: 0, search: 0 };
    progress.stage('building trees');
    const options = { volume, ...(k !== undefined && { k: Number(k) }) };
    const [a, b] = await withDefaultSignals(
      signal,
      async () => [BoundingTree.create(meshA, options), BoundingTree.create(meshB, options)] as const,
    );
    seconds.build = clock();
    progress.stage('searching');
    const poses = [...NOT_MOVED, ...pose];
    const found = await meshDistance(
      { a, b, poses },
      { strategy, signal, ...(visits !== undefined && { visits }) },
    );
    seconds.search = clock();
    progress.stop();
    if (json) printJson({ a: pathA, b: pathB, volume, strategy, ...found, seconds });
    else process.stdout.write(`${formatDistance(found)}\n`);
  } finally {
    progress.stop();
  }
}

function formatDistance(found: MeshDistance): string {
  const { distance, lower, exact, pointA, pointB, triangleA, triangleB, visited } = found;
  const at = (point: readonly number[], triangle: number | undefined) =>
    `${point.join(', ')}${triangle === undefined ? '' : ` on triangle ${formatCount(triangle)}`}`;
  return formatTable([
    ['distance', exact ? `${distance}` : `from ${lower} to ${distance}: stopped by --visits`],
    ['point of a', at(pointA, triangleA)],
    ['point of b', at(pointB, triangleB)],
    ['pairs of volumes', formatCount(visited)],
  ]);
}
