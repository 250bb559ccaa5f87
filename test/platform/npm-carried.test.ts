import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { packageFolder as findPackage, unpackFromPackage } from '../../src/platform/npm-carried.ts';
import { createTemporaryFile } from '../../src/platform/temporary.ts';
import { scree, temporaryFolder } from '../cli/scree.ts';

const packageFolder = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../..');
const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
  version: string;
};
const isCarried = process.platform === 'linux' && process.arch === 'x64';
const isRoot = process.getuid?.() === 0;
const ANOTHER_USER = 54321;

const folder = temporaryFolder();
const before = { SCREE_CACHE: process.env.SCREE_CACHE, TMPDIR: process.env.TMPDIR };
/** The cache and the folder for temporary files, both new for each test. */
let cache = '';
let temporary = '';

beforeEach(() => {
  cache = mkdtempSync(join(folder, 'cache-'));
  temporary = mkdtempSync(join(folder, 'tmp-'));
  Object.assign(process.env, { SCREE_CACHE: cache, TMPDIR: temporary });
});

afterEach(() => {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

/** The smallest part: half a megabyte. */
const unpack = async () => (await unpackFromPackage(['fonts.tar.br'], 'fonts', 'the fonts'))!;
const FONT = 'fonts/Open_Sans/OpenSans-Bold.ttf';
const fallback = () => join(temporary, `scree-${process.getuid!()}`);

/** The entries of a folder, each with its mode. */
function listing(of: string): string[] {
  return readdirSync(of, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path.slice(of.length + 1)} ${(lstatSync(path).mode & 0o777).toString(8)}`)
    .sort();
}

/** Checks that the font is there as in the package. */
function requireFont(of: string): void {
  const archive = brotliDecompressSync(readFileSync(join(packageFolder, 'bin/fonts.tar.br')));
  const font = readFileSync(join(of, FONT));
  expect(font.length).toBe(147264);
  expect(archive.includes(font)).toBe(true);
}

describe.runIf(isCarried)('the folder of what npm carries', () => {
  it('is of this user alone, and taken as it is the next time', async () => {
    const unpacked = await unpack();
    expect(dirname(unpacked)).toBe(cache);
    expect(lstatSync(unpacked).mode & 0o777).toBe(0o700);
    expect(listing(unpacked)).toEqual([
      'files.json 600',
      'fonts.conf 600',
      ...['Bold', 'Italic', 'Regular'].map((name) => `fonts/Open_Sans/OpenSans-${name}.ttf 600`),
    ]);
    requireFont(unpacked);
    const written = lstatSync(join(unpacked, FONT)).ino;
    expect(await unpack()).toBe(unpacked);
    expect(lstatSync(join(unpacked, FONT)).ino).toBe(written);
  });

  it('has no colon in its path, which would end the path in a list of paths', async () => {
    process.env.SCREE_CACHE = join(cache, 'a:b');
    expect(dirname(await unpack())).toBe(fallback());
    symlinkSync(join(cache, 'a:b'), join(cache, 'link'));
    process.env.SCREE_CACHE = join(cache, 'link');
    expect(dirname(await unpack())).toBe(fallback());
  });

  it('is not one of that name that only says that it is complete', async () => {
    const planted = join(cache, `fonts-${version}`);
    mkdirSync(join(planted, dirname(FONT)), { recursive: true });
    writeFileSync(join(planted, '.complete'), '');
    writeFileSync(join(planted, FONT), 'planted');
    requireFont(await unpack());
  });

  const damages: [string, (unpacked: string) => void][] = [
    ['is cut short', (unpacked) => truncateSync(join(unpacked, FONT), 100)],
    ['is full of zeros', (unpacked) => writeFileSync(join(unpacked, FONT), new Uint8Array(147264))],
    ['is missing', (unpacked) => rmSync(join(unpacked, FONT))],
    [
      'is a link',
      (unpacked) => {
        rmSync(join(unpacked, FONT));
        symlinkSync('/dev/null', join(unpacked, FONT));
      },
    ],
    ['may be written by others', (unpacked) => chmodSync(join(unpacked, FONT), 0o666)],
    ['is not on the list, which is missing', (unpacked) => rmSync(join(unpacked, 'files.json'))],
    ['is not on the list, which is cut short', (unpacked) => truncateSync(join(unpacked, 'files.json'), 20)],
  ];
  it.each(damages)('is mended where a file %s', async (_, damage) => {
    const unpacked = await unpack();
    const sound = listing(unpacked);
    damage(unpacked);
    expect(await unpack()).toBe(unpacked);
    requireFont(unpacked);
    expect(listing(unpacked)).toEqual(sound);
  });

  it('is made by several at once', async () => {
    const folders = await Promise.all(Array.from({ length: 4 }, unpack));
    expect(new Set(folders).size).toBe(1);
    requireFont(folders[0]!);
    expect(listing(folders[0]!)).toHaveLength(5);
  });

  it('is rid of what a killed process left there, and of nothing else', async () => {
    const unpacked = await unpack();
    const sound = listing(unpacked);
    // No process has the first number. The second is this process's, but with another start. The machines of the last
    // two are unknown.
    const running = await createTemporaryFile(unpacked);
    const { path } = running;
    const own = /\.scree-\d+-(\d+)-(.+)-/.exec(path)!;
    const names = [
      `.scree-999999999-${own[1]}-${own[2]}-0.tmp`,
      `.scree-${process.pid}-1-${own[2]}-0.tmp`,
      '.scree-1-1-ffffffff-0.tmp',
      '.scree-1-1-ffffffff-1.tmp',
    ];
    for (const name of names) writeFileSync(join(unpacked, name), 'left over');
    const longAgo = Date.now() / 1000 - 8 * 24 * 3600;
    utimesSync(join(unpacked, names[3]!), longAgo, longAgo);
    await unpack();
    expect(
      readdirSync(unpacked)
        .filter((name) => name.endsWith('.tmp'))
        .sort(),
    ).toEqual([path.slice(unpacked.length + 1), names[2]!].sort());
    await running.discard();
    rmSync(join(unpacked, names[2]!));
    expect(listing(unpacked)).toEqual(sound);
  });
});

describe.runIf(isCarried)('a cache that another user can change', () => {
  it.each([
    ['is open to all', () => chmodSync(cache, 0o777), /other users may write to \S+cache-/],
    ['is open to the group', () => chmodSync(cache, 0o770), /other users may write to \S+cache-/],
    [
      'is a file',
      () => {
        process.env.SCREE_CACHE = join(cache, 'file');
        writeFileSync(join(cache, 'file'), '');
      },
      /EEXIST|is a file/,
    ],
  ] as [string, () => void, RegExp][])(
    'and %s is passed over; without another one, a line says why',
    async (_, open, line) => {
      open();
      const unpacked = await unpack();
      expect(dirname(unpacked)).toBe(fallback());
      expect(lstatSync(fallback()).mode & 0o777).toBe(0o700);
      requireFont(unpacked);
      expect(existsSync(join(cache, 'fonts'))).toBe(false);
      rmSync(fallback(), { recursive: true });
      chmodSync(temporary, 0o777);
      await expect(unpack()).rejects.toMatchObject({ exitCode: 1, message: expect.stringMatching(line) });
      await expect(unpack()).rejects.toThrow(
        /^the fonts cannot be unpacked: [^\n]+; other users may write to \S+; set SCREE_CACHE to a folder of your own$/,
      );
    },
  );

  it('is followed through links of this user', async () => {
    symlinkSync(cache, join(temporary, 'link'));
    process.env.SCREE_CACHE = join(temporary, 'link/deeper');
    expect(dirname(await unpack())).toBe(join(cache, 'deeper'));
  });

  // Only root can give files away.
  it.runIf(isRoot).each([
    ['the cache', () => chownSync(cache, ANOTHER_USER, ANOTHER_USER)],
    [
      'the fallback, made before',
      () => {
        process.env.SCREE_CACHE = '/proc/none';
        mkdirSync(fallback(), { mode: 0o700 });
        chownSync(fallback(), ANOTHER_USER, ANOTHER_USER);
      },
    ],
  ])('is not used where it belongs to another one: %s', async (_, give) => {
    give();
    chmodSync(temporary, 0o1777);
    const unpacking = unpack();
    if (process.env.SCREE_CACHE === cache) expect(dirname(await unpacking)).toBe(fallback());
    else await expect(unpacking).rejects.toThrow(/scree-0 belongs to another user;/);
    expect(readdirSync(cache)).toEqual([]);
  });

  it.runIf(isRoot)(
    'is not used through a link of another user, nor a folder in it that is theirs',
    async () => {
      const own = await unpack();
      const link = join(temporary, 'link');
      symlinkSync(cache, link);
      const { lchownSync } = await import('node:fs');
      lchownSync(link, ANOTHER_USER, ANOTHER_USER);
      process.env.SCREE_CACHE = link;
      expect(dirname(await unpack())).toBe(fallback());
      // The same files, but they belong to another user.
      process.env.SCREE_CACHE = cache;
      chownSync(own, ANOTHER_USER, ANOTHER_USER);
      expect(dirname(await unpack())).toBe(fallback());
    },
  );
});

it.runIf(isCarried)(
  'a package above the working directory is taken only where nobody else can put one',
  async () => {
    const planted = join(temporary, 'node_modules/@sparticuz/chromium');
    mkdirSync(join(planted, 'bin'), { recursive: true });
    writeFileSync(join(planted, 'package.json'), '{ "version": "1.2.3", "main": "main.js" }');
    writeFileSync(join(planted, 'main.js'), '');
    mkdirSync(join(temporary, 'work'));
    const working = vi.spyOn(process, 'cwd').mockReturnValue(join(temporary, 'work'));
    try {
      const nowhere = 'file:///nowhere/index.js';
      expect(await findPackage(nowhere)).toEqual({ bin: join(planted, 'bin'), version: '1.2.3' });
      chmodSync(temporary, 0o777);
      expect(await findPackage(nowhere)).toBeUndefined();
    } finally {
      working.mockRestore();
    }
  },
);

describe.runIf(isCarried)('the software adapter', () => {
  const info = () => scree(['info', '--adapter', 'software', '--json'], { env: { SCREE_CACHE: cache } });

  it('is unpacked by two processes at once, and anew where its library was cut short', async () => {
    for (const { code, stderr } of await Promise.all([info(), info()])) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    }
    const [name] = readdirSync(cache);
    const library = join(cache, name!, 'libvk_swiftshader.so');
    const { size } = lstatSync(library);
    truncateSync(library, size / 2);
    const { code, stdout } = await info();
    expect({ code, size: lstatSync(library).size }).toEqual({ code: 0, size });
    expect((JSON.parse(stdout) as { adapter: { software: boolean } }).adapter.software).toBe(true);
  });
});
