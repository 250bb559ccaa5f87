/** Runs the built command line as a user does: `node dist/cli.js`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
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
}

/** Starts `scree` with standard output and standard error in pipes. */
export function startScree(args: readonly string[], options: RunOptions = {}): Running {
  const { entry = ownEntry } = options;
  if (!existsSync(entry)) throw new Error(`${entry} is missing; run "npm run build" (npm test does)`);
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

export function scree(args: readonly string[], options?: RunOptions): Promise<Ended> {
  return startScree(args, options).ended;
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
