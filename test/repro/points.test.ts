// Point-in-mesh cases reported against other libraries, rebuilt from their descriptions.
import { describe, expect, it } from 'vitest';
import { Polyhedron } from '../../src/inside/polyhedron.ts';
import { createRandom } from '../../src/mesh/random.ts';
import { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { useDevice } from '../support/device.ts';
import { differences, exactFlags } from '../support/flags.ts';
import { boxMesh, latticePoints, mapMesh, randomPoints } from '../support/shapes.ts';
import { classifyInEveryWay } from '../support/ways.ts';

const device = useDevice();

const classify = (mesh: TriangleMesh, points: Float32Array, options = {}) =>
  classifyInEveryWay(device(), mesh, points, options);

describe('rays through edges and vertices', () => {
  it('trimesh#85: a point whose [1,1,1] ray touches an edge of a cube', async () => {
    const cube = boxMesh([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]);
    // The diagonal rays from these points pass through edges and corners of the cube.
    const points = Float32Array.from([
      -1.5, -1.5, -1.5, -1, -1, 0, -1.5, -0.5, -0.5, 0, 0, 0, -0.25, -0.25, -0.25,
    ]);
    expect([...(await classify(cube, points)).flags]).toEqual([0, 0, 0, 1, 1]);
  });

  it('Embree#174, #181, #188, Open3D#5105: rays along faces and through shared edges leave no holes', async () => {
    // A fan of faces around one vertex: every axis ray to the apex runs through many edges.
    const sides = 24;
    const positions = [0, 0, 1, 0, 0, 0];
    const indices: number[] = [];
    for (let i = 0; i < sides; i++) {
      const next = (i + 1) % sides;
      // Rational points of the circle, so that cos and sin do not round the fixture.
      const t = Math.tan((Math.PI * i) / sides);
      positions.push((1 - t * t) / (1 + t * t), (2 * t) / (1 + t * t), 0);
      indices.push(0, 2 + i, 2 + next, 1, 2 + next, 2 + i);
    }
    const cone = new TriangleMesh({
      positions: Float32Array.from(positions),
      indices: Uint32Array.from(indices),
    });
    const points = latticePoints(33, -1, 1);
    const { flags } = await classify(cone, points);
    expect(differences(flags, exactFlags(cone, points), points)).toEqual([]);
  });
});

describe('signs from the surface', () => {
  it('Warp#1836: points past the sharp edges and corners of a tetrahedron', async () => {
    const tetrahedron = new TriangleMesh({
      positions: Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]),
      indices: Uint32Array.from([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]),
    });
    const random = createRandom(3);
    const points = randomPoints(tetrahedron, 20_000, random, 0.5);
    const { flags } = await classify(tetrahedron, points);
    for (let i = 0; i < flags.length; i++) {
      const [x, y, z] = points.subarray(3 * i, 3 * i + 3);
      const inside = x! > 0 && y! > 0 && z! > 0 && x! + y! + z! < 1;
      // x + y + z rounds in float64 only for points whose flag exact predicates decide anyway.
      if (Math.abs(x! + y! + z! - 1) > 1e-12) expect(flags[i]).toBe(inside ? 1 : 0);
    }
  });

  it('fast-winding-number-soups#2: one box of two turned inside out changes nothing under rule odd', async () => {
    const boxes = [boxMesh([0, 0, 0], [1, 1, 1]), boxMesh([2, 0, 0], [3, 1, 1])];
    const flipped = mapMesh(boxes[1]!, (x, y, z) => [x, y, z], { flip: true });
    const join = (second: TriangleMesh) =>
      new TriangleMesh({
        positions: Float32Array.from([...boxes[0]!.positions, ...second.positions]),
        indices: Uint32Array.from([...boxes[0]!.indices, ...second.indices.map((i) => i + 8)]),
      });
    const points = latticePoints(20, -0.4, 3.4);
    for (const rule of ['odd', 'nonzero'] as const) {
      const straight = await classify(join(boxes[1]!), points, { rule });
      const turned = await classify(join(flipped), points, { rule });
      expect(differences(turned.flags, straight.flags, points)).toEqual([]);
      expect(straight.counts.inside).toBeGreaterThan(0);
    }
  });

  it('inside-3d-mesh#1: a box of 1e5 with points 1e-2 beside its faces', async () => {
    const box = boxMesh([0, 0, 0], [1e5, 1e5, 1e5]);
    const points: number[] = [];
    const expected: number[] = [];
    for (const offset of [-0.01, 0.01]) {
      for (const a of [10, 12345.678, 50_000, 99_999]) {
        for (const b of [10, 33_333.33, 99_999]) {
          points.push(offset, a, b, a, offset, b, a, b, offset);
          expected.push(...Array.from({ length: 3 }, () => (offset > 0 ? 1 : 0)));
        }
      }
    }
    expect([...(await classify(box, Float32Array.from(points))).flags]).toEqual(expected);
  });
});

describe('bad meshes', () => {
  it('libigl-python-bindings#198: an open, a flat and an empty mesh end in a sentence, not in a crash', async () => {
    const cube = boxMesh([0, 0, 0], [1, 1, 1], 'cube');
    const open = new TriangleMesh({
      positions: cube.positions,
      indices: cube.indices.slice(3),
      name: 'open cube',
    });
    await expect(Polyhedron.create(device(), open)).rejects.toThrow(/^open cube: .*3 boundary edges[^\n]*$/);
    const empty = new TriangleMesh({
      positions: new Float32Array(0),
      indices: new Uint32Array(0),
      name: 'nothing',
    });
    await expect(Polyhedron.create(device(), empty)).rejects.toThrow(/^nothing: the mesh has no triangles/);
    // Two faces back to back: closed, without an inside.
    const flat = new TriangleMesh({
      positions: Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0]),
      indices: Uint32Array.from([0, 1, 2, 2, 1, 0]),
    });
    const result = await classify(
      flat,
      Float32Array.from([0.25, 0.25, 0, 0.25, 0.25, 1e-30, 0.25, 0.25, -1, 0.9, 0.9, 0]),
    );
    expect([...result.flags]).toEqual([2, 0, 0, 0]);
  });

  it('points that are not finite or not whole are refused with their place', async () => {
    const polyhedron = await Polyhedron.create(device(), boxMesh([0, 0, 0], [1, 1, 1]));
    await expect(polyhedron.classify(Float32Array.from([0, 0, 0, 0, NaN, 0]))).rejects.toThrow(
      /point 1 has the coordinate NaN/,
    );
    await expect(polyhedron.classify(Float32Array.from([0, -Infinity, 0]))).rejects.toThrow(
      /point 0 .*-Infinity/,
    );
    await expect(polyhedron.classify(new Float32Array(4))).rejects.toThrow(
      /4 coordinates found, expected a multiple of 3/,
    );
    await expect(polyhedron.classify([0, 0, 0] as never)).rejects.toThrow(/expected a Float32Array/);
    await expect(polyhedron.classify(new Float32Array(3), { method: 'magic' as never })).rejects.toThrow(
      /expected one of auto, cell-grid, ray-crossing/,
    );
    await expect(polyhedron.classify(new Float32Array(3), { rule: 'even' as never })).rejects.toThrow(
      /expected one of odd, nonzero/,
    );
    polyhedron.destroy();
    await expect(polyhedron.classify(new Float32Array(3))).rejects.toThrow(/destroyed/);
  });
});
