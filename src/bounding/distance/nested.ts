/** Whether of two bodies whose surfaces do not meet one lies inside the other, or a part of it does. */
import { ExactTest } from '../../inside/exact.ts';
import { buildEdgeTable } from '../../mesh/edges.ts';
import { surfaceDefect } from '../../mesh/mesh-verdict.ts';
import { partsOf } from '../../mesh/topology.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
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

/** Least and greatest coordinates of a mesh's box, turned and shifted. */
function placedBox({ box }: TriangleMesh, placement: Placement): [low: number[], high: number[]] {
  const corners = Float64Array.from({ length: 24 }, (_, i) =>
    ((i / 3) >> (i % 3)) & 1 ? box.max[i % 3]! : box.min[i % 3]!,
  );
  const placed = new Float64Array(24);
  place(placement, corners, 0, placed);
  const along = [0, 1, 2].map((k) => placed.filter((_, i) => i % 3 === k));
  return [along.map((x) => Math.min(...x)), along.map((x) => Math.max(...x))];
}

/** Whether the whole box of a mesh is in that of another: only then all of it may be inside. */
export function isBoxInside(inner: TriangleMesh, outer: TriangleMesh, placement: Placement): boolean {
  const { min, max } = outer.box;
  const [low, high] = placedBox(inner, placement);
  return min.every((least, k) => low[k]! > least && high[k]! < max[k]!);
}

/**
 * A triangle of `inner` of which a corner is inside `outer`, by an odd number of crossings, and where that is in the
 * frame of `outer`; undefined where there is none. Parts of a surface that meets no other are inside or outside as a
 * whole, so a corner of each tells.
 *
 * @param placement `inner` in the frame of `outer`
 */
export function nestedCorner(
  inner: TriangleMesh,
  outer: TriangleMesh,
  placement: Placement,
): { triangle: number; point: Float64Array } | undefined {
  const { min, max } = outer.box;
  const [low, high] = placedBox(inner, placement);
  // A box that does not meet the other one's has nothing inside it. That is nearly always so.
  if (min.some((least, k) => low[k]! > max[k]! || high[k]! < least)) return undefined;
  const { test } = solidOf(outer);
  if (test === undefined) return undefined;
  const point = new Float64Array(3);
  for (const triangle of solidOf(inner).triangles) {
    place(placement, inner.positions, 3 * inner.indices[3 * triangle]!, point);
    if (test.flag(point[0]!, point[1]!, point[2]!, 'odd') === 1) return { triangle, point };
  }
  return undefined;
}
