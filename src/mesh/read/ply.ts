// PLY, ASCII and binary of either byte order, after Greg Turk's "The PLY Polygon File Format" (1994). Of the element
// `vertex` x, y and z are read, of `face` the list `vertex_indices` (or `vertex_index`); everything else is skipped.
import { type PlyElement, type PlyProperty, parsePlyHeader } from './ply-header.ts';
import { BinaryValues, type PlyValues, TextValues } from './ply-values.ts';
import { FaceBuilder, PositionBuilder, type RawMesh } from './raw-mesh.ts';
import { countOf, readError } from './read-error.ts';
import { TextScanner } from './text-scanner.ts';

const AXES = ['x', 'y', 'z'];
const FACE_LISTS = ['vertex_indices', 'vertex_index'];

/**
 * Parses a PLY. Vertices and faces in the order of the file; a file without faces gives vertices only.
 * @throws InputError with the line (ASCII) or the element and the byte (binary) if the header is malformed or
 * announces more than the file holds, a coordinate is no finite float32 number, or a face has fewer than three
 * corners or refers to a vertex that does not exist.
 */
export function parsePly(bytes: Uint8Array, name: string, start = 0): RawMesh {
  const { encoding, elements, dataStart, dataLine } = parsePlyHeader(bytes, name, start);
  const values =
    encoding === 'ascii'
      ? new TextValues(new TextScanner(bytes, { name, start: dataStart, line: dataLine }))
      : new BinaryValues(bytes, dataStart, encoding === 'binary-little-endian', name);
  checkSize(values, elements);

  const vertexElement = onlyElement(elements, 'vertex', name);
  const faceElement = onlyElement(elements, 'face', name);
  const vertexCount = vertexElement?.count ?? 0;
  if (vertexElement !== undefined) checkAxes(vertexElement, name);
  const positions = new PositionBuilder(vertexCount);
  const faces = new FaceBuilder();
  for (const element of elements) {
    if (element.count === 0) continue;
    if (element === vertexElement) readVertices(values, element, positions);
    else if (element === faceElement) readFaces(values, element, vertexCount, faces);
    else skipElement(values, element);
  }
  values.expectEnd('the elements that the header announces');
  return { format: `ply-${encoding}`, positions: positions.finish(), ...faces.finish() };
}

/** Refuses counts that the file cannot hold, before anything is allocated for them. */
function checkSize(values: PlyValues, elements: readonly PlyElement[]): void {
  let least = 0;
  for (const { count, properties } of elements) {
    for (const { type, countType } of properties) least += count * values.leastBytes(countType ?? type);
  }
  if (least <= values.bytesLeft) return;
  throw readError({
    name: values.name,
    place: 'header',
    problem: 'truncated',
    found: `${countOf(values.bytesLeft, 'byte')} after it`,
    expected: `at least ${least} for the elements that it announces`,
  });
}

function onlyElement(elements: readonly PlyElement[], wanted: string, name: string): PlyElement | undefined {
  const found = elements.filter((element) => element.name === wanted);
  if (found.length > 1) {
    throw readError({
      name,
      place: 'header',
      found: `${found.length} elements "${wanted}"`,
      expected: 'one',
    });
  }
  return found[0];
}

function checkAxes({ properties }: PlyElement, name: string): void {
  for (const axis of AXES) {
    if (properties.some((property) => property.name === axis && property.countType === undefined)) continue;
    throw readError({
      name,
      place: 'header',
      found: `no scalar property "${axis}" of vertex`,
      expected: 'x, y and z',
    });
  }
}

function readVertices(values: PlyValues, element: PlyElement, positions: PositionBuilder): void {
  const { properties } = element;
  const axisOf = properties.map((property) => AXES.indexOf(property.name));
  const point = new Float32Array(3);
  for (let vertex = 0; vertex < element.count; vertex++) {
    for (let p = 0; p < properties.length; p++) {
      const property = properties[p]!;
      const axis = axisOf[p]!;
      if (axis < 0) {
        skipProperty(values, property);
        continue;
      }
      const value = values.take(property.type, property.name);
      point[axis] = value;
      if (!Number.isFinite(point[axis])) throw badCoordinate(values, vertex, property, value);
    }
    positions.push(point[0]!, point[1]!, point[2]!);
  }
}

function badCoordinate(values: PlyValues, vertex: number, property: PlyProperty, value: number): Error {
  const overflow = Number.isFinite(value);
  return readError({
    name: values.name,
    place: `vertex ${vertex} (${values.place()})`,
    problem: overflow ? 'coordinate overflows float32' : 'non-finite coordinate',
    found: `${value}`,
    expected: overflow ? `at most 3.4e38 for ${property.name}` : `a finite number for ${property.name}`,
  });
}

function readFaces(values: PlyValues, element: PlyElement, vertexCount: number, faces: FaceBuilder): void {
  const corners = element.properties.find((property) => FACE_LISTS.includes(property.name));
  if (corners?.countType === undefined || corners.type.startsWith('float')) {
    const found = 'no list of integers "vertex_indices" or "vertex_index" of face';
    throw readError({ name: values.name, place: 'header', found, expected: 'one' });
  }
  for (let face = 0; face < element.count; face++) {
    for (const property of element.properties) {
      if (property !== corners) {
        skipProperty(values, property);
        continue;
      }
      const size = takeListLength(values, property);
      if (size < 3) {
        const place = `face ${face} (${values.place()})`;
        throw readError({ name: values.name, place, found: countOf(size, 'corner'), expected: 'at least 3' });
      }
      for (let corner = 0; corner < size; corner++) {
        const vertex = values.take(property.type, property.name);
        if (!(vertex >= 0 && vertex < vertexCount && Number.isInteger(vertex))) {
          const place = `face ${face} (${values.place()})`;
          const expected = `less than ${vertexCount}, the number of vertices`;
          throw readError({ name: values.name, place, found: `vertex index ${vertex}`, expected });
        }
        faces.addCorner(vertex);
      }
      faces.endFace();
    }
  }
}

function skipElement(values: PlyValues, element: PlyElement): void {
  // Without properties it takes no room in the file, whatever its count.
  if (element.properties.length === 0) return;
  for (let i = 0; i < element.count; i++) {
    for (const property of element.properties) skipProperty(values, property);
  }
}

function skipProperty(values: PlyValues, property: PlyProperty): void {
  const count = property.countType === undefined ? 1 : takeListLength(values, property);
  values.skip(property.type, count, 'a property that is not used');
}

function takeListLength(values: PlyValues, property: PlyProperty): number {
  const length = values.take(property.countType ?? property.type, 'the length of a list');
  if (length >= 0 && Number.isInteger(length)) return length;
  const found = `the list length ${length}`;
  throw readError({ name: values.name, place: values.place(), found, expected: 'a whole number' });
}
