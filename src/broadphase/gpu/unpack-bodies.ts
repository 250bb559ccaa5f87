/** Bodies as kernels read them, back on the host. */
import { sizeOf } from 'typegpu/data';
import { WORD } from '../../gpu/words.ts';
import { ContactBody } from '../broad-phase-layout.ts';

const BODY = sizeOf(ContactBody) / WORD;

/**
 * Poses of bodies, `[n * 7]`, and which are not there: `packBodies` of these gives the same words.
 *
 * @param words of `ContactBody`s
 */
export function unpackBodies(
  words: Uint32Array,
  cell: number,
): { readonly poses: Float64Array<ArrayBuffer>; readonly absent: Uint8Array<ArrayBuffer> } {
  const count = Math.floor(words.length / BODY);
  const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  const cells = new Int32Array(words.buffer, words.byteOffset, words.length);
  const poses = new Float64Array(7 * count);
  const absent = new Uint8Array(count);
  for (let body = 0; body < count; body++) {
    const at = BODY * body;
    for (let axis = 0; axis < 3; axis++) {
      poses[7 * body + axis] = (cells[at + axis]! + words[at + 4 + axis]! * 2 ** -32) * cell;
    }
    for (let i = 0; i < 4; i++) poses[7 * body + 3 + i] = floats[at + 8 + i]!;
    absent[body] = (words[at + 3]! >> 1) & 1;
  }
  return { poses, absent };
}
