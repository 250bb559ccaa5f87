/** Names of suites, apart from the suites themselves: commands and pages know them without loading these. */

/** Suites with what they are about: headings of the report, and help of the command. */
export const SUITES = {
  inside: 'Points in bodies: scree beside three-mesh-bvh',
  paper: 'Points in bodies: the experiments of Muth et al.',
  pairs: 'Pairs of convex bodies: the experiments of Olvang, and Rapier',
  contacts: 'Contacts in packings, with Rapier beside it',
  dem: 'Bodies in motion, with Rapier beside them',
  stacks: 'Stacks of boxes: the experiments of Olvang, and Rapier',
  distance: 'Distances of meshes, with three-mesh-bvh beside them',
  graded: 'Points in bodies of very different triangles',
  growth: 'Time per point from 8 to 524,288 triangles',
  stream: 'Points in chunks beside points at once',
  resolution: 'The cell grid at other resolutions',
  multipole: 'Errors of the multipole method',
  depth: 'Depths of the multipole method’s trees',
  winding: 'Winding numbers, and meshes with damage',
} as const;
export type SuiteName = keyof typeof SUITES;
export const SUITE_NAMES = Object.keys(SUITES) as readonly SuiteName[];
/** Suites whose ways may be chosen. */
export const CHOSEN_SUITES = ['dem', 'stacks'] as const satisfies readonly SuiteName[];
/** What `all` stands for: the others are about single parts of scree. */
export const MAIN_SUITES = ['paper', 'inside', 'pairs', 'contacts', 'dem'] as const satisfies readonly SuiteName[];
