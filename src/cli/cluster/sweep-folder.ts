/** The files of a sweep: the sweep itself, and the folders of its tasks. */
import { createHash } from 'node:crypto';
import { access, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { Column } from '../../sweep/columns.ts';
import type { SweepTask } from '../../sweep/design.ts';
import type { Sweep } from '../../sweep/sweep.ts';
import { inputError, makeFolder, requireReadableFile } from '../files.ts';
import { readBytes } from '../input.ts';
import { writeFileAtomically } from '../output.ts';
import { placedAt, readLaws } from '../scene.ts';
import { COLUMNS } from '../simulate-record.ts';
import { isLeft } from './task-lock.ts';

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
  /** Of the sweep's file, or of a folder that it was begun in. */
  readonly path: string;
  /** What it names is relative to it. */
  readonly folder: string;
  /** Files that the scene names are relative to it. */
  readonly sceneFolder: string;
  /** The path of the module of laws, where there is one. */
  readonly laws: string | undefined;
}

type SweepParts = Pick<OpenSweep, 'sweep' | 'tasks' | 'columns'>;

const STATES = ['running', 'stopped', 'failed', 'done'] as const;

/** What `task.json` says. */
export interface TaskRecord {
  readonly task: number;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly repetition: number;
  /** Where the task has one of its own. */
  readonly seed?: number;
  readonly state: (typeof STATES)[number];
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

/** Where a sweep comes from, relative to its folder: what it and its scene name is relative to these. */
interface Origin {
  readonly sweep: string;
  readonly scene: string;
}

export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/**
 * Reads a sweep, its scene, and hashes of the files that it names.
 *
 * @param path its file, or a folder that a sweep was begun in
 * @throws InputError
 */
export async function readSweep(path: string, signal: AbortSignal): Promise<OpenSweep> {
  if (await isFolder(path)) {
    const own = join(path, SWEEP_FILE);
    const { files, from, ...fields } = await readJson(own, signal);
    const origin = from as Origin | undefined;
    if (typeof origin?.sweep !== 'string' || typeof origin.scene !== 'string') {
      throw await inputError(`${own}: from is missing, expected a sweep that was begun: name its own file`);
    }
    const folder = resolve(path, origin.sweep);
    return withFiles(fields, { path, folder, sceneFolder: resolve(path, origin.scene) }, signal);
  }
  await requireReadableFile(path);
  const folder = dirname(path);
  const { $schema: _, ...fields } = await readJson(path, signal);
  const { scene } = fields;
  const scenePath = typeof scene === 'string' ? resolve(folder, scene) : path;
  const sceneFolder = dirname(scenePath);
  if (typeof scene === 'string') {
    fields.scene = await readJson(scenePath, signal).catch(async (error) => {
      const { InputError } = await import('../../index.ts');
      throw error instanceof InputError ? await inputError(`${path}: scene: ${error.message}`, error) : error;
    });
  }
  return withFiles(fields, { path, folder, sceneFolder }, signal);
}

async function withFiles(
  fields: Json,
  { path, folder, sceneFolder }: Pick<OpenSweep, 'path' | 'folder' | 'sceneFolder'>,
  signal: AbortSignal,
): Promise<OpenSweep> {
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
  return { ...opened, json: { ...fields, files }, path, folder, sceneFolder, laws };
}

/** The sweep of a folder. @throws InputError where there is none */
export async function readSweepFolder(out: string, signal: AbortSignal): Promise<SweepParts> {
  const path = join(out, SWEEP_FILE);
  const { files: _, from: __, ...fields } = await readJson(path, signal);
  return parsed(fields, path);
}

async function parsed(fields: Json, name: string): Promise<SweepParts> {
  const { parseSweep } = await import('../../sweep/parse-sweep.ts');
  const { tasksOf } = await import('../../sweep/design.ts');
  const { columnOf } = await import('../../sweep/columns.ts');
  const sweep = parseSweep(fields, name);
  // A column that there is none of is found before the first task, not after the last one.
  const known = await knownColumns(sweep);
  const columns = sweep.collect.map((text, i) => columnOf(text, `${name}: collect[${i}]`, known));
  return { sweep, tasks: tasksOf(sweep), columns };
}

/** Columns of the tables of a sweep's tasks: what all have, and the monitors of its scene. */
export async function knownColumns({ scene }: Sweep): Promise<readonly string[]> {
  const { monitorColumns } = await import('../../index.ts');
  const { monitors } = scene as { readonly monitors?: Parameters<typeof monitorColumns>[0] };
  return [...COLUMNS, ...monitorColumns(monitors ?? {})];
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
  const { shapes, bodies } = sceneOfTask(sweep, tasks[0]!);
  visit({ shapes, bodies }, '');
  for (const parameter of sweep.parameters) {
    if (parameter.kind !== 'values') continue;
    for (const path of parameter.paths.filter((one) => /^\/(shapes|bodies)/.test(one)))
      for (const value of parameter.values) visit(value, path.slice(path.lastIndexOf('/') + 1));
  }
  return found;
}

/**
 * Makes the folder of a sweep, or finds that it is of this one. Many processes may do so at once.
 *
 * @throws InputError for the folder of another sweep, with what differs first; for a scene that cannot be read
 */
export async function prepareFolder(out: string, opened: OpenSweep, signal: AbortSignal): Promise<void> {
  const path = join(out, SWEEP_FILE);
  if (!(await exists(path))) {
    await requireSoundScenes(opened, signal);
    await makeFolder(out);
    const between = (folder: string) => relative(resolve(out), resolve(folder)) || '.';
    const from: Origin = { sweep: between(opened.folder), scene: between(opened.sceneFolder) };
    await writeFileAtomically(path, `${JSON.stringify({ ...opened.json, from }, undefined, 2)}\n`, {
      signal,
    });
    return;
  }
  // It may have been begun from a copy.
  const { from: _, ...found } = await readJson(path, signal);
  const difference = firstDifference(found, opened.json, '');
  if (difference === undefined) return;
  throw await inputError(`${path}: of another sweep: ${difference}: choose another folder`);
}

/** Values of a parameter that are tried before the first task, and the ends of ranges. */
const MOST_TRIED = 100;

/**
 * @throws InputError for what the reader of scenes refuses, such as a field that it does not know, with the first task
 *   or with another value of a parameter, and for a missing duration
 */
export async function requireSoundScenes(
  { path, sweep, tasks, sceneFolder, laws: lawsPath }: OpenSweep,
  signal: AbortSignal,
): Promise<void> {
  const { parseScene, Simulation, simulationScene } = await import('../../index.ts');
  const { sceneOfTask } = await import('../../sweep/design.ts');
  const first = tasks[0]!;
  const tried = [{ of: 'task 1', task: first }];
  for (const parameter of sweep.parameters) {
    const { name } = parameter;
    const values =
      parameter.kind === 'values' ? parameter.values.slice(0, MOST_TRIED) : [parameter.from, parameter.to];
    for (const value of values) {
      const own = tasks.find(({ parameters }) => parameters[name] === value);
      if (own === first) continue;
      const of = own === undefined ? `${name} ${JSON.stringify(value)}` : `task ${own.task}`;
      tried.push({ of, task: { ...first, parameters: { ...first.parameters, [name]: value } } });
    }
  }
  const laws = lawsPath === undefined ? {} : await readLaws(lawsPath);
  for (const { of, task } of tried) {
    signal.throwIfAborted();
    const name = `${path}: scene of ${of}`;
    const scene = await parseScene(JSON.stringify(sceneOfTask(sweep, task)), {
      ...{ name, laws, readFile: (file) => readBytes(resolve(sceneFolder, file), signal) },
      onBodies: (count) => Simulation.requireMemory(count),
    });
    await placedAt(name, () => simulationScene(scene));
    if ((sweep.simulate.duration ?? scene.simulation.duration) === undefined) {
      throw await inputError(
        `${name}: duration is missing, expected a time there or in simulate of the sweep`,
      );
    }
  }
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
  const record = (await readJson(path)) as unknown as TaskRecord;
  if (STATES.includes(record.state) && record.task === task) return record;
  throw await inputError(
    `${path}: damaged: task ${record.task} in state ${record.state} found, expected task ${task} in one of ` +
      STATES.join(', '),
  );
}

/** The state of a task. One whose process is gone is no longer running. */
export async function stateOf(out: string, { task, state }: TaskRecord): Promise<TaskRecord['state']> {
  const isGone = state === 'running' && (await isLeft(join(taskFolder(out, task), TASK_FILES.lock)));
  return isGone ? 'stopped' : state;
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
