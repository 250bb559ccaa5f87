import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COPY_SHADER } from '../../src/bench/points/copy.ts';
import { assembleShader, compileShader, createComputePipeline } from '../../src/gpu/shader.ts';
import { useDevice } from '../support/device.ts';
import { shaders as ofLibrary } from '../support/shaders.ts';

const device = useDevice();
// The benchmark's, which is no part of the library, writes its own bindings.
const shaders = [...ofLibrary, () => assembleShader(COPY_SHADER, [])];
const folder = resolve(import.meta.dirname, '../../shaders');
const files = (readdirSync(folder, { recursive: true }) as string[])
  .filter((file) => file.endsWith('.wgsl'))
  .map((file) => file.replaceAll('\\', '/'));

const textOf = (file: string) => readFileSync(join(folder, file), 'utf8');
/** What kernels require has no entry point of its own, and what they are given in its place has none. */
const parts = new Set([
  ...files.flatMap((file) => [...textOf(file).matchAll(/^\/\/ requires (\S+)/gm)].map(([, part]) => part!)),
  ...['common/group-scan-memory.wgsl', 'common/group-scan-subgroups.wgsl', 'convex/pair/part-unmoved.wgsl'],
]);
const isPart = (file: string) => parts.has(file);

describe('every shader', () => {
  it('is known to the test: a file that nobody assembles is dead or untested', () => {
    // EPA's kernel has a name for every size of its polytope. Kernels for subgroups have the texts of those for
    // workgroups.
    const kernels = new Set(
      shaders.map((shader) =>
        shader()
          .name.replace(/-\d+\.wgsl$/, '.wgsl')
          .replace('gpu/subgroups/', 'gpu/workgroup/'),
      ),
    );
    expect(files.filter((file) => !isPart(file)).sort()).toEqual([...kernels].sort());
  });

  it('compiles on the adapter at hand without a word from the compiler', async () => {
    for (const shader of shaders) {
      const { messages } = await compileShader(device(), shader());
      expect(messages, shader().name).toEqual([]);
    }
  });

  it('has one entry point, named for what it does, and no loop variable without a value', () => {
    for (const file of files) {
      const code = textOf(file).replaceAll(/\/\/.*$/gm, '');
      // Passes that draw have a file for each of their two entry points.
      const entries = [...code.matchAll(/@(?:compute|vertex|fragment)[^{]*?fn\s+(\w+)/g)].map(
        (match) => match[1],
      );
      expect(entries.length, file).toBe(isPart(file) ? 0 : 1);
      expect(entries, file).not.toContain('main');
      const stem = file.split('/').at(-1)!.replace('.wgsl', '');
      if (entries.length > 0)
        expect(entries[0], file).toBe(stem.replaceAll(/-(\w)/g, (_, c: string) => c.toUpperCase()));
      // Arrays that are written before they are read are the one kind of variable that may go without.
      expect(code.match(/\bvar\s+\w+\s*:(?!\s*array)[^=;]*;/g) ?? [], file).toEqual([]);
    }
  });
});

describe('the assembler', () => {
  it('puts required parts first, each once, and names file and line of an error', async () => {
    const two = { name: 'two', code: 'fn two() -> u32 { return 2u; }' };
    const one = { name: 'one', code: 'fn one() -> u32 { return two(); }', requires: [two] };
    const code = '\n\n@compute @workgroup_size(1)\nfn k() {\n  let x: u32 = one() + 1.5;\n}';
    const kernel = { name: 'k.wgsl', code, requires: [one, two] };
    const shader = assembleShader(kernel, []);
    expect(shader.code.match(/fn two/g)).toHaveLength(1);
    expect(shader.code.indexOf('fn two')).toBeLessThan(shader.code.indexOf('fn one'));
    const { messages } = await compileShader(device(), shader);
    expect(messages[0]).toMatchObject({ type: 'error', file: 'k.wgsl', line: 5 });
    const layout = device().handle.createPipelineLayout({ bindGroupLayouts: [] });
    await expect(createComputePipeline(device(), shader, { entryPoint: 'k', layout })).rejects.toThrow(
      /^k\.wgsl:5: [^\n]+$/,
    );
  });

  it('puts what is given in the place of a part, and refuses a part without a file that is not given', () => {
    const requires = [{ name: 'given', code: '' }];
    const kernel = { name: 'k.wgsl', code: 'fn k() {}', requires };
    expect(() => assembleShader(kernel, [])).toThrow(/k\.wgsl: requires "given"/);
    const parts = { given: { name: 'mine', code: 'fn mine() {}' } };
    const shader = assembleShader(kernel, [], { name: 'k-mine.wgsl', parts });
    expect(shader.code.split('\n').slice(-2)).toEqual(['fn mine() {}', 'fn k() {}']);
    expect(shader.name).toBe('k-mine.wgsl');
  });
});
