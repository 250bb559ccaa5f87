import { chmodSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChrome, type LaunchChromeOptions, launchChrome } from '../../src/cli/chrome/chrome.ts';
import { processesOfGroup, processesWith } from '../support/processes.ts';
import { startScree, temporaryFolder } from './scree.ts';

const folder = temporaryFolder();
/** The folder for profiles of this file's Chromes, and of no others. */
let profiles = '';
const before = process.env.TMPDIR;

beforeAll(() => {
  profiles = mkdtempSync(join(folder, 'profiles-'));
  process.env.TMPDIR = profiles;
});

afterAll(() => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
});

/** A program that takes the place of Chrome. */
function program(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const start = (path: string, options: Partial<LaunchChromeOptions> = {}) =>
  launchChrome({ adapter: 'software', env: { ...process.env, CHROME_PATH: path }, ...options });

const leftOver = () => ({ folders: readdirSync(profiles), processes: processesWith(profiles) });
const NOTHING = { folders: [], processes: [] };

describe('finding Chrome', () => {
  const nothing = async () => undefined;
  const first = () => program('first', 'exit 0');
  const second = () => program('second', 'exit 0');

  it('takes what CHROME_PATH names, then PUPPETEER_EXECUTABLE_PATH, then what is installed', async () => {
    const places = [join(folder, 'missing'), second()];
    const find = (env: NodeJS.ProcessEnv) => findChrome({ env, places, carried: nothing });
    const both = { CHROME_PATH: first(), PUPPETEER_EXECUTABLE_PATH: second() };
    expect(await find(both)).toEqual({ path: first() });
    expect(await find({ ...both, CHROME_PATH: '' })).toEqual({ path: second() });
    expect(await find({})).toEqual({ path: second() });
  });

  it('takes the one that npm carries last, with its libraries and fonts', async () => {
    const carried = async () => '/unpacked';
    expect(await findChrome({ env: {}, places: [second()], carried })).toEqual({ path: second() });
    expect(await findChrome({ env: {}, places: [], carried })).toEqual({
      path: '/unpacked/chromium',
      carried: { libraries: '/unpacked/lib:/unpacked', fonts: '/unpacked/fonts' },
    });
  });

  it('says how to get one where there is none', async () => {
    await expect(findChrome({ env: {}, places: [folder], carried: nothing })).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringMatching(/^no Chrome was found: install .*CHROME_PATH.*npm install @sparticuz/),
    });
  });

  it.each([
    ['no file', () => join(folder, 'missing')],
    ['a folder', () => folder],
  ])('refuses %s in CHROME_PATH, and takes no other Chrome instead', async (_, path) => {
    const found = findChrome({ env: { CHROME_PATH: path() }, places: [second()], carried: nothing });
    await expect(found).rejects.toMatchObject({
      exitCode: 2,
      message: `CHROME_PATH=${path()}: found no program there, expected the executable of Chrome`,
    });
  });
});

describe('a Chrome that does not start', () => {
  it.each([
    [
      'ends at once',
      'echo "[12:34:ERROR:ui.cc(99)] Missing X server" >&2; exit 7',
      'it ended with exit code 7; it said: Missing X server',
    ],
    [
      'lacks a library',
      'echo "chrome: error while loading shared libraries: libnss3.so: cannot open shared object file" >&2; exit 127',
      'the system lacks the library libnss3.so',
    ],
    ['crashes', 'kill -SEGV $$', 'it was ended by SIGSEGV'],
  ])('%s: one line with the reason, and no profile stays', async (name, script, reason) => {
    const path = program(name.replaceAll(' ', '-'), script);
    await expect(start(path)).rejects.toMatchObject({
      exitCode: 1,
      message: `Chrome cannot start (${path}): ${reason}`,
    });
    expect(leftOver()).toEqual(NOTHING);
  });

  it('for want of a temporary folder: one line that names it', async () => {
    const path = program('never', 'exit 0');
    process.env.TMPDIR = join(folder, 'nowhere');
    try {
      await expect(start(path)).rejects.toMatchObject({
        exitCode: 1,
        message:
          `Chrome cannot start (${path}): its profile cannot be made in the temporary folder ` +
          `${join(folder, 'nowhere')} (ENOENT); name another one in TMPDIR`,
      });
    } finally {
      process.env.TMPDIR = profiles;
    }
  });

  it('is given up when it does not answer', async () => {
    const path = program('mute', 'echo "Failed to connect to the display" >&2; sleep 1000 & wait');
    await expect(start(path, { startSeconds: 0.5 })).rejects.toMatchObject({
      exitCode: 1,
      message: `Chrome cannot start (${path}): no answer within 0.5 s; it said: Failed to connect to the display`,
    });
    expect(leftOver()).toEqual(NOTHING);
  });

  it('is ended by the signal while it keeps silent, its children too', async () => {
    const path = program('silent', `sh -c 'sleep 1000; :' ${profiles} & wait`);
    const controller = new AbortController();
    const starting = start(path, { signal: controller.signal });
    await expect.poll(() => processesWith(profiles).length).toBe(2);
    controller.abort(new Error('enough'));
    await expect(starting).rejects.toThrow('enough');
    expect(leftOver()).toEqual(NOTHING);
  });

  it('is not started at all after the signal', async () => {
    const started = join(folder, 'started');
    const path = program('tells', `mkdir ${started}`);
    await expect(start(path, { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before');
    mkdirSync(started);
    expect(leftOver()).toEqual(NOTHING);
  });
});

describe('a profile', () => {
  it('of a scree that was killed is removed by the next one', async () => {
    // Ends as Chrome does, when the pipes to it close.
    const CHROME_PATH = program('waits', 'cat <&3 >/dev/null');
    const env = { CHROME_PATH, TMPDIR: profiles };
    const killed = startScree(['bench', '--browser', '--adapter', 'software'], { cwd: folder, env });
    await expect.poll(() => leftOver().folders.length, { timeout: 60_000 }).toBe(1);
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(leftOver().folders).toHaveLength(1);
    await expect(start(program('ends', 'exit 1'))).rejects.toThrow('exit code 1');
    expect(leftOver().folders).toEqual([]);
  });
});

describe('a running Chrome', () => {
  const isCarried = process.platform === 'linux' && process.arch === 'x64';
  it.runIf(isCarried)('shows text by the fonts that npm carries where the system has none', async () => {
    const none = join(folder, 'no & <fonts>.conf');
    writeFileSync(none, '<?xml version="1.0"?><fontconfig></fontconfig>');
    const program = await findChrome({ env: {}, places: [] });
    const env = { ...process.env, FONTCONFIG_FILE: none };
    const chrome = await launchChrome({ adapter: 'software', program, env });
    try {
      const page = await chrome.browser.newPage();
      await page.setContent('<span>text</span>');
      const { width, height } = await page.$eval('span', (span) => span.getBoundingClientRect().toJSON());
      expect(Math.min(width, height)).toBeGreaterThan(10);
      const session = await page.createCDPSession();
      for (const domain of ['DOM.enable', 'CSS.enable'] as const) await session.send(domain);
      const { root } = await session.send('DOM.getDocument');
      const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'span' });
      const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
      expect(fonts.map(({ familyName }) => familyName)).toEqual(['Open Sans']);
    } finally {
      await chrome.close();
    }
    expect(leftOver()).toEqual(NOTHING);
  });

  it('answers, and ends with all its processes and its profile', async () => {
    const chrome = await launchChrome({ adapter: 'software' });
    expect(chrome.version).toMatch(/Chrome\/\d+/);
    const page = await chrome.browser.newPage();
    expect(await page.evaluate(() => 6 * 7)).toBe(42);
    expect(leftOver().folders).toHaveLength(1);
    expect(processesOfGroup(chrome.pid).length).toBeGreaterThan(1);
    await chrome.close();
    await chrome.close();
    expect(leftOver()).toEqual(NOTHING);
    expect(processesOfGroup(chrome.pid)).toEqual([]);
  });

  it('that is killed is told of, and leaves nothing behind', async () => {
    const chrome = await launchChrome({ adapter: 'software' });
    process.kill(chrome.pid, 'SIGKILL');
    await expect(chrome.lost).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringMatching(/^Chrome ended in the middle of the work: it was ended by SIGKILL/),
    });
    await chrome.close();
    expect(leftOver()).toEqual(NOTHING);
    expect(processesOfGroup(chrome.pid)).toEqual([]);
  });
});
