/**
 * Programs and libraries for Linux x64 that npm carries: the compressed parts of the package `@sparticuz/chromium`,
 * unpacked once into a cache folder. The software adapter and a headless Chrome come out of it.
 */
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { parseTar } from 'nanotar';
import { ScreeError } from '../errors.ts';

const PACKAGE = '@sparticuz/chromium';

const decompress = promisify(brotliDecompress);

/** Where the package's `bin` folder is, or undefined if the package is not installed. */
function packageFolder(): { bin: string; version: string } | undefined {
  // Looked up from scree's own place first, then from the working directory (a globally installed scree).
  for (const base of [import.meta.url, join(process.cwd(), 'package.json')]) {
    try {
      const require = createRequire(base);
      let folder = dirname(require.resolve(PACKAGE));
      while (!existsSync(join(folder, 'package.json')) || !existsSync(join(folder, 'bin'))) {
        const parent = dirname(folder);
        if (parent === folder) throw new Error(`no bin folder above ${folder}`);
        folder = parent;
      }
      const { version } = require(join(folder, 'package.json')) as { version: string };
      return { bin: join(folder, 'bin'), version };
    } catch {
      // Not installed there: the next place decides.
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

/** Writes the unpacked parts into a folder. Everybody may read them: a cache may be shared. */
async function unpackInto(folder: string, bin: string, parts: readonly string[]): Promise<void> {
  await chmod(folder, 0o755);
  for (const part of parts) {
    const bytes = await decompress(await readFile(join(bin, part)));
    if (part.endsWith('.tar.br')) {
      for (const file of parseTar(bytes)) {
        if (file.data === undefined || file.type === 'directory') continue;
        const path = join(folder, file.name);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, file.data);
      }
    } else {
      const path = join(folder, part.slice(0, -'.br'.length));
      await writeFile(path, bytes);
      await chmod(path, 0o755);
    }
  }
  await writeFile(join(folder, COMPLETE), '');
}

/** Marks a folder whose files are all there. */
const COMPLETE = '.complete';

/**
 * Unpacks `<name>.br` files of the package into a folder of the cache and returns it; undefined without the package, and on
 * other systems than its own. Unpacked under a temporary name and renamed, so that several processes may do it at once; a folder that is not complete
 * is replaced. A cache that cannot be written to is passed over for the temporary folder.
 *
 * @param what names the parts in messages: `the software adapter`
 * @throws ScreeError with exit code 1 where no folder can take it
 */
export async function unpackFromPackage(
  parts: readonly string[],
  folderName: string,
  what: string,
): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const found = packageFolder();
  if (found === undefined) return undefined;
  const name = `${folderName}-${found.version}`;
  const folders = cacheFolders();
  const ready = folders
    .map((cache) => join(cache, name))
    .find((target) => existsSync(join(target, COMPLETE)));
  if (ready !== undefined) return ready;
  let problem: unknown;
  for (const cache of folders) {
    const target = join(cache, name);
    let temporary: string | undefined;
    try {
      await mkdir(cache, { recursive: true });
      temporary = await mkdtemp(join(cache, '.unpacking-'));
      await unpackInto(temporary, found.bin, parts);
      if (!existsSync(join(target, COMPLETE))) await rm(target, { recursive: true, force: true });
      await rename(temporary, target);
      return target;
    } catch (error) {
      if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
      // Lost the race against another process: its folder is as good.
      if (existsSync(join(target, COMPLETE))) return target;
      problem = error;
    }
  }
  const reason = problem instanceof Error ? problem.message.split('\n', 1)[0] : String(problem);
  throw new ScreeError(`${what} cannot be unpacked: ${reason}; set SCREE_CACHE to a folder`, 1, {
    cause: problem,
  });
}
