import { beforeAll, describe, expect, it } from 'vitest';
import {
  ClustersOnDevice,
  type ClustersOnDeviceOptions,
} from '../../../src/contacts/clusters/clusters-on-device.ts';
import { edgeKernels } from '../../../src/contacts/edges/edge-kernels.ts';
import { edgesInFields } from '../../../src/contacts/edges/edges-in-fields.ts';
import type { PolyhedronArrays } from '../../../src/contacts/field/field-arrays.ts';
import { makePolyhedron } from '../../../src/contacts/field/polyhedron.ts';
import { ContactKind, ContactStatus } from '../../../src/contacts/list/contact-arrays.ts';
import type { Device } from '../../../src/gpu/device.ts';
import { randomRock } from '../../../src/index.ts';
import { useDevice } from '../../support/device.ts';
import { hold } from '../../support/hold.ts';
import { crowdOf, isInOrder, keyOf, onCpu, onGpu, type Room, sizeOfPair } from '../nodes/crowd.ts';
import { unionOfBoxes } from '../nodes/solids.ts';

const create = (to: Device, options: ClustersOnDeviceOptions) =>
  ClustersOnDevice.create(to, edgeKernels, options);
const device = useDevice();
/** docs/contacts.md: depths below this share of a pair's size may be listed by one side alone. */
const DEPTH_BOUND = 2 ** -17;
const ROOM: Room = { pairs: 1000, items: 4000, contacts: 10_000 };

describe('edges in fields on the GPU', () => {
  let polyhedra: PolyhedronArrays[];

  beforeAll(async () => {
    polyhedra = await Promise.all([
      makePolyhedron(randomRock({ seed: 5, convex: false, triangles: 200, roughness: 0.5 })),
      makePolyhedron(randomRock({ seed: 7, convex: true, triangles: 80 }), { reach: 0.2 }),
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
    const expected = new Map(onCpu(crowd, edgesInFields).map((one) => [keyOf(one), one]));
    const count = expected.size;
    const { list, needed } = await onGpu(device(), create, crowd, ROOM);
    expect(needed.contacts).toBe(list.length);
    expect(list.length).toBeGreaterThan(200);
    expect(isInOrder(list)).toBe(true);
    const worst = { depth: 0, alone: 0, unsure: 0, turned: 0 };
    const alone = (one: (typeof list)[number]) => {
      worst.alone = Math.max(worst.alone, -one.distance / sizeOfPair(crowd, one));
    };
    let ends = 0;
    for (const [i, found] of list.entries()) {
      const before = list[i - 1];
      if (
        found.feature % 2 === 1 &&
        before?.status === ContactStatus.deep &&
        found.status === before.status
      ) {
        // Both ends of a piece lie beyond the reach: each is listed once, the deeper one first.
        ends++;
        hold(before.feature === found.feature - 1 && before.distance <= found.distance, () => keyOf(found));
        hold(`${before.point}` !== `${found.point}`, () => keyOf(found));
      }
      const one = expected.get(keyOf(found));
      if (one === undefined) {
        alone(found);
        continue;
      }
      expected.delete(keyOf(found));
      const size = sizeOfPair(crowd, found);
      const told = () => `${keyOf(found)}: ${JSON.stringify([found, one])}`;
      hold(found.kind === ContactKind.edge && Math.abs(Math.hypot(...found.normal) - 1) < 1e-4, told);
      if (found.status === ContactStatus.bounded) worst.unsure++;
      if (found.status === ContactStatus.deep || one.status === ContactStatus.deep) continue;
      worst.depth = Math.max(worst.depth, Math.abs(one.distance - found.distance) / size);
      const between = (x: number[], y: number[]) => Math.hypot(...x.map((c, k) => c - y[k]!));
      if (between(one.point, found.point) > 1e-4 * size || -one.distance < 1e-3 * size) continue;
      // The same place: the same normal, and the same share of the edge.
      if (between(one.normal, found.normal) > 1e-2 || Math.abs(one.area - found.area) > 1e-2 * one.area)
        worst.turned++;
    }
    for (const one of expected.values()) alone(one);
    expect(worst.depth).toBeLessThan(DEPTH_BOUND);
    expect(worst.alone).toBeLessThan(DEPTH_BOUND);
    expect(worst.unsure).toBe(0);
    expect(ends).toBeGreaterThan(0);
    expect(worst.turned).toBeLessThan(0.01 * count);
  });

  it('are the same bytes in two runs', async () => {
    const crowd = crowdOf(polyhedra, 12, 0);
    const one = await onGpu(device(), create, crowd, ROOM);
    const two = await onGpu(device(), create, crowd, ROOM);
    expect(one.list.length).toBeGreaterThan(50);
    expect(Buffer.compare(one.bytes, two.bytes)).toBe(0);
  });

  it('that there is no room for are left out, and counted', async () => {
    const crowd = crowdOf(polyhedra, 12, 0);
    const whole = await onGpu(device(), create, crowd, ROOM);
    const { list, needed } = await onGpu(device(), create, crowd, { ...ROOM, contacts: 20 });
    expect(list).toEqual(whole.list.slice(0, 20));
    expect(needed).toEqual(whole.needed);
  });
});
