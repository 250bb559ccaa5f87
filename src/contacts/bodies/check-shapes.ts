/** Checks of the shapes of a contact pipeline. */
import { found, requireKnown, told } from '../../arguments.ts';
import { requireShape, SHAPE_FIELDS } from '../../convex/shapes/shapes.ts';
import { InputError } from '../../errors.ts';
import { isSavedBody, type SavedBody } from '../../inside/body-file/body-file.ts';
import { requirePartsToAgree } from '../../inside/check-parts.ts';
import { checkMesh } from '../../mesh/check-mesh.ts';
import { requireMesh, TriangleMesh } from '../../mesh/triangle-mesh.ts';
import type { ContactShape, PolyhedronShape } from './contact-shape.ts';

const POLYHEDRON_FIELDS = ['mesh', 'nodeSpacing', 'reach', 'sharpAngle'] as const;
/** Most parts of a shape: a contact keeps the number of a part in 16 bits. */
const MOST_PARTS = 2 ** 16;

/** Names as messages use them. A name that is a number alone, as bodies of scenes have it, tells nothing there. */
export function namesOf(what: 'shape' | 'body', names: unknown, count: number): readonly string[] {
  const isList = Array.isArray(names) && names.every((name) => typeof name === 'string');
  if (names !== undefined && !isList) {
    const field = what === 'body' ? 'bodies' : 'shapes';
    throw new InputError(`names.${field}: found ${told(names)}, expected an array of texts`);
  }
  const given = (names ?? []) as readonly string[];
  return Array.from({ length: count }, (_, i) => {
    const name = given[i] ?? `${i}`;
    return /^\d+$/.test(name) ? `${what} ${name}` : name;
  });
}

/** The mesh of a polyhedron. */
export function meshOf({ mesh }: PolyhedronShape): TriangleMesh {
  return mesh instanceof TriangleMesh ? mesh : mesh.mesh;
}

/**
 * @throws InputError for the first shape that cannot be used: its name, the field, what was found and what was
 *   expected. Meshes have to be closed, with faces that look to one side.
 */
export function requireContactShapes(shapes: readonly ContactShape[], names: readonly string[]): void {
  if (shapes.length === 0) throw new InputError('shapes: none found, expected at least one');
  const kinds = [...Object.keys(SHAPE_FIELDS), 'polyhedron', 'plane'];
  // A list with holes has its holes checked, too.
  Array.from(shapes).forEach((shape, i) => {
    const name = names[i]!;
    const kind = (shape as { readonly kind?: unknown } | null | undefined)?.kind;
    if (!kinds.includes(kind as string)) {
      const isOne = typeof shape === 'object' && shape !== null;
      const what = isOne ? `kind is ${found(kind)}` : `found ${told(shape)}`;
      throw new InputError(`${name}: ${what}, expected ${kinds.join(', ')}`);
    }
    if (shape.kind === 'polyhedron') requirePolyhedron(shape, name);
    else if (shape.kind === 'plane') requireKnown(name, 'field of kind plane:', shape, ['kind']);
    else requireShape(shape, name);
    if (shape.kind === 'parts' && shape.parts.length > MOST_PARTS) {
      throw new InputError(`${name}: ${shape.parts.length} parts found, expected at most ${MOST_PARTS}`);
    }
  });
}

function requirePolyhedron(shape: PolyhedronShape, name: string): void {
  requireKnown(name, 'field of kind polyhedron:', shape, ['kind', ...POLYHEDRON_FIELDS]);
  const { mesh: given } = shape as { readonly mesh?: TriangleMesh | Partial<SavedBody> };
  requireMesh(`${name}: mesh`, isSavedBody(given as SavedBody) ? (given as SavedBody).mesh : given);
  const mesh = meshOf(shape);
  // Tables for contacts are made of meshes that are so.
  if (mesh === given || (given as SavedBody).contacts === undefined) requireOutwards(mesh, name);
  for (const field of ['nodeSpacing', 'reach'] as const) {
    const value = shape[field];
    if (value === undefined || (typeof value === 'number' && value > 0 && value < Infinity)) continue;
    throw new InputError(`${name}: ${field} is ${told(value)}, expected a length above 0`);
  }
  const { sharpAngle } = shape;
  const isAngle = typeof sharpAngle === 'number' && sharpAngle >= 0 && sharpAngle <= Math.PI;
  if (sharpAngle !== undefined && !isAngle) {
    throw new InputError(`${name}: sharpAngle is ${told(sharpAngle)}, expected radians from 0 to pi`);
  }
}

/** Normals of contacts point out of the body, and faces tell where that is. All of them may look inwards. */
function requireOutwards(mesh: TriangleMesh, name: string): void {
  // A mesh that stands in a scene is named by its shape's place there, and shapes by the scene and their place.
  const isNamed = name === mesh.name || name.endsWith(`: ${mesh.name}`);
  const where = isNamed ? name : `${name}: ${mesh.name}`;
  if (mesh.triangleCount === 0) throw new InputError(`${where}: no triangles found, expected a closed mesh`);
  const { closed, oriented, boundaryEdges, oddEdges, wronglyOrientedEdges, enclosedVolume } = checkMesh(
    mesh,
    {
      examples: 0,
    },
  );
  if (!closed) {
    const edges = boundaryEdges.count + oddEdges.count;
    throw new InputError(
      `${where}: the surface is open: ${counted(edges, 'edge')} with an odd number of faces found, expected a ` +
        'closed mesh (`scree check` shows where)',
    );
  }
  if (!oriented) {
    throw new InputError(
      `${where}: the surface is not consistently oriented: ${counted(wronglyOrientedEdges.count, 'edge')} found ` +
        'whose faces look to different sides, expected faces that all look outwards (`scree check` shows where)',
    );
  }
  if (enclosedVolume === 0) {
    throw new InputError(`${where}: the mesh is flat: an enclosed volume of 0 found, expected more`);
  }
  requirePartsToAgree(mesh, enclosedVolume!, where);
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
