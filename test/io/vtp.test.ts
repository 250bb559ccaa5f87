import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { encodeVtp, encodeVtpSurface } from '../../src/io/vtp.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { decodeVtp } from '../support/vtp.ts';

describe('encodeVtp', () => {
  it('holds points, a vertex cell each, and the flags as point data', () => {
    const points = Float32Array.of(0, 1, 2, -3.5, 4.25, 1e-20, 7, 8, 9);
    const { head, arrays, foot } = decodeVtp(encodeVtp({ points, flags: Uint8Array.of(0, 1, 2) }));
    expect(head).toContain(
      '<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian" header_type="UInt64">',
    );
    expect(head).toContain('<Piece NumberOfPoints="3" NumberOfVerts="3">');
    expect(head).toContain('<PointData Scalars="flag">');
    expect(head).toMatch(/Name="Points" NumberOfComponents="3"/);
    expect(arrays).toEqual({
      flag: [0, 1, 2],
      Points: [...points],
      connectivity: [0, 1, 2],
      offsets: [1, 2, 3],
    });
    expect(foot).toBe('\n</AppendedData>\n</VTKFile>\n');
  });

  it('takes views into larger buffers, and no points at all', () => {
    const points = Float32Array.of(9, 9, 9, 1, 2, 3).subarray(3);
    const flags = Uint8Array.of(7, 1).subarray(1);
    expect(decodeVtp(encodeVtp({ points, flags })).arrays).toMatchObject({ flag: [1], Points: [1, 2, 3] });
    const none = decodeVtp(encodeVtp({ points: new Float32Array(0), flags: new Uint8Array(0) }));
    expect(none.arrays).toEqual({ flag: [], Points: [], connectivity: [], offsets: [] });
  });

  it('refuses flags that do not fit the points', () => {
    expect(() => encodeVtp({ points: new Float32Array(3), flags: new Uint8Array(3) })).toThrow(InputError);
  });
});

describe('encodeVtpSurface', () => {
  it('holds vertices and triangles', () => {
    const mesh = unitSphere(1);
    const { head, arrays } = decodeVtp(encodeVtpSurface(mesh));
    expect(head).toContain(
      `<Piece NumberOfPoints="${mesh.vertexCount}" NumberOfPolys="${mesh.triangleCount}">`,
    );
    expect(arrays.Points).toEqual([...mesh.positions]);
    expect(arrays.connectivity).toEqual([...mesh.indices]);
    expect(arrays.offsets).toEqual(Array.from({ length: mesh.triangleCount }, (_, i) => 3 * (i + 1)));
  });
});
