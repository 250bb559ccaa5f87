/** How long a step may be. */
import { ColliderKind } from '../../contacts/bodies/colliders.ts';
import { type FacedColliders, patchAreas } from '../../contacts/faces/face-table.ts';
import { InputError } from '../../errors.ts';
import {
  EXPECTED_OVERLAP,
  LONGEST_IMPULSE_STEP,
  LONGEST_STEP,
  STEPS_PER_CONTACT,
  STEPS_PER_FALL,
} from '../constants.ts';
import { PAIR_NUMBERS, PairNumber } from '../materials/materials.ts';
import type { SimulationModel } from './model.ts';
import { largestGravity } from './time-table.ts';

/**
 * The largest frequency sqrt(stiffness / mass) that contacts of the scene are expected to have, radians per time: of
 * each material's lightest body against each other material.
 *
 * - Convex bodies with faces: of the largest patch that they touch with (`patchAreas`).
 * - Polyhedra: the mean area of a convex body's shadow is a quarter of its surface (A. Cauchy), and a ball has
 *   the least surface of its volume, pi radius^2. Flat faces have up to twice that, rods less.
 * - Others: the stiffness at an overlap of `EXPECTED_OVERLAP` radii, of as many points as touch. Where there are bodies
 *   with faces, that of faces as well, but for what touches them in a point.
 *
 * @param patches `[n]`: areas of these patches; 0 for bodies that have none
 */
export function expectedFrequency(
  { laws, pointContacts, hasFaces, inertia, count }: SimulationModel,
  patches: Float64Array,
): number {
  const { pairs, materials, radii, curvatures } = laws;
  let largest = 0;
  const seen = new Set<string>();
  for (let body = 0; body < count; body++) {
    const mass = inertia.inverseMasses[body]!;
    if (mass === 0) continue;
    const key = [
      materials[body],
      radii[body],
      curvatures[body],
      pointContacts[body],
      patches[body],
      mass,
    ].join();
    if (seen.has(key)) continue;
    seen.add(key);
    for (let other = 0; other < pairs.count; other++) {
      const own = materials[body]!;
      const numbers = PAIR_NUMBERS * (own * pairs.count + other);
      const modulus = pairs.numbers[numbers + PairNumber.modulus]!;
      const radius = radii[body]!;
      const area = patches[body]! || 2 * Math.PI * radius ** 2;
      const ofPoint = 2 * modulus * Math.sqrt(curvatures[body]! * radius * EXPECTED_OVERLAP);
      const ofFace = hasFaces && pointContacts[body] !== 1 ? (modulus / radius) * area : 0;
      const stiffness = Math.max(ofFace, pointContacts[body]! * ofPoint);
      largest = Math.max(largest, Math.sqrt(2 * stiffness * mass));
    }
  }
  return largest;
}

/** A fortieth of the shortest contact, half a period of the largest frequency. */
export function recommendedStep(frequency: number): number {
  return Math.PI / (STEPS_PER_CONTACT * frequency);
}

/** @throws InputError for a step that is too long for a frequency. */
export function requireStableStep(step: number, frequency: number, where: string): void {
  if (step > LONGEST_STEP / frequency) throw new InputError(unstable(step, frequency, where));
}

/** @param what lasts too short */
export function unstable(step: number, frequency: number, what: string): string {
  return (
    `timeStep is ${step}, expected at most ${(LONGEST_STEP / frequency).toPrecision(3)}: ${what} ` +
    `${(Math.PI / frequency).toPrecision(3)} and takes ten steps at least; ` +
    `${recommendedStep(frequency).toPrecision(3)} is recommended`
  );
}

/** `[n]`: areas of the patches that bodies touch with. @param copies of each body that the colliders are of */
export function patchesOf({ colliders, faces }: FacedColliders, count: number, copies: number): Float64Array {
  const patches = new Float64Array(count);
  if (faces === undefined) return patches;
  const areas = patchAreas(faces);
  for (let c = 0; c < colliders.count; c++) {
    const body = colliders.bodies[c]!;
    if (colliders.kinds[c] === ColliderKind.convex && body % copies === 0) {
      patches[body / copies]! += areas[colliders.shapes[c]!]!;
    }
  }
  return patches;
}

/**
 * The step by impulses that is recommended: a 24th of the time in which the smallest body falls by its diameter. Of
 * gravity over time the largest counts. Infinite where nothing falls.
 */
export function recommendedImpulseStep({ laws, inertia, gravity }: SimulationModel): number {
  const smallest = laws.radii.reduce(
    (least, radius, body) => (inertia.inverseMasses[body]! > 0 ? Math.min(least, radius) : least),
    Infinity,
  );
  return Math.sqrt((2 * smallest) / largestGravity(gravity)) / STEPS_PER_FALL;
}

/** @throws InputError for a step that is too long for impulses */
export function requireImpulseStep(step: number, recommended: number): void {
  const most = LONGEST_IMPULSE_STEP * recommended;
  if (step <= most) return;
  throw new InputError(
    `timeStep is ${step}, expected at most ${most.toPrecision(3)} for impulses: a sixth of the time in which the ` +
      `smallest body falls by its diameter; ${recommended.toPrecision(3)} is recommended`,
  );
}
