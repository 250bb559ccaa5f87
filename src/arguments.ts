/** Checks what callers pass: JavaScript checks no types, and a typo in an option must not go unnoticed. */
import { InputError } from './errors.ts';

/** What an option has to be. `checked` stands for a check of its own where the option is used. */
const KINDS = {
  boolean: 'true or false',
  number: 'a number',
  text: 'a text',
  function: 'a function',
  signal: 'an AbortSignal',
  object: 'an object',
  checked: 'anything',
} as const;
export type Kind = keyof typeof KINDS;

/** All options of a call with their kinds. The compiler asks for one that is forgotten. */
export type Options<T> = Readonly<Record<keyof T, Kind>>;

/** A typed array of numbers, as callers pass them. */
export type TypedArray = Float32Array | Float64Array | Uint8Array | Uint32Array | Int32Array;

/** Longest text of a caller that a message repeats. */
const LONGEST_TOLD = 40;

/** What was found, in a few words, so that a message stays one short line whatever was passed. */
export function told(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shortened(value));
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  const buffer = ArrayBuffer.isView(value) ? value.buffer : value;
  if (buffer instanceof ArrayBuffer && isDetached(buffer)) return `a detached ${nameOf(value)}`;
  const { length } = value as { length?: unknown };
  if (typeof length !== 'number') return nameOf(value) === 'Object' ? 'an object' : `a ${nameOf(value)}`;
  return `${/^[aeioAEIO]/.test(nameOf(value)) ? 'an' : 'a'} ${nameOf(value)} of length ${length}`;
}

/** How many characters of a value a message shows. */
const LONGEST_FOUND = 60;

/** A value of a scene for a message, in JSON, cut short. */
export function found(value: unknown): string {
  if (ArrayBuffer.isView(value) || typeof value === 'function' || value instanceof Map) return told(value);
  // JSON has no NaN and no Infinity, but 1e999 is read as that.
  const plain = (_: string, x: unknown) => (typeof x === 'number' && !Number.isFinite(x) ? `${x}` : x);
  const text =
    value === undefined ? 'missing' : JSON.stringify(value, plain).replace(/"(NaN|-?Infinity)"/g, '$1');
  return text.length > LONGEST_FOUND ? `${text.slice(0, LONGEST_FOUND)}...` : text;
}

function nameOf(value: object): string {
  return Array.isArray(value) ? 'array' : shortened(value.constructor?.name || 'Object');
}

function shortened(text: string): string {
  return text.length > LONGEST_TOLD ? `${text.slice(0, LONGEST_TOLD - 1)}…` : text;
}

/** Whether a buffer was transferred to another owner. */
export function isDetached(buffer: ArrayBufferLike): boolean {
  if (buffer.byteLength > 0) return false;
  try {
    new Uint8Array(buffer);
    return false;
  } catch {
    return true;
  }
}

function isKind(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case 'checked':
      return true;
    case 'text':
      return typeof value === 'string';
    case 'object':
      return isPlain(value);
    case 'signal':
      return isSignal(value as Partial<AbortSignal> | null | undefined);
    default:
      // The kinds that are left have the names of types.
      return typeof value === kind;
  }
}

/** Of any realm, so by what calls use of it. */
function isSignal(value: Partial<AbortSignal> | null | undefined): boolean {
  return (
    typeof value?.aborted === 'boolean' &&
    typeof value.throwIfAborted === 'function' &&
    typeof value.addEventListener === 'function'
  );
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

/**
 * @param call the function whose options these are, for messages
 * @throws InputError unless `found` is an object with known options only, each of its kind or undefined.
 */
export function requireOptions(call: string, found: unknown, known: Readonly<Record<string, Kind>>): void {
  if (!isPlain(found)) {
    const names = Object.keys(known).join(', ');
    throw new InputError(`${call}: options: found ${told(found)}, expected an object with ${names}`);
  }
  const options = found as Readonly<Record<string, unknown>>;
  // Calls of a microsecond check their options, too: no list of names is made but for a message.
  let odd: string | undefined;
  for (const name in options) {
    const kind: unknown = known[name];
    const value = options[name];
    // A name such as "toString" finds a function.
    if (typeof kind === 'string') {
      if (value !== undefined && !isKind(value, kind as Kind)) odd ??= name;
    } else if (Object.hasOwn(options, name)) requireKnown(call, 'option', found, Object.keys(known));
  }
  if (odd === undefined) return;
  throw new InputError(`${call}: ${odd}: found ${told(options[odd])}, expected ${KINDS[known[odd]!]}`);
}

/** @throws InputError for the first field of an object that is not known; the message lists those that are. */
export function requireKnown(place: string, what: string, found: object, known: readonly string[]): void {
  const name = Object.keys(found).find((one) => !known.includes(one));
  if (name === undefined) return;
  const near = nearest(name, known);
  const hint = near === undefined ? '' : `; did you mean ${near}?`;
  const prefix = place === '' ? '' : `${place}: `;
  throw new InputError(
    `${prefix}unknown ${what} "${shortened(name)}", expected ${known.join(', ') || 'none'}${hint}`,
  );
}

/** The known name that differs in at most two letters, or only in capitals. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const far = 3;
  let [best, least] = [undefined as string | undefined, Math.min(far, Math.ceil(name.length / 2))];
  for (const one of known) {
    const distance = editDistance(name.slice(0, LONGEST_TOLD).toLowerCase(), one.toLowerCase());
    if (distance < least) [best, least] = [one, distance];
  }
  return best;
}

/** Letters to insert, remove or replace (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (a[i] === b[j] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}

/** @throws InputError unless a value is one of these typed arrays, in memory that is still there. */
export function requireArray(
  place: string,
  found: unknown,
  types: readonly (new (length: number) => TypedArray)[],
  what: string,
): void {
  const isOne = types.some((type) => found instanceof type);
  if (isOne && !isDetached((found as TypedArray).buffer)) return;
  const names = types.map(({ name }) => name).join(' or ');
  throw new InputError(`${place}: found ${told(found)}, expected a ${names} of ${what}`);
}

/** @throws InputError unless a value is a text. */
export function requireText(place: string, found: unknown, what: string): void {
  if (typeof found !== 'string') throw new InputError(`${place}: found ${told(found)}, expected ${what}`);
}

/** @throws InputError unless a value is an object: of a class, or what a function of scree returned. */
export function requireObject(place: string, found: unknown, what: string): void {
  if (!isPlain(found)) throw new InputError(`${place}: found ${told(found)}, expected ${what}`);
}

/**
 * @param widths numbers per row of each array
 * @param rows what a row is of
 * @throws InputError unless a value has `count` and, in each array, as many rows.
 */
export function requireRows(
  place: string,
  found: unknown,
  { widths, rows, from }: { widths: Readonly<Record<string, number>>; rows: string; from: string },
): void {
  requireObject(place, found, from);
  const { count, ...arrays } = found as Readonly<Record<string, unknown>>;
  if (!(Number.isInteger(count) && (count as number) >= 0)) {
    throw new InputError(`${place}.count: found ${told(count)}, expected how many there are`);
  }
  for (const [field, width] of Object.entries(widths)) {
    const array = arrays[field] as TypedArray | undefined;
    if (ArrayBuffer.isView(array) && array.length === width * (count as number)) continue;
    const other = ArrayBuffer.isView(array) ? `${(array as TypedArray).length} numbers` : told(array);
    throw new InputError(`${place}.${field}: found ${other}, expected ${width} for each of ${count} ${rows}`);
  }
}

/** A caller's array that a call reads while it runs. */
export class HeldArray<A extends TypedArray> {
  /** The caller's own, or a copy if its memory may shrink. */
  readonly array: A;
  readonly #name: string;
  readonly #length: number;

  /** @param array has been checked */
  constructor(name: string, array: A) {
    const { resizable, growable } = array.buffer as { resizable?: boolean; growable?: boolean };
    this.array = resizable || growable ? (array.slice() as A) : array;
    this.#name = name;
    this.#length = array.length;
  }

  /** @throws InputError if the memory was transferred since: what the call read of it is worth nothing. */
  requireIntact(): void {
    if (this.array.length === this.#length) return;
    throw new InputError(
      `${this.#name}: detached during the call, which reads it: ` +
        `found ${this.array.length} numbers, expected ${this.#length} until it settles`,
    );
  }

  /** The result of work that reads the array. If the array was detached meanwhile, that error replaces any other. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.requireIntact();
    }
  }
}

/**
 * A copy of what callers may change: objects, arrays and typed arrays are new, at any depth. Objects of classes, such
 * as meshes, views of another kind, and arrays whose memory is gone stay the same.
 */
export function copyOf<T>(value: T): T {
  if (ArrayBuffer.isView(value))
    return 'slice' in value && !isDetached(value.buffer)
      ? ((value as unknown as TypedArray).slice() as never)
      : value;
  if (Array.isArray(value)) return value.map(copyOf) as unknown as T;
  if (typeof value !== 'object' || value === null) return value;
  if (![Object.prototype, null].includes(Object.getPrototypeOf(value))) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copyOf(one)])) as T;
}

/** Most threads that callers may ask for: more than any machine has. */
const MOST_THREADS = 1024;

/** The most threads of a call that asks for so many. @throws InputError for what is no such number */
export function threadsOf(threads: number | undefined): number {
  const asked = threads ?? MOST_THREADS;
  if (Number.isInteger(asked) && asked >= 1 && asked <= MOST_THREADS) return asked;
  throw new InputError(`threads is ${asked}, expected a whole number from 1 to ${MOST_THREADS}`);
}
