import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import tgpu from 'typegpu';
import * as d from 'typegpu/data';
import { describe, expect, it } from 'vitest';
import { BufferPool, readBack } from '../../src/gpu/buffers.ts';
import { bindBuffers, encodePass, getKernel } from '../../src/gpu/passes.ts';
import { assembleShader } from '../../src/gpu/shader.ts';
import { createRandom, mixBits } from '../../src/mesh/random.ts';
import { useDevice } from '../support/device.ts';

const device = useDevice();
const root = resolve(import.meta.dirname, '../..');

const layout = tgpu
  .bindGroupLayout({
    operands: { storage: d.arrayOf(d.vec4u) },
    results: { storage: d.arrayOf(d.vec2u), access: 'mutable' },
  })
  .$idx(0)
  .$name('float64Layout');

const shader = assembleShader(
  { name: 'float64.wgsl', code: readFileSync(resolve(root, 'test/support/float64.wgsl'), 'utf8') },
  [
    {
      name: 'common/float64',
      code: readFileSync(resolve(root, 'shaders/common/float64.wgsl'), 'utf8'),
    },
  ],
  [layout],
);

const RESULTS = [
  'add',
  'sub',
  'multiply',
  'divide',
  'sqrt',
  'less',
  'abs',
  'negate',
  'floor',
  'fromInteger',
  'fromFloat32',
  'toFloat32',
  'add of multiply',
] as const;

const PAIRS = 1 << 16;

/** Results of the kernel for pairs of float64, two words each. */
async function runKernel(operands: Float64Array<ArrayBuffer>): Promise<Uint32Array> {
  const pairs = operands.length / 2;
  const pool = new BufferPool(device());
  try {
    const kernel = await getKernel(device(), shader, { entryPoint: 'float64', layout });
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
    const buffers = {
      operands: pool.upload('operands', operands),
      results: pool.reserve('results', 8 * RESULTS.length * pairs, usage),
    };
    await device().checked('testing float64', () => {
      const encoder = device().handle.createCommandEncoder();
      encodePass(device(), encoder, kernel, bindBuffers(device(), kernel, buffers), Math.ceil(pairs / 64));
      device().handle.queue.submit([encoder.finish()]);
    });
    const [bytes] = await readBack(device(), pool, [
      { buffer: buffers.results, bytes: 8 * RESULTS.length * pairs },
    ]);
    return new Uint32Array(bytes!.buffer, bytes!.byteOffset, 2 * RESULTS.length * pairs);
  } finally {
    pool.destroy();
  }
}

const float64 = new Float64Array(1);
const words = new Uint32Array(float64.buffer);
const float32 = new Float32Array(1);
const word = new Uint32Array(float32.buffer);

/** The bits of a number, the same for all NaN. */
function bitsOf(x: number): [number, number] {
  float64[0] = Number.isNaN(x) ? Number.NaN : x;
  return Number.isNaN(x) ? [0, 0x7ff80000] : [words[0]!, words[1]!];
}

function ofBits(low: number, high: number): number {
  words[0] = low;
  words[1] = high;
  return float64[0]!;
}

/** What JavaScript makes of a pair, in the order of RESULTS. */
function expected(a: number, b: number): [number, number][] {
  float64[0] = a;
  const low = words[0]!;
  const high = words[1]!;
  word[0] = low;
  const widened = float32[0]!;
  float32[0] = a;
  const rounded = Number.isNaN(a) ? 0x7fc00000 : word[0]!;
  const clamped = Number.isNaN(a) ? 0 : Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, Math.floor(a)));
  return [
    bitsOf(a + b),
    bitsOf(a - b),
    bitsOf(a * b),
    bitsOf(a / b),
    bitsOf(Math.sqrt(a)),
    [a < b ? 1 : 0, 0],
    [low, high & 0x7fffffff],
    [low, (high ^ 0x80000000) >>> 0],
    [clamped >>> 0, 0],
    bitsOf(low | 0),
    bitsOf(widened),
    [rounded, 0],
    bitsOf(a + a * b),
  ];
}

const hex = (x: number) => (x >>> 0).toString(16).padStart(8, '0');

/** The first few results that differ from JavaScript's, in words. */
async function mistakes(operands: Float64Array<ArrayBuffer>): Promise<string[]> {
  const found = await runKernel(operands);
  const out: string[] = [];
  for (let pair = 0; pair < operands.length / 2 && out.length < 8; pair++) {
    const [a, b] = [operands[2 * pair]!, operands[2 * pair + 1]!];
    for (const [r, [low, high]] of expected(a, b).entries()) {
      const at = 2 * (RESULTS.length * pair + r);
      if (found[at] === low >>> 0 && found[at + 1] === high >>> 0) continue;
      const got = `${hex(found[at + 1]!)} ${hex(found[at]!)}`;
      out.push(`${RESULTS[r]} of ${a} and ${b}: ${got}, expected ${hex(high)} ${hex(low)}`);
    }
  }
  return out;
}

function pairsOf(make: (pair: number) => readonly [number, number]): Float64Array<ArrayBuffer> {
  const operands = new Float64Array(2 * PAIRS);
  for (let pair = 0; pair < PAIRS; pair++) operands.set(make(pair), 2 * pair);
  return operands;
}

/** Numbers at which an operation changes its way: zeros, limits of formats and integers, ties, and their neighbours. */
function edges(): number[] {
  const middles = [
    ...[0, 2 ** -1074, 2 ** -1022, 2 ** -1023, 2 ** -537, 2 ** -511, 2 ** -149, 2 ** -126, 2 ** -127],
    ...[
      2 ** -150,
      2 ** -54,
      2 ** -53,
      2 ** -52,
      2 ** -24,
      0.1,
      0.5,
      1,
      1.5,
      2,
      3,
      1 + 2 ** -24,
      1 + 3 * 2 ** -24,
    ],
    ...[4095, 2 ** 23 + 0.5, 2 ** 31, 2 ** 31 - 0.5, 2 ** 31 - 1, 2 ** 32, 2 ** 52, 2 ** 53, 2 ** 127],
    ...[(2 - 2 ** -23) * 2 ** 127, (2 - 2 ** -24) * 2 ** 127, 2 ** 128, 2 ** 511, 2 ** 512, 2 ** 1023],
    Number.MAX_VALUE,
  ];
  const out = [Number.NaN, Infinity, -Infinity];
  for (const x of middles) {
    for (const step of [-1, 0, 1]) {
      if (x === 0 && step < 0) continue;
      const [low, high] = bitsOf(x);
      const near = BigInt(low) + (BigInt(high) << 32n) + BigInt(step);
      const value = ofBits(Number(near & 0xffffffffn), Number(near >> 32n));
      out.push(value, -value);
    }
  }
  return out;
}

describe('float64 in 32-bit integers gives the bits of JavaScript', () => {
  it('for every pair of edge cases', async () => {
    const numbers = edges();
    const operands = new Float64Array(2 * numbers.length ** 2);
    numbers.forEach((a, i) => {
      numbers.forEach((b, j) => {
        operands.set([a, b], 2 * (i * numbers.length + j));
      });
    });
    expect(await mistakes(operands)).toEqual([]);
  });

  it('for random bit patterns', async () => {
    const random = (n: number) => ofBits(mixBits(4 * n + 1), mixBits(4 * n + 2));
    expect(await mistakes(pairsOf((pair) => [random(2 * pair), random(2 * pair + 1)]))).toEqual([]);
  });

  it('for numbers near each other, where sums cancel', async () => {
    const near = (n: number) => {
      const high = 0x3ff00000 + (mixBits(n) % 3) * 0x100000 - 0x100000;
      // Few bits set, at either end of the significand.
      const fraction = mixBits(n + 77) & mixBits(n + 78) & mixBits(n + 79);
      return ofBits(
        mixBits(n + 1) & mixBits(n + 2) & mixBits(n + 3),
        ((mixBits(n + 4) & 1) << 31) | high | (fraction & 0xfffff),
      );
    };
    expect(await mistakes(pairsOf((pair) => [near(10 * pair), near(10 * pair + 5)]))).toEqual([]);
  });

  it('for results that are subnormal or nearly so', async () => {
    const random = createRandom(3);
    const small = () => (random() - 0.5) * 2 ** -Math.floor(1000 + 80 * random());
    const scale = () => 2 ** Math.floor(-60 + 80 * random()) * (random() + 0.5);
    expect(await mistakes(pairsOf((pair) => (pair % 2 ? [small(), scale()] : [small(), small()])))).toEqual(
      [],
    );
  });

  it('for sums and quotients that lie between two numbers, and for squares', async () => {
    const random = createRandom(5);
    const short = () => Math.round((random() - 0.5) * 2 ** 27);
    const long = () => (Math.round(random() * 2 ** 53) + 0.5) * 2 ** Math.floor(4 * random());
    const make = [
      () => [long(), short() + 0.5],
      () => [short() ** 2, short()],
      () => [short() * short(), short()],
      () => [long(), 2 ** Math.floor(6 * random() - 3)],
      () => [Math.fround(random() - 0.5) * (1 + 2 ** -24), random() * 5000],
    ];
    expect(await mistakes(pairsOf((pair) => make[pair % make.length]!() as [number, number]))).toEqual([]);
  });
});
