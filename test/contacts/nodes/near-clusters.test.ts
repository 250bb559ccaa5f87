/** What it costs to find the clusters of a large wall that are near a small body: balls are counted. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ColliderKind } from '../../../src/contacts/bodies/colliders.ts';
import type { PolyhedronArrays } from '../../../src/contacts/field/field-arrays.ts';
import { makePolyhedron } from '../../../src/contacts/field/polyhedron.ts';
import { ContactSink } from '../../../src/contacts/list/contact-sink.ts';
import { betweenPlanes, HALF_SPACES } from '../../../src/contacts/nodes/between-planes.ts';
import { nodesInFields } from '../../../src/contacts/nodes/nodes-in-fields.ts';
import { PairFrames } from '../../../src/contacts/nodes/pair-frames.ts';
import { findNearClusters } from '../../../src/contacts/nodes/polyhedron-pairs.ts';
import { buildSurface } from '../../../src/contacts/surface/build-surface.ts';
import { CLUSTER } from '../../../src/contacts/surface/surface-arrays.ts';
import { randomRock, TriangleMesh } from '../../../src/index.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { bodyOf, posedConvex } from '../posed.ts';
import { RandomPoses } from './poses.ts';

const COUNT = 200;
/** Half the edges of square terrains of about 10^3, 10^4 and 10^5 triangles, in cells of edge 1. */
const CELLS = [15, 49, 157];

const heightAt = (x: number, y: number) => Math.sin(x) * Math.cos(y);

/** A solid with a wavy top and a flat bottom, of 4 cells^2 triangles and its sides. */
function terrain(cells: number): TriangleMesh {
  const row = cells + 1;
  const top = row * row;
  const positions = Float32Array.from({ length: 6 * top }, (_, i) => {
    const v = Math.floor(i / 3);
    const [x, y] = [v % row, Math.floor((v % top) / row)];
    return [x, y, v < top ? -2 : heightAt(x, y)][i % 3]!;
  });
  const indices: number[] = [];
  const quad = (a: number, b: number, c: number, d: number) => indices.push(a, b, c, a, c, d);
  const side = (a: number, b: number) => quad(a, b, top + b, top + a);
  for (let i = 0; i < cells; i++) {
    for (let a = i * row; a < i * row + cells; a++) {
      quad(a, a + row, a + row + 1, a + 1);
      quad(top + a, top + a + 1, top + a + row + 1, top + a + row);
    }
    side(i, i + 1);
    side(cells * row + i + 1, cells * row + i);
    side((i + 1) * row, i * row);
    side(i * row + cells, (i + 1) * row + cells);
  }
  return new TriangleMesh({ positions, indices: Uint32Array.from(indices), name: 'terrain' });
}

/** A terrain and rocks over it, body 0 and the others. */
function posedOver(cells: number, height: number) {
  const [random, poses] = [createRandom(3), new RandomPoses(4)];
  const rocks = Array.from({ length: COUNT }, () => {
    const [x, y] = [1 + (cells - 2) * random(), 1 + (cells - 2) * random()];
    return bodyOf(1, [x, y, heightAt(x, y) + height], poses.turn(), ColliderKind.polyhedron);
  });
  return posedConvex([bodyOf(0, [0, 0, 0], [0, 0, 0, 1], ColliderKind.polyhedron), ...rocks]);
}

describe('clusters of a wall near a small body', () => {
  let rock: PolyhedronArrays;

  beforeAll(async () => {
    rock = await makePolyhedron(randomRock({ seed: 5, convex: false, triangles: 80, roughness: 0.3 }));
  });

  it('cost balls that grow with the logarithm of the wall’s triangles', async () => {
    const counts = [];
    for (const cells of CELLS) {
      const surface = await buildSurface(terrain(cells), { nodeSpacing: 1 });
      const clusters = Math.ceil(surface.weights.length / CLUSTER);
      const posed = posedOver(cells, 1);
      const frames = new PairFrames();
      const near: number[] = [];
      let [balls, found] = [0, 0];
      for (let body = 1; body <= COUNT; body++) {
        frames.set(posed, 0, body);
        const side = {
          ...{ bit: 0, inPartner: frames.aInB, frame: frames.a, partnerFrame: frames.b },
          ...{ own: { ...rock, surface }, partner: rock, shared: new Float64Array(HALF_SPACES) },
          ...{
            skin: 0,
            hasPlanes: true,
            moved: 0,
            lastMove: 0,
            waited: 0,
            waits: new Uint8Array(0),
            at: 0,
            near,
          },
        };
        betweenPlanes(side.own, rock, frames.bInA, side.shared, new Float64Array(HALF_SPACES));
        balls += findNearClusters(side, surface.nodeTree, clusters) / COUNT;
        found += near.length / COUNT;
        expect(near).toEqual(near.toSorted((a, b) => a - b));
      }
      counts.push({ clusters, balls, found });
    }
    const [small, middle, large] = counts as [Counts, Counts, Counts];
    expect(small.found).toBeGreaterThan(2);
    // Ten times as many clusters in each step, and as many balls more.
    expect(large.clusters).toBeGreaterThan(70 * small.clusters);
    expect(large.balls - middle.balls).toBeLessThan(1.5 * (middle.balls - small.balls));
    expect(large.balls).toBeLessThan(large.clusters / 50);
    expect(large.found).toBeLessThan(1.5 * small.found);
  });

  it('cost no more than a look at both as a whole where they are apart', async () => {
    const wall = await makePolyhedron(terrain(CELLS[0]!), { nodeSpacing: 1, reach: 1 });
    const pairs = Uint32Array.from({ length: 2 * COUNT }, (_, k) => (k % 2 === 0 ? 0 : (k + 1) / 2));
    const job = { polyhedra: [wall, rock], pairs: { pairs }, first: 0, end: COUNT, sink: new ContactSink() };
    const counts = nodesInFields({ ...job, posed: posedOver(CELLS[0]!, 4) });
    expect(counts).toMatchObject({ tested: 0, near: 0 });
    expect(counts.balls).toBeLessThanOrEqual(2 * COUNT);
  });
});

interface Counts {
  readonly clusters: number;
  readonly balls: number;
  readonly found: number;
}
