/** Ends devices, bodies and the like at every moment at which a call waits for the GPU, on a real device. */
import type { Device } from '../../src/gpu/device.ts';

/** When to act: while the promise is pending, or when it has settled and before anything that waits for it goes on. */
export const MOMENTS = ['pending', 'settled'] as const;
export type Moment = (typeof MOMENTS)[number];

/** Counts all promises that a device gives. */
export interface Waits {
  /** How many there were since `begin`. */
  readonly count: number;
  /** GPU buffers that were made and are not destroyed. */
  readonly buffers: ReadonlySet<string>;
  /** Starts to count from 0. `act` is called at wait number `at`, at the given moment. */
  begin(at?: number, moment?: Moment, act?: () => void): void;
}

/** Watches a device from now on. */
export function watchWaits({ handle }: Device): Waits {
  let count = 0;
  let [wanted, when, act] = [-1, 'pending' as Moment, () => {}];
  const buffers = new Set<string>();
  let made = 0;

  // biome-ignore lint/suspicious/noExplicitAny: any object of WebGPU, any of its functions.
  const watch = (owner: any, name: string) => {
    const call = owner[name];
    owner[name] = (...args: unknown[]) => {
      const promise = call.apply(owner, args) as Promise<unknown>;
      if (count++ === wanted) {
        const once = act;
        act = () => {};
        if (when === 'pending') setImmediate(once);
        else promise.then(once, once);
      }
      return promise;
    };
  };
  watch(handle, 'popErrorScope');
  watch(handle, 'createComputePipelineAsync');
  watch(handle.queue, 'onSubmittedWorkDone');
  const { createBuffer, createShaderModule } = handle;
  handle.createShaderModule = (descriptor) => {
    const module = createShaderModule.call(handle, descriptor);
    watch(module, 'getCompilationInfo');
    return module;
  };
  handle.createBuffer = (descriptor) => {
    const buffer = createBuffer.call(handle, descriptor);
    watch(buffer, 'mapAsync');
    const name = `${made++}: ${descriptor.label}`;
    buffers.add(name);
    const { destroy } = buffer;
    buffer.destroy = () => {
      buffers.delete(name);
      return destroy.call(buffer);
    };
    return buffer;
  };

  return {
    get count() {
      return count;
    },
    buffers,
    begin(at = -1, moment = 'pending', doing = () => {}) {
      [count, wanted, when, act] = [0, at, moment, doing];
    },
  };
}

/** How a promise settled; `hangs` if it did not. */
export async function outcomeOf(
  call: Promise<unknown>,
): Promise<{ readonly value: unknown } | { readonly error: unknown } | 'hangs'> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<'hangs'>((resolve) => {
    timer = setTimeout(() => resolve('hangs'), 90_000);
  });
  const settled = call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  return Promise.race([settled, late]).finally(() => clearTimeout(timer));
}
