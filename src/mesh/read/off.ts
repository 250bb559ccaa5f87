// OFF, the Object File Format of Geomview (manual, "OFF: general polyhedra"), ASCII: the keyword with its prefixes,
// counts of vertices, faces and edges, a line per vertex, a line per face. Normals, colours and texture coordinates
// follow x, y, z or the corners on the same line and are skipped; so is everything behind `#`.
import { FaceBuilder, PositionBuilder, type RawMesh } from './raw-mesh.ts';
import { readError } from './read-error.ts';
import { TextScanner } from './text-scanner.ts';

/** ST texture, C colours, N normals. */
const KEYWORD = /^((ST)?C?N?OFF|off)$/;
/** The same with 4 (homogeneous) or n (any dimension), which is refused. */
const OTHER_DIMENSION = /^(ST)?C?N?(4|n|4n)OFF$/;
/** Bytes of the shortest lines, "0 0 0" and "0" with a line end each; the last line end may be missing. */
const VERTEX_LINE_BYTES = 6;
const FACE_LINE_BYTES = 2;

/** Whether this token is the keyword that an OFF file begins with. */
export function isOffKeyword(token: string): boolean {
  return KEYWORD.test(token) || OTHER_DIMENSION.test(token);
}

/**
 * Parses an ASCII OFF. Vertices and faces in the order of the file.
 * @throws InputError with the line number if counts do not fit the file, a vertex has no three finite float32
 * numbers, or a face has fewer than three corners or refers to a vertex that does not exist.
 */
export function parseOff(bytes: Uint8Array, name: string, start = 0): RawMesh {
  const scanner = new TextScanner(bytes, { name, start, comments: true });
  scanner.toToken();
  const keywordStart = scanner.pos;
  if (!KEYWORD.test(scanner.takeText())) {
    scanner.pos = keywordStart;
    throw scanner.error('the keyword OFF, of three dimensions');
  }
  if (scanner.takeWord('binary')) {
    throw readError({ name, place: `line ${scanner.line}`, found: 'a binary OFF', expected: 'an ASCII one' });
  }
  scanner.toToken();
  const vertexCount = scanner.takeCount('the number of vertices');
  scanner.toToken();
  const faceCount = scanner.takeCount('the number of faces');
  // The number of edges, which nobody counts, may be missing.
  scanner.nextLine();
  scanner.expectBytes(
    VERTEX_LINE_BYTES * vertexCount + FACE_LINE_BYTES * faceCount - 1,
    `${vertexCount} vertices and ${faceCount} faces`,
  );

  const positions = new PositionBuilder(vertexCount);
  for (let i = 0; i < vertexCount; i++) {
    scanner.toToken();
    const x = scanner.takeCoordinate('x');
    scanner.toToken();
    const y = scanner.takeCoordinate('y');
    scanner.toToken();
    positions.push(x, y, scanner.takeCoordinate('z'));
    scanner.nextLine();
  }

  const faces = new FaceBuilder();
  for (let i = 0; i < faceCount; i++) {
    scanner.toToken();
    const { line } = scanner;
    const size = scanner.takeCount('the number of corners of a face');
    if (size < 3) {
      throw readError({
        name,
        place: `line ${line}`,
        found: `face ${i} with ${size} corners`,
        expected: 'at least 3',
      });
    }
    for (let corner = 0; corner < size; corner++) {
      scanner.toToken();
      const at = scanner.pos;
      const vertex = scanner.takeCount('the vertex index of a corner');
      if (vertex >= vertexCount) {
        scanner.pos = at;
        throw scanner.error(`a vertex index below ${vertexCount}`);
      }
      faces.addCorner(vertex);
    }
    faces.endFace();
    scanner.nextLine();
  }
  scanner.expectEnd(`the ${vertexCount} vertices and ${faceCount} faces that the file announces`);
  return { format: 'off', positions: positions.finish(), ...faces.finish() };
}
