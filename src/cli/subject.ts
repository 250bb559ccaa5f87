/** What a command works on: a mesh file, or a body that `scree build` saved, told apart by content. */
import { readFile } from 'node:fs/promises';
import type { SavedBody, TriangleMesh } from '../index.ts';
import { describeFileError, fileError, inputError } from './files.ts';

export interface Subject {
  readonly mesh: TriangleMesh;
  /** Undefined for a mesh file. */
  readonly saved?: SavedBody;
}

/**
 * @param settings what is only for meshes: a body was welded and cut into cells when it was built
 * @throws InputError if the file cannot be read, or is a body and one of the settings is given; ScreeError with exit code 1
 *   if the device fails.
 */
export async function readSubject(
  path: string,
  settings: { readonly weld?: number | undefined; readonly cells?: number | undefined },
): Promise<Subject> {
  const { isBodyFile, readBody, readMesh } = await import('../index.ts');
  const bytes = await readFile(path).catch(async (error: NodeJS.ErrnoException) => {
    throw await fileError(`${path}: ${describeFileError(error, 'no such file')}`, error);
  });
  const { weld, cells } = settings;
  if (!isBodyFile(bytes)) {
    return { mesh: await readMesh(bytes, { name: path, ...(weld !== undefined && { weld }) }) };
  }
  const given = weld !== undefined ? '--weld' : cells !== undefined ? '--cells' : undefined;
  if (given !== undefined) {
    throw await inputError(
      `${path}: ${given} with a saved body found, expected ${given} with the mesh that it is built from`,
    );
  }
  const saved = await readBody(bytes, { name: path });
  return { mesh: saved.mesh, saved };
}
