import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { distFolder } from './scree.ts';

const read = (file: string) => readFileSync(join(distFolder, file), 'utf8');

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
    expect(code).not.toMatch(/^import .*(index|chunks)/m);
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
