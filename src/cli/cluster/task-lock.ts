/** One process at a time on a task: a file that says which, on this machine or on another one that sees the folder. */
import { open, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasEnded, ownerOf } from '../../platform/temporary.ts';
import { describeFileError, fileError } from '../files.ts';
import { Interrupted, TRY_AGAIN } from '../interrupt.ts';

const RENEW_MILLISECONDS = 5000;
/** A lock of another machine that was not renewed for so long is nobody's any more. */
const STALE_MILLISECONDS = 30_000;
const LOOK_MILLISECONDS = 1000;

export interface TaskLock {
  /** Gives the task free. */
  release(): Promise<void>;
}

interface LockWatch {
  readonly signal: AbortSignal;
  readonly onWait: () => void;
  readonly onLost: (error: Error) => void;
}

interface Held {
  readonly text: string;
  readonly renewed: number;
}

/**
 * Takes a lock, or takes it over from a process that is gone. Whether one of another machine is gone takes half a
 * minute to know.
 *
 * @param watch `onWait` is told when that begins, `onLost` if another process has taken the lock over, since this one
 *   slept
 * @throws Interrupted with exit code 75 that says who has it
 */
export async function takeLock(path: string, watch: LockWatch): Promise<TaskLock> {
  const own = {
    host: hostname(),
    pid: process.pid,
    start: new Date().toISOString(),
    process: ownerOf(process.pid),
  };
  const text = `${JSON.stringify(own)}\n`;
  const make = () =>
    writeFile(path, text, { flag: 'wx' }).then(
      () => true,
      async (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false;
        // A full disk takes the name, but not what is in the file.
        await rm(path, { force: true }).catch(() => {});
        throw await fileError(
          `${path}: cannot be written: ${describeFileError(error, 'no such folder')}`,
          error,
        );
      },
    );
  while (!(await make())) {
    const held = await look(path);
    if (held === undefined) continue;
    if (await isAlive(path, held, watch)) throw heldError(path, held);
    await putAside(path, held);
  }
  let isReleased = false;
  const timer = setInterval(async () => {
    const found = await look(path).catch(() => undefined);
    // It may have been given free meanwhile, and is not to be made again.
    if (isReleased) return;
    if (found?.text === text) await utimes(path, new Date(), new Date()).catch(() => {});
    else if (found !== undefined) watch.onLost(heldError(path, found));
    else await make().catch(() => {});
  }, RENEW_MILLISECONDS).unref();
  return {
    async release() {
      isReleased = true;
      clearInterval(timer);
      if ((await look(path).catch(() => undefined))?.text === text) await rm(path, { force: true });
    },
  };
}

/** Whether a process on this machine has the lock; of others that is known only after a while. */
export async function isHeldHere(path: string): Promise<boolean> {
  const held = await look(path);
  return held !== undefined && hasEnded(processOf(held)) === false;
}

/** Whether nobody has the lock for certain: there is none, or its process on this machine is gone. */
export async function isLeft(path: string): Promise<boolean> {
  const held = await look(path);
  return held === undefined || hasEnded(processOf(held)) === true;
}

async function isAlive(path: string, held: Held, { signal, onWait }: LockWatch): Promise<boolean> {
  const ended = hasEnded(processOf(held));
  if (ended !== undefined) return !ended;
  onWait();
  // Clocks of machines differ: what counts is whether the time of the file changes.
  for (let waited = 0; waited < STALE_MILLISECONDS; waited += LOOK_MILLISECONDS) {
    await sleep(LOOK_MILLISECONDS, undefined, { signal }).catch(() => signal.throwIfAborted());
    const now = await look(path);
    if (now === undefined) return false;
    if (now.text !== held.text || now.renewed !== held.renewed) return true;
  }
  return false;
}

/** Removes a lock, unless it is another one by now: two processes may have found the same one left over. */
async function putAside(path: string, { text }: Held): Promise<void> {
  const aside = `${path}.${process.pid}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const taken = await readFile(aside, 'utf8');
  // A third process may have made a lock meanwhile. Then this one's owner sees that when it renews its lock.
  if (taken !== text) await writeFile(path, taken, { flag: 'wx' }).catch(() => {});
  await rm(aside, { force: true });
}

/** Opens the file, as network file systems look anew at what is opened. Undefined if there is none. */
async function look(path: string): Promise<Held | undefined> {
  try {
    const file = await open(path);
    try {
      return { text: await file.readFile('utf8'), renewed: (await file.stat()).mtimeMs };
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

interface Owner {
  readonly host?: string;
  readonly pid?: number;
  readonly start?: string;
  readonly process?: string;
}

/** Nothing is known of a lock that is being written. */
function ownerOfLock({ text }: Held): Owner {
  try {
    return JSON.parse(text) as Owner;
  } catch {
    return {};
  }
}

const processOf = (held: Held) => ownerOfLock(held).process ?? '';

function heldError(path: string, held: Held): Error {
  const { host = 'another machine', pid = 'unknown', start = 'just now' } = ownerOfLock(held);
  return new Interrupted(TRY_AGAIN, `${path}: the task is run by process ${pid} on ${host} since ${start}`);
}
