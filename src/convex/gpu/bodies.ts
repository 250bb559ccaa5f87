// Bodies as kernels see them: convex ones. A concave body becomes one per part, placed in float64.

import { compose } from '../shapes/pose.ts';
import { INTEGERS, Integer } from '../shapes/records.ts';
import type { ShapeTable } from '../shapes/shape-table.ts';
import { type BodySource, bodyBuffer } from './tables.ts';

/** Convex bodies, and which of them belong to which body of a query. */
export interface ConvexBodies extends BodySource {
  /** Record of each convex body. */
  readonly shapes: Uint32Array;
  /** Convex bodies of body i: `starts[i]` to before `starts[i + 1]`. Undefined where all bodies are convex. */
  readonly starts: Uint32Array | undefined;
  /** `[n*12]` floats for the kernels. */
  readonly data: Float32Array<ArrayBuffer>;
  /** `[n*3]`: centres in the world. */
  readonly centres: Float64Array;
}

/**
 * @param poses `[n*7]`, as in a query
 * @param placed `placements(poses)`
 * @param shapes shape of each body
 */
export function convexBodies(
  table: ShapeTable,
  poses: Float32Array | Float64Array,
  placed: Float64Array,
  shapes: Uint32Array,
): ConvexBodies {
  const concave = table.partRecords.length > 0 && shapes.some((shape) => table.isConcave(shape));
  if (!concave) {
    const source = { placements: placed, quaternions: { values: poses, first: 3, stride: 7 }, shapes };
    return finish(table, source, undefined);
  }
  const { integers, partRecords, partPlacements } = table;
  const starts = new Uint32Array(shapes.length + 1);
  for (let i = 0; i < shapes.length; i++) {
    starts[i + 1] = starts[i]! + Math.max(1, integers[INTEGERS * shapes[i]! + Integer.partCount]!);
  }
  const count = starts[shapes.length]!;
  const records = new Uint32Array(count);
  const placements = new Float64Array(12 * count);
  const quaternions = new Float64Array(4 * count);
  for (let i = 0; i < shapes.length; i++) {
    const shape = shapes[i]!;
    const parts = integers[INTEGERS * shape + Integer.partCount]!;
    const firstPart = integers[INTEGERS * shape + Integer.firstPart]!;
    for (let j = starts[i]!; j < starts[i + 1]!; j++) {
      if (parts === 0) {
        records[j] = shape;
        placements.set(placed.subarray(12 * i, 12 * i + 12), 12 * j);
        for (let k = 0; k < 4; k++) quaternions[4 * j + k] = poses[7 * i + 3 + k]!;
        continue;
      }
      const part = firstPart + j - starts[i]!;
      records[j] = partRecords[part]!;
      const out = placements.subarray(12 * j, 12 * j + 12);
      compose(placed, 12 * i, partPlacements, 12 * part, out);
      quaternionOf(out, quaternions, 4 * j);
    }
  }
  const source = { placements, quaternions: { values: quaternions, first: 0, stride: 4 }, shapes: records };
  return finish(table, source, starts);
}

function finish(table: ShapeTable, source: BodySource, starts: Uint32Array | undefined): ConvexBodies {
  const centres = new Float64Array(3 * source.shapes.length);
  return { ...source, starts, centres, data: bodyBuffer(table, source, centres) };
}

/** Unit quaternion of a rotation matrix by rows, from its largest component: no cancellation. */
function quaternionOf(m: Float64Array, out: Float64Array, o: number): void {
  const squares = [
    1 + m[0]! - m[4]! - m[8]!,
    1 - m[0]! + m[4]! - m[8]!,
    1 - m[0]! - m[4]! + m[8]!,
    1 + m[0]! + m[4]! + m[8]!,
  ];
  // Four times the products of component k with all components.
  const products = [
    [squares[0]!, m[1]! + m[3]!, m[2]! + m[6]!, m[7]! - m[5]!],
    [m[1]! + m[3]!, squares[1]!, m[5]! + m[7]!, m[2]! - m[6]!],
    [m[2]! + m[6]!, m[5]! + m[7]!, squares[2]!, m[3]! - m[1]!],
    [m[7]! - m[5]!, m[2]! - m[6]!, m[3]! - m[1]!, squares[3]!],
  ];
  const largest = squares.indexOf(Math.max(...squares));
  const length = Math.hypot(...products[largest]!);
  for (let k = 0; k < 4; k++) out[o + k] = products[largest]![k]! / length;
}
