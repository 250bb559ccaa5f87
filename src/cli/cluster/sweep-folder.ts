/** The files of a sweep: the sweep itself, and the folders of its tasks. */
import { createHash } from 'node:crypto';
import { access } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { Column } from '../../sweep/columns.ts';
import type { SweepTask } from '../../sweep/design.ts';
import type { Sweep } from '../../sweep/sweep.ts';
import { inputError, makeFolder, requireReadableFile } from '../files.ts';
import { readBytes } from '../input.ts';
import { writeFileAtomically } from '../output.ts';
import { readLaws } from '../scene.ts';
import { COLUMNS } from '../simulate-record.ts';

/** Of the folder of a sweep, and of a task. */
export const SWEEP_FILE = 'sweep.json';
export const TASK_FILES = { task: 'task.json', scene: 'scene.json', lock: 'running.json' } as const;

type Json = Record<string, unknown>;

/** A sweep with what belongs to it. */
export interface OpenSweep {
  readonly sweep: Sweep;
  readonly tasks: readonly SweepTask[];
  /** What `collect` in it names. */
  readonly columns: readonly Column[];
  /** As the file of a sweep's folder has it: with the scene, and hashes of the files that it names. */
  readonly json: Json;
  /** Of the sweep's file. */
  readonly path: string;
  /** Files that the scene names are relative to it. */
  readonly sceneFolder: string;
  /** The path of the module of laws, where there is one. */
  readonly laws: string | undefined;
}

type SweepParts = Pick<OpenSweep, 'sweep' | 'tasks' | 'columns'>;

/** What `task.json` says. */
export interface TaskRecord {
  readonly task: number;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly repetition: number;
  /** Where the task has one of its own. */
  readonly seed?: number;
  readonly state: 'running' | 'stopped' | 'failed' | 'done';
  /** Why it stopped or failed, and with which exit code. */
  readonly line?: string;
  readonly code?: number;
  /** Of all processes that worked on it and came to save it. */
  readonly seconds: number;
  readonly steps?: number;
  readonly time?: number;
  /** SHA-256 of the last checkpoint. */
  readonly stateHash?: string;
  /** What the sweep's `collect` names of them; null where there is nothing to measure. */
  readonly measures?: Readonly<Record<string, number | null>>;
  readonly backend?: string;
  readonly adapter?: object | null;
  readonly version: string;
}

/** Reads a sweep, its scene, and hashes of the files that it names. @throws InputError */
export async function readSweep(path: string, signal: AbortSignal): Promise<OpenSweep> {
  await requireReadableFile(path);
  const folder = dirname(path);
  const { $schema: _, ...fields } = await readJson(path, signal);
  const { scene } = fields;
  const scenePath = typeof scene === 'string' ? resolve(folder, scene) : path;
  const sceneFolder = dirname(scenePath);
  if (typeof scene === 'string') {
    fields.scene = await readJson(scenePath, signal).catch(async (error) => {
      throw error instanceof (await import('../../index.ts')).InputError
        ? await inputError(`${path}: scene: ${error.message}`, error)
        : error;
    });
  }
  const opened = await parsed(fields, path);
  const own = opened.sweep.simulate.laws;
  const laws = own === undefined ? undefined : resolve(folder, own);
  const paths = Array.from(await filesOf(opened), (file) => [file, resolve(sceneFolder, file)] as const);
  const files: Record<string, string> = {};
  for (const [name, at] of laws === undefined ? paths : [...paths, [own!, laws] as const]) {
    files[name] = createHash('sha256')
      .update(await readBytes(at, signal))
      .digest('hex');
  }
  return { ...opened, json: { ...fields, files }, path, sceneFolder, laws };
}

/** The sweep of a folder. @throws InputError where there is none */
export async function readSweepFolder(out: string, signal: AbortSignal): Promise<SweepParts> {
  const path = join(out, SWEEP_FILE);
  const { files: _, ...fields } = await readJson(path, signal);
  return parsed(fields, path);
}

async function parsed(fields: Json, name: string): Promise<SweepParts> {
  const { parseSweep } = await import('../../sweep/parse-sweep.ts');
  const { tasksOf } = await import('../../sweep/design.ts');
  const { columnOf } = await import('../../sweep/columns.ts');
  const sweep = parseSweep(fields, name);
  // A column that there is none of is found before the first task, not after the last one.
  const columns = sweep.collect.map((text, i) => columnOf(text, `${name}: collect[${i}]`, COLUMNS));
  return { sweep, tasks: tasksOf(sweep), columns };
}

async function readJson(path: string, signal = new AbortController().signal): Promise<Json> {
  let value: unknown;
  const text = new TextDecoder().decode(await readBytes(path, signal));
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw await inputError(`${path}: is no JSON (${(error as Error).message})`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw await inputError(`${path}: expected a JSON object`);
}

/** Names of files in the scenes of the tasks: those of the first one, and those that parameters put into them. */
async function filesOf({ sweep, tasks }: Pick<OpenSweep, 'sweep' | 'tasks'>): Promise<ReadonlySet<string>> {
  const { sceneOfTask } = await import('../../sweep/design.ts');
  const found = new Set<string>();
  const visit = (value: unknown, field: string) => {
    if (field === 'file' && typeof value === 'string') found.add(value);
    if (typeof value !== 'object' || value === null) return;
    for (const [name, one] of Object.entries(value)) visit(one, name);
  };
  visit(sceneOfTask(sweep, tasks[0]!).shapes, 'shapes');
  for (const parameter of sweep.parameters) {
    if (parameter.kind !== 'values') continue;
    for (const path of parameter.paths.filter((one) => one.startsWith('/shapes')))
      for (const value of parameter.values) visit(value, path.slice(path.lastIndexOf('/') + 1));
  }
  return found;
}

/**
 * Makes the folder of a sweep, or finds that it is of this one. Many processes may do so at once.
 *
 * @throws InputError for the folder of another sweep, with what differs first; for a first scene that cannot be read
 */
export async function prepareFolder(out: string, opened: OpenSweep, signal: AbortSignal): Promise<void> {
  const path = join(out, SWEEP_FILE);
  if (!(await exists(path))) {
    await requireSoundScene(opened, signal);
    await makeFolder(out);
    await writeFileAtomically(path, `${JSON.stringify(opened.json, undefined, 2)}\n`, { signal });
    return;
  }
  const difference = firstDifference(await readJson(path, signal), opened.json, '');
  if (difference === undefined) return;
  throw await inputError(`${path}: of another sweep: ${difference}: choose another folder`);
}

/** @throws InputError for what the reader of scenes refuses in the first task, such as a field that it does not know */
async function requireSoundScene(
  { path, sweep, tasks, sceneFolder, laws }: OpenSweep,
  signal: AbortSignal,
): Promise<void> {
  const { parseScene } = await import('../../index.ts');
  const { sceneOfTask } = await import('../../sweep/design.ts');
  await parseScene(JSON.stringify(sceneOfTask(sweep, tasks[0]!)), {
    name: `${path}: scene of task 1`,
    laws: laws === undefined ? {} : await readLaws(laws),
    readFile: (file) => readBytes(resolve(sceneFolder, file), signal),
  });
}

function firstDifference(found: unknown, expected: unknown, place: string): string | undefined {
  if (Object.is(found, expected)) return undefined;
  const isObject = (value: unknown) => typeof value === 'object' && value !== null;
  if (isObject(found) && isObject(expected) && Array.isArray(found) === Array.isArray(expected)) {
    const [a, b] = [found as Json, expected as Json];
    for (const name of new Set([...Object.keys(b), ...Object.keys(a)])) {
      const difference = firstDifference(a[name], b[name], place === '' ? name : `${place}.${name}`);
      if (difference !== undefined) return difference;
    }
    // Tasks are numbered in the order of parameters.
    const [orderA, orderB] = [a, b].map((value) => Object.keys(value).join(', '));
    if (place !== 'parameters' || orderA === orderB) return undefined;
    return `${place} ${orderA} found, expected ${orderB}`;
  }
  const [told, wanted] = [found, expected].map((value) => shortJson(value));
  return `${place} ${told} found, expected ${wanted}`;
}

const LONGEST_QUOTE = 60;
function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'none';
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}...` : text;
}

export function taskFolder(out: string, task: number): string {
  return join(out, 'tasks', String(task).padStart(4, '0'));
}

/** What a task has come to. Undefined before it began. @throws InputError for a damaged file */
export async function readTask(out: string, task: number): Promise<TaskRecord | undefined> {
  const path = join(taskFolder(out, task), TASK_FILES.task);
  if (!(await exists(path))) return undefined;
  return (await readJson(path)) as unknown as TaskRecord;
}

export async function writeTask(out: string, record: TaskRecord): Promise<void> {
  const path = join(taskFolder(out, record.task), TASK_FILES.task);
  await writeFileAtomically(path, `${JSON.stringify(record, undefined, 2)}\n`);
}

/** Writes the scene of a task. Paths in it are relative to its folder, so that `scree simulate` takes it as it is. */
export async function writeTaskScene(out: string, opened: OpenSweep, task: SweepTask): Promise<string> {
  const { sceneOfTask } = await import('../../sweep/design.ts');
  const folder = taskFolder(out, task.task);
  // The schema's path is relative to the sweep's own scene.
  const { $schema: _, ...scene } = sceneOfTask(opened.sweep, task);
  const moved = (field: string, value: unknown) =>
    field === 'file' && typeof value === 'string'
      ? relative(resolve(folder), resolve(opened.sceneFolder, value))
      : value;
  const path = join(folder, TASK_FILES.scene);
  await writeFileAtomically(path, `${JSON.stringify(scene, moved, 2)}\n`);
  return path;
}

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
