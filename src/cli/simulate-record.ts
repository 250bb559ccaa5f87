/** The files of a run of `scree simulate`. */
import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DetectedContacts, Monitors, Scene, Simulation, SimulationScene } from '../index.ts';
import { inputError } from './files.ts';
import type { Film } from './film.ts';
import { nameOf, readBytes } from './input.ts';
import { monitorsSvg } from './monitors-svg.ts';
import { writeFileAtomically } from './output.ts';
import { type Moving, statePicture } from './state-picture.ts';

/** Files in the folder. */
export const FILES = {
  checkpoint: 'checkpoint.sim',
  monitors: 'monitors.csv',
  plots: 'monitors.svg',
  series: 'series.pvd',
  coordinates: 'coordinates.csv',
  picture: 'state.png',
} as const;
/** Columns of `monitors.csv`. */
export const COLUMNS = [
  ...([
    'time',
    'steps',
    'kinetic',
    'gravity',
    'elastic',
    'dashpots',
    'friction',
    'rolling',
    'driven',
    'pushed',
    'inserted',
    'removed',
    'balance',
  ] as const),
  ...([
    'contacts',
    'openContacts',
    'deepestOverlap',
    'largestFrequency',
    'presentBodies',
    'removedBodies',
  ] as const),
] as const;

/** Between checkpoints: no more is lost where a run is killed. */
const SAVE_MILLISECONDS = 10_000;

export type Row = Readonly<Record<(typeof COLUMNS)[number], number>>;

export function plain(monitors: Monitors): Row {
  return Object.fromEntries(COLUMNS.map((column) => [column, monitors[column]])) as Row;
}

interface FrameOptions {
  /** Shapes of the bodies that are drawn, and a number of one for each. */
  readonly shapes: Scene['shapes'];
  readonly bodies: Uint32Array;
  /** Surfaces and contacts of each frame are written. */
  readonly series: boolean;
  /** Draws a picture at each frame. */
  readonly film?: Film | undefined;
  /** Where bodies touch. */
  readonly contacts?: (() => Promise<DetectedContacts>) | undefined;
  /** Rows of an earlier run that is gone on from. */
  readonly rows?: readonly string[] | undefined;
  /** The number of a row's frame, in the names of its files. Default: its steps. */
  readonly frameOf?: ((row: string, index: number) => number) | undefined;
}

/** What a run leaves in its folder of each frame, whatever moves. */
export async function openFrames(
  out: string,
  name: string,
  moving: Moving,
  { shapes, bodies, series, film, contacts, rows: before = [], frameOf = stepsOfRow }: FrameOptions,
) {
  const { encodeBodySurfaces, encodeContacts, surfacesOf } = await import('../index.ts');
  const surfaces = series ? surfacesOf(shapes) : undefined;
  const rows: string[] = [...before];
  const write = (file: string, contents: string | Uint8Array) =>
    writeFileAtomically(join(out, file), contents);
  return {
    write,
    rows: rows as readonly string[],
    async frame() {
      const own = plain(moving.monitors);
      const row = COLUMNS.map((column) => own[column]).join(',');
      const number = frameOf(row, rows.length);
      if (surfaces) {
        const statuses = await moving.read('statuses');
        const ofThose = <A extends Float64Array | Uint32Array>(values: A, size: number) =>
          values.filter((_, i) => statuses[Math.floor(i / size)] === 1) as A;
        const speeds = ofThose(await moving.read('velocities'), 3);
        const data = [{ name: 'velocity', components: 3, values: speeds }] as const;
        const poses = ofThose(await moving.read('poses'), 7);
        const file = encodeBodySurfaces(surfaces, ofThose(bodies, 1), poses, data);
        await write(nameOfFrame('bodies', number), file);
        if (contacts) await write(nameOfFrame('contacts', number), encodeContacts(await contacts(), 'vtp'));
      }
      if (film) await write(nameOfFrame('film', number), await film.frame(moving));
      rows.push(row);
    },
    balanceAtFirst: () => numbersOf(rows[0]!).balance!,
    /** @returns why there is none */
    async picture(own: SimulationScene): Promise<string | undefined> {
      const { png, missing } = await statePicture(own, moving);
      if (png !== undefined) await write(FILES.picture, png);
      return missing;
    },
    async saveTables() {
      await write(FILES.monitors, `${[COLUMNS.join(','), ...rows].join('\n')}\n`);
      await write(FILES.plots, monitorsSvg(rows.map(numbersOf), nameOf(name)));
      if (surfaces) await write(FILES.series, seriesOf(rows, frameOf, new Set(await readdir(out))));
    },
  };
}

const stepsOfRow = (row: string) => numbersOf(row).steps!;

interface RecordOptions {
  readonly resume: boolean;
  readonly frames: number;
  readonly duration: number;
  readonly signal: AbortSignal;
  readonly series: boolean;
  readonly film?: Film | undefined;
}

/** What a run leaves in its folder. What an earlier run drew there is removed, but for what is gone on from. */
export async function openRecord(
  out: string,
  scene: Scene,
  simulation: Simulation,
  { resume, frames, duration, signal, series, film }: RecordOptions,
) {
  // In steps as there were at first: frames are at the same times in a run that goes on.
  const atFirst = simulation.timeStep * 2 ** simulation.halvings.length;
  const every = Math.max(1, Math.round(duration / atFirst / frames));
  const rows = resume ? await rowsBefore(out, simulation, signal) : [];
  await removePictures(out, resume ? simulation.monitors.steps : -1);
  let due = dueSignal();
  let stateHash = '';
  const { shapes, bodies } = scene;
  const own = await openFrames(out, scene.name, simulation, {
    ...{ shapes, bodies: bodies.shapes, series, film, rows },
    contacts: () => simulation.contacts(),
  });
  const record = {
    ...own,
    /** @param step in steps as they are now */
    nextFrame(step: number): number {
      const now = every * 2 ** simulation.halvings.length;
      return (Math.floor(step / now) + 1) * now;
    },
    /** Aborts when it is time to save. */
    saveDue: () => due,
    /** SHA-256 of the last checkpoint. */
    stateHash: () => stateHash,
    async save() {
      await own.saveTables();
      // The last one: a run goes on from it with rows and pictures that are there.
      const checkpoint = await simulation.checkpoint();
      await own.write(FILES.checkpoint, checkpoint);
      stateHash = createHash('sha256').update(checkpoint).digest('hex');
      due = dueSignal();
    },
  };
  if (rows.length === 0) await record.frame();
  return record;
}

const numbersOf = (row: string): Readonly<Record<string, number>> =>
  Object.fromEntries(row.split(',').map((text, i) => [COLUMNS[i]!, Number(text)]));

/** The table of monitors of a run. @throws InputError for a file that is none */
export async function readMonitors(out: string, signal: AbortSignal) {
  const path = join(out, FILES.monitors);
  const [header, ...lines] = new TextDecoder()
    .decode(await readBytes(path, signal))
    .trimEnd()
    .split('\n');
  const rows = lines.map(numbersOf);
  const wrong = header === COLUMNS.join(',') ? rows.findIndex((row) => !isWhole(row)) : -1;
  if (header === COLUMNS.join(',') && wrong < 0) return rows;
  throw await inputError(`${path}: line ${wrong + 2}: expected the table of a run`);
}

const isWhole = (row: Readonly<Record<string, number>>) =>
  COLUMNS.every((column) => Number.isFinite(row[column]));

/**
 * Rows of an earlier run up to where a simulation is.
 *
 * @throws InputError for a table that such a run cannot have left
 */
async function rowsBefore(out: string, simulation: Simulation, signal: AbortSignal): Promise<string[]> {
  const { time } = simulation;
  const path = join(out, FILES.monitors);
  const text = new TextDecoder().decode(await readBytes(path, signal));
  const [header, ...lines] = text.trimEnd().split('\n');
  const of = 'expected the table of the run that is gone on from: begin the simulation anew';
  if (header !== COLUMNS.join(',')) throw await inputError(`${path}: line 1: other columns found, ${of}`);
  for (const [i, line] of lines.entries()) {
    const row = numbersOf(line);
    const isOurs = line.split(',').length === COLUMNS.length && Object.values(row).every(Number.isFinite);
    if (!isOurs || row.time !== timeAfter(simulation, row.steps!) || (i === 0 && row.time > time))
      throw await inputError(`${path}: line ${i + 2}: no row of this run up to ${time} found, ${of}`);
  }
  if (lines.length === 0) throw await inputError(`${path}: no rows found, ${of}`);
  return lines.filter((line) => numbersOf(line).time! <= time);
}

/** The time that so many steps took. */
function timeAfter({ halvings, timeStep }: Simulation, steps: number): number {
  const last = halvings.findLast((halving) => halving.steps <= steps);
  if (last === undefined) return steps * timeStep * 2 ** halvings.length;
  // As simulations count: whole numbers of steps, so that times are the same bit for bit.
  return (Math.round(last.time / last.timeStep) + steps - last.steps) * last.timeStep;
}

function dueSignal(): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), SAVE_MILLISECONDS).unref();
  return controller.signal;
}

const DIGITS = 9;
const SUFFIXES = { bodies: 'vtp', contacts: 'vtp', film: 'png' } as const;
const nameOfFrame = (what: keyof typeof SUFFIXES, step: number) =>
  `${what}-${String(step).padStart(DIGITS, '0')}.${SUFFIXES[what]}`;
/** Names that frames have, with their step. */
const FRAME = new RegExp(`^(?:(?:bodies|contacts)-(\\d{${DIGITS},})\\.vtp|film-(\\d{${DIGITS},})\\.png)$`);

/** What tells of the last state, and frames after a step. */
export async function removePictures(out: string, step: number): Promise<void> {
  const isStale = (file: string) => {
    const [, surfaces, film] = FRAME.exec(file) ?? [];
    const isOfLast = file === FILES.picture || (file === FILES.series && step < 0);
    return isOfLast || Number(surfaces ?? film ?? -1) > step;
  };
  const files = await readdir(out);
  await Promise.all(files.filter(isStale).map((file) => rm(join(out, file), { force: true })));
}

/** ParaView's list of a series: the files of each time. Parts of a run may have been made without. */
function seriesOf(
  rows: readonly string[],
  frameOf: (row: string, index: number) => number,
  files: ReadonlySet<string>,
): string {
  const sets = rows.flatMap((row, i) => {
    const [time] = row.split(',');
    return (['bodies', 'contacts'] as const)
      .map((what, part) => ({ file: nameOfFrame(what, frameOf(row, i)), part }))
      .filter(({ file }) => files.has(file))
      .map(({ file, part }) => `<DataSet timestep="${time}" part="${part}" file="${file}"/>`);
  });
  return [
    '<?xml version="1.0"?>',
    '<VTKFile type="Collection" version="1.0">',
    '<Collection>',
    ...sets,
    '</Collection>',
    '</VTKFile>',
    '',
  ].join('\n');
}
