import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { encodeNpy } from '../../src/io/npy.ts';
import { gridPoints, parsePoints, readPoints } from '../../src/io/points.ts';
import { asciiStl, bytesOf, complaintOf, everyFormat, gzipOf, TETRAHEDRON } from '../mesh/read/fixtures.ts';
import { dataPath, describeWithData } from '../support/data.ts';
import { takesLess } from '../support/growth.ts';

function parse(content: string | Uint8Array): Promise<Float32Array> {
  return parsePoints(typeof content === 'string' ? bytesOf(content) : content, { name: 'p.csv' });
}

const complaint = (content: string | Uint8Array) => complaintOf(parse(content));
const wanted = Float32Array.of(1, 2, 3, -4.5, 0.1, 6e7);

describe('points in text', () => {
  it.each([
    ['blanks', '1 2 3\n-4.5 0.1 6e7'],
    ['tabs and blanks all over', '\t1  2\t3 \n\n -4.5\t.1 60000000.000\t\n\n'],
    ['commas', '1,2,3\n-4.5,0.1,6e7\n'],
    ['commas and blanks', '1, 2 , 3\n -4.5,\t0.1, 6e7 \n'],
    ['semicolons', '1;2;3\n-4.5;0.1;6e7\n'],
    ['CRLF', '1 2 3\r\n-4.5 0.1 6e7\r\n'],
    ['CR', '1 2 3\r-4.5 0.1 6e7\r'],
    ['a byte order mark', '\ufeff1 2 3\n-4.5 0.1 6e7'],
    ['comments', '# x y z\n1 2 3 # first\n#\n-4.5 0.1 6e7#'],
    ['a header', 'x,y,z\n1,2,3\n-4.5,0.1,6e7\n'],
    ['a header of three other names', 'easting northing height\n1 2 3\n-4.5 0.1 6e7'],
    ['more columns', '1 2 3 255 0 0 nan\n-4.5 0.1 6e7 x\n'],
    ['trailing commas', '1,2,3,\n-4.5,0.1,6e7,,\n'],
    ['named columns in any order', '"id","Z", "X" ,"a,b",Y\n7,3,1,"u,v",2\n8,6e7,-4.5,"",0.1\n'],
    ['named columns in any order between blanks', 'id y z x\na 2 3 1\nb 0.1 6e7 -4.5'],
    ['columns as ParaView names them', '"Points:0","Points:1","Points:2","p"\n1,2,3,9\n-4.5,0.1,6e7,9\n'],
    ['columns with blanks in them', 'name,x,y,z\nleft hand,1,2,3\n,-4.5,0.1,6e7\n'],
  ])('may have %s', async (_title, text) => {
    expect(await parse(text)).toEqual(wanted);
    expect(await parse(gzipOf(bytesOf(text)))).toEqual(wanted);
  });

  it.each([
    ['1 2 3\n1 nan 3', /^p\.csv: line 2: non-finite number: found "nan", expected a finite number for y$/],
    ['nan 2 3\n1 2 3', /^p\.csv: line 1: non-finite number/],
    ['1,2,-inf', /^p\.csv: line 1: non-finite number/],
    ['1 2 3\n1 2 4e38', /^p\.csv: line 2: coordinate overflows float32/],
    ['1 2 3\n1 2', /^p\.csv: line 2: truncated: found the end of the file, expected a finite number for z$/],
    ['1 2 3\n1 2\n1 2 3', /^p\.csv: line 2: found the end of the line, expected a finite number for z$/],
    ['1,2,3\n1,2\n', /^p\.csv: line 2: found the end of the line, expected ","$/],
    ['1,2,3\n1,,3\n', /^p\.csv: line 2: found ",", expected a finite number for y$/],
    ['1,2,3\n1,2,3 4\n', /^p\.csv: line 2: found "4", expected ","$/],
    ['1 2 3\none two three', /^p\.csv: line 2: found "one", expected a finite number for x$/],
    ['x,y,z\n"1",2,3', /^p\.csv: line 2: found ""1"", expected a finite number for x$/],
    ['1,5;2,5;3,5', /^p\.csv: line 1: found "/],
    [
      'id,a,b,c\n1,2,3,4',
      /^p\.csv: line 1: found "id,a,b,c" as the first line, expected numbers, column names with x, y and z/,
    ],
    ['hello', /^p\.csv: line 1: found "hello" as the first line/],
    ['1\n2\n3\n', /^p\.csv: line 1: found the end of the line, expected a finite number for y$/],
    ['', /^p\.csv: found no points, expected at least one$/],
    ['# nothing\n', /found no points/],
    ['x,y,z\n', /found no points/],
  ])('are refused with the line in %j', async (text, message) => {
    expect(await complaint(text)).toMatch(message);
  });

  it('are read at least as fast as by cutting lines into words and words into numbers', async () => {
    const text = `x,y,z\n${'0.123456,-7.5e-3,12345.678\n'.repeat(100_000)}`;
    expect((await parse(text)).length).toBe(300_000);
    const plain = () =>
      Float32Array.from(
        text
          .split('\n')
          .slice(1, -1)
          .flatMap((line) => line.split(',').map(Number)),
      );
    expect(await takesLess(() => parse(text), 1, plain)).toBe(true);
  });
});

describe('points in .npy', () => {
  it('are read from float32 and, rounded, from float64', async () => {
    expect(await parse(encodeNpy(wanted, [2, 3]))).toEqual(wanted);
    expect(await parse(encodeNpy(Float64Array.of(1, 2, 3, -4.5, 0.1, 6e7), [2, 3]))).toEqual(wanted);
    expect(await parse(gzipOf(encodeNpy(wanted, [2, 3])))).toEqual(wanted);
  });

  it.each([
    [
      encodeNpy(Int32Array.of(1, 2, 3), [1, 3]),
      'p.csv: found an array of i4, expected float32 (f4) or float64 (f8)',
    ],
    [encodeNpy(wanted, [6]), 'p.csv: found the shape [6], expected [n, 3]'],
    [
      encodeNpy(wanted, [3, 2]),
      'p.csv: found the shape [3, 2], expected [n, 3], a row per point: this one looks transposed',
    ],
    [
      encodeNpy(Float32Array.of(1, 2, 3, 4, Number.NaN, 6), [2, 3]),
      'p.csv: row 1: non-finite coordinate: found NaN, expected a finite number',
    ],
    [
      encodeNpy(Float64Array.of(1, 2, -1e39), [1, 3]),
      'p.csv: row 0: coordinate overflows float32: found -1e+39, expected at most 3.4e38',
    ],
    [encodeNpy(wanted, [2, 3]).subarray(0, 140), 'truncated'],
    [encodeNpy(new Float32Array(0), [0, 3]), 'found no points'],
  ])('are refused: case %#', async (bytes, message) => {
    expect(await complaint(bytes)).toContain(message);
  });
});

describe('points in mesh files', () => {
  const vertices = TETRAHEDRON.vertices.flat();

  it.each(Object.entries(everyFormat(TETRAHEDRON)))('are the vertices of %s', async (format, bytes) => {
    const points = await parse(bytes);
    // STL has no list of vertices, so its corners count, in the order of their appearance.
    expect(Array.from(points)).toEqual(
      format.startsWith('stl') ? [0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1] : vertices,
    );
    expect(points.buffer.byteLength).toBe(points.byteLength);
  });

  it('need no faces and are not welded', async () => {
    const cloud = { vertices: [...TETRAHEDRON.vertices, [0, 0, 0]], faces: [] };
    for (const [format, bytes] of Object.entries(everyFormat(cloud))) {
      if (format.startsWith('stl')) continue;
      expect(Array.from(await parse(bytes))).toEqual([...vertices, 0, 0, 0]);
    }
    const noFaceElement =
      'ply\nformat ascii 1.0\nelement vertex 2\nproperty double x\nproperty double y\nproperty double z\n' +
      'end_header\n1 2 3\n-4.5 0.1 6e7\n';
    expect(await parse(noFaceElement)).toEqual(wanted);
  });

  it('are refused without any, or where the mesh is malformed', async () => {
    expect(await complaint('OFF 0 0 0\n')).toContain('found no points');
    expect(await complaint(asciiStl(TETRAHEDRON).slice(0, -30))).toMatch(/^p\.csv: line \d+: /);
    expect(await complaint('v 1 2 3\nv 1 inf 2\n')).toBe(
      'p.csv: line 2: non-finite number: found "inf", expected a finite number for y',
    );
  });
});

describe('gridPoints', () => {
  it('are the centres of the cells of a cube 1.1 times as wide as the box, x fastest', () => {
    const points = gridPoints({ min: [0, 0, 4], max: [10, 5, 6] }, 2);
    // The centre is (5, 2.5, 5), the side 11, so the cells' centres are 2.75 off the centre.
    const [x, y, z] = [
      [2.25, 7.75],
      [-0.25, 5.25],
      [2.25, 7.75],
    ];
    const all = z!.flatMap((c) => y!.flatMap((b) => x!.flatMap((a) => [a, b, c])));
    expect(Array.from(points)).toEqual(all.map(Math.fround));
  });

  it('fill the box itself without a margin, and a point is its centre', () => {
    const box = { min: [-1, -1, -1], max: [1, 1, 1] } as const;
    expect(Array.from(new Set(gridPoints(box, 4, { margin: 0 })))).toEqual([-0.75, -0.25, 0.25, 0.75]);
    expect(Array.from(gridPoints(box, 1))).toEqual([0, 0, 0]);
    expect(Array.from(new Set(gridPoints(box, 2, { margin: 0.5 })))).toEqual([-1, 1]);
  });

  it('are refused for an empty or infinite box, a count or a margin out of range', () => {
    const box = { min: [0, 0, 0], max: [1, 1, 1] } as const;
    for (const n of [0, -1, 1.5, Number.NaN, 1e6]) expect(() => gridPoints(box, n)).toThrow(InputError);
    for (const margin of [-0.5, Number.NaN, Infinity])
      expect(() => gridPoints(box, 2, { margin })).toThrow(InputError);
    for (const max of [
      [0, 0, 0],
      [-1, 2, 2],
      [1, 1, Infinity],
      [1, 1, Number.NaN],
    ] as const) {
      expect(() => gridPoints({ min: [0, 0, 0], max }, 2)).toThrow(InputError);
    }
  });
});

describeWithData('readPoints', () => {
  it('reads the points of an oracle from a path, a URL and bytes', async () => {
    const path = dataPath('oracle/good__boot.points.npy');
    const points = await readPoints(path);
    expect(points.length).toBe(3 * 22000);
    expect(await readPoints(new URL(`file://${path}`))).toEqual(points);
    expect(await readPoints(readFileSync(path), { name: 'boot' })).toEqual(points);
    expect(await complaintOf(readPoints(dataPath('oracle/good__boot.inside.npy')))).toContain(
      'found an array of u1',
    );
  });

  it('reads the vertices of a mesh', async () => {
    expect((await readPoints(dataPath('good/thin_plate.obj'))).length).toBe(3 * 640);
    expect((await readPoints(dataPath('good/plate_holes.stl'))).length).toBe(3 * 618);
  });
});
