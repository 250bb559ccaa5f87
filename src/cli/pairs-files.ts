/**
 * All answers of `scree pairs` as a file: CSV, JSON or .npy. Text is written in pieces: a string could not hold it all.
 */
import type { ConvexResults } from '../index.ts';
import { type AtomicFile, createFileAtomically, writeFileAtomically } from './output.ts';
import type { PairsOutcome } from './pairs-summary.ts';

export const ANSWER_SUFFIXES = ['csv', 'json', 'npy'] as const;

const ROWS_PER_PIECE = 4096;
const AXES = ['x', 'y', 'z'] as const;
/** Numbers per contact. */
const CONTACT = 4;

/** A column of numbers. The columns of the two bodies come before; in text files they hold names. */
type Column = readonly [name: string, value: (i: number) => number];

function columnsOf(results: ConvexResults): readonly Column[] {
  const { kind, distance, lower, upper, status, iterations, contactCounts } = results;
  const vector = (name: 'normal' | 'pointA' | 'pointB'): Column[] =>
    AXES.map((axis, k) => [`${name}_${axis}`, (i) => results[name][3 * i + k]!]);
  const last: Column = ['iterations', (i) => iterations[i]!];
  if (kind === 'intersect') return [['status', (i) => status[i]!], last];
  return [
    ['status', (i) => status[i]!],
    ['distance', (i) => distance[i]!],
    ['lower', (i) => lower[i]!],
    ['upper', (i) => upper[i]!],
    ...vector('normal'),
    ...vector('pointA'),
    ...vector('pointB'),
    ...(kind === 'manifold' ? [['contacts', (i: number) => contactCounts[i]!] as const] : []),
    last,
  ];
}

/** Writes a file whole or not at all. @throws what `writeFileAtomically` throws */
export async function writeAnswers(
  path: string,
  suffix: (typeof ANSWER_SUFFIXES)[number],
  outcome: PairsOutcome,
  signal: AbortSignal,
): Promise<void> {
  if (suffix === 'npy') {
    await writeFileAtomically(path, () => npyOf(outcome.results), { signal });
    return;
  }
  const pieces = await (suffix === 'csv' ? csvOf(outcome) : jsonOf(outcome));
  const file: AtomicFile = await createFileAtomically(path);
  try {
    const encoder = new TextEncoder();
    for (const piece of pieces) {
      signal.throwIfAborted();
      await file.write(encoder.encode(piece));
    }
    await file.commit();
  } finally {
    await file.discard();
  }
}

/** `[pairs, columns]`, float64: the numbers of both bodies, then the columns of a CSV file. */
async function npyOf(results: ConvexResults): Promise<Uint8Array> {
  const { encodeNpy } = await import('../index.ts');
  const columns = columnsOf(results);
  const width = 2 + columns.length;
  const count = results.status.length;
  const table = new Float64Array(width * count);
  for (let i = 0; i < count; i++) {
    table[width * i] = results.pairs[2 * i]!;
    table[width * i + 1] = results.pairs[2 * i + 1]!;
    columns.forEach(([, value], k) => {
      table[width * i + 2 + k] = value(i);
    });
  }
  return encodeNpy(table, [count, width]);
}

async function csvOf({ results, scene }: PairsOutcome): Promise<Iterable<string>> {
  const names = scene.names.bodies;
  const { pairStatusName } = await import('../index.ts');
  const columns = columnsOf(results);
  const row = (i: number) => {
    const bodies = [0, 1].map((k) => quoted(names[results.pairs[2 * i + k]!]!));
    const cells = columns.map(([name, value]) =>
      name === 'status' ? pairStatusName(value(i)) : numberText(value(i)),
    );
    return `${[...bodies, ...cells].join()}\n`;
  };
  return inPieces(`a,b,${columns.map(([name]) => name).join()}\n`, results.status.length, row, '');
}

/** The text of a cell, in quotes if it would be taken for several cells. */
function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A number as NumPy and spreadsheets write and read it. */
function numberText(value: number): string {
  return Number.isFinite(value) ? `${value}` : value > 0 ? 'inf' : '-inf';
}

async function jsonOf({ results, scene }: PairsOutcome): Promise<Iterable<string>> {
  const names = scene.names.bodies;
  const { pairStatusName } = await import('../index.ts');
  const { kind, algorithm, tolerance, backend, redone, status, iterations } = results;
  const head = JSON.stringify({ kind, algorithm, tolerance, backend, redone }).slice(0, -1);
  const row = (i: number) => {
    const vector = (of: ArrayLike<number>) => [of[3 * i]!, of[3 * i + 1]!, of[3 * i + 2]!];
    const pair = {
      ...{ a: names[results.pairs[2 * i]!], b: names[results.pairs[2 * i + 1]!] },
      status: pairStatusName(status[i]!),
      // JSON has no Infinity: bounds that are not known are null.
      ...(kind !== 'intersect' && {
        ...{ distance: results.distance[i], lower: results.lower[i], upper: results.upper[i] },
        ...{ normal: vector(results.normal), pointA: vector(results.pointA), pointB: vector(results.pointB) },
      }),
      ...(kind === 'manifold' && { contacts: contactsOf(results, i) }),
      iterations: iterations[i],
    };
    return `${i > 0 ? ',' : ''}\n${JSON.stringify(pair)}`;
  };
  return inPieces(`${head},"pairs":[`, status.length, row, '\n]}\n');
}

function contactsOf({ contacts, contactNormals, contactCounts, status }: ConvexResults, i: number) {
  const room = contacts.length / status.length;
  return Array.from({ length: contactCounts[i]! }, (_, c) => {
    const at = room * i + CONTACT * c;
    const normal = (contactNormals.length / status.length) * i + 3 * c;
    return {
      point: [...contacts.subarray(at, at + 3)],
      distance: contacts[at + 3]!,
      normal: [...contactNormals.subarray(normal, normal + 3)],
    };
  });
}

function* inPieces(head: string, rows: number, row: (i: number) => string, tail: string): Iterable<string> {
  let piece = head;
  for (let i = 0; i < rows; i++) {
    piece += row(i);
    if ((i + 1) % ROWS_PER_PIECE !== 0) continue;
    yield piece;
    piece = '';
  }
  yield piece + tail;
}
