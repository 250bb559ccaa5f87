// Points in text: CSV, XYZ and other formats with a point per line. There is no specification for them; quotes are
// those of RFC 4180.
import { isNumberWord } from '../mesh/read/decimal.ts';
import { PositionBuilder } from '../mesh/read/raw-mesh.ts';
import { quoteBytes, readError } from '../mesh/read/read-error.ts';
import { TextScanner } from '../mesh/read/text-scanner.ts';

const COMMA = 0x2c;
const SEMICOLON = 0x3b;
const QUOTE = 0x22;
const AXES = ['x', 'y', 'z'];
/** What ParaView calls the coordinates of points when it writes CSV. */
const PARAVIEW_AXES = ['points:0', 'points:1', 'points:2'];
/** Bytes of the first line that are searched for column names. */
const LONGEST_HEADER = 4096;

/**
 * Parses one point per line. Fields are separated by commas, else by semicolons, else by blanks, whichever the first
 * line has. Empty lines and everything behind `#` are skipped.
 *
 * A first line whose first three fields are not all numbers (nan and inf count as such) is a header. Columns that it
 * calls x, y and z (any case, quotes allowed; or `Points:0` to `Points:2`) are taken wherever they stand. A header
 * without these names is accepted if there are exactly three columns. Without a header the first three columns are
 * taken and further ones ignored.
 * @returns Float32 coordinates, `[x, y, z]` per point.
 * @throws InputError with the line if it has too few fields or a coordinate is no finite float32 number.
 */
export function parseTextPoints(bytes: Uint8Array, name: string, start = 0): Float32Array {
  const positions = new PositionBuilder();
  const probe = new TextScanner(bytes, { name, start, comments: true });
  if (!probe.toToken()) return positions.finish();
  const { line, pos } = probe;
  const header = bytes.subarray(pos, pos + lineLength(bytes, pos));
  const delimiter = [COMMA, SEMICOLON].find((byte) => header.includes(byte));
  const { columns, hasHeader } = layoutOf(header, delimiter, name, line);

  const rows = new TextScanner(bytes, {
    name,
    start: pos,
    line,
    comments: true,
    ...(delimiter !== undefined && { delimiter }),
  });
  if (hasHeader) rows.nextLine();
  const lastColumn = Math.max(...columns);
  const axisOf = Array.from({ length: lastColumn + 1 }, (_, column) => columns.indexOf(column));
  const point = new Float32Array(3);
  while (rows.toToken()) {
    for (let column = 0; column <= lastColumn; column++) {
      if (column > 0 && delimiter !== undefined) passDelimiter(rows, delimiter);
      const axis = axisOf[column]!;
      if (axis >= 0) point[axis] = rows.takeCoordinate(AXES[axis]!);
      else skipField(rows, delimiter);
    }
    if (delimiter !== undefined && !rows.atLineEnd) passDelimiter(rows, delimiter);
    positions.push(point[0]!, point[1]!, point[2]!);
    rows.nextLine();
  }
  return positions.finish();
}

/** Length of the line from `start`, without its end, a comment, and what goes beyond the longest header. */
function lineLength(bytes: Uint8Array, start: number): number {
  const line = bytes.subarray(start, start + LONGEST_HEADER);
  const end = line.findIndex((byte) => byte === 0x0a || byte === 0x0d || byte === 0x23);
  return end < 0 ? line.length : end;
}

function layoutOf(
  header: Uint8Array,
  delimiter: number | undefined,
  name: string,
  line: number,
): { columns: readonly number[]; hasHeader: boolean } {
  const fields = splitFields(new TextDecoder().decode(header), delimiter);
  const first = [0, 1, 2];
  if (
    first.every((column) => column >= fields.length || isNumberWord(fields[column]!)) &&
    isNumberWord(fields[0]!)
  ) {
    return { columns: first, hasHeader: false };
  }
  const names = fields.map((field) => field.toLowerCase());
  for (const wanted of [AXES, PARAVIEW_AXES]) {
    const columns = wanted.map((axis) => names.indexOf(axis));
    if (!columns.includes(-1)) return { columns, hasHeader: true };
  }
  if (fields.length === first.length) return { columns: first, hasHeader: true };
  throw readError({
    name,
    place: `line ${line}`,
    found: `${quoteBytes(header, 0, header.length)} as the first line`,
    expected: 'numbers, column names with x, y and z among them, .npy, PLY, STL, OBJ or OFF',
  });
}

function splitFields(line: string, delimiter: number | undefined): string[] {
  if (delimiter === undefined) return line.trim().split(/\s+/).map(unquote);
  const fields: string[] = [];
  let field = '';
  let isQuoted = false;
  for (const letter of line) {
    if (letter === '"') isQuoted = !isQuoted;
    if (letter.charCodeAt(0) === delimiter && !isQuoted) {
      fields.push(field);
      field = '';
    } else {
      field += letter;
    }
  }
  return [...fields, field].map(unquote);
}

function unquote(field: string): string {
  return field
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim();
}

function passDelimiter(rows: TextScanner, delimiter: number): void {
  if (rows.bytes[rows.pos] !== delimiter) throw rows.error(`"${String.fromCharCode(delimiter)}"`);
  rows.pos++;
  rows.skipBlanks();
}

/** Skips a field that is not used, with all that its quotes hold. Blanks belong to it if there are delimiters. */
function skipField(rows: TextScanner, delimiter: number | undefined): void {
  if (rows.atLineEnd) throw rows.error('one more column');
  let isQuoted = false;
  while (!rows.atLineEnd) {
    const byte = rows.bytes[rows.pos];
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (!isQuoted && (delimiter === undefined ? rows.atTokenEnd : byte === delimiter)) break;
    rows.pos++;
  }
  rows.skipBlanks();
}
