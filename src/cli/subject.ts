/** The subject of a command: a mesh file, or a body that `scree build` saved. Their content tells them apart. */
import type { SavedBody, TriangleMesh } from '../index.ts';
import { inputError } from './files.ts';
import { nameOf, readBytes } from './input.ts';
import { withDefaultSignals } from './interrupt.ts';

export interface Subject {
  readonly mesh: TriangleMesh;
  /** Undefined for a mesh file. */
  readonly saved?: SavedBody;
}

/**
 * @param settings options for meshes only: a saved body was welded and cut into cells when it was built
 * @throws InputError if the file cannot be read, or is a saved body and one of the settings is given; ScreeError with
 *   exit code 1 if the disk fails; the signal's reason.
 */
export async function readSubject(
  path: string,
  settings: { readonly weld?: number | undefined; readonly cells?: number | undefined },
  signal: AbortSignal,
): Promise<Subject> {
  const { isBodyFile, readBody, readMesh } = await import('../index.ts');
  const bytes = await readBytes(path, signal);
  const name = nameOf(path);
  const { weld, cells } = settings;
  if (!isBodyFile(bytes)) {
    const options = { name, ...(weld !== undefined && { weld }) };
    return { mesh: await withDefaultSignals(signal, () => readMesh(bytes, options)) };
  }
  const given = weld !== undefined ? '--weld' : cells !== undefined ? '--cells' : undefined;
  if (given !== undefined) {
    throw await inputError(
      `${name}: ${given} with a saved body found, expected ${given} with the mesh that it is built from`,
    );
  }
  const saved = await withDefaultSignals(signal, () => readBody(bytes, { name }));
  return { mesh: saved.mesh, saved };
}
