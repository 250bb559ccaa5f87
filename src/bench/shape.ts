/** Shapes of JSON values: their types for the compiler, and checks that name the place of what is not as expected. */
import { InputError } from '../index.ts';

/** `check` throws where a value is something else than T. */
export interface Shape<T> {
  readonly check: (value: unknown, at: string) => void;
  readonly isOptional?: boolean;
  /** For the compiler only. */
  readonly type?: T;
}

interface Optional<T> extends Shape<T> {
  readonly isOptional: true;
}

/** The type of the values that a shape describes. */
export type Of<S> = S extends Shape<infer T> ? T : never;

type Shapes = Readonly<Record<string, Shape<unknown>>>;
type OptionalKeys<F extends Shapes> = { [K in keyof F]: F[K] extends Optional<unknown> ? K : never }[keyof F];
type Fields<F extends Shapes> = { readonly [K in Exclude<keyof F, OptionalKeys<F>>]: Of<F[K]> } & {
  readonly [K in OptionalKeys<F>]?: Of<F[K]>;
};

function fail(at: string, found: unknown, expected: string): never {
  const kind = Array.isArray(found) ? 'a list' : found === null ? 'null' : 'an object';
  const is = `is ${typeof found === 'object' ? kind : JSON.stringify(found)}`;
  throw new InputError(`${at} ${found === undefined ? 'is missing' : is}, expected ${expected}`);
}

const shape = <T>(isOne: (value: unknown) => boolean, expected: string): Shape<T> => ({
  check: (value, at) => {
    if (!isOne(value)) fail(at, value, expected);
  },
});

export const text = shape<string>((value) => typeof value === 'string', 'a text');
export const flag = shape<boolean>((value) => typeof value === 'boolean', 'true or false');
export const amount = shape<number>(Number.isFinite, 'a number');

export const oneOf = <const T extends string>(...known: readonly T[]): Shape<T> =>
  shape((value) => known.includes(value as T), `one of ${known.join(', ')}`);

export const list = <T>(item: Shape<T>): Shape<readonly T[]> => ({
  check: (value, at) => {
    if (!Array.isArray(value)) fail(at, value, 'a list');
    for (const [i, one] of (value as unknown[]).entries()) item.check(one, `${at}[${i}]`);
  },
});

function members(value: unknown, at: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(at, value, 'an object');
  return value as Readonly<Record<string, unknown>>;
}

export const record = <T>(item: Shape<T>): Shape<Readonly<Record<string, T>>> => ({
  check: (value, at) => {
    for (const [key, one] of Object.entries(members(value, at))) item.check(one, `${at}.${key}`);
  },
});

export const optional = <T>({ check }: Shape<T>): Optional<T> => ({
  isOptional: true,
  check: (value, at) => {
    if (value !== undefined) check(value, at);
  },
});

/** An object with at least these fields: newer versions may have more. */
export const fields = <F extends Shapes>(shapes: F): Shape<Fields<F>> => ({
  check: (value, at) => {
    const found = members(value, at);
    for (const [key, one] of Object.entries(shapes)) one.check(found[key], at === '' ? key : `${at}.${key}`);
  },
});
