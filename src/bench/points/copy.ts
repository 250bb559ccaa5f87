/**
 * The yardstick of the machine: a kernel on the same adapter that copies the points, 12 bytes read and 12 written for
 * each. It has the upload and the reading back of a byte per point that every GPU way needs.
 */
import copyWgsl from '../../../shaders/bench/copy.wgsl';
import { type Device, DeviceError } from '../../index.ts';
import type { Answer, Way } from './way.ts';

export const COPY_SHADER = copyWgsl;

const GROUP = 64;
const BYTES_PER_THREAD = 16;
/** Large enough to leave every cache. */
const BUFFER_BYTES = 64 << 20;
/** What a measurement of the rate takes at least, in seconds: long against submitting it and waiting for it. */
const LEAST_SECONDS = 0.05;
const MOST_PASSES = 4096;

type CopyBuffers = Readonly<Record<'points' | 'copied', GPUBuffer>>;

const pipelines = new WeakMap<Device, Promise<GPUComputePipeline>>();

function copyPipeline(device: Device): Promise<GPUComputePipeline> {
  let pipeline = pipelines.get(device);
  if (pipeline === undefined) {
    const label = COPY_SHADER.name;
    const module = device.handle.createShaderModule({ label, code: COPY_SHADER.code });
    const compute = { module, entryPoint: 'copy' };
    pipeline = device.orLost(device.handle.createComputePipelineAsync({ label, layout: 'auto', compute }));
    pipelines.set(device, pipeline);
  }
  return pipeline;
}

export function copyWay(device: Device): Way {
  return {
    key: 'copy',
    label: 'copy kernel, GPU',
    kind: 'yardstick',
    async prepare() {
      const pipeline = await copyPipeline(device);
      const answer = (points: Float32Array) => device.exclusive(() => copyPoints(device, pipeline, points));
      return { check: 0, build: 0, parts: {}, tableBytes: 0, figures: {}, answer, destroy() {} };
    },
  };
}

async function copyPoints(device: Device, pipeline: GPUComputePipeline, points: Float32Array): Promise<Answer> {
  // A binding holds whole elements, and at least one.
  const size = Math.max(32, Math.ceil(points.byteLength / 16) * 16);
  const backSize = Math.max(4, 4 * Math.ceil(points.length / 12));
  const { STORAGE, COPY_DST, COPY_SRC, MAP_READ } = GPUBufferUsage;
  const buffers: GPUBuffer[] = [];
  const make = (label: string, bytes: number, usage: GPUBufferUsageFlags) => {
    buffers.push(device.handle.createBuffer({ label, size: bytes, usage }));
    return buffers.at(-1)!;
  };
  let mark = performance.now();
  const lap = () => {
    const before = mark;
    mark = performance.now();
    return (mark - before) / 1000;
  };
  try {
    const bound = await device.checked('uploading points', () => {
      const from = make('points', size, STORAGE | COPY_DST);
      device.handle.queue.writeBuffer(from, 0, points as Float32Array<ArrayBuffer>);
      return { points: from, copied: make('copied points', size, STORAGE | COPY_SRC) };
    });
    await device.finished();
    const upload = lap();
    await device.checked('copying points', () => submitCopies(device, pipeline, bound, 1));
    await device.finished();
    const kernel = lap();
    const staging = await device.checked('reading back', () => {
      const back = make('read back', backSize, MAP_READ | COPY_DST);
      const encoder = device.handle.createCommandEncoder({ label: 'read back' });
      encoder.copyBufferToBuffer(bound.copied, 0, back, 0, backSize);
      device.handle.queue.submit([encoder.finish()]);
      return back;
    });
    await device.orLost(staging.mapAsync(GPUMapMode.READ));
    new Uint8Array(staging.getMappedRange()).slice();
    const seconds = { upload, kernel, readback: lap(), exact: 0 };
    const gpuBytes = buffers.reduce((sum, buffer) => sum + buffer.size, 0);
    return { flags: undefined, seconds, resolvedExactly: 0, gpuBytes, chosen: 'copy kernel, gpu' };
  } finally {
    for (const buffer of buffers) buffer.destroy();
  }
}

/** Copies `points` to `copied` so many times. */
function submitCopies(
  { handle, limits }: Device,
  pipeline: GPUComputePipeline,
  { points, copied }: CopyBuffers,
  passes: number,
): void {
  const bindGroup = handle.createBindGroup({
    label: 'copy',
    layout: pipeline.getBindGroupLayout(0),
    entries: [points, copied].map((buffer, binding) => ({ binding, resource: { buffer } })),
  });
  const groups = Math.ceil(points.size / BYTES_PER_THREAD / GROUP);
  const y = Math.ceil(groups / limits.maxComputeWorkgroupsPerDimension);
  const encoder = handle.createCommandEncoder({ label: 'copy' });
  for (let i = 0; i < passes; i++) {
    const pass = encoder.beginComputePass({ label: 'copy' });
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, bindGroup);
    pass.dispatchWorkgroups(Math.ceil(groups / y), y);
    pass.end();
  }
  handle.queue.submit([encoder.finish()]);
}

/**
 * Bytes per second, read and written together, that the copy kernel moves when its buffers are large and nothing waits
 * for the host. So many passes are timed together that waiting for them does not count.
 */
export async function measureCopyRate(device: Device, bytes = BUFFER_BYTES): Promise<number> {
  const pipeline = await copyPipeline(device);
  const size = Math.min(bytes, device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize);
  const buffers = await device.checked('measuring the copy kernel', () => ({
    points: device.handle.createBuffer({ label: 'from', size, usage: GPUBufferUsage.STORAGE }),
    copied: device.handle.createBuffer({ label: 'to', size, usage: GPUBufferUsage.STORAGE }),
  }));
  const time = async (passes: number) => {
    const started = performance.now();
    await device.checked('measuring the copy kernel', () => submitCopies(device, pipeline, buffers, passes));
    await device.finished();
    return (performance.now() - started) / 1000;
  };
  try {
    // The first run is for the driver to get warm.
    await time(1);
    let passes = 1;
    while (passes < MOST_PASSES && (await time(passes)) < LEAST_SECONDS) passes *= 2;
    const seconds = await time(passes);
    if (!(seconds > 0)) throw new DeviceError('failed', 'the copy kernel took no time: the clock is too coarse');
    return (2 * size * passes) / seconds;
  } finally {
    buffers.points.destroy();
    buffers.copied.destroy();
  }
}
