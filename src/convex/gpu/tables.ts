// Shapes and bodies in float32, as kernels read them.

import {
  CompoundParameter,
  INTEGERS,
  Integer,
  PARAMETERS,
  Parameter,
  ShapeKind,
  type ShapeRecords,
} from '../shapes/records.ts';
import { directionCells, LEAST_VERTICES_FOR_CELLS, MOST_VERTICES_FOR_CELLS } from './direction-cells.ts';
import { RECORD_WORDS, RecordWord } from './shape-record.ts';

/** Floats per body on the GPU. */
export const BODY = 12;
const LAST_NEIGHBOUR = 0x8000_0000;
/** Vertices that cells of all polytopes may list: 16 MiB. Polytopes beyond are climbed on. */
const MOST_LISTED = 1 << 20;

/** What is uploaded about shapes, once. */
export interface ShapeBuffers {
  /** `ShapeRecord` of each record. */
  readonly records: Float32Array<ArrayBuffer>;
  readonly vertices: Float32Array<ArrayBuffer>;
  readonly neighbours: Uint32Array<ArrayBuffer>;
  /** Polygons, then their corners: `facets` in layout.ts. */
  readonly facets: Float32Array<ArrayBuffer>;
}

/**
 * Records in float32. Lengths are in units of the record, the power of two from its bounding radius down to half of it: only so can
 * float32 square lengths from 1e-30 to 1e30. Centres are not among them: `bodyBuffer` has them.
 */
export function shapeBuffers(table: ShapeRecords): ShapeBuffers {
  const count = table.integers.length / INTEGERS;
  const records = new Float32Array(RECORD_WORDS * count);
  const words = new Uint32Array(records.buffer);
  const cells = new CellTables(table);
  for (let r = 0; r < count; r++) {
    const p = table.parameters.subarray(PARAMETERS * r, PARAMETERS * (r + 1));
    const n = table.integers.subarray(INTEGERS * r, INTEGERS * (r + 1));
    const at = RECORD_WORDS * r;
    const kind = n[Integer.kind]!;
    const unit = unitOf(p[Parameter.boundingRadius]!);
    const scale = unit > 0 ? 1 / unit : 0;
    const isCompound = kind === ShapeKind.sum || kind === ShapeKind.hull;
    // A compound's rotation comes first and has no unit.
    for (let k = 0; k < Parameter.margin; k++) {
      const isLength = !isCompound || k >= CompoundParameter.offsetB;
      records[at + RecordWord.byKind + k] = isLength ? p[k]! * scale : p[k]!;
    }
    records[at + RecordWord.margin] = p[Parameter.margin]! * scale;
    records[at + RecordWord.rollingBall] = p[Parameter.rollingBall]! * scale;
    records[at + RecordWord.boundingRadius] = p[Parameter.boundingRadius]! * scale;
    records[at + RecordWord.inball] = p[Parameter.inball]! * scale * (1 - 2 ** -22);
    records[at + RecordWord.unit] = unit;
    words[at + RecordWord.kind] = kind;
    words[at + RecordWord.firstVertex] = n[Integer.firstVertex]!;
    words[at + RecordWord.vertexCount] = n[Integer.vertexCount]!;
    words[at + RecordWord.hasEdges] = n[Integer.hasEdges]!;
    if (isCompound) {
      records[at + RecordWord.excessA] = p[CompoundParameter.excessA]! * scale;
      records[at + RecordWord.excessB] = p[CompoundParameter.excessB]! * scale;
      for (let k = 0; k < 3; k++) {
        records[at + RecordWord.offsetA + k] = p[CompoundParameter.offsetA + k]! * scale;
      }
      words[at + RecordWord.childA] = n[Integer.childA]!;
      words[at + RecordWord.childB] = n[Integer.childB]!;
    } else if (kind === ShapeKind.polytope) {
      const { firstCell, perEdge } = cells.add(r, scale);
      words[at + RecordWord.firstCell] = firstCell;
      words[at + RecordWord.cellsPerEdge] = perEdge;
    }
  }
  const tablesOfCells = cells.finish();
  const ofVertices = tablesOfCells.neighbours;
  // The polygons at edges, behind all else; a record without any has 0, which is no place behind.
  const neighbours = new Uint32Array(ofVertices.length + table.edgePolygons.length);
  neighbours.set(ofVertices);
  neighbours.set(table.edgePolygons, ofVertices.length);
  for (let r = 0; r < count; r++) {
    if (table.integers[INTEGERS * r + Integer.kind] !== ShapeKind.polytope) continue;
    const hasFaces = table.integers[INTEGERS * r + Integer.faceCount]! > 0;
    words[RECORD_WORDS * r + RecordWord.edgePolygons] = hasFaces ? ofVertices.length : 0;
  }
  return { records, vertices: tablesOfCells.vertices, neighbours, facets: facetBuffer(table) };
}

/** Polygons and their corners; of a polytope's corners the unit is that of its record. */
function facetBuffer(table: ShapeRecords): Float32Array<ArrayBuffer> {
  const { polygonNormals, polygonStarts, polygonCorners, vertices } = table;
  const polygons = polygonStarts.length - 1;
  const facets = new Float32Array(4 * (polygons + polygonCorners.length));
  const words = new Uint32Array(facets.buffer);
  const scales = scalesOfVertices(table);
  for (let i = 0; i < polygons; i++) {
    const start = polygonStarts[i]!;
    facets.set(polygonNormals.subarray(3 * i, 3 * i + 3), 4 * i);
    words[4 * i + 3] = 16 * (polygons + start) + polygonStarts[i + 1]! - start;
  }
  polygonCorners.forEach((vertex, i) => {
    const to = 4 * (polygons + i);
    for (let k = 0; k < 3; k++) facets[to + k] = vertices[3 * vertex + k]! * scales[vertex]!;
  });
  return facets;
}

/** What a polytope's vertices are scaled by. */
function scalesOfVertices({ integers, parameters, vertices }: ShapeRecords): Float64Array {
  const scales = new Float64Array(vertices.length / 3);
  for (let r = 0; r < integers.length; r += INTEGERS) {
    const unit = unitOf(parameters[(PARAMETERS * r) / INTEGERS + Parameter.boundingRadius]!);
    scales.fill(
      unit > 0 ? 1 / unit : 0,
      integers[r + Integer.firstVertex]!,
      integers[r + Integer.firstVertex]! + integers[r + Integer.vertexCount]!,
    );
  }
  return scales;
}

/** Vertices and the tables by which the farthest is found: neighbours to climb along, and cells of directions. */
class CellTables {
  readonly #table: ShapeRecords;
  readonly #vertices: Float32Array<ArrayBuffer>;
  /** Vertices of cells, by their numbers, behind all others. */
  readonly #listed: number[] = [];
  /** Where the vertices of cells start, behind all neighbours. */
  readonly #starts: number[] = [];

  constructor(table: ShapeRecords) {
    this.#table = table;
    this.#vertices = new Float32Array((4 * table.vertices.length) / 3);
  }

  /** Scales the vertices of a polytope. Where it gets cells, says where they are; `perEdge` is 0 where not. */
  add(record: number, scale: number): { firstCell: number; perEdge: number } {
    const { vertices, integers, parameters, neighbourStarts, neighbours } = this.#table;
    const first = integers[INTEGERS * record + Integer.firstVertex]!;
    const count = integers[INTEGERS * record + Integer.vertexCount]!;
    const words = new Uint32Array(this.#vertices.buffer);
    for (let v = first; v < first + count; v++) {
      for (let k = 0; k < 3; k++) this.#vertices[4 * v + k] = vertices[3 * v + k]! * scale;
      words[4 * v + 3] = neighbourStarts[v]!;
    }
    const none = { firstCell: 0, perEdge: 0 };
    if (count < LEAST_VERTICES_FOR_CELLS || count > MOST_VERTICES_FOR_CELLS) return none;
    const room = MOST_LISTED - this.#listed.length;
    const cells = directionCells(
      vertices,
      first,
      count,
      parameters[PARAMETERS * record + Parameter.boundingRadius]!,
      room,
    );
    if (cells === undefined) return none;
    const firstCell = neighbours.length + this.#starts.length;
    const offset = this.#vertices.length / 4 + this.#listed.length;
    for (const start of cells.starts) this.#starts.push(offset + start);
    for (const v of cells.vertices) this.#listed.push(first + v);
    return { firstCell, perEdge: cells.perEdge };
  }

  finish(): Pick<ShapeBuffers, 'vertices' | 'neighbours'> {
    const { neighbours, neighbourStarts } = this.#table;
    const vertices = new Float32Array(this.#vertices.length + 4 * this.#listed.length);
    // As integers: what counts neighbours are no numbers.
    const from = new Uint32Array(this.#vertices.buffer);
    const to = new Uint32Array(vertices.buffer);
    to.set(from);
    this.#listed.forEach((v, i) => {
      to.set(from.subarray(4 * v, 4 * v + 4), from.length + 4 * i);
    });
    const table = new Uint32Array(neighbours.length + this.#starts.length);
    table.set(neighbours);
    table.set(this.#starts, neighbours.length);
    for (let v = 1; v < neighbourStarts.length; v++) {
      const end = neighbourStarts[v]!;
      if (end > neighbourStarts[v - 1]!) table[end - 1]! |= LAST_NEIGHBOUR;
    }
    return { vertices, neighbours: table };
  }
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
  const { values, first, stride } = quaternions;
  // Written out: this runs for every body of every query.
  for (let i = 0; i < shapes.length; i++) {
    const at = PARAMETERS * shapes[i]! + Parameter.centre;
    const m = 12 * i;
    let x = placements[m + 9]!;
    let y = placements[m + 10]!;
    let z = placements[m + 11]!;
    const a = p[at]!;
    const b = p[at + 1]!;
    const c = p[at + 2]!;
    if (a !== 0 || b !== 0 || c !== 0) {
      x += placements[m]! * a + placements[m + 1]! * b + placements[m + 2]! * c;
      y += placements[m + 3]! * a + placements[m + 4]! * b + placements[m + 5]! * c;
      z += placements[m + 6]! * a + placements[m + 7]! * b + placements[m + 8]! * c;
    }
    centres[3 * i] = x;
    centres[3 * i + 1] = y;
    centres[3 * i + 2] = z;
    const o = BODY * i;
    bodies[o] = x;
    bodies[o + 1] = y;
    bodies[o + 2] = z;
    words[o + 3] = shapes[i]!;
    bodies[o + 4] = x - Math.fround(x);
    bodies[o + 5] = y - Math.fround(y);
    bodies[o + 6] = z - Math.fround(z);
    const q = first + stride * i;
    bodies[o + 8] = values[q]!;
    bodies[o + 9] = values[q + 1]!;
    bodies[o + 10] = values[q + 2]!;
    bodies[o + 11] = values[q + 3]!;
  }
  return bodies;
}
