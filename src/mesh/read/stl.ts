// STL, binary and ASCII, after the StereoLithography Interface Specification (3D Systems, 1988-89): binary is an
// 80-byte header, a little-endian count and 50 bytes per facet; ASCII is a nesting of solid, facet, outer loop and
// vertex. Normals and attribute bytes are not used: orientation comes from the order of the corners.
import { PositionBuilder, type RawMesh } from './raw-mesh.ts';
import { countOf, readError } from './read-error.ts';
import { TextScanner } from './text-scanner.ts';

const HEADER_BYTES = 80;
const FACETS_AT = HEADER_BYTES + 4;
const FACET_BYTES = 50;
const NORMAL_BYTES = 12;
const AXES = ['x', 'y', 'z'];

/**
 * Whether the file is as long as a binary STL with the count it states. Less than one facet of trailing bytes is
 * allowed. That settles the format whatever the header says: four bytes of text, read as a count, exceed 10^8, so a
 * text file would have to be larger than 7 GB to pass.
 */
export function hasBinaryStlLength(bytes: Uint8Array): boolean {
  if (bytes.length < FACETS_AT) return false;
  const rest = bytes.length - FACETS_AT - FACET_BYTES * facetCount(bytes);
  return rest >= 0 && rest < FACET_BYTES;
}

function facetCount(bytes: Uint8Array): number {
  return viewOf(bytes).getUint32(HEADER_BYTES, true);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Parses a binary STL. Three vertices per facet, in the order of the file.
 * @throws InputError if the length does not fit the count, or a coordinate is not finite.
 */
export function parseBinaryStl(bytes: Uint8Array, name: string): RawMesh {
  if (!hasBinaryStlLength(bytes)) throw wrongLength(bytes, name);
  const count = facetCount(bytes);
  const view = viewOf(bytes);
  const positions = new Float32Array(9 * count);
  for (let facet = 0, out = 0; facet < count; facet++) {
    let at = FACETS_AT + FACET_BYTES * facet + NORMAL_BYTES;
    for (let k = 0; k < 9; k++, at += 4) {
      const value = view.getFloat32(at, true);
      if (!Number.isFinite(value)) {
        throw readError({
          name,
          place: `triangle ${facet} (byte ${at})`,
          problem: 'non-finite coordinate',
          found: `${value}`,
          expected: `a finite number for ${AXES[k % 3]} of corner ${Math.floor(k / 3)}`,
        });
      }
      // Adding zero turns -0 into +0.
      positions[out++] = value + 0;
    }
  }
  return { format: 'stl-binary', positions, corners: ascending(3 * count), faceStarts: undefined };
}

function wrongLength(bytes: Uint8Array, name: string): Error {
  const length = bytes.length;
  if (length < FACETS_AT) {
    return readError({
      name,
      problem: 'truncated',
      found: countOf(length, 'byte'),
      expected: `at least ${FACETS_AT} of a binary STL (no other format was recognised)`,
    });
  }
  const count = facetCount(bytes);
  const wanted = FACETS_AT + FACET_BYTES * count;
  const facets = Math.floor((length - FACETS_AT) / FACET_BYTES);
  return readError({
    name,
    place: `byte ${HEADER_BYTES}`,
    problem: length < wanted ? 'truncated' : 'too long',
    found: `${length} bytes, room for ${countOf(facets, 'triangle')}`,
    expected: `${wanted} bytes for the ${countOf(count, 'triangle')} that a binary STL would have by this count`,
  });
}

/**
 * Parses an ASCII STL: any case, any whitespace, any number of solids. Three vertices per facet, in the order of the
 * file.
 * @throws InputError with the line number if a keyword is missing or out of place, or a coordinate is no finite
 * float32 number; `truncated` if the file ends before `endsolid`.
 */
export function parseAsciiStl(bytes: Uint8Array, name: string, start = 0): RawMesh {
  const scanner = new TextScanner(bytes, { name, start });
  const positions = new PositionBuilder();
  while (scanner.toToken()) {
    if (!scanner.takeWord('solid')) throw scanner.error('"solid"');
    // The rest of the line is the solid's name, which may hold anything.
    scanner.nextLine();
    while (!takeKeyword(scanner, 'endsolid')) {
      if (!scanner.takeWord('facet')) throw scanner.error('"facet" or "endsolid"');
      parseFacet(scanner, positions);
    }
    scanner.nextLine();
  }
  const corners = ascending(positions.count);
  return { format: 'stl-ascii', positions: positions.finish(), corners, faceStarts: undefined };
}

function parseFacet(scanner: TextScanner, positions: PositionBuilder): void {
  expectKeyword(scanner, 'normal');
  // Many writers put nan into the normals of thin facets. Normals are not used, so they are not looked at.
  for (let k = 0; k < 3; k++) {
    if (!scanner.toToken()) throw scanner.error('a normal of three numbers');
    scanner.skipToken();
  }
  expectKeyword(scanner, 'outer');
  expectKeyword(scanner, 'loop');
  for (let corner = 0; corner < 3; corner++) {
    expectKeyword(scanner, 'vertex');
    scanner.toToken();
    const x = scanner.takeCoordinate('x');
    scanner.toToken();
    const y = scanner.takeCoordinate('y');
    scanner.toToken();
    const z = scanner.takeCoordinate('z');
    positions.push(x, y, z);
  }
  expectKeyword(scanner, 'endloop');
  expectKeyword(scanner, 'endfacet');
}

/** Takes a keyword that may stand on a later line. */
function takeKeyword(scanner: TextScanner, word: string): boolean {
  scanner.toToken();
  return scanner.takeWord(word);
}

function expectKeyword(scanner: TextScanner, word: string): void {
  if (!takeKeyword(scanner, word)) throw scanner.error(`"${word}"`);
}

/** 0, 1, 2, ...: every corner has a vertex of its own. */
function ascending(count: number): Uint32Array {
  const indices = new Uint32Array(count);
  for (let i = 0; i < count; i++) indices[i] = i;
  return indices;
}
