/** The WebGPU device of a command, and what the user can do where there is none. */
import type { AdapterPreference, Backend, Device, Method } from '../index.ts';

/**
 * Opens the device of a command.
 *
 * @param instead what the user can take in place of a device, for the message
 * @throws DeviceError with advice for the command line, where the library gives advice for scripts
 */
export async function openDeviceFor(adapter: AdapterPreference, instead?: string): Promise<Device> {
  const { DeviceError, openDevice } = await import('../index.ts');
  try {
    return await openDevice({ adapter });
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
    const isChoosy = adapter !== 'auto' && error.reason !== 'no-webgpu';
    const ways = isChoosy ? ['any adapter: --adapter auto'] : [];
    if (instead !== undefined) ways.push(instead);
    throw new DeviceError(error.reason, error.problem, {
      cause: error.cause,
      ...(ways.length > 0 && { advice: `or use ${ways.join(', or ')}` }),
    });
  }
}

/** The options that decide whether a command needs a device. */
export interface DeviceChoice {
  readonly adapter: AdapterPreference;
  readonly method?: Method | 'auto';
  readonly backend?: Backend | 'auto';
  /** See `openDeviceFor`. By default the options that have the command work on the CPU. */
  readonly instead?: string;
}

/**
 * Opens a device, unless the work is for the CPU. If the choice is free and there is no WebGPU, the CPU does the work,
 * and `missing` says why.
 */
export async function openIfNeeded(choice: DeviceChoice): Promise<{ device?: Device; missing?: string }> {
  const { adapter, method, backend } = choice;
  const gpuOnly = method === 'ray-crossing';
  if (backend === 'cpu' && !gpuOnly) return {};
  const { instead = `the CPU: ${gpuOnly ? '--method cell-grid ' : ''}--backend cpu` } = choice;
  try {
    return { device: await openDeviceFor(adapter, instead) };
  } catch (error) {
    const { DeviceError } = await import('../index.ts');
    const free = adapter === 'auto' && backend !== 'gpu' && !gpuOnly;
    const absent =
      error instanceof DeviceError && (error.reason === 'no-webgpu' || error.reason === 'no-adapter');
    if (!free || !absent) throw error;
    return { missing: error.problem };
  }
}
