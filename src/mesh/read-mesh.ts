import { type Options, requireOptions } from '../arguments.ts';
import { parseMesh } from './read/parse-mesh.ts';
import { type ReadSource, readSource } from './read/source.ts';
import type { TriangleMesh } from './triangle-mesh.ts';

export interface ReadMeshOptions {
  /** For messages and as the mesh's name; by default that of the path, URL or File. */
  readonly name?: string;
  /** Also merge vertices closer than this, in the unit of the mesh; see `ParseMeshOptions.weld`. */
  readonly weld?: number;
}

const OPTIONS: Options<ReadMeshOptions> = { name: 'text', weld: 'number' };

/**
 * Reads a mesh file: STL, OBJ, PLY or OFF, found by content, as it is or compressed with gzip. See `parseMesh` for
 * what is done to it.
 * @param source A path (Node) or a URL (browser) as a string, a URL, a Blob or File, or the bytes themselves.
 * @throws InputError with the file's name if it cannot be read or used.
 */
export async function readMesh(source: ReadSource, options: ReadMeshOptions = {}): Promise<TriangleMesh> {
  requireOptions('readMesh', options, OPTIONS);
  const { bytes, name } = await readSource(source, options.name, 'mesh');
  return parseMesh(bytes, { ...options, name });
}
