/** `scree contacts`: where the bodies of a scene touch. */
import type { Command } from 'commander';
import type { Scene } from '../index.ts';
import { CONTACT_FORMATS } from '../io/contact-formats.ts';
import { type ContactsOutcome, formatSummary, summarize } from './contacts-summary.ts';
import { openIfNeeded, orAdvise } from './device.ts';
import { inputError, requireFiles } from './files.ts';
import { formatCount } from './format.ts';
import { nameOf, readBytes } from './input.ts';
import { interruptSignal, withDefaultSignals } from './interrupt.ts';
import {
  adapterOption,
  backendOption,
  type DeviceFlags,
  jsonOption,
  type OutputFlags,
  reasonOf,
  requireThreadsOnCpu,
  suffixOf,
  threadsOption,
  wantedBackend,
  withCommonOptions,
} from './options.ts';
import { printJson, printSummary, writeFileAtomically } from './output.ts';
import { openProgress } from './progress.ts';
import { startClock } from './run.ts';
import { placedAt, readSceneFile } from './scene.ts';

/** Numbers of a pose. */
const POSE_SIZE = 7;

interface ContactsFlags extends OutputFlags, DeviceFlags {
  readonly poses?: string;
  readonly threads?: number;
  readonly out?: string;
}

export function addContacts(program: Command): void {
  const command = program
    .command('contacts')
    .summary('where the bodies of a scene touch')
    .description(
      'All contacts of the bodies of a scene: polyhedra, convex bodies and planes, from a JSON file (docs/scene.md). ' +
        'Distances are minus the depth; normals point from body a to body b.',
    )
    .argument('<scene>', 'scene file: .json')
    .option('--poses <file>', 'poses in place of those of the scene: .npy, [bodies, 7]')
    .addOption(backendOption())
    .addOption(adapterOption())
    .addOption(threadsOption('most threads of the CPU; 1 is the main one alone'))
    .option(
      '--out <file>',
      'write all contacts: .npy (float64 [contacts, columns]), .csv, .json or .vtp (for ParaView)',
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Examples:
  scree contacts scene.json
  scree contacts scene.json --out contacts.vtp
  scree contacts scene.json --poses step-12.npy --out contacts.npy --json`,
    )
    .action((scene: string, flags: ContactsFlags) => contacts(scene, flags, command));
  withCommonOptions(command);
}

async function contacts(path: string, flags: ContactsFlags, command: Command): Promise<void> {
  const { out, poses: posesPath } = flags;
  const format = out === undefined ? undefined : suffixOf(out, '--out <file>', CONTACT_FORMATS, command);
  requireThreadsOnCpu(flags, command);
  const inputs = posesPath === undefined ? [path] : [path, posesPath];
  await requireFiles(inputs, out === undefined ? [] : [out], command);

  const signal = interruptSignal();
  const progress = await openProgress(flags, 'pairs');
  const total = startClock();
  const clock = startClock();
  try {
    progress.stage(`reading ${nameOf(path)}`);
    const scene = await readSceneFile(path, signal);
    await requireNoList(scene);
    await requireShapes(scene);
    const poses = posesPath === undefined ? scene.poses : await readPoses(posesPath, scene, signal);
    const read = clock();
    progress.stage('opening the WebGPU device');
    const { ContactPipeline, encodeContacts } = await import('../index.ts');
    const { adapter, threads } = flags;
    const backend = wantedBackend(flags);
    const { device, missing } = await openIfNeeded({ adapter, backend });
    try {
      const open = clock();
      progress.stage(`preparing ${formatCount(scene.shapes.length)} shapes`);
      const { bodies, margin, names } = scene;
      // Bodies of a source come later, and lie in each other until then.
      const absent = Uint8Array.from(scene.appearsAt, (time) => (time > 0 ? 1 : 0));
      const pipeline = await orAdvise({ adapter, backend }, () =>
        withDefaultSignals(signal, () =>
          ContactPipeline.create(device, scene.shapes, { bodies, margin, names, threads, signal }),
        ),
      );
      const build = clock();
      const onProgress = (done: number, all: number) => progress.update(done, all);
      const results = await orAdvise({ adapter, backend }, () =>
        placedAt(nameOf(posesPath ?? path), () =>
          pipeline.detect({ poses, absent, backend, signal, onProgress }),
        ),
      );
      clock();
      progress.stage('writing');
      if (out !== undefined && format !== undefined) {
        const encode = () => encodeContacts(results, format, { names: names.bodies });
        await writeFileAtomically(out, encode, { signal });
      }
      progress.stop();
      const write = clock();
      const outcome: ContactsOutcome = { scene, results, missing };
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

async function requireNoList({ pairs, name }: Scene): Promise<void> {
  if (pairs === 'all') return;
  throw await inputError(
    `${name}: pairs is a list, expected none or "all": scree contacts finds the pairs that touch, ` +
      'and "group" and "mask" say which may',
  );
}

/** @throws InputError for a body without a shape, as mechanisms may have */
async function requireShapes({ shapes, bodies, names, name }: Scene): Promise<void> {
  const bare = bodies.shapes.findIndex((shape) => shapes[shape] === undefined);
  if (bare < 0) return;
  throw await inputError(`${name}: ${names.bodies[bare]} has no shape, expected one of each body`);
}

/** A pose for each body of a scene. */
async function readPoses(
  path: string,
  scene: Scene,
  signal: AbortSignal,
): Promise<Float32Array | Float64Array> {
  const { parseNpy } = await import('../index.ts');
  const { shape, data } = parseNpy(await readBytes(path, signal), nameOf(path));
  const bodies = scene.names.bodies.length;
  if (shape.length !== 2 || shape[0] !== bodies || shape[1] !== POSE_SIZE) {
    throw await inputError(
      `${nameOf(path)}: found the shape [${shape.join(', ')}], expected [${bodies}, ${POSE_SIZE}]: ` +
        'position x, y, z and quaternion x, y, z, w of each body of the scene',
    );
  }
  return data instanceof Float32Array || data instanceof Float64Array
    ? data
    : Float64Array.from(data as ArrayLike<number | bigint>, Number);
}
