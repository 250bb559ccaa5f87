// From the bytes of a mesh file to a TriangleMesh: find the format, parse, split polygons, weld, drop what collapsed.
import { type Options, requireArray, requireOptions, requireText } from '../../arguments.ts';
import { InputError } from '../../errors.ts';
import { TriangleMesh } from '../triangle-mesh.ts';
import { triangulate } from '../triangulate.ts';
import { weldExact, weldWithin } from '../weld.ts';
import { detectFormat, parseDetected } from './detect.ts';
import type { RawMesh } from './raw-mesh.ts';
import { countOf, quoteBytes, readError } from './read-error.ts';
import { inflateGzip } from './source.ts';

export interface ParseMeshOptions {
  /** The file's name, for messages and as the mesh's name. It does not decide the format. */
  readonly name: string;
  /**
   * Also merge vertices closer than this, in the unit of the mesh, greater than 0: each vertex goes to the nearest
   * earlier vertex that was kept, see `weldWithin`. Left out: only vertices with equal float32 coordinates are merged.
   */
  readonly weld?: number;
}

const OPTIONS: Options<ParseMeshOptions> = { name: 'text', weld: 'number' };

/**
 * Parses a mesh: STL (binary or ASCII), OBJ, PLY (ASCII or binary of either byte order) or OFF (ASCII), found by
 * content, as it is or compressed with gzip. Coordinates are read as float64 and rounded to float32, the vertices
 * that come out equal are welded, polygons split into triangles, and triangles with two equal corners dropped
 * (`origin.facesDropped` counts them), as are vertices that no triangle uses. Order, orientation and degenerate
 * triangles with three different corners stay as they are: `checkMesh` reports those.
 * @throws InputError, one line with the file's name, the line or byte, what was found and what was expected, if the
 * file is in none of the formats, malformed, truncated, without triangles, or has a coordinate that is not finite or
 * beyond float32's range; or if `weld` is not greater than 0.
 */
export async function parseMesh(bytes: Uint8Array, options: ParseMeshOptions): Promise<TriangleMesh> {
  requireArray('parseMesh: bytes', bytes, [Uint8Array], 'the bytes of a file (readMesh() reads files)');
  requireOptions('parseMesh', options, OPTIONS);
  requireText('parseMesh: name', options.name, 'a name for messages');
  const { name, weld } = options;
  if (weld !== undefined && !(weld > 0 && weld < Infinity)) {
    throw new InputError(
      `${name}: weld: found the tolerance ${weld}, expected a finite number greater than 0`,
    );
  }
  const inflated = await inflateGzip(bytes, name);
  const detected = detectFormat(inflated);
  if (detected === undefined) throw unknownFormat(inflated, name);
  return buildMesh(parseDetected(inflated, detected, name), name, weld);
}

function unknownFormat(bytes: Uint8Array, name: string): InputError {
  const found =
    bytes.length === 0 ? 'an empty file' : `a file that begins with ${quoteBytes(bytes, 0, bytes.length)}`;
  return readError({ name, found, expected: 'STL, OBJ, PLY or OFF, as it is or compressed with gzip' });
}

function buildMesh(raw: RawMesh, name: string, tolerance: number | undefined): TriangleMesh {
  const triangles = triangulate(raw, name);
  const fileTriangles = triangles.length / 3;
  const fileVertices = raw.positions.length / 3;
  if (fileTriangles === 0) {
    throw readError({
      name,
      found: `${countOf(fileVertices, 'vertex', 'vertices')} and no faces`,
      expected: 'triangles',
    });
  }
  const { positions, remap } =
    tolerance === undefined ? weldExact(raw.positions) : weldWithin(raw.positions, tolerance);
  const indices = keepSoundTriangles(triangles, remap);
  const facesDropped = fileTriangles - indices.length / 3;
  if (indices.length === 0) {
    const found = `only triangles with two equal corners (${facesDropped}) after welding`;
    throw readError({ name, found, expected: 'triangles with three different corners' });
  }
  return new TriangleMesh({
    positions: keepUsedVertices(positions, indices),
    indices,
    name,
    origin: { format: raw.format, fileVertices, fileTriangles, facesDropped },
  });
}

/** The triangles in terms of welded vertices, without those that have two equal corners. */
function keepSoundTriangles(triangles: Uint32Array, remap: Uint32Array): Uint32Array {
  const indices = new Uint32Array(triangles.length);
  let out = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const a = remap[triangles[i]!]!;
    const b = remap[triangles[i + 1]!]!;
    const c = remap[triangles[i + 2]!]!;
    if (a === b || b === c || c === a) continue;
    indices[out] = a;
    indices[out + 1] = b;
    indices[out + 2] = c;
    out += 3;
  }
  return out === indices.length ? indices : indices.slice(0, out);
}

/** Leaves out vertices that no triangle uses, in place in `indices`: hulls and bounds are made of all vertices. */
function keepUsedVertices(positions: Float32Array, indices: Uint32Array): Float32Array {
  const isUsed = new Uint8Array(positions.length / 3);
  for (const v of indices) isUsed[v] = 1;
  if (!isUsed.includes(0)) return positions;
  const moved = new Uint32Array(isUsed.length);
  let count = 0;
  for (let v = 0; v < isUsed.length; v++) if (isUsed[v] === 1) moved[v] = count++;
  const kept = new Float32Array(3 * count);
  for (let v = 0; v < isUsed.length; v++) {
    if (isUsed[v] === 1) kept.set(positions.subarray(3 * v, 3 * v + 3), 3 * moved[v]!);
  }
  for (let i = 0; i < indices.length; i++) indices[i] = moved[indices[i]!]!;
  return kept;
}
