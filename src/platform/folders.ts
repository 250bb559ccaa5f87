/**
 * Makes folders, also folders that only this user can change. scree runs what it loads from such a folder, so nobody
 * else may be able to put something into it, or another folder in its place.
 */
import { chmod, lstat, mkdir, readlink, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';

const ROOT_USER = 0;
/** The most links in a path, as in Linux. */
const MOST_LINKS = 40;
const WRITABLE_BY_OTHERS = 0o022;
/** In a folder with this bit, only its owner renames or removes a file. */
const STICKY = 0o1000;
/** Mode of folders for this user alone. */
const OWN = 0o700;

/**
 * Makes a folder and those above it, one after the other. Node's own recursive `mkdir` would try for ever in a folder
 * such as /proc, which takes none and says that it is missing.
 *
 * @throws the system's errors
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
 * The path without links, if nobody else can exchange what is on it. Every folder and link on the way has to belong to
 * this user or to root, and nobody else may write to it, unless it is sticky as /tmp is. The check goes step by step
 * from the root, so that what was checked cannot be exchanged afterwards. POSIX only.
 *
 * @throws Error that names the first folder or link that others can change; the system's errors
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
 * Makes a folder that this user alone can look into (mode 0700), and those above it. A folder of that name is kept if
 * it belongs to this user and nobody else may write to it. Returns its path without links.
 *
 * @throws Error if a folder of that name is another's, or another user could exchange it; the system's errors
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
