/** Names of options, apart from what they stand for: help and checks load nothing else. */

/** Kinds of bounding volumes. */
export const VOLUMES = ['sphere', 'aabb', 'obb', 'k-dop'] as const;
export type Volume = (typeof VOLUMES)[number];

/** Which pair of nodes comes next: of the children made last the nearer one, or the nearest of all. */
export const STRATEGIES = ['greedy', 'best-first'] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** Faces that a k-DOP of a caller may have. */
export const DOP_FACES = [14, 18, 26] as const;
