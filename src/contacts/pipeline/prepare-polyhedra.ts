/** Tables of all polyhedra of a pipeline. */
import type { ColliderTable } from '../bodies/collider-table.ts';
import type { PolyhedronShape } from '../bodies/contact-shape.ts';
import type { PolyhedronArrays } from '../field/field-arrays.ts';
import { makePolyhedron } from '../field/polyhedron.ts';
import { surfaceMeshOfRecord } from '../surface/surface-mesh.ts';

export interface PrepareOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Surfaces and fields, by the polyhedra's numbers. */
export async function preparePolyhedra(
  { polyhedra: needed, convex }: ColliderTable,
  { signal, onProgress }: PrepareOptions,
): Promise<PolyhedronArrays[]> {
  const polyhedra: PolyhedronArrays[] = [];
  for (const one of needed) {
    const { name } = one;
    const { mesh, ...rules } =
      'shape' in one ? one.shape : surfaceMeshOfRecord(convex!, one.record, { name });
    const { nodeSpacing, reach, sharpAngle } = rules as Partial<PolyhedronShape>;
    polyhedra.push(await makePolyhedron(mesh, { nodeSpacing, reach, sharpAngle, name, signal }));
    onProgress?.(polyhedra.length, needed.length);
  }
  return polyhedra;
}
