/** Choices of a page that stand in its address, to be shared. */
import { told } from '../../src/arguments.ts';

/** One of the things that can be chosen. */
export interface Field<T> {
  /** What the address may say, for messages. */
  readonly expected: string;
  /** What a text means; undefined for nothing that can be chosen. */
  readonly read: (text: string) => T | undefined;
}

/** Longest name that is not known and yet repeated, so that a remark stays a line. */
const LONGEST_NAME = 40;

/** A field for each thing that can be chosen, by the names that they have in the address. */
export type Fields<Choice> = { readonly [Name in keyof Choice]: Field<Choice[Name]> };

/** One of several names. */
export function oneOf<Name extends string>(names: readonly Name[]): Field<Name> {
  return { expected: `one of ${names.join(', ')}`, read: (text) => names.find((name) => name === text) };
}

export interface NumberRange {
  readonly low: number;
  readonly high: number;
  /** Whole numbers alone. Default false. */
  readonly whole?: boolean;
}

/** A number in a range. */
export function numberIn({ low, high, whole = false }: NumberRange): Field<number> {
  return {
    expected: `a ${whole ? 'whole ' : ''}number from ${low} to ${high}`,
    read: (text) => {
      const value = Number(text);
      const isOne =
        text.trim() !== '' && value >= low && value <= high && (!whole || Number.isInteger(value));
      return isOne ? value : undefined;
    },
  };
}

/**
 * What an address says. What it does not say, or says in a way that cannot be, is that of `fallback`.
 *
 * @param search of `location`
 * @returns the choice, and a line for each thing that was not taken as it stands
 */
export function readAddress<Choice extends object>(
  search: string,
  fields: Fields<Choice>,
  fallback: Choice,
): { readonly choice: Choice; readonly remarks: readonly string[] } {
  const remarks: string[] = [];
  const choice = { ...fallback };
  const said = new URLSearchParams(search);
  for (const key of new Set(said.keys())) {
    if (!Object.hasOwn(fields, key)) {
      // Names come from anywhere, and may be long.
      const name = key.length > LONGEST_NAME ? `a name of ${key.length} characters` : key;
      remarks.push(`address: ${name} is not known, expected ${Object.keys(fields).join(', ')}`);
      continue;
    }
    const name = key as keyof Choice & string;
    const texts = said.getAll(name);
    const text = texts.at(-1)!;
    if (texts.length > 1)
      remarks.push(`address: ${name} stands there ${texts.length} times: the last one counts`);
    const value = fields[name].read(text);
    if (value !== undefined) choice[name] = value;
    else
      remarks.push(
        `address: ${name} is ${told(text)}, expected ${fields[name].expected}: taken is ${fallback[name]}`,
      );
  }
  return { choice, remarks };
}

/** What stands in the address for a choice, with the question mark. */
export function addressOf(choice: object): string {
  const texts = Object.entries(choice).map(([name, value]) => [name, String(value)]);
  return `?${new URLSearchParams(texts)}`;
}

/**
 * Puts a choice into the address of the page, in place of what stood there.
 *
 * @param isNew it is a place of its own, which "back" leaves
 */
export function putIntoAddress(choice: object, isNew = false): void {
  const address = addressOf(choice);
  if (isNew && address !== location.search) history.pushState(null, '', address);
  else history.replaceState(null, '', address);
}
