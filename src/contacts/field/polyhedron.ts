/** Makes all that contacts need of a polyhedron. */
import { InputError } from '../../errors.ts';
import { isSavedBody, type SavedBody } from '../../inside/body-file/body-file.ts';
import { requireMesh, type TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { shareAll } from '../../workers/shared-memory.ts';
import { WorkerPool } from '../../workers/worker-pool.ts';
import { buildSurface, equalBallRadius, type SurfaceOptions } from '../surface/build-surface.ts';
import { makeTriangleTree } from '../surface/triangle-tree.ts';
import { buildField } from './build-field.ts';
import { LEAST_TRIANGLES_FOR_WORKERS, REACH } from './constants.ts';
import type { PolyhedronArrays } from './field-arrays.ts';

export interface MakePolyhedronOptions extends SurfaceOptions {
  /** As in `PolyhedronShape`. */
  readonly reach?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Most threads, 1 or more. Default 1: the calling one. */
  readonly threads?: number | undefined;
  /** Called with the share that is done. */
  readonly onProgress?: ((share: number) => void) | undefined;
}

/**
 * Surface and signed distance of a polyhedron, in memory that threads share. Of a saved body the mesh is taken. Its
 * cell grid is not: that one is made for many points anywhere, and its crowded cells are refined.
 *
 * @throws InputError for a mesh that is open or not consistently oriented, or options out of range; the signal's reason
 *   once it is aborted.
 */
export async function makePolyhedron(
  source: TriangleMesh | SavedBody,
  options: MakePolyhedronOptions = {},
): Promise<PolyhedronArrays> {
  const mesh = isSavedBody(source as SavedBody) ? (source as SavedBody).mesh : (source as TriangleMesh);
  const {
    name = (mesh as TriangleMesh | undefined)?.name ?? 'polyhedron',
    signal,
    threads = 1,
    onProgress,
  } = options;
  requireMesh(`${name}: mesh`, mesh);
  signal?.throwIfAborted();
  const surface = buildSurface(mesh, options);
  const reach = options.reach ?? REACH * equalBallRadius(surface);
  if (!(reach > 0)) throw new InputError(`${name}: reach is ${reach}, expected a length above 0`);
  const pool =
    threads > 1 && mesh.triangleCount >= LEAST_TRIANGLES_FOR_WORKERS ? WorkerPool.get() : undefined;
  const watch = { signal, onProgress };
  const field = await buildField(mesh, { reach, area: surface.area, pool, threads, ...watch });
  const { positions, indices, box } = mesh;
  const { frame, grid, box: localBox, ...rest } = field;
  return {
    ...{ name, positions, indices, box },
    ...shareAll({ positions, indices, surface, tree: makeTriangleTree(field.corners) }),
    field: { frame, grid, box: localBox, ...shareAll(rest) },
  };
}
