import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileAtomically, writeFileAtomically } from '../../src/cli/output.ts';
import { InputError } from '../../src/errors.ts';
import { encodeNpyHeader } from '../../src/io/npy.ts';
import { ownerOf } from '../../src/platform/temporary.ts';
import { scree, startScree, temporaryFolder } from './scree.ts';

const folder = temporaryFolder();

describe('writeFileAtomically', () => {
  it('writes bytes and text, and replaces a file', async () => {
    const path = join(folder, 'a.bin');
    await writeFileAtomically(path, new Uint8Array([1, 2, 3]));
    expect([...readFileSync(path)]).toEqual([1, 2, 3]);
    await writeFileAtomically(path, 'text');
    expect(readFileSync(path, 'utf8')).toBe('text');
    expect(readdirSync(folder)).toEqual(['a.bin']);
  });

  it('keeps the old file and leaves no other when it is aborted', async () => {
    const path = join(folder, 'a.bin');
    writeFileSync(path, 'old');
    const reason = new Error('stop');
    await expect(writeFileAtomically(path, 'new', { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    const controller = new AbortController();
    const writing = writeFileAtomically(path, new Uint8Array(1 << 24), { signal: controller.signal });
    controller.abort(reason);
    await expect(writing).rejects.toBe(reason);
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['a.bin']);
  });

  it('names the path where the folder is missing or the name is taken by a folder', async () => {
    const missing = writeFileAtomically(join(folder, 'no/a.bin'), 'x');
    await expect(missing).rejects.toThrow(InputError);
    await expect(missing).rejects.toThrow(/no\/a\.bin: cannot be written: no such folder: .*\/no$/);
    mkdirSync(join(folder, 'taken'));
    await expect(writeFileAtomically(join(folder, 'taken'), 'x')).rejects.toThrow(
      /taken: cannot be written: [^\n]+$/,
    );
    expect(readdirSync(folder).sort()).toEqual(['a.bin', 'taken']);
  });
});

describe('createFileAtomically', () => {
  it('looks for leftovers of killed processes once in a folder', async () => {
    const own = join(folder, 'many');
    mkdirSync(own);
    // No process has this number.
    const owner = ownerOf(process.pid).replace(/^\d+/, '4194999');
    const leave = (name: string) => writeFileSync(join(own, `.scree-${owner}-${name}.tmp`), '');
    leave('aa');
    await writeFileAtomically(join(own, 'a.bin'), 'x');
    expect(readdirSync(own)).toEqual(['a.bin']);
    leave('bb');
    await writeFileAtomically(join(own, 'b.bin'), 'x');
    expect(readdirSync(own)).toHaveLength(3);
    rmSync(own, { recursive: true });
  });

  it('is there as a whole after commit, and replaces a file', async () => {
    const path = join(folder, 'b.bin');
    writeFileSync(path, 'old');
    const before = readdirSync(folder);
    const file = await createFileAtomically(path);
    await file.write(Uint8Array.of(1, 2));
    await file.write(new Uint8Array(0));
    await file.write(new Uint8Array(1 << 20).fill(3));
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toHaveLength(before.length + 1);
    await file.commit();
    await file.discard();
    const bytes = readFileSync(path);
    expect([bytes.length, ...bytes.subarray(0, 3)]).toEqual([2 + (1 << 20), 1, 2, 3]);
    expect(readdirSync(folder)).toEqual(before);
  });

  it('leaves nothing but the old file after discard', async () => {
    const path = join(folder, 'b.bin');
    writeFileSync(path, 'old');
    const before = readdirSync(folder);
    const file = await createFileAtomically(path);
    await file.write(Uint8Array.of(1, 2));
    await file.discard();
    await file.discard();
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(before);
  });

  it('names the path where it cannot be written', async () => {
    const before = readdirSync(folder);
    await expect(createFileAtomically(join(folder, 'no/b.bin'))).rejects.toThrow(
      /no\/b\.bin: cannot be written: no such folder: .*\/no$/,
    );
    mkdirSync(join(folder, 'a folder'));
    const file = await createFileAtomically(join(folder, 'a folder'));
    await expect(file.commit()).rejects.toThrow(/a folder: cannot be written: [^\n]+$/);
    await file.discard();
    expect(readdirSync(folder)).toEqual([...before, 'a folder'].sort());
  });
});

describe.runIf(process.platform !== 'win32')('a temporary name', () => {
  it('never writes through a link that somebody has put under its name', async () => {
    const place = mkdtempSync(join(folder, 'links-'));
    const victim = join(place, 'victim');
    writeFileSync(victim, 'untouched');
    const path = join(place, 'a.bin');
    const names = new Set<string>();
    const links = new Set<string>();
    for (let i = 0; i < 2; i++) {
      const file = await createFileAtomically(path);
      const [temporary] = readdirSync(place).filter((name) => name.endsWith('.tmp') && !links.has(name));
      names.add(temporary!);
      links.add(temporary!).add(`.a.bin.${process.pid + i}.tmp`);
      await file.discard();
      // An attacker who has seen one name puts links under it, and under names made from its parts.
      for (const name of links) if (!existsSync(join(place, name))) symlinkSync(victim, join(place, name));
    }
    expect(names.size).toBe(2);
    await writeFileAtomically(path, 'text');
    const file = await createFileAtomically(path);
    await file.write('more');
    await file.commit();
    expect(readFileSync(victim, 'utf8')).toBe('untouched');
    expect(readFileSync(path, 'utf8')).toBe('more');
  });

  it('does not take the place of a pipe', async () => {
    const path = join(folder, 'pipe.ply');
    execFileSync('mkfifo', [path]);
    const { code, stderr } = await scree(['generate', 'sphere', '--out', path]);
    expect(stderr).toBe(`scree: ${path}: cannot be written: there is a pipe or device of that name\n`);
    expect(code).toBe(2);
    expect(lstatSync(path).isFIFO()).toBe(true);
    rmSync(path);
  });

  it('of a process that was killed is gone after the next run, and that of a running one stays', async () => {
    const place = mkdtempSync(join(folder, 'killed-'));
    expect((await scree(['generate', 'sphere', '--out', 'ball.ply'], { cwd: place })).code).toBe(0);
    const half = async () => {
      execFileSync('mkfifo', [join(place, 'points.npy')]);
      const pipe = await open(join(place, 'points.npy'), 'r+');
      const points = ['--points', 'points.npy', '--chunk', '1000'];
      const running = startScree(
        ['classify', 'ball.ply', ...points, '--out', 'flags.npy', '--backend', 'cpu'],
        {
          cwd: place,
        },
      );
      // More bytes than are read for the header, and then nothing more.
      const some = [encodeNpyHeader('f4', [100_000, 3]), new Uint8Array(1 << 18)];
      await pipe.writeFile(Buffer.concat(some));
      return { ...running, close: () => pipe.close() };
    };
    const temporaries = () => readdirSync(place).filter((name) => name.endsWith('.tmp'));
    const killed = await half();
    await expect.poll(temporaries, { timeout: 60_000 }).toHaveLength(1);
    killed.child.kill('SIGKILL');
    await killed.ended;
    await killed.close();
    const [left] = temporaries();
    expect(left).toBeDefined();
    rmSync(join(place, 'points.npy'));
    const running = await half();
    await expect.poll(temporaries, { timeout: 60_000 }).not.toContain(left);
    await expect.poll(temporaries, { timeout: 60_000 }).toHaveLength(1);
    expect((await scree(['generate', 'sphere', '--out', 'ball.stl'], { cwd: place })).code).toBe(0);
    expect(temporaries()).toHaveLength(1);
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(143);
    await running.close();
    expect(readdirSync(place).sort()).toEqual(['ball.ply', 'ball.stl', 'points.npy']);
  });
});
