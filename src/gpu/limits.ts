/** Limits of devices: what to ask the adapter for, and what an error says of one that is too small. */
import { told } from '../arguments.ts';
import { DeviceError, InputError } from '../errors.ts';
import type { WebGpuLimits } from '../platform/webgpu.ts';

/**
 * `portable`: WebGPU's defaults, which every device has. `adapter`: all that the adapter offers. Numbers: these, and
 * the defaults for all others.
 */
export type LimitsWanted = 'portable' | 'adapter' | Readonly<Record<string, number>>;

/**
 * The limits to ask an adapter for.
 *
 * @param whose names what offers them in messages
 * @throws InputError or DeviceError `limits` with the limit that is wrong or too small
 */
export function requiredLimits(
  offered: Readonly<Record<string, number | undefined>>,
  wanted: LimitsWanted,
  whose: string,
): Record<string, number> {
  if (wanted === 'portable') return {};
  if (wanted === 'adapter') return allOf(offered);
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) {
    throw new InputError(`openDevice: limits ${told(wanted)}: expected portable, adapter or numbers by name`);
  }
  for (const [name, value] of Object.entries(wanted)) {
    if (!Number.isInteger(value) || value < 0) {
      throw new InputError(`openDevice: limit ${name}: found ${told(value)}, expected a whole number`);
    }
    const most = offered[name];
    if (typeof most !== 'number') {
      throw new InputError(
        `openDevice: unknown limit "${name}", expected a WebGPU limit such as maxBufferSize`,
      );
    }
    const isTooSmall = name.startsWith('min') ? most > value : most < value;
    if (isTooSmall) {
      throw new DeviceError('limits', `${whose} is too small: ${name} is ${most}, expected ${value}`);
    }
  }
  return { ...wanted };
}

/**
 * WebGPU's defaults for what kernels and pictures need. Devices of the feature level "compatibility" have less.
 * https://www.w3.org/TR/webgpu/#limits
 */
const PORTABLE = {
  maxTextureDimension2D: 8192,
  maxBindGroups: 4,
  maxDynamicUniformBuffersPerPipelineLayout: 8,
  maxStorageBuffersPerShaderStage: 8,
  maxUniformBufferBindingSize: 64 << 10,
  maxStorageBufferBindingSize: 128 << 20,
  minUniformBufferOffsetAlignment: 256,
  minStorageBufferOffsetAlignment: 256,
  maxBufferSize: 256 << 20,
  maxComputeWorkgroupStorageSize: 16 << 10,
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupSizeX: 256,
  maxComputeWorkgroupsPerDimension: 65_535,
};

/**
 * Holds a device that somebody else made to WebGPU's defaults, and to the limits that are wanted by name.
 *
 * @throws InputError or DeviceError `limits` with the limit that is wrong or too small
 */
export function requireLimits(limits: WebGpuLimits, wanted: LimitsWanted): void {
  if (wanted === 'adapter') {
    throw new InputError('openDevice: limits "adapter" beside device: expected portable or numbers by name');
  }
  const found = limits as unknown as Readonly<Record<string, number | undefined>>;
  for (const asked of [PORTABLE, wanted]) requiredLimits(found, asked, 'the device');
}

/** All limits of an adapter. They are getters of its class, which only `for in` finds. */
function allOf(offered: Readonly<Record<string, number | undefined>>): Record<string, number> {
  const all: Record<string, number> = {};
  for (const name in offered) {
    const value = offered[name];
    if (typeof value === 'number') all[name] = value;
  }
  return all;
}

/** What needs more than a device allows. */
export interface LimitExceeded {
  /** What was to be done, and with how much of it. */
  readonly problem: string;
  /** The limits that would have to be as large as `needed`. */
  readonly limits: readonly (keyof WebGpuLimits & string)[];
  readonly needed: number;
  /** What to do instead of asking for larger limits. */
  readonly instead?: string;
}

/** The error of what needs more than a device allows: it names the limits and what to pass to `openDevice`. */
export function limitError({ problem, limits, needed, instead }: LimitExceeded): DeviceError {
  const wanted = limits.map((name) => `${name}: ${needed}`).join(', ');
  const others = instead === undefined ? '' : `, or ${instead}`;
  const advice = `openDevice({ limits: { ${wanted} } }) or limits: 'adapter' may allow more${others}`;
  return new DeviceError('limits', `${problem} (${limits.join(' and ')})`, { advice });
}

/** @throws DeviceError `limits` where a buffer of so many bytes cannot be made, or not be bound as storage. */
export function requireBufferSize(
  limits: Pick<WebGpuLimits, 'maxBufferSize' | 'maxStorageBufferBindingSize'>,
  name: string,
  bytes: number,
  isStorage = true,
): void {
  const names = ['maxBufferSize', 'maxStorageBufferBindingSize'] as const;
  const tooSmall = names.filter((limit) => limits[limit] < bytes && (isStorage || limit === 'maxBufferSize'));
  if (tooSmall.length === 0) return;
  const most = Math.min(...tooSmall.map((limit) => limits[limit]));
  const problem = `${name}: needs a buffer of ${bytes} bytes, the device allows ${most}`;
  throw limitError({ problem, limits: tooSmall, needed: bytes });
}
