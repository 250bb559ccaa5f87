/** Reads scene files for commands. docs/scene.md describes the format. */
import { dirname, resolve } from 'node:path';
import type { Scene } from '../index.ts';
import { inputError } from './files.ts';
import { nameOf, readBytes } from './input.ts';
import { withDefaultSignals } from './interrupt.ts';

/**
 * Reads a scene, and the meshes that it names.
 *
 * @throws InputError, one line: the file, the place in it, what was found, what was expected.
 */
export async function readSceneFile(path: string, signal: AbortSignal): Promise<Scene> {
  const text = new TextDecoder().decode(await readBytes(path, signal));
  const { parseScene } = await import('../index.ts');
  const folder = dirname(path);
  return withDefaultSignals(signal, () =>
    parseScene(text, { name: nameOf(path), readFile: (file) => readBytes(resolve(folder, file), signal) }),
  );
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
