/** `scree check`: the health of a mesh and what it can be used for. */
import type { Command } from 'commander';
import { requireReadableFile } from './files.ts';
import { jsonOption, weldOption, withCommonOptions } from './options.ts';
import { printJson } from './output.ts';
import { readSubject } from './subject.ts';

/** Exit code where no rule can use the mesh, as for other unusable input. */
const UNUSABLE = 2;

export function addCheck(program: Command): void {
  const command = program
    .command('check')
    .summary('report the health of a mesh')
    .description(
      'Report the health of a mesh: size, mass properties, holes, orientation, and with which rule it can be used. Exit code 0 if it is closed, so that points can be classified, 2 if not.',
    )
    .argument('<mesh>', 'mesh file, or body file of `scree build`')
    .addOption(weldOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Examples:
  scree check part.stl
  scree check scan.ply --weld 1e-4 --json`,
    )
    .action(check);
  withCommonOptions(command);
}

async function check(path: string, { weld, json }: { weld?: number; json?: boolean }): Promise<void> {
  await requireReadableFile(path);
  const { checkMesh, formatMeshReport } = await import('../index.ts');
  const report = checkMesh((await readSubject(path, { weld })).mesh);
  if (json) printJson({ file: path, usable: { odd: report.closed, nonzero: report.oriented }, ...report });
  else process.stdout.write(`${formatMeshReport(report, path)}\n`);
  if (!report.closed) process.exitCode = UNUSABLE;
}
