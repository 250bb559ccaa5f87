/**
 * The yardstick of the machine: a kernel on the same adapter that copies the bytes of the points, 12 read and 12 written
 * for each, between the upload of the points and the reading back of a byte for each that every GPU way needs too.
 */
import tgpu from 'typegpu';
import * as d from 'typegpu/data';
import { BufferPool, readBack } from '../src/gpu/buffers.ts';
import type { Device } from '../src/gpu/device.ts';
import { bindBuffers, encodePass, getKernel, type Kernel } from '../src/gpu/passes.ts';
import { assembleShader } from '../src/gpu/shader.ts';
import code from './copy.wgsl?raw';
import { clocked } from './spread.ts';
import type { Answer, Way } from './way.ts';

const GROUP = 64;
const WORDS_PER_THREAD = 4;
/** Large enough to leave every cache. */
const BANDWIDTH_BYTES = 64 << 20;
const BANDWIDTH_PASSES = 8;

const layout = tgpu
  .bindGroupLayout({
    points: { storage: d.arrayOf(d.vec4u) },
    copied: { storage: d.arrayOf(d.vec4u), access: 'mutable' },
  })
  .$idx(0)
  .$name('copyLayout');

function copyKernel(device: Device): Promise<Kernel> {
  const shader = assembleShader({ name: 'bench/copy.wgsl', code }, [], [layout]);
  return getKernel(device, shader, { entryPoint: 'copy', layout });
}

export function copyWay(device: Device): Way {
  return {
    key: 'copy',
    label: 'copy kernel, GPU',
    kind: 'yardstick',
    async prepare() {
      const kernel = await copyKernel(device);
      return {
        check: 0,
        build: 0,
        tableBytes: 0,
        answer: (points) => device.exclusive(() => copyPoints(device, kernel, points)),
        destroy() {},
      };
    },
  };
}

async function copyPoints(device: Device, kernel: Kernel, points: Float32Array): Promise<Answer> {
  const pool = new BufferPool(device);
  try {
    const uploaded = await clockedStage(async () => {
      const buffers = await device.checked('uploading points', () => ({
        points: pool.upload('points', points as Float32Array<ArrayBuffer>),
        copied: pool.reserve(
          'copied points',
          points.byteLength,
          GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC,
        ),
      }));
      await device.finished();
      return buffers;
    });
    const buffers = uploaded.result;
    const copied = await clockedStage(() =>
      device.checked('copying points', () => copyBuffers(device, kernel, buffers, 1)),
    );
    const bytes = 4 * Math.ceil(points.length / 3 / 4);
    const back = await clockedStage(() => readBack(device, pool, [{ buffer: buffers.copied, bytes }]));
    const [upload, kernelSeconds, readback] = [uploaded.seconds, copied.seconds, back.seconds];
    const seconds = { upload, kernel: kernelSeconds, readback, exact: 0 };
    return { flags: undefined, seconds, resolvedExactly: 0, gpuBytes: pool.peakBytes };
  } finally {
    pool.destroy();
  }
}

async function clockedStage<T>(work: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const started = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - started) / 1000 };
}

async function copyBuffers(
  device: Device,
  kernel: Kernel,
  buffers: { readonly points: GPUBuffer; readonly copied: GPUBuffer },
  passes: number,
): Promise<void> {
  const group = bindBuffers(device, kernel, buffers);
  const threads = buffers.points.size / (4 * WORDS_PER_THREAD);
  const encoder = device.handle.createCommandEncoder({ label: 'copy' });
  for (let pass = 0; pass < passes; pass++) {
    encodePass(device, encoder, kernel, group, Math.ceil(threads / GROUP));
  }
  device.handle.queue.submit([encoder.finish()]);
  await device.finished();
}

export interface Bandwidth {
  /** Bytes of the buffer that was copied. */
  readonly bytes: number;
  /** Read and written together, 10^9 bytes per second, the best of three. */
  readonly gigabytesPerSecond: number;
}

/** What the kernel moves when its buffers are large and nothing waits for the host. */
export async function measureBandwidth(device: Device, bytes = BANDWIDTH_BYTES): Promise<Bandwidth> {
  const kernel = await copyKernel(device);
  const pool = new BufferPool(device);
  const usage = GPUBufferUsage.STORAGE;
  try {
    const buffers = await device.checked('measuring the bandwidth', () => ({
      points: pool.reserve('from', bytes, usage),
      copied: pool.reserve('to', bytes, usage),
    }));
    let least = Infinity;
    for (let run = 0; run < 3; run++) {
      const { seconds } = await clocked(() => copyBuffers(device, kernel, buffers, BANDWIDTH_PASSES));
      least = Math.min(least, seconds);
    }
    return { bytes, gigabytesPerSecond: (2 * bytes * BANDWIDTH_PASSES) / least / 1e9 };
  } finally {
    pool.destroy();
  }
}
