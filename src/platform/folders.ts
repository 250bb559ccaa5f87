/**
 * Making folders, and such that only this user can change: what is loaded from a folder is run, so nobody else may be able
 * to put something there, or to put another folder in its place.
 */
import { chmod, lstat, mkdir, readlink, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';

const ROOT_USER = 0;
/** As many as Linux follows. */
const MOST_LINKS = 40;
const WRITABLE_BY_OTHERS = 0o022;
/** In a folder with this bit, only its owner renames or removes a file. */
const STICKY = 0o1000;
/** Mode of folders for this user alone. */
const OWN = 0o700;

/**
 * Makes a folder and those above it, one after the other: asked for all at once, Node tries for ever in a folder that takes
 * none and calls it missing, as /proc does. @throws the system's errors
 */
export async function makeFolders(path: string, mode?: number): Promise<void> {
  const make = () =>
    mkdir(path, mode).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
    });
  try {
    await make();
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error;
    await makeFolders(parent, mode);
    await make();
  }
}

/**
 * The path without links, after a look at every folder and link on the way: each belongs to this user or to root, and
 * nobody else may write to it, or it is sticky as /tmp is. Step by step from the root, so that nothing that was looked at
 * can be exchanged afterwards. POSIX only.
 *
 * @throws Error that names the first one that is not so, and the system's errors
 */
export async function trustedPath(path: string): Promise<string> {
  const names = resolve(path).split('/');
  let real = '/';
  for (let links = 0; names.length > 0; ) {
    const name = names.shift()!;
    const at = name === '..' ? dirname(real) : join(real, name);
    const found = await lstat(at);
    if (found.uid !== ROOT_USER && found.uid !== process.getuid!()) {
      throw new Error(`${at} belongs to another user`);
    }
    if (found.isSymbolicLink()) {
      if (++links > MOST_LINKS) throw new Error(`${path} leads through too many links`);
      const target = await readlink(at);
      if (isAbsolute(target)) real = '/';
      names.unshift(...target.split('/'));
      continue;
    }
    if (!found.isDirectory()) throw new Error(`${at} is a file, expected a folder`);
    if ((found.mode & WRITABLE_BY_OTHERS) !== 0 && (found.mode & STICKY) === 0) {
      throw new Error(`other users may write to ${at}`);
    }
    real = at;
  }
  return real;
}

/**
 * Makes a folder that this user alone can look into (mode 0700) in another one, and those above it, and returns its path
 * without links. A folder of that name is kept if it belongs to this user and nobody else may write to it.
 *
 * @throws Error where it is not so, or where another user could exchange it; the system's errors
 */
export async function makeOwnFolder(parent: string, name: string): Promise<string> {
  await makeFolders(parent, OWN);
  const folder = join(await trustedPath(parent), name);
  await mkdir(folder, { mode: OWN }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const found = await lstat(folder);
  if (found.uid !== process.getuid!()) throw new Error(`${folder} belongs to another user`);
  if (!found.isDirectory()) throw new Error(`${folder} is no folder`);
  if ((found.mode & WRITABLE_BY_OTHERS) !== 0) throw new Error(`other users may write to ${folder}`);
  if ((found.mode & 0o777) !== OWN) await chmod(folder, OWN);
  return folder;
}
