import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { openCellFoam } from '../../src/mesh/generate-foam.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { MESH_FORMATS, type MeshFormat } from '../../src/mesh/mesh-formats.ts';
import { parseMesh } from '../../src/mesh/read/parse-mesh.ts';
import { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { encodeMesh } from '../../src/mesh/write-mesh.ts';

/** Corner coordinates of all triangles, in order. */
function corners(mesh: TriangleMesh): Float32Array {
  return Float32Array.from([...mesh.indices].flatMap((v) => [...mesh.positions.subarray(3 * v, 3 * v + 3)]));
}

const FOUND: Record<MeshFormat, string> = { stl: 'stl-binary', obj: 'obj', ply: 'ply-binary-little-endian' };

describe.each(MESH_FORMATS)('encodeMesh to %s', (format) => {
  it('is read back with the same float32 corners in the same order', async () => {
    for (const mesh of [unitSphere(3), openCellFoam({ triangles: 3000 })]) {
      const again = await parseMesh(encodeMesh(mesh, format), { name: `mesh.${format}` });
      expect(again.origin).toMatchObject({
        format: FOUND[format],
        facesDropped: 0,
        fileTriangles: mesh.triangleCount,
      });
      expect(again.vertexCount).toBe(mesh.vertexCount);
      expect(corners(again)).toEqual(corners(mesh));
    }
  });

  it('keeps vertices of any magnitude', async () => {
    const coordinate = fc.float({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0);
    await fc.assert(
      fc.asyncProperty(fc.array(coordinate, { minLength: 9, maxLength: 9 }), async (values) => {
        const positions = Float32Array.from(values);
        const mesh = new TriangleMesh({ positions, indices: Uint32Array.of(0, 1, 2) });
        const keys = [0, 3, 6].map((v) => positions.subarray(v, v + 3).join(' '));
        fc.pre(new Set(keys).size === 3);
        const again = await parseMesh(encodeMesh(mesh, format), { name: 'mesh' });
        expect(corners(again)).toEqual(positions);
      }),
      { numRuns: 200 },
    );
  });
});

describe('encodeMesh', () => {
  it('keeps vertices and indices as they are in OBJ and PLY', async () => {
    const mesh = unitSphere(2);
    for (const format of ['obj', 'ply'] as const) {
      const again = await parseMesh(encodeMesh(mesh, format), { name: 'mesh' });
      expect(again.positions).toEqual(mesh.positions);
      expect(again.indices).toEqual(mesh.indices);
    }
  });

  it('gives STL outward unit normals, zero for a triangle without area, and a header that is not "solid"', () => {
    const sphere = unitSphere(2);
    const bytes = encodeMesh(sphere, 'stl');
    expect(bytes).toHaveLength(84 + 50 * sphere.triangleCount);
    expect(new TextDecoder().decode(bytes.subarray(0, 5))).not.toBe('solid');
    const facet = (file: Uint8Array, t: number) => {
      const view = new DataView(file.buffer, file.byteOffset);
      return Array.from({ length: 6 }, (_, k) => view.getFloat32(84 + 50 * t + 4 * k, true)) as number[];
    };
    for (let t = 0; t < sphere.triangleCount; t++) {
      const [nx, ny, nz, x, y, z] = facet(bytes, t) as [number, number, number, number, number, number];
      expect(Math.hypot(nx, ny, nz)).toBeCloseTo(1, 6);
      expect(nx * x + ny * y + nz * z).toBeGreaterThan(0.9);
    }
    const flat = new TriangleMesh({
      positions: Float32Array.of(0, 0, 0, 1, 1, 1, 2, 2, 2),
      indices: Uint32Array.of(0, 1, 2),
    });
    expect(facet(encodeMesh(flat, 'stl'), 0).slice(0, 3)).toEqual([0, 0, 0]);
  });

  it('refuses an unknown format', () => {
    expect(() => encodeMesh(unitSphere(0), 'step' as 'stl')).toThrow(
      new InputError('mesh format "step": expected one of stl, obj, ply'),
    );
  });
});
