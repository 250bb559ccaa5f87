import { describe, expect, it } from 'vitest';
import {
  asciiStl,
  binaryStl,
  bytesOf,
  complaint,
  concat,
  parse,
  surfaceTriangles,
  TETRAHEDRON,
  trianglesOf,
} from './fixtures.ts';

const wanted = surfaceTriangles(TETRAHEDRON);

describe('binary STL', () => {
  it.each(['', 'solid', 'solid part\nfacet normal 0 0 0\n', 'ply\n', 'OFF', 'v 0 0 0'])(
    'is told by its length, with the header %j',
    async (header) => {
      const mesh = await parse(binaryStl(TETRAHEDRON, header));
      expect(mesh.origin).toEqual({
        format: 'stl-binary',
        fileVertices: 12,
        fileTriangles: 4,
        facesDropped: 0,
      });
      expect(trianglesOf(mesh)).toEqual(wanted);
    },
  );

  it.each([1, 2, 49])('may have %i trailing bytes', async (count) => {
    const mesh = await parse(concat(binaryStl(TETRAHEDRON, 'solid'), new Uint8Array(count)));
    expect(trianglesOf(mesh)).toEqual(wanted);
  });

  it('is parsed from the middle of a larger buffer at an odd offset', async () => {
    const whole = concat(new Uint8Array(3), binaryStl(TETRAHEDRON), new Uint8Array(500));
    expect(trianglesOf(await parse(whole.subarray(3, 3 + 84 + 200)))).toEqual(wanted);
  });

  it('welds vertices in the order of their appearance and joins -0 with +0', async () => {
    const mesh = await parse(
      binaryStl({
        vertices: [
          [0, 1, 2],
          [1, -0, 0],
          [1, 0, -0],
          [0, 0, 3],
          [5, 5, 5],
        ],
        faces: [
          [0, 1, 3],
          [2, 4, 3],
        ],
      }),
    );
    expect(Array.from(mesh.positions)).toEqual([0, 1, 2, 1, 0, 0, 0, 0, 3, 5, 5, 5]);
    expect(Array.from(mesh.indices)).toEqual([0, 1, 2, 1, 3, 2]);
  });

  it('is refused as truncated when the count claims more than the file holds', async () => {
    const bytes = binaryStl(TETRAHEDRON, 'solid');
    expect(await complaint(bytes.subarray(0, 200))).toBe(
      'byte 80: truncated: found 200 bytes, room for 2 triangles, ' +
        'expected 284 bytes for the 4 triangles that a binary STL would have by this count',
    );
    new DataView(bytes.buffer).setUint32(80, 0xffffffff, true);
    expect(await complaint(bytes)).toContain('truncated: found 284 bytes');
    expect(await complaint(bytes.subarray(0, 60))).toContain('truncated: found 60 bytes');
  });

  it('is refused when a facet or more follows those it counts', async () => {
    expect(await complaint(concat(binaryStl(TETRAHEDRON), new Uint8Array(50)))).toContain('too long');
  });

  it('is refused with triangle and byte when a coordinate is not finite', async () => {
    for (const value of [Number.NaN, Infinity, -Infinity]) {
      const bytes = binaryStl(TETRAHEDRON);
      new DataView(bytes.buffer).setFloat32(84 + 50 + 12 + 12 + 8, value, true);
      expect(await complaint(bytes)).toBe(
        `triangle 1 (byte 166): non-finite coordinate: found ${value}, expected a finite number for z of corner 1`,
      );
    }
  });

  it('is refused without triangles', async () => {
    expect(await complaint(binaryStl({ vertices: [], faces: [] }))).toContain(
      'found 0 vertices and no faces',
    );
  });
});

describe('ASCII STL', () => {
  it('is read, with three file vertices per facet', async () => {
    const mesh = await parse(asciiStl(TETRAHEDRON));
    expect(mesh.origin).toEqual({ format: 'stl-ascii', fileVertices: 12, fileTriangles: 4, facesDropped: 0 });
    expect(trianglesOf(mesh)).toEqual(wanted);
  });

  it.each([
    ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['CR', (text: string) => text.replaceAll('\n', '\r')],
    ['upper case', (text: string) => text.toUpperCase()],
    ['tabs and empty lines', (text: string) => text.replaceAll(' ', '\t\t').replaceAll('\n', '\n\n \t\n')],
    ['no line ends inside the solid', (text: string) => text.replace(/\n(?!facet|$)/g, ' ')],
    ['no final line end', (text: string) => text.trimEnd()],
    ['a byte order mark and leading blanks', (text: string) => `\ufeff \n\t${text}`],
    ['no names', (text: string) => text.replaceAll(' part', '')],
    ['a name of several words', (text: string) => text.replaceAll('part', 'facet normal 0 0 0 ü')],
    ['nan normals', (text: string) => text.replaceAll('normal 0 0 0', 'normal nan -nan(ind) inf')],
  ])('may have %s', async (_title, change) => {
    expect(trianglesOf(await parse(change(asciiStl(TETRAHEDRON))))).toEqual(wanted);
  });

  it('may hold several solids', async () => {
    const { vertices, faces } = TETRAHEDRON;
    const halves = [faces.slice(0, 2), faces.slice(2)].map((half) => asciiStl({ vertices, faces: half }));
    expect(trianglesOf(await parse(halves.join('')))).toEqual(wanted);
  });

  it('reads numbers in every decimal form and rounds them to float32', async () => {
    const text = asciiStl(TETRAHEDRON)
      .replaceAll('vertex 1 0 0', 'vertex +.1e1 -0. 0.0E-400')
      .replaceAll('vertex 0 1 0', 'vertex 0 0.30000000000000000000000000000001 00000');
    const mesh = await parse(text);
    expect(mesh.box.max).toEqual([1, Math.fround(0.3), 1]);
    expect(mesh.positions.some((x) => Object.is(x, -0))).toBe(false);
  });

  it.each([
    [
      'vertex 1 0 0',
      'vertex 1 0 nan',
      /^line 6: non-finite number: found "nan", expected a finite number for z$/,
    ],
    ['vertex 1 0 0', 'vertex -Infinity 0 0', /^line 6: non-finite number: found "-Infinity"/],
    ['vertex 1 0 0', 'vertex 1 0 1.#QNAN0', /^line 6: non-finite number/],
    [
      'vertex 1 0 0',
      'vertex 1e39 0 0',
      /^line 6: coordinate overflows float32: found "1e39", expected .*3\.4e38/,
    ],
    ['vertex 1 0 0', 'vertex 1e999 0 0', /^line 6: number overflows float64: found "1e999"/],
    ['vertex 1 0 0', 'vertex 1,0 0 0', /^line 6: found "1,0", expected a finite number for x$/],
    ['vertex 1 0 0', 'vertex 1 0', /^line 7: found "endloop", expected a finite number for z$/],
    ['outer loop', 'outerloop', /^line 3: found "outerloop", expected "outer"$/],
    ['endloop', 'vertex 1 1 1\nendloop', /^line 7: found "vertex", expected "endloop"$/],
    ['endsolid', 'endsolid\n$', /^line \d+: found "\$", expected "solid"$/],
  ])('is refused with the line where %j has become %j', async (from, to, message) => {
    expect(await complaint(asciiStl(TETRAHEDRON).replace(from, to))).toMatch(message);
  });

  it('is refused as truncated wherever it is cut before its end', async () => {
    const text = asciiStl(TETRAHEDRON);
    for (const word of ['facet normal', 'normal', 'outer', 'vertex', 'endloop', 'endfacet', 'endsolid']) {
      expect(await complaint(text.slice(0, text.lastIndexOf(word)))).toContain(
        'truncated: found the end of the file',
      );
    }
  });

  it('is refused without triangles', async () => {
    expect(await complaint('solid nothing\nendsolid nothing\n')).toContain('no faces');
  });
});

it('text that is too short for anything is refused', async () => {
  expect(await complaint(new Uint8Array(0))).toContain('found an empty file, expected STL, OBJ, PLY or OFF');
  expect(await complaint(bytesOf('hello\nworld'))).toContain(
    'found a file that begins with "hello\\x0aworld"',
  );
});
