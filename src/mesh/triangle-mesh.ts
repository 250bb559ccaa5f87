import { type Options, requireArray, requireOptions, told } from '../arguments.ts';
import { InputError } from '../errors.ts';

/** Axis-aligned box, `[x, y, z]` each. */
export interface Box {
  readonly min: readonly [number, number, number];
  readonly max: readonly [number, number, number];
}

/** What a reader saw in the file and what it did to it. */
export interface MeshOrigin {
  /** Format found by content: `stl-binary`, `stl-ascii`, `obj`, `ply-ascii`, `ply-binary-little-endian`, ... */
  readonly format: string;
  /** Vertices in the file, before welding. */
  readonly fileVertices: number;
  /** Triangles in the file, n-gons counted as their n - 2 triangles. */
  readonly fileTriangles: number;
  /** Faces dropped because two of their corners are the same vertex after welding. */
  readonly facesDropped: number;
}

export interface TriangleMeshOptions {
  positions: Float32Array;
  indices: Uint32Array;
  name?: string;
  origin?: MeshOrigin;
}

const MESH_OPTIONS: Options<TriangleMeshOptions> = {
  positions: 'checked',
  indices: 'checked',
  name: 'text',
  origin: 'object',
};

/** @throws InputError unless a value is a mesh whose arrays are still there. */
export function requireMesh(place: string, found: unknown): void {
  if (!(found instanceof TriangleMesh)) {
    const hint = typeof found === 'string' ? ': readMesh() reads files' : '';
    throw new InputError(`${place}: found ${told(found)}, expected a TriangleMesh${hint}`);
  }
  const { positions, indices, vertexCount, triangleCount } = found;
  if (positions.length === 3 * vertexCount && indices.length === 3 * triangleCount) return;
  throw new InputError(
    `${place}: found arrays that were detached or have another length, ` +
      `expected the ${vertexCount} vertices and ${triangleCount} triangles of the mesh`,
  );
}

/**
 * An indexed triangle mesh: float32 positions, `[x, y, z]` per vertex, and three vertex indices per triangle.
 * All methods of scree answer for exactly these float32 vertices. The arrays are kept, not copied: whoever made them
 * must not change them any more.
 */
export class TriangleMesh {
  /** Float32 vertex coordinates, length `3 * vertexCount`, in the unit of the file. All finite. */
  readonly positions: Float32Array;
  /** Vertex indices, length `3 * triangleCount`, counter-clockwise seen from outside. */
  readonly indices: Uint32Array;
  /** For messages: the file's name or the generator's. */
  readonly name: string;
  readonly origin: MeshOrigin;
  readonly vertexCount: number;
  readonly triangleCount: number;
  #box: Box | undefined;

  /**
   * @throws InputError if an array is of another type, a length is not a multiple of three, an index is out of range or
   * a coordinate is not finite.
   */
  constructor(options: TriangleMeshOptions) {
    requireOptions('TriangleMesh', options, MESH_OPTIONS);
    const { positions, indices, name = 'mesh' } = options;
    // Other arrays can hold numbers that float32 cannot. Kernels and predicates would then see different meshes.
    requireArray(`${name}: positions`, positions, [Float32Array], '[x, y, z] per vertex');
    requireArray(`${name}: indices`, indices, [Uint32Array], 'three vertices per triangle');
    if (positions.length % 3 !== 0) {
      throw new InputError(`${name}: ${positions.length} coordinates found, expected a multiple of 3`);
    }
    if (indices.length % 3 !== 0) {
      throw new InputError(`${name}: ${indices.length} indices found, expected a multiple of 3`);
    }
    const vertexCount = positions.length / 3;
    for (let i = 0; i < indices.length; i++) {
      if (indices[i]! >= vertexCount) {
        throw new InputError(
          `${name}: triangle ${Math.floor(i / 3)} refers to vertex ${indices[i]}, expected less than ${vertexCount}`,
        );
      }
    }
    for (let i = 0; i < positions.length; i++) {
      if (!Number.isFinite(positions[i])) {
        throw new InputError(
          `${name}: vertex ${Math.floor(i / 3)} has the coordinate ${positions[i]}, expected a finite number`,
        );
      }
    }
    this.vertexCount = vertexCount;
    this.triangleCount = indices.length / 3;
    this.positions = positions;
    this.indices = indices;
    this.name = name;
    this.origin = options.origin ?? {
      format: 'arrays',
      fileVertices: vertexCount,
      fileTriangles: indices.length / 3,
      facesDropped: 0,
    };
  }

  /** Box of the vertices that triangles use. An empty mesh has an inverted box (+Infinity, -Infinity). */
  get box(): Box {
    if (this.#box === undefined) {
      const min: [number, number, number] = [Infinity, Infinity, Infinity];
      const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
      const used = new Uint8Array(this.vertexCount);
      for (let i = 0; i < this.indices.length; i++) used[this.indices[i]!] = 1;
      for (let v = 0; v < used.length; v++) {
        if (used[v] === 0) continue;
        for (let k = 0; k < 3; k++) {
          const x = this.positions[3 * v + k]!;
          if (x < min[k]!) min[k] = x;
          if (x > max[k]!) max[k] = x;
        }
      }
      this.#box = { min, max };
    }
    return this.#box;
  }
}
