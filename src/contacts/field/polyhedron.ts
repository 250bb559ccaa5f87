/** Makes all that contacts need of a polyhedron. */
import { DEGREE } from '../../constants.ts';
import { InputError } from '../../errors.ts';
import { isSavedBody, type SavedBody } from '../../inside/body-file/body-file.ts';
import { requireMesh, type TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { bytesOf, shareAll } from '../../workers/shared-memory.ts';
import type { WorkerPool } from '../../workers/worker-pool.ts';
import { buildSurface, equalBallRadius, type SurfaceOptions } from '../surface/build-surface.ts';
import { makeTriangleTree } from '../surface/triangle-tree.ts';
import { buildField } from './build-field.ts';
import { LEAST_TRIANGLES_FOR_WORKERS, REACH } from './constants.ts';
import type { PolyhedronArrays } from './field-arrays.ts';
import { decodeTables } from './saved-tables.ts';

export interface MakePolyhedronOptions extends SurfaceOptions {
  /** As in `PolyhedronShape`. */
  readonly reach?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Most threads, 1 or more. Default 1: the calling one. */
  readonly threads?: number | undefined;
  /** The pool of threads. Given by callers, so that bundles that need no threads carry none. */
  readonly workers?: (() => WorkerPool | undefined) | undefined;
  /** Called with the share that is done. */
  readonly onProgress?: ((share: number) => void) | undefined;
}

/**
 * Surface and signed distance of a polyhedron, in memory that threads share. Of a saved body its tables for contacts
 * are taken, if it has any, else the mesh. Its cell grid is not: that one is made for many points anywhere, and its
 * crowded cells are refined.
 *
 * @throws InputError for a mesh that is open or not consistently oriented, options out of range, or other ones than
 *   saved tables were made with; the signal's reason once it is aborted.
 */
export async function makePolyhedron(
  source: TriangleMesh | SavedBody,
  options: MakePolyhedronOptions = {},
): Promise<PolyhedronArrays> {
  const saved = isSavedBody(source as SavedBody) ? (source as SavedBody) : undefined;
  const mesh = saved?.mesh ?? (source as TriangleMesh);
  const {
    name = (mesh as TriangleMesh | undefined)?.name ?? 'polyhedron',
    signal,
    threads = 1,
    workers,
    onProgress,
  } = options;
  requireMesh(`${name}: mesh`, mesh);
  signal?.throwIfAborted();
  if (saved?.contacts !== undefined) return savedPolyhedron(mesh, saved.contacts, name, options);
  const surface = await buildSurface(mesh, options, signal);
  const reach = options.reach ?? REACH * equalBallRadius(surface);
  if (!(reach > 0)) throw new InputError(`${name}: reach is ${reach}, expected a length above 0`);
  const isLarge = threads > 1 && mesh.triangleCount >= LEAST_TRIANGLES_FOR_WORKERS;
  const pool = isLarge ? workers?.() : undefined;
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

/** The polyhedron that a saved body's tables are of. @throws InputError for options that they were not made with */
function savedPolyhedron(
  mesh: TriangleMesh,
  bytes: Uint8Array,
  name: string,
  { nodeSpacing, reach, sharpAngle }: MakePolyhedronOptions,
): PolyhedronArrays {
  const { sharpAngle: angle, surface, field, tree } = decodeTables(mesh, bytes);
  const made = { nodeSpacing: surface.spacing, reach: field.reach, sharpAngle: angle * DEGREE };
  for (const [option, wanted] of Object.entries({ nodeSpacing, reach, sharpAngle })) {
    const has = made[option as keyof typeof made];
    // Degrees of the file are rounded on their way to radians.
    if (wanted === undefined || Math.fround(wanted) === Math.fround(has)) continue;
    throw new InputError(
      `${name}: ${option} is ${wanted}, expected ${has}, with which the tables for contacts of ${mesh.name} were ` +
        'made, or none (its mesh alone takes any)',
    );
  }
  const { positions, indices, box } = mesh;
  return {
    ...{ name, box, surface, tree },
    ...shareAll({ positions, indices }),
    field: { ...field, bytes: bytesOf(field) },
  };
}
