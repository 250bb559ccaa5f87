/** Parameters of kernels: values of uniforms that may differ between the dispatches of one submission. */
import { writeToArrayBuffer } from 'typegpu';
import { type AnyWgslData, type InferInput, sizeOf } from 'typegpu/data';
import { writeBuffer } from './buffers.ts';
import type { Device } from './device.ts';

/**
 * Values that one buffer has room for: a quarter of a mebibyte. A step by impulses has some 160 of them on hardware,
 * and simulations that take turns on a device share a buffer.
 */
const SLOTS = 1024;

/** Where a value lies: the buffer and the byte it starts at. */
export interface ParamSlot {
  readonly buffer: GPUBuffer;
  readonly offset: number;
}

const tables = new WeakMap<Device, ParamTable>();

/** The table of a device. */
export function paramsOf(device: Device): ParamTable {
  let table = tables.get(device);
  if (table === undefined) {
    table = new ParamTable(device);
    tables.set(device, table);
  }
  return table;
}

/**
 * Values of parameters on the GPU, each kept under its bytes and never overwritten. So a dispatch that was recorded,
 * but not submitted yet, keeps its own value, whatever is recorded after it. A step that repeats writes nothing at all.
 */
class ParamTable {
  readonly #device: Device;
  /** Bytes between two values. */
  readonly #stride: number;
  #buffer: GPUBuffer | undefined;
  #slots = new Map<string, ParamSlot>();
  #used = 0;

  constructor(device: Device) {
    this.#device = device;
    this.#stride = device.limits.minUniformBufferOffsetAlignment;
    device.own({ destroy: () => this.#buffer?.destroy() });
  }

  /** Where the value lies; it is written when it is new. */
  slot<Schema extends AnyWgslData>(schema: Schema, value: InferInput<Schema>): ParamSlot {
    const size = sizeOf(schema);
    const bytes = new ArrayBuffer(size);
    writeToArrayBuffer(bytes, schema, value);
    const key = new Uint32Array(bytes).join();
    const found = this.#slots.get(key);
    if (found !== undefined) return found;
    const taken = Math.ceil(size / this.#stride);
    if (this.#buffer === undefined || this.#used + taken > SLOTS) this.#begin();
    const slot = { buffer: this.#buffer!, offset: this.#used * this.#stride };
    this.#used += taken;
    writeBuffer(this.#device, slot.buffer, new Uint8Array(bytes), slot.offset);
    this.#slots.set(key, slot);
    return slot;
  }

  /**
   * Starts a new buffer. The old one is left to the garbage collector: nobody knows whether the encoders that use it
   * have been submitted yet.
   */
  #begin(): void {
    this.#buffer = this.#device.handle.createBuffer({
      label: 'parameters',
      size: SLOTS * this.#stride,
      usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    });
    this.#slots = new Map();
    this.#used = 0;
  }
}
