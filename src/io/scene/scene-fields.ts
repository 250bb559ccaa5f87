/** Checks of values in a scene, with messages that name their place. */
import { found, requireKnown } from '../../arguments.ts';
import { InputError, shorten } from '../../errors.ts';
import type { Vector3 } from '../../mesh/mass-properties.ts';

/** For sweeps, which take checks of scenes from here. */
export { found };

export type Fields = Readonly<Record<string, unknown>>;

/** The error for a scene that cannot be used, without the name of its file. */
export class SceneError extends Error {}

/** How many characters of a value or a name a message repeats. */
const LONGEST_QUOTE = 60;

/** A name in the scene for a message, cut short. */
export function called(name: string): string {
  return shorten(name, LONGEST_QUOTE);
}

export function objectAt(value: unknown, place: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new SceneError(`${place} is ${found(value)}, expected an object`);
}

export function listAt(value: unknown, place: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new SceneError(`${place} is ${found(value)}, expected a list`);
}

export function flagAt(value: unknown, place: string): boolean {
  if (typeof value === 'boolean') return value;
  throw new SceneError(`${place} is ${found(value)}, expected true or false`);
}

export function textAt(value: unknown, place: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new SceneError(`${place} is ${found(value)}, expected a text`);
}

export function numberAt(value: unknown, place: string): number {
  if (typeof value === 'number') return value;
  throw new SceneError(`${place} is ${found(value)}, expected a number`);
}

export function numbersAt(value: unknown, place: string, count: number): readonly number[] {
  const isGood = Array.isArray(value) && value.length === count && value.every((x) => Number.isFinite(x));
  if (isGood) return value;
  throw new SceneError(`${place} is ${found(value)}, expected ${count} numbers`);
}

/** A length or a factor. */
export function positiveAt(value: unknown, place: string): number {
  const number = numberAt(value, place);
  if (number > 0 && number < Infinity) return number;
  throw new SceneError(`${place} is ${found(value)}, expected a number above 0`);
}

/** @throws SceneError for an unknown field, which most often is a misspelt one. */
export function requireFields(value: Fields, place: string, known: readonly string[]): void {
  checkedAt(value, place, () => requireKnown(place, 'field', value, known));
}

/** An object that passes a check of the library's own. @throws SceneError with what the check says */
export function checkedAt<T>(value: unknown, place: string, check: (place: string, value: T) => void): T {
  return checkedBy(objectAt(value, place) as T, place, check);
}

/** A value that passes a check of the library's own. @throws SceneError with what the check says */
export function checkedBy<T>(value: T, place: string, check: (place: string, value: T) => void): T {
  try {
    check(place, value);
    return value;
  } catch (error) {
    throw error instanceof InputError ? new SceneError(error.message) : error;
  }
}

export function vectorAt(value: unknown, place: string): Vector3 {
  return numbersAt(value, place, 3) as unknown as Vector3;
}

/** The first few of some names, for a message. */
export function listed(names: readonly string[]): string {
  const most = 8;
  const rest = names.length - most;
  return `${names.slice(0, most).map(called).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
