// Shapes in float32, as kernels read them.

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

const LAST_NEIGHBOUR = 0x8000_0000;
/** Vertices that cells of all polytopes may list: 16 MiB. Polytopes beyond are climbed on. */
const MOST_LISTED = 1 << 20;

/** What is uploaded about shapes, once. */
export interface ShapeBuffers {
  /** `ShapeRecord` of each record. */
  readonly records: Float32Array<ArrayBuffer>;
  readonly vertices: Float32Array<ArrayBuffer>;
  readonly neighbours: Uint32Array<ArrayBuffer>;
  /** Polygons, then their corners: `facets` in pair-layout.ts. */
  readonly facets: Float32Array<ArrayBuffer>;
}

/**
 * Records in float32. Lengths are in units of the record, the power of two from its bounding radius down to half of it:
 * only so can float32 square lengths from 1e-30 to 1e30. Centres are not among them: parts have them (shape-parts.ts).
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

/** Polygons and their corners, each with its number in its polytope. Corners are in the unit of the record. */
function facetBuffer(table: ShapeRecords): Float32Array<ArrayBuffer> {
  const { polygonNormals, polygonStarts, polygonCorners, vertices } = table;
  const polygons = polygonStarts.length - 1;
  const facets = new Float32Array(4 * (polygons + polygonCorners.length));
  const words = new Uint32Array(facets.buffer);
  const { scales, firsts } = recordsOfVertices(table);
  for (let i = 0; i < polygons; i++) {
    const start = polygonStarts[i]!;
    facets.set(polygonNormals.subarray(3 * i, 3 * i + 3), 4 * i);
    words[4 * i + 3] = 16 * (polygons + start) + polygonStarts[i + 1]! - start;
  }
  polygonCorners.forEach((vertex, i) => {
    const to = 4 * (polygons + i);
    for (let k = 0; k < 3; k++) facets[to + k] = vertices[3 * vertex + k]! * scales[vertex]!;
    words[to + 3] = vertex - firsts[vertex]!;
  });
  return facets;
}

/** What each vertex of a polytope is scaled by, and the polytope's first one. */
function recordsOfVertices({ integers, parameters, vertices }: ShapeRecords) {
  const scales = new Float64Array(vertices.length / 3);
  const firsts = new Uint32Array(vertices.length / 3);
  for (let r = 0; r < integers.length; r += INTEGERS) {
    const unit = unitOf(parameters[(PARAMETERS * r) / INTEGERS + Parameter.boundingRadius]!);
    const first = integers[r + Integer.firstVertex]!;
    const end = first + integers[r + Integer.vertexCount]!;
    scales.fill(unit > 0 ? 1 / unit : 0, first, end);
    firsts.fill(first, first, end);
  }
  return { scales, firsts };
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
