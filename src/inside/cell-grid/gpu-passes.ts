/** Runs the kernels of a cell grid's build: slices of threads, exclusive scans, lists that grow, single numbers read back. */
import * as d from 'typegpu/data';
import { DeviceError } from '../../errors.ts';
import { BufferPool, readBack } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { bindBuffers, encodePass, getKernel, type Kernel } from '../../gpu/passes.ts';
import { UniformBuffer } from '../../gpu/uniform-buffer.ts';
import {
  type BuildKernel,
  BuildParams,
  buildLayouts,
  LIST_ENTRY_BYTES,
  LIST_HEAD_BYTES,
} from './gpu-layout.ts';
import { buildShaders } from './gpu-shaders.ts';

/** Threads per workgroup, `GROUP` in the WGSL. */
const GROUP = 64;
/** Threads of a dispatch, so that none takes long enough for a watchdog. */
const SLICE = 1 << 18;
/** Numbers that a thread of a scan adds, `BLOCK` in the WGSL. */
const SCAN_BLOCK = 64;
/** What a scan's sums stick at. */
const SATURATED = 2 ** 32 - 1;

export type Buffers = Readonly<Record<string, GPUBuffer>>;

/** Compiles the kernels of the build, once per device. */
export async function compileBuild(device: Device): Promise<Record<BuildKernel, Kernel>> {
  const names = Object.keys(buildLayouts) as BuildKernel[];
  const compiled = await Promise.all(
    names.map((name) =>
      getKernel(device, buildShaders[name](), { entryPoint: name, layout: buildLayouts[name] }),
    ),
  );
  return Object.fromEntries(names.map((name, i) => [name, compiled[i]!])) as Record<BuildKernel, Kernel>;
}

export class BuildPasses {
  readonly #device: Device;
  readonly #kernels: Record<BuildKernel, Kernel>;
  readonly #scratch: BufferPool;
  readonly #params: UniformBuffer<typeof BuildParams>;
  readonly #triangles: number;
  readonly #counts: readonly [number, number, number];
  readonly #signal: AbortSignal | undefined;

  constructor(
    device: Device,
    kernels: Record<BuildKernel, Kernel>,
    surface: { triangleCount: number },
    counts: readonly [number, number, number],
    signal?: AbortSignal,
  ) {
    this.#signal = signal;
    this.#device = device;
    this.#kernels = kernels;
    this.#triangles = surface.triangleCount;
    this.#counts = counts;
    this.#scratch = new BufferPool(device);
    this.#params = new UniformBuffer(device, BuildParams);
  }

  /** Most bytes of working memory held at once. */
  get peakBytes(): number {
    return this.#scratch.peakBytes;
  }

  /** Working memory of that name, zero where it is new. */
  reserve(label: string, bytes: number): GPUBuffer {
    return reserveIn(this.#scratch, label, bytes);
  }

  upload(label: string, data: ArrayBufferView<ArrayBuffer>): GPUBuffer {
    return this.#scratch.upload(label, data);
  }

  /** Writes words at a byte offset. */
  write(buffer: GPUBuffer, offset: number, data: Uint32Array<ArrayBuffer>): void {
    this.#device.handle.queue.writeBuffer(buffer, offset, data);
  }

  release(...labels: string[]): void {
    for (const label of labels) this.#scratch.release(label);
  }

  /** Runs `threads` threads of a kernel, in slices. `capacity`: the room of what it appends to. */
  async run(name: BuildKernel, buffers: Buffers, threads: number, capacity = 0): Promise<void> {
    const device = this.#device;
    const kernel = this.#kernels[name];
    for (let first = 0; first < threads; first += SLICE) {
      const end = Math.min(threads, first + SLICE);
      this.#signal?.throwIfAborted();
      await device.checked('building the cell grid', () => {
        this.#params.write({
          first,
          end,
          triangles: this.#triangles,
          capacity,
          counts: d.vec3u(...this.#counts),
        });
        const group = bindBuffers(device, kernel, { params: this.#params.buffer, ...buffers });
        const encoder = device.handle.createCommandEncoder({ label: name });
        encodePass(device, encoder, kernel, group, Math.ceil((end - first) / GROUP));
        device.handle.queue.submit([encoder.finish()]);
      });
      if (end < threads) await device.finished();
    }
  }

  /** Turns each of `count` numbers into the sum of those before it. */
  async scan(numbers: GPUBuffer, count: number, depth = 0): Promise<void> {
    const blocks = Math.ceil(count / SCAN_BLOCK);
    const sums = this.reserve(`sums of a scan, level ${depth}`, 4 * blocks);
    const buffers = { numbersToScan: numbers, sums };
    if (blocks > 1) {
      await this.run('scanSums', buffers, blocks, count);
      await this.scan(sums, blocks, depth + 1);
    } else this.write(sums, 0, new Uint32Array([0]));
    await this.run('scanOffsets', buffers, blocks, count);
  }

  /** Single words of buffers, by index. */
  async read(...places: (readonly [GPUBuffer, number])[]): Promise<number[]> {
    const picked = this.reserve('numbers to read', 4 * places.length);
    await this.#device.checked('building the cell grid', () => {
      const encoder = this.#device.handle.createCommandEncoder({ label: 'numbers to read' });
      for (const [i, [buffer, at]] of places.entries()) {
        encoder.copyBufferToBuffer(buffer, 4 * at, picked, 4 * i, 4);
      }
      this.#device.handle.queue.submit([encoder.finish()]);
    });
    return [...(await this.readWords(picked, places.length))];
  }

  /** The first words of a buffer. */
  async readWords(buffer: GPUBuffer, count: number): Promise<Uint32Array<ArrayBuffer>> {
    const [back] = await readBack(this.#device, this.#scratch, [{ buffer, bytes: 4 * count }]);
    return new Uint32Array(back!.buffer as ArrayBuffer, back!.byteOffset, count);
  }

  /** A list with room for `capacity` entries, empty. */
  list(label: string, capacity: number): GPUBuffer {
    const buffer = this.reserve(label, LIST_HEAD_BYTES + LIST_ENTRY_BYTES * capacity);
    this.write(buffer, 0, new Uint32Array([0, 0]));
    return buffer;
  }

  /** Runs the items whose numbers per triangle were scanned. @throws DeviceError where they are too many to count. */
  async runItems(name: BuildKernel, buffers: Buffers, items: number, capacity: number): Promise<void> {
    if (items === SATURATED) {
      throw new DeviceError(
        'limits',
        `building the cell grid: more than ${SATURATED} items of work, expected fewer: take larger cells, or build: 'cpu'`,
      );
    }
    await this.run(name, buffers, items, capacity);
  }

  destroy(): void {
    this.#scratch.destroy();
    this.#params.destroy();
  }
}

/** A storage buffer that can be copied from and to. */
export function reserveIn(pool: BufferPool, label: string, bytes: number): GPUBuffer {
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  return pool.reserve(label, bytes, usage);
}
