// Shapes as flat records, the form in which float64 algorithms and kernels read them.

import { told } from '../../arguments.ts';
import { InputError } from '../../errors.ts';
import { LEAST_VERTICES_TO_LIST } from '../constants.ts';
import { listFarthest } from './cells.ts';
import { facePolygons } from './face-polygons.ts';
import { facetsOf } from './facets.ts';
import { hullOfPoints } from './hull.ts';
import { inballRadius } from './inball.ts';
import {
  CompoundParameter,
  INTEGERS,
  Integer,
  NO_CELLS,
  PARAMETERS,
  Parameter,
  type ShapeArrays,
  ShapeKind,
} from './records.ts';
import { type Draft, draftOf, pack } from './shape-drafts.ts';
import { requireShape, type Shape } from './shapes.ts';
import { coreSupport } from './support.ts';

/**
 * Convex shapes, and concave ones as lists of convex parts, as flat arrays. The first `count` records are the shapes in
 * the order given; children and parts follow.
 */
export class ShapeTable implements ShapeArrays {
  /** Number of shapes given. */
  readonly count: number;
  readonly parameters: Float64Array;
  readonly integers: Uint32Array;
  readonly vertices: Float64Array;
  readonly neighbourStarts: Uint32Array;
  readonly neighbours: Uint32Array;
  readonly partRecords: Uint32Array;
  readonly partPlacements: Float64Array;
  readonly farthest: Uint32Array;
  readonly farthestStarts: Uint32Array;
  readonly faces: Float64Array;
  readonly faceCorners: Uint32Array;
  readonly faceNeighbours: Uint32Array;
  readonly faceLists: Uint32Array;
  readonly faceListStarts: Uint32Array;
  readonly polygonNormals: Float64Array;
  readonly polygonStarts: Uint32Array;
  readonly polygonCorners: Uint32Array;
  readonly edgePolygons: Uint32Array;
  readonly edgeStarts: Uint32Array;
  readonly edgeEnds: Uint32Array;

  /**
   * @param names of the shapes, for messages
   * @throws InputError if a description is not usable; the message names the shape and the field.
   */
  constructor(shapes: readonly Shape[], names: readonly string[] = []) {
    if (!Array.isArray(shapes))
      throw new InputError(`shapes: found ${told(shapes)}, expected an array of descriptions`);
    if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) {
      throw new InputError(`names: found ${told(names)}, expected an array of texts`);
    }
    if (shapes.length === 0) throw new InputError('shapes: none found, expected at least one');
    shapes.forEach((shape, i) => {
      requireShape(shape, names[i] ?? `shape ${i}`);
    });
    this.count = shapes.length;
    const drafts: Draft[] = shapes.map(() => ({ kind: -1, parameters: new Float64Array(PARAMETERS) }));
    shapes.forEach((shape, i) => {
      drafts[i] = draftOf(shape, drafts);
    });
    const packed = pack(drafts);
    this.parameters = packed.parameters;
    this.integers = packed.integers;
    this.vertices = packed.vertices;
    this.neighbourStarts = packed.neighbourStarts;
    this.neighbours = packed.neighbours;
    this.partRecords = packed.partRecords;
    this.partPlacements = packed.partPlacements;
    const { farthest, farthestStarts } = this.#listFarthest();
    this.farthest = farthest;
    this.farthestStarts = farthestStarts;
    const facets = facetsOf(drafts, this.vertices, this.integers, this.parameters);
    this.faces = facets.faces;
    this.faceCorners = facets.faceCorners;
    this.faceNeighbours = facets.faceNeighbours;
    this.faceLists = facets.faceLists;
    this.faceListStarts = facets.faceListStarts;
    const polygons = facePolygons({ ...packed, ...facets });
    this.polygonNormals = polygons.polygonNormals;
    this.polygonStarts = polygons.polygonStarts;
    this.polygonCorners = polygons.polygonCorners;
    this.edgePolygons = polygons.edgePolygons;
    this.edgeStarts = polygons.edgeStarts;
    this.edgeEnds = polygons.edgeEnds;
    for (let i = drafts.length - 1; i >= 0; i--) if (drafts[i]!.children !== undefined) this.#finish(i);
    for (let i = 0; i < drafts.length; i++) if (drafts[i]!.parts !== undefined) this.#boundParts(i);
    for (let i = 0; i < drafts.length; i++)
      this.parameters[PARAMETERS * i + Parameter.inball] = inballRadius(this, i);
  }

  /** True where the shape is a list of convex parts. */
  isConcave(shape: number): boolean {
    return this.integers[INTEGERS * shape + Integer.kind] === ShapeKind.parts;
  }

  /** Radius of the smallest sphere known to hold the shape, about its centre. */
  boundingRadius(shape: number): number {
    return this.parameters[PARAMETERS * shape + Parameter.boundingRadius]!;
  }

  /** Lists of the vertices that may be farthest, of all polytopes large enough; tells records where theirs are. */
  #listFarthest() {
    const { integers, parameters, vertices } = this;
    const lists: number[] = [];
    const starts: number[] = [];
    for (let i = 0; i < integers.length / INTEGERS; i++) {
      const at = INTEGERS * i;
      if (integers[at + Integer.kind] !== ShapeKind.polytope) continue;
      const count = integers[at + Integer.vertexCount]!;
      const isListed = count >= LEAST_VERTICES_TO_LIST;
      integers[at + Integer.firstCell] = isListed ? starts.length : NO_CELLS;
      if (!isListed) continue;
      const radius = parameters[PARAMETERS * i + Parameter.boundingRadius]!;
      listFarthest(vertices, integers[at + Integer.firstVertex]!, count, radius, lists, starts);
    }
    return { farthest: Uint32Array.from(lists), farthestStarts: Uint32Array.from(starts) };
  }

  /** Margins, offsets, centre and radius of a compound, from those of its children. */
  #finish(record: number): void {
    const p = this.parameters;
    const { margin, boundingRadius, centre: centreOf } = Parameter;
    const { rotation, offsetA, offsetB, excessA, excessB } = CompoundParameter;
    const at = PARAMETERS * record;
    const hull = this.integers[INTEGERS * record + Integer.kind] === ShapeKind.hull;
    const a = PARAMETERS * this.integers[INTEGERS * record + Integer.childA]!;
    const b = PARAMETERS * this.integers[INTEGERS * record + Integer.childB]!;
    const own = p[at + margin]!;
    const [marginA, marginB] = [p[a + margin]!, p[b + margin]!];
    const common = hull ? Math.min(marginA, marginB) : marginA + marginB;
    p[at + margin] = own + common;
    if (hull) {
      p[at + excessA] = marginA - common;
      p[at + excessB] = marginB - common;
    }
    // Centres of both children in the frame of the compound.
    const c = b + centreOf;
    const centreA = [0, 1, 2].map((k) => p[a + centreOf + k]!);
    const centreB = [0, 1, 2].map((k) => {
      const row = at + rotation + 3 * k;
      return p[at + offsetB + k]! + p[row]! * p[c]! + p[row + 1]! * p[c + 1]! + p[row + 2]! * p[c + 2]!;
    });
    if (!hull) {
      for (let k = 0; k < 3; k++) {
        p[at + centreOf + k] = centreA[k]! + centreB[k]!;
        p[at + offsetB + k] = 0;
      }
      p[at + boundingRadius] = p[a + boundingRadius]! + p[b + boundingRadius]! + own;
      return;
    }
    p.set(centreA, at + offsetA);
    p.set(centreB, at + offsetB);
    const centre = this.#centroidBySampling(record);
    let radius = 0;
    for (const [offset, child] of [
      [offsetA, a],
      [offsetB, b],
    ] as const) {
      let squared = 0;
      for (let k = 0; k < 3; k++) {
        p[at + offset + k]! -= centre[k]!;
        squared += p[at + offset + k]! ** 2;
      }
      radius = Math.max(radius, Math.sqrt(squared) + p[child + boundingRadius]!);
    }
    p.set(centre, at + centreOf);
    p[at + boundingRadius] = radius + own;
  }

  /** Centroid of the polytope of support points in many directions: a hull of two shapes has no closed form. */
  #centroidBySampling(record: number): readonly [number, number, number] {
    const count = 80;
    const points = new Float64Array(3 * count);
    for (let i = 0; i < count; i++) {
      // Fibonacci sphere: even spirals, no clusters at the poles.
      const z = 1 - (2 * i + 1) / count;
      const r = Math.sqrt(1 - z * z);
      const phi = i * Math.PI * (3 - Math.sqrt(5));
      const margin = this.parameters[PARAMETERS * record + Parameter.margin]!;
      const [x, y] = [r * Math.cos(phi), r * Math.sin(phi)];
      coreSupport(this, record, x, y, z, points, 3 * i);
      points[3 * i]! += margin * x;
      points[3 * i + 1]! += margin * y;
      points[3 * i + 2]! += margin * z;
    }
    return hullOfPoints(points).centroid;
  }

  #boundParts(record: number): void {
    const first = this.integers[INTEGERS * record + Integer.firstPart]!;
    const end = first + this.integers[INTEGERS * record + Integer.partCount]!;
    let radius = 0;
    for (let i = first; i < end; i++) {
      const part = PARAMETERS * this.partRecords[i]!;
      const m = this.partPlacements.subarray(12 * i, 12 * i + 12);
      const c = this.parameters.subarray(part + Parameter.centre, part + Parameter.centre + 3);
      let squared = 0;
      for (let k = 0; k < 3; k++) {
        squared += (m[9 + k]! + m[3 * k]! * c[0]! + m[3 * k + 1]! * c[1]! + m[3 * k + 2]! * c[2]!) ** 2;
      }
      radius = Math.max(radius, Math.sqrt(squared) + this.parameters[part + Parameter.boundingRadius]!);
    }
    this.parameters[PARAMETERS * record + Parameter.boundingRadius] = radius;
  }
}
