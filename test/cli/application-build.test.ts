import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildApplication } from '../support/application.ts';

const folder = mkdtempSync(join(tmpdir(), 'scree-application-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The size of a page that uses these names of the library and nothing else. */
const using = (...names: string[]) =>
  buildApplication(
    folder,
    `import { ${names.join(', ')} } from 'scree';\nglobalThis.used = [${names.join(', ')}];\n`,
  );

describe('an application', () => {
  it('that uses one small function carries that and nothing else', async () => {
    const { initial, later } = await using('unitSphere');
    expect(initial).toBeLessThan(10_000);
    expect(later).toEqual({});
  });

  it.each([
    // A kernel of each family.
    ['Polyhedron', ['cellLookUp', 'crossings', 'solidAngles', 'evaluate']],
    ['ConvexBatch', ['gjkVoronoi']],
  ])('that uses %s alone starts without kernels, and loads them family by family', async (name, kernels) => {
    const { initial, later } = await using(name);
    expect(initial).toBeLessThan(150_000);
    const files = kernels.map((kernel) =>
      Object.keys(later).filter((file) =>
        readFileSync(join(folder, 'out', file), 'utf8').includes(`fn ${kernel}(`),
      ),
    );
    expect(files.map(({ length }) => length)).toEqual(kernels.map(() => 1));
    expect(new Set(files.flat()).size).toBe(kernels.length);
  });

  it('builds with Vite as it comes, and takes the worker along', async () => {
    await buildApplication(
      folder,
      "import { openDevice, Polyhedron } from 'scree';\nglobalThis.made = [openDevice, Polyhedron];\n",
    );
    const assets = readdirSync(join(folder, 'out/assets'));
    const worker = assets.find((file) => file.startsWith('scree.worker'));
    expect(worker).toBeDefined();
    const scripts = assets.filter((file) => file.endsWith('.js') && file !== worker);
    const naming = scripts.filter((file) =>
      readFileSync(join(folder, 'out/assets', file), 'utf8').includes(worker!),
    );
    expect(naming).toHaveLength(1);
  });
});
