/** Bodies whose contacts are asked for, step after step. */

import { type Options, requireOptions } from '../../arguments.ts';
import { chooseBackend, requireBackend } from '../../gpu/backend.ts';
import { type Device, requireDevice } from '../../gpu/device.ts';
import { inTurnUnless, lend } from '../../gpu/lend.ts';
import { Lifetime } from '../../gpu/lifetime.ts';
import { checkedAbsent, checkedPoses } from '../bodies/check-bodies.ts';
import type { ContactShape } from '../bodies/contact-shape.ts';
import { requireInRange } from '../bodies/scene-scale.ts';
import { LEAST_BODIES_FOR_GPU } from '../constants.ts';
import type { DetectionWatch, PosedBodies } from '../cpu/host-stages.ts';
import type { GpuDetection, GpuFound } from '../gpu/gpu-detection.ts';
import { requirePrevious, touchingPairs } from '../list/events.ts';
import { type ContactEngine, capacityFor, makeContactEngine } from './contact-engine.ts';
import type { ContactPipelineOptions, DetectedContacts, DetectOptions } from './detection.ts';
import { listContacts } from './list-contacts.ts';
import type { ContactsOnDevice, ContactsOnDeviceOptions, PipelineOnDevice } from './on-device.ts';
import type { PolyhedronSummary } from './prepare-polyhedra.ts';

const CREATE_OPTIONS: Options<ContactPipelineOptions> = {
  bodies: 'checked',
  margin: 'number',
  capacity: 'object',
  names: 'object',
  threads: 'number',
  signal: 'signal',
  onProgress: 'function',
};

const DETECT_OPTIONS: Options<DetectOptions> = {
  poses: 'checked',
  absent: 'checked',
  previous: 'checked',
  restart: 'boolean',
  backend: 'checked',
  timestamps: 'boolean',
  signal: 'signal',
  onProgress: 'function',
};

const ON_DEVICE_OPTIONS: Options<ContactsOnDeviceOptions> = {
  mostPairs: 'number',
  mostContacts: 'number',
  signal: 'signal',
};

/**
 * Bodies of a few shapes, prepared for finding all their contacts, step after step. It owns GPU memory until
 * `destroy()`, or until its device is destroyed.
 *
 *     const shapes = [{ kind: 'sphere', radius: 1 }, { kind: 'plane' }];
 *     const bodies = { shapes: Uint32Array.of(1, 0, 0) };
 *     const pipeline = await ContactPipeline.create(undefined, shapes, { bodies });
 *     const { count, normals, distances } = await pipeline.detect({ poses });
 *
 * docs/contacts.md has conventions of sign and normal, what each kind of contact means, and the bounds.
 */
export class ContactPipeline {
  /** Undefined for a pipeline that only the CPU works on. */
  readonly device: Device | undefined;
  readonly bodyCount: number;
  /** Bounds are grown by it: a list of pairs serves until a body has moved by half of it. */
  readonly margin: number;
  /** Summaries of the polyhedra: of those among the shapes, then of those that stand in for convex shapes. */
  readonly polyhedra: readonly PolyhedronSummary[];
  readonly #engine: ContactEngine;
  readonly #life: Lifetime;
  #kernels: Promise<GpuDetection> | undefined;

  private constructor(engine: ContactEngine) {
    this.device = engine.device;
    this.bodyCount = engine.bodies.count;
    this.margin = engine.margin;
    this.polyhedra = engine.summaries;
    this.#engine = engine;
    this.#life = new Lifetime({
      device: engine.device,
      name: 'this contact pipeline',
      release: () => this.#release(),
    });
  }

  /**
   * Checks shapes and bodies, and makes the tables of the shapes.
   *
   * @param device from `openDevice()`; undefined for a pipeline that only the CPU works on
   * @param shapes one or more; bodies refer to them by their place
   * @throws InputError if a shape or body is not usable; the message names it, what was found and what was expected.
   * @throws DeviceError if the device is lost or destroyed.
   */
  static async create(
    device: Device | undefined,
    shapes: readonly ContactShape[],
    options: ContactPipelineOptions,
  ): Promise<ContactPipeline> {
    requireDevice('ContactPipeline.create', device);
    requireOptions('ContactPipeline.create', options, CREATE_OPTIONS);
    return new ContactPipeline(await makeContactEngine(device, shapes, options));
  }

  /**
   * Finds all contacts of the bodies at their poses. Surfaces that touch or overlap have contacts, at distances of 0 or
   * less. Polyhedra that only touch have those of nodes on the partner's surface; edges that cross have none before
   * they overlap, nor have faces of convex shapes. On the CPU they are the same bit for bit whatever the number of
   * threads.
   *
   * A simulation gives the contacts of one step to the next one:
   *
   *     contacts = await pipeline.detect({ poses, previous: contacts });
   *
   * Calls take turns, in the order in which they were made.
   *
   * @throws InputError for poses of wrong type or length, a number that is not finite, a quaternion that is not of unit
   *   length within 1e-3, a body too far from the origin, or an unknown option.
   * @throws DeviceError if the device is lost, destroyed or out of memory.
   */
  async detect(options: DetectOptions): Promise<DetectedContacts> {
    const started = performance.now();
    this.#life.requireOpen();
    requireOptions('detect', options, DETECT_OPTIONS);
    const { signal, previous, backend = 'auto', onProgress, timestamps = false, restart } = options;
    const { bodies, cell, cpu } = this.#engine;
    requireBackend(backend, this.device, 'pipeline');
    const poses = checkedPoses(options.poses, bodies);
    requireInRange(poses, cell, bodies.names);
    const posed = { poses, absent: checkedAbsent(options.absent, bodies) };
    if (previous !== undefined) requirePrevious(previous, bodies.count);
    const before = previous && touchingPairs(previous, bodies.count);
    signal?.throwIfAborted();
    const choice = chooseBackend(backend, {
      ...{ device: this.device, owner: 'pipeline', items: 'bodies' },
      ...{ count: bodies.count, leastForGpu: LEAST_BODIES_FOR_GPU },
    });
    // Calls share the list of pairs.
    return this.#life.inTurn(async () => {
      const stop = this.#life.signal(signal);
      stop.throwIfAborted();
      const watch = { signal: stop, onProgress };
      const onGpu = choice.backend === 'gpu';
      if (restart) cpu.forget();
      const found = onGpu
        ? await this.#onGpu(posed, watch, { timestamps, restart })
        : { ...(await cpu.detect(posed, watch)), onHost: '' };
      stop.throwIfAborted();
      const reason = choice.because + found.onHost;
      return listContacts(this.#engine, found, poses, { backend: choice.backend, reason, started, before });
    });
  }

  async #onGpu(
    posed: PosedBodies,
    watch: DetectionWatch,
    { timestamps, restart }: { readonly timestamps: boolean; readonly restart: boolean | undefined },
  ): Promise<GpuFound & { readonly gpuBytes: number; readonly onHost: string }> {
    const opening = performance.now();
    const gpu = await this.#gpu();
    const opened = (performance.now() - opening) / 1000;
    if (restart) gpu.forget();
    const found = await gpu.detect(posed, watch, timestamps);
    const { gpuBytes, hostStages } = gpu;
    const onHost =
      hostStages.length === 0
        ? ''
        : `; the CPU finds those that have no kernels, of ${hostStages.join(' and ')}`;
    const seconds = { ...found.seconds, upload: opened + found.seconds.upload };
    return { ...found, seconds, gpuBytes, onHost };
  }

  /**
   * Makes the pipeline ready for bodies that are on the GPU, for simulations that stay there. All kernels are compiled
   * and all room is made now; the header tells where it was not enough.
   *
   *     const contacts = await pipeline.onDevice({ mostPairs: 40_000, mostContacts: 100_000 });
   *     contacts.encode(encoder, { bodies });
   *
   * @throws InputError for a pipeline without a device, or an option that is not known or not usable.
   * @throws DeviceError `limits` where the device allows no buffer of the size that is needed; or if it is lost or
   *   destroyed.
   */
  async onDevice(options: ContactsOnDeviceOptions = {}): Promise<ContactsOnDevice> {
    this.#life.requireOpen();
    requireOptions('onDevice', options, ON_DEVICE_OPTIONS);
    const usual = this.#engine.capacity;
    requireBackend('gpu', this.device, 'pipeline');
    const { mostPairs = usual.pairs, mostContacts = usual.contacts } = options;
    const capacity = capacityFor({ mostPairs }, { mostContacts });
    return lend(this.#life, options.signal, async (lent, stop) => {
      const { openContactsOnDevice } = await import('./contacts-on-device.ts');
      stop.throwIfAborted();
      const inTurn: PipelineOnDevice['inTurn'] = (stop, work) => inTurnUnless(this.#life, stop, work);
      return openContactsOnDevice(this.device!, { ...this.#engine, capacity }, { ...lent, inTurn });
    });
  }

  #gpu(): Promise<GpuDetection> {
    this.#kernels ??= this.#openKernels();
    return this.#kernels.catch((error: unknown) => {
      // Another try may have more memory.
      this.#kernels = undefined;
      throw error;
    });
  }

  /** Kernels are loaded when they are used: applications that stay on the CPU never carry them. */
  async #openKernels(): Promise<GpuDetection> {
    const { GpuDetection } = await import('../gpu/gpu-detection.ts');
    return GpuDetection.create(this.device!, this.#engine);
  }

  #release(): void {
    this.#kernels?.then(
      (kernels) => kernels.destroy(),
      () => {
        // It was never there.
      },
    );
    this.#kernels = undefined;
  }

  /**
   * Gives back the pipeline's memory, once a call that is under way has let go of it: that call rejects, as later ones
   * do. Safe to call twice.
   */
  destroy(): void {
    this.#life.destroy();
  }
}
