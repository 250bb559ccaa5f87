/** `scree build`: saves a mesh with its tables as a body file, for `scree classify` and `Polyhedron.load`. */
import type { Command } from 'commander';
import { requireFiles } from './files.ts';
import { formatBytes, formatCount } from './format.ts';
import { nameOf } from './input.ts';
import { interruptSignal, withDefaultSignals } from './interrupt.ts';
import { cellsOption, suffixOf, weldOption, withCommonOptions } from './options.ts';
import { writeFileAtomically } from './output.ts';
import { openProgress } from './progress.ts';
import { readSubject } from './subject.ts';

const OUT = '--out <file>';

interface BuildFlags {
  readonly out: string;
  readonly cells?: number;
  readonly weld?: number;
  readonly contacts?: boolean;
  readonly quiet?: boolean;
}

export function addBuild(program: Command): void {
  const command = program
    .command('build')
    .summary('save a mesh with its tables, ready to classify')
    .description(
      'Check that a mesh is closed, build the tables of its cell grid, and save both as a body file: ' +
        '`scree classify` takes it in place of the mesh and starts at once.',
    )
    .argument('<mesh>', 'mesh file')
    .requiredOption(OUT, 'where to write it: .body')
    .addOption(cellsOption())
    .addOption(weldOption())
    .option('--contacts', 'save tables for contacts too: `scree contacts` begins with them at once')
    .addHelpText(
      'after',
      `
Examples:
  scree build part.stl --out part.body
  scree build part.stl --contacts --out part.body
  scree classify part.body --points points.npy --out flags.npy`,
    )
    .action((mesh: string, flags: BuildFlags) => build(mesh, flags, command));
  withCommonOptions(command);
}

async function build(path: string, flags: BuildFlags, command: Command): Promise<void> {
  const { out, cells, weld } = flags;
  suffixOf(out, OUT, ['body'], command);
  await requireFiles([path], [out], command);
  const signal = interruptSignal();
  const progress = await openProgress(flags, 'triangles');
  try {
    progress.stage(`reading ${nameOf(path)}`);
    const { contactTables, Polyhedron } = await import('../index.ts');
    const { mesh } = await readSubject(path, { weld }, signal);
    progress.stage(`preparing ${formatCount(mesh.triangleCount)} triangles`);
    // Without a device, so that the tables fit what every device allows.
    const options = { ...(cells !== undefined && { cellsPerAxis: cells }) };
    const polyhedron = await withDefaultSignals(signal, () => Polyhedron.create(undefined, mesh, options));
    const { triangleCount } = mesh;
    const onProgress = (share: number) => progress.update(Math.round(share * triangleCount), triangleCount);
    const contacts = flags.contacts ? await contactTables(mesh, { signal, onProgress }) : undefined;
    const file = await polyhedron.save({ signal, contacts });
    await writeFileAtomically(out, file, { signal });
    progress.stop();
    process.stdout.write(
      `wrote ${out}: ${formatCount(mesh.triangleCount)} triangles, ${formatBytes(file.length)}\n`,
    );
  } finally {
    progress.stop();
  }
}
