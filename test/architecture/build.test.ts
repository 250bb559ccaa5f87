import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import * as api from '../../src/index.ts';

const dist = resolve(import.meta.dirname, '../../dist');

it('dist/index.js exports the public API and nothing else', async () => {
  const built = await import(/* @vite-ignore */ pathToFileURL(join(dist, 'index.js')).href);
  expect(Object.keys(built).sort()).toEqual(Object.keys(api).sort());
});

it('declarations name no module that the package does not have', () => {
  const types = join(dist, 'types');
  const files = readdirSync(types, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.d.ts'),
  );
  expect(files.length).toBeGreaterThan(50);
  for (const file of files) {
    const code = readFileSync(join(types, file), 'utf8');
    for (const [, module] of code.matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)) {
      expect(module, file).not.toMatch(/^#/);
      if (module!.startsWith('.')) {
        expect(
          existsSync(join(types, file, '..', module!.replace(/\.ts$/, '.d.ts'))),
          `${file}: ${module}`,
        ).toBe(true);
      }
    }
  }
});

it('declarations are good for users who have theirs checked, WebGPU types included', () => {
  const folder = mkdtempSync(join(tmpdir(), 'scree-types-'));
  try {
    const root = resolve(dist, '..');
    writeFileSync(
      join(folder, 'use.ts'),
      `import { ConvexBatch, openDevice, Polyhedron } from ${JSON.stringify(join(dist, 'types/index.js'))};
       const device = await openDevice();
       // @ts-expect-error: it is not any
       const handle: number = device.handle;
       export { ConvexBatch, Polyhedron, handle };`,
    );
    const options = {
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2023', 'dom'],
      strict: true,
      noEmit: true,
    };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: { ...options, types: [], skipLibCheck: false },
        files: ['use.ts'],
      }),
    );
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
    expect(stdout).toBe('');
    expect(status).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
