/**
 * Programs and libraries for Linux x64 that npm carries: the compressed parts of the package `@sparticuz/chromium`,
 * unpacked once into a cache folder. They are the software adapter and a headless Chrome.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, open, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { parseTar } from 'nanotar';
import { firstLine, ScreeError } from '../errors.ts';
import { makeFolders, makeOwnFolder, trustedPath } from './folders.ts';
import { createTemporaryFile, removeLeftovers } from './temporary.ts';

const PACKAGE = '@sparticuz/chromium';

const decompress = promisify(brotliDecompress);

/**
 * Where the package's `bin` folder is. Undefined if the package is not installed.
 *
 * @param own where scree is
 */
export async function packageFolder(
  own: string = import.meta.url,
): Promise<{ bin: string; version: string } | undefined> {
  // Looked up from scree's own place first, then from the working directory (a globally installed scree).
  for (const base of [own, join(process.cwd(), 'package.json')]) {
    try {
      const require = createRequire(base);
      let folder = dirname(require.resolve(PACKAGE));
      while (!existsSync(join(folder, 'package.json')) || !existsSync(join(folder, 'bin'))) {
        const parent = dirname(folder);
        if (parent === folder) throw new Error(`no bin folder above ${folder}`);
        folder = parent;
      }
      // Above a working directory such as /tmp/work anybody can put a package.
      const bin = base === own ? join(folder, 'bin') : await trustedPath(join(folder, 'bin'));
      const { version } = require(join(folder, 'package.json')) as { version: string };
      return { bin, version };
    } catch {
      // Not installed there, or another user could change it: the next place decides.
    }
  }
  return undefined;
}

/** Folders for unpacked binaries, in the order in which they are tried. */
function cacheFolders(): string[] {
  // An empty variable is an unset one.
  const named = process.env.SCREE_CACHE;
  const cache = process.env.XDG_CACHE_HOME || (process.env.HOME ? join(homedir(), '.cache') : undefined);
  const user = typeof process.getuid === 'function' ? process.getuid() : 'user';
  return [named || (cache && join(cache, 'scree')), join(tmpdir(), `scree-${user}`)].filter(
    (folder): folder is string => folder !== undefined && folder !== '',
  );
}

/** A file as it was unpacked. */
interface Unpacked {
  readonly mode: number;
  readonly sha256: string;
}

/** Lists the files of a folder by their paths in it. It is written last, so a folder with a list was unpacked whole. */
const LIST = 'files.json';
const PROGRAM = 0o700;
const FILE = 0o600;
const HASH = 'sha256';
const PIECE_BYTES = 1 << 20;

/** The files that the parts hold: their paths and bytes. */
async function* contentsOf(
  bin: string,
  parts: readonly string[],
): AsyncGenerator<{ path: string; data: Uint8Array; mode: number }> {
  for (const part of parts) {
    const bytes = await decompress(await readFile(join(bin, part)));
    if (!part.endsWith('.tar.br')) {
      yield { path: part.slice(0, -'.br'.length), data: bytes, mode: PROGRAM };
      continue;
    }
    for (const { name, type, data } of parseTar(bytes)) {
      if (data !== undefined && type !== 'directory') yield { path: name, data, mode: FILE };
    }
  }
}

/**
 * Writes the parts into a folder. Each file is written under a temporary name and then renamed, so that another process
 * that unpacks or uses the same folder never finds half a file.
 */
async function unpackInto(folder: string, bin: string, parts: readonly string[]): Promise<void> {
  const list: Record<string, Unpacked> = {};
  for await (const { path, data, mode } of contentsOf(bin, parts)) {
    await makeFolders(dirname(join(folder, path)), PROGRAM);
    await writeWhole(folder, path, data, mode);
    list[path] = { mode, sha256: createHash(HASH).update(data).digest('hex') };
  }
  await writeWhole(folder, LIST, JSON.stringify(list), FILE);
}

async function writeWhole(
  folder: string,
  path: string,
  data: Uint8Array | string,
  mode: number,
): Promise<void> {
  const file = await createTemporaryFile(folder, mode);
  try {
    await file.handle.writeFile(data);
    // The umask may have taken bits from the mode.
    await file.handle.chmod(mode);
    await file.rename(join(folder, path));
  } finally {
    await file.discard();
  }
}

/**
 * Whether the files of a folder are those that were unpacked there, by their hashes. A crash of the system or a full
 * disk can cut a file short, and a library with a hole takes the process down.
 */
async function isWhole(folder: string): Promise<boolean> {
  try {
    const list = JSON.parse(await readFile(join(folder, LIST), 'utf8')) as Record<string, Unpacked>;
    for (const [path, { mode, sha256 }] of Object.entries(list)) {
      const found = await lstat(join(folder, path));
      if (!found.isFile() || (found.mode & 0o777) !== mode) return false;
      if ((await hashOf(join(folder, path))) !== sha256) return false;
    }
    return true;
  } catch {
    // No list, no JSON, or a file is missing.
    return false;
  }
}

/** The hash of a file, read piece by piece into the same memory: the largest file has 190 MB. */
async function hashOf(path: string): Promise<string> {
  const hash = createHash(HASH);
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  const file = await open(path);
  try {
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, piece.length, null);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(piece.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

/**
 * Unpacks `<name>.br` files of the package into a folder of the cache and returns the folder. Undefined without the
 * package, and on systems other than Linux x64.
 *
 * The folder is this user's alone, and its name holds a hash of the parts. Files that are there already are kept if
 * their hashes are right, and unpacked anew if not. A cache is passed over for the temporary folder if it cannot be
 * written to, if another user could change it, or if its path has a colon.
 *
 * @param what names the parts in messages: `the software adapter`
 * @throws ScreeError with exit code 1 if no folder can take them
 */
export async function unpackFromPackage(
  parts: readonly string[],
  folderName: string,
  what: string,
): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const found = await packageFolder();
  if (found === undefined) return undefined;
  const { bin, version } = found;
  const problems: Error[] = [];
  try {
    const hashes = await Promise.all(parts.map((part) => hashOf(join(bin, part))));
    const key = createHash(HASH).update(hashes.join()).digest('hex').slice(0, 16);
    for (const cache of cacheFolders()) {
      try {
        const folder = await makeOwnFolder(cache, `${folderName}-${version}-${key}`);
        // Vulkan and Chrome are told of the folder in variables that hold lists of paths.
        if (folder.includes(':')) throw new Error(`${folder} has a colon, which separates paths`);
        await removeLeftovers(folder);
        if (!(await isWhole(folder))) await unpackInto(folder, bin, parts);
        return folder;
      } catch (error) {
        problems.push(error as Error);
      }
    }
  } catch (error) {
    problems.push(error as Error);
  }
  const reasons = problems.map(firstLine).join('; ');
  throw new ScreeError(`${what} cannot be unpacked: ${reasons}; set SCREE_CACHE to a folder of your own`, 1, {
    cause: problems.at(-1),
  });
}
