/** Tables of all polyhedra of a pipeline. */
import { InputError } from '../../errors.ts';
import type { ColliderTable } from '../bodies/collider-table.ts';
import type { PolyhedronArrays } from '../field/field-arrays.ts';
import { makePolyhedron } from '../field/polyhedron.ts';

export interface PrepareOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Surfaces and fields, by the polyhedra's numbers. */
export async function preparePolyhedra(
  { polyhedra: needed }: ColliderTable,
  { signal, onProgress }: PrepareOptions,
): Promise<PolyhedronArrays[]> {
  const polyhedra: PolyhedronArrays[] = [];
  for (const one of needed) {
    if (!('shape' in one)) throw new InputError(`${one.name}: contacts with polyhedra are not there yet`);
    const { mesh, nodeSpacing, reach, sharpAngle } = one.shape;
    polyhedra.push(await makePolyhedron(mesh, { nodeSpacing, reach, sharpAngle, name: one.name, signal }));
    onProgress?.(polyhedra.length, needed.length);
  }
  return polyhedra;
}
