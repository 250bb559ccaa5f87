/** Meshes as files: binary STL, OBJ, binary PLY. What is read back has the same float32 corners in the same order. */

import { told } from '../arguments.ts';
import { InputError } from '../errors.ts';
import { MESH_FORMATS, type MeshFormat } from './mesh-formats.ts';
import { requireMesh, type TriangleMesh } from './triangle-mesh.ts';
import { float32Text, TextBuilder } from './write-text.ts';

/** Rows of text that are joined before they are encoded. */
const ROWS_PER_PIECE = 1024;

/**
 * The bytes of a mesh file: `stl` (binary, with normals computed from the corners), `obj` (text) or `ply` (binary,
 * little-endian). STL repeats the corners of every triangle; the others keep vertices and indices.
 *
 * @throws InputError if the format is none of these.
 */
export function encodeMesh(mesh: TriangleMesh, format: MeshFormat): Uint8Array<ArrayBuffer> {
  requireMesh('encodeMesh: mesh', mesh);
  switch (format) {
    case 'stl':
      return encodeStl(mesh);
    case 'obj':
      return encodeObj(mesh);
    case 'ply':
      return encodePly(mesh);
    default:
      throw new InputError(`mesh format ${told(format)}: expected one of ${MESH_FORMATS.join(', ')}`);
  }
}

const STL_HEADER_BYTES = 80;
const STL_FACET_BYTES = 50;

function encodeStl(mesh: TriangleMesh): Uint8Array<ArrayBuffer> {
  const { positions, indices, triangleCount } = mesh;
  const bytes = new Uint8Array(STL_HEADER_BYTES + 4 + STL_FACET_BYTES * triangleCount);
  const view = new DataView(bytes.buffer);
  // Some readers take a header that begins with "solid" for ASCII.
  new TextEncoder().encodeInto('binary STL written by scree', bytes);
  view.setUint32(STL_HEADER_BYTES, triangleCount, true);
  let at = STL_HEADER_BYTES + 4;
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [3 * indices[t]!, 3 * indices[t + 1]!, 3 * indices[t + 2]!];
    for (const component of unitNormal(positions, a, b, c)) {
      view.setFloat32(at, component, true);
      at += 4;
    }
    for (const corner of [a, b, c]) {
      for (let k = 0; k < 3; k++) {
        view.setFloat32(at, positions[corner + k]!, true);
        at += 4;
      }
    }
    at += 2; // attribute bytes, unused
  }
  return bytes;
}

/** Normal of unit length by the right-hand rule; zero for a triangle without area. */
function unitNormal(positions: Float32Array, a: number, b: number, c: number): [number, number, number] {
  const ux = positions[b]! - positions[a]!;
  const uy = positions[b + 1]! - positions[a + 1]!;
  const uz = positions[b + 2]! - positions[a + 2]!;
  const vx = positions[c]! - positions[a]!;
  const vy = positions[c + 1]! - positions[a + 1]!;
  const vz = positions[c + 2]! - positions[a + 2]!;
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  const length = Math.hypot(x, y, z);
  return length > 0 ? [x / length, y / length, z / length] : [0, 0, 0];
}

function encodeObj(mesh: TriangleMesh): Uint8Array<ArrayBuffer> {
  const { positions, indices, vertexCount, triangleCount } = mesh;
  const text = new TextBuilder();
  text.append(`# written by scree: ${vertexCount} vertices, ${triangleCount} triangles\n`);
  appendRows(text, vertexCount, (v) => {
    const at = 3 * v;
    return `v ${float32Text(positions[at]!)} ${float32Text(positions[at + 1]!)} ${float32Text(positions[at + 2]!)}\n`;
  });
  appendRows(text, triangleCount, (t) => {
    const at = 3 * t;
    return `f ${indices[at]! + 1} ${indices[at + 1]! + 1} ${indices[at + 2]! + 1}\n`;
  });
  return text.finish();
}

function appendRows(text: TextBuilder, count: number, row: (index: number) => string): void {
  for (let first = 0; first < count; first += ROWS_PER_PIECE) {
    let piece = '';
    for (let i = first; i < Math.min(count, first + ROWS_PER_PIECE); i++) piece += row(i);
    text.append(piece);
  }
}

const PLY_FACE_BYTES = 13;

function encodePly(mesh: TriangleMesh): Uint8Array<ArrayBuffer> {
  const { positions, indices, vertexCount, triangleCount } = mesh;
  const header = new TextEncoder().encode(
    [
      'ply',
      'format binary_little_endian 1.0',
      'comment written by scree',
      `element vertex ${vertexCount}`,
      'property float x',
      'property float y',
      'property float z',
      `element face ${triangleCount}`,
      'property list uchar uint vertex_indices',
      'end_header\n',
    ].join('\n'),
  );
  const bytes = new Uint8Array(header.length + 4 * positions.length + PLY_FACE_BYTES * triangleCount);
  const view = new DataView(bytes.buffer);
  bytes.set(header);
  let at = header.length;
  for (const coordinate of positions) {
    view.setFloat32(at, coordinate, true);
    at += 4;
  }
  for (let t = 0; t < indices.length; t += 3) {
    bytes[at++] = 3;
    for (let k = 0; k < 3; k++) {
      view.setUint32(at, indices[t + k]!, true);
      at += 4;
    }
  }
  return bytes;
}
