import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BufferPool, readBack } from '../../src/gpu/buffers.ts';
import { openDevice } from '../../src/gpu/device.ts';
import { Recorder } from '../../src/gpu/recorder.ts';
import { CROSSING_RULES } from '../../src/inside/classification.ts';
import type { PointsOnDevice } from '../../src/inside/on-device.ts';
import { Polyhedron } from '../../src/inside/polyhedron.ts';
import { openCellFoam } from '../../src/mesh/generate-foam.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../src/mesh/random.ts';
import type { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { useDevice } from '../support/device.ts';
import { differences, exactFlags } from '../support/flags.ts';
import { countHostWaits, takenForHardware } from '../support/host-waits.ts';
import { type Cloud, openCloud } from '../support/point-cloud.ts';
import { boxMesh, joinMeshes, mapMesh, pointsOnSurface, randomPoints } from '../support/shapes.ts';

const device = useDevice();
const cube = boxMesh([0, 0, 0], [1, 1, 1], 'cube');
const sphere = unitSphere(3);
const MOST = 6000;

let pool: BufferPool;
let cloud: Cloud;
beforeEach(async () => {
  pool = new BufferPool(device());
  cloud = await openCloud(device(), pool, MOST);
});
afterEach(() => pool.destroy());

/** The list with its header, and as many flags and points as there are. */
async function read(inside: PointsOnDevice, points: GPUBuffer, count: number) {
  const words = (bytes: Uint8Array) => bytes.slice().buffer as ArrayBuffer;
  const [xyz, flags, list] = await readBack(device(), pool, [
    { buffer: points, bytes: 12 * count },
    { buffer: inside.flags as GPUBuffer, bytes: 4 * Math.ceil(count / 4) },
    { buffer: inside.doubtful as GPUBuffer, bytes: 4 * (3 + count) },
  ]);
  return {
    points: new Float32Array(words(xyz!)),
    flags: flags!.slice(0, count),
    doubtful: new Uint32Array(words(list!)),
  };
}

/** Uploads points with the usages that `encode` asks for. */
function upload(label: string, data: Float32Array): GPUBuffer {
  const { STORAGE, COPY_DST, COPY_SRC } = GPUBufferUsage;
  const buffer = pool.reserve(label, data.byteLength, STORAGE | COPY_DST | COPY_SRC);
  device().handle.queue.writeBuffer(buffer, 0, data as Float32Array<ArrayBuffer>);
  return buffer;
}

const crowd = mapMesh(unitSphere(3), (x, y, z) => [x, y, z].map((c) => 0.5 + 0.02 * c));
const BODIES: Readonly<Record<string, TriangleMesh>> = {
  'a cube': cube,
  'a foam': openCellFoam({ triangles: 3000, seed: 9 }),
  'two spheres, one in the other': joinMeshes([sphere, mapMesh(sphere, (x, y, z) => [x / 2, y / 2, z / 2])]),
  'a body with blocks': joinMeshes([boxMesh([0, 0, 0], [4, 4, 4]), crowd]),
  'a sphere far from the origin': mapMesh(sphere, (x, y, z) => [x + 3000, y - 500_000, z]),
  'a tiny sphere': mapMesh(sphere, (x, y, z) => [x * 2 ** -90, y * 2 ** -90, z * 2 ** -91]),
};

describe('a cloud that a kernel makes is classified without passing the host', () => {
  it.each(Object.keys(BODIES))('%s: settled, flags are those of classify', async (name) => {
    const mesh = BODIES[name]!;
    const body = await Polyhedron.create(device(), mesh);
    for (const rule of CROSSING_RULES) {
      const inside = await body.onDevice({ rule, mostPoints: MOST });
      for (const count of [MOST, 997, 0]) {
        const encoder = device().handle.createCommandEncoder();
        const recorder = new Recorder(device(), { encoder });
        cloud.make(recorder, mesh.box, count, { seed: count });
        recorder.end();
        const { waits } = await countHostWaits(device(), async () => {
          inside.encode(encoder, { points: cloud.points, count: cloud.count });
          device().handle.queue.submit([encoder.finish()]);
        });
        expect(waits).toEqual({ queue: 0, mappings: 0 });
        if (count === 0) {
          const { doubtful } = await read(inside, cloud.points, 1);
          expect([...doubtful.subarray(0, 3)]).toEqual([0, 0, 0]);
          continue;
        }
        const back = await read(inside, cloud.points, count);
        const own = await inside.read();
        expect(own.flags).toEqual(back.flags);
        expect(own.doubtful).toEqual(back.doubtful.subarray(0, 3 + back.doubtful[2]!));
        expect([...own.doubtful.subarray(0, 2)]).toEqual([count, MOST]);
        const expected = await body.classify(back.points, { rule });
        expect(expected.counts.inside).toBeGreaterThan(count / 100);
        const provisional = back.flags.slice();
        const settled = await inside.settle(back);
        expect(differences(back.flags, expected.flags, back.points)).toEqual([]);
        // What is not listed was certain, and the list is not everything.
        const listed = new Set(back.doubtful.subarray(3, 3 + settled));
        expect(listed.size).toBe(settled);
        const changed = [...provisional.keys()].filter((i) => provisional[i] !== back.flags[i]);
        expect(changed.filter((i) => !listed.has(i))).toEqual([]);
        expect(settled).toBeLessThan(count / 2);
        if (name === 'a cube') expect(settled).toBeGreaterThan(count / 50);
      }
      inside.destroy();
    }
    body.destroy();
  });

  it('several times in one submission, with counts of host and GPU, into buffers of the caller', async () => {
    const mesh = BODIES['a foam']!;
    const body = await Polyhedron.create(device(), mesh);
    const inside = await body.onDevice({ mostPoints: MOST });
    const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
    const random = createRandom(5);
    const sets = [10, 3001, 500].map((count, n) => {
      const points = randomPoints(mesh, count, random);
      const capacity = 4 * Math.ceil(count / 4);
      return {
        points,
        buffer: upload(`points ${n}`, points),
        flags: pool.reserve(`flags ${n}`, capacity, STORAGE | COPY_SRC),
        doubtful: pool.reserve(`doubtful ${n}`, 4 * (3 + capacity), STORAGE | COPY_SRC | COPY_DST),
      };
    });
    const counts = upload('counts', new Float32Array(new Uint32Array([7, 3001]).buffer));
    const encoder = device().handle.createCommandEncoder();
    for (const [n, { points, buffer, flags, doubtful }] of sets.entries()) {
      const count = n === 1 ? { buffer: counts, offset: 4 } : points.length / 3;
      inside.encode(encoder, { points: buffer, count, flags, doubtful });
    }
    device().handle.queue.submit([encoder.finish()]);
    for (const { points, flags, doubtful } of sets) {
      const count = points.length / 3;
      const [found, list] = await readBack(device(), pool, [
        { buffer: flags, bytes: 4 * Math.ceil(count / 4) },
        { buffer: doubtful, bytes: 4 * (3 + count) },
      ]);
      const back = { points, flags: found!.slice(0, count) };
      await inside.settle({ ...back, doubtful: new Uint32Array(list!.slice().buffer) });
      expect(differences(back.flags, exactFlags(mesh, points), points)).toEqual([]);
    }
    body.destroy();
  });
});

describe('nothing is passed over', () => {
  it('points that found no room are counted, those that did have their flags, and settling says so', async () => {
    const body = await Polyhedron.create(device(), cube);
    const inside = await body.onDevice({ mostPoints: 1000 });
    for (const told of [1001, 5000, 2 ** 32 - 1]) {
      const encoder = device().handle.createCommandEncoder();
      const recorder = new Recorder(device(), { encoder });
      cloud.make(recorder, cube.box, 1000, { told });
      recorder.end();
      inside.encode(encoder, { points: cloud.points, count: cloud.count });
      device().handle.queue.submit([encoder.finish()]);
      const back = await read(inside, cloud.points, 1000);
      expect([...back.doubtful.subarray(0, 2)]).toEqual([told, 1000]);
      await expect(inside.settle(back)).rejects.toThrow(
        `${told - 1000} points found no room, expected at most mostPoints = 1000`,
      );
      back.doubtful[0] = 1000;
      await inside.settle(back);
      expect(differences(back.flags, exactFlags(cube, back.points), back.points)).toEqual([]);
    }
    // The caller's buffers may have less room than the object's.
    const encoder = device().handle.createCommandEncoder();
    const recorder = new Recorder(device(), { encoder });
    cloud.make(recorder, cube.box, 1000);
    recorder.end();
    const flags = pool.reserve('few flags', 64, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC);
    inside.encode(encoder, { points: cloud.points, count: cloud.count, flags });
    device().handle.queue.submit([encoder.finish()]);
    expect([...(await inside.read()).doubtful.subarray(0, 2)]).toEqual([1000, 64]);
    body.destroy();
  });

  it('points with a coordinate that is not finite are listed, and named when they are settled', async () => {
    for (const mesh of [sphere, BODIES['a sphere far from the origin']!]) {
      const body = await Polyhedron.create(device(), mesh);
      const inside = await body.onDevice({ mostPoints: 64 });
      const points = randomPoints(mesh, 64, createRandom(3));
      const bad = [3, 17, 40, 63];
      const values = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN];
      for (const [n, i] of bad.entries()) points[3 * i + (n % 3)] = values[n]!;
      const buffer = upload('points', points);
      const encoder = device().handle.createCommandEncoder();
      inside.encode(encoder, { points: buffer, count: 64 });
      device().handle.queue.submit([encoder.finish()]);
      const back = await read(inside, buffer, 64);
      const listed = back.doubtful.subarray(3, 3 + back.doubtful[2]!);
      for (const i of bad) expect(listed).toContain(i);
      expect(listed.length).toBeLessThan(bad.length + 3);
      const before = back.flags.slice();
      await expect(inside.settle(back)).rejects.toThrow(
        /^points: point \d+ has the coordinate (NaN|-?Infinity), expected a finite number$/,
      );
      expect(back.flags).toEqual(before);
      for (const i of bad) points.fill(1e30, 3 * i, 3 * i + 3);
      await inside.settle({ ...back, points });
      expect(differences(back.flags, exactFlags(mesh, points), points)).toEqual([]);
      body.destroy();
    }
  });

  it('lists that do not fit the points are refused', async () => {
    const body = await Polyhedron.create(device(), cube);
    const inside = await body.onDevice({ mostPoints: 10 });
    const back = { points: new Float32Array(30), flags: new Uint8Array(10) };
    const settle = (...doubtful: number[]) =>
      inside.settle({ ...back, doubtful: Uint32Array.from(doubtful) });
    await expect(settle(10, 10, 2, 1)).rejects.toThrow(
      /found 4 numbers, expected the 5 of a list of 2 points/,
    );
    await expect(settle(10, 10, 1, 10)).rejects.toThrow(/found point 10, expected numbers below the 10 of/);
    await expect(settle()).rejects.toThrow(/found 0 numbers, expected the 3 of a list of 0 points/);
    const cut = { ...back, points: back.points.subarray(0, 28), doubtful: Uint32Array.of(10, 10, 1, 9) };
    await expect(inside.settle(cut)).rejects.toThrow(/found point 9, expected numbers below the 9 of/);
    await expect(inside.settle({ ...back, doubtful: [] as never })).rejects.toThrow(/expected a Uint32Array/);
    expect(await settle(10, 10, 1, 9)).toBe(1);
    expect(back.flags[9]).toBe(2);
    body.destroy();
  });
});

it('buffers that end within a word, or are larger than what can be bound, are used as far as is needed', async () => {
  const body = await Polyhedron.create(device(), cube);
  const inside = await body.onDevice({ mostPoints: 64 });
  const { handle, limits } = device();
  const { STORAGE, COPY_DST, COPY_SRC } = GPUBufferUsage;
  const xyz = randomPoints(cube, 64, createRandom(6));
  for (const size of [12 * 64 + 2, limits.maxStorageBufferBindingSize + 4]) {
    const points = handle.createBuffer({ size, usage: STORAGE | COPY_DST | COPY_SRC });
    const count = handle.createBuffer({ size: 6, usage: STORAGE | COPY_DST });
    handle.queue.writeBuffer(points, 0, xyz as Float32Array<ArrayBuffer>);
    handle.queue.writeBuffer(count, 0, Uint32Array.of(64));
    const encoder = handle.createCommandEncoder();
    inside.encode(encoder, { points, count: { buffer: count } });
    handle.queue.submit([encoder.finish()]);
    const back = await read(inside, points, 64);
    await inside.settle(back);
    expect(differences(back.flags, exactFlags(cube, xyz), xyz)).toEqual([]);
    points.destroy();
  }
  body.destroy();
});

describe('what cannot be encoded', () => {
  it('is refused with one line', async () => {
    const body = await Polyhedron.create(device(), cube);
    const inside = await body.onDevice({ mostPoints: 100 });
    const encoder = device().handle.createCommandEncoder();
    const { STORAGE, COPY_DST, UNIFORM } = GPUBufferUsage;
    const points = pool.reserve('points', 12 * 64, STORAGE);
    const encode = (inputs: object) => () => inside.encode(encoder, { points, count: 64, ...inputs });
    encode({})();
    expect(encode({ count: 101 })).toThrow(/^count is 101, expected a whole number up to mostPoints = 100$/);
    expect(encode({ count: 65 })).toThrow(
      /^points: found a buffer with room for 64 points, expected room for 65$/,
    );
    expect(encode({ count: -1 })).toThrow(/^count is -1/);
    expect(encode({ points: new Float32Array(3) })).toThrow(
      /^points: found a Float32Array.*expected a GPUBuffer$/,
    );
    const uniform = pool.reserve('u', 2048, UNIFORM);
    expect(encode({ points: uniform })).toThrow(/^points: found a buffer without the usage STORAGE/);
    const plain = pool.reserve('list', 2048, STORAGE);
    expect(encode({ doubtful: plain })).toThrow(/^doubtful: found a buffer without the usage COPY_DST/);
    expect(encode({ doubtful: pool.reserve('short', 64, STORAGE | COPY_DST) })).toThrow(
      /^doubtful: found a buffer with room for 13 points, expected room for 64$/,
    );
    expect(encode({ count: { buffer: plain, offset: 2 } })).toThrow(/^count: the offset is 2, expected/);
    expect(encode({ count: { buffer: plain, offset: 2048 } })).toThrow(
      /expected a multiple of 4 up to 2044$/,
    );
    expect(encode({ counts: 3 })).toThrow(/unknown option "counts".*did you mean count\?$/);
    expect(encode({ count: plain })).toThrow(
      /^count: found a GPUBuffer, expected a number or \{ buffer, offset \}$/,
    );
    expect(encode({ flags: points })).toThrow(/^flags and points: found the same buffer, expected two/);
    expect(() => inside.encode(undefined as never, { points, count: 1 })).toThrow(
      /^encode: found undefined, expected a GPUCommandEncoder$/,
    );
    const short = device().handle.createBuffer({ size: 8, usage: STORAGE });
    expect(encode({ points: short, count: { buffer: plain } })).toThrow(
      /^points: found a buffer with room for 0 points, expected room for 1$/,
    );
    await expect(body.onDevice({ mostPoints: 0 })).rejects.toThrow(/^mostPoints is 0, expected/);
    await expect(body.onDevice({ mostPoints: 2 ** 31 })).rejects.toThrow(/needs a buffer of .*device allows/);
    const binding = device().limits.maxStorageBufferBindingSize;
    await expect(body.onDevice({ mostPoints: Math.floor(binding / 12) + 1 })).rejects.toThrow(
      /^points: needs a buffer of .*device allows.*\(maxStorageBufferBindingSize\)/,
    );
    await expect(body.onDevice({ rule: 'winding' as never, mostPoints: 1 })).rejects.toThrow(
      /rule "winding"/,
    );
    const hostOnly = await Polyhedron.create(undefined, cube);
    await expect(hostOnly.onDevice({ mostPoints: 1 })).rejects.toThrow(/needs a device/);
    inside.destroy();
    expect(encode({})).toThrow(/^this query on the device was destroyed; create a new one$/);
    body.destroy();
    await expect(body.onDevice({ mostPoints: 1 })).rejects.toThrow(/was destroyed/);
  });

  it('memory is given back, tables with the last that uses them', async () => {
    const own = await openDevice();
    const create = own.handle.createBuffer;
    const alive = new Set<GPUBuffer>();
    own.handle.createBuffer = (descriptor) => {
      const buffer = create.call(own.handle, descriptor);
      if (descriptor.label !== 'parameters') alive.add(buffer);
      const destroy = buffer.destroy;
      buffer.destroy = () => {
        alive.delete(buffer);
        return destroy.call(buffer);
      };
      return buffer;
    };
    const body = await Polyhedron.create(own, cube);
    const inside = await body.onDevice({ mostPoints: 100 });
    expect(inside.gpuBytes).toBeGreaterThan(1300);
    body.destroy();
    expect(alive.size).toBeGreaterThan(5);
    const points = create.call(own.handle, { size: 1200, usage: GPUBufferUsage.STORAGE });
    const encoder = own.handle.createCommandEncoder();
    expect(() => inside.encode(encoder, { points, count: 100 })).toThrow(
      /cube: this polyhedron was destroyed/,
    );
    inside.destroy();
    inside.destroy();
    expect(alive.size).toBe(0);
    own.destroy();
  });
});

it('calls of the host wait once per piece, to read its flags', async () => {
  const hardware = takenForHardware(device());
  const body = await Polyhedron.create(hardware, sphere);
  const points = new Float32Array([
    ...randomPoints(sphere, 200_000, createRandom(7)),
    ...pointsOnSurface(sphere, 300, createRandom(8)),
  ]);
  await body.classify(points, { backend: 'gpu' });
  const { result, waits } = await countHostWaits(hardware, () => body.classify(points, { backend: 'gpu' }));
  expect(result.resolvedExactly).toBeGreaterThan(100);
  expect(waits).toEqual({ queue: 0, mappings: 1 });
  expect(differences(result.flags, (await body.classify(points, { backend: 'cpu' })).flags, points)).toEqual(
    [],
  );
  body.destroy();
});

describe('points that are no numbers any more by the time that the GPU gets them', () => {
  // Of closed bodies, and as generalised winding numbers.
  const methods = (['cell-grid', 'ray-crossing', 'multipole', 'clusters', 'direct'] as const).flatMap(
    (method) =>
      (['nonzero', 'winding'] as const)
        .filter((rule) => rule === 'nonzero' || method !== 'ray-crossing')
        .map((rule) => ({ method, rule })),
  );
  it.each(methods)('are named by $method with rule $rule', async ({ method, rule }) => {
    const body = await Polyhedron.create(device(), unitSphere(3));
    const points = new Float32Array(3 * 5000).fill(0.25);
    for (const [axis, value] of [Number.NaN, Infinity, -Infinity].entries()) {
      points.fill(0.25);
      const flags = body.classify(points, { backend: 'gpu', method, rule });
      // One coordinate of a few, and all of many.
      points[3 * 7 + axis] = value;
      points.fill(value, 3 * 1000);
      await expect(flags).rejects.toThrow(
        `points: point 7 has the coordinate ${value}, expected a finite number`,
      );
    }
    body.destroy();
  });
});
