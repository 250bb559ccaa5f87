/**
 * Temporary files with names that nobody can foresee, and that nobody has to clean up. A name says which process made
 * the file, so that a later process can remove what a killed one has left.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, lstat, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Leftovers of another machine, container or start of the system go at this age: their process cannot be looked up. */
const OLD_MILLISECONDS = 7 * 24 * 3600 * 1000;
/** A file in a temporary folder that names its process. The folder's own name stays short: socket paths are bounded. */
const OWNER_FILE = 'owner';
const TEMPORARY_FILE = /^\.scree-(\d+-\d+-[0-9a-f]+)-[0-9a-f]+\.tmp$/;

/** A temporary file, to be renamed or discarded. */
export interface TemporaryFile {
  readonly path: string;
  readonly handle: FileHandle;
  /** Closes the file and gives it a name. A file that has this name is replaced. */
  rename(to: string): Promise<void>;
  /** Closes and removes the file. Does nothing after `rename`, or the second time. Never rejects. */
  discard(): Promise<void>;
}

/** Files that are neither renamed nor discarded yet. A process that has to end at once still removes them. */
const unfinished = new Set<string>();

/** Folders whose leftovers were looked for: reading a folder of many files takes longer than writing one of them. */
const looked = new Set<string>();

/**
 * Makes a temporary file in a folder. Its name is random, and a file or link of that name is refused and not followed.
 * Leftovers of killed processes in the folder are removed before the first one.
 *
 * @throws the system's errors
 */
export async function createTemporaryFile(folder: string, mode = 0o666): Promise<TemporaryFile> {
  if (!looked.has(folder)) await removeLeftovers(folder);
  looked.add(folder);
  const path = join(folder, `.scree-${ownerOf(process.pid)}-${randomBytes(6).toString('hex')}.tmp`);
  if (unfinished.size === 0) process.on('exit', removeUnfinished);
  unfinished.add(path);
  const forget = () => {
    unfinished.delete(path);
    if (unfinished.size === 0) process.off('exit', removeUnfinished);
  };
  // O_EXCL: neither an existing file nor a link is opened.
  const handle = await open(path, 'wx', mode).catch((error: unknown) => {
    forget();
    throw error;
  });
  return {
    path,
    handle,
    async rename(to) {
      await handle.close();
      await rename(path, to);
      forget();
    },
    async discard() {
      if (!unfinished.has(path)) return;
      // The file is removed whether it was still open or not.
      await handle.close().catch(() => {});
      // An error about cleaning up would hide the first one, which says more.
      await rm(path, { force: true }).catch(() => {});
      forget();
    },
  };
}

function removeUnfinished(): void {
  for (const path of unfinished) rmSync(path, { force: true });
}

/** Writes into a temporary folder which process it belongs to, for `removeLeftovers`. */
export function markTemporaryFolder(folder: string): void {
  writeFileSync(join(folder, OWNER_FILE), ownerOf(process.pid), { flag: 'wx' });
}

/**
 * Removes what killed processes have left in a folder: temporary files, and temporary folders whose names begin with
 * `prefix`. Only what belongs to this user and whose process has ended is removed. Never rejects.
 */
export async function removeLeftovers(folder: string, prefix?: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const file = TEMPORARY_FILE.exec(name);
    if (file === null && !(prefix !== undefined && name.startsWith(prefix))) continue;
    const path = join(folder, name);
    try {
      const found = await lstat(path);
      if (process.getuid !== undefined && found.uid !== process.getuid()) continue;
      if (file === null ? !found.isDirectory() : !found.isFile()) continue;
      const owner = file?.[1] ?? (await readFile(join(path, OWNER_FILE), 'latin1').catch(() => ''));
      const isGone = hasEnded(owner) ?? Date.now() - found.mtimeMs > OLD_MILLISECONDS;
      if (isGone) await rm(path, { recursive: true, force: true, maxRetries: 2 });
    } catch {
      // It is gone meanwhile or cannot be removed: the next run tries again.
    }
  }
}

/** Whether a process has ended. Undefined if that cannot be known from here. */
export function hasEnded(owner: string): boolean | undefined {
  const [, pid, start, host] = /^(\d+)-(\d+)-([0-9a-f]+)$/.exec(owner) ?? [];
  if (pid === undefined || host !== hostMark()) return undefined;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true;
  }
  // A process of that number runs, unless it has ended and nobody has asked how. It is another one if it was started
  // at another time.
  const found = statusOf(Number(pid));
  return found !== undefined && (found.state === 'Z' || found.start !== start);
}

/** Names a process: its number, its start, and the machine on which these are valid. */
export function ownerOf(pid: number): string {
  return `${pid}-${statusOf(pid)?.start ?? 0}-${hostMark()}`;
}

/** The state of a process, and when it was started, in ticks of this system. Undefined if /proc does not tell. */
function statusOf(pid: number): { readonly state: string; readonly start: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program, the second field, may hold blanks and parentheses; the start is the 22nd.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0]!, start: fields[19]! };
  } catch {
    return undefined;
  }
}

let ownHostMark: string | undefined;

/** Names the machine, its running system and the container. Outside of these, numbers of processes mean nothing. */
function hostMark(): string {
  if (ownHostMark !== undefined) return ownHostMark;
  let system = '';
  try {
    system = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1') + readlinkSync('/proc/self/ns/pid');
  } catch {
    // Not Linux: the machine's name alone has to do.
  }
  ownHostMark = createHash('sha256').update(`${hostname()}\n${system}`).digest('hex').slice(0, 8);
  return ownHostMark;
}
