/** Tables of a polyhedron as bytes of a body file: docs/body-file.md, "Tables for contacts". */
import { InputError } from '../../errors.ts';
import {
  CONTACT_HEADER_BYTES,
  CONTACT_TABLES_VERSION,
  ContactWord,
  requireContactTables,
} from '../../inside/body-file/contact-section.ts';
import { meshChecksum, STRIPE } from '../../mesh/checksum.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { savedTablesDefect } from './check-tables.ts';
import type { SavedTables } from './field-arrays.ts';

const KINDS = { f32: Float32Array, f64: Float64Array, u32: Uint32Array } as const;
/** A number, three of them, or a typed array. */
type Kind = 'number' | 'xyz' | keyof typeof KINDS;
/** The compiler asks for fields that are forgotten here. */
type Schema<T> = { readonly [K in keyof T]: KindOf<T[K]> };
type KindOf<T> = T extends number
  ? 'number'
  : T extends readonly [number, number, number]
    ? 'xyz'
    : T extends Float32Array
      ? 'f32'
      : T extends Float64Array
        ? 'f64'
        : T extends Uint32Array
          ? 'u32'
          : Schema<T>;
type AnySchema = { readonly [name: string]: Kind | AnySchema };

/** In the order of the file. A change of it needs a new CONTACT_TABLES_VERSION. */
const SCHEMA: Schema<SavedTables> = {
  sharpAngle: 'number',
  surface: {
    ...({ spacing: 'number', area: 'number', volume: 'number', nodes: 'f32', weights: 'f64' } as const),
    ...({ nodeTree: 'f32', edges: 'f32', edgeTriangles: 'u32', edgeTree: 'f32' } as const),
    ...({ missedOverlap: 'number', patches: 'u32', patchCount: 'number' } as const),
    ...({ neighbours: 'u32', normals: 'f32', middle: 'xyz', support: 'f32' } as const),
  },
  field: {
    frame: { scale: 'number', shift: 'xyz' },
    box: { min: 'xyz', max: 'xyz' },
    reach: 'number',
    grid: { origin: 'xyz', cell: 'number', counts: 'xyz' },
    ...({ cells: 'u32', lists: 'u32', corners: 'f32', references: 'f32' } as const),
    ...({ starts: 'u32', pairs: 'f32', pairTriangles: 'u32' } as const),
  },
  tree: { boxes: 'f32', links: 'u32', order: 'u32', ranks: 'u32' },
};

const paddedTo = (bytes: number) => STRIPE * Math.ceil(bytes / STRIPE);

/** Calls `visit` with every leaf of the schema, and makes a value of what it returns. */
function each(schema: AnySchema, value: unknown, visit: (kind: Kind, value: unknown) => unknown): unknown {
  return Object.fromEntries(
    Object.entries(schema).map(([name, kind]) => {
      const part = (value as Record<string, unknown> | undefined)?.[name];
      return [name, typeof kind === 'string' ? visit(kind, part) : each(kind, part, visit)];
    }),
  );
}

/** The bytes of tables: a header, all numbers and lengths, then all arrays, each from a multiple of 16 bytes on. */
export function encodeTables(mesh: TriangleMesh, tables: SavedTables): Uint8Array<ArrayBuffer> {
  const numbers: number[] = [];
  const arrays: Uint8Array[] = [];
  each(SCHEMA, tables, (kind, value) => {
    if (kind === 'number') numbers.push(value as number);
    else if (kind === 'xyz') numbers.push(...(value as number[]));
    else {
      const { buffer, byteOffset, byteLength, length } = value as Float32Array;
      numbers.push(length);
      arrays.push(new Uint8Array(buffer, byteOffset, byteLength));
    }
  });
  const first = CONTACT_HEADER_BYTES + paddedTo(8 * numbers.length);
  const bytes = new Uint8Array(arrays.reduce((sum, { length }) => sum + paddedTo(length), first));
  const words = new Uint32Array(bytes.buffer, 0, CONTACT_HEADER_BYTES / 4);
  words[ContactWord.version] = CONTACT_TABLES_VERSION;
  words[ContactWord.mesh] = meshChecksum(mesh);
  words[ContactWord.numbers] = numbers.length;
  new Float64Array(bytes.buffer, CONTACT_HEADER_BYTES, numbers.length).set(numbers);
  let at = first;
  for (const array of arrays) {
    bytes.set(array, at);
    at += paddedTo(array.length);
  }
  return bytes;
}

/**
 * The tables of a mesh, in memory that threads share.
 *
 * @throws InputError, one line with the mesh's name, for tables of another version or mesh, or that lead out of
 *   themselves
 */
export function decodeTables(mesh: TriangleMesh, bytes: Uint8Array): SavedTables {
  const place = `${mesh.name}: tables for contacts`;
  requireContactTables(place, bytes, mesh);
  const fail = (defect: string) => new InputError(`${place}: ${defect}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = view.getUint32(4 * ContactWord.numbers, true);
  let at = CONTACT_HEADER_BYTES + paddedTo(8 * count);
  if (at > bytes.length) throw fail(`${count} numbers found, expected fewer`);
  let next = 0;
  const number = () => (next < count ? view.getFloat64(CONTACT_HEADER_BYTES + 8 * next++, true) : Number.NaN);
  const tables = each(SCHEMA, undefined, (kind) => {
    if (kind === 'number') return number();
    if (kind === 'xyz') return [number(), number(), number()];
    const [length, type] = [number(), KINDS[kind]];
    const end = at + length * type.BYTES_PER_ELEMENT;
    if (!(Number.isInteger(length) && length >= 0 && end <= bytes.length)) {
      throw fail(`an array of ${length} numbers found, expected one within ${bytes.length} bytes`);
    }
    const memory = typeof SharedArrayBuffer === 'undefined' ? ArrayBuffer : SharedArrayBuffer;
    const array = new type(new memory(end - at) as ArrayBuffer);
    new Uint8Array(array.buffer).set(bytes.subarray(at, end));
    at += paddedTo(end - at);
    return array;
  }) as SavedTables;
  if (next !== count || at !== bytes.length) {
    throw fail(`${count} numbers and ${bytes.length} bytes found, expected ${next} and ${at}`);
  }
  const defect = savedTablesDefect(tables, mesh);
  if (defect !== undefined) throw fail(defect);
  return tables;
}
