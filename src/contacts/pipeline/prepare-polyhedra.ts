/** Makes the tables of all polyhedra of a pipeline, and their summaries for users. */
import type { SavedBody } from '../../inside/body-file/body-file.ts';
import { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { bytesOf, sharedCopy } from '../../workers/shared-memory.ts';
import { WorkerPool } from '../../workers/worker-pool.ts';
import { meshOf } from '../bodies/check-shapes.ts';
import type { ColliderTable } from '../bodies/collider-table.ts';
import type { PolyhedronShape } from '../bodies/contact-shape.ts';
import type { PolyhedronArrays } from '../field/field-arrays.ts';
import { makePolyhedron } from '../field/polyhedron.ts';
import { surfaceMeshOfRecord } from '../surface/surface-mesh.ts';

export interface PrepareOptions {
  readonly signal?: AbortSignal | undefined;
  /** Most threads. Default 1: the calling one. */
  readonly threads?: number | undefined;
  /** Called with how many of all polyhedra are done, with a fraction within one. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Sizes and bounds that contacts of a polyhedron rest on. Lengths are in the unit of the shape. */
export interface PolyhedronSummary {
  /** The shape's, or the convex part's. */
  readonly name: string;
  readonly triangles: number;
  readonly nodes: number;
  /** Pieces of sharp edges. */
  readonly edgePieces: number;
  readonly patches: number;
  /** Overlaps up to the larger one of both bodies may have no contact where edges cross that are not sharp. */
  readonly missedOverlap: number;
  /** Of a mesh that stands in for a convex shape: how far its surface is from the shape's at most. Else 0. */
  readonly chordError: number;
  /** Bytes of its tables. */
  readonly bytes: number;
}

export interface PreparedPolyhedron {
  readonly arrays: PolyhedronArrays;
  readonly summary: PolyhedronSummary;
}

/**
 * Surfaces and fields, by the polyhedra's numbers.
 *
 * @throws InputError for a flat convex shape, which no mesh can stand in for
 */
export async function preparePolyhedra(
  { polyhedra: needed, convex }: ColliderTable,
  { signal, threads, onProgress }: PrepareOptions,
): Promise<PreparedPolyhedron[]> {
  const prepared: PreparedPolyhedron[] = [];
  // Callers may change their shapes from the first pause on.
  const sources = needed.map((one) => ({ ...one, ...('shape' in one && sharedCopyOf(one.shape)) }));
  for (const { name, mesh, options, ...one } of sources) {
    const tell = (share: number) =>
      onProgress?.(Math.min(needed.length, prepared.length + share), needed.length);
    const stand = 'record' in one ? surfaceMeshOfRecord(convex!, one.record, { name }) : undefined;
    const arrays = await makePolyhedron(mesh ?? stand!.mesh, {
      ...options,
      ...{ name, signal, threads, workers: () => WorkerPool.get(), onProgress: tell },
    });
    const chordError = stand?.chordError ?? 0;
    prepared.push({ arrays, summary: summaryOf(arrays, chordError, name) });
    onProgress?.(prepared.length, needed.length);
  }
  return prepared;
}

function sharedCopyOf(shape: PolyhedronShape) {
  const { positions, indices, name } = meshOf(shape);
  const { nodeSpacing, reach, sharpAngle } = shape;
  const mesh = new TriangleMesh({ positions: sharedCopy(positions), indices: sharedCopy(indices), name });
  const { contacts } = shape.mesh as Partial<SavedBody>;
  return {
    mesh: contacts === undefined ? mesh : { mesh, rules: [], contacts },
    options: { nodeSpacing, reach, sharpAngle },
  };
}

function summaryOf(
  { surface, indices, field, tree }: PolyhedronArrays,
  chordError: number,
  name: string,
): PolyhedronSummary {
  const { weights, edges, patchCount, missedOverlap } = surface;
  return {
    ...{ name, triangles: indices.length / 3, nodes: weights.length, edgePieces: edges.length / 6 },
    ...{ patches: patchCount, missedOverlap, chordError, bytes: field.bytes + bytesOf({ surface, tree }) },
  };
}
