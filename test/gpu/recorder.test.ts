import fc from 'fast-check';
import * as d from 'typegpu/data';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import { bind } from '../../src/gpu/bind.ts';
import { BufferPool, readBack } from '../../src/gpu/buffers.ts';
import { dispatchSize, GROUP, MOST_GROUPS } from '../../src/gpu/dispatch.ts';
import { IndirectSizes } from '../../src/gpu/indirect.ts';
import { compileKernel, kernelSource } from '../../src/gpu/kernel.ts';
import { Recorder } from '../../src/gpu/recorder.ts';
import { useDevice } from '../support/device.ts';

const device = useDevice();

const Params = d.struct({ at: d.u32, value: d.u32, scale: d.vec3u }).$name('Params');
const setBindings = {
  params: { uniform: Params },
  words: { storage: d.arrayOf(d.u32), access: 'mutable' },
} as const;
/** Adds its parameter to one word: shows which parameters a dispatch saw, and that it saw the ones before it. */
const setSource = kernelSource(
  {
    name: 'set-word.wgsl',
    code: `@compute @workgroup_size(1) fn setWord() {
  words[params.at] = words[params.at] * params.scale.x + params.value;
}`,
  },
  setBindings,
);
/** Counts its threads, and takes the largest number of one. */
const countSource = kernelSource(
  {
    name: 'count-threads.wgsl',
    code: `@compute @workgroup_size(GROUP)
fn countThreads(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let thread = id.x + id.y * groups.x * GROUP;
  if (thread % GROUP == 0u) {
    atomicAdd(&seen[0], 1u);
    atomicMax(&seen[1], thread);
  }
}`,
  },
  { seen: { storage: d.arrayOf(d.atomic(d.u32)), access: 'mutable' } },
);

let pool: BufferPool;
beforeEach(() => {
  pool = new BufferPool(device());
});
afterEach(() => pool.destroy());

/** A buffer of words, all 0. */
function wordsOf(label: string, count: number): GPUBuffer {
  const { STORAGE, COPY_DST, COPY_SRC } = GPUBufferUsage;
  return pool.reserve(label, 4 * count, STORAGE | COPY_DST | COPY_SRC);
}

async function read(buffer: GPUBuffer, words: number): Promise<number[]> {
  const [bytes] = await readBack(device(), pool, [{ buffer, bytes: 4 * words }]);
  return [...new Uint32Array(bytes!.buffer as ArrayBuffer, bytes!.byteOffset, words)];
}

const scale = d.vec3u(10, 0, 0);

describe('a recorder', () => {
  it('gives every dispatch its own parameters, and each sees what those before it wrote', async () => {
    const kernel = await compileKernel(device(), setSource);
    const words = wordsOf('words', 16);
    const bound = bind(device(), kernel, { words });
    const recorder = new Recorder(device());
    for (let value = 1; value <= 5; value++) {
      recorder.run(bound, { groups: 1, params: { at: 0, value, scale } });
      recorder.run(bound, { groups: 1, params: { at: value, value: 100 * value, scale } });
    }
    recorder.submit();
    expect(await read(words, 6)).toEqual([12345, 100, 200, 300, 400, 500]);
  });

  it('keeps the parameters of what is recorded and not yet submitted, more sets than one buffer holds', async () => {
    const kernel = await compileKernel(device(), setSource);
    const words = wordsOf('words', 1024);
    const bound = bind(device(), kernel, { words });
    const recorders = [0, 1].map(() => new Recorder(device()));
    for (let at = 0; at < 600; at++) {
      recorders[at % 2]!.run(bound, { groups: 1, params: { at, value: at + 1, scale } });
    }
    for (const recorder of recorders.reverse()) recorder.submit();
    expect(await read(words, 600)).toEqual(Array.from({ length: 600 }, (_, at) => at + 1));
  });

  it('records kernels into one pass, and copies and clears between passes, in an encoder of the caller', async () => {
    const kernel = await compileKernel(device(), setSource);
    const [words, other] = [wordsOf('words', 16), wordsOf('other', 16)];
    const encoder = device().handle.createCommandEncoder();
    const passes = vi.spyOn(encoder, 'beginComputePass');
    const recorder = new Recorder(device(), { encoder });
    const set = (buffer: GPUBuffer, at: number, value: number) =>
      recorder.run(bind(device(), kernel, { words: buffer }), { groups: 1, params: { at, value, scale } });
    set(words, 0, 1);
    set(words, 1, 2);
    set(words, 2, 3);
    expect(passes).toHaveBeenCalledTimes(1);
    recorder.copy(words, { buffer: other, offset: 8 }, 12);
    recorder.clear(words, 4, 4);
    set(words, 2, 4);
    set(other, 2, 5);
    recorder.end();
    expect(passes).toHaveBeenCalledTimes(2);
    device().handle.queue.submit([encoder.finish()]);
    expect(await read(words, 3)).toEqual([1, 0, 34]);
    expect(await read(other, 5)).toEqual([0, 0, 15, 2, 3]);
  });

  it('runs nothing for no threads', async () => {
    const kernel = await compileKernel(device(), setSource);
    const words = wordsOf('words', 16);
    const recorder = new Recorder(device());
    recorder.run(bind(device(), kernel, { words }), { threads: 0, params: { at: 0, value: 1, scale } });
    recorder.submit();
    expect(await read(words, 1)).toEqual([0]);
  });
});

describe('a bound kernel', () => {
  it('is made once for the same buffers, and again for others or other parts of them', async () => {
    const kernel = await compileKernel(device(), setSource);
    const words = wordsOf('words', 1024);
    const bound = bind(device(), kernel, { words });
    expect(bind(device(), kernel, { words })).toBe(bound);
    expect(bind(device(), kernel, { words: { buffer: words, offset: 256 } })).not.toBe(bound);
    expect(bind(device(), kernel, { words: wordsOf('others', 16) })).not.toBe(bound);
  });

  it('asks for every buffer of its layout', async () => {
    const kernel = await compileKernel(device(), setSource);
    // @ts-expect-error: the types ask for `words`, too
    expect(() => bind(device(), kernel, {})).toThrow(/^set-word\.wgsl: no buffer for "words"$/);
    expectTypeOf<Parameters<typeof bind<typeof setBindings>>[2]>().toHaveProperty('words');
  });
});

describe('dispatches past 65,535 workgroups', () => {
  it('are split in two dimensions without losing a group, and numbers of threads stay below 2^32', () => {
    const groups = fc.oneof(
      fc.integer({ min: 1, max: 2 ** 26 }),
      fc.integer({ min: 2 ** 26 - 2 ** 11, max: 2 ** 26 }),
      fc.constantFrom(1, 65_535, 65_536, 200_000, 10_000_019, 2 ** 26),
    );
    fc.assert(
      fc.property(groups, (wanted) => {
        const [x, y] = dispatchSize(wanted, MOST_GROUPS);
        expect(Math.max(x, y)).toBeLessThanOrEqual(MOST_GROUPS);
        expect(x * y).toBeGreaterThanOrEqual(wanted);
        expect(x * y * GROUP).toBeLessThanOrEqual(2 ** 32);
        // Less than one workgroup is lost per row, but for the largest sizes.
        if (wanted < 2 ** 26 - 2 ** 11) expect((x - 1) * y).toBeLessThan(wanted);
      }),
    );
  });

  it.each([0, 1, 65, 64 * 65_535, 64 * 65_536 + 1, 9_000_001])(
    'run every thread of %i once, the count known to the host or to the GPU alone',
    async (count) => {
      const kernel = await compileKernel(device(), countSource);
      const sizes = await IndirectSizes.create(device(), 2);
      const counts = pool.upload('counts', new Uint32Array([7, count, 7]));
      const groups = Math.ceil(count / GROUP);
      const [x, y] = dispatchSize(groups);
      const expected = count === 0 ? [0, 0] : [x * y, GROUP * (x * y - 1)];
      const recorder = new Recorder(device());
      const [direct, indirect] = [wordsOf('direct', 16), wordsOf('indirect', 16)];
      recorder.run(bind(device(), kernel, { seen: direct }), { threads: count });
      const size = sizes.record(recorder, { buffer: counts, offset: 4 }, { place: 1, most: 2 ** 32 - 1 });
      recorder.run(bind(device(), kernel, { seen: indirect }), size);
      recorder.submit();
      expect(await read(direct, 2)).toEqual(expected);
      expect(await read(indirect, 2)).toEqual(expected);
      sizes.destroy();
    },
  );

  it('are refused where threads would be more than 2^32: some would never run', async () => {
    expect(() => dispatchSize(2 ** 26 + 1)).toThrow('67108865 workgroups: expected at most 67108864');
    const sizes = await IndirectSizes.create(device());
    const recorder = new Recorder(device());
    const buffer = pool.upload('counts', new Uint32Array(1));
    const ask = { place: 0, most: 2 ** 28, threadsPerItem: 32 };
    expect(() => sizes.record(recorder, { buffer }, ask)).toThrow('134217728 workgroups');
    sizes.destroy();
  });

  it('are what the host makes of a count: threads per item, items per thread, within the room there is', async () => {
    const counts = [0, 1, 63, 64, 65, 256, 257, 65_535 * 64, 65_535 * 64 + 1, 2 ** 30, 2 ** 32 - 1];
    const ways = [
      { threadsPerItem: 1, itemsPerThread: 1, most: 2 ** 32 - 1 },
      { threadsPerItem: 1, itemsPerThread: 4, most: 2 ** 32 - 1 },
      { threadsPerItem: 3, itemsPerThread: 1, most: 2 ** 30 },
      { threadsPerItem: 1, itemsPerThread: 1, most: 100 },
    ];
    const cases = ways.flatMap((way) => counts.map((count, at) => ({ ...way, count, at })));
    const sizes = await IndirectSizes.create(device(), cases.length);
    const buffer = pool.upload('counts', new Uint32Array(counts));
    const recorder = new Recorder(device());
    for (const [place, { at, threadsPerItem, itemsPerThread, most }] of cases.entries()) {
      sizes.record(recorder, { buffer, offset: 4 * at }, { place, most, threadsPerItem, itemsPerThread });
    }
    recorder.submit();
    const found = await read(sizes.buffer, 4 * cases.length);
    for (const [place, { count, threadsPerItem, itemsPerThread, most }] of cases.entries()) {
      const items = Math.min(count, most);
      const threads = Math.ceil((items * threadsPerItem) / itemsPerThread);
      const expected = [...dispatchSize(Math.ceil(threads / GROUP)), 1, items];
      expect(found.slice(4 * place, 4 * place + 4), JSON.stringify(cases[place])).toEqual(expected);
    }
    sizes.destroy();
  });
});
