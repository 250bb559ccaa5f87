import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { distFolder } from './scree.ts';

const read = (file: string) => readFileSync(join(distFolder, file), 'utf8');

/** A file of dist/ and all that it imports before anything runs. */
function loadedAtOnce(file: string, found = new Set<string>()): string[] {
  if (found.has(file)) return [...found];
  found.add(file);
  for (const [, path] of read(file).matchAll(/^(?:import|export) (?:.*from )?["'](\.[^"']+)["'];$/gm))
    loadedAtOnce(join(dirname(file), path!), found);
  return [...found];
}

describe('the build', () => {
  it('carries the kernels inside the library, for Node and for browsers', () => {
    for (const file of ['index.js', 'index.browser.js']) {
      expect(read(file), file).toContain('@compute');
      expect(read(file), file).not.toMatch(/\.wgsl["']\)?;/);
    }
  });

  it('imports no module of Node in browsers', () => {
    const code = read('index.browser.js');
    expect(code).not.toMatch(/from\s*["']node:|import\(\s*["'](node:|webgpu)/);
    expect([...code.matchAll(/^import .* from "([^"]+)";$/gm)].map((match) => match[1])).toEqual(
      expect.not.arrayContaining(['webgpu', 'nanotar', 'commander', 'cli-progress']),
    );
  });

  it('loads the library in the command line only when a command runs', () => {
    const code = read('cli.js');
    expect(code.startsWith('#!/usr/bin/env node\n')).toBe(true);
    // Pieces that commands share come along, and none of them may bring the library.
    const loaded = loadedAtOnce('cli.js');
    expect(loaded).toContain('cli.js');
    expect(loaded).not.toContain('index.js');
    expect(loaded.map(read).join('')).not.toContain('@compute');
    expect(code).toContain('import("./index.js")');
    if (process.platform !== 'win32') expect(statSync(join(distFolder, 'cli.js')).mode & 0o111).toBe(0o111);
  });

  it('exports the same names to Node and to browsers', async () => {
    const names = (file: string) =>
      /^export \{([^}]+)\};/m
        .exec(read(file))![1]!
        .split(',')
        .map((name) => name.trim())
        .sort();
    expect(names('index.browser.js')).toEqual(names('index.js'));
  });
});
