import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseReport } from '../../src/bench/report.ts';
import { scree, temporaryFolder } from './scree.ts';

const folder = temporaryFolder();

it('a quick run of suite contacts in the built program asks every way and measures nodes', async () => {
  const args = ['--suite', 'contacts', '--quick', '--adapter', 'software', '--out', 'out'];
  const { code, stdout } = await scree(['bench', ...args], { cwd: folder });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^[\d,]+ +answers of scree held against exact ones, none wrong/m);
  const report = parseReport(readFileSync(join(folder, 'out/report.json'), 'utf8'), 'report.json');
  const { packings, nodes } = report.contacts!;
  expect(new Set(packings.flatMap(({ runs }) => runs.map(({ way }) => way))).size).toBe(4);
  // The class of meshes that the command line hands over is the one that their tables are made of.
  expect(nodes).toHaveLength(2);
  expect(Object.keys(report.environment.versions)).toContain('@dimforge/rapier3d-simd-compat');
  expect(readFileSync(join(folder, 'out/report.html'), 'utf8')).toContain('<h2 id="contacts">');
});
