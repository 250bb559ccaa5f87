import { orient3d } from 'robust-predicates';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { checkMesh } from '../../src/mesh/check-mesh.ts';
import { type FoamOptions, openCellFoam } from '../../src/mesh/generate-foam.ts';
import type { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { boxMesh, cornersOf, joined, type Point, pointOf } from './sample-meshes.ts';

/** FNV-1a over the bits of positions and indices. */
function hashOf({ positions, indices }: TriangleMesh): string {
  let hash = 0x811c9dc5;
  for (const words of [new Uint32Array(positions.buffer), indices]) {
    for (const word of words) hash = Math.imul(hash ^ word, 0x01000193);
  }
  return (hash >>> 0).toString(16);
}

/** Whether the segment p q meets the triangle a b c, by exact predicates; coplanar pairs count as apart. */
function meets([p, q]: readonly [Point, Point], [a, b, c]: readonly [Point, Point, Point]): boolean {
  const [sp, sq] = [orient3d(...a, ...b, ...c, ...p), orient3d(...a, ...b, ...c, ...q)];
  if ((sp > 0 && sq > 0) || (sp < 0 && sq < 0) || (sp === 0 && sq === 0)) return false;
  const sides = [
    orient3d(...p, ...q, ...a, ...b),
    orient3d(...p, ...q, ...b, ...c),
    orient3d(...p, ...q, ...c, ...a),
  ];
  return sides.every((s) => s >= 0) || sides.every((s) => s <= 0);
}

function selfIntersections(mesh: TriangleMesh): number {
  const triangles = Array.from({ length: mesh.triangleCount }, (_, t) => cornersOf(mesh, t));
  const ids = triangles.map((_, t) => [...mesh.indices.subarray(3 * t, 3 * t + 3)]);
  const boxes = triangles.map((corners) =>
    [0, 1, 2].map(
      (k) => [Math.min(...corners.map((p) => p[k]!)), Math.max(...corners.map((p) => p[k]!))] as const,
    ),
  );
  let count = 0;
  for (let s = 0; s < triangles.length; s++) {
    for (let t = 0; t < triangles.length; t++) {
      if (s === t || boxes[s]!.some(([min, max], k) => min > boxes[t]![k]![1] || max < boxes[t]![k]![0]))
        continue;
      for (let e = 0; e < 3; e++) {
        const f = (e + 1) % 3;
        if (ids[t]!.includes(ids[s]![e]!) || ids[t]!.includes(ids[s]![f]!)) continue;
        if (meets([triangles[s]![e]!, triangles[s]![f]!], triangles[t]!)) count++;
      }
    }
  }
  return count;
}

describe('openCellFoam', () => {
  const cases: (FoamOptions & { within: number })[] = [
    { triangles: 1000, within: 0.03 },
    { triangles: 2500, seed: 7, within: 0.03 },
    { triangles: 10_000, within: 0.01 },
    { triangles: 28_952, cells: 2, within: 0.01 },
    { triangles: 60_000, seed: 3, within: 0.01 },
    { triangles: 120_868, within: 0.01 },
  ];
  for (const { within, ...options } of cases) {
    it(`is one closed, manifold, oriented surface of ${options.triangles} triangles within ${100 * within} %`, () => {
      const foam = openCellFoam(options);
      const report = checkMesh(foam);
      expect(report).toMatchObject({
        closed: true,
        manifold: true,
        oriented: true,
        components: 1,
        unusedVertices: 0,
        boundingBox: { min: [0, 0, 0], max: [1, 1, 1] },
      });
      expect(report.degenerateFaces.count).toBe(0);
      expect(Math.abs(foam.triangleCount / options.triangles - 1)).toBeLessThan(within);
      expect(report.enclosedVolume).toBeGreaterThan(0.1);
      expect(report.enclosedVolume).toBeLessThan(0.4);
      if (options.triangles >= 10_000) expect(report.eulerCharacteristic).toBeLessThan(0);
    });
  }

  it('has no two vertices at one place', () => {
    const foam = openCellFoam({ triangles: 60_000 });
    const places = new Set(Array.from({ length: foam.vertexCount }, (_, v) => pointOf(foam, v).join(' ')));
    expect(places.size).toBe(foam.vertexCount);
  });

  it('does not intersect itself', () => {
    const crossed = joined(boxMesh(), boxMesh([0.5, 0.4, 0.3], [1.5, 1.3, 1.2]));
    expect(selfIntersections(crossed)).toBeGreaterThan(0); // the test's own test
    for (const seed of [1, 2, 3]) expect(selfIntersections(openCellFoam({ triangles: 2000, seed }))).toBe(0);
  });

  it('is cut along planes by the faces of the cube', () => {
    const foam = openCellFoam({ triangles: 10_000 });
    for (const axis of [0, 1, 2]) {
      for (const side of [0, 1]) {
        const flat = Array.from({ length: foam.triangleCount }, (_, t) => cornersOf(foam, t)).filter(
          (corners) => corners.every((p) => p[axis] === side),
        );
        expect(flat.length).toBeGreaterThan(10);
      }
    }
  });

  it('is the same body at every resolution', () => {
    const volumes = [30_000, 60_000, 120_000].map(
      (triangles) => checkMesh(openCellFoam({ triangles, cells: 2 })).enclosedVolume!,
    );
    for (const volume of volumes) expect(Math.abs(volume - volumes[2]!)).toBeLessThan(0.04);
  });

  it('is bit-identical for a seed, on any machine, and different for others', () => {
    expect(hashOf(openCellFoam({ triangles: 5000, seed: 12 }))).toBe(FOAM_HASH);
    expect(hashOf(openCellFoam({ triangles: 5000, seed: 12 }))).toBe(FOAM_HASH);
    expect(hashOf(openCellFoam({ triangles: 5000, seed: 13 }))).not.toBe(FOAM_HASH);
  });

  it('refuses options out of range', () => {
    expect(() => openCellFoam({ triangles: 999 })).toThrow(
      'triangles is 999, expected an integer from 1000 to 600000',
    );
    expect(() => openCellFoam({ triangles: 600_001 })).toThrow(InputError);
    expect(() => openCellFoam({ triangles: 1000.5 })).toThrow(InputError);
    expect(() => openCellFoam({ triangles: 5000, seed: -1 })).toThrow(InputError);
    expect(() => openCellFoam({ triangles: 600_000, cells: 9 })).toThrow(
      'cells is 9, expected an integer from 1 to 8',
    );
    expect(() => openCellFoam({ triangles: 7999, cells: 2 })).toThrow(
      'expected at least 8000 triangles or fewer cells',
    );
  });
});

/** Recorded once. If it changes, every foam of the benchmarks has changed. */
const FOAM_HASH = '7d5ad5be';
