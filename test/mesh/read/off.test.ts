import { describe, expect, it } from 'vitest';
import { complaint, off, parse, surfaceTriangles, TETRAHEDRON, trianglesOf } from './fixtures.ts';

const wanted = surfaceTriangles(TETRAHEDRON);
const text = off(TETRAHEDRON);

describe('OFF', () => {
  it('is read in the order of the file', async () => {
    const mesh = await parse(text);
    expect(mesh.origin).toEqual({ format: 'off', fileVertices: 4, fileTriangles: 4, facesDropped: 0 });
    expect(trianglesOf(mesh)).toEqual(wanted);
  });

  it.each([
    ['counts on the first line', text.replace('OFF\n', 'OFF ')],
    ['no count of edges', text.replace('4 4 0', '4 4')],
    ['comments and empty lines', `# made\n\n${text.replaceAll('\n', ' # note\n\n# 3 0 1 2\n')}`],
    ['CRLF', text.replaceAll('\n', '\r\n')],
    ['CR', text.replaceAll('\n', '\r')],
    ['no final line end', text.trimEnd()],
    ['a lower-case keyword', text.replace('OFF', 'off')],
    [
      'colours of vertices',
      text
        .replace('OFF', 'COFF')
        .replace(/^(\d \d \d)$/gm, '$1 255 0 0 255')
        .replace('4 4 0 255 0 0 255', '4 4 0'),
    ],
    [
      'normals of vertices',
      text
        .replace('OFF', 'NOFF')
        .replace(/^(\d \d \d)$/gm, '$1 0 0 1')
        .replace('4 4 0 0 0 1', '4 4 0'),
    ],
    ['texture coordinates', text.replace('OFF', 'STOFF')],
    ['all of them', text.replace('OFF', 'STCNOFF')],
    ['colours of faces', text.replace(/^(3 .*)$/gm, '$1 0.5 0.5 0.5')],
    ['face colours that are numbers of a map', text.replace(/^(3 .*)$/gm, '$1 7')],
  ])('may have %s', async (_title, content) => {
    expect(trianglesOf(await parse(content))).toEqual(wanted);
  });

  it.each([
    ['OFF', '4OFF', /^line 1: found "4OFF", expected the keyword OFF, of three dimensions$/],
    ['OFF', 'nOFF', /^line 1: found "nOFF"/],
    ['OFF', 'OFF BINARY', /^line 1: found a binary OFF, expected an ASCII one$/],
    ['4 4 0', 'x 4 0', /^line 2: found "x", expected the number of vertices$/],
    ['4 4 0', '4 -4 0', /^line 2: found "-4", expected the number of faces$/],
    [
      '4 4 0',
      '4000000000 4 0',
      /^line 3: truncated: found \d+ more bytes, expected at least 24000000007 for/,
    ],
    ['4 4 0', '4 4000000000 0', /truncated/],
    ['4 4 0', '4 99999999999999999999999999999 0', /truncated/],
    ['4 4 0', '4 3 0', /^line 10: found "3", expected nothing after the 4 vertices and 3 faces/],
    ['3 0 2 1', '2 0 2', /^line 7: found face 0 with 2 corners, expected at least 3$/],
    ['3 0 2 1', '3 0 2 4', /^line 7: found "4", expected a vertex index below 4$/],
    ['3 0 2 1', '3 0 2 -1', /^line 7: found "-1", expected the vertex index of a corner$/],
    ['3 0 2 1', '999999999 0 2 1', /truncated: found the end of the file/],
    ['1 0 0\n', '1 inf 0\n', /^line 4: non-finite number: found "inf", expected a finite number for y$/],
    ['1 0 0\n', '1 0 1e40\n', /^line 4: coordinate overflows float32/],
  ])('is refused with the line where %j has become %j', async (from, to, message) => {
    expect(await complaint(text.replace(from, to))).toMatch(message);
  });

  it('is refused as truncated when it ends early', async () => {
    const lines = text.trimEnd().split('\n');
    for (let count = 2; count < lines.length; count++) {
      expect(await complaint(lines.slice(0, count).join('\n'))).toContain('truncated');
    }
  });
});
