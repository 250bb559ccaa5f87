// Small meshes in every format, written from scratch for the readers' tests.
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import { parseMesh } from '../../../src/mesh/read/parse-mesh.ts';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';

/** A tetrahedron with outward faces. */
export const TETRAHEDRON = {
  vertices: [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  faces: [
    [0, 2, 1],
    [0, 1, 3],
    [0, 3, 2],
    [1, 2, 3],
  ],
} satisfies Surface;

export interface Surface {
  readonly vertices: readonly (readonly number[])[];
  readonly faces: readonly (readonly number[])[];
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

export function gzipOf(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(gzipSync(bytes));
}

export function parse(content: string | Uint8Array, weld?: number): Promise<TriangleMesh> {
  const bytes = typeof content === 'string' ? bytesOf(content) : content;
  return parseMesh(bytes, weld === undefined ? { name: 'part.mesh' } : { name: 'part.mesh', weld });
}

/** The message of the InputError that a promise rejects with, which has to be one line. */
export async function complaintOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(InputError);
  const { message } = error as InputError;
  expect(message).not.toMatch(/[\r\n]/);
  return message;
}

/** The complaint about a mesh file, which has to begin with its name. */
export async function complaint(content: string | Uint8Array): Promise<string> {
  const message = await complaintOf(parse(content));
  expect(message.startsWith('part.mesh: ')).toBe(true);
  return message.slice('part.mesh: '.length);
}

/** Corner coordinates of all triangles. */
export function trianglesOf(mesh: TriangleMesh): number[][][] {
  return Array.from({ length: mesh.triangleCount }, (_, t) =>
    Array.from(mesh.indices.subarray(3 * t, 3 * t + 3), (v) =>
      Array.from(mesh.positions.subarray(3 * v, 3 * v + 3)),
    ),
  );
}

/** The same for a surface of triangles, rounded to float32. */
export function surfaceTriangles(surface: Surface): number[][][] {
  return surface.faces.map((face) => face.map((v) => surface.vertices[v]!.map(Math.fround)));
}

export function binaryStl({ vertices, faces }: Surface, header = 'made by a test'): Uint8Array {
  const bytes = new Uint8Array(84 + 50 * faces.length);
  bytes.set(bytesOf(header.slice(0, 80)));
  const view = new DataView(bytes.buffer);
  view.setUint32(80, faces.length, true);
  for (const [f, face] of faces.entries()) {
    for (const [c, v] of face.entries()) {
      for (let k = 0; k < 3; k++) view.setFloat32(84 + 50 * f + 12 + 12 * c + 4 * k, vertices[v]![k]!, true);
    }
  }
  return bytes;
}

export function asciiStl({ vertices, faces }: Surface): string {
  const facets = faces.map((face) =>
    [
      'facet normal 0 0 0\nouter loop\n',
      ...face.map((v) => `vertex ${vertices[v]!.join(' ')}\n`),
      'endloop\nendfacet\n',
    ].join(''),
  );
  return `solid part\n${facets.join('')}endsolid part\n`;
}

export function obj({ vertices, faces }: Surface): string {
  const lines = [
    ...vertices.map((vertex) => `v ${vertex.join(' ')}`),
    ...faces.map((face) => `f ${face.map((v) => v + 1).join(' ')}`),
  ];
  return `${lines.join('\n')}\n`;
}

export function off({ vertices, faces }: Surface): string {
  const lines = [
    'OFF',
    `${vertices.length} ${faces.length} 0`,
    ...vertices.map((vertex) => vertex.join(' ')),
    ...faces.map((face) => `${face.length} ${face.join(' ')}`),
  ];
  return `${lines.join('\n')}\n`;
}

function plyHeader({ vertices, faces }: Surface, format: string): string {
  return [
    'ply',
    `format ${format} 1.0`,
    `element vertex ${vertices.length}`,
    'property float x',
    'property float y',
    'property float z',
    `element face ${faces.length}`,
    'property list uchar int vertex_indices',
    'end_header\n',
  ].join('\n');
}

export function asciiPly(surface: Surface): string {
  const lines = [
    ...surface.vertices.map((vertex) => vertex.join(' ')),
    ...surface.faces.map((face) => `${face.length} ${face.join(' ')}`),
  ];
  return `${plyHeader(surface, 'ascii') + lines.join('\n')}\n`;
}

export function binaryPly(surface: Surface, littleEndian: boolean): Uint8Array {
  const header = bytesOf(plyHeader(surface, littleEndian ? 'binary_little_endian' : 'binary_big_endian'));
  const corners = surface.faces.reduce((sum, face) => sum + face.length, 0);
  const data = new DataView(
    new ArrayBuffer(12 * surface.vertices.length + surface.faces.length + 4 * corners),
  );
  let at = 0;
  for (const vertex of surface.vertices) {
    for (let k = 0; k < 3; k++, at += 4) data.setFloat32(at, vertex[k]!, littleEndian);
  }
  for (const face of surface.faces) {
    data.setUint8(at++, face.length);
    for (const v of face) {
      data.setInt32(at, v, littleEndian);
      at += 4;
    }
  }
  return concat(header, new Uint8Array(data.buffer));
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

/** The surface in every format, by name. */
export function everyFormat(surface: Surface): Record<string, Uint8Array> {
  return {
    'stl-binary': binaryStl(surface),
    'stl-ascii': bytesOf(asciiStl(surface)),
    obj: bytesOf(obj(surface)),
    off: bytesOf(off(surface)),
    'ply-ascii': bytesOf(asciiPly(surface)),
    'ply-binary-little-endian': binaryPly(surface, true),
    'ply-binary-big-endian': binaryPly(surface, false),
  };
}
