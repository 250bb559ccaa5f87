/** Values of a scene, with messages that name their place. */

export type Fields = Readonly<Record<string, unknown>>;

/** What is wrong with a scene, without the name of its file. */
export class SceneError extends Error {}

/** A value for a message, in JSON, cut short. */
export function found(value: unknown): string {
  const longest = 60;
  const text = value === undefined ? 'missing' : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}...` : text;
}

export function objectAt(value: unknown, place: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new SceneError(`${place} is ${found(value)}, expected an object`);
}

export function listAt(value: unknown, place: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new SceneError(`${place} is ${found(value)}, expected a list`);
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
  // JSON has no NaN, but 1e999 is Infinity.
  const isGood = Array.isArray(value) && value.length === count && value.every((x) => Number.isFinite(x));
  if (isGood) return value;
  throw new SceneError(`${place} is ${found(value)}, expected ${count} numbers`);
}

/** @throws SceneError for a field that is not among those known: most often one that is misspelt. */
export function requireFields(value: Fields, place: string, known: readonly string[]): void {
  for (const field of Object.keys(value)) {
    if (known.includes(field)) continue;
    const path = place === '' ? field : `${place}.${field}`;
    throw new SceneError(`${path} is no field of it, expected ${known.join(', ')}`);
  }
}
