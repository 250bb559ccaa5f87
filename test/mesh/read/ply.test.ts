import { describe, expect, it } from 'vitest';
import {
  asciiPly,
  binaryPly,
  bytesOf,
  complaint,
  concat,
  parse,
  surfaceTriangles,
  TETRAHEDRON,
  textOf,
  trianglesOf,
} from './fixtures.ts';

const wanted = surfaceTriangles(TETRAHEDRON);

/** Replaces text in the header of a binary file. */
function inHeader(bytes: Uint8Array, from: string | RegExp, to: string): Uint8Array {
  const end = Buffer.from(bytes).indexOf('end_header\n') + 'end_header\n'.length;
  return concat(bytesOf(textOf(bytes.subarray(0, end)).replace(from, to)), bytes.subarray(end));
}

type Column = readonly [
  type: string,
  write: 'Int8' | 'Uint8' | 'Int16' | 'Uint16' | 'Int32' | 'Uint32' | 'Float32' | 'Float64',
];
const TYPES: readonly Column[] = [
  ['char', 'Int8'],
  ['int8', 'Int8'],
  ['uchar', 'Uint8'],
  ['uint8', 'Uint8'],
  ['short', 'Int16'],
  ['int16', 'Int16'],
  ['ushort', 'Uint16'],
  ['uint16', 'Uint16'],
  ['int', 'Int32'],
  ['int32', 'Int32'],
  ['uint', 'Uint32'],
  ['uint32', 'Uint32'],
  ['float', 'Float32'],
  ['float32', 'Float32'],
  ['double', 'Float64'],
  ['float64', 'Float64'],
];

/** Values one after the other, each with its type's name. */
function pack(littleEndian: boolean, values: readonly (readonly [string, number])[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(8 * values.length));
  let at = 0;
  for (const [type, value] of values) {
    const [, write] = TYPES.find(([name]) => name === type)!;
    view[`set${write}`](at, value, littleEndian);
    at += Number.parseInt(write.replace(/\D+/, ''), 10) / 8;
  }
  return new Uint8Array(view.buffer, 0, at);
}

describe('PLY', () => {
  it.each([
    ['ply-ascii', bytesOf(asciiPly(TETRAHEDRON))],
    ['ply-binary-little-endian', binaryPly(TETRAHEDRON, true)],
    ['ply-binary-big-endian', binaryPly(TETRAHEDRON, false)],
  ])('%s is read in the order of the file', async (format, bytes) => {
    const mesh = await parse(bytes);
    expect(mesh.origin).toEqual({ format, fileVertices: 4, fileTriangles: 4, facesDropped: 0 });
    expect(trianglesOf(mesh)).toEqual(wanted);
    expect(trianglesOf(await parse(inHeader(bytes, /\n/g, '\r\n')))).toEqual(wanted);
    expect(trianglesOf(await parse(inHeader(bytes, /\n/g, '\r')))).toEqual(wanted);
    expect(trianglesOf(await parse(inHeader(bytes, /end_header\n/, 'end_header\r\n')))).toEqual(wanted);
    expect(trianglesOf(await parse(inHeader(bytes, 'vertex_indices', 'vertex_index')))).toEqual(wanted);
    expect(
      trianglesOf(await parse(inHeader(bytes, 'element v', 'comment é\nobj_info x\nelement v'))),
    ).toEqual(wanted);
  });

  it('with line ends of CR alone may have data that begins with LF', async () => {
    const header = [
      'ply',
      'format binary_little_endian 1.0',
      'element vertex 3',
      'property uchar x',
      'property uchar y',
      'property uchar z',
      'element face 1',
      'property list uchar uchar vertex_indices',
      'end_header\r',
    ].join('\r');
    const mesh = await parse(
      concat(bytesOf(header), new Uint8Array([10, 13, 10, 1, 2, 3, 7, 5, 6, 3, 0, 1, 2])),
    );
    expect(Array.from(mesh.positions)).toEqual([10, 13, 10, 1, 2, 3, 7, 5, 6]);
  });

  it.each(TYPES.flatMap(([type]) => [true, false].map((littleEndian) => [type, littleEndian] as const)))(
    'reads and skips scalars and lists of %s, little-endian %s',
    async (type, littleEndian) => {
      const isFloat = /float|double/.test(type);
      const index = isFloat ? 'int' : type;
      const header = [
        'ply',
        `format binary_${littleEndian ? 'little' : 'big'}_endian 1.0`,
        'element skipped 1',
        `property ${type} a`,
        `property list ${index} ${type} b`,
        'element face 1',
        `property ${type} before`,
        `property list ${index} ${index} vertex_indices`,
        `property list ${index} ${type} after`,
        'element vertex 3',
        `property list ${index} ${type} weights`,
        `property ${type} z`,
        `property ${type} colour`,
        `property ${type} y`,
        `property ${type} x`,
        'element empty 1000000000000',
        'end_header\n',
      ].join('\n');
      const list = (of: string, ...items: number[]) => [
        [index, items.length] as const,
        ...items.map((item) => [of, item] as const),
      ];
      const vertex = (x: number, y: number, z: number) =>
        [...list(type, 7, 8), [type, z], [type, 99], [type, y], [type, x]] as const;
      const data = pack(littleEndian, [
        [type, 100],
        ...list(type, 1, 2, 3),
        [type, 42],
        ...list(index, 2, 0, 1),
        ...list(type),
        ...vertex(1, 2, 3),
        ...vertex(4, 5, 6),
        ...vertex(7, 8, 10),
      ]);
      const mesh = await parse(concat(bytesOf(header), data));
      expect(trianglesOf(mesh)).toEqual([
        [
          [7, 8, 10],
          [1, 2, 3],
          [4, 5, 6],
        ],
      ]);
    },
  );

  it('in ASCII skips other elements and properties, not looking at their values', async () => {
    const text = asciiPly(TETRAHEDRON)
      .replace('property float x', 'property float quality\nproperty list uchar float w\nproperty float x')
      .replace('element face', 'property uchar red\nelement edge 2\nproperty int a\nelement face')
      .replace(
        '0 0 0\n1 0 0\n0 1 0\n0 0 1\n',
        'nan 0 0 0 0 9\n1 2 5 6 1 0 0 9\n? 1 x 0 1 0 9\n\n3 0 0 0 1 9\n1\n2\n',
      );
    expect(trianglesOf(await parse(text))).toEqual(wanted);
  });

  it('in ASCII may break lines anywhere', async () => {
    const [header, body] = asciiPly(TETRAHEDRON).split('end_header\n');
    expect(trianglesOf(await parse(`${header}end_header\n${body!.replace(/\s/g, '\r\n')}`))).toEqual(wanted);
    expect(trianglesOf(await parse(`${header}end_header\n${body!.replace(/\s+/g, ' ').trim()}`))).toEqual(
      wanted,
    );
  });

  it('in binary may be padded with blanks or zeros, and with nothing else', async () => {
    const bytes = binaryPly(TETRAHEDRON, true);
    expect(trianglesOf(await parse(concat(bytes, bytesOf('\r\n\0\0 '))))).toEqual(wanted);
    expect(await complaint(concat(bytes, bytesOf('x')))).toMatch(
      /^byte \d+: too long: found 1 more byte, expected nothing/,
    );
    expect(await complaint(`${asciiPly(TETRAHEDRON)}3 0 1 2\n`)).toMatch(
      /^line 18: found "3", expected nothing after/,
    );
  });

  it('with polygons gives n - 2 triangles each', async () => {
    const square = {
      vertices: [
        [0, 0, 0],
        [1, 0, 0],
        [1, 1, 0],
        [0, 1, 0],
      ],
      faces: [
        [0, 1, 2],
        [0, 1, 2, 3],
        [3, 2, 1],
      ],
    };
    const mesh = await parse(binaryPly(square, false));
    expect(Array.from(mesh.indices)).toEqual([0, 1, 2, 0, 1, 2, 0, 2, 3, 3, 2, 1]);
  });

  it.each([
    ['format ascii 1.0', 'format ascii 2.0', /^line 2: found "2\.0", expected PLY version 1\.0$/],
    [
      'format ascii',
      'format utf8',
      /^line 2: found "utf8", expected ascii, binary_little_endian or binary_big_endian$/,
    ],
    ['format ascii 1.0\n', '', /found no "format" in the header/],
    ['element vertex 4', 'element vertex four', /^line 3: found "four", expected the number of elements$/],
    ['element vertex 4', 'element vertex -4', /^line 3: found "-4"/],
    ['element vertex 4', 'element vertex 4.5', /^line 3: found "4\.5"/],
    [
      'element vertex 4',
      'element vertex 99999999999',
      /^header: truncated: found \d+ bytes after it, expected at least 6\d{11} for/,
    ],
    ['element face 4', 'element face 1e9', /^line 7: found "1e9"/],
    ['element face 4', 'element face 4000000000', /^header: truncated/],
    ['element face 4', 'element face 5', /truncated: found the end of the file/],
    ['element face 4', 'element face 3', /^line 17: found "3", expected nothing after/],
    ['property float x', 'property half x', /^line 4: found "half", expected list or a scalar type/],
    [
      'property float x',
      'property float y',
      /^line 5: found "y", expected a name that no other property of the element has$/,
    ],
    [
      'property float x',
      'property float w',
      /^header: found no scalar property "x" of vertex, expected x, y and z$/,
    ],
    ['property float x', 'property list int float x', /^header: found no scalar property "x"/],
    [
      'property list uchar',
      'property list float',
      /^line 8: found "int", expected an integer type for the length of a list instead of float32$/,
    ],
    ['uchar int vertex', 'uchar float vertex', /^header: found no list of integers "vertex_indices"/],
    [
      'vertex_indices',
      'corners',
      /^header: found no list of integers "vertex_indices" or "vertex_index" of face/,
    ],
    ['element vertex 4\n', '', /^line 3: found "property", expected an element|^line 3/],
    ['element face', 'elements face', /^line 7: found "elements", expected format, element,/],
    ['element face', 'element vertex', /^header: found 2 elements "vertex", expected one$/],
    ['end_header\n', '', /expected format, element, property/],
    ['3 0 2 1', '2 0 2', /^face 0 \(line 14\): found 2 corners, expected at least 3$/],
    ['3 0 2 1', '-1', /^line 14: found the list length -1/],
    ['3 0 2 1', '3.5 0 2 1', /^line 14: found the list length 3\.5/],
    [
      '3 0 2 1',
      '3 0 2 4',
      /^face 0 \(line 14\): found vertex index 4, expected less than 4, the number of vertices$/,
    ],
    ['3 0 2 1', '3 0 2 -1', /^face 0 \(line 14\): found vertex index -1/],
    ['3 0 2 1', '3 0 2 0.5', /^face 0 \(line 14\): found vertex index 0\.5/],
    ['3 0 2 1', '4294967295 0 2 1', /truncated: found the end of the file/],
    ['1 0 0\n', '1 nan 0\n', /^line 11: non-finite number: found "nan", expected a finite number for y$/],
    ['1 0 0\n', '1 0 1e39\n', /^vertex 1 \(line 11\): coordinate overflows float32: found 1e\+39/],
    ['1 0 0\n', '1 0 z\n', /^line 11: found "z", expected a finite number for z$/],
  ])('in ASCII is refused where %j has become %j', async (from, to, message) => {
    expect(await complaint(asciiPly(TETRAHEDRON).replace(from, to))).toMatch(message);
  });

  it('in binary is refused as truncated with the byte wherever it is cut', async () => {
    const bytes = binaryPly(TETRAHEDRON, true);
    for (let end = 3; end < bytes.length; end++) {
      expect(await complaint(bytes.subarray(0, end))).toMatch(/truncated|found|expected/);
    }
    expect(await complaint(bytes.subarray(0, bytes.length - 1))).toMatch(
      /^byte \d+: truncated: found 3 more bytes, expected 4 for vertex_indices$/,
    );
  });

  it('in binary is refused with vertex or face and byte', async () => {
    const bytes = binaryPly(TETRAHEDRON, true);
    const data = bytes.length - 48 - 4 * 13;
    const change = (at: number, edit: (view: DataView, at: number) => void) => {
      const copy = bytes.slice();
      edit(new DataView(copy.buffer), data + at);
      return complaint(copy);
    };
    expect(await change(16, (view, at) => view.setFloat32(at, Number.NaN, true))).toBe(
      `vertex 1 (byte ${data + 16}): non-finite coordinate: found NaN, expected a finite number for y`,
    );
    expect(await change(48 + 13, (view, at) => view.setUint8(at, 1))).toBe(
      `face 1 (byte ${data + 61}): found 1 corner, expected at least 3`,
    );
    expect(await change(48 + 14, (view, at) => view.setInt32(at, -7, true))).toBe(
      `face 1 (byte ${data + 62}): found vertex index -7, expected less than 4, the number of vertices`,
    );
    expect(await change(48 + 39, (view, at) => view.setUint8(at, 255))).toContain('truncated');
  });
});
