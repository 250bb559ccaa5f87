import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildApplication } from '../support/application.ts';

const folder = mkdtempSync(join(tmpdir(), 'scree-application-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('an application', () => {
  it('builds with Vite as it comes, and takes the worker along', async () => {
    await buildApplication(
      folder,
      "import { openDevice, Polyhedron } from 'scree';\nglobalThis.made = [openDevice, Polyhedron];\n",
    );
    const assets = readdirSync(join(folder, 'out/assets'));
    const worker = assets.find((file) => file.startsWith('scree.worker'));
    expect(worker).toBeDefined();
    const main = assets.find((file) => file.startsWith('index'))!;
    expect(readFileSync(join(folder, 'out/assets', main), 'utf8')).toContain(worker);
  });
});
