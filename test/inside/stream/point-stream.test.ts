import { describe, expect, it } from 'vitest';
import { DeviceError, InputError } from '../../../src/errors.ts';
import { openDevice } from '../../../src/gpu/device.ts';
import { Polyhedron } from '../../../src/inside/polyhedron.ts';
import type { ClassifiedChunk } from '../../../src/inside/stream/point-stream.ts';
import { encodeNpy } from '../../../src/io/npy.ts';
import { openPoints } from '../../../src/io/open-points.ts';
import { openCellFoam } from '../../../src/mesh/generate-foam.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { WorkerPool } from '../../../src/workers/worker-pool.ts';
import { useDevice } from '../../support/device.ts';
import { differences } from '../../support/flags.ts';
import { boxMesh, latticePoints, mapMesh, pointsOnSurface, randomPoints } from '../../support/shapes.ts';
import { WAYS } from '../../support/ways.ts';

const device = useDevice();
const random = createRandom(61);
const foam = openCellFoam({ triangles: 6000, seed: 5 });
const turn = (milliseconds = 0) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** What one side waits for until another opens it. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Random points, and as many on the surface, where exact predicates have to help. */
function mixedPoints(mesh: TriangleMesh, count: number): Float32Array {
  const points = new Float32Array(3 * count);
  const near = Math.floor(count / 3);
  points.set(pointsOnSurface(mesh, near, random));
  points.set(randomPoints(mesh, count - near, random), 3 * near);
  return points;
}

async function* cut(points: Float32Array, size: number): AsyncGenerator<Float32Array> {
  for (let at = 0; at < points.length; at += 3 * size) yield points.slice(at, at + 3 * size);
}

async function all(stream: AsyncIterable<ClassifiedChunk>): Promise<ClassifiedChunk[]> {
  const chunks: ClassifiedChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

const flagsOf = (chunks: readonly ClassifiedChunk[]) =>
  Uint8Array.from(chunks.flatMap(({ flags }) => [...flags]));

describe.each(WAYS)('classifyStream by $method on $backend', (way) => {
  it('gives the flags of classify, for chunks of any size, and adds up what they say', async () => {
    const points = mixedPoints(foam, 5000);
    const body = await Polyhedron.create(device(), foam);
    // Slabs are made once so many points were tested, and count among the tables.
    for (let call = 0; call < (way.backend === 'cpu' ? 60 : 0); call++) await body.classify(points, way);
    for (const rule of ['odd', 'nonzero'] as const) {
      const expected = await body.classify(points, { ...way, rule });
      for (const size of [97, 1000, 2501, 4999, 5000, 5001]) {
        const stream = body.classifyStream(cut(points, size), { ...way, rule });
        const chunks = await all(stream);
        expect(differences(flagsOf(chunks), expected.flags, points), `${size}`).toEqual([]);
        expect(chunks.map(({ index, first }) => [index, first])).toEqual(
          Array.from({ length: Math.ceil(5000 / size) }, (_, i) => [i, i * size]),
        );
        const { counts, resolvedExactly, tableBytes, ...summary } = stream.summary;
        expect({ counts, tableBytes }).toEqual({ counts: expected.counts, tableBytes: expected.tableBytes });
        expect(chunks.reduce((sum, chunk) => sum + chunk.resolvedExactly, 0)).toBe(resolvedExactly);
        // Ray crossing doubts a thread's points together, and chunks change who these are.
        if (way.method === 'cell-grid') expect(resolvedExactly).toBe(expected.resolvedExactly);
        expect(resolvedExactly).toBeGreaterThan(100);
        expect(summary).toMatchObject({ ...way, rule, chunks: chunks.length, triangles: foam.triangleCount });
        expect(chunks.reduce((sum, chunk) => sum + chunk.counts.inside, 0)).toBe(counts.inside);
        for (const seconds of Object.values(summary.seconds)) expect(seconds).toBeGreaterThanOrEqual(0);
        expect(summary.gpuBytes > 0).toBe(way.backend === 'gpu');
      }
    }
    body.destroy();
  });

  it('takes one point at a time, empty chunks, none, and chunks of changing size', async () => {
    const points = mixedPoints(foam, 60);
    const body = await Polyhedron.create(device(), foam);
    const { flags } = await body.classify(points, way);
    expect(flagsOf(await all(body.classifyStream(cut(points, 1), way)))).toEqual(flags);
    const nothing = new Float32Array(0);
    const uneven = [nothing, points.slice(0, 3), nothing, points.slice(3, 150), points.slice(150), nothing];
    const chunks = await all(body.classifyStream(uneven, way));
    expect(chunks.map((chunk) => chunk.flags.length)).toEqual([0, 1, 0, 49, 10, 0]);
    expect(flagsOf(chunks)).toEqual(flags);
    expect(chunks.map(({ points: given }) => given)).toEqual(uneven);
    const empty = body.classifyStream([], way);
    expect(await all(empty)).toEqual([]);
    expect(empty.summary).toMatchObject({ chunks: 0, counts: { points: 0 }, ...way });
    body.destroy();
  });

  it('cuts chunks that are larger than a piece', async () => {
    const many = randomPoints(foam, way.method === 'ray-crossing' ? 20_000 : 1_300_000, random);
    const body = await Polyhedron.create(device(), foam);
    const { flags } = await body.classify(many, way);
    const done: number[] = [];
    const stream = body.classifyStream([many, many], {
      ...way,
      expectedPoints: 2 * flags.length,
      onProgress: (points, total) => {
        expect(total).toBe(2 * flags.length);
        done.push(points);
      },
    });
    for (const chunk of await all(stream)) expect(Buffer.compare(chunk.flags, flags)).toBe(0);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(done.at(-1)).toBe(2 * flags.length);
    if (way.method === 'cell-grid') expect(done.length).toBeGreaterThan(3);
    body.destroy();
  });

  it('is exact where nearly every point is doubtful', async () => {
    // Faces of the cube and the planes of its lattice: a list of doubtful points that is longer than what comes at
    // once.
    const cube = boxMesh([0, 0, 0], [1, 1, 1]);
    const points = latticePoints(33, -0.25, 1.25);
    const onFaces = pointsOnSurface(cube, 20_000, random);
    const body = await Polyhedron.create(device(), cube);
    for (const set of [points, onFaces]) {
      const expected = await body.classify(set, way);
      const chunks = await all(body.classifyStream(cut(set, 6000), way));
      expect(differences(flagsOf(chunks), expected.flags, set)).toEqual([]);
    }
    body.destroy();
  });

  it('rejects at the chunk with a bad coordinate, by the number of the point, after those before it', async () => {
    const points = randomPoints(foam, 1000, random);
    points[3 * 777 + 2] = Number.NaN;
    const body = await Polyhedron.create(device(), foam);
    const seen: number[] = [];
    const loop = async (source: AsyncIterable<Float32Array> | Iterable<Float32Array>) => {
      for await (const { index } of body.classifyStream(source, way)) seen.push(index);
    };
    await expect(loop(cut(points, 100))).rejects.toThrow(
      'points: point 777 has the coordinate NaN, expected a finite number',
    );
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6]);
    await expect(loop([points.slice(0, 7)])).rejects.toThrow(/7 coordinates found, expected a multiple of 3/);
    await expect(loop([[1, 2, 3] as never])).rejects.toThrow(/expected a Float32Array/);
    // The body is as good as before.
    expect((await all(body.classifyStream(cut(points.slice(0, 300), 10), way))).length).toBe(10);
    body.destroy();
  });

  it('holds no more chunks than it may', async () => {
    const body = await Polyhedron.create(device(), foam);
    for (const chunksInFlight of [1, 2, 5]) {
      let [given, used, most] = [0, 0, 0];
      const source = async function* () {
        for (let i = 0; i < 15; i++) {
          given++;
          most = Math.max(most, given - used);
          yield randomPoints(foam, 500, random);
        }
      };
      for await (const _ of body.classifyStream(source(), { ...way, chunksInFlight })) {
        await turn(5);
        used++;
      }
      expect(most).toBe(chunksInFlight);
    }
    body.destroy();
  });

  it('lets other calls in between, in its own loop too', async () => {
    const points = mixedPoints(foam, 3000);
    const body = await Polyhedron.create(device(), foam);
    const other = await Polyhedron.create(device(), unitSphere(3));
    const few = randomPoints(other.mesh, 400, random);
    const expected = (await other.classify(few, way)).flags;
    const flags = (await body.classify(points, way)).flags;
    const nested: ClassifiedChunk[] = [];
    for await (const chunk of body.classifyStream(cut(points, 500), way)) {
      nested.push(chunk);
      expect((await other.classify(few, way)).flags).toEqual(expected);
      expect(flagsOf(await all(other.classifyStream(cut(few, 100), way)))).toEqual(expected);
      expect((await body.classify(points.slice(0, 300), { ...way, rule: 'nonzero' })).flags).toHaveLength(
        100,
      );
    }
    expect(flagsOf(nested)).toEqual(flags);
    const both = [cut(points, 333), cut(points, 444)].map((source) => all(body.classifyStream(source, way)));
    for (const chunks of await Promise.all(both)) expect(flagsOf(chunks)).toEqual(flags);
    body.destroy();
    other.destroy();
  });

  it('stops by its signal, with the reason, and closes its source', async () => {
    const body = await Polyhedron.create(device(), foam);
    const controller = new AbortController();
    let closed = false;
    const endless = async function* () {
      try {
        for (;;) yield randomPoints(foam, 2000, random);
      } finally {
        closed = true;
      }
    };
    let seen = 0;
    const reason = new Error('enough');
    const loop = (async () => {
      for await (const _ of body.classifyStream(endless(), { ...way, signal: controller.signal })) {
        if (++seen === 3) controller.abort(reason);
      }
    })();
    await expect(loop).rejects.toBe(reason);
    await turn(20);
    expect({ seen, closed }).toEqual({ seen: 3, closed: true });
    const before = body.classifyStream(endless(), { ...way, signal: AbortSignal.abort(reason) });
    await expect(before.next()).rejects.toBe(reason);
    expect((await body.classify(randomPoints(foam, 100, random), way)).flags).toHaveLength(100);
    body.destroy();
  });

  it('ends where its body is destroyed, and lets go of its memory', async () => {
    const body = await Polyhedron.create(device(), foam);
    const stream = body.classifyStream(cut(randomPoints(foam, 10_000, random), 1000), way);
    await stream.next();
    body.destroy();
    await expect(all(stream)).rejects.toThrow(/was destroyed/);
    expect(() => body.classifyStream([], way)).toThrow(/was destroyed/);
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });
});

describe('classifyStream', () => {
  it('reads a file of points and passes on what is wrong with it', async () => {
    const points = mixedPoints(foam, 2000);
    const body = await Polyhedron.create(undefined, foam);
    const file = encodeNpy(points, [2000, 3]);
    const open = await openPoints(file, { name: 'p.npy', chunkPoints: 300 });
    const chunks = await all(body.classifyStream(open));
    expect(flagsOf(chunks)).toEqual((await body.classify(points)).flags);
    await expect(all(body.classifyStream(open))).rejects.toThrow(/^p\.npy: .* read already found, expected /);
    points[3 * 1999] = Number.POSITIVE_INFINITY;
    const bad = await openPoints(encodeNpy(points, [2000, 3]), { name: 'p.npy', chunkPoints: 300 });
    await expect(all(body.classifyStream(bad))).rejects.toThrow(
      'p.npy: row 1999: non-finite coordinate: found Infinity, expected a finite number',
    );
    body.destroy();
  });

  it('works on moved and scaled bodies, whose points go through their frame', async () => {
    const moved = mapMesh(foam, (x, y, z) => [1e20 * (x + 3), 1e20 * (y - 9), 1e20 * z]);
    const points = mixedPoints(moved, 40_000);
    const body = await Polyhedron.create(device(), moved);
    for (const way of WAYS.slice(1)) {
      const { flags } = await body.classify(points, way);
      expect(flags.includes(1)).toBe(true);
      expect(flagsOf(await all(body.classifyStream(cut(points, 35_000), way)))).toEqual(flags);
    }
    body.destroy();
  });

  it('asks for a chunk while the one before is tested, and tests it while that one is used', async () => {
    const body = await Polyhedron.create(undefined, foam);
    const points = randomPoints(foam, 1 << 16, random);
    const count = 6;
    const [asked, given] = [Array.from({ length: count + 1 }, gate), Array.from({ length: count }, gate)];
    const events: string[] = [];
    const source = async function* () {
      for (let i = 0; i < count; i++) {
        events.push(`asked for ${i}`);
        asked[i]!.open();
        // A chunk that is not there before the one before has been given: its test has to go on meanwhile.
        if (i > 0) await given[i - 1]!.opened;
        yield points;
      }
      asked[count]!.open();
    };
    for await (const { index } of body.classifyStream(source())) {
      events.push(`given ${index}`);
      given[index]!.open();
      // In use until the source has been asked for the chunk after the next: nobody calls for the next one meanwhile.
      await asked[Math.min(index + 2, count)]!.opened;
    }
    const order = Array.from({ length: count - 1 }, (_, i) => [`asked for ${i + 1}`, `given ${i}`]);
    expect(events).toEqual(['asked for 0', ...order.flat(), `given ${count - 1}`]);
    body.destroy();
  });

  it('gives the GPU its next pieces before it has read the flags of one, and never waits for its queue', async () => {
    const body = await Polyhedron.create(device(), foam);
    const points = randomPoints(foam, 20_000, random);
    await body.classify(points, { backend: 'gpu' });
    const { queue } = device().handle;
    const [submit, finished] = [queue.submit, queue.onSubmittedWorkDone];
    let [submitted, waits] = [0, 0];
    queue.submit = (buffers) => {
      submitted++;
      return submit.call(queue, buffers);
    };
    queue.onSubmittedWorkDone = () => {
      waits++;
      return finished.call(queue);
    };
    try {
      const ahead: number[] = [];
      // Each chunk is one piece, and each piece one submission.
      const source = Array.from({ length: 8 }, () => points);
      const stream = body.classifyStream(source, { backend: 'gpu', chunksInFlight: 5 });
      for await (const { index } of stream) ahead.push(submitted - (index + 1));
      expect(ahead.at(-1)).toBe(0);
      for (const pieces of ahead.slice(0, -2)) expect(pieces).toBeGreaterThanOrEqual(2);
      expect(waits).toBe(0);
    } finally {
      queue.submit = submit;
      queue.onSubmittedWorkDone = finished;
    }
    body.destroy();
  });

  it('gives back every buffer on the GPU, however it ends', async () => {
    const own = await openDevice();
    const create = own.handle.createBuffer;
    const alive = new Set<string>();
    let made = 0;
    own.handle.createBuffer = (descriptor) => {
      const buffer = create.call(own.handle, descriptor);
      const name = `${made++}: ${descriptor.label}`;
      // Parameters of kernels are the device's: they stay for the next call.
      if (descriptor.label !== 'parameters') alive.add(name);
      const destroy = buffer.destroy;
      buffer.destroy = () => {
        alive.delete(name);
        return destroy.call(buffer);
      };
      return buffer;
    };
    const points = randomPoints(foam, 60_000, random);
    let controller = new AbortController();
    const ends: Record<string, (body: Polyhedron, index: number) => boolean> = {
      'to its end': () => true,
      'left by its consumer': () => false,
      aborted: () => {
        controller.abort();
        return true;
      },
      'destroyed under way': (body, index) => {
        if (index === 1) body.destroy();
        return true;
      },
    };
    for (const [end, goOn] of Object.entries(ends)) {
      for (const way of WAYS.slice(0, 2)) {
        const body = await Polyhedron.create(own, foam);
        controller = new AbortController();
        const options = { ...way, signal: controller.signal };
        const loop = async () => {
          for await (const { index } of body.classifyStream(cut(points, 9000), options)) {
            if (!goOn(body, index)) break;
          }
        };
        await loop().catch(() => {});
        body.destroy();
        // What was in work has to end first.
        for (let i = 0; i < 100 && alive.size > 0; i++) await turn(10);
        expect([...alive], `${end}, ${way.method}`).toEqual([]);
      }
    }
    expect(made).toBeGreaterThan(20);
    own.destroy();
  });

  it('goes on without worker threads that are gone', async ({ skip }) => {
    const pool = WorkerPool.get();
    if (pool === undefined) return skip('one core has no worker threads');
    const points = randomPoints(foam, 200_000, random);
    const body = await Polyhedron.create(undefined, foam);
    const { flags } = await body.classify(points);
    const stream = body.classifyStream(cut(points, 50_000));
    const chunks = [(await stream.next()).value as ClassifiedChunk];
    pool.fail(new Error('gone, as a test'));
    chunks.push(...(await all(stream)));
    expect(differences(flagsOf(chunks), flags, points)).toEqual([]);
    body.destroy();
  });

  it('works on the calling thread alone, and lets timers in', async () => {
    const points = randomPoints(foam, 1_000_000, random);
    const body = await Polyhedron.create(undefined, foam, { threads: 1 });
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const chunks = await all(body.classifyStream(cut(points, 100_000)));
    clearInterval(timer);
    expect(Buffer.compare(flagsOf(chunks), (await body.classify(points)).flags)).toBe(0);
    expect(ticks).toBeGreaterThanOrEqual(2);
    body.destroy();
  });

  it('chooses by the points that are expected', async () => {
    const body = await Polyhedron.create(device(), foam);
    expect(body.classifyStream([]).summary).toMatchObject({
      method: 'cell-grid',
      backend: device().adapter.software ? 'cpu' : 'gpu',
    });
    expect(body.classifyStream([], { expectedPoints: 10 }).summary.backend).toBe('cpu');
    body.destroy();
  });

  it('refuses unknown options at once, and an unusable surface even without points', async () => {
    const body = await Polyhedron.create(device(), foam);
    for (const options of [
      { rule: 'even' as never },
      { backend: 'tpu' as never },
      { chunksInFlight: 0 },
      { chunksInFlight: 1.5 },
    ]) {
      expect(() => body.classifyStream([], options)).toThrow(InputError);
    }
    expect(() => body.classifyStream(7 as never)).toThrow(/expected an iterable/);
    const { positions, indices } = unitSphere(1);
    const turned = indices.slice();
    [turned[0], turned[1]] = [turned[1]!, turned[0]!];
    const flipped = await Polyhedron.create(undefined, new TriangleMesh({ positions, indices: turned }));
    await expect(all(flipped.classifyStream([], { rule: 'nonzero' }))).rejects.toThrow(
      /not consistently oriented/,
    );
    flipped.destroy();
    body.destroy();
  });

  it('rejects where its device goes, and no table is left', async () => {
    const own = await openDevice();
    const body = await Polyhedron.create(own, foam);
    const stream = body.classifyStream(cut(randomPoints(foam, 200_000, random), 20_000), { backend: 'gpu' });
    await stream.next();
    own.destroy();
    await expect(all(stream)).rejects.toThrow(DeviceError);
    expect(() => body.classifyStream([])).toThrow(DeviceError);
  });
});
