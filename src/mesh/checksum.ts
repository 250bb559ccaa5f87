/**
 * XXH32, seed 0, by Yann Collet's specification (github.com/Cyan4973/xxHash, doc/xxhash_spec.md, steps 1 to 7), for
 * inputs of whole stripes of 16 bytes: `xxhsum -H32` prints the same.
 *
 * Each step maps the accumulator one to one for a given word, and the word one to one for a given accumulator; so does
 * what follows the stripes. A change within one aligned word of four bytes therefore always changes the sum. Of all
 * other changes one in 2^32 goes unnoticed.
 */

/** Bytes of a stripe: one 32-bit word for each of the four accumulators. */
export const STRIPE = 16;

const PRIME_1 = 0x9e3779b1 | 0;
const PRIME_2 = 0x85ebca77 | 0;
const PRIME_3 = 0xc2b2ae3d | 0;

function rotated(x: number, bits: number): number {
  return (x << bits) | (x >>> (32 - bits));
}

/**
 * The checksum of words as they lie in memory, which has to be little-endian.
 *
 * @param words a multiple of four words, at least four
 */
export function checksum(words: Uint32Array): number {
  let a = (PRIME_1 + PRIME_2) | 0;
  let b = PRIME_2;
  let c = 0;
  let d = -PRIME_1 | 0;
  for (let w = 0; w < words.length; w += 4) {
    a = Math.imul(rotated((a + Math.imul(words[w]!, PRIME_2)) | 0, 13), PRIME_1);
    b = Math.imul(rotated((b + Math.imul(words[w + 1]!, PRIME_2)) | 0, 13), PRIME_1);
    c = Math.imul(rotated((c + Math.imul(words[w + 2]!, PRIME_2)) | 0, 13), PRIME_1);
    d = Math.imul(rotated((d + Math.imul(words[w + 3]!, PRIME_2)) | 0, 13), PRIME_1);
  }
  let sum = (rotated(a, 1) + rotated(b, 7) + rotated(c, 12) + rotated(d, 18) + words.byteLength) | 0;
  sum = Math.imul(sum ^ (sum >>> 15), PRIME_2);
  sum = Math.imul(sum ^ (sum >>> 13), PRIME_3);
  return (sum ^ (sum >>> 16)) >>> 0;
}

/** The checksum of a mesh: tells whose tables some are. */
export function meshChecksum(mesh: {
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
}): number {
  const { positions, indices } = mesh;
  const words = new Uint32Array(4 * Math.ceil((positions.length + indices.length + 1) / 4));
  words.set(new Uint32Array(positions.buffer, positions.byteOffset, positions.length));
  words.set(indices, positions.length);
  words[words.length - 1] = positions.length;
  return checksum(words);
}
