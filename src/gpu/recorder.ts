/** Records kernels, copies and clears into a command encoder. Nothing in it waits for the GPU. */
import type { AnyWgslData } from 'typegpu/data';
import type { BoundKernel } from './bind.ts';
import type { Device } from './device.ts';
import { dispatchSize, GROUP } from './dispatch.ts';
import type { KernelParams, LayoutEntries, ParamsSchema } from './kernel.ts';
import { type ParamSlot, paramsOf } from './params.ts';
import { passTimestamps } from './timestamps.ts';

/** Workgroup counts (x, y, z) in a buffer, at a multiple of 4 bytes; `IndirectSizes` makes them of a count. */
export interface IndirectSize {
  readonly buffer: GPUBuffer;
  readonly offset?: number;
}

/** How much of a kernel runs: threads (rounded up to whole workgroups), workgroups, or what a buffer says. */
export type Extent =
  | { readonly threads: number }
  | { readonly groups: number }
  | { readonly indirect: IndirectSize };

/** The extent of a run, and the value of `params` where the kernel's layout has that. */
export type Run<Entries extends LayoutEntries> = Extent &
  ([ParamsSchema<Entries>] extends [never] ? unknown : { readonly params: KernelParams<Entries> });

export interface RecorderOptions {
  /** The caller's encoder; without one the recorder makes one of its own, for `submit`. */
  readonly encoder?: GPUCommandEncoder;
  /** Name of passes and encoder for debugging tools. */
  readonly label?: string;
}

/**
 * Records work in its order. Kernels that follow each other share one compute pass; copies and clears stand between
 * passes. WebGPU lets each dispatch see what those before it wrote. The caller submits, or calls `submit`.
 */
export class Recorder {
  readonly #device: Device;
  readonly #encoder: GPUCommandEncoder;
  readonly #isOwn: boolean;
  readonly #label: string;
  #pass: GPUComputePassEncoder | undefined;
  #pipeline: GPUComputePipeline | undefined;

  constructor(device: Device, { encoder, label = 'scree' }: RecorderOptions = {}) {
    this.#device = device;
    this.#label = label;
    this.#isOwn = encoder === undefined;
    this.#encoder = encoder ?? device.handle.createCommandEncoder({ label });
  }

  /** The encoder, between passes: for what the recorder does not do itself. */
  get encoder(): GPUCommandEncoder {
    this.end();
    return this.#encoder;
  }

  /** Records one dispatch. An extent of 0 records nothing. */
  run<Entries extends LayoutEntries>(bound: BoundKernel<Entries>, run: Run<Entries>): void {
    const { threads, groups, indirect, params } = run as Partial<Record<'threads' | 'groups', number>> & {
      indirect?: IndirectSize;
      params?: never;
    };
    const wanted = groups ?? Math.ceil((threads ?? 0) / GROUP);
    if (indirect === undefined && wanted === 0) return;
    const { kernel } = bound;
    const slot = params === undefined ? undefined : this.#slotOf(kernel.layout.entries, params);
    const pass = this.#open();
    if (this.#pipeline !== kernel.pipeline) pass.setPipeline((this.#pipeline = kernel.pipeline));
    pass.setBindGroup(0, bound.group(slot?.buffer), slot ? [slot.offset] : []);
    if (indirect !== undefined) {
      pass.dispatchWorkgroupsIndirect(indirect.buffer, indirect.offset ?? 0);
    } else {
      pass.dispatchWorkgroups(...dispatchSize(wanted, this.#device.limits.maxComputeWorkgroupsPerDimension));
    }
  }

  /** Records that bytes become 0: all of a buffer, or `size` from `offset` on (multiples of 4). */
  clear(buffer: GPUBuffer, offset = 0, size = buffer.size - offset): void {
    if (size > 0) this.encoder.clearBuffer(buffer, offset, size);
  }

  /** Records a copy of the first `bytes` of a buffer, or of those from `offset` on (multiples of 4). */
  copy(from: BufferPlace, to: BufferPlace, bytes: number): void {
    if (bytes === 0) return;
    const { buffer: source, offset: start = 0 } = placeOf(from);
    const { buffer: target, offset: end = 0 } = placeOf(to);
    this.encoder.copyBufferToBuffer(source, start, target, end, bytes);
  }

  /** Ends the open pass, if there is one; recording may go on. The caller's encoder can be used directly after it. */
  end(): void {
    this.#pass?.end();
    this.#pass = undefined;
    this.#pipeline = undefined;
  }

  /** Finishes the encoder and submits it. Nothing can be recorded after that. */
  submit(): void {
    this.#device.handle.queue.submit([this.encoder.finish()]);
  }

  #open(): GPUComputePassEncoder {
    if (this.#pass === undefined) {
      // A caller may submit an encoder when the timer is gone.
      const timestampWrites = this.#isOwn ? passTimestamps(this.#device, this.#encoder) : undefined;
      this.#pass = this.#encoder.beginComputePass({
        label: this.#label,
        ...(timestampWrites && { timestampWrites }),
      });
    }
    return this.#pass;
  }

  #slotOf(entries: LayoutEntries, params: never): ParamSlot {
    const { params: entry } = entries;
    if (!entry || !('uniform' in entry))
      throw new Error(`${this.#label}: a kernel without params was given some`);
    return paramsOf(this.#device).slot(entry.uniform as AnyWgslData, params);
  }
}

/** A buffer, or a place in it in bytes. */
export type BufferPlace = GPUBuffer | { readonly buffer: GPUBuffer; readonly offset: number };

function placeOf(place: BufferPlace): { buffer: GPUBuffer; offset?: number } {
  return 'buffer' in place ? place : { buffer: place };
}
