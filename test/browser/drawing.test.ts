/** The demos' drawing of bodies, in Chrome: what shows where, from a simulation's buffer and from poses. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChromeSession, startChrome } from '../support/chrome.ts';
import { openPage } from '../support/open-page.ts';
import type { DrawingPage, Picture } from './drawing-page.ts';

declare const drawingPage: DrawingPage;

/** Chrome's own words: of WebGPU on Linux, and of WebGL without a GPU. */
const CHROMES_OWN = /^WebGPU is experimental|Automatic fallback to software WebGL/;
/** Of 255: what drawing ways may differ by in a pixel that both show. */
const ROUNDING = 3;

type Place = readonly [number, number];
interface Shots {
  readonly buffers: Picture;
  readonly poses: Picture;
  readonly webGl: Picture;
  readonly highlighted: Picture;
  /** Pixels by what is expected there. */
  readonly at: Record<'ball' | 'absent' | 'upright' | 'lying' | 'slab', Place> &
    Record<'drawn' | 'bare', readonly Place[]>;
  readonly found: readonly (number | 'none')[];
  /** Buffers and textures after each drawing, those left at the end, and what is wrong with the simulation's buffer. */
  readonly memory: {
    readonly held: readonly number[];
    readonly left: readonly string[];
    readonly harm: string;
  };
}

let session: ChromeSession;
let chrome: Page;
let shots: Shots;
const complaints: string[] = [];

beforeAll(async () => {
  session = await startChrome(['three/webgpu', 'three/tsl', 'three/addons/controls/OrbitControls.js']);
  chrome = await openPage(session.browser);
  chrome.on('pageerror', (error) => complaints.push(String(error)));
  chrome.on('console', (message) => {
    const isBad = message.type() === 'error' || message.type() === 'warn';
    if (isBad && !CHROMES_OWN.test(message.text())) complaints.push(message.text());
  });
  await chrome.goto(`${session.url}test/browser/drawing-page.html`);
  await chrome.waitForFunction('globalThis.drawingPage !== undefined');
  shots = await chrome.evaluate(shoot);
});

afterAll(() => session?.close());

/** Runs on the page. */
async function shoot(): Promise<Shots> {
  const { BODIES, RADIUS, STICK, Shown, Simulation, openDevice, simulated } = drawingPage;
  const device = await openDevice();
  const gpu = device.handle as GPUDevice;
  const alive = new Set<object>();
  for (const kind of ['createBuffer', 'createTexture'] as const) {
    const make = gpu[kind].bind(gpu) as (descriptor: never) => GPUBuffer | GPUTexture;
    const noted = (descriptor: never) => {
      const made = make(descriptor);
      const destroy = made.destroy.bind(made);
      alive.add(made);
      made.destroy = (() => {
        alive.delete(made);
        destroy();
      }) as typeof made.destroy;
      return made;
    };
    Object.assign(gpu, { [kind]: noted });
  }
  const simulation = await Simulation.create(device, simulated, { backend: 'gpu' });
  const [poses, statuses] = [await simulation.read('poses'), await simulation.read('statuses')];
  const before = new Set(alive);
  const shown = await Shown.create(device);
  await shown.show(simulation, 'buffers');
  const buffers = shown.picture();

  const { ball, absent, upright, lying, slab } = BODIES;
  const pixel = (body: number, x = 0, z = 0) => shown.pixelOf(body, [x, 0, z]);
  const end = STICK.half + STICK.radius;
  const [inside, outside] = [0.85, 1.15];
  const around = (share: number) =>
    [0, 1, 2, 3, 4, 5, 6, 7].map((k) => {
      const angle = (k * Math.PI) / 4;
      return pixel(ball, share * RADIUS * Math.cos(angle), share * RADIUS * Math.sin(angle));
    });
  const along = [-inside * end, inside * end];
  const at = {
    ...{ ball: pixel(ball), absent: pixel(absent), slab: pixel(slab) },
    ...{ upright: pixel(upright), lying: pixel(lying) },
    drawn: [...around(inside), ...along.flatMap((s) => [pixel(upright, 0, s), pixel(lying, s, 0)])],
    bare: [...around(outside), ...along.flatMap((s) => [pixel(upright, s, 0), pixel(lying, 0, s)])],
  };
  const scale = shown.canvas.clientWidth / shown.canvas.width;
  const found = [ball, absent, upright, lying, slab].map((body) => {
    const [x, y] = pixel(body);
    return shown.drawing!.bodyAt(x * scale, y * scale, poses, statuses) ?? 'none';
  });
  shown.drawing!.highlight(ball, [lying]);
  const highlighted = shown.picture();
  await shown.show(simulation, 'poses');
  const fromPoses = shown.picture();

  const held = [];
  for (let round = 0; round < 4; round++) {
    await shown.show(simulation, round % 2 === 0 ? 'buffers' : 'poses');
    shown.drawing!.showForces({
      segments: new Float32Array(120).fill(1),
      sizes: new Float32Array(20).fill(1),
    });
    shown.picture();
    shown.drawing!.destroy();
    await shown.stage.drawn();
    held.push(alive.size);
  }
  await shown.stage.destroy();
  await gpu.queue.onSubmittedWorkDone();
  const left = [...alive].filter((one) => !before.has(one)).map((one) => (one as GPUObjectBase).label);
  // The simulation's buffer can still be copied.
  gpu.pushErrorScope('validation');
  const bodies = simulation.buffers!.bodies as GPUBuffer;
  const copy = gpu.createBuffer({ size: bodies.size, usage: GPUBufferUsage.COPY_DST });
  const encoder = gpu.createCommandEncoder();
  encoder.copyBufferToBuffer(bodies, 0, copy, 0, bodies.size);
  gpu.queue.submit([encoder.finish()]);
  const harm = (await gpu.popErrorScope())?.message ?? 'none';
  simulation.destroy();
  device.destroy();

  const cpu = await Simulation.create(undefined, simulated);
  const other = await Shown.create(undefined);
  await other.show(cpu, 'poses');
  const webGl = other.picture();
  other.drawing!.destroy();
  await other.stage.destroy();
  cpu.destroy();
  return { buffers, poses: fromPoses, webGl, highlighted, at, found, memory: { held, left, harm } };
}

function colourAt({ width, pixels }: Picture, [x, y]: Place): number[] {
  const at = 4 * (Math.floor(y) * width + Math.floor(x));
  return pixels.slice(at, at + 3);
}

const BARE = [255, 255, 255];

describe('bodies on the page', () => {
  it('show where the camera projects them, from the buffer of a simulation', () => {
    const { buffers, at } = shots;
    for (const name of ['ball', 'upright', 'lying', 'slab'] as const)
      expect(colourAt(buffers, at[name]), name).not.toEqual(BARE);
    for (const place of at.drawn) expect(colourAt(buffers, place), `${place}`).not.toEqual(BARE);
    for (const place of at.bare) expect(colourAt(buffers, place), `${place}`).toEqual(BARE);
  });

  it('do not show while they are absent', () => {
    expect(colourAt(shots.buffers, shots.at.absent)).toEqual(BARE);
    expect(colourAt(shots.webGl, shots.at.absent)).toEqual(BARE);
  });

  it('look the same from poses, and drawn by WebGL', () => {
    expect(differing(shots.poses, shots.buffers)).toBeLessThan(0.001);
    // Rules for pixels on edges differ.
    expect(differing(shots.webGl, shots.buffers)).toBeLessThan(0.01);
  });

  it('are found by where they show; walls and what is absent are not', () => {
    expect(shots.found).toEqual([0, 'none', 2, 3, 'none']);
  });

  it('that are picked change their colour, with those that they touch, and others stand back', () => {
    const { buffers, highlighted, at } = shots;
    expect(colourAt(highlighted, at.ball)).not.toEqual(colourAt(buffers, at.ball));
    expect(colourAt(highlighted, at.lying)).not.toEqual(colourAt(buffers, at.lying));
    const sum = (picture: Picture, place: Place) => colourAt(picture, place).reduce((all, one) => all + one);
    expect(sum(highlighted, at.upright)).toBeLessThan(0.8 * sum(buffers, at.upright));
    expect(colourAt(highlighted, at.slab)).toEqual(colourAt(buffers, at.slab));
  });

  it('give back the memory that they took, and leave the simulation its own', () => {
    const { held, left, harm } = shots.memory;
    expect(new Set(held).size, `${held}`).toBe(1);
    expect(left).toEqual([]);
    expect(harm).toBe('none');
  });

  it('are drawn without a complaint', () => {
    expect(complaints).toEqual([]);
  });
});

it('the three that is installed is the one that is pinned, since its backend is reached into', () => {
  const read = (file: string) =>
    JSON.parse(readFileSync(resolve(import.meta.dirname, '../..', file), 'utf8'));
  const pinned = read('package.json').devDependencies.three;
  expect(pinned).toMatch(/^\d+\.\d+\.\d+$/);
  expect(read('node_modules/three/package.json').version).toBe(pinned);
});

/** Share of pixels that differ by more than rounding. */
function differing(one: Picture, other: Picture): number {
  expect([one.width, one.height]).toEqual([other.width, other.height]);
  let count = 0;
  for (let at = 0; at < one.pixels.length; at += 4) {
    const most = Math.max(...[0, 1, 2].map((k) => Math.abs(one.pixels[at + k]! - other.pixels[at + k]!)));
    if (most > ROUNDING) count++;
  }
  return count / (one.width * one.height);
}
