import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HEADER_WORDS, HeaderWord } from '../../src/broadphase/broad-phase-layout.ts';
import type { Entries } from '../../src/broadphase/entries.ts';
import { placeEntries } from '../../src/broadphase/entries.ts';
import { writeEntryBoxes } from '../../src/broadphase/entry-boxes.ts';
import { endListSource } from '../../src/broadphase/gpu/broad-phase-kernels.ts';
import { GpuBroadPhase } from '../../src/broadphase/gpu/gpu-broad-phase.ts';
import { packBodies } from '../../src/broadphase/gpu/tables.ts';
import { overlappingPairs } from '../../src/broadphase/pairs-task.ts';
import { bind } from '../../src/gpu/bind.ts';
import { compileKernel } from '../../src/gpu/kernel.ts';
import { createRandom } from '../../src/mesh/random.ts';
import { firstDifference, useBench } from '../support/blocks.ts';
import { useDevice } from '../support/device.ts';
import { hold } from '../support/hold.ts';
import { BOX_SETS, densePacking, mixedEntries, strangers } from './box-sets.ts';
import { randomScene } from './scenes.ts';

const device = useDevice();
const bench = useBench(device);

let open: GpuBroadPhase[] = [];
beforeEach(() => {
  open = [];
});
afterEach(() => {
  for (const one of open) one.destroy();
});

async function broadPhase(options: Parameters<typeof GpuBroadPhase.create>[1]): Promise<GpuBroadPhase> {
  const made = await GpuBroadPhase.create(device(), options);
  open.push(made);
  return made;
}

/** A broad phase whose boxes a test gives. */
function forBoxes(entries: Entries, capacity: number): Promise<GpuBroadPhase> {
  const { count, bodies } = entries;
  const places = {
    ...{ count, bodies, middles: new Float64Array(3 * count), halfAxes: new Float64Array(9 * count) },
    radii: new Float64Array(count),
  };
  return broadPhase({ entries, places, bodyCount: count, cell: 1, margin: 0, capacity });
}

/** Header and list after what was recorded. */
async function read(gpu: GpuBroadPhase) {
  const header = await bench().words(gpu.header, HEADER_WORDS);
  const count = header[HeaderWord.count]!;
  const pairs = count === 0 ? new Uint32Array(0) : (await bench().words(gpu.pairs, 2 * count)).slice();
  return { pairs, needed: header[HeaderWord.needed]!, rebuilt: header[HeaderWord.rebuilt]!, header };
}

async function pairsOf(gpu: GpuBroadPhase, boxes: Int32Array) {
  const words = new Uint32Array((8 * boxes.length) / 6);
  for (let box = 0; box < boxes.length / 6; box++) {
    words.set(boxes.subarray(6 * box, 6 * box + 3), 8 * box);
    words.set(boxes.subarray(6 * box + 3, 6 * box + 6), 8 * box + 4);
  }
  device().handle.queue.writeBuffer(gpu.boxes, 0, words);
  await bench().submit((recorder) => gpu.recordBoxes(recorder));
  return read(gpu);
}

describe('pairs of boxes on the GPU', () => {
  it.each(Object.entries(BOX_SETS))('%s: the same list as on the CPU', async (_, make) => {
    for (const [most, isMixed] of [
      [0, false],
      [1, false],
      [300, false],
      [2000, true],
    ] as const) {
      const boxes = make(most, 11);
      const count = boxes.length / 6;
      const entries = isMixed ? mixedEntries(count, createRandom(5)) : strangers(count);
      const expected = await overlappingPairs(boxes, entries);
      const gpu = await forBoxes(entries, expected.pairs.length / 2 + 10);
      const { pairs, needed } = await pairsOf(gpu, boxes);
      expect(needed).toBe(expected.pairs.length / 2);
      expect(firstDifference(pairs, expected.pairs)).toBeUndefined();
    }
  });

  it('boxes that hold nothing meet none, not even one over all', async () => {
    const [least, most] = [-(2 ** 31), 2 ** 31 - 1];
    const whole = [least, least, least, most, most, most];
    const empty = [most, most, most, least, least, least];
    const boxes = Int32Array.from([whole, empty, [0, 0, 0, 1, 1, 1], empty, empty, whole].flat());
    const { pairs } = await pairsOf(await forBoxes(strangers(6), 20), boxes);
    expect([...pairs]).toEqual([0, 2, 0, 5, 2, 5]);
  });

  it('a list without room for all is empty, and says how many there are', async () => {
    const boxes = densePacking(2000);
    const entries = strangers(2000);
    const { pairs: expected } = await overlappingPairs(boxes, entries);
    const gpu = await forBoxes(entries, 1000);
    const short = await pairsOf(gpu, boxes);
    expect(short.needed).toBe(expected.length / 2);
    expect(short.pairs.length).toBe(0);
    await gpu.reserve(short.needed);
    const whole = await pairsOf(gpu, boxes);
    expect(firstDifference(whole.pairs, expected)).toBeUndefined();
  });

  it.each([
    [999, 999, 999],
    [1001, 1001, 0],
    [2 ** 31 + 17, 2 ** 32 - 1, 0],
  ])('of %d pairs that were counted: %d needed, %d in the list', async (counted, needed, inList) => {
    const words = new Uint32Array(HEADER_WORDS);
    words[HeaderWord.rebuilt] = 1;
    words[HeaderWord.needed] = counted;
    const header = bench().buffer('header', words);
    const kernel = await compileKernel(device(), endListSource);
    await bench().submit((recorder) => {
      const params = { capacity: 1000, isOfBodies: 1, mostGroups: 65_535, allGroups: 2 ** 26 };
      const sizes = bench().buffer('sizes', new Uint32Array(12));
      recorder.run(bind(device(), kernel, { header, sizes }), { groups: 1, params });
    });
    const found = await bench().words(header, HEADER_WORDS);
    expect(found[HeaderWord.needed]).toBe(needed);
    expect(found[HeaderWord.count]).toBe(inList);
    expect(found[HeaderWord.serves]).toBe(inList > 0 ? 1 : 0);
  });
});

describe('boxes of bodies on the GPU', () => {
  it.each([
    [0, 1],
    [20_000, 1],
    [20_000, 1000],
  ])('at %d, of size %d: hold those of the CPU, and are larger by their rounding', async (centre, size) => {
    const cell = 0.25;
    const margin = 0.01;
    const { entryInput, poses } = randomScene(300, 5, centre, size);
    const places = placeEntries(entryInput);
    const entries = { ...strangers(places.count), bodies: places.bodies };
    const gpu = await broadPhase({ entries, places, bodyCount: 300, cell, margin, capacity: 50_000 });
    const bodies = bench().buffer('bodies', packBodies(poses, new Uint8Array(300), cell));
    await bench().submit((recorder) => gpu.record(recorder, bodies));
    const found = new Int32Array((await bench().words(gpu.boxes, 8 * places.count)).slice().buffer);
    const expected = new Int32Array(6 * places.count);
    writeEntryBoxes({ entries: places, poses, cell, margin }, expected);
    // Twice the rounding that is added, and what both round to whole quanta.
    const far = (0.1 * Math.sqrt(3) + 0.1 * Math.sqrt(3)) * size;
    const most = 2 + 2 * 2 ** -16 * ((far + margin) / cell) * 2 ** 14;
    for (let entry = 0; entry < places.count; entry++) {
      for (let axis = 0; axis < 3; axis++) {
        // Poses in float32 turn a little differently, which the GPU's boxes have room for.
        const below = expected[6 * entry + axis]! - found[8 * entry + axis]!;
        const above = found[8 * entry + 4 + axis]! - expected[6 * entry + 3 + axis]!;
        hold(below >= 0 && below <= most, () => `entry ${entry}, axis ${axis}: ${below} below`);
        hold(above >= 0 && above <= most, () => `entry ${entry}, axis ${axis}: ${above} above`);
      }
    }
  });
});

describe('a list on the GPU', () => {
  const cell = 0.25;
  const margin = 0.02;

  async function scene() {
    const { entryInput, poses } = randomScene(200, 9, 1000);
    const places = placeEntries(entryInput);
    const entries = { ...strangers(places.count), bodies: places.bodies };
    const gpu = await broadPhase({ entries, places, bodyCount: 200, cell, margin, capacity: 2000 });
    const step = async (moved: Float64Array) => {
      const bodies = bench().buffer('bodies', packBodies(moved, new Uint8Array(200), cell));
      await bench().submit((recorder) => gpu.record(recorder, bodies));
      return read(gpu);
    };
    return { gpu, poses, step };
  }

  it('serves until some point has moved by half the margin, to and fro, or by turning', async () => {
    const { poses, step } = await scene();
    const first = await step(poses);
    expect(first.rebuilt).toBe(1);
    expect(first.pairs.length).toBeGreaterThan(100);
    const shifted = (by: number) => poses.map((one, i) => (i === 7 * 123 + 1 ? one + by : one));
    for (const by of [0, 0.4 * margin, -0.4 * margin, 0.49 * margin]) {
      const { rebuilt, pairs, header } = await step(shifted(by));
      expect(rebuilt).toBe(0);
      expect(pairs).toEqual(first.pairs);
      const moved = new Float32Array(header.buffer, header.byteOffset)[HeaderWord.moved]!;
      expect(moved).toBeGreaterThanOrEqual(Math.abs(by) * (1 - 1e-7));
      expect(moved).toBeLessThan(Math.abs(by) + 1e-5);
    }
    expect((await step(shifted(0.51 * margin))).rebuilt).toBe(1);
    // Now it is a list of that place.
    expect((await step(shifted(0.51 * margin))).rebuilt).toBe(0);
    expect((await step(poses)).rebuilt).toBe(1);
    const turned = poses.slice();
    turned.set([0, 0, 0.6, 0.8], 7 * 50 + 3);
    expect((await step(turned)).rebuilt).toBe(1);
    const negative = turned.slice();
    negative.set([0, 0, -0.6, -0.8], 7 * 50 + 3);
    expect((await step(negative)).rebuilt).toBe(0);
  });

  it('is made anew after one that had no room', async () => {
    const { entryInput, poses } = randomScene(200, 9);
    const places = placeEntries(entryInput);
    const entries = { ...strangers(places.count), bodies: places.bodies };
    const gpu = await broadPhase({ entries, places, bodyCount: 200, cell, margin, capacity: 10 });
    const bodies = bench().buffer('bodies', packBodies(poses, new Uint8Array(200), cell));
    const step = async () => {
      await bench().submit((recorder) => gpu.record(recorder, bodies));
      return read(gpu);
    };
    const short = await step();
    expect(short.needed).toBeGreaterThan(10);
    await gpu.reserve(short.needed);
    const whole = await step();
    expect(whole.rebuilt).toBe(1);
    expect(whole.pairs.length).toBe(2 * short.needed);
    expect((await step()).rebuilt).toBe(0);
  });

  it('has the same bytes in two runs, and in two steps recorded at once', async () => {
    const { gpu, poses, step } = await scene();
    const first = await step(poses);
    const other = await scene();
    const bodies = bench().buffer('bodies', packBodies(poses, new Uint8Array(200), cell));
    await bench().submit((recorder) => {
      other.gpu.record(recorder, bodies);
      other.gpu.record(recorder, bodies);
    });
    const second = await read(other.gpu);
    expect(second.pairs).toEqual(first.pairs);
    expect(second.rebuilt).toBe(0);
    expect(gpu.bytes).toBe(other.gpu.bytes);
  });
});
