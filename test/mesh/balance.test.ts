import { describe, expect, it } from 'vitest';
import { isBalanced } from '../../src/mesh/balance.ts';
import { buildEdgeTable } from '../../src/mesh/edges.ts';
import { createRandom } from '../../src/mesh/random.ts';
import { box } from './sample-meshes.ts';

const flat = (triangles: readonly (readonly number[])[]) => new Uint32Array(triangles.flat());
/** The answer by the edge table. */
const expected = (indices: Uint32Array, vertexCount: number) =>
  buildEdgeTable(indices, vertexCount).balance.every((balance) => balance === 0);

/** Two cones over a polygon: its tips have as many edges as the polygon. */
function doubleCone(corners: number): number[][] {
  return Array.from({ length: corners }, (_, i) => [2 + i, 2 + ((i + 1) % corners)]).flatMap(([a, b]) => [
    [0, a!, b!],
    [1, b!, a!],
  ]);
}

describe('isBalanced', () => {
  it('holds for a box, not for one without a face, with one turned, or with one twice', () => {
    const { triangles } = box();
    expect(isBalanced(flat(triangles), 8)).toBe(true);
    for (let t = 0; t < triangles.length; t++) {
      expect(isBalanced(flat(triangles.toSpliced(t, 1)), 8)).toBe(false);
      expect(isBalanced(flat(triangles.toSpliced(t, 1, triangles[t]!.toReversed())), 8)).toBe(false);
      expect(isBalanced(flat([...triangles, triangles[t]!]), 8)).toBe(false);
    }
    expect(isBalanced(flat([...triangles, ...triangles]), 8)).toBe(true);
  });

  it('passes over edges from a vertex to itself, and takes no triangles for balanced', () => {
    expect(
      isBalanced(
        flat([
          [5, 5, 2],
          [3, 3, 3],
        ]),
        6,
      ),
    ).toBe(true);
    expect(isBalanced(new Uint32Array(), 0)).toBe(true);
    expect(isBalanced(new Uint32Array(), 7)).toBe(true);
  });

  it.each([7, 8, 9, 17, 500, 40_000])('holds for vertices of %i faces, whatever their order', (corners) => {
    const random = createRandom(corners);
    const triangles = doubleCone(corners);
    for (let n = 0; n < (corners > 1000 ? 1 : 20); n++) {
      const shuffled = triangles
        .map((triangle) => ({ triangle, key: random() }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ triangle }) => triangle);
      expect(isBalanced(flat(shuffled), corners + 2)).toBe(true);
      expect(isBalanced(flat(shuffled.slice(1)), corners + 2)).toBe(false);
      expect(isBalanced(flat([...shuffled.slice(1), shuffled[0]!.toReversed()]), corners + 2)).toBe(false);
    }
  });

  it('agrees with the edge table for random triangles that are mostly balanced', () => {
    const random = createRandom(11);
    let balanced = 0;
    for (let n = 0; n < 2000; n++) {
      const vertexCount = 3 + Math.floor(12 * random());
      const triangles = Array.from({ length: 1 + Math.floor(30 * random()) }, () =>
        [0, 1, 2].map(() => Math.floor(vertexCount * random())),
      );
      // The same triangles the other way round, and sometimes one too few.
      const indices = flat(
        [...triangles, ...triangles.map((t) => t.toReversed())].slice(random() < 0.5 ? 1 : 0),
      );
      const holds = expected(indices, vertexCount);
      expect(isBalanced(indices, vertexCount)).toBe(holds);
      if (holds) balanced++;
    }
    expect(balanced).toBeGreaterThan(500);
    expect(balanced).toBeLessThan(1900);
  });
});
