import { orient3d } from 'robust-predicates';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { checkMesh } from '../../src/mesh/check-mesh.ts';
import { randomRock } from '../../src/mesh/generate-rock.ts';
import type { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { cornersOf, pointOf } from './sample-meshes.ts';

/** Whether no vertex lies strictly outside the plane of a triangle; exact. */
function isConvex(rock: TriangleMesh): boolean {
  for (let t = 0; t < rock.triangleCount; t++) {
    const [a, b, c] = cornersOf(rock, t);
    for (let v = 0; v < rock.vertexCount; v++) {
      if (orient3d(...a, ...b, ...c, ...pointOf(rock, v)) < 0) return false;
    }
  }
  return true;
}

/**
 * Whether the origin sees every triangle from behind. A closed, simply connected surface is then star-shaped about it.
 */
function isStarShaped(rock: TriangleMesh): boolean {
  for (let t = 0; t < rock.triangleCount; t++) {
    const [a, b, c] = cornersOf(rock, t);
    if (orient3d(...a, ...b, ...c, 0, 0, 0) <= 0) return false;
  }
  return true;
}

describe('randomRock', () => {
  it('is closed, manifold and oriented, with the topology of a sphere', () => {
    for (const convex of [true, false]) {
      for (let seed = 0; seed < 10; seed++) {
        const report = checkMesh(randomRock({ seed, convex }));
        expect(report).toMatchObject({
          closed: true,
          manifold: true,
          oriented: true,
          components: 1,
          eulerCharacteristic: 2,
        });
        expect(report.degenerateFaces.count).toBe(0);
        expect(report.enclosedVolume).toBeGreaterThan(0.3);
      }
    }
  });

  it('is exactly convex where convex was asked for, rough or not', () => {
    for (let seed = 0; seed < 20; seed++) {
      expect(isConvex(randomRock({ seed, convex: true, triangles: 4 + 20 * seed }))).toBe(true);
      expect(isConvex(randomRock({ seed, convex: true, triangles: 200, roughness: 0.3 }))).toBe(true);
    }
  });

  it('is not convex where concave was asked for, but star-shaped', () => {
    for (let seed = 0; seed < 20; seed++) {
      const rock = randomRock({ seed, convex: false, triangles: 500 });
      expect(isConvex(rock)).toBe(false);
      expect(isStarShaped(rock)).toBe(true);
    }
    expect(isStarShaped(randomRock({ seed: 5, convex: false, triangles: 20_000, roughness: 0.9 }))).toBe(
      true,
    );
  });

  it('has the wanted number of triangles', () => {
    for (const triangles of [4, 96, 1000]) {
      expect(randomRock({ seed: 1, convex: true, triangles }).triangleCount).toBe(triangles);
    }
    for (const n of [1, 2, 3, 10, 25]) {
      expect(randomRock({ seed: 1, convex: false, triangles: 8 * n * n }).triangleCount).toBe(8 * n * n);
    }
    expect(randomRock({ seed: 1, convex: false, triangles: 1000 }).triangleCount).toBe(8 * 11 * 11);
  });

  it('repeats itself for a seed and differs for others', () => {
    for (const convex of [true, false]) {
      const rocks = [4, 4, 5].map((seed) => randomRock({ seed, convex, triangles: 200 }));
      expect(rocks[0]!.positions).toEqual(rocks[1]!.positions);
      expect(rocks[0]!.indices).toEqual(rocks[1]!.indices);
      expect(rocks[0]!.positions).not.toEqual(rocks[2]!.positions);
    }
  });

  it('refuses options out of range', () => {
    expect(() => randomRock({ seed: -1, convex: true })).toThrow(
      'seed is -1, expected an integer from 0 to 4294967295',
    );
    expect(() => randomRock({ seed: 1, convex: true, triangles: 3 })).toThrow(
      'triangles is 3, expected an integer from 4',
    );
    expect(() => randomRock({ seed: 1, convex: false, triangles: 1e7 })).toThrow(InputError);
    expect(() => randomRock({ seed: 1, convex: false, roughness: 1 })).toThrow(
      'roughness is 1, expected a number',
    );
  });
});
