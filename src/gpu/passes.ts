/** Compute passes: 2D dispatch, bind groups from TypeGPU layouts, and work cut into slices. */
import { throwIfAborted } from '../errors.ts';
import type { Device } from './device.ts';
import { dispatchSize } from './dispatch.ts';
import type { Kernel } from './kernel.ts';
import { passTimestamps } from './timestamps.ts';

export { getKernel, type Kernel } from './kernel.ts';

/** Bind group of a kernel's layout; `buffers` has one buffer (or part of one) per name in the layout. */
export function bindBuffers(
  device: Device,
  kernel: Kernel,
  buffers: Readonly<Record<string, GPUBuffer | GPUBufferBinding>>,
): GPUBindGroup {
  const names = Object.keys(kernel.layout.entries);
  return device.handle.createBindGroup({
    label: kernel.label,
    layout: kernel.groupLayout,
    entries: names.map((name, binding) => {
      const buffer = buffers[name]!;
      return { binding, resource: 'buffer' in buffer ? buffer : { buffer } };
    }),
  });
}

/** Encodes one dispatch of `groups` workgroups as a pass of its own. */
export function encodePass(
  device: Device,
  encoder: GPUCommandEncoder,
  kernel: Kernel,
  bindGroup: GPUBindGroup,
  groups: number,
): void {
  const timestampWrites = passTimestamps(device, encoder);
  const pass = encoder.beginComputePass({ label: kernel.label, ...(timestampWrites && { timestampWrites }) });
  pass.setPipeline(kernel.pipeline);
  pass.setBindGroup(0, bindGroup, new Array(kernel.uniforms).fill(0));
  const [x, y] = dispatchSize(groups, device.limits.maxComputeWorkgroupsPerDimension);
  pass.dispatchWorkgroups(x, y);
  pass.end();
}

/** Encodes one dispatch as a pass of its own, of as many workgroups as `counts` (x, y, z) holds when it begins. */
export function encodeIndirectPass(
  device: Device,
  encoder: GPUCommandEncoder,
  kernel: Kernel,
  bindGroup: GPUBindGroup,
  counts: GPUBuffer,
): void {
  const timestampWrites = passTimestamps(device, encoder);
  const pass = encoder.beginComputePass({ label: kernel.label, ...(timestampWrites && { timestampWrites }) });
  pass.setPipeline(kernel.pipeline);
  pass.setBindGroup(0, bindGroup, new Array(kernel.uniforms).fill(0));
  pass.dispatchWorkgroupsIndirect(counts, 0);
  pass.end();
}

export interface SliceOptions {
  /** What the work is, for error messages. */
  readonly what: string;
  /** Units of work in all. */
  readonly total: number;
  /** Units of the first slice; later ones are sized by what it took. */
  readonly first: number;
  /** Slices start at multiples of this. */
  readonly multiple: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** Seconds that a slice should take: short enough for progress, Ctrl-C and watchdogs, long against its overhead. */
const SLICE_SECONDS = 0.15;

/** Units of the next slice, when one of `units` took `seconds`: towards SLICE_SECONDS, by steps that outliers cannot make large. */
export function nextSlice(units: number, seconds: number): number {
  return units * Math.min(8, Math.max(0.25, SLICE_SECONDS / Math.max(seconds, 1e-4)));
}

/** Runs work in slices of about SLICE_SECONDS, so that it can be watched and stopped. Returns its wall seconds. */
export async function runSlices(
  device: Device,
  options: SliceOptions,
  submit: (first: number, end: number) => void,
): Promise<number> {
  const { total, multiple, signal, onProgress } = options;
  const started = performance.now();
  let size = options.first;
  let expected = 0;
  for (let first = 0; first < total; ) {
    throwIfAborted(signal);
    const end = Math.min(total, first + Math.max(multiple, Math.floor(size / multiple) * multiple));
    const sliceStarted = performance.now();
    const from = first;
    await device.checked(options.what, () => submit(from, end));
    await device.finished(expected);
    const seconds = (performance.now() - sliceStarted) / 1000;
    size = nextSlice(end - first, seconds);
    expected = seconds * Math.min(1, size / (end - first));
    first = end;
    onProgress?.(end);
  }
  throwIfAborted(signal);
  return (performance.now() - started) / 1000;
}
