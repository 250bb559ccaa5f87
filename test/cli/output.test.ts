import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileAtomically, writeFileAtomically } from '../../src/cli/output.ts';
import { InputError } from '../../src/errors.ts';
import { temporaryFolder } from './scree.ts';

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
