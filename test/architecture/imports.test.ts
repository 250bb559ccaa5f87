import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const source = join(root, 'src');

/** What the files of a folder (or a file) directly below src/ may import, besides themselves. One way only. */
const allowed: Record<string, readonly string[]> = {
  'errors.ts': [],
  'constants.ts': [],
  'arguments.ts': ['errors.ts'],
  platform: ['errors.ts'],
  mesh: ['errors.ts', 'arguments.ts', 'constants.ts', 'platform'],
  gpu: ['errors.ts', 'arguments.ts', 'constants.ts', 'platform'],
  workers: ['platform'],
  inside: ['errors.ts', 'arguments.ts', 'constants.ts', 'platform', 'mesh', 'gpu', 'workers'],
  convex: ['errors.ts', 'arguments.ts', 'constants.ts', 'platform', 'mesh', 'gpu', 'workers'],
  'worker.ts': ['platform', 'workers', 'inside', 'convex'],
  io: ['errors.ts', 'arguments.ts', 'constants.ts', 'platform', 'mesh'],
  'index.ts': ['errors.ts', 'mesh', 'gpu', 'inside', 'convex', 'io'],
  bench: ['errors.ts', 'index.ts'],
  cli: ['index.ts', 'bench'],
};

/** Files that need more than their unit: Chrome is unpacked as the software adapter is, temporary files are made as there. */
const exceptions: Record<string, readonly string[]> = {
  'cli/chrome.ts': ['platform/npm-carried.ts', 'platform/temporary.ts'],
  'cli/chrome-process.ts': ['platform/temporary.ts'],
  'cli/files.ts': ['platform/folders.ts'],
  'cli/format.ts': ['errors.ts'],
  'cli/input.ts': ['platform/node-files.ts'],
  'cli/output.ts': ['platform/temporary.ts'],
};

const nameOf = (file: string) => relative(source, file).replaceAll('\\', '/');

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:\bfrom\s+|\bimport\s*\(?\s*)'([^']+)'/g)].map((match) => match[1]!);
}

const unitOf = (file: string) => relative(source, file).split(/[\\/]/)[0]!;

const files = filesBelow(source);

it('every file of src/ belongs to a unit with known imports', () => {
  const unknown = files.map(unitOf).filter((unit) => !(unit in allowed));
  expect(unknown).toEqual([]);
});

it('imports go one way', () => {
  const wrong: string[] = [];
  for (const file of files) {
    const unit = unitOf(file);
    for (const target of importsOf(file)) {
      let other: string | undefined;
      if (target === '#platform') other = 'platform';
      else if (target.startsWith('.') && !target.endsWith('?raw'))
        other = unitOf(resolve(dirname(file), target));
      if (other === undefined || other === unit || allowed[unit]?.includes(other)) continue;
      if (exceptions[nameOf(file)]?.includes(nameOf(resolve(dirname(file), target)))) continue;
      wrong.push(`${relative(root, file)} imports ${target}`);
    }
  }
  expect(wrong).toEqual([]);
});

it('no files import each other in a circle', () => {
  const graph = new Map(
    files.map((file) => [
      file,
      importsOf(file)
        .filter((target) => target.startsWith('.') && target.endsWith('.ts'))
        .map((target) => resolve(dirname(file), target)),
    ]),
  );
  const state = new Map<string, 'open' | 'done'>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      circles.push([...path.slice(path.indexOf(file)), file].map((f) => relative(source, f)).join(' -> '));
      return;
    }
    state.set(file, 'open');
    for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
    state.set(file, 'done');
  };
  for (const file of files) visit(file, []);
  expect(circles).toEqual([]);
});

it('node: modules are imported only by the platform of Node and the command line', () => {
  const wrong = files
    .filter((file) => importsOf(file).some((target) => target.startsWith('node:')))
    .map((file) => relative(source, file))
    .filter(
      (file) =>
        !file.startsWith('cli') &&
        !/^platform[\\/](node|node-files|npm-carried|software-adapter|temporary|folders)\.ts$/.test(file),
    );
  expect(wrong).toEqual([]);
});

it('only src/gpu and the host files of kernels speak WebGPU', () => {
  const wrong = files
    .map((file) => relative(source, file))
    .filter((file) => !/^(gpu|platform|inside|convex)[\\/]|^bench[\\/]copy\.ts$/.test(file))
    .filter((file) => /\bGPU[A-Z]\w+/.test(readFileSync(join(source, file), 'utf8')));
  expect(wrong).toEqual([]);
});
