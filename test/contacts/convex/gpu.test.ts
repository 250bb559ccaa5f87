/** Contacts of convex pairs by kernels, beside those in float64. */
import { sizeOf } from 'typegpu/data';
import { describe, expect, it } from 'vitest';
import { ContactBody } from '../../../src/broadphase/broad-phase-layout.ts';
import type { PosedColliders } from '../../../src/contacts/bodies/collider-pairs.ts';
import { ContactRecord } from '../../../src/contacts/bodies/device-layout.ts';
import { ConvexOnDevice } from '../../../src/contacts/convex/convex-on-device.ts';
import { ContactKind, ContactStatus, NO_TRIANGLE } from '../../../src/contacts/list/contact-arrays.ts';
import { ContactSink } from '../../../src/contacts/list/contact-sink.ts';
import { queryPairs } from '../../../src/convex/cpu/pair-run.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import type { Shape } from '../../../src/convex/shapes/shapes.ts';
import { createScan } from '../../../src/gpu/blocks/scan.ts';
import { BufferPool, readBack } from '../../../src/gpu/buffers.ts';
import { Recorder } from '../../../src/gpu/recorder.ts';
import { randomRock } from '../../../src/mesh/generate-rock.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { useDevice } from '../../support/device.ts';
import { hold } from '../../support/hold.ts';
import { bodyOf, contactsIn, convexContactsOf, facesOf, posedConvex, type TestBody } from '../posed.ts';

const device = useDevice();
/** Bodies are this far from the origin: 10^5 of their sizes. */
const FAR = 100_000;
const CELL = 4;
const RECORD = sizeOf(ContactRecord) / 4;

const random = createRandom(12);
const hull = Array.from({ length: 16 }, () => {
  const v = [0, 1, 2].map(() => random() - 0.5);
  return v.map((x) => (x / Math.hypot(...v)) * 0.6);
}).flat();
const shapes: Shape[] = [
  { kind: 'box', halfExtents: [0.5, 0.4, 0.6] },
  { kind: 'sphere', radius: 0.5 },
  { kind: 'polytope', vertices: hull },
  { kind: 'capsule', halfLength: 0.4, radius: 0.3 },
  { kind: 'cylinder', radius: 0.5, halfHeight: 0.5 },
  { kind: 'frustum', bottom: [0.5, 0.5], top: [0.3, 0.3], height: 0.9 },
];

/** Its mesh has more planes near a deep overlap than a thread has room for. */
const CAPSULE = shapes.findIndex(({ kind }) => kind === 'capsule');

/** Bodies whose poses float32 has, so that both sides are given the same. */
function scene(count: number) {
  const side = Math.ceil(Math.cbrt(count));
  const spots = Array.from({ length: count }, (_, i) => [
    i % side,
    Math.floor(i / side) % side,
    Math.floor(i / side ** 2),
  ]);
  const bodies = spots.map((spot, i): TestBody => {
    const turned = i % 3 === 0 ? [0, 0, 0, 1] : [0, 1, 2, 3].map(() => random() - 0.5);
    const length = Math.hypot(...turned);
    const rotation = Float32Array.from(turned, (x) => x / length);
    const position = spot.map((x) => FAR + Math.round((0.9 * x + 0.05 * random()) * 2 ** 20) / 2 ** 20);
    const body = bodyOf(i % shapes.length, position, [...rotation]);
    return i % 5 === 0 ? { ...body, place: [0.1, 0, -0.05, 0, 0, Math.SQRT1_2, Math.SQRT1_2] } : body;
  });
  const pairs = bodies.flatMap((a, i) =>
    bodies.flatMap((b, j) =>
      j > i && Math.hypot(...[0, 1, 2].map((k) => a.pose[k]! - b.pose[k]!)) < 1.9 ? [i, j] : [],
    ),
  );
  return { posed: posedConvex(bodies), pairs: Uint32Array.from(pairs) };
}

/** Bodies as `ContactBody`. */
function packed({ poses }: PosedColliders): Uint32Array<ArrayBuffer> {
  const size = sizeOf(ContactBody) / 4;
  const words = new Uint32Array((size * poses.length) / 7);
  const floats = new Float32Array(words.buffer);
  for (let i = 0; i < poses.length / 7; i++) {
    for (let k = 0; k < 3; k++) {
      const cells = poses[7 * i + k]! / CELL;
      words[size * i + k] = Math.floor(cells);
      words[size * i + 4 + k] = Math.floor((cells - Math.floor(cells)) * 2 ** 32);
    }
    for (let k = 0; k < 4; k++) floats[size * i + 8 + k] = poses[7 * i + 3 + k]!;
  }
  return words;
}

async function byKernels(table: ShapeTable, posed: PosedColliders, pairs: Uint32Array<ArrayBuffer>) {
  const count = pairs.length / 2;
  const pool = new BufferPool(device());
  const convex = await ConvexOnDevice.create(device(), {
    ...{ table, faces: facesOf(table), colliders: posed.colliders, cell: CELL, mostPairs: count },
  });
  const scan = await createScan(device(), { most: count + 1 });
  const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
  const reserve = (label: string, bytes: number) => pool.reserve(label, bytes, STORAGE | COPY_SRC | COPY_DST);
  const counts = reserve('counts', 4 * (count + 1));
  const records = reserve('records', 4 * RECORD * 4 * count);
  const inputs = { bodies: pool.upload('bodies', packed(posed)), pairs: pool.upload('pairs', pairs) };
  const number = pool.upload('count', Uint32Array.of(7, count));
  const recorder = new Recorder(device());
  convex.record(recorder, { ...inputs, count: { buffer: number, offset: 4 } });
  recorder.clear(counts);
  convex.countContacts(recorder, counts, 0);
  scan.record(recorder, { numbers: counts, count: count + 1 });
  convex.writeContacts(recorder, counts, 0, records);
  recorder.submit();
  const [offsets, words, open, solved] = (
    await readBack(
      device(),
      pool,
      [counts, records, convex.open, convex.solved].map((buffer) => ({ buffer, bytes: buffer.size })),
    )
  ).map((bytes) => new Uint32Array(bytes.slice().buffer)) as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ];
  const found = offsets[count]!;
  convex.destroy();
  scan.destroy();
  pool.destroy();
  // Numbers of pairs that were solved: what they are the colliders of is told.
  const isOpen = new Set(
    Array.from(open.slice(4, 4 + open[2]!), (k) => `${solved[2 * k]} ${solved[2 * k + 1]}`),
  );
  return { words: words.slice(0, RECORD * found), isOpen };
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

const contactOf = (words: Uint32Array, i: number) => {
  const at = RECORD * i;
  const floats = new Float32Array(words.buffer);
  return {
    ...{ bodyA: words[at]!, bodyB: words[at + 1]!, parts: words[at + 2]!, feature: words[at + 3]! },
    normal: [...floats.subarray(at + 4, at + 7)],
    distance: floats[at + 7]!,
    offset: [...floats.subarray(at + 8, at + 11)],
    area: floats[at + 11]!,
    triangle: words[at + 12]!,
    kind: words[at + 13]! & 0xff,
    status: words[at + 13]! >>> 8,
  };
};

interface Push {
  readonly area: number;
  readonly distance: number;
  readonly normal: readonly number[];
}

/** Sums over contacts of faces: force, and torque about A's position. */
function pushOf<T extends Push>(list: readonly T[], placeOf: (one: T) => readonly number[]): number[] {
  const sum = [0, 0, 0, 0, 0, 0];
  for (const one of list) {
    const [x, y, z] = placeOf(one) as [number, number, number];
    const [u, v, w] = one.normal.map((n) => -one.area * one.distance * n) as [number, number, number];
    [u, v, w, y * w - z * v, z * u - x * w, x * v - y * u].forEach((value, k) => {
      sum[k]! += value;
    });
  }
  return sum;
}

/**
 * How far two pushes may be apart: depths are off by less than 2^-17 of the pair's size over all of the surface inside,
 * which is less than 2 for these shapes, at arms of at most 2. Half of each surface counts.
 */
const pushBound = (size: number) => 2 ** -17 * size * 2;
const differ = (one: readonly number[], other: readonly number[]) =>
  Math.hypot(...one.map((x, k) => (x - other[k]!) / (k < 3 ? 1 : 2)));

/** Hulls of 16 points, as in the heaps of the benchmark. */
const rocks = [5100, 5101, 5102, 5103].map((seed): Shape => {
  const { positions } = randomRock({ seed, triangles: 28, convex: true });
  return { kind: 'polytope', vertices: positions };
});
/**
 * Pairs of rocks that touched in such a heap, as they lay there: numbers of the rocks, then both poses. The origin of
 * their difference is next to an edge of two support points, or to a triangle of three.
 */
const beside = [
  [3, 1, 3.9285694, 4.6226709, 1.3812208, -0.2240366, 0.546632, 0.3865429, 0.7082271],
  [5.3474545, 5.3358127, 1.8901422, -0.7645588, -0.5449727, -0.2142614, -0.269345],
  [2, 0, 4.2080617, 1.7548284, 3.7023745, -0.2649508, -0.332348, 0.0602233, 0.9031716],
  [3.3419483, 1.1275288, 4.8445225, -0.9096674, 0.2536012, -0.309857, 0.1103643],
  [2, 1, 1.1935417, 5.0993757, 2.8140933, -0.6343384, -0.7601677, -0.0505718, 0.131158],
  [0.8840756, 3.7455099, 3.4490513, 0.3288088, 0.5012262, -0.7926411, -0.1112532],
  [2, 2, 6.6955481, 4.485064, 2.6175763, 0.0662096, -0.0166717, -0.9049769, 0.4199467],
  [5.7939417, 4.3950294, 3.3916553, -0.7439339, 0.0798584, 0.2854275, -0.5989291],
  [3, 1, 0.8971639, 2.9463381, 0.3362529, -0.7714525, -0.2324474, -0.5280654, 0.2682836],
  [1.9026344, 2.13781, 0.7119001, -0.3571966, 0.6540387, 0.5392054, -0.3923028],
  [3, 2, 5.491612, 3.4032226, 2.2239026, -0.619988, -0.0614617, 0.0796177, -0.7781377],
  [6.6954446, 4.4635495, 2.5088335, 0.0018668, 0.0927905, -0.8619325, 0.4984564],
];

/** Numbers of shapes and poses of pairs, apart from each other: B is moved until it overlaps A by a depth. */
function overlaps(table: ShapeTable, count: number, depthOf: () => number) {
  const turn = () => {
    const q = [0, 1, 2, 3].map(() => random() + random() - 1);
    return Array.from(Float32Array.from(q, (x) => x / Math.hypot(...q)));
  };
  const poses: number[] = [];
  const numbers = Uint32Array.from({ length: 2 * count }, () => Math.floor(table.count * random()));
  for (let i = 0; i < count; i++) {
    poses.push(0, 0, 0, ...turn());
    poses.push(...[0, 1, 2].map(() => random() - 0.5), ...turn());
  }
  const pairs = Uint32Array.from(numbers.keys());
  const query = { poses: Float64Array.from(poses), shapes: numbers, pairs, kind: 'signed-distance' } as const;
  const { distance, normal } = queryPairs(table, query);
  for (let i = 0; i < count; i++) {
    const by = distance[i]! + depthOf();
    for (let k = 0; k < 3; k++) query.poses[14 * i + 7 + k]! -= by * normal[3 * i + k]!;
  }
  return query;
}

describe('contacts of convex pairs by kernels, 10^5 sizes from the origin', () => {
  it('are those in float64, but for what is marked', async () => {
    const table = new ShapeTable(shapes);
    const { posed, pairs } = scene(216);
    const sink = new ContactSink();
    convexContactsOf(table, posed, { pairs }, sink);
    const exact = grouped(contactsIn(sink), ({ colliderA, colliderB }) => `${colliderA} ${colliderB}`);
    const { words, isOpen } = await byKernels(table, posed, pairs);
    const list = Array.from({ length: words.length / RECORD }, (_, i) => contactOf(words, i));
    const kernels = grouped(list, ({ bodyA, bodyB }) => `${bodyA} ${bodyB}`);
    let [sure, patches, same] = [0, 0, 0];
    // 2^-17 of the pair's size, which is at most 3.
    const bound = 3 * 2 ** -17;
    for (let i = 0; i < pairs.length / 2; i++) {
      const key = `${pairs[2 * i]} ${pairs[2 * i + 1]}`;
      const [here, there] = [kernels.get(key) ?? [], exact.get(key) ?? []];
      const words = () => `pair ${key}: ${JSON.stringify(here)} against ${JSON.stringify(there)}`;
      const deepest = (of: readonly { distance: number }[]) =>
        Math.min(0, ...of.map(({ distance }) => distance));
      for (const { kind, triangle, parts } of here)
        hold(kind === ContactKind.convex && triangle === NO_TRIANGLE && parts === 0, words);
      if (there.some(({ area }) => area > 0)) {
        const pushes = [pushOf(here, ({ offset }) => offset), pushOf(there, ({ point }) => point)] as const;
        // Where a thread has no room for all planes, the push is too large.
        const isBounded = here.some(({ status }) => status !== ContactStatus.sure);
        const hasCapsule = [pairs[2 * i]!, pairs[2 * i + 1]!].some(
          (body) => body % shapes.length === CAPSULE,
        );
        hold(hasCapsule || !isBounded, words);
        if (!isBounded) hold(differ(...pushes) <= pushBound(3), words);
        sure++;
        patches += Number(here.length === 3);
        same += Number(here.map(({ feature }) => feature).join() === '0,1,2');
        continue;
      }
      if (isOpen.has(key)) {
        hold(
          here.every(({ status }) => status !== ContactStatus.sure),
          words,
        );
        hold(deepest(there) === 0 || deepest(here) <= deepest(there) + bound, words);
        continue;
      }
      hold(Math.abs(deepest(here) - deepest(there)) <= bound, words);
      hold(
        here.every(({ status }) => status === ContactStatus.sure),
        words,
      );
      if (there.length === 0) continue;
      sure++;
      patches += Number(there.length > 2);
      const features = here.map(({ feature }) => feature);
      hold(
        features.every((feature, k) => k === 0 || feature > features[k - 1]!),
        words,
      );
      if (features.join() !== there.map(({ feature }) => feature).join()) continue;
      same++;
      here.forEach(({ offset, normal, area, distance }, k) => {
        const of = there[k]!;
        const off = Math.hypot(...[0, 1, 2].map((axis) => offset[axis]! - of.point[axis]!));
        const turned = [0, 1, 2].reduce((sum, axis) => sum + normal[axis]! * of.normal[axis]!, 0);
        // Where two axes tie, and where a curved surface turns, the answer is another one as good.
        if (turned < 1 - 1e-6) return;
        hold(Math.abs(distance - of.distance) < 1e-4 && (here.length < 3 || off < 2e-3), words);
        hold(Math.abs(area - of.area) <= 1e-2 * (1e-3 + of.area), words);
      });
    }
    expect(sure).toBeGreaterThan(300);
    expect(patches).toBeGreaterThan(30);
    expect(same).toBeGreaterThan(0.9 * sure);
    // Pairs in order.
    const orders = list.map(({ bodyA, bodyB }) => bodyA * 1000 + bodyB);
    expect(orders).toEqual([...orders].sort((a, b) => a - b));
  });

  it('have depths near the true ones, also where float32 leaves them open', async () => {
    const table = new ShapeTable([...rocks, ...shapes]);
    const spread = overlaps(table, 1800, () => 10 ** (-6 + 5.5 * random()));
    const known = beside.flatMap((pose, i) => (i % 2 === 0 ? pose.slice(2) : pose));
    const poses = Float64Array.from([...known, ...spread.poses]);
    // Positions that both sides have.
    for (let i = 0; i < poses.length; i++) {
      poses[i] = i % 7 < 3 ? Math.round(poses[i]! * 2 ** 30) / 2 ** 30 : Math.fround(poses[i]!);
    }
    const numbers = [...beside.flatMap((pose, i) => (i % 2 === 0 ? pose.slice(0, 2) : [])), ...spread.shapes];
    const posed = posedConvex(
      numbers.map((shape, i) => {
        const pose = poses.subarray(7 * i, 7 * i + 7);
        return bodyOf(shape, [...pose.subarray(0, 3)], [...pose.subarray(3)]);
      }),
    );
    const pairs = Uint32Array.from(numbers.keys());
    const sink = new ContactSink();
    convexContactsOf(table, posed, { pairs }, sink);
    const { words: records, isOpen } = await byKernels(table, posed, pairs);
    const kernels = Array.from({ length: records.length / RECORD }, (_, i) => contactOf(records, i));
    const deepest = (of: readonly { distance: number }[]) =>
      Math.min(0, ...of.map(({ distance }) => distance));
    const exact = grouped(contactsIn(sink), ({ colliderA }) => `${colliderA}`);
    const found = grouped(kernels, ({ bodyA }) => `${bodyA}`);
    // Balls on frusta, the last shape, are all open: solvers do not know a frustum's faces.
    const hasFrustum = (i: number) => [numbers[i], numbers[i + 1]].includes(table.count - 1);
    let [touching, openDeep, withFaces] = [0, 0, 0];
    for (let i = 0; i < pairs.length; i += 2) {
      const [of, by] = [exact.get(`${i}`) ?? [], found.get(`${i}`) ?? []];
      if ([...of, ...by].some(({ area }) => area > 0)) {
        const pushes = [pushOf(by, ({ offset }) => offset), pushOf(of, ({ point }) => point)] as const;
        const told = () => `pair ${i / 2}: ${JSON.stringify([by, of])}`;
        if (by.every(({ status }) => status === ContactStatus.sure))
          hold(differ(...pushes) <= pushBound(4), told);
        withFaces++;
        continue;
      }
      const [depth, here] = [-deepest(of), -deepest(by)];
      // Both bounding radii and the distance of centres are below 4 together.
      const [size, words] = [4, () => `pair ${i / 2}: ${here} against ${depth}`];
      hold(here > depth - 2 ** -17 * size && here < depth + 2 ** -11 * size, words);
      const [isLeft, isShallow] = [isOpen.has(`${i} ${i + 1}`), depth < 2 ** -15 * size];
      if (!isLeft || isShallow) hold(Math.abs(here - depth) < 2 ** -17 * size, words);
      touching += Number(isLeft && isShallow);
      if (!isLeft || isShallow || hasFrustum(i)) continue;
      openDeep++;
      hold(i >= beside.length, words);
    }
    expect(touching).toBeGreaterThan(10);
    expect(withFaces).toBeGreaterThan(1000);
    expect(openDeep).toBeLessThan(pairs.length / 200);
  });

  it('are the same bytes in two runs', async () => {
    const table = new ShapeTable(shapes);
    const { posed, pairs } = scene(64);
    const [once, again] = [await byKernels(table, posed, pairs), await byKernels(table, posed, pairs)];
    expect(once.words.length).toBeGreaterThan(100 * RECORD);
    expect(again).toEqual(once);
  });
});
