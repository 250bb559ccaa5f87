/** The inside viewer, as the build made it, in Chrome. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ElementHandle, Page } from 'puppeteer';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { differingOf } from '../../demos/inside/answer.ts';
import type { InsidePage } from '../../demos/inside/page-api.ts';
import {
  AXES,
  BACKEND_CHOICES,
  type Choice,
  defaultChoice,
  GENERATED,
  METHOD_CHOICES,
  pointsOf,
  SECOND_CHOICES,
  STYLES,
} from '../../demos/inside/question.ts';
import type { SavedKind } from '../../demos/inside/save.ts';
import { generatedMesh } from '../../demos/inside/subject.ts';
import { POINT_SETS } from '../../src/bench/points/points.ts';
import { serveBuiltPages } from '../../src/cli/bench/bench-browser.ts';
import { type Chrome, launchChrome } from '../../src/cli/chrome/chrome.ts';
import type { PageServer } from '../../src/cli/chrome/page-server.ts';
import {
  encodeMesh,
  exactFlags,
  Polyhedron,
  parseMesh,
  parseNpy,
  RULES,
  randomRock,
} from '../../src/index.ts';
import { openPage } from '../support/open-page.ts';
import { decodeVtp } from '../support/vtp.ts';

/** Runs in the page. */
declare const screeInside: InsidePage;

/** Small, so that the software adapter takes little time to draw. */
const WINDOW = { width: 700, height: 500 };
/** What tests begin with: quick to answer. */
const SMALL = { mesh: 'rock', triangles: 800, points: 'random', count: 2000, seed: 5 } as const;
const rock = generatedMesh(SMALL);

let server: PageServer;
let chrome: Chrome;
let page: Page;
let folder: string;
const complaints: string[] = [];
/** Chrome's own word on machines without a GPU. */
const CHROMES_OWN = /software WebGL has been deprecated/;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scree-inside-'));
  [server, chrome] = await Promise.all([serveBuiltPages(), launchChrome({ adapter: 'software' })]);
  page = await open(addressOf(SMALL));
});

afterEach(() => expect(complaints.splice(0)).toEqual([]));

afterAll(async () => {
  await chrome?.close();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(query: string, prepare?: (page: Page) => Promise<unknown>): Promise<Page> {
  const opened = await openPage(chrome.browser);
  opened.on('pageerror', (error) => complaints.push(String(error)));
  opened.on('console', (line) => {
    const isBad = ['error', 'warn'].includes(line.type()) && !CHROMES_OWN.test(line.text());
    if (isBad) complaints.push(line.text());
  });
  await opened.setViewport(WINDOW);
  await prepare?.(opened);
  await opened.goto(`${server.url}inside/index.html${query}`);
  await opened.evaluate(() => screeInside.ready());
  return opened;
}

/** Runs in the page, before its scripts: devices say that they allow little, unless larger limits were asked for. */
function shrinkPortableLimits(): void {
  const request = GPUAdapter.prototype.requestDevice;
  GPUAdapter.prototype.requestDevice = async function (wanted) {
    const device = await request.call(this, wanted);
    if (wanted?.requiredLimits?.maxStorageBufferBindingSize === undefined) {
      const limits = new Proxy(device.limits, {
        get: (all, name) => (name === 'maxStorageBufferBindingSize' ? 4096 : Reflect.get(all, name, all)),
      });
      Object.defineProperty(device, 'limits', { value: limits });
    }
    return device;
  };
}

const addressOf = (choice: Partial<Choice>) => `?${new URLSearchParams(choice as Record<string, string>)}`;
const choose = (changes: Partial<Choice>) => page.evaluate((wanted) => screeInside.choose(wanted), changes);
const stateOf = (of = page) => of.evaluate(() => screeInside.state());
const textOf = (id: string, of = page) => of.$eval(`#${id}`, (one) => one.textContent);
const isHidden = (id: string) => page.$eval(`#${id}`, (one) => !one.checkVisibility());
const flagsOf = async (of = page) =>
  Uint8Array.from(await of.evaluate(() => [...(screeInside.answer?.first.flags ?? [])]));
/** Expects flags on the page, one by one, without a list of thousands where they are others. */
async function expectFlags(expected: Uint8Array, of = page): Promise<void> {
  const found = await flagsOf(of);
  expect(found.length).toBe(expected.length);
  expect([...differingOf(found, expected)].slice(0, 5)).toEqual([]);
}
const healthOf = () =>
  page.$$eval('#health tr', (rows) =>
    Object.fromEntries(rows.map(({ cells }) => [cells[0]!.textContent, cells[1]!.textContent])),
  );

/** Gives the page a file by its input. */
async function chooseFile(name: string, bytes: Uint8Array): Promise<void> {
  await writeFile(join(folder, name), bytes);
  const input = (await page.$('#file')) as ElementHandle<HTMLInputElement>;
  await input.uploadFile(join(folder, name));
  await page.evaluate(() => screeInside.ready());
}

/** Drops a file on the page. */
/** @param others names of further files, which are dropped with the first */
async function drop(name: string, bytes: Uint8Array, ...others: string[]): Promise<void> {
  await page.evaluate(
    (names, content) => {
      const dataTransfer = new DataTransfer();
      for (const of of names) dataTransfer.items.add(new File([Uint8Array.from(content)], of));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      return screeInside.ready();
    },
    [name, ...others],
    [...bytes],
  );
}

describe('flags', () => {
  it.each([
    ['cell-grid', 'gpu', 'odd', 'random'],
    ['cell-grid', 'cpu', 'nonzero', 'near'],
    ['ray-crossing', 'gpu', 'odd', 'near'],
    ['multipole', 'cpu', 'odd', 'random'],
    ['direct', 'gpu', 'nonzero', 'grid'],
  ] as const)(
    'by %s on the %s with rule %s are exact for points: %s',
    async (method, backend, rule, points) => {
      const asked = { ...SMALL, method, backend, rule, points };
      await choose(asked);
      const all = pointsOf(asked, rock);
      const flags = exactFlags(rock, all, { rule });
      await expectFlags(flags);
      expect(new Set(flags).size).toBeGreaterThan(1);
      expect(Float32Array.from(await page.evaluate(() => [...screeInside.answer!.points]))).toEqual(all);
      expect(await stateOf()).toMatchObject({ method, backend, points: flags.length, problem: '' });
      const inside = flags.reduce((sum, flag) => sum + Number(flag === 1), 0);
      expect(await textOf('count-inside')).toBe(inside.toLocaleString('en'));
    },
  );

  it('of two methods stand beside each other and do not differ', async () => {
    await choose({ ...SMALL, method: 'cell-grid', backend: 'auto', rule: 'odd', second: 'ray-crossing' });
    expect(await stateOf()).toMatchObject({ differing: 0, problem: '' });
    expect(await textOf('differs')).toBe('0 of 2,000 flags differ.');
    expect(await page.$$eval('canvas', (all) => all.filter((one) => one.checkVisibility()).length)).toBe(2);
    expect(
      await page.$$eval('#answers tr:first-child td', (all) => all.map((one) => one.textContent)),
    ).toEqual(['cell-grid', 'ray-crossing']);
    // Where flags differ, they are found.
    expect([...differingOf(Uint8Array.of(0, 1, 2, 0), Uint8Array.of(0, 1, 0, 1))]).toEqual([2, 3]);
    await choose({ second: 'none' });
    expect(await isHidden('second')).toBe(true);
  });

  it('are saved, and read back', async () => {
    await choose({ ...SMALL, points: 'grid', method: 'auto' });
    const flags = await flagsOf();
    const saved = (kind: SavedKind) =>
      page.evaluate(async (of) => {
        const file = await screeInside.save(of);
        return typeof file === 'string' ? file : [...file];
      }, kind);
    expect(parseNpy(Uint8Array.from((await saved('npy')) as number[]), 'npy').data).toEqual(flags);
    const { arrays } = decodeVtp(Uint8Array.from((await saved('vtp')) as number[]));
    expect(Object.values(arrays)).toContainEqual([...flags]);
    expect(Object.values(arrays)).toContainEqual([...pointsOf({ ...SMALL, points: 'grid' }, rock)]);
    expect(await saved('svg')).toMatch(
      /^<svg [^>]*>\n<title>concave rock 7: cell-grid, rule odd<\/title>\n<desc>y = /,
    );

    // The button hands over the same bytes.
    const downloaded = await page.evaluate(async () => {
      let blob: Blob | undefined;
      const original = URL.createObjectURL;
      URL.createObjectURL = (of: Blob) => {
        blob = of;
        return original(of);
      };
      document.getElementById('save-npy')!.click();
      while (!blob) await new Promise((resolve) => setTimeout(resolve, 10));
      URL.createObjectURL = original;
      return [...new Uint8Array(await blob.arrayBuffer())];
    });
    expect(downloaded).toEqual(await saved('npy'));
  });
});

describe('files', () => {
  const other = randomRock({ seed: 3, convex: true, triangles: 60 });

  it('are read from the input: a gzipped PLY', async () => {
    await choose({ ...SMALL, method: 'auto', rule: 'odd' });
    await chooseFile('convex.ply.gz', gzipSync(encodeMesh(other, 'ply')));
    expect(await stateOf()).toMatchObject({
      mesh: 'convex.ply.gz',
      triangles: other.triangleCount,
      problem: '',
    });
    expect(await healthOf()).toMatchObject({
      Closed: 'yes',
      Manifold: 'yes',
      Triangles: `${other.triangleCount}`,
    });
    await expectFlags(exactFlags(other, pointsOf(SMALL, other)));
  });

  it('are read from the input: a body with its tables', async () => {
    const polyhedron = await Polyhedron.create(undefined, rock, { threads: 1 });
    await chooseFile('rock.body', await polyhedron.save());
    polyhedron.destroy();
    expect(await stateOf()).toMatchObject({ mesh: 'rock.body', triangles: rock.triangleCount, problem: '' });
    expect(await textOf('mesh-origin')).toBe('body file, with tables');
    await expectFlags(exactFlags(rock, pointsOf(SMALL, rock)));
  });

  it('are taken one at a time: of two that are dropped the first, and the page says so', async () => {
    await drop('convex.ply', encodeMesh(other, 'ply'), 'second.ply');
    expect(await textOf('remarks')).toBe('2 files were dropped: taken is the first, convex.ply');
    expect(await stateOf()).toMatchObject({ mesh: 'convex.ply', problem: '' });
  });

  it('are what is asked about also where a later question ends theirs while they are read', async () => {
    await choose({ ...SMALL, method: 'auto' });
    await page.evaluate(
      (content) => {
        void screeInside.take(new File([Uint8Array.from(content)], 'convex.ply'));
        return screeInside.choose({ seed: 8 });
      },
      [...encodeMesh(other, 'ply')],
    );
    expect(await stateOf()).toMatchObject({
      mesh: 'convex.ply',
      choice: { mesh: 'file', seed: 8 },
      problem: '',
    });
    await expectFlags(exactFlags(other, pointsOf({ ...SMALL, seed: 8 }, other)));
  });

  it.each([
    ['random.stl', Uint8Array.from({ length: 500 }, (_, i) => (i * i * 37 + 11 * i) % 251)],
    ['empty.obj', new Uint8Array(0)],
    ['cut.stl', encodeMesh(other, 'stl').subarray(0, 1000)],
  ])('that are none say why in the library’s words, and the page goes on: %s', async (name, bytes) => {
    await choose({ ...SMALL, method: 'auto' });
    const line = await parseMesh(bytes, { name }).catch((error: Error) => error.message);
    await drop(name, bytes);
    expect(await textOf('problem')).toBe(line);
    expect(await textOf('mesh-origin')).toBe(`${name} cannot be read: this is the mesh from before.`);
    expect(await textOf('remarks')).toBe('');
    expect(await stateOf()).toMatchObject({ mesh: rock.name, triangles: rock.triangleCount });
    await choose({ seed: 6 });
    expect(await stateOf()).toMatchObject({ problem: '', points: SMALL.count });
    await expectFlags(exactFlags(rock, pointsOf({ ...SMALL, seed: 6 }, rock)));
  });
});

describe('an open mesh', () => {
  it('is refused by rule odd in the library’s words, and answered by rule winding, with its map', async () => {
    await choose({ ...SMALL, rule: 'odd' });
    const mesh = generatedMesh({ mesh: 'open', triangles: 300 });
    const points = pointsOf(SMALL, mesh);
    const line = await Polyhedron.create(undefined, mesh, { threads: 1 }).catch(
      ({ message }: Error) => message,
    );
    await drop('open rock', encodeMesh(mesh, 'ply'));
    expect(await textOf('problem')).toBe(line);
    expect(await healthOf()).toMatchObject({
      Closed: 'no',
      'Boundary edges': expect.stringMatching(/^\d+$/),
    });
    expect(await page.$$eval('[id^="save-"]', (all) => all.every((one) => one.matches(':disabled')))).toBe(
      true,
    );

    await page.click('#take-winding');
    await page.evaluate(() => screeInside.ready());
    const polyhedron = await Polyhedron.create(undefined, mesh, { open: true, threads: 1 });
    const { flags } = await polyhedron.classify(points, { rule: 'winding' });
    polyhedron.destroy();
    await expectFlags(flags);

    await choose({ axis: 'z', winding: 'yes' });
    const { winding, problem } = (await stateOf())!;
    expect(problem).toBe('');
    // A hole lets numbers between 0 and 1 through.
    expect(winding![0]).toBeLessThan(0.2);
    expect(winding![1]).toBeGreaterThan(0.8);
    expect(await textOf('legend')).toContain('1 inside');
    expect(await textOf('winding-line')).toMatch(/^Winding numbers of [\d,]+ points: /);
    await choose({ winding: 'no', axis: 'y' });
    expect((await stateOf())!.winding).toBeUndefined();
  });
});

describe('the page', () => {
  it('ends long work when it is told to, and for what is chosen later', async () => {
    const long = {
      method: 'direct',
      backend: 'cpu',
      count: 1_000_000,
      points: 'random',
      rule: 'odd',
    } as const;
    await choose({ ...SMALL });
    await page.evaluate((wanted) => void screeInside.choose(wanted), long);
    await page.waitForFunction(() => /^Flags/.test(document.getElementById('status')!.textContent!));
    await page.click('#cancel');
    await page.waitForFunction(() => document.getElementById('status')!.textContent === 'Cancelled');
    expect((await stateOf())!.points).toBe(SMALL.count);

    await page.evaluate((wanted) => void screeInside.choose(wanted), { ...long, seed: 9 });
    await choose({ ...SMALL, method: 'auto', backend: 'auto' });
    expect(await stateOf()).toMatchObject({ points: SMALL.count, problem: '' });
    await expectFlags(exactFlags(rock, pointsOf(SMALL, rock)));
  });

  it('offers in its forms what the address takes', async () => {
    const offered = await page.$$eval('select', (all) =>
      all.map(({ name, options }) => [name, [...options].map(({ value }) => value)] as const),
    );
    expect(Object.fromEntries(offered)).toMatchObject({
      mesh: [...GENERATED, 'file'],
      ...{ points: POINT_SETS, method: METHOD_CHOICES, second: SECOND_CHOICES, rule: RULES },
      ...{ backend: BACKEND_CHOICES, axis: AXES, style: STYLES },
    });
  });

  it('keeps the choice in its address, and says what in it is not there', async () => {
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ mesh: 'rock', seed: '5' });
    const other = await open('?mesh=teapot&count=-3&colour=red&triangles=800&points=random');
    expect((await textOf('remarks', other)).split('\n')).toEqual([
      expect.stringMatching(/^address: mesh is "teapot", expected one of rock, .*: taken is rock$/),
      expect.stringMatching(/^address: count is "-3", expected a whole number from 1 to .*: taken is 32768$/),
      expect.stringMatching(/^address: colour is not known, expected mesh, /),
    ]);
    expect((await stateOf(other))!.choice).toEqual({ ...defaultChoice(), triangles: 800, points: 'random' });
    await other.close();
  });

  it('says that the device was lost, and starts again', async () => {
    await choose({ ...SMALL, backend: 'gpu', method: 'cell-grid' });
    await page.evaluate(() => (screeInside.device!.handle as GPUDevice).destroy());
    await page.waitForSelector('#restart:not([hidden])');
    expect(await textOf('problem')).toMatch(/^the WebGPU device was lost/);
    await page.click('#restart');
    await page.evaluate(() => screeInside.ready());
    expect(await stateOf()).toMatchObject({ backend: 'gpu', problem: '' });
    expect(await isHidden('restart')).toBe(true);
    await expectFlags(exactFlags(rock, pointsOf(SMALL, rock)));
  });

  it('offers all that the adapter has where limits are too small', async () => {
    const small = await open(addressOf({ ...SMALL, backend: 'gpu' }), (opened) =>
      opened.evaluateOnNewDocument(shrinkPortableLimits),
    );
    expect(await textOf('problem', small)).toMatch(/maxStorageBufferBindingSize/);
    await small.click('#take-limits');
    await small.evaluate(() => screeInside.ready());
    expect(await stateOf(small)).toMatchObject({
      backend: 'gpu',
      problem: '',
      choice: { limits: 'adapter' },
    });
    await expectFlags(exactFlags(rock, pointsOf(SMALL, rock)), small);
    await small.close();
  });

  it('works without WebGPU: the CPU answers, WebGL draws', async () => {
    const without = await open(addressOf({ ...SMALL, backend: 'gpu' }), (opened) =>
      opened.evaluateOnNewDocument(() => Object.defineProperty(navigator, 'gpu', { value: undefined })),
    );
    expect(await textOf('no-adapter', without)).toMatch(/^WebGPU is not available/);
    expect(await textOf('problem', without)).toMatch(/^backend "gpu" needs a device/);
    await without.evaluate(() => screeInside.choose({ backend: 'auto' }));
    expect(await stateOf(without)).toMatchObject({ backend: 'cpu', drawing: 'WebGL', problem: '' });
    await expectFlags(exactFlags(rock, pointsOf(SMALL, rock)), without);
    await without.close();
  });
});
