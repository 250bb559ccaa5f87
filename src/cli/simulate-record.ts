/** The files of a run of `scree simulate`. */
import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BodyData, Monitors, Scene, Simulation, SimulationScene } from '../index.ts';
import { inputError } from './files.ts';
import type { Film } from './film.ts';
import { nameOf, readBytes } from './input.ts';
import { monitorsSvg } from './monitors-svg.ts';
import { writeFileAtomically } from './output.ts';
import { bodiesNpy, forcesNpy } from './simulate-arrays.ts';
import { type Moving, statePicture } from './state-picture.ts';

/** Files in the folder. */
export const FILES = {
  checkpoint: 'checkpoint.sim',
  monitors: 'monitors.csv',
  plots: 'monitors.svg',
  series: 'series.pvd',
  coordinates: 'coordinates.csv',
  events: 'events.csv',
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

/** What there is of a frame beside places and energies. */
interface Seen {
  /** In the order of `columns`. */
  readonly values: readonly number[];
  /** Of all bodies, for their surfaces. */
  readonly data: readonly BodyData[];
  /** Other files of the frame. */
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

interface FrameOptions {
  /** Shapes of the bodies that are drawn, and a number of one for each. */
  readonly shapes: Scene['shapes'];
  readonly bodies: Uint32Array;
  /** Surfaces and contacts of each frame are written. */
  readonly series: boolean;
  /** Draws a picture at each frame. */
  readonly film?: Film | undefined;
  /** Columns of the scene's own monitors. */
  readonly columns?: readonly string[] | undefined;
  /** Looks at contacts and forces of a frame. @param number of the frame */
  readonly look?: ((number: number) => Promise<Seen>) | undefined;
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
  { shapes, bodies, series, film, look, rows: before = [], frameOf = stepsOfRow, ...rest }: FrameOptions,
) {
  const { encodeBodySurfaces, surfacesOf } = await import('../index.ts');
  const columns = [...COLUMNS, ...(rest.columns ?? [])];
  const surfaces = series ? surfacesOf(shapes) : undefined;
  const rows: string[] = [...before];
  const write = (file: string, contents: string | Uint8Array) =>
    writeFileAtomically(join(out, file), contents);
  return {
    write,
    rows: rows as readonly string[],
    async frame() {
      const own = plain(moving.monitors);
      const energies = COLUMNS.map((column) => own[column]);
      const number = frameOf(energies.join(','), rows.length);
      const seen = await look?.(number);
      const row = [...energies, ...(seen?.values ?? [])].join(',');
      if (surfaces) {
        const statuses = await moving.read('statuses');
        const ofThose = <A extends Float64Array | Uint32Array>(values: A, size: number) =>
          values.filter((_, i) => statuses[Math.floor(i / size)] === 1) as A;
        const speeds = { name: 'velocity', components: 3, values: await moving.read('velocities') } as const;
        const data = [speeds, ...(seen?.data ?? [])].map((one) => ({
          ...{ ...one, values: ofThose(one.values, one.components) },
        }));
        const poses = ofThose(await moving.read('poses'), 7);
        const file = encodeBodySurfaces(surfaces, ofThose(bodies, 1), poses, data);
        await write(nameOfFrame('bodies', number), file);
      }
      for (const { name: file, bytes } of seen?.files ?? []) await write(file, bytes);
      if (film) await write(nameOfFrame('film', number), await film.frame(moving));
      rows.push(row);
    },
    balanceAtFirst: () => numbersOf(rows[0]!, columns).balance!,
    /** @returns why there is none */
    async picture(own: SimulationScene): Promise<string | undefined> {
      const { png, missing } = await statePicture(own, moving);
      if (png !== undefined) await write(FILES.picture, png);
      return missing;
    },
    async saveTables() {
      await write(FILES.monitors, `${[columns.join(','), ...rows].join('\n')}\n`);
      const numbers = rows.map((row) => numbersOf(row, columns));
      await write(FILES.plots, monitorsSvg(numbers, nameOf(name), rest.columns));
      if (surfaces) await write(FILES.series, seriesOf(rows, frameOf, new Set(await readdir(out))));
    },
  };
}

const stepsOfRow = (row: string) => numbersOf(row, COLUMNS).steps!;

interface RecordOptions {
  readonly resume: boolean;
  readonly frames: number;
  readonly duration: number;
  readonly signal: AbortSignal;
  readonly series: boolean;
  /** Bodies and forces of each frame are written as arrays for NumPy. */
  readonly npy: boolean;
  readonly film?: Film | undefined;
  /** `[n]`: numbers of materials. */
  readonly materials: Uint32Array;
}

/** What a run leaves in its folder. What an earlier run drew there is removed, but for what is gone on from. */
export async function openRecord(
  out: string,
  scene: Scene,
  simulation: Simulation,
  { resume, frames, duration, signal, series, npy, film, materials }: RecordOptions,
) {
  const columns = await ownColumns(scene);
  // In steps as there were at first: frames are at the same times in a run that goes on.
  const atFirst = simulation.timeStep * 2 ** simulation.halvings.length;
  const every = Math.max(1, Math.round(duration / atFirst / frames));
  const rows = resume ? await rowsBefore(out, [...COLUMNS, ...columns], simulation, signal) : [];
  await removePictures(out, resume ? simulation.monitors.steps : -1);
  let due = dueSignal();
  let stateHash = '';
  const { shapes, bodies } = scene;
  const own = await openFrames(out, scene.name, simulation, {
    ...{ shapes, bodies: bodies.shapes, series, film, rows, columns },
    look: (number) => lookAt(number, { scene, simulation, series, npy, materials }),
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

/** Columns of the monitors that a scene names. @throws InputError for one that there is twice */
async function ownColumns({ monitors, name }: Scene): Promise<readonly string[]> {
  const { monitorColumns } = await import('../index.ts');
  const own = monitorColumns(monitors);
  const taken = own.find((column) => (COLUMNS as readonly string[]).includes(column));
  if (taken === undefined) return own;
  throw await inputError(`${name}: monitors has ${taken}, which every table has, expected another name`);
}

interface Looked extends Pick<RecordOptions, 'series' | 'npy' | 'materials'> {
  readonly scene: Scene;
  readonly simulation: Simulation;
}

/** Contacts, forces and the scene's own monitors of a state, as far as files are to have them. */
async function lookAt(number: number, { scene, simulation, series, npy, materials }: Looked): Promise<Seen> {
  const hasMonitors = Object.keys(scene.monitors).length > 0;
  if (!(series || npy || hasMonitors)) return { values: [], data: [], files: [] };
  const { coordinationNumbers, encodeContacts, encodeForces, monitorValues, touchingPairs } = await import(
    '../index.ts'
  );
  const contacts = await simulation.contacts();
  const pairs = touchingPairs(contacts, await simulation.contactForces());
  const files: { name: string; bytes: Uint8Array }[] = [];
  const data: BodyData[] = [];
  if (npy) {
    const bodies = await bodiesNpy(simulation, pairs, materials);
    files.push({ name: nameOfFrame('bodies', number, 'npy'), bytes: bodies });
    files.push({ name: nameOfFrame('forces', number, 'npy'), bytes: await forcesNpy(pairs) });
  }
  if (series) {
    files.push({ name: nameOfFrame('contacts', number), bytes: encodeContacts(contacts, 'vtp') });
    files.push({ name: nameOfFrame('forces', number), bytes: encodeForces(pairs) });
    const touching = coordinationNumbers(pairs, simulation.bodyCount);
    data.push(
      { name: 'force', components: 3, values: await simulation.read('forces') },
      { name: 'torque', components: 3, values: await simulation.read('torques') },
      { name: 'material', components: 1, values: Float64Array.from(materials) },
      { name: 'coordination', components: 1, values: Float64Array.from(touching) },
    );
  }
  if (!hasMonitors) return { values: [], data, files };
  const state = {
    centroids: await simulation.read('centroids'),
    masses: await simulation.read('masses'),
    statuses: await simulation.read('statuses'),
  };
  return { values: monitorValues(scene.monitors, pairs, state, scene.simulation.box), data, files };
}

const numbersOf = (row: string, columns: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries(row.split(',').map((text, i) => [columns[i]!, Number(text)]));

/** The table of monitors of a run. @throws InputError for a file that is none */
export async function readMonitors(out: string, signal: AbortSignal) {
  const path = join(out, FILES.monitors);
  const [header, ...lines] = new TextDecoder()
    .decode(await readBytes(path, signal))
    .trimEnd()
    .split('\n');
  const columns = header!.split(',');
  // Behind them are those of the scene.
  const isOurs = COLUMNS.every((column, i) => columns[i] === column);
  const rows = lines.map((line) => numbersOf(line, columns));
  const wrong = rows.findIndex((row) => !columns.every((column) => Number.isFinite(row[column])));
  if (isOurs && wrong < 0) return rows;
  throw await inputError(`${path}: line ${isOurs ? wrong + 2 : 1}: expected the table of a run`);
}

/**
 * Rows of an earlier run up to where a simulation is.
 *
 * @throws InputError for a table that such a run cannot have left
 */
async function rowsBefore(
  out: string,
  columns: readonly string[],
  simulation: Simulation,
  signal: AbortSignal,
): Promise<string[]> {
  const { time } = simulation;
  const path = join(out, FILES.monitors);
  const text = new TextDecoder().decode(await readBytes(path, signal));
  const [header, ...lines] = text.trimEnd().split('\n');
  const of = 'expected the table of the run that is gone on from: begin the simulation anew';
  if (header !== columns.join(',')) throw await inputError(`${path}: line 1: other columns found, ${of}`);
  for (const [i, line] of lines.entries()) {
    const row = numbersOf(line, columns);
    const isOurs = line.split(',').length === columns.length && Object.values(row).every(Number.isFinite);
    if (!isOurs || row.time !== timeAfter(simulation, row.steps!) || (i === 0 && row.time > time))
      throw await inputError(`${path}: line ${i + 2}: no row of this run up to ${time} found, ${of}`);
  }
  if (lines.length === 0) throw await inputError(`${path}: no rows found, ${of}`);
  return lines.filter((line) => numbersOf(line, columns).time! <= time);
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
const SUFFIXES = { bodies: 'vtp', contacts: 'vtp', forces: 'vtp', film: 'png' } as const;
const nameOfFrame = (what: keyof typeof SUFFIXES, step: number, suffix: string = SUFFIXES[what]) =>
  `${what}-${String(step).padStart(DIGITS, '0')}.${suffix}`;
/** Names that frames have, with their step. */
const FRAME = new RegExp(
  `^(?:(?:bodies|contacts|forces)-(\\d{${DIGITS},})\\.(?:vtp|npy)|film-(\\d{${DIGITS},})\\.png)$`,
);

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
    return (['bodies', 'contacts', 'forces'] as const)
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
