import { describe, expect, it } from 'vitest';
import { buildEdgeTable } from '../../src/mesh/edges.ts';
import { createRandom } from '../../src/mesh/random.ts';
import { box } from './sample-meshes.ts';

function edgesOf(triangles: readonly (readonly number[])[], vertexCount: number) {
  const table = buildEdgeTable(new Uint32Array(triangles.flat()), vertexCount);
  return Array.from({ length: table.count }, (_, e) => ({
    vertices: [table.vertices[2 * e], table.vertices[2 * e + 1]],
    faces: table.offsets[e + 1]! - table.offsets[e]!,
    balance: table.balance[e],
    halfEdges: [...table.halfEdges.subarray(table.offsets[e], table.offsets[e + 1])],
  }));
}

describe('buildEdgeTable', () => {
  it('gives a lone triangle three edges of one face each, with their direction', () => {
    expect(edgesOf([[2, 0, 1]], 3)).toEqual([
      { vertices: [0, 1], faces: 1, balance: 1, halfEdges: [1] },
      { vertices: [0, 2], faces: 1, balance: -1, halfEdges: [0] },
      { vertices: [1, 2], faces: 1, balance: 1, halfEdges: [2] },
    ]);
  });

  it('gives a box 18 balanced edges of two faces', () => {
    const edges = edgesOf(box().triangles, 8);
    expect(edges).toHaveLength(18);
    expect(edges.every((edge) => edge.faces === 2 && edge.balance === 0)).toBe(true);
  });

  it('leaves loops out and gives a repeated corner both directions of its edge', () => {
    expect(
      edgesOf(
        [
          [5, 5, 2],
          [3, 3, 3],
        ],
        6,
      ),
    ).toEqual([{ vertices: [2, 5], faces: 2, balance: 0, halfEdges: [1, 2] }]);
  });

  it('has no edges for no triangles', () => {
    expect(edgesOf([], 0)).toEqual([]);
    expect(edgesOf([], 4)).toEqual([]);
  });

  it('agrees with a table of strings for random triangles', () => {
    const random = createRandom(7);
    const vertexCount = 40;
    const triangles = Array.from({ length: 500 }, () =>
      [0, 1, 2].map(() => Math.floor(vertexCount * random())),
    );
    const expected = new Map<string, { faces: number; balance: number }>();
    for (const triangle of triangles) {
      for (let c = 0; c < 3; c++) {
        const [a, b] = [triangle[c]!, triangle[(c + 1) % 3]!];
        if (a === b) continue;
        const entry = expected.get(`${Math.min(a, b)} ${Math.max(a, b)}`) ?? { faces: 0, balance: 0 };
        entry.faces++;
        entry.balance += a < b ? 1 : -1;
        expected.set(`${Math.min(a, b)} ${Math.max(a, b)}`, entry);
      }
    }
    const found = edgesOf(triangles, vertexCount);
    expect(found).toHaveLength(expected.size);
    for (const { vertices, faces, balance } of found)
      expect(expected.get(vertices.join(' '))).toEqual({ faces, balance });
    const order = found.map(({ vertices }) => vertices[0]! * vertexCount + vertices[1]!);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });
});
