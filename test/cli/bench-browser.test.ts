import { chmodSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { processesOfGroup, processesWith } from '../support/processes.ts';
import { type Ended, type Running, startScree, temporaryFolder, withoutModule } from './scree.ts';

const folder = temporaryFolder();
mkdirSync(join(folder, 'out'));

const started: Running[] = [];
// A run is only left if a test has failed. It ends its Chrome itself: a Chrome that had to notice the end of a killed
// run would still write to its profile while the folder is removed.
afterAll(async () => {
  for (const { child } of started) child.kill('SIGTERM');
  await Promise.all(started.map(({ ended }) => ended));
});

/** A run that takes a while. Its temporary files are its own: `temporary` is where. */
function startBench(
  env: Record<string, string> = {},
  node: readonly string[] = [],
): Running & { temporary: string } {
  const temporary = mkdtempSync(join(folder, 'tmp-'));
  const args = ['bench', '--browser', '--suite', 'inside', '--adapter', 'software', '--out', 'out'];
  const running = startScree(args, { cwd: folder, env: { TMPDIR: temporary, ...env }, node });
  started.push(running);
  return { ...running, temporary };
}

function program(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** Ended with one line of its own after those of progress, with no report and nothing of Chrome. */
function expectOneLine({ code, stdout, stderr }: Ended, exitCode: number, line: RegExp): void {
  expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
  const lines = stderr.trimEnd().split('\n');
  expect(lines.filter((one) => one.startsWith('scree: '))).toEqual([lines.at(-1)]);
  expect(lines.at(-1)).toMatch(line);
  expect(readdirSync(join(folder, 'out'))).toEqual([]);
}

describe('scree bench --browser without a Chrome that works', () => {
  it('names the variable that names no Chrome', async () => {
    const bench = startBench({ CHROME_PATH: join(folder, 'none') });
    expectOneLine(await bench.ended, 2, /^scree: CHROME_PATH=.+none: found no program there, expected /);
  });

  it('says why Chrome cannot start', async () => {
    const path = program('fails', 'echo "cannot open display" >&2; exit 3');
    const bench = startBench({ CHROME_PATH: path });
    expectOneLine(
      await bench.ended,
      1,
      /^scree: Chrome cannot start \(.+fails\): it ended with exit code 3; it said: cannot open display$/,
    );
    expect(readdirSync(bench.temporary)).toEqual([]);
  });

  it('says how to get puppeteer', async () => {
    const bench = startBench({}, withoutModule('puppeteer'));
    expectOneLine(await bench.ended, 1, /^scree: Chrome is driven by .*npm install puppeteer$/);
  });
});

/** Waits for the first measurement to be announced, and returns the group of Chrome's processes. */
async function chromeOf({ sees, temporary }: Running & { temporary: string }): Promise<number> {
  // `[2/17] inside: ...`: lines that follow each other too fast are left out.
  await sees('] ');
  const chrome = processesWith(temporary)[0]!;
  expect(processesOfGroup(chrome.group).length).toBeGreaterThan(1);
  return chrome.group;
}

describe('scree bench --browser that is ended leaves no process and no profile', () => {
  it.each([
    ['SIGINT', 130, /^scree: interrupted$/],
    ['SIGTERM', 143, /^scree: interrupted$/],
  ] as const)('by %s', async (signal, exitCode, line) => {
    const bench = startBench();
    const group = await chromeOf(bench);
    bench.child.kill(signal);
    expectOneLine(await bench.ended, exitCode, line);
    expect(processesOfGroup(group)).toEqual([]);
    expect(readdirSync(bench.temporary)).toEqual([]);
  });

  it.each([
    ['a second Ctrl-C', ['SIGINT', 'SIGINT'], 130],
    ['the end of its terminal', ['SIGHUP'], 129],
  ] as const)('at once, by %s', async (_, signals, exitCode) => {
    const bench = startBench();
    const group = await chromeOf(bench);
    for (const signal of signals) bench.child.kill(signal);
    expect((await bench.ended).code).toBe(exitCode);
    await expect.poll(() => processesOfGroup(group)).toEqual([]);
    expect(readdirSync(bench.temporary)).toEqual([]);
  });

  it('though it is killed itself: Chrome notices', async () => {
    const bench = startBench();
    const group = await chromeOf(bench);
    bench.child.kill('SIGKILL');
    await bench.ended;
    await expect.poll(() => processesOfGroup(group), { timeout: 60_000 }).toEqual([]);
  });

  it('while Chrome starts', async () => {
    const started = join(folder, 'started');
    const path = program('silent', `mkdir ${started}; sleep 1000 & wait`);
    const bench = startBench({ CHROME_PATH: path });
    await expect.poll(() => readdirSync(folder).includes('started'), { timeout: 60_000 }).toBe(true);
    const { group } = processesWith(path).find(({ command }) => command.includes('--user-data-dir'))!;
    bench.child.kill('SIGINT');
    expectOneLine(await bench.ended, 130, /^scree: interrupted$/);
    expect(processesOfGroup(group)).toEqual([]);
    expect(readdirSync(bench.temporary)).toEqual([]);
  });
});
