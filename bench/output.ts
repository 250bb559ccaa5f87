/** Files of results, and tables as text or as Markdown. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { formatTable } from '../src/cli/format.ts';
import { InputError, ScreeError } from '../src/errors.ts';
import { busyNote, type Machine, machineLines } from './machine.ts';

export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  /** Columns (from 0) of names; all others are numbers, aligned to the right. */
  readonly names: readonly number[];
  readonly rows: readonly (readonly string[])[];
}

function numberColumns({ columns, names }: Table): number[] {
  return columns.map((_, k) => k).filter((k) => !names.includes(k));
}

export function tableText(table: Table): string {
  return `${table.title}\n${formatTable([table.columns, ...table.rows], numberColumns(table))}\n`;
}

function tableMarkdown(table: Table): string {
  const right = numberColumns(table);
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = table.columns.map((_, k) => (right.includes(k) ? '---:' : '---'));
  return [`**${table.title}**`, '', row(table.columns), row(rule), ...table.rows.map(row), ''].join('\n');
}

/** Writes a file, with its folder. @throws ScreeError where that is not possible. */
export function writeResult(path: string, content: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  } catch (error) {
    throw new ScreeError(`${path}: cannot be written (${(error as Error).message})`, 1);
  }
}

/** What stands above the tables: the machine, and whether others used it too. */
export function reportHead(machine: Machine): string[] {
  const busy = busyNote(machine);
  return [...machineLines(machine), ...(busy === undefined ? [] : [busy])];
}

/** A whole report for a page. */
export function reportMarkdown(machine: Machine, tables: readonly Table[]): string {
  const lines = [...reportHead(machine), `\`${machine.command}\``];
  return [lines.join('<br>\n'), '', ...tables.map(tableMarkdown)].join('\n');
}

const begin = (section: string) => `<!-- bench:${section} -->`;
const end = (section: string) => `<!-- /bench:${section} -->`;

/** Refuses a file that `writeMarkdown` would not know where to write in. @throws InputError */
export function requireMarkdownPlace(path: string, section: string): void {
  if (!existsSync(path)) return;
  const text = readFileSync(path, 'utf8');
  const from = text.indexOf(begin(section));
  if (from >= 0 && text.indexOf(end(section)) > from) return;
  throw new InputError(
    `${path}: no lines ${begin(section)} and ${end(section)}, expected both in this order`,
  );
}

/** Puts tables between the marks of a section of a file, or into a new file. */
export function writeMarkdown(path: string, section: string, content: string): void {
  const block = `${begin(section)}\n\n${content.trim()}\n\n${end(section)}`;
  if (!existsSync(path)) {
    writeResult(path, `${block}\n`);
    return;
  }
  requireMarkdownPlace(path, section);
  const text = readFileSync(path, 'utf8');
  const after = text.slice(text.indexOf(end(section)) + end(section).length);
  writeResult(path, `${text.slice(0, text.indexOf(begin(section)))}${block}${after}`);
}
