/**
 * A device, body or batch ends, or a signal aborts, at the moments at which calls wait for the GPU. Each call rejects
 * with the reason or gives the right answer, and no promise is left that rejects while nobody listens.
 *
 * `SCREE_EVERY_AWAIT=1` takes every one of these moments; it takes minutes.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ContactPipeline } from '../../src/contacts/pipeline/contact-pipeline.ts';
import { ConvexBatch } from '../../src/convex/batch/convex-batch.ts';
import type { Shape } from '../../src/convex/shapes/shapes.ts';
import { DeviceError, InputError } from '../../src/errors.ts';
import { BufferPool } from '../../src/gpu/buffers.ts';
import { type Device, openDevice } from '../../src/gpu/device.ts';
import { createComputePipeline } from '../../src/gpu/shader.ts';
import type { PolyhedronOptions } from '../../src/inside/options.ts';
import { Polyhedron } from '../../src/inside/polyhedron.ts';
import type { PotentialKind } from '../../src/inside/potential/potential.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../src/mesh/random.ts';
import { MOMENTS, outcomeOf, type Waits, watchWaits } from '../support/interruptions.ts';
import { cutOff } from '../support/open-meshes.ts';
import { randomPoints } from '../support/shapes.ts';

const mesh = unitSphere(1);
const points = randomPoints(mesh, 400, createRandom(7));
const chunks = [points.slice(0, 300), points.slice(300, 900), points.slice(900)];

/** A body or batch, and the call on it. */
interface Subject {
  readonly owner: { destroy(): void };
  readonly call: (signal: AbortSignal) => Promise<unknown>;
}

interface Case {
  readonly make: (device: Device) => Promise<Subject>;
  /** Most moments at which a new device ends, which has to compile. One that has compiled ends once, at the end. */
  readonly devices: number;
  /** Most moments at which body or batch end, or a signal is aborted. */
  readonly owners: number;
}

function ofBody(
  call: (body: Polyhedron, signal: AbortSignal) => Promise<unknown>,
  { devices, owners }: Omit<Case, 'make'>,
  options: PolyhedronOptions = {},
): Case {
  const make = async (device: Device) => {
    const owner = await Polyhedron.create(device, mesh, options);
    return { owner, call: (signal: AbortSignal) => call(owner, signal) };
  };
  return { make, devices, owners };
}

const shapes: Shape[] = [
  { kind: 'sphere', radius: 1 },
  { kind: 'sphere', radius: 2 },
];
const poses = Float64Array.from([0, 0, 0, 1, 0, 0, 0, 1.5, 0.1, 0.2, 1, 0, 0, 0]);
const pairs = Uint32Array.of(0, 1);

function ofBatch(query: object, { devices, owners }: Omit<Case, 'make'>): Case {
  const make = async (device: Device) => {
    const owner = await ConvexBatch.create(device, shapes, { threads: 1 });
    const call = async (signal: AbortSignal) => {
      const { distance, status } = await owner.query({
        ...{ poses, pairs, backend: 'gpu', signal, kind: 'distance' },
        ...query,
      });
      return { distance, status };
    };
    return { owner, call };
  };
  return { make, devices, owners };
}

const gpu = { backend: 'gpu' } as const;
const flagsBy = (method: 'cell-grid' | 'ray-crossing' | 'direct' | 'multipole', more: object = {}) => {
  return async (body: Polyhedron, signal: AbortSignal) =>
    (await body.classify(points, { ...gpu, method, signal, ...more })).flags;
};
const streamBy = (method: 'cell-grid' | 'ray-crossing') => async (body: Polyhedron, signal: AbortSignal) => {
  const flags: number[] = [];
  for await (const chunk of body.classifyStream(chunks, { ...gpu, method, signal }))
    flags.push(...chunk.flags);
  return flags;
};
const windingBy = (method: PotentialKind) => async (body: Polyhedron, signal: AbortSignal) =>
  (await body.windingNumber(points, { ...gpu, method, signal })).values;

type Words = Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** Makes a query on the device, records it with buffers of such contents, and reads it back. */
async function onDevice<Query extends { destroy(): void }, Read>(
  { device, ...calls }: { readonly device: Device; readonly make: () => Promise<Query> },
  record: (query: Query, encoder: GPUCommandEncoder, upload: (data: Words) => GPUBuffer) => void,
  read: (query: Query) => Promise<Read>,
): Promise<Read> {
  const query = await calls.make();
  made = query;
  const pool = new BufferPool(device);
  try {
    const encoder = device.handle.createCommandEncoder();
    record(query, encoder, (data) => pool.upload(`${pool.bytes}`, data));
    device.handle.queue.submit([encoder.finish()]);
    return await read(query);
  } finally {
    query.destroy();
    pool.destroy();
  }
}
/** The query that was made last. */
let made: { destroy(): void } | undefined;

const ON_DEVICE: Readonly<Record<string, Case>> = {
  'points on the device': {
    make: async (device) => {
      const owner = await Polyhedron.create(device, mesh);
      const call = (signal: AbortSignal) =>
        onDevice(
          { device, make: () => owner.onDevice({ mostPoints: points.length / 3, signal }) },
          (query, encoder, upload) =>
            query.encode(encoder, { points: upload(new Float32Array(points)), count: points.length / 3 }),
          (query) => query.read({ signal }),
        );
      return { owner, call };
    },
    ...{ devices: 4, owners: 20 },
  },
  'pairs on the device': {
    make: async (device) => {
      const owner = await ConvexBatch.create(device, shapes, { threads: 1 });
      const call = (signal: AbortSignal) =>
        onDevice(
          { device, make: () => owner.onDevice({ kind: 'distance', mostBodies: 2, mostPairs: 1, signal }) },
          (query, encoder, upload) => {
            const places = upload(Float32Array.from(poses));
            query.encode(encoder, {
              ...{ poses: places, shapes: upload(Uint32Array.of(0, 1)), pairs: upload(pairs), count: 1 },
            });
          },
          (query) => query.read({ signal }),
        );
      return { owner, call };
    },
    ...{ devices: 2, owners: 20 },
  },
  'contacts on the device': {
    make: async (device) => {
      const bodies = { shapes: Uint32Array.of(0, 1) };
      const owner = await ContactPipeline.create(device, shapes, { bodies, threads: 1 });
      const call = (signal: AbortSignal) =>
        onDevice(
          { device, make: () => owner.onDevice({ mostPairs: 8, mostContacts: 8, signal }) },
          (query, encoder, upload) => query.encode(encoder, { bodies: upload(query.packPoses(poses)) }),
          (query) => query.read({ signal }),
        );
      return { owner, call };
    },
    ...{ devices: 4, owners: 20 },
  },
};

const CASES: Readonly<Record<string, Case>> = {
  'classify by cell-grid': ofBody(flagsBy('cell-grid', { timestamps: true }), { devices: 6, owners: 16 }),
  'classify by ray-crossing': ofBody(flagsBy('ray-crossing'), { devices: 2, owners: 12 }),
  'classify by direct': ofBody(flagsBy('direct'), { devices: 3, owners: 12 }),
  'classify by multipole': ofBody(flagsBy('multipole'), { devices: 1, owners: 12 }),
  'two classify at once': ofBody(
    (body, signal) =>
      Promise.all([flagsBy('cell-grid'), flagsBy('ray-crossing')].map((call) => call(body, signal))),
    { devices: 0, owners: 12 },
  ),
  'classifyStream by cell-grid': ofBody(streamBy('cell-grid'), { devices: 8, owners: 16 }),
  'classifyStream by ray-crossing': ofBody(streamBy('ray-crossing'), { devices: 0, owners: 12 }),
  'windingNumber by direct': ofBody(windingBy('direct'), { devices: 1, owners: 12 }),
  'windingNumber by multipole': ofBody(windingBy('multipole'), { devices: 0, owners: 12 }),
  'windingNumber by clusters': ofBody(windingBy('clusters'), { devices: 1, owners: 12 }),
  'windingNumber by cell-grid, with caps': {
    make: async (device) => {
      const owner = await Polyhedron.create(device, cutOff(mesh, 0), { open: true });
      return { owner, call: (signal) => windingBy('cell-grid')(owner, signal) };
    },
    ...{ devices: 1, owners: 12 },
  },
  'query of intersections': ofBatch({ kind: 'intersect' }, { devices: 2, owners: 12 }),
  'query of distances': ofBatch({ kind: 'distance', timestamps: true }, { devices: 0, owners: 12 }),
  'query of signed distances': ofBatch({ kind: 'signed-distance' }, { devices: 0, owners: 12 }),
  'query of manifolds': ofBatch({ kind: 'manifold' }, { devices: 0, owners: 12 }),
  'query by mpr': ofBatch({ kind: 'signed-distance', algorithm: 'mpr' }, { devices: 0, owners: 12 }),
  ...ON_DEVICE,
};

const EVERY = process.env.SCREE_EVERY_AWAIT !== undefined;

/** At most so many numbers below `count`, evenly spread, the last among them. */
function spread(count: number, most: number): number[] {
  const n = EVERY ? count : Math.min(count, most);
  return Array.from({ length: n }, (_, i) => Math.ceil(((i + 1) * count) / n) - 1);
}

/** All of them with SCREE_EVERY_AWAIT, else one after the other. */
const oneOf = <T>(all: readonly T[], n: number): readonly T[] => (EVERY ? all : [all[n % all.length]!]);

const unhandled: unknown[] = [];
const listen = (reason: unknown) => void unhandled.push(reason);
const turn = (milliseconds = 0) => new Promise((resolve) => setTimeout(resolve, milliseconds));

beforeAll(() => void process.on('unhandledRejection', listen));
afterAll(() => void process.off('unhandledRejection', listen));

describe.each(Object.entries(CASES))('%s', (_, tested) => {
  let device: Device;
  let waits: Waits;
  let answer: unknown;
  /** How often the call waits for the device before the kernels are compiled, and afterwards. */
  const counts = { fresh: 0, warm: 0 };

  beforeAll(async () => {
    device = await openDevice();
    waits = watchWaits(device);
    for (const state of ['fresh', 'warm'] as const) {
      const { owner, call } = await tested.make(device);
      waits.begin();
      answer = await call(new AbortController().signal);
      counts[state] = waits.count;
      owner.destroy();
    }
  });
  afterAll(() => device.destroy());

  /** Ends something during a call, and expects one of these errors, unless it was over. */
  async function interrupt(
    place: string,
    { call }: Subject,
    signal: AbortSignal,
    isExpected: (error: unknown) => boolean,
  ): Promise<boolean> {
    const outcome = await outcomeOf(call(signal));
    await turn();
    expect(unhandled.splice(0), place).toEqual([]);
    expect(outcome, place).not.toBe('hangs');
    if (outcome === 'hangs') return false;
    if ('value' in outcome) expect(outcome.value, place).toEqual(answer);
    else if (!isExpected(outcome.error)) throw new Error(`${place}: rejected with`, { cause: outcome.error });
    return 'error' in outcome;
  }

  it.each(['destroy()', 'signal'] as const)('ends by %s, and gives back what it held', async (way) => {
    const before = new Set(waits.buffers);
    let rejected = 0;
    const places = spread(counts.warm, tested.owners);
    for (const [n, k] of places.entries()) {
      for (const moment of oneOf(MOMENTS, n)) {
        const subject = await tested.make(device);
        const controller = new AbortController();
        waits.begin(k, moment, () => (way === 'signal' ? controller.abort() : subject.owner.destroy()));
        const isExpected = (error: unknown) =>
          way === 'signal'
            ? error === controller.signal.reason
            : error instanceof InputError && /was destroyed; create a new one$/.test(error.message);
        if (await interrupt(`wait ${k}, ${moment}`, subject, controller.signal, isExpected)) rejected++;
        subject.owner.destroy();
        // What was in work has to end first.
        const left = () => [...waits.buffers].filter((name) => !before.has(name));
        for (let i = 0; i < 100 && left().length > 0; i++) await turn(5);
        expect(left(), `wait ${k}, ${moment}`).toEqual([]);
      }
    }
    expect(unhandled.splice(0)).toEqual([]);
    // Behind the last slice nobody looks at the signal any more.
    expect(rejected).toBeGreaterThan(places.length / 3);
    // The device is as good as before.
    const { owner, call } = await tested.make(device);
    expect(await call(new AbortController().signal)).toEqual(answer);
    owner.destroy();
  });

  it('says so where its device is destroyed or lost', async () => {
    const places = [
      ...spread(counts.fresh, tested.devices).map((k) => ({ k, own: undefined })),
      { k: Math.floor(counts.warm / 2), own: { device, waits } },
    ];
    const ways = MOMENTS.flatMap((moment) => [
      { moment, reason: 'destroyed' },
      { moment, reason: 'lost' },
    ]);
    let rejected = 0;
    for (const [n, { k, own: warm }] of places.entries()) {
      for (const { moment, reason } of warm ? [ways[k % ways.length]!] : oneOf(ways, n)) {
        const own = warm?.device ?? (await openDevice());
        const ofOwn = warm?.waits ?? watchWaits(own);
        const subject = await tested.make(own);
        ofOwn.begin(k, moment, () => (reason === 'destroyed' ? own.destroy() : own.handle.destroy()));
        const isExpected = (error: unknown) => error instanceof DeviceError && error.reason === reason;
        const { signal } = new AbortController();
        if (await interrupt(`${reason}, wait ${k}, ${moment}`, subject, signal, isExpected)) rejected++;
        own.destroy();
      }
    }
    await turn(50);
    expect(unhandled.splice(0)).toEqual([]);
    // What happens after the last wait comes too late.
    expect(rejected).toBeGreaterThanOrEqual(places.length - 1);
  });
});

describe('a query on the device is stopped at once', () => {
  const waitsFor = ['kernels that are being compiled', 'answers that are being read'] as const;
  const ways = ['signal', 'destroy()'] as const;
  const cases = Object.entries(ON_DEVICE).flatMap(([name, { make }]) =>
    waitsFor.flatMap((what) => ways.map((way) => ({ name, make, what, way }))),
  );

  it.each(cases)('$name, by $way, whatever $what take', async ({ make, what, way }) => {
    const own = await openDevice();
    const { buffers } = watchWaits(own);
    const { handle } = own;
    let [open, hear] = [() => {}, () => {}];
    const gate = new Promise<void>((resolve) => void (open = resolve));
    const asked = new Promise<void>((resolve) => void (hear = resolve));
    const { createBuffer, createComputePipelineAsync } = handle;
    if (what === waitsFor[0]) {
      handle.createComputePipelineAsync = async (descriptor) => {
        hear();
        await gate;
        return createComputePipelineAsync.call(handle, descriptor);
      };
    } else {
      handle.createBuffer = (descriptor) => {
        const buffer = createBuffer.call(handle, descriptor);
        const { mapAsync } = buffer;
        buffer.mapAsync = async (...args) => {
          hear();
          await gate;
          return mapAsync.apply(buffer, args);
        };
        return buffer;
      };
    }
    const { owner, call } = await make(own);
    const controller = new AbortController();
    const rejected = expect(call(controller.signal)).rejects;
    await asked;
    if (way === 'signal') controller.abort(new Error('enough'));
    else (what === waitsFor[0] ? owner : made!).destroy();
    // The gate is closed still.
    await rejected.toThrow(way === 'signal' ? /^enough$/ : /was destroyed; create a new one$/);
    open();
    owner.destroy();
    // The device keeps these for all.
    const left = () => [...buffers].filter((name) => !/parameters|no count/.test(name));
    for (let i = 0; i < 400 && left().length > 0; i++) await turn(5);
    expect(left()).toEqual([]);
    expect(unhandled.splice(0)).toEqual([]);
    own.destroy();
  });
});

describe('a device, body or batch that ends in a function of the caller', () => {
  const progressive = {
    'classify on the GPU': (body: Polyhedron, onProgress: () => void) =>
      body.classify(points, { ...gpu, method: 'direct', onProgress }),
    'classify on the CPU': (body: Polyhedron, onProgress: () => void) =>
      body.classify(points, { backend: 'cpu', method: 'cell-grid', onProgress }),
    'windingNumber on the CPU': (body: Polyhedron, onProgress: () => void) =>
      body.windingNumber(points, { backend: 'cpu', onProgress }),
    'query on the CPU': async (body: Polyhedron, onProgress: () => void) => {
      const batch = await ConvexBatch.create(body.device, shapes);
      return batch.query({ poses, pairs, kind: 'distance', backend: 'cpu', onProgress });
    },
  };

  it.each(Object.entries(progressive))('rejects %s', async (_, call) => {
    for (const end of ['destroy', 'lose', 'throw']) {
      const device = await openDevice();
      const body = await Polyhedron.create(device, mesh);
      const onProgress = () => {
        if (end === 'throw') throw new RangeError('of the caller');
        if (end === 'destroy') device.destroy();
        else device.handle.destroy();
      };
      const outcome = await outcomeOf(call(body, onProgress));
      await turn(5);
      expect(unhandled.splice(0), end).toEqual([]);
      // A loss is told of later, when a short call on the CPU may be over.
      if (end === 'lose' && typeof outcome === 'object' && 'value' in outcome) continue;
      const name = end === 'throw' ? 'RangeError' : 'DeviceError';
      expect(outcome, end).toMatchObject({ error: { name } });
      device.destroy();
    }
  });

  it('ends a stream whose source waits for ever', async () => {
    for (const end of ['destroyed', 'lost'] as const) {
      const device = await openDevice();
      const body = await Polyhedron.create(device, mesh);
      const source = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
      const call = body.classifyStream(source, { backend: 'cpu' }).next();
      await turn(5);
      if (end === 'destroyed') device.destroy();
      else device.handle.destroy();
      expect(await outcomeOf(call)).toMatchObject({ error: { name: 'DeviceError', reason: end } });
      await turn(5);
      expect(unhandled.splice(0)).toEqual([]);
    }
  });
});

it('a pipeline that cannot be made is one line that says so', async () => {
  const device = await openDevice();
  const shader = {
    name: 'none',
    code: '@compute @workgroup_size(1) fn here() {}',
    origin: () => ({ file: 'none', line: 1 }),
  };
  const layout = device.handle.createPipelineLayout({ bindGroupLayouts: [] });
  const making = createComputePipeline(device, shader, { entryPoint: 'elsewhere', layout });
  await expect(making).rejects.toThrow(/^WebGPU failed: [^\n]*elsewhere[^\n]*$/);
  await expect(making).rejects.toMatchObject({ name: 'DeviceError', reason: 'failed' });
  device.destroy();
});
