import { describe, expect, it } from 'vitest';
import { parseMesh } from '../../../src/mesh/read/parse-mesh.ts';
import {
  bytesOf,
  complaint,
  complaintOf,
  everyFormat,
  gzipOf,
  obj,
  parse,
  surfaceTriangles,
  TETRAHEDRON,
  trianglesOf,
} from './fixtures.ts';

const wanted = surfaceTriangles(TETRAHEDRON);

describe('parseMesh', () => {
  it.each(Object.entries(everyFormat(TETRAHEDRON)))(
    'finds %s by content, whatever the name',
    async (format, bytes) => {
      for (const name of ['part', 'part.stl', 'part.obj', 'part.ply.gz']) {
        const mesh = await parseMesh(bytes, { name });
        expect(mesh.origin.format).toBe(format);
        expect(mesh.name).toBe(name);
        expect(trianglesOf(mesh)).toEqual(wanted);
      }
    },
  );

  it.each(Object.entries(everyFormat(TETRAHEDRON)))('inflates gzip of %s', async (format, bytes) => {
    const mesh = await parse(gzipOf(bytes));
    expect(mesh.origin.format).toBe(format);
    expect(trianglesOf(mesh)).toEqual(wanted);
  });

  it('does not change the bytes it is given', async () => {
    for (const bytes of Object.values(everyFormat(TETRAHEDRON))) {
      const before = bytes.slice();
      await parse(bytes);
      expect(bytes).toEqual(before);
    }
  });

  it('refuses damaged and endless gzip', async () => {
    const packed = gzipOf(bytesOf(obj(TETRAHEDRON)));
    expect(await complaint(packed.subarray(0, packed.length - 9))).toContain('gzip');
    // Several members inflate one after the other: together 128 MiB, from 128 kB.
    const zeros = gzipOf(new Uint8Array(1 << 24));
    const endless = new Uint8Array(8 * zeros.length);
    for (let k = 0; k < 8; k++) endless.set(zeros, k * zeros.length);
    expect(await complaint(endless)).toMatch(
      /inflate to more than 67108864, expected at most 256 times as many/,
    );
    expect(await complaint(gzipOf(packed))).toContain('expected');
  });

  it('refuses a tolerance that is not greater than 0', async () => {
    for (const weld of [0, -1, Number.NaN, Infinity]) {
      expect(await complaintOf(parse(obj(TETRAHEDRON), weld))).toContain(
        `part.mesh: weld: found the tolerance ${weld}`,
      );
    }
  });

  it('merges vertices within the tolerance and drops what collapses', async () => {
    const cracked = `${obj(TETRAHEDRON).replace('f 2 3 4', '')}v 1.001 0 0\nv 0 0.999 0\nf 5 6 4\nf 2 5 3\n`;
    const open = await parse(cracked);
    expect(open.vertexCount).toBe(6);
    const closed = await parse(cracked, 0.01);
    expect(trianglesOf(closed)).toEqual(wanted);
    expect(closed.origin).toEqual({ format: 'obj', fileVertices: 6, fileTriangles: 5, facesDropped: 1 });
    expect(await complaintOf(parse(cracked, 100))).toContain(
      'found only triangles with two equal corners (5)',
    );
  });

  it('keeps an error on one line even if the name is not', async () => {
    expect(await complaintOf(parseMesh(bytesOf('?'), { name: 'a\nb' }))).toContain('a b: found');
  });
});
