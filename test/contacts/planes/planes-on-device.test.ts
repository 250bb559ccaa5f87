/** Contacts with planes by kernels, beside those in float64. */
import { sizeOf } from 'typegpu/data';
import { beforeAll, describe, expect, it } from 'vitest';
import { packBodies } from '../../../src/broadphase/gpu/tables.ts';
import { packAtlas } from '../../../src/contacts/atlas/pack-atlas.ts';
import type { PosedColliders } from '../../../src/contacts/bodies/collider-pairs.ts';
import { ColliderKind } from '../../../src/contacts/bodies/colliders.ts';
import { ContactRecord } from '../../../src/contacts/bodies/device-layout.ts';
import { possiblePlanePairs } from '../../../src/contacts/bodies/plane-pairs.ts';
import type { PolyhedronArrays } from '../../../src/contacts/field/field-arrays.ts';
import { makePolyhedron } from '../../../src/contacts/field/polyhedron.ts';
import { rowsOfRecords } from '../../../src/contacts/gpu/records.ts';
import { ContactKind, ContactStatus, NO_TRIANGLE } from '../../../src/contacts/list/contact-arrays.ts';
import { ContactSink } from '../../../src/contacts/list/contact-sink.ts';
import { planeContacts } from '../../../src/contacts/planes/plane-contacts.ts';
import { PlanesOnDevice, pairsWithUnknownFaces } from '../../../src/contacts/planes/planes-on-device.ts';
import { CLUSTER } from '../../../src/contacts/surface/surface-arrays.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import type { Shape } from '../../../src/convex/shapes/shapes.ts';
import { createScan } from '../../../src/gpu/blocks/scan.ts';
import { BufferPool, readBack } from '../../../src/gpu/buffers.ts';
import { Recorder } from '../../../src/gpu/recorder.ts';
import { randomRock } from '../../../src/index.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { rotate, turnAbout } from '../../convex/shapes-of-all-kinds.ts';
import { useDevice } from '../../support/device.ts';
import { hold } from '../../support/hold.ts';
import { bodyOf, contactsIn, facesOf, posedConvex, type TestBody } from '../posed.ts';

const device = useDevice();
const CELL = 4;
const RECORD = sizeOf(ContactRecord);

const random = createRandom(31);
const hull = Array.from({ length: 16 }, () => {
  const v = [0, 1, 2].map(() => random() - 0.5);
  return v.map((x) => (x / Math.hypot(...v)) * 0.6 + 0.3);
}).flat();
const shapes: Shape[] = [
  { kind: 'box', halfExtents: [0.5, 0.4, 0.6] },
  { kind: 'sphere', radius: 0.5 },
  { kind: 'polytope', vertices: hull },
  { kind: 'capsule', halfLength: 0.4, radius: 0.3 },
  { kind: 'cylinder', radius: 0.5, halfHeight: 0.5 },
  { kind: 'cone', radius: 0.5, height: 0.8 },
  { kind: 'round-box', halfExtents: [0.4, 0.3, 0.3], radius: 0.2 },
  { kind: 'frustum', bottom: [0.5, 0.5], top: [0.3, 0.3], height: 0.9 },
  { kind: 'polytope', vertices: [-0.5, -0.5, 0, 0.5, -0.5, 0, 0.5, 0.5, 0, -0.5, 0.5, 0] },
];
const table = new ShapeTable(shapes);
/** How far points of shapes reach from their bodies' origins, at most: what distances are held against. */
const REACH = 1.5;
const BOUND = 2 ** -17 * REACH;
/** Of forces: the bound of depths times the surface below, less than 4 for these shapes. */
const FORCE_BOUND = 4 * BOUND;
/** What places of faces may be off by, of a size of 1: they stand around a middle that is exact. */
const SPREAD = 2 ** -4;
/** Depth from which on places of contacts are held against float64: shallower ones are rounding for the most part. */
const FLAT_DEPTH = 2 ** -6;

/** Sum of area times depth along the normals. */
const forceOf = (list: readonly { area: number; distance: number; normal: readonly number[] }[]) =>
  [0, 1, 2].map((k) => list.reduce((sum, one) => sum - one.area * one.distance * one.normal[k]!, 0));

let polyhedra: PolyhedronArrays[];
beforeAll(async () => {
  polyhedra = await Promise.all([
    makePolyhedron(randomRock({ seed: 5, convex: false, triangles: 80 })),
    makePolyhedron(randomRock({ seed: 8, convex: false, triangles: 300, roughness: 0.5 })),
  ]);
});

/** A plane below, one above, and bodies between them that reach into one or the other, far away along both. */
function scene(count: number, far: number): PosedColliders {
  const tilt = turnAbout([1, 2, 0], 0.4).map(Math.fround) as [number, number, number, number];
  const [u, n] = [rotate(tilt, [0.6, 0.8, 0]), rotate(tilt, [0, 0, 1])];
  const at = (height: number, along: number) => n.map((x, k) => x * height + u[k]! * along);
  // Half a turn about its x: its normal is the other way.
  const flipped = [tilt[3], tilt[2], -tilt[1], -tilt[0]];
  const bodies: TestBody[] = [bodyOf(0, [0, 0, 0], tilt, ColliderKind.plane)];
  for (let i = 0; i < count; i++) {
    const isFlat = i % 3 === 0;
    const turned = isFlat ? tilt : [0, 1, 2, 3].map(() => random() - 0.5);
    const length = Math.hypot(...turned);
    const rotation = turned.map((x) => Math.fround(x / length));
    const height = 0.1 + 0.5 * random() + (i % 2 === 0 ? 0 : 2);
    const position = at(height, far + 3 * i);
    const kind = i % 5 === 4 ? ColliderKind.polyhedron : ColliderKind.convex;
    const shape = kind === ColliderKind.convex ? i % shapes.length : i % 2;
    const body = bodyOf(shape, position, rotation, kind);
    bodies.push(i % 7 === 0 ? { ...body, place: [0.1, 0, -0.05, 0, 0, Math.SQRT1_2, Math.SQRT1_2] } : body);
  }
  bodies.push(bodyOf(0, at(2.7, 1), flipped, ColliderKind.plane));
  const posed = posedConvex(bodies);
  // On both sides the same: places that the integers of the GPU have.
  posed.poses.forEach((x, i) => {
    if (i % 7 < 3) posed.poses[i] = Math.floor(x * 2 ** 30) / 2 ** 30;
  });
  return posed;
}

function pairsOf({ colliders }: PosedColliders) {
  const ones = new Uint32Array(colliders.count).fill(1);
  const isStatic = new Uint8Array(colliders.count);
  return possiblePlanePairs(colliders, {
    ...{ count: colliders.count, isStatic, groups: ones, masks: ones, apart: new Uint32Array(ones.length) },
    ...{ shapes: ones, names: undefined },
  } as unknown as Parameters<typeof possiblePlanePairs>[1]);
}

async function byKernels(posed: PosedColliders, capacity: number, room?: number) {
  const { colliders, poses } = posed;
  const pool = new BufferPool(device());
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const pairs = pairsOf(posed);
  const atlas = pool.upload('atlas', packAtlas(polyhedra));
  const planes = await PlanesOnDevice.create(device(), {
    ...{ colliders, table, faces: facesOf(table), polyhedra, atlas, pairs, cell: CELL, room },
  });
  // Something before them in the list of counts.
  const before = 3;
  const words = before + planes.countWords + 1;
  const scan = await createScan(device(), { most: words });
  const counts = pool.reserve('counts', 4 * words, usage);
  const total = pool.reserve('total', 4, usage);
  const records = pool.reserve('records', RECORD * capacity, usage);
  const recorder = new Recorder(device());
  const bodies = pool.upload('bodies', packBodies(poses, new Uint8Array(colliders.count), CELL));
  planes.begin(recorder);
  planes.record(recorder, { bodies });
  recorder.clear(counts);
  planes.countContacts(recorder, counts, before);
  scan.record(recorder, { numbers: counts, count: words });
  recorder.copy(scan.total, total, 4);
  planes.writeContacts(recorder, counts, before, records);
  recorder.submit();
  const [sum, bytes, tally] = await readBack(device(), pool, [
    { buffer: total, bytes: 4 },
    { buffer: records, bytes: RECORD * capacity },
    { buffer: planes.tally, bytes: 8 },
  ]);
  const needed = new Uint32Array(sum!.slice().buffer)[0]!;
  const list = new Uint32Array(bytes!.slice(0, RECORD * Math.min(needed, capacity)).buffer);
  for (const one of [planes, scan, pool]) one.destroy();
  const [near, clusters] = new Uint32Array(tally!.slice().buffer) as unknown as [number, number];
  const rows = rowsOfRecords(list, Uint32Array.from(colliders.bodies.keys()));
  return { needed, list, rows, near, clusters, room: planes.room };
}

function inFloat64(posed: PosedColliders) {
  const sink = new ContactSink();
  const pairs = pairsOf(posed);
  planeContacts(table, facesOf(table), polyhedra, posed, { pairs }, 0, pairs.length / 2, sink);
  return contactsIn(sink);
}

type Contact = ReturnType<typeof contactsIn>[number];

const pairOf = ({ colliderA, colliderB }: Contact) => `${colliderA} ${colliderB}`;

function byPair(list: readonly Contact[]): Map<string, Contact[]> {
  const groups = new Map<string, Contact[]>();
  for (const one of list) groups.set(pairOf(one), [...(groups.get(pairOf(one)) ?? []), one]);
  return groups;
}

describe('contacts with planes by kernels', () => {
  it('have room for the clusters of polyhedra alone, and count those that they lack room for', async () => {
    const posed = scene(150, 0);
    const { colliders } = posed;
    const all = await byKernels(posed, 20_000);
    const clusters = pairsOf(posed).reduce((sum, c) => {
      const polyhedron = polyhedra[colliders.polyhedra[c]!];
      return sum + (polyhedron ? Math.ceil(polyhedron.surface.weights.length / CLUSTER) : 0);
    }, 0);
    expect(all.room).toBe(clusters);
    expect(all.clusters).toBeGreaterThan(10);
    expect(all.clusters).toBeLessThan(clusters);
    const few = await byKernels(posed, 20_000, 10);
    expect([few.room, few.near, few.clusters]).toEqual([10, all.near, all.clusters]);
    expect(few.needed).toBeLessThan(all.needed);
    const enough = await byKernels(posed, 20_000, all.clusters);
    expect(enough.room).toBe(all.clusters);
    expect(enough.list).toEqual(all.list);
  });

  it.each([0, 1e5])('are those in float64, %s along the plane', async (far) => {
    const posed = scene(150, far);
    const { rows, needed } = await byKernels(posed, 20_000);
    const found = contactsIn({ rows: () => rows } as ContactSink);
    expect(found.length).toBe(needed);
    const unknown = pairsWithUnknownFaces(posed.colliders, table, pairsOf(posed));
    expect(unknown.length).toBeGreaterThan(0);
    const isUnknown = new Set(
      Array.from({ length: unknown.length / 2 }, (_, k) => `${unknown[2 * k]} ${unknown[2 * k + 1]}`),
    );
    const exact = inFloat64(posed);
    const [mine, theirs] = [byPair(found), byPair(exact)];
    let [same, all, nodes, three] = [0, 0, 0, 0];
    for (const key of new Set([...mine.keys(), ...theirs.keys()])) {
      const [here, there] = [mine.get(key) ?? [], theirs.get(key) ?? []];
      const told = () => `${key}: ${JSON.stringify([here, there])}`;
      const deepest = (of: typeof here) => Math.min(0, ...of.map(({ distance }) => distance));
      const hasFaces = there.some(({ area }) => area > 0);
      // Depths of faces are means over the pressure, work over force: where it is small both are rounding.
      if (hasFaces)
        hold(
          forceOf(here).every((x, k) => Math.abs(x - forceOf(there)[k]!) <= FORCE_BOUND),
          told,
        );
      else hold(Math.abs(deepest(here) - deepest(there)) <= BOUND, told);
      const isPolyhedron = key
        .split(' ')
        .some((c) => posed.colliders.kinds[Number(c)] === ColliderKind.polyhedron);
      const status = isUnknown.has(key) ? ContactStatus.bounded : ContactStatus.sure;
      here.forEach((one, k) => {
        hold(one.kind === ContactKind.plane && one.triangle === NO_TRIANGLE && one.status === status, told);
        hold(k === 0 || one.feature > here[k - 1]!.feature, told);
      });
      if (isUnknown.has(key)) continue;
      const byFeature = new Map(there.map((one) => [one.feature, one]));
      all++;
      const differ = here
        .filter(({ feature }) => !byFeature.has(feature))
        .concat(there.filter(({ feature }) => !here.some((one) => one.feature === feature)));
      if (isPolyhedron) {
        // Nodes are listed by one side alone where they lie in the plane but for rounding.
        for (const { distance } of differ) hold(-distance <= BOUND, told);
        nodes += here.length;
      } else if (differ.length > 0) continue;
      same++;
      three += Number(!isPolyhedron && hasFaces && here.length === 3);
      if (!isPolyhedron && hasFaces && deepest(there) > -FLAT_DEPTH) continue;
      const a = posed.colliders.bodies[here[0]?.colliderA ?? 0]!;
      // Where the plane is A, a point is as far from its body as it lies along the plane, and has float32's digits.
      const isPlane = posed.colliders.kinds[a] === ColliderKind.plane;
      const digits = isPlane ? 2 ** -22 * (far + 400) : 0;
      const middle = (list: typeof here, k: number) =>
        list.reduce((sum, { point }) => sum + point[k]!, 0) / list.length;
      const apart = Math.hypot(...[0, 1, 2].map((k) => middle(here, k) - middle(there, k)));
      if (hasFaces && !isPolyhedron) hold(apart <= 2 * BOUND + digits, told);
      for (const one of here) {
        const of = byFeature.get(one.feature);
        if (of === undefined) continue;
        const off = Math.hypot(...one.point.map((x, k) => x - of.point[k]!));
        const turned = Math.hypot(...one.normal.map((x, k) => x - of.normal[k]!));
        hold(Math.abs(one.distance - of.distance) <= BOUND, told);
        // How far places of faces spread is summed up over triangles, which kernels and float64 cut in other ways.
        const spread = hasFaces && !isPolyhedron ? SPREAD : 0;
        hold(off <= spread + 2 * BOUND + digits && turned <= 2 ** -21, told);
        hold(Math.abs(one.area - of.area) <= 2 ** -14 * of.area + 2 ** -20, told);
      }
    }
    expect(all).toBeGreaterThan(90);
    // Of corners that are as far, one side may keep another one.
    expect(same).toBeGreaterThan(0.9 * all);
    expect(nodes).toBeGreaterThan(200);
    expect(three).toBeGreaterThan(10);
    // The plane above is B.
    expect(found.some(({ colliderB }) => colliderB === posed.colliders.count - 1)).toBe(true);
    // Pairs in order.
    const orders = found.map(({ colliderA, colliderB }) => colliderA * 1000 + colliderB);
    expect(orders).toEqual([...orders].sort((x, y) => x - y));
  });

  it('are the same bytes in two runs', async () => {
    const posed = scene(60, 0);
    const [one, two] = [await byKernels(posed, 10_000), await byKernels(posed, 10_000)];
    expect(one.list.length).toBeGreaterThan(100);
    expect(two.list).toEqual(one.list);
  });

  it('that there is no room for are left out, and counted', async () => {
    const posed = scene(60, 0);
    const whole = await byKernels(posed, 10_000);
    const tight = await byKernels(posed, 50);
    expect(tight.needed).toBe(whole.needed);
    expect(tight.list).toEqual(whole.list.slice(0, (50 * RECORD) / 4));
  });
});
