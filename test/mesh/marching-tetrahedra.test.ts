import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkMesh } from '../../src/mesh/check-mesh.ts';
import { contour, countContour, type NodeGrid } from '../../src/mesh/marching-tetrahedra.ts';
import { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';

/** A grid whose inner nodes, x fastest, are as given and whose outermost nodes are outside. */
function gridOf(inner: number, isInside: (i: number, j: number, k: number) => boolean): NodeGrid {
  const size = inner + 2;
  const inside = new Uint8Array(size ** 3);
  for (let k = 1; k <= inner; k++) {
    for (let j = 1; j <= inner; j++) {
      for (let i = 1; i <= inner; i++) inside[(k * size + j) * size + i] = isInside(i, j, k) ? 1 : 0;
    }
  }
  return { size, inside };
}

function meshOf(grid: NodeGrid, crossing: (from: number, to: number) => number): TriangleMesh {
  const { positions, indices } = contour(grid, crossing);
  return new TriangleMesh({ positions: new Float32Array(positions), indices });
}

describe('contour', () => {
  it('wraps a lone node in a rhombic dodecahedron cut by its grid', () => {
    const mesh = meshOf(
      gridOf(1, () => true),
      () => 0.5,
    );
    // 14 edges meet at a node, and 24 tetrahedra, each with it as its only inside corner.
    expect(mesh.vertexCount).toBe(14);
    expect(mesh.triangleCount).toBe(24);
    expect(checkMesh(mesh)).toMatchObject({
      closed: true,
      manifold: true,
      oriented: true,
      eulerCharacteristic: 2,
    });
    // 24 tetrahedra of volume 1/6 with half the edges: 24 / 6 / 8
    expect(checkMesh(mesh).enclosedVolume).toBeCloseTo(0.5, 14);
  });

  it('is closed, manifold, oriented and as large as counted, for any nodes and any crossings', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 27, maxLength: 27 }), fc.nat(), (bits, salt) => {
        const grid = gridOf(3, (i, j, k) => bits[(k - 1) * 9 + (j - 1) * 3 + i - 1]!);
        const mesh = meshOf(grid, (from, to) => 0.1 + ((from * 31 + to * 17 + salt) % 80) / 100);
        const report = checkMesh(mesh);
        expect(report).toMatchObject({ closed: true, manifold: true, oriented: true, unusedVertices: 0 });
        expect(mesh.triangleCount).toBe(countContour(grid));
        if (bits.some(Boolean)) expect(report.enclosedVolume).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  it('separates inside from outside volume exactly where crossings lie halfway in a slab', () => {
    // All crossings of the slab's faces are at half a spacing, so its faces are planes.
    const mesh = meshOf(
      gridOf(4, (_i, _j, k) => k === 2),
      () => 0.5,
    );
    expect(checkMesh(mesh).boundingBox).toEqual({ min: [0.5, 0.5, 1.5], max: [4.5, 4.5, 2.5] });
  });

  it('contours a ball to its volume', () => {
    const radius = 7.3;
    const centre = 10.5;
    const value = (n: number) => {
      const [i, j, k] = [n % 22, Math.floor(n / 22) % 22, Math.floor(n / 484)];
      return Math.hypot(i - centre, j - centre, k - centre) - radius;
    };
    const grid = gridOf(20, (i, j, k) => value((k * 22 + j) * 22 + i) < 0);
    const mesh = meshOf(grid, (from, to) => value(from) / (value(from) - value(to)));
    const volume = (4 / 3) * Math.PI * radius ** 3;
    expect(Math.abs(checkMesh(mesh).enclosedVolume! / volume - 1)).toBeLessThan(0.02);
  });

  it('is empty for an empty grid', () => {
    expect(countContour(gridOf(2, () => false))).toBe(0);
    expect(
      contour(
        gridOf(2, () => false),
        () => 0.5,
      ).indices,
    ).toHaveLength(0);
  });
});
