// Wavefront OBJ, after appendix B1 of the Advanced Visualizer manual ("Object Files", version 3.0): `v` and `f`
// statements with relative indices and line continuations. Every other statement (normals, texture, groups,
// materials, curves) is skipped without being looked at, as are w and colours behind x, y, z.
import { FaceBuilder, PositionBuilder, type RawMesh } from './raw-mesh.ts';
import { countOf, readError } from './read-error.ts';
import { TextScanner } from './text-scanner.ts';

const SLASH = 0x2f;
const CORNER = 'a corner such as 7, 7/2, 7//3, 7/2/3 or -1';

/**
 * Parses an OBJ. Vertices and faces in the order of the file, whatever group they are in. A positive index may refer
 * to a vertex further down.
 * @throws InputError with the line number if a vertex has no three finite float32 numbers, or a face has fewer than
 * three corners or refers to a vertex that does not exist.
 */
export function parseObj(bytes: Uint8Array, name: string, start = 0): RawMesh {
  const scanner = new TextScanner(bytes, { name, start, comments: true, continuations: true });
  const positions = new PositionBuilder();
  const faces = new FaceBuilder();
  let highest = 0;
  let highestLine = 0;
  while (scanner.toToken()) {
    if (scanner.takeWord('v')) {
      const x = scanner.takeCoordinate('x');
      const y = scanner.takeCoordinate('y');
      positions.push(x, y, scanner.takeCoordinate('z'));
    } else if (scanner.takeWord('f')) {
      const { line } = scanner;
      while (!scanner.atLineEnd) {
        const vertex = takeCorner(scanner, positions.count);
        if (vertex >= highest) {
          highest = vertex + 1;
          highestLine = line;
        }
        faces.addCorner(vertex);
      }
      if (faces.faceSize < 3) {
        const found = `a face of ${countOf(faces.faceSize, 'corner')}`;
        throw readError({ name, place: `line ${line}`, found, expected: 'at least 3' });
      }
      faces.endFace();
    }
    scanner.nextLine();
  }
  if (highest > positions.count) {
    const expected = `at most ${positions.count}, the number of vertices`;
    throw readError({ name, place: `line ${highestLine}`, found: `vertex index ${highest}`, expected });
  }
  return { format: 'obj', positions: positions.finish(), ...faces.finish() };
}

/** The vertex, from 0, of one corner of a face; -1 in the file is the last of the `count` vertices so far. */
function takeCorner(scanner: TextScanner, count: number): number {
  const start = scanner.pos;
  const index = scanner.takeInteger(CORNER);
  // Texture and normal are skipped without being checked against their lists.
  for (let part = 0; part < 2 && scanner.bytes[scanner.pos] === SLASH; part++) {
    scanner.pos++;
    if (scanner.bytes[scanner.pos] !== SLASH && !scanner.atTokenEnd) scanner.takeInteger(CORNER);
  }
  const vertex = index > 0 ? index - 1 : count + index;
  // No file has more vertices than bytes: an index beyond does not even fit into the array of corners.
  const exists = index !== 0 && vertex >= 0 && index <= scanner.bytes.length;
  if (!exists || !scanner.atTokenEnd) {
    const wellFormed = scanner.atTokenEnd;
    scanner.pos = start;
    throw scanner.error(wellFormed ? `the index of one of the vertices (${count} so far)` : CORNER);
  }
  scanner.skipBlanks();
  return vertex;
}
