/** Lists of contacts as files: CSV for tables, JSON, `.npy` for NumPy, `.vtp` for ParaView. */
import { type Options, requireOptions, told } from '../arguments.ts';
import {
  type ContactArrays,
  ContactKind,
  ContactStatus,
  FEATURE_OF_B,
  NO_TRIANGLE,
} from '../contacts/list/contact-arrays.ts';
import { requireContacts } from '../contacts/list/disassemble.ts';
import { InputError } from '../errors.ts';
import { TextBuilder } from '../mesh/write-text.ts';
import { CONTACT_FORMATS, type ContactFormat } from './contact-formats.ts';
import { encodeNpy } from './npy.ts';
import { encodeContactPoints } from './vtp.ts';

export interface EncodeContactsOptions {
  /** Names of the bodies, for `csv` and `json`. Default: their numbers. */
  readonly names?: readonly string[] | undefined;
}

const OPTIONS: Options<EncodeContactsOptions> = { names: 'checked' };

/** What one contact is, in the columns of `csv` and `npy`. Some of them are words in `csv`. */
interface Row<T = number> {
  readonly a: T;
  readonly b: T;
  readonly partA: number;
  readonly partB: number;
  readonly kind: T;
  readonly status: T;
  /** Whose the feature is: 0 A's, 1 B's. */
  readonly featureOf: T;
  readonly feature: number;
  /** -1: none. */
  readonly triangle: number;
  readonly normal: readonly number[];
  readonly point: readonly number[];
  readonly distance: number;
  readonly area: number;
}

/** The columns of a list of contacts as `csv` and `npy`. */
export const CONTACT_COLUMNS = [
  ...['a', 'b', 'part_a', 'part_b', 'kind', 'status', 'feature_of', 'feature', 'triangle'],
  ...['normal_x', 'normal_y', 'normal_z', 'point_x', 'point_y', 'point_z', 'distance', 'area'],
] as const;

const KINDS = Object.keys(ContactKind);
const STATUSES = Object.keys(ContactStatus);
/** By `featureOf`. */
const BODY = ['a', 'b'];
const ROWS_PER_PIECE = 1024;

/**
 * A list of contacts as a file. Equal lists give equal bytes.
 *
 * - `csv`: a line of `CONTACT_COLUMNS`, then a line per contact: bodies by name, kind and status in words, `feature_of`
 *   `a` or `b`, -1 for no triangle
 * - `npy`: float64 `[m, 17]`, the same columns in numbers (`ContactKind`, `ContactStatus`, 0 for a and 1 for b)
 * - `json`: `{ count, contacts: [{ a, b, parts, kind, status, featureOf, feature, triangle, normal, point, distance,
 *   area }] }`, with `null` for no triangle
 * - `vtp`: a point per contact, with `distance`, `normal` and the other columns as point data
 *
 * @throws InputError for another format, or arrays that are not of `count` contacts.
 */
export function encodeContacts(
  contacts: ContactArrays,
  format: ContactFormat,
  options: EncodeContactsOptions = {},
): Uint8Array<ArrayBuffer> {
  requireOptions('encodeContacts', options, OPTIONS);
  const { names } = options;
  requireContacts('encodeContacts: contacts', contacts, 'what detect returned');
  requireNames(names, contacts);
  const name = (body: number) => names?.[body] ?? `${body}`;
  switch (format) {
    case 'csv':
      return csvOf(contacts, name);
    case 'json':
      return jsonOf(contacts, name);
    case 'npy':
      return npyOf(contacts);
    case 'vtp':
      return encodeContactPoints(contacts);
    default:
      throw new InputError(
        `encodeContacts: format: found ${told(format)}, expected ${CONTACT_FORMATS.join(', ')}`,
      );
  }
}

/** @throws InputError unless there is a name for each body that has contacts */
function requireNames(names: unknown, { bodies }: ContactArrays): void {
  if (names === undefined) return;
  if (!(Array.isArray(names) && names.every((name) => typeof name === 'string'))) {
    throw new InputError(`encodeContacts: names: found ${told(names)}, expected an array of texts`);
  }
  const nameless = bodies.find((body) => body >= names.length);
  if (nameless === undefined) return;
  throw new InputError(
    `encodeContacts: names: ${names.length} names found, expected one for each body: body ${nameless} has none`,
  );
}

function rowOf(contacts: ContactArrays, i: number): Row {
  const { bodies, parts, kinds, statuses, features, triangles } = contacts;
  const { normals, points, distances, areas } = contacts;
  return {
    ...{ a: bodies[2 * i]!, b: bodies[2 * i + 1]!, partA: parts[2 * i]!, partB: parts[2 * i + 1]! },
    ...{ kind: kinds[i]!, status: statuses[i]! },
    featureOf: features[i]! >= FEATURE_OF_B ? 1 : 0,
    feature: features[i]! % FEATURE_OF_B,
    triangle: triangles[i] === NO_TRIANGLE ? -1 : triangles[i]!,
    normal: [...normals.subarray(3 * i, 3 * i + 3)],
    point: [...points.subarray(3 * i, 3 * i + 3)],
    ...{ distance: distances[i]!, area: areas[i]! },
  };
}

/** A row in the order of `CONTACT_COLUMNS`. */
function cellsOf<T>(row: Row<T>): (number | T)[] {
  const { a, b, partA, partB, kind, status, featureOf, feature, triangle, normal, point, distance, area } =
    row;
  return [
    a,
    b,
    partA,
    partB,
    kind,
    status,
    featureOf,
    feature,
    triangle,
    ...normal,
    ...point,
    distance,
    area,
  ];
}

function npyOf(contacts: ContactArrays): Uint8Array<ArrayBuffer> {
  const width = CONTACT_COLUMNS.length;
  const table = new Float64Array(width * contacts.count);
  for (let i = 0; i < contacts.count; i++) table.set(cellsOf(rowOf(contacts, i)), width * i);
  return encodeNpy(table, [contacts.count, width]);
}

function csvOf(contacts: ContactArrays, name: (body: number) => string): Uint8Array<ArrayBuffer> {
  return textOf(`${CONTACT_COLUMNS.join()}\n`, contacts.count, '', (i) => {
    const row = rowOf(contacts, i);
    const names = { a: quoted(name(row.a)), b: quoted(name(row.b)) };
    const words = { kind: KINDS[row.kind]!, status: STATUSES[row.status]!, featureOf: BODY[row.featureOf]! };
    return `${cellsOf({ ...row, ...names, ...words }).join()}\n`;
  });
}

function jsonOf(contacts: ContactArrays, name: (body: number) => string): Uint8Array<ArrayBuffer> {
  return textOf(`{"count":${contacts.count},"contacts":[`, contacts.count, '\n]}\n', (i) => {
    const row = rowOf(contacts, i);
    const { feature, normal, point, distance, area } = row;
    const contact = {
      ...{ a: name(row.a), b: name(row.b), parts: [row.partA, row.partB] },
      ...{ kind: KINDS[row.kind], status: STATUSES[row.status], featureOf: BODY[row.featureOf], feature },
      ...{ triangle: row.triangle < 0 ? null : row.triangle, normal, point, distance, area },
    };
    return `${i > 0 ? ',' : ''}\n${JSON.stringify(contact)}`;
  });
}

/** The text of a cell, in quotes if it would be taken for several cells. */
function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function textOf(
  head: string,
  rows: number,
  tail: string,
  row: (i: number) => string,
): Uint8Array<ArrayBuffer> {
  const text = new TextBuilder();
  text.append(head);
  for (let first = 0; first < rows; first += ROWS_PER_PIECE) {
    const end = Math.min(rows, first + ROWS_PER_PIECE);
    let piece = '';
    for (let i = first; i < end; i++) piece += row(i);
    text.append(piece);
  }
  text.append(tail);
  return text.finish();
}
