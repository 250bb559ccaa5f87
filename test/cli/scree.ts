/** Runs the built command line as a user does: `node dist/cli.js`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { constants, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll } from 'vitest';

export const distFolder = resolve(import.meta.dirname, '../../dist');
const ownEntry = join(distFolder, 'cli.js');

export interface Ended {
  /** The exit code as in a shell: 128 + the signal's number if a signal ended the process. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves as soon as standard error holds `text`. Rejects if the process ends without it. */
  sees(text: string): Promise<void>;
}

export interface RunOptions {
  readonly cwd?: string;
  /** Environment variables that are added to this process's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** Another `cli.js` than that of dist/. */
  readonly entry?: string;
  /** Arguments for Node itself. */
  readonly node?: readonly string[];
  /** Limit on files that the process writes, in blocks of 512 or 1024 bytes. POSIX only. */
  readonly fileBlocks?: number;
  /** A line for the shell in which `"$@"` stands for scree: `cat file | "$@" check -`. POSIX only. */
  readonly shell?: string;
  /** In a process of its own, as a user runs it. So are those with other options than `cwd` and `entry`. */
  readonly isAlone?: boolean;
}

function requireBuild(entry: string): void {
  if (!existsSync(entry)) throw new Error(`${entry} is missing; run "npm run build" (npm test does)`);
}

/** Starts `scree` with standard output and standard error in pipes. */
export function startScree(args: readonly string[], options: RunOptions = {}): Running {
  const { entry = ownEntry } = options;
  requireBuild(entry);
  const command = [process.execPath, ...(options.node ?? []), entry, ...args];
  const { fileBlocks } = options;
  if (fileBlocks !== undefined) command.unshift('sh', '-c', `ulimit -f ${fileBlocks} && exec "$@"`, 'sh');
  if (options.shell !== undefined) command.unshift('sh', '-c', options.shell, 'sh');
  const child = spawn(command[0]!, command.slice(1), {
    cwd: options.cwd ?? tmpdir(),
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ended>((done, fail) => {
    child.on('error', fail);
    child.on('close', (code, signal) => done({ code: code ?? shellCode(signal), stdout, stderr }));
  });
  return {
    child,
    ended,
    sees: (text) =>
      new Promise((done, fail) => {
        const look = () => {
          if (stderr.includes(text)) done();
        };
        child.stderr.on('data', look);
        child.on('close', () => fail(new Error(`ended without "${text}" on standard error:\n${stderr}`)));
        look();
      }),
  };
}

/** Exit code that a shell gives a process which a signal ended. */
function shellCode(signal: NodeJS.Signals | null): number | null {
  return signal === null ? null : 128 + constants.signals[signal];
}

/** Runs a command line to its end: exit code and output are those of a user's process. */
export function scree(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { cwd = tmpdir(), entry = ownEntry, ...others } = options;
  if (Object.keys(others).length > 0) return startScree(args, options).ended;
  let own = shared.get(entry);
  if (!own?.isOpen()) shared.set(entry, (own = openShared(entry)));
  return own.run(args, cwd);
}

/** A process that runs one command line after another: `many-commands.mjs`. */
interface Shared {
  readonly isOpen: () => boolean;
  readonly run: (args: readonly string[], cwd: string) => Promise<Ended>;
}

/** One for each `cli.js`. */
const shared = new Map<string, Shared>();

function openShared(entry: string): Shared {
  requireBuild(entry);
  const program = join(import.meta.dirname, 'many-commands.mjs');
  const child = spawn(process.execPath, [program, entry], { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const requests = child.stdio[3] as Socket;
  const [stdout, stderr] = [child.stdout!, child.stderr!];
  // It ends with this process, as descriptor 3 does.
  for (const one of [child, requests, stdout as Socket, stderr as Socket]) one.unref();
  const texts = { stdout: '', stderr: '' };
  let isOpen = true;
  let look = () => {};
  stdout.setEncoding('utf8').on('data', (text: string) => {
    texts.stdout += text;
    look();
  });
  stderr.setEncoding('utf8').on('data', (text: string) => {
    texts.stderr += text;
    look();
  });
  child.on('close', () => {
    isOpen = false;
    look();
  });
  const runNow = (args: readonly string[], cwd: string) =>
    new Promise<Ended>((done, fail) => {
      look = () => {
        if (!isOpen) fail(new Error(`the process of many commands ended:\n${texts.stdout}${texts.stderr}`));
        const out = /^(.*)\0(\d+)\0$/s.exec(texts.stdout);
        const problems = /^(.*)\0\0$/s.exec(texts.stderr);
        if (!out || !problems) return;
        [texts.stdout, texts.stderr] = ['', ''];
        done({ code: Number(out[2]), stdout: out[1]!, stderr: problems[1]! });
      };
      requests.write(`${JSON.stringify({ args, cwd })}\n`);
    });
  let last: Promise<unknown> = Promise.resolve();
  return {
    isOpen: () => isOpen,
    run(args, cwd) {
      const own = last.then(() => runNow(args, cwd));
      last = own.catch(() => {});
      return own;
    },
  };
}

/** A new folder that is removed after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'scree-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Arguments for Node that make scree's import of one module fail. */
export function withoutModule(name: string): string[] {
  const hook = `export async function resolve(s, c, next) {
    const isOwn = /[/]dist[/](cli|index|(chunks|platform)[/].*)[.]js$/.test(c.parentURL);
    if (isOwn && s === ${JSON.stringify(name)}) throw new Error('hidden by the test');
    return next(s, c);
  }`;
  const url = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
  return ['--import', url(`import { register } from 'node:module'; register(${JSON.stringify(url(hook))});`)];
}
