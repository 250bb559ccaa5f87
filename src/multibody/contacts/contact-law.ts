/**
 * What a contact of two bodies does: an elastic force that is damped from the speed at which it began, friction and
 * rolling resistance that are regular in their speeds (Neumayr and Otter 2017, section 3; facts in docs/multibody.md).
 */
import { impactFactor } from '../../dem/materials/damping.ts';
import { PAIR_NUMBERS, PairNumber } from '../../dem/materials/materials.ts';
import { LEAST_REBOUND, MOST_DAMPING, REGULAR_SPEED, REGULAR_SPIN } from '../constants.ts';
import type { CollisionModel } from './collision-model.ts';

export interface PairLaw {
  /** Of depth^1.5: 4/3 E* sqrt(R), times the reduction. */
  readonly stiffness: number;
  /** Of depth, per area of faces: docs/dem.md, times the reduction. */
  readonly foundation: number;
  readonly restitution: number;
  readonly friction: number;
  /** Torque over force: coefficients times the radius of both. */
  readonly rolling: number;
  readonly torsion: number;
}

const inverse = (x: number) => (x > 0 ? 1 / x : 0);

/** @param reduction makes bodies softer: it multiplies their stiffness */
export function pairLaw({ laws }: CollisionModel, a: number, b: number, reduction: number): PairLaw {
  const { pairs, materials, curvatures, radii } = laws;
  const pair = materials[a]! * pairs.count + materials[b]!;
  const number = (name: keyof typeof PairNumber) => pairs.numbers[PAIR_NUMBERS * pair + PairNumber[name]]!;
  const curvature = 1 / (inverse(curvatures[a]!) + inverse(curvatures[b]!));
  const radius = 1 / (inverse(radii[a]!) + inverse(radii[b]!));
  return {
    foundation: reduction * foundationOf(laws, a, b),
    stiffness: ((reduction * 4) / 3) * number('modulus') * Math.sqrt(curvature),
    restitution: pairs.restitutions[pair]!,
    friction: number('friction'),
    rolling: number('rollingFriction') * radius,
    torsion: number('torsionalFriction') * radius,
  };
}

/** 1 / (l_A / E'_A + l_B / E'_B): a plane takes the layer of its partner. */
function foundationOf({ pairs, materials, radii }: CollisionModel['laws'], a: number, b: number): number {
  const layer = (own: number, other: number) =>
    (radii[own]! || radii[other]!) / pairs.planeModuli[materials[own]!]!;
  return 1 / (layer(a, b) + layer(b, a));
}

/** Elastic force of a contact: of Hertz's, or of an area of faces. */
export function forceAt({ stiffness, foundation }: PairLaw, depth: number, area: number): number {
  return area > 0 ? foundation * area * depth : stiffness * depth * Math.sqrt(depth);
}

/** What a contact stores: forces grow with depth^1.5, or with the depth. */
export function energyAt(law: PairLaw, depth: number, area: number): number {
  return (area > 0 ? 1 / 2 : 2 / 5) * forceAt(law, depth, area) * depth;
}

/** |v| from `least` on, smooth and above 0 below it, twice differentiable there. */
export function regular(speed: number, least: number): number {
  if (speed >= least) return speed;
  return (speed * speed * (1 - speed / (3 * least))) / least + least / 3;
}

/** D / v0 of a contact that begins with a speed of approach: slow ones do not rebound, so that they end. */
export function dampingOf(restitution: number, speed: number): number {
  const own = Math.max(0, speed);
  const least = Math.min(LEAST_REBOUND, restitution);
  const e = restitution + (least - restitution) * Math.exp((Math.log(0.01) * own) / REGULAR_SPEED);
  return Math.min(MOST_DAMPING, impactFactor(e) / regular(own, REGULAR_SPEED));
}

/** Of a speed across the normal, what friction's force is multiplied by: at most 1 over the speed. */
export const slip = (speed: number) => 1 / regular(speed, REGULAR_SPEED);
export const turn = (spin: number) => 1 / regular(spin, REGULAR_SPIN);
