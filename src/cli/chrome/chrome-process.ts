/**
 * A Chrome process with a profile folder of its own. Chrome is started here and not by puppeteer, for two reasons. If
 * it fails, what it said on standard error is the reason, and has to be kept. And it is spoken to over pipes: when
 * these close, Chrome ends by itself, however this process came to its end.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { ConnectionTransport } from 'puppeteer';
import { markTemporaryFolder } from '../../platform/temporary.ts';

/** Begins the names of folders with a profile and Chrome's temporary files. */
export const FOLDER_PREFIX = 'scree-chrome-';
/** How many lines of Chrome's messages are kept. */
const LOG_LINES = 200;
/** How long Chrome may take to end by itself when asked. */
const GRACE_MILLISECONDS = 3000;
/** How long Chrome's last messages may take to arrive after its end. */
const LAST_WORDS_MILLISECONDS = 500;
/** Several tries, since dying processes may still write there. */
const REMOVING = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 } as const;
/** Exit code of a process that SIGHUP ended, by the shell's convention. */
const HANGUP_EXIT_CODE = 129;

/** How Chrome is started. */
export interface ChromeCommand {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** How a process ended. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it could not be started at all. */
  readonly error?: NodeJS.ErrnoException;
}

const running = new Set<ChromeProcess>();

/** Ends all Chromes and removes their folders, for a process that has to end at once. */
function endAllNow(): void {
  for (const chrome of running) chrome.endNow();
}

/** Ends the process when its terminal is gone: without this, Node would not call `exit` listeners. */
function hangUp(): void {
  process.exit(HANGUP_EXIT_CODE);
}

export class ChromeProcess {
  /** Holds its profile and temporary files. Removed with it. */
  readonly folder: string;
  /** For `puppeteer.connect`. */
  readonly transport: ConnectionTransport;
  /** Settles when the process has ended, asked to or not. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  readonly #child: ChildProcess;
  readonly #log: string[] = [];
  #isOver = false;
  #isGroupGone = false;

  /**
   * @param command is given the new process's folder. It may put files there under names other than `profile` and
   *   `tmp`.
   * @throws the system's errors, with nothing left behind
   */
  constructor(path: string, command: (folder: string) => ChromeCommand) {
    this.folder = mkdtempSync(join(tmpdir(), FOLDER_PREFIX));
    try {
      markTemporaryFolder(this.folder);
      const temporary = join(this.folder, 'tmp');
      mkdirSync(temporary);
      const { args, env } = command(this.folder);
      this.#child = spawn(path, args, {
        // A killed Chrome leaves its socket behind, so it is put where it gets removed. On other systems the folder's
        // name is too long for a socket.
        env: process.platform === 'linux' ? { ...env, TMPDIR: temporary } : env,
        // In a process group of its own, so that Ctrl-C in the terminal reaches only scree, which ends the whole group.
        detached: process.platform !== 'win32',
        stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
        windowsHide: true,
      });
    } catch (error) {
      rmSync(this.folder, REMOVING);
      throw error;
    }
    if (running.size === 0) {
      process.on('exit', endAllNow);
      process.on('SIGHUP', hangUp);
    }
    running.add(this);
    this.#keepLog(this.#child.stderr!);
    this.transport = pipeTransport(this.#child.stdio[3] as Writable, this.#child.stdio[4] as Readable);
    this.ended = new Promise((settle) => {
      this.#child.on('error', (error) => settle({ code: null, signal: null, error }));
      this.#child.once('exit', (code, signal) => {
        this.#isOver = true;
        // Chrome's children notice by themselves that it is gone, but not at once.
        this.#killGroup();
        const closed = new Promise((close) => this.#child.once('close', close));
        void settledWithin(LAST_WORDS_MILLISECONDS, closed).then(() => settle({ code, signal }));
      });
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** The last lines that Chrome wrote to standard error. */
  get log(): readonly string[] {
    return this.#log;
  }

  /**
   * Ends the process if it has not ended, and removes its folder. Safe to call twice.
   *
   * @param ask asks Chrome to end by itself
   */
  async end(ask?: () => Promise<unknown>): Promise<void> {
    if (!this.#isOver && ask !== undefined) {
      await settledWithin(GRACE_MILLISECONDS, Promise.all([ask(), this.ended]));
    }
    this.#killGroup();
    await settledWithin(GRACE_MILLISECONDS, this.ended);
    await this.#groupEnded();
    await rm(this.folder, REMOVING);
    this.#forget();
  }

  /** Does the same without waiting, for a scree process that is ending. */
  endNow(): void {
    this.#killGroup();
    try {
      rmSync(this.folder, REMOVING);
    } catch {
      // The next run removes the folder, and nobody is left to be told.
    }
    this.#forget();
  }

  #forget(): void {
    running.delete(this);
    if (running.size > 0) return;
    process.off('exit', endAllNow);
    process.off('SIGHUP', hangUp);
  }

  #killGroup(): void {
    const { pid } = this.#child;
    // Once all have ended, the system may give their group's number to others.
    if (pid === undefined || this.#isGroupGone) return;
    this.#isGroupGone = this.#isOver;
    try {
      if (process.platform !== 'win32') process.kill(-pid, 'SIGKILL');
      else if (!this.#isOver)
        execFileSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' });
    } catch {
      // All of them have ended already.
    }
  }

  /** Waits until the killed processes are gone. The system's first process may take a moment to let go of them. */
  async #groupEnded(): Promise<void> {
    const { pid } = this.#child;
    if (pid === undefined || process.platform === 'win32') return;
    const until = performance.now() + GRACE_MILLISECONDS;
    while (performance.now() < until) {
      try {
        process.kill(-pid, 0);
      } catch {
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  #keepLog(stream: Readable): void {
    let rest = '';
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop()!;
      this.#log.push(...lines.map((line) => line.trim()).filter((line) => line !== ''));
      this.#log.splice(0, this.#log.length - LOG_LINES);
    });
    stream.on('error', () => {
      // There are no more messages to keep.
    });
  }
}

/** Waits until something settles, but not for ever. */
async function settledWithin(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((settle) => {
    timer = setTimeout(settle, milliseconds);
  });
  await Promise.race([work, late]).catch(() => {
    // A failure is an end as well, and the end is all that matters here.
  });
  clearTimeout(timer);
}

/** Chrome's messages over pipes. Each ends with a zero byte, in both directions. */
function pipeTransport(toChrome: Writable, fromChrome: Readable): ConnectionTransport {
  const transport: ConnectionTransport = {
    send(message) {
      toChrome.write(`${message}\0`);
    },
    close() {
      toChrome.destroy();
      fromChrome.destroy();
    },
  };
  const pieces: Buffer[] = [];
  fromChrome.on('data', (bytes: Buffer) => {
    let from = 0;
    for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, from)) {
      pieces.push(bytes.subarray(from, end));
      const message = Buffer.concat(pieces.splice(0)).toString();
      from = end + 1;
      // Each message in a turn of its own: the answer to one may decide who listens to the next.
      setImmediate(() => transport.onmessage?.(message));
    }
    if (from < bytes.length) pieces.push(bytes.subarray(from));
  });
  fromChrome.on('close', () => transport.onclose?.());
  for (const pipe of [toChrome, fromChrome]) {
    pipe.on('error', () => {
      // Writing fails when the process has ended. `ended` tells of that.
    });
  }
  return transport;
}
