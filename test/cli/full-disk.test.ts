import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeFileAtomically } from '../../src/cli/output.ts';
import { InputError, ScreeError } from '../../src/errors.ts';
import { scree, temporaryFolder } from './scree.ts';

const folder = temporaryFolder();
const posix = process.platform !== 'win32';

// With a limit on the size of files, writing fails in the middle, as on a full disk.
describe.runIf(posix)('where a file cannot grow', () => {
  it.each([
    ['generate', 'sphere', '--refinements', '5', '--out', 'out/a.ply'],
    ['build', 'sphere.ply', '--out', 'out/a.body'],
    ['classify', 'sphere.ply', '--points', 'sphere.ply', '--out', 'out/a.npy'],
    ['classify', 'sphere.ply', '--grid', '20', '--out', 'out/a.csv'],
  ])('scree %s %s ... fails with code 1, one line and no file', async (...args) => {
    await scree(['generate', 'sphere', '--refinements', '5', '--out', 'sphere.ply'], { cwd: folder });
    mkdirSync(join(folder, 'out'), { recursive: true });
    const { code, stdout, stderr } = await scree([...args, '--quiet'], { cwd: folder, fileBlocks: 4 });
    expect(stderr).toBe(
      `scree: ${args.at(-1)}: cannot be written: the file would be larger than the system allows\n`,
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(readdirSync(join(folder, 'out'))).toEqual([]);
  });
});

describe('a path that is no good', () => {
  it('is bad input all the same', async () => {
    await expect(writeFileAtomically(join(folder, 'no/a.bin'), 'x')).rejects.toThrow(InputError);
  });
});

// The memory of the process itself. It can be opened, but its beginning cannot be read.
const UNREADABLE = '/proc/self/mem';
describe.runIf(existsSync(UNREADABLE))('a file that the device cannot read', () => {
  it('fails with code 1, whatever reads it', async () => {
    const { code, stderr } = await scree(['check', UNREADABLE]);
    expect(stderr).toMatch(/^scree: \/proc\/self\/mem: the device failed \(input\/output error\)\n$/);
    expect(code).toBe(1);
    const { openPoints, readMesh } = await import('../../src/index.ts');
    for (const read of [readMesh, openPoints]) {
      const error = await read(UNREADABLE).then(
        () => undefined,
        (e: unknown) => e,
      );
      expect(error).toBeInstanceOf(ScreeError);
      expect(error).toMatchObject({
        exitCode: 1,
        message: expect.stringMatching(/^\/proc\/self\/mem: [^\n]+$/),
      });
    }
  });
});
