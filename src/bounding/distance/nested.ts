/** Whether of two bodies whose surfaces do not meet one lies inside the other, or a part of it does. */
import { ExactTest } from '../../inside/exact.ts';
import { buildEdgeTable } from '../../mesh/edges.ts';
import { surfaceDefect } from '../../mesh/mesh-verdict.ts';
import { partsOf } from '../../mesh/topology.ts';
import type { Box, TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { type Placement, place } from '../pose.ts';

/** What is known of a mesh, made when first asked for. */
interface Solid {
  /** Undefined for open meshes, which nothing is inside of. */
  readonly test: ExactTest | undefined;
  /** A triangle of each part that edges join. */
  readonly triangles: readonly number[];
}

const solids = new WeakMap<TriangleMesh, Solid>();

function solidOf(mesh: TriangleMesh): Solid {
  let solid = solids.get(mesh);
  if (solid === undefined) {
    const { parts, count } = partsOf(mesh.indices, buildEdgeTable(mesh.indices, mesh.vertexCount));
    const triangles = new Array<number>(count).fill(0);
    for (let t = parts.length - 1; t >= 0; t--) triangles[parts[t]!] = t;
    solid = { test: surfaceDefect(mesh, 'odd') === undefined ? new ExactTest(mesh) : undefined, triangles };
    solids.set(mesh, solid);
  }
  return solid;
}

/**
 * Whether a box is apart from another one along one of its axes, by more than rounding: then nothing of one is inside
 * the other.
 *
 * @param placement b in the frame of a
 * @param error what rounding may add to a gap
 */
export function boxesApart(a: Box, b: Box, { turn, shift }: Placement, error: number): boolean {
  const { min, max } = b;
  // Twice the middle and half edges of b.
  const x = min[0] + max[0];
  const y = min[1] + max[1];
  const z = min[2] + max[2];
  const u = max[0] - min[0];
  const v = max[1] - min[1];
  const w = max[2] - min[2];
  for (let k = 0; k < 3; k++) {
    const p = turn[3 * k]!;
    const q = turn[3 * k + 1]!;
    const r = turn[3 * k + 2]!;
    const low = a.min[k]!;
    const high = a.max[k]!;
    const away = p * x + q * y + r * z + 2 * shift[k]! - low - high;
    const reach = Math.abs(p) * u + Math.abs(q) * v + Math.abs(r) * w + high - low;
    if (Math.abs(away) - reach > 2 * error) return true;
  }
  return false;
}

/** Whether all corners of a mesh are in the box of another: only then all of it may be inside. */
export function isInBox(inner: TriangleMesh, outer: TriangleMesh, placement: Placement): boolean {
  const { min, max } = outer.box;
  const point = new Float64Array(3);
  // The first one is outside, nearly always.
  return inner.indices.every((corner) => {
    place(placement, inner.positions, 3 * corner, point);
    return min.every((least, k) => point[k]! > least && point[k]! < max[k]!);
  });
}

/**
 * A triangle of `inner` of which a corner is inside `outer`, by an odd number of crossings, and where that is in the
 * frame of `outer`; undefined where there is none. Parts of a surface that meets no other are inside or outside as a
 * whole, so a corner of each tells.
 *
 * @param placement `inner` in the frame of `outer`
 * @param error what rounding may add to a gap
 */
export function nestedCorner(
  inner: TriangleMesh,
  outer: TriangleMesh,
  placement: Placement,
  error: number,
): { triangle: number; point: Float64Array } | undefined {
  // That is nearly always so.
  if (boxesApart(outer.box, inner.box, placement, error)) return undefined;
  const { test } = solidOf(outer);
  if (test === undefined) return undefined;
  const point = new Float64Array(3);
  for (const triangle of solidOf(inner).triangles) {
    place(placement, inner.positions, 3 * inner.indices[3 * triangle]!, point);
    if (test.flag(point[0]!, point[1]!, point[2]!, 'odd') === 1) return { triangle, point };
  }
  return undefined;
}
