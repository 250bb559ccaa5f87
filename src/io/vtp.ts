/**
 * VTK's XML PolyData for ParaView, after "VTK File Formats" (Kitware): an XML header, then the arrays as raw
 * little-endian bytes in one appended block, each after its length in bytes as UInt64. Assumes a little-endian host,
 * as WebGPU does.
 */
import { type ContactArrays, FEATURE_OF_B } from '../contacts/list/contact-arrays.ts';
import { requireTouchingPairs, type TouchingPairs } from '../dem/measures/touching-pairs.ts';
import { requireMesh, type TriangleMesh } from '../mesh/triangle-mesh.ts';
import { type FlaggedPoints, requireFlagPerPoint } from './csv.ts';

/** VTK's names of element types. */
const TYPES = [
  [Float32Array, 'Float32'],
  [Float64Array, 'Float64'],
  [Int32Array, 'Int32'],
  [Uint32Array, 'UInt32'],
  [Uint8Array, 'UInt8'],
] as const;

export interface DataArray {
  readonly name: string;
  readonly components: 1 | 3;
  readonly data: Float32Array | Float64Array | Int32Array | Uint32Array | Uint8Array;
}

export interface PolyData {
  readonly points: Float32Array | Float64Array;
  readonly pointData: readonly DataArray[];
  /** Vertex cells or triangles; `size` points each. */
  readonly cells: 'Verts' | 'Polys';
  readonly size: 1 | 3;
  readonly connectivity: Int32Array;
}

/** Bytes of the length in front of every array. */
const LENGTH_BYTES = 8;

/**
 * Points as a .vtp file, a vertex cell each, with the point data array `flag` (UInt8: 0 outside, 1 inside, 2 on the
 * boundary), so that ParaView colours and thresholds them.
 *
 * @throws InputError if there is not one flag per point.
 */
export function encodeVtp(data: FlaggedPoints): Uint8Array<ArrayBuffer> {
  requireFlagPerPoint(data);
  const { points, flags } = data;
  return encodePolyData({
    points,
    pointData: [{ name: 'flag', components: 1, data: flags }],
    cells: 'Verts',
    size: 1,
    connectivity: Int32Array.from({ length: flags.length }, (_, i) => i),
  });
}

/** The triangles of a mesh as a .vtp file, to be seen together with the points in ParaView. */
export function encodeVtpSurface(mesh: TriangleMesh): Uint8Array<ArrayBuffer> {
  requireMesh('encodeVtpSurface: mesh', mesh);
  return encodePolyData({
    points: mesh.positions,
    pointData: [],
    cells: 'Polys',
    size: 3,
    connectivity: new Int32Array(mesh.indices),
  });
}

/** Contacts as points, with what is known of each as point data. */
export function encodeContactPoints(contacts: ContactArrays): Uint8Array<ArrayBuffer> {
  const { count, bodies, parts, kinds, statuses, features, triangles } = contacts;
  const { normals, points, distances, areas } = contacts;
  const scalar = (name: string, data: DataArray['data']): DataArray => ({ name, components: 1, data });
  const everySecond = (array: Uint32Array, k: number) => array.filter((_, i) => i % 2 === k);
  return encodePolyData({
    points,
    pointData: [
      scalar('distance', distances),
      { name: 'normal', components: 3, data: normals },
      scalar('area', areas),
      scalar('kind', kinds),
      scalar('status', statuses),
      scalar('a', everySecond(bodies, 0)),
      scalar('b', everySecond(bodies, 1)),
      scalar('part_a', everySecond(parts, 0)),
      scalar('part_b', everySecond(parts, 1)),
      scalar(
        'feature_of',
        Uint8Array.from(features, (feature) => (feature >= FEATURE_OF_B ? 1 : 0)),
      ),
      scalar(
        'feature',
        features.map((feature) => feature % FEATURE_OF_B),
      ),
      // As int32, `NO_TRIANGLE` is -1.
      scalar('triangle', Int32Array.from(triangles)),
    ],
    cells: 'Verts',
    size: 1,
    connectivity: Int32Array.from({ length: count }, (_, i) => i),
  });
}

/**
 * Forces between bodies as a .vtp file: a point per pair that touches, with `force` on b and its parts along the normal
 * and across as vectors, and their lengths.
 *
 * @param pairs of `touchingPairs`
 */
export function encodeForces(pairs: TouchingPairs): Uint8Array<ArrayBuffer> {
  requireTouchingPairs('encodeForces: pairs', pairs);
  const { count, bodies, contacts, points, normals, forces, normalForces, tangentialForces } = pairs;
  const scalar = (name: string, data: DataArray['data']): DataArray => ({ name, components: 1, data });
  const vector = (name: string, data: DataArray['data']): DataArray => ({ name, components: 3, data });
  const lengths = Float64Array.from({ length: count }, (_, i) =>
    Math.hypot(...tangentialForces.subarray(3 * i, 3 * i + 3)),
  );
  const along = normals.map((x, i) => x * normalForces[Math.floor(i / 3)]!);
  const endOf = (k: number) => bodies.filter((_, i) => i % 2 === k);
  return encodePolyData({
    points,
    pointData: [
      ...[scalar('normal_force', normalForces), scalar('tangential_force', lengths)],
      ...[vector('force', forces), vector('normal_force_vector', along)],
      ...[vector('tangential_force_vector', tangentialForces), vector('normal', normals)],
      ...[scalar('contacts', contacts), scalar('a', endOf(0)), scalar('b', endOf(1))],
    ],
    cells: 'Verts',
    size: 1,
    connectivity: Int32Array.from({ length: count }, (_, i) => i),
  });
}

/** @param data arrays with an entry per point, or per three of it */
export function encodePolyData({
  points,
  pointData,
  cells,
  size,
  connectivity,
}: PolyData): Uint8Array<ArrayBuffer> {
  const cellCount = connectivity.length / size;
  const ends = Int32Array.from({ length: cellCount }, (_, i) => size * (i + 1));
  const appended: DataArray['data'][] = [];
  let offset = 0;
  const element = ({ name, components, data }: DataArray): string => {
    const form = `NumberOfComponents="${components}" format="appended" offset="${offset}"`;
    const [, type] = TYPES.find(([array]) => data instanceof array)!;
    const tag = `<DataArray type="${type}" Name="${name}" ${form}/>`;
    appended.push(data);
    offset += LENGTH_BYTES + data.byteLength;
    return tag;
  };
  // The arrays that ParaView takes for colours and for arrows.
  const first = (kind: string, components: number) => {
    const array = pointData.find((one) => one.components === components);
    return array === undefined ? '' : ` ${kind}="${array.name}"`;
  };
  const head = [
    '<?xml version="1.0"?>',
    '<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian" header_type="UInt64">',
    '<PolyData>',
    `<Piece NumberOfPoints="${points.length / 3}" NumberOf${cells}="${cellCount}">`,
    `<PointData${first('Scalars', 1)}${first('Vectors', 3)}>`,
    ...pointData.map(element),
    '</PointData>',
    '<Points>',
    element({ name: 'Points', components: 3, data: points }),
    '</Points>',
    `<${cells}>`,
    element({ name: 'connectivity', components: 1, data: connectivity }),
    element({ name: 'offsets', components: 1, data: ends }),
    `</${cells}>`,
    '</Piece>',
    '</PolyData>',
    '<AppendedData encoding="raw">',
    '_',
  ].join('\n');
  const foot = '\n</AppendedData>\n</VTKFile>\n';

  const encoder = new TextEncoder();
  const bytes = new Uint8Array(head.length + offset + foot.length);
  const view = new DataView(bytes.buffer);
  let at = encoder.encodeInto(head, bytes).written;
  for (const data of appended) {
    view.setBigUint64(at, BigInt(data.byteLength), true);
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at + LENGTH_BYTES);
    at += LENGTH_BYTES + data.byteLength;
  }
  encoder.encodeInto(foot, bytes.subarray(at));
  return bytes;
}
