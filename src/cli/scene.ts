/** Reads scene files for commands. docs/scene.md describes the format. */
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { NormalLaw, Scene } from '../index.ts';
import { inputError, requireReadableFile } from './files.ts';
import { nameOf, readBytes } from './input.ts';
import { withDefaultSignals } from './interrupt.ts';

/**
 * Reads a scene, and the meshes that it names.
 *
 * @param laws of a user's own, by the names that the scene has for them
 * @param onBodies told how many bodies there will be; it may throw
 * @throws InputError, one line: the file, the place in it, what was found, what was expected.
 */
export async function readSceneFile(
  path: string,
  signal: AbortSignal,
  laws: Readonly<Record<string, NormalLaw>> = {},
  onBodies?: (count: number) => void,
): Promise<Scene> {
  const text = new TextDecoder().decode(await readBytes(path, signal));
  const { parseScene } = await import('../index.ts');
  const folder = dirname(path);
  return withDefaultSignals(signal, () =>
    parseScene(text, {
      ...{ name: nameOf(path), laws, readFile: (file) => readBytes(resolve(folder, file), signal) },
      ...(onBodies && { onBodies }),
    }),
  );
}

/**
 * Laws of a user's own: what a module exports, by name.
 *
 * @throws InputError for a file that is no module
 */
export async function readLaws(path: string): Promise<Readonly<Record<string, NormalLaw>>> {
  await requireReadableFile(path);
  try {
    return { ...(await import(pathToFileURL(path).href)) };
  } catch (error) {
    throw await inputError(
      `${nameOf(path)}: ${(error as Error).message}, expected a module that exports laws`,
    );
  }
}

/**
 * The result of `work`. Its errors of input get the name of the file that the input is of, unless they have that or one
 * of the `others`.
 */
export async function placedAt<T>(
  name: string,
  work: () => T | Promise<T>,
  others: readonly string[] = [],
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { InputError } = await import('../index.ts');
    if (!(error instanceof InputError)) throw error;
    const { message } = error;
    throw [name, ...others].some((file) => message.startsWith(`${file}: `))
      ? error
      : await inputError(`${name}: ${message}`);
  }
}
