/**
 * A mesh in the local frame of its tables: scaled by a power of two where coordinates are extreme, and moved to the
 * origin along axes on which it lies far from it. Both are exact, for the mesh and for every point in its box.
 */
import type { Box, TriangleMesh } from '../mesh/triangle-mesh.ts';
import { frameScale } from './frame.ts';

/** Local coordinates are `scale * x - shift`. */
export interface LocalFrame {
  /** A power of two. */
  readonly scale: number;
  /** Per axis; a float32. */
  readonly shift: readonly [number, number, number];
}

export interface Surface {
  readonly name: string;
  readonly positions: Float32Array | Float64Array;
  readonly indices: Uint32Array;
  readonly triangleCount: number;
  /** In the local frame; see localBox. */
  readonly box: Box;
  /** As it is in the mesh's file. */
  readonly sourceBox: Box;
  readonly frame: LocalFrame;
}

/**
 * The local frame of a box. An axis is moved by the end nearer to 0 where the box's two ends are within a factor of
 * two: then the difference of any coordinate and that end is a float32 (Sterbenz). Otherwise the box is as large as its
 * distance from 0, and float32 resolves it to 2^-23 of its size as it is.
 */
export function localFrame(box: Box): LocalFrame {
  const scale = frameScale(box);
  const shiftOf = (k: number) => {
    const [low, high] = [box.min[k]! * scale, box.max[k]! * scale];
    if (low > 0 && high <= 2 * low) return Math.fround(low);
    if (high < 0 && low >= 2 * high) return Math.fround(high);
    return 0;
  };
  return { scale, shift: [shiftOf(0), shiftOf(1), shiftOf(2)] };
}

/** Whether local coordinates are those of the mesh. */
export function isIdentity({ scale, shift }: LocalFrame): boolean {
  return scale === 1 && shift.every((s) => s === 0);
}

/**
 * A box of the mesh in a local frame, rounded to float32 as points are: rounding keeps order, so a point in it stays in
 * it.
 */
export function localBox(box: Box, frame: LocalFrame): Box {
  const { scale, shift } = frame;
  const local = (corner: Box['min']): Box['min'] => [
    Math.fround(corner[0] * scale - shift[0]),
    Math.fround(corner[1] * scale - shift[1]),
    Math.fround(corner[2] * scale - shift[2]),
  ];
  return { min: local(box.min), max: local(box.max) };
}

/** A mesh in a local frame, in float64; the mesh's own arrays where nothing changes. */
export function localSurface(mesh: TriangleMesh, frame: LocalFrame = localFrame(mesh.box)): Surface {
  const { name, indices, triangleCount, box } = mesh;
  if (isIdentity(frame)) {
    return { name, indices, triangleCount, box, sourceBox: box, positions: mesh.positions, frame };
  }
  const { scale, shift } = frame;
  const positions = Float64Array.from(mesh.positions, (x, i) => x * scale - shift[i % 3]!);
  return {
    name,
    indices,
    triangleCount,
    box: localBox(box, frame),
    sourceBox: box,
    positions,
    frame,
  };
}

/** A local coordinate along an axis as it is in the mesh's file. */
export function toSource({ scale, shift }: LocalFrame, x: number, axis: number): number {
  return (x + shift[axis]!) / scale;
}
