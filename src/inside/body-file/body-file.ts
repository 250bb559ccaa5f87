/**
 * The body file: a mesh and its cell grid as one little-endian binary whose arrays are used where they lie, without
 * copying. docs/body-file.md has the layout, and what the checks cover.
 */
import { type Options, requireArray, requireOptions } from '../../arguments.ts';
import { InputError } from '../../errors.ts';
import { checksum, STRIPE } from '../../mesh/checksum.ts';
import { quoteBytes } from '../../mesh/read/read-error.ts';
import { type ReadSource, readSource } from '../../mesh/read/source.ts';
import { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { BLOCK_WORDS, blockLevels } from '../cell-grid/block-table.ts';
import { type CellGridTables, PAIR_FLOATS, REFERENCE_FLOATS, tableBytes } from '../cell-grid/tables.ts';
import type { CrossingRule } from '../classification.ts';
import { runsOf } from '../ray-runs.ts';
import { localBox, localFrame } from '../surface.ts';
import { count, gridDefect, tablesDefect } from './check.ts';

/**
 * Goes up with every change of the layout, and of what the tables mean to the kernels: an old body would give wrong
 * flags without a word. test/inside/body-file/body-file.test.ts pins the bytes of a small body to notice.
 */
export const BODY_FORMAT_VERSION = 2;
/** Of the same layout, with tables that mean something else: its mesh is read, its tables are built again. */
const MESH_ONLY_VERSION = 1;

/** As PNG's: a byte above 127 and both line ends, so that a transfer as text shows at once. */
const MAGIC = [0x89, 0x53, 0x43, 0x52, 0x45, 0x45, 0x0d, 0x0a];
const VERSION_AT = 8;
const CHECKSUM_AT = 12;
/** From here on the checksum covers everything. The bytes before it are compared with those expected. */
const CHECKED_FROM = 16;
const HEADER_BYTES = 96;
const CELL_AT = 56;
const SCALE_AT = 60;
const SHIFT_AT = 64;
const WORDS_AT = 76;
const BLOCKS_AT = 80;
const CONTACTS_AT = 84;
const RULE_BITS: Readonly<Record<CrossingRule, number>> = { odd: 1, nonzero: 2 };

/** Unsigned 32-bit fields of the header, one after the other from CHECKED_FROM on. */
const FIELDS = [
  'vertices',
  'triangles',
  'rules',
  'settledExactly',
  'cellsX',
  'cellsY',
  'cellsZ',
  'mixed',
  'pairs',
  'cellsPerAxis',
] as const;

interface Header extends Record<(typeof FIELDS)[number], number> {
  /** Words of statuses, those of the blocks included. */
  readonly words: number;
  readonly blocks: number;
  /** Bytes. */
  readonly contacts: number;
  readonly cell: number;
  readonly scaleExponent: number;
  readonly shift: readonly number[];
}

/** A body as it is saved: all that testing points against it needs. */
export interface SavedBody {
  readonly mesh: TriangleMesh;
  /** Rules that the surface was found to be usable with. */
  readonly rules: readonly CrossingRule[];
  readonly tables?: CellGridTables | undefined;
  /** The option that the tables were, or are to be, built with; undefined to leave it to the cost model. */
  readonly cellsPerAxis?: number | undefined;
  /** Tables for contacts, as `contactTables` makes them of the mesh. */
  readonly contacts?: Uint8Array | undefined;
}

/** Whether what a caller gave is a body that was read already. */
export function isSavedBody(source: ReadSource | SavedBody): source is SavedBody {
  const { mesh, rules } = (source ?? {}) as Partial<SavedBody>;
  return mesh instanceof TriangleMesh && Array.isArray(rules);
}

/** Whether bytes begin like a body file. */
export function isBodyFile(bytes: Uint8Array): boolean {
  requireArray('isBodyFile: bytes', bytes, [Uint8Array], 'the bytes of a file');
  return MAGIC.every((byte, i) => bytes[i] === byte);
}

type Section =
  | keyof Pick<CellGridTables, 'odd' | 'nonzero' | 'bases' | 'references' | 'starts' | 'pairs' | 'blocks'>
  | 'positions'
  | 'indices'
  | 'contacts';

/** Where the sections lie, in the order of the file, each from a multiple of 16 bytes on. All have 4-byte elements. */
function layOut(header: Header): {
  at: Record<Section, number>;
  lengths: Record<Section, number>;
  bytes: number;
} {
  const { words } = header;
  const lengths: Record<Section, number> = {
    positions: 3 * header.vertices,
    indices: 3 * header.triangles,
    odd: words,
    nonzero: words,
    bases: words,
    references: REFERENCE_FLOATS * header.mixed,
    starts: words === 0 ? 0 : header.mixed + 1,
    pairs: PAIR_FLOATS * header.pairs,
    blocks: BLOCK_WORDS * header.blocks,
    contacts: header.contacts / 4,
  };
  const at = {} as Record<Section, number>;
  let bytes = HEADER_BYTES;
  for (const section of Object.keys(lengths) as Section[]) {
    at[section] = bytes;
    bytes += Math.ceil((4 * lengths[section]) / STRIPE) * STRIPE;
  }
  return { at, lengths, bytes };
}

/** Typed arrays are copied to and from the file as they are in memory. */
const IS_LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

function requireLittleEndian(name: string): void {
  if (IS_LITTLE_ENDIAN) return;
  throw new InputError(`${name}: a big-endian machine found, expected a little-endian one for body files`);
}

/** The bytes of a body file. The tables, if any, are those of the mesh as `CellGrid` makes them. */
export function encodeBody(body: SavedBody): Uint8Array<ArrayBuffer> {
  const { mesh, rules, tables, cellsPerAxis = 0, contacts = new Uint8Array(0) } = body;
  requireLittleEndian(mesh.name);
  const { scale, shift } = localFrame(mesh.box);
  const [cellsX, cellsY, cellsZ] = tables?.grid.counts ?? [0, 0, 0];
  const header: Header = {
    vertices: mesh.vertexCount,
    triangles: mesh.triangleCount,
    rules: rules.reduce((bits, rule) => bits | RULE_BITS[rule], 0),
    settledExactly: tables?.settledExactly ?? 0,
    cellsX,
    cellsY,
    cellsZ,
    mixed: tables?.mixedCount ?? 0,
    pairs: tables?.pairCount ?? 0,
    cellsPerAxis,
    words: tables?.odd.length ?? 0,
    blocks: (tables?.blocks.length ?? 0) / BLOCK_WORDS,
    contacts: contacts.length,
    cell: tables?.grid.cell ?? 0,
    scaleExponent: Math.round(Math.log2(scale)),
    shift,
  };
  const { at, lengths, bytes } = layOut(header);
  const file = new Uint8Array(bytes);
  const view = new DataView(file.buffer);
  file.set(MAGIC);
  view.setUint32(VERSION_AT, BODY_FORMAT_VERSION, true);
  for (const [i, field] of FIELDS.entries()) view.setUint32(CHECKED_FROM + 4 * i, header[field], true);
  view.setFloat32(CELL_AT, header.cell, true);
  view.setInt32(SCALE_AT, header.scaleExponent, true);
  for (let k = 0; k < 3; k++) view.setFloat32(SHIFT_AT + 4 * k, shift[k]!, true);
  view.setUint32(WORDS_AT, header.words, true);
  view.setUint32(BLOCKS_AT, header.blocks, true);
  view.setUint32(CONTACTS_AT, header.contacts, true);
  const { positions, indices } = mesh;
  for (const [section, array] of Object.entries({ positions, indices, ...tables, contacts })) {
    if (!(section in lengths)) continue;
    const { buffer, byteOffset, byteLength } = array as Float32Array | Uint32Array | Uint8Array;
    file.set(new Uint8Array(buffer, byteOffset, byteLength), at[section as Section]);
  }
  view.setUint32(CHECKSUM_AT, checksum(new Uint32Array(file.buffer, CHECKED_FROM)), true);
  return file;
}

/**
 * Reads the bytes of a body file. The arrays of the result are views on them, so they must not be changed afterwards;
 * they are copied first only if they do not begin at a multiple of four bytes in their buffer.
 *
 * @param name the file's, for messages and as the mesh's name
 * @throws InputError, one line with the name, what was found and what was expected, if it is no body file, of another
 *   version, truncated, damaged, or has counts or indices that do not fit each other.
 */
export function decodeBody(bytes: Uint8Array, name: string): SavedBody {
  requireLittleEndian(name);
  const fail = (message: string) => new InputError(`${name.replace(/[\r\n]+/g, ' ')}: ${message}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  requireFormat(bytes, view, fail);
  const header = readHeader(view);
  const { at, lengths, bytes: promised } = layOut(header);
  if (bytes.length !== promised) {
    const problem = bytes.length < promised ? 'truncated' : 'too long';
    throw fail(`${problem}: ${count(bytes.length)} bytes found, header promises ${count(promised)}`);
  }
  const { buffer, byteOffset } = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  const sum = checksum(new Uint32Array(buffer, byteOffset + CHECKED_FROM, (promised - CHECKED_FROM) / 4));
  const written = view.getUint32(CHECKSUM_AT, true);
  if (sum !== written) throw fail(`damaged: checksum ${hex(sum)} found, expected ${hex(written)}`);
  if (header.triangles === 0) throw fail('no triangles found, expected a closed mesh');

  // Buffers that threads share do as well; only their type differs.
  const words = (section: Section) =>
    new Uint32Array(buffer as ArrayBuffer, byteOffset + at[section], lengths[section]);
  const floats = (section: Section) =>
    new Float32Array(buffer as ArrayBuffer, byteOffset + at[section], lengths[section]);
  const { vertices, triangles, settledExactly, mixed, pairs } = header;
  const cellsPerAxis = header.cellsPerAxis || undefined;
  const mesh = new TriangleMesh({
    positions: floats('positions'),
    indices: words('indices'),
    name,
    origin: { format: 'scree-body', fileVertices: vertices, fileTriangles: triangles, facesDropped: 0 },
  });
  const rules = (Object.keys(RULE_BITS) as CrossingRule[]).filter(
    (rule) => (header.rules & RULE_BITS[rule]) !== 0,
  );
  const common = {
    ...{ mesh, rules, cellsPerAxis },
    ...(header.contacts > 0 && {
      contacts: new Uint8Array(buffer, byteOffset + at.contacts, header.contacts),
    }),
  };
  const counts = [header.cellsX, header.cellsY, header.cellsZ] as const;
  if (counts.every((n) => n === 0) || versionOf(view) === MESH_ONLY_VERSION) return common;

  const arrays = {
    odd: words('odd'),
    nonzero: words('nonzero'),
    bases: words('bases'),
    references: floats('references'),
    starts: words('starts'),
    pairs: floats('pairs'),
    blocks: words('blocks'),
    runs: runsOf(mesh),
  };
  const frame = localFrame(mesh.box);
  const [found, expected] = [
    frameText(2 ** header.scaleExponent, header.shift),
    frameText(frame.scale, frame.shift),
  ];
  if (found !== expected) throw fail(`cell grid: ${found} found, expected ${expected} for this mesh`);
  const box = localBox(mesh.box, frame);
  const tables: CellGridTables = {
    grid: { origin: [...box.min], cell: header.cell, counts },
    ...arrays,
    levels: 0,
    mixedCount: mixed,
    pairCount: pairs,
    settledExactly,
    bytes: tableBytes(arrays),
  };
  const defect = gridDefect(tables.grid, box) ?? tablesDefect(tables);
  if (defect !== undefined) throw fail(`cell grid: ${defect}`);
  return { ...common, tables: { ...tables, levels: blockLevels(tables) } };
}

/** Magic, version, and a header's worth of bytes. */
function requireFormat(bytes: Uint8Array, view: DataView, fail: (message: string) => InputError): void {
  const cut = bytes.length < HEADER_BYTES;
  const begins = MAGIC.every((byte, i) => i >= bytes.length || bytes[i] === byte);
  if (bytes.length === 0 || !begins) {
    const what =
      bytes.length === 0
        ? 'an empty file'
        : `a file that begins with ${quoteBytes(bytes, 0, Math.min(8, bytes.length))}`;
    throw fail(
      `${what} found, expected a scree body, which begins with ${quoteBytes(Uint8Array.from(MAGIC), 0, 8)}`,
    );
  }
  const version = bytes.length >= CHECKSUM_AT ? versionOf(view) : BODY_FORMAT_VERSION;
  if (version !== BODY_FORMAT_VERSION && version !== MESH_ONLY_VERSION) {
    throw fail(
      `format version ${version} found, expected ${BODY_FORMAT_VERSION}: save the body again with this scree`,
    );
  }
  if (cut) throw fail(`truncated: ${bytes.length} bytes found, expected a header of ${HEADER_BYTES}`);
}

const versionOf = (view: DataView) => view.getUint32(VERSION_AT, true);

function readHeader(view: DataView): Header {
  const fields = FIELDS.map((field, i) => [field, view.getUint32(CHECKED_FROM + 4 * i, true)]);
  return {
    ...(Object.fromEntries(fields) as Record<(typeof FIELDS)[number], number>),
    cell: view.getFloat32(CELL_AT, true),
    words: view.getUint32(WORDS_AT, true),
    blocks: view.getUint32(BLOCKS_AT, true),
    contacts: view.getUint32(CONTACTS_AT, true),
    scaleExponent: view.getInt32(SCALE_AT, true),
    shift: [0, 1, 2].map((k) => view.getFloat32(SHIFT_AT + 4 * k, true)),
  };
}

const frameText = (scale: number, shift: readonly number[]) => `scale ${scale} and shift ${shift.join(', ')}`;
const hex = (word: number) => word.toString(16).padStart(8, '0');

export interface ReadBodyOptions {
  readonly name?: string;
}

const OPTIONS: Options<ReadBodyOptions> = { name: 'text' };

/**
 * Reads a body file, as `Polyhedron.save()` made it. Its mesh can be looked at before there is a device.
 *
 * @param source a path (Node) or a URL (browser) as a string, a URL, a Blob or File, or the bytes themselves, which
 *   must not be changed afterwards: the body uses them where they lie
 * @throws InputError with the file's name if it cannot be read or used.
 */
export async function readBody(source: ReadSource, options: ReadBodyOptions = {}): Promise<SavedBody> {
  requireOptions('readBody', options, OPTIONS);
  const { bytes, name } = await readSource(source, options.name, 'body');
  return decodeBody(bytes, name);
}
