/** The files of a run of `scree simulate`. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Monitors, Scene, Simulation, SimulationScene } from '../index.ts';
import { inputError } from './files.ts';
import type { Film } from './film.ts';
import { nameOf, readBytes } from './input.ts';
import { monitorsSvg } from './monitors-svg.ts';
import { writeFileAtomically } from './output.ts';
import { statePicture } from './state-picture.ts';

/** Files in the folder. */
export const FILES = {
  checkpoint: 'checkpoint.sim',
  monitors: 'monitors.csv',
  plots: 'monitors.svg',
  series: 'series.pvd',
  picture: 'state.png',
} as const;
/** Columns of `monitors.csv`. */
const COLUMNS = [
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

/** Between checkpoints, where there are frames as often. */
const SAVE_MILLISECONDS = 10_000;

export type Row = Readonly<Record<(typeof COLUMNS)[number], number>>;

export function plain(monitors: Monitors): Row {
  return Object.fromEntries(COLUMNS.map((column) => [column, monitors[column]])) as Row;
}

interface RecordOptions {
  readonly resume: boolean;
  readonly frames: number;
  readonly duration: number;
  readonly signal: AbortSignal;
  /** Draws a picture at each frame. */
  readonly film?: Film | undefined;
}

/** What a run leaves in its folder. What an earlier run drew there is removed, but for what is gone on from. */
export async function openRecord(
  out: string,
  scene: Scene,
  simulation: Simulation,
  { resume, frames, duration, signal, film }: RecordOptions,
) {
  const { encodeBodySurfaces, encodeContacts, surfacesOf } = await import('../index.ts');
  const surfaces = surfacesOf(scene.shapes);
  const every = Math.max(1, Math.round(duration / simulation.timeStep / frames));
  const rows: string[] = resume ? await rowsBefore(out, simulation, signal) : [];
  await removePictures(out, resume ? simulation.monitors.steps : -1);
  let saved = performance.now();
  const write = (file: string, contents: string | Uint8Array) =>
    writeFileAtomically(join(out, file), contents);
  const record = {
    nextFrame: (step: number) => (Math.floor(step / every) + 1) * every,
    async frame() {
      const { steps } = simulation.monitors;
      const statuses = await simulation.read('statuses');
      const ofThose = <A extends Float64Array | Uint32Array>(values: A, size: number) =>
        values.filter((_, i) => statuses[Math.floor(i / size)] === 1) as A;
      const speeds = ofThose(await simulation.read('velocities'), 3);
      const data = [{ name: 'velocity', components: 3, values: speeds }] as const;
      const poses = ofThose(await simulation.read('poses'), 7);
      const bodies = encodeBodySurfaces(surfaces, ofThose(scene.bodies.shapes, 1), poses, data);
      await write(`bodies-${nameOfFrame(steps)}.vtp`, bodies);
      await write(`contacts-${nameOfFrame(steps)}.vtp`, encodeContacts(await simulation.contacts(), 'vtp'));
      if (film) await write(`film-${nameOfFrame(steps)}.png`, await film.frame(simulation));
      const row = plain(simulation.monitors);
      rows.push(COLUMNS.map((column) => row[column]).join(','));
      // A run that is killed, or whose machine fails, goes on from here.
      if (performance.now() - saved > SAVE_MILLISECONDS) await record.save();
    },
    balanceAtFirst: () => numbersOf(rows[0]!).balance!,
    /** @returns why there is none */
    async picture(own: SimulationScene): Promise<string | undefined> {
      const { png, missing } = await statePicture(own, simulation);
      if (png !== undefined) await write(FILES.picture, png);
      return missing;
    },
    async save() {
      await write(FILES.monitors, `${[COLUMNS.join(','), ...rows].join('\n')}\n`);
      await write(FILES.plots, monitorsSvg(rows.map(numbersOf), nameOf(scene.name)));
      await write(FILES.series, seriesOf(rows));
      // The last one: a run goes on from it with rows and pictures that are there.
      await write(FILES.checkpoint, await simulation.checkpoint());
      saved = performance.now();
    },
  };
  if (rows.length === 0) await record.frame();
  return record;
}

const numbersOf = (row: string) =>
  Object.fromEntries(row.split(',').map((text, i) => [COLUMNS[i]!, Number(text)]));

/**
 * Rows of an earlier run up to where a simulation is.
 *
 * @throws InputError for a table that such a run cannot have left
 */
async function rowsBefore(
  out: string,
  { time, timeStep }: Simulation,
  signal: AbortSignal,
): Promise<string[]> {
  const path = join(out, FILES.monitors);
  const text = new TextDecoder().decode(await readBytes(path, signal));
  const [header, ...lines] = text.trimEnd().split('\n');
  const of = 'expected the table of the run that is gone on from: begin the simulation anew';
  if (header !== COLUMNS.join(',')) throw await inputError(`${path}: line 1: other columns found, ${of}`);
  for (const [i, line] of lines.entries()) {
    const row = numbersOf(line);
    const isOurs = line.split(',').length === COLUMNS.length && Object.values(row).every(Number.isFinite);
    if (!isOurs || row.time !== row.steps! * timeStep || (i === 0 && row.time > time))
      throw await inputError(`${path}: line ${i + 2}: no row of this run up to ${time} found, ${of}`);
  }
  if (lines.length === 0) throw await inputError(`${path}: no rows found, ${of}`);
  return lines.filter((line) => numbersOf(line).time! <= time);
}

const DIGITS = 9;
const nameOfFrame = (step: number) => String(step).padStart(DIGITS, '0');
/** Names that frames have, with their step. */
const FRAME = new RegExp(`^(?:(?:bodies|contacts)-(\\d{${DIGITS},})\\.vtp|film-(\\d{${DIGITS},})\\.png)$`);

/** The picture of the last state, and frames after a step. */
async function removePictures(out: string, step: number): Promise<void> {
  const isStale = (file: string) => {
    const [, surfaces, film] = FRAME.exec(file) ?? [];
    return file === FILES.picture || Number(surfaces ?? film ?? -1) > step;
  };
  const files = await readdir(out);
  await Promise.all(files.filter(isStale).map((file) => rm(join(out, file), { force: true })));
}

/** ParaView's list of a series: the files of each time. */
function seriesOf(rows: readonly string[]): string {
  const sets = rows.flatMap((row) => {
    const [time, steps] = row.split(',');
    return ['bodies', 'contacts'].map(
      (what, part) =>
        `<DataSet timestep="${time}" part="${part}" file="${what}-${nameOfFrame(Number(steps))}.vtp"/>`,
    );
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
