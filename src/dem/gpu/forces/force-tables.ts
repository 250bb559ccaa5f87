/** Numbers of materials and lengths of surfaces, for the kernels of forces: one table, since bindings are few. */
import { type Colliders, NO_POLYHEDRON } from '../../../contacts/bodies/colliders.ts';
import type { PolyhedronArrays } from '../../../contacts/field/field-arrays.ts';
import { firstColliders, halfLengths, nodeSpacing } from '../../forces/surface-lengths.ts';
import type { PairTable } from '../../materials/materials.ts';

/** Floats are written as their bits. */
export interface ForceTables {
  /**
   * Numbers per pair of materials; moduli of planes of materials; the first collider of each body, or of each copy of
   * one; where each collider's lengths are; of each polyhedron its nodes' spacing, then halves of the lengths of its
   * pieces.
   */
  readonly words: Uint32Array<ArrayBuffer>;
  readonly moduliAt: number;
  readonly bodiesAt: number;
  readonly collidersAt: number;
}

export function packForceTables(
  pairs: PairTable,
  colliders: Colliders,
  polyhedra: readonly PolyhedronArrays[],
): ForceTables {
  const first = firstColliders(colliders);
  const moduliAt = pairs.numbers.length;
  const bodiesAt = moduliAt + pairs.count;
  const collidersAt = bodiesAt + first.size;
  let words = collidersAt + colliders.count;
  const lengths = polyhedra.map((one) => [nodeSpacing(one), ...halfLengths(one)]);
  const places = lengths.map(({ length }) => {
    words += length;
    return words - length;
  });
  const table = new Uint32Array(words);
  const floats = new Float32Array(table.buffer);
  floats.set(pairs.numbers);
  floats.set(pairs.planeModuli, moduliAt);
  first.forEach((collider, body) => {
    table[bodiesAt + body] = collider;
  });
  colliders.polyhedra.forEach((polyhedron, collider) => {
    if (polyhedron !== NO_POLYHEDRON) table[collidersAt + collider] = places[polyhedron]!;
  });
  lengths.forEach((own, polyhedron) => {
    floats.set(own, places[polyhedron]!);
  });
  return { words: table, moduliAt, bodiesAt, collidersAt };
}
