/**
 * Normal laws of contacts, and what the contacts of a pair come to: stiffness and where it acts, the direction of the
 * force, and the pair's dashpot. docs/dem.md, "Contact laws" and "Dashpots", has the formulas.
 */
import { ContactKind, FEATURE_OF_B } from '../../contacts/list/contact-arrays.ts';
import { CONTACT_VALUES } from '../../contacts/list/contact-sink.ts';
import { EDGE_WIDTH_SHARE } from '../constants.ts';
import { PairNumber } from '../materials/materials.ts';
import type { LawParameters } from '../materials/normal-law.ts';
import type { LawTables } from './law-tables.ts';
import type { ContactMemory } from './pair-batch.ts';
import { PAIR_WORDS, type PairRows } from './pair-rows.ts';
import { halfPiece, nodeShare } from './surface-lengths.ts';

/** Numbers of a contact: force of springs, which push; pull of cohesion; stiffness; energy of both. */
export const LAW = 4;

/**
 * Numbers that go from function to function: as arguments they would be on the heap. From 0 on sums over a pair:
 * stiffness, it times its place from the centroid of A, force, and energy of what pushes; from 8 on a vector and a
 * number of it; from 12 on the normal force of a pair, and the sum of its vectors.
 */
export const room = new Float64Array(16);

/** Sums of a pair. */
export const SUMS = 8;

export class PairLaws {
  readonly #tables: LawTables;
  /** `[n * 4]`: as `MotionState` has them. */
  readonly #rotations: Float64Array;
  /** Of a pair: modulus of the foundation, what nodes of A and of B have of it, and the thinner of both layers. */
  #modulus = 0;
  #shareA = 0;
  #shareB = 0;
  #layer = 0;

  constructor(tables: LawTables, rotations: Float64Array) {
    this.#tables = tables;
    this.#rotations = rotations;
  }

  /** Sets L . I^-1 L of the vector L in `room`, in the world's axes: behind it. */
  setTurning(body: number): void {
    const { inverseMoments } = this.#tables;
    const q = this.#rotations;
    const x = room[8]!;
    const y = room[9]!;
    const z = room[10]!;
    const qx = q[4 * body]!;
    const qy = q[4 * body + 1]!;
    const qz = q[4 * body + 2]!;
    const qw = q[4 * body + 3]!;
    const tx = 2 * (qz * y - qy * z);
    const ty = 2 * (qx * z - qz * x);
    const tz = 2 * (qy * x - qx * y);
    const l1 = x + qw * tx + (qz * ty - qy * tz);
    const l2 = y + qw * ty + (qx * tz - qz * tx);
    const l3 = z + qw * tz + (qy * tx - qx * ty);
    room[11] =
      inverseMoments[3 * body]! * l1 * l1 +
      inverseMoments[3 * body + 1]! * l2 * l2 +
      inverseMoments[3 * body + 2]! * l3 * l3;
  }

  /** Sets the foundation of a pair. @param row of its first contact that stands for an area */
  setFoundation({ kinds }: ContactMemory, row: number, { bodies, pairs }: PairRows, pair: number): void {
    const { planeModuli, materials, radii, lengths } = this.#tables;
    const a = bodies[PAIR_WORDS * pair]!;
    const b = bodies[PAIR_WORDS * pair + 1]!;
    const layerA = radii[a]! || radii[b]!;
    const layerB = radii[b]! || radii[a]!;
    this.#modulus = 1 / (layerA / planeModuli[materials[a]!]! + layerB / planeModuli[materials[b]!]!);
    this.#layer = Math.min(layerA, layerB);
    if (kinds[row] !== ContactKind.node) return;
    const { polyhedra, spacings } = lengths;
    const spacingA = spacings[polyhedra[pairs[2 * pair]!]!]!;
    const spacingB = spacings[polyhedra[pairs[2 * pair + 1]!]!]!;
    this.#shareA = nodeShare(spacingA, spacingB);
    this.#shareB = nodeShare(spacingB, spacingA);
  }

  /**
   * Writes the numbers of a contact that stands for an area: an elastic layer, or a law of the caller's own. The energy
   * is that of springs alone.
   */
  setOnArea(
    found: ContactMemory,
    row: number,
    rows: PairRows,
    pair: number,
    out: Float64Array,
    at: number,
  ): void {
    const { numbers: table, lengths } = this.#tables;
    const numbers = rows.bodies[PAIR_WORDS * pair + 2]!;
    const cohesion = table[numbers + PairNumber.cohesion]!;
    const own = table[numbers + PairNumber.law]!;
    const depth = -found.values[CONTACT_VALUES * row + 6]!;
    const kind = found.kinds[row]!;
    let area = found.values[CONTACT_VALUES * row + 7]!;
    const feature = found.features[row]!;
    const isB = feature >= FEATURE_OF_B;
    // A plane has no nodes of its own.
    let share = 1;
    if (kind === ContactKind.node) share = isB ? this.#shareB : this.#shareA;
    if (kind === ContactKind.edge) share = 1 / 2;
    const foundation = share * this.#modulus;
    // Growth of the depth per length along the normal. 0 is possible, as it is for depths.
    let slope = 1;
    let pull = share * cohesion * area;
    if (kind === ContactKind.edge) {
      const collider = rows.pairs[2 * pair + (isB ? 1 : 0)]!;
      const piece = halfPiece(lengths, collider, (isB ? feature - FEATURE_OF_B : feature) >>> 1);
      slope = area / piece;
      area = EDGE_WIDTH_SHARE * this.#layer * piece;
      // Nodes pull for all of the surface.
      pull = 0;
    }
    const starred = table[numbers + PairNumber.modulus]!;
    if (own !== 0) this.setOwnLaw(own, out, at, depth, area, { modulus: starred, radius: 0, foundation });
    else {
      const stiffness = foundation * area;
      const force = stiffness * depth;
      out[at] = force;
      out[at + 2] = stiffness;
      out[at + 3] = (force * depth) / 2;
    }
    out[at]! *= slope;
    out[at + 1] = pull;
    out[at + 2]! *= slope * slope;
  }

  /** Of a law of the caller's own: force, stiffness and energy. */
  setOwnLaw(
    own: number,
    out: Float64Array,
    at: number,
    depth: number,
    area: number,
    of: LawParameters,
  ): void {
    const [force, stiffness, energy] = this.#tables.laws[own - 1]!.twin(depth, area, of);
    out[at] = force;
    out[at + 2] = stiffness;
    out[at + 3] = energy;
  }
}
