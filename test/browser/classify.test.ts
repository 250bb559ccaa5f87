import { readFileSync } from 'node:fs';
import type { Page as ChromePage } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Device, openDevice } from '../../src/gpu/device.ts';
import { CROSSING_RULES } from '../../src/inside/classification.ts';
import { Polyhedron } from '../../src/inside/polyhedron.ts';
import { parseNpy } from '../../src/io/npy.ts';
import { gridPoints } from '../../src/io/points.ts';
import { openCellFoam } from '../../src/mesh/generate-foam.ts';
import { type ChromeSession, startChrome } from '../support/chrome.ts';
import { dataPath, describeWithData } from '../support/data.ts';
import { openPage } from '../support/open-page.ts';
import { WAYS } from '../support/ways.ts';
import type { Page } from './page.ts';

declare const page: Page;
/** On the page, made before all tests: a device compiles the kernels of all ways once. */
declare const device: Device;
declare const foamBody: Polyhedron;

let session: ChromeSession;
let chrome: ChromePage;
const complaints: string[] = [];

beforeAll(async () => {
  session = await startChrome();
  chrome = await openPage(session.browser);
  chrome.on('pageerror', (error) => complaints.push(String(error)));
  chrome.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warn') complaints.push(message.text());
  });
  await chrome.goto(`${session.url}test/browser/page.html`);
  await chrome.waitForFunction('globalThis.page !== undefined');
  await chrome.evaluate(async () => {
    Object.assign(globalThis, { device: await page.scree.openDevice() });
  });
});

afterAll(() => session?.close());

/** Flags cross from the page as text: one digit per point. */
const toDigits = (flags: Uint8Array) => flags.join('');

describe('in Chrome', () => {
  it('a device opens and names its adapter', async () => {
    const adapter = await chrome.evaluate(async () => {
      const device = await page.scree.openDevice();
      const { adapter } = device;
      device.destroy();
      return adapter;
    });
    expect(adapter.vendor).not.toBe('');
    expect(typeof adapter.software).toBe('boolean');
  });

  it('gzip is read, and refused where it is damaged or inflates without an end', async () => {
    const told = await chrome.evaluate(async () => {
      const { encodeMesh, readMesh, unitSphere } = page.scree;
      const packed = async (...parts: Uint8Array[]) => {
        const stream = new Blob(parts as BlobPart[]).stream().pipeThrough(new CompressionStream('gzip'));
        return new Uint8Array(await new Response(stream).arrayBuffer());
      };
      const complaint = (bytes: Uint8Array) =>
        readMesh(bytes, { name: 'a.gz' }).then(
          () => 'nothing',
          (error: Error) => error.message,
        );
      const ball = await packed(encodeMesh(unitSphere(5), 'obj'));
      const zeros = new Uint8Array(1 << 25);
      return {
        triangles: (await readMesh(ball, { name: 'a.gz' })).triangleCount,
        damaged: await complaint(ball.subarray(0, ball.length / 2)),
        endless: await complaint(await packed(zeros, zeros, zeros, zeros)),
      };
    });
    expect(told.triangles).toBe(8192);
    expect(told.damaged).toMatch(/^a\.gz: damaged gzip data \([^\n]+\)$/);
    expect(told.endless).toMatch(
      /^a\.gz: found gzip data of which \d+ bytes inflate to more than 67108864, /,
    );
    expect(told.endless).toMatch(/, expected at most 256 times as many, or 67108864$/);
  });

  it('every shader compiles without a word from the compiler', async () => {
    const messages = await chrome.evaluate(async () => {
      const found = [];
      for (const shader of page.shaders) found.push(...(await page.compileShader(device, shader())).messages);
      return found;
    });
    expect(messages).toEqual([]);
  });

  it('flags of a generated foam are those of Node, in every way and under both rules', async () => {
    const options = { triangles: 12_000, seed: 7 };
    const foam = openCellFoam(options);
    const own = await openDevice();
    const body = await Polyhedron.create(own, foam);
    const points = gridPoints(foam.box, 28);
    await chrome.evaluate(async (foamOptions) => {
      const mesh = page.scree.openCellFoam(foamOptions);
      Object.assign(globalThis, { foamBody: await page.scree.Polyhedron.create(device, mesh) });
    }, options);
    for (const way of WAYS.flatMap((w) => CROSSING_RULES.map((rule) => ({ ...w, rule })))) {
      const here = await body.classify(points, way);
      const there = await chrome.evaluate(
        async (box, chosen) => {
          const { flags, seconds } = await foamBody.classify(page.scree.gridPoints(box, 28), chosen);
          return { triangles: foamBody.mesh.triangleCount, flags: flags.join(''), total: seconds.total };
        },
        foam.box,
        way,
      );
      expect(there.triangles).toBe(foam.triangleCount);
      expect(there.flags === toDigits(here.flags)).toBe(true);
      expect(there.total).toBeGreaterThan(0);
    }
    expect((await body.classify(points)).counts.inside).toBeGreaterThan(1000);
    await chrome.evaluate(() => foamBody.destroy());
    own.destroy();
  });

  it('a cloud that a kernel makes is classified on the device, with the flags of its points in Node', async () => {
    const options = { triangles: 6000, seed: 7 };
    const there = await chrome.evaluate(async (foamOptions) => {
      const { BufferPool, readBack, Recorder, openCloud, scree } = page;
      const body = await scree.Polyhedron.create(device, scree.openCellFoam(foamOptions));
      const most = 20_000;
      const inside = await body.onDevice({ mostPoints: most });
      const pool = new BufferPool(device);
      const cloud = await openCloud(device, pool, most);
      const encoder = device.handle.createCommandEncoder();
      const recorder = new Recorder(device, { encoder });
      const count = 19_001;
      cloud.make(recorder, body.mesh.box, count);
      recorder.end();
      inside.encode(encoder, { points: cloud.points, count: cloud.count });
      device.handle.queue.submit([encoder.finish()]);
      const [xyz, flags, list] = await readBack(device, pool, [
        { buffer: cloud.points, bytes: 12 * count },
        { buffer: inside.flags as GPUBuffer, bytes: 4 * Math.ceil(count / 4) },
        { buffer: inside.doubtful as GPUBuffer, bytes: 4 * (3 + count) },
      ]);
      const points = new Float32Array(xyz!.slice().buffer);
      const back = { points, flags: flags!.slice(0, count), doubtful: new Uint32Array(list!.slice().buffer) };
      const settled = await inside.settle(back);
      const expected = await body.classify(points, { backend: 'cpu' });
      inside.destroy();
      pool.destroy();
      body.destroy();
      return {
        bits: [...new Uint32Array(points.buffer)],
        ...{ settled, flags: back.flags.join(''), expected: expected.flags.join('') },
      };
    }, options);
    expect(there.flags === there.expected).toBe(true);
    expect(there.settled).toBeLessThan(19_001 / 20);
    const points = new Float32Array(Uint32Array.from(there.bits).buffer);
    const body = await Polyhedron.create(undefined, openCellFoam(options));
    const here = await body.classify(points);
    body.destroy();
    expect(there.flags === toDigits(here.flags)).toBe(true);
    expect(here.counts.inside).toBeGreaterThan(500);
  });

  it('points are streamed from a URL and a Blob, with the flags of Node', async () => {
    const options = { triangles: 6000, seed: 7 };
    const foam = openCellFoam(options);
    const body = await Polyhedron.create(undefined, foam);
    const here = await body.classify(gridPoints(foam.box, 30));
    body.destroy();
    for (const way of WAYS) {
      const there = await chrome.evaluate(
        async (foamOptions, chosen) => {
          const { encodeNpy, gridPoints: grid, openPoints, Polyhedron: Body } = page.scree;
          const mesh = page.scree.openCellFoam(foamOptions);
          const body = await Body.create(device, mesh);
          const points = grid(mesh.box, 30);
          const file = new Blob([encodeNpy(points, [points.length / 3, 3]) as Uint8Array<ArrayBuffer>]);
          const found = [];
          for (const source of [file, URL.createObjectURL(file)]) {
            const chunks = await openPoints(source, { chunkPoints: 4000 });
            let flags = '';
            for await (const chunk of body.classifyStream(chunks, chosen)) flags += chunk.flags.join('');
            found.push({ count: chunks.count, whole: chunks.whole, flags });
          }
          body.destroy();
          return found;
        },
        options,
        way,
      );
      expect(there).toHaveLength(2);
      for (const { count, whole, flags } of there) {
        expect({ count, whole }).toEqual({ count: 27_000, whole: undefined });
        expect(flags === toDigits(here.flags)).toBe(true);
      }
    }
  });

  it('a file that cannot be fetched is named', async () => {
    expect(complaints).toEqual([]);
    const messages = await chrome.evaluate(async () => {
      const wrong = (source: string) => page.scree.openPoints(source).catch((error) => error.message);
      const cut = new Blob([page.scree.encodeNpy(new Float32Array(3000), [1000, 3]).slice(0, 5000) as never]);
      const reading = async () => {
        for await (const _ of await page.scree.openPoints(URL.createObjectURL(cut), { name: 'cut.npy' }));
      };
      return [await wrong('blob:gone'), await reading().catch((error) => error.message)];
    });
    expect(messages[0]).toMatch(/^blob:gone: cannot be fetched/);
    // A response does not say how long it is: the reading has to find out.
    expect(messages[1]).toBe(
      'cut.npy: row 406: truncated: found 4872 bytes of data, expected 12000 for the shape [1000, 3] of f4',
    );
    // Chrome reports the failed request of its own accord.
    complaints.splice(0);
  });

  it('a lost device rejects the classification, and a new one works', async () => {
    const result = await chrome.evaluate(async () => {
      const device = await page.scree.openDevice();
      const body = await page.scree.Polyhedron.create(device, page.scree.unitSphere(5));
      const points = new Float32Array(300_000).map((_, i) => Math.sin(i));
      const pending = body.classify(points, { method: 'ray-crossing', cull: false });
      setTimeout(() => device.handle.destroy(), 50);
      const reason = await pending.then(
        () => 'finished',
        (error) => error.reason,
      );
      const again = await page.scree.openDevice();
      const fresh = await page.scree.Polyhedron.create(again, page.scree.unitSphere(2));
      const { flags } = await fresh.classify(Float32Array.from([0, 0, 0, 2, 0, 0, 1, 0, 0]));
      again.destroy();
      return { reason, flags: [...flags] };
    });
    expect(result).toEqual({ reason: 'lost', flags: [1, 0, 2] });
  });

  it('an abort stops the classification', async () => {
    const name = await chrome.evaluate(async () => {
      const device = await page.scree.openDevice();
      const body = await page.scree.Polyhedron.create(device, page.scree.unitSphere(6));
      const points = new Float32Array(300_000).map((_, i) => Math.sin(i));
      const controller = new AbortController();
      const pending = body.classify(points, {
        method: 'ray-crossing',
        cull: false,
        signal: controller.signal,
      });
      setTimeout(() => controller.abort(), 50);
      const name = await pending.then(
        () => 'finished',
        (error) => error.name,
      );
      device.destroy();
      return name;
    });
    expect(name).toBe('AbortError');
  });

  it('a page without WebGPU says what to do', async () => {
    const other = await openPage(session.browser);
    await other.evaluateOnNewDocument(() => Object.defineProperty(navigator, 'gpu', { value: undefined }));
    await other.goto(`${session.url}test/browser/page.html`);
    await other.waitForFunction('globalThis.page !== undefined');
    const message = await other.evaluate(() =>
      page.scree.openDevice().catch((error) => `${error.reason}: ${error.message}`),
    );
    expect(message).toMatch(/^no-webgpu: WebGPU is not available in this browser: use a recent Chrome/);
    await other.close();
  });

  it('nothing was complained of on the page', () => {
    expect(complaints).toEqual([]);
  });
});

describeWithData('in Chrome, flags of real meshes equal the oracle', () => {
  const selection = [
    'good/skull_100k.obj',
    'good/menger_sponge3_be.ply',
    'good/cube_7_8ths.stl',
    'bad/one_face_flipped.stl',
  ];

  it.each(selection)('%s', async (file) => {
    const stem = file.replace('/', '__').replace(/\.\w+$/, '');
    const oracle = parseNpy(readFileSync(dataPath(`oracle/${stem}.inside.npy`)), stem).data as Uint8Array;
    const flags = await chrome.evaluate(
      async (meshUrl, pointsUrl, ways) => {
        const { Polyhedron, readMesh, readPoints } = page.scree;
        const body = await Polyhedron.create(device, await readMesh(meshUrl));
        const points = await readPoints(pointsUrl);
        const found = [];
        for (const way of ways) found.push((await body.classify(points, way)).flags.join(''));
        body.destroy();
        return found;
      },
      `${session.url}data/${file}`,
      `${session.url}data/oracle/${stem}.points.npy`,
      WAYS,
    );
    expect(flags.map((found) => found === toDigits(oracle))).toEqual(WAYS.map(() => true));
  });
});
