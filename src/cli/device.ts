/** The WebGPU device of a command, and what the user can do where there is none. */
import type { AdapterPreference, Backend, Device, Method } from '../index.ts';

/**
 * Opens the device of a command.
 *
 * @param instead what the user can take in place of a device, for the message
 * @throws DeviceError with advice for the command line
 */
export async function openDeviceFor(adapter: AdapterPreference, instead?: string): Promise<Device> {
  const { openDevice } = await import('../index.ts');
  try {
    return await openDevice({ adapter });
  } catch (error) {
    throw await forCommandLine(error, adapter, instead);
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
  const { DeviceError, openDevice } = await import('../index.ts');
  try {
    return { device: await openDevice({ adapter }) };
  } catch (error) {
    const free = adapter === 'auto' && backend !== 'gpu' && !gpuOnly;
    const absent =
      error instanceof DeviceError && (error.reason === 'no-webgpu' || error.reason === 'no-adapter');
    if (free && absent) return { missing: error.problem };
    throw await forCommandLine(error, adapter, onCpu(choice));
  }
}

/** Does work on a device. @throws what the work throws, with advice for the command line if a limit is too small */
export async function orAdvise<T>(choice: DeviceChoice, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { DeviceError } = await import('../index.ts');
    const isLimit = error instanceof DeviceError && error.reason === 'limits';
    throw isLimit ? await forCommandLine(error, 'auto', onCpu(choice)) : error;
  }
}

function onCpu({ method, instead }: DeviceChoice): string {
  return instead ?? `the CPU: ${method === 'ray-crossing' ? '--method cell-grid ' : ''}--backend cpu`;
}

/**
 * A DeviceError that advises options of the command line, where the library's advice is for scripts. The advice is a
 * part of its `problem`, which is what the command line prints.
 */
async function forCommandLine(
  error: unknown,
  adapter: AdapterPreference,
  instead: string | undefined,
): Promise<unknown> {
  const { DeviceError } = await import('../index.ts');
  if (!(error instanceof DeviceError)) return error;
  const isChoosy = adapter !== 'auto' && error.reason !== 'no-webgpu';
  const ways = isChoosy ? ['any adapter: --adapter auto'] : [];
  if (instead !== undefined) ways.push(instead);
  const advice = ways.length > 0 ? `, or use ${ways.join(', or ')}` : '';
  return new DeviceError(error.reason, `${error.problem}${advice}`, { cause: error.cause });
}
