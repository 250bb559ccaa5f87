/** The kernels of balls on polyhedra beside their float64 twin. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ColliderKind } from '../../../src/contacts/bodies/colliders.ts';
import type { PolyhedronArrays } from '../../../src/contacts/field/field-arrays.ts';
import { makePolyhedron } from '../../../src/contacts/field/polyhedron.ts';
import { ContactKind, ContactStatus, FEATURE_OF_B } from '../../../src/contacts/list/contact-arrays.ts';
import { patchContacts } from '../../../src/contacts/patches/patch-contacts.ts';
import { PatchesOnDevice } from '../../../src/contacts/patches/patches-on-device.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import { randomRock } from '../../../src/mesh/generate-rock.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import type { Vector } from '../../convex/shapes-of-all-kinds.ts';
import { useDevice } from '../../support/device.ts';
import { hold } from '../../support/hold.ts';
import { boxMesh, voxelMesh } from '../../support/shapes.ts';
import {
  type Crowd,
  type DeviceList,
  isInOrder,
  type ListedContact,
  onCpu,
  onGpu,
  type Room,
} from '../nodes/crowd.ts';
import { RandomPoses } from '../nodes/poses.ts';
import { unionOfBoxes } from '../nodes/solids.ts';
import { bodyOf, posedConvex } from '../posed.ts';

const device = useDevice();
/** docs/contacts.md: how far distances may be off, of a pair's size. */
const BOUND = 2 ** -17;
const ROOM: Room = { pairs: 2000, items: 100_000, contacts: 20_000 };

interface BallScene extends Crowd {
  readonly table: ShapeTable;
  readonly radii: readonly number[];
}

interface Ball {
  /** In the frame of the polyhedron. */
  readonly centre: Vector;
  readonly radius: number;
}

/** Balls, each with a polyhedron of its own at a random pose; every second one is B. */
function sceneOf(
  polyhedra: readonly PolyhedronArrays[],
  balls: readonly (Ball & { readonly shape: number })[],
  isPosed = true,
): BallScene {
  const radii = [...new Set(balls.map(({ radius }) => radius))];
  const poses = new RandomPoses(7);
  const bodies = balls.flatMap(({ centre, radius, shape }, i) => {
    const solid = polyhedra[shape]!;
    const { pose } = isPosed ? poses.placed(solid, 3) : { pose: [0, 0, 0, 0, 0, 0, 1] };
    const turn = pose.slice(3).map(Math.fround);
    const [x, y, z, w] = turn as [number, number, number, number];
    const [px, py, pz] = centre;
    const [tx, ty, tz] = [2 * (y * pz - z * py), 2 * (z * px - x * pz), 2 * (x * py - y * px)];
    const place = [
      pose[0]! + px + w * tx + (y * tz - z * ty),
      pose[1]! + py + w * ty + (z * tx - x * tz),
      pose[2]! + pz + w * tz + (x * ty - y * tx),
    ];
    const mesh = bodyOf(shape, pose.slice(0, 3), turn, ColliderKind.polyhedron);
    const ball = bodyOf(radii.indexOf(radius), place);
    return i % 2 === 0 ? [ball, mesh] : [mesh, ball];
  });
  const pairs = Uint32Array.from(bodies.keys());
  const table = new ShapeTable(radii.map((radius) => ({ kind: 'sphere', radius })));
  return { polyhedra, posed: posedConvex(bodies), pairs, table, radii };
}

const found = (scene: BallScene): ListedContact[] =>
  onCpu(scene, ({ polyhedra, posed, pairs, first, end, sink }) =>
    patchContacts(scene.table, polyhedra, posed, pairs, first, end, sink),
  );

const foundByKernels = (scene: BallScene, room: Partial<Room> = {}): Promise<DeviceList> =>
  onGpu(
    device(),
    (to, { items, ...options }) =>
      PatchesOnDevice.create(to, { ...options, triangles: items, shapes: scene.table }),
    scene,
    { ...ROOM, ...room },
  );

function byPair(list: readonly ListedContact[]): Map<number, ListedContact[]> {
  const pairs = new Map<number, ListedContact[]>();
  for (const one of list) pairs.set(one.a, [...(pairs.get(one.a) ?? []), one]);
  return pairs;
}

/** The way between bodies, and all that is turned. */
function sizeOf({ polyhedra, posed, radii }: BallScene, a: number): number {
  const { kinds, shapes, polyhedra: numbers } = posed.colliders;
  const way = [0, 1, 2].map((k) => posed.poses[7 * a + k]! - posed.poses[7 * a + 7 + k]!);
  const reach = (i: number) => {
    if (kinds[i] === ColliderKind.convex) return radii[shapes[i]!]!;
    const { min, max } = polyhedra[numbers[i]!]!.box;
    return Math.hypot(...[0, 1, 2].map((k) => Math.max(-min[k]!, max[k]!)));
  };
  return Math.hypot(...way) + reach(a) + reach(a + 1);
}

interface Held {
  readonly pairs: number;
  /** Pairs that float32 leaves open, and pairs with several contacts, with the centre inside. */
  readonly open: number;
  readonly several: number;
  readonly inside: number;
  /** Of distances, in sizes of pairs. */
  readonly worst: number;
}

/** Holds both lists together, but for pairs that are left open. */
function holdTogether(scene: BallScene, list: readonly ListedContact[]): Held {
  hold(isInOrder(list), () => 'not in order');
  const [own, twins] = [byPair(list), byPair(found(scene))];
  let [open, several, inside, worst] = [0, 0, 0, 0];
  for (const a of new Set([...own.keys(), ...twins.keys()])) {
    const bound = BOUND * sizeOf(scene, a);
    const [mine, expected] = [own.get(a) ?? [], twins.get(a) ?? []];
    const words = () => `pair ${a}: ${JSON.stringify(mine)}, not ${JSON.stringify(expected)}`;
    if (mine.some(({ status }) => status === ContactStatus.open)) {
      open++;
      continue;
    }
    // Shallower ones may be in one list alone.
    const names = (some: readonly ListedContact[], others: readonly ListedContact[]) =>
      some
        .filter(({ distance, feature }) => distance < -bound || others.some((one) => one.feature === feature))
        .map(({ feature }) => feature);
    hold(names(mine, expected).join() === names(expected, mine).join(), words);
    several += Number(expected.length > 1);
    for (const one of mine) {
      const twin = expected.find(({ feature }) => feature === one.feature);
      if (twin === undefined) continue;
      hold(one.kind === ContactKind.patch && one.area === 0 && one.status === twin.status, words);
      hold(Math.abs(one.distance - twin.distance) < bound, words);
      worst = Math.max(worst, (BOUND * Math.abs(one.distance - twin.distance)) / bound);
      const [round] = [one.feature >= FEATURE_OF_B ? one.b : one.a];
      const radius = scene.radii[scene.posed.colliders.shapes[round]!]!;
      inside += Number(twin.distance < -radius);
      // Towards an edge or a corner, a direction is as good as the distance is long.
      const far = Math.abs(twin.distance + radius);
      const apart = (x: number[], y: number[]) => Math.hypot(...x.map((c, k) => c - y[k]!));
      if (one.triangle !== twin.triangle) continue;
      hold(apart(one.normal, twin.normal) * far < 2 * bound, words);
      hold(apart(one.point, twin.point) < (2 + radius / far) * bound, words);
    }
  }
  return { pairs: scene.pairs.length / 2, open, several, inside, worst };
}

/** Balls at random places in and around a box. */
function ballsAround(
  shape: number,
  { box }: PolyhedronArrays,
  { count, seed, radii }: { count: number; seed: number; radii: readonly number[] },
) {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => {
    const radius = radii[Math.floor(radii.length * random())]!;
    const centre = [0, 1, 2].map(
      (k) => box.min[k]! - radius + (box.max[k]! - box.min[k]! + 2 * radius) * random(),
    ) as unknown as Vector;
    return { shape, centre, radius };
  });
}

describe('balls on polyhedra on the GPU', () => {
  let polyhedra: PolyhedronArrays[];
  beforeAll(async () => {
    const isSlot = (i: number, j: number) => i === 2 && j > 0 && j < 5;
    const meshes = [
      boxMesh([0, 0, 0], [1, 1, 1], 'cube'),
      randomRock({ seed: 8, convex: false, triangles: 320, roughness: 0.5 }),
      // A room that is open above, a plate with a slot, a solid full of holes with edges of four faces.
      voxelMesh(6, 0.25, (i, j, k) => k === 0 || [i, j].some((c) => c < 1 || c > 4)),
      voxelMesh(6, 0.25, (i, j, k) => k === 0 && !isSlot(i, j)),
      voxelMesh(4, 0.25, (i, j, k) => (i + j + k) % 3 !== 0 || i === 0),
      // An L of coplanar triangles.
      unionOfBoxes([
        [0, 0, 0, 2, 1, 1],
        [0, 0, 0, 1, 1, 2.25],
      ]),
    ];
    polyhedra = [];
    for (const mesh of meshes) polyhedra.push(await makePolyhedron(mesh));
  });

  it('have the contacts of the float64 twin', async () => {
    const balls = polyhedra.flatMap((poly, shape) =>
      ballsAround(shape, poly, { count: 200, seed: 3 + shape, radii: [0.03, 0.2, 0.5, 1.3] }),
    );
    const scene = sceneOf(polyhedra, balls);
    const held = holdTogether(scene, (await foundByKernels(scene)).list);
    expect(held.several).toBeGreaterThan(80);
    expect(held.inside).toBeGreaterThan(50);
    expect(held.open).toBeLessThan(0.01 * held.pairs);
    expect(held.worst).toBeLessThan(2 ** -20);
  });

  it('have them, or are left open, where centres, planes, edges and borders coincide', async () => {
    const random = createRandom(11);
    const onGrid = (low: number, high: number) => low + Math.floor(8 * (high - low) * random()) / 8;
    const balls = [2, 3, 4, 5].flatMap((shape) => {
      const { min, max } = polyhedra[shape]!.box;
      return Array.from({ length: 200 }, () => ({
        shape,
        centre: [0, 1, 2].map((k) => onGrid(min[k]! - 0.5, max[k]! + 0.5)) as unknown as Vector,
        radius: [0.25, 0.375, 0.5][Math.floor(3 * random())]!,
      }));
    });
    const scene = sceneOf(polyhedra, balls, false);
    const held = holdTogether(scene, (await foundByKernels(scene)).list);
    expect(held.open).toBeGreaterThan(100);
    expect(held.pairs - held.open).toBeGreaterThan(100);
  });

  it('count coplanar triangles once, and a corner twice', async () => {
    const balls = [
      { shape: 5, centre: [1.25, 0.4, 1.25], radius: 0.3 },
      { shape: 5, centre: [1.7, 0.5, 1.25], radius: 0.3 },
      { shape: 2, centre: [0.5, 0.5, 0.5], radius: 0.3 },
      { shape: 3, centre: [0.625, 0.75, 0.5], radius: 0.3 },
    ] as const;
    const { list } = await foundByKernels(sceneOf(polyhedra, balls));
    const counts = balls.map((_, i) => list.filter(({ a }) => a === 2 * i).length);
    // In the corner of the L, on its foot, in a corner of the room, on both edges of the slot.
    expect(counts).toEqual([2, 1, 3, 2]);
    expect(list.every(({ status }) => status === ContactStatus.sure)).toBe(true);
  });

  it('are found where a ball is larger than a fine mesh', async () => {
    const rock = await makePolyhedron(
      randomRock({ seed: 3, convex: false, triangles: 1280, roughness: 0.5 }),
    );
    const random = createRandom(2);
    const balls = Array.from({ length: 20 }, () => {
      const way = [random() - 0.5, random() - 0.5, random() - 0.5] as const;
      const far = 5.5 / Math.hypot(...way);
      return { shape: 0, centre: way.map((x) => far * x) as unknown as Vector, radius: 5 + random() };
    });
    const scene = sceneOf([rock], balls);
    const { list } = await foundByKernels(scene);
    const held = holdTogether(scene, list);
    expect(list.length).toBeGreaterThan(5 * balls.length);
    // Hundreds of triangles are at the border.
    expect(held.pairs - held.open).toBeGreaterThan(5);
  });

  it('are the same bytes in two runs; those that there is no room for are left out, and counted', async () => {
    const balls = ballsAround(1, polyhedra[1]!, { count: 150, seed: 9, radii: [0.1, 0.4] });
    const scene = sceneOf(polyhedra, balls);
    const whole = await foundByKernels(scene);
    expect(whole.list.length).toBeGreaterThan(60);
    expect(Buffer.compare((await foundByKernels(scene)).bytes, whole.bytes)).toBe(0);
    const triangles = await foundByKernels(scene, { items: 200 });
    const pairs = await foundByKernels(scene, { pairs: 40 });
    const contacts = await foundByKernels(scene, { contacts: 30 });
    expect([triangles.needed.items, pairs.needed.pairs]).toEqual([whole.needed.items, 150]);
    expect([contacts.list.length, contacts.needed.contacts]).toEqual([30, whole.list.length]);
    for (const { list } of [pairs, contacts]) {
      expect(list).toEqual(whole.list.slice(0, list.length));
      expect(list.length).toBeLessThan(whole.list.length);
    }
    // Contacts of centres inside need no triangles.
    const names = new Set(whole.list.map((one) => JSON.stringify(one)));
    expect(triangles.list.every((one) => names.has(JSON.stringify(one)))).toBe(true);
    expect(triangles.list.length).toBeLessThan(whole.list.length);
  });
});
