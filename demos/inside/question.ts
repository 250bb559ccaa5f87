/** What can be asked on the page: which mesh, which points, how they are tested, and what of it is drawn. */
import { POINT_SETS, pointsNearSurface, randomPoints } from '../../src/bench/points/points.ts';
import {
  type AdapterPreference,
  type Backend,
  type Box,
  gridPoints,
  METHODS,
  type Method,
  RULES,
  type Rule,
  type TriangleMesh,
} from '../../src/index.ts';
import { type Fields, type NumberRange, numberIn, oneOf, readAddress } from '../page/address.ts';

/** Meshes that are made here. */
export const GENERATED = ['rock', 'foam', 'sphere', 'open', 'damaged'] as const;
export type GeneratedName = (typeof GENERATED)[number];
/** A mesh from a file of the reader's is in no address. */
export type MeshName = GeneratedName | 'file';
export const METHOD_CHOICES = ['auto', ...METHODS] as const;
export const SECOND_CHOICES = ['none', ...METHODS] as const;
export const BACKEND_CHOICES = ['auto', 'gpu', 'cpu'] as const;
export const AXES = ['none', 'x', 'y', 'z'] as const;
export const STYLES = ['solid', 'glass', 'hidden'] as const;
const YES_NO = ['yes', 'no'] as const;

export interface Choice {
  readonly mesh: MeshName;
  /** As many of a mesh that is made here, about. */
  readonly triangles: number;
  readonly points: (typeof POINT_SETS)[number];
  /** Points. A grid has the next cube number. */
  readonly count: number;
  /** Of points that are random. */
  readonly seed: number;
  readonly method: Method | 'auto';
  readonly rule: Rule;
  readonly backend: Backend | 'auto';
  /** A method to be held against the first. */
  readonly second: Method | 'none';
  /** The slice's: across which axis it lies, and how far along it, 0 to 1. */
  readonly axis: (typeof AXES)[number];
  readonly place: number;
  /** Whether winding numbers are drawn on the slice. */
  readonly winding: (typeof YES_NO)[number];
  /** How the mesh is drawn. */
  readonly style: (typeof STYLES)[number];
  readonly adapter: AdapterPreference;
  /** Of the device: those that every device has, or all that the adapter offers. */
  readonly limits: 'portable' | 'adapter';
}

export const RANGES = {
  triangles: { low: 8, high: 500_000, whole: true },
  count: { low: 1, high: 4_000_000, whole: true },
  seed: { low: 0, high: 2 ** 32 - 1, whole: true },
  place: { low: 0, high: 1 },
} as const satisfies Partial<Record<keyof Choice, NumberRange>>;

const FIELDS: Fields<Choice> = {
  mesh: oneOf<MeshName>(GENERATED),
  triangles: numberIn(RANGES.triangles),
  points: oneOf(POINT_SETS),
  count: numberIn(RANGES.count),
  seed: numberIn(RANGES.seed),
  method: oneOf(METHOD_CHOICES),
  rule: oneOf(RULES),
  backend: oneOf(BACKEND_CHOICES),
  second: oneOf(SECOND_CHOICES),
  axis: oneOf(AXES),
  place: numberIn(RANGES.place),
  winding: oneOf(YES_NO),
  style: oneOf(STYLES),
  adapter: oneOf(['auto', 'hardware', 'software']),
  limits: oneOf(['portable', 'adapter']),
};

/** What suits each mesh that is made here. */
const OF_MESH: Record<GeneratedName, Pick<Choice, 'triangles' | 'rule' | 'axis' | 'winding'>> = {
  rock: { triangles: 5000, rule: 'odd', axis: 'y', winding: 'no' },
  foam: { triangles: 20_000, rule: 'odd', axis: 'y', winding: 'no' },
  sphere: { triangles: 2048, rule: 'odd', axis: 'y', winding: 'no' },
  open: { triangles: 5000, rule: 'winding', axis: 'y', winding: 'yes' },
  damaged: { triangles: 5000, rule: 'odd', axis: 'z', winding: 'no' },
};

/** What is taken where nobody chose. */
export function defaultChoice(mesh: GeneratedName = 'rock'): Choice {
  return {
    ...{ mesh, ...OF_MESH[mesh] },
    ...{ points: 'grid', count: 32 ** 3, seed: 1 },
    ...{ method: 'auto', backend: 'auto', second: 'none' },
    ...{ place: 0.5, style: 'solid' },
    ...{ adapter: 'auto', limits: 'portable' },
  };
}

/**
 * The choice that an address has. Defaults are those of its mesh.
 *
 * @param search of `location`
 * @returns the choice, and a line for each thing that is not there or cannot be
 */
export function readChoice(search: string) {
  const { mesh } = readAddress(search, FIELDS, defaultChoice()).choice;
  return readAddress(search, FIELDS, defaultChoice(mesh as GeneratedName));
}

/** Farthest that points near the surface are from it, as a share of the box's diagonal. */
const NEAR = 0.01;
/** Room around the mesh for points that lie outside, as a share of its longest side. */
const MARGIN = 0.1;

/** The points that a choice asks about, `[x, y, z]` each: equal ones for equal choices, on every machine. */
export function pointsOf(
  { points, count, seed }: Pick<Choice, 'points' | 'count' | 'seed'>,
  mesh: TriangleMesh,
): Float32Array<ArrayBuffer> {
  switch (points) {
    case 'grid':
      return gridPoints(mesh.box, gridSide(count), { margin: MARGIN });
    case 'random':
      return randomPoints(roomAround(mesh.box), count, seed);
    case 'near':
      return pointsNearSurface(mesh, count, seed, NEAR);
  }
}

/** Points along a side of a grid with about so many. */
export function gridSide(count: number): number {
  return Math.max(1, Math.round(Math.cbrt(count)));
}

/** A box with some room around it. */
export function roomAround({ min, max }: Box): Box {
  const room = MARGIN * Math.max(...max.map((x, k) => x - min[k]!));
  const moved = (corner: Box['min'], by: number): Box['min'] => [
    corner[0] + by,
    corner[1] + by,
    corner[2] + by,
  ];
  return { min: moved(min, -room), max: moved(max, room) };
}

/** The least box with a box and points in it. */
export function boxWith(box: Box, points: Float32Array): Box {
  const low: [number, number, number] = [...box.min];
  const high: [number, number, number] = [...box.max];
  for (let i = 0; i < points.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const x = points[i + k]!;
      if (x < low[k]!) low[k] = x;
      if (x > high[k]!) high[k] = x;
    }
  }
  return { min: low, max: high };
}
