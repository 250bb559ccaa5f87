/** The page of bulk goods, as the build made it, in Chrome. */

import { setTimeout as pause } from 'node:timers/promises';
import { parseTar } from 'nanotar';
import type { Page } from 'puppeteer';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Choice, SCENES } from '../../demos/bulk/choice.ts';
import type { BulkPage, BulkState } from '../../demos/bulk/page-api.ts';
import { serveBuiltPages } from '../../src/cli/bench/bench-browser.ts';
import { type Chrome, launchChrome } from '../../src/cli/chrome/chrome.ts';
import { countGpuMemory, gpuMemoryOf } from '../../src/cli/chrome/gpu-memory.ts';
import type { PageServer } from '../../src/cli/chrome/page-server.ts';
import { openPage } from '../support/open-page.ts';

/** Runs in the page. */
declare const screeBulk: BulkPage;

/** Of all energy that there is: the error of a step is of second order, and monitors stop a run at 10 %. */
const MOST_IMBALANCE = 0.01;
/** Metres: less than half of the smallest rock's radius. */
const MOST_OVERLAP = 0.02;

let server: PageServer;
let chrome: Chrome;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  [server, chrome] = await Promise.all([serveBuiltPages(), launchChrome({ adapter: 'software' })]);
  page = await openPage(chrome.browser);
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (line) => {
    if (['error', 'warn'].includes(line.type())) complaints.push(line.text());
  });
  await countGpuMemory(page);
});

afterEach(() => expect(complaints.splice(0)).toEqual([]));

afterAll(async () => {
  await chrome?.close();
  await server?.close();
});

async function open(query: string): Promise<void> {
  await page.goto(`${server.url}bulk/?${query}`);
  await page.waitForFunction('globalThis.screeBulk');
  await page.evaluate(() => screeBulk.ready());
}

async function stateOf(): Promise<BulkState> {
  const state = await page.evaluate(() => screeBulk.state());
  expect(state, await textOf('problem')).toBeDefined();
  return state!;
}

const textOf = (id: string) => page.$eval(`#${id}`, (element) => element.textContent!.trim());
const isHidden = (id: string) => page.$eval(`#${id}`, (element) => (element as HTMLElement).hidden);
const steps = () => page.evaluate(async () => (await screeBulk.state())!.steps);

/** How many colours each PNG file has, base64 coded. Runs in the page. */
async function coloursOf(files: string[]): Promise<number[]> {
  const counts: number[] = [];
  for (const file of files) {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${file}`)).blob());
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    counts.push(new Set(new Uint32Array(data.buffer)).size);
  }
  return counts;
}

/** A number once it stays what it is, also where a frame takes long. */
async function settled(read: () => Promise<number>): Promise<number> {
  for (let last = await read(); ; ) {
    await pause(200);
    const next = await read();
    if (next === last) return next;
    last = next;
  }
}

/** What the run comes to that has just begun, after so many steps. */
async function stateAfter(count: number): Promise<BulkState> {
  await page.evaluate((n) => screeBulk.runSteps(n), count);
  return stateOf();
}

/**
 * What a scene comes to after so many steps from its start. After some of them it is what a second run comes to there:
 * if that run is shorter, bodies touch by then.
 */
async function afterTheSame(some: number, count: number, choice: Partial<Choice>): Promise<BulkState> {
  await page.evaluate((changes) => {
    screeBulk.pause();
    return screeBulk.reset(changes);
  }, choice);
  const before = await stateAfter(some);
  if (some < count) expect(before.deepestOverlap).toBeGreaterThan(0);
  await page.evaluate(() => screeBulk.reset());
  const again = await stateAfter(some);
  expect(again.stateHash).toBe(before.stateHash);
  return some < count ? stateAfter(count - some) : again;
}

function expectSound(state: BulkState, count: number): void {
  expect(state).toMatchObject({ steps: count, problem: '' });
  expect(state.stop).toBeUndefined();
  expect(Math.abs(state.imbalanceShare)).toBeLessThan(MOST_IMBALANCE);
  expect(state.kinetic).toBeGreaterThan(0);
  expect(state.deepestOverlap).toBeLessThan(MOST_OVERLAP);
  expect(state.present + state.removed).toBeLessThanOrEqual(state.bodies);
  expect(state.present).toBeGreaterThan(0);
}

describe('by the CPU', () => {
  it('names what the address asks for and is not there, and takes what suits', async () => {
    await open('scene=volcano&count=9&restitution=7&backend=cpu');
    expect(await textOf('remarks-text')).toBe(
      'address: scene is "volcano", expected one of hopper, heap, drum, conveyor, tumbling-rocks: taken is hopper\n' +
        'address: restitution is "7", expected a number from 0.01 to 0.9: taken is 0.2',
    );
    expect((await stateOf()).choice).toMatchObject({ scene: 'hopper', count: 9, restitution: 0.2 });
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toMatchObject({
      scene: 'hopper',
      count: '9',
      restitution: '0.2',
    });
    await page.click('#understood');
    expect(await isHidden('remarks')).toBe(true);
  });

  it.each(SCENES)('the scene %s runs 200 steps as it should, half of them twice the same', async (scene) => {
    const one = await afterTheSame(100, 200, { scene, count: 20 });
    expect(one).toMatchObject({ choice: { scene, count: 20, backend: 'cpu' }, backend: 'cpu', bodies: 20 });
    expectSound(one, 200);
  });

  const changeTo = (choice: object) => page.evaluate((changes) => screeBulk.reset(changes), choice);

  it('moves by itself, stands still while paused, and makes single steps', async () => {
    await changeTo({ scene: 'conveyor', count: 20 });
    await page.click('#play');
    const first = await steps();
    await page.waitForFunction(async (before) => (await screeBulk.state())!.steps > before + 5, {}, first);
    await page.click('#single');
    await page.evaluate(() => screeBulk.ready());
    const paused = await steps();
    await page.click('#single');
    await page.evaluate(() => screeBulk.ready());
    expect(await steps()).toBe(paused + 1);
    expect(await textOf('play')).toBe('Go on');
    // A picture that nobody moves has all pixels, however slow the adapter.
    await page.waitForFunction(() => {
      const { clientWidth, width } = document.getElementById('picture') as HTMLCanvasElement;
      return Math.abs(width - clientWidth * devicePixelRatio) <= 1;
    });
  });

  it('colours bodies by speed and by force, and leaves a film', async () => {
    await page.evaluate(() => screeBulk.pause());
    await changeTo({ scene: 'conveyor', count: 20 });
    await page.evaluate(() => {
      const make = URL.createObjectURL.bind(URL);
      URL.createObjectURL = (blob) => {
        Object.assign(globalThis, { saved: blob });
        return make(blob);
      };
      HTMLAnchorElement.prototype.click = () => {};
    });
    const savedBytes = () =>
      page.evaluate(async () => {
        const blob = (globalThis as unknown as { saved: Blob }).saved;
        return [...new Uint8Array(await blob.arrayBuffer())];
      });
    await page.click('#film');
    await page.evaluate(() => screeBulk.ready());
    expect(await textOf('film')).toBe('End film');
    for (const [colouring, unit] of [
      ['speed', 'm/s'],
      ['force', 'N'],
    ] as const) {
      await page.select('#colouring', colouring);
      await page.evaluate(() => screeBulk.runSteps(20));
      const isShown = (end: string) => document.querySelector('#colour-scale')!.textContent!.endsWith(end);
      await page.waitForFunction(isShown, {}, unit);
      expect(await textOf('colour-scale')).toMatch(/^Yellow is [\d.]+ ?[mk]?(m\/s|N)$/);
    }
    await page.select('#colouring', 'body');
    await page.click('#film');
    await page.evaluate(() => screeBulk.ready());
    expect(await textOf('film')).toBe('Film');
    const bytes = await savedBytes();
    // EBML, and pictures.
    expect(bytes.slice(0, 4)).toEqual([0x1a, 0x45, 0xdf, 0xa3]);
    expect(bytes.length).toBeGreaterThan(2000);
    expect(await textOf('colour-scale')).toBe('');

    // Without a recorder, pictures: they differ, as bodies move.
    await page.evaluate(() => Reflect.deleteProperty(globalThis, 'MediaRecorder'));
    await page.click('#film');
    for (let i = 0; i < 3; i++) await page.evaluate(() => screeBulk.runSteps(20));
    await page.click('#film');
    await page.evaluate(() => screeBulk.ready());
    const [list, ...pictures] = parseTar(Uint8Array.from(await savedBytes()));
    expect(list!.text.match(/^file film-\d{5}\.png\nduration \d+\.\d{3}$/gm)).toHaveLength(pictures.length);
    const seen = pictures.map(({ data }) => Buffer.from(data!).toString('base64'));
    expect(new Set(seen).size).toBeGreaterThan(2);
    expect(Math.min(...(await page.evaluate(coloursOf, seen)))).toBeGreaterThan(100);
  });

  it('stands still in a tab that nobody sees, and makes up nothing', async () => {
    const hide = (hidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, hidden);
    await page.evaluate(() => screeBulk.reset({ speed: 0.01 }));
    await page.evaluate(() => screeBulk.play());
    await page.waitForFunction(async () => (await screeBulk.state())!.steps > 3);
    await hide(true);
    // The frame under way ends.
    const time = await settled(async () => (await stateOf()).time);
    await pause(700);
    expect((await stateOf()).time).toBe(time);
    const later = await page.evaluate(async (stood) => {
      const began = performance.now();
      Object.defineProperty(document, 'hidden', { value: false, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
      while ((await screeBulk.state())!.time === stood) await new Promise(requestAnimationFrame);
      screeBulk.pause();
      return { state: (await screeBulk.state())!, seconds: (performance.now() - began) / 1000 };
    }, time);
    // At a hundredth of real time: what was hidden would be another 10 ms.
    expect(later.state.time - time).toBeLessThan(0.01 * (later.seconds + 0.25));
    await page.evaluate(() => screeBulk.reset({ speed: 1 }));
  });

  it('goes on from a file as if nothing had happened', async () => {
    const { expected, found, resumed } = await page.evaluate(async () => {
      screeBulk.pause();
      await screeBulk.reset({ scene: 'heap', count: 12 });
      await screeBulk.runSteps(150);
      const file = await screeBulk.save();
      await screeBulk.runSteps(50);
      const expected = (await screeBulk.state())!;
      await screeBulk.reset({ scene: 'drum' });
      await screeBulk.load(file, 'heap-12.scree');
      const resumed = (await screeBulk.state())!;
      await screeBulk.runSteps(50);
      return { expected, resumed, found: (await screeBulk.state())! };
    });
    expect(resumed).toMatchObject({ steps: 150, choice: { scene: 'heap', count: 12 } });
    expect(found.stateHash).toBe(expected.stateHash);
    expect(found.imbalance).toBe(expected.imbalance);
    await page.evaluate(() => screeBulk.load(new TextEncoder().encode('solid cube'), 'cube.stl'));
    expect(await textOf('problem')).toBe(
      'cube.stl: no saved run found, expected a file that this page saved',
    );
    // What ran goes on.
    expect((await stateOf()).stateHash).toBe(found.stateHash);
    await page.evaluate(async () => {
      const file = await screeBulk.save();
      file[file.length - 1]! ^= 1;
      await screeBulk.load(file, 'cut.scree');
    });
    expect(await textOf('problem')).toMatch(/^cut.scree: damaged: checksum/);
    expect(await stateOf()).toMatchObject({
      stateHash: found.stateHash,
      choice: { scene: 'heap', count: 12 },
    });
    await page.evaluate(() => screeBulk.runSteps(1));
    expect(await stateOf()).toMatchObject({ steps: 201 });
    await page.click('#reset');
    await page.evaluate(() => screeBulk.ready());
    expect(await stateOf()).toMatchObject({ steps: 0, problem: '' });
  });

  it('lists what a picked body touches, with the forces of the contacts', async () => {
    await page.evaluate(async () => {
      await screeBulk.reset({ scene: 'heap', count: 12 });
      await screeBulk.runSteps(200);
    });
    const [body, partners] = await page.evaluate(async () => {
      const { bodies, count } = await screeBulk.simulation!.contactForces();
      const own = bodies[2 * Math.floor(count / 2) + 1]!;
      const others = new Set<number>();
      for (let i = 0; i < count; i++)
        if (bodies[2 * i] === own || bodies[2 * i + 1] === own)
          others.add(bodies[2 * i]! + bodies[2 * i + 1]! - own);
      await screeBulk.pick(own);
      return [own, others.size] as const;
    });
    const rows = await page.$$eval('#touching tbody tr', (all) => all.map((row) => row.textContent));
    expect(rows).toHaveLength(partners);
    expect(rows[0]).toMatch(/(rock \d+|ground)\d+ points?[\d.]+ mm[\d.]+( k)? ?N$/);
    expect(await textOf('picked-name')).toMatch(RegExp(`^Body ${body}, rock \\d+, touches [1-9]`));
    expect(await page.$eval('#picked', (input) => (input as HTMLInputElement).value)).toBe(String(body));
    await page.click('#forces');
    await page.waitForFunction(() =>
      /^A line of \d+ cm is [\d.]+ N$/.test(document.getElementById('force-scale')!.textContent!),
    );
    await page.click('#forces');
    await page.$eval('#picked', (input) => {
      (input as HTMLInputElement).value = '9999';
      input.dispatchEvent(new Event('change'));
    });
    const last = (await page.evaluate(() => screeBulk.simulation!.bodyCount)) - 1;
    expect(await textOf('picked-name')).toBe(`There is no body 9999: numbers are 0 to ${last}.`);
  });

  it('shows the line of the monitors and the body where they stop it', async () => {
    await page.evaluate(async () => {
      await screeBulk.reset({ scene: 'hopper', count: 12 });
      const simulation = screeBulk.simulation!;
      const velocities = await simulation.read('velocities');
      velocities.fill(1e12, 3 * 5, 3 * 6);
      await simulation.write('velocities', velocities);
      await screeBulk.runSteps(5);
    });
    const { stop, problem, isPlaying } = await stateOf();
    expect(stop).toMatchObject({ body: 5 });
    expect(problem).toMatch(/^step \d+: rock 3 moves by .*, expected at most half its radius, /);
    expect(isPlaying).toBe(false);
    expect(await page.$eval('#picked', (input) => (input as HTMLInputElement).value)).toBe('5');
    await page.click('#reset');
    await page.evaluate(() => screeBulk.ready());
    expect(await stateOf()).toMatchObject({ problem: '', steps: 0 });
  });

  it('follows the size of the window', async () => {
    for (const width of [400, 1000]) {
      await page.setViewport({ width, height: 800 });
      await page.waitForFunction(() => {
        const canvas = document.getElementById('picture') as HTMLCanvasElement;
        const { clientWidth, clientHeight, width, height } = canvas;
        return width > 0 && Math.abs(width / height - clientWidth / clientHeight) < 0.02;
      });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    }
    await page.evaluate(() => screeBulk.runSteps(1));
    expect(await stateOf()).toMatchObject({ steps: 1, problem: '' });
  });

  it('goes back to the scene before, and there stays what it was', async () => {
    const change = (name: string, value: string) =>
      page.evaluate(
        (selector, text) => {
          const field = document.querySelector<HTMLInputElement>(selector)!;
          field.value = text;
          field.dispatchEvent(new Event('change', { bubbles: true }));
          return screeBulk.ready();
        },
        `#form [name="${name}"]`,
        value,
      );
    await changeTo({ scene: 'drum', count: 9 });
    const before = await page.evaluate(() => history.length);
    await change('count', '10');
    expect(await page.evaluate(() => history.length)).toBe(before);
    await change('scene', 'heap');
    expect(await page.evaluate(() => history.length)).toBe(before + 1);
    await page.goBack();
    await page.evaluate(() => screeBulk.ready());
    expect((await stateOf()).choice).toMatchObject({ scene: 'drum', count: 10, backend: 'cpu' });
  });
});

describe('by the GPU', () => {
  it('a scene runs 200 steps as it should, drawn from its buffers, twice the same', async () => {
    const choice = { scene: 'heap', count: 9, backend: 'gpu', response: 'forces' } as const;
    const one = await afterTheSame(200, 200, choice);
    expect(one).toMatchObject({ backend: 'gpu', drawing: 'WebGPU' });
    expectSound(one, 200);
  });

  it('by impulses too, and the same in two runs', async () => {
    const one = await afterTheSame(30, 30, { response: 'impulses' });
    expect(one).toMatchObject({ backend: 'gpu', choice: { response: 'impulses' } });
    expectSound(one, 30);
    await page.evaluate(() => screeBulk.reset({ response: 'forces' }));
  });

  it('five resets take no more memory of the GPU than one', async () => {
    const bytes: number[] = [];
    for (let i = 0; i < 6; i++) {
      await page.evaluate(async () => {
        await screeBulk.reset();
        await screeBulk.runSteps(1);
      });
      // The picture is drawn, and what came before it is freed.
      bytes.push(await settled(() => gpuMemoryOf(page)));
    }
    expect(bytes[0]).toBeGreaterThan(1e5);
    expect(bytes.at(-1)).toBeLessThanOrEqual(bytes[0]!);
  });

  it('offers as many bodies as fit where a limit is too small for more', async () => {
    await page.evaluate(async () => {
      const device = screeBulk.device!;
      const small: Record<string, number> = {};
      for (const name in device.limits) small[name] = device.limits[name as 'maxBufferSize'];
      Object.assign(device, { limits: { ...small, maxStorageBufferBindingSize: 2 ** 20 } });
      await screeBulk.reset({ count: 1500 });
    });
    expect(await textOf('problem')).toMatch(/the device allows 1048576 \(maxStorageBufferBindingSize\)/);
    const offered = Number.parseInt((await textOf('fit')).match(/^Take (\d+) bodies, which fit$/)![1]!, 10);
    expect(offered).toBeLessThan(1500);
    await page.click('#fit');
    await page.evaluate(() => screeBulk.ready());
    expect(await stateOf()).toMatchObject({ problem: '', bodies: offered, backend: 'gpu' });
    expect(await isHidden('fit')).toBe(true);
  });

  it('says that the device is lost, and begins anew when asked, or with what is chosen then', async () => {
    const lose = async () => {
      await page.evaluate(() => (screeBulk.device!.handle as GPUDevice).destroy());
      await page.waitForSelector('#restart:not([hidden])');
      expect(await textOf('problem')).toMatch(/^the WebGPU device was lost \(destroyed/);
      expect(await page.$eval('#play', (button) => (button as HTMLButtonElement).disabled)).toBe(true);
    };
    const expectNew = async (count: number) => {
      await page.evaluate(() => screeBulk.ready());
      await page.evaluate(() => screeBulk.runSteps(3));
      expect(await stateOf()).toMatchObject({ problem: '', steps: 3, choice: { scene: 'heap', count } });
      expect(await isHidden('restart')).toBe(true);
    };
    await page.evaluate(() => screeBulk.play());
    await lose();
    await page.evaluate(() => screeBulk.reset({ backend: 'cpu', count: 10 }));
    await page.evaluate(() => screeBulk.pause());
    await page.evaluate(() => screeBulk.reset());
    await expectNew(10);
    await lose();
    await page.click('#restart');
    await expectNew(10);
  });
});
