import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { temporaryFolder, withoutModule } from './scree.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = temporaryFolder();
// A project that has installed scree.
mkdirSync(join(folder, 'node_modules'));
symlinkSync(root, join(folder, 'node_modules/scree'));
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');

/** Runs a script in Node, its types taken off. */
async function run(script: string, ...node: string[]) {
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };
  writeFileSync(
    join(folder, 'script.js'),
    ts.transpileModule(script, { compilerOptions: options }).outputText,
  );
  return promisify(execFile)(process.execPath, [...node, 'script.js'], { cwd: folder });
}

it('where the package webgpu is missing, openDevice says how to go on without, and that works', async () => {
  const script = `
    import { gridPoints, openDevice, Polyhedron, unitSphere } from 'scree';
    const mesh = unitSphere(2);
    const message = await openDevice().then(() => 'opened', (error) => error.message);
    const body = await Polyhedron.create(undefined, mesh);
    const { counts, backend } = await body.classify(gridPoints(mesh.box, 4));
    console.log(JSON.stringify({ message, counts, backend }));
  `;
  const { stdout } = await run(script, ...withoutModule('webgpu'));
  const { message, counts, backend } = JSON.parse(stdout);
  expect(message).toMatch(/^WebGPU is not available in this Node: [^\n]*npm install webgpu [^\n]*$/);
  expect(message).toContain('Polyhedron.create(undefined, mesh)');
  expect(counts.points).toBe(64);
  expect(backend).toBe('cpu');
});
