// Shapes and bodies in float32, as kernels read them.
import { INTEGERS, PARAMETERS, ShapeKind, type ShapeRecords } from '../records.ts';

/** Floats per record on the GPU: parameters, then integers as bits. */
const RECORD = PARAMETERS + INTEGERS;
/** Floats per body on the GPU. */
export const BODY = 12;
const LAST_NEIGHBOUR = 0x8000_0000;

/** What is uploaded about shapes, once. */
export interface ShapeBuffers {
  readonly records: Float32Array<ArrayBuffer>;
  readonly vertices: Float32Array<ArrayBuffer>;
  readonly neighbours: Uint32Array<ArrayBuffer>;
}

/**
 * Records in float32. Lengths are in units of the record, the power of two from its bounding radius down to half of it: float32
 * squares what is between 1e-30 and 1e30 only so. Centres are not among them: `bodyBuffer` has them.
 */
export function shapeBuffers(table: ShapeRecords): ShapeBuffers {
  const count = table.integers.length / INTEGERS;
  const records = new Float32Array(RECORD * count);
  const words = new Uint32Array(records.buffer);
  const vertices = new Float32Array((4 * table.vertices.length) / 3);
  const vertexWords = new Uint32Array(vertices.buffer);
  for (let r = 0; r < count; r++) {
    const from = PARAMETERS * r;
    const to = RECORD * r;
    const unit = unitOf(table.parameters[from + 14]!);
    const scale = unit > 0 ? 1 / unit : 0;
    const kind = table.integers[INTEGERS * r]!;
    const rotated = kind === ShapeKind.sum || kind === ShapeKind.hull;
    for (let k = 0; k < PARAMETERS; k++) {
      // A compound's first nine parameters are a rotation, which has no unit.
      const parameter = table.parameters[from + k]!;
      records[to + k] = rotated && k < 9 ? parameter : parameter * scale;
    }
    records[to + PARAMETERS - 1] = unit;
    // The centre is in `bodyBuffer`; in its place is the radius of a ball about it, rounded down.
    records[to + 17] = table.parameters[from + 23]! * scale * (1 - 2 ** -22);
    words.set(table.integers.subarray(INTEGERS * r, INTEGERS * r + INTEGERS), to + PARAMETERS);
    const firstVertex = table.integers[INTEGERS * r + 1]!;
    const endVertex = firstVertex + table.integers[INTEGERS * r + 2]!;
    for (let v = firstVertex; v < endVertex; v++) {
      for (let k = 0; k < 3; k++) vertices[4 * v + k] = table.vertices[3 * v + k]! * scale;
      vertexWords[4 * v + 3] = table.neighbourStarts[v]!;
    }
  }
  const neighbours = Uint32Array.from(table.neighbours);
  for (let v = 1; v < table.neighbourStarts.length; v++) {
    const end = table.neighbourStarts[v]!;
    if (end > table.neighbourStarts[v - 1]!) neighbours[end - 1]! |= LAST_NEIGHBOUR;
  }
  return { records, vertices, neighbours };
}

/** The power of two in (radius / 2, radius]; 0 for a point. */
function unitOf(radius: number): number {
  return radius > 0 ? 2 ** Math.floor(Math.log2(radius)) : 0;
}

/** Convex bodies in float64. */
export interface BodySource {
  /** Rotation by rows and position of each body, twelve numbers. */
  readonly placements: Float64Array;
  /** x, y, z, w of each body, `stride` apart from `first` on. */
  readonly quaternions: {
    readonly values: Float32Array | Float64Array;
    readonly first: number;
    readonly stride: number;
  };
  /** Record of each body. */
  readonly shapes: Uint32Array;
}

/**
 * Bodies in float32: centres in two parts, so that their difference keeps its digits far from the origin.
 *
 * @param centres receives the centre of each body in the world, `[n*3]`
 */
export function bodyBuffer(
  table: ShapeRecords,
  { placements, quaternions, shapes }: BodySource,
  centres: Float64Array,
): Float32Array<ArrayBuffer> {
  const bodies = new Float32Array(BODY * shapes.length);
  const words = new Uint32Array(bodies.buffer);
  const p = table.parameters;
  for (let i = 0; i < shapes.length; i++) {
    const at = PARAMETERS * shapes[i]! + 17;
    const m = 12 * i;
    for (let k = 0; k < 3; k++) {
      const centre =
        placements[m + 9 + k]! +
        (placements[m + 3 * k]! * p[at]! +
          placements[m + 3 * k + 1]! * p[at + 1]! +
          placements[m + 3 * k + 2]! * p[at + 2]!);
      centres[3 * i + k] = centre;
      const high = Math.fround(centre);
      bodies[BODY * i + k] = high;
      bodies[BODY * i + 4 + k] = centre - high;
    }
    words[BODY * i + 3] = shapes[i]!;
    const from = quaternions.first + quaternions.stride * i;
    for (let k = 0; k < 4; k++) bodies[BODY * i + 8 + k] = quaternions.values[from + k]!;
  }
  return bodies;
}
