/** `scree check`: the health of a mesh and what it can be used for. */
import type { Command } from 'commander';
import type { CellGridEstimate, MeshReport } from '../index.ts';
import { requireReadableFile } from './files.ts';
import { formatBytes, formatCount } from './format.ts';
import { nameOf } from './input.ts';
import { interruptSignal, withDefaultSignals } from './interrupt.ts';
import { jsonOption, weldOption, withCommonOptions } from './options.ts';
import { printJson } from './output.ts';
import { readSubject, type Subject } from './subject.ts';

/** Exit code for a mesh that is not closed, as for other unusable input. */
const UNUSABLE = 2;

export function addCheck(program: Command): void {
  const command = program
    .command('check')
    .summary('report the health of a mesh')
    .description(
      'Report the health of a mesh: size, mass properties, holes, orientation, with which rule it can be used, ' +
        'and how large its cell grid will be. Exit code 0 if it is closed, so that every flag is exact, 2 if ' +
        'not: rule winding can use it all the same.',
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

/** The size of a body's cell grid: an estimate, or the size of the tables in a body file. */
interface TableSize extends CellGridEstimate {
  readonly estimated: boolean;
}

async function check(path: string, { weld, json }: { weld?: number; json?: boolean }): Promise<void> {
  await requireReadableFile(path);
  const signal = interruptSignal();
  const { checkMesh, formatMeshReport } = await import('../index.ts');
  const subject = await readSubject(path, { weld }, signal);
  const { report, size } = await withDefaultSignals(signal, async () => {
    const report = checkMesh(subject.mesh);
    return { report, size: report.closed && report.triangles > 0 ? await tableSize(subject) : undefined };
  });
  if (json) {
    const usable = { odd: report.closed, nonzero: report.oriented, winding: report.triangles > 0 };
    printJson({ file: path, usable, ...report, cellGrid: size ?? null });
  } else
    process.stdout.write(`${formatMeshReport(report, nameOf(path))}\n${formatTableSize(size, report)}\n`);
  if (!report.closed) process.exitCode = UNUSABLE;
}

async function tableSize({ mesh, saved }: Subject): Promise<TableSize> {
  const { estimateCellGrid } = await import('../index.ts');
  const cellsPerAxis = saved?.cellsPerAxis;
  const expected = estimateCellGrid(mesh, { ...(cellsPerAxis !== undefined && { cellsPerAxis }) });
  if (saved?.tables === undefined) return { estimated: true, ...expected };
  const { mixedCount, pairCount, bytes } = saved.tables;
  return { estimated: false, ...expected, mixedCells: mixedCount, pairs: pairCount, tableBytes: bytes };
}

/** The last lines of the report, in the columns of `formatMeshReport`. */
function formatTableSize(size: TableSize | undefined, report: MeshReport): string {
  const row = (label: string, text: string) => `  ${label.padEnd(26)}${text}`;
  if (size === undefined) {
    return row(
      'cell grid',
      `none: ${report.closed ? 'no triangles' : 'the surface is open'}, so no table is built`,
    );
  }
  const { cells, cellSize, pairs, tableBytes, estimated } = size;
  const about = estimated ? 'about ' : '';
  return [
    row(
      estimated ? 'cell grid (estimate)' : 'cell grid (saved)',
      `${cells.map(formatCount).join(' x ')} cells of edge ${Number(cellSize.toPrecision(4))}`,
    ),
    row('', `${about}${formatCount(pairs)} pairs of cell and triangle, tables of ${formatBytes(tableBytes)}`),
  ].join('\n');
}
