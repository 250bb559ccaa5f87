/** A large static mesh, whose tree has several levels: contacts are those of a brute-force search. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quatd } from 'wgpu-matrix';
import type { ContactShape } from '../../../src/contacts/bodies/contact-shape.ts';
import { type ContactArrays, ContactKind, ContactStatus } from '../../../src/contacts/list/contact-arrays.ts';
import { ContactPipeline } from '../../../src/contacts/pipeline/contact-pipeline.ts';
import type { DetectedContacts } from '../../../src/contacts/pipeline/detection.ts';
import { CLUSTER, TREE_CHILDREN } from '../../../src/contacts/surface/surface-arrays.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { useDevice } from '../../support/device.ts';
import { hold } from '../../support/hold.ts';
import { mapMesh, voxelMesh } from '../../support/shapes.ts';
import { allContacts, listOf } from './brute-force.ts';
import { ROCKS, type Scene } from './scenes.ts';

const device = useDevice();

/** A tub with walls as thick as a voxel and a wavy floor, all of it of edges of 0.5. */
const CELLS = 20;
const tub = mapMesh(
  voxelMesh(CELLS, 0.5, (i, j, k) => k < 2 || (k < 8 && [i, j].some((x) => x < 2 || x >= CELLS - 2))),
  (x, y, z) => [x - 5, y - 5, z + (z > 0.75 && z < 3.5 ? 0.12 * Math.sin(2 * x) * Math.cos(3 * y) : 0)],
);
const SHAPES: readonly ContactShape[] = [
  { kind: 'polyhedron', mesh: tub, reach: 0.6, nodeSpacing: 0.4 },
  { kind: 'sphere', radius: 0.4 },
  ROCKS[2]!,
];
const COUNT = 41;
const TUB = 20;

/** The tub is body 20, so that bodies with lower and with higher numbers touch it. */
function sceneOf(isStatic: boolean): Scene {
  const random = createRandom(5);
  const poses = new Float64Array(7 * COUNT);
  const of = (tub: number, other: (body: number) => number) =>
    Uint32Array.from({ length: COUNT }, (_, body) => (body === TUB ? tub : other(body)));
  for (let body = 0; body < COUNT; body++) {
    const turn = quatd.normalize([0, 0, 0, 0].map(() => random() - 0.5));
    const place = [7.4 * random() - 3.7, 7.4 * random() - 3.7, 1.1 + 0.6 * random()];
    poses.set(body === TUB ? [1, -2, 3, 0, 0, 0.6, 0.8] : [...inTub(place), ...turn], 7 * body);
  }
  return {
    shapes: SHAPES,
    poses,
    bodies: {
      shapes: of(0, (body) => 1 + (body % 2)),
      isStatic: Uint8Array.from(of(Number(isStatic), () => 0)),
      groups: of(1, () => 2),
      masks: of(2, () => 3),
    },
  };
}

/** A place of the tub's frame in the world. */
function inTub([x, y, z]: readonly number[]): number[] {
  const [cos, sin] = [0.8 * 0.8 - 0.6 * 0.6, 2 * 0.6 * 0.8];
  return [1 + cos * x! - sin * y!, -2 + sin * x! + cos * y!, 3 + z!];
}

/** Distances and statuses by what names a contact. */
function keyed({ count, kinds, bodies, features, distances, statuses }: ContactArrays) {
  return new Map(
    Array.from({ length: count }, (_, i) => {
      const key = `${kinds[i]} ${bodies[2 * i]} ${bodies[2 * i + 1]} ${features[i]}`;
      return [key, { distance: distances[i]!, status: statuses[i]! }] as const;
    }),
  );
}

const scene = sceneOf(true);
const { poses } = scene;
let found: Record<'cpu' | 'gpu', DetectedContacts>;
let whenMoving: Record<'cpu' | 'gpu', DetectedContacts>;
const pipelines: ContactPipeline[] = [];

beforeAll(async () => {
  const both = [];
  for (const { shapes, bodies } of [scene, sceneOf(false)]) {
    const pipeline = await ContactPipeline.create(device(), shapes, { bodies });
    pipelines.push(pipeline);
    both.push({
      cpu: await pipeline.detect({ poses, backend: 'cpu' }),
      gpu: await pipeline.detect({ poses, backend: 'gpu' }),
    });
  }
  [found, whenMoving] = both as [typeof found, typeof found];
});
afterAll(() => {
  for (const pipeline of pipelines) pipeline.destroy();
});

describe('bodies in a tub of many clusters', () => {
  it('touch its floor and walls', () => {
    const [summary] = pipelines[0]!.polyhedra;
    expect(summary!.triangles).toBeGreaterThan(2000);
    // Three levels of balls over clusters.
    expect(summary!.nodes).toBeGreaterThan(CLUSTER * TREE_CHILDREN ** 2);
    const kinds = [ContactKind.node, ContactKind.edge, ContactKind.patch, ContactKind.convex];
    expect([...new Set(found.cpu.kinds)]).toEqual(kinds);
    const isTub = (_: number, i: number) => found.cpu.bodies.subarray(2 * i, 2 * i + 2).includes(TUB);
    const withTub = found.cpu.kinds.filter(isTub);
    for (const kind of kinds.slice(0, 3)) {
      expect(withTub.filter((x) => x === kind).length).toBeGreaterThan(5);
    }
  });

  it('have the contacts of a brute-force search, bit for bit, whether the tub is static or not', async () => {
    const expected = await allContacts(scene);
    expect(listOf(found.cpu)).toEqual(expected);
    expect(listOf(whenMoving.cpu)).toEqual(expected);
  });

  it('have on the GPU the contacts of float64, but for depths below the bound', () => {
    const twin = keyed(found.cpu);
    // Size of a pair: both radii and the way between the origins, 8.2 + 0.8 + 5.8 (docs/contacts.md, "Nodes").
    const bound = 2 ** -17 * 15;
    for (const list of [found.gpu, whenMoving.gpu].map(keyed)) {
      expect(list.size).toBeGreaterThan(100);
      for (const [key, { distance, status }] of list) {
        const other = twin.get(key) ?? { distance: 0, status: ContactStatus.sure };
        const words = () =>
          `${key}: ${distance} of status ${status}, not ${other.distance} of ${other.status}`;
        // Beyond the reach of tables, the triangle that a depth is of may be another (`ContactStatus.deep`).
        const isDeep = status === ContactStatus.deep && other.status === ContactStatus.deep;
        hold(isDeep || Math.abs(distance - other.distance) < bound, words);
      }
      for (const [key, { distance }] of twin) {
        hold(list.has(key) || distance > -bound, () => `${key}: ${distance}, not found`);
      }
    }
  });
});
