import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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
  expect(files.length).toBeGreaterThan(30);
  for (const file of files) {
    const code = readFileSync(join(types, file), 'utf8');
    for (const [, module] of code.matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)) {
      // Only the package's own modules: other packages would have to be installed just for their types.
      expect(module, file).toMatch(/^\./);
      expect(
        existsSync(join(types, file, '..', module!.replace(/\.ts$/, '.d.ts'))),
        `${file}: ${module}`,
      ).toBe(true);
    }
  }
});

/** What the compiler says about a project that imports the declarations and checks them as well. */
function compile(
  code: string,
  compiler: 'typescript' | 'typescript-7',
  options: { lib: string[]; types: string[] },
): string {
  const root = resolve(dist, '..');
  const folder = mkdtempSync(join(tmpdir(), 'scree-types-'));
  try {
    // Types of Node are found beside the project.
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(
      join(folder, 'use.ts'),
      code.replaceAll("'scree'", JSON.stringify(join(dist, 'types/index.js'))),
    );
    const common = { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, skipLibCheck: false };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...common, ...options }, files: ['use.ts'] }),
    );
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const tsc = join(root, 'node_modules', compiler, 'bin/tsc');
    return spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' }).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const USE = `
  import * as scree from 'scree';
  const mesh = scree.unitSphere(4);
  const device = await scree.openDevice({ powerPreference: 'low-power' });
  const body = await scree.Polyhedron.create(device, mesh);
  const points = await scree.readPoints('points.npy');
  const { flags } = await body.classify(points);
  const { values, bounds } = await body.windingNumber(points);
  const batch = await scree.ConvexBatch.create(undefined, [{ kind: 'sphere', radius: 1 }]);
  const found = await batch.query({ poses: new Float32Array(14), pairs: Uint32Array.of(0, 1), kind: 'manifold' });
  const largest: number = device.limits['maxBufferSize'];
`;

/** Code with all results of scree that a user may want to save. */
const SAVE = `
  for await (const { flags } of body.classifyStream(await scree.openPoints('points.npy'))) new Blob([flags]);
  for await (const chunk of await scree.openPoints('points.npy')) new Blob([chunk]);
  export const saved = new Blob([
    scree.encodeVtp({ points, flags }), scree.encodeVtpSurface(mesh), scree.encodeCsv({ points, flags }),
    scree.encodeNpy(flags, [flags.length]), scree.encodeNpyHeader('u1', [1]), scree.encodeMesh(mesh, 'ply'),
    flags, points, values, bounds, scree.exactFlags(mesh, points), scree.gridPoints(mesh.box, 8), await body.save(),
    scree.parseNpy(new Uint8Array(1), 'a').data,
    found.distance, found.lower, found.upper, found.normal, found.pointA, found.pointB, found.status, found.iterations,
    found.contactCounts, found.contacts, found.pairs,
  ]);
`;

it('declarations are good for users who have theirs checked, WebGPU types included', () => {
  const handle = `
    const handle: GPUDevice = device.handle;
    // @ts-expect-error: it is not any
    const wrong: number = device.handle;
    export { handle, largest, wrong };
  `;
  expect(compile(USE + SAVE + handle, 'typescript', { lib: ['es2023', 'dom'], types: [] })).toBe('');
});

it('declarations are good for Node without the DOM library', () => {
  const save = `
    import { writeFile } from 'node:fs/promises';
    await writeFile('flags.npy', scree.encodeNpy(flags, [flags.length]));
    export { bounds, found, largest, values };
  `;
  expect(compile(USE + save, 'typescript-7', { lib: ['es2023'], types: ['node'] })).toBe('');
});
