import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtShaders } from '../support/shaders.ts';
import { distFolder } from './scree.ts';

const read = (file: string) => readFileSync(join(distFolder, file), 'utf8');

/** What a file of dist/ imports before anything runs, and with `later` also what it imports when needed. */
function importsOf(file: string, { later = false } = {}): string[] {
  // Bundles of worker threads are minified.
  const atOnce = [
    ...read(file).matchAll(/(?<=^|;)(?:import|export)\b(?:[^'";]*?\bfrom)? ?["']([^"']+)["'];/gm),
  ];
  const onDemand = later ? [...read(file).matchAll(/\bimport\(["'`]([^"'`]+)["'`]\)/g)] : [];
  return [...atOnce, ...onDemand].map((match) => match[1]!);
}

/** A file of dist/, all files that it loads in this way, and the packages that these import. */
function loadedBy(file: string, platform: 'node' | 'deno' | 'browser', how: { later?: boolean } = {}) {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (path: string): void => {
    if (files.has(path)) return;
    files.add(path);
    for (const name of importsOf(path, how)) {
      if (name === '#platform') visit(`platform/${platform}.js`);
      else if (name.startsWith('.')) visit(join(dirname(path), name));
      else packages.add(name);
    }
  };
  visit(file);
  return { files: [...files], packages: [...packages].sort() };
}

const codeOf = ({ files }: { files: readonly string[] }) => files.map(read).join('');

describe('the build', () => {
  it('carries every kernel inside the library, and loads none before it is used', () => {
    for (const platform of ['node', 'deno', 'browser'] as const) {
      const all = loadedBy('index.js', platform, { later: true });
      const code = codeOf(all);
      for (const { name, code: kernel } of builtShaders.map((shader) => shader())) {
        const entry = /@compute[^{]*?(fn \w+\()/.exec(kernel)![1]!;
        expect(code, name).toContain(entry);
      }
      const atOnce = loadedBy('index.js', platform);
      expect(codeOf(atOnce)).not.toContain('@compute');
      expect(atOnce.packages).not.toContain('typegpu');
    }
  });

  it('imports no module of Node in browsers', () => {
    const { files, packages } = loadedBy('index.js', 'browser', { later: true });
    expect(files).toContain('platform/browser.js');
    expect(packages).toEqual(['ml-matrix', 'robust-predicates', 'typegpu', 'typegpu/data', 'wgpu-matrix']);
  });

  it('has a bundle of its worker threads, complete in itself, beside the file that starts them', () => {
    for (const [platform, name, packages] of [
      ['node', 'scree.worker.js', ['robust-predicates', 'wgpu-matrix']],
      ['browser', 'scree.worker.browser.js', []],
    ] as const) {
      expect(read(`platform/${platform}.js`)).toContain(`"./${name}"`);
      const worker = loadedBy(`platform/${name}`, platform, { later: true });
      expect(worker.files).toEqual([`platform/${name}`]);
      expect(worker.packages.filter((one) => !/^(node:|webgpu$|nanotar$)/.test(one))).toEqual(packages);
    }
  });

  it('loads parts of the library in the command line only when a command asks for them', () => {
    expect(read('cli.js').startsWith('#!/usr/bin/env node\n')).toBe(true);
    // Beside chunks that commands share, names of formats and a function.
    const { files } = loadedBy('cli.js', 'node');
    const ofLibrary = files.filter((file) => !/^(cli\.js$|chunks\/)/.test(file));
    expect(ofLibrary.sort()).toEqual(['mesh/mesh-formats.js']);
    const asked = loadedBy('cli.js', 'node', { later: true }).files;
    expect(asked).toContain('inside/polyhedron.js');
    expect(asked).not.toContain('index.js');
    if (process.platform !== 'win32') expect(statSync(join(distFolder, 'cli.js')).mode & 0o111).toBe(0o111);
  });

  it('exports from the files of all platforms what the library imports from one', () => {
    const listed = (names: string) => names.split(',').map((name) => name.trim().split(' as ')[0]!);
    const { files } = loadedBy('index.js', 'browser', { later: true });
    const imports = [...codeOf({ files }).matchAll(/^import \{([^}]+)\} from "#platform";/gm)];
    const used = new Set(imports.flatMap(([, names]) => listed(names!)));
    expect(used.size).toBeGreaterThan(0);
    for (const one of ['node', 'deno', 'browser']) {
      const exported = listed(/^export \{([^}]+)\};/m.exec(read(`platform/${one}.js`))![1]!);
      expect(exported).toEqual(expect.arrayContaining([...used]));
    }
  });
});
