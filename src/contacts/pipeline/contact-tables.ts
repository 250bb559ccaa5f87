/** Tables of a polyhedron for its body file. */
import { type Options, requireOptions } from '../../arguments.ts';
import { DEGREE } from '../../constants.ts';
import { requireMesh, type TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { WorkerPool } from '../../workers/worker-pool.ts';
import { requireContactShapes } from '../bodies/check-shapes.ts';
import type { PolyhedronShape } from '../bodies/contact-shape.ts';
import { makePolyhedron } from '../field/polyhedron.ts';
import { encodeTables } from '../field/saved-tables.ts';
import { SHARP_ANGLE } from '../surface/constants.ts';

/** As in `PolyhedronShape`. */
export interface ContactTablesOptions extends Pick<PolyhedronShape, 'nodeSpacing' | 'reach' | 'sharpAngle'> {
  /** Stops building. */
  readonly signal?: AbortSignal | undefined;
  /** Called with how many of `total` are done: a fraction of one. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

const OPTIONS: Options<ContactTablesOptions> = {
  nodeSpacing: 'number',
  reach: 'number',
  sharpAngle: 'number',
  signal: 'signal',
  onProgress: 'function',
};

/**
 * Makes the tables that a `ContactPipeline` needs of a polyhedron besides its mesh, as bytes for `Polyhedron.save`. A
 * pipeline that is given the saved body begins at once, and finds the same contacts to the bit.
 *
 *     const contacts = await contactTables(mesh);
 *     const file = await (await Polyhedron.create(undefined, mesh)).save({ contacts });
 *     const shape = { kind: 'polyhedron', mesh: await readBody(file) };
 *
 * @throws InputError for a mesh that is not closed or whose faces do not agree, or an option that is not usable; the
 *   signal's reason once it is aborted.
 */
export async function contactTables(
  mesh: TriangleMesh,
  options: ContactTablesOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  requireOptions('contactTables', options, OPTIONS);
  requireMesh('contactTables: mesh', mesh);
  const { nodeSpacing, reach, sharpAngle, signal, onProgress } = options;
  const made = { nodeSpacing, reach, sharpAngle };
  requireContactShapes([{ kind: 'polyhedron', mesh, ...made }], [mesh.name]);
  const watch = { signal, onProgress: (share: number) => onProgress?.(share, 1) };
  const { surface, field, tree } = await makePolyhedron(mesh, {
    ...made,
    ...watch,
    workers: () => WorkerPool.get(),
  });
  onProgress?.(1, 1);
  // Without the last digit, which is rounding: 30 stays 30.
  const degrees = Number(((sharpAngle ?? SHARP_ANGLE) / DEGREE).toPrecision(15));
  return encodeTables(mesh, { sharpAngle: degrees, surface, field, tree });
}
