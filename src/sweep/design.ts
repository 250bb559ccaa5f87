/** The tasks of a sweep: the same ones, in the same order, on every machine. */
import { createRandom } from '../index.ts';
import { setAt } from './pointer.ts';
import type { Parameter, Range, Sweep } from './sweep.ts';

/** A run of a sweep. */
export interface SweepTask {
  /** From 1. */
  readonly task: number;
  /** Values of the parameters, by their names. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** From 1. */
  readonly repetition: number;
  /** One for each path of `repetitions`. */
  readonly seeds: readonly number[];
}

/** How many tasks a sweep has. */
export function countTasks({ parameters, samples, repetitions }: Sweep): number {
  const sizes = parameters.map((parameter) => (parameter.kind === 'samples' ? 1 : countOf(parameter)));
  return sizes.reduce((product, n) => product * n, samples * repetitions.count);
}

/**
 * All tasks. The last parameter changes faster than those before it, samples faster than all parameters with values of
 * their own, repetitions fastest.
 */
export function tasksOf(sweep: Sweep): SweepTask[] {
  const { parameters, samples, repetitions, seed } = sweep;
  const random = createRandom(seed);
  // As many values for each task of a grid, and a row of each sample.
  const columns = parameters.map((parameter) =>
    parameter.kind === 'samples' ? hypercubeColumn(parameter, samples, random) : valuesOf(parameter),
  );
  const tasks: SweepTask[] = [];
  const total = countTasks(sweep);
  for (let i = 0; i < total; i++) {
    const repetition = (i % repetitions.count) + 1;
    let rest = Math.floor(i / repetitions.count);
    const sample = rest % samples;
    rest = Math.floor(rest / samples);
    const values: [string, unknown][] = [];
    for (let p = parameters.length - 1; p >= 0; p--) {
      const { kind, name } = parameters[p]!;
      const column = columns[p]!;
      values.unshift([name, column[kind === 'samples' ? sample : rest % column.length]]);
      if (kind !== 'samples') rest = Math.floor(rest / column.length);
    }
    // The generator gives none of its 2^32 numbers twice before it has given all.
    const seeds = repetitions.paths.map(() => random() * 2 ** 32);
    tasks.push({ task: i + 1, parameters: Object.fromEntries(values), repetition, seeds });
  }
  return tasks;
}

/** The scene of a task. */
export function sceneOfTask(sweep: Sweep, { parameters, seeds }: SweepTask): Record<string, unknown> {
  const scene = structuredClone(sweep.scene) as Record<string, unknown>;
  for (const { name, paths } of sweep.parameters) {
    for (const path of paths) setAt(scene, path, parameters[name]);
  }
  sweep.repetitions.paths.forEach((path, k) => {
    setAt(scene, path, seeds[k]);
  });
  return scene;
}

function countOf(parameter: Exclude<Parameter, { kind: 'samples' }>): number {
  return parameter.kind === 'values' ? parameter.values.length : parameter.count;
}

/** Values of a parameter that has them of its own. */
export function valuesOf(parameter: Exclude<Parameter, { kind: 'samples' }>): readonly unknown[] {
  if (parameter.kind === 'values') return parameter.values;
  const { count } = parameter;
  return Array.from({ length: count }, (_, i) => between(parameter, i / (count - 1)));
}

/** A value in each of so many equal strata, in random order. */
function hypercubeColumn(range: Range, samples: number, random: () => number): number[] {
  const strata = Array.from({ length: samples }, (_, i) => i);
  for (let i = samples - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [strata[i], strata[other]] = [strata[other]!, strata[i]!];
  }
  return strata.map((stratum) => between(range, (stratum + random()) / samples));
}

/** What lies in a range at `t`, 0 to 1. Rounded to digits that a double holds, and that are easy to read. */
function between({ from, to, scale }: Range, t: number): number {
  if (t === 0) return from;
  if (t === 1) return to;
  return scale === 'log'
    ? Number((from * power(to / from, t)).toPrecision(12))
    : Number((from + (to - from) * t).toPrecision(15));
}

/** `base` to the power of `t`, 0 to 1, by square roots alone: engines need not round `Math.pow` alike. */
function power(base: number, t: number): number {
  let result = 1;
  let root = base;
  for (let bits = t; bits > 0; bits %= 1) {
    root = Math.sqrt(root);
    bits *= 2;
    if (bits >= 1) result *= root;
  }
  return result;
}
