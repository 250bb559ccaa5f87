// The convex parts of every shape, as the kernel that places bodies reads them. A convex shape is one part of itself.
import { writeToArrayBuffer } from 'typegpu';
import * as d from 'typegpu/data';
import { mat3d, quatd } from 'wgpu-matrix';
import { LARGEST_FLOAT32 } from '../../constants.ts';
import { INTEGERS, Integer, PARAMETERS, Parameter } from '../shapes/records.ts';
import type { ShapeTable } from '../shapes/shape-table.ts';
import { Part } from './pair-layout.ts';

/** Bits of `Part.place`. */
const PartPlace = { hasCentre: 1, isTurned: 2 } as const;

/** A convex part in the frame of its shape. */
export interface ShapePart {
  readonly record: number;
  readonly kind: number;
  /** x, y, z. */
  readonly centre: readonly [number, number, number];
  /** Unit quaternion x, y, z, w; undefined where the part is not turned. */
  readonly turn: Float64Array | undefined;
}

/** Parts shape by shape. */
export interface ShapeParts {
  readonly parts: readonly ShapePart[];
  /** First part and number of parts of each shape. */
  readonly spans: Uint32Array<ArrayBuffer>;
  readonly mostParts: number;
  /** Whether some part has another place than its shape. */
  readonly isMoved: boolean;
}

export function shapeParts(table: ShapeTable): ShapeParts {
  const parts: ShapePart[] = [];
  const spans = new Uint32Array(2 * table.count);
  let mostParts = 1;
  for (let shape = 0; shape < table.count; shape++) {
    const count = Math.max(1, table.integers[INTEGERS * shape + Integer.partCount]!);
    spans.set([parts.length, count], 2 * shape);
    mostParts = Math.max(mostParts, count);
    if (!table.isConcave(shape)) {
      parts.push(partOf(table, shape));
      continue;
    }
    const first = table.integers[INTEGERS * shape + Integer.firstPart]!;
    for (let i = first; i < first + count; i++) {
      const placement = table.partPlacements.subarray(12 * i, 12 * i + 12);
      parts.push(placedPart(table, table.partRecords[i]!, placement));
    }
  }
  return { parts, spans, mostParts, isMoved: parts.some((part) => placeOf(part) !== 0) };
}

/**
 * A convex record as a part with a place.
 *
 * @param place rotation by rows and position, twelve numbers
 */
export function placedPart(table: ShapeTable, record: number, place: Float64Array): ShapePart {
  const part = partOf(table, record);
  return { ...part, centre: moved(part.centre, place), turn: quaternionOf(place) };
}

function partOf({ integers, parameters }: ShapeTable, record: number): ShapePart {
  const at = PARAMETERS * record + Parameter.centre;
  const centre = [parameters[at]!, parameters[at + 1]!, parameters[at + 2]!] as const;
  return { record, kind: integers[INTEGERS * record + Integer.kind]!, centre, turn: undefined };
}

export const placeOf = ({ centre, turn }: ShapePart) =>
  (centre.some((x) => x !== 0) ? PartPlace.hasCentre : 0) | (turn === undefined ? 0 : PartPlace.isTurned);

/**
 * How far the kernel's place of a centre is off, in units of what a centre kept as two float32 is off that is as far
 * from the origin as the part is from its shape's: 2^-36.5 over 2^-48. docs/convex.md, "Bodies on the GPU".
 */
const PLACE_ERROR = 2 ** 11.5;

/**
 * `Body.reach` of a part: of a length so large two float32 leave what the kernel leaves of the way to the part's
 * centre.
 */
export function reachOfPart({ centre }: ShapePart): number {
  return Math.min(LARGEST_FLOAT32, PLACE_ERROR * Math.hypot(...centre) * (1 + 2 ** -22));
}

/** Parts as `Part` has them. */
export function packParts(parts: readonly ShapePart[]): ArrayBuffer {
  const schema = d.arrayOf(Part, parts.length);
  const packed = new ArrayBuffer(d.sizeOf(schema));
  const values = parts.map((part) => {
    const largest = Math.max(...part.centre.map(Math.abs));
    const scale = largest > 0 ? 2 ** Math.floor(Math.log2(largest)) : 1;
    const centre = part.centre.map((x) => x / scale);
    const turn = [...(part.turn ?? quatd.identity())];
    return {
      ...{ scale, reach: reachOfPart(part), record: part.record, kind: part.kind, place: placeOf(part) },
      centre: d.vec3f(...(centre as [number, number, number])),
      centreRest: d.vec3f(...(centre.map(restOf) as [number, number, number])),
      turn: d.vec4f(...(turn as [number, number, number, number])),
      turnRest: d.vec4f(...(turn.map(restOf) as [number, number, number, number])),
    };
  });
  writeToArrayBuffer(packed, schema, values);
  return packed;
}

/** What rounding to float32 leaves of a number. */
const restOf = (x: number) => x - Math.fround(x);

/** A point of a part in the frame of the whole. */
function moved([x, y, z]: ShapePart['centre'], m: Float64Array): [number, number, number] {
  const along = (row: number) => m[9 + row]! + (m[3 * row]! * x + m[3 * row + 1]! * y + m[3 * row + 2]! * z);
  return [along(0), along(1), along(2)];
}

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** Unit quaternion of a rotation matrix by rows; undefined for no rotation. */
function quaternionOf(m: Float64Array): Float64Array | undefined {
  if (IDENTITY.every((x, i) => x === m[i])) return undefined;
  // wgpu-matrix takes matrices by columns. Of a transposed one, it makes the quaternion of the inverse rotation.
  return quatd.conjugate(quatd.fromMat(mat3d.create(...m.subarray(0, 9))));
}
