import { describe, expect, it } from 'vitest';
import { makePolyhedron } from '../../../src/contacts/field/polyhedron.ts';
import {
  BOX_FLOATS,
  BOX_WORDS,
  COUNT_BITS,
  eachNear,
  makeTriangleTree,
} from '../../../src/contacts/surface/triangle-tree.ts';
import { randomRock } from '../../../src/mesh/generate-rock.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { hold } from '../../support/hold.ts';

describe('the tree of a surface', () => {
  it('finds all triangles whose boxes are within a distance, each once and in the order of ranks', async () => {
    const { field, tree } = await makePolyhedron(randomRock({ seed: 4, convex: false, triangles: 320 }));
    const { corners } = field;
    const random = createRandom(1);
    for (let i = 0; i < 200; i++) {
      const [x, y, z] = [0, 1, 2].map(() => 3 * (random() - 0.5)) as [number, number, number];
      const reach = random();
      const found: number[] = [];
      eachNear(tree, x, y, z, reach, (rank) => found.push(rank));
      expect(found).toEqual([...new Set(found)].sort((a, b) => a - b));
      const triangles = new Set(found.map((rank) => tree.order[rank]!));
      for (let t = 0; t < corners.length / 9; t++) {
        const nearest = [x, y, z].map((c, k) => {
          const [a, b, d] = [0, 3, 6].map((o) => corners[9 * t + o + k]!) as [number, number, number];
          return Math.max(0, Math.min(a, b, d) - c, c - Math.max(a, b, d));
        });
        if (Math.hypot(...nearest) < reach) hold(triangles.has(t), () => `triangle ${t}`);
      }
    }
  });

  it.each([1, 4, 5, 8, 9, 1001])('has %i triangles in leaves, and boxes in boxes', (count) => {
    const random = createRandom(count);
    const { boxes, links, order, ranks } = makeTriangleTree(
      Float32Array.from({ length: 9 * count }, () => random()),
    );
    expect(links[0]).toBe(links.length / BOX_WORDS);
    expect([...order].sort((a, b) => a - b)).toEqual([...order.keys()]);
    expect([...order].every((triangle, rank) => ranks[triangle] === rank)).toBe(true);
    let next = 0;
    for (let box = 0; BOX_WORDS * box < links.length; box++) {
      const leaf = links[BOX_WORDS * box + 1]!;
      const end = links[BOX_WORDS * box]!;
      if (leaf > 0) {
        expect([leaf >>> COUNT_BITS, end]).toEqual([next, box + 1]);
        next += leaf % 2 ** COUNT_BITS;
      }
      for (let inner = box + 1; inner < end; inner++) {
        for (let k = 0; k < 3; k++) {
          const [low, high] = [BOX_FLOATS * box + k, BOX_FLOATS * box + 3 + k];
          const isIn = boxes[BOX_FLOATS * inner + k]! >= boxes[low]!;
          hold(isIn && boxes[BOX_FLOATS * inner + 3 + k]! <= boxes[high]!, () => `${inner} in ${box}`);
        }
      }
    }
    expect(next).toBe(count);
  });
});
