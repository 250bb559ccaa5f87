/** Size distributions of a scene. Each size is a shape of its own, so there are a few. */
import { found } from '../../arguments.ts';
import {
  type Fields,
  listAt,
  numberAt,
  objectAt,
  positiveAt,
  requireFields,
  SceneError,
  textAt,
} from './scene-fields.ts';
import type { ReadSceneFile } from './scene-meshes.ts';

/** Factors by which shapes are larger, and how many of all bodies have each: shares that add up to 1. */
export interface Sizes {
  readonly factors: readonly number[];
  readonly shares: readonly number[];
}

const RANGE = ['from', 'to', 'count'] as const;
/** Fields of each kind besides `kind`. */
const SIZE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  uniform: RANGE,
  normal: ['mean', 'deviation', ...RANGE],
  lognormal: ['median', 'deviation', ...RANGE],
  sieves: ['sizes', 'shares'],
};
const DEFAULT_COUNT = 5;
const MOST_SIZES = 100;
/** Steps of the integral over a density. */
const STEPS = 4096;

export function sizesAt(value: unknown, place: string): Sizes {
  const fields = objectAt(value, place);
  const { kind } = fields;
  if (typeof kind !== 'string' || !Object.hasOwn(SIZE_FIELDS, kind)) {
    throw new SceneError(`${place}.kind is ${found(kind)}, expected ${Object.keys(SIZE_FIELDS).join(', ')}`);
  }
  requireFields(fields, place, ['kind', ...SIZE_FIELDS[kind]!]);
  return kind === 'sieves' ? sievesOf(fields, place) : quantilesOf(kind, fields, place);
}

/**
 * Bodies with tables of sizes that are in files, `{ kind: 'sieves', file }`, as if they were in the scene. A file has a
 * line for each size: size and share, with a comma, semicolon or blanks between them. A first line of words and lines
 * that begin with # are left out.
 */
export async function withSizesOfFiles(
  bodies: readonly unknown[],
  readFile: ReadSceneFile,
): Promise<readonly unknown[]> {
  const made: unknown[] = [];
  for (const [i, body] of bodies.entries()) {
    const sizes = (body as Fields | null)?.sizes as Fields | undefined;
    if (sizes?.kind !== 'sieves' || sizes.file === undefined) made.push(body);
    else made.push({ ...(body as Fields), sizes: await tableOf(sizes, `bodies[${i}].sizes`, readFile) });
  }
  return made;
}

async function tableOf(fields: Fields, place: string, readFile: ReadSceneFile): Promise<Fields> {
  requireFields(fields, place, ['kind', 'file']);
  const file = textAt(fields.file, `${place}.file`);
  const text = new TextDecoder().decode(await readFile(file));
  const sizes: number[] = [];
  const shares: number[] = [];
  for (const [i, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const cells = line.trim().split(/\s*[,;\s]\s*/);
    const [size, share] = cells.map(Number);
    if (sizes.length === 0 && cells.every((cell) => Number.isNaN(Number(cell)))) continue;
    if (cells.length !== 2 || !(size! > 0 && share! > 0 && size! < Infinity && share! < Infinity)) {
      throw new SceneError(
        `${place}: ${file}: line ${i + 1} is ${found(line)}, expected a size and a share above 0`,
      );
    }
    sizes.push(size!);
    shares.push(share!);
  }
  return { kind: 'sieves', sizes, shares };
}

/** Shares by mass: a body has the mass of its size cubed. */
function sievesOf(fields: Fields, place: string): Sizes {
  const positives = (field: 'sizes' | 'shares') =>
    listAt(fields[field], `${place}.${field}`).map((x, i) => positiveAt(x, `${place}.${field}[${i}]`));
  const [factors, masses] = [positives('sizes'), positives('shares')];
  if (factors.length === 0 || factors.length > MOST_SIZES) {
    throw new SceneError(`${place}.sizes has ${factors.length} sizes, expected 1 to ${MOST_SIZES}`);
  }
  if (masses.length !== factors.length) {
    throw new SceneError(
      `${place}.shares has ${masses.length} shares, expected ${factors.length}, one for each size`,
    );
  }
  const numbers = masses.map((mass, i) => mass / factors[i]! ** 3);
  const total = numbers.reduce((sum, x) => sum + x);
  return { factors, shares: numbers.map((x) => x / total) };
}

/** Sizes that as many bodies have each: those in the middle of equal shares of the distribution from `from` to `to`. */
function quantilesOf(kind: string, fields: Fields, place: string): Sizes {
  const from = positiveAt(fields.from, `${place}.from`);
  const to = positiveAt(fields.to, `${place}.to`);
  if (to < from)
    throw new SceneError(`${place}.to is ${found(to)}, expected at least ${from}, where it begins`);
  const count = fields.count === undefined ? DEFAULT_COUNT : numberAt(fields.count, `${place}.count`);
  if (!(Number.isInteger(count) && count >= 1 && count <= MOST_SIZES)) {
    throw new SceneError(
      `${place}.count is ${found(count)}, expected a whole number from 1 to ${MOST_SIZES}`,
    );
  }
  const density = densityOf(kind, fields, place);
  const width = (to - from) / STEPS;
  const below = [0];
  for (let i = 0; i < STEPS; i++) below.push(below[i]! + density(from + (i + 0.5) * width));
  const total = below[STEPS]!;
  if (!(total > 0)) {
    throw new SceneError(`${place} has no sizes from ${from} to ${to}, expected a range about its middle`);
  }
  let step = 0;
  const factors = Array.from({ length: count }, (_, i) => {
    const wanted = ((i + 0.5) / count) * total;
    while (step < STEPS - 1 && below[step + 1]! < wanted) step++;
    return from + (step + (wanted - below[step]!) / (below[step + 1]! - below[step]!)) * width;
  });
  return { factors, shares: factors.map(() => 1 / count) };
}

/** A density, up to a factor. */
function densityOf(kind: string, fields: Fields, place: string): (size: number) => number {
  if (kind === 'uniform') return () => 1;
  const deviation = positiveAt(fields.deviation, `${place}.deviation`);
  const bell = (x: number) => Math.exp(-0.5 * (x / deviation) ** 2);
  if (kind === 'normal') {
    const mean = positiveAt(fields.mean, `${place}.mean`);
    return (size) => bell(size - mean);
  }
  const median = positiveAt(fields.median, `${place}.median`);
  return (size) => bell(Math.log(size / median)) / size;
}

/** The number of a size for each body: as many of each as its share asks for, to one, in random order. */
export function drawSizes({ shares }: Sizes, count: number, random: () => number): number[] {
  const wanted = shares.map((share) => share * count);
  const counts = wanted.map(Math.floor);
  const order = [...shares.keys()].sort(
    (a, b) => wanted[b]! - counts[b]! - (wanted[a]! - counts[a]!) || a - b,
  );
  const missing = count - counts.reduce((sum, x) => sum + x, 0);
  for (let i = 0; i < missing; i++) counts[order[i % order.length]!]!++;
  const drawn = counts.flatMap((n, size) => Array<number>(n).fill(size));
  for (let i = drawn.length - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [drawn[i], drawn[other]] = [drawn[other]!, drawn[i]!];
  }
  return drawn;
}
