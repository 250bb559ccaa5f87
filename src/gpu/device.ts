/** Opening and closing a WebGPU device, in Node and in browsers. */
import { platform } from '#platform';
import { type Options, requireOptions, told } from '../arguments.ts';
import { DeviceError, firstLine, InputError } from '../errors.ts';
import type { WebGpuDevice, WebGpuLimits } from '../platform/webgpu.ts';
import { type LimitsWanted, requiredLimits, requireLimits } from './limits.ts';

/** Milliseconds from what a loss breaks to the news of it: the order of the two is the implementation's. */
const LOSS_IS_TOLD_WITHIN = 100;

export type AdapterPreference = 'auto' | 'hardware' | 'software';

/** The WebGPU adapter that does the work. */
export interface AdapterSummary {
  readonly vendor: string;
  readonly architecture: string;
  readonly device: string;
  readonly description: string;
  /** True where the adapter runs on the CPU (SwiftShader, llvmpipe, WARP). */
  readonly software: boolean;
}

export interface OpenDeviceOptions {
  /**
   * `auto` (default): hardware if there is one, the software adapter otherwise; `hardware` or `software`: that kind
   * or an error. What was opened stands in `Device.adapter`.
   */
  readonly adapter?: AdapterPreference;
  /** Which GPU to prefer where there are several. Default `high-performance`. */
  readonly powerPreference?: 'low-power' | 'high-performance';
  /**
   * `portable` (default): WebGPU's defaults, which every device has. `adapter`: all that the adapter offers, so that
   * larger meshes fit. Or numbers for some limits, e.g. `{ maxBufferSize: 1 << 30 }`; the others have their defaults.
   * `Device.limits` has what was opened.
   */
  readonly limits?: LimitsWanted;
  /** Name for debugging tools. */
  readonly label?: string;
  /**
   * A `GPUDevice` that somebody else made, a renderer or a game: scree works on it as well. Who made it destroys it:
   * `Device.destroy()` gives back what scree made with it, and nothing else. It needs WebGPU's portable limits, and the
   * numbers in `limits`, if any. No feature is needed; `timestamp-query` and `subgroups` are used. Not with the other
   * options, which were its maker's.
   */
  readonly device?: WebGpuDevice;
}

const OPTIONS: Options<OpenDeviceOptions> = {
  adapter: 'checked',
  powerPreference: 'checked',
  limits: 'checked',
  label: 'text',
  device: 'checked',
};

/**
 * An open WebGPU device. It owns the GPU memory of everything made with it; `destroy()` gives all of it back, and the
 * `GPUDevice` as well, unless somebody else made that.
 */
export class Device {
  readonly adapter: AdapterSummary;
  /** The limits in force on the device (not the adapter's, which may be higher). */
  readonly limits: WebGpuLimits;
  readonly features: ReadonlySet<string>;
  /**
   * WebGPU's own object, for sharing buffers with a renderer: a `GPUDevice`, or `unknown` where TypeScript has no types
   * of WebGPU.
   */
  readonly handle: WebGpuDevice;
  /** Settles when the device is gone, with the error that pending work rejects with. Never rejects. */
  readonly lost: Promise<DeviceError>;
  #lostError: DeviceError | undefined;
  readonly #isOwn: boolean;
  #tellLoss!: (error: DeviceError) => void;
  readonly #waiting = new Set<(error: DeviceError) => void>();
  #tail: Promise<void> = Promise.resolve();
  #resources = new Set<{ destroy(): void }>();

  constructor(handle: WebGpuDevice, adapter: AdapterSummary, isOwn = true) {
    this.handle = handle;
    this.adapter = adapter;
    this.#isOwn = isOwn;
    this.limits = handle.limits;
    this.features = new Set(handle.features as ReadonlySet<string>);
    this.lost = new Promise((resolve) => {
      this.#tellLoss = resolve;
    });
    handle.lost.then((info) => {
      const why = `${info.reason}${info.message ? `: ${firstLine(info.message)}` : ''}`;
      const message = `the WebGPU device was lost (${why}); open a new one with openDevice()`;
      this.#end(new DeviceError('lost', message));
    });
  }

  /** True after `destroy()` and after a loss. */
  get closed(): boolean {
    return this.#lostError !== undefined;
  }

  /** @throws DeviceError `destroyed` or `lost` if the device cannot work any more. */
  assertOpen(): void {
    if (this.#lostError !== undefined) throw this.#lostError;
  }

  /** Settles as `work` does, or rejects with the loss if the device goes first, or has gone. */
  orLost<T>(work: Promise<T>): Promise<T> {
    // One reaction per call on a promise that lives as long as the device would pile up: a set lets go of them.
    return new Promise((resolve, reject) => {
      // Listened to whatever comes: a rejection that nobody hears ends the process.
      work
        .then(resolve, async (error: Error) => reject(await this.#causeOf(error)))
        .finally(() => this.#waiting.delete(reject));
      if (this.#lostError === undefined) this.#waiting.add(reject);
      else reject(this.#lostError);
    });
  }

  /** Why a promise of WebGPU rejected. A loss may show first as a failed mapping; say the cause, not the symptom. */
  async #causeOf(error: Error): Promise<DeviceError> {
    if (this.#lostError === undefined) await Promise.race([this.lost, platform.sleep(LOSS_IS_TOLD_WITHIN)]);
    return (
      this.#lostError ??
      new DeviceError('failed', `WebGPU failed: ${firstLine(error) || error.name}`, { cause: error })
    );
  }

  /**
   * Runs `work`, which makes or submits things, inside error scopes. What runs out of memory or does not validate
   * becomes a DeviceError that says what was being done. The scopes end before anything is awaited, so they do not see
   * what other users of the device do.
   */
  async checked<T>(what: string, work: () => T): Promise<T> {
    this.assertOpen();
    const { handle } = this;
    const filters = ['validation', 'internal', 'out-of-memory'] as const;
    for (const filter of filters) handle.pushErrorScope(filter);
    let result: T | undefined;
    let thrown: { error: unknown } | undefined;
    try {
      result = work();
    } catch (error) {
      thrown = { error };
    }
    const popped = Promise.all(filters.map(() => handle.popErrorScope()));
    const [outOfMemory, internal, validation] = await this.orLost(popped);
    if (outOfMemory) {
      throw new DeviceError(
        'out-of-memory',
        `out of GPU memory while ${what}: ${firstLine(outOfMemory.message)}`,
      );
    }
    if (thrown) throw thrown.error;
    const failure = validation ?? internal;
    if (failure)
      throw new DeviceError('failed', `WebGPU refused while ${what}: ${firstLine(failure.message)}`);
    return result as T;
  }

  /**
   * Runs `work` once all earlier exclusive work on the device has ended. It shares error scopes and scratch buffers.
   */
  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#tail;
    let release = () => {};
    this.#tail = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    try {
      return await work();
    } finally {
      release();
    }
  }

  /**
   * Waits until all submitted work is done. Dawn in Node waits by spinning on the thread that a software adapter
   * could use: where the work is expected to take `expectedSeconds`, most of that is slept through first.
   */
  async finished(expectedSeconds = 0): Promise<void> {
    await this.rest(expectedSeconds);
    await this.restWhile(this.handle.queue.onSubmittedWorkDone());
  }

  /** As `orLost`. The calling thread leaves its core to a software adapter meanwhile. */
  restWhile<T>(work: Promise<T>): Promise<T> {
    const settled = this.orLost(work);
    return this.adapter.software ? platform.restWhile(settled) : settled;
  }

  /** Sleeps through most of what a software adapter is expected to take; see `finished`. A GPU is not slept for. */
  async rest(expectedSeconds: number): Promise<void> {
    if (this.adapter.software && expectedSeconds > 0.005) await platform.sleep(800 * expectedSeconds);
  }

  /** Registers something to be destroyed with the device. Returns a function that forgets it again. */
  own(resource: { destroy(): void }): () => void {
    this.#resources.add(resource);
    return () => this.#resources.delete(resource);
  }

  /**
   * Gives back all GPU memory made with the device, and the `GPUDevice` unless somebody else made it. Pending work
   * rejects. Safe to call twice.
   */
  destroy(): void {
    const message = 'the WebGPU device was destroyed; open a new one with openDevice()';
    this.#end(new DeviceError('destroyed', message));
    if (this.#isOwn) this.handle.destroy();
  }

  /**
   * Rejects what waits, and ends all that was made with the device, as none of it can go on. The first reason stays.
   */
  #end(reason: DeviceError): void {
    this.#lostError ??= reason;
    this.#tellLoss(this.#lostError);
    for (const reject of this.#waiting) reject(this.#lostError);
    this.#waiting.clear();
    for (const resource of [...this.#resources]) resource.destroy();
    this.#resources.clear();
  }
}

/** @throws InputError unless a value is a device, or undefined for the CPU alone. */
export function requireDevice(place: string, found: unknown): void {
  if (found === undefined || found instanceof Device) return;
  throw new InputError(
    `${place}: device: found ${told(found)}, expected one of openDevice(), or undefined for the CPU alone`,
  );
}

/** Adapters that run on the CPU name themselves so; `isFallbackAdapter` alone misses llvmpipe. */
const SOFTWARE_NAMES = /swiftshader|llvmpipe|lavapipe|softpipe|basic render|\bwarp\b/i;

function summarize(info: GPUAdapterInfo): AdapterSummary {
  const { vendor, architecture, device, description } = info;
  return {
    vendor,
    architecture,
    device,
    description,
    software: info.isFallbackAdapter || SOFTWARE_NAMES.test(`${architecture} ${device} ${description}`),
  };
}

interface Candidate {
  readonly adapter: GPUAdapter;
  readonly summary: AdapterSummary;
}

async function request(
  gpu: GPU | undefined,
  options: GPURequestAdapterOptions,
): Promise<Candidate | undefined> {
  const adapter = (await gpu?.requestAdapter(options)) ?? undefined;
  return adapter && { adapter, summary: summarize(adapter.info) };
}

/** Features that a device gets where the adapter offers them: times of passes, and sums over a subgroup's threads. */
const WANTED_FEATURES = ['timestamp-query', 'subgroups'] as const satisfies readonly GPUFeatureName[];

/** What a script can do where there is no device. */
const WITHOUT_DEVICE =
  'or go on without a device, on the CPU: Polyhedron.create(undefined, mesh), ConvexBatch.create(undefined, shapes)';
/** What a script can do where there is no hardware adapter. */
const OTHER_ADAPTER = "or ask for adapter 'auto' or 'software'";

async function findAdapter(
  wanted: AdapterPreference,
  powerPreference: GPUPowerPreference,
): Promise<Candidate> {
  let seen: Candidate | undefined;
  if (wanted !== 'software') {
    seen = await request(await platform.openGpu('system'), { powerPreference });
    if (seen && !seen.summary.software) return seen;
    if (wanted === 'hardware') {
      const found = seen
        ? `only the software adapter ${seen.summary.architecture || seen.summary.device}`
        : 'none';
      throw new DeviceError(
        'no-adapter',
        `no hardware WebGPU adapter: found ${found}; install a GPU driver with Vulkan, Metal or D3D12`,
      );
    }
  }
  const software = seen ?? (await softwareAdapter());
  if (software) return software;
  throw new DeviceError(
    'no-adapter',
    `no ${wanted === 'software' ? 'software ' : ''}WebGPU adapter was found; ${platform.softwareHint}`,
  );
}

/** The software adapter that npm carries, else one that the system has of its own (WARP, llvmpipe). */
async function softwareAdapter(): Promise<Candidate | undefined> {
  for (const kind of ['software', 'system'] as const) {
    const found = await request(await platform.openGpu(kind), { forceFallbackAdapter: true });
    if (found?.summary.software) return found;
  }
  return undefined;
}

const DEVICE_PARTS = ['limits', 'features', 'lost', 'queue', 'createBuffer', 'pushErrorScope'] as const;

/** A device on a `GPUDevice` that somebody else made. @throws InputError or DeviceError in one line */
async function adoptDevice({ device: found, limits = 'portable', ...others }: OpenDeviceOptions) {
  const [surplus] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
  if (surplus !== undefined) {
    throw new InputError(`openDevice: found ${surplus} and device, expected one of them: the device is made`);
  }
  if (typeof found !== 'object' || found === null || !DEVICE_PARTS.every((part) => part in found)) {
    throw new InputError(`openDevice: device: found ${told(found)}, expected a GPUDevice`);
  }
  const handle = found as GPUDevice;
  const { adapterInfo: info } = handle as { adapterInfo?: GPUAdapterInfo };
  requireLimits(handle.limits, limits);
  await platform.defineWebGpu();
  const none = { vendor: '', architecture: '', device: '', description: '', software: false };
  const device = new Device(handle, info ? summarize(info) : none, false);
  // A loss that has been is told soon.
  await Promise.race([device.lost, platform.sleep(0)]);
  device.assertOpen();
  return device;
}

/**
 * Opens a WebGPU device, or takes one that somebody else made. In Node it needs the npm package `webgpu`, and
 * `@sparticuz/chromium` for the software adapter (Linux x64).
 *
 * @throws DeviceError `no-webgpu`, `no-adapter` or `limits`, each with what to do. Bodies and batches also work without
 *   a device: `Polyhedron.create(undefined, mesh)`.
 */
export async function openDevice(options: OpenDeviceOptions = {}): Promise<Device> {
  requireOptions('openDevice', options, OPTIONS);
  if (options.device !== undefined) return adoptDevice(options);
  const {
    adapter: wanted = 'auto',
    powerPreference = 'high-performance',
    limits = 'portable',
    label = 'scree',
  } = options;
  if (wanted !== 'auto' && wanted !== 'hardware' && wanted !== 'software') {
    throw new InputError(`openDevice: adapter ${told(wanted)}: expected auto, hardware or software`);
  }
  if (powerPreference !== 'low-power' && powerPreference !== 'high-performance') {
    throw new InputError(
      `openDevice: powerPreference: found ${told(powerPreference)}, expected low-power or high-performance`,
    );
  }
  const { adapter, summary } = await findAdapter(wanted, powerPreference).catch((error: unknown) => {
    if (!(error instanceof DeviceError)) throw error;
    const { reason, problem, cause } = error;
    const isChoosy = wanted === 'hardware' && reason === 'no-adapter';
    const advice = isChoosy ? `${OTHER_ADAPTER}, ${WITHOUT_DEVICE}` : WITHOUT_DEVICE;
    throw new DeviceError(reason, problem, { cause, advice });
  });
  const offered = adapter.limits as unknown as Readonly<Record<string, number | undefined>>;
  const limitsToAskFor = requiredLimits(
    offered,
    limits,
    `the adapter ${summary.vendor} ${summary.architecture}`,
  );
  let handle: GPUDevice;
  try {
    handle = await adapter.requestDevice({
      label,
      requiredLimits: limitsToAskFor,
      requiredFeatures: WANTED_FEATURES.filter((feature) => adapter.features.has(feature)),
    });
  } catch (error) {
    throw new DeviceError(
      'failed',
      `the adapter ${summary.vendor} ${summary.architecture} gave no device: ${firstLine(error)}`,
      { cause: error },
    );
  }
  return new Device(handle, summary);
}
