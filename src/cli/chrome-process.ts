/**
 * A Chrome process with a profile folder of its own. Chrome is started here and not by puppeteer, for two reasons: what it
 * said before it ended is the reason of a failure, and the pipes over which it is spoken to are its life line: Chrome ends
 * by itself when they close, however this process came to its end.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { ConnectionTransport } from 'puppeteer';
import { markTemporaryFolder } from '../platform/temporary.ts';

/** Begins the names of the folders that hold a profile and what Chrome has for the moment only. */
export const FOLDER_PREFIX = 'scree-chrome-';
/** Lines of Chrome's own messages that are kept. */
const LOG_LINES = 200;
/** What Chrome may take to end by itself when asked. */
const GRACE_MILLISECONDS = 3000;
/** What Chrome said last may come after its end. */
const LAST_WORDS_MILLISECONDS = 500;
/** Dying processes may still write there. */
const REMOVING = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 } as const;
/** Exit code of a process that SIGHUP ended, by the shell's convention. */
const HANGUP_EXIT_CODE = 129;

/** What a Chrome is started with. */
export interface ChromeCommand {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** How a process came to its end. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it could not be started at all. */
  readonly error?: NodeJS.ErrnoException;
}

const running = new Set<ChromeProcess>();

/** A process that has to end at once still takes its Chromes and their folders along. */
function endAllNow(): void {
  for (const chrome of running) chrome.endNow();
}

/** The terminal is gone: without this, Node ends with no look at `exit` listeners. Ctrl-C is interrupt.ts's. */
function hangUp(): void {
  process.exit(HANGUP_EXIT_CODE);
}

export class ChromeProcess {
  /** Its profile and its temporary files; removed with it. */
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
   * @param command is given the new process's folder, and may put files there under names other than `profile` and `tmp`.
   *   Throws the system's errors, with nothing left behind.
   */
  constructor(path: string, command: (folder: string) => ChromeCommand) {
    this.folder = mkdtempSync(join(tmpdir(), FOLDER_PREFIX));
    try {
      markTemporaryFolder(this.folder);
      const temporary = join(this.folder, 'tmp');
      mkdirSync(temporary);
      const { args, env } = command(this.folder);
      this.#child = spawn(path, args, {
        // Killed, Chrome leaves its socket behind. Elsewhere the folder's name is too long for one.
        env: process.platform === 'linux' ? { ...env, TMPDIR: temporary } : env,
        // A group of its own: Ctrl-C in the terminal is ours, and the group is ended as a whole.
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
        // Its children notice by themselves that it is gone, but not at once.
        this.#killGroup();
        const closed = new Promise((close) => this.#child.once('close', close));
        void settledWithin(LAST_WORDS_MILLISECONDS, closed).then(() => settle({ code, signal }));
      });
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** What Chrome said on standard error lately, a line each. */
  get log(): readonly string[] {
    return this.#log;
  }

  /** Ends the process if it has not ended, and removes its folder. Safe to call twice. @param ask asks it to end by itself */
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

  /** The same without waiting, for a process that is ending. */
  endNow(): void {
    this.#killGroup();
    try {
      rmSync(this.folder, REMOVING);
    } catch {
      // A temporary folder, and nobody is left to be told.
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
    // The number may be another's once all have ended.
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

  /** Killed processes take a moment to be gone, and as long as the system's first process takes to let go of them. */
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
      // Nothing more to be kept.
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
    // It has settled, which is what was waited for.
  });
  clearTimeout(timer);
}

/** Messages end with a zero byte, either way. */
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
      // Each in a turn of its own: what one answers may decide who listens to the next.
      setImmediate(() => transport.onmessage?.(message));
    }
    if (from < bytes.length) pieces.push(bytes.subarray(from));
  });
  fromChrome.on('close', () => transport.onclose?.());
  for (const pipe of [toChrome, fromChrome]) {
    pipe.on('error', () => {
      // A process that has ended cannot be written to: `ended` tells.
    });
  }
  return transport;
}
