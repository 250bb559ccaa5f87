/** Numbers of contacts and of groups that impulses are found for. */

/** Of a contact: places in `ROW` numbers. Vectors take three places. */
export const Row = {
  normal: 0,
  /** Two directions of the plane of the contact. */
  along: 3,
  across: 6,
  /** From the centroids of A and B to where impulses act. */
  armA: 9,
  armB: 12,
  /** The same where the contact was found. */
  foundA: 15,
  foundB: 18,
  /** Impulse that a unit of speed takes: along the normal, `along` and `across`. */
  mass: 21,
  massAlong: 22,
  massAcross: 23,
  /** Signed distance when it was found, and now. */
  found: 24,
  distance: 25,
  /** Impulses of a substep. */
  impulse: 26,
  impulseAlong: 27,
  impulseAcross: 28,
  /** The least that `impulse` may be: less than 0 where contacts pull. */
  least: 29,
  friction: 30,
  /** Speed of opening that a bounce asks for; 0: none does. */
  bounce: 31,
  /** Along the normal, of surfaces of belts: they push no one. */
  belt: 32,
  /** Overlap that is left alone, and the fastest push out of a larger one. */
  left: 33,
  push: 34,
  /** On B, of all substeps. */
  total: 35,
  /** Of `total`, what is along the normal, without pulls. */
  pressed: 38,
  /** Of B beside A at the end of the last substep. */
  speed: 39,
  restitution: 42,
  /** Change of the speed of B beside A by a unit impulse on B and its opposite on A: xx, xy, xz, yy, yz, zz. */
  softness: 43,
} as const;
export const ROW = 49;

/** Of a group: rolling and torsion. Vectors take three places. */
export const Roll = {
  normal: 0,
  along: 3,
  across: 6,
  massAlong: 9,
  massAcross: 10,
  massAbout: 11,
  /** Angular impulses of a substep. */
  alongTwist: 12,
  acrossTwist: 13,
  aboutTwist: 14,
  /** Limits over the impulse along the normals, lengths. */
  rolling: 15,
  torsion: 16,
  /** Angular velocity of B beside A at the end of the last substep. */
  speed: 17,
} as const;
export const ROLL = 20;
