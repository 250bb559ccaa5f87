/** Uniform buffers. Apart from other buffers, as the declarations of public classes name those and have to do without TypeGPU's. */
import type { AnyWgslData, Infer } from 'typegpu/data';
import type { Device } from './device.ts';
import { rootOf } from './root.ts';

/** A uniform buffer with the layout of a TypeGPU struct. */
export class UniformBuffer<Schema extends AnyWgslData> {
  readonly #typed: { write(value: Infer<Schema>): void; destroy(): void };
  readonly buffer: GPUBuffer;

  constructor(device: Device, schema: Schema) {
    const root = rootOf(device);
    const typed = root.createBuffer(schema as never).$usage('uniform' as never);
    this.#typed = typed as never;
    this.buffer = root.unwrap(typed) as GPUBuffer;
  }

  write(value: Infer<Schema>): void {
    this.#typed.write(value);
  }

  destroy(): void {
    this.#typed.destroy();
  }
}
