// Rules by which contacts of a pair are chosen.

/**
 * `clipped`: the faces of both shapes that face each other are cut with each other, and the four contacts that span
 * most are kept. `sampled`: the contacts of L. Olvang (2010), section 2.6, which sees faces within 0.22 degrees of the
 * contact's plane.
 */
export type ManifoldRule = 'clipped' | 'sampled';
export const MANIFOLD_RULES: readonly ManifoldRule[] = ['clipped', 'sampled'];
