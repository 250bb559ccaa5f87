/** What a step does with contacts, and what goes with it. */
import { told } from '../../arguments.ts';
import type { ContactShape } from '../../contacts/bodies/contact-shape.ts';
import { InputError } from '../../errors.ts';
import { DEFAULT_SUBSTEPS, IMPULSE_SPACING, MOST_SUBSTEPS } from '../constants.ts';
import { massOfShape } from '../mass/mass-of-shape.ts';
import type { SimulationModel } from './model.ts';

/**
 * `forces`: springs, dashpots and friction act on bodies, over tens of steps per contact. `impulses`: bodies are kept
 * apart in steps that are a hundred times as long, and how soft they are does not count.
 */
export const RESPONSES = ['forces', 'impulses'] as const;
export type ResponseName = (typeof RESPONSES)[number];

/** @throws InputError for a response that there is none of, and for substeps that do not go with it */
export function requireResponse(
  response: unknown,
  substeps: number | undefined,
): { readonly response: ResponseName; readonly substeps: number } {
  if (!RESPONSES.includes(response as ResponseName))
    throw new InputError(`response is ${told(response)}, expected ${RESPONSES.join(' or ')}`);
  if (substeps !== undefined && response === 'forces')
    throw new InputError(`substeps is ${substeps}, expected none: they go with the response impulses`);
  const count = substeps ?? DEFAULT_SUBSTEPS;
  if (!(Number.isInteger(count) && count >= 1 && count <= MOST_SUBSTEPS))
    throw new InputError(`substeps is ${count}, expected a whole number from 1 to ${MOST_SUBSTEPS}`);
  return { response: response as ResponseName, substeps: count };
}

/** @throws InputError for a scene with laws of its own, which impulses have no use for */
export function requireNoLaws({ laws }: Pick<SimulationModel, 'laws'>): void {
  const [law] = laws.pairs.laws;
  if (law === undefined) return;
  throw new InputError(`pairs: found the law ${law.name}, expected none: with impulses no body gives way`);
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
