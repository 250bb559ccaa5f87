import { beforeAll, describe, expect, it } from 'vitest';
import { quatd, vec3d } from 'wgpu-matrix';
import { edgesInFields } from '../../../src/contacts/edges/edges-in-fields.ts';
import type { PolyhedronArrays } from '../../../src/contacts/field/field-arrays.ts';
import { makePolyhedron } from '../../../src/contacts/field/polyhedron.ts';
import { ContactStatus, FEATURE_OF_B } from '../../../src/contacts/list/contact-arrays.ts';
import { nodesInFields } from '../../../src/contacts/nodes/nodes-in-fields.ts';
import { randomRock } from '../../../src/index.ts';
import { boxMesh } from '../../support/shapes.ts';
import { ask } from '../nodes/ask.ts';
import { type Body, depthIn, isInside, pointIn } from '../nodes/brute-force.ts';
import type { Vector } from '../nodes/nearest.ts';
import { RandomPoses } from '../nodes/poses.ts';
import { unionOfBoxes } from '../nodes/solids.ts';
import { overlap } from './overlap.ts';

const poses = new RandomPoses(17);
const [QUARTER, EIGHTH] = [Math.PI / 2, Math.PI / 4];

/** A bar along x, turned about it so that an edge is on top; then turned about z. */
const onEdge = (z: number): number[] => [
  ...quatd.multiply(quatd.fromAxisAngle([0, 0, 1], z), quatd.fromAxisAngle([1, 0, 0], EIGHTH)),
];

/** How many contacts of nodes and of edges there are. */
const contactsOf = (a: Body, b: Body): [number, number] => [
  ask(nodesInFields, [a, b]).contacts.length,
  ask(edgesInFields, [a, b]).contacts.length,
];

describe('crossed edges', () => {
  let bar: PolyhedronArrays;

  beforeAll(async () => {
    bar = await makePolyhedron(boxMesh([-2, -0.25, -0.25], [2, 0.25, 0.25]));
  });

  it('of bars are found where no node is inside, with their normal across both', () => {
    const height = Math.SQRT1_2;
    for (const overlapping of [1e-2, 1e-4, 1e-6, 1e-9]) {
      // Off the middle: the samples of edges are nodes.
      const a = { solid: bar, pose: [0.013, 0.017, 0, ...onEdge(0)] };
      const b = { solid: bar, pose: [0, 0, height - overlapping, ...onEdge(QUARTER)] };
      expect(ask(nodesInFields, [a, b]).contacts).toEqual([]);
      const { contacts } = ask(edgesInFields, [a, b]);
      expect(contacts.map(({ feature }) => feature >= FEATURE_OF_B)).toEqual([false, true]);
      for (const { normal, distance, point, status, area, feature } of contacts) {
        expect(status).toBe(ContactStatus.sure);
        // The faces of the other bar's edge fall off by 45 degrees.
        expect(-distance / (overlapping * Math.SQRT1_2)).toBeCloseTo(1, 5);
        for (let k = 0; k < 3; k++) expect(normal[k]).toBeCloseTo([0, 0, 1][k]!, 5);
        expect(point[0]).toBeCloseTo(-0.013, 6);
        expect(point[1]).toBeCloseTo(0, 1);
        const e = 6 * ((feature % FEATURE_OF_B) >>> 1);
        const [x, y, z] = [0, 1, 2].map((k) => bar.surface.edges[e + 3 + k]! - bar.surface.edges[e + k]!);
        expect(area / ((Math.SQRT1_2 * Math.hypot(x!, y!, z!)) / 2)).toBeCloseTo(1, 5);
      }
    }
  });

  it('of bars that are apart are not', () => {
    for (const gap of [1e-9, 1e-3, 0.1, 1]) {
      const a = { solid: bar, pose: [0.013, 0.017, 0, ...onEdge(0)] };
      const b = { solid: bar, pose: [0, 0, Math.SQRT1_2 + gap, ...onEdge(QUARTER)] };
      expect(ask(edgesInFields, [a, b]).contacts).toEqual([]);
    }
  });

  it('of interlocked forks are found', async () => {
    const fork = await makePolyhedron(
      unionOfBoxes([
        [-0.125, -0.625, 0, 0.125, -0.375, 2],
        [-0.125, 0.375, 0, 0.125, 0.625, 2],
        [-0.125, -0.625, -0.25, 0.125, 0.625, 0],
      ]),
    );
    // The other one hangs upside down, turned by some angle, its tines between the first one's. It is moved sideways
    // until tines touch: tilted as it is, edge on edge.
    let found = 0;
    for (let angle = 1; angle < 2.2; angle += 0.05) {
      const turn = quatd.multiply(
        quatd.fromAxisAngle([0, 0, 1], angle),
        quatd.fromAxisAngle([1, 0, 0], Math.PI),
      );
      const tilted = quatd.multiply(quatd.fromAxisAngle([0.6, 0.8, 0], 0.1), turn);
      const a: Body = { solid: fork, pose: [0, 0, 0, 0, 0, 0, 1] };
      const at = (y: number): Body => ({ solid: fork, pose: [0.031, y, 2.2, ...tilted] });
      const touching = touchAt((y) => overlap(a, at(y)), 0, 0.7);
      if (touching === undefined || overlap(a, at(touching - 1e-6))) continue;
      expect(contactsOf(a, at(touching - 1e-6))).toEqual([0, 0]);
      const [nodes, edges] = contactsOf(a, at(touching + 1e-4));
      if (nodes === 0) found++;
      expect(nodes + edges).toBeGreaterThan(0);
    }
    expect(found).toBeGreaterThan(0);
  });
});

/** Between a place where it is false and one where it is true; undefined if it is the same at both. */
function touchAt(isTrue: (x: number) => boolean, from: number, to: number): number | undefined {
  if (isTrue(from) || !isTrue(to)) return undefined;
  let [low, high] = [from, to];
  while (Math.abs(high - low) > 1e-7) {
    const middle = (low + high) / 2;
    if (isTrue(middle)) high = middle;
    else low = middle;
  }
  return high;
}

describe('pieces of edges', () => {
  let concave: PolyhedronArrays[];

  beforeAll(async () => {
    concave = await Promise.all([
      makePolyhedron(randomRock({ seed: 21, convex: false, triangles: 72, roughness: 0.6 }), {
        sharpAngle: 0,
      }),
      makePolyhedron(randomRock({ seed: 22, convex: false, triangles: 128, roughness: 0.5 }), {
        sharpAngle: 0,
      }),
      makePolyhedron(
        unionOfBoxes([
          [-0.25, -0.25, -0.25, 0.25, 0.25, 1],
          [-0.25, -0.25, -0.25, 1, 0.25, 0.25],
          [-0.25, -0.25, -0.25, 0.25, 1, 0.25],
        ]),
      ),
    ]);
  });

  it('have the depth of the deepest of their points, by brute force', () => {
    let found = 0;
    for (const own of concave)
      for (const partner of concave) {
        const [a, b] = [poses.placed(own, 0), poses.placed(partner, 0.9)];
        const { contacts } = ask(edgesInFields, [a, b]);
        const deepest = new Map(contacts.map((one) => [one.feature, one]));
        const { edges } = own.surface;
        const lengths = edges.length / 6;
        for (let e = 0; e < lengths; e += 5) {
          const ends = [0, 3].map((k) => pointIn(a.pose, b.pose, edges.subarray(6 * e + k, 6 * e + k + 3)));
          const at = (t: number) => vec3d.lerp(ends[0]!, ends[1]!, t) as unknown as Vector;
          const one = deepest.get(2 * e);
          let most = -Infinity;
          for (let i = 0; i <= 16; i++) most = Math.max(most, depthIn(partner, [...at(i / 16)] as Vector));
          if (one === undefined) expect(most).toBeLessThanOrEqual(0);
          else if (one.status !== ContactStatus.deep) {
            found++;
            expect(-one.distance).toBeGreaterThanOrEqual(most - 1e-7);
            const place = pointIn([...a.pose.slice(0, 3), 0, 0, 0, 1], b.pose, one.point);
            expect(depthIn(partner, place)).toBeCloseTo(-one.distance, 10);
            expect(Math.hypot(...one.normal)).toBeCloseTo(1, 10);
          }
        }
      }
    expect(found).toBeGreaterThan(50);
  });

  it('have both ends of pieces that lie beyond the reach, the deeper one first', async () => {
    const rock = await makePolyhedron(randomRock({ seed: 5, convex: false, triangles: 80 }), { reach: 0.05 });
    const random = new RandomPoses(3);
    let found = 0;
    for (let i = 0; i < 4; i++) {
      const { contacts } = ask(edgesInFields, [random.placed(rock, 0), random.placed(rock, 0.3)]);
      const deep = new Map(
        contacts.filter(({ status }) => status === ContactStatus.deep).map((one) => [one.feature, one]),
      );
      for (const [feature, shallower] of deep) {
        const deepest = deep.get(feature - 1);
        if (feature % 2 === 0 || deepest === undefined) continue;
        found++;
        expect(deepest.distance).toBeLessThanOrEqual(shallower.distance);
        expect(deepest.point).not.toEqual(shallower.point);
      }
    }
    expect(found).toBeGreaterThan(50);
  });

  it('or nodes touch wherever concave bodies overlap, however little, and nowhere else', () => {
    let byEdges = 0;
    for (let i = 0; i < 12; i++) {
      const a = poses.placed(concave[i % 3]!, 0);
      const b = poses.placed(concave[(i >> 1) % 3]!, 1);
      const at = (far: number): Body => ({
        ...b,
        pose: [...[0, 1, 2].map((k) => a.pose[k]! + far * b.pose[k]!), ...b.pose.slice(3)],
      });
      const touching = touchAt((far) => overlap(a, at(far)), 4, 0.05)!;
      expect(overlap(a, at(touching + 1e-6))).toBe(false);
      expect(contactsOf(a, at(touching + 1e-6))).toEqual([0, 0]);
      for (const deeper of [0, 1e-5, 1e-3, 1e-2]) {
        const other = at(touching - deeper);
        if (!overlap(a, other)) continue;
        const [nodes, edges] = contactsOf(a, other);
        expect(nodes + edges).toBeGreaterThan(0);
        if (nodes === 0) byEdges++;
      }
    }
    expect(byEdges).toBeGreaterThan(3);
  });

  it('that are left out miss no overlap above what shapes state', async () => {
    const rocks = await Promise.all(
      [31, 32, 33].map((seed) =>
        makePolyhedron(randomRock({ seed, convex: false, triangles: 72, roughness: 0.6 }), {
          sharpAngle: Math.PI / 4,
        }),
      ),
    );
    let deep = 0;
    for (let i = 0; i < 6; i++) {
      const a = poses.placed(rocks[i % 3]!, 0);
      const b = poses.placed(rocks[(i + 1) % 3]!, 1);
      const limit = Math.max(a.solid.surface.missedOverlap, b.solid.surface.missedOverlap);
      const at = (far: number): Body => ({
        ...b,
        pose: [...[0, 1, 2].map((k) => a.pose[k]! + far * b.pose[k]!), ...b.pose.slice(3)],
      });
      const touching = touchAt((far) => overlap(a, at(far)), 4, 0.05)!;
      for (const deeper of [0.01, 0.05, 0.2, 0.4]) {
        const other = at(touching - deeper);
        const [nodes, edges] = contactsOf(a, other);
        const found = nodes + edges > 0;
        // A ball in both bodies: to part them, they have to be moved by its diameter at least.
        const overlapping = 2 * radiusInBoth(a, other);
        if (overlapping > limit) deep++;
        expect(found || overlapping <= limit).toBe(true);
      }
    }
    expect(deep).toBeGreaterThan(3);
  });
});

/**
 * Radius of the largest ball in both bodies about a point of a lattice, a little less than that of the largest of all.
 */
function radiusInBoth(a: Body, b: Body): number {
  let most = 0;
  for (let x = -1; x <= 1; x += 0.2)
    for (let y = -1; y <= 1; y += 0.2)
      for (let z = -1; z <= 1; z += 0.2) {
        const point: Vector = [x, y, z];
        if (!isInside(a.solid, point)) continue;
        const other = pointIn(a.pose, b.pose, point);
        if (isInside(b.solid, other))
          most = Math.max(most, Math.min(depthIn(a.solid, point), depthIn(b.solid, other)));
      }
  return most;
}
