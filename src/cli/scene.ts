/** Reads scene files for commands. docs/scene.md describes the format. */
import { dirname, resolve } from 'node:path';
import type { Scene } from '../index.ts';
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
