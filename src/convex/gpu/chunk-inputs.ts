// What is uploaded with a chunk of pairs besides the pairs.
import type { ConvexBodies } from './bodies.ts';
import type { Chunk } from './chunks.ts';
import { RESULT } from './layout.ts';
import { BODY } from './tables.ts';

/** The bodies that pairs name, and the pairs with their places among them. */
export function bodiesOfChunk(
  { data }: ConvexBodies,
  pairs: Uint32Array,
): { data: Float32Array<ArrayBuffer>; pairs: Uint32Array<ArrayBuffer> } {
  const places = new Map<number, number>();
  const renamed = new Uint32Array(pairs.length);
  for (let i = 0; i < pairs.length; i++) {
    const body = pairs[i]!;
    let place = places.get(body);
    if (place === undefined) {
      place = places.size;
      places.set(body, place);
    }
    renamed[i] = place;
  }
  const used = new Float32Array(BODY * places.size);
  // As integers: records are kept as bits, which a copy as numbers may change.
  const from = new Uint32Array(data.buffer, data.byteOffset, data.length);
  const to = new Uint32Array(used.buffer);
  for (const [body, place] of places) to.set(from.subarray(BODY * body, BODY * body + BODY), BODY * place);
  return { data: used, pairs: renamed };
}

/** Results with normals to start from in their places; 0, 0, 0 where there is none. Any direction is a start, for parts too. */
export function startNormals(
  warm: Float32Array | Float64Array,
  { count, owners }: Chunk,
  resultSize: number,
): Float32Array<ArrayBuffer> {
  const results = new Float32Array(4 * resultSize * count);
  const at = resultSize === RESULT ? 4 : 0;
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) results[4 * resultSize * i + at + k] = warm[3 * owners[i]! + k]!;
  }
  return results;
}
