/** Reads sweeps. */
import { InputError, RESPONSES } from '../index.ts';
import {
  called,
  type Fields,
  flagAt,
  found,
  listAt,
  listed,
  numberAt,
  objectAt,
  positiveAt,
  requireFields,
  SceneError,
  textAt,
} from '../io/scene/scene-fields.ts';
import { countTasks } from './design.ts';
import { requireTarget } from './pointer.ts';
import type { Parameter, Sweep, SweepRun } from './sweep.ts';

const FIELDS = ['scene', 'parameters', 'samples', 'repetitions', 'seed', 'simulate', 'collect'] as const;
const PARAMETER_FIELDS = ['path', 'values', 'from', 'to', 'count', 'scale', 'seeds'] as const;
const RUN_FIELDS = [
  ...(['duration', 'timeStep', 'response', 'frames', 'series', 'picture', 'film', 'laws'] as const),
] as const;
/** Columns that tables of a sweep have beside its parameters. */
const RESERVED = ['task', 'state', 'repetition', 'seed'];
/** Folders of tasks lie beside each other. */
const MOST_TASKS = 1_000_000;
const MOST_FRAMES = 1_000_000;
const LARGEST_SEED = 2 ** 32 - 1;

/**
 * A sweep whose scene is in it.
 *
 * @param name of the file, for messages
 * @throws InputError, one line: the file, the place in it, what was found, what was expected
 */
export function parseSweep(value: unknown, name: string): Sweep {
  try {
    return sweepOf(objectAt(value, 'the sweep'));
  } catch (error) {
    if (!(error instanceof SceneError)) throw error;
    throw new InputError(`${name}: ${error.message}`, { cause: error });
  }
}

function sweepOf({ $schema, ...fields }: Fields): Sweep {
  // Editors find the schema by it.
  if ($schema !== undefined) textAt($schema, '$schema');
  requireFields(fields, '', FIELDS);
  const scene = objectAt(fields.scene, 'scene');
  const parameters = Object.entries(objectAt(fields.parameters ?? {}, 'parameters')).map(([name, one]) =>
    parameterOf(name, objectAt(one, `parameters.${called(name)}`), scene),
  );
  const isSampled = parameters.some(({ kind }) => kind === 'samples');
  if (isSampled !== (fields.samples !== undefined)) {
    throw new SceneError(
      isSampled
        ? 'samples is missing, expected how many there are of the parameters with from and to, without count'
        : 'samples is there, expected a parameter with from and to, without count, that is sampled',
    );
  }
  const sweep: Sweep = {
    ...{ scene, parameters },
    samples: isSampled ? wholeAt(fields.samples, 'samples', 1, MOST_TASKS) : 1,
    repetitions: repetitionsOf(fields.repetitions, scene),
    seed: fields.seed === undefined ? 1 : wholeAt(fields.seed, 'seed', 0, LARGEST_SEED),
    simulate: runOf(fields.simulate ?? {}),
    collect: listAt(fields.collect ?? [], 'collect').map((one, i) => textAt(one, `collect[${i}]`)),
  };
  requireApart(sweep);
  const count = countTasks(sweep);
  if (count > MOST_TASKS) throw new SceneError(`it has ${count} tasks, expected at most ${MOST_TASKS}`);
  return sweep;
}

function parameterOf(name: string, fields: Fields, scene: Fields): Parameter {
  const place = `parameters.${called(name)}`;
  if (name === '' || RESERVED.includes(name)) {
    throw new SceneError(`parameters has ${found(name)}, expected another name than ${RESERVED.join(', ')}`);
  }
  if (/\p{Cc}/u.test(name))
    throw new SceneError(`${place} has a line break or the like in its name, expected none`);
  requireFields(fields, place, PARAMETER_FIELDS);
  const { path, values, from, to, count, scale = 'linear', seeds } = fields;
  const paths = pathsOf(path, `${place}.path`, scene);
  const common = { name, paths };
  const isRange = from !== undefined || to !== undefined || count !== undefined || fields.scale !== undefined;
  if ([values !== undefined, seeds !== undefined, isRange].filter(Boolean).length !== 1) {
    const { path: _, ...rest } = fields;
    const has = Object.keys(rest).join(', ') || 'no values';
    throw new SceneError(`${place} has ${has}, expected one of values, seeds, or from and to`);
  }
  if (values !== undefined) {
    const list = listAt(values, `${place}.values`);
    if (list.length === 0) throw new SceneError(`${place}.values is [], expected one value or more`);
    const infinite = list.findIndex((value) => !hasFiniteNumbers(value));
    if (infinite >= 0) {
      throw new SceneError(
        `${place}.values[${infinite}] is ${found(list[infinite])}, expected finite numbers`,
      );
    }
    return { ...common, kind: 'values', values: list };
  }
  if (seeds !== undefined) {
    const length = wholeAt(seeds, `${place}.seeds`, 1, MOST_TASKS);
    return { ...common, kind: 'values', values: Array.from({ length }, (_, i) => i + 1) };
  }
  if (scale !== 'linear' && scale !== 'log') {
    throw new SceneError(`${place}.scale is ${found(scale)}, expected linear or log`);
  }
  const endAt = scale === 'log' ? positiveAt : finiteAt;
  const range = { from: endAt(from, `${place}.from`), to: endAt(to, `${place}.to`), scale } as const;
  if (range.from === range.to) {
    throw new SceneError(`${place}.to is ${found(to)}, as from is, expected another number`);
  }
  if (!Number.isFinite(scale === 'log' ? range.to / range.from : range.to - range.from)) {
    throw new SceneError(`${place}.to is ${found(to)}, from is ${found(from)}, expected ends less far apart`);
  }
  if (count === undefined) return { ...common, ...range, kind: 'samples' };
  return { ...common, ...range, kind: 'range', count: wholeAt(count, `${place}.count`, 2, MOST_TASKS) };
}

function pathsOf(value: unknown, place: string, scene: Fields): readonly string[] {
  const list = Array.isArray(value) ? value : [value];
  if (list.length === 0) throw new SceneError(`${place} is [], expected one path or more`);
  return list.map((one, i) => {
    const at = Array.isArray(value) ? `${place}[${i}]` : place;
    const path = textAt(one, at);
    requireTarget(scene, path, at);
    return path;
  });
}

function repetitionsOf(value: unknown, scene: Fields): Sweep['repetitions'] {
  if (value === undefined) return { count: 1, paths: [] };
  const place = 'repetitions';
  if (typeof value !== 'object') {
    const count = wholeAt(value, place, 1, MOST_TASKS);
    const paths = count === 1 ? [] : insertionSeeds(scene);
    if (count > 1 && paths.length === 0) {
      throw new SceneError(
        `${place} is ${count}, but no body of the scene has grid, random or source: expected { count, path }, ` +
          'where path says where seeds go, as runs are all the same without',
      );
    }
    return { count, paths };
  }
  const fields = objectAt(value, place);
  requireFields(fields, place, ['count', 'path']);
  const count = wholeAt(fields.count, `${place}.count`, 1, MOST_TASKS);
  return { count, paths: pathsOf(fields.path, `${place}.path`, scene) };
}

/** Where seeds of bodies are that come at random places. */
function insertionSeeds({ bodies }: Fields): readonly string[] {
  const list: readonly unknown[] = Array.isArray(bodies) ? bodies : [];
  return list.flatMap((body, i) =>
    ['grid', 'random', 'source']
      .filter((kind) => typeof (body as Fields | null)?.[kind] === 'object')
      .map((kind) => `/bodies/${i}/${kind}/seed`),
  );
}

function runOf(value: unknown): SweepRun {
  const fields = objectAt(value, 'simulate');
  requireFields(fields, 'simulate', RUN_FIELDS);
  const checks: Record<(typeof RUN_FIELDS)[number], (value: unknown, place: string) => unknown> = {
    duration: positiveAt,
    timeStep: positiveAt,
    response: responseAt,
    frames: (frames, place) => wholeAt(frames, place, 1, MOST_FRAMES),
    series: flagAt,
    picture: flagAt,
    film: flagAt,
    laws: textAt,
  };
  for (const name of RUN_FIELDS) {
    if (fields[name] !== undefined) checks[name](fields[name], `simulate.${name}`);
  }
  return fields as SweepRun;
}

function responseAt(value: unknown, place: string): void {
  if (!RESPONSES.includes(value as (typeof RESPONSES)[number]))
    throw new SceneError(`${place} is ${found(value)}, expected ${listed(RESPONSES)}`);
}

/** @throws SceneError for what would be set twice: one of the two would be without effect */
function requireApart({ parameters, repetitions, simulate }: Sweep): void {
  const all = [
    ...parameters.flatMap(({ name, paths }) =>
      paths.map((path) => ({ by: `parameters.${called(name)}`, path })),
    ),
    ...repetitions.paths.map((path) => ({ by: 'repetitions', path })),
    ...(['duration', 'timeStep', 'response'] as const)
      .filter((name) => simulate[name] !== undefined)
      .map((name) => ({ by: `simulate.${name}`, path: `/${name}` })),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
  for (const [i, { by, path }] of all.entries()) {
    const other = all.find((one, k) => k !== i && (one.path === path || one.path.startsWith(`${path}/`)));
    if (other === undefined) continue;
    const both = by === other.by ? `${by} twice` : `${by} and ${other.by}`;
    throw new SceneError(`${both} set ${found(other.path)}, expected one of them to`);
  }
}

/** Whether all numbers in a value are finite: JSON has no Infinity, but 1e999 is read as that. */
function hasFiniteNumbers(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(hasFiniteNumbers);
}

function finiteAt(value: unknown, place: string): number {
  const number = numberAt(value, place);
  if (Number.isFinite(number)) return number;
  throw new SceneError(`${place} is ${found(value)}, expected a number`);
}

function wholeAt(value: unknown, place: string, least: number, most: number): number {
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most)
    return value as number;
  throw new SceneError(`${place} is ${found(value)}, expected a whole number from ${least} to ${most}`);
}
