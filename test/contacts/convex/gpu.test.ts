/** Contacts of convex pairs by kernels, beside those in float64. */
import { sizeOf } from 'typegpu/data';
import { describe, expect, it } from 'vitest';
import { ContactBody } from '../../../src/broadphase/layout.ts';
import type { PosedColliders } from '../../../src/contacts/bodies/collider-pairs.ts';
import { ContactRecord } from '../../../src/contacts/bodies/device-layout.ts';
import { ConvexOnDevice } from '../../../src/contacts/convex/convex-on-device.ts';
import { ContactKind, ContactStatus, NO_TRIANGLE } from '../../../src/contacts/list/contact-arrays.ts';
import { ContactSink } from '../../../src/contacts/list/contact-sink.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import type { Shape } from '../../../src/convex/shapes/shapes.ts';
import { createScan } from '../../../src/gpu/blocks/scan.ts';
import { BufferPool, readBack } from '../../../src/gpu/buffers.ts';
import { Recorder } from '../../../src/gpu/recorder.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { useDevice } from '../../support/device.ts';
import { hold } from '../../support/hold.ts';
import { bodyOf, contactsIn, convexContactsOf, posedConvex, type TestBody } from '../posed.ts';

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
    ...{ table, colliders: posed.colliders, cell: CELL, mostPairs: count },
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
    Array.from(open.slice(4, 4 + open[0]!), (k) => `${solved[2 * k]} ${solved[2 * k + 1]}`),
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

  it('are the same bytes in two runs', async () => {
    const table = new ShapeTable(shapes);
    const { posed, pairs } = scene(64);
    const [once, again] = [await byKernels(table, posed, pairs), await byKernels(table, posed, pairs)];
    expect(once.words.length).toBeGreaterThan(100 * RECORD);
    expect(again).toEqual(once);
  });
});
