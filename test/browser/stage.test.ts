/** What the demos draw with, on WebGPU and on WebGL, both on the software adapter. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'puppeteer';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { wgslModules } from '../../scripts/wgsl-modules.ts';
import { type Chrome, launchChrome } from '../../src/cli/chrome/chrome.ts';
import { type PageServer, servePages } from '../../src/cli/chrome/page-server.ts';
import { openPage } from '../support/open-page.ts';
import type { StagePage } from '../support/stage-page.ts';

const root = resolve(import.meta.dirname, '../..');
/** --stage of demos.css. */
const BACKGROUND = { light: [233, 235, 237], dark: [34, 37, 42] };

declare const page: StagePage;

const folder = mkdtempSync(join(tmpdir(), 'scree-stage-'));
let server: PageServer;
let chrome: Chrome;
let tab: Page;
const complaints: string[] = [];

beforeAll(async () => {
  const html = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>';
  writeFileSync(join(folder, 'index.html'), html);
  const source = JSON.stringify(join(root, 'test/support/stage-page.ts'));
  writeFileSync(
    join(folder, 'main.js'),
    `import { page } from ${source}; Object.assign(globalThis, { page });`,
  );
  await build({
    root: folder,
    configFile: false,
    plugins: [wgslModules()],
    logLevel: 'error',
    resolve: { alias: { '#platform': join(root, 'src/platform/browser.ts') } },
    build: { outDir: 'out', minify: false, target: 'es2023', chunkSizeWarningLimit: 5000 },
  });
  server = await servePages(join(folder, 'out'));
  // Chrome warns of WebGL on the CPU unless it is asked for.
  chrome = await launchChrome({ adapter: 'software', switches: ['--enable-unsafe-swiftshader'] });
  tab = await openPage(chrome.browser);
  tab.on('pageerror', (error) => complaints.push(String(error)));
  tab.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) complaints.push(message.text());
  });
  await tab.goto(server.url);
  await tab.waitForFunction('globalThis.page !== undefined');
});

afterAll(async () => {
  await chrome?.close();
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** How far two colours are apart, in steps of 255. */
const apart = (a: readonly number[], b: readonly number[]) =>
  Math.max(...a.map((x, k) => Math.abs(x - b[k]!)));

// A test that fails leaves its own behind.
afterEach(() => tab.evaluate(() => page.Seat.closeAll()));

describe.each(['WebGPU', 'WebGL', 'WebGPU on hardware'] as const)('the stage on %s', (kind) => {
  it('draws a box where the camera projects it, also after a change of size', async () => {
    const seen = await tab.evaluate(async (on) => {
      const seat = await page.Seat.open(on);
      const { BoxGeometry, Mesh, MeshBasicNodeMaterial } = page.three;
      const box = new Mesh(new BoxGeometry(2, 3, 1), new MeshBasicNodeMaterial({ color: 0xff0000 }));
      box.position.set(5, -2, 1);
      seat.stage.scene.add(box);
      seat.stage.frameBox({ min: [4, -3.5, 0.5], max: [6, -0.5, 1.5] });
      const measure = async () => {
        const { data, width, height } = await seat.picture();
        const red = { left: width, right: 0, top: height, bottom: 0 };
        for (let i = 0; i < width * height; i++) {
          if (!(data[4 * i]! > 200 && data[4 * i + 1]! < 50)) continue;
          const x = i % width;
          const y = Math.floor(i / width);
          red.left = Math.min(red.left, x);
          red.right = Math.max(red.right, x + 1);
          red.top = Math.min(red.top, y);
          red.bottom = Math.max(red.bottom, y + 1);
        }
        const corners = Array.from({ length: 8 }, (_, k) =>
          seat.placeOf(k & 1 ? 6 : 4, k & 2 ? -0.5 : -3.5, k & 4 ? 1.5 : 0.5),
        );
        const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
        const expected = {
          ...{ left: Math.min(...xs), right: Math.max(...xs) },
          ...{ top: Math.min(...ys), bottom: Math.max(...ys) },
        };
        const { width: cssWidth, height: cssHeight } = seat.canvas.getBoundingClientRect();
        const ratio = seat.stage.renderer.getPixelRatio();
        return {
          red,
          expected,
          size: [width / ratio, height / ratio],
          pixelsOf: [width, height],
          css: [cssWidth, cssHeight],
        };
      };
      const first = await measure();
      seat.canvas.style.width = '180px';
      seat.canvas.style.height = '260px';
      const second = await measure();
      await seat.close();
      return [first, second];
    }, kind);
    expect(seen.map(({ css }) => css)).toEqual([
      [300, 200],
      [180, 260],
    ]);
    for (const { red, expected, size, pixelsOf, css } of seen) {
      for (const side of ['left', 'right', 'top', 'bottom'] as const) {
        // A pixel is drawn where its middle is covered.
        expect(Math.abs(red[side] - expected[side])).toBeLessThan(1.01);
      }
      // The box fills nine tenths of the picture, in one direction.
      const shares = [red.right - red.left, red.bottom - red.top].map((pixels, k) => pixels / pixelsOf[k]!);
      expect(Math.max(...shares)).toBeGreaterThan(0.87);
      expect(Math.max(...shares)).toBeLessThan(0.93);
      size.forEach((pixels, k) => {
        expect(Math.abs(pixels - css[k]!)).toBeLessThan(2);
      });
    }
  });

  it("follows the reader's colours and keys, and tells two cameras apart or links them", async () => {
    await tab.evaluate(async (on) => {
      Object.assign(globalThis, { seat: await page.Seat.open(on), other: await page.Seat.open(on) });
    }, kind);
    type Seat = Awaited<ReturnType<typeof page.Seat.open>>;
    for (const value of ['dark', 'light'] as const) {
      await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
      // Chrome tells the page with one of its next frames.
      const shade = await tab.evaluate(async (isDark) => {
        const { seat } = globalThis as unknown as { seat: Seat };
        let colour = [isDark ? 255 : 0];
        for (let k = 0; k < 60 && colour[0]! > 128 === isDark; k++) {
          colour = [...(await seat.picture()).data.subarray(0, 3)];
        }
        return colour;
      }, value === 'dark');
      expect(apart(shade, BACKGROUND[value])).toBeLessThan(3);
    }
    const places = () =>
      tab.evaluate(() => {
        const { seat, other } = globalThis as unknown as { seat: Seat; other: Seat };
        return [seat, other].map(({ stage: { camera, controls } }) =>
          camera.position.clone().sub(controls.target).toArray(),
        );
      });
    const length = (at: readonly number[]) => Math.hypot(...at);
    const [start] = await places();
    await tab.focus('canvas');
    await tab.keyboard.press('ArrowRight');
    const [turned, still] = await places();
    expect(Math.hypot(turned![0]! - start![0]!, turned![1]! - start![1]!)).toBeGreaterThan(0.01);
    expect(length(turned!)).toBeCloseTo(length(start!), 5);
    expect(turned![2]).toBeCloseTo(start![2]!, 5);
    expect(still).toEqual(start);
    await tab.evaluate(() => {
      const { seat, other } = globalThis as unknown as { seat: Seat; other: Seat };
      page.linkCameras(seat.stage, other.stage);
    });
    await tab.keyboard.press('+');
    await tab.keyboard.press('ArrowUp');
    const [near, followed] = await places();
    expect(length(near!)).toBeLessThan(0.95 * length(start!));
    expect(near![2]! / length(near!)).toBeGreaterThan(turned![2]! / length(turned!));
    expect(Math.max(...near!.map((x, k) => Math.abs(x - followed![k]!)))).toBeLessThan(1e-6);
    await tab.evaluate(async () => {
      const { seat, other } = globalThis as unknown as { seat: Seat; other: Seat };
      await other.close();
      await seat.close();
    });
  });

  it('gives back all GPU memory and asks for no more frames', async () => {
    const seen = await tab.evaluate(async (on) => {
      const before = page.alive.size;
      const seat = await page.Seat.open(on, { ground: true, shadows: true });
      const drawing = new page.InsideDrawing(seat.stage);
      const mesh = page.library.unitSphere(2);
      drawing.setBox(mesh.box);
      drawing.setMesh(mesh, page.library.checkMesh(mesh));
      drawing.setCloud(page.library.gridPoints(mesh.box, 4), new Uint8Array(64));
      await seat.picture();
      const used = page.alive.size;
      // What is replaced is given back, too.
      const sizes: number[] = [];
      for (let k = 0; k < 4; k++) {
        drawing.setCloud(page.library.gridPoints(mesh.box, 4), new Uint8Array(64).fill(k % 3));
        drawing.setMesh(mesh);
        await seat.picture();
        sizes.push(page.alive.size);
      }
      drawing.destroy();
      await seat.close();
      const frames = page.frames();
      await new Promise((settle) => setTimeout(settle, 100));
      return { before, used, sizes, after: page.alive.size, frames: page.frames() - frames };
    }, kind);
    expect(seen.used).toBeGreaterThan(seen.before + 5);
    expect(new Set(seen.sizes).size).toBe(1);
    expect(seen.after).toBe(seen.before);
    expect(seen.frames).toBe(0);
  });

  it('says that a device or a context is lost, and is quiet', async () => {
    const reason = await tab.evaluate(async (on) => {
      const seat = await page.Seat.open(on);
      await seat.picture();
      if (seat.device) {
        seat.device.destroy();
        seat.stage.render();
        await seat.close();
        return 'closed';
      }
      const gl = seat.canvas.getContext('webgl2')!;
      gl.getExtension('WEBGL_lose_context')!.loseContext();
      const told = await seat.stage.lost;
      seat.stage.render();
      await seat.close();
      return told;
    }, kind);
    expect(reason).not.toBe('');
  });
});

describe.each(['WebGPU', 'WebGL', 'WebGPU on hardware'] as const)("the viewer's drawing on %s", (kind) => {
  it('shows points by their flags, what differs, bad edges and a slice', async () => {
    const seen = await tab.evaluate(async (on) => {
      const seat = await page.Seat.open(on, { from: [0, -1, 0.02] });
      const drawing = new page.InsideDrawing(seat.stage);
      // Far from the origin and large: the scene has its own.
      const at = (x: number, y: number, z: number) => [1000 + 100 * x, 2000 + 100 * y, -3000 + 100 * z];
      const [min, max] = [at(-1, -1, -1), at(1, 1, 1)] as [
        [number, number, number],
        [number, number, number],
      ];
      drawing.setBox({ min, max });
      const rows = [0.5, -0.5].map((z) => [-0.75, 0, 0.75].map((x) => [x, 0, z] as const));
      const places = rows.flat().slice(0, 5);
      // Two more points, so that the points' mean distance is known.
      const points = Float32Array.from([...places.map((place) => at(...place)), min, max].flat());
      const flags = [0, 1, 2, 1, 0, 0, 0];
      drawing.setCloud(points, flags);
      const all = await seat.coloursAt(places);
      drawing.setShown({ inside: false });
      const fewer = await seat.coloursAt(places);
      drawing.setShown({ inside: true });
      drawing.setCloud(points, flags, [4]);
      drawing.setSlice({ axis: 0, at: at(-0.5, 0, 0)[0]! });
      const sliced = await seat.coloursAt(places);
      drawing.setSlice({ axis: 0, at: at(0.5, 0, 0)[0]! });
      const less = await seat.coloursAt(places);
      drawing.setCloud([], []);
      drawing.setSlice(undefined);
      // Two triangles of four: the edge between them is whole, and the others are not.
      const mesh = new page.library.TriangleMesh({
        positions: Float32Array.from([at(-1, 0, -1), at(1, 0, -1), at(1, 0, 1), at(-1, 0, 1)].flat()),
        indices: Uint32Array.of(0, 1, 2, 0, 2, 3),
      });
      drawing.setMesh(mesh, page.library.checkMesh(mesh));
      const edges = await seat.coloursAt([
        [0, 0, 1],
        [0, 0, 0],
        [-1, 0, 0],
      ]);
      drawing.setMeshStyle('hidden');
      const [hidden] = await seat.coloursAt([[0.3, 0, 0]]);
      const colour = (name: string) => {
        const { r, g, b } = seat.stage.colourOf(name).convertLinearToSRGB();
        return [r, g, b].map((x) => Math.round(255 * x));
      };
      const names = ['inside', 'outside', 'boundary', 'differs', 'stage', 'open-edge'] as const;
      const colours = Object.fromEntries(names.map((name) => [name, colour(`--${name}`)]));
      drawing.destroy();
      await seat.close();
      return { all, fewer, sliced, less, edges, hidden: hidden!, colours };
    }, kind);
    /** The colour, among those that may be there, that is nearest in hue: balls have a light and a dark side. */
    const told = (colour: number[]) => {
      const of = (rgb: readonly number[]): number[] => {
        const most = Math.max(...rgb, 1);
        return [...rgb.map((x) => x / most), most / 255];
      };
      const weights = [1, 1, 1, 0.5];
      const distance = (a: number[], b: number[]) =>
        Math.hypot(...of(a).map((x, k) => weights[k]! * (x - of(b)[k]!)));
      return Object.entries(seen.colours).sort(
        (a, b) => distance(colour, a[1]) - distance(colour, b[1]),
      )[0]![0];
    };
    expect(seen.all.map(told)).toEqual(['outside', 'inside', 'boundary', 'inside', 'outside']);
    expect(seen.fewer.map(told)).toEqual(['outside', 'stage', 'boundary', 'stage', 'outside']);
    expect(seen.sliced.map(told)).toEqual(['outside', 'stage', 'stage', 'inside', 'stage']);
    expect(seen.less.map(told)).toEqual(['stage', 'inside', 'stage', 'inside', 'differs']);
    expect(seen.edges.map(told).map((name) => name === 'open-edge' || name === 'differs')).toEqual([
      true,
      false,
      true,
    ]);
    expect(told(seen.hidden)).toBe('stage');
  });

  it('puts winding numbers where they were asked for, in the colours of the legend', async () => {
    const seen = await tab.evaluate(async (on) => {
      const seat = await page.Seat.open(on, { from: [1, -1, 0.8] });
      const drawing = new page.InsideDrawing(seat.stage);
      const box = { min: [-1, -1, -1], max: [1, 1, 1] } as const;
      drawing.setBox(box);
      const shown: number[][][] = [];
      const expected: (readonly number[])[][] = [];
      for (const axis of [0, 1, 2] as const) {
        const grid = page.map.sliceGrid(box, { axis, at: 0.25 }, 6, 0);
        const values = Array.from({ length: grid.columns * grid.rows }, (_, i) => -0.2 + 0.35 * i);
        const range = page.map.rangeOf(values);
        drawing.setSlice(grid.slice);
        drawing.setWinding(grid, values, range);
        const places = values.map(
          (_, i) => [...grid.points.subarray(3 * i, 3 * i + 3)] as [number, number, number],
        );
        shown.push(await seat.coloursAt(places));
        expected.push(values.map((value) => page.map.windingColour(value, range)));
      }
      const legend = document.createElement('div');
      page.map.showLegend(legend, [-0.25, 1.25]);
      const marks = [...legend.querySelectorAll('span')].map(
        ({ style, textContent }) => `${textContent} ${style.left}`,
      );
      drawing.destroy();
      await seat.close();
      return { shown, expected, marks };
    }, kind);
    seen.shown.forEach((colours, axis) => {
      expect(colours.length).toBeGreaterThan(3);
      colours.forEach((colour, i) => {
        expect(apart(colour, seen.expected[axis]![i]!)).toBeLessThan(4);
      });
    });
    expect(seen.marks.map((mark) => mark.replace(/\.\d+%/, '%'))).toEqual([
      '0 outside 16%',
      '0.5 50%',
      '1 inside 83%',
    ]);
  });
});

it('writes nothing to the console', () => {
  expect(complaints).toEqual([]);
});
