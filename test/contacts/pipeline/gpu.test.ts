/** The pipeline's kernels beside its float64 twin. */
import { beforeAll, describe, expect, it } from 'vitest';
import { copyOf } from '../../../src/arguments.ts';
import { unpackBodies } from '../../../src/broadphase/gpu/unpack-bodies.ts';
import { type ContactArrays, ContactKind, ContactStatus } from '../../../src/contacts/list/contact-arrays.ts';
import { ContactPipeline } from '../../../src/contacts/pipeline/contact-pipeline.ts';
import type { DetectedContacts } from '../../../src/contacts/pipeline/detection.ts';
import { DeviceError } from '../../../src/errors.ts';
import { BufferPool, readBack } from '../../../src/gpu/buffers.ts';
import { openDevice } from '../../../src/gpu/device.ts';
import { Recorder } from '../../../src/gpu/recorder.ts';
import { useDevice } from '../../support/device.ts';
import { hold } from '../../support/hold.ts';
import { expectSettleToStop } from '../../support/settle-stops.ts';
import { everyNth, listOf, pairsOfBoxesAlone, without } from './brute-force.ts';
import { CONVEX_SHAPES, MIXED_SHAPES, packing, ROCKS, type Scene } from './scenes.ts';

const device = useDevice();
/** Distances of kernels and of float64 differ by less, relative to a pair's size: docs/contacts.md, "Bounds". */
const BOUND = 2 ** -17;
/** Least size of a pair of the scenes' bodies. */
const SIZE = 0.8;

const createOf = ({ shapes, bodies }: Scene, rest = {}) =>
  ContactPipeline.create(device(), shapes, { bodies, ...rest });

async function detectIn(scene: Scene, rest = {}): Promise<DetectedContacts> {
  const pipeline = await createOf(scene, rest);
  const found = await pipeline.detect({ poses: scene.poses, backend: 'gpu' });
  pipeline.destroy();
  return found;
}

const isFace = ({ kinds, areas }: ContactArrays, i: number) =>
  kinds[i] === ContactKind.convex && areas[i]! > 0;

/** The contacts of each pair of bodies' parts and kind, deepest first. */
function byPair(found: ContactArrays): Map<string, number[]> {
  const pairs = new Map<string, number[]>();
  for (let i = 0; i < found.count; i++) {
    const [bodies, parts] = [found.bodies, found.parts].map((of) => of.subarray(2 * i, 2 * i + 2));
    const key = `${found.kinds[i]} ${bodies} ${parts}`;
    // Of faces the force per stiffness: their depth is work over force, and where forces cancel it has fewer digits.
    pairs.set(key, [
      ...(pairs.get(key) ?? []),
      found.distances[i]! * (isFace(found, i) ? found.areas[i]! : 1),
    ]);
  }
  for (const distances of pairs.values()) distances.sort((a, b) => a - b);
  return pairs;
}

/** Holds two lists together: the deepest contact of each pair, but for pairs that are shallower than the bound. */
function holdTogether(found: ContactArrays, expected: ContactArrays): void {
  const [own, twins] = [byPair(found), byPair(expected)];
  // Where a thread has no room for all planes of a deep overlap, the push is too large, and marked.
  const bounded = new Set(
    [...found.statuses.keys()]
      .filter((i) => isFace(found, i) && found.statuses[i] === ContactStatus.bounded)
      .map(
        (i) =>
          `${found.kinds[i]} ${found.bodies.subarray(2 * i, 2 * i + 2)} ${found.parts.subarray(2 * i, 2 * i + 2)}`,
      ),
  );
  expect(bounded.size).toBeLessThan(0.15 * own.size);
  for (const [key, distances] of twins) {
    if (bounded.has(key)) continue;
    const deepest = own.get(key)?.[0] ?? 0;
    hold(
      Math.abs(deepest - distances[0]!) <= BOUND * 2 * SIZE,
      () => `${key}: ${deepest}, not ${distances[0]}`,
    );
  }
  for (const [key, [deepest]] of own) {
    hold(twins.has(key) || deepest! >= -BOUND * 2 * SIZE, () => `${key}: ${deepest}, and float64 has none`);
  }
}

it('forget the list of pairs where they are told to', async () => {
  const scene = packing(CONVEX_SHAPES, { count: 60, seed: 5, size: 2.2 });
  const pipeline = await createOf(scene, { margin: 0.1 });
  const poses = scene.poses.slice();
  await pipeline.detect({ poses, backend: 'gpu' });
  for (let at = 7; at < poses.length; at += 7) poses[at + (at % 3)]! += 0.045 * (at % 2 === 0 ? 1 : -1);
  const kept = await pipeline.detect({ poses, backend: 'gpu' });
  const anew = await pipeline.detect({ poses, backend: 'gpu', restart: true });
  expect(listOf(kept)).toEqual(listOf(anew));
  expect(kept.pairs).not.toBe(anew.pairs);
  pipeline.destroy();
});

describe.each<[string, Scene]>([
  ['convex bodies', packing(CONVEX_SHAPES, { count: 48, seed: 2, size: 2.2 })],
  [
    'convex bodies far away',
    packing(CONVEX_SHAPES, { count: 48, seed: 2, size: 2.2, middle: [1e5, -1e5, 5e4] }),
  ],
  ['bodies of all kinds', packing(MIXED_SHAPES, { count: 24, seed: 5, size: 2 })],
  ['rocks and balls', packing(ROCKS, { count: 16, seed: 1, size: 1.8 })],
  [
    'rocks on a plane, none of them convex',
    packing([ROCKS[0]!, ROCKS[2]!], { count: 8, seed: 4, size: 1.6 }),
  ],
])('%s', (_, scene) => {
  let expected: DetectedContacts;
  let found: DetectedContacts;
  let ofBoxesAlone: number;
  beforeAll(async () => {
    ofBoxesAlone = await pairsOfBoxesAlone(scene);
    const pipeline = await createOf(scene);
    expected = await pipeline.detect({ poses: scene.poses, backend: 'cpu' });
    found = await pipeline.detect({ poses: scene.poses, backend: 'gpu', timestamps: true });
    pipeline.destroy();
  });

  it('have the contacts of the float64 twin, but for depths below the bound', () => {
    expect(found.backend).toBe('gpu');
    expect(found.reason).toMatch(/^gpu was asked for/);
    expect(found.gpuBytes).toBeGreaterThan(0);
    // Kernels round boxes a little further outwards.
    expect(found.pairs).toBeGreaterThanOrEqual(expected.pairs);
    expect(found.pairs).toBeLessThan(1.01 * (expected.pairs + ofBoxesAlone) + 1);
    expect(expected.count).toBeGreaterThan(100);
    holdTogether(found, expected);
  });

  it('count the nodes that are looked up', () => {
    // Kernels take balls and bodies for a little larger, so some more clusters are near. Of the planes around a pair
    // they have two, the CPU ten: they look up some more nodes.
    for (const which of ['nodesTested', 'nodesNear'] as const) {
      const { [which]: twin } = expected;
      const isLike = found[which] >= twin && found[which] <= 1.25 * twin;
      hold(isLike, () => `${which}: ${found[which]}, ${twin} on the CPU`);
    }
    expect(found.nodesTested > 0).toBe(found.kinds.includes(ContactKind.node));
  });

  it('are listed by kind, A, B and feature', () => {
    const { count, bodies, parts, kinds, features } = found;
    const rank = (i: number) => [
      ...[kinds[i]!, bodies[2 * i]!, parts[2 * i]!, bodies[2 * i + 1]!, parts[2 * i + 1]!, features[i]!],
    ];
    for (let i = 1; i < count; i++) {
      const [before, now] = [rank(i - 1), rank(i)];
      const differs = now.findIndex((x, k) => x !== before[k]);
      hold(differs >= 0 && now[differs]! > before[differs]!, () => `${before} before ${now}`);
    }
  });

  it('have the same bytes once more', async () => {
    expect(listOf(await detectIn(scene))).toEqual(listOf(found));
  });

  it('are decided where float32 leaves them open', () => {
    const open = found.kinds.filter(
      (kind, i) => kind === ContactKind.convex && found.statuses[i] === ContactStatus.open,
    );
    expect(open).toHaveLength(0);
  });
});

describe('bodies that are not there', () => {
  it('have no contacts, nor pairs, also where a list of pairs could serve on', async () => {
    // With shapes whose contacts with planes the host finds.
    const scene = packing(MIXED_SHAPES, { count: 24, seed: 5, size: 2 });
    const pipeline = await createOf(scene, { margin: 0.05 });
    const { poses } = scene;
    const whole = await pipeline.detect({ poses, backend: 'gpu' });
    const all = new Uint8Array(24);
    for (const absent of [
      everyNth(24, { nth: 3, from: 1 }),
      everyNth(24, { nth: 3, from: 2 }),
      everyNth(24, { nth: 24, from: 0 }),
      all.map(() => 1),
      all,
    ]) {
      const found = await pipeline.detect({ poses, absent, backend: 'gpu' });
      expect(listOf(found)).toEqual(without(absent, listOf(whole)));
      const isThere = absent.includes(0);
      expect(found.pairs > 0).toBe(isThere);
    }
    pipeline.destroy();
  });
});

describe('lists that run over', () => {
  it('are named, grow, and have all contacts then', async () => {
    const scene = packing(MIXED_SHAPES, { count: 24, seed: 5, size: 2 });
    const whole = await detectIn(scene, { capacity: { pairs: 4000, contacts: 40_000 } });
    expect(whole.grown).toEqual([]);
    const pipeline = await createOf(scene, { capacity: { pairs: 10, contacts: 20 } });
    const found = await pipeline.detect({ poses: scene.poses, backend: 'gpu' });
    expect(listOf(found)).toEqual(listOf(whole));
    const grown = ['pairs', 'clusters', 'edgeClusters', 'triangles', 'contacts'];
    expect(found.grown.map(({ list }) => list)).toEqual(grown);
    for (const { capacity, needed } of found.grown) expect(needed).toBeGreaterThan(capacity);
    const next = await pipeline.detect({ poses: scene.poses, backend: 'gpu' });
    expect(next.grown).toEqual([]);
    expect(listOf(next)).toEqual(listOf(whole));
  });

  it.each([{ pairs: 0 }, { contacts: 1.5 }, { contacts: 2 ** 31 }])('refuse %j', async (capacity) => {
    const scene = packing(CONVEX_SHAPES, { count: 4, seed: 2, size: 2 });
    const [[field, value]] = Object.entries(capacity) as [[string, number]];
    const message = `capacity.${field} is ${value}, expected a whole number from 1 to`;
    await expect(createOf(scene, { capacity })).rejects.toThrow(message);
    const pipeline = await createOf(scene);
    const most = field === 'pairs' ? { mostPairs: value } : { mostContacts: value };
    await expect(pipeline.onDevice(most)).rejects.toThrow(
      `${Object.keys(most)[0]} is ${value}, expected a whole`,
    );
    pipeline.destroy();
  });
});

describe('bodies on the device', () => {
  const balls = packing(
    [1, 2].map(() => ({ kind: 'sphere', radius: 0.5 }) as const),
    { count: 60, seed: 2, size: 2.5 },
  );

  it('have the records of detect, and a header that tells of lists that ran over', async () => {
    const found = await detectIn(balls);
    for (const contacts of [1000, 10]) {
      const pipeline = await createOf(balls);
      const resident = await pipeline.onDevice({ mostPairs: 1000, mostContacts: contacts });
      const bodies = new BufferPool(device()).upload('bodies', resident.packPoses(balls.poses));
      const recorder = new Recorder(device());
      resident.encode(recorder.encoder, { bodies });
      recorder.submit();
      const listed = await resident.read();
      const count = Math.min(contacts, found.count);
      expect(listed).toMatchObject({ count, needed: found.count, pairs: found.pairs });
      const short = [{ list: 'contacts', capacity: contacts, needed: found.count }];
      expect(listed.short).toEqual(contacts < found.count ? short : []);
      expect(listed.distances).toEqual(found.distances.subarray(0, count));
      expect(listed.bodies).toEqual(found.bodies.subarray(0, 2 * count));
      const places = listed.points.map(
        (x, i) => x + balls.poses[7 * listed.bodies[2 * Math.floor(i / 3)]! + (i % 3)]!,
      );
      expect(places).toEqual(found.points.subarray(0, 3 * count));
      const [header, records] = await readBack(device(), new BufferPool(device()), [
        { buffer: resident.header, bytes: 16 },
        { buffer: resident.contacts, bytes: 64 * count },
      ]);
      const words = [...new Uint32Array(header!.buffer, header!.byteOffset, 4)];
      expect(words).toEqual([found.count, contacts, found.pairs, 1000]);
      const floats = new Float32Array(records!.buffer, records!.byteOffset, 16 * count);
      for (let i = 0; i < count; i++) expect(floats[16 * i + 7]).toBe(found.distances[i]);
      const unbound = device().handle.createBuffer({ size: bodies.size, usage: GPUBufferUsage.COPY_DST });
      const tooShort = new BufferPool(device()).upload('bodies', new Uint32Array(16));
      for (const [inputs, message] of [
        [undefined, 'encode: options: found undefined, expected an object with bodies'],
        [{ bodies: 1 }, 'bodies: found 1, expected a GPUBuffer'],
        [{ bodies: unbound }, 'bodies: found a buffer without the usage STORAGE, expected one with it'],
        [
          { bodies: tooShort },
          `bodies: found a buffer of 64 bytes, expected at least ${48 * balls.bodies.shapes.length}`,
        ],
        [
          { bodies: resident.contacts },
          contacts === 10
            ? 'bodies: found a buffer of 640 bytes'
            : 'contacts and bodies: found the same buffer',
        ],
        [{ bodies, poses: 1 }, 'encode: unknown option "poses", expected bodies'],
      ] as const) {
        expect(() => resident.encode(recorder.encoder, inputs as { bodies: GPUBuffer })).toThrow(message);
      }
      expect(() => resident.encode({} as GPUCommandEncoder, { bodies })).toThrow(
        'encode: found an object, expected a GPUCommandEncoder',
      );
      pipeline.destroy();
      expect(() => resident.encode(recorder.encoder, { bodies })).toThrow('was destroyed');
      await expect(resident.read()).rejects.toThrow('this contact pipeline was destroyed');
      resident.destroy();
    }
  });

  it('have contacts with planes', async () => {
    const shapes = [{ kind: 'plane' }, { kind: 'sphere', radius: 0.5 }] as const;
    const scene = packing(shapes, { count: 40, seed: 2, size: 2.5 });
    const found = await detectIn(scene);
    const pipeline = await createOf(scene, { capacity: { pairs: 1000, contacts: 1000 } });
    const resident = await pipeline.onDevice();
    const bodies = new BufferPool(device()).upload('bodies', resident.packPoses(scene.poses));
    const recorder = new Recorder(device());
    resident.encode(recorder.encoder, { bodies });
    recorder.submit();
    const [header, records] = await readBack(device(), new BufferPool(device()), [
      { buffer: resident.header, bytes: 4 },
      { buffer: resident.contacts, bytes: 64 * found.count },
    ]);
    expect(new Uint32Array(header!.buffer, header!.byteOffset, 1)[0]).toBe(found.count);
    const words = new Uint32Array(records!.buffer, records!.byteOffset, 16 * found.count);
    const kinds = Array.from(found.kinds, (_, i) => words[16 * i + 13]! & 0xff);
    expect(kinds).toEqual([...found.kinds]);
    expect(kinds.filter((kind) => kind === ContactKind.plane).length).toBeGreaterThan(3);
    resident.destroy();
    pipeline.destroy();
  });

  it('have contacts of balls with polyhedra, in the order of kinds', async () => {
    const scene = packing(ROCKS, { count: 16, seed: 1, size: 1.8 });
    const found = await detectIn(scene);
    expect(found.reason).not.toContain('no kernels');
    expect(found.threads).toBe(0);
    const pipeline = await createOf(scene, { capacity: { pairs: 1000, contacts: 8000 } });
    const resident = await pipeline.onDevice();
    const bodies = new BufferPool(device()).upload('bodies', resident.packPoses(scene.poses));
    const recorder = new Recorder(device());
    resident.encode(recorder.encoder, { bodies });
    recorder.submit();
    const [header, records] = await readBack(device(), new BufferPool(device()), [
      { buffer: resident.header, bytes: 52 },
      { buffer: resident.contacts, bytes: 64 * found.count },
    ]);
    const [needed, room] = new Uint32Array(header!.buffer, header!.byteOffset + 44, 2);
    expect([needed! > 0, room]).toEqual([true, 2000]);
    expect(new Uint32Array(header!.buffer, header!.byteOffset, 1)[0]).toBe(found.count);
    const words = new Uint32Array(records!.buffer, records!.byteOffset, 16 * found.count);
    const kinds = Array.from(found.kinds, (_, i) => words[16 * i + 13]! & 0xff);
    expect(kinds).toEqual([...found.kinds]);
    expect(kinds.filter((kind) => kind === ContactKind.patch).length).toBeGreaterThan(5);
    resident.destroy();
    pipeline.destroy();
  });
});

describe('what kernels left open of bodies on the device', () => {
  /** A step, read back, with the bodies that it was of. */
  async function readOf(
    scene: Scene,
    { absent, ...room }: { absent?: Uint8Array; mostContacts?: number } = {},
  ) {
    const pipeline = await createOf(scene);
    const resident = await pipeline.onDevice({ mostPairs: 4000, mostContacts: 40_000, ...room });
    const pool = new BufferPool(device());
    const places = resident.packPoses(scene.poses, absent);
    const recorder = new Recorder(device());
    resident.encode(recorder.encoder, { bodies: pool.upload('bodies', places) });
    recorder.submit();
    const read = await resident.read();
    pool.destroy();
    return { pipeline, resident, read: { ...read, places } };
  }

  const ballsInRows = packing(
    [1, 2].map(() => ({ kind: 'sphere', radius: 0.5 }) as const),
    {
      ...{ count: 40, seed: 2, size: 0 },
    },
  );
  // Rows of ten, each at its distance.
  for (const [row, distance] of [1, 1 - 2 ** -30, 0.9, 0].entries()) {
    for (let i = 0; i < 10; i++) ballsInRows.poses.set([i * distance, 3 * row, 0], 7 * (10 * row + i));
  }

  it.each([
    ['bodies of all kinds', packing(MIXED_SHAPES, { count: 24, seed: 5, size: 2 })],
    ['convex bodies', packing(CONVEX_SHAPES, { count: 48, seed: 2, size: 2.2 })],
    ['balls that touch, but for rounding, overlap, or have one centre', ballsInRows],
  ])('is settled, as detect does: %s', async (_, scene) => {
    const count = scene.poses.length / 7;
    for (const absent of [undefined, everyNth(count, { nth: 5, from: 1 })]) {
      const { pipeline, resident, read } = await readOf(scene, absent && { absent });
      const { poses } = unpackBodies(read.places, resident.cell);
      // The same bytes, so the same poses.
      expect(resident.packPoses(poses, absent)).toEqual(read.places);
      const expected = await pipeline.detect({ poses, absent, backend: 'gpu' });
      const before = copyOf(read);
      const settled = await resident.settle(read);
      expect(read).toEqual(before);
      expect(settled).toMatchObject({ count: expected.count, needed: expected.count, pairs: expected.pairs });
      expect(settled).toMatchObject({ short: [], openContacts: expected.openContacts });
      const points = settled.points.map(
        (x, i) => x + poses[7 * settled.bodies[2 * Math.floor(i / 3)]! + (i % 3)]!,
      );
      expect(listOf({ ...settled, points })).toEqual(listOf(expected));
      if (scene === ballsInRows) expect(read.open.length).toBeGreaterThan(20);
      // Kernels did not know all.
      expect(expected.threads).toBeGreaterThan(0);
      expect(listOf(settled)).not.toEqual(listOf(read));
      resident.destroy();
      pipeline.destroy();
    }
  });

  it('is refused where lists ran over, or for what read did not give', async () => {
    const scene = packing(CONVEX_SHAPES, { count: 60, seed: 2, size: 2.5 });
    const { pipeline, resident, read } = await readOf(scene, { mostContacts: 10 });
    const settle = (change: object) => resident.settle({ ...read, short: [], needed: read.count, ...change });
    const refused = (change: object, message: string) => expect(settle(change)).rejects.toThrow(message);
    await refused({ short: read.short }, 'short: found contacts, which ran over, expected room for all');
    await refused(
      { places: read.places.subarray(12) },
      'places: 708 numbers found, expected 720 of 60 bodies',
    );
    await refused({ place: read.places }, 'unknown option "place"');
    await refused({ count: 9 }, 'settle.bodies: found 20 numbers, expected 2 for each of 9 contacts');
    await refused({ parts: read.parts.map(() => 7) }, 'settle: found part 7 of body');
    await refused({ open: Uint32Array.of(99, 0, 0, 0) }, 'settle: found part 0 of body 99');
    await refused({ open: [] }, 'open: found an array');
    await refused({ open: new Uint32Array(3) }, 'open: 3 numbers found, expected four per pair');
    await refused({ open: Uint32Array.of(1, 0, 0, 0) }, 'open: pair 0 is not behind the one before');
    await refused({ open: Uint32Array.of(0, 0, 0, 0) }, 'open: pair 0 is not behind the one before');
    await refused({ open: Uint32Array.of(...[0, 1, 0, 0], ...[0, 1, 0, 0]) }, 'open: pair 1 is not behind');
    await refused(
      { needed: read.count + 1 },
      `needed: found ${read.count + 1} beside ${read.count} contacts`,
    );
    await refused({ needed: undefined }, 'needed: found undefined beside');
    await refused({ short: null }, 'short: found null, expected the lists that ran over');
    await refused({ short: [null] }, 'short: found , which ran over');
    await refused(
      { kinds: read.kinds.map(() => 200) },
      'settle.kinds: contact 0 has 200, expected a number below 5',
    );
    await refused({ statuses: read.statuses.map(() => 77) }, 'settle.statuses: contact 0 has 77');
    const turned = read.places.slice();
    turned.fill(0, 12 * 3 + 8, 12 * 4);
    await refused({ places: turned }, 'poses: body 3: rotation is [0,0,0,0]');
    resident.destroy();
    pipeline.destroy();
  });

  it('stops by a signal, or as the query or its pipeline ends', async () => {
    const scene = packing(CONVEX_SHAPES, { count: 60, seed: 2, size: 2.5 });
    const { pipeline, resident, read } = await readOf(scene);
    await expectSettleToStop(resident, read);
    const other = await pipeline.onDevice();
    const late = other.settle(read);
    pipeline.destroy();
    await expect(late).rejects.toThrow(/^this contact pipeline was destroyed/);
    other.destroy();
  });
});

describe('a device that is lost', () => {
  it('rejects the call under way and later ones; a new pipeline on a new device works', async () => {
    // Balls alone: other shapes have kernels that take long to compile on a device of one's own.
    const balls = [1, 2].map(() => ({ kind: 'sphere', radius: 0.5 }) as const);
    const scene = packing(balls, { count: 60, seed: 2, size: 2.5 });
    const { shapes, bodies, poses } = scene;
    const own = await openDevice();
    const pipeline = await ContactPipeline.create(own, shapes, { bodies });
    const first = await pipeline.detect({ poses, backend: 'gpu' });
    const call = pipeline.detect({ poses, backend: 'gpu' });
    own.destroy();
    await expect(call).rejects.toThrow(DeviceError);
    await expect(pipeline.detect({ poses, backend: 'gpu' })).rejects.toThrow(DeviceError);
    expect(listOf(await detectIn(scene))).toEqual(listOf(first));
  });
});
