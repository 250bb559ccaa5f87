// Contacts that kernels leave, as answers: of concave bodies those of all parts.
import { MANIFOLD_RESOLUTION } from '../constants.ts';
import { CONTACT } from '../manifold/contact-plane.ts';
import { type ContactArrays, PartContacts } from '../manifold/manifold.ts';
import { CONTACTS_PER_PAIR, NORMALS_PER_PAIR } from '../query/pair-arrays.ts';
import { PARAMETERS, Parameter, type ShapeRecords } from '../shapes/records.ts';
import type { ConvexBodies } from './bodies.ts';
import type { Chunk } from './chunks.ts';
import { RESULT } from './layout.ts';

export class ContactSink {
  readonly #table: ShapeRecords;
  readonly #arrays: ContactArrays;
  /** Of concave bodies, by pair of the query: parts may be in chunks apart. */
  readonly #parts = new Map<number, PartContacts>();

  constructor(table: ShapeRecords, arrays: ContactArrays) {
    this.#table = table;
    this.#arrays = arrays;
  }

  /**
   * Takes the contacts of a chunk.
   *
   * @param results `RESULT` vec4 per pair
   * @param points room for as many contacts of each pair, about A's centre, in the world's axes
   */
  take(chunk: Chunk, bodies: ConvexBodies, results: Uint32Array, points: Float32Array): void {
    const room = points.length / chunk.count;
    const floats = new Float32Array(results.buffer, results.byteOffset, results.length);
    for (let i = 0; i < chunk.count; i++) {
      const count = results[4 * RESULT * i + 3]! >>> 24;
      if (count === 0) continue;
      const normal = floats.subarray(4 * RESULT * i + 4, 4 * RESULT * i + 7);
      const own = points.subarray(room * i, room * i + CONTACT * count);
      if (bodies.starts === undefined) this.#write(chunk, bodies, i, own, normal);
      else this.#add(chunk, bodies, i, own, normal);
    }
  }

  #write(
    { owners, pairs }: Chunk,
    { centres }: ConvexBodies,
    i: number,
    own: Float32Array,
    normal: Float32Array,
  ) {
    const { contacts, contactNormals, contactCounts } = this.#arrays;
    const owner = owners[i]!;
    const count = own.length / CONTACT;
    contactCounts[owner] = count;
    const centre = 3 * pairs[2 * i]!;
    const to = CONTACTS_PER_PAIR * owner;
    const at = NORMALS_PER_PAIR * owner;
    for (let c = 0; c < own.length; c++)
      contacts[to + c] = own[c]! + (c % 4 === 3 ? 0 : centres[centre + (c % 4)]!);
    for (let c = 0; c < 3 * count; c++) contactNormals[at + c] = normal[c % 3]!;
  }

  #add({ owners, pairs }: Chunk, bodies: ConvexBodies, i: number, own: Float32Array, normal: Float32Array) {
    const owner = owners[i]!;
    let parts = this.#parts.get(owner);
    if (parts === undefined) {
      parts = new PartContacts();
      this.#parts.set(owner, parts);
    }
    const { centres, shapes } = bodies;
    const [a, b] = [pairs[2 * i]!, pairs[2 * i + 1]!];
    const p = this.#table.parameters;
    const [x, y, z] = [centres[3 * a]!, centres[3 * a + 1]!, centres[3 * a + 2]!];
    const apart = Math.hypot(centres[3 * b]! - x, centres[3 * b + 1]! - y, centres[3 * b + 2]! - z);
    const size =
      p[PARAMETERS * shapes[a]! + Parameter.boundingRadius]! +
      p[PARAMETERS * shapes[b]! + Parameter.boundingRadius]! +
      apart;
    const near = MANIFOLD_RESOLUTION * size;
    for (let c = 0; c < own.length; c += CONTACT) {
      parts.add([x + own[c]!, y + own[c + 1]!, z + own[c + 2]!, own[c + 3]!], normal, near);
    }
  }

  /** Writes the contacts of concave bodies, once all chunks are there. */
  finish(): void {
    for (const [owner, parts] of this.#parts) parts.write(owner, this.#arrays);
    this.#parts.clear();
  }
}
