// Welding: equal vertices become one. Equal means bit-identical float32 coordinates (-0 taken as +0), found in an
// open-addressing hash table; with a tolerance, vertices that are nearly equal are merged over a hash grid as well.
import { InputError } from '../errors.ts';

/** Vertices after welding, and where the old ones went. */
export interface Weld {
  /** Float32 coordinates of the vertices that are left, `[x, y, z]` each, in the order of their first appearance. */
  readonly positions: Float32Array<ArrayBuffer>;
  /** For every vertex before welding its index after. */
  readonly remap: Uint32Array;
}

/** Spacing of the smallest float32 numbers: no two different coordinates are closer. */
const LEAST_FLOAT32_STEP = 2 ** -149;
const SIGN_BIT = 0x80000000;

/**
 * Merges vertices with bit-identical coordinates; -0 counts as +0. Takes linear time.
 * @param positions Float32 coordinates, `[x, y, z]` per vertex, all finite.
 */
export function weldExact(positions: Float32Array): Weld {
  const count = positions.length / 3;
  const bits = new Uint32Array(positions.buffer, positions.byteOffset, positions.length);
  const mask = tableSize(count) - 1;
  // Slots hold the index of a vertex before welding plus 1; 0 is free.
  const slots = new Uint32Array(mask + 1);
  const remap = new Uint32Array(count);
  const kept = new Float32Array(positions.length);
  const keptBits = new Uint32Array(kept.buffer);
  let keptCount = 0;
  for (let v = 0; v < count; v++) {
    const x = withoutNegativeZero(bits[3 * v]!);
    const y = withoutNegativeZero(bits[3 * v + 1]!);
    const z = withoutNegativeZero(bits[3 * v + 2]!);
    let slot = hash(x, y, z) & mask;
    for (;;) {
      const entry = slots[slot]!;
      if (entry === 0) {
        slots[slot] = keptCount + 1;
        keptBits[3 * keptCount] = x;
        keptBits[3 * keptCount + 1] = y;
        keptBits[3 * keptCount + 2] = z;
        remap[v] = keptCount++;
        break;
      }
      const at = 3 * (entry - 1);
      if (keptBits[at] === x && keptBits[at + 1] === y && keptBits[at + 2] === z) {
        remap[v] = entry - 1;
        break;
      }
      slot = (slot + 1) & mask;
    }
  }
  return { positions: kept.slice(0, 3 * keptCount), remap };
}

/**
 * Merges vertices that are closer than a tolerance. The rule: vertices are taken in order; each goes to the nearest
 * kept vertex at a distance below the tolerance (the earlier one if two are equally near), and is kept itself if
 * there is none. So no coordinate changes by averaging, no vertex moves by the tolerance or more, any two vertices
 * that are left are at least the tolerance apart, and chains of close vertices do not collapse into one.
 * @param positions Float32 coordinates, `[x, y, z]` per vertex, all finite.
 * @param tolerance In the unit of the mesh, greater than 0.
 * @throws InputError if the tolerance is not a finite number greater than 0.
 */
export function weldWithin(positions: Float32Array, tolerance: number): Weld {
  if (!(tolerance > 0 && tolerance < Infinity)) {
    throw new InputError(`weld: found the tolerance ${tolerance}, expected a finite number greater than 0`);
  }
  const exact = weldExact(positions);
  // With less, no two different vertices are close enough, and cell numbers would overflow.
  if (tolerance <= LEAST_FLOAT32_STEP) return exact;
  const near = weldOverGrid(exact.positions, tolerance);
  return { positions: near.positions, remap: exact.remap.map((v) => near.remap[v]!) };
}

/**
 * Kept vertices are filed under their cell of a grid with cells twice the tolerance wide: a ball around a vertex
 * touches at most two cells per axis (three if a division rounds), and a cell holds a bounded number of kept
 * vertices since they stay apart.
 */
function weldOverGrid(positions: Float32Array, tolerance: number): Weld {
  const count = positions.length / 3;
  const cell = 2 * tolerance;
  const limit = tolerance * tolerance;
  const mask = tableSize(count) - 1;
  // Chains of kept vertices per slot: an index plus 1, 0 ends the chain. Vertices of other cells that share the slot
  // do no harm, their distance rules them out.
  const first = new Uint32Array(mask + 1);
  const next = new Uint32Array(count);
  const remap = new Uint32Array(count);
  const kept = new Float32Array(positions.length);
  let keptCount = 0;
  for (let v = 0; v < count; v++) {
    const x = positions[3 * v]!;
    const y = positions[3 * v + 1]!;
    const z = positions[3 * v + 2]!;
    let nearest: number | undefined;
    let least = limit;
    const xEnd = cellOf(x + tolerance, cell);
    const yEnd = cellOf(y + tolerance, cell);
    const zEnd = cellOf(z + tolerance, cell);
    for (let i = 0, cx = cellOf(x - tolerance, cell); i < 3 && cx <= xEnd; i++, cx++) {
      for (let j = 0, cy = cellOf(y - tolerance, cell); j < 3 && cy <= yEnd; j++, cy++) {
        for (let k = 0, cz = cellOf(z - tolerance, cell); k < 3 && cz <= zEnd; k++, cz++) {
          for (let entry = first[hashCell(cx, cy, cz) & mask]!; entry !== 0; entry = next[entry - 1]!) {
            const other = entry - 1;
            const dx = kept[3 * other]! - x;
            const dy = kept[3 * other + 1]! - y;
            const dz = kept[3 * other + 2]! - z;
            const distance = dx * dx + dy * dy + dz * dz;
            const wins = distance < least || (distance === least && nearest !== undefined && other < nearest);
            if (wins) {
              nearest = other;
              least = distance;
            }
          }
        }
      }
    }
    if (nearest === undefined) {
      const slot = hashCell(cellOf(x, cell), cellOf(y, cell), cellOf(z, cell)) & mask;
      kept[3 * keptCount] = x;
      kept[3 * keptCount + 1] = y;
      kept[3 * keptCount + 2] = z;
      next[keptCount] = first[slot]!;
      first[slot] = keptCount + 1;
      nearest = keptCount++;
    }
    remap[v] = nearest;
  }
  return { positions: kept.slice(0, 3 * keptCount), remap };
}

/** A power of two that leaves a hash table at most half full. */
function tableSize(entries: number): number {
  return 2 ** Math.ceil(Math.log2(2 * entries + 2));
}

function withoutNegativeZero(bits: number): number {
  return bits === SIGN_BIT ? 0 : bits;
}

/**
 * Different in every process, so that nobody can make a file whose vertices all fall into one slot. Which vertices are
 * welded does not depend on it.
 */
const HASH_SEED = Math.floor(Math.random() * 2 ** 32);

/** Mixes three words so that neighbouring coordinates spread over the table (odd multipliers, folded high bits). */
function hash(x: number, y: number, z: number): number {
  let h = Math.imul(x ^ (x >>> 15) ^ HASH_SEED, 0x2c1b3c6d) ^ HASH_SEED;
  h = Math.imul(h ^ y ^ (h >>> 13), 0x297a2d39 ^ (HASH_SEED & ~1));
  h = Math.imul(h ^ z ^ (h >>> 14), 0x5bd1e995);
  h ^= h >>> 16;
  return (h ^ (h >>> 11)) >>> 0;
}

function cellOf(coordinate: number, cell: number): number {
  return Math.floor(coordinate / cell);
}

const cellWords = new Float64Array(3);
const cellBits = new Uint32Array(cellWords.buffer);

/** Cell numbers may exceed 32 bits by far, so both words of each are hashed; adding 0 makes -0 equal to +0. */
function hashCell(x: number, y: number, z: number): number {
  cellWords[0] = x + 0;
  cellWords[1] = y + 0;
  cellWords[2] = z + 0;
  return hash(
    cellBits[0]! ^ Math.imul(cellBits[1]!, 0x9e3779b1),
    cellBits[2]! ^ Math.imul(cellBits[3]!, 0x9e3779b1),
    cellBits[4]! ^ Math.imul(cellBits[5]!, 0x9e3779b1),
  );
}
