import { describe, expect, it } from 'vitest';
import { ExactTest } from '../../src/inside/exact.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../src/mesh/random.ts';
import { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { boxMesh, joinMeshes, mapMesh, randomPoints, stepFloat32 } from '../support/shapes.ts';

const cube = boxMesh([0, 0, 0], [1, 1, 1]);

describe('exact test of a cube', () => {
  const test = new ExactTest(cube);
  const flag = (x: number, y: number, z: number) => test.flag(x, y, z, 'odd');

  it('flags vertices, edges and faces as boundary', () => {
    for (const x of [0, 0.5, 1]) {
      for (const y of [0, 0.5, 1]) {
        for (const z of [0, 0.5, 1]) {
          expect(flag(x, y, z), `${x} ${y} ${z}`).toBe(x === 0.5 && y === 0.5 && z === 0.5 ? 1 : 2);
        }
      }
    }
  });

  it('tells one ulp inside from one ulp outside at every place of the surface', () => {
    for (const [low, high] of [
      [stepFloat32(0, -1), stepFloat32(0, 1)],
      [stepFloat32(1, 1), stepFloat32(1, -1)],
    ]) {
      for (const along of [0, 0.25, 0.5, 1]) {
        for (let axis = 0; axis < 3; axis++) {
          const at = (x: number) => {
            const p = [along, along, along];
            p[axis] = x;
            return flag(p[0]!, p[1]!, p[2]!);
          };
          expect(at(low!)).toBe(0);
          expect(at(high!)).toBe(along === 0 || along === 1 ? 2 : 1);
        }
      }
    }
  });

  it('crosses each edge and vertex once: rays along -x and +x of the same line agree', () => {
    for (const y of [0.25, 0.5]) for (const z of [0.25, 0.5]) expect(flag(-1, y, z)).toBe(0);
    for (const y of [0, 1]) for (const z of [0, 0.5, 1]) expect(flag(-1, y, z)).toBe(0);
  });
});

describe('exact test of windings', () => {
  it('counts a body inside out as inside under nonzero', () => {
    const test = new ExactTest(mapMesh(cube, (x, y, z) => [x, y, z], { flip: true }));
    expect(test.flag(0.5, 0.5, 0.5, 'nonzero')).toBe(1);
    expect(test.flag(1.5, 0.5, 0.5, 'nonzero')).toBe(0);
  });

  it('separates odd from nonzero where two bodies overlap', () => {
    const test = new ExactTest(joinMeshes([cube, mapMesh(cube, (x, y, z) => [x + 0.5, y, z])]));
    expect(test.flag(0.75, 0.4, 0.3, 'odd')).toBe(0);
    expect(test.flag(0.75, 0.4, 0.3, 'nonzero')).toBe(1);
    expect(test.flag(0.25, 0.4, 0.3, 'odd')).toBe(1);
  });
});

describe('exact test of degenerate faces', () => {
  // A cube whose faces x = 1 are split by faces without area along an edge.
  const positions = Float32Array.from([...cube.positions, 1, 0.5, 0]);
  const middle = 8;
  const indices: number[] = [];
  for (let t = 0; t < cube.indices.length; t += 3) indices.push(...cube.indices.subarray(t, t + 3));
  // Vertices 1 (1,0,0) and 3 (1,1,0) with the middle between them: collinear, twice, so that edges stay even.
  indices.push(1, middle, 3, 3, middle, 1);
  const mesh = new TriangleMesh({ positions, indices: Uint32Array.from(indices) });

  it('finds points on a collinear face and ignores it elsewhere', () => {
    const test = new ExactTest(mesh);
    expect(test.flag(1, 0.25, 0, 'odd')).toBe(2);
    expect(test.flag(stepFloat32(1, 1), 0.25, 0, 'odd')).toBe(0);
    expect(test.flag(0.5, 0.25, stepFloat32(0, 1), 'odd')).toBe(1);
    expect(test.flag(0.25, 0.25, 0.25, 'odd')).toBe(1);
  });

  it('finds points on a face without area that stands alone', () => {
    const lonely = new TriangleMesh({
      positions: Float32Array.from([0, 0, 0, 1, 2, 3, 2, 4, 6]),
      indices: Uint32Array.from([0, 1, 2, 2, 1, 0]),
    });
    const test = new ExactTest(lonely);
    expect(test.flag(0.5, 1, 1.5, 'odd')).toBe(2);
    expect(test.flag(0.5, 1, 1.25, 'odd')).toBe(0);
  });
});

it('does not depend on the order of triangles or on the axis of the ray', () => {
  const random = createRandom(5);
  const sphere = unitSphere(3);
  const turned = mapMesh(sphere, (x, y, z) => [y, z, x]);
  const plain = new ExactTest(sphere);
  const reversed = new ExactTest(
    sphere,
    Uint32Array.from({ length: sphere.triangleCount }, (_, t) => sphere.triangleCount - 1 - t),
  );
  const other = new ExactTest(turned);
  const points = randomPoints(sphere, 3000, random);
  for (let i = 0; i < points.length; i += 3) {
    const [x, y, z] = points.subarray(i, i + 3);
    const flag = plain.flag(x!, y!, z!, 'odd');
    expect(reversed.flag(x!, y!, z!, 'odd')).toBe(flag);
    expect(other.flag(y!, z!, x!, 'odd')).toBe(flag);
    if (Math.hypot(x!, y!, z!) > 1) expect(flag).toBe(0);
  }
});
