/** The package as npm packs it from the last build, and installations of it. */
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type ParsedTarFileItem, parseTarGzip } from 'nanotar';

const root = resolve(import.meta.dirname, '../..');

/** What `npm pack --json` says. */
export interface Packed {
  readonly filename: string;
  /** Bytes of all files. */
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** @param options of `npm pack`, such as `--dry-run` */
export function pack(...options: string[]): Packed {
  // The package's own scripts would build again.
  const args = ['pack', '--json', '--ignore-scripts', ...options];
  const told = execFileSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return (JSON.parse(told) as Packed[])[0]!;
}

let packed: Promise<readonly ParsedTarFileItem[]> | undefined;

/** The files of the package, packed once for all tests of a process. */
function packedFiles(): Promise<readonly ParsedTarFileItem[]> {
  const folder = mkdtempSync(join(tmpdir(), 'scree-pack-'));
  try {
    const { filename } = pack('--pack-destination', folder);
    return parseTarGzip(readFileSync(join(folder, filename)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Installs the package in a folder, with links to the packages that this checkout has instead of copies.
 *
 * @param without packages that are left out
 * @returns its `cli.js`
 */
export async function installPackage(folder: string, without: readonly string[]): Promise<string> {
  const modules = join(folder, 'node_modules');
  mkdirSync(modules, { recursive: true });
  packed ??= packedFiles();
  for (const { name, data } of await packed) {
    if (data === undefined) continue;
    const file = join(modules, 'scree', name.replace(/^package\//, ''));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, data);
  }
  const own = join(root, 'node_modules');
  const names = readdirSync(own).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(own, name)).map((one) => `${name}/${one}`) : [name],
  );
  for (const name of names) {
    if (name.startsWith('.') || without.includes(name)) continue;
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(own, name), join(modules, name));
  }
  return join(modules, 'scree/dist/cli.js');
}
