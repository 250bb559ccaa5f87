import { InputError } from '../../errors.ts';

/** One complaint of a reader; together the parts make one line. */
export interface Complaint {
  /** The file's name. */
  readonly name: string;
  /** Where in the file: `line 12`, `byte 84`, `vertex 3 (byte 120)`. Left out where the whole file is meant. */
  readonly place?: string;
  /** The kind of trouble where it has a name: `truncated`, `non-finite coordinate`. */
  readonly problem?: string;
  readonly found: string;
  readonly expected: string;
}

/** The InputError of a file that cannot be used: `name: place: problem: found this, expected that`, on one line. */
export function readError(complaint: Complaint): InputError {
  const { name, place, problem, found, expected } = complaint;
  const parts = [name.replace(/[\r\n]+/g, ' ')];
  if (place !== undefined) parts.push(place);
  if (problem !== undefined) parts.push(problem);
  parts.push(`found ${found}, expected ${expected}`);
  return new InputError(parts.join(': '));
}

/** Longest piece of a file that a message repeats, in bytes. */
const QUOTED_BYTES = 40;

/** A piece of the file for a message: in quotes, printable ASCII as it is, all else as `\xNN`, shortened. */
export function quoteBytes(bytes: Uint8Array, start: number, end: number): string {
  const last = Math.min(end, start + QUOTED_BYTES);
  let text = '';
  for (let i = start; i < last; i++) {
    const byte = bytes[i]!;
    const printable = byte >= 0x20 && byte < 0x7f;
    text += printable ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return last < end ? `"${text}..."` : `"${text}"`;
}

/** "1 vertex", "2 vertices": a count with its noun. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
