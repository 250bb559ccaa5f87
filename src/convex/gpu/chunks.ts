// Pairs of convex bodies, chunk by chunk, sorted by the kinds of their records.
import { INTEGERS, Integer, ShapeKind, type ShapeRecords } from '../shapes/records.ts';
import type { ConvexBodies } from './bodies.ts';

const KINDS = ShapeKind.parts;
/** Pairs of the same kinds from which on a kernel of their own pays; fewer go to one for all kinds, unless all pairs of the chunk are of one kind. */
const LEAST_OF_A_KIND = 2048;
/** Any kind of record. */
export const ANY_KIND = 0xff;

/** Pairs of a chunk with records of the same kinds. */
export interface Bucket {
  readonly first: number;
  readonly count: number;
  /** Kinds of the records of A and of B, or ANY_KIND for both. */
  readonly kindA: number;
  readonly kindB: number;
}

/** Pairs that are worked on at once. */
export interface Chunk {
  readonly count: number;
  /** `[count * 2]`: convex bodies. */
  readonly pairs: Uint32Array<ArrayBuffer>;
  /** Pair of the query that each belongs to. */
  readonly owners: Uint32Array;
  readonly buckets: readonly Bucket[];
  /** The pairs of the query from here to before `endOwner` have pairs in the chunk. */
  readonly firstOwner: number;
  readonly endOwner: number;
}

/** Cuts the pairs of a query, each the product of the parts of both bodies, into chunks of at most `most`. */
export function* chunksOf(
  table: ShapeRecords,
  bodies: ConvexBodies,
  pairs: Uint32Array,
  most: number,
): Generator<Chunk> {
  const count = pairs.length / 2;
  const { starts } = bodies;
  if (starts === undefined) {
    for (let first = 0; first < count; first += most) {
      const size = Math.min(most, count - first);
      const owners = new Uint32Array(size);
      for (let i = 0; i < size; i++) owners[i] = first + i;
      yield sortByKind(table, bodies, pairs.slice(2 * first, 2 * (first + size)), owners);
    }
    return;
  }
  let found = new Uint32Array(2 * most);
  let owners = new Uint32Array(most);
  let size = 0;
  for (let i = 0; i < count; i++) {
    const a = pairs[2 * i]!;
    const b = pairs[2 * i + 1]!;
    for (let p = starts[a]!; p < starts[a + 1]!; p++) {
      for (let q = starts[b]!; q < starts[b + 1]!; q++) {
        found[2 * size] = p;
        found[2 * size + 1] = q;
        owners[size++] = i;
        if (size < most) continue;
        yield sortByKind(table, bodies, found, owners);
        found = new Uint32Array(2 * most);
        owners = new Uint32Array(most);
        size = 0;
      }
    }
  }
  if (size > 0) yield sortByKind(table, bodies, found.slice(0, 2 * size), owners.slice(0, size));
}

/** Counting sort: pairs of the same kinds together, in their order otherwise. */
function sortByKind(
  table: ShapeRecords,
  { shapes }: ConvexBodies,
  pairs: Uint32Array<ArrayBuffer>,
  owners: Uint32Array,
): Chunk {
  const count = owners.length;
  const span = { firstOwner: owners[0]!, endOwner: owners[count - 1]! + 1 };
  const keys = new Uint8Array(count);
  const sizes = new Uint32Array(KINDS * KINDS + 1);
  const { integers } = table;
  for (let i = 0; i < count; i++) {
    const kindA = integers[INTEGERS * shapes[pairs[2 * i]!]! + Integer.kind]!;
    const kindB = integers[INTEGERS * shapes[pairs[2 * i + 1]!]! + Integer.kind]!;
    keys[i] = KINDS * kindA + kindB;
    sizes[keys[i]!]!++;
  }
  const buckets: Bucket[] = [];
  const places = new Uint32Array(KINDS * KINDS);
  const least = Math.min(LEAST_OF_A_KIND, count);
  let first = 0;
  for (let key = 0; key < places.length; key++) {
    const size = sizes[key]!;
    places[key] = first;
    if (size < least) continue;
    buckets.push({ first, count: size, kindA: Math.floor(key / KINDS), kindB: key % KINDS });
    first += size;
  }
  if (buckets.length === 1 && buckets[0]!.count === count) return { count, pairs, owners, buckets, ...span };
  if (first < count) buckets.push({ first, count: count - first, kindA: ANY_KIND, kindB: ANY_KIND });
  for (let key = 0; key < places.length; key++) {
    if (sizes[key]! >= least) continue;
    places[key] = first;
    first += sizes[key]!;
  }
  if (buckets.length === 1) return { count, pairs, owners, buckets, ...span };
  const sortedPairs = new Uint32Array(2 * count);
  const sortedOwners = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const place = places[keys[i]!]!++;
    sortedPairs[2 * place] = pairs[2 * i]!;
    sortedPairs[2 * place + 1] = pairs[2 * i + 1]!;
    sortedOwners[place] = owners[i]!;
  }
  return { count, pairs: sortedPairs, owners: sortedOwners, buckets, ...span };
}
