import { describe, expect, it } from 'vitest';
import { complaint, obj, parse, surfaceTriangles, TETRAHEDRON, trianglesOf } from './fixtures.ts';

const wanted = surfaceTriangles(TETRAHEDRON);
const vertices = obj({ ...TETRAHEDRON, faces: [] });
const text = obj(TETRAHEDRON);

describe('OBJ', () => {
  it('is read in the order of the file', async () => {
    const mesh = await parse(text);
    expect(mesh.origin).toEqual({ format: 'obj', fileVertices: 4, fileTriangles: 4, facesDropped: 0 });
    expect(trianglesOf(mesh)).toEqual(wanted);
  });

  it.each([
    ['7/8 corners', 'f 1/9 3/9 2/9\nf 1/9 2/9 4/9\nf 1/9 4/9 3/9\nf 2/9 3/9 4/9'],
    ['7//8 corners', 'f 1//9 3//9 2//9\nf 1//9 2//9 4//9\nf 1//9 4//9 3//9\nf 2//9 3//9 4//9'],
    ['7/8/9 corners', 'f 1/9/9 3/9/9 2/9/9\nf 1/9/9 2/9/9 4/9/9\nf 1/9/9 4/9/9 3/9/9\nf 2/9/9 3/9/9 4/9/9'],
    ['negative indices', 'f -4 -2 -3\nf -4/-1 -3/-1 -1\nf -4//-1 -1 -2\nf -3/-1/-1 -2 -1'],
    ['a mixture of forms and trailing slashes', 'f 1/ 3// 2\nf 1/2/ -3 4\nf 1 4 3\nf 2 3 4'],
    ['line continuations', 'f 1\\\n3 2\nf 1 2 \\\r\n 4\nf \\\n1 4 3\nf 2 3 4\\\n'],
    ['comments', '# f 1 2 3 \\\nf 1 3 2 # f 1 1 1\nf 1 2 4#\n#\nf 1 4 3\nf 2 3 4'],
    [
      'groups and materials',
      'o a\ng b c\nusemtl d\nf 1 3 2\ns off\nf 1 2 4\ns 1\ng\nf 1 4 3\nf 2 3 4\nmtllib \\\nx',
    ],
    [
      'statements nobody knows',
      'fo 1\nvt nan\nvn\nvp x\ncurv 0 1 \\\nv 9 9 9\nf 1 3 2\nf 1 2 4\n?!\nf 1 4 3\nf 2 3 4',
    ],
    ['blanks all over', '\t f\t1  3 2 \nf 1 2 4\t\n\n   \nf 1 4 3\nf 2 3 4   '],
  ])('may have %s', async (_title, faces) => {
    expect(trianglesOf(await parse(vertices + faces))).toEqual(wanted);
    expect(trianglesOf(await parse((vertices + faces).replace(/\r?\n/g, '\r\n')))).toEqual(wanted);
    expect(trianglesOf(await parse((vertices + faces).replace(/\r?\n/g, '\r')))).toEqual(wanted);
  });

  it('may have w, colours and comments behind the coordinates, whatever they are', async () => {
    const coloured = text.replace('v 1 0 0', 'v 1 0 0 2.5').replace('v 0 1 0', 'v 0 1 0 0.1 nan 0.3 # red');
    expect(trianglesOf(await parse(coloured))).toEqual(wanted);
  });

  it('may refer to vertices that follow', async () => {
    const lines = text.trimEnd().split('\n');
    expect(trianglesOf(await parse([...lines.slice(4), ...lines.slice(0, 4)].join('\n')))).toEqual(wanted);
  });

  it('leaves out vertices that no triangle uses', async () => {
    const mesh = await parse(
      `v 9 9 9\n${text.replace(/^f.*$/gm, (face) => face.replace(/\d/g, (d) => `${+d + 1}`))}`,
    );
    expect(trianglesOf(mesh)).toEqual(wanted);
    expect(mesh.vertexCount).toBe(4);
    expect(mesh.origin.fileVertices).toBe(5);
  });

  it('splits polygons and drops the triangles that collapse', async () => {
    const mesh = await parse('v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 1 0 -0\nf 1 2 3 4\nf 2 5 3\nf 1 3 1\n');
    expect(trianglesOf(mesh)).toHaveLength(2);
    expect(mesh.origin).toMatchObject({ fileTriangles: 4, facesDropped: 2 });
  });

  it.each([
    ['f 0 1 2', /^line 5: found "0", expected the index of one of the vertices \(4 so far\)$/],
    ['f 1 2 5', /^line 5: found vertex index 5, expected at most 4, the number of vertices$/],
    ['f 1 2 -5', /^line 5: found "-5", expected the index/],
    ['f 1 2 99999999999999999999', /^line 5: found "99999999999999999999", expected the index/],
    ['f 1 2', /^line 5: found a face of 2 corners, expected at least 3$/],
    ['f', /^line 5: found a face of 0 corners, expected at least 3$/],
    ['f 1 2 three', /^line 5: found "three", expected a corner such as/],
    ['f 1 2 3.5', /^line 5: found "3\.5", expected a corner such as/],
    ['f 1 2 3/4/5/6', /^line 5: found "3\/4\/5\/6", expected a corner such as/],
    ['f 1 2 3/x', /^line 5: found "x", expected a corner|^line 5: found "3\/x"|^line 5: found "x"/],
    ['v 1 2\nf 1 2 3', /^line 5: found the end of the line, expected a finite number for z$/],
    ['v 1 2 x', /^line 5: found "x", expected a finite number for z$/],
    ['v 1 2 0x10', /^line 5: found "0x10"/],
    ['v 1 2 1e', /^line 5: found "1e"/],
    ['v 1 -nan 3', /^line 5: non-finite number: found "-nan", expected a finite number for y$/],
    ['v 1 2 -3.5e38', /^line 5: coordinate overflows float32/],
    ['v 1 2', /^line 5: truncated: found the end of the file, expected a finite number for z$/],
    ['', /^found 4 vertices and no faces, expected triangles$/],
    ['f 1 1 2', /^found only triangles with two equal corners \(1\) after welding/],
  ])('is refused with the line for %j', async (line, message) => {
    expect(await complaint(vertices + line)).toMatch(message);
  });

  it('keeps a message short and on one line whatever the file holds', async () => {
    const message = await complaint(`${vertices}f 1 2 ${'é\x07'.repeat(1000)}`);
    expect(message.length).toBeLessThan(300);
    expect(message).toMatch(/^[ -~]+$/);
  });
});
