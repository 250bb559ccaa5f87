import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { afterAll, describe, expect, it } from 'vitest';
import { distFolder } from './scree.ts';

const folder = mkdtempSync(join(tmpdir(), 'scree-application-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('an application', () => {
  it('builds with Vite as it comes, and takes the worker along', async () => {
    writeFileSync(
      join(folder, 'index.html'),
      '<!doctype html><script type="module" src="/main.js"></script>',
    );
    writeFileSync(
      join(folder, 'main.js'),
      "import { openDevice, Polyhedron } from 'scree';\nglobalThis.made = [openDevice, Polyhedron];\n",
    );
    const modules = join(import.meta.dirname, '../../node_modules');
    await build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      resolve: {
        alias: [
          { find: /^scree$/, replacement: join(distFolder, 'index.browser.js') },
          { find: /^(typegpu|robust-predicates)/, replacement: `${modules}/$1` },
        ],
      },
      build: { outDir: 'out' },
    });
    const assets = readdirSync(join(folder, 'out/assets'));
    const worker = assets.find((file) => file.startsWith('scree.worker'));
    expect(worker).toBeDefined();
    const main = assets.find((file) => file.startsWith('index'))!;
    expect(readFileSync(join(folder, 'out/assets', main), 'utf8')).toContain(worker);
  });
});
