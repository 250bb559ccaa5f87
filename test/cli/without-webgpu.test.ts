import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { encodeMesh } from '../../src/mesh/write-mesh.ts';
import { scree, temporaryFolder, withoutModule } from './scree.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = temporaryFolder();
// A project that has installed scree.
mkdirSync(join(folder, 'node_modules'));
symlinkSync(root, join(folder, 'node_modules/scree'));
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');

/** Runs a script in Node, after removing its types. */
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

describe('where the package webgpu is missing, a command', () => {
  const node = withoutModule('webgpu');
  const classify = ['classify', 'sphere.ply', '--grid', '4'];
  beforeAll(() => writeFileSync(join(folder, 'sphere.ply'), encodeMesh(unitSphere(2), 'ply')));

  it.each([
    ['classify on the GPU', [...classify, '--backend', 'gpu'], 'the CPU: --backend cpu'],
    ['ray crossing', [...classify, '--method', 'ray-crossing'], 'the CPU: --method cell-grid --backend cpu'],
    [
      'the demo',
      ['demo', '--points', '8', '--triangles', '1000'],
      'the CPU for a mesh of yours: scree classify',
    ],
  ])('has advice for the command line: %s', async (_, args, advice) => {
    const { code, stdout, stderr } = await scree([...args, '--quiet'], { cwd: folder, node });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^scree: WebGPU is not available in this Node: [^\n]*npm install webgpu [^\n]*\n$/,
    );
    expect(stderr).toContain(`, or use ${advice}`);
    expect(stderr).not.toContain('undefined');
  });

  it('works on the CPU and says why, where the choice is free', async () => {
    const { code, stdout } = await scree([...classify, '--json'], { cwd: folder, node });
    expect(code).toBe(0);
    const { backend, reason, points } = JSON.parse(stdout);
    expect({ backend, points }).toEqual({ backend: 'cpu', points: 64 });
    expect(reason).toMatch(
      /; the body has no device \(WebGPU is not available in this Node: .*npm install webgpu /,
    );
    expect(reason).not.toContain('undefined');
  });
});
