/** The library in Deno, which has another WebGPU than Node and Chrome: wgpu, as Firefox has. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageFolder } from '../../src/platform/npm-carried.ts';
import { shaders } from '../support/shaders.ts';
import { type Parts, picture, scree } from './program.ts';

/** The program that npm has installed for this system. Undefined if there is none. */
function denoProgram(): string | undefined {
  const { platform, arch } = process;
  const name = `@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}`;
  try {
    // Its own postinstall script is not needed.
    const folder = resolve(createRequire(import.meta.url).resolve(`${name}/package.json`), '..');
    return join(folder, platform === 'win32' ? 'deno.exe' : 'deno');
  } catch {
    return undefined;
  }
}

const deno = denoProgram();
const isCarried =
  process.platform === 'linux' && process.arch === 'x64' && (await packageFolder()) !== undefined;
const reason =
  deno === undefined ? 'npm has no Deno for this system' : 'npm has no software adapter for this system';
const isSkipped = deno === undefined || !isCarried;

describe.skipIf(isSkipped)(`in Deno${isSkipped ? ` (skipped: ${reason})` : ''}`, () => {
  let folder: string;
  let running: ChildProcess;
  let answers: Interface;
  let ended: Promise<never>;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'scree-deno-'));
    const program = join(import.meta.dirname, 'program.ts');
    const args = ['run', '-A', '--no-lock', '--no-remote', '--cached-only', program, folder];
    // Nothing is fetched, and nothing is left outside the folder.
    const env = { ...process.env, DENO_DIR: join(folder, 'cache'), DENO_NO_UPDATE_CHECK: '1' };
    running = spawn(deno!, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
    answers = createInterface({ input: running.stdout! });
    ended = once(running, 'exit').then(([code]) => Promise.reject(new Error(`Deno ended with ${code}`)));
    ended.catch(() => {});
  });
  afterAll(async () => {
    running.stdin!.end();
    await ended.catch(() => {});
    rmSync(folder, { recursive: true });
  });

  /** What the process of Deno answers about a part. */
  async function ask<Part extends keyof Parts>(part: Part): Promise<Awaited<ReturnType<Parts[Part]>>> {
    running.stdin!.write(`${part}\n`);
    const [line] = await Promise.race([once(answers, 'line'), ended]);
    const { value, error } = JSON.parse(line);
    if (error !== undefined) throw new Error(error);
    return value;
  }

  it('every module compiles without a word from the compiler', async () => {
    writeFileSync(join(folder, 'modules.json'), JSON.stringify(shaders.map((shader) => shader())));
    const { complaints, leftOut } = await ask('modules');
    expect(complaints).toEqual([]);
    // wgpu has no subgroups so far. Where it has, all of these are compiled as well.
    expect(leftOut!.filter((name) => !name.startsWith('gpu/subgroups/'))).toEqual([]);
  });

  it('flags by each method are those of exact predicates', async () => {
    const found = await ask('flags');
    expect(found.inside).toBeGreaterThan(500);
    expect(found.different).toEqual(Object.fromEntries(scree.METHODS.map((method) => [method, 0])));
  });

  it('convex pairs have the distances of worker threads', async () => {
    const found = await ask('pairs');
    expect(found).toMatchObject({ count: 4005, threads: 2 });
    expect(found.overlapping).toBeGreaterThan(500);
    // Both gaps, relative to the size of a pair, are 2^-20; pairs are up to 10 in size.
    expect(found.off).toBeLessThan(10 * 2 ** -19);
  });

  it('contacts are those of the CPU', async () => {
    const found = await ask('contacts');
    expect(found.different).toBe(0);
    // Each kind on its like, and on the ground where it reaches it.
    expect(found.pairs).toBeGreaterThan(15);
    // 2^-17 of a pair's size, as in docs/contacts.md.
    expect(found.off).toBeLessThan(4 * 2 ** -17);
  });

  it('two hundred steps of each kind of body, resumed without contacts, are those of the CPU', async () => {
    const { before, contacts, moved, off, scale, energiesOff } = await ask('steps');
    expect(before).toEqual([0, 0]);
    expect(contacts[0]).toBe(contacts[1]);
    expect(contacts[0]).toBeGreaterThan(50);
    expect(moved).toBeGreaterThan(0.3);
    // Depths are off by 2^-20 of a size, and each collision makes ten times of that: bodies have two.
    expect(off).toBeLessThan(1e-3);
    expect(energiesOff / scale).toBeLessThan(1e-3);
  });

  it('two balls alone are drawn and move: nothing of length 0 is written', async () => {
    const { colors, contacts } = await ask('balls');
    expect(colors).toBeGreaterThan(10);
    expect(contacts).toEqual([1, 0]);
  });

  it('a law that does not compile is told with its line and the reason', async () => {
    expect(await ask('law')).toMatch(/^law-broken\.wgsl:[12]: \S[^\n]+$/);
  });

  it('a picture is that of Node', async () => {
    const device = await scree.openDevice();
    const expected = await picture(device);
    device.destroy();
    const found = await ask('picture');
    expect(new Set(expected).size).toBeGreaterThan(100);
    const different = expected.filter((value, i) => Math.abs(value - found[i]!) > 3);
    expect(different.length / expected.length).toBeLessThan(0.01);
  });

  it('files are read, packed ones as well, and points come out of them chunk after chunk', async () => {
    expect(await ask('files')).toEqual({ triangles: 512, points: 1000, off: 0 });
  });
});
