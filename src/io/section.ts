/** The curve in which a plane across an axis cuts a mesh, for drawing. */
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';

/** Points of a curve in the plane, `[u, v]` each. */
export interface Polyline {
  readonly points: Float64Array;
  /** Whether the last point is joined to the first one. */
  readonly closed: boolean;
}

export interface SectionOptions {
  readonly mesh: TriangleMesh;
  /** Axis across the plane, 0 to 2. */
  readonly axis: number;
  /** Where the plane stands on that axis, in the mesh's unit. */
  readonly place: number;
  /** The axes of the result's `u` and `v`. */
  readonly plane: readonly [number, number];
}

/**
 * Cuts a mesh: one segment per triangle that the plane separates, segments joined where triangles share an edge.
 * Vertices exactly on the plane count as above it. If there are some, a second section that counts them as below is
 * added. So the outline of faces in the plane appears, whichever side of them the body is on.
 */
export function crossSection(options: SectionOptions): Polyline[] {
  const { mesh, axis, place } = options;
  const { positions } = mesh;
  const section = sectionWhere(options, (height) => height >= place);
  if (!mesh.indices.some((v) => positions[3 * v + axis] === place)) return section;
  return [...section, ...sectionWhere(options, (height) => height > place)];
}

function sectionWhere(
  { mesh, axis, place, plane }: SectionOptions,
  isAbovePlane: (height: number) => boolean,
): Polyline[] {
  const { positions, indices, vertexCount } = mesh;
  // An edge of the mesh is cut in one point, which its triangles share: the edge's number stands for that point.
  const edgeKey = (a: number, b: number) => Math.min(a, b) * vertexCount + Math.max(a, b);
  const isAbove = (v: number) => isAbovePlane(positions[3 * v + axis]!);
  const ends: number[] = []; // two edge keys per segment
  for (let t = 0; t < indices.length; t += 3) {
    const corners = [indices[t]!, indices[t + 1]!, indices[t + 2]!];
    const above = corners.map(isAbove);
    if (above[0] === above[1] && above[1] === above[2]) continue;
    for (let k = 0; k < 3; k++) {
      const next = (k + 1) % 3;
      if (above[k] !== above[next]) ends.push(edgeKey(corners[k]!, corners[next]!));
    }
  }
  const pointOf = (key: number): [number, number] => {
    const a = 3 * Math.floor(key / vertexCount);
    const b = 3 * (key % vertexCount);
    const along = (place - positions[a + axis]!) / (positions[b + axis]! - positions[a + axis]!);
    const at = (k: number) => positions[a + k]! + along * (positions[b + k]! - positions[a + k]!);
    return [at(plane[0]), at(plane[1])];
  };
  return joinSegments(ends).map(({ keys, closed }) => ({
    points: Float64Array.from(keys.flatMap(pointOf)),
    closed,
  }));
}

/** Joins segments into lines, each segment used once. `ends` holds the keys of two ends per segment. */
function joinSegments(ends: readonly number[]): { keys: number[]; closed: boolean }[] {
  const segmentsAt = new Map<number, number[]>();
  for (const [i, key] of ends.entries()) {
    const here = segmentsAt.get(key);
    if (here === undefined) segmentsAt.set(key, [i >> 1]);
    else here.push(i >> 1);
  }
  const isUsed = new Uint8Array(ends.length / 2);
  const chains: { keys: number[]; closed: boolean }[] = [];
  for (let start = 0; start < isUsed.length; start++) {
    if (isUsed[start] === 1) continue;
    isUsed[start] = 1;
    const keys = [ends[2 * start]!, ends[2 * start + 1]!];
    for (;;) {
      const last = keys.at(-1)!;
      const next = last === keys[0] ? undefined : segmentsAt.get(last)!.find((s) => isUsed[s] === 0);
      if (next === undefined) break;
      isUsed[next] = 1;
      keys.push(ends[2 * next] === last ? ends[2 * next + 1]! : ends[2 * next]!);
    }
    const closed = keys.length > 2 && keys[0] === keys.at(-1);
    if (closed) keys.pop();
    chains.push({ keys, closed });
  }
  return chains;
}
