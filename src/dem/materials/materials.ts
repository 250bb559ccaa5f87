/** Materials of bodies, and the numbers that follow for two bodies that touch. */
import { DEFAULT_FRICTION, DEFAULT_POISSON_RATIO, DEFAULT_RESTITUTION } from '../constants.ts';
import { dampingShare } from './damping.ts';
import type { NormalLaw } from './normal-law.ts';

/** A material. Units are those of the scene: SI where lengths are metres. */
export interface Material {
  /** Mass per volume, above 0. */
  readonly density: number;
  /** Young's modulus, force per area, above 0. */
  readonly youngsModulus: number;
  /** Above -1, up to 0.5. Default 0.25. */
  readonly poissonRatio?: number | undefined;
  /** Speed after an impact over that before, 1e-6 to 1. Default 0.5. */
  readonly restitution?: number | undefined;
  /** Coulomb's coefficient, 0 or more. Default 0.5. */
  readonly friction?: number | undefined;
  /** Torque that resists rolling, over normal force and radius, 0 or more. Default 0. */
  readonly rollingFriction?: number | undefined;
  /** The same about the contact's normal. Default 0. */
  readonly torsionalFriction?: number | undefined;
  /** Pull of surfaces that touch: force per area. Default 0. */
  readonly cohesion?: number | undefined;
}

/** Numbers of a pair of materials that do not follow from both. */
export type PairOverrides = Pick<
  Material,
  'restitution' | 'friction' | 'rollingFriction' | 'torsionalFriction' | 'cohesion'
>;

export interface MaterialPair extends PairOverrides {
  /** Numbers of both; they may be the same. */
  readonly materials: readonly [number, number];
  /** The elastic force of both, in place of the default one. */
  readonly law?: NormalLaw | undefined;
}

/** Numbers per pair of materials in `PairTable.numbers`. */
export const PairNumber = {
  /** E*: 1 / E* = (1 - nu_a^2) / E_a + (1 - nu_b^2) / E_b. */
  modulus: 0,
  /** Tangential stiffness over normal stiffness, 4 G* / E* (R. D. Mindlin 1949). */
  tangential: 1,
  /** Share of critical damping. */
  damping: 2,
  friction: 3,
  rollingFriction: 4,
  torsionalFriction: 5,
  cohesion: 6,
  /** The place of a law of their own in `PairTable.laws`, from 1 on; 0: there is none. */
  law: 7,
} as const;
export const PAIR_NUMBERS = 8;

export interface PairTable {
  readonly count: number;
  /** `[count * count * PAIR_NUMBERS]` */
  readonly numbers: Float64Array;
  /** `[count * count]`: speed after an impact over that before. */
  readonly restitutions: Float64Array;
  /** `[count]`: E / (1 - nu^2). */
  readonly planeModuli: Float64Array;
  /** Laws of a user's own, one entry each. */
  readonly laws: readonly NormalLaw[];
}

/**
 * Without an override, friction is the geometric mean of both materials', restitution the lower of both, rolling and
 * torsional friction and cohesion the lower as well.
 */
export function pairTable(materials: readonly Material[], pairs: readonly MaterialPair[] = []): PairTable {
  const count = materials.length;
  const numbers = new Float64Array(PAIR_NUMBERS * count * count);
  const restitutions = new Float64Array(count * count);
  const laws = [...new Set(pairs.flatMap(({ law }) => law ?? []))];
  const planeModuli = Float64Array.from(
    materials,
    ({ youngsModulus, poissonRatio: nu = DEFAULT_POISSON_RATIO }) => youngsModulus / (1 - nu * nu),
  );
  for (let a = 0; a < count; a++) {
    for (let b = 0; b < count; b++) {
      const [one, other] = [materials[a]!, materials[b]!];
      const own = pairs.find(({ materials: [p, q] }) => (p === a && q === b) || (p === b && q === a));
      const lower = (field: keyof PairOverrides, normal: number) =>
        own?.[field] ?? Math.min(one[field] ?? normal, other[field] ?? normal);
      const frictions = (one.friction ?? DEFAULT_FRICTION) * (other.friction ?? DEFAULT_FRICTION);
      const restitution = lower('restitution', DEFAULT_RESTITUTION);
      restitutions[a * count + b] = restitution;
      const modulus = 1 / (1 / planeModuli[a]! + 1 / planeModuli[b]!);
      const at = PAIR_NUMBERS * (a * count + b);
      numbers[at + PairNumber.modulus] = modulus;
      numbers[at + PairNumber.tangential] = 4 / (softness(one) + softness(other)) / modulus;
      numbers[at + PairNumber.damping] = dampingShare(restitution);
      numbers[at + PairNumber.friction] = own?.friction ?? Math.sqrt(frictions);
      numbers[at + PairNumber.rollingFriction] = lower('rollingFriction', 0);
      numbers[at + PairNumber.torsionalFriction] = lower('torsionalFriction', 0);
      numbers[at + PairNumber.cohesion] = lower('cohesion', 0);
      numbers[at + PairNumber.law] = own?.law ? 1 + laws.indexOf(own.law) : 0;
    }
  }
  return { count, numbers, restitutions, planeModuli, laws };
}

/** (2 - nu) / G: their sum is 1 / G*. */
function softness({ youngsModulus, poissonRatio: nu = DEFAULT_POISSON_RATIO }: Material): number {
  return (2 * (1 + nu) * (2 - nu)) / youngsModulus;
}
