import { describe, expect, it } from 'vitest';
import { GpuPairs } from '../../../src/convex/gpu/gpu-pairs.ts';
import { resolveQuery } from '../../../src/convex/query/check-query.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import * as library from '../../../src/index.ts';
import { useDevice } from '../../support/device.ts';
import { countHostWaits, takenForHardware } from '../../support/host-waits.ts';
import { queryPairsMadeOnDevice, shapesMadeOnDevice } from '../../support/pairs-made-on-device.ts';
import { expectSettleToStop } from '../../support/settle-stops.ts';
import { randomPairs } from './random-pairs.ts';

const device = useDevice();
const box: library.Shape = { kind: 'box', halfExtents: [0.5, 0.5, 0.5] };

describe('bodies and pairs made by a kernel, queried without the host seeing them', () => {
  const cases = Object.keys(shapesMadeOnDevice).flatMap((name) =>
    (['intersect', 'signed-distance', 'manifold'] as const).map((kind) => [name, kind] as const),
  );

  it.each(cases)('%s, %s: the answers of a query with the same arrays', async (name, kind) => {
    const shapes = shapesMadeOnDevice[name]!;
    const found = await queryPairsMadeOnDevice(library, device(), shapes, kind);
    expect(found.complaints).toEqual([]);
    expect(found).toMatchObject({ different: [], count: 700, needed: 700 });
    expect(found.open).toHaveLength(found.redone);
    expect(found).toMatchObject({ settled: found.redone, differentSettled: [] });
    expect(found.redone).toBeLessThan(35);
    if (kind !== 'intersect') expect(found.overlapping).toBeGreaterThan(70);
  });
});

/** A buffer of the device with these words. */
function upload(data: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>): GPUBuffer {
  const { handle } = device();
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
  const buffer = handle.createBuffer({ size: data.byteLength, usage });
  handle.queue.writeBuffer(buffer, 0, data);
  return buffer;
}

/** Two boxes and a third body, as given. */
async function boxesAnd(pose: readonly number[], shape: number, shapes: readonly library.Shape[] = [box]) {
  const batch = await library.ConvexBatch.create(device(), shapes);
  const resident = await batch.onDevice({ kind: 'signed-distance', mostBodies: 4, mostPairs: 4 });
  const { handle } = device();
  const poses = upload(Float32Array.of(0, 0, 0, 0, 0, 0, 1, 0.9, 0.1, 0, 0, 0, 0, 1, ...pose));
  const ofBodies = upload(Uint32Array.of(0, 0, shape));
  return { batch, resident, handle, poses, ofBodies };
}

async function answersWith(pose: readonly number[], shape = 0, pairs = [0, 1, 0, 2, 2, 1]) {
  const { batch, resident, handle, poses, ofBodies } = await boxesAnd(pose, shape);
  const encoder = handle.createCommandEncoder();
  const inputs = { poses, shapes: ofBodies, pairs: upload(Uint32Array.from(pairs)) };
  resident.encode(encoder, { ...inputs, count: pairs.length / 2 });
  handle.queue.submit([encoder.finish()]);
  const found = await resident.read();
  batch.destroy();
  resident.destroy();
  return found;
}

describe('what is not usable is open, and spoils nothing else', () => {
  const turned = [0, 0, 0, 1];

  it.each([
    ['a position that is not a number', [Number.NaN, 0, 0, ...turned]],
    ['an infinite position', [0, Infinity, 0, ...turned]],
    ['a position too far away', [0, 0, 2e30, ...turned]],
    ['a quaternion that is not of unit length', [0, 0, 0, 0, 0, 0, 1.1]],
    ['a quaternion that is not a number', [0, 0, 0, Number.NaN, 0, 0, 1]],
    ['no quaternion', [0, 0, 0, 0, 0, 0, 0]],
  ])('%s', async (_, pose) => {
    const { open, status, distance } = await answersWith(pose);
    expect([...open]).toEqual([1, 2]);
    expect(status[0]).toBe(library.PairStatus.converged);
    expect(distance[0]).toBeCloseTo(-0.1, 5);
  });

  it('a shape that is not there, a body that is not there, a body with itself', async () => {
    expect([...(await answersWith([2, 0, 0, ...turned], 7)).open]).toEqual([1, 2]);
    const found = await answersWith([2, 0, 0, ...turned], 0, [0, 1, 0, 3, 1, 1, 4_000_000_000, 0]);
    expect([...found.open]).toEqual([1, 2, 3]);
    expect(found.distance[0]).toBeCloseTo(-0.1, 5);
  });
});

describe('more than there is room for is never silent', () => {
  it('pairs: how many were asked for, and the answers of those that have room', async () => {
    const shapes = shapesMadeOnDevice['boxes and spheres']!;
    const found = await queryPairsMadeOnDevice(library, device(), shapes, 'intersect', { room: 500 });
    expect(found).toMatchObject({ different: [], count: 500, needed: 700 });
  });

  it('pairs beyond the buffer that holds them have no answer, however many the GPU counts', async () => {
    const { batch, resident, handle, poses, ofBodies } = await boxesAnd([2, 0, 0, 0, 0, 0, 1], 0);
    const encoder = handle.createCommandEncoder();
    const count = { buffer: upload(Uint32Array.of(4)) };
    const inputs = { poses, shapes: ofBodies, pairs: upload(Uint32Array.of(0, 1, 1, 2)), count };
    resident.encode(encoder, inputs);
    handle.queue.submit([encoder.finish()]);
    // Reads take turns.
    const [found, again] = await Promise.all([resident.read(), resident.read()]);
    expect(found).toMatchObject({ count: 2, needed: 4, partPairs: 2 });
    expect(found.status).toHaveLength(2);
    expect(again).toEqual(found);
    // A read that is under way keeps what it reads until it has ended.
    const complaints: string[] = [];
    const onError = (event: GPUUncapturedErrorEvent) => void complaints.push(event.error.message);
    handle.addEventListener('uncapturederror', onError);
    const cut = resident.read();
    await Promise.resolve();
    resident.destroy();
    await expect(cut).rejects.toThrow(/^this query on the device was destroyed/);
    await handle.queue.onSubmittedWorkDone();
    expect(complaints).toEqual([]);
    handle.removeEventListener('uncapturederror', onError);
    batch.destroy();
  });

  it('parts, and pairs of parts: what has no room is open', async () => {
    const shapes = shapesMadeOnDevice['concave bodies']!;
    const batch = await library.ConvexBatch.create(device(), shapes);
    const { handle } = device();
    const { poses } = randomPairs(20, 3);
    const bodies = upload(Uint32Array.from({ length: 40 }, () => 1));
    const pairs = upload(Uint32Array.from({ length: 40 }, (_, i) => i));
    const ask = async (room: { mostParts?: number; mostPartPairs?: number }) => {
      const own = { kind: 'signed-distance', mostBodies: 40, mostPairs: 20, ...room } as const;
      const resident = await batch.onDevice(own);
      const encoder = handle.createCommandEncoder();
      resident.encode(encoder, { poses: upload(Float32Array.from(poses)), shapes: bodies, pairs, count: 20 });
      handle.queue.submit([encoder.finish()]);
      const found = await resident.read();
      resident.destroy();
      return found;
    };
    const all = await ask({});
    expect(all.partPairs).toBe(180);
    // 9 pairs of parts each: room for eleven pairs.
    const few = await ask({ mostPartPairs: 100 });
    expect(few.partPairs).toBe(180);
    const open = [...few.open];
    expect(open.length).toBeGreaterThanOrEqual(9);
    for (let i = 0; i < 20; i++) {
      if (!open.includes(i)) expect(few.distance[i]).toBe(all.distance[i]);
    }
    // 3 parts each: room for 33 of 40 bodies.
    const fewer = await ask({ mostParts: 100 });
    expect(fewer.open.length).toBeGreaterThanOrEqual(4);
    expect(fewer.open.length).toBeLessThanOrEqual(7 + all.open.length);
    batch.destroy();
  });
});

describe('open pairs are settled on the host', () => {
  /** Concave bodies with no room for the parts of most pairs. */
  async function withoutRoom() {
    const shapes = shapesMadeOnDevice['concave bodies']!;
    const batch = await library.ConvexBatch.create(device(), shapes, { threads: 1 });
    const { handle } = device();
    const room = { mostBodies: 40, mostPairs: 20, mostPartPairs: 20 };
    const resident = await batch.onDevice({ kind: 'distance', ...room });
    const bodies = {
      ...resident.packPoses(Float64Array.from(randomPairs(20, 3).poses, (x) => x)),
      shapes: Uint32Array.from({ length: 40 }, () => 1),
      pairs: Uint32Array.from({ length: 40 }, (_, i) => i),
    };
    const encode = (count: number | library.CountOnDevice) => {
      const { poses, poseRests, shapes, pairs } = bodies;
      const encoder = handle.createCommandEncoder();
      const buffers = { poses: upload(poses), poseRests: upload(poseRests) };
      resident.encode(encoder, { ...buffers, shapes: upload(shapes), pairs: upload(pairs), count });
      handle.queue.submit([encoder.finish()]);
      return resident.read();
    };
    return { batch, resident, bodies, encode };
  }

  it('as the CPU answers them, distances of what overlaps 0', async () => {
    const { batch, resident, bodies, encode } = await withoutRoom();
    const found = await encode(20);
    expect(found.open.length).toBeGreaterThan(16);
    const { poses, poseRests, shapes, pairs } = bodies;
    const sums = Float64Array.from(poses, (x, i) => x + poseRests[i]!);
    const query = { poses: sums, shapes, pairs, kind: 'distance', backend: 'cpu' } as const;
    const expected = await batch.query(query);
    expect(await resident.settle({ ...found, ...bodies })).toBe(found.open.length);
    const overlapping = [...found.open].filter((i) => found.distance[i] === 0);
    expect(overlapping.length).toBeGreaterThan(2);
    for (const i of found.open) {
      expect(found.status[i]).toBe(expected.status[i]);
      expect(found.distance[i]).toBe(Math.fround(expected.distance[i]!));
      expect(found.lower[i]).toBeLessThanOrEqual(expected.lower[i]!);
      expect(found.upper[i]).toBeGreaterThanOrEqual(expected.upper[i]!);
    }
    for (const i of overlapping) {
      expect(found.pointB.subarray(3 * i, 3 * i + 3)).toEqual(found.pointA.subarray(3 * i, 3 * i + 3));
    }
    // Nothing is open any more.
    expect(await resident.settle({ ...found, ...bodies })).toBe(0);
    resident.destroy();
    batch.destroy();
  });

  it('or nothing is written: what has no room, what is not usable, what is not of these pairs', async () => {
    const { batch, resident, bodies, encode } = await withoutRoom();
    const more = await encode({ buffer: upload(Uint32Array.of(23)) });
    const before = more.status.slice();
    const settle = (change: object) => () => resident.settle({ ...more, ...bodies, needed: 20, ...change });
    const refused = async (change: object, message: string) => {
      await expect(settle(change)).rejects.toThrow(message);
      expect(more.status).toEqual(before);
    };
    await refused({ needed: more.needed }, '3 pairs found no room, expected an answer');
    await refused({ needed: undefined }, 'needed: found undefined, expected what read() gave');
    await refused({ open: undefined }, 'open: found undefined, expected a Uint32Array of numbers of pairs');
    await refused({ kind: 'intersect' }, 'kind is intersect, expected distance, which was asked');
    await refused({ count: 21 }, 'settle.distance: found 20 numbers, expected 1 for each of 21 pairs');
    await refused({ status: undefined }, 'settle.status: found undefined');
    await refused({ pairs: bodies.pairs.subarray(2) }, 'pairs: 38 numbers found, expected the 40 of 20');
    await refused({ poseRests: new Float32Array(7) }, 'poseRests: 7 numbers found, expected 280');
    await refused({ poseRest: bodies.poseRests }, 'unknown option "poseRest"');
    await refused({ poses: undefined }, 'poses: found undefined');
    const poses = bodies.poses.slice().fill(Number.NaN, 7 * 3, 7 * 3 + 1);
    await refused({ poses }, 'poses: pose 3: position is [NaN');
    const pairs = bodies.pairs.slice().fill(0, 6, 8);
    await refused({ pairs }, 'pairs: pair 3 is body 0 with itself');
    resident.destroy();
    batch.destroy();
  });

  it('until a signal comes, or the end of the query or its batch', async () => {
    const { batch, resident, bodies, encode } = await withoutRoom();
    const read = { ...(await encode(20)), ...bodies };
    const before = read.status.slice();
    await expectSettleToStop(resident, read);
    await expect(resident.settle(read)).rejects.toThrow(/^this query on the device was destroyed/);
    const other = await batch.onDevice({ kind: 'distance', mostBodies: 40, mostPairs: 20 });
    const late = other.settle(read);
    batch.destroy();
    await expect(late).rejects.toThrow(/^this convex batch was destroyed/);
    expect(read.status).toEqual(before);
    other.destroy();
  });
});

it('one wait of the host on hardware, from the arrays to the answers', async () => {
  const count = 3000;
  const table = new ShapeTable([box, { kind: 'sphere', radius: 0.5 }]);
  const bodies = Uint32Array.from({ length: 2 * count }, (_, i) => i % 2);
  const query = resolveQuery(
    2,
    { ...randomPairs(count, 2), shapes: bodies, kind: 'signed-distance' },
    {
      algorithm: 'auto',
      tolerance: 2 ** -20,
    },
  );
  const hardware = takenForHardware(device());
  const kernels = await GpuPairs.create(hardware, table);
  await kernels.query(query);
  const { result, waits } = await countHostWaits(hardware, () => kernels.query(query));
  expect(waits).toEqual({ queue: 0, mappings: 1 });
  kernels.destroy();
  // As with slices, which a software adapter needs.
  const sliced = await GpuPairs.create(device(), table);
  const { distance, status } = await sliced.query(query);
  expect(result.status).toEqual(status);
  expect(result.distance).toEqual(distance);
  sliced.destroy();
});

describe('what callers get wrong is one line', () => {
  it('options and inputs', async () => {
    const { batch, resident, handle, poses, ofBodies } = await boxesAnd([2, 0, 0, 0, 0, 0, 1], 0);
    const pairs = upload(Uint32Array.of(0, 1));
    const encode = (inputs: object) => () =>
      resident.encode(handle.createCommandEncoder(), { poses, shapes: ofBodies, pairs, count: 1, ...inputs });
    expect(encode({ count: 5 })).toThrow('count is 5, expected a whole number from 0 to 4');
    expect(encode({ count: 2 })).toThrow('pairs: found a buffer of 8 bytes, expected at least 16');
    expect(encode({ bodyCount: 4 })).toThrow('bodyCount is 4, expected a whole number from 0 to 3');
    expect(encode({ pose: poses })).toThrow('pose');
    expect(encode({ pairs: handle.createBuffer({ size: 8, usage: GPUBufferUsage.COPY_DST }) })).toThrow(
      'pairs: found a buffer without the usage STORAGE',
    );
    expect(encode({ count: { buffer: pairs, offset: 8 } })).toThrow('count: the offset is 8');
    expect(encode({ count: pairs })).toThrow(
      'count: found a GPUBuffer, expected a number or { buffer, offset }',
    );
    expect(encode({ poses: resident.results })).toThrow('results and poses: found the same buffer');
    expect(() => resident.encode(undefined as never, {} as never)).toThrow('expected a GPUCommandEncoder');
    // What is refused leaves the encoder as it was.
    const encoder = handle.createCommandEncoder();
    const inputs = { poses, shapes: ofBodies, pairs, count: 1 };
    expect(() => resident.encode(encoder, { ...inputs, normals: ofBodies, count: 2 })).toThrow(
      'pairs: found',
    );
    const normals = upload(new Float32Array(1));
    expect(() => resident.encode(encoder, { ...inputs, normals })).toThrow('normals: found a buffer of 4');
    resident.encode(encoder, inputs);
    handle.queue.submit([encoder.finish()]);
    expect(await resident.read()).toMatchObject({ count: 1, needed: 1 });
    const far = Float64Array.of(1e6 + 0.1, 0, 0, 0, 0, 0, 1);
    const packed = resident.packPoses(far);
    expect(packed.poses[0]! + packed.poseRests[0]!).toBeCloseTo(1e6 + 0.1, 8);
    expect(() => resident.packPoses(far.subarray(1))).toThrow('expected a multiple of 7');
    expect(() => resident.packPoses(far.map(() => 1))).toThrow(
      'poses: pose 0: rotation is [1,1,1,1] of length 2',
    );
    batch.destroy();
    expect(encode({})).toThrow('this convex batch was destroyed');
    resident.destroy();
    const other = await library.ConvexBatch.create(undefined, [box]);
    const room = { mostBodies: 2, mostPairs: 1 };
    await expect(other.onDevice({ kind: 'intersect', ...room })).rejects.toThrow(
      'backend "gpu" needs a device',
    );
    const onGpu = await library.ConvexBatch.create(device(), [box]);
    const fine = onGpu.onDevice({ kind: 'distance', tolerance: 2 ** -30, ...room });
    await expect(fine).rejects.toThrow('tolerance is');
    const none = onGpu.onDevice({ kind: 'intersect', mostBodies: 2 } as never);
    await expect(none).rejects.toThrow('mostPairs is undefined');
    onGpu.destroy();
  });
});
