/**
 * How a potential is computed if the caller leaves it to scree: by the direct sum or the multipole method, and of which
 * degree.
 */
import type { Options } from '../../arguments.ts';
import { InputError } from '../../errors.ts';
import { LEAST_POINTS_FORESEEN, POINTS_FORESEEN_PER_TRIANGLE } from '../constants.ts';
import { MULTIPOLE_PAIR_COST } from '../multipole/constants.ts';
import { checkDepth, type MultipoleDepth } from '../multipole/depth.ts';
import { checkExpansion } from '../multipole/expansion.ts';
import type { PotentialKind } from '../potential/potential.ts';
import { DEFAULT_SEPARATION, EXPANSIONS } from './constants.ts';

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
}

/** The least degree whose bounds are within a tolerance for nearly all points; the highest where none is. */
export function expansionWithin(tolerance: number): Preset {
  return EXPANSIONS.find(({ within }) => within <= tolerance) ?? EXPANSIONS.at(-1)!;
}

/** Times of both kinds in seconds on one core, set-up included, by the measured costs of the nearest degree. */
function modelledSeconds(preset: Preset, triangles: number, points: number) {
  const costs = EXPANSIONS.find(({ degree }) => degree >= preset.degree) ?? EXPANSIONS.at(-1)!;
  return {
    direct: 1e-9 * MULTIPOLE_PAIR_COST * triangles * points,
    multipole: 1e-9 * (costs.setUp * triangles + costs.perPoint * points),
  };
}

/**
 * @param kind `auto`: the faster one by the cost model, for one call with so many points, set-up included
 * @param preset degree and separation where none is asked for
 * @throws InputError for a degree, separation or depth out of range, or given for the direct sum.
 */
export function choosePotential(
  kind: PotentialKind | 'auto',
  options: ExpansionOptions,
  preset: Preset,
  { triangles, points }: { readonly triangles: number; readonly points: number },
): PotentialChoice {
  const { degree = preset.degree, depth = 'auto' } = options;
  const separation =
    options.separation ?? (options.degree === undefined ? preset.separation : DEFAULT_SEPARATION);
  checkExpansion({ degree, separation });
  const known = Number.isFinite(points) ? points : undefined;
  checkDepth({ depth, points: known });
  const given = (['degree', 'separation', 'depth'] as const).find((name) => options[name] !== undefined);
  if (kind === 'direct' && given !== undefined) {
    throw new InputError(`${given} is for method "multipole", found method "direct"`);
  }
  const foreseen = LEAST_POINTS_FORESEEN + POINTS_FORESEEN_PER_TRIANGLE * triangles;
  const choice = {
    degree,
    separation,
    depth,
    points: depth === 'well-chosen' ? known : Math.max(known ?? 0, foreseen),
  };
  if (kind === 'direct') return { ...choice, kind, why: 'direct was asked for' };
  const expansion = `degree ${degree}, separation ${separation}`;
  if (kind === 'multipole') return { ...choice, kind, why: `multipole was asked for, ${expansion}` };
  if (given !== undefined)
    return { ...choice, kind: 'multipole', why: `${given} was asked for, ${expansion}` };
  const seconds = modelledSeconds(choice, triangles, points);
  return seconds.direct <= seconds.multipole
    ? { ...choice, kind: 'direct', why: 'so few points and triangles take the direct sum less time' }
    : { ...choice, kind: 'multipole', why: `multipole takes less time than the direct sum, ${expansion}` };
}
