/** Responses of a step to contacts, and the options that go with each. */
import { requireKnown, told } from '../../arguments.ts';
import type { ContactShape } from '../../contacts/bodies/contact-shape.ts';
import { MANIFOLD_RULES, type ManifoldRule } from '../../convex/manifold/manifold-rules.ts';
import { InputError } from '../../errors.ts';
import {
  DEFAULT_ITERATIONS,
  DEFAULT_SUBSTEPS,
  IMPULSE_SPACING,
  MOST_ITERATIONS,
  MOST_SUBSTEPS,
} from '../constants.ts';
import { massOfShape } from '../mass/mass-of-shape.ts';
import { PAIR_NUMBERS, PairNumber } from '../materials/materials.ts';
import type { SimulationModel } from './model.ts';

/**
 * `forces`: springs, dashpots and friction act on bodies, over tens of steps per contact. `impulses`: bodies are kept
 * apart in steps that are a hundred times as long, and how soft they are does not count. `olvang`: contacts of convex
 * bodies are collisions, one after another, as in D. Olvang's thesis; for its stacks. `complementarity`: forces without
 * friction that keep gaps of meshes from closing, for parts that are put together; `bilateral`: the same, and contacts
 * hold for a step what they would let go.
 */
export const RESPONSES = ['forces', 'impulses', 'olvang', 'complementarity', 'bilateral'] as const;
export type ResponseName = (typeof RESPONSES)[number];

export const NARROW_ALGORITHMS = ['sweep-gjk', 'gjk', 'mpr'] as const;

/** How contacts of convex bodies are found: docs/convex.md has the algorithms. */
export interface NarrowPhaseChoice {
  readonly algorithm: (typeof NARROW_ALGORITHMS)[number];
  readonly manifold: ManifoldRule;
}

/** Options that go with a response. */
export interface ResponseOptions {
  readonly response?: ResponseName | undefined;
  readonly substeps?: number | undefined;
  readonly iterations?: number | undefined;
  readonly shocks?: boolean | undefined;
  readonly float32?: boolean | undefined;
  readonly narrowPhase?: NarrowPhaseChoice | undefined;
}

/** With nothing left open; what goes with another response has its default. */
export interface ResolvedResponse extends Required<Omit<ResponseOptions, 'narrowPhase'>> {
  readonly response: ResponseName;
  readonly substeps: number;
  readonly iterations: number;
  readonly shocks: boolean;
  readonly float32: boolean;
  /** Undefined: contacts are those of all responses. */
  readonly narrowPhase: NarrowPhaseChoice | undefined;
}

/** The response that each of the other options goes with. */
const OWNERS = {
  ...{
    substeps: 'impulses',
    iterations: 'olvang',
    shocks: 'olvang',
    float32: 'olvang',
    narrowPhase: 'olvang',
  },
} as const;

/** @throws InputError for a response that there is none of, and for what does not go with it */
export function requireResponse(options: ResponseOptions): ResolvedResponse {
  const { response = 'forces', narrowPhase } = options;
  requireOneOf('response', response, RESPONSES);
  for (const [name, owner] of Object.entries(OWNERS)) {
    const given = options[name as keyof typeof OWNERS];
    if (given === undefined || owner === response) continue;
    throw new InputError(`${name} is ${told(given)}, expected none without the response ${owner}`);
  }
  const {
    substeps = DEFAULT_SUBSTEPS,
    iterations = DEFAULT_ITERATIONS,
    shocks = false,
    float32 = false,
  } = options;
  requireCount('substeps', substeps, MOST_SUBSTEPS);
  requireCount('iterations', iterations, MOST_ITERATIONS);
  if (narrowPhase !== undefined) {
    requireKnown('narrowPhase', 'field', narrowPhase, ['algorithm', 'manifold']);
    requireOneOf('narrowPhase.algorithm', narrowPhase.algorithm, NARROW_ALGORITHMS);
    requireOneOf('narrowPhase.manifold', narrowPhase.manifold, MANIFOLD_RULES);
  }
  return { response, substeps, iterations, shocks, float32, narrowPhase };
}

function requireCount(name: string, count: number, most: number): void {
  if (Number.isInteger(count) && count >= 1 && count <= most) return;
  throw new InputError(`${name} is ${count}, expected a whole number from 1 to ${most}`);
}

function requireOneOf(name: string, value: unknown, known: readonly string[]): void {
  if (known.includes(value as string)) return;
  const last = known.length - 1;
  const expected = `${known.slice(0, last).join(', ')} or ${known[last]}`;
  throw new InputError(`${name} is ${told(value)}, expected ${expected}`);
}

/** Numbers of a response in a checkpoint. */
export const RESPONSE_NUMBERS = [
  'response',
  'substeps',
  'iterations',
  'shocks',
  'float32',
  'narrowPhase',
] as const;

export function storedResponse(own: ResolvedResponse): Record<(typeof RESPONSE_NUMBERS)[number], number> {
  const { response, substeps, iterations, shocks, float32, narrowPhase } = own;
  return {
    ...{ response: RESPONSES.indexOf(response), substeps, iterations },
    ...{ shocks: shocks ? 1 : 0, float32: float32 ? 1 : 0 },
    narrowPhase: narrowPhase ? 1 + NARROW_CHOICES.findIndex((one) => isSame(one, narrowPhase)) : 0,
  };
}

const NARROW_CHOICES: readonly NarrowPhaseChoice[] = NARROW_ALGORITHMS.flatMap((algorithm) =>
  MANIFOLD_RULES.map((manifold) => ({ algorithm, manifold })),
);

function isSame(one: NarrowPhaseChoice, other: NarrowPhaseChoice): boolean {
  return one.algorithm === other.algorithm && one.manifold === other.manifold;
}

/**
 * Options of the response that a checkpoint was made with.
 *
 * @param stored numbers of the checkpoint
 * @param name of it
 * @param asked what a caller wants
 * @throws InputError where that is something else
 */
export function responseOf(
  stored: Readonly<Record<string, number>>,
  name: string,
  asked: ResponseOptions,
): ResponseOptions {
  const response = RESPONSES[stored.response!];
  if (response === undefined || (asked.response ?? response) !== response) {
    throw new InputError(
      `${name}: of a simulation by ${response ?? 'no response'}, found ${told(asked.response)}, expected the same`,
    );
  }
  const narrowPhase = NARROW_CHOICES[stored.narrowPhase! - 1];
  const [shocks, float32] = [stored.shocks === 1, stored.float32 === 1];
  const own: ResponseOptions = {
    response,
    ...(response === 'impulses' && { substeps: stored.substeps }),
    ...(response === 'olvang' && { iterations: stored.iterations, shocks, float32, narrowPhase }),
  };
  for (const option of ['substeps', 'iterations'] as const) {
    if (asked[option] === undefined || asked[option] === stored[option]) continue;
    throw new InputError(`${name}: of a simulation with ${stored[option]} ${option}, found ${asked[option]}`);
  }
  for (const [option, is] of Object.entries({ shocks, float32 })) {
    const found = asked[option as 'shocks'];
    if (found === undefined || found === is) continue;
    throw new InputError(`${name}: of a simulation ${is ? 'with' : 'without'} ${option}, found ${found}`);
  }
  const named = (one?: NarrowPhaseChoice) => (one ? `${one.algorithm}, ${one.manifold}` : 'none');
  if (asked.narrowPhase !== undefined && named(asked.narrowPhase) !== named(narrowPhase)) {
    throw new InputError(
      `${name}: of a simulation with narrowPhase ${named(narrowPhase)}, found ${named(asked.narrowPhase)}`,
    );
  }
  return own;
}

/**
 * @param device of the simulation
 * @param names of shapes
 * @throws InputError for what the response cannot use
 */
export function requireUsable(
  response: ResponseName,
  shapes: readonly ContactShape[],
  names: readonly string[],
  device: unknown,
): void {
  if (response === 'forces' || response === 'impulses') return;
  if (device !== undefined)
    throw new InputError(
      `device: found one, expected undefined: the response ${response} is made on the CPU`,
    );
  if (response !== 'olvang') return;
  const at = shapes.findIndex((shape) => shape?.kind === 'polyhedron');
  if (at < 0) return;
  throw new InputError(`${names[at]} is a polyhedron, expected a convex one for the response olvang`);
}

/** @throws InputError for laws of a scene's own and for servo walls, which impulses have no use for */
export function requireNoForces({ laws, servos, names }: SimulationModel, response: ResponseName): void {
  const [law] = laws.pairs.laws;
  if (law !== undefined)
    throw new InputError(`pairs: found the law ${law.name}, expected none: with impulses no body gives way`);
  const [wall] = servos.keys();
  if (wall === undefined) return;
  throw new InputError(
    `${names[wall]} is a servo wall, expected none with the response ${response}: its load is a force`,
  );
}

/** Whether gaps of features are kept from closing: `complementarity` and `bilateral`. */
export function isByGaps(response: ResponseName): boolean {
  return response === 'complementarity' || response === 'bilateral';
}

/**
 * @param names of materials
 * @throws InputError for a scene with friction, or whose space repeats, which gaps are not kept in
 */
export function requireFrictionless(
  response: ResponseName,
  { laws, box }: Pick<SimulationModel, 'laws' | 'box'>,
  names: readonly string[],
): void {
  if (box !== undefined)
    throw new InputError(`box: found a space that repeats, expected none for the response ${response}`);
  const { count, numbers } = laws.pairs;
  for (const name of ['friction', 'rollingFriction', 'torsionalFriction', 'cohesion'] as const)
    for (let pair = 0; pair < count * count; pair++) {
      const value = numbers[PAIR_NUMBERS * pair + PairNumber[name]]!;
      if (value === 0) continue;
      const [a, b] = [Math.floor(pair / count), pair % count].map((i) => names[i] ?? `material ${i}`);
      throw new InputError(
        `materials: ${name} of ${a} and ${b} is ${value}, expected 0 for the response ${response}`,
      );
    }
}

/**
 * Shapes with nodes as far apart as impulses need them, where the shapes do not say: a few contacts are chosen of each
 * pair. Tables that were made before stay.
 *
 * @param shapes that have been checked
 */
export function withFewNodes(
  shapes: readonly ContactShape[],
  names: readonly string[],
): readonly ContactShape[] {
  return shapes.map((shape, i) => {
    if (shape.kind !== 'polyhedron' || shape.nodeSpacing !== undefined || 'contacts' in shape.mesh)
      return shape;
    const diameter = 2 * Math.cbrt((3 * massOfShape(shape, names[i]!).volume) / (4 * Math.PI));
    return { ...shape, nodeSpacing: IMPULSE_SPACING * diameter };
  });
}
