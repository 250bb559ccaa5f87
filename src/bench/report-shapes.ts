/** Shapes of JSON values: what is not as expected is told by its place in the file. */
import { InputError } from '../index.ts';

/** What is expected of a value: `check` throws where it is something else. */
export type Shape = (value: unknown, at: string) => void;

function fail(at: string, found: unknown, expected: string): never {
  const what =
    found === undefined
      ? 'is missing'
      : `is ${typeof found === 'object' ? (Array.isArray(found) ? 'a list' : found === null ? 'null' : 'an object') : JSON.stringify(found)}`;
  throw new InputError(`${at} ${what}, expected ${expected}`);
}

export const text: Shape = (value, at) => {
  if (typeof value !== 'string') fail(at, value, 'a text');
};
export const flag: Shape = (value, at) => {
  if (typeof value !== 'boolean') fail(at, value, 'true or false');
};
export const amount: Shape = (value, at) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) fail(at, value, 'a number');
};
export const oneOf =
  (...known: readonly (string | number)[]): Shape =>
  (value, at) => {
    if (!known.includes(value as string)) {
      fail(at, value, known.length === 1 ? JSON.stringify(known[0]) : `one of ${known.join(', ')}`);
    }
  };
export const list =
  (item: Shape): Shape =>
  (value, at) => {
    if (!Array.isArray(value)) fail(at, value, 'a list');
    for (const [i, one] of (value as unknown[]).entries()) item(one, `${at}[${i}]`);
  };
export const record =
  (item: Shape): Shape =>
  (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(at, value, 'an object');
    for (const [key, one] of Object.entries(value as object)) item(one, `${at}.${key}`);
  };
export const optional =
  (shape: Shape): Shape =>
  (value, at) => {
    if (value !== undefined) shape(value, at);
  };
/** An object with at least these fields: more are for newer versions to have. */
export const fields =
  (shapes: Readonly<Record<string, Shape>>): Shape =>
  (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(at, value, 'an object');
    for (const [key, shape] of Object.entries(shapes)) {
      shape((value as Record<string, unknown>)[key], at === '' ? key : `${at}.${key}`);
    }
  };

export const spread: Shape = (value, at) => {
  fields({ min: amount, median: amount, max: amount, runs: amount })(value, at);
  const { min, median, max } = value as { min: number; median: number; max: number };
  if (!(min <= median && median <= max)) {
    throw new InputError(`${at} is ${min}, ${median}, ${max}, expected min <= median <= max`);
  }
};
