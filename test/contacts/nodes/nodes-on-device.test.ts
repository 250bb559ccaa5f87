import { beforeAll, describe, expect, it } from 'vitest';
import {
  ClustersOnDevice,
  type ClustersOnDeviceOptions,
} from '../../../src/contacts/clusters/clusters-on-device.ts';
import type { PolyhedronArrays } from '../../../src/contacts/field/field-arrays.ts';
import { makePolyhedron } from '../../../src/contacts/field/polyhedron.ts';
import { ContactKind, ContactStatus } from '../../../src/contacts/list/contact-arrays.ts';
import { nodeKernels } from '../../../src/contacts/nodes/node-kernels.ts';
import { nodesInFields } from '../../../src/contacts/nodes/nodes-in-fields.ts';
import type { PolyhedronPairsJob } from '../../../src/contacts/nodes/polyhedron-pairs.ts';
import type { Device } from '../../../src/gpu/device.ts';
import { randomRock } from '../../../src/index.ts';
import { useDevice } from '../../support/device.ts';
import { hold } from '../../support/hold.ts';
import { crowdOf, isInOrder, keyOf, onCpu, onGpu, type Room, sizeOfPair } from './crowd.ts';
import { unionOfBoxes } from './solids.ts';

const create = (to: Device, options: ClustersOnDeviceOptions) =>
  ClustersOnDevice.create(to, nodeKernels, options);
const device = useDevice();
/** docs/contacts.md: depths below this share of a pair's size may be listed by one side alone. */
const DEPTH_BOUND = 2 ** -17;
const ROOM: Room = { pairs: 1000, items: 20_000, contacts: 60_000 };

describe('nodes in fields on the GPU', () => {
  let polyhedra: PolyhedronArrays[];

  beforeAll(async () => {
    polyhedra = await Promise.all([
      makePolyhedron(randomRock({ seed: 5, convex: false, triangles: 200, roughness: 0.5 })),
      makePolyhedron(randomRock({ seed: 7, convex: true, triangles: 80 }), { reach: 0.2 }),
      // Its frame in tables is another.
      makePolyhedron(
        unionOfBoxes([
          [10, 0, 0, 10.25, 0.25, 1],
          [10, 0.75, 0, 10.25, 1, 1],
          [10, 0, -0.5, 10.25, 1, 0],
        ]),
      ),
    ]);
  });

  it.each([0, 1e5])('are those of the CPU but for the shallowest, %s from the origin', async (middle) => {
    const crowd = crowdOf(polyhedra, 24, middle);
    let looked = 0;
    const phase = (job: PolyhedronPairsJob) => {
      looked = nodesInFields(job).tested;
    };
    const expected = new Map(onCpu(crowd, phase).map((one) => [keyOf(one), one]));
    const { list, needed, tested } = await onGpu(device(), create, crowd, ROOM);
    expect(needed.contacts).toBe(list.length);
    expect(list.length).toBeGreaterThan(1000);
    expect(isInOrder(list)).toBe(true);
    // The CPU has four more planes.
    expect(tested).toBeGreaterThan(0.98 * looked);
    expect(tested).toBeLessThan(2 * looked);
    const worst = { depth: 0, point: 0, normal: 0, alone: 0 };
    const alone = (one: (typeof list)[number]) => {
      worst.alone = Math.max(worst.alone, -one.distance / sizeOfPair(crowd, one));
    };
    for (const found of list) {
      const one = expected.get(keyOf(found));
      if (one === undefined) {
        alone(found);
        continue;
      }
      expected.delete(keyOf(found));
      const size = sizeOfPair(crowd, found);
      const told = () => `${keyOf(found)}: ${JSON.stringify([found, one])}`;
      const between = (x: number[], y: number[]) => Math.hypot(...x.map((c, k) => c - y[k]!));
      worst.point = Math.max(worst.point, between(one.point, found.point) / size);
      hold(Math.abs(found.area - one.area) <= 2 ** -22 * one.area && found.kind === ContactKind.node, told);
      // Cells beyond reach begin where rounding puts a node.
      if (found.status !== ContactStatus.sure || one.status !== ContactStatus.sure) continue;
      worst.depth = Math.max(worst.depth, Math.abs(one.distance - found.distance) / size);
      hold(Math.abs(Math.hypot(...found.normal) - 1) < 1e-5, told);
      // Towards an edge or a corner, a direction is as good as the distance is long.
      if (found.triangle !== one.triangle) continue;
      worst.normal = Math.max(worst.normal, (between(one.normal, found.normal) * -one.distance) / size);
    }
    for (const one of expected.values()) alone(one);
    expect(worst.depth).toBeLessThan(DEPTH_BOUND);
    expect(worst.alone).toBeLessThan(DEPTH_BOUND);
    expect(worst.point).toBeLessThan(DEPTH_BOUND);
    expect(worst.normal).toBeLessThan(2 * DEPTH_BOUND);
  });

  it('are the same bytes in two runs', async () => {
    const crowd = crowdOf(polyhedra, 12, 0);
    const one = await onGpu(device(), create, crowd, ROOM);
    const two = await onGpu(device(), create, crowd, ROOM);
    expect(one.list.length).toBeGreaterThan(100);
    expect(Buffer.compare(one.bytes, two.bytes)).toBe(0);
  });

  it('that there is no room for are left out, and counted', async () => {
    const crowd = crowdOf(polyhedra, 12, 0);
    const whole = await onGpu(device(), create, crowd, ROOM);
    const tight = (room: Partial<Room>) => onGpu(device(), create, crowd, { ...ROOM, ...room });
    const [contacts, items, pairs] = [
      await tight({ contacts: 100 }),
      await tight({ items: 20 }),
      await tight({ pairs: 30 }),
    ];
    for (const { list } of [contacts, items, pairs]) {
      expect(list).toEqual(whole.list.slice(0, list.length));
      expect(list.length).toBeLessThan(whole.list.length);
    }
    expect([contacts.list.length, contacts.needed.contacts]).toEqual([100, whole.needed.contacts]);
    expect(items.needed.items).toBe(whole.needed.items);
    expect(pairs.needed.pairs).toBe(whole.needed.pairs);
  });
});
