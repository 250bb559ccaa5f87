/** Laws of a user's own: how two materials push each other apart, by depth. */
import { told } from '../../arguments.ts';
import { InputError } from '../../errors.ts';

/** Parameters of a law, beside depth and area. */
export interface LawParameters {
  /** E* of both materials: 1 / E* = (1 - nu_a^2) / E_a + (1 - nu_b^2) / E_b. */
  readonly modulus: number;
  /** Of points: that of a ball at the contact, 1 / R = 1 / R_A + 1 / R_B. Of areas: 0. */
  readonly radius: number;
  /** Of areas: the default law's stiffness per area. Of points: 0. */
  readonly foundation: number;
}

/** Force, how fast it grows with the depth, and the energy that it has taken to get there. */
export type LawValues = readonly [force: number, stiffness: number, energy: number];

/**
 * The elastic force of one contact, in place of the default one. It is asked twice, in two languages: kernels call the
 * WGSL function, all else its twin, and both have to give the same numbers.
 *
 * A contact of a polyhedron stands for an area; all others are points, whose area is 0: docs/dem.md, "Contact laws".
 */
export interface NormalLaw {
  /** The WGSL function's: letters and digits. Laws of a scene have names of their own. */
  readonly name: string;
  /** Text with `fn NAME(depth: f32, area: f32, p: LawParameters) -> vec3f`, and what it calls. */
  readonly wgsl: string;
  /** Values at a depth of 0 or more. */
  readonly twin: (depth: number, area: number, parameters: LawParameters) => LawValues;
}

/** A contact that a law is tried with, but for its depth. */
export interface LawCase extends LawParameters {
  /** The law, from 1 on. */
  readonly law: number;
  readonly area: number;
  /** Depths are tried up to half of it. */
  readonly size: number;
}

/** Depths that a law is tried with: 0, and halves of the size, from 2^-20 on. */
export const LAW_DEPTHS: readonly number[] = [0, ...Array.from({ length: 20 }, (_, k) => 2 ** (k - 20))];

/** Step of the differences that a law is held against, in the depth, and what they may be off by, in the values. */
const DIFFERENCE_STEP = 2 ** -14;
const DIFFERENCE_ERROR = 2 ** -10;

/** @throws InputError for what is no law. @param place where it stands in the scene */
export function requireNormalLaw(place: string, law: unknown): asserts law is NormalLaw {
  if (typeof law !== 'object' || law === null) {
    throw new InputError(`${place}: found ${told(law)}, expected an object with name, wgsl and twin`);
  }
  const { name, wgsl, twin, ...others } = law as Partial<NormalLaw>;
  const other = Object.keys(others)[0];
  if (other !== undefined)
    throw new InputError(`${place}: unknown field "${other}", expected name, wgsl and twin`);
  if (typeof name !== 'string' || !/^[a-zA-Z][a-zA-Z0-9]*$/.test(name)) {
    throw new InputError(`${place}.name is ${told(name)}, expected letters and digits, a letter first`);
  }
  if (typeof wgsl !== 'string' || !new RegExp(`\\bfn\\s+${name}\\s*\\(`).test(wgsl)) {
    const given = typeof wgsl === 'string' ? `no function ${name}` : told(wgsl);
    const wanted = `fn ${name}(depth: f32, area: f32, p: LawParameters) -> vec3f`;
    throw new InputError(`${place}.wgsl: found ${given}, expected WGSL with ${wanted}`);
  }
  if (typeof twin !== 'function') {
    throw new InputError(
      `${place}.twin: found ${told(twin)}, expected a function of depth, area and parameters`,
    );
  }
}

/**
 * Tries a law at many depths: nothing at 0, a push that does not fall, and minus the gradient of its energy.
 *
 * @throws InputError for the first depth at which it is not: what was found and what was expected
 */
export function tryNormalLaw({ name, twin }: NormalLaw, own: LawCase): void {
  const { area, size, law: _, ...parameters } = own;
  const at = (depth: number): LawValues => {
    const values = twin(depth, area, parameters);
    if (Array.isArray(values) && values.length === 3 && values.every(Number.isFinite)) return values as never;
    const given = Array.isArray(values) ? values.join(', ') : told(values);
    const wanted = 'three finite numbers: force, stiffness, energy';
    throw new InputError(`${placeOfLaw(name, depth, own)}: found ${given}, expected ${wanted}`);
  };
  const [force, , energy] = at(0);
  for (const [what, found] of Object.entries({ force, energy })) {
    if (found !== 0) throw new InputError(`${placeOfLaw(name, 0, own)}: the ${what} is ${found}, expected 0`);
  }
  for (const share of LAW_DEPTHS.slice(1)) {
    const depth = share * size;
    const values = at(depth);
    const [force, stiffness] = values;
    for (const [what, found] of Object.entries({ force, stiffness })) {
      if (found >= 0) continue;
      throw new InputError(`${placeOfLaw(name, depth, own)}: the ${what} is ${found}, expected 0 or more`);
    }
    const step = DIFFERENCE_STEP * depth;
    const [below, above] = [at(depth - step), at(depth + step)];
    const slopes = (k: 0 | 2) => [(values[k] - below[k]) / step, (above[k] - values[k]) / step];
    // At a corner of the law, the slope is between those of both sides.
    for (const [what, found, [left, right]] of [
      ['force', force, slopes(2)],
      ['stiffness', stiffness, slopes(0)],
    ] as const) {
      const error = DIFFERENCE_ERROR * Math.max(Math.abs(left!), Math.abs(right!), Math.abs(found));
      if (found >= Math.min(left!, right!) - error && found <= Math.max(left!, right!) + error) continue;
      const of = what === 'force' ? 'energy' : 'force';
      const wanted = `${(left! + right!) / 2}: how fast the ${of} grows`;
      throw new InputError(`${placeOfLaw(name, depth, own)}: the ${what} is ${found}, expected ${wanted}`);
    }
  }
}

/** A law at a depth, for messages. */
export function placeOfLaw(
  name: string,
  depth: number,
  { area, modulus, radius, foundation }: LawCase,
): string {
  const where = area > 0 ? `area ${area}, foundation ${foundation}` : `radius ${radius}`;
  return `law ${name} at depth ${depth} (modulus ${modulus}, ${where})`;
}
