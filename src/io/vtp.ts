/**
 * VTK's XML PolyData for ParaView, after "VTK File Formats" (Kitware): an XML header, then the arrays as raw
 * little-endian bytes in one appended block, each after its length in bytes as UInt64. Assumes a little-endian host,
 * as WebGPU does.
 */
import { requireMesh, type TriangleMesh } from '../mesh/triangle-mesh.ts';
import { type FlaggedPoints, requireFlagPerPoint } from './csv.ts';

interface DataArray {
  readonly type: 'Float32' | 'Int32' | 'UInt8';
  readonly name: string;
  readonly components: 1 | 3;
  readonly data: Float32Array | Int32Array | Uint8Array;
}

interface PolyData {
  readonly points: Float32Array;
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
    pointData: [{ type: 'UInt8', name: 'flag', components: 1, data: flags }],
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

function encodePolyData({ points, pointData, cells, size, connectivity }: PolyData): Uint8Array<ArrayBuffer> {
  const cellCount = connectivity.length / size;
  const ends = Int32Array.from({ length: cellCount }, (_, i) => size * (i + 1));
  const appended: DataArray['data'][] = [];
  let offset = 0;
  const element = (array: DataArray): string => {
    const { type, name, components, data } = array;
    const form = `NumberOfComponents="${components}" format="appended" offset="${offset}"`;
    const tag = `<DataArray type="${type}" Name="${name}" ${form}/>`;
    appended.push(data);
    offset += LENGTH_BYTES + data.byteLength;
    return tag;
  };
  const scalars = pointData[0] === undefined ? '' : ` Scalars="${pointData[0].name}"`;
  const head = [
    '<?xml version="1.0"?>',
    '<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian" header_type="UInt64">',
    '<PolyData>',
    `<Piece NumberOfPoints="${points.length / 3}" NumberOf${cells}="${cellCount}">`,
    `<PointData${scalars}>`,
    ...pointData.map(element),
    '</PointData>',
    '<Points>',
    element({ type: 'Float32', name: 'Points', components: 3, data: points }),
    '</Points>',
    `<${cells}>`,
    element({ type: 'Int32', name: 'connectivity', components: 1, data: connectivity }),
    element({ type: 'Int32', name: 'offsets', components: 1, data: ends }),
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
