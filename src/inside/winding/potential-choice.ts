/** How a potential is computed if the caller leaves it to scree: by which method, and of which degree. */
import type { Options } from '../../arguments.ts';
import { InputError } from '../../errors.ts';
import { LEAST_POINTS_FORESEEN, POINTS_FORESEEN_PER_TRIANGLE } from '../constants.ts';
import { MULTIPOLE_PAIR_COST } from '../multipole/constants.ts';
import { checkDepth, type MultipoleDepth } from '../multipole/depth.ts';
import { checkExpansion } from '../multipole/expansion.ts';
import { POTENTIAL_KINDS, type PotentialKind } from '../potential/potential.ts';
import { CAPPED_COSTS, CLUSTER_COSTS, DEFAULT_SEPARATION, EXPANSIONS } from './constants.ts';

/** How many points are to be tested against how many triangles. */
export interface Job {
  /** Infinity where it is not known. */
  readonly points: number;
  readonly triangles: number;
  /** Triangles that close the mesh: made when first asked for. */
  readonly caps: () => number;
}

/** What callers may ask for, of the multipole method. */
export interface ExpansionOptions {
  /** Degree p of the expansions, 1 .. 8. */
  readonly degree?: number;
  /** Separation d of eq. 16, above 1: clusters nearer than that are summed exactly. */
  readonly separation?: number;
  /** How far the evaluation tree is refined. Default `auto`. */
  readonly depth?: MultipoleDepth;
}

export const EXPANSION_OPTIONS: Options<ExpansionOptions> = {
  degree: 'number',
  separation: 'number',
  depth: 'checked',
};

export interface PotentialChoice {
  readonly kind: PotentialKind;
  readonly degree: number;
  readonly separation: number;
  readonly depth: MultipoleDepth;
  /** Points to reckon with; undefined where they are not known, or make no difference. */
  readonly points: number | undefined;
  /** Why this kind, for people. */
  readonly why: string;
}

interface Preset {
  readonly degree: number;
  readonly separation: number;
  /** What its bounds are to be within. */
  readonly within: number;
}

/** The least degree whose bounds are within a tolerance for nearly all points; the highest where none is. */
export function expansionWithin(tolerance: number): Preset {
  return EXPANSIONS.find(({ within }) => within <= tolerance) ?? EXPANSIONS.at(-1)!;
}

/** Times of all kinds in nanoseconds on one core, set-up included, by the measured costs of the nearest degree. */
function modelledTimes(
  preset: Preset,
  { triangles, points: wanted, caps: capCount }: Job,
): Record<PotentialKind, number> {
  // Infinities could not be told apart.
  const points = Math.min(wanted, Number.MAX_SAFE_INTEGER);
  const costs = EXPANSIONS.find(({ degree }) => degree >= preset.degree) ?? EXPANSIONS.at(-1)!;
  const { least, setUp, perPoint } = CAPPED_COSTS;
  const caps = capCount();
  const summed = (some: number) => clusterSumCost(some, preset.within);
  return {
    direct: MULTIPOLE_PAIR_COST * triangles * points,
    clusters: CLUSTER_COSTS.setUp * triangles + summed(triangles) * points,
    'cell-grid': least + setUp * (triangles + caps) + (perPoint + summed(caps)) * points,
    multipole: costs.setUp * triangles + costs.perPoint * points,
  };
}

/** Nanoseconds of a point's sum over clusters, or over all of few triangles. */
function clusterSumCost(triangles: number, tolerance: number): number {
  const { perPoint, triangles: some, tolerance: wide, trianglesPower, tolerancePower } = CLUSTER_COSTS;
  const cost =
    perPoint * (triangles / some) ** trianglesPower * Math.max(1, wide / tolerance) ** tolerancePower;
  return Math.min(MULTIPOLE_PAIR_COST * triangles, cost);
}

/** Why the quickest kind is that, for people. */
function reasonFor(kind: PotentialKind, expansion: string, caps: number): string {
  if (kind === 'direct') return 'so few points and triangles take the direct sum less time';
  if (kind === 'clusters') return 'sums over clusters take the least time for so many points';
  if (kind === 'multipole') return `multipole takes less time than sums point by point, ${expansion}`;
  const closed = caps === 0 ? 'is closed' : `is closed by ${caps} triangles`;
  return `cell-grid takes the least time, as the surface ${closed}`;
}

/**
 * @param kind `auto`: the faster one by the cost model, for one call with so many points, set-up included
 * @param preset degree and separation where none is asked for
 * @throws InputError for a degree, separation or depth out of range, or given for another method than multipole.
 */
export function choosePotential(
  kind: PotentialKind | 'auto',
  options: ExpansionOptions,
  preset: Preset,
  job: Job,
): PotentialChoice {
  const { triangles, points } = job;
  const { degree = preset.degree, depth = 'auto' } = options;
  const separation =
    options.separation ?? (options.degree === undefined ? preset.separation : DEFAULT_SEPARATION);
  checkExpansion({ degree, separation });
  const known = Number.isFinite(points) ? points : undefined;
  checkDepth({ depth, points: known });
  const given = (['degree', 'separation', 'depth'] as const).find((name) => options[name] !== undefined);
  if (kind !== 'multipole' && kind !== 'auto' && given !== undefined) {
    throw new InputError(`${given} is for method "multipole", found method "${kind}"`);
  }
  const foreseen = LEAST_POINTS_FORESEEN + POINTS_FORESEEN_PER_TRIANGLE * triangles;
  const choice = {
    degree,
    separation,
    depth,
    points: depth === 'well-chosen' ? known : Math.max(known ?? 0, foreseen),
  };
  const expansion = `degree ${degree}, separation ${separation}`;
  if (kind !== 'auto') {
    const how = kind === 'multipole' ? `, ${expansion}` : '';
    return { ...choice, kind, why: `${kind} was asked for${how}` };
  }
  if (given !== undefined)
    return { ...choice, kind: 'multipole', why: `${given} was asked for, ${expansion}` };
  const times = modelledTimes({ ...choice, within: preset.within }, job);
  const quickest = POTENTIAL_KINDS.reduce((a, b) => (times[b] < times[a] ? b : a));
  return { ...choice, kind: quickest, why: reasonFor(quickest, expansion, job.caps()) };
}
